"""Counts of pairs of Python's strings in one call, and their precision, recall and F as Python's floats.

A pair that is long, needs preparation or looks odd is left to the caller.
"""

import cython

TextPair = cython.struct(pred=Text, ref=Text, pred_sentences=Sentences, ref_sentences=Sentences)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_kind(
    kind: i64, distinct: flag, pair: TextPair, grams: NgramRoom | None, lcs: LcsRoom | None, out: p_i64
) -> cython.void:
    """Count one pair by one kind of ``codes.py``, or ROUGE-N of n = kind; ``out`` takes hits and both totals."""
    if kind == 1:
        unigrams(pair.pred, pair.ref, distinct, grams.counts, out)
    elif kind > 1:
        if kind > 2 or distinct or not bigrams(pair.pred, pair.ref, grams.square, out):
            ngrams(pair.pred, pair.ref, kind, distinct, grams, out)
    elif kind == LCS:
        out[0], out[1], out[2] = length_of_lcs(pair.pred, pair.ref, lcs, 0), pair.pred.n, pair.ref.n
    elif kind == PAIRWISE_LCS:
        pairwise_lcs(pair.pred_sentences, pair.ref_sentences, lcs, out)
    elif kind == UNION_LCS:
        union_lcs(pair.pred_sentences, pair.ref_sentences, False, lcs, out)
    else:
        union_lcs(pair.ref_sentences, pair.pred_sentences, True, lcs, out)
        out[1], out[2] = out[2], out[1]


def count_pairs(pairs: Pairs, kind: cython.longlong, distinct: cython.bint = False, drops_last: cython.bint = False):
    """int64[n_pairs, 3]: hits and totals by a kind of ``codes.py``, or by ROUGE-N of n = kind.

    distinct counts each n-gram once; drops_last leaves out the last token of each text, as ROUGE-1.5.5 does for the
    unigrams of ROUGE-SU.
    """
    if kind < TYPE_UNION_LCS:
        raise ValueError("kind must be n of ROUGE-N, LCS, UNION_LCS, PAIRWISE_LCS or TYPE_UNION_LCS")
    counts = np.zeros((pairs.n, 3), np.int64)
    out: i64[:, ::1] = counts
    cancelled: pc_u8 = cython.address(pairs.cancelled[0])
    grams: NgramRoom | None = None
    lcs: LcsRoom | None = None
    pair: TextPair
    if kind > 0:
        grams = NgramRoom(pairs.n_ids, pairs.longest_text if kind > 1 else 0)
    elif kind == LCS or kind == PAIRWISE_LCS:
        lcs = LcsRoom(pairs.n_ids, 0, max(pairs.longest_text, pairs.longest_sentence))
    else:
        lcs = LcsRoom(pairs.n_ids, pairs.longest_sentence, carries_of_pairs(pairs, kind == TYPE_UNION_LCS))
    if lcs is not None:
        lcs.cancelled = cancelled
    with cython.nogil:
        for each in range(pairs.n):
            if is_set(cancelled):
                break
            pred, ref = pairs.predictions[each], pairs.references[each]
            pair.pred, pair.ref = text_of(pairs, pred), text_of(pairs, ref)
            if drops_last:
                pair.pred.n, pair.ref.n = max(0, pair.pred.n - 1), max(0, pair.ref.n - 1)
            pair.pred_sentences, pair.ref_sentences = sentences_of(pairs, pred), sentences_of(pairs, ref)
            count_kind(kind, distinct, pair, grams, lcs, cython.address(out[each, 0]))
    return counts


