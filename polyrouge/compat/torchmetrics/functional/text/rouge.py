"""``torchmetrics.functional.text.rouge``: ``rouge_score``, without torchmetrics itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from polyrouge.compat.torchmetrics.sample_scores import (
    ALLOWED_ROUGE_KEYS,
    check_accumulate,
    checked_keys,
    sample_rows,
    sample_scores,
)
from polyrouge.tools.common import porter_stemmer


def rouge_score(
    preds: str | Sequence[str],
    target: str | Sequence[str] | Sequence[Sequence[str]],
    accumulate: str = "best",
    use_stemmer: bool = False,
    normalizer: Callable[[str], str] | None = None,
    tokenizer: Callable[[str], Sequence[Any]] | None = None,
    rouge_keys: str | tuple[str, ...] = ("rouge1", "rouge2", "rougeL", "rougeLsum"),
) -> dict[str, torch.Tensor]:
    """ROUGE of one text or many, as ``torchmetrics.functional.text.rouge_score``.

    Args:
        preds: a text, or texts.
        target: a text; texts, which are the references of ``preds`` if that is a text, and one each if not; or lists
            of texts.
        accumulate: ``"best"`` takes for each key the reference with the highest F, ``"avg"`` the mean over all.
        use_stemmer: Porter stems of words with more than three characters.
        normalizer: in place of lower-casing and of blanks for all but a-z and 0-9.
        tokenizer: in place of splitting at blanks.
        rouge_keys: ``rouge1`` to ``rouge9``, ``rougeL``, ``rougeLsum``; the last cuts sentences by NLTK's punkt.

    Returns:
        The means ``"rouge1_fmeasure"``, ``"rouge1_precision"``, ``"rouge1_recall"`` and so on, as single numbers
        (float32) between 0 and 1; NaN where there is nothing to score.

    Raises:
        ValueError: an unknown key or ``accumulate``.
        IndexError: a prediction without reference, with ``"best"``.
        OSError: rougeLsum, and punkt's data are neither there nor to be had.
        TypeError: a row is no text.
    """
    keys = checked_keys(rouge_keys, list(ALLOWED_ROUGE_KEYS))
    check_accumulate(accumulate)
    stem = porter_stemmer().stem if use_stemmer else None
    found = sample_scores(sample_rows(preds, target), keys, accumulate, stem, normalizer, tokenizer)
    return {name: torch.from_numpy(scores).mean() for name, scores in found.items()}
