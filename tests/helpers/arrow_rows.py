"""Tables of rows like those that engines hand over, and their parts."""

import functools
import itertools
import random

import pyarrow as pa
from news import news


@functools.cache
def table(n: int = 700) -> pa.Table:
    """Rows of the examples, English and Chinese, with several references, each a little different."""
    rows = news("en") + news("zh")
    generator = random.Random(7)
    predictions, references = [], []
    for number in range(n):
        row = rows[number % len(rows)]
        text = row["prediction" if number % 2 else "prediction_b"]
        predictions.append("" if number % 50 == 9 else text[generator.randrange(20) :])
        texts = row["references"] if number % 3 else [*row["references"], text[5:], "the"]
        references.append([each[: generator.randrange(10, 300)] for each in texts])
    return pa.table({"id": [f"r{number}" for number in range(n)], "prediction": predictions, "references": references})


def parts_of(rows: pa.Table, n_parts: int, seed: int) -> list[pa.Table]:
    """The rows, shuffled, in parts of unequal size, one of them maybe empty."""
    generator = random.Random(seed)
    places = list(range(len(rows)))
    generator.shuffle(places)
    bounds = sorted([0, len(rows), *(generator.randrange(len(rows) + 1) for _ in range(n_parts - 1))])
    return [rows.take(pa.array(places[start:stop], pa.int64())) for start, stop in itertools.pairwise(bounds)]
