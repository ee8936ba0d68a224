"""Several outputs for one question against each other: which agrees most with the others, and how alike they are."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.beyond.pairs.pair_scores import PairScore, read_columns
from polyrouge.counting.counts import Counts
from polyrouge.errors import shown_value
from polyrouge.inputs import check_text_lists, column_rows
from polyrouge.metric import Rouge
from polyrouge.progress import Progress, tell_progress, telling_progress

_PAIRS_AT_ONCE = 1 << 17


@dataclass(frozen=True)
class Consensus:
    """The output of each question that agrees most with the others.

    Attributes:
        best: int64[n_questions]: its number among the question's candidates, the first of equal ones.
        texts: the best candidate of each question.
        expected: for each question float64[n_candidates]: the expected score of each candidate.
        signature: of the settings.
    """

    best: NDArray[np.int64]
    texts: list[str]
    expected: list[NDArray[np.float64]]
    signature: str


@dataclass(frozen=True)
class Diversity:
    """How alike the outputs of each question are: low scores mean diverse outputs.

    Attributes:
        mean_pairwise: float64[n_questions]: the mean score of all ordered pairs of different samples.
        self_rouge: float64[n_questions]: the mean score of each sample against all others as its references
            (self-BLEU of Zhu et al. 2018, with ROUGE).
        signature: of the settings.
    """

    mean_pairwise: NDArray[np.float64]
    self_rouge: NDArray[np.float64]
    signature: str


def consensus(
    candidates: Any,
    weights: Any = None,
    *,
    rouge_type: str = "rougeL",
    rouge: Rouge | str | None = None,
    progress: Progress | None = None,
) -> Consensus:
    """Choose the output with the highest expected score: minimum Bayes risk, or self-consistency for texts.

    The expected score of a candidate is the mean of its scores, as the prediction, with all candidates as references,
    itself among them: the Monte Carlo estimate of Eikema and Aziz (2022), section 3.

    Args:
        candidates: for each question a list of texts, at least one.
        weights: for each question as many numbers of at least 0, such as probabilities; None: all alike.
        rouge_type: as for ``deduplicate``.
        rouge: the metric, or a convention's name; ``Rouge()`` if None. Its types do not count.
        progress: called with ``"scoring"``, the questions done, and all.

    Examples:
        >>> consensus([["the cat sat", "the cat sat down", "a dog ran"]]).best.tolist()
        [0]

    Raises:
        TypeError: something is no list of texts; the question is named.
        ValueError: a question has no candidates, or weights that do not fit.
    """
    groups = _checked_groups(candidates, "candidates", least=1)
    of_questions = _checked_weights(weights, groups)
    score = PairScore(rouge_type, rouge)
    expected = [
        np.nan_to_num(scores) @ of_question / of_question.sum()
        for (scores, _), of_question in zip(_squares(groups, "candidates", score, progress), of_questions, strict=True)
    ]
    best = np.array([values.argmax() for values in expected], np.int64)
    texts = [group[number] for group, number in zip(groups, best.tolist(), strict=True)]
    return Consensus(best, texts, expected, score.settings.signature())


def diversity(
    samples: Any,
    *,
    rouge_type: str = "rougeL",
    rouge: Rouge | str | None = None,
    progress: Progress | None = None,
) -> Diversity:
    """Say how alike the samples of each question are.

    Args:
        samples: for each question a list of texts, at least two.
        rouge_type: as for ``deduplicate``.
        rouge: the metric, or a convention's name; ``Rouge()`` if None. Its types do not count; ``self_rouge`` follows
            its rule for several references.
        progress: called with ``"scoring"``, the questions done, and all.

    Examples:
        >>> diversity([["the cat sat", "the cat sat", "a dog ran"]]).mean_pairwise.tolist()
        [0.3333333333333333]

    Raises:
        TypeError: something is no list of texts; the question is named.
        ValueError: a question has fewer than two samples.
    """
    groups = _checked_groups(samples, "samples", least=2)
    score = PairScore(rouge_type, rouge)
    pairwise, self_rouge = [], []
    for scores, counts in _squares(groups, "samples", score, progress):
        n = len(scores)
        other_samples = ~np.eye(n, dtype=bool)
        pairwise.append(scores[other_samples].mean())
        of_all = _select_pairs(counts, np.flatnonzero(other_samples), np.arange(n + 1) * (n - 1))
        self_rouge.append(score.of_counts(of_all).mean())
    return Diversity(np.array(pairwise), np.array(self_rouge), score.settings.signature())


def _squares(
    groups: Sequence[Sequence[str]], name: str, score: PairScore, progress: Progress | None
) -> Iterator[tuple[NDArray[np.float64], Counts]]:
    """Of each group float64[n, n], the scores of each text with each, and the counts of the pairs."""
    sizes = np.array(list(map(len, groups)), np.int64)
    parts = np.flatnonzero(np.diff(np.cumsum(sizes * sizes) // _PAIRS_AT_ONCE, prepend=-1))
    with telling_progress(progress, "scoring", len(groups)):
        for start, stop in itertools.pairwise([*parts.tolist(), len(groups)]):
            chunk_sizes = sizes[start:stop]
            starts = np.cumsum(chunk_sizes) - chunk_sizes
            columns = [(f"{name}[{number}]", groups[number]) for number in range(start, stop)]
            texts = read_columns(columns, score.settings, score.run, starts)
            spans = list(zip(starts.tolist(), chunk_sizes.tolist(), strict=True))
            counts = texts.count(*np.concatenate([first + np.indices((n, n)).reshape(2, -1) for first, n in spans], 1))
            scores = score.of_counts(counts)
            tell_progress(stop - start)
            begin = 0
            for n in chunk_sizes.tolist():
                part = slice(begin, begin + n * n)
                yield scores[part].reshape(n, n), _select_pairs(counts, part, np.arange(n * n + 1))
                begin += n * n


def _select_pairs(pairs: Counts, rows: Any, offsets: NDArray[np.int64]) -> Counts:
    """Return the pairs of ``rows`` as samples, whose references the offsets group."""
    bases = None if pairs.weighted_bases is None else pairs.weighted_bases[rows]
    columns = pairs.counts[rows], offsets, pairs.prediction_tokens[rows], pairs.reference_tokens[rows]
    return Counts(*columns, weighted_bases=bases)


def _checked_groups(column: Any, name: str, least: int) -> list[list[str]]:
    groups = check_text_lists(column_rows(column, name), name)
    for number, group in enumerate(groups):
        if len(group) < least:
            raise ValueError(f"{name}[{number}] has {len(group)} texts; give at least {least}.")
    return groups


def _checked_weights(weights: Any, groups: Sequence[Sequence[str]]) -> list[NDArray[np.float64]]:
    if weights is None:
        return [np.ones(len(group)) for group in groups]
    rows = column_rows(weights, "weights")
    if len(rows) != len(groups):
        raise ValueError(f"{len(groups)} rows of candidates but {len(rows)} of weights; give one row for each.")
    checked = []
    for number, (row, group) in enumerate(zip(rows, groups, strict=True)):
        try:
            values = np.array(list(row), np.float64)
        except (TypeError, ValueError):
            raise TypeError(f"weights[{number}] is {shown_value(row)}; give a list of numbers.") from None
        if values.shape != (len(group),) or not (values >= 0).all() or not 0 < values.sum() < np.inf:
            raise ValueError(
                f"weights[{number}] is {shown_value(row)}; give {len(group)} numbers of at least 0, one for each "
                "candidate, not all 0."
            )
        checked.append(values)
    return checked
