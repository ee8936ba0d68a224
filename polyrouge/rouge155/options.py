"""The options of ROUGE-1.5.5, under names that say what they do, checked at construction."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

from polyrouge.errors import unknown_value
from polyrouge.settings.allowed_values import BILLION, RESAMPLES, WEIGHT, Range, checked_number
from polyrouge.settings.rouge_types import LARGEST_GAP

MultiReference = Literal["average", "best"]
SkipUnits = Literal["bigrams", "with_unigrams", "both"]
Counting = Literal["documents", "corpus", "counts"]

# Of each number its letter, and what it may be: what the script takes, as far as nothing overflows.
LETTERS = {
    "max_n": ("n", Range(int, 0, 1000)),
    "weight": ("w", replace(WEIGHT, may_be_none=True)),
    "skip_gap": ("2", Range(int, -BILLION, LARGEST_GAP, may_be_none=True)),
    "max_words": ("l", Range(int, 0, BILLION, may_be_none=True)),
    "max_bytes": ("b", Range(int, 0, BILLION, may_be_none=True)),
    "alpha": ("p", Range(float, 0, 1)),
    "confidence": ("c", Range(float, 0, 100)),
    "n_resamples": ("r", RESAMPLES),
}
BASIC_ELEMENT_MODES = ("H", "HM", "HMR", "HM1", "HMR1", "HMR2")


@dataclass(frozen=True, kw_only=True)
class Rouge155Options:
    """What ROUGE-1.5.5 is asked to compute, and how.

    Attributes:
        max_n: ROUGE-1 up to ROUGE-N of this order, 0 for none (``-n``).
        lcs: ROUGE-L (off with ``-x``); also off with ``basic_elements``.
        weight: exponent of ROUGE-W, 0.5 to 5; None for no ROUGE-W (``-w``).
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
        TypeError: a value that must be a number is none.
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
        for name, (letter, allowed) in LETTERS.items():
            value = checked_number(f"{name} (-{letter})", getattr(self, name), allowed)
            object.__setattr__(self, name, value)  # the way to normalise a field of a frozen dataclass
        if self.max_words and self.max_bytes:
            raise ValueError(
                f"max_words (-l) is {self.max_words} and max_bytes (-b) is {self.max_bytes}; give one of them."
            )
        for name, kind in (("multi_reference", MultiReference), ("skip_units", SkipUnits), ("counting", Counting)):
            if getattr(self, name) not in get_args(kind):
                raise unknown_value(getattr(self, name), get_args(kind), name)
        if self.basic_elements is not None and self.basic_elements not in BASIC_ELEMENT_MODES:
            raise unknown_value(self.basic_elements, BASIC_ELEMENT_MODES, "basic_elements (-3)")
