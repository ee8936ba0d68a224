"""Texts to counts under some rules: Python prepares texts and names what is odd, the kernel does all in between."""

import functools
import itertools
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.compiled import kernels
from polyrouge.counting.compiled.character_table import character_table
from polyrouge.counting.compiled.jieba_tables import compiled_jieba_cutter, jieba_tables
from polyrouge.counting.compiled.kernels import codes
from polyrouge.counting.pair_counts import PairCounts
from polyrouge.counting.plain.engine import refusal_of
from polyrouge.counting.plain.lcs import RECURSION_STEPS
from polyrouge.counting.plain.weighted_lcs import length_weights
from polyrouge.counting.word_reading import WordReader
from polyrouge.documents.document import Document, document_readers, lowered, rules_by_side, token_filter
from polyrouge.documents.input_notes import InputNotes, OddTexts
from polyrouge.inputs import Inputs, SingleReferences
from polyrouge.settings.rouge_types import RougeType
from polyrouge.settings.rules import CountRules, TextRules
from polyrouge.texts.jieba_words import jieba_dictionary
from polyrouge.texts.normalization import CHARACTERS, normalized_text
from polyrouge.texts.tokenizers import TOKENIZERS, all_composed, composed
from polyrouge.tools.common import Prepare, text_preparation


class TokenBatch(NamedTuple):
    """The tokens of some texts, as ``kernels.Pairs`` takes them."""

    ids: NDArray[np.uint32]  # [n_tokens]: the texts, one after the other
    text_tokens: NDArray[np.int64]  # [n_texts + 1]: offsets of the texts in ids
    sentence_ids: NDArray[np.uint32]  # the sentences of the texts, one after the other; often ids itself
    sentence_tokens: NDArray[np.int64]  # [n_sentences + 1]: offsets of the sentences in sentence_ids
    text_sentences: NDArray[np.int64]  # [n_texts + 1]: offsets of the texts in the sentences
    n_ids: int  # every id is below


_SCANNED = ("mixed", "ascii", "zh_char", "char", "space", "rouge155", "hanzi")
_CUTS = {"none": codes.WHOLE, "newline": codes.LINES, "zh": codes.CHINESE}
# Tokenizers of tools: how the kernel calls them, and the only sentences that it can make.
_TOOLS = {
    "pltrdy": (codes.PLTRDY, "."),
    "rouge_chinese": (codes.ROUGE_CHINESE, "none"),
    "single_space": (codes.SINGLE_SPACES, "none"),
    "every_char": (codes.EVERY_CHARACTER, "。"),
}
_SEGMENTS = {
    None: codes.AS_IT_IS,
    "char": codes.CHARACTERS,
    "char_without_blanks": codes.VISIBLE_CHARACTERS,
    "jieba": codes.WORDS,
    "jieba_without_spaces": codes.WORDS_BUT_SPACES,
}
LCS_KINDS = {
    "sentence": codes.LCS,
    "union": codes.UNION_LCS,
    "pairwise_sum": codes.PAIRWISE_LCS,
    "type_union": codes.TYPE_UNION_LCS,
}
_NO_ODD_TEXTS = OddTexts(False, (), (), ())
_OF_BOTH = 1 | 1 << codes.OF_REFERENCE
MAY_BE_REFUSED = _OF_BOTH * codes.HAS_NO_TOKEN | codes.MAY_BE_DEEP
_ODD_TEXTS = codes.HAS_NO_TOKEN | codes.LOSES_LETTERS


class Counted(NamedTuple):
    """What the kernel gives back of some pairs."""

    counts: NDArray[np.float64]  # [n_pairs, n_types, 3]
    n_tokens: NDArray[np.int64]  # [n_pairs, 2]
    flags: NDArray[np.uint16]  # [n_pairs], of codes.py
    bases: NDArray[np.float64] | None  # [n_pairs], of ROUGE-W
    bits: int  # the flags of all pairs together


class Reading(NamedTuple):
    """How the kernel reads texts."""

    rule: int
    cut: int
    table: tuple[str, bool, bool, bool]  # of ``character_table``
    needs_jieba: bool
    form: str | None  # into which each text is brought first, such as NFKC
    lower: str  # "fold" or "ascii", if Python must


