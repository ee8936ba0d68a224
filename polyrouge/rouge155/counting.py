"""ROUGE-1.5.5's counts, pair by pair or by the metric's engines, and its choice between references.

Line numbers point into ROUGE-1.5.5.pl.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

from polyrouge.counting.loop import count_pairs
from polyrouge.counting.plain.lcs import union_lcs_hits
from polyrouge.counting.plain.ngrams import clipped_hits, count_ngrams
from polyrouge.counting.plain.skip_bigrams import count_skip_bigrams, skip_bigram_total, skip_unigrams
from polyrouge.counting.plain.weighted_lcs import weighted_base, weighted_lcs
from polyrouge.inputs import Inputs
from polyrouge.reading.notes import TextNotes
from polyrouge.settings.rouge_settings import RougeSettings, ToolRules
from polyrouge.tools.rouge155 import Rouge155Text

_WORD = re.compile("[a-z0-9]")
_BLANKS = re.compile(r"[ \t\n\v\f\r]+")
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


def count_units155(prediction: Mapping[Hashable, int], reference: Mapping[Hashable, int]) -> PairCounts155:
    """Counts of any units: hits are clipped per unit (2219-2277)."""
    return _with_rounded_recall(sum(reference.values()), sum(prediction.values()), clipped_hits(prediction, reference))


def count_ngrams155(prediction: Sequence[Hashable], reference: Sequence[Hashable], n: int) -> PairCounts155:
    """Counts of ROUGE-N (2598-2660) over the tokens of two texts."""
    return count_units155(count_ngrams(prediction, n), count_ngrams(reference, n))


def count_skips155(
    prediction: Sequence[Hashable], reference: Sequence[Hashable], gap: int | None, *, with_unigrams: bool
) -> PairCounts155:
    """Counts of ROUGE-S (2662-2737) over tokens, or with the unigrams of all tokens but the last of ROUGE-SU."""
    shared = set(prediction) & set(reference)
    hits = clipped_hits(count_skip_bigrams(prediction, gap, shared), count_skip_bigrams(reference, gap, shared))
    totals = [skip_bigram_total(len(tokens), gap) for tokens in (reference, prediction)]
    if with_unigrams:
        units = [skip_unigrams(tokens, "rouge155") for tokens in (reference, prediction)]
        hits += clipped_hits(Counter(units[1]), Counter(units[0]))
        totals = [total + len(tokens) for total, tokens in zip(totals, units, strict=True)]
    return _with_rounded_recall(totals[0], totals[1], hits)


def count_lcs155(prediction: Rouge155Text, reference: Rouge155Text, *, clip_apart: bool) -> PairCounts155:
    """Counts of ROUGE-L (2279-2385): sentences are compared, tokens clip, which differ with ``-b`` and ``-M``."""
    clip = (Counter(prediction.tokens), Counter(reference.tokens)) if clip_apart else None
    hits = union_lcs_hits(prediction.sentences, reference.sentences, clip=clip)
    total = sum(map(len, reference.sentences))
    return PairCounts155(total, len(prediction.tokens), hits, hits / total if total else 0.0)


def count_weighted_lcs155(
    prediction: Rouge155Text, reference: Rouge155Text, weight: float, *, clip_apart: bool
) -> PairCounts155:
    """Counts of ROUGE-W (2387-2521); see ``weighted_lcs.weighted_lcs`` and ``count_lcs155``."""
    clip = (Counter(prediction.tokens), Counter(reference.tokens)) if clip_apart else None
    hits, prediction_total, reference_total = weighted_lcs(prediction.sentences, reference.sentences, weight, clip=clip)
    return _with_weighted_recall(reference_total, prediction_total, hits, reference, weight)


def count_in_bulk155(
    tasks: Mapping[str, tuple[Rouge155Text, Sequence[Rouge155Text]]], rouge_types: Sequence[str], weight: float
) -> Callable[[str, str], list[PairCounts155]]:
    """Count all pairs of all tasks by the metric's engines; gives a function of a type and a task's name.

    The counts of its references are those that the functions above give; tokens and sentences of a text must be the
    same words. Types are ``rouge1`` to ``rouge9``, ``rougeL``, ``rougeW``, ``rougeS``, ``rougeSU`` and with a gap.
    """
    settings = RougeSettings(
        rouge_types=tuple(rouge_types),
        tokenizer="space",
        lowercase=False,
        normalize=None,
        punctuation="keep",
        tool=ToolRules(lcs="union", definition="rouge155"),
        weight=weight,
    )
    rows = [[_written(reference) for reference in references] for _, references in tasks.values()]
    inputs = Inputs([_written(prediction) for prediction, _ in tasks.values()], rows, "list")
    pairs = count_pairs(inputs, settings, TextNotes(settings.text_rules))
    places = {name: place for place, name in enumerate(tasks)}

    def of_task(rouge_type: str, task: str) -> list[PairCounts155]:
        first, stop = pairs.offsets[places[task] : places[task] + 2]
        rows = pairs.counts[first:stop, settings.rouge_types.index(rouge_type)].tolist()
        counts = []
        for text, row in zip(tasks[task][1], rows, strict=True):
            if rouge_type == "rougeW":
                counts.append(_with_weighted_recall(row[2], row[1], row[0], text, weight))
                continue
            hits, prediction, reference = map(int, row)
            if rouge_type == "rougeL":
                counts.append(PairCounts155(reference, prediction, hits, hits / reference if reference else 0.0))
            else:
                counts.append(_with_rounded_recall(reference, prediction, hits))
        return counts

    return of_task


def _written(text: Rouge155Text) -> str:
    """A text whose words between blanks are the tokens, and whose lines are the sentences."""
    return "\n".join(map(" ".join, text.sentences))


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


def _with_weighted_recall(
    reference: float, prediction: float, hits: float, text: Rouge155Text, weight: float
) -> PairCounts155:
    """``-f B`` compares recalls over f of the sentences' lengths, weighted once; the total is weighted twice."""
    base = weighted_base(text.sentences, weight)
    if base == 0:
        raise EmptyReferenceError("ROUGE-W of a reference without tokens divides by zero")
    return PairCounts155(reference, prediction, hits, (hits / base) ** (1 / weight))


def _with_rounded_recall(reference: int, prediction: int, hits: int) -> PairCounts155:
    return PairCounts155(reference, prediction, hits, rounded5(hits / reference) if reference else 0.0)
