"""Write the predictions, references and scores of an evaluation to a file, one JSON object a line."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.scoring.aggregation import scale_scores
from polyrouge.scoring.results import result_keys
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.training.generated_texts import GeneratedTexts


class SampleFile:
    """The file ``evaluation-000001.jsonl`` in a folder, or with the next number that is free.

    It is written under another name until ``finish``, so that a file of that name is always complete.

    Args:
        folder: where the file goes; it is made if it does not exist.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = Path(folder)
        self._folder.mkdir(parents=True, exist_ok=True)
        names = [path.name for path in self._folder.iterdir()]
        taken = [int(found[1]) for found in (re.fullmatch(r"evaluation-(\d+)\.jsonl", name) for name in names) if found]
        self._path = self._folder / f"evaluation-{max(taken, default=0) + 1:06d}.jsonl"
        self._unfinished = self._path.with_suffix(".jsonl.part")
        self._unfinished.write_bytes(b"")

    def add(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Write some rows."""
        with open(self._unfinished, "a", encoding="utf-8", newline="\n") as lines:
            lines.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)

    def finish(self) -> Path:
        """Give the file its name, and return it."""
        return self._unfinished.replace(self._path)

    def drop(self) -> None:
        """Remove what was written."""
        self._unfinished.unlink(missing_ok=True)


def sample_rows(
    texts: GeneratedTexts, scores: NDArray[np.float64], settings: RougeSettings, first: int
) -> list[dict[str, Any]]:
    """One row a sample: ``id``, ``prediction``, ``references`` and the scores, times ``scale``.

    Args:
        texts: of the samples. Where a sample has several predictions, its row has them as ``predictions``.
        scores: float64[samples, types, 3]; NaN, for a sample that is left out, becomes null.
        settings: of the scores.
        first: number of the first sample in the evaluation.
    """
    sequences = len(texts.predictions) // len(texts.references)
    keys = [
        (key, column, measure)
        for column, name in enumerate(settings.rouge_types)
        for key, measure in result_keys(name, settings.output)
    ]
    rows = []
    scaled = scale_scores(scores, settings.result_rules).tolist()
    for i, (reference, row) in enumerate(zip(texts.references, scaled, strict=True)):
        predictions = texts.predictions[i * sequences : (i + 1) * sequences]
        sample: dict[str, Any] = {"id": first + i, "prediction": predictions[0]}
        if sequences > 1:
            sample["predictions"] = predictions
        sample["references"] = [reference] if isinstance(reference, str) else list(reference)
        for key, column, measure in keys:
            value = row[column][measure]
            sample[key] = None if math.isnan(value) else value
        rows.append(sample)
    return rows
