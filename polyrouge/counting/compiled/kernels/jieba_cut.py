"""Compiled: jieba 0.42.1's ``cut``, the same float64 operations in the same order as jieba's own.

A text is taken as a whole: characters outside jieba's block class have the code 0, at which no word goes on
and the route begins anew. Ties are frequent and part of the result: the route takes the longest of equals, the HMM
the state with the greater letter. So nothing here may be compiled with ``fastmath``.
"""

from __future__ import annotations

import numpy as np

from polyrouge.counting.compiled.kernels.codes import FIRST_HAN
from polyrouge.counting.compiled.kernels.kernel import helper, inlined

_HAN = FIRST_HAN  # codes from here on are Han
_DIGITS_TO, _ALNUM_TO = 10, 62
_DOT, _PERCENT = 63, 64
_PLACE = np.uint64(0xFFFF)
_BASE = np.uint64(0xFFFFFF)
_U16, _U40, _ZERO, _ONE, _TWO, _THREE = (np.uint64(n) for n in (16, 40, 0, 1, 2, 3))


@helper
def decode_text(data, place, end, code_of, codes, places):
    """The code of each character, and the byte with which it begins; a line break of two is one character."""
    n = _ZERO
    while place < end:
        byte = data[place]
        places[n] = place
        if byte >= 0xE0 and byte < 0xF0:
            point = (np.uint64(byte) & np.uint64(15)) << np.uint64(12)
            point |= (np.uint64(data[place + 1]) & np.uint64(63)) << np.uint64(6) | np.uint64(
                data[place + 2]
            ) & np.uint64(63)
            codes[n] = code_of[point]
            place += 3
        elif byte < 0x80:
            codes[n] = code_of[np.uint64(byte)]
            place += 1
            if byte == 13 and place < end and data[place] == 10:
                place += 1
        else:
            codes[n] = 0
            place += 2 if byte < 0xE0 else 4
        n += _ONE
    places[n] = end
    codes[n] = 0
    codes[n + _ONE] = 0  # the walk looks at three at once
    codes[n + _TWO] = 0
    return n


@helper
def find_route(codes, n, most_single, units, weights, route, lengths, singles, seconds, pairs):
    """``get_DAG`` and ``calc``: the best way from each character on, from the last to the first.

    The dictionary does not fit into a near cache: words of two and of three are looked up for all characters, found
    or not, before the route is sought, so that no look-up waits for another or for a branch.

    Args:
        weights: [0] is of no word: minus infinity; [-1] is that of freq 1.
    """
    for k in range(n):
        k = np.uint64(k)
        seconds[k] = (units[np.uint64(codes[k])] >> _U16 & _BASE) + np.uint64(codes[k + _ONE])
    for k in range(n):
        k = np.uint64(k)
        unit = units[np.uint64(seconds[k])]
        pairs[k] = unit if unit >> _U40 == np.uint64(codes[k]) else _ZERO
    unknown = weights[len(weights) - 1]
    route[n] = route[n + _ONE] = route[n + _TWO] = 0.0
    singles[n] = False
    r1 = r2 = r3 = 0.0  # of the next three characters
    for back in range(n):
        k = n - _ONE - np.uint64(back)
        code = np.uint64(codes[k])
        place1 = units[code] & _PLACE
        pair = pairs[k]
        place2 = pair & _PLACE
        third = (pair >> _U16 & _BASE) + np.uint64(codes[k + _TWO])
        unit = units[third]
        unit = unit if unit >> _U40 == np.uint64(seconds[k]) else _ZERO
        place3 = unit & _PLACE
        v2 = weights[place2] + r2
        v3 = weights[place3] + r3
        v = v2 if v2 > v3 else v3
        length = _THREE if v3 >= v2 else _TWO  # among equals the longest: max((value, x))
        is_found = place2 | place3 != _ZERO
        if unit >> _U16 & _BASE != _ZERO:
            slot = third
            ahead = _THREE
            while True:
                there = (unit >> _U16 & _BASE) + np.uint64(codes[k + ahead])
                unit = units[there]
                if unit >> _U40 != slot:
                    break
                slot = there
                ahead += _ONE
                place = unit & _PLACE
                if place != _ZERO:
                    is_found = True
                    value = weights[place] + route[k + ahead]
                    if value >= v:
                        v = value
                        length = ahead
        alone = weights[place1]
        v1 = (unknown if place1 == _ZERO and not is_found else alone) + r1
        best = v1 if v1 > v else v
        length = length if v >= v1 else _ONE
        r3 = r2
        r2 = r1
        r1 = best
        if code == _ZERO:
            r1 = 0.0
        route[k] = r1
        lengths[k] = length
        singles[k] = length == _ONE and code - _ONE < most_single
    return