def reading_of(rules: TextRules) -> Reading | None:
    """How the kernel reads texts under some rules; None where Python must cut them."""
    name, split = rules.tokenizer, rules.sentence_split
    if not isinstance(name, str) or not isinstance(split, str) or rules.max_words or rules.max_bytes:
        return None
    is_tool, is_jieba = name in _TOOLS, name == "jieba"
    if rules.max_characters or not (is_tool or is_jieba or name in _SCANNED):
        return None
    form = rules.normalize if rules.normalize in CHARACTERS else None
    cuts_later = rules.uses_sentences and split not in ("none", "newline")
    if form is not None and (cuts_later or rules.segment):  # characters change once sentences are cut
        return None
    lower = str(rules.lowercase) if rules.lowercase in ("fold", "ascii") else ""
    if name == "rouge155" and lower == "ascii":  # its own
        lower = ""
    if lower and (is_jieba or rules.segment):
        return None
    if is_tool:
        rule, own_split = _TOOLS[name]
        if split != own_split or rules.use_stemmer or rules.stop_words or form is not None:
            return None
        if name == "single_space" and rules.uses_sentences:
            return None
        if name == "every_char" and rules.segment and rules.lowercase is True:  # İ becomes two
            return None
        cut, table = codes.WHOLE, "space"
    else:
        if rules.segment and name != "space":
            return None
        if split not in (*_CUTS, "auto") or (rules.use_stemmer and len(set(rules_by_side(rules))) > 1):
            return None
        if cuts_later:  # cut at Chinese marks, where they are no tokens
            if split != "zh" or rules.punctuation != "drop" or name in ("space", "hanzi"):
                return None
        rule, table = codes.JIEBA_WORDS if is_jieba else codes.SCANS, name
        cut = _CUTS[split] if rules.uses_sentences else codes.WHOLE
    keeps = is_tool or rules.punctuation == "keep"
    is_cut_before = is_jieba or rules.segment is not None  # so that odd letters stand alone when they are lower-cased
    needs_jieba = is_jieba or (rules.segment or "").startswith("jieba")
    return Reading(rule, cut, (table, keeps, rules.lowercase is True, is_cut_before), needs_jieba, form, lower)


