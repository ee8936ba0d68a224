"""Score the rows of Arrow tables: what an engine (Ray Data, Spark, datasets, DuckDB) calls inside its tasks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from polyrouge.arrow.columns import as_table, checked_column, inputs_of_table, texts_of_column
from polyrouge.arrow.partials import Partial
from polyrouge.arrow.scored_rows import ScoredRows, score_rows
from polyrouge.arrow.scored_tables import KEY_COLUMN, SIGNATURE, column_names
from polyrouge.errors import shown_value
from polyrouge.inputs import Inputs
from polyrouge.metric import Rouge
from polyrouge.scoring.aggregation import needs_keys, scale_scores
from polyrouge.scoring.poisson import id_keys, row_keys
from polyrouge.scoring.results import result_keys
from polyrouge.settings.allowed_values import checked_flag
from polyrouge.settings.rouge_settings import RougeSettings

_ROWS_AT_ONCE = 1 << 14


class TableScorer:
    """Scores tables of predictions and references. It can be pickled, and serves as an actor's class in Ray Data.

    Examples:
        >>> import pyarrow as pa
        >>> scorer = TableScorer(rouge_types=["rouge1"], keep=["id"])
        >>> table = pa.table({"id": [7], "prediction": ["the cat sat"], "references": [["a cat", "the cat"]]})
        >>> scorer(table).to_pylist()
        [{'id': 7, 'rouge1': 0.8, 'rouge1_precision': 0.6666666666666666, 'rouge1_recall': 1.0, \
'rouge1_reference': 1, 'rouge1_reference_tokens': 2, 'prediction_tokens': 3}]

    Args:
        convention: as for ``Rouge``.
        prediction: column of texts: of type string, large_string, string_view, or a dictionary of one of them.
        reference: column of texts, or of lists of texts: list, large_list, list_view, large_list_view, or of fixed
            size.
        keep: columns of the table that stand before the scores.
        hits: add the counts behind the scores.
        id_column: a name of each row, from which ``interval="poisson"`` draws in place of the references.
        **settings: fields of ``RougeSettings`` that override the convention's.

    Attributes:
        settings: the ``RougeSettings``.

    Raises:
        ValueError: no such convention, a value that is not allowed, or a column to keep that has a score's name.
        TypeError: no such setting, or a value of the wrong type.
        ModuleNotFoundError: a package that these settings need is not installed.
    """

    def __init__(
        self,
        convention: str = "default",
        *,
        prediction: str = "prediction",
        reference: str = "references",
        keep: Sequence[str] = (),
        hits: bool = False,
        id_column: str | None = None,
        **settings: Any,
    ) -> None:
        self.settings: RougeSettings = Rouge(convention, **settings).settings
        self._signed = self.settings.replace(engine="auto", threads=0)
        self._prediction = _checked_name(prediction, "prediction")
        self._reference = _checked_name(reference, "reference")
        self._id_column = None if id_column is None else _checked_name(id_column, "id_column")
        if isinstance(keep, str):
            raise TypeError(f"keep is the string {keep!r}; give a list: [{keep!r}].")
        self._keep = tuple(_checked_name(name, "A name in keep") for name in keep)
        self._hits = checked_flag("hits", hits)
        taken = [name for name in self._keep if name in self._fields() or self._keep.count(name) > 1]
        if taken:
            msg = f"keep names {taken[0]!r}, but the scores have a column of this name; rename yours in the table."
            if taken[0] not in self._fields():
                msg = f"keep names {taken[0]!r} twice."
            raise ValueError(msg)

    def __repr__(self) -> str:
        return f"TableScorer(signature={self.signature()!r})"

    def signature(self) -> str:
        """One line that names every setting able to move a score, as ``Partial.signature`` has it.

        It has neither ``engine`` nor ``threads``, which move none.
        """
        return self._signed.signature()

    def schema(self, table: Any) -> pa.Schema:
        """The schema of what ``TableScorer`` returns for a table.

        Args:
            table: the table, or its ``pyarrow.Schema``.

        Raises:
            KeyError: a column to keep is not there.
        """
        given = table if isinstance(table, pa.Schema) else as_table(table).schema
        empty = given.empty_table()
        kept = [given.field(name) for name in self._keep if checked_column(empty, name, "keep") is not None]
        fields = [pa.field(name, kind) for name, kind in self._fields().items()]
        return pa.schema([*kept, *fields], metadata={SIGNATURE: self.signature().encode()})

    def __call__(self, table: Any, *, first_row: int = 0) -> pa.Table:
        """Score each row.

        Args:
            table: a ``pyarrow`` Table or RecordBatch, or what has Arrow's PyCapsule interface, such as tables of
                pandas, polars and DuckDB.
            first_row: number of its first row in messages.

        Returns:
            As many rows, in the same order: the columns of ``keep``; for each type the F-measure (``rouge1``), times
            ``scale``, ``rouge1_precision`` and ``rouge1_recall`` (float64; NaN where ``empty="skip"`` leaves the row
            out); ``rouge1_reference``, the index of the reference that the score is that of, and
            ``rouge1_reference_tokens``, the number of its tokens (int32; null under a rule of several references
            that has no such one); ``prediction_tokens`` (int32). With ``hits`` also ``rouge1_hits``,
            ``rouge1_prediction_total`` and ``rouge1_reference_total`` (float64) of that reference, or of all
            together with ``multi_reference="pooled"``; null under the other rules. With ``interval="poisson"`` and
            a ``confidence`` also ``row_key`` (int64), the row's identity. The schema's metadata has the signature.

        Raises:
            TypeError: no table, a column that holds no texts, or a row that is null; the row is named.
            KeyError: there is no such column; the message names those that there are.
            ValueError: a row without reference, or with bytes that are no UTF-8; the row is named.
        """
        given = as_table(table)
        return self._table(given, *self._score(given, first_row))

    def score_with_partial(self, table: Any, *, first_row: int = 0) -> tuple[pa.Table, Partial]:
        """Score each row, and add the scores up, by one counting.

        Args:
            table: as for a call.
            first_row: the same.

        Returns:
            What a call returns; and the partial result.

        Raises:
            ValueError: as a call; or the settings ask for what can not be made of sums, see ``Partial``.
        """
        partial = Partial(self.settings, by_id=self._id_column is not None)
        given = as_table(table)
        scored, keys = self._score(given, first_row)
        partial.add(scored.scores, totals=scored.totals, keys=keys)
        return self._table(given, scored, keys), partial

    def partial(self, table: Any, *, first_row: int = 0) -> Partial:
        """The partial result alone; see ``score_with_partial``."""
        partial = Partial(self.settings, by_id=self._id_column is not None)
        scored, keys = self._score(as_table(table), first_row)
        partial.add(scored.scores, totals=scored.totals, keys=keys)
        return partial

    def batches(self, batches: Iterable[Any]) -> Iterator[pa.RecordBatch]:
        """Score batch after batch: the shape of Spark's ``mapInArrow``.

        Args:
            batches: record batches, or tables. Rows are numbered through in messages.

        Yields:
            One record batch for each batch that has rows.
        """
        row = 0
        for batch in batches:
            table = as_table(batch)
            yield from self(table, first_row=row).combine_chunks().to_batches()
            row += len(table)

    def partial_batches(self, batches: Iterable[Any]) -> Iterator[pa.RecordBatch]:
        """Add up the scores of all batches: another shape of ``mapInArrow``.

        Args:
            batches: as for ``batches``.

        Yields:
            One record batch, with one row: ``partial`` (binary), for ``Partial.from_bytes``.
        """
        row, total = 0, Partial(self.settings, by_id=self._id_column is not None)
        for batch in batches:
            table = as_table(batch)
            total += self.partial(table, first_row=row)
            row += len(table)
        yield pa.RecordBatch.from_pydict({"partial": pa.array([total.to_bytes()], pa.binary())})

    def _fields(self) -> dict[str, pa.DataType]:
        """Names and types of the columns of scores, in order."""
        fields: dict[str, pa.DataType] = {}
        for name in self.settings.rouge_types:
            scores, winner, counts = column_names(name)
            fields |= dict.fromkeys(scores, pa.float64()) | dict.fromkeys(winner, pa.int32())
            if self._hits:
                fields |= dict.fromkeys(counts, pa.float64())
        fields["prediction_tokens"] = pa.int32()
        if needs_keys(self.settings.result_rules):
            fields[KEY_COLUMN] = pa.int64()
        return fields

    def _score(self, table: pa.Table, first_row: int) -> tuple[ScoredRows, NDArray[np.uint64] | None]:
        """The rows, scored; and the key of each where the interval needs it."""
        keys: list[NDArray[np.uint64]] = []
        rows = score_rows(self._slices(table, first_row, keys), self.settings, with_counts=self._hits)
        if not needs_keys(self.settings.result_rules):
            return rows, None
        return rows, np.concatenate(keys or [np.empty(0, np.uint64)])

    def _slices(self, table: pa.Table, first_row: int, keys: list[NDArray[np.uint64]]) -> Iterator[Inputs]:
        """The texts of some thousand rows after the other, as strings take more memory than Arrow's; and their keys."""
        for start in range(0, max(len(table), 1), _ROWS_AT_ONCE):  # once without rows, to check the columns
            part = table[start : start + _ROWS_AT_ONCE]
            inputs = inputs_of_table(part, self._prediction, self._reference, first_row + start)
            if needs_keys(self.settings.result_rules):
                keys.append(self._keys(part, inputs, first_row + start))
            if len(part):
                yield inputs

    def _keys(self, part: pa.Table, inputs: Inputs, first_row: int) -> NDArray[np.uint64]:
        if self._id_column is None:
            return row_keys(inputs.references)
        ids = checked_column(part, self._id_column, "id_column")
        if pa.types.is_integer(ids.type):
            ids = ids.cast(pa.large_string())
        return id_keys(texts_of_column(ids, "ids", self._id_column, first_row))

    def _table(self, given: pa.Table, scored: ScoredRows, keys: NDArray[np.uint64] | None) -> pa.Table:
        scaled = scale_scores(scored.scores, self.settings.result_rules)
        columns: list[Any] = [checked_column(given, name, "keep") for name in self._keep]
        for place, name in enumerate(self.settings.rouge_types):
            columns += [scaled[:, place, measure] for _, measure in result_keys(name, "all")]
            columns += [_int32(scored.best[:, place]), _int32(scored.reference_tokens[:, place])]
            if self._hits:
                columns += [_float64(scored.counts[:, place, count]) for count in range(3)]
        columns.append(_int32(scored.prediction_tokens))
        if keys is not None:
            columns.append(keys.view(np.int64))
        return pa.Table.from_arrays([_array(each) for each in columns], schema=self.schema(given.schema))