@inlined
def has_word(codes, start, end, units, marks):
    """Whether codes[start:end] is in the dictionary (marks empty) or else in the deleted words."""
    slot = np.uint64(codes[start])
    unit = units[slot]
    for i in range(start + 1, end):
        there = (unit >> _U16 & _BASE) + np.uint64(codes[i])
        unit = units[there]
        if unit >> _U40 != slot:
            return False
        slot = there
    return marks[slot] if len(marks) else unit & _PLACE != _ZERO


@inlined
def cut_run(codes, start, end, places, units, emissions, hmm, deleted, backs, ends, n_words):
    """``finalseg.__cut`` of Han characters alone: Viterbi."""
    if end - start == 1:
        ends[n_words] = places[end]
        return n_words + 1
    eb, sb, bm, mm, be, me, es, ss = hmm[4], hmm[5], hmm[6], hmm[7], hmm[8], hmm[9], hmm[10], hmm[11]
    code = np.uint64(codes[start])
    b = hmm[0] + emissions[code, 0]
    m = hmm[1] + emissions[code, 1]
    e = hmm[2] + emissions[code, 2]
    s = hmm[3] + emissions[code, 3]
    for t in range(start + 1, end):
        code = np.uint64(codes[t])
        to_b, to_m, to_e, to_s = emissions[code, 0], emissions[code, 1], emissions[code, 2], emissions[code, 3]
        b_of_e, b_of_s = e + eb + to_b, s + sb + to_b
        m_of_b, m_of_m = b + bm + to_m, m + mm + to_m
        e_of_b, e_of_m = b + be + to_e, m + me + to_e
        s_of_e, s_of_s = e + es + to_s, s + ss + to_s
        # Among equals the state with the greater letter.
        b_back, m_back, e_back, s_back = b_of_s >= b_of_e, m_of_m >= m_of_b, e_of_m >= e_of_b, s_of_s >= s_of_e
        b = b_of_s if b_back else b_of_e
        m = m_of_m if m_back else m_of_b
        e = e_of_m if e_back else e_of_b
        s = s_of_s if s_back else s_of_e
        backs[t] = np.uint8(b_back) | np.uint8(m_back) << 1 | np.uint8(e_back) << 2 | np.uint8(s_back) << 3
    # Back along the path: backs[t] becomes whether a word ends there. States: 0 B, 1 M, 2 E, 3 S.
    state = 3 if s >= e else 2
    for step in range(end - start):
        t = end - 1 - step
        back = (backs[t] >> state) & 1
        backs[t] = state >= 2
        if state == 0 or state == 3:
            state = 3 if back else 2
        else:
            state = 1 if back else 0
    begin = start
    for t in range(start, end):
        if backs[t]:
            if len(deleted) and has_word(codes, begin, t + 1, units, deleted):
                for i in range(begin, t):
                    ends[n_words] = places[i + 1]
                    n_words += 1
            ends[n_words] = places[t + 1]
            n_words += 1
            begin = t + 1
    return n_words


@inlined
def cut_singles(codes, start, end, places, units, emissions, hmm, deleted, backs, ends, n_words):
    """What ``__cut_DAG`` does with a run of single characters, two at least: itself, or ``finalseg.cut``."""
    if has_word(codes, start, end, units, deleted[:0]):
        for i in range(start, end):
            ends[n_words] = places[i + 1]
            n_words += 1
        return n_words
    i = start
    while i < end:
        first = i
        if codes[i] >= _HAN:
            while i < end and codes[i] >= _HAN:
                i += 1
            n_words = cut_run(codes, first, i, places, units, emissions, hmm, deleted, backs, ends, n_words)
            continue
        if codes[i] <= _ALNUM_TO:  # [a-zA-Z0-9]+(?:\.\d+)?%?
            while i < end and codes[i] <= _ALNUM_TO:
                i += 1
            if i + 1 < end and codes[i] == _DOT and codes[i + 1] <= _DIGITS_TO:
                i += 2
                while i < end and codes[i] <= _DIGITS_TO:
                    i += 1
            if i < end and codes[i] == _PERCENT:
                i += 1
        else:
            while i < end and codes[i] > _ALNUM_TO and codes[i] < _HAN:
                i += 1
        ends[n_words] = places[i]
        n_words += 1
    return n_words


@helper
def cut_route(codes, n, lengths, singles, use_hmm, places, units, emissions, hmm, deleted, backs, ends, n_words):
    """``__cut_DAG`` or ``__cut_DAG_NO_HMM`` along the route found: where words end."""
    x = _ZERO
    while x < n:
        y = x + np.uint64(lengths[x])
        if singles[x] and singles[y]:
            while singles[y]:
                y += _ONE
            if use_hmm:
                n_words = cut_singles(
                    codes, np.int64(x), np.int64(y), places, units, emissions, hmm, deleted, backs, ends, n_words
                )
                x = y
                continue
        ends[n_words] = places[y]
        n_words += 1
        x = y
    return n_words
