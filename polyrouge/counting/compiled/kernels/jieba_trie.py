"""Compiled: words to a double-array trie, which ``jieba_cut.py`` looks words up in."""

from __future__ import annotations

import numpy as np

from polyrouge.counting.compiled.kernels.kernel import INT, OFFSETS, helper_with_arrays, kernel

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_NO_PARENT = 0xFFFFFF


@kernel("uint16[::1]", OFFSETS, "uint16[::1]", INT, makes_arrays=True)
def plain_trie(codes, ends, places, n_most):
    """Put words into a trie, its nodes in order of first occurrence.

    Words with a character outside the block class can't be found: they are left out.

    Args:
        codes: uint16[n], the characters of all words, with one behind each word that is none.
        ends: int64[n_words], where each word ends in codes.
        places: uint16[n_listed], the place in the weights of each of the first words; the words behind those are
            only marked.
        n_most: there are no more nodes than that.

    Returns:
        Of each node: parent int32, label int32, place uint16; the nodes of the marked words, int64; and whether each
        beginning of a listed word is a listed word itself.
    """
    bits = 20
    while (1 << bits) < 2 * n_most:
        bits += 1
    mask = (1 << bits) - 1
    keys = np.full(1 << bits, -1, np.int64)
    child = np.empty(1 << bits, np.int32)
    parent = np.empty(n_most + 2, np.int32)
    label = np.empty(n_most + 2, np.int32)
    place = np.zeros(n_most + 2, np.uint16)
    is_listed = np.zeros(n_most + 2, np.bool_)
    marked = np.empty(len(ends) - len(places), np.int64)
    n_marked = 0
    parent[0], label[0] = -1, 0
    n = 1
    n_of_listed = 1
    start = 0
    for word in range(len(ends)):
        node = 0
        for at in range(start, ends[word]):
            code = np.int64(codes[at])
            if code == 0:
                node = -1
                break
            key = np.int64(node) << 16 | code
            slot = np.int64((np.uint64(key) * _SPREAD) >> np.uint64(64 - bits)) & mask
            while keys[slot] != key and keys[slot] != -1:
                slot = (slot + 1) & mask
            if keys[slot] == -1:
                keys[slot], child[slot] = key, n
                parent[n], label[n] = node, code
                n += 1
            node = child[slot]
        if word < len(places):
            n_of_listed = n
        if node > 0 and word < len(places):
            place[node] = places[word]
            is_listed[node] = True
        elif node > 0:
            marked[n_marked] = node
            n_marked += 1
        start = ends[word] + 1
    is_complete = is_listed[1:n_of_listed].all()
    return parent[:n], label[:n], place[:n], marked[:n_marked], is_complete


@helper_with_arrays
def _children_of(parent):
    """The nodes below each node: offsets int64[n + 1] and the nodes, one parent's after the other."""
    n = len(parent)
    counts = np.zeros(n + 1, np.int64)
    for node in range(1, n):
        counts[parent[node] + 1] += 1
    offsets = np.cumsum(counts)
    children = np.empty(n - 1, np.int64)
    filled = offsets.copy()
    for node in range(1, n):
        children[filled[parent[node]]] = node
        filled[parent[node]] += 1
    return offsets, children


@helper_with_arrays
def _slots_of(offsets, children, label, n_codes, size):
    """A slot for each node below ``size``, and the base of its children; ``is_enough`` is False if there is no room.

    Nodes with many children come first, and the free slots are a list. A search that has met many places where its
    node does not fit goes on from there the next time.
    """
    n = len(label)
    counts = offsets[1:] - offsets[:-1]
    order = np.argsort(-counts, kind="mergesort")
    is_free = np.ones(size, np.bool_)
    is_free[:n_codes] = False
    following = np.arange(1, size + 1)
    before = np.arange(-1, size - 1)
    head = n_codes
    slots = np.zeros(n, np.int64)
    bases = np.zeros(n, np.int64)
    for child in children[offsets[0] : offsets[1]]:
        slots[child] = label[child]
    scan = head
    last_size = 0
    for node in order:
        mine = children[offsets[node] : offsets[node + 1]]
        if len(mine) == 0:
            break
        if node == 0:
            continue
        least = n_codes
        for child in mine:
            least = min(least, label[child])
        if last_size != len(mine) and (len(mine) <= 4 or len(mine) % 16 == 0):
            last_size = len(mine)
            scan = head
        if not is_free[scan]:
            scan = head
        at = scan
        tries = 0
        while True:
            if at + n_codes >= size:
                return slots, bases, False
            base = at - least
            fits = True
            for child in mine:
                if not is_free[base + label[child]]:
                    fits = False
                    break
            if fits:
                break
            at = following[at]
            tries += 1
            if tries == 512:
                scan = at
                tries = 0
        bases[node] = base
        for child in mine:
            slot = base + label[child]
            slots[child] = slot
            is_free[slot] = False
            left, right = before[slot], following[slot]
            if slot == head:
                head = right
            else:
                following[left] = right
            before[right] = left
            if scan == slot:
                scan = right
    return slots, bases, True


@kernel("int32[::1]", "int32[::1]", "uint16[::1]", INT, makes_arrays=True)
def double_array(parent, label, place, n_codes):
    """Pack a trie: slots below n_codes are for the first characters of words; a node's child has slot base + code.

    Returns:
        units uint64[n_slots]: parent's slot << 40 | base << 16 | place; and the slot of each node.
    """
    offsets, children = _children_of(parent)
    spare = 2
    slots, bases, is_enough = _slots_of(offsets, children, label, n_codes, spare * len(parent) + 4 * n_codes)
    while not is_enough:
        spare *= 2
        slots, bases, is_enough = _slots_of(offsets, children, label, n_codes, spare * len(parent) + 4 * n_codes)
    units = np.zeros(slots.max() + 1 + n_codes, np.uint64)
    for node in range(1, len(parent)):
        # A first character's parent is one that no slot has: code 0 and bases of 0 lead nowhere.
        above = np.uint64(slots[parent[node]] if parent[node] else _NO_PARENT)
        units[slots[node]] = above << np.uint64(40) | np.uint64(bases[node]) << np.uint64(16) | np.uint64(place[node])
    return units, slots
