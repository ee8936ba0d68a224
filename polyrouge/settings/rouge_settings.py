"""``RougeSettings``: every choice that makes a ROUGE score, checked at construction."""

from __future__ import annotations

import dataclasses
import os
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from polyrouge.errors import unknown_value
from polyrouge.settings.allowed_values import (
    CHOICES,
    FLAGS,
    NUMBERS,
    checked_names,
    checked_number,
    checked_stop_words,
    checked_types,
    checked_weights,
)
from polyrouge.settings.rouge_types import DEFAULT_ROUGE_TYPES
from polyrouge.settings.signature import (
    installed_version,
    read_signature,
    setting,
    warn_of_other_versions,
    write_signature,
)
from polyrouge.texts.jieba_words import JiebaDictionary, JiebaWords, is_jieba_tokenizer
from polyrouge.texts.sentences import check_sentence_split
from polyrouge.tools.tokenizers import TOKENIZERS
from polyrouge.version import VERSION

__all__ = ["RougeSettings"]


def _never(_settings: RougeSettings) -> bool:
    """Of no consequence, or so rarely used that the entry is written only where it is not the default."""
    return False


def _has_w_or_su(settings: RougeSettings) -> bool:
    return any(name.startswith(("rougeW", "rougeSU")) for name in settings.rouge_types)


def _resamples(settings: RougeSettings) -> bool:
    return settings.confidence is not None or settings.aggregate == "bootstrap_median"


def _draws_by_itself(settings: RougeSettings) -> bool:
    return settings.confidence is not None and settings.aggregate != "bootstrap_median"


def cuts_with_jieba(settings: RougeSettings) -> bool:
    """Whether jieba cuts the texts, for tokens or before they are tokenized."""
    return settings.tokenizer == "jieba" or (settings.segment or "").startswith("jieba")


def _uses_jieba(settings: RougeSettings) -> bool:
    """Whether words of jieba's come in, be it within another tool's tokenizer."""
    own = isinstance(settings.tokenizer, str) and "jieba" in TOKENIZERS[settings.tokenizer].libraries
    return own or cuts_with_jieba(settings)


