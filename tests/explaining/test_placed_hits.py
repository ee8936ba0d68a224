"""Hits of many pairs: the kernel places each where the readable version does."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from polyrouge import Rouge, RougeSettings, RunOptions
from polyrouge.counting.texts import ReadTexts
from polyrouge.counting.token_ids import batch_of_documents
from polyrouge.documents.document import Document
from polyrouge.explaining import units
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
    by_type = [
        match_units(*(side[is_of_sentences(rouge_type, rules)] for side in sides), rouge_type, rules)
        for rouge_type in types
    ]
    return [[(unit.prediction[0], unit.reference[0]) for unit in of_type] for of_type in by_type]


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


@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_no_pairs_have_no_hits(engine):
    hits = find_hits(read([]), *np.zeros((2, 0), np.int64), RougeSettings(), RunOptions(engine=engine))
    assert (hits.counts.shape, hits.positions.shape) == ((0, 4), (2, 0))


TYPES = [*SHOWN_TYPES, "rouge3", "rouge4", "rougeW", "rougeS", "rougeS0", "rougeS4", "rougeSU", "rougeSU1"]
some_lines = st.lists(st.lists(st.sampled_from("abcd"), max_size=9).map(" ".join), max_size=5).map("\n".join)
LONG_LINES = " ".join("abcbadcab"[n % 9] for n in range(270)) + "\na b", " ".join("bcadd"[n % 5] for n in range(258))


@pytest.mark.filterwarnings("ignore::polyrouge.RougeWarning")
@pytest.mark.parametrize(("definition", "ngram_counts"), [("paper", "multiset"), ("rouge155", "set")])
@given(
    prediction=some_lines,
    references=st.lists(some_lines, min_size=1, max_size=3),
    lcs=st.sampled_from(["sentence", "union", "type_union", "pairwise_sum"]),
    weight=st.sampled_from([1.0, 1.2, 2.0, 0.7]),
)
@example("a b c\nb c a", ["c a\nb b c a", ""], "union", 1.2)
@example(LONG_LINES[0], [LONG_LINES[1]], "pairwise_sum", 1.2)  # longer than the tables of short sentences
def test_an_explanation_has_the_units_of_the_readable_version(
    definition, ngram_counts, prediction, references, lcs, weight
):
    tool = {"definition": definition, "ngram_counts": ngram_counts, "lcs": lcs}
    settings = {"rouge_types": TYPES, "tool": tool, "weight": weight}
    plain = Rouge(engine="plain", **settings).explain(prediction, references)

    def refused(*_):
        raise AssertionError("found in plain Python")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(units, "match_units", refused)
        assert Rouge(engine="compiled", **settings).explain(prediction, references) == plain


@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_too_many_hits_are_counted_and_not_placed(engine, monkeypatch):
    texts = "a b c d e f\ng h", ["a b c d e f\ng h", "a b"]
    rouge = Rouge(rouge_types=TYPES, tool={"lcs": "pairwise_sum"}, engine=engine)
    whole = rouge.explain(*texts)
    monkeypatch.setattr(units, "MOST_UNITS", 7)
    monkeypatch.setattr(units, "_MOST_CELLS", 79)  # 8 tokens against 8 and 2
    few = rouge.explain(*texts)

    lost = {name for name in TYPES if any(match.units is None for match in few.types[name].matches)}
    assert lost == {"rouge1", "rougeL", "rougeLsum", "rougeW", "rougeS", "rougeS4", "rougeSU", "rougeSU1"}
    for name in TYPES:
        assert few[name].fmeasure == whole[name].fmeasure
        assert few[name].hits == whole[name].hits
        assert few.types[name] == whole.types[name] or name in lost
