"""The kernels one by one: against the plain functions, at the edges of their tables."""

import random
import re
import threading
import unicodedata
from itertools import accumulate, chain
from pathlib import Path

import numpy as np
import pytest
from amounts import few_or_many
from hypothesis import example, given
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer

from polyrouge.counting.compiled import kernels
from polyrouge.counting.compiled.character_table import character_table
from polyrouge.counting.plain import lcs
from polyrouge.counting.plain.lcs import is_too_deep, lcs_length, pairwise_lcs, type_union_lcs, union_lcs_hits
from polyrouge.counting.plain.ngrams import clipped_hits, count_ngrams, count_skip_bigrams, skip_bigram_total
from polyrouge.counting.plain.weighted_lcs import length_weights, weighted_base, weighted_lcs, weighted_lcs_paper
from polyrouge.documents.lookalikes import TRIGGERS
from polyrouge.documents.notes import _NOT_CUT_BY_ZH_CHAR

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


def pair_of(one, other, cancelled=GOING):
    """A pair of texts, each a list of sentences of numbers."""
    sentences = [*one, *other]
    ids = np.fromiter(chain.from_iterable(sentences), np.uint32)
    return kernels.Pairs(
        ids=ids,
        text_tokens=offsets_of([sum(map(len, one)), sum(map(len, other))]),
        sentence_ids=ids,
        sentence_tokens=offsets_of(map(len, sentences)),
        text_sentences=offsets_of([len(one), len(other)]),
        n_ids=int(ids.max(initial=0)) + 1,
        predictions=np.array([0]),
        references=np.array([1]),
        cancelled=cancelled,
    )


def counts_of(pairs, kind, gap=0, weights=None, **options):
    """Hits and totals of a pair by one type."""
    counts = np.empty((1, 1, 3))
    kernels.TextCounter([(kind, gap, False)], weights=weights, **options).count_read(pairs, counts)
    return counts[0, 0].tolist()


sentences = st.lists(st.lists(st.integers(0, 4), max_size=14), max_size=4)
TALL = [[0] * 130, [1, 2] * 40]  # over more words of bits than one


@given(sentences, sentences, st.integers(1, 24))
@example([[0]], TALL, 64)
@example(TALL, [[3, 0, 1]], 129)
@example(TALL, TALL, 80)
def test_a_walk_is_too_deep_where_the_plain_one_is(one, other, most_steps):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lcs, "RECURSION_STEPS", most_steps)
        expected = is_too_deep(one, other)

    assert kernels.are_too_deep(pair_of(one, other), most_steps).tolist() == [expected]


def plain_weights(n):
    return np.arange(n + 1.0)


def weights_of(n):
    return length_weights(n, WEIGHT)


def assert_whole_texts_are_counted(one, other):
    pairs = pair_of([one], [other])
    for n in (1, 2, 3, 9):
        ours, theirs = count_ngrams(one, n), count_ngrams(other, n)
        totals = [max(0, len(tokens) - n + 1) for tokens in (one, other)]
        assert counts_of(pairs, n) == [clipped_hits(ours, theirs), *totals]
        distinct = [len(ours.keys() & theirs.keys()), len(ours), len(theirs)]
        assert counts_of(pairs, n, distinct=True) == distinct
        unclipped = [len(tokens) - n + 1 for tokens in (one, other)]
        assert counts_of(pairs, n, unclipped=True) == [clipped_hits(ours, theirs), *unclipped]
    assert counts_of(pairs, kernels.LCS) == [lcs_length(one, other), len(one), len(other)]
    for gap in (0, 1, 4, 100, None):
        shared = set(one) & set(other)
        hits = clipped_hits(count_skip_bigrams(one, gap, shared), count_skip_bigrams(other, gap, shared))
        expected = [hits, *(skip_bigram_total(len(tokens), gap) for tokens in (one, other))]
        assert counts_of(pairs, kernels.SKIP_BIGRAMS, -1 if gap is None else gap) == expected
        for dropped in (0, 1):
            unigrams = [count_ngrams(tokens[: len(tokens) - dropped], 1) for tokens in (one, other)]
            totals = [max(0, len(tokens) - dropped) for tokens in (one, other)]
            added = [clipped_hits(*unigrams), *totals]
            counter = kernels.TextCounter(
                [(kernels.SKIP_BIGRAMS, -1 if gap is None else gap, True)], drops_last=dropped == 1
            )
            counts = np.empty((1, 1, 3))
            counter.count_read(pairs, counts)
            assert counts[0, 0].tolist() == [sum(both) for both in zip(expected, added, strict=True)]
    expected = [*weighted_lcs_paper(one, other, WEIGHT)]
    assert counts_of(pairs, kernels.WEIGHTED_LCS_PAPER, weights=weights_of) == expected


