"""UTF-8 texts to token ids, without a Python string a token; and a quick look at whether texts are in NFC.

Equal tokens get equal ids because they are compared, never because of a hash alone.
"""

import cython


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def number_tokens(source: Source, words: Vocabulary, n: i64, memory: StemMemory | None, ids: p_u32) -> i64:
    """Give ids from 0 on to n tokens, in order of first occurrence; return how many, or -1 if the memory can't grow."""
    find_firsts(source, words, n)
    if memory is not None:
        forget_if_full(memory)
        while not find_stems(memory, source, words, n):
            if not grow(memory, source.n_data):
                return -1
    return number_firsts(words, n, ids)


@cython.cfunc
@cython.exceptval(-1)
def longest_vocabulary(offsets: cython.const[i64][::1], begins: cython.const[u8][::1]) -> i64:
    """Bytes of the texts of the longest vocabulary."""
    longest: i64 = 0
    start: i64 = offsets[0]
    for text in range(offsets.shape[0] - 1):
        if begins[text]:
            start = offsets[text]
        longest = max(longest, offsets[text + 1] - start)
    if longest > MOST_TOKENS:
        raise ValueError("the texts of a sample may have 2,147,483,632 bytes at most")
    return longest


@cython.cfunc
def tokens_of(words: Vocabulary, n: i64):
    """int64[n_ids, 2]: where the first token of each id begins and ends."""
    n_ids: i64 = 0
    for token in range(n):
        n_ids += words.firsts[token] == token
    tokens = np.empty((n_ids, 2), np.int64)
    bounds: i64[:, ::1] = tokens
    n_ids = 0
    for token in range(n):
        if words.firsts[token] == token:
            bounds[n_ids, 0], bounds[n_ids, 1] = words.bounds[2 * token], words.bounds[2 * token + 1]
            n_ids += 1
    return tokens


def tokenize_texts(
    data: cython.const[u8][::1],  # valid UTF-8, one text after the other
    offsets: cython.const[i64][::1],  # int64[n_texts + 1], where each text begins in data
    begins: object,  # bool[n_texts], texts with which a new vocabulary begins
    table: object,  # ``CharacterTable``
    cut: cython.longlong,  # WHOLE, LINES or CHINESE
    memory: StemMemory | None = None,  # tokens with the same stem are the same
    jieba: object = None,  # ``JiebaTables``: tokens are jieba's words
    use_hmm: cython.bint = True,
):
    """Tokenize texts: fields of ``TokenBatch``, and before n_ids int64[n, 2], where each id's first token is in data.

    The ids of each vocabulary are consecutive from 0, in order of first occurrence; tokens are of the last vocabulary.
    """
    n_texts: i64 = offsets.shape[0] - 1
    longest: i64 = longest_stretch(offsets, data.shape[0])
    if len(begins) != n_texts:
        raise ValueError("begins must be as many as texts, to which offsets lead")
    is_begin: cython.const[u8][::1] = begins.view(np.uint8)
    n_bytes: i64 = offsets[n_texts] - offsets[0]
    all_ids = np.empty(n_bytes + 1, np.uint32)
    all_text_tokens = np.zeros(n_texts + 1, np.int64)
    all_sentence_tokens = np.empty(n_bytes + 1, np.int64)
    all_text_sentences = np.zeros(n_texts + 1, np.int64)
    ids: u32[::1] = all_ids
    text_tokens: i64[::1] = all_text_tokens
    sentence_tokens: i64[::1] = all_sentence_tokens
    text_sentences: i64[::1] = all_text_sentences
    source: Source = source_of(table, cut)
    source.data, source.n_data = cython.address(data[0]), data.shape[0]
    words = Vocabulary(longest_vocabulary(offsets, is_begin), memory is not None)
    dictionary: Dictionary
    has_jieba: flag = jieba is not None
    if has_jieba:
        dictionary = dictionary_of(jieba, use_hmm)
    cutting = CuttingRoom(longest if has_jieba else 0)
    n: i64
    n_breaks: i64
    n_here: i64 = 0  # tokens of this vocabulary
    n_tokens: i64 = 0
    n_sentences: i64 = 0
    n_ids: i64 = 1
    with cython.nogil:
        for text in range(n_texts):
            if is_begin[text]:
                n_here = 0
            if has_jieba:
                n = cut_text(source.data, offsets[text], offsets[text + 1], dictionary, cutting)
                n, n_breaks = scan_words(source, offsets[text], cutting.ends, n, words, n_here)
            else:
                n, n_breaks = scan(source, offsets[text], offsets[text + 1], words, n_here)
            for each in range(n_breaks):
                sentence_tokens[n_sentences + each] = n_tokens + words.breaks[each]
            n_sentences += n_breaks
            n_tokens += n
            n_here += n
            text_tokens[text + 1] = n_tokens
            text_sentences[text + 1] = n_sentences
            if text + 1 == n_texts or is_begin[text + 1]:
                n = number_tokens(source, words, n_here, memory, cython.address(ids[0]) + n_tokens - n_here)
                if n < 0:
                    with cython.gil:
                        raise MemoryError
                n_ids = max(n_ids, n)
        sentence_tokens[n_sentences] = n_tokens
    return (
        all_ids[:n_tokens],
        all_text_tokens,
        all_sentence_tokens[: n_sentences + 1],
        all_text_sentences,
        tokens_of(words, n_here),
        n_ids,
    )


