"""Measures beside the source: against a slow version written after the papers, and worked out by hand."""

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from news import news

from polyrouge import Rouge, measure_sources
from polyrouge.beyond.source_overlap import measures as measures_module
from polyrouge.beyond.source_overlap.measures import (
    SOURCE_MEASURES,
    SourceTokens,
    StreamedSources,
    extractive_fragments,
    measured_tokens,
)

TOKENS = st.lists(st.sampled_from("abc"), max_size=14)


def fragments_by_the_paper(article, summary):
    """The procedure of the paper's figure 3, step by step; its indices count from 1, these from 0."""
    fragments = []
    i = 0
    while i < len(summary):
        fragment = []
        j = 0
        while j < len(article):
            if summary[i] == article[j]:
                here, there = i, j
                while here < len(summary) and there < len(article) and summary[here] == article[there]:
                    here, there = here + 1, there + 1
                if len(fragment) < here - i:
                    fragment = summary[i:here]
                j = there
            else:
                j += 1
        i += max(len(fragment), 1)
        if fragment:
            fragments.append(fragment)
    return fragments


def slow_measures(summary, article):
    if not summary:
        return [math.nan] * len(SOURCE_MEASURES)
    fragments = fragments_by_the_paper(article, summary)
    values = [
        sum(map(len, fragments)) / len(summary),
        sum(len(each) * len(each) for each in fragments) / len(summary),
        len(article) / len(summary),
    ]
    for n in (1, 2, 3, 4):
        ours = [summary[k : k + n] for k in range(len(summary) - n + 1)]
        theirs = [article[k : k + n] for k in range(len(article) - n + 1)]
        values.append(sum(each not in theirs for each in ours) / len(ours) if ours else math.nan)
    ours = [summary[k : k + 3] for k in range(len(summary) - 2)]
    values.append(sum(each in ours[:k] for k, each in enumerate(ours)) / len(ours) if ours else math.nan)
    places = []
    for prediction, source, length in extractive_fragments(summary, SourceTokens(article)):
        assert summary[prediction : prediction + length] == article[source : source + length]
        places += [(place + 0.5) / len(article) for place in range(source, source + length)]
    return [*values, sum(places) / len(places) if places else math.nan]


def assert_measures(summary, article):
    measured = measured_tokens(summary, SourceTokens(article)).values
    assert measured == pytest.approx(slow_measures(summary, article), nan_ok=True)


@given(TOKENS, TOKENS)
def test_every_measure_is_that_of_the_slow_version(summary, article):
    assert_measures(summary, article)
    runs = [summary[each.prediction :][: each.length] for each in extractive_fragments(summary, SourceTokens(article))]
    assert runs == fragments_by_the_paper(article, summary)


def test_long_texts_and_a_source_of_many_different_tokens():
    chance = random.Random(3)
    for size in (30, 300):
        article = chance.choices("abcdefgh", k=5 * size)
        assert_measures(article[7 : 7 + size // 2] + chance.choices("abcdefghxyz", k=size // 2), article)
    article = [f"token{number}" for number in range(7_000)] * 2
    assert_measures([*article[6_990:7_005], "another", *article[5_001:5_003], *article[10:12], "token"], article)


def test_sources_of_other_rows_and_of_more_different_tokens_than_there_are_characters_are_refused(monkeypatch):
    with pytest.raises(ValueError, match="1 predictions but 2 sources"):
        measure_sources(["a"], ["a", "b"])
    monkeypatch.setattr(measures_module, "_MOST_DIFFERENT", 3)

    assert measure_sources(["a"], ["a b c"]).means()["coverage"] == 1
    with pytest.raises(ValueError, match="A source has 4 different tokens; the most is 3"):
        measure_sources(["a"], ["a b c d"])


@pytest.mark.parametrize("convention", ["rouge_score", "zh_word"])
def test_samples_that_come_in_chunks_have_the_same_measures(convention):
    rows = news("en")[:8] + news("zh")[:8]
    systems = [[row["prediction"] for row in rows], ["", *(row["prediction_b"] for row in rows[1:])]]
    sources = [f"{row['references'][0]} {row['prediction']} 2024" for row in rows]
    rouge = Rouge(convention)
    stream = StreamedSources(rouge.settings, rouge.run, 2)

    chunks = [
        stream.add([each[start : start + 5] for each in systems], sources[start : start + 5])
        for start in range(0, len(rows), 5)
    ]

    for system, predictions in enumerate(systems):
        of_system = [row for chunk in chunks for row in chunk[system]]
        measures = measure_sources(predictions, sources, rouge)
        for name, column in measures.columns.items():
            expected = [None if math.isnan(value) else value for value in column.tolist()]
            assert [row[name] for row in of_system] == expected


# Fragments: "the dog slept" (8th to 10th token of 13), "and" (7th), "cat sat on the mat" (2nd to 6th); "a" is new.
BY_HAND = {
    "coverage": 9 / 10, "density": (3**2 + 1 + 5**2) / 10, "compression": 13 / 10, "novel_1": 1 / 10, "novel_2": 3 / 9,
    "repetition": 0, "source_position": (3 * 8.5 + 6.5 + 5 * 3.5) / 9 / 13,
}  # fmt: skip
SENTENCES = "the dog slept and a cat sat on the mat", "the cat sat on the mat and the dog slept by the door"
ALL_NEW = {"coverage": 0, "density": 0, "novel_1": 1, "novel_3": math.nan, "source_position": math.nan}
LIMITED = "云渡市经济增长", "云渡市上半年经济增长5.8%"
EXAMPLES = {
    "by hand": (*SENTENCES, None, BY_HAND),
    "copied": ("a b c d", "a b c d e f g h", None, {"density": 4, "novel_4": 0, "source_position": 0.25}),
    "all new": ("x y", "a b c", None, ALL_NEW),
    "no source": ("a", "", None, {"compression": 0}),
    "sources in a row": ("a b c", ["a b", "c d"], None, {"density": 3, "compression": 4 / 3}),
    "stems": ("Cats", "a cat", Rouge(use_stemmer=True), {"coverage": 1}),
    **{
        limit: (*LIMITED, Rouge("zh_char", **{limit: 2}), {"coverage": 1, "density": (3**2 + 4**2) / 7})
        for limit in ("max_words", "max_bytes", "max_characters")  # which leave no token out here
    },
}


@pytest.mark.parametrize(("prediction", "source", "rouge", "expected"), EXAMPLES.values(), ids=EXAMPLES)
def test_examples_worked_out_by_hand(prediction, source, rouge, expected):
    means = measure_sources([prediction], [source], rouge).means()

    assert {name: means[name] for name in expected} == pytest.approx(expected, nan_ok=True)


def test_samples_without_a_token_are_left_out_of_the_means():
    measures = measure_sources(["a b", ""], ["a c", "a"])

    assert np.isnan(measures.columns["coverage"]).tolist() == [False, True]
    assert measures.means()["coverage"] == 0.5


def test_of_runs_as_long_the_first_of_the_source_is_the_one_that_was_copied():
    assert extractive_fragments(list("ab"), SourceTokens(list("xabyab"))) == [(0, 1, 2)]
