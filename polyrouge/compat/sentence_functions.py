"""The functions that rouge, rouge_chinese and lawrouge keep in ``rouge_score``: scores of lists of sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

from polyrouge.counting.plain.lcs import lcs_length
from polyrouge.counting.plain.ngrams import clipped_hits, count_ngrams
from polyrouge.counting.plain.tool_lcs import pairwise_lcs, type_union_lcs
from polyrouge.scoring.scores import scores_of_pair
from polyrouge.settings.stages import ScoreRule

Split = Callable[[str], list[str]]
"""A sentence to its words."""

_RULE = ScoreRule(epsilon=1e-8, inverse_powers=(None,))


def split_at_spaces(sentence: str) -> list[str]:
    """The words of a sentence, between single spaces."""
    return sentence.split(" ")


def words_of(sentences: Sequence[str], split: Split) -> list[str]:
    """The words of all sentences."""
    return list(chain.from_iterable(map(split, sentences)))


def f_r_p_rouge_n(evaluated_count: float, reference_count: float, overlapping_count: float) -> dict[str, float]:
    """F-measure, precision and recall of three counts; F has 1e-8 in it."""
    counts = (overlapping_count, evaluated_count, reference_count)
    precision, recall, f = scores_of_pair([counts], _RULE)[0]
    return {"f": f, "p": precision, "r": recall}


def result_of(counts: tuple[float, float, float], raw_results: bool) -> dict[str, Any]:
    """Of the overlap, the evaluated text's count and the reference's: the counts, or their scores."""
    overlap, evaluated, reference = counts
    if raw_results:
        return {"hyp": evaluated, "ref": reference, "overlap": overlap}
    return f_r_p_rouge_n(evaluated, reference, overlap)


def ngram_counts(first: Sequence[str], second: Sequence[str], n: int, exclusive: bool) -> tuple[int, int, int]:
    """Overlap and totals of the n-grams of two lists of words: of distinct ones if ``exclusive``."""
    evaluated, reference = count_ngrams(first, n), count_ngrams(second, n)
    if exclusive:
        return len(evaluated.keys() & reference.keys()), len(evaluated), len(reference)
    return clipped_hits(evaluated, reference), sum(evaluated.values()), sum(reference.values())


def rouge_n_of(
    evaluated: Sequence[str], reference: Sequence[str], n: int, raw_results: bool, exclusive: bool, split: Split
) -> dict[str, Any]:
    """ROUGE-N of two lists of sentences.

    Raises:
        ValueError: one has no sentence.
        AssertionError: n is not above 0.
    """
    refuse_empty(len(evaluated), len(reference))
    if n <= 0:
        raise AssertionError(f"n is {n}; it must be above 0.")
    counts = ngram_counts(words_of(evaluated, split), words_of(reference, split), n, exclusive)
    return result_of(counts, raw_results)


def refuse_empty(evaluated: int, reference: int) -> None:
    """Raise the tools' error where a text has no sentence."""
    if evaluated <= 0:
        raise ValueError("Hypothesis is empty.")
    if reference <= 0:
        raise ValueError("Reference is empty.")


def refuse_no_sentences(evaluated: int, reference: int) -> None:
    """Raise the tools' error where rougeL gets a text that has no sentence."""
    if evaluated <= 0 or reference <= 0:
        raise ValueError("Collections must contain at least 1 sentence.")


def summary_lcs(
    evaluated: Sequence[str], reference: Sequence[str], raw_results: bool, exclusive: bool, split: Split
) -> dict[str, Any]:
    """What pltrdy's rouge and lawrouge call ROUGE-L, of two lists of sentences; see ``counting.plain.tool_lcs``."""
    refuse_no_sentences(len(evaluated), len(reference))
    count = type_union_lcs if exclusive else pairwise_lcs
    return result_of(count(list(map(split, evaluated)), list(map(split, reference))), raw_results)


def whole_lcs(evaluated: Sequence[str], reference: Sequence[str], raw_results: bool) -> dict[str, Any]:
    """What rouge_chinese calls ROUGE-L: one LCS over the words of all sentences."""
    refuse_no_sentences(len(evaluated), len(reference))
    first, second = (words_of(sentences, split_at_spaces) for sentences in (evaluated, reference))
    return result_of((lcs_length(first, second), len(first), len(second)), raw_results)


def many_ngram_scores(
    sequences: Sequence[Sequence[str]],
    scores_ids: Sequence[tuple[int, int]],
    n: int,
    exclusive: bool,
    split: Split,
) -> list[dict[str, float]]:
    """Scores of pairs of lists of sentences, given by their indices."""
    words = [words_of(sentences, split) for sentences in sequences]
    found = []
    for evaluated, reference in scores_ids:
        overlap, first, second = ngram_counts(words[evaluated], words[reference], n, exclusive)
        found.append(f_r_p_rouge_n(first, second, overlap))
    return found
