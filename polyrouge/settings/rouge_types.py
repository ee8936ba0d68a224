"""The names of the ROUGE types: ``rouge1`` ... ``rouge9``, ``rougeL``, ``rougeSU4`` and so on."""

import functools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from polyrouge.errors import Option, RefusedValue, folded, shown_value, unknown_value
from polyrouge.texts.patterns import pattern

DEFAULT_ROUGE_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")

LARGEST_GAP = 10**6
"""The most tokens that a name may allow within a skip-bigram, so that no kernel's int64 overflows."""

Kind = Literal["ngram", "lcs", "lcs_summary", "weighted_lcs", "skip_bigram"]
_LCS_KINDS: dict[str, Kind] = {"rougeL": "lcs", "rougeLsum": "lcs_summary", "rougeW": "weighted_lcs"}
_NGRAM = pattern(r"rouge([1-9])")
_SKIP = pattern(r"rougeS(U?)(0|[1-9][0-9]*)?")
# Other spellings of our names: ROUGE-1, rouge-l, R2, rougeS*, ROUGE_SU4. A minus before a gap may be meant as one.
_SPELLING = pattern(
    r"\s*(?:rouge|r)?[-_ ]?"
    r"(?:(?P<n>[1-9])|(?P<lsum>l[-_ ]?sum)|(?P<l>l)|(?P<w>w)|(?P<s>su?)(?P<gap>\*|[0-9]{0,6}))\s*",
    re.ASCII | re.IGNORECASE,
)
# Names of other tools, without marks: pyrouge's rouge_su4_f_score, torchmetrics' rouge1_fmeasure, ROUGE-W-1.2.
_OTHER_SPELLING = pattern(
    r"(?:rouge|r)?(?:(?P<n>[1-9])|(?P<lsum>lsum(?:mary)?)|(?P<l>l|lcs)|(?P<w>w[0-9]*)|(?P<s>su?)(?P<gap>[0-9]{0,6}))"
    r"(?P<measure>f|f1|fscore|f1score|fmeasure|p|precision|r|recall)?(?:mid|mean|cb|ce)?"
)
_FAMILIES = {"rouge1": "rouge rouge0 r0 rougen n", "rouge2": "rougen n", "rougeL": "rouge"}
_EXAMPLES = (*(f"rouge{n}" for n in range(1, 10)), *_LCS_KINDS, "rougeS", "rougeSU", "rougeS4", "rougeSU4")


@dataclass(frozen=True)
class RougeType:
    """What a name means: n-grams of order ``n``, or skip-bigrams with up to ``gap`` tokens between; None: any."""

    name: str
    kind: Kind
    n: int = 0
    gap: int | None = None
    with_unigrams: bool = False


def parse_rouge_type(name: str) -> RougeType:
    """Return the type behind a name; ``ValueError`` if there is none or its gap is too large."""
    if not isinstance(name, str):
        raise TypeError(f"The ROUGE type is {shown_value(name)}; give its name, such as 'rouge1'.")
    return _parse(name)


@functools.lru_cache(maxsize=256)
def _parse(name: str) -> RougeType:
    if name in _LCS_KINDS:
        return RougeType(name, _LCS_KINDS[name])
    if match := _NGRAM.fullmatch(name):
        return RougeType(name, "ngram", n=int(match[1]))
    if match := _SKIP.fullmatch(name):
        gap = int(match[2]) if match[2] and len(match[2]) <= len(str(LARGEST_GAP)) else None
        if match[2] and (gap is None or gap > LARGEST_GAP):
            raise ValueError(
                f"ROUGE type {name[:40]!r}: the gap must be at most {LARGEST_GAP}; rougeS{match[1]} takes any gap."
            )
        return RougeType(name, "skip_bigram", gap=gap, with_unigrams=bool(match[1]))
    raise _unknown_type(name)


@functools.lru_cache(maxsize=256)
def own_type_name(name: str) -> str:
    """Return our name of the type that a text names in any spelling: ``ROUGE-1``, ``rouge-l``, ``R2``, ``rougeS*``."""
    match = _SPELLING.fullmatch(name)
    return parse_rouge_type(str.__str__(name) if match is None else _name_of(match)).name


MEASURES = ("_precision", "_recall")
"""Endings of keys that are not of the F-measure."""


def own_key(key: str) -> str:
    """Return our key of a score, whose type is in any spelling: ``rougeL_recall`` for ``ROUGE-L_recall``."""
    ending = next((measure for measure in MEASURES if key.endswith(measure)), "")
    return own_type_name(key.removesuffix(ending)) + ending


def by_own_keys(
    numbers: Mapping[Any, Any], argument: str, own_spelling: Callable[[str], str] = own_key
) -> dict[Any, Any]:
    """Numbers by our keys; a key that names no type stays as it is, for the message of what takes them.

    Raises:
        ValueError: two spellings of one key; ``what``: the argument.
    """
    renamed: dict[Any, Any] = {}
    for key, number in numbers.items():
        try:
            name = own_spelling(key) if isinstance(key, str) else key
        except ValueError:
            name = key
        if name in renamed:
            raise ValueError(f"{argument} names {name!r} twice, in two spellings; give it one number.")
        renamed[name] = number
    return renamed


def _name_of(match: Any) -> str:
    gap = int(match["gap"].strip("*") or -1) if match["gap"] else -1
    names = {"n": match["n"], "lsum": "Lsum", "l": "L", "w": "W", "s": (match["s"] or "").upper()}
    return "rouge" + next(ending for kind, ending in names.items() if match[kind]) + (str(gap) if gap >= 0 else "")


def _unknown_type(name: str) -> ValueError:
    """Return the error for an unknown name; names of other tools have a hint: ``rouge1_fmeasure``, ``ROUGE-W-1.2``."""
    match = _OTHER_SPELLING.fullmatch(folded(name))
    if match is None:
        return unknown_value(name, _EXAMPLES, "ROUGE type", _FAMILIES)
    error = unknown_value(name, _EXAMPLES, "ROUGE type", {_name_of(match): folded(name)})
    if not match["measure"]:
        return error
    measures = " It is the F-measure; ", Option("output", "all"), " adds precision and recall."
    return RefusedValue(*error.sentence, *measures)
