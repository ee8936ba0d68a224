"""ROUGE-1.5.5's counts of pairs, one by one or by the metric's engines, and its choice between references.

Line numbers point into ROUGE-1.5.5.pl.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from polyrouge.counting.loop import count_pairs
from polyrouge.counting.plain.engine import count_pair
from polyrouge.counting.plain.ngrams import clipped_hits
from polyrouge.counting.plain.weighted_lcs import weighted_base
from polyrouge.inputs import Inputs
from polyrouge.reading.documents import Document
from polyrouge.reading.notes import TextNotes
from polyrouge.rouge155.options import Rouge155Options
from polyrouge.settings.rouge_settings import RougeSettings, ToolRules
from polyrouge.settings.rouge_types import RougeType, parse_rouge_type
from polyrouge.settings.stages import CountRules
from polyrouge.tools.rouge155 import perl_words

_WORD = re.compile("[a-z0-9]")
_ASCII_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")

Stem = Callable[[str], str]


class EmptyReferenceError(ValueError):
    """ROUGE-W of a reference without tokens, at which the script dies (2454)."""


class PairCounts155(NamedTuple):
    """What the script counts for one metric; weighted for ROUGE-W."""

    reference: float  # units of the reference (M_count)
    prediction: float  # of the prediction (P_count)
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
        if options.skip_units != "with_unigrams":
            types[f"ROUGE-S{gap}"] = parse_rouge_type(f"rougeS{gap.strip('*')}")
        if options.skip_units != "bigrams":
            types[f"ROUGE-SU{gap}"] = parse_rouge_type(f"rougeSU{gap.strip('*')}")
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


def count_pair155(prediction: Document, reference: Document, rouge_type: RougeType, rules: CountRules) -> PairCounts155:
    """Count one pair under ``rules``; with ``clips_by_text`` tokens and sentences may differ, as with -b and -M."""
    (row,) = count_pair(prediction, reference, rules._replace(types=(rouge_type,)))
    return _pair_counts(row, rouge_type, reference, rules.weight)


def count_in_bulk155(
    tasks: Mapping[str, tuple[Document, Sequence[Document]]], types: Sequence[RougeType], settings: RougeSettings
) -> Callable[[str, RougeType], Iterator[PairCounts155]]:
    """Count all pairs of all tasks by the engines; gives a function from a task's name and a type to its pairs' counts.

    They are those of ``count_pair155``; tokens and sentences of a text must be the same words.
    """
    settings = settings.replace(rouge_types=tuple(each.name for each in types))
    rows = [list(map(_written, references)) for _, references in tasks.values()]
    inputs = Inputs([_written(prediction) for prediction, _ in tasks.values()], rows, "list")
    pairs = count_pairs(inputs, settings, TextNotes(settings.text_rules))
    places = {name: place for place, name in enumerate(tasks)}

    def of_task(task: str, rouge_type: RougeType) -> Iterator[PairCounts155]:
        first, stop = pairs.offsets[places[task] : places[task] + 2]
        counts = pairs.counts[first:stop, settings.rouge_types.index(rouge_type.name)].tolist()
        references = tasks[task][1]
        for row, reference in zip(counts, references, strict=True):
            yield _pair_counts(row, rouge_type, reference, settings.weight)

    return of_task


def _written(document: Document) -> str:
    """A text whose words between blanks are the tokens, and whose lines are the sentences."""
    return "\n".join(map(" ".join, document.sentences))


def _pair_counts(row: Sequence[float], rouge_type: RougeType, reference: Document, weight: float) -> PairCounts155:
    """The counts of a pair, from hits, prediction total and reference total of an engine."""
    hits, prediction_total, reference_total = row
    if rouge_type.kind == "weighted_lcs":
        # -f B compares recalls over f of the sentences' lengths, weighted once; the total is weighted twice.
        base = weighted_base(reference.sentences, weight)
        if base == 0:
            raise EmptyReferenceError("ROUGE-W of a reference without tokens divides by zero")
        return PairCounts155(reference_total, prediction_total, hits, (hits / base) ** (1 / weight))
    recall = hits / reference_total if reference_total else 0.0
    selection = recall if rouge_type.kind == "lcs" else rounded5(recall)
    return PairCounts155(int(reference_total), int(prediction_total), int(hits), selection)


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
    units = Counter(_elements(prediction, mode, prediction_stem))
    reference_units = Counter(_elements(reference, mode, reference_stem))
    hits, total = clipped_hits(units, reference_units), reference_units.total()
    return PairCounts155(total, units.total(), hits, rounded5(hits / total) if total else 0.0)


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
    return " ".join(stem(piece) if _WORD.search(piece) else piece for piece in perl_words(words))


def pooled_counts(pairs: Iterable[PairCounts155]) -> PairCounts155:
    """The sums over the references, prediction included: ``-f A``."""
    reference: float = 0
    prediction: float = 0
    hits: float = 0
    for pair in pairs:  # not sum(): from Python 3.12 on it corrects rounding errors
        reference += pair.reference
        prediction += pair.prediction
        hits += pair.hits
    return PairCounts155(reference, prediction, hits)


def best_counts(pairs: Iterable[PairCounts155]) -> PairCounts155:
    """The counts of the reference with the greatest selection value, the first of equal ones: ``-f B``."""
    return max(pairs, key=lambda pair: pair.selection, default=PairCounts155(0, 0, 0))
