"""ROUGE-N, plainly: n-gram co-occurrence (Lin 2004, section 2)."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import pairwise

_SHORT = 24  # tokens, up to which a loop is quicker than setting up a Counter


def count_ngrams(tokens: Sequence[Hashable], n: int) -> dict[Hashable, int]:
    """Occurrences of each n-gram of one text, N = max(0, tokens - n + 1) in all; a unigram's key is the token itself.

    N-grams run over the whole text, across sentence ends, as in ROUGE-1.5.5 and rouge_score.
    """
    units: Iterable[Hashable] = tokens
    if n == 2:
        units = pairwise(tokens)
    elif n > 2:
        units = zip(*[tokens[start:] for start in range(n)], strict=False)
    if len(tokens) > _SHORT:
        return Counter(units)
    counts: dict[Hashable, int] = {}
    for unit in units:
        if unit in counts:
            counts[unit] += 1
        else:
            counts[unit] = 1
    return counts


def clipped_hits(prediction: Mapping[Hashable, int], reference: Mapping[Hashable, int]) -> int:
    """Count_match of Lin (2004), equation 1: the sum over units of min(count, count).

    Each unit of the reference is matched at most as often as the prediction holds it, and the other way round
    ("clipping"). Symmetric; 0 for an empty side. The kernels in ``compiled/kernels/ngrams.py`` count down instead.
    """
    shared = prediction.keys() & reference.keys()
    return sum([min(prediction[unit], reference[unit]) for unit in shared]) if shared else 0
