"""Count ROUGE-L plainly: longest common subsequences (Lin 2004, section 3), and the variants of other tools.

The dynamic program t[i][j] = LCS(reference[:i], prediction[:j]) is kept one column at a time, as one big integer with a
bit per reference token: bit i - 1 of ``rises`` at column j is set where t[i][j] = t[i - 1][j] + 1. Adjacent values of a
column differ by at most 1, so the set bits up to i add up to t[i][j]. Each column follows from the previous one by five
operations on whole integers (Hyyro 2004, "Bit-parallel LCS-length computation revisited").
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import chain

from polyrouge.counting.plain.ngrams import clipped_hits
from polyrouge.settings.rules import RECURSION_STEPS

Sentences = Sequence[Sequence[Hashable]]

# Longer references are cut into strips of so many tokens, which bounds the integers. The carries of a strip go into
# the next strip, column by column.
_STRIP = 4096


def token_positions(tokens: Sequence[Hashable]) -> dict[Hashable, int]:
    """Return for each token an integer whose bit i is set where ``tokens[i]`` is that token."""
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
    """Return the length of the longest common subsequence: LCS(X, Y) of Lin (2004), section 3.1; memory is linear."""
    if len(first) < len(second):
        first, second = second, first
    if len(first) <= _STRIP:
        positions = token_positions(first)
        everything = (1 << len(first)) - 1
        flat = everything  # complement of ``rises``: bits where the column does not rise
        for match in filter(None, map(positions.get, second)):
            common = flat & match
            flat = ((flat + common) | (flat - common)) & everything
        return len(first) - flat.bit_count()
    length = 0
    carries = [0] * len(second)
    for start in range(0, len(first) if second else 0, _STRIP):
        strip = first[start : start + _STRIP]
        columns, carries = _strip_columns(token_matches(strip, second), len(strip), carries)
        length += columns[-1].bit_count()
    return length


def lcs_positions(reference: Sequence[Hashable], prediction: Sequence[Hashable]) -> int:
    """Return the reference positions on one LCS of a reference and a prediction sentence, as bits of an integer.

    The choice among several longest decides the union, so it follows rouge_score (and ROUGE-1.5.5, lines 2279-2385):
    walking back from the corner, a match steps along the diagonal; otherwise the reference token is dropped, unless
    dropping the prediction token leaves a longer subsequence.
    """
    if len(reference) <= _STRIP:
        return strip_positions(token_positions(reference), len(reference), prediction)
    return sum(1 << row for row, _ in lcs_pairs(reference, prediction))


def lcs_pairs(reference: Sequence[Hashable], prediction: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Return the LCS of ``lcs_positions`` as (reference position, prediction position), in order."""
    strips = [reference[start : start + _STRIP] for start in range(0, len(reference), _STRIP)]
    carries = [[0] * len(prediction)]  # into each strip
    for strip in strips[:-1]:
        carries.append(_strip_columns(token_matches(strip, prediction), len(strip), carries[-1])[1])
    # Backward from the last strip, computing its columns again.
    pairs = []
    column = len(prediction)
    for index in range(len(strips) - 1, -1, -1):
        matches = token_matches(strips[index], prediction[:column])
        row = len(strips[index])
        columns = lcs_columns(matches, row) if len(strips) == 1 else _strip_columns(matches, row, carries[index])[0]
        while column:  # as in strip_positions
            match = matches[column - 1]
            row = ((columns[column - 1] | match) & ((1 << row) - 1)).bit_length()
            if row == 0:
                break
            column -= 1
            if match >> (row - 1) & 1:
                row -= 1
                pairs.append((index * _STRIP + row, column))
    return pairs[::-1]


def strip_positions(positions: dict[Hashable, int], n_reference: int, prediction: Sequence[Hashable]) -> int:
    """Return ``lcs_positions`` of a reference sentence of one strip, from its ``token_positions``."""
    # One column stands for a run of tokens without a match, which change nothing; a run at the start has none.
    matches = []
    previous = 0
    for token in prediction:
        token_match = positions.get(token, 0)
        if token_match or previous:
            matches.append(token_match)
        previous = token_match
    marked = 0
    row = n_reference
    for rises, match in zip(reversed(lcs_columns(matches, n_reference)), reversed(matches), strict=True):
        # Up the column while reference tokens are dropped, to the next cell that matches or rises.
        row = ((rises | match) & ((1 << row) - 1)).bit_length()
        if row == 0:
            break
        if match >> (row - 1) & 1:
            marked |= 1 << (row - 1)
            row -= 1
    return marked


