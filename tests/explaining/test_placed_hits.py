"""Hits of many pairs: the kernel places each where the readable version does."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from polyrouge import Rouge, RougeSettings, RunOptions
from polyrouge.counting.texts import ReadTexts
from polyrouge.counting.token_ids import batch_of_documents
from polyrouge.documents.document import Document
from polyrouge.explaining.hit_positions import SHOWN_TYPES, find_hits
from polyrouge.explaining.matching import is_of_sentences, match_units
from polyrouge.settings.rouge_types import parse_rouge_type


def document(sentences, whole=None):
    """A text of these sentences of words; its tokens may be others."""
    cut = list(map(str.split, sentences))
    return Document([token for each in cut for token in each] if whole is None else whole.split(), cut)


def read(documents):
    """The texts as they are read, at no places."""
    batch = batch_of_documents(documents)
    nowhere = [np.full((len(ids), 2), -1, np.int32) for ids in (batch.ids, batch.sentence_ids)]
    rules, every = Rouge().settings.text_rules, np.arange(len(documents))
    return ReadTexts([""] * len(documents), batch, *nowhere, rules, [""] * batch.n_ids, every)


# Few words, so that they are repeated; lengths on both sides of a strip of 64 tokens.
words = st.lists(st.sampled_from("abc"), max_size=9).map(" ".join)
long_words = st.builds(
    lambda stretch, times, end: " ".join([*(stretch * times), *end]),
    st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=40),
    st.integers(1, 5),
    st.lists(st.sampled_from("abz"), max_size=5),
)
a_text = st.builds(document, st.lists(words | long_words, max_size=8), st.none() | words)


def expected(ours, theirs, rules):
    """The first tokens of the hits of each type by ``match_units``."""
    sides = [{False: [text.tokens], True: text.sentences} for text in (ours, theirs)]
    types = map(parse_rouge_type, SHOWN_TYPES)
    units = [match_units(*(side[is_of_sentences(each, rules)] for side in sides), each, rules) for each in types]
    return [[(each.prediction[0], each.reference[0]) for each in of_type] for of_type in units]


def by_pair(hits):
    """The same from columns, pair by pair."""
    ends = np.cumsum(hits.counts.ravel())[:-1]
    places = [list(map(tuple, each.T.tolist())) for each in np.split(hits.positions, ends, axis=1)]
    return [places[start : start + len(SHOWN_TYPES)] for start in range(0, len(places), len(SHOWN_TYPES))]


@pytest.mark.parametrize("ngram_counts", ["multiset", "set"])
@pytest.mark.parametrize("lcs", ["sentence", "union", "type_union", "pairwise_sum"])
@given(texts=st.lists(a_text, min_size=1, max_size=5), data=st.data())
@example(texts=[document(["a " * 64]), document(["a " * 65, "a"])], data=None)
@example(texts=[document(["a b", "b a"]), document(["b", "a b a"])], data=None)
def test_the_kernel_places_hits_where_the_readable_version_does(lcs, ngram_counts, texts, data):
    places = st.integers(0, len(texts) - 1)
    pairs = data.draw(st.lists(st.tuples(places, places), min_size=1)) if data else [(0, 1), (1, 0), (1, 1)]
    one, other = np.array(pairs).T.copy()
    tool = {"ngram_counts": ngram_counts, "lcs": lcs}
    rules = Rouge(rouge_types=SHOWN_TYPES, tool=tool).settings.count_rules
    want = [expected(texts[ours], texts[theirs], rules) for ours, theirs in pairs]

    for engine in ("plain", "compiled"):
        rouge = Rouge(rouge_types=SHOWN_TYPES, tool=tool, engine=engine)
        assert by_pair(find_hits(read(texts), one, other, rouge.settings, rouge.run)) == want


def test_no_pairs_have_no_hits():
    for engine in ("plain", "compiled"):
        nothing = np.zeros(0, np.int64)
        hits = find_hits(read([]), nothing, nothing, RougeSettings(), RunOptions(engine=engine))
        assert hits.counts.shape == (0, 4)
        assert hits.positions.shape == (2, 0)


@pytest.mark.filterwarnings("ignore::polyrouge.RougeWarning")
def test_an_explanation_takes_the_hits_of_the_kernel(monkeypatch):
    """In plain Python the largest texts of the page took minutes: each sentence of one beside each of the other."""
    texts = "the cat sat.\nIt sat down. The end\n" * 3, ["a cat sat\nthe end, it sat\n", "the cat\nsat down"]
    settings = {"rouge_types": SHOWN_TYPES, "sentence_split": "auto"}
    plain = Rouge(engine="plain", **settings).explain(*texts)

    def refused(*_):
        raise AssertionError("found in plain Python")

    monkeypatch.setattr("polyrouge.explaining.explanation.match_units", refused)
    assert Rouge(engine="compiled", **settings).explain(*texts) == plain
