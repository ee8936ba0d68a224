"""ROUGE-1.5.5's counts of pairs, one by one or by the metric's engines, and its choice between references.

Line numbers point into ROUGE-1.5.5.pl.
"""

import re
import string
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple

from polyrouge.counting.plain.ngrams import clipped_hits
from polyrouge.counting.plain.weighted_lcs import weighted_base
from polyrouge.documents.document import Document
from polyrouge.rouge155.options import Rouge155Options
from polyrouge.settings.rouge_settings import RougeSettings, ToolRules
from polyrouge.settings.rouge_types import RougeType, parse_rouge_type
from polyrouge.tools.rouge155 import perl_words

_WORD = re.compile("[a-z0-9]")
_ASCII_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


class EmptyReferenceError(ValueError):
    """ROUGE-W of a reference without tokens, at which the script dies (2454)."""


class PairCounts155(NamedTuple):
    """What the script counts for one metric; weighted for ROUGE-W."""

    reference: float  # units of the reference (M_count)
    prediction: float  # units of the prediction (P_count)
    hits: float  # shared units (H_count)
    selection: float = 0.0  # what -f B compares: the recall, as each metric has it there


def rounded5(value: float) -> float:
    """A score as the script prints it and uses it further: ``sprintf("%7.5f")``."""
    return float(f"{value:.5f}")


def metric_types(options: Rouge155Options) -> dict[str, RougeType | None]:
    """Metrics by the script's names, in the order of its output, with the ROUGE type of each; None for ROUGE-BE."""
    types: dict[str, RougeType | None] = {}
    for n in range(1, options.max_n + 1):
        types[f"ROUGE-{n}"] = RougeType(f"rouge{n}", "ngram", n=n)
    if options.lcs and options.basic_elements is None:
        types["ROUGE-L"] = parse_rouge_type("rougeL")
    if options.weight is not None:
        types[f"ROUGE-W-{options.weight:.15g}"] = parse_rouge_type("rougeW")
    if options.skip_gap is not None:
        gap = "*" if options.skip_gap < 0 else str(options.skip_gap)
        for units in {"bigrams": ["S"], "with_unigrams": ["SU"], "both": ["S", "SU"]}[options.skip_units]:
            types[f"ROUGE-{units}{gap}"] = parse_rouge_type(f"rouge{units}{gap.strip('*')}")
    if options.basic_elements is not None:
        types[f"ROUGE-BE-{options.basic_elements}"] = None
    return types


def counting_settings(weight: float | None) -> RougeSettings:
    """The settings that count as the script does, for texts whose tokens stand between blanks."""
    return RougeSettings(
        tokenizer="space",
        lowercase=False,
        normalize=None,
        punctuation="keep",
        tool=ToolRules(lcs="union", definition="rouge155"),
        weight=weight or 1.0,
    )


def pair_counts155(
    row: Sequence[float], rouge_type: RougeType, reference: Document, weight: float, where: str = ""
) -> PairCounts155:
    """The counts of a pair, from hits, prediction total and reference total of an engine; an error says ``where``."""
    hits, prediction_total, reference_total = row
    if rouge_type.kind == "weighted_lcs":
        # -f B compares recalls over f of the sentences' lengths, weighted once; the total is weighted twice.
        base = weighted_base(reference.sentences, weight)
        if base == 0:
            raise EmptyReferenceError(
                f"{where}: a reference has no tokens, so its recall divides by zero, on which ROUGE-1.5.5 dies "
                "(line 2454); leave that reference out, or leave out ROUGE-W."
            )
        return PairCounts155(reference_total, prediction_total, hits, (hits / base) ** (1 / weight))
    recall = hits / reference_total if reference_total else 0.0
    selection = recall if rouge_type.kind == "lcs" else rounded5(recall)
    return PairCounts155(int(reference_total), int(prediction_total), int(hits), selection)


def count_basic_elements155(units: Counter[Hashable], reference_units: Counter[Hashable]) -> PairCounts155:
    """Count one pair for ROUGE-BE."""
    hits, total = clipped_hits(units, reference_units), reference_units.total()
    return PairCounts155(total, units.total(), hits, rounded5(hits / total) if total else 0.0)


def basic_elements155(lines: Sequence[str], mode: str, stem: Callable[[str], str] | None) -> Counter[Hashable]:
    """The units of a text with one ``head|modifier|relation`` a line, short words stemmed too (2739-2826).

    ``mode`` is H (heads without modifier), HM (pairs with a modifier), HMR (triples with a relation), HM1 (all pairs),
    HMR1 (triples with a modifier) or HMR2 (all triples).
    """
    elements: list[Hashable] = []
    for number, line in enumerate(lines, start=1):
        fields = line.encode().decode("latin-1").translate(_ASCII_LOWER).split("|")  # bytes, as the script has them
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
    return Counter(elements)


def _stemmed(words: str, stem: Callable[[str], str]) -> str:
    """Stem each word of a head or modifier of more than three bytes (2828-2848)."""
    if len(words) <= 3:
        return words
    return " ".join(stem(piece) if _WORD.search(piece) else piece for piece in perl_words(words))


def pooled_counts(pairs: Iterable[PairCounts155]) -> PairCounts155:
    """The sums over the references, prediction included: ``-f A``."""
    reference, prediction, hits = 0, 0, 0
    for pair in pairs:  # not sum(): from Python 3.12 on it corrects rounding errors
        reference += pair.reference
        prediction += pair.prediction
        hits += pair.hits
    return PairCounts155(reference, prediction, hits)


def best_counts(pairs: Iterable[PairCounts155]) -> PairCounts155:
    """The counts of the reference with the greatest selection value, the first of equal ones: ``-f B``."""
    return max(pairs, key=lambda pair: pair.selection, default=PairCounts155(0, 0, 0))
