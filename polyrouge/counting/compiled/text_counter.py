"""Count texts by the kernel: Python prepares the texts and notes odd ones, the kernel does everything in between."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.conventions.by_name import Prepare, text_preparation
from polyrouge.counting.compiled import kernels
from polyrouge.counting.compiled.character_table import character_table
from polyrouge.counting.counts import Counts, pair_counts_of, pair_offsets
from polyrouge.counting.token_ids import TokenIds, batch_of_documents
from polyrouge.documents.document import Document, changes_tokens, lowered, readers_by_side, rules_by_side, token_filter
from polyrouge.documents.input_notes import NO_ODD_TEXTS, InputNotes, OddTexts
from polyrouge.inputs import Inputs, SingleReferences, reference_texts
from polyrouge.settings.rouge_types import RougeType
from polyrouge.settings.rules import RECURSION_STEPS, CountRules, TextRules
from polyrouge.texts.jieba_words import jieba_dictionary
from polyrouge.texts.normalization import CHARACTERS, normalized_text
from polyrouge.texts.tokenizers import TOKENIZERS, all_composed, composed

if TYPE_CHECKING:
    from polyrouge.counting.word_reading import WordReader


_SCANNED = ("mixed", "ascii", "zh_char", "char", "space", "rouge155", "hanzi")
_CUTS = {"none": kernels.WHOLE, "newline": kernels.LINES, "zh": kernels.CHINESE}
# Tokenizers of tools: their rule in the kernel, and the only sentence split that it knows.
_TOOLS = {
    "pltrdy": (kernels.PLTRDY, "."),
    "rouge_chinese": (kernels.ROUGE_CHINESE, "none"),
    "single_space": (kernels.SINGLE_SPACES, "none"),
    "every_char": (kernels.EVERY_CHARACTER, "。"),
}
_IN_PYTHON = "jieba_where_chinese"  # a segmentation that is done before
_SEGMENTS = {
    **dict.fromkeys((None, _IN_PYTHON), kernels.AS_IT_IS),
    "char": kernels.CHARACTERS,
    "char_without_blanks": kernels.VISIBLE_CHARACTERS,
    "jieba": kernels.WORDS,
    "jieba_without_spaces": kernels.WORDS_BUT_SPACES,
}
LCS_KINDS = {
    "sentence": kernels.LCS,
    "union": kernels.UNION_LCS,
    "pairwise_sum": kernels.PAIRWISE_LCS,
    "type_union": kernels.TYPE_UNION_LCS,
}
_NOTED = kernels.NEEDS_A_LOOK | kernels.HAS_HANGUL
_NOTED_OR_DECOMPOSED = _NOTED | kernels.MAY_BE_DECOMPOSED
_ODD_TEXTS = kernels.HAS_NO_TOKEN | kernels.LOSES_LETTERS

_NO_COUNTS = CountRules((), "multiset", "sentence", "paper", 1.0, (), False, False, False)


class SpannedBatch(NamedTuple):
    """The tokens of texts, all of one vocabulary, and their spans."""

    batch: TokenIds
    spans: NDArray[np.int32]  # [n_tokens, 2]: first character of each token, and the position after its last; or -1, -1
    vocabulary: list[str]  # the token of each id, in the form compared


class Reading(NamedTuple):
    """How the kernel reads texts."""

    rule: int
    cut: int
    table: tuple[str, bool, bool, bool]  # of ``character_table``
    needs_jieba: bool
    form: str | None  # normal form of the texts, such as NFKC
    lower: str  # "fold" or "ascii", if Python must


def kernel_reading(rules: TextRules) -> Reading | None:
    """Say how the kernel reads texts under these rules; None if Python must cut them."""
    name, split = rules.tokenizer, rules.sentence_split
    if rules.segment == _IN_PYTHON:
        rules = rules._replace(segment=None)
    if not isinstance(name, str) or not isinstance(split, str) or rules.max_words or rules.max_bytes:
        return None
    is_tool, is_jieba = name in _TOOLS, name == "jieba"
    if rules.joined_split is not None or rules.max_characters or not (is_tool or is_jieba or name in _SCANNED):
        return None
    form = rules.normalize if rules.normalize in CHARACTERS else None
    cuts_later = rules.uses_sentences and split not in ("none", "newline")
    if form is not None and (cuts_later or rules.segment):  # characters change once sentences are cut
        return None
    lower = str(rules.lowercase) if rules.lowercase in ("fold", "ascii") else ""
    if name == "rouge155" and lower == "ascii":  # part of its rule
        lower = ""
    if lower and (is_jieba or rules.segment):
        return None
    if is_tool:
        rule, tool_split = _TOOLS[name]
        if split != tool_split or changes_tokens(rules) or form is not None:
            return None
        if name == "single_space" and rules.uses_sentences:
            return None
        if name == "every_char" and rules.segment and rules.lowercase is True:  # İ becomes two characters
            return None
        cut, table = kernels.WHOLE, "space"
    else:
        if rules.segment and name != "space":
            return None
        if split not in (*_CUTS, "auto") or (rules.use_stemmer and len(set(rules_by_side(rules))) > 1):
            return None
        is_cut = split == "zh" and rules.punctuation == "drop" and name not in ("space", "hanzi")
        if cuts_later and not is_cut:  # at Chinese marks that are no tokens
            return None
        rule, table = kernels.JIEBA_WORDS if is_jieba else kernels.SCANS, name
        cut = _CUTS[split] if rules.uses_sentences else kernels.WHOLE
    keeps = is_tool or rules.punctuation == "keep"
    is_cut_before = is_jieba or rules.segment is not None  # then odd letters stand alone when they are lower-cased
    needs_jieba = is_jieba or (rules.segment or "").startswith("jieba")
    return Reading(rule, cut, (table, keeps, rules.lowercase is True, is_cut_before), needs_jieba, form, lower)


class TextCounter:
    """Count texts under fixed rules, for all callers and threads; ``reading`` is None if Python cuts the texts."""

    def __init__(self, text_rules: TextRules, rules: CountRules) -> None:
        self.text_rules, self.rules = text_rules, rules
        reading: Any = kernel_reading(text_rules)
        self._jieba: Any = None
        if reading is not None and reading.needs_jieba:
            from polyrouge.counting.compiled.jieba_tables import jieba_tables  # few rules need it

            self._jieba = jieba_tables(jieba_dictionary(text_rules.jieba_dict))
            reading = reading if self._jieba is not None else None
        self.reading: Any = reading
        self.is_composed = text_rules.normalize is not None
        self.notes_tokens = reading is not None and text_rules.tokenizer not in _TOOLS
        self._types = [_counted_type(rouge_type, rules) for rouge_type in rules.types]
        self._weighted = [column for column, (kind, *_) in enumerate(self._types) if kind == kernels.WEIGHTED_LCS]
        changes = bool(text_rules.prepare) or text_rules.segment == _IN_PYTHON
        self.prepares = self.is_composed or bool(changes or (reading is not None and (reading.form or reading.lower)))
        self._sees_changed = changes  # texts as they are may be decomposed
        changes_letters = reading is not None and bool(reading.lower or reading.form)
        self.is_only_composed = text_rules.normalize == "nfc" and not changes and not changes_letters
        # Then the kernel sees other letters than the tokenizer may lose.
        sees_other_letters = reading is not None and bool(reading.lower or reading.form not in (None, "nfkc"))
        self._looks_at_all = sees_other_letters and TOKENIZERS[str(text_rules.tokenizer)].drops_letters
        self._changes: tuple[Prepare | None, Prepare | None] | None = None  # of references, of predictions
        if changes and reading is not None:
            segment = text_rules.segment if text_rules.segment == _IN_PYTHON else None
            sides = rules_by_side(text_rules)
            by_prediction, by_reference = (_preparation(side._replace(segment=segment)) for side in sides)
            self._changes = by_reference, by_prediction

    @functools.cached_property
    def of_ascii(self) -> Any:
        """Return the kernel's reader and counter of ASCII texts."""
        return self._counter(for_ascii=True)

    @functools.cached_property
    def of_all(self) -> Any:
        """Return the reader and counter of all texts, whose table takes 0.1 s to make."""
        return self._counter(for_ascii=False)

    @functools.cached_property
    def of_ids(self) -> Any:
        """Return the kernel's counter of texts that were read."""
        return kernels.TextCounter(self._types, **self._options())

    def _options(self) -> dict[str, Any]:
        rules = self.rules
        return {
            "distinct": rules.ngram_counts == "set",
            "unclipped": rules.unclipped_totals,
            "drops_last": rules.definition != "paper",
            "weights": functools.partial(_length_weights, weight=rules.weight),
        }

    def _counter(self, for_ascii: bool) -> Any:
        rules, reading = self.text_rules, self.reading
        name, keeps, lowercase, is_cut_before = reading.table
        only_stems = rules.use_stemmer and not changes_tokens(rules._replace(use_stemmer=False))
        stems = only_stems and rules.stemmer == "porter" and reading.rule != kernels.JIEBA_WORDS
        return kernels.TextCounter(
            self._types,
            table=character_table(name, keeps, lowercase, for_ascii=for_ascii, alone=is_cut_before),
            cut=reading.cut,
            rule=reading.rule,
            segment=_SEGMENTS[rules.segment],
            jieba=self._jieba,
            use_hmm=rules.jieba_hmm,
            stems=stems,
            rewrite=_rewriter(rules) if changes_tokens(rules) and not stems else None,
            compose=composed if self.is_only_composed else None,
            drops_letters=TOKENIZERS[str(rules.tokenizer)].drops_letters,
            of_ascii=for_ascii,
            **self._options(),
        )

    def changed(self, texts: Sequence[str], is_prediction: Sequence[bool] | bool) -> Sequence[str]:
        """Change texts by the steps of ``prepare`` and bring them into NFC, if the rules say so."""
        if self._changes is not None:
            sides = [is_prediction] * len(texts) if isinstance(is_prediction, bool) else is_prediction
            changes = [self._changes[side] for side in sides]
            return [text if change is None else change(text) for text, change in zip(texts, changes, strict=True)]
        return all_composed(texts) if self.is_composed else texts

    def prepared(self, texts: Sequence[str]) -> Sequence[str]:
        """Bring changed texts into the form that the kernel reads."""
        reading = self.reading
        if reading.form is not None:
            texts = [normalized_text(text, reading.form) for text in texts]
        return [lowered(text, reading.lower) for text in texts] if reading.lower else texts

    def count_samples(
        self,
        predictions: list[str],
        references: list[str],
        n_references: list[int] | None = None,
        *,
        is_ascii: bool,
        cancelled: NDArray[np.uint8] | None = None,
    ) -> Any:
        """Count some samples; return the kernel's ``Counted``, or None if ``read`` and ``count_read`` must be called.

        Counting stops when ``cancelled``, uint8[1], is not 0. Each sample has one reference, or ``n_references``.
        """
        if self.reading is None:
            return None
        try:
            if self.prepares and not self.is_only_composed:
                predictions = list(self.prepared(self.changed(predictions, True)))
                references = list(self.prepared(self.changed(references, False)))
                is_ascii = all(map(str.isascii, predictions)) and all(map(str.isascii, references))
            counted = (self.of_ascii if is_ascii else self.of_all).count(
                predictions, references, n_references, cancelled
            )
            if counted is None:
                return None
        except UnicodeEncodeError:  # a lone surrogate
            return None
        flags, fewest, most = counted.seen()
        may_be_deep = most > RECURSION_STEPS and "deep_recursion" in self.rules.refuses
        if flags & kernels.HAS_ODD_CASE or may_be_deep or (self.rules.refuses and fewest == 0):
            return None
        return counted

    def count(
        self,
        inputs: Inputs,
        notes: InputNotes,
        cancelled: NDArray[np.uint8],
        words: WordReader | None = None,
    ) -> Counts:
        """Count the pairs of samples until ``cancelled``, uint8[1], is not 0; ``words`` cuts with a segmenter."""
        is_single = isinstance(inputs.references, SingleReferences)
        n_references = None if is_single else list(map(len, inputs.references))
        predictions, references = list(inputs.predictions), list(reference_texts(inputs.references))
        # Without keeping tokens it is quicker; but drop-ins also take numpy strings, and the kernel can't count all.
        if words is None and {*map(type, predictions), *map(type, references)} == {str}:
            is_ascii = all(map(str.isascii, predictions)) and all(map(str.isascii, references))
            counted = self.count_samples(predictions, references, n_references, is_ascii=is_ascii, cancelled=cancelled)
            if counted is not None:
                self.note_samples(counted, predictions, references, n_references, notes)
                return pair_counts_of(counted, n_references)
        texts = _by_sample(predictions, references, n_references)
        begins = _begins(len(texts), n_references)
        repeats = 1 if n_references is None else n_references
        pairs = np.flatnonzero(begins).repeat(repeats), np.flatnonzero(~begins)
        batch, flags = self.read(texts, begins, begins, notes, words)
        if flags is not None:
            notes.odd = self.odd_texts(flags, begins)
        counts = self.count_read(batch, *pairs, cancelled, pair_offsets(n_references, len(references)))
        if not self.rules.refuses:
            return counts
        return dataclasses.replace(counts, refusals=self.refusals(texts, batch, *pairs, cancelled))

    def refusals(
        self,
        texts: Sequence[str],
        batch: TokenIds,
        predictions: NDArray[np.int64],
        references: NDArray[np.int64],
        cancelled: NDArray[np.uint8],
    ) -> list[str] | None:
        """Return the refusal of each pair of texts, given by their numbers in the batch; None if there is none."""
        from polyrouge.counting.plain.engine import refusals_of  # few conventions refuse

        def are_too_deep(predictions: NDArray[np.int64], references: NDArray[np.int64]) -> NDArray[np.bool_]:
            return kernels.are_too_deep(kernels.Pairs(*batch, predictions, references, cancelled), RECURSION_STEPS)

        return refusals_of(texts, batch, predictions, references, self.rules, are_too_deep)

    def note_samples(
        self,
        counted: Any,
        predictions: list[str],
        references: list[str],
        n_references: list[int] | None,
        notes: InputNotes,
    ) -> None:
        """Note the flags of the texts of ``count_samples``."""
        seen, *_ = counted.seen()
        if self.has_odd_texts(seen):
            changed = list(self.changed(predictions, True)), list(self.changed(references, False))
            self._note_lost_letters(_by_sample(*changed, n_references), counted.flags_by_text(), notes)
        has_breaks, notes.odd = self.noted(counted, seen, n_references)
        notes.notice(has_breaks=has_breaks)

    def read(
        self,
        texts: Sequence[str],
        begins: NDArray[np.bool_],
        is_prediction: NDArray[np.bool_],
        notes: InputNotes,
        words: WordReader | None = None,
    ) -> tuple[TokenIds, NDArray[np.uint8] | None]:
        """Read the tokens of texts as ids; with the kernel's flags, uint8[n_texts], or None if Python has cut.

        A vocabulary may begin with each text of ``begins``: only texts up to the next are compared.
        """
        if words is not None:
            return batch_of_documents(words.read(texts, notes)), None
        if self.reading is None:
            return batch_of_documents(self._documents(texts, is_prediction, notes)), None
        batch, flags, _, _ = self._scan(self.changed(texts, is_prediction.tolist()), begins, notes)
        return batch, flags

    def read_spans(self, texts: Sequence[str], notes: InputNotes) -> SpannedBatch:
        """Read tokens and spans of texts by the kernel, all of one vocabulary."""
        changed = self.changed(texts, False)  # by the rules of one side
        batch, _, prepared, spans = self._scan(changed, np.zeros(len(texts), np.bool_), notes, with_spans=True)
        vocabulary = self._vocabulary(prepared, batch, spans)
        for number, (text, kernel_text) in enumerate(zip(texts, prepared, strict=True)):
            text_spans = spans[batch.text_tokens[number] : batch.text_tokens[number + 1]]
            if text is not kernel_text and text != kernel_text and len(text_spans):
                text_spans[:] = self._traced(text, changed[number], kernel_text, text_spans)
        return SpannedBatch(batch, spans, vocabulary)

    def _vocabulary(self, prepared: Sequence[str], batch: TokenIds, spans: NDArray[np.int32]) -> list[str]:
        """Return the token of each id, in the form compared."""
        _, first_tokens = np.unique(batch.ids, return_index=True)
        texts = np.searchsorted(batch.text_tokens, first_tokens, side="right") - 1
        occurrences = zip(texts.tolist(), spans[first_tokens].tolist(), strict=True)
        rewrite = _rewriter(self.text_rules)
        inserted = " " if self.reading.rule == kernels.EVERY_CHARACTER else ""  # the token that is not in the text
        return [rewrite(prepared[text][start:end] or inserted) or "" for text, (start, end) in occurrences]

    def _traced(self, text: str, changed: str, prepared: str, spans: NDArray[np.int32]) -> NDArray[np.int32]:
        """Turn spans in a prepared text into spans in the original text; -1 if that can't be traced."""
        from polyrouge.documents.spans import trace_kernel_text  # only here, as a first score imports little

        source = trace_kernel_text(text, changed, prepared, self.text_rules)
        if source is None:
            return np.full_like(spans, -1)
        starts, ends = np.array([*source.starts, len(text)]), np.array([0, *source.ends])
        traced = np.stack([starts[spans[:, 0]], ends[spans[:, 1]]], axis=1)
        is_empty = spans[:, 0] == spans[:, 1]
        traced[is_empty, 0] = traced[is_empty, 1]
        return traced

    def _scan(
        self, texts: Sequence[str], begins: NDArray[np.bool_], notes: InputNotes, *, with_spans: bool = False
    ) -> tuple[TokenIds, NDArray[np.uint8], list[str], Any]:
        """Read changed texts by the kernel; return tokens, flags, the texts as the kernel read them, and spans."""
        prepared = list(self.prepared(texts))
        counter = self.of_ascii if all(map(str.isascii, prepared)) else self.of_all
        *fields, flags, spans = counter.read(prepared, begins.view(np.uint8), with_spans)
        if odd := np.flatnonzero(flags & kernels.HAS_ODD_CASE).tolist():
            for text in odd:
                prepared[text] = self._lower(prepared[text])
            *fields, flags, spans = counter.read(prepared, begins.view(np.uint8), with_spans)
        seen = int(np.bitwise_or.reduce(flags))
        notes.notice(has_breaks=bool(seen & kernels.HAS_SENTENCES))
        if self.has_odd_texts(seen):
            self._note_lost_letters(texts, flags, notes)
        ids, text_tokens, sentence_tokens, text_sentences, n_ids = fields
        return TokenIds(ids, text_tokens, ids, sentence_tokens, text_sentences, n_ids), flags, prepared, spans

    def noted(self, counted: Any, seen: int, n_references: list[int] | None = None) -> tuple[bool, OddTexts]:
        """Say of the samples of ``count_samples`` if a text has several sentences; return ``InputNotes.odd`` too."""
        if not seen & _NOTED_OR_DECOMPOSED and not self._sees_changed:
            return seen & kernels.HAS_SENTENCES != 0, NO_ODD_TEXTS
        flags = counted.flags_by_text()
        return seen & kernels.HAS_SENTENCES != 0, self.odd_texts(flags, _begins(len(flags), n_references))

    def odd_texts(self, flags: NDArray[np.uint8], begins: NDArray[np.bool_]) -> OddTexts:
        """Find the texts that may have odd characters; a sample begins with each text of ``begins``."""
        seen = int(np.bitwise_or.reduce(flags))
        may_be_decomposed = self._sees_changed or seen & kernels.MAY_BE_DECOMPOSED != 0
        if not seen & _NOTED:
            return NO_ODD_TEXTS._replace(may_be_decomposed=may_be_decomposed)
        needs_a_look = flags & kernels.NEEDS_A_LOOK != 0
        rows = np.logical_or.reduceat(needs_a_look, np.flatnonzero(begins))
        is_odd = needs_a_look[begins].tolist(), needs_a_look[~begins].tolist(), rows.tolist()
        has_hangul, has_any = seen & kernels.HAS_HANGUL != 0, seen & kernels.NEEDS_A_LOOK != 0
        return OddTexts(has_hangul, has_any, may_be_decomposed, *is_odd)

    def has_odd_texts(self, seen: int) -> bool:
        """Say whether a text may have no token or lose letters, by the flags of all texts."""
        return self.notes_tokens and (seen & _ODD_TEXTS != 0 or self._looks_at_all)

    def _note_lost_letters(self, texts: Sequence[str], flags: NDArray[np.uint8], notes: InputNotes) -> None:
        """Note lost letters of the changed texts that the kernel has flagged."""
        indices = range(len(texts)) if self._looks_at_all else np.flatnonzero(flags & _ODD_TEXTS).tolist()
        has_tokens = (flags & kernels.HAS_NO_TOKEN == 0).tolist()
        is_known = notes.reading.lost_text is not None
        for index in indices:
            if is_known and (has_tokens[index] or any(map(str.isalpha, texts[index]))):
                continue  # only a text without letters may be noted now
            notes.note_lost_letters(self._segmented(texts[index]), has_tokens[index])
            is_known = notes.reading.lost_text is not None

    def _segmented(self, text: str) -> str:
        """Segment a changed text as for the plain tokenizer, for a note."""
        rules = self.text_rules
        if rules.segment in (None, _IN_PYTHON):
            return text
        segment = _preparation(rules._replace(prepare=()))
        return text if segment is None else segment(text)

    def _lower(self, text: str) -> str:
        """Lower-case a text with letters that the kernel can't; pltrdy cuts sentences before."""
        if self.reading.rule == kernels.PLTRDY:
            return ".".join(map(str.lower, text.split(".")))
        return text.lower()

    def count_read(
        self,
        batch: TokenIds,
        predictions: NDArray[np.int64],
        references: NDArray[np.int64],
        cancelled: NDArray[np.uint8],
        offsets: NDArray[np.int64] | None = None,
    ) -> Counts:
        """Count pairs of texts, given by their numbers in the batch; without ``offsets`` each pair is a sample."""
        n_pairs = len(predictions)
        counts = np.empty((n_pairs, len(self._types), 3))
        bases = np.empty(n_pairs) if self.rules.keeps_weighted_bases else None
        self.of_ids.count_read(kernels.Pairs(*batch, predictions, references, cancelled), counts, bases)
        for column in self._weighted:  # weights the reference total again, by Python's power
            counts[:, column, 2] = [base**self.rules.weight for base in counts[:, column, 2].tolist()]
        n_tokens = np.diff(batch.text_tokens)
        tokens = n_tokens[predictions], n_tokens[references]
        return Counts(counts, np.arange(n_pairs + 1) if offsets is None else offsets, *tokens, None, bases)

    def _documents(self, texts: Sequence[str], is_prediction: NDArray[np.bool_], notes: InputNotes) -> list[Document]:
        """Read texts in Python, except that a kernel cuts in place of jieba."""
        from polyrouge.counting.compiled.jieba_tables import compiled_jieba_cutter

        cutter = functools.partial(compiled_jieba_cutter, notes=notes)
        read_prediction, read_reference = readers_by_side(self.text_rules, notes, cutter)
        reads = (read_reference, read_prediction)
        return [reads[side](text) for text, side in zip(texts, is_prediction.tolist(), strict=True)]


