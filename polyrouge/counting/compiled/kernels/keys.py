"""Make the key of a token, two numbers that are equal for equal tokens, and find equal tokens by their keys.

Up to sixteen ASCII characters are packed into the sixteen bytes of the key, lower-cased; then the highest bit of each
byte is 0. One other code point has the bit ONE_POINT set, which no packed token has without a byte below it. Two to
five other code points are packed too, with the highest bit of the first number set. These keys are exact. All other
tokens have a hash, and the highest bit of the second number is set: then the tokens themselves must be compared.

For every token, ``first_equal`` is the index, in the vocabulary's texts, of the first token that equals it. From the
last to the first, each token writes its index to the slot of its key, whatever the slot holds; then each reads the
index in its slot. The two passes have no branch to predict, and no read waits for a write. The few tokens whose slot
holds another token try again among themselves.
"""

import cython

# Texts, and the classes of their characters: see ``CharacterTable``.
Source = cython.struct(
    data=pc_u8,  # UTF-8, with ``BEHIND_PAIR`` bytes behind
    points=pc_i32,
    begins_mark=pc_u8,
    lone_marks=flag,
    ascii_words=flag,
    fold=u64,  # the case bits if case is ignored, else 0
    cut=i64,  # WHOLE, LINES or CHINESE
)


@cython.cfunc
def source_of(table: object, cut: i64) -> Source:
    """Make a source without texts; the table must outlive it."""
    source: Source
    points: cython.const[i32][::1] = table.points
    begins_mark: cython.const[u8][::1] = table.begins_mark.view(np.uint8)
    if points.shape[0] != 0x110000 or begins_mark.shape[0] != 256:
        raise ValueError("points are 0x110000, begins_mark 256")
    source.data = cython.NULL
    source.points, source.begins_mark = cython.address(points[0]), cython.address(begins_mark[0])
    source.lone_marks, source.ascii_words, source.cut = table.lone_marks, table.ascii_words, cut
    source.fold = CASE_BITS if points[65] >> LOWER != 65 else 0
    return source