@pytest.mark.parametrize("n_distinct", [2, 127, 128, 129, 255, 256, 257, 1000])
@few_or_many(2, len(EDGES))
def test_whole_texts_at_the_edges_of_the_tables(n, n_distinct):
    rng = random.Random(n_distinct)
    for size in rng.sample(EDGES, n):
        one = [rng.randrange(n_distinct) for _ in range(size)]
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
    assert counts_of(pairs, kernels.UNION_LCS) == [union_lcs_hits(one, other), *n_tokens]
    assert counts_of(pairs, kernels.PAIRWISE_LCS) == list(pairwise_lcs(one, other))
    assert counts_of(pairs, kernels.TYPE_UNION_LCS) == list(type_union_lcs(one, other))
    counts, bases = np.empty((1, 1, 3)), np.empty(1)
    counter = kernels.TextCounter([(kernels.WEIGHTED_LCS, 0, False)], weights=weights_of)
    counter.count_read(pairs, counts, bases)
    hits, total, base = counts[0, 0].tolist()
    assert (hits, total, base**WEIGHT) == weighted_lcs(one, other, WEIGHT)
    assert bases.tolist() == [weighted_base(other, WEIGHT)]


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
    hits, _, _ = counts_of(pair_of([one], [other]), kernels.WEIGHTED_LCS, weights=plain_weights)
    assert hits == lcs_length(one, other)


