"""Texts to token ids: what the compiled engine counts on.

Ids are consecutive integers, equal for equal tokens within a vocabulary, never hashes. A
vocabulary holds for one sample, or for all the texts of a batch.
"""

from __future__ import annotations

import itertools
import operator
import unicodedata
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.compiled import kernels
from polyrouge.counting.compiled.character_table import LOWERED_BEFORE, CharacterTable, character_table
from polyrouge.counting.compiled.covered_rules import can_be_spaced, chinese_cut, is_filtered, sentence_cut
from polyrouge.counting.compiled.jieba_tables import jieba_tables
from polyrouge.counting.compiled.spaced_texts import spaced_texts, texts_as_bytes
from polyrouge.reading.documents import Document, token_filter
from polyrouge.reading.notes import TextNotes
from polyrouge.settings.stages import TextRules
from polyrouge.texts.jieba_words import jieba_dictionary
from polyrouge.texts.tokenizers import composed
from polyrouge.tools.by_name import text_preparation

# What earlier chunks, of this call or others, have learnt of stems, by whether case is a difference; each for a thread.
_STEM_MEMORIES: dict[bool, deque[Any]] = {False: deque(), True: deque()}


class TokenBatch(NamedTuple):
    """The tokens of some texts."""

    ids: NDArray[np.uint32]  # uint32[n_tokens]: the texts, one after the other
    text_tokens: NDArray[np.int64]  # int64[n_texts + 1]: offsets of the texts in ids
    sentence_ids: NDArray[np.uint32]  # uint32[n]: the sentences of the texts, one after the other; often ids itself
    sentence_tokens: NDArray[np.int64]  # int64[n_sentences + 1]: offsets of the sentences in sentence_ids
    text_sentences: NDArray[np.int64]  # int64[n_texts + 1]: offsets of the texts in the sentences
    n_ids: int  # every id is below


def batch_of_texts(
    texts: Sequence[str], begins: NDArray[np.bool_], rules: TextRules, notes: TextNotes
) -> TokenBatch | None:
    """Tokenize texts, under ``is_compiled_tokenization``; None for the rare ones that the kernel can't do all the same.

    A vocabulary begins with each text of ``begins``, but stop words and a tool's stems need one for the whole batch.
    """
    clean = text_preparation(rules.clean, None, normalize=rules.normalize) if rules.clean else None
    if clean is not None:
        texts = list(map(clean, texts))
    tokenizer, given = str(rules.tokenizer), texts
    is_spaced = can_be_spaced(rules)
    if is_spaced:
        spaced = spaced_texts(texts, rules)
        if spaced is None:
            return None
        tokenizer, texts = "space", spaced
    is_ascii = list(map(str.isascii, given))
    keep, lowercase = rules.punctuation == "keep", rules.lowercase is True
    table = character_table(tokenizer, keep, lowercase, for_ascii=not is_spaced and all(is_ascii))
    data, offsets = texts_as_bytes(_prepared_texts(texts, rules, is_ascii))
    if rules.normalize == "nfc" and kernels.may_need_composing(data):
        whole = list(map(composed, given))
        if whole != given:
            given = whole
            data, offsets = texts_as_bytes(_prepared_texts(given, rules, is_ascii))
    filtered = is_filtered(rules)
    if filtered:
        begins = np.zeros(len(texts), np.bool_)
    stems = rules.use_stemmer and not filtered
    batch, tokens = _tokenized(data, offsets, table, sentence_cut(rules), begins, stems=stems)
    if not is_spaced:  # where the tools that are fed with blanks find no token, they see blanks only
        _note_lost_letters(given, is_ascii, data, offsets, batch, notes)
    notes.saw_break |= _has_break(batch)
    return _filtered_batch(batch, data, tokens, rules) if filtered else batch


def batch_of_chinese_texts(
    texts: Sequence[str], begins: NDArray[np.bool_], rules: TextRules, notes: TextNotes
) -> TokenBatch | None:
    """``batch_of_texts`` by jieba's words, under ``is_compiled_chinese``; None also for a dictionary without tables."""
    tables = jieba_tables(jieba_dictionary(rules.jieba_dict))
    if tables is None:
        return None
    clean = text_preparation(rules.clean, None, normalize=rules.normalize) if rules.clean else None
    if clean is not None:
        texts = list(map(clean, texts))
    is_ascii = list(map(str.isascii, texts))
    as_cut = rules._replace(lowercase=False)  # words are lower-cased once they are cut
    prepared = _prepared_texts(texts, as_cut, is_ascii)
    data, offsets = texts_as_bytes(prepared)
    if rules.normalize == "nfc" and kernels.may_need_composing(data):
        whole = list(map(composed, texts))
        if whole != texts:
            texts = prepared = whole
            data, offsets = texts_as_bytes(prepared)
    lowercase = rules.lowercase is True
    if lowercase and _hold_any(prepared, LOWERED_BEFORE, is_ascii):
        return None  # whose lower case is another length, or depends on what is around them
    keep = rules.punctuation == "keep"
    table = character_table("jieba", keep, lowercase, for_ascii=prepared is texts and all(is_ascii))
    filtered = rules.use_stemmer or is_filtered(rules)
    if filtered:
        begins = np.zeros(len(texts), np.bool_)
    ids, text_tokens, sentence_tokens, text_sentences, tokens, n_ids = kernels.ids_of_texts(
        *(data, offsets, begins, tables.codes, *tables[1:], rules.jieba_hmm, table.points), chinese_cut(rules)
    )
    batch = TokenBatch(ids, text_tokens, ids, sentence_tokens, text_sentences, n_ids)
    _note_lost_letters(texts, is_ascii, data, offsets, batch, notes)
    notes.saw_break |= _has_break(batch)
    return _filtered_batch(batch, data, tokens, rules) if filtered else batch


