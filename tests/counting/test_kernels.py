"""The kernels one by one: against the plain functions, at the edges of their tables, with what they must refuse."""

import random
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate, chain
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer

from polyrouge import Rouge
from polyrouge.counting.compiled import kernels
from polyrouge.counting.compiled.character_table import character_table
from polyrouge.counting.compiled.kernels import codes
from polyrouge.counting.plain.lcs import lcs_length, pairwise_lcs, type_union_lcs, union_lcs_hits
from polyrouge.counting.plain.ngrams import clipped_hits, count_ngrams, count_skip_bigrams, skip_bigram_total
from polyrouge.counting.plain.weighted_lcs import length_weights, weighted_lcs, weighted_lcs_paper
from polyrouge.documents.input_notes import _NOT_CUT_BY_ZH_CHAR
from polyrouge.documents.lookalikes import TRIGGERS

if not kernels.is_built():
    pytest.skip("the kernels are not built", allow_module_level=True)

SOURCE = Path(kernels.__file__).parent / "_kernels.pyx"
CONSTANTS = {
    name: eval(value)  # noqa: S307 # of our own source
    for name, value in re.findall(r"^    ([A-Z_]+) = ([^#\n]+)", SOURCE.read_text(), re.MULTILINE)
}
GOING = np.zeros(1, np.uint8)
# Lengths around a word of bits, the short tables, and what a byte counts.
EDGES = [0, 1, 2, 62, 63, 64, 65, 127, 128, 129, 191, 192, 193, 254, 255, 256, 257, 320]
WEIGHT = 1.2
TABLE = character_table("ascii", keep_punctuation=False, lowercase=True)


def offsets_of(sizes):
    return np.array(list(accumulate(sizes, initial=0)), np.int64)


def arrays_of(one, other):
    """What ``kernels.Pairs`` takes for a pair of texts, each a list of sentences of numbers, by name."""
    sentences = [*one, *other]
    ids = np.fromiter(chain.from_iterable(sentences), np.uint32)
    return {
        "ids": ids,
        "text_tokens": offsets_of([sum(map(len, one)), sum(map(len, other))]),
        "sentence_ids": ids,
        "sentence_tokens": offsets_of(map(len, sentences)),
        "text_sentences": offsets_of([len(one), len(other)]),
        "n_ids": int(ids.max(initial=0)) + 1,
        "predictions": np.array([0]),
        "references": np.array([1]),
        "cancelled": GOING,
    }


def pair_of(one, other, **changes):
    return kernels.Pairs(**arrays_of(one, other) | changes)


def assert_whole_texts_are_counted(one, other):
    pairs = pair_of([one], [other])
    for n in (1, 2, 3, 9):
        ours, theirs = count_ngrams(one, n), count_ngrams(other, n)
        totals = [max(0, len(tokens) - n + 1) for tokens in (one, other)]
        assert kernels.count_pairs(pairs, n).tolist() == [[clipped_hits(ours, theirs), *totals]]
        assert kernels.count_pairs(pairs, n, True).tolist() == [
            [len(ours.keys() & theirs.keys()), len(ours), len(theirs)]
        ]
    but_last = [count_ngrams(tokens[:-1], 1) for tokens in (one, other)]
    totals = [max(0, len(tokens) - 1) for tokens in (one, other)]
    assert kernels.count_pairs(pairs, 1, drops_last=True).tolist() == [[clipped_hits(*but_last), *totals]]
    assert kernels.count_pairs(pairs, codes.LCS).tolist() == [[lcs_length(one, other), len(one), len(other)]]
    for gap in (0, 1, 4, 100, None):
        shared = set(one) & set(other)
        hits = clipped_hits(count_skip_bigrams(one, gap, shared), count_skip_bigrams(other, gap, shared))
        expected = [hits, *(skip_bigram_total(len(tokens), gap) for tokens in (one, other))]
        assert kernels.count_skip_bigrams(pairs, -1 if gap is None else gap).tolist() == [expected]
    f = np.array(length_weights(max(len(one), len(other)), WEIGHT))
    assert kernels.count_weighted_lcs_paper(pairs, f).tolist() == [[*weighted_lcs_paper(one, other, WEIGHT)]]


@pytest.mark.parametrize("n_distinct", [2, 127, 128, 129, 255, 256, 257, 1000])
def test_whole_texts_at_the_edges_of_the_tables(n_distinct):
    rng = random.Random(n_distinct)
    for n in EDGES:
        one = [rng.randrange(n_distinct) for _ in range(n)]
        other = [rng.randrange(n_distinct) for _ in range(rng.choice(EDGES))]
        if one:
            one[0] = n_distinct - 1
        for ours, theirs in ((one, other), (other, one), (one, one)):
            assert_whole_texts_are_counted(ours, theirs)


