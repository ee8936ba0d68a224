"""Score a file of JSON lines with Ray Data: a folder of Parquet comes out, and the same result as from one process.

    python examples/score_on_ray.py examples/zh_news.jsonl scored

``TableScorer`` is the class of the actors, so each worker loads kernels and dictionaries once. Needs
``pip install polyrouge[ray]``.
"""

import sys
from typing import Any

import ray

from polyrouge import Rouge
from polyrouge.beyond.arrow import TableScorer, partial_of, summarize


def score(source: str, target: str, convention: str = "default", **settings: Any) -> dict[str, float]:
    """Score the rows of ``source``, write their scores to ``target``, and return the result."""
    rouge = Rouge(convention, threads=1, **settings)
    options = {"rouge": rouge, "keep": ["id"]}
    pool = {"compute": ray.data.ActorPoolStrategy(size=2), "batch_format": "pyarrow", "batch_size": 4096}
    rows = ray.data.read_json(source, lines=True)
    scored = rows.map_batches(TableScorer, fn_constructor_kwargs=options, **pool)
    scored.write_parquet(target)
    batches = ray.data.read_parquet(target).iter_batches(batch_format="pyarrow", batch_size=None)
    return summarize(partial_of(batch, rouge.settings) for batch in batches)


if __name__ == "__main__":
    ray.init(num_cpus=3, include_dashboard=False)  # the two actors keep theirs, and reading and writing need one
    print(score(*sys.argv[1:], convention="zh_char"))
