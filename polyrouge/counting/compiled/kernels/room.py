"""What every kernel does before its work: arrays to work in, and a look at the sizes of what it is given.

After that look no index can leave its array, whatever the caller gave.
"""

import cython

if not cython.compiled:
    from polyrouge.counting.compiled.kernels.bits import *


@cython.cclass
class Room:
    """Arrays that a kernel works in; they are freed with it."""

    arrays: p_void[32]
    n_arrays: i64

    def __cinit__(self):
        self.n_arrays = 0

    def __dealloc__(self):
        for each in range(self.n_arrays):
            free(self.arrays[each])

    @cython.cfunc
    def zeros(self, n: i64, item_size: i64) -> p_void:
        """An array of n items of so many bytes, all 0; of one at least."""
        array: p_void = calloc(max(n, 1), item_size)
        if array == cython.NULL:
            raise MemoryError
        self.arrays[self.n_arrays] = array
        self.n_arrays += 1
        return array


@cython.cfunc
@cython.exceptval(-1)
def longest_stretch(offsets: cython.const[i64][::1], n_items: i64) -> i64:
    """Items in the longest of the stretches between offsets, which must be in order and stay within n_items."""
    longest: i64 = 0
    place: i64
    if offsets.shape[0] == 0 or offsets[0] < 0 or offsets[offsets.shape[0] - 1] > n_items:
        raise ValueError("offsets must begin at 0 or above, and end where the items end")
    for place in range(offsets.shape[0] - 1):
        if offsets[place] > offsets[place + 1]:
            raise ValueError("offsets must be in order")
        longest = max(longest, offsets[place + 1] - offsets[place])
    if longest > MOST_TOKENS:
        raise ValueError("a text may have 2,147,483,632 tokens or bytes at most")
    return longest


@cython.cfunc
@cython.exceptval(-1)
def check_pairs(
    predictions: cython.const[i64][::1], references: cython.const[i64][::1], offsets: cython.const[i64][::1]
) -> cython.int:
    """Refuse pairs of texts that are not between the offsets."""
    n_texts: i64 = offsets.shape[0] - 1
    pair: i64
    if predictions.shape[0] != references.shape[0]:
        raise ValueError("there must be as many references as predictions")
    for pair in range(predictions.shape[0]):
        if not (0 <= predictions[pair] < n_texts and 0 <= references[pair] < n_texts):
            raise ValueError("a pair is of texts that are not there")
    return 0


@cython.cfunc
@cython.exceptval(-1)
def check_ids(ids: cython.const[u32][::1], n_ids: i64) -> cython.int:
    """Refuse ids that are not below n_ids."""
    highest: u32 = 0
    place: i64
    for place in range(ids.shape[0]):
        highest = max(highest, ids[place])
    if n_ids > MOST_TOKENS or (ids.shape[0] != 0 and highest >= n_ids):
        raise ValueError("ids must be below n_ids, which is 2,147,483,632 at most")
    return 0


@cython.cfunc
@cython.exceptval(-1)
def check_cancelled(cancelled: cython.const[u8][::1]) -> cython.int:
    """Refuse a flag that has no item."""
    if cancelled.shape[0] == 0:
        raise ValueError("cancelled must have an item")
    return 0
