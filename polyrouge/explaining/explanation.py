"""Explanations: what a prediction shares with its references, token by token, under one set of settings.

Data only: tokens with their places in the original texts, and for each type the hits. Notebooks
(``explanation_html.py``) and pages draw from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from polyrouge.counting.loop import count_pairs
from polyrouge.explaining.notebook_html import explanation_html
from polyrouge.explaining.token_places import PlacedText, PlacedToken, TextColumns, TokenPlacer
from polyrouge.explaining.unit_matches import MatchedUnit, is_of_sentences, match_units, units_value
from polyrouge.inputs import Inputs
from polyrouge.reading.documents import rules_by_side
from polyrouge.reading.notes import TextNotes
from polyrouge.scoring.aggregation import scale_scores
from polyrouge.scoring.pipeline import score_samples
from polyrouge.scoring.scores import combine_references
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.settings.rouge_types import RougeType, parse_rouge_type
from polyrouge.settings.signature import write_signature
from polyrouge.texts.jieba_words import MakeCutter, jieba_cutter


@dataclass(frozen=True)
class Match:
    """What one type finds in one pair of texts.

    Attributes:
        hits: as the score counts them; a whole number but for rougeW.
        prediction_total: units of the prediction.
        reference_total: units of the reference.
        precision: of this pair, times ``scale``; NaN where ``empty="skip"`` leaves it out.
        recall: likewise.
        fmeasure: likewise.
        prediction_tokens: the tokens that positions in ``units`` are those of: of the text, or for
            rougeLsum, union L and rougeW of its sentences, one after the other.
        reference_tokens: likewise.
        units: the hits, one by one, for rougeW the runs that are paid; their value is ``hits``. None
            where they can't be told: a convention's tool fails on the pair and scores it 0, or counts
            a text cut in two ways.
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
        """For each prediction token, whether it is part of a hit; None without units."""
        return self._matched("prediction", self.prediction_tokens)

    @property
    def reference_matched(self) -> list[bool] | None:
        """For each reference token, whether it is part of a hit; None without units."""
        return self._matched("reference", self.reference_tokens)

    @property
    def prediction_spans(self) -> list[tuple[int, int]] | None:
        """(start, end) in the prediction of each token that is part of a hit; None without units.

        Tokens that can't be found in the text (a callable tokenizer may make such) have no span.
        """
        return _spans(self.prediction_tokens, self.prediction_matched)

    @property
    def reference_spans(self) -> list[tuple[int, int]] | None:
        """(start, end) in the reference of each token that is part of a hit; None without units."""
        return _spans(self.reference_tokens, self.reference_matched)

    @property
    def missing(self) -> list[str] | None:
        """Reference tokens that are part of no hit, in order; None without units."""
        return _unmatched(self.reference_tokens, self.reference_matched)

    @property
    def extra(self) -> list[str] | None:
        """Prediction tokens that are part of no hit, in order; None without units."""
        return _unmatched(self.prediction_tokens, self.prediction_matched)

    def _matched(self, side: str, tokens: Sequence[PlacedToken]) -> list[bool] | None:
        if self.units is None:
            return None
        places = set(chain.from_iterable(getattr(unit, side) for unit in self.units))
        return [place in places for place in range(len(tokens))]


@dataclass(frozen=True)
class TypeExplanation:
    """One type of one sample.

    Attributes:
        name: the type, such as ``"rouge1"``.
        precision: of the sample, as ``Rouge.score`` gives it.
        recall: likewise.
        fmeasure: likewise.
        best_reference: index of the reference whose score this is; None under a multi-reference
            rule without one, and where the sample is left out.
        matches: one for each reference.
    """

    name: str
    precision: float
    recall: float
    fmeasure: float
    best_reference: int | None
    matches: tuple[Match, ...]

    @property
    def match(self) -> Match:
        """The match with the best reference; with the first one where none is best."""
        return self.matches[self.best_reference or 0]


@dataclass(frozen=True)
class Explanation:
    """What a prediction shares with its references.

    Attributes:
        prediction: the text with its tokens.
        references: the references with theirs.
        types: an entry for each of ``rouge_types``.
        signature: of the settings.
    """

    prediction: PlacedText
    references: tuple[PlacedText, ...]
    types: dict[str, TypeExplanation]
    signature: str

    def __getitem__(self, rouge_type: str) -> Match:
        """The match of a type with its best reference."""
        if rouge_type not in self.types:
            raise KeyError(f"{rouge_type!r} was not explained; there are {', '.join(self.types)}.")
        return self.types[rouge_type].match

    def _repr_html_(self) -> str:
        """For notebooks."""
        return explanation_html(self)


