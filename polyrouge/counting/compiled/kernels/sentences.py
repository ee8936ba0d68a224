"""Compiled: where a half-width mark ends a Chinese sentence, as ``split_chinese`` of ``texts/sentences.py`` finds."""

from __future__ import annotations

from polyrouge.counting.compiled.kernels.codes import BLANKS, CLOSING, HALF_WIDTH, HAN
from polyrouge.counting.compiled.kernels.kernel import helper, inlined
from polyrouge.counting.compiled.kernels.keys import decode


@inlined
def _is_one_of(point, points):
    found = False
    for each in points:
        found |= point == each
    return found


@helper
def ends_between_han(data, start, place, end):
    """Whether ``! ? ;`` at a place ends a sentence: a Han character stands before it, and one comes next.

    Further marks, what closes a sentence, and blanks, in this order, may stand before the next.

    Args:
        data: uint8[n_bytes], valid UTF-8.
        start: where the text begins in data.
        place: of the byte that may be such a mark.
        end: where the text ends.
    """
    if not _is_one_of(data[place], HALF_WIDTH) or place - start < 3 or data[place - 3] < 0xE0:
        return False
    point, _ = decode(data, place - 3)
    if point < HAN[0] or point > HAN[1]:
        return False
    place += 1
    while place < end and _is_one_of(data[place], HALF_WIDTH):
        place += 1
    allows_closing = True
    while place < end:
        point, place = decode(data, place)
        if allows_closing and _is_one_of(point, CLOSING):
            continue
        if not _is_one_of(point, BLANKS):
            return point >= HAN[0] and point <= HAN[1]
        allows_closing = False
    return False
