"""Score what a query of DuckDB gives, and query the scores: tables go both ways as Arrow.

python examples/score_in_duckdb.py examples/zh_news.jsonl
"""

import sys
from typing import Any

import duckdb

from polyrouge.arrow import TableScorer


def score(source: str, **options: Any) -> list[tuple]:
    """For each topic its number of rows and its mean, the best first."""
    rows = duckdb.sql(f"SELECT id, document_topic, prediction, \"references\" FROM read_json('{source}')")  # noqa: S608
    scored = duckdb.from_arrow(TableScorer(keep=["id", "document_topic"], rouge_types=["rouge1"], **options)(rows))
    means = scored.aggregate("document_topic, count(*) AS n, avg(rouge1) AS mean")
    return means.order("mean DESC, document_topic").fetchall()


if __name__ == "__main__":
    for topic, n, mean in score(sys.argv[1], convention="zh_char"):
        print(f"{mean:.4f} {n:3} {topic}")
