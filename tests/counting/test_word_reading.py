"""Words of segmenters: each distinct text of a call is cut once, in processes where that is worth their start."""

import random
import subprocess
from dataclasses import replace

import pytest
from language_packages import needs
from new_process import run_program

from polyrouge import Rouge, RougeSettings, register_sentence_split
from polyrouge.counting import word_reading
from polyrouge.counting.word_reading import WordReader
from polyrouge.documents.input_notes import InputNotes
from polyrouge.texts.sentences import SENTENCE_SPLITS
from polyrouge.texts.tokenizers import TOKENIZERS

pytestmark = pytest.mark.languages

_PIECES = "今日は|東京都|国家公務員が|行った。|良い|天気です。\n|AI|!|「はい。」と||\0|😀".split("|")


def pairs(n, seed=0):
    rng = random.Random(seed)
    texts = ["".join(rng.choices(_PIECES, k=rng.randint(0, 12))) for _ in range(2 * n)]
    return texts[:n], texts[n:]


@pytest.fixture
def cut_texts():
    """What the segmenter th_newmm is given, which splits at blanks here."""
    needs("pythainlp")
    seen = []

    def cut(text):
        seen.append(text)
        return text.split()

    entry = TOKENIZERS["th_newmm"]
    TOKENIZERS["th_newmm"] = replace(entry, build=lambda _options: cut)
    yield seen
    TOKENIZERS["th_newmm"] = entry


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_each_distinct_text_of_a_call_is_cut_once(cut_texts, engine, threads):
    texts = [f"text {number % 7}" for number in range(3000)]  # three chunks, and twelve
    Rouge(tokenizer="th_newmm", rouge_types=["rouge1"]).compute(texts, texts[::-1], engine=engine, threads=threads)

    assert sorted(cut_texts) == sorted(set(texts))


@pytest.mark.usefixtures("cut_texts")
def test_what_is_kept_is_bounded(monkeypatch):
    monkeypatch.setattr(word_reading, "_CACHED", 100)
    rules = RougeSettings(tokenizer="th_newmm").text_rules
    reader = WordReader(rules)
    for number in range(50):
        (document,) = reader.read([f"text {number} of many"], InputNotes(rules))
        assert document.tokens == ["text", str(number), "of", "many"]
        assert sum(map(len, reader._documents)) <= 100


@pytest.fixture
def started(monkeypatch):
    """The processes that are started; each is worth it."""
    needs("fugashi", "unidic-lite")
    monkeypatch.setattr(word_reading, "_WORTH_PROCESSES", 0.0)
    processes = []

    class Noted(subprocess.Popen):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            processes.append(self)

    monkeypatch.setattr(word_reading.subprocess, "Popen", Noted)
    return processes


@pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
@pytest.mark.parametrize(
    ("split", "code"),
    [("auto", None), ("newline", None), ("。", None), ("auto", "import sys; sys.stdin.buffer.read(100)")],
    ids=["auto", "newline", "mark", "dying"],
)
def test_processes_give_the_same_counts(started, monkeypatch, split, code):
    """Those that die too."""
    predictions, references = pairs(700)
    rouge = Rouge("ja_word", sentence_split=split, use_aggregator=False)
    expected = rouge.compute(predictions, references, engine="plain")
    monkeypatch.setattr(word_reading, "_CODE", code or word_reading._CODE)
    assert not started

    assert rouge.compute(predictions, references, engine="compiled", threads=2) == expected
    assert len(started) == 2
    assert all(process.poll() is not None for process in started)  # none outlives the call
    assert rouge.compute(predictions, references, engine="compiled", threads=1) == expected
    assert len(started) == 2


def test_what_looks_wrong_is_said_from_processes_too(started):
    texts = ["今日は良い天気です。", "😀"] * 300
    with pytest.warns(UserWarning, match="leaves no token of '😀'"):
        Rouge("ja_word").compute(texts, texts, engine="compiled", threads=2)
    assert len(started) == 2


@pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
def test_functions_of_this_process_are_not_sent_to_another(started):
    predictions, references = pairs(700, seed=2)
    register_sentence_split("halves", "two halves", version="1")(lambda text: [text[:9], text[9:]])
    try:
        for split in ("halves", lambda text: [text[:9], text[9:]]):
            Rouge("ja_word", sentence_split=split).compute(predictions, references, engine="compiled", threads=2)
    finally:
        del SENTENCE_SPLITS["halves"]
    assert not started


def test_few_texts_start_no_process():
    code = (
        "import subprocess, sys; from polyrouge import Rouge; subprocess.Popen = None\n"
        "texts = ['今日は良い天気です。'] * 900\n"
        "print(Rouge('ja_word', rouge_types=['rouge1']).compute(texts, texts, engine='compiled', threads=2))"
    )
    needs("fugashi", "unidic-lite")
    assert run_program(code).stdout == "{'rouge1': 1.0}\n"
