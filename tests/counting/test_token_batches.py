"""The compiled tokenizer's ids: equal for equal tokens and for no others, whatever the kind of key they have."""

import itertools
import random

import numpy as np
import pytest

from polyrouge import RougeSettings
from polyrouge.counting.compiled import character_table
from polyrouge.counting.compiled.text_counter import text_counter
from polyrouge.documents.document import readers_by_side
from polyrouge.documents.input_notes import InputNotes

# Keys of every kind, and those next to each other: ASCII of up to 8, 16 and more characters; one code point; up to
# five and more; letters whose lower case is another kind; words that differ in their last character only.
LENGTHS = (1, 7, 8, 9, 15, 16, 17, 24, 25, 40)
WORDS = [
    *("a" * n for n in LENGTHS),
    *("a" * (n - 1) + "b" for n in LENGTHS),
    *("B" + "a" * (n - 1) for n in LENGTHS),
    *("é" * n for n in range(1, 8)),
    *("é" * n + "a" for n in range(1, 8)),
    *("а" * n for n in range(1, 8)),
    *"今 今天 今天天 \U00020000 \U00020000今 \u212a K k İ i ß ss ﬁ fi \0 \0a a\0".split(" "),
    *("é" * 5 + "e" * n for n in range(1, 20)),
]


def parts_of(ids):
    """Which places hold the same: the place of the first of each."""
    first = {}
    return [first.setdefault(value, place) for place, value in enumerate(ids)]


COUNT_RULES = RougeSettings().count_rules


def batch_of(texts, begins, rules):
    counter = text_counter(rules, COUNT_RULES)
    assert counter.reading is not None
    return counter.read(texts, np.array(begins), np.array(begins), InputNotes(rules))[0]


@pytest.mark.parametrize("tokenizer", ["mixed", "ascii", "zh_char", "char", "space"])
@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("n_words", [5, 300, 20_000])
def test_the_same_tokens_have_the_same_id(tokenizer, lowercase, n_words):
    draw = random.Random(n_words)
    words = WORDS if n_words < 1000 else [*WORDS, *(f"w{n}" for n in range(9_000)), *(f"词{n}é" for n in range(3_000))]
    texts = [" ".join(draw.choices(words, k=n_words)) for _ in range(3)]
    rules = RougeSettings(tokenizer=tokenizer, lowercase=lowercase, sentence_split="none").text_rules
    read, _ = readers_by_side(rules, InputNotes(rules))
    expected = list(itertools.chain.from_iterable(read(text).tokens for text in texts))

    batch = batch_of(texts, [True, False, False], rules)

    assert parts_of(batch.ids.tolist()) == parts_of(expected)
    assert set(batch.ids.tolist()) == set(range(len(set(expected))))  # consecutive
    assert len(set(expected)) <= batch.n_ids


@pytest.mark.parametrize("punctuation", ["drop", "keep"])
@pytest.mark.parametrize("tokenizer", ["mixed", "zh_char"])
def test_joiners_wherever_they_stand(tokenizer, punctuation):
    # Every text of up to five of these.
    texts = ["".join(each) for n in range(1, 6) for each in itertools.product("aá今か\u0303\u200c՞ ", repeat=n)]
    rules = RougeSettings(tokenizer=tokenizer, punctuation=punctuation, sentence_split="none").text_rules
    read, _ = readers_by_side(rules, InputNotes(rules))
    expected = [read(text).tokens for text in texts]

    batch = batch_of(texts, [True, *[False] * (len(texts) - 1)], rules)

    assert np.diff(batch.text_tokens).tolist() == list(map(len, expected))
    assert parts_of(batch.ids.tolist()) == parts_of(itertools.chain.from_iterable(expected))


def test_a_vocabulary_of_each_example_begins_at_zero():
    rules = RougeSettings(sentence_split="none").text_rules

    batch = batch_of(["a b a", "b c", "x", "y x"], [True, False, True, False], rules)

    assert batch.ids.tolist() == [0, 1, 0, 1, 2, 0, 1, 0]
    assert batch.text_tokens.tolist() == [0, 3, 5, 6, 8]


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("tokenizer", ["mixed", "zh_char", "char", "space", "jieba"])
def test_the_classes_of_ascii_are_those_of_the_patterns(tokenizer, keep):
    expected = character_table._classes(tokenizer, keep)[:128].tolist()
    assert character_table._classes_of_ascii(tokenizer, keep).tolist() == expected