class TextCounter:
    """Counts texts under some rules, for all callers and threads; ``reading`` is None where Python cuts the texts."""

    def __init__(self, text_rules: TextRules, rules: CountRules) -> None:
        self.text_rules, self.rules = text_rules, rules
        reading = reading_of(text_rules)
        self._jieba: Any = None
        if reading is not None and reading.needs_jieba:
            self._jieba = jieba_tables(jieba_dictionary(text_rules.jieba_dict))
            reading = reading if self._jieba is not None else None
        self.reading = reading
        self.is_composed = text_rules.normalize is not None
        self.notes_tokens = reading is not None and reading.rule in (codes.SCANS, codes.JIEBA_WORDS)
        self._types = [_counted_type(each, rules) for each in rules.types]
        self._weighted = [
            place for place, (kind, _, _) in enumerate(self._types) if kind == codes.WEIGHTED_LCS
        ]
        self.prepares = self.is_composed or bool(
            text_rules.clean or (reading is not None and (reading.form or reading.lower))
        )
        self._n_types = len(self._types)
        self._changes_letters = changes_letters = reading is not None and bool(reading.lower or reading.form)
        self._changes_ascii = bool(text_rules.clean) or (changes_letters and reading.form != "nfkc")
        self.is_only_composed = text_rules.normalize == "nfc" and not text_rules.clean and not changes_letters
        # Where the kernel sees other letters than those that may be lost.
        sees_others = changes_letters and (bool(reading.lower) or reading.form != "nfkc")
        self._looks_at_all = sees_others and TOKENIZERS[str(text_rules.tokenizer)].drops_letters
        self._may_lose_all = bool(text_rules.stop_words and rules.refuses)
        self._unusual = _OF_BOTH * codes.HAS_ODD_CASE
        if rules.refuses:
            self._unusual |= _OF_BOTH * codes.HAS_NO_TOKEN | codes.MAY_BE_DEEP
        if self._weighted:
            self._unusual = -1
        self._clean: Prepare | None = None
        if text_rules.clean:
            self._clean = text_preparation(text_rules.clean, None, normalize=text_rules.normalize)

    @functools.cached_property
    def of_ascii(self) -> Any:
        """The kernel's counter of samples that are ASCII."""
        return self._counter(for_ascii=True)

    @functools.cached_property
    def of_all(self) -> Any:
        """The kernel's counter of all samples, whose table takes 0.1 s to make."""
        return self._counter(for_ascii=False)

    @functools.cached_property
    def of_documents(self) -> Any:
        """The kernel's counter of texts that Python has cut."""
        return kernels.TextCounter(self._types, **self._options())

    def _options(self) -> dict[str, Any]:
        rules = self.rules
        return {
            "distinct": rules.ngram_counts == "set",
            "unclipped": rules.unclipped_totals,
            "drops_last": rules.definition != "paper",
            "weights": functools.partial(length_weights, weight=rules.weight),
            "deep": RECURSION_STEPS if "deep_recursion" in rules.refuses else 0,
        }

    def _counter(self, for_ascii: bool) -> Any:
        rules, reading = self.text_rules, self.reading
        name, keeps, lowercase, is_cut_before = reading.table
        own_filter = bool(rules.stop_words) or (
            rules.use_stemmer and (rules.stemmer != "porter" or reading.rule == codes.JIEBA_WORDS)
        )
        return kernels.TextCounter(
            self._types,
            table=character_table(name, keeps, lowercase, for_ascii=for_ascii, alone=is_cut_before),
            cut=reading.cut,
            rule=reading.rule,
            segment=_SEGMENTS[rules.segment],
            jieba=self._jieba,
            use_hmm=rules.jieba_hmm,
            stems=rules.use_stemmer and not own_filter,
            rewrite=_rewriter(rules) if own_filter else None,
            checks_case=lowercase and not is_cut_before,
            drops_letters=TOKENIZERS[str(rules.tokenizer)].drops_letters,
            **self._options(),
        )

    def cleaned(self, texts: Sequence[str]) -> Sequence[str]:
        """Texts in NFC, cleaned, as the rules ask for."""
        if self._clean is not None:
            return list(map(self._clean, texts))
        return all_composed(texts) if self.is_composed else texts

    def prepared(self, texts: Sequence[str]) -> Sequence[str]:
        """Cleaned texts as the kernel takes them."""
        reading = self.reading
        if reading.form is not None:
            texts = [normalized_text(text, reading.form) for text in texts]
        return [lowered(text, reading.lower) for text in texts] if reading.lower else texts

    def count_pair(self, prediction: str, reference: str) -> tuple[Any, ...] | None:
        """Hits and totals of each type, tokens and flags of one pair; None where ``count`` must be called."""
        is_ascii = prediction.isascii() and reference.isascii()
        if self.is_only_composed:
            if not is_ascii:
                prediction, reference = composed(prediction), composed(reference)
        elif self.prepares:
            prediction, reference = self.prepared(self.cleaned((prediction, reference)))
            is_ascii = prediction.isascii() and reference.isascii()
        counts = (self.of_ascii if is_ascii else self.of_all).count(prediction, reference)
        if counts is None or counts[-1] & self._unusual or (self._may_lose_all and not (counts[-3] and counts[-2])):
            return None
        return counts

    def has_sentences(self, bits: int) -> bool:
        """Whether a text has several sentences, by all flags."""
        return bool(bits & (_OF_BOTH * codes.HAS_SENTENCES))

    def has_odd_texts(self, bits: int) -> bool:
        """Whether a text may have no token or lose letters, by all flags."""
        return self.notes_tokens and (self._looks_at_all or bool(bits & (_OF_BOTH * _ODD_TEXTS)))

    def odd_texts(self, bits: int, flags: NDArray[np.uint16], offsets: NDArray[np.int64] | None) -> OddTexts:
        """Which texts may hold what is noted."""
        if not bits & (_OF_BOTH * codes.NEEDS_A_LOOK):
            return _NO_ODD_TEXTS
        ours, theirs = flags & codes.NEEDS_A_LOOK != 0, flags & (codes.NEEDS_A_LOOK << codes.OF_REFERENCE) != 0
        rows = ours | theirs
        if offsets is not None:
            ours, rows = ours[offsets[:-1]], np.logical_or.reduceat(rows, offsets[:-1])
        return OddTexts(True, ours.tolist(), theirs.tolist(), rows.tolist())

    def count(
        self,
        inputs: Inputs,
        notes: InputNotes,
        cancelled: NDArray[np.uint8] | None = None,
        words: WordReader | None = None,
    ) -> PairCounts:
        """Count the pairs of some samples, until ``cancelled``, uint8[1], is not 0."""
        rows = inputs.references
        if isinstance(rows, SingleReferences):
            references: Sequence[str] = rows.texts
            offsets = None
        else:
            references = list(itertools.chain.from_iterable(rows))
            offsets = np.array([0, *itertools.accumulate(map(len, rows))], np.int64)
        if self.reading is None:
            counted, refusals = self._count_documents(inputs, references, offsets, notes, cancelled, words)
        else:
            predictions, originals = inputs.predictions, references
            if self.prepares:
                predictions, references = self.cleaned(predictions), self.cleaned(references)
            counted = self.counted(predictions, references, offsets, cancelled)
            self.note_all(counted.bits, counted.flags, predictions, references, offsets, notes)
            refusals = self._refusals(inputs.predictions, originals, offsets, counted) if self.rules.refuses else []
        self._weigh(counted.counts)
        return PairCounts(
            counted.counts,
            np.arange(len(references) + 1) if offsets is None else offsets,
            counted.n_tokens[:, 0],
            counted.n_tokens[:, 1],
            refusals if any(refusals) else None,
            counted.bases,
        )

    def note_all(
        self, bits: int, flags: NDArray[np.uint16], predictions: Any, references: Any, offsets: Any, notes: InputNotes
    ) -> None:
        """Note what the kernel has seen."""
        notes.saw_break |= bool(bits & (_OF_BOTH * codes.HAS_SENTENCES))
        notes.odd = self.odd_texts(bits, flags, offsets)
        if self.has_odd_texts(bits):
            self.note_texts(predictions, references, offsets, flags, notes)

    def counted(
        self,
        predictions: Sequence[str],
        references: Sequence[str],
        offsets: NDArray[np.int64] | None = None,
        cancelled: NDArray[np.uint8] | None = None,
        *,
        is_ascii: bool | None = None,
    ) -> Counted:
        """Count texts that are cleaned, which the kernel reads; references of sample i begin at offsets[i]."""
        ours, theirs = predictions, references
        if self._changes_letters:
            ours, theirs, is_ascii = self.prepared(predictions), self.prepared(references), None
        if is_ascii is None:
            is_ascii = all(map(str.isascii, ours)) and all(map(str.isascii, theirs))
        if type(ours) is not list or type(theirs) is not list:
            ours, theirs = list(ours), list(theirs)
        out = self._room_for(len(references))
        counts, n_tokens, flags, bases = out
        counter = self.of_ascii if is_ascii else self.of_all
        bits = counter.count_many(ours, theirs, counts, n_tokens, flags, offsets, bases, cancelled)
        if bits & (_OF_BOTH * codes.HAS_ODD_CASE):
            odd = np.flatnonzero(flags & (_OF_BOTH * codes.HAS_ODD_CASE)).tolist()
            rows = odd if offsets is None else np.searchsorted(offsets, odd, side="right") - 1
            few = self._room_for(len(odd))
            texts = [self._lower(ours[row]) for row in rows], [self._lower(theirs[pair]) for pair in odd]
            bits |= self.of_all.count_many(*texts, *few[:3], None, few[3], cancelled)
            for array, items in zip(out, few, strict=True):
                if array is not None:
                    array[odd] = items
        return Counted(*out, bits)

    def _room_for(self, n_pairs: int) -> tuple[Any, ...]:
        """The arrays of ``Counted``."""
        bases = np.empty(n_pairs) if self.rules.keeps_weighted_bases else None
        counts, n_tokens = np.empty((n_pairs, self._n_types, 3)), np.empty((n_pairs, 2), np.int64)
        return counts, n_tokens, np.zeros(n_pairs, np.uint16), bases

    def _lower(self, text: str) -> str:
        """A text with letters that the kernel can't lower-case, in lower case: pltrdy's sentences are cut before."""
        if self.reading.rule == codes.PLTRDY:
            return ".".join(map(str.lower, text.split(".")))
        return text.lower()

    def note_texts(
        self, predictions: Sequence[str], references: Sequence[str], offsets: Any, flags: Any, notes: InputNotes
    ) -> None:
        """Note texts without tokens, or whose letters the tokenizer drops."""
        odd = flags & (_OF_BOTH * _ODD_TEXTS)
        for pair in range(len(flags)) if self._looks_at_all else np.flatnonzero(odd).tolist():
            row = pair if offsets is None else int(np.searchsorted(offsets, pair, side="right")) - 1
            for text, bits in ((predictions[row], flags[pair]), (references[pair], flags[pair] >> codes.OF_REFERENCE)):
                if bits & _ODD_TEXTS or (self._looks_at_all and not text.isascii()):
                    notes.look_for_lost_letters(text, 0 if bits & codes.HAS_NO_TOKEN else 1)

    def _refusals(
        self, predictions: Sequence[str], references: Sequence[str], offsets: Any, counted: Counted
    ) -> list[str]:
        """For each pair why the tool would refuse it; few pairs have to be looked at."""
        n_tokens, flags = counted.n_tokens, counted.flags
        refusals = [""] * len(references)
        readers = None
        is_odd = (n_tokens == 0).any(axis=1) | (flags & codes.MAY_BE_DEEP != 0)
        for pair in np.flatnonzero(is_odd).tolist():
            row = pair if offsets is None else int(np.searchsorted(offsets, pair, side="right")) - 1
            texts = predictions[row], references[pair]
            if flags[pair] & codes.MAY_BE_DEEP:
                readers = readers or document_readers(self.text_rules, None, compiled_jieba_cutter)
                documents = readers.prediction(texts[0]), readers.reference(texts[1])
            else:  # what counts is whether there are tokens
                documents = [Document([""] * n, [[""] * n] if n else []) for n in n_tokens[pair].tolist()]
            refusals[pair] = refusal_of(texts, *documents, self.rules)
        return refusals

    def read(
        self, texts: Sequence[str], begins: NDArray[np.bool_], is_prediction: NDArray[np.bool_], notes: InputNotes
    ) -> TokenBatch:
        """The tokens of texts as ids; texts of ``begins`` begin a vocabulary, if the kernel reads them."""
        if self.reading is None:
            return batch_of_documents(self._documents(texts, is_prediction.tolist(), notes, None))
        texts = self.cleaned(texts)
        prepared = list(self.prepared(texts))
        counter = self.of_ascii if all(map(str.isascii, prepared)) else self.of_all
        *fields, flags = counter.read(prepared, begins.view(np.uint8))
        odd = np.flatnonzero(flags & codes.HAS_ODD_CASE).tolist()
        if odd:
            for text in odd:
                prepared[text] = self._lower(prepared[text])
            *fields, flags = self.of_all.read(prepared, begins.view(np.uint8))
        ids, text_tokens, sentence_tokens, text_sentences, n_ids = fields
        notes.saw_break |= bool((flags & codes.HAS_SENTENCES).any())
        if self.notes_tokens:
            odd = flags & _ODD_TEXTS
            for text in range(len(texts)) if self._looks_at_all else np.flatnonzero(odd).tolist():
                notes.look_for_lost_letters(texts[text], 0 if flags[text] & codes.HAS_NO_TOKEN else 1)
        return TokenBatch(ids, text_tokens, ids, sentence_tokens, text_sentences, n_ids)

    def count_read(
        self,
        batch: TokenBatch,
        predictions: NDArray[np.int64],
        references: NDArray[np.int64],
        cancelled: NDArray[np.uint8],
    ) -> PairCounts:
        """Count pairs of a batch's texts, which are given by their places; each pair is a sample."""
        n_pairs = len(predictions)
        counts = np.empty((n_pairs, len(self._types), 3))
        bases = np.empty(n_pairs) if self.rules.keeps_weighted_bases else None
        self.of_documents.count_read(kernels.Pairs(*batch, predictions, references, cancelled), counts, bases)
        self._weigh(counts)
        n_tokens = np.diff(batch.text_tokens)
        tokens = n_tokens[predictions], n_tokens[references]
        return PairCounts(counts, np.arange(n_pairs + 1), *tokens, weighted_bases=bases)

    def _weigh(self, counts: NDArray[np.float64]) -> None:
        """Weight the reference's total of ROUGE-1.5.5's ROUGE-W a second time, by Python's power."""
        for column in self._weighted:
            totals = counts[:, column, 2]
            totals[:] = [base**self.rules.weight for base in totals.tolist()]

    def _documents(
        self, texts: Sequence[str], is_prediction: Sequence[bool], notes: InputNotes, words: WordReader | None
    ) -> list[Document]:
        """Texts that Python cuts, except that a kernel does what jieba would."""
        if words is not None:
            return words.read(texts, notes)
        cutter = functools.partial(compiled_jieba_cutter, notes=notes)
        read_prediction, read_reference = document_readers(self.text_rules, notes, cutter)
        reads = (read_reference, read_prediction)
        return [reads[side](text) for text, side in zip(texts, is_prediction, strict=True)]

    def _count_documents(
        self, inputs: Inputs, references: Sequence[str], offsets: Any, notes: InputNotes, cancelled: Any, words: Any
    ) -> tuple[Counted, list[str]]:
        if offsets is None:
            offsets = np.arange(len(references) + 1)
        texts, is_prediction = [], []
        for row, prediction in enumerate(inputs.predictions):
            texts += [prediction, *references[offsets[row] : offsets[row + 1]]]
            is_prediction += [True, *[False] * int(offsets[row + 1] - offsets[row])]
        documents = self._documents(texts, is_prediction, notes, words)
        out = self._room_for(len(references))
        bits = self.of_documents.count_documents(documents, *out[:3], offsets, out[3], cancelled)
        counted = Counted(*out, bits)
        if not self.rules.refuses:
            return counted, []
        refusals, place = [], 0
        for row in range(len(inputs.predictions)):
            for pair in range(offsets[row], offsets[row + 1]):
                other = place + 1 + pair - offsets[row]
                of_pair = texts[place], texts[other]
                refusals.append(refusal_of(of_pair, documents[place], documents[other], self.rules))
            place += 1 + offsets[row + 1] - offsets[row]
        return counted, refusals


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