class UnitMatcher:
    """Places the tokens of texts and matches their units, without scoring.

    Args:
        settings: which say what a token is, and a hit.
        make_cutter: makes what cuts Chinese words where that is jieba.
    """

    def __init__(self, settings: RougeSettings, make_cutter: MakeCutter = jieba_cutter) -> None:
        self._settings = settings
        of_predictions, of_references = rules_by_side(settings.text_rules)
        self._prediction_placer = TokenPlacer(of_predictions, make_cutter)
        self._reference_placer = TokenPlacer(of_references, make_cutter)

    def place_prediction(self, text: str) -> PlacedText:
        """The tokens of a prediction with their places."""
        return self.prediction_columns(text).placed()

    def prediction_columns(self, text: str) -> TextColumns:
        """The same as columns."""
        stand_in = self.counted_prediction(text)
        found = self._prediction_placer.columns(stand_in)
        return found if stand_in == text else found.without_places(text)

    def counted_prediction(self, text: str) -> str:
        """The text itself."""
        return text

    def place_reference(self, text: str) -> PlacedText:
        """The tokens of a reference with their places."""
        return self._reference_placer.place(text)

    def reference_columns(self, text: str) -> TextColumns:
        """The same as columns."""
        return self._reference_placer.columns(text)

    def tokens(self, text: PlacedText, name: str) -> tuple[PlacedToken, ...]:
        """The tokens that a type's positions are those of."""
        if is_of_sentences(parse_rouge_type(name), self._settings.count_rules):
            return tuple(chain.from_iterable(text.sentences))
        return text.tokens

    def units(self, prediction: PlacedText, reference: PlacedText, name: str) -> list[MatchedUnit]:
        """The hits of one type."""
        rouge_type = parse_rouge_type(name)
        ours, theirs = self._compared(rouge_type, prediction, reference)
        return match_units(ours, theirs, rouge_type, self._settings.count_rules)

    def value(self, units: Sequence[MatchedUnit], name: str) -> float:
        """Hits that the units stand for."""
        return units_value(units, parse_rouge_type(name), self._settings.count_rules)

    def _compared(self, rouge_type: RougeType, *texts: PlacedText) -> Iterator[list[list[str]]]:
        """The tokens of each text as they are compared, by sentence or the text as one."""
        by_sentence = is_of_sentences(rouge_type, self._settings.count_rules)
        for text in texts:
            sentences = text.sentences if by_sentence else (text.tokens,)
            yield [[placed.token for placed in sentence] for sentence in sentences]


def explain_sample(prediction: str, references: Sequence[str], settings: RougeSettings) -> Explanation:
    """Explain one sample of checked texts; see ``Rouge.explain``."""
    signature = write_signature(settings)
    settings = settings.replace(engine="plain")
    matcher = UnitMatcher(settings)
    placed = matcher.place_prediction(prediction)
    placed_references = tuple(map(matcher.place_reference, references))
    scored = score_samples(Inputs([prediction], [[*references]], "list"), settings)
    # Each pair by itself, also where the sample's score looks at the first only, or a pair is refused.
    counted = matcher.counted_prediction(prediction)
    pairs = Inputs([counted] * len(references), [[reference] for reference in references], "list")
    pair_settings = settings.replace(on_error="zero" if settings.on_error == "zero" else "score")
    counted_pairs = count_pairs(pairs, pair_settings, TextNotes(settings.text_rules))
    of_pairs, _ = combine_references(counted_pairs, settings.reference_rule, settings.score_rule)
    counts, pair_scores = counted_pairs.counts, scale_scores(of_pairs, settings.result_rules)
    scores = scale_scores(scored.scores, settings.result_rules)
    types = {}
    for column, name in enumerate(settings.rouge_types):
        matches = []
        for index, reference in enumerate(placed_references):
            hits, prediction_total, reference_total = counts[index, column].tolist()
            units = matcher.units(placed, reference, name)
            is_right = abs(matcher.value(units, name) - hits) <= 1e-9 * max(1.0, hits)
            precision, recall, fmeasure = pair_scores[index, column].tolist()
            match = Match(
                hits=hits,
                prediction_total=prediction_total,
                reference_total=reference_total,
                precision=precision,
                recall=recall,
                fmeasure=fmeasure,
                prediction_tokens=matcher.tokens(placed, name),
                reference_tokens=matcher.tokens(reference, name),
                units=tuple(units) if is_right else None,
            )
            matches.append(match)
        best = int(scored.best_reference[0, column])
        types[name] = TypeExplanation(
            name, *scores[0, column].tolist(), best_reference=best if best >= 0 else None, matches=tuple(matches)
        )
    return Explanation(placed, placed_references, types, signature)


def _spans(tokens: Sequence[PlacedToken], matched: list[bool] | None) -> list[tuple[int, int]] | None:
    if matched is None:
        return None
    return [
        (token.start, token.end)
        for token, is_matched in zip(tokens, matched, strict=True)
        if is_matched and token.start is not None and token.end is not None
    ]


def _unmatched(tokens: Sequence[PlacedToken], matched: list[bool] | None) -> list[str] | None:
    if matched is None:
        return None
    return [token.token for token, is_matched in zip(tokens, matched, strict=True) if not is_matched]
