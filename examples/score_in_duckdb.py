"""Score what a query of DuckDB gives, and query the scores: tables go both ways as Arrow.

python examples/score_in_duckdb.py examples/zh_news.jsonl
"""

import sys
from typing import Any

import duckdb

from polyrouge import Rouge
from polyrouge.beyond.arrow import TableScorer


def score(source: str, convention: str = "default", **options: Any) -> list[tuple]:
    """For each topic its number of rows and its mean, the best first."""
    rows = duckdb.sql(f"SELECT id, document_topic, prediction, \"references\" FROM read_json('{source}')")  # noqa: S608
    rouge = Rouge(convention, rouge_types=["rouge1"], **options)
    scored = duckdb.from_arrow(TableScorer(rouge, keep=["id", "document_topic"])(rows))
    means = scored.aggregate("document_topic, count(*) AS n, avg(rouge1) AS mean")
    return means.order("mean DESC, document_topic").fetchall()


if __name__ == "__main__":
    for topic, n, mean in score(sys.argv[1], convention="zh_char"):
        print(f"{mean:.4f} {n:3} {topic}")
