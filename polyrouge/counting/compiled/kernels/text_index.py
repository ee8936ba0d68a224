"""Index texts, and find the indexed texts with enough hits without comparing every pair.

A text is its token ids in order, for the LCS, and its items in order of rank, for the filters. An item is a token (or
an n-gram) with the number of its occurrence, so that a multiset is a set, and shared items are ROUGE's clipped hits.
Ranks run from the rarest item to the commonest. ``least[a, b]`` says how many hits a text of class a must have with an
indexed text of class b; classes are of equal totals. Each filter compares whole numbers with it, and so agrees with the
score. Let d be that number, for a text A of m items and an indexed text B of n items.

1. Overlap. A common subsequence uses each occurrence once, so hits <= |A & B|, of LCS too.
2. Signature. Each text has 64 bits, the parity of its items in 64 hashed groups. Bits that differ need an item that
   only one of the texts has, so there are at most |A ^ B| = m + n - 2 |A & B| of them; a pair with more than
   m + n - 2d is out. Where no d is enough, no number of bits is, so the same comparison filters by length.
3. Prefix (AllPairs, Bayardo et al. 2007; PPJoin, Xiao et al. 2008). Let |A & B| >= d. After the first shared item, in
   order of rank, both have d - 1 more, so it is among the first m - d + 1 of A and the first n - d + 1 of B. So it is
   enough to index the first n - min d + 1 items of B, and to look up the first m - min d + 1 of A.
4. Position. The same for one pair: an item at the positions p and q (from 0) needs p <= m - d and q <= n - d.
5. Stops. Items are compared from the rarest on until A lacks more than n - d of them; then the LCS, 64 tokens of the
   shorter text at a time, until its length and all that is left of the text are below d.
6. Where the lists to be read are longer than the index has texts, their signatures are read instead.
"""

import cython


