"""Write each sample's scores to a file, while they are made."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from polyrouge.scoring.aggregation import scale_scores
from polyrouge.scoring.pipeline import SampleScores
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.sources.measures import SOURCE_MEASURES
from polyrouge.sources.streamed import UNSUPPORTED
from polyrouge.tables.whole_files import write_whole

WriteSamples = Callable[..., None]


@contextmanager
def sample_writer(path: str | None, settings: RougeSettings, *, with_sources: bool = False) -> Iterator[WriteSamples]:
    """Yield a function that writes the scores of some more samples, with their ids.

    Each gets a row: its id (or its number, from 1, where there are no ids) and its scores. How they were made says
    the signature, which the command prints.
    Where ``empty="skip"`` left the sample out, the scores are empty in CSV and null in JSONL. The file is
    written only if no error comes in between.

    Args:
        path: ends in ``.csv`` or ``.jsonl``; None: nothing is written.
        settings: of the scores.
        with_sources: whether each sample has measures beside its source, which the function is then given too.

    Raises:
        ValueError: another suffix.
    """
    if path is None:
        yield lambda _scores, _ids, _measured=None: None
        return
    suffix = Path(path).suffix
    if suffix not in (".csv", ".jsonl"):
        raise ValueError(f"Samples can't be written to {path!r}; give a name that ends in .csv or .jsonl.")
    measures = {"": 2} if settings.output == "fmeasure" else {"": 2, "_precision": 0, "_recall": 1}
    keys = ["id", *(f"{name}{ending}" for name in settings.rouge_types for ending in measures)]
    more = (*SOURCE_MEASURES, *UNSUPPORTED) if with_sources else ()
    keys += more
    done = 0
    with write_whole(path) as file:
        table = csv.writer(file, lineterminator="\n")
        if suffix == ".csv":
            table.writerow(keys)

        def write(scores: SampleScores, ids: Sequence[str], measured: Sequence[Mapping] | None = None) -> None:
            nonlocal done
            n = len(scores.scores)
            values = (
                scale_scores(scores.scores, settings.result_rules)[:, :, list(measures.values())]
                .reshape(n, -1)
                .tolist()
            )
            names = ids or range(done + 1, done + n + 1)
            for name, row, beside in zip(names, values, measured or [{}] * n, strict=True):
                known = [None if math.isnan(value) else value for value in row] + [beside[key] for key in more]
                if suffix == ".csv":
                    table.writerow([name, *("; ".join(each) if isinstance(each, list) else each for each in known)])
                else:
                    record = dict(zip(keys, [name, *known], strict=True))
                    file.write(f"{json.dumps(record, ensure_ascii=False)}\n")
            done += n

        yield write
