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

# A longer reference is taken in strips of so many tokens. The bits of one token are then at most so
# many, and what a strip adds with carries over into the next one, column by column.
_STRIP = 4096


def token_positions(tokens: Sequence[Hashable]) -> dict[Hashable, int]:
    """For each token, an integer whose bit i is set where ``tokens[i]`` is that token."""
    positions: dict[Hashable, int] = {}
    bit = 1
    for token in tokens:
        if token in positions:
            positions[token] |= bit
        else:
            positions[token] = bit
        bit <<= 1
    return positions


def lcs_length(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """Length of the longest common subsequence: LCS(X, Y) of Lin (2004), section 3.1.

    Symmetric; 0 if either side is empty. Time is len(shorter) operations on integers of
    len(longer) bits; memory is linear.
    """
    if len(first) < len(second):
        first, second = second, first
    length = 0
    carries = [0] * len(second)
    for start in range(0, len(first), _STRIP):
        strip = first[start : start + _STRIP]
        positions = token_positions(strip)
        everything = (1 << len(strip)) - 1
        flat = everything  # complement of ``rises``: bits where the column does not rise
        if len(first) <= _STRIP:
            for match in filter(None, map(positions.get, second)):
                common = flat & match
                flat = ((flat + common) | (flat - common)) & everything
        else:
            matches = [positions.get(token, 0) for token in second]
            columns, carries = _strip_columns(matches, len(strip), carries)
            flat = everything ^ columns[-1] if columns else everything
        length += len(strip) - flat.bit_count()
    return length


def lcs_positions(reference: Sequence[Hashable], prediction: Sequence[Hashable]) -> int:
    """Reference positions on one LCS of a reference sentence with a prediction sentence, as bits of an integer.

    Which LCS is taken where several are longest decides the union, so it follows rouge_score
    (and ROUGE-1.5.5, lines 2279-2385): walking back from the corner, a match steps along the
    diagonal; otherwise the reference token is dropped, unless dropping the prediction token
    leaves a longer subsequence.
    """
    strips = [reference[start : start + _STRIP] for start in range(0, len(reference), _STRIP)]
    if len(strips) == 1:
        return strip_positions(token_positions(reference), len(reference), prediction)
    carries = [[0] * len(prediction)]  # into each strip
    for strip in strips[:-1]:
        positions = token_positions(strip)
        matches = [positions.get(token, 0) for token in prediction]
        carries.append(_strip_columns(matches, len(strip), carries[-1])[1])
    # Back from the last strip, computing the columns of each again.
    marked = 0
    column = len(prediction)
    for index in range(len(strips) - 1, -1, -1):
        positions = token_positions(strips[index])
        matches = [positions.get(token, 0) for token in prediction[:column]]
        columns, _ = _strip_columns(matches, len(strips[index]), carries[index])
        there, column = _walk_back(columns, matches, len(strips[index]))
        marked |= there << (index * _STRIP)
    return marked


def lcs_pairs(reference: Sequence[Hashable], prediction: Sequence[Hashable]) -> list[tuple[int, int]]:
    """The LCS that ``lcs_positions`` takes, as (reference position, prediction position), in order.

    It has ``lcs_length`` pairs. Memory is that of the columns of one strip.
    """
    strips = [reference[start : start + _STRIP] for start in range(0, len(reference), _STRIP)]
    carries = [[0] * len(prediction)]  # into each strip
    for strip in strips[:-1]:
        positions = token_positions(strip)
        carries.append(_strip_columns([positions.get(token, 0) for token in prediction], len(strip), carries[-1])[1])
    pairs = []
    column = len(prediction)
    for index in range(len(strips) - 1, -1, -1):
        positions = token_positions(strips[index])
        matches = [positions.get(token, 0) for token in prediction[:column]]
        row = len(strips[index])
        columns = _columns(matches, row) if len(strips) == 1 else _strip_columns(matches, row, carries[index])[0]
        while column:  # as in _walk_back
            here = matches[column - 1]
            row = ((columns[column - 1] | here) & ((1 << row) - 1)).bit_length()
            if row == 0:
                break
            column -= 1
            if here >> (row - 1) & 1:
                row -= 1
                pairs.append((index * _STRIP + row, column))
    return pairs[::-1]


def strip_positions(positions: dict[Hashable, int], n_reference: int, prediction: Sequence[Hashable]) -> int:
    """``lcs_positions`` for a reference sentence of one strip, whose ``token_positions`` are given."""
    matches = _match_columns(positions, prediction)
    return _walk_back(_columns(matches, n_reference), matches, n_reference)[0]


def _match_columns(positions: dict[Hashable, int], prediction: Sequence[Hashable]) -> list[int]:
    """The reference positions that each prediction token matches, as bits.

    One column stands for a run of tokens that match nothing, as these change none; none for a run at the start.
    """
    matches = []
    before = 0
    for token in prediction:
        match = positions.get(token, 0)
        if match or before:
            matches.append(match)
        before = match
    return matches


def _columns(matches: list[int], n_reference: int) -> list[int]:
    """``rises`` after each column of a reference of one strip, from the match bits of the columns."""
    everything = (1 << n_reference) - 1
    flat = everything
    columns = []
    for match in matches:
        common = flat & match
        flat = ((flat + common) | (flat - common)) & everything
        columns.append(everything ^ flat)
    return columns


def _strip_columns(matches: list[int], n_reference: int, carries: list[int]) -> tuple[list[int], list[int]]:
    """``rises`` after each column of one strip of several, with the carries into each, and the carries out of it."""
    everything = (1 << n_reference) - 1
    flat = everything
    columns, carried = [], []
    for match, carry in zip(matches, carries, strict=False):
        common = flat & match
        total = flat + common + carry
        flat = (total | (flat - common)) & everything
        columns.append(everything ^ flat)
        carried.append(total >> n_reference)
    return columns, carried


def _walk_back(columns: list[int], matches: list[int], row: int) -> tuple[int, int]:
    """From the top of the last column back: positions of matches, as bits; and the columns left for the strip below."""
    marked = 0
    for column in range(len(columns) - 1, -1, -1):
        # Up the column while reference tokens are dropped, to the next cell that is a match or in
        # which the column rises.
        here = matches[column]
        row = ((columns[column] | here) & ((1 << row) - 1)).bit_length()
        if row == 0:
            return marked, column + 1
        if here >> (row - 1) & 1:
            marked |= 1 << (row - 1)
            row -= 1
    return marked, 0


def union_lcs_hits(
    prediction: Sequence[Sequence[Hashable]],
    reference: Sequence[Sequence[Hashable]],
    *,
    clip: tuple[Counter, Counter] | None = None,
) -> int:
    """Hits of summary-level ROUGE-L: the union LCS of Lin (2004), section 3.2, clipped.

    For each reference sentence, the union of its positions on the LCS with every prediction
    sentence. The paper adds up the sizes of the unions; ROUGE-1.5.5 and rouge_score count a
    position only while both texts have an unmatched occurrence of its token left, and so does
    this. ``clip`` says how often each token may be hit, prediction and reference, where that is not
    how often the sentences hold it: ROUGE-1.5.5 cuts a text in two ways under ``-b``.
    """
    if len(prediction) == 1 and len(reference) == 1 and clip is None:
        return lcs_length(prediction[0], reference[0])
    hits = 0
    if clip is None:
        left = Counter(chain.from_iterable(prediction))
        for sentence in reference:
            # The reference's own count can never run out: each of its positions is visited once.
            for token in _union_tokens(sentence, prediction):
                if left[token] > 0:
                    left[token] -= 1
                    hits += 1
        return hits
    left, left_of_reference = (Counter(counts) for counts in clip)
    for sentence in reference:
        for token in _union_tokens(sentence, prediction):
            if left[token] > 0 and left_of_reference[token] > 0:
                left[token] -= 1
                left_of_reference[token] -= 1
                hits += 1
    return hits


def _union_tokens(sentence: Sequence[Hashable], prediction: Sequence[Sequence[Hashable]]) -> list[Hashable]:
    """Tokens of a reference sentence that are on the LCS with any prediction sentence, in order."""
    union = 0
    if len(sentence) <= _STRIP:
        positions = token_positions(sentence)
        for other in prediction:
            union |= strip_positions(positions, len(sentence), other)
    else:
        for other in prediction:
            union |= lcs_positions(sentence, other)
    return [token for token, bit in zip(sentence, reversed(bin(union)), strict=False) if bit == "1"]
