"""The tables of a report: leaderboard, means of each type, differences of each pair; numbers as they are shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from polyrouge.comparing.comparison import Comparison, shown_difference
from polyrouge.settings.rouge_settings import RougeSettings


def board_rows(found: Comparison | None, settings: RougeSettings) -> list[dict[str, Any]]:
    """The rows of the table of many systems: letter, name, and for each type mean, interval, and who is worse."""
    if found is None:
        return []
    digits = _digits(settings)
    best = found.means.max(axis=0)
    order = np.argsort(-found.means[:, 0], kind="stable").tolist()
    return [
        {
            "letter": found.letter(found.systems[row]),
            "name": found.systems[row],
            "number": row,
            "cells": [
                {
                    "mean": f"{found.means[row, column]:.{digits}f}",
                    "low": f"{found.low[row, column]:.{digits}f}",
                    "high": f"{found.high[row, column]:.{digits}f}",
                    "better": found.superscript(found.systems[row], key),
                    "best": bool(found.means[row, column] == best[column]),
                }
                for column, key in enumerate(found.keys)
            ],
        }
        for row in order
    ]


def summary_rows(results: Sequence[dict[str, float]], settings: RougeSettings) -> list[dict[str, Any]]:
    """The rows of the first table: the means of each type."""
    digits = _digits(settings)
    rows = []
    for name in settings.rouge_types:
        keys = {"precision": f"{name}_precision", "recall": f"{name}_recall", "fmeasure": name}
        if settings.confidence is not None:
            keys |= {"low": f"{name}_low", "high": f"{name}_high"}
        cells = [{what: f"{result[key]:.{digits}f}" for what, key in keys.items()} for result in results]
        rows.append({"name": name, "systems": cells})
    return rows


def difference_rows(found: Comparison | None, settings: RougeSettings) -> list[dict[str, str]]:
    """The rows of the second table: by how much the first system is better, and how sure that is."""
    rows = []
    if found is None:
        return rows
    for pair in found.pairs:
        row = {name: shown_difference(getattr(pair, name), _digits(settings)) for name in ("difference", "low", "high")}
        row |= {name: f"{getattr(pair, name):,}" for name in ("wins", "ties", "losses")}
        row |= {"first": pair.first, "second": pair.second, "significant": found.is_significant(pair)}
        rows.append({"name": pair.key, **row, "p": found.shown_p(pair)})
    return rows


def _digits(settings: RougeSettings) -> int:
    return 4 if settings.scale < 10 else 2
