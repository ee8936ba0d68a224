"""Write the predictions, references and scores of an evaluation to a file, one JSON object a line."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.scoring.aggregation import scale_scores
from polyrouge.scoring.results import all_keys
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.training.generated_texts import GeneratedTexts


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
