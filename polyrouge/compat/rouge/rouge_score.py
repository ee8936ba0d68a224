"""rouge's ``rouge_score``: functions over lists of sentences, whose words stand between single spaces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from polyrouge.compat.sentence_functions import f_r_p_rouge_n as f_r_p_rouge_n
from polyrouge.compat.sentence_functions import many_ngram_scores, rouge_n_of, split_at_spaces, summary_lcs


def rouge_n(
    evaluated_sentences: Sequence[str],
    reference_sentences: Sequence[str],
    n: int = 2,
    raw_results: bool = False,
    exclusive: bool = True,
) -> dict[str, Any]:
    """ROUGE-N of two lists of sentences.

    Args:
        evaluated_sentences: of the prediction.
        reference_sentences: of the reference.
        n: words in an n-gram.
        raw_results: counts in place of scores.
        exclusive: count distinct n-grams.

    Returns:
        ``"f"``, ``"p"``, ``"r"``; or ``"hyp"``, ``"ref"``, ``"overlap"``.

    Raises:
        ValueError: a list is empty.
    """
    return rouge_n_of(evaluated_sentences, reference_sentences, n, raw_results, exclusive, split_at_spaces)


def rouge_l_summary_level(
    evaluated_sentences: Sequence[str],
    reference_sentences: Sequence[str],
    raw_results: bool = False,
    exclusive: bool = True,
    **_: Any,
) -> dict[str, Any]:
    """What this package calls ROUGE-L, of two lists of sentences; see ``rouge_n``."""
    return summary_lcs(evaluated_sentences, reference_sentences, raw_results, exclusive, split_at_spaces)


def multi_rouge_n(
    sequences: Sequence[Sequence[str]], scores_ids: Sequence[tuple[int, int]], n: int = 2, exclusive: bool = True
) -> list[dict[str, float]]:
    """ROUGE-N of many pairs of lists of sentences, of which each has its n-grams counted once.

    Args:
        sequences: lists of sentences.
        scores_ids: for each pair the index of the prediction and that of the reference.
        n: words in an n-gram.
        exclusive: count distinct n-grams.
    """
    return many_ngram_scores(sequences, scores_ids, n, exclusive, split_at_spaces)
