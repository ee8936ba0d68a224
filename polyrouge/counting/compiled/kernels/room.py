"""Working memory of kernels, and the pairs of texts that they count."""

import cython

Text = cython.struct(ids=pc_u32, n=i64)  # the tokens of a text or of a sentence
Sentences = cython.struct(ids=pc_u32, bounds=pc_i64, n=i64)  # sentence i is ids[bounds[i]:bounds[i + 1]]
TextPair = cython.struct(pred=Text, ref=Text, pred_sentences=Sentences, ref_sentences=Sentences)


@cython.cclass
class Room:
    """Own the arrays that a kernel works in."""

    arrays: p_void[32]
    n_arrays: i64

    def __cinit__(self):
        self.n_arrays = 0

    def __dealloc__(self):
        for index in range(self.n_arrays):
            free(self.arrays[index])

    @cython.cfunc
    def zeros(self, n: i64, item_size: i64) -> p_void:
        """Make an array of n items, at least one, of ``item_size`` bytes, all 0."""
        array: p_void = calloc(max(n, 1), item_size)
        if array == cython.NULL:
            raise MemoryError
        self.arrays[self.n_arrays] = array
        self.n_arrays += 1
        return array


@cython.cfunc
@cython.exceptval(-1)
def longest_stretch(offsets: cython.const[i64][::1], n_items: i64) -> i64:
    """Return the largest difference between offsets, which must be in order and stay within n_items."""
    longest: i64 = 0
    if offsets.shape[0] == 0 or offsets[0] < 0 or offsets[offsets.shape[0] - 1] > n_items:
        raise ValueError("offsets must begin at 0 or above, and end where the items end")
    for index in range(offsets.shape[0] - 1):
        if offsets[index] > offsets[index + 1]:
            raise ValueError("offsets must be in order")
        longest = max(longest, offsets[index + 1] - offsets[index])
    if longest > MOST_TOKENS:
        raise ValueError("a text may have 2,147,483,632 tokens or bytes at most")
    return longest


@cython.cfunc
@cython.exceptval(-1)
def check_ids(ids: cython.const[u32][::1], n_ids: i64) -> cython.int:
    """Refuse ids that are not below n_ids."""
    highest: u32 = 0
    for index in range(ids.shape[0]):
        highest = max(highest, ids[index])
    if n_ids > MOST_TOKENS or (ids.shape[0] != 0 and highest >= n_ids):
        raise ValueError("ids must be below n_ids, which is 2,147,483,632 at most")
    return 0


@cython.cclass
class Pairs:
    """Hold pairs of texts whose tokens have ids. The arrays are checked once, so no kernel can read outside them.

    ids uint32[n_tokens] below n_ids, of one vocabulary where they are compared; text_tokens int64[n_texts + 1], offsets
    of the texts in ids; sentence_ids uint32[n], the texts cut into sentences, often ids itself; sentence_tokens
    int64[n_sentences + 1], offsets of the sentences in sentence_ids; text_sentences int64[n_texts + 1], offsets of the
    texts in the sentences; predictions and references int64[n_pairs], the texts of each pair; cancelled uint8[1], which
    another thread sets to stop the counting.
    """

    ids: cython.const[u32][::1]
    text_tokens: cython.const[i64][::1]
    sentence_ids: cython.const[u32][::1]
    sentence_tokens: cython.const[i64][::1]
    text_sentences: cython.const[i64][::1]
    predictions: cython.const[i64][::1]
    references: cython.const[i64][::1]
    cancelled: cython.const[u8][::1]
    n: i64
    n_ids: i64
    longest_text: i64  # in tokens

    def __init__(
        self,
        ids,
        text_tokens,
        sentence_ids,
        sentence_tokens,
        text_sentences,
        n_ids: cython.longlong,
        predictions,
        references,
        cancelled,
    ):
        self.ids, self.text_tokens = ids, text_tokens
        self.sentence_ids, self.sentence_tokens, self.text_sentences = sentence_ids, sentence_tokens, text_sentences
        self.predictions, self.references, self.cancelled = predictions, references, cancelled
        self.n, self.n_ids = self.predictions.shape[0], n_ids
        self.longest_text = longest_stretch(self.text_tokens, self.ids.shape[0])
        longest_stretch(self.sentence_tokens, self.sentence_ids.shape[0])
        longest_stretch(self.text_sentences, self.sentence_tokens.shape[0] - 1)
        check_ids(self.ids, n_ids)
        if sentence_ids is not ids:
            check_ids(self.sentence_ids, n_ids)
        n_texts: i64 = self.text_tokens.shape[0] - 1
        if self.text_sentences.shape[0] != n_texts + 1:
            raise ValueError("there must be as many texts with sentences as without")
        if self.references.shape[0] != self.n:
            raise ValueError("there must be as many references as predictions")
        for pair in range(self.n):
            if not (0 <= self.predictions[pair] < n_texts and 0 <= self.references[pair] < n_texts):
                raise ValueError("a pair is of texts that are not there")
        if self.cancelled.shape[0] == 0:
            raise ValueError("cancelled must have an item")


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def text_of(pairs: Pairs, text: i64) -> Text:
    """Return the tokens of a text."""
    start = pairs.text_tokens[text]
    return Text(cython.address(pairs.ids[0]) + start, pairs.text_tokens[text + 1] - start)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sentences_of(pairs: Pairs, text: i64) -> Sentences:
    """Return the sentences of a text."""
    first = pairs.text_sentences[text]
    bounds: pc_i64 = cython.address(pairs.sentence_tokens[0]) + first
    return Sentences(cython.address(pairs.sentence_ids[0]), bounds, pairs.text_sentences[text + 1] - first)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def tokens_between(text: Sentences, first: i64, stop: i64) -> Text:
    """Return the tokens of the sentences from ``first`` to before ``stop``."""
    start = text.bounds[first]
    return Text(text.ids + start, text.bounds[stop] - start)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sentence_of(text: Sentences, sentence: i64) -> Text:
    """Return the tokens of one sentence."""
    return tokens_between(text, sentence, sentence + 1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def tokens_in(text: Sentences) -> Text:
    """Return the tokens of all sentences of a text."""
    return tokens_between(text, 0, text.n)
