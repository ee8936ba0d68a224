"""State of an evaluation that comes batch by batch: a few numbers for each sample, and a file with the texts."""

import json
import math
import os
import sys
import weakref
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.scoring.results import all_keys, scale_scores
from polyrouge.scoring.sample_scores import SampleScores, StreamedScores
from polyrouge.settings.rouge_settings import RougeSettings, RunOptions
from polyrouge.training.generated_texts import GeneratedTexts

SEQUENCE_RULES = ("first", "best", "mean")
_FMEASURE = 2


class RunningScores(StreamedScores):
    """Scores of the samples of an evaluation so far; ``folder``: where to save them."""

    # A sample takes 8 bytes a type (24 with output="all" or "f_of_means"), and 8 more to find repeated samples.

    def __init__(
        self,
        settings: RougeSettings,
        run: RunOptions,
        remember_references: bool,
        folder: str | os.PathLike[str] | None,
    ) -> None:
        super().__init__(settings, run)
        self.mark = EvaluationMark()
        self.file = None if folder is None else SampleFile(folder)
        keeps_all = settings.output == "all" or settings.aggregate == "f_of_means"
        self._measures = slice(None) if keeps_all else slice(_FMEASURE, None)
        self._references: list[NDArray[np.int64]] | None = [] if remember_references else None
        self._tokens = self._predictions = 0

    def add_texts(self, samples: SampleScores, lengths: list[int] | None, references: list[Any]) -> None:
        """Add samples, the number of tokens of each prediction, and the references."""
        self.add_scores(samples._replace(scores=samples.scores[..., self._measures].copy()))
        if lengths is not None:
            self._tokens += sum(lengths)
            self._predictions += len(lengths)
        if self._references is not None:
            self._references.append(np.array([*map(_fingerprint, references)], np.int64))

    def first_unknown(self, references: list[Any]) -> int | None:
        """The index of the first reference that no sample has so far; None if there is none."""
        known = {each for block in self._references or () for each in block.tolist()} if references else set()
        return next((i for i, reference in enumerate(references) if _fingerprint(reference) not in known), None)

    def scores(self) -> NDArray[np.float64]:
        """The scores of all samples; of one measure in memory three are made, as nobody reads the other two."""
        return np.broadcast_to(super().scores(), (self.n_samples, len(self.settings.rouge_types), 3))

    def result(self) -> dict[str, float]:
        """The metric over all samples, and ``gen_len`` if it is known."""
        gen_len = {"gen_len": self._tokens / self._predictions} if self._predictions else {}
        return super().result() | gen_len


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
    """``evaluation-000001.jsonl`` in a folder, or the next number; gets this name only once it is complete."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        Path(folder).mkdir(parents=True, exist_ok=True)
        numbers = [path.stem.removeprefix("evaluation-") for path in Path(folder).glob("evaluation-*.jsonl")]
        number = 1 + max((int(each) for each in numbers if each.isdecimal()), default=0)
        self._path = Path(folder, f"evaluation-{number:06d}.jsonl")
        self._unfinished = self._path.with_suffix(".jsonl.part")
        self._unfinished.write_bytes(b"")

    def add(self, rows: list[dict[str, Any]]) -> None:
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
    """One row a sample: its number, from ``first`` on, its texts and its scores times ``scale``; null for NaN."""
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
    # next one begins. But accelerate lists the data loaders in use, and one that was not read to its end stays listed.
    # So in a new evaluation the list ends with another loader, or holds the same one once more.

    def __init__(self) -> None:
        loader, self._times = _running_loader()
        self._loader = None if loader is None else weakref.ref(loader)

    def is_over(self) -> bool:
        """Whether another evaluation runs now; False if this can't be known."""
        loader, times = _running_loader()
        own = None if self._loader is None else self._loader()
        return (own, times) != (loader, self._times)


def _running_loader() -> tuple[Any, int]:
    """The innermost data loader in use, and how often it is listed; None if there is none."""
    module = sys.modules.get("accelerate.state")
    if module is None or not module.GradientState._shared_state:
        return None, 0
    loaders = [loader for loader in module.GradientState().dataloader_references if loader is not None]
    return (loaders[-1], sum(loader is loaders[-1] for loader in loaders)) if loaders else (None, 0)


def _fingerprint(reference: Any) -> int:
    return hash(reference if isinstance(reference, str) else tuple(reference))
