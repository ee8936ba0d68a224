"""Score uploaded files step by step."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.comparing.comparison import Comparison
from polyrouge.comparing.systems import can_compare, compare_columns, of_shared_samples
from polyrouge.errors import hearing_warnings
from polyrouge.files.joined_rows import NO_IDS
from polyrouge.files.text_columns import open_paired_texts
from polyrouge.inputs import EmptyTexts, ReferenceKind, check_inputs
from polyrouge.metric import Rouge
from polyrouge.page.choices import Choice
from polyrouge.page.limits import LIMITS, Deadline
from polyrouge.page.sessions import Session
from polyrouge.page.texts import PageError
from polyrouge.page.uploads import Mapped, NamesOnly
from polyrouge.reading.notes import TextNotes
from polyrouge.scoring.aggregation import scale_scores
from polyrouge.scoring.exact_sums import merged
from polyrouge.scoring.pipeline import SampleScores, score_samples
from polyrouge.scoring.results import result_of

_BATCH_ROWS = 1_000
_CONFIDENCE = 0.95


@dataclass
class FileJob:
    """A scored upload.

    Attributes:
        rouge: the metric.
        names: of the systems, one or two.
        predictions: of each system.
        references: of each row.
        ids: of each row, or empty.
        scores: for each system float64[n_rows, n_types, 3], before ``scale``.
        results: for each system what ``Rouge.compute`` gives, with intervals, for the rows that none leaves out.
        comparison: of the two systems, or None.
        notes: the metric's warnings.
        empty_texts: how many texts are empty.
    """

    rouge: Rouge
    names: list[str]
    predictions: list[list[str]]
    references: list[Any] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    scores: list[NDArray[np.float64]] = field(default_factory=list)
    results: list[dict[str, float]] = field(default_factory=list)
    comparison: Comparison | None = None
    notes: list[str] = field(default_factory=list)
    empty_texts: EmptyTexts = field(default_factory=lambda: EmptyTexts((), 0))

    @property
    def types(self) -> tuple[str, ...]:
        """The types that were scored."""
        return self.rouge.settings.rouge_types

    def references_of(self, row: int) -> list[str]:
        """The references of a row, counted from 0, as a list."""
        references = self.references[row]
        return [references] if isinstance(references, str) else list(references)

    def fmeasures(self, system: int) -> NDArray[np.float64]:
        """float64[n_rows, n_types], times ``scale``."""
        return scale_scores(self.scores[system], self.rouge.settings.result_rules)[:, :, 2]


def score_files(session: Session, mapped: Mapped, choice: Choice) -> Iterator[int | FileJob]:
    """Score what was uploaded; yields the number of rows done, now and then, and at last the job.

    To cancel, stop iterating.

    Raises:
        PageError: a limit, or a column is missing.
        ValueError: a row that is no text, settings that don't go together; the message says which.
    """
    deadline = Deadline()
    first, second = session.files.get("first"), session.files.get("second")
    if first is None or not first.exists() or (second is not None and not second.exists()):
        raise PageError(key="gone" if mapped.prediction else "uploadFirst")
    _check_mapping(mapped, second is not None)
    convention, settings = choice.keywords()
    rouge = choice.rouge()
    with contextlib.suppress(ValueError):  # there is no interval of such means
        rouge = Rouge(convention, **settings, output="all", confidence=_CONFIDENCE)
    paths = [path for path in (first, second) if path is not None]
    columns = [mapped.prediction, *([mapped.other] if mapped.other else [])]
    with (
        NamesOnly(*paths),
        open_paired_texts(
            [str(path) for path in paths],
            prediction_columns=columns,
            reference_columns=mapped.references,
            id_column=mapped.id or NO_IDS,
            caps=LIMITS.caps,
        ) as texts,
    ):
        names = list(texts.systems)
        if len(names) == 1 and second is None:
            names = [first.stem.removesuffix(".jsonl")]
        job = FileJob(rouge, names, [[] for _ in names])
        parts: list[list[SampleScores]] = [[] for _ in names]
        notes = [TextNotes(rouge.settings.text_rules) for _ in names]
        kind: ReferenceKind | None = None
        characters = 0
        heard: list[str] = []
        for chunk in texts.chunks():
            characters += _size(chunk.predictions, chunk.references)
            if characters > LIMITS.million_characters * 1_000_000:
                raise PageError(key="limitCharacters", most=LIMITS.million_characters)
            if len(job.references) + len(chunk.references) > LIMITS.rows:
                raise PageError(key="limitRows", most=LIMITS.rows)
            done = len(job.references)
            job.references += chunk.references
            job.ids += chunk.ids
            for system, more in enumerate(chunk.predictions):
                job.predictions[system] += more
            for start in range(0, len(chunk.references), _BATCH_ROWS):
                deadline.check()
                rows = slice(start, start + _BATCH_ROWS)
                for system, predictions in enumerate(chunk.predictions):
                    inputs = check_inputs(
                        predictions[rows], chunk.references[rows], first_row=done + start, reference_kind=kind
                    )
                    kind = inputs.reference_kind
                    with hearing_warnings() as said:
                        parts[system].append(score_samples(inputs, rouge.settings, notes[system]))
                    heard += said
                yield min(done + start + _BATCH_ROWS, len(job.references))
        job.empty_texts = texts.empty_texts
        for path in paths:
            heard += [note.replace(str(path), path.name) for note in texts.notes if note.startswith(str(path))]
    _finish(job, parts, notes, heard)
    deadline.check()
    yield job


def _check_mapping(mapped: Mapped, has_second: bool) -> None:
    if not mapped.prediction or not mapped.references:
        raise PageError(key="noPredictionColumn")
    for name in (mapped.prediction, mapped.other):
        if name and name in mapped.references:
            raise PageError(key="sameColumn", name=name)
    if mapped.other == mapped.prediction:
        raise PageError(key="sameColumn", name=mapped.other)
    if mapped.other and has_second:
        raise PageError(key="twoOthers")


def _size(predictions: Sequence[Sequence[str]], references: Sequence[Any]) -> int:
    """Characters of some rows.

    Raises:
        PageError: one text is too long.
    """
    size = 0
    for texts in (*predictions, *([row] if isinstance(row, str) else row for row in references)):
        for text in texts:
            if len(text) > LIMITS.file_text:
                raise PageError(key="limitText", what="row", n=len(text), most=LIMITS.file_text)
            size += len(text)
    return size


def _finish(
    job: FileJob, parts: Sequence[Sequence[SampleScores]], notes: Sequence[TextNotes], heard: list[str]
) -> None:
    """Means, intervals, and the comparison of two systems; what was said of any batch, and what looks wrong in all."""
    settings = job.rouge.settings
    job.scores = scores = [np.concatenate([part.scores for part in each]) for each in parts]
    with hearing_warnings() as said:
        for each in notes:
            each.warn()
        if can_compare(scores, settings):
            named = dict(zip(job.names, scores, strict=True))
            job.comparison = compare_columns(named, settings.replace(output="fmeasure"))
            scores = of_shared_samples(scores)
        for each, column in zip(parts, scores, strict=True):
            totals = functools.reduce(merged, [part.totals for part in each])
            job.results.append(result_of(column, settings.result_rules, totals))
    first_of_kind = {message[:20]: message for message in reversed([*heard, *said])}
    job.notes = list(reversed(first_of_kind.values()))
