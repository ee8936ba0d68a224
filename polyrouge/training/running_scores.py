"""What an evaluation keeps that comes batch by batch: a few numbers for each sample, and a file with the texts."""

from __future__ import annotations

import json
import math
import os
import sys
import weakref
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.documents.input_notes import InputNotes
from polyrouge.scoring.poisson import row_keys
from polyrouge.scoring.results import (
    ExactSums,
    all_keys,
    merged,
    needs_keys,
    result_of,
    result_warnings,
    scale_scores,
)
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.training.generated_texts import GeneratedTexts

SEQUENCE_RULES = ("first", "best", "mean")
_FMEASURE = 2


class RunningScores:
    """Scores of the samples so far, and notes of what looked wrong in the texts."""

    # A sample takes 8 bytes a type (24 with output="all" or "f_of_means"), and 8 more to find repeated samples.

    def __init__(self, settings: RougeSettings, *, remember_references: bool = False) -> None:
        self.samples = 0
        self.notes = InputNotes(settings.text_rules)
        self._settings = settings
        keeps_all = settings.output == "all" or settings.aggregate == "f_of_means"
        self._measures = slice(None) if keeps_all else slice(_FMEASURE, None)
        self._scores: list[NDArray[np.float64]] = []
        self._totals: ExactSums | None = None
        self._keys: list[NDArray[np.uint64]] = []
        self._references: list[NDArray[np.int64]] | None = [] if remember_references else None
        self._tokens = self._predictions = 0

    def add(
        self,
        scores: NDArray[np.float64],
        totals: ExactSums | None,
        lengths: list[int] | None,
        references: list[Any],
    ) -> None:
        """Add some samples: float64[samples, types, 3], their totals, the tokens of each prediction, the references."""
        self._totals = merged(self._totals, totals)
        self._scores.append(scores[..., self._measures].copy())
        self.samples += len(references)
        if needs_keys(self._settings.result_rules):
            self._keys.append(row_keys([each] if isinstance(each, str) else each for each in references))
        if lengths is not None:
            self._tokens += sum(lengths)
            self._predictions += len(lengths)
        if self._references is not None:
            self._references.append(np.array([*map(_fingerprint, references)], np.int64))

    def first_unknown(self, references: list[Any]) -> int | None:
        """The index of the first reference that no sample has so far; None if there is none."""
        if not references:
            return None
        known = {each for block in self._references or () for each in block.tolist()}
        return next((i for i, reference in enumerate(references) if _fingerprint(reference) not in known), None)

    def result(self) -> dict[str, float]:
        """The metric over all samples, as ``Rouge.compute`` gives it; and ``gen_len`` if it is known."""
        keys = np.concatenate(self._keys) if self._keys else None
        result = result_of(self._all_scores(), self._settings.result_rules, self._totals, keys)
        if self._predictions:
            result["gen_len"] = self._tokens / self._predictions
        return result

    def warnings(self) -> list[str]:
        """What the result should warn of, beside the notes on the texts."""
        return result_warnings(self._all_scores(), self._settings.result_rules)

    def _all_scores(self) -> NDArray[np.float64]:
        n_types = len(self._settings.rouge_types)
        scores = np.concatenate(self._scores) if self._scores else np.empty((0, n_types, 3))
        # of one measure that is kept, three are made: the other two are not read
        return np.broadcast_to(scores, (self.samples, n_types, 3))


def combine_sequences(scores: NDArray[np.float64], sequences: int, rule: str) -> NDArray[np.float64]:
    """float64[samples, types, 3] of float64[samples * sequences, types, 3]; NaN where a sequence is left out."""
    grouped = scores.reshape(-1, sequences, *scores.shape[1:])
    if rule == "first" or sequences == 1:
        return grouped[:, 0]
    left_out = np.isnan(grouped)
    if rule == "best":
        ranked = np.where(left_out[..., _FMEASURE], -np.inf, grouped[..., _FMEASURE])
        best = ranked.argmax(axis=1)[:, np.newaxis, :, np.newaxis]
        return np.take_along_axis(grouped, best, axis=1)[:, 0]
    used = (~left_out).sum(axis=1)
    total = np.where(left_out, 0.0, grouped).sum(axis=1)
    return np.divide(total, used, out=np.full(total.shape, np.nan), where=used > 0)


class SampleFile:
    """``evaluation-000001.jsonl`` in a folder, or the next number; it has this name only once it is complete."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        Path(folder).mkdir(parents=True, exist_ok=True)
        numbers = [path.stem.removeprefix("evaluation-") for path in Path(folder).glob("evaluation-*.jsonl")]
        number = 1 + max((int(each) for each in numbers if each.isdecimal()), default=0)
        self._path = Path(folder, f"evaluation-{number:06d}.jsonl")
        self._unfinished = self._path.with_suffix(".jsonl.part")
        self._unfinished.write_bytes(b"")

    def add(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Write some rows."""
        with open(self._unfinished, "a", encoding="utf-8", newline="\n") as lines:
            lines.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)

    def finish(self) -> None:
        """Give the file its name."""
        self._unfinished.replace(self._path)

    def drop(self) -> None:
        """Remove what was written."""
        self._unfinished.unlink(missing_ok=True)


def sample_rows(
    texts: GeneratedTexts, scores: NDArray[np.float64], settings: RougeSettings, first: int
) -> list[dict[str, Any]]:
    """One row a sample: its number, from ``first`` on, its texts, and the scores, times ``scale``; null for NaN."""
    sequences = len(texts.predictions) // len(texts.references)
    rules = settings.result_rules
    rows = []
    for i, (reference, row) in enumerate(zip(texts.references, scale_scores(scores, rules).tolist(), strict=True)):
        predictions = texts.predictions[i * sequences : (i + 1) * sequences]
        sample: dict[str, Any] = {"id": first + i, "prediction": predictions[0]}
        if sequences > 1:
            sample["predictions"] = predictions
        sample["references"] = [reference] if isinstance(reference, str) else list(reference)
        for key, column, measure in all_keys(rules):
            value = row[column][measure]
            sample[key] = None if math.isnan(value) else value
        rows.append(sample)
    return rows


class EvaluationMark:
    """Tells one evaluation of a Trainer from the next."""

    # An evaluation that ends early (out of memory, an interrupt) never asks for its result, and nothing says that the
    # next one begins. But accelerate lists the data loaders that are being read, and a loader that was not read to its
    # end stays listed. So in a new evaluation the list ends with another loader, or holds the same one once more.

    def __init__(self) -> None:
        loaders = _running_loaders()
        self._loader = weakref.ref(loaders[-1]) if loaders else None
        self._times = sum(loader is loaders[-1] for loader in loaders)

    def is_over(self) -> bool:
        """Whether another evaluation runs now; False where this can't be known."""
        loaders = _running_loaders()
        if not loaders:
            return self._loader is not None
        if self._loader is None or self._loader() is not loaders[-1]:
            return True
        return self._times != sum(loader is loaders[-1] for loader in loaders)


def _running_loaders() -> list[Any]:
    """The data loaders that are being read, the innermost last."""
    module = sys.modules.get("accelerate.state")
    if module is None or not module.GradientState._shared_state:
        return []
    return [loader for loader in module.GradientState().dataloader_references if loader is not None]


def _fingerprint(reference: Any) -> int:
    return hash(reference if isinstance(reference, str) else tuple(reference))
