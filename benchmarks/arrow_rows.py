"""The row of Arrow tables: scored from their buffers, beside the same rows as Python lists."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.corpora import chinese, chinese_titles, english
from benchmarks.results import Comparison
from benchmarks.setup import Setup
from benchmarks.timing import Side, compare
from polyrouge import Rouge
from polyrouge.beyond.arrow import TableScorer

__all__ = ["arrow_tables"]


def arrow_tables(setup: Setup) -> Iterator[Comparison]:
    """``TableScorer`` beside ``Rouge.score``, of lists that are there, and of lists that are made of the table."""
    import pyarrow as pa

    for convention, corpus in (
        ("default", english(setup.pairs(10_000), 62, 3)),
        ("zh_char", chinese(setup.pairs(5000), 200)),
        ("zh_char", chinese_titles(setup.pairs(50_000))),
        ("zh_word", chinese(setup.pairs(3000), 200)),
    ):
        options = {"engine": "compiled", "threads": setup.threads}
        rouge = Rouge(convention, **options)
        scorer = TableScorer(rouge)
        predictions, references = corpus.predictions, [[text] for text in corpus.references]
        table = pa.table({"prediction": predictions, "references": references})
        n = len(predictions)
        ours = Side(lambda scorer=scorer, table=table: scorer(table), n)
        others = {
            "Rouge.score of the same rows as Python lists": Side(
                lambda rouge=rouge, rows=(predictions, references): rouge.score(*rows), n
            ),
            "Rouge.score of lists made of the table": Side(
                lambda rouge=rouge, table=table: rouge.score(table["prediction"], table["references"]), n
            ),
        }
        yield from compare("arrow_tables", f"{convention}, per sample", corpus.name, setup.threads, ours, others)
