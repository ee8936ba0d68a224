"""Measures beside the source as a table."""

from __future__ import annotations

import math
from collections.abc import Mapping

from polyrouge.tables.formats import Cell, ResultTable


def sources_table(means: Mapping[str, Mapping[str, float]]) -> ResultTable:
    """A row for each measure, a column for each system.

    Args:
        means: by the name of a system its means by their names; of one system alone it is not shown.
    """
    systems = list(means) if len(means) > 1 else ["mean"]
    columns = list(means.values())
    rows = [[Cell(name), *(Cell(shown_measure(each[name])) for each in columns)] for name in columns[0]]
    return ResultTable("Compared with the source", ["measure", *systems], rows)


def shown_measure(value: float) -> str:
    """A mean with four digits; a dash where it is not defined."""
    return "–" if math.isnan(value) else f"{value:.4f}"
