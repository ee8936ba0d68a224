"""Chinese texts to token ids by jieba's words: our own tokenizer, and the tools that are fed with these words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.compiled import kernels
from polyrouge.counting.compiled.character_table import LOWERED_BEFORE, character_table
from polyrouge.counting.compiled.covered_rules import chinese_cut, is_filtered, whose_tokens
from polyrouge.counting.compiled.jieba_tables import jieba_tables
from polyrouge.counting.compiled.token_batches import (
    TokenBatch,
    are_ascii,
    filtered_batch,
    hold_any,
    need_composing,
    note_texts,
    prepared_texts,
    texts_as_bytes,
)
from polyrouge.reading.notes import TextNotes
from polyrouge.settings.stages import TextRules
from polyrouge.texts.jieba_words import jieba_dictionary
from polyrouge.texts.tokenizers import composed
from polyrouge.tools.by_name import text_preparation


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
    clean = text_preparation(rules.clean, None, normalize=rules.normalize) if rules.clean else None
    if clean is not None:
        texts = list(map(clean, texts))
    is_ascii = are_ascii(texts)
    as_cut = rules._replace(lowercase=False)  # words are lower-cased once they are cut
    prepared = prepared_texts(texts, as_cut, is_ascii) if is_own else texts
    data, offsets = texts_as_bytes(prepared)
    if rules.normalize == "nfc" and need_composing(texts, data):
        texts = prepared = list(map(composed, texts))
        data, offsets = texts_as_bytes(prepared)
    lowercase = rules.lowercase is True
    if lowercase and hold_any(prepared, LOWERED_BEFORE, is_ascii):
        return None  # whose lower case is another length, or depends on what is around them
    keep = rules.punctuation == "keep"
    table = character_table("jieba", keep, lowercase, for_ascii=prepared is texts and all(is_ascii))
    filtered = rules.use_stemmer or is_filtered(rules)
    if filtered:
        begins = np.zeros(len(texts), np.bool_)
    ids, text_tokens, sentence_tokens, text_sentences, tokens, n_ids = kernels.ids_of_texts(
        *(data, offsets, begins, tables.codes, *tables[1:], rules.jieba_hmm, table.points, whose_tokens(rules)),
        *(rules.segment == "jieba_without_spaces", chinese_cut(rules)),
    )
    batch = TokenBatch(ids, text_tokens, ids, sentence_tokens, text_sentences, n_ids)
    note_texts(texts, is_ascii, data, offsets, batch, notes)
    return filtered_batch(batch, data, tokens, rules) if filtered else batch
