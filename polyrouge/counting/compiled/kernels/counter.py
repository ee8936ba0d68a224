"""Read texts to ids of tokens, and count pairs of ids by all types: the one path of all callers.

``read`` reads any number of texts, and ``count_read`` counts pairs of them; ``count`` does both, sample by sample.
"""

import cython

CountedType = cython.struct(kind=i64, gap=i64, with_unigrams=flag)


@cython.cclass
class TextCounter:
    """Count texts under fixed settings, in any number of threads.

    table is a ``CharacterTable``; cut, rule, segment and kinds are numbers of ``_kernels.pyx``; jieba is None or
    ``JiebaTables``. A type is a triple: n of ROUGE-N or a kind, the gap, and whether unigrams are counted too. distinct
    counts each n-gram once; unclipped lets totals fall below 0; drops_last leaves out the last token of the unigrams of
    ROUGE-SU. weights(n) gives f(0) ... f(n) of ROUGE-W. rewrite maps a token to another or to None; stems says that
    tokens are stemmed as Porter does. compose brings a text that ``count`` counts into NFC. of_ascii says that all
    texts are ASCII.
    """

    table: object
    jieba: object
    reader: Reader
    types_of: Room
    types: cython.pointer[CountedType]
    n_types: i64
    distinct: flag
    unclipped: flag
    drops_last: flag
    stems: flag
    rewrite: object
    compose: object
    composes: flag
    weights: object
    of_ascii: flag
    has_grams: flag
    has_lcs: flag
    has_skips: flag
    has_weighted: flag
    rooms: list

    def __init__(
        self,
        types,
        *,
        table=None,
        cut: cython.longlong = 0,
        rule: cython.longlong = 0,
        segment: cython.longlong = 0,
        jieba=None,
        use_hmm: cython.bint = True,
        distinct: cython.bint = False,
        unclipped: cython.bint = False,
        drops_last: cython.bint = False,
        stems: cython.bint = False,
        rewrite=None,
        compose=None,
        weights=None,
        drops_letters: cython.bint = False,
        of_ascii: cython.bint = False,
    ):
        self.table, self.jieba = table, jieba  # which reader points into
        if table is not None:
            self.reader.source = source_of(table, cut)
        if jieba is not None:
            self.reader.jieba = dictionary_of(jieba, use_hmm)
        elif rule == JIEBA_WORDS or segment >= WORDS:
            raise ValueError("jieba's tables are missing")
        self.reader.rule, self.reader.segment = rule, segment
        self.reader.drops_letters = drops_letters
        self.n_types = len(types)
        self.types_of = Room()
        self.types = cython.cast(
            cython.pointer[CountedType], self.types_of.zeros(len(types), cython.sizeof(CountedType))
        )
        self.has_grams = self.has_lcs = self.has_skips = self.has_weighted = False
        for number, (kind, gap, with_unigrams) in enumerate(types):
            if kind < SKIP_BIGRAMS or (kind <= WEIGHTED_LCS and kind > SKIP_BIGRAMS and weights is None):
                raise ValueError("a type is n of ROUGE-N or a kind of _kernels.pyx, and ROUGE-W needs weights")
            self.types[number].kind, self.types[number].gap = kind, gap
            self.types[number].with_unigrams = with_unigrams
            self.has_grams |= kind > 0 or (kind == SKIP_BIGRAMS and with_unigrams)
            self.has_lcs |= TYPE_UNION_LCS <= kind <= LCS
            self.has_skips |= kind == SKIP_BIGRAMS
            self.has_weighted |= kind == WEIGHTED_LCS or kind == WEIGHTED_LCS_PAPER
        self.distinct, self.unclipped, self.drops_last, self.stems = distinct, unclipped, drops_last, stems
        self.rewrite, self.weights, self.of_ascii = rewrite, weights, of_ascii
        self.compose, self.composes = compose, compose is not None
        self.rooms = []

    @cython.cfunc
    def take_room(self, n_bytes: i64, n_texts: i64) -> ReadingRoom:
        """Take a room that no other call uses, for a sample of so many bytes and texts; put it back afterwards."""
        room: ReadingRoom
        memory: StemMemory | None = None
        try:
            room = self.rooms.pop()
            if room.capacity >= n_bytes and room.n_texts >= n_texts:
                return room
            memory = room.memory
        except IndexError:
            if self.stems or self.rewrite is not None:
                memory = StemMemory(1 << 17 if self.stems else 1 << 16, self.rewrite)
        size: i64 = 1 << 12
        while size < n_bytes:
            size *= 2
        cuts = self.reader.rule == JIEBA_WORDS or self.reader.segment >= WORDS
        return ReadingRoom(size, max(8, 2 * n_texts), memory, cuts)

    @cython.cfunc
    def put_back(self, room: ReadingRoom):
        """Keep a room for other calls; of a very large room keep only the memory of stems."""
        counting: CountingRoom = room.counting
        n_carries: i64 = counting.lcs.n_carries if counting.lcs is not None else 0
        if max(room.capacity, n_carries) > MOST_KEPT or max(counting.longest, counting.n_ids) > MOST_KEPT:
            room = ReadingRoom(1, 1, room.memory, False)
            room.capacity = -1
        self.rooms.append(room)

    @cython.cfunc
    @cython.exceptval(-1)
    def grow_counting(self, room: CountingRoom, n_ids: i64, longest: i64, cancelled: pc_u8) -> cython.int:
        """Make a counting room large enough for texts of ``longest`` tokens and ``n_ids`` ids."""
        if n_ids > room.n_ids or longest > room.longest:
            room.n_ids = room.longest = 512
            while room.n_ids < n_ids:
                room.n_ids *= 2
            while room.longest < longest:
                room.longest *= 2
            if self.has_grams:
                room.grams = NgramRoom(room.n_ids, room.longest)
            if self.has_lcs:
                room.lcs = LcsRoom(room.n_ids, room.longest, 2 * room.longest)
            if self.has_skips:
                room.skips = SkipRoom(room.n_ids, room.longest)
            if self.has_weighted:
                room.weighted = WeightedRoom(room.n_ids, room.longest)
        if self.has_weighted:
            if room.n_f <= room.longest:
                room.f = np.array(self.weights(room.longest + 1))
                room.n_f = room.f.shape[0]
            room.weighted.f = cython.address(room.f[0])
            room.weighted.cancelled = cancelled
        if self.has_lcs:
            room.lcs.cancelled = cancelled
        if self.has_skips:
            room.skips.cancelled = cancelled
        return 0

    def count(
        self,
        predictions: list,
        references: list,
        n_references: list | None = None,
        cancelled: cython.const[u8][::1] = None,  # uint8[1], which another thread sets to stop the counting
    ):
        """Count the pairs of samples; None for ROUGE-W, and for a long sample whose counting nothing can cancel.

        ``references`` are those of all samples, one after the other; each sample has one unless ``n_references`` says
        how many.
        """
        reader: Reader = self.reader  # a copy, because other threads read other texts
        never: u8 = 0
        stopped: pc_u8 = cython.address(never)
        n_bytes: i64 = 0
        most_bytes: i64 = 0
        most_texts: i64 = 0
        n_sample_references: i64 = 1
        n_texts: i64 = 0
        size_of_text: cython.Py_ssize_t = 0
        sample: i64 = 0
        stop: i64
        if self.has_weighted:
            return None
        if cancelled is not None:
            if cancelled.shape[0] == 0:
                raise ValueError("cancelled must have an item")
            stopped = cython.address(cancelled[0])
        texts: list = predictions + references  # which nobody else changes
        n_samples: i64 = len(predictions)
        n_pairs: i64 = len(texts) - n_samples
        counted = Counted(n_samples, n_pairs, self.n_types)
        reference: i64 = n_samples
        if n_references is not None and len(n_references) != n_samples:
            raise ValueError("n_references must be as many as predictions, and add up to the references")
        for sample in range(n_samples):
            if n_references is not None:
                n_sample_references = n_references[sample]
            if n_sample_references < 0 or n_sample_references > n_samples + n_pairs - reference:
                raise ValueError("n_references must be as many as predictions, and add up to the references")
            counted.first_texts[sample] = n_texts
            size: i64 = 0
            for index in range(n_sample_references + 1):
                text = cython.cast(str, texts[sample if index == 0 else reference + index - 1])
                if not self.of_ascii:  # else the text would keep its UTF-8
                    data = text.encode()
                    texts[sample if index == 0 else reference + index - 1] = data
                    counted.texts[n_texts], counted.sizes[n_texts] = data, len(data)
                else:
                    counted.texts[n_texts] = utf8_of(text, cython.address(size_of_text))
                    counted.sizes[n_texts] = size_of_text
                size += counted.sizes[n_texts]
                n_texts += 1
            reference += n_sample_references
            n_bytes += size
            most_bytes, most_texts = max(most_bytes, size), max(most_texts, n_sample_references + 1)
        counted.first_texts[n_samples] = n_texts
        if reference != n_samples + n_pairs:
            raise ValueError("n_references must be as many as predictions, and add up to the references")
        if most_bytes > MOST_AT_ONCE and cancelled is None:
            return None
        if most_bytes > MOST_TOKENS // 2:
            raise ValueError("the texts of a vocabulary may have 1,073,741,816 bytes at most")
        room: ReadingRoom = self.take_room(most_bytes, most_texts)
        self.grow_counting(room.counting, 1, 1, stopped)
        sample = 0
        while True:
            if n_bytes > MOST_AT_ONCE:
                with cython.nogil:
                    stop = count_samples(self, cython.address(reader), room, sample, texts, counted, stopped)
            else:
                stop = count_samples(self, cython.address(reader), room, sample, texts, counted, stopped)
            if stop < 0:
                self.raise_error(room)
            if stop == n_samples:
                break
            sample = stop
            most_bytes = bytes_of_sample(counted, sample)
            if most_bytes > room.capacity:  # some composed letters have more bytes
                self.put_back(room)
                room = self.take_room(most_bytes, most_texts)
                self.grow_counting(room.counting, 1, 1, stopped)
            else:
                self.grow_counting(room.counting, room.n_ids, room.longest, stopped)
        self.put_back(room)
        return counted

    @cython.cfunc
    @cython.exceptval(-1)
    def compose_sample(self, texts: list, counted: Counted, sample: i64) -> cython.int:
        """Bring the flagged texts of a sample into NFC; say whether one has changed."""
        first: i64 = counted.first_texts[sample]
        is_changed: cython.int = 0
        for text in range(first, counted.first_texts[sample + 1]):
            if counted.text_flags[text] & MAY_BE_DECOMPOSED:
                index = sample if text == first else counted.n_samples + text - sample - 1
                data = cython.cast(bytes, texts[index])
                composed = cython.cast(bytes, self.compose(data.decode()).encode())
                if composed != data:
                    texts[index] = composed  # keeps what the pointer points at
                    counted.texts[text], counted.sizes[text] = composed, len(composed)
                    is_changed = 1
        if bytes_of_sample(counted, sample) > MOST_TOKENS // 2:
            raise ValueError("the texts of a vocabulary may have 1,073,741,816 bytes at most")
        return is_changed

    @cython.cfunc
    @cython.exceptval(-1)
    def raise_error(self, room: ReadingRoom) -> cython.int:
        """Raise the error of a failed reading."""
        if room.memory is not None and room.memory.error is not None:
            error, room.memory.error = room.memory.error, None
            raise error
        raise MemoryError

    def read(self, texts: list, begins: cython.const[u8][::1], with_spans: cython.bint = False):
        """Read texts; a vocabulary begins with each text of ``begins``, and only its texts can be counted together.

        Returns the fields of ``TokenIds`` but sentence_ids; flags of each text, uint8[n_texts]; and, with_spans,
        int32[n_tokens, 2]: each token's first character in its text, and the position after its last.
        """
        reader: Reader = self.reader  # a copy, as other threads read other texts
        n_texts: i64 = len(texts)
        if begins.shape[0] != n_texts:
            raise ValueError("begins must be as many as texts")
        arrays = Room()
        pointers: cython.pointer[pc_char] = cython.cast(cython.pointer[pc_char], arrays.zeros(n_texts, 8))
        sizes: p_i64 = cython.cast(p_i64, arrays.zeros(n_texts, 8))
        encoded = []  # keeps what pointers point at
        n_bytes: i64 = 0
        most_bytes: i64 = 0
        most_texts: i64 = 0
        first: i64 = 0
        size: i64 = 0
        for text in range(n_texts):
            data = cython.cast(str, texts[text]).encode()
            encoded.append(data)
            pointers[text], sizes[text] = data, len(data)
            if begins[text]:
                first, size = text, 0
            size += sizes[text]
            n_bytes += sizes[text]
            most_bytes, most_texts = max(most_bytes, size), max(most_texts, text + 1 - first)
        if most_bytes > MOST_TOKENS // 2:
            raise ValueError("the texts of a vocabulary may have 1,073,741,816 bytes at most")
        all_ids = np.empty(2 * n_bytes + n_texts + 1, np.uint32)
        all_text_tokens = np.zeros(n_texts + 1, np.int64)
        all_sentence_tokens = np.empty(2 * n_bytes + n_texts + 1, np.int64)
        all_text_sentences = np.zeros(n_texts + 1, np.int64)
        all_flags = np.zeros(n_texts + 1, np.uint8)
        all_spans = np.empty((2 * n_bytes + n_texts + 1 if with_spans else 1, 2), np.int32)
        ids: u32[::1] = all_ids
        text_tokens: i64[::1] = all_text_tokens
        sentence_tokens: i64[::1] = all_sentence_tokens
        text_sentences: i64[::1] = all_text_sentences
        flags: u8[::1] = all_flags
        spans: i32[:, ::1] = all_spans
        room: ReadingRoom = self.take_room(most_bytes, most_texts)
        n_tokens: i64 = 0
        n_sentences: i64 = 0
        n_ids: i64 = 1
        stop: i64
        first = 0
        with cython.nogil:
            while first < n_texts:
                stop = first + 1
                while stop < n_texts and not begins[stop]:
                    stop += 1
                n = read_texts(
                    cython.address(reader),
                    room,
                    pointers + first,
                    sizes + first,
                    stop - first,
                    cython.address(flags[first]),
                )
                if n < 0:
                    with cython.gil:
                        self.raise_error(room)
                n_ids = max(n_ids, n)
                n_read = room.text_tokens[stop - first]
                copy_bytes(cython.address(ids[n_tokens]), room.ids, n_read * cython.sizeof(u32))
                for index in range(room.text_sentences[stop - first]):
                    sentence_tokens[n_sentences + index] = n_tokens + room.sentences[index]
                for index in range(1, stop - first + 1):
                    text_tokens[first + index] = n_tokens + room.text_tokens[index]
                    text_sentences[first + index] = n_sentences + room.text_sentences[index]
                for index in range(stop - first if with_spans else 0):
                    original = cython.cast(pc_u8, pointers[first + index])
                    text_spans = cython.address(spans[n_tokens + room.text_tokens[index], 0])
                    write_spans(room, index, original, sizes[first + index], text_spans)
                n_tokens += n_read
                n_sentences += room.text_sentences[stop - first]
                first = stop
            sentence_tokens[n_sentences] = n_tokens
        self.put_back(room)
        return (
            all_ids[:n_tokens],
            all_text_tokens,
            all_sentence_tokens[: n_sentences + 1],
            all_text_sentences,
            n_ids,
            all_flags[:n_texts],
            all_spans[:n_tokens] if with_spans else None,
        )

    def count_read(
        self,
        pairs: Pairs,
        counts: f64[:, :, ::1],  # float64[n_pairs, n_types, 3], takes hits and totals
        bases: f64[::1] = None,  # float64[n_pairs], takes the base of ROUGE-W
    ):
        """Count pairs of texts that ``read`` has read."""
        if counts.shape[0] != pairs.n or counts.shape[1] != self.n_types or counts.shape[2] != 3:
            raise ValueError("counts have a row of three for each pair and type")
        if bases is not None and not (bases.shape[0] == pairs.n and self.has_weighted):
            raise ValueError("bases are as many as pairs, and only of ROUGE-W")
        cancelled: pc_u8 = cython.address(pairs.cancelled[0])
        longest: i64 = pairs.longest_text
        for text in range(pairs.text_tokens.shape[0] - 1):
            longest = max(longest, tokens_in(sentences_of(pairs, text)).n)
        room: ReadingRoom = self.take_room(1, 1)
        counting: CountingRoom = room.counting
        self.grow_counting(counting, pairs.n_ids, longest, cancelled)
        base: p_f64 = cython.NULL
        has_bases: flag = bases is not None
        pair: TextPair
        with cython.nogil:
            for index in range(pairs.n):
                if is_set(cancelled):
                    break
                pred, ref = pairs.predictions[index], pairs.references[index]
                pair.pred, pair.ref = text_of(pairs, pred), text_of(pairs, ref)
                pair.pred_sentences, pair.ref_sentences = sentences_of(pairs, pred), sentences_of(pairs, ref)
                if has_bases:
                    base = cython.address(bases[index])
                if not count_all(self, counting, pair, cython.address(counts[index, 0, 0]), base):
                    with cython.gil:
                        raise MemoryError
        self.put_back(room)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def bytes_of_sample(counted: Counted, sample: i64) -> i64:
    """Return the bytes of the texts of a sample."""
    size: i64 = 0
    for text in range(counted.first_texts[sample], counted.first_texts[sample + 1]):
        size += counted.sizes[text]
    return size


