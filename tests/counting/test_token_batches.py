"""The compiled tokenizer's ids: equal for equal tokens and for no others, whatever the kind of key they have."""

import itertools
import random

import pytest
from token_batches import assert_read_as_plain

from polyrouge import RougeSettings

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


@pytest.mark.parametrize("tokenizer", ["mixed", "ascii", "zh_char", "char", "space"])
@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("n_words", [5, 300, 20_000])
def test_the_same_tokens_have_the_same_id(tokenizer, lowercase, n_words):
    draw = random.Random(n_words)
    words = WORDS if n_words < 1000 else [*WORDS, *(f"w{n}" for n in range(9_000)), *(f"词{n}é" for n in range(3_000))]
    texts = [" ".join(draw.choices(words, k=n_words)) for _ in range(3)]
    batch = assert_read_as_plain(texts, RougeSettings(tokenizer=tokenizer, lowercase=lowercase, sentence_split="none"))
    assert len(set(batch.ids.tolist())) <= batch.n_ids


@pytest.mark.parametrize("punctuation", ["drop", "keep"])
@pytest.mark.parametrize("tokenizer", ["mixed", "zh_char"])
def test_joiners_wherever_they_stand(tokenizer, punctuation):
    # Every text of up to four of these.
    texts = ["".join(each) for n in range(1, 5) for each in itertools.product("aá今か\u0303\u200c՞ ", repeat=n)]
    assert_read_as_plain(texts, RougeSettings(tokenizer=tokenizer, punctuation=punctuation, sentence_split="none"))


@pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
@pytest.mark.parametrize("n", [1, 7, 8, 9, 15, 16, 17, 31, 63, 64, 65, 127, 128, 255, 256, 4097])
def test_tokens_and_texts_of_every_length(n):
    """Beside the ends of the sixteen bytes of a key, and of the 64 that are looked at at once."""
    texts = ["x" * n, "X" * n + " y", " " * n + "z", "é" * n, "x" * (n - 1) + "y", "日" * n, "\n" * n]
    for tokenizer in ("ascii", "mixed"):
        assert_read_as_plain(texts, RougeSettings(tokenizer=tokenizer))


def test_a_vocabulary_of_each_example_begins_at_zero():
    batch = assert_read_as_plain(["a b a", "b c", "x", "y x"], RougeSettings(sentence_split="none"), every=2)

    assert batch.ids.tolist() == [0, 1, 0, 1, 2, 0, 1, 0]
    assert batch.text_tokens.tolist() == [0, 3, 5, 6, 8]
