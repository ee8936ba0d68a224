"""Score Arrow tables, as engines for clusters do; and make partial results that merge."""

from polyrouge.errors import needs_extra

with needs_extra("polyrouge.beyond.arrow", "arrow"):
    import pyarrow as pyarrow

from polyrouge.beyond.arrow.partials import Partial, summarize
from polyrouge.beyond.arrow.scorer import TableScorer, partial_of, score_batches, score_table

__all__ = [
    "Partial",
    "TableScorer",
    "partial_of",
    "score_batches",
    "score_table",
    "summarize",
]
