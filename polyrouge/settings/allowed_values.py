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

STOP_LISTS = ("rouge155", "sumeval_en", "sumeval_zh", "sumeval_ja")

CHOICES: dict[str, tuple] = {
    "clean": (None, "model_output", "opencompass"),
    "segment": (None, "char", "char_without_blanks", "jieba", "jieba_without_spaces"),
    "normalize": ("nfc", "nfkc", None),
    "punctuation": ("drop", "keep"),
    "stemmer": ("porter", "rouge155", "py_rouge", "sacrerouge", "sumeval", "xlsum"),
    "limit_rule": ("rouge155", "py_rouge", "sacrerouge", "sumeval"),
    "ngram_counts": ("multiset", "set"),
    "lcs": ("sentence", "union", "type_union", "pairwise_sum"),
    "definition": ("rouge155", "paper"),
    "multi_reference": ("best", "best_recall", "best_each", "first", "mean", "pooled", "jackknife"),
    "empty": ("zero", "skip", "error", "one_if_both"),
    "on_error": ("score", "zero", "raise"),
    "output": ("fmeasure", "all"),
    "aggregate": ("mean", "running_mean", "numpy_mean", "f_of_means", "micro", "bootstrap_median"),
    "interval": ("percentile", "bca", "poisson"),
    "engine": ("auto", "plain", "compiled"),
}
FLAGS = ("use_stemmer", "jieba_hmm", "use_aggregator")


class Range(NamedTuple):
    """What a number may be: from ``low`` to ``high``, both included unless ``is_open``; None is allowed, or not."""

    kind: type[int] | type[float]
    low: float
    high: float
    is_open: bool = False
    may_be_none: bool = False

    def __str__(self) -> str:
        low, high = ("above", "below") if self.is_open else ("at least", "at most")
        return f"{low} {self.low} and {high} {self.high}"


BILLION = 10**9
DIGITS = Range(int, 0, 15, may_be_none=True)
FRACTION = Range(float, 0, 1, is_open=True)
# No number in its range can overflow a float64, or the int64 of a kernel, on texts of up to a billion tokens.
NUMBERS: dict[str, Range] = {
    "max_words": Range(int, 1, BILLION, may_be_none=True),
    "max_bytes": Range(int, 1, BILLION, may_be_none=True),
    "max_characters": Range(int, 1, BILLION, may_be_none=True),
    # The total of rougeW is up to tokens ** (weight ** 2), its recall up to tokens ** ((1 - weight) / weight).
    "weight": Range(float, 0.5, 5),
    "beta": Range(float, 0, BILLION),  # from 10 ** 8 on F is the recall
    "alpha": Range(float, 0, 1, may_be_none=True),
    "epsilon": Range(float, 0, 1),
    "round_each": DIGITS,
    "round_result": DIGITS,
    "confidence": FRACTION._replace(may_be_none=True),
    "n_resamples": Range(int, 1, 10**6),
    "seed": Range(int, 0, 2**32 - 1),
    "scale": Range(float, 1e-9, BILLION),
    "threads": Range(int, 0, 1024),
}
WEIGHTS = Range(float, -BILLION, BILLION)
_NAMES = {"refuses": REFUSALS, "quirks": QUIRKS}


def checked_types(rouge_types: Any) -> tuple[str, ...]:
    """The types, each known and named once."""
    if isinstance(rouge_types, str):
        raise TypeError(f"rouge_types is the string {rouge_types!r}; give a list: [{rouge_types!r}].")
    if not isinstance(rouge_types, Iterable):
        raise TypeError(f"rouge_types is {rouge_types!r}; give a list of names, for example ['rouge1', 'rougeL'].")
    types = tuple(rouge_types)
    if not types:
        raise ValueError("rouge_types is empty; give at least one, for example ['rouge1', 'rougeL'].")
    for name in types:
        if not isinstance(name, str):
            raise TypeError(f"rouge_types holds {name!r}; each must be a string such as 'rouge1'.")
        parse_rouge_type(name)
    if len(set(types)) < len(types):
        raise ValueError(f"rouge_types names a type twice: {', '.join(types)}.")
    return tuple(map(checked_text, types))


