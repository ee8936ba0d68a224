"""Score a folder of JSON lines with Spark: a folder of Parquet comes out, and the same result as from one process.

    python examples/score_on_spark.py examples/zh_news.jsonl scored

Spark hands record batches to its Python workers (``mapInArrow``); each worker counts in one thread, as Spark runs one
task a core. Needs Java and ``pip install polyrouge[spark]``.
"""

import os
import sys
from typing import Any

from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

from polyrouge import Rouge
from polyrouge.beyond.arrow import Partial, TableScorer, summarize


def score(
    spark: SparkSession, source: str, target: str, convention: str = "default", **options: Any
) -> dict[str, float]:
    """Score the rows of ``source``, write their scores to ``target``, and return the result."""
    scorer = TableScorer(Rouge(convention, threads=1, **options), keep=["id"])
    rows = spark.read.json(source, encoding="UTF-8").select("id", "prediction", "references")
    schema = from_arrow_schema(scorer.schema(to_arrow_schema(rows.schema)))
    rows.mapInArrow(scorer.batches, schema).write.parquet(target)
    partials = rows.mapInArrow(scorer.partial_batches, "partial binary").collect()
    return summarize(Partial.from_bytes(bytes(row.partial)) for row in partials)


if __name__ == "__main__":
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # else Spark takes the first python3 that it finds
    session = SparkSession.builder.master("local[2]").getOrCreate()
    print(score(session, *sys.argv[1:], convention="zh_char"))
    session.stop()
