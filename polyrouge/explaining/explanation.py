"""Explain a score: the tokens that a prediction shares with its references, for notebooks and pages."""

import dataclasses
import math
from dataclasses import dataclass
from itertools import chain, compress, pairwise
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.loop import count_pairs
from polyrouge.counting.texts import ReadTexts, read_texts
from polyrouge.documents.input_notes import InputNotes
from polyrouge.explaining.html import explanation_html
from polyrouge.explaining.matching import MatchedUnit, hit_value, is_of_sentences
from polyrouge.explaining.units import find_units
from polyrouge.inputs import Inputs
from polyrouge.scoring.aggregates import scale_scores
from polyrouge.scoring.scores import combine_references
from polyrouge.settings.rouge_settings import RougeSettings, RunOptions
from polyrouge.settings.rouge_types import RougeType
from polyrouge.settings.rules import CountRules
from polyrouge.settings.signature import write_signature


class PlacedToken(NamedTuple):
    """One token and its span in the text."""

    token: str  # in the form compared: lower-cased, stemmed and so on
    start: int | None  # in the original; None if a callable tokenizer or sentence_split has changed the text
    end: int | None  # after the last character; None likewise


class PlacedText(NamedTuple):
    """One text with the spans of its tokens."""

    text: str  # the original
    tokens: tuple[PlacedToken, ...]  # of the full text, in order
    sentences: tuple[tuple[PlacedToken, ...], ...]  # of each sentence; one sentence if no type uses sentences


@dataclass(frozen=True)
class Match:
    """The hits of one type in one pair of texts.

    Attributes:
        hits: as the score counts them; a whole number except for rougeW.
        prediction_total: units of the prediction.
        reference_total: units of the reference.
        precision: of this pair, times ``scale``; NaN if ``empty="skip"`` skips the pair.
        recall: likewise.
        fmeasure: likewise.
        prediction_tokens: the tokens that positions in ``units`` count: of the text, or for rougeLsum, union L
            and rougeW of its sentences, one after the other.
        reference_tokens: likewise.
        units: the hits, one by one (for rougeW the runs that score); their value is ``hits``. None if they are
            unknown: a convention's tool fails on the pair and scores it 0, or counts a text cut in two ways; and where
            they are more than 1,000,000, or the texts are too long: tables of rougeW of more than 268,435,456 cells
            with all references, or a text of more than 10,000,000 skip-bigrams.
    """

    hits: float
    prediction_total: float
    reference_total: float
    precision: float
    recall: float
    fmeasure: float
    prediction_tokens: tuple[PlacedToken, ...]
    reference_tokens: tuple[PlacedToken, ...]
    units: tuple[MatchedUnit, ...] | None

    @property
    def prediction_matched(self) -> list[bool] | None:
        """Say for each prediction token whether it is part of a hit; None without units."""
        return self._matched("prediction")

    @property
    def reference_matched(self) -> list[bool] | None:
        """Say for each reference token whether it is part of a hit; None without units."""
        return self._matched("reference")

    @property
    def prediction_spans(self) -> list[tuple[int, int]] | None:
        """Return (start, end) in the prediction of each token of a hit that has a span; None without units."""
        return self._spans("prediction")

    @property
    def reference_spans(self) -> list[tuple[int, int]] | None:
        """Return (start, end) in the reference of each token of a hit that has a span; None without units."""
        return self._spans("reference")

    @property
    def missing(self) -> list[str] | None:
        """Return the reference tokens that are part of no hit, in order; None without units."""
        return self._unmatched("reference")

    @property
    def extra(self) -> list[str] | None:
        """Return the prediction tokens that are part of no hit, in order; None without units."""
        return self._unmatched("prediction")

    def _matched(self, side: str) -> list[bool] | None:
        positions = self._positions(side)
        if positions is None:
            return None
        return list(map(positions.__contains__, range(len(getattr(self, f"{side}_tokens")))))

    def _positions(self, side: str) -> set[int] | None:
        return None if self.units is None else set(chain.from_iterable(map(attrgetter(side), self.units)))

    def _unmatched(self, side: str) -> list[str] | None:
        positions = self._positions(side)
        if positions is None:
            return None
        tokens = getattr(self, f"{side}_tokens")
        return [tokens[position].token for position in range(len(tokens)) if position not in positions]

    def _spans(self, side: str) -> list[tuple[int, int]] | None:
        flags = self._matched(side)
        if flags is None:
            return None
        tokens = compress(getattr(self, f"{side}_tokens"), flags)
        return [(start, end) for _, start, end in tokens if start is not None and end is not None]


@dataclass(frozen=True)
class TypeExplanation:
    """The scores and hits of one type in one sample.

    Attributes:
        name: the type, such as ``"rouge1"``.
        precision: of the sample, as ``Rouge.score`` gives it.
        recall: likewise.
        fmeasure: likewise.
        best_reference: index of the reference with this score; None where the score combines several references, and
            if the sample is skipped.
        combination: the ``multi_reference`` by which the score combines several references: ``"mean"``, ``"pooled"``,
            ``"jackknife"`` or ``"best_each"``; None where it is that with one reference.
        matches: one for each reference.
    """

    name: str
    precision: float
    recall: float
    fmeasure: float
    best_reference: int | None
    combination: str | None
    matches: tuple[Match, ...]

    @property
    def match(self) -> Match | None:
        """Return the match whose score this is; None where the score combines several references."""
        return self.matches[self.best_reference or 0] if self.combination is None else None

    @property
    def counts(self) -> tuple[float, float, float] | None:
        """Return hits, prediction total and reference total of the score; None where it is not made of one such triple.

        Under ``"pooled"`` they are the sums over the references.
        """
        if self.combination not in (None, "pooled"):
            return None
        shown = [self.match] if self.match else [match for match in self.matches if not math.isnan(match.fmeasure)]
        counts = [(match.hits, match.prediction_total, match.reference_total) for match in shown]
        hits, prediction_total, reference_total = map(sum, zip(*counts, strict=True))
        return hits, prediction_total, reference_total


