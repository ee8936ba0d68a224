"""Several outputs for one question against each other: which agrees most with the others, and how alike they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.pair_counts import PairCounts
from polyrouge.errors import shown_value
from polyrouge.inputs import check_text_lists, column_rows
from polyrouge.pairs.pair_scores import PairScore, read_columns
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
    convention: str = "default",
    progress: Progress | None = None,
    **settings: Any,
) -> Consensus:
    """Choose the output with the highest expected score: minimum Bayes risk, or self-consistency for texts.

    The expected score of a candidate is the mean of its scores, as the prediction, with all candidates as references,
    itself among them: the Monte Carlo estimate of Eikema and Aziz (2022), section 3.

    Args:
        candidates: for each question a list of texts, at least one.
        weights: for each question as many numbers of at least 0, such as probabilities; None: all alike.
        rouge_type: as for ``deduplicate``.
        convention: as for ``Rouge``.
        progress: called with ``"scoring"``, the questions done, and all.
        **settings: fields of ``RougeSettings``.

    Examples:
        >>> consensus([["the cat sat", "the cat sat down", "a dog ran"]]).best.tolist()
        [0]

    Raises:
        TypeError: something is no list of texts; the question is named.
        ValueError: a question has no candidates, or weights that do not fit.
    """
    groups = _checked_groups(candidates, "candidates", least=1)
    of_questions = _checked_weights(weights, groups)
    score = PairScore(rouge_type, convention, settings)
    expected = []
    for matrix, of_question in zip(_score_matrices(groups, "candidates", score, progress), of_questions, strict=True):
        expected.append(np.nan_to_num(matrix.scores) @ of_question / of_question.sum())
    best = np.array([values.argmax() for values in expected], np.int64)
    texts = [group[number] for group, number in zip(groups, best.tolist(), strict=True)]
    return Consensus(best, texts, expected, score.settings.signature())


def diversity(
    samples: Any,
    *,
    rouge_type: str = "rougeL",
    convention: str = "default",
    progress: Progress | None = None,
    **settings: Any,
) -> Diversity:
    """Say how alike the samples of each question are.

    Args:
        samples: for each question a list of texts, at least two.
        rouge_type: as for ``deduplicate``.
        convention: as for ``Rouge``; its rule for several references is that of ``self_rouge``.
        progress: called with ``"scoring"``, the questions done, and all.
        **settings: fields of ``RougeSettings``.

    Examples:
        >>> diversity([["the cat sat", "the cat sat", "a dog ran"]]).mean_pairwise.tolist()
        [0.3333333333333333]

    Raises:
        TypeError: something is no list of texts; the question is named.
        ValueError: a question has fewer than two samples.
    """
    groups = _checked_groups(samples, "samples", least=2)
    score = PairScore(rouge_type, convention, settings)
    pairwise, self_rouge = [], []
    for matrix in _score_matrices(groups, "samples", score, progress):
        n = len(matrix.scores)
        others = ~np.eye(n, dtype=bool)
        pairwise.append(matrix.scores[others].mean())
        rows = np.flatnonzero(others.ravel())
        of_all = _some(matrix.counts, rows, np.arange(n + 1) * (n - 1))
        self_rouge.append(score.of_counts(of_all).mean())
    return Diversity(np.array(pairwise), np.array(self_rouge), score.settings.signature())


class _Matrix(NamedTuple):
    scores: NDArray[np.float64]  # [n, n]: each text, as the prediction, with each
    counts: PairCounts


def _score_matrices(
    groups: Sequence[Sequence[str]], name: str, score: PairScore, progress: Progress | None
) -> list[_Matrix]:
    """The scores of the texts of each group with each other; some groups are read and counted at once."""
    matrices = []
    with telling_progress(progress, "scoring", len(groups)):
        start = 0
        while start < len(groups):
            stop, n_pairs = start, 0
            while stop < len(groups) and (stop == start or n_pairs + len(groups[stop]) ** 2 <= _PAIRS_AT_ONCE):
                n_pairs += len(groups[stop]) ** 2
                stop += 1
            names = [f"{name}[{number}]" for number in range(start, stop)]
            matrices += _matrices_of_some(groups[start:stop], names, score)
            tell_progress(stop - start)
            start = stop
    return matrices


def _matrices_of_some(groups: Sequence[Sequence[str]], names: Sequence[str], score: PairScore) -> list[_Matrix]:
    sizes = np.array(list(map(len, groups)))
    firsts = np.cumsum(sizes) - sizes
    texts = read_columns(list(zip(names, groups, strict=True)), score.settings, firsts)
    spans = list(zip(firsts.tolist(), sizes.tolist(), strict=True))
    counts = texts.count(*np.concatenate([first + np.indices((n, n)).reshape(2, -1) for first, n in spans], axis=1))
    scores = score.of_counts(counts)
    matrices, start = [], 0
    for _, n in spans:
        part = slice(start, start + n * n)
        matrices.append(_Matrix(scores[part].reshape(n, n), _some(counts, part, np.arange(n * n + 1))))
        start += n * n
    return matrices


def _some(pairs: PairCounts, rows: Any, offsets: NDArray[np.int64]) -> PairCounts:
    """Some pairs, as samples of so many references."""
    bases = pairs.weighted_bases
    return PairCounts(
        pairs.counts[rows],
        offsets,
        pairs.prediction_tokens[rows],
        pairs.reference_tokens[rows],
        weighted_bases=None if bases is None else bases[rows],
    )


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
