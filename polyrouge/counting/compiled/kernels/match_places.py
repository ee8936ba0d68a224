"""Compiled: where the hits of n-grams and common subsequences stand. The twin of ``explaining/unit_matches.py``.

All three n-gram lengths, ROUGE-L of the whole texts and union ROUGE-L of a pair are done together, as what one of them
needs is there for the next. Texts are given as in ``ngrams.py`` and, for union ROUGE-L, as in ``union_lcs.py``.
"""

from __future__ import annotations

import numpy as np

from polyrouge.counting.compiled.kernels.instructions import bit_length
from polyrouge.counting.compiled.kernels.kernel import COUNTS, FLAG, IDS, OFFSETS, helper, inlined, kernel, together
from polyrouge.counting.compiled.kernels.lcs import clear_matches, low_bits, set_matches

LARGEST_TABLE = 1 << 27  # cells of 64 reference tokens by one prediction token, a byte each
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_ONE = np.uint64(1)
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_N_TYPES = 5


def place_matches(flat, sentences, predictions, references, n_ids, distinct):
    """Places of the hits of rouge1, rouge2, rouge3, rougeL and rougeLsum: see ``unit_matches.match_places``.

    Args:
        flat: uint32[n_tokens] and int64[n_texts + 1]: ids of the tokens, and the offsets of the texts in them.
        sentences: uint32[n_sentence_tokens], int64[n_sentences + 1] and int64[n_texts + 1]: ids, the offsets of the
            sentences in them, and of the texts in the sentences.
        predictions, references: int64[n_pairs], the texts of each pair, of at most ``LARGEST_TABLE`` cells; see
            ``table_sizes``.
        n_ids: ids are below this.
        distinct: each n-gram is a hit once.

    Returns:
        int32[2, n_hits], first positions in the prediction and in the reference, type by type in the pairs' order; and
        int64[n_pairs, 5], how many of them each type of each pair has.
    """
    (ids, text_tokens), (sentence_ids, sentence_tokens, text_sentences) = flat, sentences
    whole = np.diff(text_tokens)
    cut = np.diff(sentence_tokens[text_sentences])
    most = np.minimum(whole[predictions], whole[references])
    most_cut = np.minimum(cut[predictions], cut[references])
    longest = int(max(whole.max(initial=0), cut.max(initial=0)))
    n_slots = 64
    while n_slots < 2 * longest:
        n_slots *= 2
    sizes = np.maximum(whole, cut)
    n_cells = int(table_sizes(sizes[predictions], sizes[references]).max(initial=1))
    # At most so many pairs of places lie on the subsequences of two texts' sentences.
    n_sentences = np.diff(text_sentences)
    mine, theirs = cut[predictions] * n_sentences[references], cut[references] * n_sentences[predictions]
    n_partners = int(np.minimum(mine, theirs).max(initial=1))
    room = (
        np.full(n_ids, -1, np.int32),  # of each token the first place in the prediction
        np.empty((3, longest), np.int32),  # of each n-gram of the prediction its first place
        np.empty((3, longest), np.int32),  # of each n-gram of the reference the first place in the prediction
        np.empty(longest, np.int32),  # of each n-gram at its first place the next one that is free
        np.empty(longest, np.int32),  # and of each place the one behind it
        np.empty(n_slots, np.int32),
        np.zeros(n_ids, np.uint64),
        np.empty((longest, 2), np.uint64),  # matches of a strip, and cells that rise
        np.empty(n_cells, np.uint8),  # carry into each column, by strip
        np.empty((2, longest + 1), np.int32),  # one subsequence
    )
    union_room = (
        np.zeros(n_ids, np.int32),  # of each token how often it can be hit
        np.empty((2, longest + 1), np.int32),  # of each reference place its first and last partner
        np.empty((2, n_partners), np.int32),  # a partner's place, and the next one of the same reference place
        np.empty(longest + 1, np.int32),  # of each hit its place in the prediction
        np.empty(longest + 1, np.uint8),  # places of the prediction that are taken
    )
    places = np.empty((2, int(4 * most.sum() + most_cut.sum())), np.int32)
    counts = np.empty((len(predictions), _N_TYPES), np.int64)
    texts = (ids, text_tokens, sentence_ids, sentence_tokens, text_sentences, predictions, references)
    _place_matches(texts, distinct, room, union_room, places, counts)
    return places[:, : counts.sum()], counts


