# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: nonecheck=False, infer_types=True, freethreading_compatible=True
"""One extension of all kernel modules, so that the C compiler sees them together and can inline across them.

Each module is written in Python with types; this one has what Python has no word for: names of C types, constants, and
the instructions of ``bits.h``. Cython infers the types of variables. Declared are those that it would infer wrongly:
variables that begin as a literal, which is a C long, and truth values.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memchr as find_byte, memcpy as copy_bytes, memset as fill_bytes

import numpy as np

cdef extern from "Python.h":
    const char *utf8_of "PyUnicode_AsUTF8AndSize"(object, Py_ssize_t *) except NULL

cdef extern from "bits.h" nogil:
    ctypedef unsigned char u8 "uint8_t"
    ctypedef short i16 "int16_t"
    ctypedef unsigned short u16 "uint16_t"
    ctypedef int i32 "int32_t"
    ctypedef unsigned int u32 "uint32_t"
    ctypedef long long i64 "int64_t"
    ctypedef unsigned long long u64 "uint64_t"
    ctypedef struct ByteClasses "pr_byte_classes":
        u64 words
        u64 high
        u64 lines
    const u64 SPREAD "PR_SPREAD"
    const u64 SPREAD_HIGH "PR_SPREAD_HIGH"
    const u64 ALL "PR_ALL"
    const u64 HIGH_BITS "PR_HIGH_BITS"
    const u64 CASE_BITS "PR_CASE_BITS"
    const u64 INEXACT "PR_INEXACT"
    const u64 ONE_POINT "PR_ONE_POINT"
    const u64 FEW_POINTS "PR_FEW_POINTS"
    const i64 MOST_LETTERS "PR_MOST_LETTERS"
    const double NO_FRACTIONS "PR_NO_FRACTIONS"
    bint is_set "pr_is_set"(const u8 *)
    void prefetch "pr_prefetch"(const void *)
    u64 low_mask "pr_low_mask"(i64)
    u64 high_mask "pr_high_mask"(i64)
    int pr_has_v3()
    int ctz "pr_ctz"(u64)
    int width "pr_width"(u64)
    int popcount "pr_popcount"(u64)
    u64 load_eight "pr_load_eight"(const u8 *, i64)
    u64 word_bytes "pr_word_bytes"(u64)
    ByteClasses classes_of "pr_classes_of"(const u8 *, i64)

ctypedef double f64
ctypedef bint flag
ctypedef void *p_void
ctypedef const char *pc_char
ctypedef u8 *p_u8
ctypedef const u8 *pc_u8
ctypedef i16 *p_i16
ctypedef u16 *p_u16
ctypedef const u16 *pc_u16
ctypedef i32 *p_i32
ctypedef const i32 *pc_i32
ctypedef u32 *p_u32
ctypedef const u32 *pc_u32
ctypedef i64 *p_i64
ctypedef const i64 *pc_i64
ctypedef u64 *p_u64
ctypedef const u64 *pc_u64
ctypedef f64 *p_f64
ctypedef const f64 *pc_f64

cpdef enum:  # numbers that Python has too
    # Classes of code points. A run goes over WORD, MARK and RUN_ONLY, does not begin with a MARK, and is a token
    # if it has anything but RUN_ONLY. SINGLE is a token together with the marks that follow, OTHER without them.
    # INNER is part of a token that continues after it; elsewhere it is a SEPARATOR, and INNER_OR_OTHER is an OTHER.
    SEPARATOR = 0
    WORD = 1
    SINGLE = 2
    MARK = 3
    OTHER = 4
    RUN_ONLY = 5
    INNER = 6
    INNER_OR_OTHER = 7
    # The entry of a code point is one number: its class, ENDS_SENTENCE, flags that it sets for its text, and from bit
    # LOWER on the code point as which it is compared.
    CLASS = 7
    ENDS_SENTENCE = 8
    LOWER = 8
    # Flags of a text; those from 16 on are set by its characters. Of them HAS_ODD_CASE is for ``LOWERED_BEFORE``.
    HAS_NO_TOKEN = 1
    HAS_SENTENCES = 2
    LOSES_LETTERS = 4
    NEEDS_A_LOOK = 16
    HAS_ODD_CASE = 32
    HAS_HANGUL = 64
    MAY_BE_DECOMPOSED = 128  # not in NFC
    # Where sentences end: nowhere, at line breaks, at Chinese sentence marks and line breaks.
    WHOLE = 0
    LINES = 1
    CHINESE = 2
    # How a text is cut: by the classes of its characters, by jieba, or as a tool does.
    SCANS = 0
    JIEBA_WORDS = 1
    PLTRDY = 2
    ROUGE_CHINESE = 3
    SINGLE_SPACES = 4
    EVERY_CHARACTER = 5
    # Where blanks are inserted before the text is cut.
    AS_IT_IS = 0
    CHARACTERS = 1
    VISIBLE_CHARACTERS = 2
    WORDS = 3
    WORDS_BUT_SPACES = 4
    # Kinds of hits to count; ROUGE-N is given by its n.
    LCS = 0
    UNION_LCS = -1
    PAIRWISE_LCS = -2
    TYPE_UNION_LCS = -3
    WEIGHTED_LCS = -4
    WEIGHTED_LCS_PAPER = -5
    SKIP_BIGRAMS = -6
    FIRST_HAN = 70  # number of a character of jieba's block class; those below are ASCII

cdef enum:
    CHARACTER_FLAGS = 0xF0  # NEEDS_A_LOOK ... MAY_BE_DECOMPOSED
    MOST_TOKENS = 0x7FFFFFF0  # counted or numbered in 32 bits
    NEWLINE = 10
    BITS_OF_POINT = 21
    SLOTS_A_TOKEN = 32  # of the table in which equal tokens are found
    NEAR_SLOTS = 1 << 16  # that stay in a near cache
    MOST_SLOTS = 1 << 24  # that a key chooses from
    BEHIND = 32  # bytes after a token's letters that are read, or overwritten by its stem
    WIDEST_SQUARE = 256  # of the table of bigrams
    MOST_IN_A_BYTE = 255
    WIDEST_SKIP_SQUARE = 128  # of the table of skip-bigrams
    MOST_IN_A_CELL = 1 << 15
    DIAGONAL = 1  # backward steps through the table of the weighted LCS
    UP = 2
    LEFT = 3
    SHORT_SENTENCE = 256  # tokens, mostly fewer
    BYTES_OF_MOVES = 1 << 25
    LAST_DIGIT = 10  # numbers of jieba's characters, as FIRST_HAN
    LAST_ALNUM = 62
    CODE_OF_DOT = 63
    CODE_OF_PERCENT = 64
    BEHIND_PAIR = 80  # bytes after a text that are read
    NO_HITS = 0x7FFFFFFF  # more than any pair has
    LEFT_OUT = 0xFFFFFFFF
    MOST_KEPT = 1 << 16  # bytes, or tokens, of rooms that are kept
    MOST_AT_ONCE = 1 << 14  # bytes that are counted without releasing the GIL, and at most of one sample

include "room.py"
include "keys.py"
include "scan.py"
include "stems.py"
include "jieba_cut.py"
include "texts.py"
include "ngrams.py"
include "lcs.py"
include "weighted_lcs.py"
include "match_hits.py"
include "match_runs.py"
include "recursion.py"
include "jieba_trie.py"
include "readers.py"
include "pairs.py"
include "counter.py"
include "text_index.py"
include "oracle.py"
include "draws.py"


def has_v3():
    """Say whether this processor runs the build for x86-64-v3."""
    return bool(pr_has_v3())
