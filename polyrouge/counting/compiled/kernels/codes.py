"""Numbers that kernels and their callers share. Nothing here needs numba."""

from __future__ import annotations

# Classes of code points. A run goes over WORD, MARK and RUN_ONLY, begins with no MARK, and is a token
# if there is anything but RUN_ONLY in it. SINGLE is a token with the marks behind it, OTHER without.
SEPARATOR, WORD, SINGLE, MARK, OTHER, RUN_ONLY = 0, 1, 2, 3, 4, 5
CLASS = 7
# What is known of a code point is one number: its class, ENDS_SENTENCE, and above them, from bit
# LOWER on, the code point that it is compared as.
ENDS_SENTENCE = 8
LOWER = 4
# Where sentences end: nowhere, at line breaks, at Chinese sentence marks and line breaks.
WHOLE, LINES, CHINESE = 0, 1, 2
# What ``sentence_split="zh"`` looks at: marks that end a sentence between Han characters, what may close it behind a
# mark, blanks before what follows, the first and the last Han character. As in ``texts/sentences.py``.
HALF_WIDTH = (0x21, 0x3F, 0x3B)
CLOSING = (
    *(0x201D, 0x2019, 0x300D, 0x300F, 0x3011, 0xFF09, 0x300B, 0x3009, 0x3015, 0x3017, 0x301E, 0x301F),
    *(0x22, 0x27, 0x29, 0x5D),
)
BLANKS = (0x20, 0x3000)
HAN = (0x3400, 0x9FFF)
# Whose tokens jieba's words become.
OWN, ROUGE_CHINESE, PLTRDY = 0, 1, 2
# Characters of jieba's block class by number: of ASCII from 1 on, digits first, letters, marks; then Han.
ASCII_BLOCK = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.%+#&_-"
FIRST_HAN = len(ASCII_BLOCK) + 1
MOST_SLOTS = 1 << 16  # of the table in which equal tokens are found
