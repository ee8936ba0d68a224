"""Numbers that kernels and their callers share; ``_kernels.pyx`` has the same, and a test holds the two together."""

# Classes of code points. A run goes over WORD, MARK and RUN_ONLY, does not begin with a MARK, and is a token
# if it has anything but RUN_ONLY. SINGLE is a token together with the marks that follow, OTHER without them.
# INNER is part of a token that continues after it; elsewhere it is a SEPARATOR, and INNER_OR_OTHER is an OTHER.
SEPARATOR, WORD, SINGLE, MARK, OTHER, RUN_ONLY, INNER, INNER_OR_OTHER = 0, 1, 2, 3, 4, 5, 6, 7
CLASS = 7
# The entry of a code point is one number: its class, ENDS_SENTENCE, and from bit LOWER on the code point as which
# it is compared.
ENDS_SENTENCE = 8
LOWER = 4
# Where sentences end: nowhere, at line breaks, at Chinese sentence marks and line breaks.
WHOLE, LINES, CHINESE = 0, 1, 2
# Characters of jieba's block class by number: of ASCII from 1 on, digits first, letters, marks; then Han.
ASCII_BLOCK = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.%+#&_-"
FIRST_HAN = len(ASCII_BLOCK) + 1
# Kinds of hits to count; ROUGE-N is given by its n.
LCS, UNION_LCS, PAIRWISE_LCS, TYPE_UNION_LCS = 0, -1, -2, -3
WEIGHTED_LCS, WEIGHTED_LCS_PAPER, SKIP_BIGRAMS = -4, -5, -6
# How a text is cut: by the classes of its characters, by jieba, or as a tool does.
SCANS, JIEBA_WORDS, PLTRDY, ROUGE_CHINESE, SINGLE_SPACES, EVERY_CHARACTER = 0, 1, 2, 3, 4, 5
# Where blanks are inserted before the text is cut.
AS_IT_IS, CHARACTERS, VISIBLE_CHARACTERS, WORDS, WORDS_BUT_SPACES = 0, 1, 2, 3, 4
# Flags of a text, one bit each.
HAS_NO_TOKEN, HAS_SENTENCES, NEEDS_A_LOOK, LOSES_LETTERS, HAS_ODD_CASE, HAS_HANGUL = 1, 2, 4, 8, 16, 32
MAY_BE_DECOMPOSED = 64  # not in NFC
