"""``RougeSettings``: every choice that makes a ROUGE score, checked at construction."""

from __future__ import annotations

import dataclasses
import math
import os
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

from .errors import unknown_value
from .rouge_types import DEFAULT_ROUGE_TYPES, parse_rouge_type
from .sentences import check_sentence_split, refuse_surrogates
from .signature import installed_version, read_signature, setting, warn_of_other_versions, write_signature
from .tokenization import TOKENIZERS

__all__ = ["VERSION", "RougeSettings"]

VERSION = "0.1.0"

_CHOICES = {
    "normalize": (None, "nfkc"),
    "punctuation": ("drop", "keep"),
    "ngram_counts": ("multiset", "set"),
    "lcs": ("sentence", "union"),
    "definition": ("rouge155", "paper"),
    "multi_reference": ("best", "best_recall", "mean", "pooled", "jackknife"),
    "empty": ("zero", "skip", "error", "one_if_both"),
    "output": ("fmeasure", "all"),
    "aggregate": ("mean", "bootstrap_median"),
    "engine": ("auto", "plain", "compiled"),
}
_FLAGS = ("lowercase", "use_stemmer", "jieba_hmm", "use_aggregator")
# name: (type, smallest value, may be the smallest, largest value)
_NUMBERS: dict[str, tuple[Any, int, bool, int | None]] = {
    "max_words": (int, 1, True, None),
    "max_bytes": (int, 1, True, None),
    "weight": (float, 0, False, None),
    "beta": (float, 0, True, None),
    "confidence": (float, 0, False, 1),
    "n_resamples": (int, 1, True, None),
    "seed": (int, 0, True, 2**32),
    "scale": (float, 0, False, None),
    "threads": (int, 0, True, None),
}
_MAY_BE_NONE = ("max_words", "max_bytes", "confidence")


def _never(_settings: RougeSettings) -> bool:
    return False


def _has_w_or_su(settings: RougeSettings) -> bool:
    return any(name.startswith(("rougeW", "rougeSU")) for name in settings.rouge_types)


def _resamples(settings: RougeSettings) -> bool:
    return settings.confidence is not None or settings.aggregate != "mean"


def _draws_by_itself(settings: RougeSettings) -> bool:
    return settings.confidence is not None and settings.aggregate == "mean"


