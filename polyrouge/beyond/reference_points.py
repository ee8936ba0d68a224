"""``score_context``: a system's score beside those of chance, copying and people on the same texts."""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.beyond.pairs.oracle import OracleSearch
from polyrouge.beyond.source_overlap.measures import checked_sources
from polyrouge.errors import warn_of
from polyrouge.inputs import Inputs, check_inputs
from polyrouge.metric import Rouge, as_rouge, score_inputs
from polyrouge.results import Cell, Result, ResultTable, digits_for, shown_scores
from polyrouge.scoring.aggregates import all_keys, result_warnings, results_of
from polyrouge.scoring.sample_scores import score_samples
from polyrouge.settings.rouge_settings import RougeSettings, RunOptions
from polyrouge.texts.sentences import split_auto

SYSTEM, SHUFFLED, CONSTANT, SOURCE, ORACLE = "system", "shuffled references", "one text for all", "source", "oracle"
HUMAN, SYSTEM_OF_HUMAN = "human", "system, as human"
_MOST_SENTENCES = 3  # of the lead and the oracle, as in papers
_CANDIDATES, _ROWS_LOOKED_AT = 20, 200  # for one text for all rows
# Settings of the metric that the oracle ignores: it adds ROUGE-1 and ROUGE-2 of a document's sentences.
_NOT_OF_THE_ORACLE = (
    *("rouge_types", "sentence_split", "weights", "confidence", "interval", "output", "aggregate", "empty", "on_error"),
    "round_each",
)


@dataclass(frozen=True)
class ScoreContext(Result):
    """The result of ``score_context``; ``print`` and notebooks show it as a table, the lowest score first.

    Attributes:
        points: results of ``Rouge.compute`` with intervals, by name: ``points["oracle"]["rouge1_low"]``. The names are
            "system", "shuffled references", "one text for all", "lead-3" (or another number), "source", "oracle",
            "human" and "system, as human"; points that the texts don't allow are missing.
        n_samples: number of samples, by name.
        confidence: level of the intervals.
        signature: of the settings.
        scale: of the scores: 1, or 100 for points.
    """

    points: dict[str, dict[str, float]]
    n_samples: dict[str, int]
    confidence: float
    signature: str
    scale: float

    @property
    def keys(self) -> tuple[str, ...]:
        """Return the keys of the scores, without those of intervals."""
        return tuple(key for key in self.points[SYSTEM] if f"{key}_low" in self.points[SYSTEM])

    def share(self, key: str, start: str = SHUFFLED, end: str = ORACLE) -> float:
        """Return how far the system is between two points: 0 at ``start``, 1 at ``end``.

        NaN if the two are equal; above 1 beyond the end. Not for "human", which has fewer references.

        Raises:
            KeyError: there is no such key or point.
        """
        low, score, high = (self.points[name][key] for name in (start, SYSTEM, end))
        return (score - low) / (high - low) if high != low else math.nan

    def tables(self, digits: int | None = None) -> list[ResultTable]:
        """Return the points, the lowest first.

        Args:
            digits: of scores, after the point; None: two on the scale of papers, four on the scale of 0 to 1.
        """
        digits = digits_for(self.scale) if digits is None else digits
        rows = []
        for name, point in sorted(self.points.items(), key=lambda item: item[1][self.keys[0]]):
            shown = [shown_scores([point[key + end] for end in ("", "_low", "_high")], digits) for key in self.keys]
            cells = [f"{middle} [{low}, {high}]" for middle, low, high in shown]
            rows.append([Cell(text, strong=name == SYSTEM) for text in (name, *cells, str(self.n_samples[name]))])
        return [ResultTable("The system's score in its context", ["", *self.keys, "samples"], rows)]

    def records(self) -> list[dict[str, Any]]:
        """Return a line for each point, with both ends of its intervals."""
        return [{"point": name, "samples": self.n_samples[name], **point} for name, point in self.points.items()]

    def notes(self) -> list[str]:
        """Say how far the system is from chance to the oracle, and what people's points are."""
        notes = []
        if {SHUFFLED, ORACLE} <= {*self.points}:
            shares = {key: self.share(key) for key in self.keys if "_" not in key}
            shown = ", ".join(f"{share:.0%} in {key}" for key, share in shares.items() if not math.isnan(share))
            if shown:
                notes.append(f"From shuffled references to the extractive oracle, the system has gone {shown}.")
        if HUMAN in self.points:
            notes.append(f"{HUMAN!r}: each reference against the others; {SYSTEM_OF_HUMAN!r}: against the same others.")
        return notes

    def to_dict(self) -> dict[str, Any]:
        """Return the full result as plain values for JSON."""
        has_ends = {SHUFFLED, ORACLE} <= {*self.points}
        return vars(self) | {"share": {key: self.share(key) for key in self.keys if has_ends}}


