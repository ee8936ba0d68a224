"""``cut(text) -> words`` by the kernel: the twin of ``jieba_cutter``, for texts that go through documents."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from polyrouge.counting.compiled import kernels
from polyrouge.counting.compiled.jieba_tables import jieba_tables
from polyrouge.documents.input_notes import InputNotes
from polyrouge.texts.jieba_words import JiebaWords, jieba_cutter, jieba_dictionary, jieba_version


def compiled_jieba_cutter(
    words: JiebaWords = None, *, hmm: bool = True, keep_blanks: bool = False, notes: InputNotes | None = None
) -> Callable[[str], list[str]]:
    """``jieba_cutter`` by the kernel; jieba itself cuts where there is no extension or no table of the words."""
    dictionary = jieba_dictionary(words)
    tables = jieba_tables(dictionary) if kernels.is_built() else None
    if tables is None:
        if notes is not None and kernels.is_built():
            notes.jieba_version = jieba_version()
        return jieba_cutter(dictionary, hmm=hmm, keep_blanks=keep_blanks)

    def cut(text: str) -> list[str]:
        data = text.encode()
        ends, _ = kernels.word_ends(np.frombuffer(data or b"\0", np.uint8), np.array([0, len(data)]), tables, hmm)
        return [data[start:end].decode() for start, end in pairwise([0, *ends.tolist()])]

    if keep_blanks:
        return cut
    return lambda text: [word for word in cut(text) if not word.isspace()]
