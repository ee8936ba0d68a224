"""What the columns of a scored table are called, and the partial result of such a table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from polyrouge.arrow.partials import Partial
from polyrouge.scoring.aggregation import needs_keys
from polyrouge.scoring.exact_sums import ExactSums
from polyrouge.settings.rouge_settings import RougeSettings

SIGNATURE = b"polyrouge.signature"
"""Where the schema's metadata has the signature of the scores."""
KEY_COLUMN = "row_key"
"""The column with the rows' identities."""


def column_names(name: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Columns of one type: its scores, the winning reference and its tokens, the counts."""
    scores = (name, f"{name}_precision", f"{name}_recall")
    return (
        scores,
        (f"{name}_reference", f"{name}_reference_tokens"),
        tuple(f"{name}_{count}" for count in ("hits", "prediction_total", "reference_total")),
    )


def partial_of(scored: pa.Table, settings: RougeSettings | None = None, *, by_id: bool = False) -> Partial:
    """The partial result of rows that ``TableScorer`` has scored.

    ``TableScorer.score_with_partial`` gives the same while it scores. From a table it can be made later, of any of
    its rows.

    Args:
        scored: what ``TableScorer`` returned, or some of its rows.
        settings: of the scores; by default those of the signature in the schema's metadata, which some engines drop.
        by_id: the rows have been scored with an ``id_column``.

    Raises:
        KeyError: a column of scores is missing; of hits too, with ``aggregate="micro"``.
        ValueError: settings of which no partial result can be made; or a ``scale`` without ``round_each``, for which
            scores have been multiplied, so that a mean of them is not the mean multiplied, to the bit.
    """
    if settings is None:
        written = (scored.schema.metadata or {}).get(SIGNATURE)
        if written is None:
            raise ValueError(
                "The table's schema has no signature; give the settings: partial_of(table, scorer.settings)."
            )
        settings = RougeSettings.from_signature(written.decode())
    partial = Partial(settings, by_id=by_id)
    rules = settings.result_rules
    if rules.aggregate != "micro" and rules.scale != 1 and rules.round_each is None:
        raise ValueError(
            f"The scores in the table have been multiplied by {rules.scale:g}, and the mean of such is not the mean "
            "multiplied, to the last bit. Use TableScorer.score_with_partial, or scale=1."
        )
    names = [column_names(name) for name in settings.rouge_types]
    totals = None
    if rules.aggregate == "micro":
        if settings.multi_reference == "pooled" and "rougeW" in settings.rouge_types:
            raise ValueError(
                "The counts of rougeW in the table are rounded sums of all references; use score_with_partial."
            )
        totals = ExactSums((len(names), 3))
        totals.add(_stacked(scored, [counts for *_, counts in names]))
    scores = _stacked(scored, [(scores[1], scores[2], scores[0]) for scores, *_ in names])
    keys = None
    if needs_keys(rules):
        keys = _column(scored, KEY_COLUMN).to_numpy().view(np.uint64)
    if rules.round_each is not None:
        partial.add_scaled(scores, totals=totals, keys=keys)
    else:
        partial.add(scores, totals=totals, keys=keys)
    return partial


def _stacked(table: pa.Table, names: Sequence[tuple[str, ...]]) -> NDArray[np.float64]:
    """float64[n_rows, n_types, 3] of columns."""
    stacked = np.empty((len(table), len(names), 3))
    for place, columns in enumerate(names):
        for number, name in enumerate(columns):
            stacked[:, place, number] = _column(table, name).to_numpy()
    return stacked


def _column(table: pa.Table, name: str) -> pa.ChunkedArray:
    if name not in table.column_names:
        wanted = "; score with hits=True" if name.endswith(("_hits", "_total")) else ""
        raise KeyError(f"The table has no column {name!r}{wanted}.")
    return table.column(name)