@cython.cclass
class TextIndex(Room):
    """Hold the texts of a collection, and index some of them, in order.

    ids uint32[n_tokens] below n_ids, and items int32[n_tokens], ranks below n_items, rising within a text; offsets
    int64[n_texts + 1] of both; signatures uint64[n_texts]; classes uint16[n_texts]; least int32[n_classes, n_classes],
    NO_HITS where no hits are enough; prefixes int32[n_classes], how many items of a text are indexed; is_lcs: hits are
    the LCS, not the shared items. The arrays must not change.
    """

    ids: cython.const[u32][::1]
    items: cython.const[i32][::1]
    offsets: cython.const[i64][::1]
    signatures: cython.const[u64][::1]
    classes: cython.const[u16][::1]
    least: cython.const[i32][:, ::1]
    prefixes: cython.const[i32][::1]
    is_lcs: flag
    n_ids: i64
    n_items: i64
    longest: i64
    n_seen: i64  # texts before it were indexed or left out: each list has room for each text once
    starts: p_i64  # of each item's list, and of the list of all texts, item n_items
    stops: p_i64
    list_signatures: p_u64
    list_texts: p_i32
    list_classes: p_u16
    list_positions: p_u16  # of the item among the items of its text, at most the highest uint16

    def __init__(self, ids, items, offsets, signatures, classes, least, prefixes, is_lcs, n_ids, n_items):
        item: i64
        self.ids, self.items, self.offsets = ids, items, offsets
        self.signatures, self.classes, self.least, self.prefixes = signatures, classes, least, prefixes
        self.is_lcs, self.n_ids, self.n_items, self.n_seen = is_lcs, n_ids, n_items, 0
        n_texts: i64 = self.offsets.shape[0] - 1
        self.longest = longest_stretch(self.offsets, self.ids.shape[0])
        check_ids(self.ids, n_ids)
        check_ids(np.asarray(items).view(np.uint32), n_items)
        n_classes: i64 = self.prefixes.shape[0]
        if not (self.items.shape[0] == self.ids.shape[0] and n_texts < MOST_TOKENS):
            raise ValueError("there must be as many items as ids, of at most 2,147,483,632 texts")
        if self.signatures.shape[0] != n_texts or self.classes.shape[0] != n_texts:
            raise ValueError("each text has a signature and a class")
        if self.least.shape[0] != n_classes or self.least.shape[1] != n_classes:
            raise ValueError("least is a square of the classes")
        self.starts = cython.cast(p_i64, self.zeros(n_items + 2, 8))
        self.stops = cython.cast(p_i64, self.zeros(n_items + 1, 8))
        for text in range(n_texts):
            if self.classes[text] >= n_classes:
                raise ValueError("classes must be below their number")
            for position in range(indexed_items(self, text)):
                self.starts[self.items[self.offsets[text] + position] + 1] += 1
        self.starts[n_items + 1] = n_texts
        for item in range(n_items + 1):
            self.starts[item + 1] += self.starts[item]
            self.stops[item] = self.starts[item]
        n: i64 = self.starts[n_items + 1]
        self.list_signatures = cython.cast(p_u64, self.zeros(n, 8))
        self.list_texts = cython.cast(p_i32, self.zeros(n, 4))
        self.list_classes = cython.cast(p_u16, self.zeros(n, 2))
        self.list_positions = cython.cast(p_u16, self.zeros(n, 2))

    def add(self, start: cython.longlong, stop: cython.longlong):
        """Index the texts from start to stop; each once, in order."""
        if not self.n_seen <= start <= stop < self.offsets.shape[0]:
            raise ValueError("texts that are not there, or were indexed before")
        with cython.nogil:
            for text in range(start, stop):
                index_text(self, text)

    def first_of_each(
        self,
        start: cython.longlong,
        stop: cython.longlong,
        least_text: cython.longlong,
        adds: cython.bint,
        first,
        hits,
        cancelled,
    ):
        """Find for each text from start to stop the first indexed text, from least_text on, with enough hits.

        first and hits int32[n_texts] get it, -1 if there is none; a text whose first is not -1 is skipped. With adds,
        a text without a match is indexed at once. cancelled uint8[1] ends the work.
        """
        out_first: i32[::1] = first
        out_hits: i32[::1] = hits
        stopped: cython.const[u8][::1] = cancelled
        if not 0 <= start <= stop < self.offsets.shape[0] or out_first.shape[0] < stop or out_hits.shape[0] < stop:
            raise ValueError("texts that are not there")
        if adds and start < self.n_seen:
            raise ValueError("texts that were indexed before")
        work = QueryRoom(self, self.least, stopped)
        with cython.nogil:
            for text in range(start, stop):
                if is_set(cython.address(stopped[0])):
                    break
                if out_first[text] != -1:
                    continue
                work.n_matches = 0
                search(self, text, least_text, True, work, work.lcs)
                if work.n_matches != 0:
                    out_first[text], out_hits[text] = work.match_texts[0], work.match_hits[0]
                elif adds:
                    index_text(self, text)

    def all_of_each(self, texts, least, most: cython.longlong, cancelled):
        """Find for some texts, int64[n], all indexed texts with enough hits, in no order; least is like the index's.

        Stops after the text that brings the number of matches to most. Returns how many texts were looked up, and
        int32[n_matches, 3]: the text, the indexed text, their hits.
        """
        numbers: cython.const[i64][::1] = texts
        stopped: cython.const[u8][::1] = cancelled
        bounds: cython.const[i32][:, ::1] = least
        n_texts: i64 = self.offsets.shape[0] - 1
        if bounds.shape[0] != self.least.shape[0] or bounds.shape[1] != self.least.shape[1]:
            raise ValueError("least is a square of the classes")
        work = QueryRoom(self, bounds, stopped)
        batches = []
        n: i64 = 0
        done: i64 = 0
        while done < numbers.shape[0] and n < most and not is_set(cython.address(stopped[0])):
            text: i64 = numbers[done]
            if not 0 <= text < n_texts:
                raise ValueError("texts that are not there")
            work.n_matches = 0
            with cython.nogil:
                search(self, text, 0, False, work, work.lcs)
            done += 1
            if work.n_matches:
                found_rows = np.empty((work.n_matches, 3), np.int32)
                rows: i32[:, ::1] = found_rows
                for match in range(work.n_matches):
                    rows[match, 0], rows[match, 1], rows[match, 2] = (
                        text,
                        work.match_texts[match],
                        work.match_hits[match],
                    )
                batches.append(found_rows)
                n += work.n_matches
        return done, np.concatenate(batches) if batches else np.empty((0, 3), np.int32)


