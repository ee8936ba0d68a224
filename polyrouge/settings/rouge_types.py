"""The names of the ROUGE types: ``rouge1`` ... ``rouge9``, ``rougeL``, ``rougeSU4`` and so on."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import Literal

from polyrouge.errors import unknown_value

DEFAULT_ROUGE_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")

LARGEST_GAP = 10**6
"""The most tokens between the two of a skip-bigram that a name may allow: no kernel's int64 can overflow."""

_FIXED = ("rougeL", "rougeLsum", "rougeW")
_NGRAM = re.compile(r"rouge([1-9])")
_SKIP = re.compile(r"rougeS(U?)(0|[1-9][0-9]*)?")
_EXAMPLES = (*(f"rouge{n}" for n in range(1, 10)), *_FIXED, "rougeS", "rougeSU", "rougeS4", "rougeSU4")


@dataclass(frozen=True)
class RougeType:
    """What one name asks for.

    Attributes:
        name: as the user writes it, for example ``"rougeSU4"``.
        kind: which family counts it.
        n: order of the n-gram (``kind="ngram"``), else 0.
        gap: tokens allowed between the two of a skip-bigram; None means any number.
        with_unigrams: ROUGE-SU rather than ROUGE-S.
    """

    name: str
    kind: Literal["ngram", "lcs", "lcs_summary", "weighted_lcs", "skip_bigram"]
    n: int = 0
    gap: int | None = None
    with_unigrams: bool = False


@functools.lru_cache(maxsize=256)
def parse_rouge_type(name: str) -> RougeType:
    """Return the type that ``name`` stands for.

    Raises:
        ValueError: the name is none of ``rouge1`` ... ``rouge9``, ``rougeL``, ``rougeLsum``,
            ``rougeW``, ``rougeS``, ``rougeSU``, ``rougeS<gap>`` and ``rougeSU<gap>``, or the gap is above
            ``LARGEST_GAP``.
    """
    if name == "rougeL":
        return RougeType(name, "lcs")
    if name == "rougeLsum":
        return RougeType(name, "lcs_summary")
    if name == "rougeW":
        return RougeType(name, "weighted_lcs")
    if match := _NGRAM.fullmatch(name):
        return RougeType(name, "ngram", n=int(match[1]))
    if match := _SKIP.fullmatch(name):
        gap = int(match[2]) if match[2] and len(match[2]) <= len(str(LARGEST_GAP)) else None
        if match[2] and (gap is None or gap > LARGEST_GAP):
            msg = f"ROUGE type {name[:40]!r}: the gap must be at most {LARGEST_GAP}; rougeS{match[1]} takes any gap."
            raise ValueError(msg)
        return RougeType(name, "skip_bigram", gap=gap, with_unigrams=bool(match[1]))
    raise unknown_value(name, _EXAMPLES, "ROUGE type")
