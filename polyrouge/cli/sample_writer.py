"""Each example's scores as a file, written while they are made."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from polyrouge.scoring.aggregation import scale_scores
from polyrouge.scoring.pipeline import ExampleScores
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.tables.formats import write_whole

__all__ = ["sample_writer"]


@contextmanager
def sample_writer(
    path: str | None, settings: RougeSettings
) -> Iterator[Callable[[ExampleScores, Sequence[str]], None]]:
    """Yield a function that writes the scores of some more examples, with their ids.

    Each gets a row: its id (its number, from 1, where there are none), its scores, and the
    signature; empty in CSV, null in JSONL, where ``empty="skip"`` left the example out. The file is
    there only if nothing goes wrong in between.

    Args:
        path: ends in ``.csv`` or ``.jsonl``; None: nothing is written.
        settings: behind the scores.

    Raises:
        ValueError: another suffix.
    """
    if path is None:
        yield lambda _scores, _ids: None
        return
    suffix = Path(path).suffix
    if suffix not in (".csv", ".jsonl"):
        msg = f"Samples can't be written to {path!r}; give a name that ends in .csv or .jsonl."
        raise ValueError(msg)
    measures = {"": 2} if settings.output == "fmeasure" else {"": 2, "_precision": 0, "_recall": 1}
    keys = ["id", *(f"{name}{ending}" for name in settings.rouge_types for ending in measures), "signature"]
    signature = settings.signature()
    done = 0
    with write_whole(path) as file:
        table = csv.writer(file, lineterminator="\n")
        if suffix == ".csv":
            table.writerow(keys)

        def write(scores: ExampleScores, ids: Sequence[str]) -> None:
            nonlocal done
            n = len(scores.scores)
            values = (
                scale_scores(scores.scores, settings.result_rules)[:, :, list(measures.values())]
                .reshape(n, -1)
                .tolist()
            )
            for name, row in zip(ids or range(done + 1, done + n + 1), values, strict=True):
                known = [None if math.isnan(value) else value for value in row]
                if suffix == ".csv":
                    table.writerow([name, *known, signature])
                else:
                    record = dict(zip(keys, [name, *known, signature], strict=True))
                    file.write(f"{json.dumps(record, ensure_ascii=False)}\n")
            done += n

        yield write