@dataclass(frozen=True, kw_only=True)
class RougeSettings:
    r"""Settings of a ROUGE score. Frozen; ``replace`` gives a changed copy.

    A text goes through them in this order: sentences are cut, then length limits, ``normalize``,
    ``lowercase``, ``tokenizer``, ``punctuation``, ``stop_words``, ``use_stemmer``.

    Attributes:
        rouge_types: which scores. ``rouge1`` ... ``rouge9``, ``rougeL``, ``rougeLsum``, ``rougeW``,
            ``rougeS``, ``rougeSU`` (any gap), ``rougeS4``, ``rougeSU4`` (at most 4 tokens between).
        tokenizer: ``"mixed"``, ``"ascii"``, ``"zh_char"``, ``"char"``, ``"jieba"``, ``"space"``,
            ``"unicode"``, or a callable ``str -> list[str]``.
        clean: ``"opencompass"`` cleans texts as OpenCompass does before anything else; None does not.
        segment: put blanks between the words of a text first, as tools are fed: ``"jieba"`` words,
            ``"jieba_without_spaces"``, ``"char"``, ``"char_without_blanks"``; None leaves it as it is.
        lowercase: True lower-cases the text (``str.lower``), ``"ascii"`` A to Z only, False nothing.
        normalize: ``"nfkc"`` applies Unicode's NFKC (full-width letters become ASCII); None doesn't.
        punctuation: ``"drop"`` or ``"keep"`` tokens without a letter, mark or digit.
        use_stemmer: Porter stems of tokens longer than three characters, as rouge_score; ASCII only.
        stemmer: whose stems ``use_stemmer`` asks for: ``"porter"`` (rouge_score's), ``"rouge155"``,
            ``"py_rouge"``, ``"sacrerouge"``, ``"sumeval"`` (of references only), ``"xlsum"`` (those of
            its tokenizers).
        stop_words: tokens to leave out, compared as they are after lower-casing and before stemming;
            or the name of a tool's list: ``"rouge155"``, ``"sumeval_en"``, ``"sumeval_zh"``.
        word_tables: folder of the tables behind stems and stop lists that are not ours to ship; None
            means the tool's own package where it is installed.
        max_words: keep the first so many words of each text, references too (ROUGE-1.5.5 ``-l``).
        max_bytes: keep the first so many bytes of each text (ROUGE-1.5.5 ``-b``).
        max_characters: keep the first so many characters of each text.
        limit_rule: whose way of counting and cutting: ``"rouge155"``, ``"py_rouge"``,
            ``"sacrerouge"``, ``"sumeval"``.
        sentence_split: ``"newline"``, ``"zh"`` (。！？；…), ``"auto"``, ``"none"``, ``"token"``, a separator
            such as ``"<q>"``, or a callable ``str -> list[str]``. Seen by rougeLsum, rougeW and union L.
        ngram_counts: ``"multiset"`` clips counts; ``"set"`` counts distinct n-grams.
        lcs: what rougeL means: ``"sentence"``, one LCS over the text; ``"union"``, as rougeLsum;
            ``"type_union"``, distinct tokens on any LCS of two sentences; ``"pairwise_sum"``, the
            lengths of all those LCS added up (pltrdy's rouge and lawrouge).
        definition: where ROUGE-1.5.5 departs from Lin (2004): ``"rouge155"`` weights the recall of
            rougeW twice, takes it over sentences, and leaves the last token out of the unigrams of
            rougeSU; ``"paper"`` does none of it.
        weight: exponent of rougeW's f(k) = k ** weight, above 0.
        beta: recall counts beta times as much as precision in F; 0 or more.
        alpha: where given, F = P R / ((1 - alpha) P + alpha R) in place of beta's (ROUGE-1.5.5 ``-p``).
        epsilon: added to P + R below F's fraction line: 1e-8 in pltrdy's rouge and what is built on it.
        multi_reference: per type: ``"best"`` (highest F), ``"best_recall"``, ``"mean"``, ``"pooled"``
            (counts added up, ROUGE-1.5.5 ``-f A``), ``"jackknife"`` (Lin 2004, section 2.1),
            ``"best_each"`` (highest precision and highest recall, F of the two), ``"first"``.
        empty: a text without tokens: ``"zero"`` scores 0, ``"skip"`` leaves the pair out of the
            mean (NaN in lists), ``"error"`` raises, ``"one_if_both"`` scores 1 if both are empty.
        placeholder: a text that stands for a blank prediction; None for none.
        refuses: what the convention's tool raises an error for; see ``polyrouge.REFUSALS``.
        on_error: such a row: ``"score"`` gives it the score that the definition and ``empty`` give,
            ``"zero"`` scores 0, ``"raise"`` raises as the tool does.
        output: ``"fmeasure"``, or ``"all"`` for ``rouge1_precision`` and ``rouge1_recall`` beside it.
        use_aggregator: True: one number a key; False: one list a key, in input order.
        aggregate: ``"mean"`` (exact before its one rounding), ``"running_mean"`` (added up in order),
            ``"numpy_mean"``; ``"f_of_means"``, F of mean precision and mean recall; ``"micro"``, scores
            of the counts of all examples; or ``"bootstrap_median"``: rouge_score's median of bootstrap
            means, drawn from numpy's global generator as there, so different on every run unless seeded.
        weights: one number a type; adds the key ``"weighted"``, the weighted sum of the types.
        confidence: level of the interval that adds ``rouge1_low`` and ``rouge1_high``, such as
            0.95; None for no interval.
        n_resamples: bootstrap resamples for the interval.
        seed: of the interval's own generator.
        scale: factor on every score: 1 or 100, say.
        round_each: digits to round each example's score to, once scaled; None for no rounding.
        round_result: digits to round the result to; None for no rounding.
        quirks: what only one tool does; see ``polyrouge.QUIRKS``.
        jieba_dict: for the ``jieba`` tokenizer and ``segment``: path of a user dictionary, or a ``jieba.Tokenizer``,
            whose words are taken as they are when they are used.
        jieba_hmm: let jieba guess words that its dictionary does not hold.
        engine: ``"auto"`` (by size), ``"plain"`` or ``"compiled"``; never moves a score.
        threads: threads of the engine, 0 for all cores; never moves a score. The plain engine
            uses one.

    Raises:
        ValueError: a value that is not allowed; the message says which are.
        TypeError: a value of the wrong type.
    """

    rouge_types: tuple[str, ...] = setting(DEFAULT_ROUGE_TYPES, "types", "types")
    tokenizer: str | Callable[[str], list[str]] = setting("mixed", "tok", "name")
    clean: str | None = setting(None, "clean", "name", matters=_never)
    segment: str | None = setting(None, "seg", "name", matters=_never)
    lowercase: bool | str = setting(True, "case", "flag", words=("lower", "keep", "ascii"))
    normalize: str | None = setting(None, "norm", "name")
    punctuation: str = setting("drop", "punct", "name")
    use_stemmer: bool = setting(False, "stem", "flag", words=("porter", "no"))
    stemmer: str = setting("porter", "stemmer", "name", matters=_never)
    stop_words: tuple[str, ...] | str | None = setting(None, "stop", "words")
    word_tables: str | None = setting(None, "tables", "folder", matters=_never)
    max_words: int | None = setting(None, "words", "integer")
    max_bytes: int | None = setting(None, "bytes", "integer")
    max_characters: int | None = setting(None, "chars", "integer", matters=_never)
    limit_rule: str = setting("rouge155", "limits", "name", matters=_never)
    sentence_split: str | Callable[[str], Sequence[str]] = setting("newline", "split", "name")
    ngram_counts: str = setting("multiset", "ngrams", "name")
    lcs: str = setting("sentence", "lcs", "name")
    definition: str = setting("rouge155", "def", "name", matters=_has_w_or_su)
    weight: float = setting(1.2, "w", "number", matters=_has_w_or_su)
    beta: float = setting(1.0, "beta", "number")
    alpha: float | None = setting(None, "alpha", "number", matters=_never)
    epsilon: float = setting(0.0, "eps", "number", matters=_never)
    multi_reference: str = setting("best", "refs", "name")
    empty: str = setting("zero", "empty", "name")
    placeholder: str | None = setting(None, "placeholder", "text", matters=_never)
    refuses: tuple[str, ...] = setting((), "refuses", "names", matters=_never)
    on_error: str = setting("score", "onerror", "name", matters=_never)
    output: str = setting("fmeasure", "out", "name", matters=_never)
    use_aggregator: bool = setting(True, "lists", "flag", words=("no", "yes"), matters=_never)
    aggregate: str = setting("mean", "agg", "name")
    confidence: float | None = setting(None, "conf", "number")
    n_resamples: int = setting(1000, "resamples", "integer", matters=_resamples)
    seed: int = setting(0, "seed", "integer", matters=_draws_by_itself)
    weights: tuple[float, ...] | None = setting(None, "weights", "numbers", matters=_never)
    scale: float = setting(1.0, "scale", "number")
    round_each: int | None = setting(None, "roundeach", "integer", matters=_never)
    round_result: int | None = setting(None, "round", "integer", matters=_never)
    quirks: tuple[str, ...] = setting((), "quirks", "names", matters=_never)
    jieba_dict: JiebaWords = setting(None, "dict", "dictionary", matters=_uses_jieba)
    jieba_hmm: bool = setting(True, "hmm", "flag", matters=cuts_with_jieba)
    engine: str = setting("auto", "engine", "name", matters=_never)
    threads: int = setting(0, "threads", "integer", matters=_never)

    def __post_init__(self) -> None:
        set_field = object.__setattr__  # the way to normalise a field of a frozen dataclass
        set_field(self, "rouge_types", checked_types(self.rouge_types))
        set_field(self, "stop_words", checked_stop_words(self.stop_words))
        if not callable(self.tokenizer):
            if not isinstance(self.tokenizer, str):
                msg = f"tokenizer is {self.tokenizer!r}; give a name or a callable str -> list[str]."
                raise TypeError(msg)
            if self.tokenizer not in TOKENIZERS:
                known = [name for name in TOKENIZERS if not name.startswith("xlsum_")]
                raise unknown_value(self.tokenizer, [*known, "xlsum_<language>"], "tokenizer")
        check_sentence_split(self.sentence_split)
        for name, allowed in CHOICES.items():
            value = getattr(self, name)
            if not any(value is each or (isinstance(each, str) and value == each) for each in allowed):
                raise unknown_value(value, [str(each) for each in allowed], name)
        if not isinstance(self.lowercase, bool) and not (isinstance(self.lowercase, str) and self.lowercase == "ascii"):
            msg = f"lowercase is {self.lowercase!r}; give True or False, or 'ascii' for A to Z only."
            raise TypeError(msg)
        for name in FLAGS:
            if not isinstance(getattr(self, name), bool):
                msg = f"{name} is {getattr(self, name)!r}; give True or False."
                raise TypeError(msg)
        for name in NUMBERS:
            set_field(self, name, checked_number(name, getattr(self, name)))
        set_field(self, "weights", checked_weights(self.weights, self.rouge_types))
        for name in ("refuses", "quirks"):
            set_field(self, name, checked_names(name, getattr(self, name)))
        self._check_together()

    def _check_together(self) -> None:
        """Refuse settings that can't both be meant."""
        if sum(limit is not None for limit in (self.max_words, self.max_bytes, self.max_characters)) > 1:
            msg = "Give one of max_words, max_bytes and max_characters, not both (nor does ROUGE-1.5.5 take two)."
            raise ValueError(msg)
        if self.max_bytes is not None and self.limit_rule != "rouge155":
            msg = f"limit_rule={self.limit_rule!r} cuts words or characters: give max_words or max_characters."
            raise ValueError(msg)
        if self.placeholder is not None and not isinstance(self.placeholder, str):
            msg = f"placeholder is {self.placeholder!r}; give the text that stands for a blank prediction, or None."
            raise TypeError(msg)
        if self.word_tables is not None:
            if not isinstance(self.word_tables, (str, os.PathLike)):
                msg = f"word_tables is {self.word_tables!r}; give the path of a folder."
                raise TypeError(msg)
            object.__setattr__(self, "word_tables", os.fspath(self.word_tables))
            if not os.path.isdir(self.word_tables):
                msg = f"word_tables: there is no folder {self.word_tables!r}."
                raise ValueError(msg)
        if self.aggregate == "micro" and self.multi_reference not in ("pooled", "first"):
            rule = self.multi_reference
            msg = f"aggregate='micro' adds up counts: with multi_reference='pooled' or 'first', not {rule!r}."
            raise ValueError(msg)
        if self.confidence is not None and self.aggregate in ("f_of_means", "micro"):
            msg = f"confidence gives an interval of a mean of scores, which aggregate={self.aggregate!r} is not."
            raise ValueError(msg)
        if self.confidence is not None and not self.use_aggregator:
            msg = "confidence asks for an interval of the mean, but use_aggregator=False asks for lists; drop one."
            raise ValueError(msg)
        if self.jieba_dict is not None:
            if not cuts_with_jieba(self):
                msg = f"jieba_dict is for tokenizer='jieba', but the tokenizer is {self.tokenizer!r}."
                raise ValueError(msg)
            if isinstance(self.jieba_dict, JiebaDictionary) or is_jieba_tokenizer(self.jieba_dict):
                return
            if not isinstance(self.jieba_dict, (str, os.PathLike)):
                msg = (
                    f"jieba_dict is {self.jieba_dict!r}; give the path of a user dictionary or a jieba.Tokenizer (what "
                    "inherits from it may cut otherwise: give tokenizer=its lcut)."
                )
                raise TypeError(msg)
            object.__setattr__(self, "jieba_dict", os.fspath(self.jieba_dict))
            if not os.path.isfile(self.jieba_dict):
                msg = f"jieba_dict: there is no file {self.jieba_dict!r}."
                raise ValueError(msg)

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The names of all settings, in order."""
        return tuple(field.name for field in dataclasses.fields(cls))

    def replace(self, **changes: Any) -> RougeSettings:
        """Return a copy with some settings changed.

        Raises:
            TypeError: a name is no setting; the message names the nearest.
        """
        for name in changes:
            if name not in self.names():
                raise TypeError(str(unknown_value(name, self.names(), "setting")))
        return dataclasses.replace(self, **changes)

    def versions(self) -> dict[str, str]:
        """Version of each library that can move a score under these settings, and ours."""
        libraries = {"regex"} if self.punctuation == "drop" else set()
        if isinstance(self.tokenizer, str):
            libraries = set(TOKENIZERS[self.tokenizer].libraries)
        if cuts_with_jieba(self):
            libraries.add("jieba")
        if self.use_stemmer:
            libraries.add("nltk")
        versions = {library: installed_version(library) for library in sorted(libraries)}
        if self.normalize is not None:
            versions["ucd"] = unicodedata.unidata_version
        return versions | {"v": VERSION}

    def signature(self) -> str:
        """One line that names every setting able to move a score, and the versions behind it."""
        return write_signature(self, self.versions())

    @classmethod
    def from_signature(cls, text: str, **given: Any) -> RougeSettings:
        """Return the settings that ``signature`` wrote.

        Args:
            text: the signature.
            **given: the settings that a line can name but not hold: a callable tokenizer or
                sentence_split, a jieba_dict of your own, more than ten stop words.

        Raises:
            ValueError: not a signature, or one that needs a setting to be given.
        """
        if "stop_words" in given:
            given["stop_words"] = checked_stop_words(given["stop_words"])
        libraries = {library for entry in TOKENIZERS.values() for library in entry.libraries}
        settings = cls(**read_signature(text, cls, given, {*libraries, "nltk", "ucd", "v"}))
        warn_of_other_versions(text, settings.versions())
        return settings
