"""The kernels one by one: against the plain functions, at the edges of their tables, with what they must refuse."""

import random
import re
import threading
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate, chain
from pathlib import Path

import numpy as np
import pytest
from amounts import few_or_many
from hypothesis import example, given
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer

from polyrouge import Rouge
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
    for kind, weights in (
        (kernels.SKIP_BIGRAMS - 1, None),
        (kernels.WEIGHTED_LCS, None),
        (kernels.WEIGHTED_LCS_PAPER, None),
    ):
        with pytest.raises(ValueError, match="ROUGE-W needs weights"):
            kernels.TextCounter([(kind, 0, False)], weights=weights)
    with pytest.raises(ValueError, match="jieba's tables"):
        kernels.TextCounter([], table=TABLE, rule=kernels.JIEBA_WORDS)


@pytest.mark.parametrize("shape", [(2, 1, 3), (1, 2, 3), (1, 1, 2)], ids=str)
def test_counts_of_another_shape_are_refused(shape):
    counter = kernels.TextCounter([(1, 0, False)])
    with pytest.raises(ValueError, match="a row of three"):
        counter.count_read(pair_of([[1]], [[1]]), np.empty(shape))
    with pytest.raises(ValueError, match="bases"):
        counter.count_read(pair_of([[1]], [[1]]), np.empty((1, 1, 3)), np.empty(1))


@pytest.mark.parametrize("change", [{"points": TABLE.points[:9]}, {"begins_mark": TABLE.begins_mark[:9]}], ids=str)
def test_tables_that_would_be_left_are_refused(change):
    with pytest.raises(ValueError, match="points"):
        kernels.TextCounter([], table=TABLE._replace(**change))


def test_tries_that_are_none_are_refused():
    codes = np.array([1, 2, 0], np.uint16)
    for ends in ([4], [2, 2], [-1]):
        with pytest.raises(ValueError, match="in order"):
            kernels.trie_of(codes, np.array(ends))
    parents, labels, nodes = kernels.trie_of(codes, np.array([2]))
    assert [parents.tolist(), labels.tolist(), nodes.tolist()] == [[0, 0, 1], [0, 1, 2], [2]]
    for wrong in ((parents, labels, 2), (parents, labels - 1, 3), (parents[:2], labels, 3), (parents + 2, labels, 3)):
        with pytest.raises(ValueError, match=r"labels must|parents must"):
            kernels.pack_trie(*wrong)


def test_texts_and_sizes_that_are_none_are_refused():
    reader = kernels.TextCounter([(1, 0, False)], table=TABLE)
    with pytest.raises(ValueError, match="as many"):
        reader.read(["a"], np.zeros(2, np.uint8))
    for wrong in (None, b"a", 1):
        with pytest.raises((TypeError, AttributeError)):
            reader.read([wrong], np.ones(1, np.uint8))
        with pytest.raises((TypeError, AttributeError)):
            reader.count(["a"], [wrong])
    with pytest.raises(ValueError, match="power"):
        kernels.StemMemory(100)


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


TYPES = [(kind, 0, False) for kind in (1, 2, 5, kernels.LCS, kernels.UNION_LCS)]
RULES = {"ascii": {}, "stems": {"stems": True}, "zh": {"cut": kernels.CHINESE}}


def counter_of(name, **options):
    tokenizer = "zh_char" if name == "zh" else "ascii"
    table = character_table(tokenizer, keep_punctuation=False, lowercase=True)
    return kernels.TextCounter(TYPES, table=table, **{"cut": kernels.LINES, **RULES[name], **options})


def flags_of(counter, texts):
    return counter.read(texts, np.ones(len(texts), np.uint8))[5].tolist()


