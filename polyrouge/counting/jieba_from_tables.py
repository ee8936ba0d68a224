"""jieba's words in plain Python over the kept tables: for few texts, before any kernel is loaded.

To load jieba's dictionary takes longer than to cut some hundred texts, and so does to load the kernels. Here neither
is needed. It is the kernel's twin (``compiled/kernels/jieba_cut.py``): the same operations in the same order.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from typing import Any

from polyrouge.counting.compiled.jieba_tables import JiebaTables, kept_jieba_tables
from polyrouge.counting.pair_counts import PairCounts
from polyrouge.counting.plain.engine import count_chunk
from polyrouge.inputs import Inputs
from polyrouge.reading.documents import Readers, document_readers
from polyrouge.reading.notes import TextNotes
from polyrouge.settings.stages import CountRules, TextRules
from polyrouge.texts.jieba_words import JiebaWords, jieba_cutter, jieba_dictionary

_MOST_ALNUM = 62  # the codes of letters and digits are the lowest
_PIECES = re.compile(r"[\u4E00-\u9FD5]+|[a-zA-Z0-9]+(?:\.[0-9]+)?%?|[^\u4E00-\u9FD5a-zA-Z0-9]+")
_FIRST_HAN = "\u4e00"
_STATES_BEFORE = ((2, 3), (0, 1), (0, 1), (2, 3))  # of B, M, E, S: those that may be before, the greater letter last


def count_chunk_from_tables(
    inputs: Inputs,
    start: int,
    stop: int,
    text_rules: TextRules,
    count_rules: CountRules,
    notes: TextNotes,
    readers: Readers | None = None,
) -> PairCounts:
    """The plain ``count_chunk``, but that jieba is not loaded for it."""
    readers = readers or document_readers(text_rules, notes, jieba_cutter_from_tables)
    return count_chunk(inputs, start, stop, text_rules, count_rules, notes, readers)


def jieba_cutter_from_tables(
    words: JiebaWords = None, *, hmm: bool = True, keep_blanks: bool = False
) -> Callable[[str], list[str]]:
    """What ``jieba_cutter`` returns, by the kept tables; jieba's own where there are none."""
    dictionary = jieba_dictionary(words)
    tables = kept_jieba_tables(dictionary)
    if tables is None:
        return jieba_cutter(dictionary, hmm=hmm, keep_blanks=keep_blanks)
    cut = _Cutter(tables, hmm).cut
    if keep_blanks:
        return cut
    return lambda text: [word for word in cut(text) if not word.isspace()]


class _Cutter:
    """Cuts by tables; of these, views that give plain numbers."""

    def __init__(self, tables: JiebaTables, hmm: bool) -> None:
        arrays: Any = tables
        self._code_of = memoryview(arrays.codes)
        self._units = memoryview(arrays.units)
        self._weights: list[float] = tables.weights.tolist()
        self._emissions = tables.emissions
        self._hmm: list[float] = tables.hmm.tolist()
        self._deleted = memoryview(arrays.deleted)
        self._most_single = len(self._code_of) if hmm else _MOST_ALNUM
        self._use_hmm = hmm

    def cut(self, text: str) -> list[str]:
        """Equal to ``jieba.lcut(text, HMM=hmm)``."""
        code_of, most_single = self._code_of, self._most_single
        codes = [code_of[point] if point < 0x10000 else 0 for point in map(ord, text)]
        codes.append(0)
        lengths = self._route(codes)
        words: list[str] = []
        n, x = len(text), 0
        while x < n:
            y = x + lengths[x]
            if codes[x] == 0:
                y += text.startswith("\r\n", x)
            elif y == x + 1 and codes[x] <= most_single:
                while codes[y] and lengths[y] == 1 and codes[y] <= most_single:
                    y += 1
                if y > x + 1 and self._use_hmm:
                    words += self._cut_singles(text[x:y])
                    x = y
                    continue
            words.append(text[x:y])
            x = y
        return words

    def _route(self, codes: Sequence[int]) -> list[int]:
        """``get_DAG`` and ``calc``: how long the best word is that begins at each character."""
        units, weights = self._units, self._weights
        unknown = weights[-1]
        n = len(codes) - 1
        route, lengths = [0.0] * (n + 1), [1] * n
        for k in range(n - 1, -1, -1):
            slot = codes[k]
            if slot == 0:
                continue
            unit = units[slot]
            ahead = k + 1
            best = None
            while True:
                if unit & 0xFFFF:
                    value = weights[unit & 0xFFFF] + route[ahead]
                    if best is None or value >= best:  # among equals the longest
                        best = value
                        lengths[k] = ahead - k
                base = unit >> 16 & 0xFFFFFF
                there = base + codes[ahead]
                unit = units[there]
                if base == 0 or unit >> 40 != slot:
                    break
                slot = there
                ahead += 1
            route[k] = unknown + route[k + 1] if best is None else best
        return lengths

    def _slot(self, word: str) -> int:
        """Where the trie has the word, 0 if nowhere."""
        slot = self._code_of[ord(word[0])]
        for character in word[1:]:
            there = (self._units[slot] >> 16 & 0xFFFFFF) + self._code_of[ord(character)]
            if self._units[there] >> 40 != slot:
                return 0
            slot = there
        return slot

    def _cut_singles(self, run: str) -> list[str]:
        """Cut a run of single characters: itself, or ``finalseg.cut``."""
        if self._units[self._slot(run)] & 0xFFFF:
            return list(run)
        words: list[str] = []
        for piece in _PIECES.findall(run):
            if piece[0] < _FIRST_HAN:
                words.append(piece)
                continue
            for word in self._guessed(piece):
                if len(self._deleted) and self._deleted[self._slot(word)]:
                    words += word
                else:
                    words.append(word)
        return words

    def _guessed(self, run: str) -> list[str]:
        """``finalseg.__cut``: Viterbi."""
        rows = [self._emissions[self._code_of[ord(character)]].tolist() for character in run]
        b, m, e, s = map(float.__add__, self._hmm[:4], rows[0])
        eb, sb, bm, mm, be, me, es, ss = self._hmm[4:]
        backs = [(False, False, False, False)]
        for to_b, to_m, to_e, to_s in rows[1:]:
            b_of_e, b_of_s = e + eb + to_b, s + sb + to_b
            m_of_b, m_of_m = b + bm + to_m, m + mm + to_m
            e_of_b, e_of_m = b + be + to_e, m + me + to_e
            s_of_e, s_of_s = e + es + to_s, s + ss + to_s
            # Among equals the state with the greater letter.
            back = b_of_s >= b_of_e, m_of_m >= m_of_b, e_of_m >= e_of_b, s_of_s >= s_of_e
            b = b_of_s if back[0] else b_of_e
            m = m_of_m if back[1] else m_of_b
            e = e_of_m if back[2] else e_of_b
            s = s_of_s if back[3] else s_of_e
            backs.append(back)
        ends = [len(run)]
        state = 3 if s >= e else 2  # 0 B, 1 M, 2 E, 3 S
        for t in range(len(run) - 1, 0, -1):
            state = _STATES_BEFORE[state][backs[t][state]]
            if state >= 2:
                ends.append(t)
        return [run[start:end] for start, end in itertools.pairwise([0, *reversed(ends)])]
