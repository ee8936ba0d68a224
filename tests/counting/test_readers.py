"""What the kernel reads under the tools' conventions, against the plain tokenizers; and texts that fill its arrays."""

import random

import numpy as np
import pytest
from amounts import examples_in_ci
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import texts as any_text
from token_batches import assert_read_as_plain

from polyrouge import Rouge, RougeSettings
from polyrouge.counting.compiled.text_counter import text_counter

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")

SEGMENTS = (None, "char", "char_without_blanks", "jieba", "jieba_without_spaces")
# Each tokenizer that the kernel has, with the sentences that it can make.
SPLITS = {
    **dict.fromkeys(("mixed", "ascii", "zh_char", "char", "hanzi", "rouge155", "jieba"), ("none", "newline", "zh")),
    "space": ("none", "newline"),
    "pltrdy": (".",),
    "rouge_chinese": ("none",),
    "single_space": ("none",),
    "every_char": ("。",),
}
MARKS = st.text(st.sampled_from("。！？…”’.\n\t  甲乙丙丁3a,\r\x0b\u3000\x1c\x85"), max_size=24)


def settings_of(tokenizer, split, segment):
    types = ["rouge1", "rouge2", "rougeL"] + ["rougeLsum"] * (tokenizer != "single_space")
    punctuation = "drop" if split == "zh" else "keep"
    return RougeSettings(
        rouge_types=types, tokenizer=tokenizer, sentence_split=split, segment=segment, punctuation=punctuation
    )


READ = [
    pytest.param(settings, id=f"{tokenizer}-{split}-{segment}")
    for tokenizer, splits in SPLITS.items()
    for split in splits
    for segment in SEGMENTS
    if text_counter((settings := settings_of(tokenizer, split, segment)).text_rules, settings.count_rules).reading
]


def test_every_scanner_is_tried():
    """A tokenizer that the kernel stopped reading would be left out in silence."""
    of_splits = sum(map(len, SPLITS.values())) - 1  # "hanzi" can't have "zh"
    segmented = 2 + 3  # "space" by line and whole, "pltrdy", "rouge_chinese", "single_space"
    assert len(READ) == of_splits + segmented * (len(SEGMENTS) - 1)


@pytest.mark.parametrize("settings", READ)
@given(text=st.one_of(any_text, MARKS))
@example(text="a b\rb a\r\nc\n\rd")  # ASCII has a scanner of its own
@example(text=".")
@example(text="..")
@example(text="a.\n b. ")
@example(text="！！！")
@example(text="甲。 \n \n乙")
@example(text="……甲......乙”。丙")
@example(text="3.14%，AT&T c++。")
@example(text="İ. Σ K.")
@examples_in_ci(60)
def test_tokens_are_those_of_the_plain_tokenizer(settings, text):
    assert_read_as_plain([text], settings)


# Where each byte, or each blank that is put in, makes a token, or none does. Behind a power of two, an array is full.
PIECES = [" ", ".", "\n", "。", "…", ". ", " .", "\n \n", "。 \n", "......x", "a b ", "…… ", "İ. Σ", "\u3000", "a"]
# Bytes; the arrays of the kernel begin with 4,096.
SIZES = [4096, *(pytest.param(size, marks=pytest.mark.slow) for size in (8191, 16385))]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("settings", READ)
def test_texts_of_one_piece_fill_no_array(settings, size):
    """Run it with the sanitizers too (``.ci/sanitize``): a token too many need not end the process."""
    for piece in PIECES:
        text = piece * (size // len(piece.encode()) + 1)
        batch = assert_read_as_plain([text, text[::-1], ""], settings)
        assert len(batch.ids) == batch.text_tokens[-1] == batch.sentence_tokens[-1]


TOOL_PIECES = [*"今天|天气|很好|。|！|a|b|.|?| |\n|\n \n|3.14|\U0010ffff|İ|…".split("|")]
TOOLS = "pltrdy rouge_chinese t5_pegasus longbench_zh ms_swift llama_factory coco dureader lcsts".split()


@pytest.mark.parametrize("name", TOOLS)
@pytest.mark.parametrize("is_ascii", [False, True])
def test_both_engines_score_the_same(name, is_ascii):
    draw, pieces = random.Random(9), [piece for piece in TOOL_PIECES if piece.isascii() or not is_ascii]
    texts = ["".join(draw.choices(pieces, k=draw.randint(0, 14))) for _ in range(1200)]
    plain, compiled = (Rouge(name, engine=engine).score(texts[:600], texts[600:]) for engine in ("plain", "compiled"))
    for key, column in plain.items():
        np.testing.assert_array_equal(column, compiled[key], err_msg=key)