@pytest.mark.slow
def test_many_distinct_tokens_and_long_pairs():
    """65,536 ids and more, and 10^6 tokens in a text: what is expected is known without counting."""
    n = 1_000_000
    ours = np.arange(n, dtype=np.uint32)
    theirs = np.concatenate([ours[500:1500], ours[:500]])
    pairs = pair_of([ours], [theirs])
    assert counts_of(pairs, 1) == [1500, n, 1500]
    assert counts_of(pairs, 2) == [1498, n - 1, 1499]
    assert counts_of(pairs, 3, distinct=True) == [1496, n - 2, 1498]
    assert counts_of(pairs, kernels.LCS) == [1000, n, 1500]
    hits = 1000 * 999 // 2 + 500 * 499 // 2
    assert counts_of(pairs, kernels.SKIP_BIGRAMS, -1) == [hits, n * (n - 1) // 2, 1500 * 1499 // 2]
    assert counts_of(pairs, kernels.SKIP_BIGRAMS, 2**62)[0] == hits
    assert counts_of(pairs, kernels.UNION_LCS)[0] == 1000
    assert counts_of(pairs, kernels.WEIGHTED_LCS_PAPER, weights=plain_weights) == [1000, n, 1500]


@pytest.mark.parametrize("n", [65_535, 65_536, 65_537, 200_000])
@pytest.mark.parametrize("width", [5, 9, 20], ids=["packed", "two-halves", "hashed"])
def test_texts_of_many_distinct_tokens(n, width):
    words = [f"{number:0{width}d}" for number in range(n)]
    text = " ".join([*words, *words[::-7]])
    reader = kernels.TextCounter([], table=TABLE, cut=kernels.LINES)
    ids, text_tokens, _, _, n_ids, _, _ = reader.read([text], np.array([True]).view(np.uint8))
    assert n_ids == n
    assert np.array_equal(ids[:n], np.arange(n))
    assert np.array_equal(ids[n:], np.arange(n)[::-7])
    assert text_tokens.tolist() == [0, len(ids)]


def test_the_memory_of_stems_forgets_and_grows():
    memory_of_words = kernels.TextCounter([(1, 0, False)], table=TABLE, stems=True)
    words = [f"{stem}{number}{end}" for number in range(40_000) for stem in "ab" for end in ("s", "ing")]
    for start in range(0, len(words), 20_000):  # more than the memory holds at first
        text = " ".join(words[start : start + 20_000])
        ids = memory_of_words.read([text], np.ones(1, np.uint8))[0]
        stems = [PorterStemmer().stem(word) if len(word) > 3 else word for word in words[start : start + 2000]]
        first = {}
        assert ids[:2000].tolist() == [first.setdefault(stem, len(first)) for stem in stems]


@pytest.mark.slow
def test_a_kernel_under_way_can_be_ended():
    """As the main thread does for those in other threads; each of these would take a minute and more."""
    n = 3_000_000
    ids = np.zeros(2 * n, np.uint32)
    ids[::3] = 1
    for kind in (
        *(kernels.LCS, kernels.UNION_LCS, kernels.PAIRWISE_LCS, kernels.SKIP_BIGRAMS),
        *(kernels.WEIGHTED_LCS, kernels.WEIGHTED_LCS_PAPER),
    ):
        cancelled = np.zeros(1, np.uint8)
        pairs = pair_of([ids[:n]], [ids[n:]], cancelled=cancelled)
        counting = threading.Thread(target=counts_of, args=(pairs, kind, 10**6, plain_weights))
        counting.start()
        counting.join(0.2)
        assert counting.is_alive(), kind
        cancelled[0] = 1
        counting.join(60)
        assert not counting.is_alive(), kind


@given(st.lists(st.text("aeiouybcdlstzr0", min_size=1, max_size=9), min_size=1, max_size=30))
def test_stems_are_nltks(stems):
    suffixes = "ational tional enci izer bli alli eli ousli ation ator ness logi icate ful ance ement ion ing ed y"
    words = [stem + suffix for stem in stems for suffix in ("", *suffixes.split())]
    expected = [PorterStemmer().stem(word) if len(word) > 3 else word for word in words]
    assert [kernels.porter_stem(word.encode()).decode() for word in words] == expected


def flags_of(texts, tokenizer="zh_char", **options):
    """What the kernel says of texts, so that Python looks at few."""
    table = character_table(tokenizer, keep_punctuation=False, lowercase=True)
    return kernels.TextCounter([], table=table, **options).read(texts, np.ones(len(texts), np.uint8))[5]


def test_flags_of_single_texts():
    texts = ["a", "", "...", "a\nb", "a b", "İ", "\u212a", "naïve a", "a 今天天气"]
    no, sentences, case = kernels.HAS_NO_TOKEN, kernels.HAS_SENTENCES, kernels.HAS_ODD_CASE
    look, lost, apart = kernels.NEEDS_A_LOOK, kernels.LOSES_LETTERS, kernels.MAY_BE_DECOMPOSED
    expected = [0, no, no, sentences, 0, case | look | lost | no, case | look | lost | no | apart, 0, lost]
    assert flags_of(texts, "ascii", cut=kernels.LINES, drops_letters=True).tolist() == expected
    assert flags_of(["a 今天天气"], "ascii", cut=kernels.LINES).tolist() == [0]


POINTS = [chr(point) for point in range(0x110000) if not 0xD800 <= point < 0xE000]
USUAL = [*"，。！？；：、…—“”‘’（）《》「」～％×é", *map(chr, [*range(0x20, 0xAA), *range(0x3400, 0xA000)])]


def test_texts_that_may_not_be_in_nfc_have_a_flag():
    parts = [unicodedata.decomposition(point).split() for point in POINTS]
    second = {chr(int(part[1], 16)) for part in parts if len(part) == 2 and part[0][0] != "<"}
    second |= set(map(chr, range(0x1161, 0x11C3)))  # vowels and finals of Hangul
    odd = [point for point in POINTS if unicodedata.combining(point) or not unicodedata.is_normalized("NFC", point)]
    assert len(odd) > 1500
    flags = flags_of([f"a{point}" for point in (*odd, *second)], cut=kernels.CHINESE)
    assert (flags & kernels.MAY_BE_DECOMPOSED).all()
    assert not (flags_of([f"a{point}" for point in USUAL], cut=kernels.CHINESE) & kernels.MAY_BE_DECOMPOSED).any()


def test_texts_that_may_hold_lookalikes_have_a_flag():
    odd = [point for point in POINTS if TRIGGERS.search(point)]
    assert len(odd) > 1500
    not_cut = [point for point in POINTS if _NOT_CUT_BY_ZH_CHAR.match(point) and point < "\uff66"]
    texts = [f"{before}{point}" for before in ("a", "好") for point in odd] + [f"a{point}" for point in not_cut]
    assert (flags_of(texts, cut=kernels.CHINESE) & kernels.NEEDS_A_LOOK).all()
    assert not (flags_of([f"a{point}" for point in USUAL], cut=kernels.CHINESE) & kernels.NEEDS_A_LOOK).any()
