"""Pack words into a double-array trie, in which ``jieba_cut.py`` looks words up. Made once for a dictionary."""

import cython


def trie_of(codes: cython.const[u16][::1], ends: cython.const[i64][::1]):
    """Return the parent and the last code of each node of a trie, int64[n_nodes]; and the node of each word.

    codes are the characters of all words, and one more after each word; ends, the end of each word. A word with the
    code 0 has the node 0, which is the root.
    """
    for word in range(ends.shape[0]):
        if not (ends[word - 1] + 1 if word else 0) <= ends[word] <= codes.shape[0]:
            raise ValueError("ends must be in order")
    most: i64 = codes.shape[0] + 1
    mask: i64 = (1 << 20) - 1
    while mask < 2 * most:
        mask = 2 * mask + 1
    all_parents, all_labels = np.zeros(most, np.int64), np.zeros(most, np.int64)
    all_nodes = np.zeros(ends.shape[0], np.int64)
    parents: i64[::1] = all_parents
    labels: i64[::1] = all_labels
    nodes: i64[::1] = all_nodes
    keys: i64[::1] = np.zeros(mask + 1, np.int64)  # a hash table from a node and a code to the node's child
    children: i32[::1] = np.zeros(mask + 1, np.int32)
    n: i64 = 1
    start: i64 = 0
    node: i64
    with cython.nogil:
        for word in range(ends.shape[0]):
            node = 0
            for position in range(start, ends[word]):
                if codes[position] == 0:
                    node = 0
                    break
                key = node << 16 | codes[position]  # never 0, which is a free slot
                slot = cython.cast(i64, (key * SPREAD & ALL) >> 32) & mask
                while keys[slot] != key and keys[slot] != 0:
                    slot = (slot + 1) & mask
                if keys[slot] == 0:
                    keys[slot], children[slot] = key, n
                    parents[n], labels[n] = node, codes[position]
                    n += 1
                node = children[slot]
            nodes[word] = node
            start = ends[word] + 1
    return all_parents[:n], all_labels[:n], all_nodes


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pack(
    offsets: cython.const[i64][::1],  # [n_nodes + 1]: where each node's children begin in children
    children: cython.const[i64][::1],
    labels: cython.const[i64][::1],
    order: cython.const[i64][::1],
    n_codes: i64,
    slots: i64[::1],
    bases: i64[::1],
    is_free: u8[::1],  # by slot, as nexts and befores: the free slots are a list
    nexts: i64[::1],
    befores: i64[::1],
) -> flag:
    """Give nodes a base, and their children slots, in ``order``, most children first; return False without room."""
    last_size: i64 = 0
    head: i64 = n_codes
    scan_from: i64 = n_codes
    tries: i64
    fits: flag
    for index in range(order.shape[0]):
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
        if not is_free[scan_from]:
            scan_from = head
        at = scan_from
        tries = 0
        while True:
            if at + n_codes >= is_free.shape[0]:
                return False
            base = at - least
            fits = True
            for child in range(offsets[node], offsets[node + 1]):
                if not is_free[base + labels[children[child]]]:
                    fits = False
                    break
            if fits:
                break
            at = nexts[at]
            tries += 1
            if tries == 512:  # where the next search starts
                scan_from = at
                tries = 0
        bases[node] = base
        for child in range(offsets[node], offsets[node + 1]):
            slot = base + labels[children[child]]
            slots[children[child]] = slot
            is_free[slot] = False
            if slot == head:
                head = nexts[slot]
            else:
                nexts[befores[slot]] = nexts[slot]
            befores[nexts[slot]] = befores[slot]
            if scan_from == slot:
                scan_from = nexts[slot]
    return True


def pack_trie(parents, labels, n_codes: cython.longlong):
    """Return slots and bases of a trie's nodes, int64[n_nodes]: a node's slot is the base of its parent + its label.

    parents and labels are int64[n_nodes], labels from 1 on and below n_codes; node 0 is the root, which has neither.
    """
    n: i64 = len(parents)
    spare: i64 = 1
    is_packed: flag = False
    if len(labels) != n or np.min(labels[1:], initial=1) < 1 or np.max(labels[1:], initial=1) >= n_codes:
        raise ValueError("labels must be from 1 on and below n_codes, as many as parents")
    if np.min(parents[1:], initial=0) < 0 or np.max(parents[1:], initial=0) >= n:
        raise ValueError("parents must be nodes")
    # The children of each node, parent after parent; and the nodes with most children first.
    counts = np.bincount(parents[1:], minlength=n)
    offsets = np.concatenate([[0], np.cumsum(counts)])
    children = np.argsort(parents[1:], kind="stable") + 1
    order = np.argsort(-counts, kind="stable")
    slots, bases = np.zeros(n, np.int64), np.zeros(n, np.int64)
    first_characters = children[: counts[0]]
    slots[first_characters] = labels[first_characters]
    while not is_packed:
        spare *= 2
        numbers = np.arange(spare * n + 4 * n_codes)
        is_free = (numbers >= n_codes).astype(np.uint8)
        is_packed = pack(offsets, children, labels, order, n_codes, slots, bases, is_free, numbers + 1, numbers - 1)
    return slots, bases
