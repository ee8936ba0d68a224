"""Texts to token ids: what the compiled engine counts on.

Ids are consecutive integers, equal for equal tokens within a vocabulary, never hashes. A vocabulary is that of one
sample, or of all the texts of a batch.
"""

import itertools
import operator
import unicodedata
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.compiled import kernels
from polyrouge.counting.compiled.character_table import LOWERED_BEFORE, character_table
from polyrouge.counting.compiled.jieba_tables import jieba_tables
from polyrouge.counting.compiled.supported_rules import can_be_spaced, is_filtered, sentence_cut
from polyrouge.documents.document import Document, token_filter
from polyrouge.documents.input_notes import InputNotes
from polyrouge.settings.rules import TextRules
from polyrouge.texts.jieba_words import jieba_dictionary
from polyrouge.texts.patterns import pattern
from polyrouge.texts.tokenizers import all_composed
from polyrouge.tools.common import text_preparation
from polyrouge.tools.rouge_chinese import break_chinese_lines

# Stems of earlier chunks, of this call or others; a memory serves one thread at a time.
_STEM_MEMORIES: deque[Any] = deque()
# These stand for an empty token. No word of pltrdy's holds a full stop; texts with the noncharacter are left out.
_EMPTY_OF_PLTRDY = "."
_EMPTY_OF_ROUGE_CHINESE = "\U0010ffff"
_BLANK_LINE = pattern(r"\n[^\S\n]+(?=\n)")
_BLANKS_BEHIND_MARK = pattern(r"([。！？?])[^\S\n]+\n")
_BLANK = ord(" ")
_DOTS = "." * 6  # in one word of jieba's


class TokenBatch(NamedTuple):
    """The tokens of some texts, as ``kernels.Pairs`` takes them."""

    ids: NDArray[np.uint32]  # [n_tokens]: the texts, one after the other
    text_tokens: NDArray[np.int64]  # [n_texts + 1]: offsets of the texts in ids
    sentence_ids: NDArray[np.uint32]  # the sentences of the texts, one after the other; often ids itself
    sentence_tokens: NDArray[np.int64]  # [n_sentences + 1]: offsets of the sentences in sentence_ids
    text_sentences: NDArray[np.int64]  # [n_texts + 1]: offsets of the texts in the sentences
    n_ids: int  # every id is below


def batch_of_texts(
    texts: Sequence[str], begins: NDArray[np.bool_], rules: TextRules, notes: InputNotes
) -> TokenBatch | None:
    """Tokenize texts under rules of ``is_compiled_tokenization``; None for the rare texts that the kernel can't do.

    A vocabulary begins with each text of ``begins``, but stop words and a tool's stems need one for the whole batch.
    """
    is_jieba = rules.tokenizer == "jieba"
    tables = jieba_tables(jieba_dictionary(rules.jieba_dict)) if is_jieba else None
    if is_jieba and tables is None:
        return None
    if rules.clean and (clean := text_preparation(rules.clean, None, normalize=rules.normalize)):
        texts = list(map(clean, texts))
    if rules.normalize == "nfc":
        texts = all_composed(texts)
    tokenizer, originals, is_spaced = str(rules.tokenizer), texts, can_be_spaced(rules)
    if is_spaced:
        spaced = spaced_texts(texts, rules)
        if spaced is None:
            return None
        tokenizer, texts = "space", spaced
    is_ascii = list(map(str.isascii, originals))
    lowercase = rules.lowercase is True
    lowers_before = lowercase and not is_jieba  # jieba's words are lower-cased once they are cut
    prepared = _prepared_texts(texts, rules.normalize, lowers_before, is_ascii)
    data, offsets = texts_as_bytes(prepared)
    if is_jieba and lowercase and _hold_any(prepared, LOWERED_BEFORE, is_ascii):
        return None
    for_ascii = not is_spaced and all(is_ascii)
    table = character_table(tokenizer, rules.punctuation == "keep", lowercase, for_ascii=for_ascii)
    is_filtered_after = is_filtered(rules) or (is_jieba and rules.use_stemmer)
    if is_filtered_after:
        begins = np.zeros(len(texts), np.bool_)
    memory = None
    if rules.use_stemmer and not is_filtered_after:
        try:
            memory = _STEM_MEMORIES.pop()
        except IndexError:  # none is free
            memory = kernels.StemMemory()
    ids, text_tokens, sentence_tokens, text_sentences, tokens, n_ids = kernels.tokenize_texts(
        data, offsets, begins, table, sentence_cut(rules), memory, tables, rules.jieba_hmm
    )
    if memory is not None:
        _STEM_MEMORIES.append(memory)
    batch = TokenBatch(ids, text_tokens, ids, sentence_tokens, text_sentences, n_ids)
    notes.saw_break |= bool((np.diff(batch.text_sentences) > 1).any())
    if not is_spaced:  # with blanks between the words, a text without tokens is blank
        _note_lost_letters(originals, is_ascii, data, offsets, batch, notes)
    return _filtered_batch(batch, data, tokens, rules) if is_filtered_after else batch