def _hold_any(texts: Sequence[str], characters: Sequence[str], is_ascii: Sequence[bool]) -> bool:
    """Whether some text holds one of these characters, none of which is ASCII."""
    others = "".join(itertools.compress(texts, map(operator.not_, is_ascii)))
    return any(character in others for character in characters)


def _tokenized(
    data: NDArray[np.uint8],
    offsets: NDArray[np.int64],
    table: CharacterTable,
    cut: int | None,
    begins: NDArray[np.bool_],
    *,
    stems: bool,
) -> tuple[TokenBatch, NDArray[np.int64]]:
    """Run the kernel; also where each token occurs first, int64[n_ids, 2], if there is one vocabulary."""
    memories = _STEM_MEMORIES[bool(table.points[65] >> 4 == 65)]
    memory = None
    if stems:
        try:
            memory = memories.pop()
        except IndexError:
            memory = kernels.StemMemory()
    ids, text_tokens, sentence_tokens, text_sentences, tokens, n_ids = kernels.tokenize_texts(
        *(data, offsets, table.points, table.begins_mark, cut, table.lone_marks, table.ascii_words, begins, memory)
    )
    if stems:
        memories.append(memory)
    return TokenBatch(ids, text_tokens, ids, sentence_tokens, text_sentences, n_ids), tokens


def _suspects(
    batch: TokenBatch, is_ascii: Sequence[bool], data: NDArray[np.uint8], offsets: NDArray[np.int64], notes: TextNotes
) -> list[int]:
    """The texts that may have lost letters; most of those that have not are found out by a kernel."""
    is_suspect = batch.text_tokens[1:] == batch.text_tokens[:-1]
    if notes.drops_letters and not all(is_ascii):
        others = np.flatnonzero(~np.array(is_ascii))
        is_suspect[others] |= ~kernels.has_more_ascii_letters(data, offsets, others)
    return np.flatnonzero(is_suspect).tolist()


def _note_lost_letters(
    texts: Sequence[str],
    is_ascii: Sequence[bool],
    data: NDArray[np.uint8],
    offsets: NDArray[np.int64],
    batch: TokenBatch,
    notes: TextNotes,
) -> None:
    """Note the texts whose letters the tokenizer drops."""
    for text in _suspects(batch, is_ascii, data, offsets, notes):
        notes.look_for_lost_letters(texts[text], int(batch.text_tokens[text + 1] - batch.text_tokens[text]))


def _has_break(batch: TokenBatch) -> bool:
    """Whether some text has several sentences."""
    return bool((np.diff(batch.text_sentences) > 1).any())


def _prepared_texts(texts: Sequence[str], rules: TextRules, is_ascii: Sequence[bool]) -> Sequence[str]:
    """The texts, with what the kernel does not do done to those that need it: all but ASCII, and but NFC."""
    if all(is_ascii):
        return texts
    if rules.normalize == "nfkc":
        texts = [text if text.isascii() else unicodedata.normalize("NFKC", text) for text in texts]
    if rules.lowercase is True and _hold_any(texts, LOWERED_BEFORE, is_ascii):
        return [text.lower() if any(map(text.__contains__, LOWERED_BEFORE)) else text for text in texts]
    return texts


def _filter_of_one(rules: TextRules) -> Callable[[str], list[str]]:
    """Stop words and stems for one token as it stands in the text."""
    filter_tokens = token_filter(rules) or list
    if rules.lowercase or rules.tokenizer == "rouge155":
        return lambda word: filter_tokens([word.lower()])
    return lambda word: filter_tokens([word])


def _filtered_batch(
    batch: TokenBatch, data: NDArray[np.uint8], tokens: NDArray[np.int64], rules: TextRules
) -> TokenBatch:
    """Put what stop words and stems leave of each id's token, one token or none, in its place."""
    words = (data[start:end].tobytes().decode() for start, end in tokens.tolist())
    filtered = map(_filter_of_one(rules), words)
    new_ids: defaultdict[str, int] = defaultdict()
    new_ids.default_factory = new_ids.__len__
    mapping = np.array([new_ids[left[0]] if left else -1 for left in filtered], np.int32)
    filtered_ids = mapping[batch.ids] if len(mapping) else batch.ids.astype(np.int32)
    kept = filtered_ids >= 0
    before = np.concatenate([[0], np.cumsum(kept)])  # kept tokens before each place
    ids = filtered_ids[kept].astype(np.uint32)
    sentence_tokens = before[batch.sentence_tokens]
    return TokenBatch(ids, before[batch.text_tokens], ids, sentence_tokens, batch.text_sentences, len(new_ids) + 1)


def batch_of_documents(documents: Sequence[Document]) -> TokenBatch:
    """Give ids to the tokens of documents, one vocabulary for all."""
    vocabulary: defaultdict[str, int] = defaultdict()
    vocabulary.default_factory = vocabulary.__len__

    def number(token_lists: list[list[str]]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
        """Ids of all tokens, and the offset of each list in them."""
        ids = np.fromiter(map(vocabulary.__getitem__, itertools.chain.from_iterable(token_lists)), np.uint32)
        return ids, _offsets(map(len, token_lists))

    ids, text_tokens = number([document.tokens for document in documents])
    sentence_ids, sentence_tokens = number([sentence for document in documents for sentence in document.sentences])
    text_sentences = _offsets(len(document.sentences) for document in documents)
    return TokenBatch(ids, text_tokens, sentence_ids, sentence_tokens, text_sentences, max(1, len(vocabulary)))


def _offsets(sizes: Iterable[int]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(np.fromiter(sizes, np.int64))]).astype(np.int64)
