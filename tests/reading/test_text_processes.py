"""Texts cut by jieba in other processes: the same scores, whatever happens to the processes, and none is left."""

import contextlib
import dataclasses
import functools
import gc
import importlib
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import evaluate
import pytest

from polyrouge import TOKENIZERS, Rouge, RougeWarning, compare_systems
from polyrouge.counting import engines
from polyrouge.counting.compiled import engine as compiled_engine
from polyrouge.counting.compiled import spaced_texts
from polyrouge.counting.compiled import token_batches as token_ids
from polyrouge.errors import hearing_warnings, warn_user
from polyrouge.inputs import Inputs
from polyrouge.reading import documents
from polyrouge.reading import text_processes as processes
from polyrouge.scoring.streamed import StreamedScores
from polyrouge.texts import jieba_words

TEXTS = [
    f"他来到了网易杭研大厦{i}层。今天天气很好，我们去公园散步！\n云计算方面的专家 x{i}.5 说 AT&T" for i in range(60)
]
OTHERS = [f"小明硕士毕业于中国科学院计算所{i}，后在日本京都大学深造。今天天气不错\n云计算 x{i}.5" for i in range(60)]
SETTINGS = {
    "zh_word": {},
    "llama_factory": {},
    "ms_swift": {},
    "longbench_zh": {},
    "rouge_chinese": {"segment": "jieba"},
    "words without the HMM": {"jieba_hmm": False},
    "user dictionary": {"jieba_dict": "FILE"},
    "user dictionary for a tool": {"segment": "jieba", "jieba_dict": "FILE"},
}


@pytest.fixture
def asked(monkeypatch):
    """Make any amount of text much, in chunks of ten; yields the processes that were asked, once for each question."""
    for module, name in (
        (token_ids, "MUCH_FOR_RJIEBA"),
        (spaced_texts, "MUCH_FOR_RJIEBA"),
        (compiled_engine, "MUCH_FOR_JIEBA"),
    ):
        monkeypatch.setattr(module, name, 0)
    monkeypatch.setattr(engines, "_LEAST_EXAMPLES", 10)
    monkeypatch.setitem(engines._CHUNK_EXAMPLES, "compiled", 10)
    found = []
    ask = processes._Process.ask

    def spy(self, *question):
        found.append(self)
        return ask(self, *question)

    monkeypatch.setattr(processes._Process, "ask", spy)
    return found


def rouge(name, tmp_path, **more):
    values = dict(SETTINGS.get(name, {}))
    if values.get("jieba_dict") == "FILE":
        path = tmp_path / "words.txt"
        path.write_text("云计算方面 50000\n网易杭研大厦 50000\n", encoding="utf-8")
        values["jieba_dict"] = str(path)
    convention = "zh_word" if "words" in name or name == "user dictionary" else "pltrdy" if " " in name else name
    return Rouge(convention, **{"engine": "compiled", "threads": 2, **values, **more})


def all_ended(found):
    return bool(found) and all(each._process.poll() is not None for each in found)


@contextlib.contextmanager
def one_warning(match):
    with pytest.warns(RougeWarning, match=match) as caught:
        yield
    assert len([each for each in caught if match in str(each.message)]) == 1


@pytest.mark.parametrize("name", SETTINGS)
def test_same_scores_as_in_one_process(name, tmp_path, asked):
    alone = rouge(name, tmp_path, threads=1).count(TEXTS, OTHERS)
    assert not asked

    together = rouge(name, tmp_path).count(TEXTS, OTHERS)

    assert len(asked) == 6
    assert len(set(asked)) == 2
    assert all_ended(asked)
    assert not any(each.failure for each in asked)
    for one, other in zip(vars(alone).values(), vars(together).values(), strict=True):
        assert repr(one) == repr(other)
    if "user dictionary" in name:
        assert together.counts.sum() != rouge(name, tmp_path, jieba_dict=None).count(TEXTS, OTHERS).counts.sum()