def checked_stop_words(stop_words: Iterable[str] | str | None) -> tuple[str, ...] | str | None:
    """The name of a list, or words: sorted and without repeats, so that the same set is the same setting."""
    if stop_words is None:
        return None
    if isinstance(stop_words, str) and stop_words in STOP_LISTS:
        return checked_text(stop_words)
    if isinstance(stop_words, str):
        raise TypeError(
            f"stop_words is the string {stop_words!r}; give a list of words, for example open(path).read().split(), "
            f"or the name of a list: {', '.join(STOP_LISTS)}."
        )
    if not isinstance(stop_words, Iterable):
        raise TypeError(f"stop_words is {stop_words!r}; give a list of words.")
    words = list(stop_words)
    for word in words:
        if not isinstance(word, str) or not word:
            raise TypeError(f"stop_words holds {word!r}; each must be a non-empty string.")
        refuse_surrogates(word, "stop_words")
    return tuple(sorted(set(map(checked_text, words))))


def checked_number(name: str, value: Any, allowed: Range | None = None) -> Any:
    """The number, as Python's own int or float, in its range.

    Args:
        name: of the setting or option, for messages.
        value: that was given.
        allowed: its range; by default that of the setting of this name.

    Raises:
        TypeError: it is no number, or no whole one.
        ValueError: it is out of its range, or NaN.
    """
    allowed = allowed or NUMBERS[name]
    if value is None and allowed.may_be_none:
        return None
    is_whole = allowed.kind is int
    if isinstance(value, bool) or not isinstance(value, Integral if is_whole else Real):
        wanted = f"a {'whole ' if is_whole else ''}number, {allowed}{', or None' if allowed.may_be_none else ''}"
        raise TypeError(f"{name} is {value!r}; give {wanted}.")
    convert: Any = allowed.kind
    try:
        number = convert(value)
    except OverflowError:
        number = math.inf
    low, high = allowed.low, allowed.high
    if not (low < number < high if allowed.is_open else low <= number <= high):  # nor is NaN
        raise ValueError(f"{name} is {shown_number(value)}; it must be {allowed}.")
    return number


def checked_flag(name: str, value: Any) -> bool:
    """True or False, and nothing that only counts as such.

    Raises:
        TypeError: it is something else.
    """
    if not isinstance(value, bool):
        raise TypeError(f"{name} is {value!r}; give True or False.")
    return value


def checked_function(name: str, value: Any) -> Any:
    """A function, or None.

    Raises:
        TypeError: it is something else.
    """
    if value is not None and not callable(value):
        raise TypeError(f"{name} is {value!r}; give a function, or None.")
    return value


def shown_number(value: Any) -> str:
    """A number for a message, its first 40 characters; Python refuses to write whole numbers of thousands of digits."""
    try:
        text = repr(value)
    except ValueError:
        return f"a number of {value.bit_length()} bits"
    return text if len(text) <= 40 else f"{text[:39]}…"


def checked_text(value: str) -> str:
    """The text as Python's own string: what inherits from it (an enum's member, numpy's) may print something else."""
    return str.__str__(value)


def checked_names(name: str, value: Any) -> tuple[str, ...]:
    """The names of refusals or quirks, sorted and without repeats."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise TypeError(f"{name} is {value!r}; give a list of names: of {', '.join(_NAMES[name])}.")
    names = list(value)
    for each in names:
        if not isinstance(each, str) or each not in _NAMES[name]:
            raise unknown_value(each, _NAMES[name], f"name in {name}")
    return tuple(sorted(set(map(checked_text, names))))


def checked_weights(weights: Any, rouge_types: tuple[str, ...]) -> tuple[float, ...] | None:
    """One weight a type, for the key "weighted"."""
    if weights is None:
        return None
    if isinstance(weights, str) or not isinstance(weights, Iterable):
        raise TypeError(f"weights is {weights!r}; give one number for each of rouge_types.")
    numbers = tuple(checked_number("A number of weights", number, WEIGHTS) for number in weights)
    if len(numbers) != len(rouge_types):
        raise ValueError(
            f"weights are {', '.join(map(repr, numbers))}, and rouge_types are {', '.join(rouge_types)}: give one "
            "number for each type, or weights=None for no weighted sum."
        )
    return numbers
