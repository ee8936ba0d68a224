"""ROUGE-BE of ROUGE-1.5.5: matches of basic elements, which are head|modifier|relation triples (``-3``).

Line numbers point into ROUGE-1.5.5.pl.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from polyrouge.rouge155.counting import PairCounts155, count_units155

_WORD = re.compile("[a-z0-9]")
_BLANKS = re.compile(r"[ \t\n\v\f\r]+")
_ASCII_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")

Stem = Callable[[str], str]


def count_basic_elements155(
    prediction: Sequence[str],
    reference: Sequence[str],
    mode: str,
    prediction_stem: Stem | None,
    reference_stem: Stem | None,
) -> PairCounts155:
    """Counts of ROUGE-BE (2739-2826), of texts with one ``head|modifier|relation`` a line.

    ``mode`` is H (heads without modifier), HM (pairs with a modifier), HMR (triples with a relation), HM1 (all pairs),
    HMR1 (triples with a modifier) or HMR2 (all triples). Words of heads and modifiers are stemmed, short ones too.
    """
    return count_units155(
        Counter(_elements(prediction, mode, prediction_stem)), Counter(_elements(reference, mode, reference_stem))
    )


def _elements(lines: Sequence[str], mode: str, stem: Stem | None) -> list[tuple[str, ...]]:
    """The units of one text under a mode."""
    elements: list[tuple[str, ...]] = []
    for number, line in enumerate(lines, start=1):
        # bytes, as the script reads them: each a letter of its own
        fields = line.encode().decode("latin-1").translate(_ASCII_LOWER).split("|")
        while fields and not fields[-1]:
            fields.pop()
        if len(fields) != 3:
            raise ValueError(
                f"Line {number} of a text of basic elements is {line!r}; it must be head|modifier|relation."
            )
        head, modifier, relation = fields
        has_modifier, has_relation = modifier != "nil", relation != "nil"
        if stem is not None:
            head, modifier = _stemmed(head, stem), _stemmed(modifier, stem)
        if mode == "H" and modifier == "nil":
            elements.append((head,))
        elif mode == "HM1" or (mode == "HM" and modifier != "nil"):
            elements.append((head, modifier))
        elif mode == "HMR2" or (mode == "HMR1" and has_modifier) or (mode == "HMR" and has_relation):
            elements.append((head, modifier, relation))
    return elements


def _stemmed(words: str, stem: Stem) -> str:
    """Stem each word of a head or modifier of more than three bytes (2828-2848)."""
    if len(words) <= 3:
        return words
    pieces = _BLANKS.split(words)
    while pieces and not pieces[-1]:
        pieces.pop()
    return " ".join(stem(piece) if _WORD.search(piece) else piece for piece in pieces)