@cython.cclass
class PairRoom:
    """Arrays for one call of a ``PairCounter``."""

    memory: StemMemory
    words: Vocabulary
    grams: NgramRoom
    lcs: LcsRoom
    arrays: Room
    never: u8  # 0
    data: p_u8
    ids: p_u32
    sentences: p_i64

    def __cinit__(self, stems: cython.bint):
        most: i64 = MOST_PAIR_BYTES
        self.memory = StemMemory() if stems else None
        self.words = Vocabulary(most, stems)
        self.grams = NgramRoom(most, most)
        self.lcs = LcsRoom(most, most, (most // 64 + 2) * most)
        self.arrays = Room()
        self.never = 0
        self.data = cython.cast(p_u8, self.arrays.zeros(most + BEHIND_PAIR, 1))
        self.ids = cython.cast(p_u32, self.arrays.zeros(most, 4))
        self.sentences = cython.cast(p_i64, self.arrays.zeros(most + 2, 8))


@cython.cclass
class PairCounter:
    """Counts pairs under fixed settings, in several threads if need be.

    table and cut are as for ``tokenize_texts``; each type is an n of ROUGE-N, LCS, UNION_LCS or PAIRWISE_LCS; distinct
    counts each n-gram once; stems makes tokens with the same Porter stem the same. The counter leaves texts to the
    caller: with lowercase, if the lower case of a character is not one other character; with drops_letters, if they
    hold more code points that are not ASCII than ASCII letters.
    """

    table: object
    source: Source
    types: i64[16]
    n_types: i64
    distinct: flag
    stems: flag
    lowercase: flag
    drops_letters: flag
    rooms: list

    def __init__(
        self,
        table,
        cut: cython.longlong,
        types,
        *,
        distinct: cython.bint = False,
        stems: cython.bint = False,
        lowercase: cython.bint = False,
        drops_letters: cython.bint = False,
    ):
        if len(types) > 16 or any(each < PAIRWISE_LCS for each in types):
            raise ValueError("types are 16 at most, each n of ROUGE-N, LCS, UNION_LCS or PAIRWISE_LCS")
        self.table = table  # which source points into
        self.source = source_of(table, cut)
        self.n_types = len(types)
        for place, each in enumerate(types):
            self.types[place] = each
        self.distinct, self.stems, self.lowercase = distinct, stems, lowercase
        self.drops_letters = drops_letters
        self.rooms = []

    @cython.cfunc
    def take_room(self) -> PairRoom:
        """A room that no other call uses; put it back afterwards."""
        try:
            return self.rooms.pop()
        except IndexError:
            return PairRoom(self.stems)

    def count(self, prediction: str, reference: str):
        """Hits and totals of each type, the tokens of both texts, whether one has several sentences; None if left."""
        counts: i64[52]
        is_counted: flag = False
        try:
            one = prediction.encode()  # of ASCII a copy, which costs 40 ns
            other = reference.encode()
        except UnicodeEncodeError:  # a lone surrogate
            return None
        room: PairRoom = self.take_room()
        room.lcs.cancelled = cython.address(room.never)
        if len(one) + len(other) < MOST_PAIR_BYTES:
            is_counted = count_pair(self, room, one, len(one), other, len(other), counts)
        self.rooms.append(room)
        return tuple([counts[each] for each in range(3 * self.n_types + 3)]) if is_counted else None

    def count_many(
        self,
        predictions: list,
        references: list,
        counts: f64[:, :, ::1],  # float64[n_pairs, n_types, 3], takes hits and totals
        tokens: i64[:, ::1],  # int64[n_pairs, 2], takes the tokens of both texts
        cancelled: cython.const[u8][::1] = None,
    ):
        """Count pairs; those left to the caller, whether a text has several sentences, and may hold what is noted."""
        n_pairs: i64 = len(predictions)
        if len(references) != n_pairs or counts.shape[0] != n_pairs or tokens.shape[0] != n_pairs:
            raise ValueError("references, counts and tokens must be as many as predictions")
        if counts.shape[1] != self.n_types or counts.shape[2] != 3 or tokens.shape[1] != 2:
            raise ValueError("counts have a row of three for each type, tokens have two columns")
        arrays = Room()
        texts: cython.pointer[pc_char] = cython.cast(cython.pointer[pc_char], arrays.zeros(2 * n_pairs, 8))
        sizes: p_i64 = cython.cast(p_i64, arrays.zeros(2 * n_pairs, 8))
        is_left: p_u8 = cython.cast(p_u8, arrays.zeros(n_pairs, 1))
        encoded = []  # keeps what texts point at
        of_pair: i64[52]
        has_breaks: flag = False
        has_odd: flag = False
        for pair in range(n_pairs):
            for each in range(2):
                try:
                    text = cython.cast(str, references[pair] if each else predictions[pair]).encode()
                except UnicodeEncodeError:
                    text = b""  # of no token, so it is left
                encoded.append(text)
                texts[2 * pair + each], sizes[2 * pair + each] = text, len(text)
        room: PairRoom = self.take_room()
        room.lcs.cancelled = cython.address(room.never)
        if cancelled is not None and cancelled.shape[0] != 0:
            room.lcs.cancelled = cython.address(cancelled[0])
        with cython.nogil:
            for pair in range(n_pairs):
                if is_set(room.lcs.cancelled):
                    break
                each = 2 * pair
                if sizes[each] + sizes[each + 1] >= MOST_PAIR_BYTES or not count_pair(
                    self, room, texts[each], sizes[each], texts[each + 1], sizes[each + 1], of_pair
                ):
                    is_left[pair] = True
                    continue
                for each in range(self.n_types):
                    counts[pair, each, 0] = of_pair[3 * each]
                    counts[pair, each, 1] = of_pair[3 * each + 1]
                    counts[pair, each, 2] = of_pair[3 * each + 2]
                tokens[pair, 0], tokens[pair, 1] = of_pair[3 * self.n_types], of_pair[3 * self.n_types + 1]
                has_breaks |= of_pair[3 * self.n_types + 2] != 0
                has_odd |= of_pair[3 * self.n_types + 3] != 0
        self.rooms.append(room)
        return [pair for pair in range(n_pairs) if is_left[pair]], has_breaks, has_odd


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def must_be_prepared(counter: PairCounter, data: pc_u8, n_one: i64, n_data: i64) -> flag:
    """Whether a pair of texts that are not ASCII is left to the caller; bytes behind it are 0."""
    has_odd_case: u8 = 0
    if counter.lowercase:
        for place in range(n_data):  # the letters of ``LOWERED_BEFORE``: U+0130, U+03A3, U+212A
            has_odd_case |= (data[place] == 0xC4) & (data[place + 1] == 0xB0)
            has_odd_case |= (data[place] == 0xCE) & (data[place + 1] == 0xA3)
            has_odd_case |= (data[place] == 0xE2) & (data[place + 1] == 0x84) & (data[place + 2] == 0xAA)
    if has_odd_case or not counter.drops_letters:
        return has_odd_case != 0
    return letter_balance(data, 0, n_one) < 0 or letter_balance(data, n_one, n_data) < 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_pair(
    counter: PairCounter, room: PairRoom, one: pc_char, n_one: i64, other: pc_char, n_other: i64, counts: p_i64
) -> flag:
    """Count one pair of UTF-8 texts; False where it is left to the caller."""
    data: p_u8 = room.data
    sentences: p_i64 = room.sentences
    source: Source = counter.source
    pair: TextPair
    n_data: i64 = n_one + n_other
    source.data, source.n_data = data, n_data + BEHIND_PAIR
    copy_bytes(data, one, n_one)
    copy_bytes(data + n_one, other, n_other)
    fill_bytes(data + n_data, 0, BEHIND_PAIR)
    has_others: flag = not is_ascii(data, n_data)
    if has_others and must_be_prepared(counter, data, n_one, n_data):
        return False
    n_pred, pred_sentences = scan(source, 0, n_one, room.words, 0)
    for each in range(pred_sentences):
        sentences[each] = room.words.breaks[each]
    n, n_breaks = scan(source, n_one, n_data, room.words, n_pred)
    for each in range(n_breaks):
        sentences[pred_sentences + each] = n_pred + room.words.breaks[each]
    sentences[pred_sentences + n_breaks] = n_pred + n
    if n_pred == 0 or n == 0 or number_tokens(source, room.words, n_pred + n, room.memory, room.ids) < 0:
        return False
    pair.pred, pair.ref = Text(room.ids, n_pred), Text(room.ids + n_pred, n)
    pair.pred_sentences = Sentences(room.ids, sentences, pred_sentences)
    pair.ref_sentences = Sentences(room.ids, sentences + pred_sentences, n_breaks)
    for each in range(counter.n_types):
        count_kind(counter.types[each], counter.distinct, pair, room.grams, room.lcs, counts + 3 * each)
    counts[3 * counter.n_types], counts[3 * counter.n_types + 1] = n_pred, n
    counts[3 * counter.n_types + 2] = pred_sentences > 1 or n_breaks > 1
    counts[3 * counter.n_types + 3] = has_others and any_needs_a_look(data, n_data)
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_ascii(data: pc_u8, n: i64) -> flag:
    """Whether the first n bytes are ASCII; bytes behind them are 0."""
    high: u64 = 0
    for place in range(0, n, 8):
        high |= load_eight(data, place)
    return high & HIGH_BITS == 0


@cython.cclass
class FRule:
    """How F is made of precision and recall; ``alpha`` is below 0 for none, ``epsilon`` added below the line."""

    square: f64
    alpha: f64
    epsilon: f64

    def __init__(self, beta: cython.double, alpha: cython.double, epsilon: cython.double):
        self.square, self.alpha, self.epsilon = beta * beta, alpha, epsilon

    def triples(self, counts: tuple):
        """Precision, recall and F of each type, of the counts of one pair as ``PairCounter.count`` gives them."""
        triples: list = []
        scores: f64[3]
        n: i64 = len(counts) // 3 - 1  # three more are no type's
        for place in range(n):
            scores_of(self, counts[3 * place], counts[3 * place + 1], counts[3 * place + 2], scores)
            triples.append((scores[0], scores[1], scores[2]))
        return triples

    def columns(self, counts: cython.const[f64][:, :, ::1]):
        """For each type three lists: precision, recall and F of each pair; counts as of ``count_many``."""
        columns: list = []
        scores: f64[3]
        if counts.shape[2] != 3:
            raise ValueError("counts are hits and two totals")
        for column in range(counts.shape[1]):
            precisions, recalls, f_measures = [], [], []
            for pair in range(counts.shape[0]):
                scores_of(self, counts[pair, column, 0], counts[pair, column, 1], counts[pair, column, 2], scores)
                precisions.append(scores[0])
                recalls.append(scores[1])
                f_measures.append(scores[2])
            columns += [precisions, recalls, f_measures]
        return columns


@cython.cfunc
@cython.exceptval(check=False)
def scores_of(rule: FRule, hits: f64, total: f64, other: f64, scores: p_f64) -> cython.void:
    """Precision, recall and F, each by the operations of ``scores_from_counts`` in their order."""
    precision: f64 = 0
    recall: f64 = 0
    if hits != 0 and total != 0:
        precision = hits / total
    if hits != 0 and other != 0:
        recall = hits / other
    if rule.alpha >= 0:
        above = precision * recall
        below = (1 - rule.alpha) * precision + rule.alpha * recall
    else:
        above = (1 + rule.square) * precision * recall
        below = recall + rule.square * precision
    if rule.epsilon != 0:
        below += rule.epsilon
    scores[0], scores[1], scores[2] = precision, recall, above / below if below != 0 else 0
