"""What the kernel reads under the tools' conventions, against the plain tokenizers; and texts that fill its arrays."""

import itertools
import random

import numpy as np
import pytest
from amounts import examples_in_ci
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import texts as any_text

from polyrouge import Rouge, RougeSettings
from polyrouge.counting.compiled.text_counter import batch_of_documents, text_counter
from polyrouge.documents.document import DocumentReader
from polyrouge.documents.input_notes import InputNotes

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


def test_every_scanner_has_every_segment():
    """Where blanks are put in, the tokenizers of tools and "space" read; others read texts as they are."""
    n_segmented = {"space": 2, **dict.fromkeys(("pltrdy", "rouge_chinese", "single_space"), 1), "every_char": 0}
    n_splits = {name: len(splits) for name, splits in SPLITS.items()}
    n_splits["hanzi"] = 2
    assert len(READ) == sum(n_splits.values()) + 4 * sum(n_segmented.values())


def plain_documents(texts, settings):
    return list(map(DocumentReader(settings.text_rules, InputNotes(settings.text_rules)).read, texts))


def parts_of(values):
    """Which places hold the same: the place of the first of each."""
    first = {}
    return [first.setdefault(value, place) for place, value in enumerate(values)]


def assert_read_as_plain(texts, settings):
    counter = text_counter(settings.text_rules, settings.count_rules)
    begins = np.arange(len(texts)) == 0
    batch, _ = counter.read(texts, begins, begins, InputNotes(settings.text_rules))
    expected = batch_of_documents(plain_documents(texts, settings))
    assert batch.text_tokens.tolist() == expected.text_tokens.tolist()
    assert parts_of(batch.ids.tolist()) == parts_of(expected.ids.tolist())
    for text in range(len(texts)):
        ours, theirs = (
            np.diff(each.sentence_tokens[each.text_sentences[text] : each.text_sentences[text + 1] + 1]).tolist()
            for each in (batch, expected)
        )
        assert list(filter(None, ours)) == list(filter(None, theirs))


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
SIZES = (4096, 8191, 16385)  # bytes; the arrays of the kernel begin with 4,096


@pytest.mark.parametrize("settings", READ)
def test_texts_of_one_piece_fill_no_array(settings):
    """Run it with the sanitizers too (``.ci/sanitize``): a token too many need not end the process."""
    for piece, size in itertools.product(PIECES, SIZES):
        text = piece * (size // len(piece.encode()) + 1)
        counter = text_counter(settings.text_rules, settings.count_rules)
        begins = np.array([True, False, False])
        batch, _ = counter.read([text, text[::-1], ""], begins, begins, InputNotes(settings.text_rules))
        assert len(batch.ids) == batch.text_tokens[-1] == batch.sentence_tokens[-1]
    for piece in PIECES:  # and what is read is right
        text = piece * (4200 // len(piece.encode()))
        assert_read_as_plain([text, text[::-1]], settings)


CHINESE = ["今天", "天气", "很好", "。", "！", "a", "b", ".", " ", "\n", "3.14", "\U0010ffff", "İ", "…"]
ASCII = ["a", "b", ".", "?", " ", "\n", "\n \n", "3.14"]


@pytest.mark.parametrize("pieces", [CHINESE, ASCII], ids=["Chinese", "ASCII"])
@pytest.mark.parametrize(
    "name",
    ["pltrdy", "rouge_chinese", "t5_pegasus", "longbench_zh", "ms_swift", "llama_factory", "coco", "dureader", "lcsts"],
)
def test_both_engines_score_the_same(name, pieces):
    rng = random.Random(9)
    given_texts = ["".join(rng.choices(pieces, k=rng.randint(0, 14))) for _ in range(1200)]
    predictions, references = given_texts[:600], given_texts[600:]

    scores = [Rouge(name, engine=engine).score(predictions, references) for engine in ("plain", "compiled")]

    for key, column in scores[0].items():
        assert np.array_equal(column, scores[1][key], equal_nan=True), key