@cython.cclass
class QueryRoom(Room):
    """Hold the arrays of one thread that looks texts up."""

    lcs: LcsRoom
    has_item: p_u8  # by item: whether the query has it
    seen: p_i32  # by text: the last search that compared it
    n_searches: i32
    limits: p_i32  # by class: the bits in which signatures may differ, or -1
    sizes: p_i32  # by class: items of an indexed text
    match_texts: p_i32
    match_hits: p_i32
    n_matches: i64
    least: cython.const[i32][:, ::1]

    def __cinit__(self, index: TextIndex, least: cython.const[i32][:, ::1], cancelled: cython.const[u8][::1]):
        n_texts: i64 = index.offsets.shape[0] - 1
        n_classes: i64 = index.prefixes.shape[0]
        self.lcs = LcsRoom(index.n_ids if index.is_lcs else 0, 0, index.longest)
        self.lcs.cancelled = cython.address(cancelled[0])
        self.has_item = cython.cast(p_u8, self.zeros(index.n_items, 1))
        self.seen = cython.cast(p_i32, self.zeros(n_texts, 4))
        self.limits = cython.cast(p_i32, self.zeros(n_classes, 4))
        self.sizes = cython.cast(p_i32, self.zeros(n_classes, 4))
        self.match_texts = cython.cast(p_i32, self.zeros(n_texts, 4))
        self.match_hits = cython.cast(p_i32, self.zeros(n_texts, 4))
        self.n_searches = 0
        self.least = least
        for text in range(n_texts):
            self.sizes[index.classes[text]] = index.offsets[text + 1] - index.offsets[text]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def indexed_items(index: TextIndex, text: i64) -> i64:
    """Return the number of indexed items of a text."""
    return max(0, min(index.prefixes[index.classes[text]], index.offsets[text + 1] - index.offsets[text]))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def index_text(index: TextIndex, text: i64) -> cython.void:
    """Put a text into the lists of its first items, and into the list of all texts."""
    start: i64 = index.offsets[text]
    item: i64
    index.n_seen = text + 1
    for position in range(-1, indexed_items(index, text)):
        item = index.n_items if position < 0 else index.items[start + position]
        end = index.stops[item]
        index.stops[item] = end + 1
        index.list_signatures[end] = index.signatures[text]
        index.list_texts[end] = text
        index.list_classes[end] = index.classes[text]
        index.list_positions[end] = max(0, min(position, 0xFFFF))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def search(
    index: TextIndex, text: i64, least_text: i64, first_only: flag, work: QueryRoom, lcs: LcsRoom
) -> cython.void:
    """Find the indexed texts, from least_text on, with enough hits: the first, or all in no order."""
    start: i64 = index.offsets[text]
    m: i64 = index.offsets[text + 1] - start
    n_classes: i64 = index.prefixes.shape[0]
    signature: u64 = index.signatures[text]
    needs: pc_i32 = cython.address(work.least[index.classes[text], 0])
    limits: p_i32 = work.limits
    fewest: i64 = NO_HITS
    best: i64 = NO_HITS
    entry: i64
    item: i64
    hits: i64
    for number in range(n_classes):
        limits[number] = -1 if needs[number] == NO_HITS else m + work.sizes[number] - 2 * needs[number]
        fewest = min(fewest, needs[number])
    if fewest == NO_HITS:
        return
    n_lists: i64 = m - fewest + 1
    reads_all: flag = fewest == 0
    n_entries: i64 = 0
    for position in range(min(n_lists, m)):
        item = index.items[start + position]
        n_entries += index.stops[item] - index.starts[item]
    reads_all |= n_entries > index.stops[index.n_items] - index.starts[index.n_items]
    if reads_all:
        n_lists = 1
    work.n_searches += 1
    query: Text = Text(cython.address(index.ids[0]) + start, m)
    for position in range(start, start + m):
        work.has_item[index.items[position]] = 1
    for position in range(min(n_lists, m) if not reads_all else 1):
        item = index.n_items if reads_all else index.items[start + position]
        begin: i64 = index.starts[item]
        end: i64 = index.stops[item]
        if least_text > 0:  # the texts that were indexed last
            entry = end
            while entry > begin and index.list_texts[entry - 1] >= least_text:
                entry -= 1
            begin = entry
        for entry in range(begin, end):
            if best != NO_HITS and index.list_texts[entry] >= best:
                break
            text_class: i64 = index.list_classes[entry]
            if popcount(index.list_signatures[entry] ^ signature) > limits[text_class]:
                continue
            candidate: i64 = index.list_texts[entry]
            if not reads_all and (
                position > m - needs[text_class]
                or index.list_positions[entry] > work.sizes[text_class] - needs[text_class]
            ):
                continue
            if work.seen[candidate] == work.n_searches:
                continue
            work.seen[candidate] = work.n_searches
            hits = hits_if_enough(index, query, candidate, needs[text_class], work, lcs)
            if hits < 0:
                continue
            if first_only:
                best = candidate
                work.n_matches = 0
            work.match_texts[work.n_matches] = candidate
            work.match_hits[work.n_matches] = hits
            work.n_matches += 1
    for position in range(start, start + m):
        work.has_item[index.items[position]] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def hits_if_enough(index: TextIndex, text: Text, candidate: i64, least: i64, work: QueryRoom, lcs: LcsRoom) -> i64:
    """Return the hits of the query with an indexed text; -1 if they are fewer than least."""
    start: i64 = index.offsets[candidate]
    candidate_text: Text = Text(cython.address(index.ids[0]) + start, index.offsets[candidate + 1] - start)
    spare: i64 = candidate_text.n - least
    for position in range(start, start + candidate_text.n):
        spare -= work.has_item[index.items[position]] == 0
        if spare < 0:
            return -1
    hits: i64 = length_of_lcs(text, candidate_text, lcs, least) if index.is_lcs else least + spare
    return hits if hits >= least else -1