def _preparation(rules: TextRules) -> Prepare | None:
    """Make ``text_preparation``, with a kernel in place of jieba."""
    if rules.segment is None:
        return text_preparation(rules)
    from polyrouge.counting.compiled.jieba_tables import compiled_jieba_cutter

    return text_preparation(rules, compiled_jieba_cutter)


def _by_sample(predictions: list[str], references: list[str], n_references: list[int] | None) -> list[str]:
    """Order the texts of ``TextCounter.count_samples``, each prediction before its references."""
    if n_references is None:
        texts = [""] * (2 * len(predictions))
        texts[::2], texts[1::2] = predictions, references
        return texts
    rows = iter(references)
    samples = zip(predictions, n_references, strict=True)
    return [text for prediction, n in samples for text in (prediction, *itertools.islice(rows, n))]


def _begins(n_texts: int, n_references: list[int] | None) -> NDArray[np.bool_]:
    """Return bool[n_texts]: which texts of ``_by_sample`` are predictions."""
    begins = np.zeros(n_texts, np.bool_)
    if n_references is None:
        begins[::2] = True
    else:
        begins[np.cumsum([0, *n_references[:-1]]) + np.arange(len(n_references))] = True
    return begins


@functools.lru_cache(maxsize=32)
def text_counter(text_rules: TextRules, rules: CountRules) -> TextCounter:
    """Return the counter of some rules, which all callers share."""
    return TextCounter(text_rules, rules)