def table_sizes(tokens, others):
    """Cells of the table of a prediction of so many tokens and a reference of so many others, int64[n_pairs]."""
    return (others // 64 + 1) * tokens


_TEXTS = (IDS, OFFSETS, IDS, OFFSETS, OFFSETS, OFFSETS, OFFSETS)
_PLACES = "int32[:, ::1]"
_ROOM = (
    *("int32[::1]", _PLACES, _PLACES, "int32[::1]", "int32[::1]", "int32[::1]", "uint64[::1]", "uint64[:, ::1]"),
    *("uint8[::1]", _PLACES),
)
_UNION_ROOM = ("int32[::1]", _PLACES, _PLACES, "int32[::1]", "uint8[::1]")


@kernel(together(*_TEXTS), FLAG, together(*_ROOM), together(*_UNION_ROOM), _PLACES, COUNTS)
def _place_matches(texts, distinct, room, union_room, places, counts):
    ids, text_tokens, sentence_ids, sentence_tokens, text_sentences, predictions, references = texts
    first_places, firsts, theirs, heads, nexts, slots, matches, cells, carries, path = room
    end = 0
    for pair in range(len(predictions)):
        one, other = predictions[pair], references[pair]
        ours = ids[text_tokens[one] : text_tokens[one + 1]]
        others = ids[text_tokens[other] : text_tokens[other + 1]]
        _find_first_ngrams(ours, others, first_places, firsts, theirs, slots)
        for order in range(3):
            start = end
            end = _pair_ngrams(
                *(firsts[order, : max(0, len(ours) - order)], theirs[order, : max(0, len(others) - order)]),
                *(distinct, heads, nexts, places, end),
            )
            counts[pair, order] = end - start
        n = _find_path(ours, others, matches, cells, carries, path)
        for hit in range(n):
            places[0, end + hit], places[1, end + hit] = path[0, hit], path[1, hit]
        end += n
        counts[pair, 3] = n
        start = end
        end = _place_union(
            *(sentence_ids, sentence_tokens, text_sentences[one], text_sentences[one + 1]),
            *(text_sentences[other], text_sentences[other + 1]),
            *(room, union_room, places, end),
        )
        counts[pair, 4] = end - start


@helper
def _find_first_ngrams(ours, others, first_places, firsts, theirs, slots):
    """For each n-gram of both sides the first place in the prediction where it stands; -1 where it does not."""
    for place in range(len(ours) - 1, -1, -1):
        first_places[ours[place]] = place
    for place in range(len(ours)):
        firsts[0, place] = first_places[ours[place]]
    for place in range(len(others)):
        theirs[0, place] = first_places[others[place]]
    for token in ours:
        first_places[token] = -1
    n_slots = np.uint64(64)
    while n_slots < np.uint64(2 * len(ours)):
        n_slots *= np.uint64(2)
    for order in range(1, 3):
        slots[:n_slots] = -1
        for place in range(len(ours) - order):
            shorter, last = firsts[order - 1, place], firsts[0, place + order]
            firsts[order, place] = _looked_up(shorter, last, place, order, firsts, slots, n_slots - _ONE)
        for place in range(len(others) - order):
            shorter, last = theirs[order - 1, place], theirs[0, place + order]
            theirs[order, place] = -1
            if shorter >= 0 and last >= 0:
                theirs[order, place] = _looked_up(shorter, last, -1, order, firsts, slots, n_slots - _ONE)


@inlined
def _looked_up(shorter, last, place, order, firsts, slots, mask):
    """The first place of an n-gram, told by those of what it begins and ends with; ``place`` if there is none yet."""
    key = np.uint64(shorter) << np.uint64(32) | np.uint64(last)
    slot = (key * _SPREAD) >> np.uint64(32) & mask
    found = slots[slot]
    while found >= 0 and (firsts[order - 1, found] != shorter or firsts[0, found + order] != last):
        slot = (slot + _ONE) & mask
        found = slots[slot]
    if found < 0:
        found = np.int32(place)
        slots[slot] = found
    return found


@helper
def _pair_ngrams(firsts, theirs, distinct, heads, nexts, places, end):
    """Pair each n-gram of the reference with the first one of the prediction that is free; the end of the pairs."""
    for place in range(len(firsts)):
        heads[place] = -1
    for place in range(len(firsts) - 1, -1, -1):
        first = firsts[place]
        nexts[place] = heads[first]
        heads[first] = place
    for place in range(len(theirs)):
        first = theirs[place]
        if first >= 0 and heads[first] >= 0:
            places[0, end], places[1, end] = heads[first], place
            heads[first] = np.int32(-1) if distinct else nexts[heads[first]]
            end += 1
    return end


@helper
def _find_path(ours, others, matches, cells, carries, path):
    """The subsequence of ``lcs_pairs``, forward; its length.

    Forth through all strips of 64 reference tokens, keeping the carries; then back from the last, computing the columns
    of each strip below it again.
    """
    n_columns = len(ours)
    n_strips = (len(others) + 63) // 64
    carries[:n_columns] = 0
    for strip in range(n_strips):
        _fill_strip(ours, others, strip, n_columns, matches, cells, carries)
    n = 0
    column = n_columns - 1
    for strip in range(n_strips - 1, -1, -1):
        if strip + 1 < n_strips:
            _fill_strip(ours, others, strip, column + 1, matches, cells, carries)
        height = min(64, len(others) - 64 * strip)
        while column >= 0:
            here = cells[column, 0]
            height = bit_length((cells[column, 1] | here) & low_bits(height))
            if height == 0:
                break  # on to the strip below, in the same column
            if here >> np.uint64(height - 1) & _ONE:
                height -= 1
                path[0, n], path[1, n] = column, 64 * strip + height
                n += 1
            column -= 1
    for hit in range(n // 2):
        back = n - 1 - hit
        path[0, hit], path[0, back] = path[0, back], path[0, hit]
        path[1, hit], path[1, back] = path[1, back], path[1, hit]
    return n


@helper
def _fill_strip(ours, others, strip, n_columns, matches, cells, carries):
    """The first columns of a strip, and what they carry into the next one, if there is one."""
    tokens = others[64 * strip : 64 * strip + 64]
    is_last = 64 * strip + 64 >= len(others)
    start = strip * len(ours)
    set_matches(matches, tokens)
    flat = _ALL
    for column in range(n_columns):
        here = matches[ours[column]]
        common = flat & here
        total = flat + common
        carry = np.uint8(total < flat)
        given = np.uint64(carries[start + column])
        total += given
        if not is_last:
            carries[start + len(ours) + column] = carry | np.uint8(total < given)
        flat = total | (flat - common)
        cells[column, 0], cells[column, 1] = here, ~flat
    clear_matches(matches, tokens)


@helper
def _place_union(ids, sentence_tokens, first, behind, ref_first, ref_behind, room, union_room, places, end):
    """The hits of union ROUGE-L, each with a place of its own in the prediction; the end of the places."""
    first_places, _, _, _, nexts, _, matches, cells, carries, path = room
    left, ends, partners, chosen, taken = union_room
    pred, ref = sentence_tokens[first], sentence_tokens[ref_first]
    ours, others = ids[pred : sentence_tokens[behind]], ids[ref : sentence_tokens[ref_behind]]
    for place in range(len(others)):
        ends[0, place] = -1
    n_partners = 0
    for sentence in range(ref_first, ref_behind):
        start = sentence_tokens[sentence]
        theirs = ids[start : sentence_tokens[sentence + 1]]
        for other in range(first, behind):
            mine = ids[sentence_tokens[other] : sentence_tokens[other + 1]]
            n = _find_path(mine, theirs, matches, cells, carries, path)
            for hit in range(n):
                place = start - ref + path[1, hit]
                partners[0, n_partners] = sentence_tokens[other] - pred + path[0, hit]
                partners[1, n_partners] = -1
                if ends[0, place] < 0:
                    ends[0, place] = n_partners
                else:
                    partners[1, ends[1, place]] = n_partners
                ends[1, place] = n_partners
                n_partners += 1
    for place in range(len(ours) - 1, -1, -1):
        left[ours[place]] += 1
        nexts[place] = first_places[ours[place]]
        first_places[ours[place]] = place
        taken[place] = 0
    n_hits = 0
    for place in range(len(others)):
        if ends[0, place] >= 0 and left[others[place]] > 0:
            left[others[place]] -= 1
            places[1, end + n_hits] = place
            n_hits += 1
    for hit in range(n_hits):
        partner = ends[0, places[1, end + hit]]
        while partner >= 0 and taken[partners[0, partner]]:
            partner = partners[1, partner]
        chosen[hit] = -1
        if partner >= 0:
            chosen[hit] = partners[0, partner]
            taken[partners[0, partner]] = 1
    for hit in range(n_hits):
        if chosen[hit] < 0:  # any place of its token that is free
            place = first_places[others[places[1, end + hit]]]
            while taken[place]:
                place = nexts[place]
            chosen[hit] = place
            taken[place] = 1
            first_places[ours[place]] = place
        places[0, end + hit] = chosen[hit]
    for token in ours:
        left[token] = 0
        first_places[token] = -1
    return end + n_hits
