"""Score a data set of ``datasets`` in two processes, by its Arrow tables: no row becomes a Python object.

python examples/score_datasets.py examples/zh_news.jsonl
"""

import sys
from typing import Any

from datasets import Dataset

from polyrouge import Rouge
from polyrouge.beyond.arrow import TableScorer, partial_of, summarize


def score(rows: Dataset, convention: str = "default", **options: Any) -> tuple[Dataset, dict[str, float]]:
    """The scores of all rows, and the result."""
    scorer = TableScorer(Rouge(convention, threads=1, **options), keep=["id"])
    scored = rows.with_format("arrow").map(
        scorer, batched=True, batch_size=1000, num_proc=2, remove_columns=rows.column_names
    )
    return scored, summarize(partial_of(table, scorer.settings) for table in scored.iter(10_000))


if __name__ == "__main__":
    print(score(Dataset.from_json(sys.argv[1]), convention="zh_char")[1])
