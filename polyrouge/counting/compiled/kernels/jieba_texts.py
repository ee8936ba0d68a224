"""UTF-8 texts to token ids by jieba's words, without a Python string a word."""

import cython

if not cython.compiled:
    import numpy as np

    from polyrouge.counting.compiled.kernels.bits import *
    from polyrouge.counting.compiled.kernels.codes import LOWER, OWN, PLTRDY
    from polyrouge.counting.compiled.kernels.jieba_cut import (
        CuttingRoom,
        Dictionary,
        cut_text,
        cutting_room,
        dictionary_of,
    )
    from polyrouge.counting.compiled.kernels.jieba_tokens import Words, own_tokens, pltrdy_tokens, rouge_chinese_tokens
    from polyrouge.counting.compiled.kernels.room import Room, longest_stretch
    from polyrouge.counting.compiled.kernels.texts import (
        Vocabulary,
        longest_vocabulary,
        number_tokens,
        tokens_of,
        vocabulary_in,
    )


def ids_of_texts(
    data: cython.const[u8][::1],
    offsets: cython.const[i64][::1],
    begins: object,
    code_of: cython.const[u16][::1],
    units: cython.const[u64][::1],
    weights: cython.const[f64][::1],
    emissions: cython.const[f64][:, ::1],
    hmm: cython.const[f64][::1],
    deleted: object,
    use_hmm: cython.bint,
    points: cython.const[i32][::1],
    whose: cython.longlong,
    skips_spaces: cython.bint,
    cut: cython.longlong,
):
    """Tokenize a chunk of texts.

    Args:
        data: uint8[n_bytes], the texts as valid UTF-8, one after the other.
        offsets: int64[n_texts + 1], where each begins in data.
        begins: bool[n_texts], texts with which a new vocabulary begins.
        code_of, units, weights, emissions, hmm, deleted: ``JiebaTables``.
        use_hmm: guess words that are in no dictionary.
        points: int32[0x110000], what is known of each code point; see ``scan.py``.
        whose: OWN, ROUGE_CHINESE or PLTRDY.
        skips_spaces: words that are a space are left out; not for OWN.
        cut: WHOLE, LINES or CHINESE.

    Returns:
        As ``tokenize_texts``.
    """
    n_texts: i64 = offsets.shape[0] - 1
    n_data: i64 = data.shape[0]
    longest: i64 = longest_stretch(offsets, n_data)
    if points.shape[0] != 0x110000 or len(begins) != n_texts:
        raise ValueError("points are 0x110000, and begins as many as texts")
    is_begin: cython.const[u8][::1] = begins.view(np.uint8)
    deleted_marks: cython.const[u8][::1] = deleted.view(np.uint8)
    dictionary: Dictionary = dictionary_of(code_of, units, weights, emissions, hmm, deleted_marks, use_hmm)
    most: i64 = offsets[n_texts] - offsets[0] + n_texts  # an empty token more than bytes, at most, in a text
    all_ids = np.empty(most + 1, np.uint32)
    all_text_tokens = np.zeros(n_texts + 1, np.int64)
    all_sentence_tokens = np.empty(most + 1, np.int64)
    all_text_sentences = np.zeros(n_texts + 1, np.int64)
    ids: u32[::1] = all_ids
    text_tokens: i64[::1] = all_text_tokens
    sentence_tokens: i64[::1] = all_sentence_tokens
    text_sentences: i64[::1] = all_text_sentences
    room = Room()
    arrays: CuttingRoom = cutting_room(room, longest)
    vocabulary: Vocabulary = vocabulary_in(room, longest_vocabulary(offsets, is_begin) + n_texts, False)
    fold: u64 = CASE_BITS if points[65] >> LOWER != 65 else 0
    words: Words
    words.data, words.points, words.ends = cython.address(data[0]), cython.address(points[0]), arrays.ends
    words.skips_spaces, words.breaks = skips_spaces, vocabulary.breaks
    own_ids: p_u32
    text: i64
    each: i64
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
            words.start = offsets[text]
            words.n = cut_text(words.data, offsets[text], offsets[text + 1], dictionary, arrays)
            words.bounds, words.keys = vocabulary.bounds + 2 * n_here, vocabulary.keys + 2 * n_here
            if whose == OWN:
                n, n_breaks = own_tokens(words, cut)
            elif whose == PLTRDY:
                n, n_breaks = pltrdy_tokens(words, cut)
            else:
                n = rouge_chinese_tokens(words)
                n_breaks = n != 0
            for each in range(n_breaks):
                sentence_tokens[n_sentences + each] = n_tokens + words.breaks[each]
            n_sentences += n_breaks
            n_tokens += n
            n_here += n
            text_tokens[text + 1] = n_tokens
            text_sentences[text + 1] = n_sentences
            if text + 1 == n_texts or is_begin[text + 1]:
                own_ids = cython.address(ids[0]) + n_tokens - n_here
                n = number_tokens(words.data, n_data, words.points, fold, vocabulary, n_here, None, own_ids)
                n_ids = max(n_ids, n)
        sentence_tokens[n_sentences] = n_tokens
    return (
        all_ids[:n_tokens],
        all_text_tokens,
        all_sentence_tokens[: n_sentences + 1],
        all_text_sentences,
        tokens_of(vocabulary, n_here),
        n_ids,
    )
