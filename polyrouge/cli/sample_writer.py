"""Write each sample's scores to a file, while they are made."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from polyrouge.files.atomic import atomic_write
from polyrouge.scoring.pipeline import SampleScores
from polyrouge.scoring.results import scale_scores
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.sources.measures import SOURCE_MEASURES
from polyrouge.sources.streamed import UNSUPPORTED

WriteSamples = Callable[[SampleScores, Sequence[str], Sequence[Mapping] | None], None]


@contextmanager
def sample_writer(path: str, settings: RougeSettings, *, with_sources: bool = False) -> Iterator[WriteSamples]:
    """Yield a function that writes the scores of some more samples, with their ids and measures beside their source.

    Each gets a row: its id (or its number, from 1, where there are no ids), its scores, which are empty in CSV and null
    in JSONL where ``empty="skip"`` left the sample out, and its measures. The file is written only if no error comes in
    between.

    Raises:
        ValueError: the path ends neither in ``.csv`` nor in ``.jsonl``.
    """
    suffix = Path(path).suffix
    if suffix not in (".csv", ".jsonl"):
        raise ValueError(f"Samples can't be written to {path!r}; give a name that ends in .csv or .jsonl.")
    measures = {"": 2} if settings.output == "fmeasure" else {"": 2, "_precision": 0, "_recall": 1}
    beside = (*SOURCE_MEASURES, *UNSUPPORTED) if with_sources else ()
    keys = ["id", *(f"{name}{ending}" for name in settings.rouge_types for ending in measures), *beside]
    done = 0
    with atomic_write(path) as temporary, open(temporary, "w", encoding="utf-8", newline="\n") as file:
        table = csv.writer(file, lineterminator="\n")
        if suffix == ".csv":
            table.writerow(keys)

        def write(scores: SampleScores, ids: Sequence[str], measured: Sequence[Mapping] | None) -> None:
            nonlocal done
            n = len(scores.scores)
            values = scale_scores(scores.scores, settings.result_rules)[:, :, list(measures.values())].reshape(n, -1)
            names = ids or range(done + 1, done + n + 1)
            for name, row, found in zip(names, values.tolist(), measured or [{}] * n, strict=True):
                known = [None if math.isnan(value) else value for value in row] + [found[key] for key in beside]
                if suffix == ".csv":
                    table.writerow([name, *("; ".join(each) if isinstance(each, list) else each for each in known)])
                else:
                    record = dict(zip(keys, [name, *known], strict=True))
                    file.write(f"{json.dumps(record, ensure_ascii=False)}\n")
            done += n

        yield write