@pytest.mark.parametrize("name", ["zh_word", "words without the HMM"])
def test_what_looks_wrong_is_still_said(name, tmp_path, asked):
    with pytest.warns(RougeWarning, match="no text has a sentence break"):
        rouge(name, tmp_path).compute(["今天"] * 60, ["今天天气"] * 60)
    assert asked


def test_nothing_is_started_for_little_text_one_thread_or_no_jieba(tmp_path, asked, monkeypatch):
    rouge("zh_word", tmp_path, threads=1).compute(TEXTS, OTHERS)
    rouge("zh_char", tmp_path).compute(TEXTS, OTHERS)
    rouge("zh_word", tmp_path, tokenizer=list).compute(TEXTS, OTHERS)
    monkeypatch.undo()
    rouge("zh_word", tmp_path).compute(TEXTS * 20, OTHERS * 20)
    rouge("words without the HMM", tmp_path).compute(TEXTS, OTHERS)
    assert not asked


def test_deleted_words_are_known_to_this_process_only(tmp_path, asked):
    import jieba

    before = rouge("words without the HMM", tmp_path, jieba_hmm=True, jieba_dict=None).compute(TEXTS, OTHERS)
    path = tmp_path / "words.txt"
    path.write_text("云计算方面 50000\n", encoding="utf-8")
    settings = {"jieba_dict": str(path), "engine": "compiled"}
    jieba.del_word("杭研")
    try:
        asked.clear()
        deleted = Rouge("zh_word", threads=2, **settings).compute(TEXTS, OTHERS)
        assert not asked
        assert deleted == Rouge("zh_word", threads=1, **settings).compute(TEXTS, OTHERS)
    finally:
        jieba.finalseg.Force_Split_Words.discard("杭研")
    assert deleted != before


@pytest.mark.usefixtures("asked")
def test_nothing_more_is_said_when_something_else_went_wrong(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "executable", "")

    def compute():
        with processes.shared_processes():
            rouge("zh_word", tmp_path).compute(TEXTS, OTHERS)
            raise KeyError

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with pytest.raises(KeyError):
            compute()
    assert not [each for each in caught if "one core" in str(each.message)]


@pytest.mark.usefixtures("asked")
def test_the_warning_points_at_the_caller(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "executable", "")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rouge("zh_word", tmp_path).compute(TEXTS, OTHERS)
        with processes.shared_processes():
            rouge("zh_word", tmp_path).compute(TEXTS, OTHERS)
    assert [each.filename for each in caught if "one core" in str(each.message)] == [__file__] * 2


def test_a_warning_of_another_process_is_said_here(asked):
    with processes.TextProcesses(2, lambda: 1) as helpers, hearing_warnings() as said:
        assert helpers.are_worth_it(1)
        helpers.call(int, warn_user, "There is something.")
    assert not any(each.failure for each in asked)
    assert said == ["There is something."]


def test_closed_processes_are_not_started_again():
    with processes.TextProcesses(2, lambda: 1) as helpers:
        pass
    assert not helpers.are_worth_it(0)


@pytest.mark.parametrize("name", ["zh_word", "user dictionary"])
@pytest.mark.parametrize("when", ["at once", "later"])
def test_a_process_that_is_killed(name, when, tmp_path, asked, monkeypatch):
    expected = rouge(name, tmp_path, threads=1).compute(TEXTS, OTHERS)
    ask = processes._Process.ask

    def kill(self, *question):
        if (when == "at once") == (len(asked) < 2):
            self._process.kill()
        return ask(self, *question)

    monkeypatch.setattr(processes._Process, "ask", kill)
    with one_warning("Texts were cut on one core"):
        assert rouge(name, tmp_path).compute(TEXTS, OTHERS) == expected
    assert all_ended(asked)


@pytest.mark.parametrize("program", ["/bin/false", "/bin/cat", "/no/such/program", "", "silent"])
@pytest.mark.skipif(os.name != "posix", reason="programs of Unix")
def test_what_is_no_python(program, tmp_path, asked, monkeypatch):
    expected = rouge("zh_word", tmp_path, threads=1).compute(TEXTS, OTHERS)
    if program == "silent":
        program = str(tmp_path / "silent")
        Path(program).write_text("#!/bin/sh\nexec sleep 100\n")
        Path(program).chmod(0o700)
        monkeypatch.setattr(processes, "_SECONDS_TO_START", 0.2)
    monkeypatch.setattr(sys, "executable", program)
    with one_warning("Texts were cut on one core"):
        assert rouge("zh_word", tmp_path).compute(TEXTS, OTHERS) == expected
    assert not asked or all_ended(asked)


