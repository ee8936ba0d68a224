"""What each setting may be, and the errors that say so."""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any, NamedTuple

from polyrouge.errors import unknown_value
from polyrouge.settings.quirks import QUIRKS, REFUSALS
from polyrouge.settings.rouge_types import parse_rouge_type
from polyrouge.texts.sentences import refuse_surrogates
from polyrouge.tools.stems import STEMMERS, STOP_LISTS

CHOICES: dict[str, tuple] = {
    "clean": (None, "opencompass"),
    "segment": (None, "char", "char_without_blanks", "jieba", "jieba_without_spaces"),
    "normalize": (None, "nfkc"),
    "punctuation": ("drop", "keep"),
    "stemmer": STEMMERS,
    "limit_rule": ("rouge155", "py_rouge", "sacrerouge", "sumeval"),
    "ngram_counts": ("multiset", "set"),
    "lcs": ("sentence", "union", "type_union", "pairwise_sum"),
    "definition": ("rouge155", "paper"),
    "multi_reference": ("best", "best_recall", "best_each", "first", "mean", "pooled", "jackknife"),
    "empty": ("zero", "skip", "error", "one_if_both"),
    "on_error": ("score", "zero", "raise"),
    "output": ("fmeasure", "all"),
    "aggregate": ("mean", "running_mean", "numpy_mean", "f_of_means", "micro", "bootstrap_median"),
    "interval": ("percentile", "bca"),
    "engine": ("auto", "plain", "compiled"),
}
FLAGS = ("use_stemmer", "jieba_hmm", "use_aggregator")


class Range(NamedTuple):
    """What a number may be: ``low`` to ``high``, each included or not; None is allowed, or not."""

    kind: type[int] | type[float]
    low: int
    low_included: bool = True
    high: int | None = None
    high_included: bool = False
    may_be_none: bool = False


NUMBERS: dict[str, Range] = {
    "max_words": Range(int, 1, may_be_none=True),
    "max_bytes": Range(int, 1, may_be_none=True),
    "max_characters": Range(int, 1, may_be_none=True),
    "weight": Range(float, 0, low_included=False),
    "beta": Range(float, 0),
    "alpha": Range(float, 0, high=1, high_included=True, may_be_none=True),
    "epsilon": Range(float, 0),
    "round_each": Range(int, 0, high=15, high_included=True, may_be_none=True),
    "round_result": Range(int, 0, high=15, high_included=True, may_be_none=True),
    "confidence": Range(float, 0, low_included=False, high=1, may_be_none=True),
    "n_resamples": Range(int, 1),
    "seed": Range(int, 0, high=2**32),
    "scale": Range(float, 0, low_included=False),
    "threads": Range(int, 0),
}
_NAMES = {"refuses": REFUSALS, "quirks": QUIRKS}


def checked_types(rouge_types: Any) -> tuple[str, ...]:
    """The types, each known and named once."""
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


def checked_stop_words(stop_words: Iterable[str] | str | None) -> tuple[str, ...] | str | None:
    """The name of a list, or words: sorted and without repeats, so that the same set is the same setting."""
    if stop_words is None or (isinstance(stop_words, str) and stop_words in STOP_LISTS):
        return stop_words
    if isinstance(stop_words, str):
        msg = (
            f"stop_words is the string {stop_words!r}; give a list of words, for example open(path).read().split(), "
            f"or the name of a list: {', '.join(STOP_LISTS)}."
        )
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


def checked_number(name: str, value: Any) -> int | float | None:
    """The number, as Python's own int or float, in its range."""
    allowed = NUMBERS[name]
    if value is None and allowed.may_be_none:
        return None
    wanted = "a whole number" if allowed.kind is int else "a number"
    if isinstance(value, bool) or not isinstance(value, Integral if allowed.kind is int else Real):
        msg = f"{name} is {value!r}; give {wanted}{' or None' if allowed.may_be_none else ''}."
        raise TypeError(msg)
    convert: Any = allowed.kind
    try:
        number = convert(value)
    except OverflowError:
        number = math.inf
    low, high = allowed.low, allowed.high
    too_small = not (number >= low if allowed.low_included else number > low)  # NaN is too small
    too_large = high is not None and not (number <= high if allowed.high_included else number < high)
    if too_small or number == math.inf or too_large:
        bound = f"{'at least' if allowed.low_included else 'above'} {low}"
        if high is not None:
            bound += f" and {'at most' if allowed.high_included else 'below'} {high}"
        msg = f"{name} is {value!r}; it must be {bound}."
        raise ValueError(msg)
    return number


def checked_names(name: str, value: Any) -> tuple[str, ...]:
    """The names of refusals or quirks, sorted and without repeats."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        msg = f"{name} is {value!r}; give a list of names: of {', '.join(_NAMES[name])}."
        raise TypeError(msg)
    names = list(value)
    for each in names:
        if each not in _NAMES[name]:
            raise unknown_value(each, _NAMES[name], f"name in {name}")
    return tuple(sorted(set(names)))


def checked_weights(weights: Any, rouge_types: tuple[str, ...]) -> tuple[float, ...] | None:
    """One weight a type, for the key "weighted"."""
    if weights is None:
        return None
    if isinstance(weights, str) or not isinstance(weights, Iterable):
        msg = f"weights is {weights!r}; give one number for each of rouge_types."
        raise TypeError(msg)
    numbers = tuple(weights)
    for number in numbers:
        if isinstance(number, bool) or not isinstance(number, Real) or not math.isfinite(number):
            msg = f"weights holds {number!r}; give one number for each of rouge_types."
            raise TypeError(msg)
    if len(numbers) != len(rouge_types):
        msg = f"weights has {len(numbers)} numbers for {len(rouge_types)} types ({', '.join(rouge_types)})."
        raise ValueError(msg)
    return tuple(map(float, numbers))
