"""The options of ROUGE-1.5.5, under names that say what they do, checked at construction."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

from polyrouge.errors import unknown_value

MultiReference = Literal["average", "best"]
SkipUnits = Literal["bigrams", "with_unigrams", "both"]
Counting = Literal["documents", "corpus", "counts"]

BASIC_ELEMENT_MODES = ("H", "HM", "HMR", "HM1", "HMR1", "HMR2")


@dataclass(frozen=True, kw_only=True)
class Rouge155Options:
    """What ROUGE-1.5.5 is asked to compute, and how.

    Attributes:
        max_n: ROUGE-1 up to ROUGE-N of this order, 0 for none (``-n``).
        lcs: ROUGE-L (off with ``-x``); also off with ``basic_elements``.
        weight: exponent of ROUGE-W, above 0; None for no ROUGE-W (``-w``).
        skip_gap: tokens allowed between the two of a skip-bigram, any number if negative; None for
            no ROUGE-S (``-2``).
        skip_units: ROUGE-S; ROUGE-SU (``-u``); both (``-U``).
        basic_elements: what of a basic element must match, one of H, HM, HMR, HM1, HMR1, HMR2;
            None for no ROUGE-BE (``-3``).
        stem: stem predictions and references (``-m``).
        stem_references: stem the references only (``-M``, which the script does not document). It is odd:
            ROUGE-N is not stemmed; in ROUGE-W only the tokens that clip are; and ``stem`` is switched
            off after the first reference of the first other metric.
        remove_stop_words: drop the words of the stop list (``-s``).
        max_words: cut each text after so many words; None or 0 for no limit (``-l``).
        max_bytes: cut each text after so many bytes; None or 0 for no limit (``-b``).
        multi_reference: add up the counts of all references, or take the one with the best recall
            (``-f A``, ``-f B``).
        alpha: weight of precision in F, 0 to 1 (``-p``).
        counting: average over documents; ratios of counts summed over the corpus; those sums alone
            (``-t 0``, ``-t 1``, ``-t 2``).
        confidence: level of the interval in per cent, 0 to 100 (``-c``).
        n_resamples: resamples of the bootstrap, 1 or more (``-r``).

    Raises:
        ValueError: a value is not allowed; the message says which ones are.
    """

    max_n: int = 0
    lcs: bool = True
    weight: float | None = None
    skip_gap: int | None = None
    skip_units: SkipUnits = "bigrams"
    basic_elements: str | None = None
    stem: bool = False
    stem_references: bool = False
    remove_stop_words: bool = False
    max_words: int | None = None
    max_bytes: int | None = None
    multi_reference: MultiReference = "average"
    alpha: float = 0.5
    counting: Counting = "documents"
    confidence: float = 95
    n_resamples: int = 1000

    def __post_init__(self) -> None:
        _check(self.max_n >= 0, "max_n (-n)", self.max_n, "0 or more")
        _check(self.weight is None or 0 < self.weight < math.inf, "weight (-w)", self.weight, "a number above 0")
        _check(self.max_words is None or self.max_words >= 0, "max_words (-l)", self.max_words, "0 or more")
        _check(self.max_bytes is None or self.max_bytes >= 0, "max_bytes (-b)", self.max_bytes, "0 or more")
        _check(0 <= self.alpha <= 1, "alpha (-p)", self.alpha, "a number from 0 to 1")
        _check(0 <= self.confidence <= 100, "confidence (-c)", self.confidence, "a number from 0 to 100")
        _check(self.n_resamples >= 1, "n_resamples (-r)", self.n_resamples, "1 or more")
        if self.max_words and self.max_bytes:
            msg = f"max_words (-l) is {self.max_words} and max_bytes (-b) is {self.max_bytes}; give one of them."
            raise ValueError(msg)
        for name, kind in (("multi_reference", MultiReference), ("skip_units", SkipUnits), ("counting", Counting)):
            if getattr(self, name) not in get_args(kind):
                raise unknown_value(getattr(self, name), get_args(kind), name)
        if self.basic_elements is not None and self.basic_elements not in BASIC_ELEMENT_MODES:
            raise unknown_value(self.basic_elements, BASIC_ELEMENT_MODES, "basic_elements (-3)")


def _check(good: bool, name: str, value: object, allowed: str) -> None:
    if not good:
        msg = f"{name} is {value!r}; it must be {allowed}."
        raise ValueError(msg)