def test_an_error_in_the_function_is_raised_here(tmp_path, asked):
    path = tmp_path / "words.txt"
    path.write_text("云计算方面 50000\n", encoding="utf-8")
    metric = Rouge("zh_word", jieba_dict=str(path), engine="compiled", threads=2)
    metric.compute(TEXTS, OTHERS)
    path.unlink()
    asked.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RougeWarning)
        with pytest.raises(FileNotFoundError):
            metric.compute(TEXTS, OTHERS)
    assert not asked or all_ended(asked)


def test_several_runs_share_processes(tmp_path, asked):
    metric = rouge("zh_word", tmp_path)
    expected = metric.compute(TEXTS * 2, OTHERS * 2)
    asked.clear()
    with processes.shared_processes():
        stream = StreamedScores(metric.settings)
        stream.add(TEXTS, OTHERS)
        stream.add(TEXTS, OTHERS)
        assert len(set(asked)) == 2
        assert not any(each._process.poll() for each in asked)
        assert stream.result() == expected
    assert all_ended(asked)


def test_systems_share_processes(tmp_path, asked):
    compare_systems({"a": TEXTS, "b": OTHERS}, OTHERS, rouge=rouge("zh_word", tmp_path), n_resamples=100)
    assert len(asked) == 12
    assert len(set(asked)) == 2
    assert all_ended(asked)


def test_eight_threads_at_once(tmp_path, asked):
    names = [*SETTINGS][:4] * 2
    expected = [rouge(name, tmp_path, threads=1).compute(TEXTS, OTHERS) for name in names]
    with ThreadPoolExecutor(8) as pool:
        assert expected == list(pool.map(lambda name: rouge(name, tmp_path).compute(TEXTS, OTHERS), names))
    assert len(set(asked)) == 16
    assert all_ended(asked)


def test_a_metric_that_evaluate_has_copied(tmp_path, monkeypatch):
    metric = evaluate.load(str(Path(__file__).resolve().parents[2] / "rouge_metric.py"), "zh_word", cache_dir=tmp_path)
    package = type(metric).__module__.rpartition(".")[0]
    assert package != "polyrouge"
    copies = [importlib.import_module(f"{package}.{name}") for name in ("token_ids", "engines", "text_processes")]
    monkeypatch.setattr(copies[0], "MUCH_FOR_RJIEBA", 0)
    monkeypatch.setattr(copies[1], "_LEAST_EXAMPLES", 10)
    ask, copied = copies[2]._Process.ask, []

    def spy(self, *question):
        answer = ask(self, *question)
        copied.append((self, answer))
        return answer

    monkeypatch.setattr(copies[2]._Process, "ask", spy)
    texts = {"predictions": TEXTS, "references": OTHERS, "rouge_types": ["rouge1"]}
    assert metric.compute(**texts, engine="compiled", threads=2) == metric.compute(**texts, threads=1)
    assert all(len(answer) == 1 for _, answer in copied)
    assert all_ended([process for process, _ in copied])


def refused(metric, asked):
    """The scores, which only this process has made, and said so."""
    with one_warning("what they would load is not what is loaded here"):
        scores = metric.compute(TEXTS, OTHERS)
    assert asked
    assert all_ended(asked)
    return scores


def patch_a_pattern(monkeypatch):
    import jieba

    monkeypatch.setattr(jieba, "re_han_default", re.compile("([\u4e00-\u9fd5]+)"))


def patch_a_table(monkeypatch):
    from jieba import finalseg

    monkeypatch.setattr(finalseg, "emit_P", {state: dict.fromkeys("云计算", -1.0) for state in "BMES"})