def token_matches(strip: Sequence[Hashable], prediction: Sequence[Hashable]) -> list[int]:
    """Return the positions in a strip that each prediction token matches, as bits."""
    positions = token_positions(strip)
    return [positions.get(token, 0) for token in prediction]


def lcs_columns(matches: list[int], n_reference: int) -> list[int]:
    """Return ``rises`` after each column of a reference of one strip, from the match bits of the columns."""
    everything = (1 << n_reference) - 1
    flat = everything
    columns = []
    for match in matches:
        common = flat & match
        flat = ((flat + common) | (flat - common)) & everything
        columns.append(everything ^ flat)
    return columns


def _strip_columns(matches: list[int], n_reference: int, carries: list[int]) -> tuple[list[int], list[int]]:
    """Return ``rises`` after each column of one of several strips, and its carries, from the carries into it."""
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


def union_lcs_hits(prediction: Sentences, reference: Sentences, *, clip: tuple[Counter, Counter] | None = None) -> int:
    """Return the hits of summary-level ROUGE-L: the union LCS of Lin (2004), section 3.2, clipped.

    Each reference sentence has the union of its positions on the LCS with every prediction sentence. The paper adds the
    sizes of the unions; ROUGE-1.5.5 and rouge_score, followed here, count a position only while both texts have an
    unmatched occurrence of its token. ``clip`` counts the tokens that may be hit in prediction and reference, if the
    sentences have others: ROUGE-1.5.5 cuts a text in two ways under ``-b``.
    """
    if len(prediction) == 1 and len(reference) == 1 and clip is None:
        return lcs_length(prediction[0], reference[0])
    union = Counter(chain.from_iterable(_union_tokens(sentence, prediction) for sentence in reference))
    if clip is None:  # the reference has each token at least as often as the union
        return clipped_hits(union, Counter(chain.from_iterable(prediction)))
    return sum(min(count, clip[0][token], clip[1][token]) for token, count in union.items())


def _union_tokens(sentence: Sequence[Hashable], prediction: Sentences) -> list[Hashable]:
    """Return the tokens of a reference sentence on the LCS with any prediction sentence, in order."""
    union = 0
    if len(sentence) <= _STRIP:
        positions = token_positions(sentence)
        for pred_sentence in prediction:
            union |= strip_positions(positions, len(sentence), pred_sentence)
    else:
        for pred_sentence in prediction:
            union |= lcs_positions(sentence, pred_sentence)
    return [token for token, bit in zip(sentence, reversed(bin(union)), strict=False) if bit == "1"]


def type_union_lcs(prediction: Sentences, reference: Sentences) -> tuple[int, int, int]:
    """Return hits and totals of pltrdy's rouge and lawrouge with ``exclusive=True``: distinct tokens.

    A token is a hit if the LCS of any two sentences has it: the LCS found by walking back from the corner, where the
    prediction's token is dropped unless dropping the reference's leaves a longer subsequence.
    """
    hits: set[Hashable] = set()
    for pred_sentence in prediction:
        union = 0
        for ref_sentence in reference:
            union |= lcs_positions(pred_sentence, ref_sentence)  # sides are swapped, for the tie rule
        hits.update(token for token, bit in zip(pred_sentence, reversed(bin(union)), strict=False) if bit == "1")
    return len(hits), len(set(chain.from_iterable(prediction))), len(set(chain.from_iterable(reference)))


def pairwise_lcs(prediction: Sentences, reference: Sentences) -> tuple[int, int, int]:
    """Return hits and totals with ``exclusive=False``: the sum of all LCS of two sentences, so scores may exceed 1."""
    hits = sum(lcs_length(pred_sentence, ref_sentence) for pred_sentence in prediction for ref_sentence in reference)
    return hits, sum(map(len, prediction)), sum(map(len, reference))


def is_too_deep(prediction: Sentences, reference: Sentences) -> bool:
    """Say whether pltrdy's rouge, which walks back through the table by recursion, fails with a RecursionError."""
    return any(
        len(pred_sentence) + len(ref_sentence) > RECURSION_STEPS and _walk_is_too_deep(pred_sentence, ref_sentence)
        for ref_sentence in reference
        for pred_sentence in prediction
    )


def _walk_is_too_deep(prediction: Sequence[Hashable], reference: Sequence[Hashable]) -> bool:
    if min(len(prediction), len(reference)) > RECURSION_STEPS:  # a step drops at most one token of each side
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