@cython.cclass
class Vocabulary(Room):
    """Hold arrays for the tokens of one vocabulary, such as all texts of one sample."""

    bounds: p_u64  # start and end of each token in data; 8 to spare
    keys: p_u64  # the key of each token, two numbers
    breaks: p_i64  # first token of each sentence, counted from the text's first token
    first_equal: p_i32  # by token: the first token that equals it
    table: p_i32
    slots: p_u32
    odd: p_i32
    distinct: p_i32
    stems: p_i32
    of_stem: p_i32

    def __cinit__(self, n: cython.longlong, with_stems: cython.bint):
        """Make arrays for at most n tokens."""
        n_stems: i64 = n if with_stems else 0
        self.bounds = cython.cast(p_u64, self.zeros(2 * n + 8, 8))
        self.keys = cython.cast(p_u64, self.zeros(2 * n, 8))
        self.breaks = cython.cast(p_i64, self.zeros(n + 2, 8))
        self.first_equal = cython.cast(p_i32, self.zeros(n, 4))
        self.table = cython.cast(p_i32, self.zeros(table_size(n), 4))
        self.slots = cython.cast(p_u32, self.zeros(n, 4))
        self.odd = cython.cast(p_i32, self.zeros(n + 1, 4))
        self.distinct = cython.cast(p_i32, self.zeros(n_stems + 1, 4))
        self.stems = cython.cast(p_i32, self.zeros(n_stems, 4))
        self.of_stem = cython.cast(p_i32, self.zeros(n_stems, 4))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def decode(data: pc_u8, position: i64) -> tuple[i64, i64]:
    """Return the code point at a byte of valid UTF-8, and the position after it."""
    point: i64 = data[position]
    if point < 0x80:
        return point, position + 1
    if point < 0xE0:
        return (point & 0x1F) << 6 | data[position + 1] & 0x3F, position + 2
    if point < 0xF0:
        return (point & 0x0F) << 12 | (data[position + 1] & 0x3F) << 6 | data[position + 2] & 0x3F, position + 3
    point = (point & 0x07) << 18 | (data[position + 1] & 0x3F) << 12
    return point | (data[position + 2] & 0x3F) << 6 | data[position + 3] & 0x3F, position + 4


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def slot_of(low: u64, high: u64, spread: u64, mask: u64) -> u64:
    """Return the slot of a key in a hash table; each odd ``spread`` gives another slot."""
    return (((low + high * SPREAD_HIGH) * spread) & ALL) >> 40 & mask


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mixed(hashed: u64, eight: u64) -> u64:
    """Add up to eight more characters of a long token to its hash."""
    product: u64 = (hashed ^ eight) * SPREAD & ALL
    return product ^ product >> 29


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def hash_of_ascii(data: pc_u8, start: i64, end: i64, fold: u64) -> u64:
    """Hash a token, eight characters at a time."""
    hashed: u64 = 0
    while start + 8 <= end:
        hashed = mixed(hashed, load_eight(data, start) | fold)
        start += 8
    if start < end:
        hashed = mixed(hashed, (load_eight(data, start) | fold) & low_mask(end - start))
    return hashed | 1  # a low half of 0 is for slots that are free


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def key_of_ascii(data: pc_u8, start: i64, end: i64, fold: u64, key: p_u64) -> cython.void:
    """Write the key of ASCII letters and digits; 15 bytes after up to 8 can be read, 7 after more."""
    n: i64 = min(end - start, 16)
    key[0] = (load_eight(data, start) | fold) & low_mask(n)
    key[1] = (load_eight(data, start + 8) | fold) & high_mask(n)
    if end - start > 16:
        key[0] = hash_of_ascii(data, start, end, fold)
        key[1] = INEXACT


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def key_of_point(entry: i32) -> u64:
    """Return the first half of the key of one code point, from its entry in ``points``; the second half is 0."""
    point: u64 = entry >> LOWER
    return point if point < 0x80 and point != 0 else point | ONE_POINT


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def key_of_any(data: pc_u8, points: pc_i32, start: i64, end: i64, key: p_u64) -> cython.void:
    """Write the key of any token, from its code points; see ``scan.py`` for ``points``."""
    packed: u64 = 0
    first_eight: u64 = 0
    few_low: u64 = 0
    few_high: u64 = 0
    hashed: u64 = 0
    point: u64 = 0
    n_points: i64 = 0
    is_ascii: flag = True
    position: i64 = start
    while position < end:
        original, position = decode(data, position)
        point = points[original] >> LOWER
        is_ascii = is_ascii and point < 0x80 and point != 0  # NUL would not show in a packed key
        if n_points and n_points & 7 == 0:
            hashed = mixed(hashed, packed)
            first_eight = packed if n_points == 8 else first_eight
            packed = 0
        if n_points < 3:
            few_low |= point << BITS_OF_POINT * n_points
        elif n_points < 5:
            few_high |= point << BITS_OF_POINT * (n_points - 3)
        packed = (packed | point << 8 * (n_points & 7)) & ALL
        n_points += 1
    key[1] = 0
    if is_ascii and n_points <= 8:
        key[0] = packed
    elif is_ascii and n_points <= 16:
        key[0], key[1] = first_eight, packed
    elif n_points == 1:
        key[0] = point | ONE_POINT
    elif n_points <= 5:
        key[0], key[1] = few_low | FEW_POINTS, few_high | cython.cast(u64, n_points) << 2 * BITS_OF_POINT
    else:
        key[0], key[1] = mixed(hashed, packed) | 1, INEXACT


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def table_size(n: i64) -> i64:
    """Return the number of slots of the table that compares n tokens."""
    size: i64 = 64
    while size < SLOTS_A_TOKEN * n and size < NEAR_SLOTS:
        size *= 2
    while size < n and size < MOST_SLOTS:
        size *= 2
    return size


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def same_token(source: Source, start: i64, end: i64, second_start: i64, second_end: i64) -> flag:
    """Say whether two tokens are the same after lower-casing."""
    data: pc_u8 = source.data
    points: pc_i32 = source.points
    n: i64 = end - start
    done: i64 = 0
    if n == second_end - second_start:
        # Nearly all tokens are ASCII letters and digits: compare eight at a time.
        while done < n:
            unused = max(0, 64 - 8 * (n - done))
            eight: u64 = (load_eight(data, start + done) << unused) & ALL
            second_eight: u64 = (load_eight(data, second_start + done) << unused) & ALL
            if (eight | second_eight) & HIGH_BITS or eight | source.fold != second_eight | source.fold:
                break
            done += 8
        if done >= n:
            return True
    while start < end and second_start < second_end:
        point, start = decode(data, start)
        second_point, second_start = decode(data, second_start)
        if points[point] >> LOWER != points[second_point] >> LOWER:
            return False
    return start == end and second_start == second_end


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_first_equal(source: Source, words: Vocabulary, n: i64) -> cython.void:
    """Find for each of n tokens the first that equals it."""
    bounds: p_u64 = words.bounds
    keys: p_u64 = words.keys
    table: p_i32 = words.table
    slots: p_u32 = words.slots
    odd: p_i32 = words.odd
    first_equal: p_i32 = words.first_equal
    n_odd: i64 = 0
    n_remaining: i64
    token: i64
    first: i64
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
        first_equal[token] = first
        differ: u64 = (keys[2 * token] ^ keys[2 * first]) | (keys[2 * token + 1] ^ keys[2 * first + 1])
        odd[n_odd] = token
        n_odd += (differ | keys[2 * token + 1] & INEXACT) != 0
    spread: u64 = SPREAD
    while n_odd > 0:
        spread = (spread * SPREAD + 2) & ALL  # odd again
        for index in range(n_odd - 1, -1, -1):
            token = odd[index]
            table[slot_of(keys[2 * token], keys[2 * token + 1], spread, mask)] = token
        n_remaining = 0
        for index in range(n_odd):
            token = odd[index]
            first = table[slot_of(keys[2 * token], keys[2 * token + 1], spread, mask)]
            first_equal[token] = first
            is_same = keys[2 * token] == keys[2 * first] and keys[2 * token + 1] == keys[2 * first + 1]
            if is_same and keys[2 * token + 1] >= INEXACT and token != first:
                start, end = bounds[2 * token], bounds[2 * token + 1]
                is_same = same_token(source, start, end, bounds[2 * first], bounds[2 * first + 1])
            if not is_same:
                odd[n_remaining] = token
                n_remaining += 1
        n_odd = n_remaining


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def number_distinct(words: Vocabulary, n: i64, ids: p_u32) -> i64:
    """Give ids from 0 on to n tokens, in order of first occurrence; return how many ids there are."""
    first_equal: p_i32 = words.first_equal
    numbers: p_u32 = words.slots
    n_ids: i64 = 0
    for token in range(n):
        numbers[token] = n_ids
        n_ids += first_equal[token] == token
    for token in range(n):
        ids[token] = numbers[first_equal[token]] if first_equal[token] >= 0 else 0
    return n_ids