def has_more_ascii_letters(data: cython.const[u8][::1], offsets: cython.const[i64][::1], texts: cython.const[i64][::1]):
    """For each of some texts, whether ASCII letters are at least as many as code points that are not ASCII."""
    out = np.empty(texts.shape[0], np.bool_)
    has_more: u8[::1] = out.view(np.uint8)
    longest_stretch(offsets, data.shape[0])
    for place in range(texts.shape[0]):
        if not 0 <= texts[place] < offsets.shape[0] - 1:
            raise ValueError("a text is not there")
    with cython.nogil:
        for place in range(texts.shape[0]):
            text = texts[place]
            has_more[place] = letter_balance(cython.address(data[0]), offsets[text], offsets[text + 1]) >= 0
    return out


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def letter_balance(data: pc_u8, place: i64, end: i64) -> i64:
    """How many more ASCII letters than code points that are not ASCII there are."""
    balance: i64 = 0
    while place < end:
        balance += cython.cast(u8, (data[place] | 0x20) - 97) < 26
        balance -= data[place] >= 0xC0
        place += 1
    return balance


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def needs_a_look(a: u8, b: u8, c: u8) -> u8:
    """Whether these bytes may begin a code point of ``documents.lookalikes.TRIGGERS``, or of Thai, kana and so on.

    These are the scripts that ``zh_char`` leaves in one piece. True of all such, and of neighbours, but of no letter of
    French or German except ß, no Vietnamese, Han or Hangul, and of no usual mark.
    """
    may: u8
    of_block: u8
    # U+00AA-00BF, U+00DF, U+0130-0133, U+013F, U+0140, U+0149, U+017F, U+01C0-01FF, U+02B0-02FF, U+0307, U+0340-037F,
    # U+03C2, U+03D0-03FF, U+0580-05BF, U+0600-06FF
    may = ((a == 0xC2) & (b >= 0xAA)) | ((a == 0xC3) & (b == 0x9F)) | ((a == 0xC4) & ((b & 0xFC) == 0xB0))
    may |= ((a == 0xC4) & (b == 0xBF)) | ((a == 0xC5) & ((b == 0x80) | (b == 0x89) | (b == 0xBF)))
    may |= ((a == 0xCA) & (b >= 0xB0)) | (a == 0xCB) | ((a == 0xCC) & (b == 0x87))
    may |= (a == 0xCF) & ((b == 0x82) | (b >= 0x90))
    may |= (a == 0xC7) | (a == 0xCD) | (a == 0xD6) | ((a & 0xFC) == 0xD8)
    # U+0E00-0FFF, U+1000-1DFF, U+1E9A-1E9F, U+2000-200F, U+2028-202F, U+2040-209F, U+20A8
    may |= ((a == 0xE0) & (b >= 0xB8)) | ((a == 0xE1) & ((b < 0xB8) | ((b == 0xBA) & (c >= 0x9A) & (c < 0xA0))))
    may |= (a == 0xE2) & ((b == 0x81) | ((b == 0x80) & ((c < 0x90) | ((c & 0xF8) == 0xA8))))
    may |= (a == 0xE2) & (b == 0x82) & ((c < 0xA0) | (c == 0xA8))
    # U+2100-218F, U+2440-24FF, U+2C40-2FFF, U+3036-303A, U+3040-33FF, U+A000-ABFF
    of_block = (b == 0x84) | (b == 0x85) | ((b == 0x86) & (c < 0x90)) | ((b >= 0x91) & (b <= 0x93)) | (b >= 0xB1)
    may |= (a == 0xE2) & of_block
    may |= (a == 0xE3) & (((b >= 0x81) & (b <= 0x8F)) | ((b == 0x80) & (c >= 0xB6) & (c <= 0xBA)))
    may |= (a == 0xEA) & (b < 0xB0)
    # U+FB00-FEFF, U+FF10-FF19, U+FF21-FF5A, U+FF66-FFDF
    of_block = (b >= 0xAC) & (b <= 0xBB)
    of_block |= (b == 0xBC) & (((c >= 0x90) & (c <= 0x99)) | (c >= 0xA1))
    of_block |= ((b == 0xBD) & ((c <= 0x9A) | (c >= 0xA6))) | (b == 0xBE) | ((b == 0xBF) & (c < 0xA0))
    may |= (a == 0xEF) & of_block
    # U+10000-1F2FF, U+1FBC0-1FBFF, U+E0000 and above
    may |= (a == 0xF0) & ((b < 0x9F) | ((b == 0x9F) & ((c < 0x8C) | (c == 0xAF))))
    return may | (a >= 0xF3)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def any_needs_a_look(data: pc_u8, n: i64) -> flag:
    """Whether ``needs_a_look`` is true somewhere in the first n bytes; two more are looked at."""
    place: i64 = 0
    while place < n:
        lead: u8 = data[place]
        if lead < 0xC2:
            place += 1
        elif 0xE4 <= lead <= 0xED and lead != 0xEA:  # mostly Han, or Hangul
            place += 3
        elif needs_a_look(lead, data[place + 1], data[place + 2]):
            return True
        else:
            place += 2
    return False
