"""ROUGE-N, plainly: n-gram co-occurrence (Lin 2004, section 2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence


def count_ngrams(tokens: Sequence[Hashable], n: int) -> Counter:
    """Count each n-gram of one text; N = max(0, tokens - n + 1) in all.

    N-grams run over the whole text, across sentence ends, as in ROUGE-1.5.5 and rouge_score.

    Args:
        tokens: the tokens of the text, in order.
        n: order of the n-gram, 1 or more.

    Returns:
        Occurrences of each n-gram; a unigram's key is the token itself, otherwise a tuple.
    """
    if n == 1:
        return Counter(tokens)
    return Counter(zip(*(tokens[start:] for start in range(n)), strict=False))


def clipped_hits(prediction: Counter, reference: Counter) -> int:
    """Count_match of Lin (2004), equation 1: the sum over units of min(count, count).

    Each unit of the reference is matched at most as often as the prediction holds it, and the
    other way round ("clipping"). Symmetric; 0 for an empty side.
    """
    return sum([min(prediction[unit], reference[unit]) for unit in prediction.keys() & reference.keys()])
