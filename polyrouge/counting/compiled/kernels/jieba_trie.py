"""Pack words into a double-array trie, where ``jieba_cut.py`` looks words up. Made once for a dictionary."""

import cython

# A trie, its nodes in order of first occurrence.
Trie = cython.struct(
    n=i64,
    n_of_listed=i64,  # nodes of the listed words; those of the other words follow
    parents=p_i32,
    labels=p_i32,  # the character that leads to the node
    weights=p_u16,  # index in the weights; 0 where no listed word ends
    ends_word=p_u8,
    bits=i64,  # log2 of the slots of the hash table from node and character to node
    keys=p_i64,
    children=p_i32,
)
# Slots of nodes: the slot of a node is the base of its parent + its character.
Packing = cython.struct(
    size=i64,
    slots=p_i64,  # by node
    bases=p_i64,  # by node
    is_free=p_u8,  # by slot, as nexts and befores: the free slots are a list
    nexts=p_i64,
    befores=p_i64,
)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def put_words(
    trie: cython.pointer[Trie],
    codes: pc_u16,
    ends: pc_i64,
    n_words: i64,
    weight_indexes: pc_u16,
    n_listed: i64,
    marked: p_i64,
) -> i64:
    """Fill an empty trie; return the number of marked nodes of unlisted words, or -1 if a beginning is not listed."""
    mask: i64 = (cython.cast(i64, 1) << trie[0].bits) - 1
    n_marked: i64 = 0
    start: i64 = 0
    node: i64
    code: i64
    trie[0].n = trie[0].n_of_listed = 1
    trie[0].parents[0] = -1
    for word in range(n_words):
        node = 0
        for position in range(start, ends[word]):
            code = codes[position]
            if code == 0:
                node = -1
                break
            key = node << 16 | code  # never 0, which is a free slot
            slot = cython.cast(i64, (key * SPREAD & ALL) >> (64 - trie[0].bits)) & mask
            while trie[0].keys[slot] != key and trie[0].keys[slot] != 0:
                slot = (slot + 1) & mask
            if trie[0].keys[slot] == 0:
                if word < n_listed and trie[0].n > n_listed:
                    return -1
                trie[0].keys[slot], trie[0].children[slot] = key, trie[0].n
                trie[0].parents[trie[0].n], trie[0].labels[trie[0].n] = node, code
                trie[0].n += 1
            node = trie[0].children[slot]
        if word < n_listed:
            trie[0].n_of_listed = trie[0].n
        if node > 0 and word < n_listed:
            trie[0].weights[node] = weight_indexes[word]
            trie[0].ends_word[node] = True
        elif node > 0:
            marked[n_marked] = node
            n_marked += 1
        start = ends[word] + 1
    return n_marked


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pack(pack_: Packing, offsets: pc_i64, children: pc_i64, labels: p_i32, order: pc_i64, n: i64, n_codes: i64) -> flag:
    """Give each node a slot, and a base for its children, in ``order``, most children first; False without room."""
    last_size: i64 = 0
    head: i64 = n_codes
    scan_from: i64 = n_codes
    tries: i64
    fits: flag
    for slot in range(pack_.size):
        pack_.is_free[slot] = slot >= n_codes
        pack_.nexts[slot], pack_.befores[slot] = slot + 1, slot - 1
    for child in range(offsets[0], offsets[1]):
        pack_.slots[children[child]] = labels[children[child]]
    for index in range(n):
        node = order[index]
        n_children = offsets[node + 1] - offsets[node]
        if n_children == 0:
            break
        if node == 0:
            continue
        least = n_codes
        for child in range(offsets[node], offsets[node + 1]):
            least = min(least, labels[children[child]])
        if last_size != n_children and (n_children <= 4 or n_children % 16 == 0):
            last_size = n_children
            scan_from = head
        if not pack_.is_free[scan_from]:
            scan_from = head
        at = scan_from
        tries = 0
        while True:
            if at + n_codes >= pack_.size:
                return False
            base = at - least
            fits = True
            for child in range(offsets[node], offsets[node + 1]):
                if not pack_.is_free[base + labels[children[child]]]:
                    fits = False
                    break
            if fits:
                break
            at = pack_.nexts[at]
            tries += 1
            if tries == 512:  # where the next search starts
                scan_from = at
                tries = 0
        pack_.bases[node] = base
        for child in range(offsets[node], offsets[node + 1]):
            slot = base + labels[children[child]]
            pack_.slots[children[child]] = slot
            pack_.is_free[slot] = False
            if slot == head:
                head = pack_.nexts[slot]
            else:
                pack_.nexts[pack_.befores[slot]] = pack_.nexts[slot]
            pack_.befores[pack_.nexts[slot]] = pack_.befores[slot]
            if scan_from == slot:
                scan_from = pack_.nexts[slot]
    return True


