"""Which tokens are the same, by their keys.

For every token its *first*: the place, in the vocabulary's texts, of the first token that equals it. Each token writes
its place to the slot of its key, from the last to the first, without a look at what is there; then
each reads who stands in its slot. The two passes have no branch that a processor must foresee, and no read that
waits for a write. The few whose slot another token holds have another try among themselves.
"""

import cython

if not cython.compiled:
    from polyrouge.counting.compiled.kernels.bits import *
    from polyrouge.counting.compiled.kernels.codes import LOWER
    from polyrouge.counting.compiled.kernels.keys import decode, slot_of


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def table_size(n: i64) -> i64:
    """Slots of the table in which n tokens are compared."""
    size: i64 = 64
    while size < SLOTS_A_TOKEN * n and size < NEAR_SLOTS:
        size *= 2
    while size < n and size < MOST_SLOTS:
        size *= 2
    return size


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def same_token(
    data: pc_u8, n_data: i64, points: pc_i32, fold: u64, one: i64, one_end: i64, other: i64, other_end: i64
) -> flag:
    """Whether two stretches of text are the same after lower-casing."""
    n: i64 = one_end - one
    done: i64 = 0
    original: i64
    original_there: i64
    unused: i64
    if n == other_end - other and max(one, other) + n + 8 <= n_data:
        # Nearly always both are ASCII letters and digits: compare eight at a time.
        while done < n:
            unused = max(0, 64 - 8 * (n - done))
            first: u64 = (load_eight(data, one + done) << unused) & ALL
            second: u64 = (load_eight(data, other + done) << unused) & ALL
            if (first | second) & HIGH_BITS or first | fold != second | fold:
                break
            done += 8
        if done >= n:
            return True
    while one < one_end and other < other_end:
        original, one = decode(data, one)
        original_there, other = decode(data, other)
        if points[original] >> LOWER != points[original_there] >> LOWER:
            return False
    return one == one_end and other == other_end


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_firsts(
    data: pc_u8,
    n_data: i64,
    points: pc_i32,
    fold: u64,
    bounds: p_u64,
    keys: p_u64,
    n: i64,
    table: p_i32,
    slots: p_u32,
    odd: p_i32,
    firsts: p_i32,
) -> cython.void:
    """Find the first of each of n tokens.

    Args:
        data, points: the texts, and what is known of each code point.
        fold: the case bits where case is no difference, else 0.
        bounds: where each token begins and ends in data, one after the other.
        keys: their keys, two numbers each.
        table: of ``table_size(n)``, room to work in, as slots of n and odd of n + 1.
        firsts: takes the results.
    """
    n_odd: i64 = 0
    n_left: i64
    token: i64
    first: i64
    place: i64
    start: i64
    end: i64
    is_same: flag
    mask: u64 = table_size(n) - 1
    for token in range(n):
        slots[token] = slot_of(keys[2 * token], keys[2 * token + 1], SPREAD, mask)
    for token in range(n - 1, -1, -1):
        table[slots[token]] = token
    for token in range(n):
        first = table[slots[token]]
        firsts[token] = first
        differ: u64 = (keys[2 * token] ^ keys[2 * first]) | (keys[2 * token + 1] ^ keys[2 * first + 1])
        odd[n_odd] = token
        n_odd += (differ | keys[2 * token + 1] & INEXACT) != 0
    spread: u64 = SPREAD
    while n_odd > 0:
        spread = (spread * SPREAD + 2) & ALL  # odd again
        for place in range(n_odd - 1, -1, -1):
            token = odd[place]
            table[slot_of(keys[2 * token], keys[2 * token + 1], spread, mask)] = token
        n_left = 0
        for place in range(n_odd):
            token = odd[place]
            first = table[slot_of(keys[2 * token], keys[2 * token + 1], spread, mask)]
            firsts[token] = first
            is_same = keys[2 * token] == keys[2 * first] and keys[2 * token + 1] == keys[2 * first + 1]
            if is_same and keys[2 * token + 1] >= INEXACT and token != first:
                start, end = bounds[2 * token], bounds[2 * token + 1]
                is_same = same_token(data, n_data, points, fold, start, end, bounds[2 * first], bounds[2 * first + 1])
            if not is_same:
                odd[n_left] = token
                n_left += 1
        n_odd = n_left


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def number_firsts(firsts: p_i32, n: i64, numbers: p_u32, ids: p_u32) -> i64:
    """Give ids from 0 on to n tokens, in order of first occurrence; return how many ids there are."""
    n_ids: i64 = 0
    token: i64
    for token in range(n):
        numbers[token] = n_ids
        n_ids += firsts[token] == token
    for token in range(n):
        ids[token] = numbers[firsts[token]]
    return n_ids
