"""Time grows with the text, not with its square: splits, tokenizers and steps on what patterns go back over.

A text of 16 times the length may take 64 times as long, which leaves room for noise; by a square it would be 256 times.
"""

import time

import pytest
from language_packages import by_need, usable_tokenizers

from polyrouge import RougeSettings
from polyrouge.documents.document import DocumentReader
from polyrouge.documents.input_notes import InputNotes
from polyrouge.texts.preparation import STEPS, preparation
from polyrouge.texts.sentences import SENTENCE_SPLITS
from polyrouge.texts.tokenizers import TOKENIZERS

pytestmark = pytest.mark.slow
# Repeated many times: single characters, and several
ODD = [
    *".…!。\"” \t\n\u0301'-(<a好।ก",
    *"J.|!?.|a.|.”)|好!|e\u0301\u0323|\u1100\u1161\u11a8|1,|<think>|</think>|&#|🇨🇳|👩\u200d|।”|។ល".split("|"),
    *"다.|か!|。」|。」と".split("|"),
    *"Dr. ¦U.S. ¦好!  ¦ \n¦<|¦1. ¦am 1. ¦z. ¦α; ¦། ¦.“ ¦ก. ".split("¦"),
]
# What stands behind, so that a pattern that has taken a whole run fails at its end; and before.
ENDS = {"alone": ("", ""), "before-a-letter": ("好", "x")}
SHORT, TIMES, ALLOWED = 250, 16, 64
LEAST = 0.002  # seconds that the long text may take whatever the short one does


def seconds(work, text: str, times: int) -> float:
    best = float("inf")
    for _ in range(times):
        start = time.process_time()
        work(text)
        best = min(best, time.process_time() - start)
    return best


def assert_linear(work, size: int) -> None:
    for unit in ODD:
        for end, (before, behind) in ENDS.items():
            long = unit * (size * TIMES // len(unit))
            text, short = before + long + behind, before + long[: size // len(unit) * len(unit)] + behind
            taken = seconds(work, text, 1)
            if taken < LEAST:
                continue
            limit = ALLOWED * seconds(work, short, 3) + LEAST
            assert taken < limit or seconds(work, text, 3) < limit, (unit, end)


@pytest.mark.parametrize("name", SENTENCE_SPLITS)
def test_sentence_splits(name):
    assert_linear(SENTENCE_SPLITS[name].split, SHORT)


@pytest.mark.parametrize("name", STEPS)
def test_steps(name):
    assert_linear(preparation([name]), SHORT)


GENERAL = [name for name in usable_tokenizers() if TOKENIZERS[name].is_general and name != "jieba"]
TOOLS = (
    "pltrdy rouge_chinese single_space every_char hanzi rouge155 sumeval_en py_rouge xlsum_other xlsum_english".split()
)


@pytest.mark.parametrize("name", [*by_need(GENERAL), *TOOLS])
def test_tokenizers(name):
    rules = RougeSettings(tokenizer=name, rouge_types=["rougeLsum"], sentence_split="auto").text_rules
    read = DocumentReader(rules, InputNotes(rules)).read
    read("a")
    assert_linear(read, SHORT)