def _cuts_with_jieba(settings: RougeSettings) -> bool:
    return settings.tokenizer == "jieba"


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
        lowercase: lower-case the text (``str.lower``).
        normalize: ``"nfkc"`` applies Unicode's NFKC (full-width letters become ASCII); None doesn't.
        punctuation: ``"drop"`` or ``"keep"`` tokens without a letter, mark or digit.
        use_stemmer: Porter stems of tokens longer than three characters, as rouge_score; ASCII only.
        stop_words: tokens to leave out, compared as they are after lower-casing and before stemming.
        max_words: keep the first so many words of each text, references too (ROUGE-1.5.5 ``-l``).
        max_bytes: keep the first so many bytes of each text (ROUGE-1.5.5 ``-b``).
        sentence_split: ``"newline"``, ``"zh"`` (。！？；…), ``"auto"``, ``"none"``, a separator such
            as ``"<q>"``, or a callable ``str -> list[str]``. Seen by rougeLsum, rougeW and union L.
        ngram_counts: ``"multiset"`` clips counts; ``"set"`` counts distinct n-grams.
        lcs: what rougeL means: ``"sentence"``, one LCS over the text, or ``"union"``, as rougeLsum.
        definition: where ROUGE-1.5.5 departs from Lin (2004): ``"rouge155"`` weights the recall of
            rougeW twice, takes it over sentences, and leaves the last token out of the unigrams of
            rougeSU; ``"paper"`` does none of it.
        weight: exponent of rougeW's f(k) = k ** weight, above 0.
        beta: recall counts beta times as much as precision in F; 0 or more.
        multi_reference: per type: ``"best"`` (highest F), ``"best_recall"``, ``"mean"``, ``"pooled"``
            (counts added up, ROUGE-1.5.5 ``-f A``), ``"jackknife"`` (Lin 2004, section 2.1).
        empty: a text without tokens: ``"zero"`` scores 0, ``"skip"`` leaves the pair out of the
            mean (NaN in lists), ``"error"`` raises, ``"one_if_both"`` scores 1 if both are empty.
        output: ``"fmeasure"``, or ``"all"`` for ``rouge1_precision`` and ``rouge1_recall`` beside it.
        use_aggregator: True: one number a key; False: one list a key, in input order.
        aggregate: ``"mean"``, or ``"bootstrap_median"``: rouge_score's median of bootstrap means,
            drawn from numpy's global generator as there, so different on every run unless seeded.
        confidence: level of the interval that adds ``rouge1_low`` and ``rouge1_high``, such as
            0.95; None for no interval.
        n_resamples: bootstrap resamples for the interval.
        seed: of the interval's own generator.
        scale: factor on every score: 1 or 100, say.
        jieba_dict: path of a user dictionary for the ``jieba`` tokenizer.
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
    lowercase: bool = setting(True, "case", "flag", words=("lower", "keep"))
    normalize: str | None = setting(None, "norm", "name")
    punctuation: str = setting("drop", "punct", "name")
    use_stemmer: bool = setting(False, "stem", "flag", words=("porter", "no"))
    stop_words: tuple[str, ...] | None = setting(None, "stop", "words")
    max_words: int | None = setting(None, "words", "integer")
    max_bytes: int | None = setting(None, "bytes", "integer")
    sentence_split: str | Callable[[str], Sequence[str]] = setting("newline", "split", "name")
    ngram_counts: str = setting("multiset", "ngrams", "name")
    lcs: str = setting("sentence", "lcs", "name")
    definition: str = setting("rouge155", "def", "name", matters=_has_w_or_su)
    weight: float = setting(1.2, "w", "number", matters=_has_w_or_su)
    beta: float = setting(1.0, "beta", "number")
    multi_reference: str = setting("best", "refs", "name")
    empty: str = setting("zero", "empty", "name")
    output: str = setting("fmeasure", "out", "name", matters=_never)
    use_aggregator: bool = setting(True, "lists", "flag", words=("no", "yes"), matters=_never)
    aggregate: str = setting("mean", "agg", "name")
    confidence: float | None = setting(None, "conf", "number")
    n_resamples: int = setting(1000, "resamples", "integer", matters=_resamples)
    seed: int = setting(0, "seed", "integer", matters=_draws_by_itself)
    scale: float = setting(1.0, "scale", "number")
    jieba_dict: str | None = setting(None, "dict", "path", matters=_cuts_with_jieba)
    jieba_hmm: bool = setting(True, "hmm", "flag", matters=_cuts_with_jieba)
    engine: str = setting("auto", "engine", "name", matters=_never)
    threads: int = setting(0, "threads", "integer", matters=_never)

    def __post_init__(self) -> None:
        set_field = object.__setattr__  # the way to normalise a field of a frozen dataclass
        set_field(self, "rouge_types", _checked_types(self.rouge_types))
        set_field(self, "stop_words", _checked_stop_words(self.stop_words))
        if not callable(self.tokenizer):
            if not isinstance(self.tokenizer, str):
                msg = f"tokenizer is {self.tokenizer!r}; give a name or a callable str -> list[str]."
                raise TypeError(msg)
            if self.tokenizer not in TOKENIZERS:
                raise unknown_value(self.tokenizer, TOKENIZERS, "tokenizer")
        check_sentence_split(self.sentence_split)
        for name, allowed in _CHOICES.items():
            if getattr(self, name) not in allowed:
                raise unknown_value(getattr(self, name), [str(value) for value in allowed], name)
        for name in _FLAGS:
            if not isinstance(getattr(self, name), bool):
                msg = f"{name} is {getattr(self, name)!r}; give True or False."
                raise TypeError(msg)
        for name in _NUMBERS:
            set_field(self, name, _checked_number(name, getattr(self, name)))
        self._check_together()

    def _check_together(self) -> None:
        """Refuse settings that can't both be meant."""
        if self.max_words is not None and self.max_bytes is not None:
            msg = "Give max_words or max_bytes, not both (nor does ROUGE-1.5.5 take both)."
            raise ValueError(msg)
        if self.confidence is not None and not self.use_aggregator:
            msg = "confidence asks for an interval of the mean, but use_aggregator=False asks for lists; drop one."
            raise ValueError(msg)
        if self.jieba_dict is not None:
            if self.tokenizer != "jieba":
                msg = f"jieba_dict is for tokenizer='jieba', but the tokenizer is {self.tokenizer!r}."
                raise ValueError(msg)
            if not isinstance(self.jieba_dict, (str, os.PathLike)):
                msg = f"jieba_dict is {self.jieba_dict!r}; give the path of a user dictionary."
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
                sentence_split, a jieba_dict, more than ten stop words.

        Raises:
            ValueError: not a signature, or one that needs a setting to be given.
        """
        if "stop_words" in given:
            given["stop_words"] = _checked_stop_words(given["stop_words"])
        libraries = {library for entry in TOKENIZERS.values() for library in entry.libraries}
        settings = cls(**read_signature(text, cls, given, {*libraries, "nltk", "ucd", "v"}))
        warn_of_other_versions(text, settings.versions())
        return settings


def _checked_types(rouge_types: Any) -> tuple[str, ...]:
    if isinstance(rouge_types, str):
        msg = f"rouge_types is the string {rouge_types!r}; give a list: [{rouge_types!r}]."
        raise TypeError(msg)
    if not isinstance(rouge_types, Iterable):
        msg = f"rouge_types is {rouge_types!r}; give a list of names, for example ['rouge1', 'rougeL']."
        raise TypeError(msg)
    types = tuple(rouge_types)
    if not types:
        msg = "rouge_types is empty; give at least one, for example ['rouge1', 'rougeL']."
        raise ValueError(msg)
    for name in types:
        if not isinstance(name, str):
            msg = f"rouge_types holds {name!r}; each must be a string such as 'rouge1'."
            raise TypeError(msg)
        parse_rouge_type(name)
    if len(set(types)) < len(types):
        msg = f"rouge_types names a type twice: {', '.join(types)}."
        raise ValueError(msg)
    return types


def _checked_stop_words(stop_words: Iterable[str] | None) -> tuple[str, ...] | None:
    """Sorted and without repeats, so that the same set of words is the same setting."""
    if stop_words is None:
        return None
    if isinstance(stop_words, str):
        msg = "stop_words is a string; give a list of words, for example open(path).read().split()."
        raise TypeError(msg)
    if not isinstance(stop_words, Iterable):
        msg = f"stop_words is {stop_words!r}; give a list of words."
        raise TypeError(msg)
    words = list(stop_words)
    for word in words:
        if not isinstance(word, str) or not word:
            msg = f"stop_words holds {word!r}; each must be a non-empty string."
            raise TypeError(msg)
        refuse_surrogates(word, "stop_words")
    return tuple(sorted(set(words)))


def _checked_number(name: str, value: Any) -> int | float | None:
    kind, low, may_be_low, high = _NUMBERS[name]
    if value is None and name in _MAY_BE_NONE:
        return None
    wanted = "a whole number" if kind is int else "a number"
    if isinstance(value, bool) or not isinstance(value, Integral if kind is int else Real):
        msg = f"{name} is {value!r}; give {wanted}{' or None' if name in _MAY_BE_NONE else ''}."
        raise TypeError(msg)
    convert: Any = kind
    try:
        number = convert(value)
    except OverflowError:
        number = math.inf
    too_small = not (number >= low if may_be_low else number > low)  # NaN is too small
    if too_small or number == math.inf or (high is not None and number >= high):
        bound = f"{'at least' if may_be_low else 'above'} {low}" + (f" and below {high}" if high is not None else "")
        msg = f"{name} is {value!r}; it must be {bound}."
        raise ValueError(msg)
    return number
