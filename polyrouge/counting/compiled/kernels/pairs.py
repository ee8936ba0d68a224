"""Pairs of Python's strings to counts in one call, without an array made for each: for calls with one pair or a few.

What depends on settings only is made once. A pair that is long, needs preparation or looks odd is left to the caller,
who has the general road for it. Its counts become precision, recall and F as Python's floats by the twin of
``scoring.scores.scores_of_pair``.
"""

import cython

if not cython.compiled:
    from polyrouge.counting.compiled.kernels.bits import *
    from polyrouge.counting.compiled.kernels.codes import *
    from polyrouge.counting.compiled.kernels.lcs import *
    from polyrouge.counting.compiled.kernels.ngrams import *
    from polyrouge.counting.compiled.kernels.room import *
    from polyrouge.counting.compiled.kernels.scan import *
    from polyrouge.counting.compiled.kernels.stems import *
    from polyrouge.counting.compiled.kernels.texts import *


@cython.cclass
class PairRoom:
    """What one call of a ``PairCounter`` works in."""

    room: Room
    memory: StemMemory
    words: Vocabulary
    grams: NgramRoom
    union_arrays: UnionRoom
    data: p_u8
    ids: p_u32
    sentences: p_i64

    def __cinit__(self, stems: cython.bint):
        most: i64 = MOST_PAIR_BYTES
        self.room = Room()
        self.memory = StemMemory() if stems else None
        self.words = vocabulary_in(self.room, most, stems)
        self.grams = ngram_room(self.room, most)
        self.union_arrays = union_room(self.room, most, most, (most // 64 + 2) * most)
        self.data = cython.cast(p_u8, self.room.zeros(most + BEHIND_PAIR, 1))
        self.ids = cython.cast(p_u32, self.room.zeros(most, 4))
        self.sentences = cython.cast(p_i64, self.room.zeros(most + 2, 8))


@cython.cclass
class PairCounter:
    """Counts pairs under fixed settings. May be called from several threads at once.

    Args:
        points, begins_mark, cut, lone_marks, ascii_words: as for ``tokenize_texts``.
        types: for each ROUGE type its n, or LCS, UNION_LCS or PAIRWISE_LCS; 16 at most.
        distinct: count each n-gram once.
        stems: tokens with the same Porter stem are the same.
        lowercase: leave texts to the caller in which a character is whose lower case is not one other character.
        composes: leave texts that NFC may change.
        drops_letters: leave texts with more code points that are not ASCII than ASCII letters.
    """

    points: cython.const[i32][::1]
    begins_mark: cython.const[u8][::1]
    rules: Tokenizer
    types: i64[16]
    n_types: i64
    distinct: flag
    stems: flag
    lowercase: flag
    composes: flag
    drops_letters: flag
    rooms: list

    def __init__(
        self,
        points,
        begins_mark,
        cut: cython.longlong,
        lone_marks: cython.bint,
        ascii_words: cython.bint,
        types,
        *,
        distinct: cython.bint = False,
        stems: cython.bint = False,
        lowercase: cython.bint = False,
        composes: cython.bint = False,
        drops_letters: cython.bint = False,
    ):
        self.points, self.begins_mark = points, begins_mark.view(np.uint8)
        if self.points.shape[0] != 0x110000 or self.begins_mark.shape[0] != 256:
            raise ValueError("points are 0x110000, begins_mark 256")
        if len(types) > 16 or any(each < PAIRWISE_LCS for each in types):
            raise ValueError("types are 16 at most, each n of ROUGE-N, LCS, UNION_LCS or PAIRWISE_LCS")
        self.rules.points, self.rules.begins_mark = cython.address(self.points[0]), cython.address(self.begins_mark[0])
        self.rules.cut, self.rules.lone_marks, self.rules.ascii_words = cut, lone_marks, ascii_words
        self.rules.fold = CASE_BITS if self.points[65] >> LOWER != 65 else 0
        self.n_types = len(types)
        for place, each in enumerate(types):
            self.types[place] = each
        self.distinct, self.stems, self.lowercase = distinct, stems, lowercase
        self.composes, self.drops_letters = composes, drops_letters
        self.rooms = []

    @cython.cfunc
    def take_room(self) -> PairRoom:
        """A room that no other call has; it is put back after use."""
        try:
            return self.rooms.pop()
        except IndexError:
            return PairRoom(self.stems)

    def count(self, prediction: str, reference: str):
        """Count one pair.

        Returns:
            Hits and totals of each type, one after the other, then the tokens of both, and whether one of them has
            several sentences; None for a pair that is left to the caller.
        """
        counts: i64[52]
        is_counted: flag = False
        going: u8 = 0
        try:
            one = prediction.encode()  # of ASCII a copy, which costs 40 ns
            other = reference.encode()
        except UnicodeEncodeError:  # a lone surrogate
            return None
        room: PairRoom = self.take_room()
        if len(one) + len(other) < MOST_PAIR_BYTES:
            is_counted = count_pair(self, room, one, len(one), other, len(other), cython.address(going), counts)
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
        """Count pairs.

        Returns:
            Those that are left to the caller; whether some text has several sentences; and whether some text that is
            looked at here may hold what ``reading.lookalikes`` looks for.
        """
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
        found: i64[52]
        has_breaks: flag = False
        has_odd: flag = False
        never: u8 = 0
        going: pc_u8 = cython.address(never)
        if cancelled is not None:
            check_cancelled(cancelled)
            going = cython.address(cancelled[0])
        for pair in range(n_pairs):
            for each in range(2):
                try:
                    text = cython.cast(str, references[pair] if each else predictions[pair]).encode()
                except UnicodeEncodeError:
                    text = b""  # of no token, so it is left
                encoded.append(text)
                texts[2 * pair + each], sizes[2 * pair + each] = text, len(text)
        room: PairRoom = self.take_room()
        with cython.nogil:
            for pair in range(n_pairs):
                if is_set(going):
                    break
                each = 2 * pair
                if sizes[each] + sizes[each + 1] >= MOST_PAIR_BYTES or not count_pair(
                    self, room, texts[each], sizes[each], texts[each + 1], sizes[each + 1], going, found
                ):
                    is_left[pair] = True
                    continue
                for each in range(self.n_types):
                    counts[pair, each, 0] = found[3 * each]
                    counts[pair, each, 1] = found[3 * each + 1]
                    counts[pair, each, 2] = found[3 * each + 2]
                tokens[pair, 0], tokens[pair, 1] = found[3 * self.n_types], found[3 * self.n_types + 1]
                has_breaks |= found[3 * self.n_types + 2] != 0
                has_odd |= found[3 * self.n_types + 3] != 0
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
    if has_odd_case or (counter.composes and may_change_any(data, n_data)):
        return True
    if not counter.drops_letters:
        return False
    return letter_balance(data, 0, n_one) < 0 or letter_balance(data, n_one, n_data) < 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_pair(
    counter: PairCounter,
    room: PairRoom,
    one: pc_char,
    n_one: i64,
    other: pc_char,
    n_other: i64,
    cancelled: pc_u8,
    counts: p_i64,
) -> flag:
    """Count one pair of UTF-8 texts; False where it is left to the caller."""
    data: p_u8 = room.data
    words: Vocabulary = room.words
    n_data: i64 = n_one + n_other
    copy_bytes(data, one, n_one)
    copy_bytes(data + n_one, other, n_other)
    fill_bytes(data + n_data, 0, BEHIND_PAIR)
    has_others: flag = not is_ascii(data, n_data)
    if has_others and must_be_prepared(counter, data, n_one, n_data):
        return False
    n_pred, pred_sentences = scan(
        data, n_data + BEHIND_PAIR, 0, n_one, counter.rules, words.bounds, words.keys, room.sentences
    )
    n, n_breaks = scan(
        data,
        n_data + BEHIND_PAIR,
        n_one,
        n_data,
        counter.rules,
        words.bounds + 2 * n_pred,
        words.keys + 2 * n_pred,
        words.breaks,
    )
    if n_pred == 0 or n == 0:
        return False
    for each in range(n_breaks):
        room.sentences[pred_sentences + each] = n_pred + words.breaks[each]
    n_tokens, n_sentences = n_pred + n, pred_sentences + n_breaks
    room.sentences[n_sentences] = n_tokens
    if (
        number_tokens(
            data, n_data + BEHIND_PAIR, counter.rules.points, counter.rules.fold, words, n_tokens, room.memory, room.ids
        )
        < 0
    ):
        return False
    for each in range(counter.n_types):
        kind, out = counter.types[each], counts + 3 * each
        if kind == LCS:
            out[1], out[2] = n_pred, n
            out[0] = length_of_lcs(
                room.ids, n_pred, room.ids + n_pred, n, room.union_arrays.matches, room.union_arrays.carries, cancelled
            )
        elif kind == UNION_LCS:
            union_lcs(
                room.ids,
                room.sentences,
                0,
                pred_sentences,
                pred_sentences,
                n_sentences,
                False,
                room.union_arrays,
                cancelled,
                out,
            )
        elif kind == PAIRWISE_LCS:
            pairwise_lcs(
                room.ids,
                room.sentences,
                0,
                pred_sentences,
                pred_sentences,
                n_sentences,
                room.union_arrays.matches,
                room.union_arrays.carries,
                cancelled,
                out,
            )
        else:
            ngrams_of_any_order(
                room.ids, n_pred, room.ids + n_pred, n, kind, counter.distinct, cython.address(room.grams), out
            )
    counts[3 * counter.n_types], counts[3 * counter.n_types + 1] = n_pred, n
    counts[3 * counter.n_types + 2] = pred_sentences > 1 or n_breaks > 1
    counts[3 * counter.n_types + 3] = has_others and has_lookalikes(data, n_data)
    return True


@cython.cfunc
@cython.inline
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
        column: i64
        pair: i64
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
    """Precision, recall and F, each by the operations of ``scores_of_pair`` in their order."""
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