def word_trie(
    codes: cython.const[u16][::1],
    ends: cython.const[i64][::1],
    weight_indexes: cython.const[u16][::1],
    n_codes: cython.longlong,
):
    """Pack words into a double-array trie; a node's child has slot base + code.

    codes are the characters of all words, each below n_codes, and one more after each word; ends, the end of each word;
    weight_indexes, of the first words, which are listed; later words are only marked. Returns units uint64[n_slots],
    the slots of the marked words, and whether each beginning of a listed word is listed.
    """
    n_words: i64 = ends.shape[0]
    n_listed: i64 = weight_indexes.shape[0]
    spare: i64 = 1
    is_packed: flag = False
    is_complete: flag = True
    if n_words < n_listed or n_codes > 0x10000 or np.max(codes, initial=0) >= n_codes:
        raise ValueError("codes must be below n_codes, and weight_indexes of words")
    for word in range(n_words):
        if not (ends[word - 1] + 1 if word else 0) <= ends[word] <= codes.shape[0]:
            raise ValueError("ends must be in order")
    n_unlisted: i64 = codes.shape[0] - (ends[n_listed - 1] if n_listed else 0)  # characters
    n_most: i64 = min(codes.shape[0], n_listed + n_unlisted) + 2  # nodes at most
    room = Room()
    trie: Trie
    trie.bits = 20
    while (cython.cast(i64, 1) << trie.bits) < 2 * n_most:
        trie.bits += 1
    trie.parents = cython.cast(p_i32, room.zeros(n_most, 4))
    trie.labels = cython.cast(p_i32, room.zeros(n_most, 4))
    trie.weights = cython.cast(p_u16, room.zeros(n_most, 2))
    trie.ends_word = cython.cast(p_u8, room.zeros(n_most, 1))
    trie.keys = cython.cast(p_i64, room.zeros(cython.cast(i64, 1) << trie.bits, 8))
    trie.children = cython.cast(p_i32, room.zeros(cython.cast(i64, 1) << trie.bits, 4))
    marked: p_i64 = cython.cast(p_i64, room.zeros(n_words, 8))
    with cython.nogil:
        first_code, first_end, first_weight_index = (
            cython.address(codes[0]),
            cython.address(ends[0]),
            cython.address(weight_indexes[0]),
        )
        n_marked = put_words(cython.address(trie), first_code, first_end, n_words, first_weight_index, n_listed, marked)
        is_complete = n_marked >= 0
        for node in range(1, trie.n_of_listed):
            is_complete = is_complete and trie.ends_word[node]
    if not is_complete:
        return np.zeros(0, np.uint64), np.zeros(0, np.int64), False
    parents = np.empty(trie.n, np.int64)
    all_parents: i64[::1] = parents
    for node in range(trie.n):
        all_parents[node] = trie.parents[node]
    # The children of each node, parent after parent; and the nodes with most children first.
    counts = np.bincount(parents[1:], minlength=trie.n)
    all_offsets = np.concatenate([[0], np.cumsum(counts)])
    all_children = np.argsort(parents[1:], kind="stable") + 1
    by_size = np.argsort(-counts, kind="stable")
    offsets: i64[::1] = all_offsets
    children: i64[::1] = all_children
    order: i64[::1] = by_size
    packing: Packing
    while not is_packed:
        spare *= 2
        slots_room = Room()
        packing.size = spare * trie.n + 4 * n_codes
        packing.slots = cython.cast(p_i64, slots_room.zeros(trie.n, 8))
        packing.bases = cython.cast(p_i64, slots_room.zeros(trie.n, 8))
        packing.is_free = cython.cast(p_u8, slots_room.zeros(packing.size + 1, 1))
        packing.nexts = cython.cast(p_i64, slots_room.zeros(packing.size + 1, 8))
        packing.befores = cython.cast(p_i64, slots_room.zeros(packing.size + 1, 8))
        with cython.nogil:
            first_offset, first_child = cython.address(offsets[0]), cython.address(children[0])
            is_packed = pack(packing, first_offset, first_child, trie.labels, cython.address(order[0]), trie.n, n_codes)
    last_slot: i64 = 0
    for node in range(trie.n):
        last_slot = max(last_slot, packing.slots[node])
    all_units = np.zeros(last_slot + 1 + n_codes, np.uint64)
    units: u64[::1] = all_units
    parent: u64
    for node in range(1, trie.n):
        # A first character has a parent that no slot has: code 0 and bases of 0 lead nowhere.
        parent = packing.slots[trie.parents[node]] if trie.parents[node] else NO_PARENT
        units[packing.slots[node]] = parent << 40 | cython.cast(u64, packing.bases[node]) << 16 | trie.weights[node]
    return all_units, np.array([packing.slots[marked[word]] for word in range(n_marked)], np.int64), True