class TestFlags:
    """What the kernel says of texts, so that Python looks at few."""

    def test_of_single_texts(self):
        texts = ["a", "", "...", "a\nb", "a b", "İ", "\u212a", "naïve a", "a 今天天气"]
        no, sentences, case = kernels.HAS_NO_TOKEN, kernels.HAS_SENTENCES, kernels.HAS_ODD_CASE
        look, lost, apart = kernels.NEEDS_A_LOOK, kernels.LOSES_LETTERS, kernels.MAY_BE_DECOMPOSED
        counter = counter_of("ascii", drops_letters=True)
        expected = [0, no, no, sentences, 0, case | look | lost | no, case | look | lost | no | apart, 0, lost]
        assert flags_of(counter, texts) == expected
        assert [counter.count([text], ["a"]).seen()[0] for text in texts] == expected
        counted = counter.count(texts, [*texts, "a b"], [1] * (len(texts) - 1) + [2])
        assert counted.flags_by_text().tolist() == [*np.repeat(expected, 2), 0]
        assert flags_of(counter_of("ascii"), ["a 今天天气"]) == [0]
        cased = character_table("ascii", keep_punctuation=False, lowercase=False)
        assert flags_of(kernels.TextCounter(TYPES, table=cased), ["İ"]) == [look | no]

    def test_long_pairs_and_lone_surrogates(self):
        counter = counter_of("ascii")
        assert counter.count(["a " * 9000], ["a"]) is None
        with pytest.raises(UnicodeEncodeError):
            counter.count(["a"], ["\ud800"])
        with pytest.raises(UnicodeEncodeError):
            flags_of(counter, ["a", "\ud800"])
        weighted = kernels.TextCounter([(kernels.WEIGHTED_LCS, 0, False)], table=TABLE, weights=weights_of)
        assert weighted.count(["a"], ["a"]) is None

    def test_as_many_references_as_said(self):
        counter = counter_of("ascii")
        for n_references in ([1], [2, 1], [3, -1], [1, 0]):
            with pytest.raises(ValueError, match="add up to the references"):
                counter.count(["a", "b"], ["a", "b"], n_references)
        with pytest.raises(ValueError, match="add up to the references"):
            counter.count(["a", "b"], ["a"])

    def test_where_texts_may_not_be_in_nfc(self):
        counter = counter_of("zh")
        points = [chr(point) for point in range(0x110000) if not 0xD800 <= point < 0xE000]
        parts = [unicodedata.decomposition(point).split() for point in points]
        second = {chr(int(part[1], 16)) for part in parts if len(part) == 2 and part[0][0] != "<"}
        second |= set(map(chr, range(0x1161, 0x11C3)))  # vowels and finals of Hangul

        def may_be(*characters):
            return [
                flag & kernels.MAY_BE_DECOMPOSED != 0 for flag in flags_of(counter, [f"a{each}" for each in characters])
            ]

        odd = [each for each in points if unicodedata.combining(each) or not unicodedata.is_normalized("NFC", each)]
        assert len(odd) > 1500
        assert all(may_be(*odd, *second))
        assert not any(may_be(*map(chr, [*range(0x300), *range(0x391, 0x480), *range(0x1E00, 0x1F00)])))
        assert not any(may_be(*"，。！？；：、…—“”‘’（）《》「」～％×é€→≠①あア한😀", *map(chr, range(0x3400, 0xA000))))

    def test_where_lookalikes_may_be(self):
        counter = counter_of("zh")
        points = [chr(point) for point in range(0xE0200) if not 0xD800 <= point < 0xE000]
        odd = [point for point in points if TRIGGERS.search(point)]

        def needs_a_look(*characters):
            return [flag & kernels.NEEDS_A_LOOK != 0 for flag in flags_of(counter, [f"a{each}" for each in characters])]

        assert len(odd) > 1500
        assert all(needs_a_look(*odd))
        assert all(needs_a_look(*(f"好{each}天" for each in odd)))
        assert all(needs_a_look(*(each for each in points if _NOT_CUT_BY_ZH_CHAR.match(each) and each < "\uff66")))
        usual = map(chr, [*range(0x20, 0xAA), *range(0xC0, 0xDF), *range(0xE0, 0x130), *range(0x1EA0, 0x1F00)])
        assert not any(needs_a_look(*usual, *map(chr, range(0x3400, 0xA000)), *map(chr, range(0xAC00, 0xD7A4))))
        assert not any(needs_a_look(*"，。！？；：、…—“”‘’（）《》「」～％×é"))


@pytest.mark.parametrize("name", RULES)
def test_one_counter_in_several_threads(name):
    values = {"tokenizer": "zh_char", "sentence_split": "zh"} if name == "zh" else {"tokenizer": "ascii"}
    types = ("rouge1", "rouge2", "rouge5", "rougeL", "rougeLsum")
    rouge = Rouge(rouge_types=types, engine="plain", use_stemmer=name == "stems", **values)
    counter = counter_of(name)
    rng = random.Random(0)
    words = [f"{stem}{end}" for stem in ("run", "walk", "talk", "x") for end in ("s", "ing", "ed", "ation")]
    words += ["今天", "。"] * (name == "zh")
    texts = [" ".join(rng.choices(words, k=30)) for _ in range(400)]
    expected = rouge.count(texts, texts[::-1]).counts

    def is_right(by_one):
        if by_one:
            counts = [counter.count([one], [other]) for one, other in zip(texts, texts[::-1], strict=True)]
            counts = [*counts, counter.count(texts, texts[::-1])]
            both = np.concatenate([each.to_arrays()[0] for each in counts])
            return np.array_equal(both, np.concatenate([expected, expected]))
        both = [text for pair in zip(texts, texts[::-1], strict=True) for text in pair]
        ids, text_tokens, sentence_tokens, text_sentences, n_ids, _, _ = counter.read(both, np.arange(800) % 2 == 0)
        places = np.arange(0, 800, 2), np.arange(1, 800, 2)
        counts = np.empty(expected.shape)
        read = kernels.Pairs(ids, text_tokens, ids, sentence_tokens, text_sentences, n_ids, *places, GOING)
        counter.count_read(read, counts)
        return np.array_equal(counts, expected)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(is_right, [True, False] * 4))
