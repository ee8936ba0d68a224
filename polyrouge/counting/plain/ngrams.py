"""Count ROUGE-N, ROUGE-S and ROUGE-SU plainly: n-grams and skip-bigrams of two texts (Lin 2004, sections 2, 5)."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import pairwise, repeat

_SHORT = 24  # tokens, up to which a loop is quicker than setting up a Counter


def count_ngrams(tokens: Sequence[Hashable], n: int) -> dict[Hashable, int]:
    """Count each n-gram, across sentence ends; the key of a unigram is the token itself."""
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
    """Return Count_match of Lin (2004), equation 1: the sum over units of min(count, count)."""
    shared = prediction.keys() & reference.keys()
    return sum([min(prediction[unit], reference[unit]) for unit in shared]) if shared else 0


def skip_bigram_total(n_tokens: int, gap: int | None) -> int:
    """Return the number of skip-bigrams of a text: C(n, 2) of Lin (2004), equation 17, or of those within the gap."""
    if gap is None or gap >= n_tokens - 2:
        return n_tokens * (n_tokens - 1) // 2
    reach = gap + 1
    return reach * (n_tokens - reach) + reach * (reach - 1) // 2


def count_skip_bigrams(tokens: Sequence[Hashable], gap: int | None, shared: frozenset | set) -> Counter:
    """Count each ordered pair of tokens with at most ``gap`` tokens in between; None means any number.

    A gap of 0 gives the bigrams, as the paper says of d_skip and as ROUGE-1.5.5 does (``-2``). Pairs run over the whole
    text, across sentence ends, as in ROUGE-1.5.5. Tokens that the other text does not share can't be hits; without
    their pairs memory stays at the shared vocabulary.
    """
    counts: Counter = Counter()
    positions = [position for position, token in enumerate(tokens) if token in shared]
    if gap is None or gap >= len(tokens) - 2:
        shared_tokens = [tokens[position] for position in positions]
        for index, token in enumerate(shared_tokens):  # one by one, so that a long text can be interrupted
            counts.update(zip(repeat(token), shared_tokens[index + 1 :]))
        return counts
    for index, first in enumerate(positions):
        for second in positions[index + 1 : index + gap + 2]:
            if second - first > gap + 1:
                break
            counts[tokens[first], tokens[second]] += 1
    return counts


def skip_unigrams(tokens: Sequence[Hashable], definition: str) -> Sequence[Hashable]:
    """Return the unigrams that ROUGE-SU adds to the skip-bigrams.

    Lin (2004), section 5.2 puts a begin-of-sentence marker before the text, which makes every token a unit once more
    (``definition="paper"``). ROUGE-1.5.5 counts all tokens but the last (``definition="rouge155"``), so a text of one
    token has no unit.
    """
    return tokens if definition == "paper" else tokens[:-1]