def _hold_any(texts: Sequence[str], characters: Sequence[str], is_ascii: Sequence[bool]) -> bool:
    """Whether some text holds one of these characters, none of which is ASCII."""
    others = "".join(itertools.compress(texts, map(operator.not_, is_ascii)))
    return any(character in others for character in characters)


def _note_lost_letters(
    texts: Sequence[str],
    is_ascii: Sequence[bool],
    data: NDArray[np.uint8],
    offsets: NDArray[np.int64],
    batch: TokenBatch,
    notes: InputNotes,
) -> None:
    """Note the texts whose letters the tokenizer drops; a kernel rules out most of the others."""
    is_suspect = batch.text_tokens[1:] == batch.text_tokens[:-1]
    if notes.drops_letters and not all(is_ascii):
        others = np.flatnonzero(~np.array(is_ascii))
        is_suspect[others] |= ~kernels.has_more_ascii_letters(data, offsets, others)
    suspects: list[int] = np.flatnonzero(is_suspect).tolist()
    for text in suspects:
        notes.look_for_lost_letters(texts[text], int(batch.text_tokens[text + 1] - batch.text_tokens[text]))


def _prepared_texts(
    texts: Sequence[str], normalize: str | None, lowercase: bool, is_ascii: Sequence[bool]
) -> Sequence[str]:
    """The texts with what the kernel does not do: NFKC, and the lower case of some letters."""
    if all(is_ascii):
        return texts
    if normalize == "nfkc":
        texts = [text if text.isascii() else unicodedata.normalize("NFKC", text) for text in texts]
    if lowercase and _hold_any(texts, LOWERED_BEFORE, is_ascii):
        return [text.lower() if any(map(text.__contains__, LOWERED_BEFORE)) else text for text in texts]
    return texts


def _filtered_batch(
    batch: TokenBatch, data: NDArray[np.uint8], tokens: NDArray[np.int64], rules: TextRules
) -> TokenBatch:
    """Replace each id's token by what stop words and stems leave of it, one token or none."""
    filter_tokens = token_filter(rules) or list
    words = [data[start:end].tobytes().decode() for start, end in tokens.tolist()]
    if rules.lowercase or rules.tokenizer == "rouge155":
        words = map(str.lower, words)
    new_ids: defaultdict[str, int] = defaultdict(itertools.count().__next__)
    mapping = np.array(
        [new_ids[left[0]] if left else -1 for left in (filter_tokens([word]) for word in words)], np.int32
    )
    filtered_ids = mapping[batch.ids] if len(mapping) else batch.ids.astype(np.int32)
    stays = filtered_ids >= 0
    before = np.concatenate([[0], np.cumsum(stays)])  # how many stay before each token
    ids = filtered_ids[stays].astype(np.uint32)
    sentence_tokens = before[batch.sentence_tokens]
    return TokenBatch(ids, before[batch.text_tokens], ids, sentence_tokens, batch.text_sentences, len(new_ids) + 1)


def batch_of_documents(documents: Sequence[Document]) -> TokenBatch:
    """Give ids to the tokens of documents, one vocabulary for all."""
    vocabulary: defaultdict[str, int] = defaultdict(itertools.count().__next__)

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