@functools.lru_cache(maxsize=32)
def text_counter(text_rules: TextRules, rules: CountRules) -> TextCounter:
    """The counter under some rules, shared by all callers."""
    return TextCounter(text_rules, rules)


def counter_of(text_rules: TextRules, rules: CountRules) -> TextCounter:
    """``text_counter``; of a user's functions, which must not be kept and may have no hash, a new one."""
    is_users = callable(text_rules.tokenizer) or callable(text_rules.sentence_split)
    return TextCounter(text_rules, rules) if is_users else text_counter(text_rules, rules)


def _rewriter(rules: TextRules) -> Any:
    """What stop words and stems make of a token: another, or None."""
    filter_tokens = token_filter(rules) or list
    lowers = bool(rules.lowercase) or rules.tokenizer == "rouge155"

    def rewrite(token: str) -> str | None:
        left = filter_tokens([token.lower() if lowers else token])
        return left[0] if left else None

    return rewrite


def _counted_type(rouge_type: RougeType, rules: CountRules) -> tuple[int, int, bool]:
    """A type as the kernel takes it."""
    if rouge_type.kind == "ngram":
        return rouge_type.n, 0, False
    if rouge_type.kind == "skip_bigram":
        return codes.SKIP_BIGRAMS, -1 if rouge_type.gap is None else rouge_type.gap, rouge_type.with_unigrams
    if rouge_type.kind == "weighted_lcs":
        return codes.WEIGHTED_LCS_PAPER if rules.definition == "paper" else codes.WEIGHTED_LCS, 0, False
    return LCS_KINDS[rules.lcs] if rouge_type.kind == "lcs" else codes.UNION_LCS, 0, False