tokens = st.lists(st.integers(0, 5), max_size=80)
texts_of_sentences = st.lists(tokens, max_size=6)


@given(tokens, tokens)
def test_whole_texts(one, other):
    assert_whole_texts_are_counted(one, other)


def assert_sentences_are_counted(one, other):
    pairs = pair_of(one, other)
    n_tokens = [sum(map(len, text)) for text in (one, other)]
    union = kernels.count_pairs(pairs, codes.UNION_LCS)[0].tolist()
    assert union == [union_lcs_hits(one, other), *n_tokens]
    assert kernels.count_pairs(pairs, codes.PAIRWISE_LCS)[0].tolist() == list(pairwise_lcs(one, other))
    assert kernels.count_pairs(pairs, codes.TYPE_UNION_LCS)[0].tolist() == list(type_union_lcs(one, other))
    f = np.array(length_weights(max(n_tokens), WEIGHT))
    hits, total, base = kernels.count_weighted_lcs(pairs, f)[0].tolist()
    assert (hits, total, base**WEIGHT) == weighted_lcs(one, other, WEIGHT)


@given(texts_of_sentences, texts_of_sentences)
def test_texts_of_sentences(one, other):
    assert_sentences_are_counted(one, other)


@pytest.mark.parametrize("n", [63, 64, 65, 128, 129, 255, 256, 257])
def test_sentences_at_the_edges_of_the_tables(n):
    rng = random.Random(n)
    for n_distinct in (3, 60):
        draw = [[rng.randrange(n_distinct) for _ in range(size)] for size in (n, 1, 64 - 1, n, 2, n + 1, 5)]
        assert_sentences_are_counted(draw[:3], draw[3:])
        assert_sentences_are_counted(draw[:1], draw[3:4])
        assert_sentences_are_counted(draw[:1], draw[1:])
        assert_sentences_are_counted([[], *draw[:2], []], [[], draw[0][:64], [], [], draw[1], []])


def test_weighted_lcs_of_tables_in_several_blocks():
    """With a weight of 1 it is the LCS; the plain table of such a pair would take minutes."""
    rng = np.random.default_rng(0)
    one, other = rng.integers(0, 40, 9000).tolist(), rng.integers(0, 40, 9100).tolist()
    assert len(one) * len(other) > 2 * CONSTANTS["BYTES_OF_MOVES"]
    hits, _, _ = kernels.count_weighted_lcs(pair_of([one], [other]), np.arange(10_000.0))[0]
    assert hits == lcs_length(one, other)


