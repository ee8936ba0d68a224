"""An evaluation of a Trainer that comes batch by batch: a few numbers for each sample, and a file with the texts."""

import json
import math
import os
import sys
import weakref
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.scoring.aggregates import all_keys, scale_scores
from polyrouge.scoring.sample_scores import Scores, StreamedScores
from polyrouge.settings.rouge_settings import RougeSettings, RunOptions
from polyrouge.training.generated_texts import GeneratedTexts, PromptStripper

SEQUENCE_RULES = ("first", "best", "mean")
_FMEASURE = 2


class RunningEvaluation(StreamedScores):
    """Scores of the samples of an evaluation so far.

    With a folder, each sample is also a line of ``evaluation-000001.jsonl`` there, or of the next number. The file gets
    this name once it is complete.
    """

    # A sample takes 8 bytes a type (24 with output="all" or "f_of_means"), and 8 more to find repeated samples.

    def __init__(
        self,
        settings: RougeSettings,
        run: RunOptions,
        prompts: PromptStripper,
        *,
        remembers_references: bool,
        folder: str | os.PathLike[str] | None,
    ) -> None:
        super().__init__(settings, run)
        self.prompts = prompts
        loader, self._n_listed = _running_loader()
        self._loader = None if loader is None else weakref.ref(loader)
        self._unfinished = None if folder is None else _unfinished_file(Path(folder))
        keeps_all = settings.output == "all" or settings.aggregate == "f_of_means"
        self._measures = slice(None) if keeps_all else slice(_FMEASURE, None)
        self._references: list[NDArray[np.int64]] | None = [] if remembers_references else None
        self._n_tokens = self._n_predictions = 0

    def is_over(self) -> bool:
        """Return whether another evaluation runs now; False if this can't be known."""
        loader, n_listed = _running_loader()
        own_loader = None if self._loader is None else self._loader()
        return (own_loader, n_listed) != (loader, self._n_listed)

    def add_texts(self, texts: GeneratedTexts, samples: Scores, *, counts_tokens: bool) -> None:
        """Add samples: their texts and scores."""
        if self._unfinished is not None:
            rows = sample_rows(texts, samples.scores, self.settings, self.n_samples)
            with self._unfinished.open("a", encoding="utf-8", newline="\n") as lines:
                lines.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        self.add_scores(samples._replace(scores=samples.scores[..., self._measures].copy()))
        if counts_tokens and texts.lengths is not None:
            self._n_tokens += sum(texts.lengths)
            self._n_predictions += len(texts.lengths)
        if self._references is not None:
            self._references.append(np.array([*map(_fingerprint, texts.references)], np.int64))

    def first_unknown(self, references: list[Any]) -> int | None:
        """Return the index of the first reference that no sample has so far; None if there is none."""
        known_rows = {row for block in self._references or () for row in block.tolist()} if references else set()
        return next((i for i, reference in enumerate(references) if _fingerprint(reference) not in known_rows), None)

    def scores(self) -> NDArray[np.float64]:
        """Return the scores of all samples; of one measure in memory three are made, as nobody reads the other two."""
        return np.broadcast_to(super().scores(), (self.n_samples, len(self.settings.rouge_types), 3))

    def result(self) -> dict[str, float]:
        """Return the metric over all samples, and ``gen_len`` if it is known."""
        gen_len = {"gen_len": self._n_tokens / self._n_predictions} if self._n_predictions else {}
        return super().result() | gen_len

    def save_samples(self) -> None:
        """Give the file of samples its name."""
        if self._unfinished is not None:
            self._unfinished.replace(self._unfinished.with_suffix(""))

    def drop_samples(self) -> None:
        """Remove the unfinished file of samples."""
        if self._unfinished is not None:
            self._unfinished.unlink(missing_ok=True)


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


def _running_loader() -> tuple[Any, int]:
    """Return the innermost data loader in use, and how often accelerate lists it; None if there is none."""
    # An evaluation that ends early (out of memory, an interrupt) never asks for its result, and nothing says that the
    # next one begins. But accelerate lists the data loaders in use, and one that was not read to its end stays listed.
    # So in a new evaluation the list ends with another loader, or holds the same one once more.
    state = sys.modules.get("accelerate.state")
    listed = [] if state is None else state.GradientState().dataloader_references  # documented there
    loaders = [loader for loader in listed if loader is not None]
    return (loaders[-1], sum(loader is loaders[-1] for loader in loaders)) if loaders else (None, 0)


def _unfinished_file(folder: Path) -> Path:
    """Make an empty file of samples in a folder, with the next number."""
    folder.mkdir(parents=True, exist_ok=True)
    numbers = [path.stem.removeprefix("evaluation-") for path in folder.glob("evaluation-*.jsonl")]
    number = 1 + max((int(number) for number in numbers if number.isdecimal()), default=0)
    path = folder / f"evaluation-{number:06d}.jsonl.part"
    path.write_bytes(b"")
    return path


def _fingerprint(reference: Any) -> int:
    return hash(reference if isinstance(reference, str) else tuple(reference))