@dataclass(frozen=True)
class Explanation:
    """The hits of a prediction in its references.

    Attributes:
        prediction: the text with its tokens.
        references: the references with their tokens.
        types: an entry for each of ``rouge_types``.
        signature: of the settings.
    """

    prediction: PlacedText
    references: tuple[PlacedText, ...]
    types: dict[str, TypeExplanation]
    signature: str

    def __getitem__(self, rouge_type: str) -> Match:
        """Return the match whose score a type has; ``ValueError`` where the score combines several references."""
        if rouge_type not in self.types:
            raise KeyError(f"{rouge_type!r} was not explained; there are {', '.join(self.types)}.")
        explained = self.types[rouge_type]
        if explained.match is None:
            n = len(explained.matches)
            raise ValueError(
                f"multi_reference={explained.combination!r} makes the {rouge_type} score of all {n} references; read "
                f"types[{rouge_type!r}].matches, which has the hits with each of them."
            )
        return explained.match

    def _repr_html_(self) -> str:
        """Render for notebooks."""
        return explanation_html(self)


def explain_sample(inputs: Inputs, settings: RougeSettings, run: RunOptions, notes: InputNotes) -> Explanation:
    """Explain the one sample of checked texts; see ``Rouge.explain``."""
    texts = read_texts([inputs], settings, run)
    sample, read = texts.system(0), texts.read
    prediction, references = int(sample.predictions[0]), sample.references.tolist()
    counted = count_pairs(sample, settings, run, notes)
    unscaled, best_references = combine_references(counted, settings.reference_rule, settings.score_rule)
    scores = scale_scores(unscaled, settings.result_rules)
    if len(counted.counts) < len(references):  # the score is that of the first; show the others too, refused or not
        alone = settings.replace(on_error="zero" if settings.on_error == "zero" else "score")
        counted = count_pairs(sample.pairs_as_samples(), alone, run)
    counted = dataclasses.replace(counted, offsets=np.arange(len(references) + 1))  # each pair is a sample
    unscaled, _ = combine_references(counted, settings.reference_rule, settings.score_rule)
    pair_scores = scale_scores(unscaled, settings.result_rules)
    by_sentence, rules = settings.text_rules.uses_sentences, settings.count_rules
    placed = {number: placed_text(read, number, with_sentences=by_sentence) for number in {prediction, *references}}
    units = find_units(read, prediction, sample.references, settings, run, counted.counts)
    types = {}
    for column, (name, rouge_type) in enumerate(zip(settings.rouge_types, rules.types, strict=True)):
        matches = tuple(
            _match(
                (placed[prediction], placed[reference]),
                units[name][row],
                rouge_type,
                rules,
                counted.counts[row, column],
                type_scores,
            )
            for row, (reference, type_scores) in enumerate(zip(references, pair_scores[:, column], strict=True))
        )
        best = int(best_references[0, column])
        precision, recall, fmeasure = scores[0, column].tolist()
        combines = best < 0 and len(references) > 1 and not math.isnan(fmeasure)
        combination = settings.multi_reference if combines else None
        best_reference = best if best >= 0 else None
        types[name] = TypeExplanation(name, precision, recall, fmeasure, best_reference, combination, matches)
    placed_references = tuple(placed[number] for number in references)
    return Explanation(placed[prediction], placed_references, types, write_signature(settings))


def placed_text(read: ReadTexts, number: int, *, with_sentences: bool) -> PlacedText:
    """Return a text that was read, with the spans of its tokens."""

    def tokens(ids: NDArray[np.uint32], spans: NDArray[np.int32], start: int, end: int) -> tuple[PlacedToken, ...]:
        words = map(read.vocabulary.__getitem__, ids[start:end].tolist())
        sides = ([None if position < 0 else position for position in side.tolist()] for side in spans[start:end].T)
        return tuple(map(PlacedToken, words, *sides))

    batch = read.tokens
    start, end = batch.text_tokens[number : number + 2].tolist()
    text_tokens = tokens(batch.ids, read.spans, start, end)
    sentences = (text_tokens,)
    if with_sentences:
        bounds = batch.sentence_tokens[batch.text_sentences[number] : batch.text_sentences[number + 1] + 1]
        first, last = bounds[[0, -1]].tolist()
        is_cut_alike = np.array_equal(batch.ids[start:end], batch.sentence_ids[first:last]) and np.array_equal(
            read.spans[start:end], read.sentence_spans[first:last]
        )
        all_tokens = text_tokens if is_cut_alike else tokens(batch.sentence_ids, read.sentence_spans, first, last)
        sentences = tuple(all_tokens[slice(*pair)] for pair in pairwise((bounds - first).tolist()))
    return PlacedText(read.texts[number], text_tokens, sentences)


def _match(
    texts: tuple[PlacedText, PlacedText],
    units: list[MatchedUnit] | None,
    rouge_type: RougeType,
    rules: CountRules,
    counts: NDArray[np.float64],
    scores: NDArray[np.float64],
) -> Match:
    """Return the hits of one type; its units are None if the score counts another number."""
    by_sentence = is_of_sentences(rouge_type, rules)
    if units is not None and abs(hit_value(units, rouge_type, rules) - counts[0]) > 1e-9 * max(1.0, counts[0]):
        units = None
    tokens = (tuple(chain.from_iterable(text.sentences)) if by_sentence else text.tokens for text in texts)
    return Match(*counts.tolist(), *scores.tolist(), *tokens, units=None if units is None else tuple(units))