def score_table(table: Any, convention: str = "default", *, first_row: int = 0, **options: Any) -> pa.Table:
    """Score each row of a table; see ``TableScorer``, which is quicker to call for many tables.

    Args:
        table: as for ``TableScorer``.
        convention: as for ``Rouge``.
        first_row: number of the table's first row in messages.
        **options: options of ``TableScorer`` (``prediction``, ``reference``, ``keep``, ``hits``, ``id_column``), and
            fields of ``RougeSettings``.

    Returns:
        What ``TableScorer`` returns.

    Raises:
        TypeError: as ``TableScorer``.
        ValueError: as ``TableScorer``.
    """
    return TableScorer(convention, **options)(table, first_row=first_row)


def score_batches(batches: Iterable[Any], convention: str = "default", **options: Any) -> Iterator[pa.RecordBatch]:
    """Score batch after batch, as Spark's ``mapInArrow`` calls it; see ``TableScorer.batches``.

    Args:
        batches: record batches, or tables.
        convention: as for ``Rouge``.
        **options: as for ``score_table``.

    Yields:
        One record batch for each batch that has rows.
    """
    yield from TableScorer(convention, **options).batches(batches)


def _checked_name(name: Any, what: str) -> str:
    if not isinstance(name, str):
        raise TypeError(f"{what} is {shown_value(name)}; give the name of a column.")
    return name


def _array(column: Any) -> Any:
    """What a table is made of, by buffers: ``pyarrow.array`` imports pandas."""
    if not isinstance(column, np.ndarray):
        return column
    kind = pa.float64() if column.dtype == np.float64 else pa.int64()
    return pa.Array.from_buffers(kind, len(column), [None, pa.py_buffer(np.ascontiguousarray(column))])


def _int32(values: NDArray[np.int64]) -> pa.Array:
    """Numbers, of which those below 0 stand for null."""
    whole = pa.Array.from_buffers(
        pa.int32(), len(values), [None, pa.py_buffer(np.ascontiguousarray(values, dtype=np.int32))]
    )
    return _null_where(whole, values < 0)


def _float64(values: NDArray[np.float64]) -> pa.Array:
    """Numbers, of which NaN stands for null."""
    return _null_where(_array(values), np.isnan(values))


def _null_where(array: pa.Array, is_null: NDArray[np.bool_]) -> pa.Array:
    if not is_null.any():
        return array
    valid = np.packbits(~is_null, bitorder="little")
    return pa.Array.from_buffers(array.type, len(array), [pa.py_buffer(valid), array.buffers()[1]])
