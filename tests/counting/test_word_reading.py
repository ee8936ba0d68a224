"""Words of segmenters: each distinct text of a call is cut once, in processes where that is worth their start."""

import random
import subprocess
from dataclasses import replace

import pytest
from language_packages import needs

from polyrouge import Rouge
from polyrouge.counting import word_reading
from polyrouge.texts.tokenizers import TOKENIZERS

pytestmark = pytest.mark.languages

_PIECES = "今日は|東京都|国家公務員が|行った。|良い|天気です。\n|AI|!|「はい。」と||\0|😀".split("|")


def pairs(n):
    rng = random.Random(0)
    texts = ["".join(rng.choices(_PIECES, k=rng.randint(0, 12))) for _ in range(2 * n)]
    return texts[:n], texts[n:]


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_a_text_of_a_call_is_cut_once(monkeypatch, engine, threads):
    needs("pythainlp")
    seen = []

    def cut(text):
        seen.append(text)
        return text.split()

    monkeypatch.setitem(TOKENIZERS, "th_newmm", replace(TOKENIZERS["th_newmm"], build=lambda _options: cut))
    texts = [f"text {number % 7}" for number in range(3000)]  # three chunks, and twelve
    Rouge(tokenizer="th_newmm", rouge_types=["rouge1"]).compute(texts, texts[::-1], engine=engine, threads=threads)

    assert sorted(seen) == sorted(set(texts))


@pytest.fixture
def started(monkeypatch):
    """The processes that are started: any text is worth one."""
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
@pytest.mark.parametrize("code", [None, "import sys; sys.stdin.buffer.read(100)"], ids=["living", "dying"])
@pytest.mark.parametrize("split", ["auto", "newline", "。"])
def test_processes_give_the_same_counts(started, monkeypatch, split, code):
    predictions, references = pairs(700)
    rouge = Rouge("ja_word", sentence_split=split, use_aggregator=False)
    expected = rouge.compute(predictions, references, engine="plain")
    monkeypatch.setattr(word_reading, "_CODE", code or word_reading._CODE)

    assert rouge.compute(predictions, references, engine="compiled", threads=1) == expected
    assert not started
    assert rouge.compute(predictions, references, engine="compiled", threads=2) == expected
    assert len(started) == 2
    assert all(process.poll() is not None for process in started)  # none outlives the call


def test_what_looks_wrong_is_said_from_processes_too(started):
    texts = ["今日は良い天気です。", "😀"] * 300
    with pytest.warns(UserWarning, match="leaves no token of '😀'"):
        Rouge("ja_word").compute(texts, texts, engine="compiled", threads=2)
    assert len(started) == 2


@pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
def test_a_function_of_this_process_is_not_sent_to_another(started):
    rouge = Rouge("ja_word", sentence_split=lambda text: [text[:9], text[9:]])
    rouge.compute(*pairs(700), engine="compiled", threads=2)
    assert not started