@pytest.mark.slow
def test_many_distinct_tokens_and_long_pairs():
    """65,536 ids and more, and 10^6 tokens in a text: what is expected is known without counting."""
    n = 1_000_000
    ours = np.arange(n, dtype=np.uint32)
    theirs = np.concatenate([ours[500:1500], ours[:500]])
    pairs = pair_of([ours], [theirs])
    assert kernels.count_pairs(pairs, 1).tolist() == [[1500, n, 1500]]
    assert kernels.count_pairs(pairs, 2).tolist() == [[1498, n - 1, 1499]]
    assert kernels.count_pairs(pairs, 3, True).tolist() == [[1496, n - 2, 1498]]
    assert kernels.count_pairs(pairs, codes.LCS).tolist() == [[1000, n, 1500]]
    hits = 1000 * 999 // 2 + 500 * 499 // 2
    assert kernels.count_skip_bigrams(pairs, -1).tolist() == [[hits, n * (n - 1) // 2, 1500 * 1499 // 2]]
    assert kernels.count_skip_bigrams(pairs, 2**62)[0, 0] == hits
    assert kernels.count_pairs(pairs, codes.UNION_LCS)[0, 0] == 1000
    f = np.arange(n + 1.0)
    assert kernels.count_weighted_lcs_paper(pairs, f)[0].tolist() == [1000, n, 1500]


@pytest.mark.parametrize("n", [65_535, 65_536, 65_537, 200_000])
@pytest.mark.parametrize("width", [5, 9, 20], ids=["packed", "two-halves", "hashed"])
def test_texts_of_many_distinct_tokens(n, width):
    words = [f"{number:0{width}d}" for number in range(n)]
    text = " ".join([*words, *words[::-7]]).encode()
    ids, text_tokens, _, _, tokens, n_ids = kernels.tokenize_texts(
        np.frombuffer(text, np.uint8), np.array([0, len(text)]), np.array([True]), TABLE, codes.LINES
    )
    assert n_ids == n
    assert np.array_equal(ids[:n], np.arange(n))
    assert np.array_equal(ids[n:], np.arange(n)[::-7])
    assert [text[start:end].decode() for start, end in tokens[:3].tolist()] == words[:3]
    assert text_tokens.tolist() == [0, len(ids)]


@pytest.mark.parametrize("n", [1, 7, 8, 9, 15, 16, 17, 31, 63, 64, 65, 127, 128, 255, 256, 4097])
@pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
def test_tokens_and_texts_of_every_length(n):
    """Beside the ends of the sixteen bytes of a key, and of the 64 that are looked at at once."""
    texts = ["x" * n, "X" * n + " y", " " * n + "z", "é" * n, "x" * (n - 1) + "y", "日" * n, "\n" * n]
    for tokenizer in ("ascii", "mixed"):
        settings = {"rouge_types": ["rouge1", "rougeLsum"], "tokenizer": tokenizer}
        counts = [
            Rouge(engine=engine, **settings).count(texts, [texts] * len(texts)).counts
            for engine in ("compiled", "plain")
        ]
        assert np.array_equal(*counts)


ARRAYS = arrays_of([[1, 2], [3]], [[1, 2]])
LATE = np.array([5])
WRONG = {
    "n_ids": [3],
    "ids": [ARRAYS["ids"][:4]],
    "sentence_ids": [ARRAYS["ids"][:4], ARRAYS["ids"] + np.uint32(9)],
    "predictions": [LATE, -LATE],
    "references": [LATE, np.zeros(2, np.int64)],
    "cancelled": [GOING[:0]],
    "text_tokens": [np.array(offsets) for offsets in ([0, 4, 3], [-1, 3, 5], [0, 5])],
    "sentence_tokens": [np.array(offsets) for offsets in ([0, 2, 1, 5], [0, 2, 3, 9])],
    "text_sentences": [np.array(offsets) for offsets in ([0, 2, 9], [0, 3])],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in WRONG for value in WRONG[name]], ids=str)
def test_what_would_leave_an_array_is_refused(name, value):
    with pytest.raises(ValueError, match=r"offsets|pair|below|must|text"):
        kernels.Pairs(**ARRAYS | {name: value})


def test_kinds_and_weights_that_are_none_are_refused():
    pairs = kernels.Pairs(**ARRAYS)
    with pytest.raises(ValueError, match="kind must be"):
        kernels.count_pairs(pairs, codes.TYPE_UNION_LCS - 1)
    for count in (kernels.count_weighted_lcs, kernels.count_weighted_lcs_paper):
        with pytest.raises(ValueError, match="f must have"):
            count(pairs, np.ones(3))


@pytest.mark.parametrize(
    ("offsets", "change"),
    [
        ([0, 5], {}),
        ([3, 2], {}),
        ([0, 2, 4], {}),
        ([0, 4], {"points": TABLE.points[:9]}),
        ([0, 4], {"begins_mark": TABLE.begins_mark[:9]}),
    ],
    ids=["long", "backwards", "several", "points", "marks"],
)
def test_texts_that_would_leave_an_array_are_refused(offsets, change):
    table = TABLE._replace(**change)
    with pytest.raises(ValueError, match=r"offsets|points"):
        kernels.tokenize_texts(np.zeros(4, np.uint8), np.array(offsets), np.array([True]), table, codes.LINES)


def test_texts_and_sizes_that_are_none_are_refused():
    with pytest.raises(ValueError, match="not there"):
        kernels.has_more_ascii_letters(np.zeros(4, np.uint8), np.array([0, 4]), np.array([1]))
    with pytest.raises(ValueError, match="power"):
        kernels.StemMemory(100)


def test_a_kernel_under_way_can_be_ended():
    """As the main thread does for those in other threads; each of these would take a minute and more."""
    n = 3_000_000
    ids = np.zeros(2 * n, np.uint32)
    ids[::3] = 1
    f = np.arange(n + 1.0)
    for name, arguments in (
        ("count_pairs", (codes.LCS,)),
        ("count_pairs", (codes.UNION_LCS,)),
        ("count_pairs", (codes.PAIRWISE_LCS,)),
        ("count_skip_bigrams", (10**6,)),
        ("count_weighted_lcs", (f,)),
        ("count_weighted_lcs_paper", (f,)),
    ):
        cancelled = np.zeros(1, np.uint8)
        pairs = pair_of([ids[:n]], [ids[n:]], cancelled=cancelled)
        counting = threading.Thread(target=getattr(kernels, name), args=(pairs, *arguments))
        counting.start()
        counting.join(0.2)
        assert counting.is_alive(), name
        cancelled[0] = 1
        counting.join(60)
        assert not counting.is_alive(), name


def test_constants_are_the_same_on_both_sides():
    ours = {name: value for name, value in vars(codes).items() if isinstance(value, int)}
    assert len(ours) > 15
    assert ours.items() <= CONSTANTS.items()


@given(st.lists(st.text("aeiouybcdlstzr0", min_size=1, max_size=9), min_size=1, max_size=30))
def test_stems_are_nltks(stems):
    suffixes = "ational tional enci izer bli alli eli ousli ation ator ness logi icate ful ance ement ion ing ed y"
    words = [stem + suffix for stem in stems for suffix in ("", *suffixes.split())]
    expected = [PorterStemmer().stem(word) if len(word) > 3 else word for word in words]
    assert [kernels.porter_stem(word.encode()).decode() for word in words] == expected


class TestPairCounter:
    """What it leaves and what it says; its counts are held to the plain engine's by tests of small calls and pairs."""

    SETTINGS: ClassVar = {
        "ascii": ({"tokenizer": "ascii"}, {}),
        "stems": ({"tokenizer": "ascii", "use_stemmer": True}, {"stems": True}),
        "zh": ({"tokenizer": "zh_char", "sentence_split": "zh"}, {}),
    }

    def counter(self, name):
        values, options = self.SETTINGS[name]
        table = character_table(values["tokenizer"], keep_punctuation=False, lowercase=True)
        cut = codes.CHINESE if name == "zh" else codes.LINES
        counter = kernels.PairCounter(table, cut, (1, 2, 5, codes.LCS, codes.UNION_LCS), lowercase=True, **options)
        return counter, Rouge(
            rouge_types=("rouge1", "rouge2", "rouge5", "rougeL", "rougeLsum"), engine="plain", **values
        )

    def test_leaves_what_it_must_not_count(self):
        counter, _ = self.counter("ascii")
        long = "a " * 9000
        for one, other in (("a", ""), ("...", "a"), ("a", "\ud800"), (long, "a"), ("a", "İ"), ("\u212a", "a")):
            assert counter.count(one, other) is None
        counts, tokens = np.zeros((3, 5, 3)), np.zeros((3, 2), np.int64)
        assert counter.count_many(["a", "\udfff", "a\nb"], ["b", "a", "c"], counts, tokens) == ([1], True, False)
        assert counter.count("a\nb", "a")[-1] == 1
        assert counter.count("a b", "a")[-1] == 0
        with pytest.raises(ValueError, match="as many"):
            counter.count_many(["a"], ["a"], counts, tokens)
        with pytest.raises(TypeError):
            counter.count("a", None)

    def test_leaves_letters_that_are_dropped(self):
        arguments = (TABLE, codes.LINES, (1,))
        careful = kernels.PairCounter(*arguments, drops_letters=True)
        assert careful.count("naïve a", "a") is not None
        assert careful.count("a 今天天气", "a") is None
        assert careful.count("a", "a 今天天气") is None
        assert kernels.PairCounter(*arguments).count("a 今天 cafe\u0301", "a") == (1, 2, 1, 2, 1, 0)

    def test_says_where_lookalikes_may_be(self):
        counter, _ = self.counter("zh")
        points = [chr(point) for point in range(0xE0200) if not 0xD800 <= point < 0xE000]
        odd = [point for point in points if TRIGGERS.search(point)]

        def may_be(*characters):
            texts = [f"a{each}" for each in characters]
            counts, tokens = np.zeros((len(texts), 5, 3)), np.zeros((len(texts), 2), np.int64)
            left, _, has_odd = counter.count_many(texts, ["a"] * len(texts), counts, tokens)
            return has_odd, len(left) > 0

        assert len(odd) > 1500
        # what is left gets a closer look
        assert [each for each in odd if not (any(may_be(each)) and any(may_be("好", each, "天")))] == []
        assert all(may_be(each)[0] for each in points if _NOT_CUT_BY_ZH_CHAR.match(each) and each < "\uff66")
        usual = map(chr, [*range(0x20, 0xAA), *range(0xC0, 0xDF), *range(0xE0, 0x130), *range(0x1EA0, 0x1F00)])
        assert not may_be(*usual, *map(chr, range(0x3400, 0xA000)), *map(chr, range(0xAC00, 0xD7A4)))[0]
        assert not may_be(*"，。！？；：、…—“”‘’（）《》「」～％×é")[0]

    def test_in_several_threads(self):
        counter, rouge = self.counter("stems")
        rng = random.Random(0)
        words = [f"{stem}{end}" for stem in ("run", "walk", "talk", "x") for end in ("s", "ing", "ed", "ation")]
        texts = [" ".join(rng.choices(words, k=30)) for _ in range(400)]
        expected = rouge.count(texts, texts[::-1]).counts

        def is_right(by_one):
            if by_one:
                counts = [counter.count(*pair)[:15] for pair in zip(texts, texts[::-1], strict=True)]
                return np.array_equal(np.reshape(counts, expected.shape), expected)
            counts, tokens = np.zeros((400, 5, 3)), np.zeros((400, 2), np.int64)
            counter.count_many(texts, texts[::-1], counts, tokens)
            return np.array_equal(counts, expected)

        with ThreadPoolExecutor(8) as pool:
            assert all(pool.map(is_right, [True, False] * 4))