def score_context(
    predictions: Any,
    references: Any,
    sources: Any = None,
    rouge: Rouge | str | None = None,
    *,
    lead: int | None = None,
    confidence: float | None = None,
    seed: int | None = None,
) -> ScoreContext:
    """Score a system, and reference points that show whether its score is high.

    Each point is scored against the references like the system:

    - "shuffled references": the first reference of another, random row that the row itself does not have; texts of
      this kind share so much by chance;
    - "one text for all": the best of 20 references, on all rows but its own;
    - "lead-3": the first sentences of the source; "source": all of it;
    - "oracle": the sentences of the source that score highest, as ``beyond.pairs.extractive_oracle`` chooses them;
    - "human": each reference against the others of its row, where there are several; and "system, as human", the system
      against the same. More references raise a score, so compare only these two with each other.

    Args:
        predictions: as for ``Rouge.compute``.
        references: as for ``Rouge.compute``.
        sources: for each prediction the text it was made from, or a list of texts; None: no lead, source and oracle.
        rouge: the metric, or a convention's name; ``Rouge()`` if None.
        lead: number of sentences of lead and oracle; None: as many as the references (their median), 3 at most.
        confidence: level of the intervals; None: the metric's, or 0.95 if it has none.
        seed: of all draws; None: the metric's.

    Returns:
        The points, each with its interval.

    Raises:
        ValueError: texts that ``Rouge.compute`` refuses, more or fewer sources than predictions, an aggregate
            without an interval, or ``lead`` below 1.
        TypeError: a value that is no text.
    """
    rouge = as_rouge(rouge)
    settings, run = rouge.settings, rouge.run
    seed = settings.seed if seed is None else seed
    confidence = (settings.confidence or 0.95) if confidence is None else confidence
    changes = {"confidence": confidence, "seed": seed, "interval": "percentile"}
    settings = settings.replace(use_aggregator=True, **changes)
    if lead is not None and (isinstance(lead, bool) or not isinstance(lead, int) or lead < 1):
        raise ValueError(f"lead is {lead!r}; give a number of sentences, at least 1.")
    inputs = check_inputs(predictions, references)
    texts = None if sources is None else checked_sources(inputs.predictions, sources)
    scores = {SYSTEM: score_inputs(inputs, settings, run).scores}
    warn_of(result_warnings(scores[SYSTEM], settings.result_rules))
    rows = [list(row) for row in inputs.references]

    def scores_of(texts: Sequence[str], rows: Sequence[Sequence[str]] = rows) -> NDArray[np.float64]:
        return score_samples(Inputs(texts, rows, "list"), settings, run).scores

    distinct_rows = list(dict.fromkeys(map(tuple, rows)))  # several outputs may be of the same document
    if len(distinct_rows) > 1:
        shuffled_rows = [
            distinct_rows[index] for index in np.random.default_rng(seed).permutation(len(distinct_rows)).tolist()
        ]
        replacements = _texts_of_others(shuffled_rows)
        if replaced_rows := [row for row in rows if tuple(row) in replacements]:
            scores[SHUFFLED] = scores_of([replacements[tuple(row)] for row in replaced_rows], replaced_rows)
        sampled_rows = rows[:: -(-len(rows) // _ROWS_LOOKED_AT)]
        candidates = [row[0] for row in shuffled_rows[:_CANDIDATES]]
        best = max(candidates, key=lambda text: np.nansum(scores_of([text] * len(sampled_rows), sampled_rows)[..., 2]))
        other_rows = [row for row in rows if best not in row]
        if other_rows:
            scores[CONSTANT] = scores_of([best] * len(other_rows), other_rows)
    if texts is not None:
        documents = [[part for part in map(str.strip, split_auto(text)) if part] for text in texts]
        usual_length = statistics.median_high(max(1, len(split_auto(text))) for text in chain(*rows))
        n = lead or min(_MOST_SENTENCES, usual_length)
        scores[f"lead-{n}"] = scores_of(["\n".join(sentences[:n]) for sentences in documents])
        scores[SOURCE] = scores_of(list(map("\n".join, documents)))
        scores[ORACLE] = scores_of(_oracles(documents, rows, n, settings, run))
    if several_references := [index for index, row in enumerate(rows) if len(row) > 1]:
        scores |= _human_scores(
            [inputs.predictions[index] for index in several_references],
            [rows[index] for index in several_references],
            settings,
            run,
        )
    keys = {key for name, *_ in all_keys(settings.result_rules) for key in (name, f"{name}_low", f"{name}_high")}
    results = zip(scores, results_of(list(scores.values()), settings.result_rules), strict=True)
    points = {name: {key: value for key, value in result.items() if key in keys} for name, result in results}
    n_samples = {name: len(point_scores) for name, point_scores in scores.items()}
    return ScoreContext(points, n_samples, confidence, settings.signature(), settings.scale)


def _texts_of_others(drawn: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
    """Find for each row the first reference of the next row, cyclically, that is none of its own; none if all are."""
    n, first_references = len(drawn), [row[0] for row in drawn]
    following: list[int | None] = [None] * (2 * n)  # the next index with another text: many rows may have the same
    for index in range(2 * n - 2, -1, -1):
        is_same = first_references[(index + 1) % n] == first_references[index % n]
        following[index] = following[index + 1] if is_same else index + 1
    texts = {}
    for start, row in enumerate(drawn):
        index: int | None = start + 1
        while index is not None and index < start + n and first_references[index % n] in row:
            index = following[index]
        if index is not None and index < start + n:
            texts[row] = first_references[index % n]
    return texts


def _oracles(
    documents: list[list[str]], rows: list[list[str]], n: int, settings: RougeSettings, run: RunOptions
) -> list[str]:
    """Return for each document the sentences that score highest, a sentence on each line."""
    defaults = RougeSettings()
    settings = settings.replace(**{name: getattr(defaults, name) for name in _NOT_OF_THE_ORACLE})
    search = OracleSearch(n, rouge=Rouge.of(settings, run))
    search.read(documents, rows, ("sources", "references"))
    chosen_indices = zip(documents, search.choose(), strict=True)
    return ["\n".join([sentences[index] for index in indices]) for sentences, indices in chosen_indices]


def _human_scores(
    predictions: Sequence[str], rows: Sequence[list[str]], settings: RougeSettings, run: RunOptions
) -> dict[str, NDArray[np.float64]]:
    """Score each reference against the others of its row, and the prediction against them: means over a row."""
    cases = [(row, left_out) for row, references in enumerate(rows) for left_out in range(len(references))]
    owners = np.array([row for row, _ in cases])
    other_references = [[text for index, text in enumerate(rows[row]) if index != left_out] for row, left_out in cases]
    texts = {
        HUMAN: [rows[row][left_out] for row, left_out in cases],
        SYSTEM_OF_HUMAN: [predictions[row] for row, _ in cases],
    }
    starts = np.flatnonzero(np.diff(owners, prepend=-1))
    sizes = np.array([len(row) for row in rows])[:, np.newaxis, np.newaxis]
    return {
        name: np.add.reduceat(score_samples(Inputs(case_texts, other_references, "list"), settings, run).scores, starts)
        / sizes
        for name, case_texts in texts.items()
    }