def counter_of(text_rules: TextRules, rules: CountRules) -> TextCounter:
    """Return ``text_counter``, or a new one for a user's functions and words: uncached, as they may have no hash."""
    has_functions = callable(text_rules.tokenizer) or callable(text_rules.sentence_split)
    is_users = has_functions or text_rules.jieba_dict is not None
    return TextCounter(text_rules, rules) if is_users else text_counter(text_rules, rules)


def reader_of(text_rules: TextRules) -> TextCounter:
    """Return a counter that only reads."""
    return counter_of(text_rules, _NO_COUNTS)


def _length_weights(longest: int, weight: float) -> list[float]:
    from polyrouge.counting.plain.weighted_lcs import length_weights  # only here, as a first score imports little

    return length_weights(longest, weight)


def _rewriter(rules: TextRules) -> Any:
    """Make a function that stems a token, or returns None for a stop word."""
    filter_tokens = token_filter(rules) or list
    lowers = rules.lowercase is True or rules.tokenizer == "rouge155"

    def rewrite(token: str) -> str | None:
        kept = filter_tokens([token.lower() if lowers else token])
        return kept[0] if kept else None

    return rewrite


def _counted_type(rouge_type: RougeType, rules: CountRules) -> tuple[int, int, bool]:
    """Return a type as the kernel takes it."""
    if rouge_type.kind == "ngram":
        return rouge_type.n, 0, False
    if rouge_type.kind == "skip_bigram":
        return kernels.SKIP_BIGRAMS, -1 if rouge_type.gap is None else rouge_type.gap, rouge_type.with_unigrams
    if rouge_type.kind == "weighted_lcs":
        return kernels.WEIGHTED_LCS_PAPER if rules.definition == "paper" else kernels.WEIGHTED_LCS, 0, False
    return LCS_KINDS[rules.lcs] if rouge_type.kind == "lcs" else kernels.UNION_LCS, 0, False
