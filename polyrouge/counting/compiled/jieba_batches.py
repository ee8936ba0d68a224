"""Chinese texts to token ids by jieba's words: our own tokenizer, and the tools that are fed with these words."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.compiled.character_table import LOWERED_BEFORE, character_table
from polyrouge.counting.compiled.covered_rules import chinese_cut, is_filtered, whose_tokens
from polyrouge.counting.compiled.jieba_tables import JiebaTables, jieba_tables
from polyrouge.counting.compiled.kernels.codes import LOWER
from polyrouge.counting.compiled.kernels.composed import may_need_composing
from polyrouge.counting.compiled.kernels.jieba_texts import ids_of_texts
from polyrouge.counting.compiled.kernels.rooms import distinct_bounds
from polyrouge.counting.compiled.token_batches import (
    TokenBatch,
    filtered_batch,
    note_texts,
    prepared_texts,
    texts_as_bytes,
)
from polyrouge.reading.notes import TextNotes
from polyrouge.settings.stages import TextRules
from polyrouge.texts.canonical import composed
from polyrouge.texts.jieba_words import jieba_dictionary
from polyrouge.tools.preparation import clean_as_opencompass


def batch_of_chinese_texts(
    texts: Sequence[str], begins: NDArray[np.bool_], rules: TextRules, notes: TextNotes
) -> TokenBatch | None:
    """Tokenize texts by jieba's words.

    Args:
        texts: the texts.
        begins: bool[n_texts]: texts with which a new vocabulary begins. Stop words and stems need one for the
            whole batch, whatever this says.
        rules: with ``is_compiled_chinese``.
        notes: on what looks wrong in the texts.

    Returns:
        None for a dictionary that the kernel can't have, and for the rare texts that it can't do.
    """
    tables = jieba_tables(jieba_dictionary(rules.jieba_dict))
    if tables is None:
        return None
    is_own = rules.tokenizer == "jieba"
    if rules.clean:
        texts = list(map(clean_as_opencompass, texts))
    is_ascii = list(map(str.isascii, texts))
    lowercase = rules.lowercase is True
    if lowercase and not is_own and any(each in text for text in texts for each in LOWERED_BEFORE):
        return None  # words of the text as it is, then lower-cased: another length
    prepared = prepared_texts(texts, rules, is_ascii) if is_own else texts
    keep = rules.punctuation == "keep"
    table = character_table("jieba", keep, lowercase, for_ascii=prepared is texts and all(is_ascii))
    codes = _lowered_codes(tables, table.points) if lowercase and is_own else tables.codes
    data, offsets = texts_as_bytes(prepared)
    if rules.normalize == "nfc" and may_need_composing(data):
        texts = list(map(composed, texts))
        data, offsets = texts_as_bytes(prepared_texts(texts, rules, is_ascii))
    filtered = rules.use_stemmer or is_filtered(rules)
    if filtered:
        begins = np.zeros(len(texts), np.bool_)
    found = ids_of_texts(
        *(data, offsets, begins, codes, *tables[1:], rules.jieba_hmm, table.points, whose_tokens(rules)),
        *(rules.segment == "jieba_without_spaces", chinese_cut(rules)),
    )
    ids, text_tokens, sentence_tokens, text_sentences, spans, n_ids = found
    batch = TokenBatch(ids, text_tokens, ids, sentence_tokens, text_sentences, int(n_ids))
    note_texts(texts, is_ascii, data, offsets, batch, notes)
    return filtered_batch(batch, data, distinct_bounds(spans), rules) if filtered else batch


_LOWERED: dict[int, tuple[JiebaTables, NDArray, NDArray[np.uint16]]] = {}
_LOWERING = threading.Lock()


def _renew_lock() -> None:
    """Another thread may have held the lock when the process forked, and is not there in the child."""
    global _LOWERING
    _LOWERING = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_lock)


def _lowered_codes(tables: JiebaTables, points: NDArray[np.int32]) -> NDArray[np.uint16]:
    """The number of each character once it is lower-cased."""
    with _LOWERING:
        known = _LOWERED.get(id(tables))
        if known is None or known[0] is not tables or known[1] is not points:
            lower = points[: len(tables.codes)] >> LOWER
            codes = tables.codes[np.where(lower < len(tables.codes), lower, 0)]
            codes.flags.writeable = False  # as ``tables.codes``, for which the kernel is compiled
            _LOWERED.clear()
            _LOWERED[id(tables)] = known = tables, points, codes
        return known[2]