def texts_as_bytes(texts: Sequence[str]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The texts as UTF-8, one after the other, at least one byte; and where each begins."""
    # Not by pyarrow: its ``array`` imports pandas, which takes as long as scoring some hundred pairs.
    joined = "".join(texts)
    if joined.isascii():
        data, sizes = joined.encode(), map(len, texts)
    else:
        encoded = list(map(str.encode, texts))
        data, sizes = b"".join(encoded), map(len, encoded)
    offsets = np.zeros(len(texts) + 1, np.int64)
    np.cumsum(np.fromiter(sizes, np.int64, len(texts)), out=offsets[1:])
    return np.frombuffer(data or b"\0", np.uint8), offsets


def spaced_texts(texts: Sequence[str], rules: TextRules) -> Sequence[str] | None:
    """Texts of which ``space`` makes the tokens of pltrdy or rouge_chinese; None where the kernel can't."""
    if rules.segment in ("jieba", "jieba_without_spaces"):
        words = _with_words_apart(texts, rules)
        if words is None:
            return None
        texts = words
    elif put_blanks := text_preparation(None, rules.segment):
        texts = list(map({text: put_blanks(text) for text in set(texts)}.__getitem__, texts))
    if rules.tokenizer == "pltrdy":
        return list(map(_as_pltrdy, texts))
    if any(_EMPTY_OF_ROUGE_CHINESE in text for text in texts):
        return None
    return [_as_rouge_chinese(text, rules.segment is not None and _DOTS not in text) for text in texts]


def _with_words_apart(texts: Sequence[str], rules: TextRules) -> list[str] | None:
    """The texts with a blank between jieba's words, without those that are a space if the rules say so."""
    tables = jieba_tables(jieba_dictionary(rules.jieba_dict))
    if tables is None:
        return None
    data, offsets = texts_as_bytes(texts)
    ends, text_words = kernels.word_ends(data, offsets, tables, rules.jieba_hmm)
    spaced = np.insert(data[: offsets[-1]], ends, _BLANK)
    sizes = np.diff(ends, prepend=0) + 1  # each word with the blank behind it
    if rules.segment == "jieba_without_spaces":
        starts = np.cumsum(sizes) - sizes
        is_space = (sizes == 2) & (spaced[starts] == _BLANK)
        spaced = np.delete(spaced, np.concatenate([starts[is_space], starts[is_space] + 1]))
        sizes[is_space] = 0
    bounds = np.concatenate([[0], np.cumsum(sizes)])[text_words].tolist()
    whole = spaced.tobytes()
    return [whole[start : max(start, end - 1)].decode() for start, end in itertools.pairwise(bounds)]


def _as_pltrdy(text: str) -> str:
    """Line breaks are blanks, full stops end sentences, and one of blanks only is an empty token."""
    text = text.replace("\n", " ")
    if "." not in text:
        return _EMPTY_OF_PLTRDY if text.isspace() else text
    return "\n".join(_EMPTY_OF_PLTRDY if piece.isspace() else piece for piece in text.split("."))


def _as_rouge_chinese(text: str, has_blanks: bool) -> str:
    """A line of blanks only is an empty token, except at the end.

    ``has_blanks``: blanks stand between all words, and no word is of full stops. A break behind a mark then cuts no
    word, and makes a line of blanks only where the text's own line break comes next.
    """
    text = text.rstrip()
    if not has_blanks:
        text = break_chinese_lines(text).rstrip()
    if "\n" not in text:
        return text
    first, _, rest = text.partition("\n")
    if first.isspace():
        text = f"{_EMPTY_OF_ROUGE_CHINESE}\n{rest}"
    text = _BLANK_LINE.sub(f"\n{_EMPTY_OF_ROUGE_CHINESE}", text)
    if has_blanks:
        parts = _BLANKS_BEHIND_MARK.split(text)  # every second one is a mark
        parts[1::2] = [f"{mark} {_EMPTY_OF_ROUGE_CHINESE} " for mark in parts[1::2]]
        text = "".join(parts)
    return text.replace("\n", " ")
