"""ROUGE-L, plainly: longest common subsequences (Lin 2004, section 3).

The dynamic program t[i][j] = LCS(reference[:i], prediction[:j]) is held one column at a time, as
one big integer with a bit per reference token: bit i - 1 of ``rises`` at column j is set where
t[i][j] = t[i - 1][j] + 1. Adjacent values of a column differ by at most 1, so the set bits up to i
add up to t[i][j]. One column follows from the one before by five operations on whole integers
(Hyyro 2004, "Bit-parallel LCS-length computation revisited").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import chain
from math import isqrt

__all__ = ["lcs_length", "lcs_positions", "token_positions", "union_lcs_hits"]

# Columns kept at once for the walk back are bounded by about this many bytes; beyond, only every
# k-th column is kept and the ones between are computed again.
_COLUMN_BYTES = 1 << 25


def token_positions(tokens: Sequence[Hashable]) -> dict[Hashable, int]:
    """For each token, an integer whose bit i is set where ``tokens[i]`` is that token."""
    positions: dict[Hashable, int] = {}
    bit = 1
    for token in tokens:
        positions[token] = positions.get(token, 0) | bit
        bit <<= 1
    return positions


def lcs_length(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """Length of the longest common subsequence: LCS(X, Y) of Lin (2004), section 3.1.

    Symmetric; 0 if either side is empty. Time is len(shorter) operations on integers of
    len(longer) bits.
    """
    if len(first) < len(second):
        first, second = second, first
    positions = token_positions(first)
    everything = (1 << len(first)) - 1
    flat = everything  # complement of ``rises``: bits where the column does not rise
    for token in second:
        if token in positions:
            common = flat & positions[token]
            flat = ((flat + common) | (flat - common)) & everything
    return len(first) - flat.bit_count()


def lcs_positions(positions: dict[Hashable, int], n_reference: int, prediction: Sequence[Hashable]) -> int:
    """Reference positions on one LCS of a reference sentence with a prediction sentence, as bits.

    Which LCS is taken where several are longest decides the union, so it follows rouge_score
    (and ROUGE-1.5.5, lines 2279-2385): walking back from the corner, a match steps along the
    diagonal; otherwise the reference token is dropped, unless dropping the prediction token
    leaves a longer subsequence.

    Args:
        positions: ``token_positions`` of the reference sentence.
        n_reference: its number of tokens.
        prediction: tokens of the prediction sentence.

    Returns:
        An integer; bit i is set where reference token i is on the LCS.
    """
    everything = (1 << n_reference) - 1
    matches = _match_columns(positions, prediction)
    n = len(matches)
    block = max(1, n if n * n_reference <= 8 * _COLUMN_BYTES else isqrt(n))

    starts = [0]  # ``rises`` before the first column of each block
    for end in range(block, n, block):
        starts.append(_columns(starts[-1], matches[end - block : end], everything)[-1])

    marked = 0
    row = n_reference  # t[row][column] is the cell that the walk stands on
    for index in range(len(starts) - 1, -1, -1):
        block_matches = matches[index * block : (index + 1) * block]
        columns = _columns(starts[index], block_matches, everything)
        for column in range(len(columns) - 1, -1, -1):
            # Up the column while reference tokens are dropped, to the next cell that is a match
            # or in which the column rises.
            here = block_matches[column]
            row = ((columns[column] | here) & ((1 << row) - 1)).bit_length()
            if row == 0:
                return marked
            if here >> (row - 1) & 1:
                marked |= 1 << (row - 1)
                row -= 1
    return marked


def _match_columns(positions: dict[Hashable, int], prediction: Sequence[Hashable]) -> list[int]:
    """The reference positions that each prediction token matches, as bits.

    Tokens that the reference sentence lacks change no column, and the walk does the same in each
    of a run of them: one column stands for the run, none for a run at the start.
    """
    matches = []
    before = 0
    for token in prediction:
        match = positions.get(token, 0)
        if match or before:
            matches.append(match)
        before = match
    return matches


def _columns(rises: int, matches: list[int], everything: int) -> list[int]:
    """``rises`` after each of the columns whose match bits are given, from the one before them."""
    flat = everything & ~rises
    columns = []
    for match in matches:
        common = flat & match
        flat = ((flat + common) | (flat - common)) & everything
        columns.append(everything ^ flat)
    return columns


def union_lcs_hits(prediction: Sequence[Sequence[Hashable]], reference: Sequence[Sequence[Hashable]]) -> int:
    """Hits of summary-level ROUGE-L: the union LCS of Lin (2004), section 3.2, clipped.

    For each reference sentence, the union of its positions on the LCS with every prediction
    sentence. The paper adds up the sizes of the unions; ROUGE-1.5.5 and rouge_score count a
    position only while both texts have an unmatched occurrence of its token left, and so does
    this.

    Args:
        prediction: the sentences of the prediction, each a sequence of tokens.
        reference: the sentences of the reference.

    Returns:
        Number of hits, at most the number of tokens of either text.
    """
    if len(prediction) == 1 and len(reference) == 1:
        return lcs_length(prediction[0], reference[0])
    left = Counter(chain.from_iterable(prediction))
    hits = 0
    for sentence in reference:
        # The reference's own count can never run out: each of its positions is visited once.
        for token in _union_tokens(sentence, prediction):
            if left[token] > 0:
                left[token] -= 1
                hits += 1
    return hits


def _union_tokens(sentence: Sequence[Hashable], prediction: Sequence[Sequence[Hashable]]) -> list[Hashable]:
    """Tokens of a reference sentence that are on the LCS with any prediction sentence, in order."""
    positions = token_positions(sentence)
    union = 0
    for other in prediction:
        union |= lcs_positions(positions, len(sentence), other)
    return [token for token, bit in zip(sentence, reversed(bin(union)), strict=False) if bit == "1"]
