"""What pltrdy's rouge and lawrouge call ROUGE-L, plainly. Neither is Lin's: see each function."""

from collections.abc import Hashable, Sequence
from itertools import chain

from polyrouge.counting.plain.lcs import Sentences, lcs_columns, lcs_length, lcs_positions, token_matches

RECURSION_STEPS = 990
"""Steps back through an LCS table that Python's default recursion limit allows pltrdy's rouge."""


def type_union_lcs(prediction: Sentences, reference: Sentences) -> tuple[int, int, int]:
    """Hits and totals of pltrdy's rouge and lawrouge with ``exclusive=True``: distinct tokens.

    A distinct token is a hit where the LCS of any reference sentence with any prediction sentence holds it. Of several
    longest, it is the one that walking back from the corner finds if it drops the prediction's token unless dropping
    the reference's leaves a longer subsequence.

    Returns:
        Hits, distinct tokens of the prediction, distinct tokens of the reference.
    """
    hits: set[Hashable] = set()
    for sentence in prediction:
        union = 0
        for other in reference:
            union |= lcs_positions(sentence, other)  # sides are swapped, for the tie rule
        hits.update(token for token, bit in zip(sentence, reversed(bin(union)), strict=False) if bit == "1")
    return len(hits), len(set(chain.from_iterable(prediction))), len(set(chain.from_iterable(reference)))


def pairwise_lcs(prediction: Sentences, reference: Sentences) -> tuple[int, int, int]:
    """Hits and totals with ``exclusive=False``: every LCS of two sentences added up, so scores may exceed 1."""
    hits = sum(lcs_length(one, other) for one in prediction for other in reference)
    return hits, sum(map(len, prediction)), sum(map(len, reference))


def is_too_deep(prediction: Sentences, reference: Sentences) -> bool:
    """Whether pltrdy's rouge fails with a RecursionError: it walks back through the table by recursion."""
    return any(
        len(one) + len(other) > RECURSION_STEPS and _walk_is_too_deep(one, other)
        for other in reference
        for one in prediction
    )


def _walk_is_too_deep(prediction: Sequence[Hashable], reference: Sequence[Hashable]) -> bool:
    if min(len(prediction), len(reference)) > RECURSION_STEPS:  # a step drops at most one token of each
        return True
    matches = token_matches(reference, prediction)
    rises = [0, *lcs_columns(matches, len(reference))]
    row, column, steps = len(reference), len(prediction), 0
    while row and column:
        steps += 1
        is_match = matches[column - 1] >> (row - 1) & 1
        # Comparing two table cells takes one level of Python's stack more than comparing two words.
        if steps + (not is_match) > RECURSION_STEPS:
            return True
        if is_match:
            row, column = row - 1, column - 1
            continue
        below = (1 << row) - 1
        without_reference = (rises[column] & (below >> 1)).bit_count()
        without_prediction = (rises[column - 1] & below).bit_count()
        if without_reference > without_prediction:
            row -= 1
        else:
            column -= 1
    return False