def patch_a_method(monkeypatch):
    import jieba

    monkeypatch.setattr(
        jieba.Tokenizer,
        "calc",
        lambda _, text, __, route: route.update({place: (0, place) for place in range(len(text))}),
    )


def patch_a_wrapped_function(monkeypatch):
    from jieba import finalseg

    monkeypatch.setattr(finalseg, "cut", functools.wraps(finalseg.cut)(lambda text: iter(text)))


def patch_our_reader(monkeypatch):
    read = documents.DocumentReader.read
    monkeypatch.setattr(documents.DocumentReader, "read", lambda self, text: read(self, text[:20]))


PATCHES = [patch_a_pattern, patch_a_table, patch_a_method, patch_a_wrapped_function, patch_our_reader]


@pytest.mark.parametrize("patch", PATCHES)
def test_a_jieba_that_was_patched(patch, tmp_path, asked, monkeypatch):
    before = rouge("user dictionary", tmp_path, threads=1).compute(TEXTS, OTHERS)
    patch(monkeypatch)
    expected = rouge("user dictionary", tmp_path, threads=1).compute(TEXTS, OTHERS)
    assert expected != before
    assert refused(rouge("user dictionary", tmp_path), asked) == expected


def test_python_that_leaves_out_docstrings():
    command = [sys.executable, "-OO", "-c", textwrap.dedent(SURVIVES), "nothing"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split()[2] == "0"
    assert "on one core" not in done.stderr


def test_an_rjieba_that_was_exchanged(tmp_path, asked, monkeypatch):
    expected = rouge("zh_word", tmp_path, threads=1).compute(TEXTS, OTHERS)
    monkeypatch.setattr(jieba_words._repaired_rjieba(), "origin", ("another",))
    assert refused(rouge("zh_word", tmp_path), asked) == expected


@pytest.mark.parametrize("change", ["build", "cuts_at_sentences"])
def test_a_tokenizer_that_was_replaced(change, tmp_path, asked, monkeypatch):
    changed = {"build": lambda _: list, "cuts_at_sentences": False}[change]
    entry = dataclasses.replace(TOKENIZERS["jieba"], **{change: changed})
    monkeypatch.setitem(TOKENIZERS, "jieba", entry)
    metric = rouge("user dictionary", tmp_path)
    expected = rouge("user dictionary", tmp_path, threads=1).compute(TEXTS, OTHERS)
    if change == "build":
        assert metric.compute(TEXTS, OTHERS) == expected
        assert not asked
    else:
        assert refused(metric, asked) == expected


def test_a_dictionary_that_is_edited_while_it_is_used(tmp_path, asked, monkeypatch):
    metric = rouge("user dictionary", tmp_path)
    answer = processes._Process._answer

    def edit(self, question):
        Path(metric.settings.jieba_dict).write_text("今天天气 50000\n", encoding="utf-8")
        return answer(self, question)

    monkeypatch.setattr(processes._Process, "_answer", edit)
    refused(metric, asked)


@pytest.mark.usefixtures("asked")
def test_words_that_a_dictionary_deletes(tmp_path):
    import jieba

    path = tmp_path / "words.txt"
    path.write_text("杭研 0\n大厦 0\n", encoding="utf-8")
    try:
        together = rouge("zh_word", tmp_path, jieba_dict=str(path)).compute(TEXTS, OTHERS)
        alone = rouge("zh_word", tmp_path, jieba_dict=str(path), threads=1).compute(TEXTS, OTHERS)
        assert jieba.finalseg.Force_Split_Words
        assert together == alone != rouge("zh_word", tmp_path).compute(TEXTS, OTHERS)
    finally:
        jieba.finalseg.Force_Split_Words.clear()
        jieba_words._load_jieba.cache_clear()


def test_stems_of_another_package_stay_here(tmp_path, asked):
    rouge("user dictionary", tmp_path, use_stemmer=True).compute(TEXTS, OTHERS)
    assert not asked


@pytest.mark.usefixtures("asked")
def test_texts_are_not_kept_where_nothing_is_cut(tmp_path):
    with processes.shared_processes():
        rouge("zh_char", tmp_path).compute(TEXTS, OTHERS)
        gc.collect()
        assert not [each for each in gc.get_objects() if type(each) is Inputs]


UNGUARDED = """
    import os, sys
    from polyrouge import Rouge, compiled_engine, engines, token_ids

    sys.path.insert(0, os.getcwd())
    token_ids.MUCH_FOR_RJIEBA = 0
    engines._LEAST_EXAMPLES = engines._CHUNK_EXAMPLES["compiled"] = 10
    print("once", flush=True)
    rouge = Rouge("zh_word", rouge_types=["rouge1"], engine="compiled", threads=2)
    texts = [f"今天天气很好{i}" for i in range(100)]
    while True:
        print(rouge.compute(texts, texts)["rouge1"], flush=True)
"""


@pytest.fixture
def script(tmp_path):
    """A program of a user who guards nothing and has files named like modules; scores for ever."""
    for name in ("pickle", "types", "importlib", "subprocess", "re", "jieba_words", "signal", "queue"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the wrong module')\n")
    (tmp_path / "folder").mkdir()
    path = tmp_path / "folder" / "unguarded.py"
    path.write_text(textwrap.dedent(UNGUARDED), encoding="utf-8")
    running = subprocess.Popen(
        [sys.executable, "-W", "error", str(path)],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    yield running
    running.kill()
    running.communicate()


def running_in(folder):
    """Processes whose working folder this is."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if os.readlink(process / "cwd") == str(folder) and "State:\tZ" not in (process / "status").read_text():
                found.append(process)
    return found


@pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="looks into /proc")
@pytest.mark.parametrize("how", ["SIGINT", "SIGINT twice", "SIGTERM", "SIGKILL"])
def test_nothing_is_run_twice_or_left_behind(how, script, tmp_path):
    lines = [script.stdout.readline() for _ in range(4)]
    assert lines == ["once\n", "1.0\n", "1.0\n", "1.0\n"]

    deadline = time.monotonic() + 60
    while len(running_in(tmp_path)) < 3 and time.monotonic() < deadline:  # until it cuts again
        time.sleep(0.001)
    assert len(running_in(tmp_path)) == 3
    name, *again = how.split()
    (os.killpg if name == "SIGINT" else os.kill)(script.pid, getattr(signal, name))
    if again:
        time.sleep(0.02)
        os.killpg(script.pid, signal.SIGINT)

    assert script.wait(60) != 0
    while running_in(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not running_in(tmp_path)


SURVIVES = """
    import faulthandler, os, signal, sys
    from polyrouge import Rouge, compiled_engine, engines, text_processes, token_ids

    faulthandler.dump_traceback_later(100, exit=True)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    token_ids.MUCH_FOR_RJIEBA = compiled_engine.MUCH_FOR_JIEBA = 0
    engines._LEAST_EXAMPLES = engines._CHUNK_EXAMPLES["compiled"] = 10
    ask, found = text_processes._Process.ask, []

    def spy(self, *question):
        if "kill" in sys.argv and self._is_ready:
            self._process.kill()
            self._process.wait()
        found.append(ask(self, *question))
        return found[-1]

    text_processes._Process.ask = spy
    settings = {"jieba_dict": "/dev/stdin"} if "dictionary" in sys.argv else {}
    rouge = Rouge("zh_word", rouge_types=["rouge1"], engine="compiled", threads=2, **settings)
    texts = [f"今天天气很好{i}" for i in range(100)]
    print(rouge.compute(texts, texts)["rouge1"], len(found), found.count([]))
"""


@pytest.mark.skipif(not Path("/dev/stdin").exists(), reason="has no /dev/stdin")
@pytest.mark.parametrize("what", ["kill", "dictionary"])
def test_neither_signals_nor_standard_input_are_in_the_way(what, tmp_path):
    words = tmp_path / "words.txt"
    words.write_text("云计算方面 50000\n", encoding="utf-8")
    with words.open() as given:
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(SURVIVES), what],
            stdin=given,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    score, asked, refused = done.stdout.split()
    assert score == "1.0"
    assert 0 < int(refused) <= int(asked)
    assert "Texts were cut on one core" in done.stderr