@cython.cfunc
@cython.nogil
@cython.exceptval(-9)
def count_samples(
    counter: TextCounter,
    reader: cython.pointer[Reader],
    room: ReadingRoom,
    sample: i64,
    texts: list,
    counted: Counted,
    cancelled: pc_u8,
) -> i64:
    """Count samples from one on; return the next, for which the room must grow, or the failure of ``read_texts``.

    Samples are not counted once ``cancelled`` is set.
    """
    pair: TextPair
    is_composed: flag = not counter.composes
    is_changed: cython.int
    n_samples: i64 = counted.n_samples
    while sample < n_samples:
        if is_set(cancelled):
            return n_samples
        first = counted.first_texts[sample]
        n_texts = counted.first_texts[sample + 1] - first
        n_ids = read_texts(
            reader, room, counted.texts + first, counted.sizes + first, n_texts, counted.text_flags + first
        )
        if n_ids < 0:
            return n_ids
        longest: i64 = 0
        flags: u8 = 0
        for text in range(n_texts):
            longest = max(longest, room.text_tokens[text + 1] - room.text_tokens[text])
            flags |= counted.text_flags[first + text]
        if flags & MAY_BE_DECOMPOSED and not is_composed:
            with cython.gil:
                is_changed = counter.compose_sample(texts, counted, sample)
            if is_changed:
                if bytes_of_sample(counted, sample) > room.capacity:
                    return sample
                is_composed = True
                continue
        is_composed = not counter.composes
        counted.flags |= flags
        if n_ids > room.counting.n_ids or longest > room.counting.longest:
            room.n_ids, room.longest = n_ids, longest
            return sample
        n_pred = room.text_tokens[1]
        pair.pred = Text(room.ids, n_pred)
        pair.pred_sentences = Sentences(room.ids, room.sentences, room.text_sentences[1])
        for text in range(1, n_texts):
            number = first - sample + text - 1
            start = room.text_tokens[text]
            n_ref = room.text_tokens[text + 1] - start
            sentence = room.text_sentences[text]
            pair.ref = Text(room.ids + start, n_ref)
            pair.ref_sentences = Sentences(
                room.ids, room.sentences + sentence, room.text_sentences[text + 1] - sentence
            )
            out = counted.counts + 3 * counter.n_types * number
            if not count_all(counter, room.counting, pair, out, cython.NULL):
                return -1
            counted.tokens[2 * number], counted.tokens[2 * number + 1] = n_pred, n_ref
            counted.fewest_tokens = min(counted.fewest_tokens, n_pred, n_ref)
            counted.most_tokens = max(counted.most_tokens, n_pred + n_ref)
        sample += 1
    return sample


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_all(counter: TextCounter, counting: CountingRoom, pair: TextPair, out: p_f64, base: p_f64) -> flag:
    """Count two texts by all types; return False without memory."""
    counts: i64[3]
    unigram_counts: i64[3]
    shorter: TextPair
    distinct: flag = counter.distinct
    for column in range(counter.n_types):
        kind = counter.types[column].kind
        if kind == WEIGHTED_LCS:
            if not weighted_lcs(pair.pred_sentences, pair.ref_sentences, counting.weighted, out + 3 * column):
                return False
            continue
        if kind == WEIGHTED_LCS_PAPER:
            weighted_lcs_paper(pair.pred, pair.ref, counting.weighted, out + 3 * column)
            continue
        if kind == SKIP_BIGRAMS:
            skip_bigrams(pair.pred, pair.ref, counter.types[column].gap, counting.skips, counts)
            if counter.types[column].with_unigrams:
                shorter.pred, shorter.ref = pair.pred, pair.ref
                if counter.drops_last:
                    shorter.pred.n, shorter.ref.n = max(0, pair.pred.n - 1), max(0, pair.ref.n - 1)
                unigrams(shorter.pred, shorter.ref, False, counting.grams.counts, unigram_counts)
                for item in range(3):
                    counts[item] += unigram_counts[item]
        elif kind == 1:
            unigrams(pair.pred, pair.ref, distinct, counting.grams.counts, counts)
        elif kind > 1:
            if kind > 2 or distinct or not bigrams(pair.pred, pair.ref, counting.grams.square, counts):
                ngrams(pair.pred, pair.ref, kind, distinct, counting.grams, counts)
        elif kind == LCS:
            counts[0] = length_of_lcs(pair.pred, pair.ref, counting.lcs, 0)
            counts[1], counts[2] = pair.pred.n, pair.ref.n
        elif kind == PAIRWISE_LCS:
            pairwise_lcs(pair.pred_sentences, pair.ref_sentences, counting.lcs, counts)
        elif kind == UNION_LCS:
            if not union_lcs(pair.pred_sentences, pair.ref_sentences, False, counting.lcs, counts):
                return False
        else:
            if not union_lcs(pair.ref_sentences, pair.pred_sentences, True, counting.lcs, counts):
                return False
            counts[1], counts[2] = counts[2], counts[1]
        if counter.unclipped and kind > 0 and not distinct:
            counts[1], counts[2] = pair.pred.n - kind + 1, pair.ref.n - kind + 1
        out[3 * column], out[3 * column + 1], out[3 * column + 2] = counts[0], counts[1], counts[2]
    if base != cython.NULL:
        base[0] = 0
        for sentence in range(pair.ref_sentences.n):
            base[0] += counting.weighted.f[sentence_of(pair.ref_sentences, sentence).n]
    return True
