"""Score the rows of Arrow tables, as engines (Ray Data, Spark, datasets, DuckDB) do in their tasks."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from polyrouge.beyond.arrow.partials import Partial, refuse_other_settings
from polyrouge.counting.counts import Counts
from polyrouge.documents.input_notes import InputNotes
from polyrouge.documents.notes import messages_of
from polyrouge.errors import shown_value, unknown_value, warn_of
from polyrouge.inputs import Inputs, SingleReferences, check_inputs, column_rows
from polyrouge.metric import Rouge, as_rouge
from polyrouge.scoring.aggregates import ExactSums, result_keys, scale_scores
from polyrouge.scoring.sample_scores import scored_pairs, summed_counts
from polyrouge.settings.allowed_values import checked_flag
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.settings.signature import write_signature

_SIGNATURE = b"polyrouge.signature"  # in the schema's metadata
_ROWS_AT_ONCE = 1 << 14
_WITH_WINNER = ("best", "best_recall", "first")


def as_table(rows: Any) -> pa.Table:
    """Convert to a Table: from a RecordBatch, a ``datasets.Dataset``, or by Arrow's PyCapsule interface."""
    if isinstance(rows, pa.Table):
        return rows
    if isinstance(rows, pa.RecordBatch):
        return pa.Table.from_batches([rows])
    if hasattr(rows, "with_format") and hasattr(rows, "column_names"):  # datasets, without a PyCapsule interface
        return rows.with_format("arrow")[:]
    if hasattr(rows, "__arrow_c_stream__") or hasattr(rows, "__arrow_c_array__"):
        try:
            table = pa.table(rows)
        except (TypeError, ValueError, pa.ArrowException) as error:
            raise TypeError(f"{shown_value(rows)} gives no table by Arrow's interface: {error}") from error
        if not len(table) and isinstance(rows, pa.RecordBatchReader):
            raise ValueError(
                "The RecordBatchReader gives no rows. It can be read once; to use its rows again: reader.read_all()."
            )
        return table
    raise TypeError(
        f"The table is {shown_value(rows)}; give a pyarrow Table or RecordBatch, or what has Arrow's PyCapsule "
        "interface (__arrow_c_stream__), as tables of pandas, polars and DuckDB have."
    )


def checked_column(table: pa.Table, name: str, role: str) -> pa.ChunkedArray:
    """Return the only column of this name; messages call it by its role."""
    n = table.column_names.count(name)
    if n == 0:
        raise KeyError(str(unknown_value(name, table.column_names, f"column for {role}")))
    if n > 1:
        raise ValueError(f"The table has {n} columns {name!r}; rename all but one.")
    return table.column(name)


def inputs_of_table(table: pa.Table, prediction: str, reference: str, first_row: int) -> Inputs:
    """Check the texts of two columns; ``reference`` may have lists; messages count rows from ``first_row``."""
    names = {"prediction": prediction, "reference": reference}
    columns = {role: checked_column(table, name, role) for role, name in names.items()}
    reference_kind = "list" if is_list(columns["reference"].type) else "text"
    texts, references = (_python_values(column, f"{role}s", names[role], first_row) for role, column in columns.items())
    if not texts or (reference_kind == "text" and None not in texts and None not in references):  # the usual case
        return Inputs(texts, SingleReferences(references), reference_kind, first_row)
    return check_inputs(texts, references, first_row=first_row, reference_kind=reference_kind)


def _holds_texts(arrow_type: pa.DataType) -> bool:
    if pa.types.is_dictionary(arrow_type):
        return _holds_texts(arrow_type.value_type)
    return pa.types.is_string(arrow_type) or pa.types.is_large_string(arrow_type) or pa.types.is_string_view(arrow_type)


def is_list(arrow_type: pa.DataType) -> bool:
    """Say whether a type is one of the five kinds of lists."""
    return hasattr(arrow_type, "value_field")


def _python_values(column: pa.ChunkedArray, role: str, name: str, first_row: int) -> list[Any]:
    """Return the values of the column ``name``; references may be lists; messages name the column's role."""
    text_type = column.type.value_type if role == "references" and is_list(column.type) else column.type
    if not column.null_count and not _holds_texts(text_type):
        lists = " or of lists of strings" if role == "references" else ""
        raise TypeError(f"{role} is of type {column.type} (column {name!r}); give a column of strings{lists}.")
    try:
        return column.to_pylist()
    except UnicodeDecodeError:  # also for bytes of lone surrogates
        for row, value in enumerate(column, first_row):
            for number, text in enumerate(value.values if is_list(column.type) else [value]):
                try:
                    text.as_py()
                except UnicodeDecodeError as error:  # noqa: PERF203 # only if some text is bad
                    row_name = f"[{row}][{number}]" if is_list(column.type) else f"[{row}]"
                    raise ValueError(
                        f"{role}{row_name} is no UTF-8 at byte {error.start} (column {name!r}): {error.reason}. Decode "
                        "them by the encoding that they have, before they come into the table."
                    ) from None
        raise


class _Rows(NamedTuple):
    """The scores of some rows."""

    pairs: Counts
    scores: NDArray[np.float64]
    best: NDArray[np.int64]


class TableScorer:
    """Score tables of predictions and references. Can be pickled, and serves as an actor's class in Ray Data.

    Examples:
        >>> import pyarrow as pa
        >>> from polyrouge import Rouge
        >>> scorer = TableScorer(Rouge(rouge_types=["rouge1"]), keep=["id"])
        >>> table = pa.table({"id": [7], "prediction": ["the cat sat"], "references": [["a cat", "the cat"]]})
        >>> scorer(table).to_pylist()
        [{'id': 7, 'rouge1': 0.8, 'rouge1_precision': 0.6666666666666666, 'rouge1_recall': 1.0, \
'rouge1_reference': 1, 'rouge1_reference_tokens': 2, 'prediction_tokens': 3}]

    Args:
        rouge: the metric, or a convention's name; ``Rouge()`` if None.
        prediction: column of texts: of type string, large_string, string_view, or a dictionary of one of them.
        reference: column of texts, or of lists of texts: list, large_list, list_view, large_list_view, or of fixed
            size.
        keep: columns of the table to put before the scores.
        hits: add the counts behind the scores.

    Attributes:
        settings: the metric's ``RougeSettings``.
        run: its ``RunOptions``.

    Raises:
        ValueError: no such convention, or a column to keep that has a score's name.
        TypeError: a value of the wrong type.
        ModuleNotFoundError: a package that the convention needs is not installed.
    """

    def __init__(
        self,
        rouge: Rouge | str | None = None,
        *,
        prediction: str = "prediction",
        reference: str = "references",
        keep: Sequence[str] = (),
        hits: bool = False,
    ) -> None:
        metric = as_rouge(rouge, draws=False)
        self.settings, self.run = metric.settings, metric.run
        self._prediction = _checked_name(prediction, "prediction")
        self._reference = _checked_name(reference, "reference")
        if self._prediction == self._reference:
            raise ValueError(f"The column {prediction!r} is named for predictions and for references.")
        if isinstance(keep, str):
            raise TypeError(f"keep is the string {keep!r}; give a list: [{keep!r}].")
        self._keep = tuple(_checked_name(name, "A name in keep") for name in column_rows(keep, "keep"))
        self._hits = checked_flag("hits", hits)
        for name in self._keep:
            if name in self._fields():
                raise ValueError(
                    f"keep names {name!r}, but the scores have a column of this name; rename yours in the table."
                )
            if self._keep.count(name) > 1:
                raise ValueError(f"keep names {name!r} twice.")

    def __repr__(self) -> str:
        return f"TableScorer(signature={self.signature()!r})"

    def signature(self) -> str:
        """Return one line that names every setting able to move a score, like ``Partial.signature``."""
        return self.settings.signature()

    def schema(self, table: Any) -> pa.Schema:
        """Return the schema of the result for a table.

        Args:
            table: the table, or its ``pyarrow.Schema``.

        Raises:
            KeyError: a column to keep is missing.
        """
        empty = (table if isinstance(table, pa.Schema) else as_table(table).schema).empty_table()
        for name in self._keep:
            checked_column(empty, name, "keep")
        fields = [empty.field(name) for name in self._keep]
        fields += [pa.field(name, arrow_type) for name, arrow_type in self._fields().items()]
        return pa.schema(fields, metadata={_SIGNATURE: self.signature().encode()})

    def __call__(self, table: Any, *, first_row: int = 0) -> pa.Table:
        """Score each row.

        Args:
            table: a ``pyarrow`` Table or RecordBatch, or what has Arrow's PyCapsule interface, such as tables of
                pandas, polars and DuckDB.
            first_row: number of its first row in messages.

        Returns:
            As many rows, in the same order: the columns of ``keep``; for each type the F-measure (``rouge1``), times
            ``scale``, ``rouge1_precision`` and ``rouge1_recall`` (float64; NaN if ``empty="skip"`` leaves the row
            out); ``rouge1_reference``, the index of the reference that gave the score, and
            ``rouge1_reference_tokens``, the number of its tokens (int32; null if the rule for several references
            chooses none); ``prediction_tokens`` (int32). With ``hits`` also ``rouge1_hits``,
            ``rouge1_prediction_total`` and ``rouge1_reference_total`` (float64) of that reference, or of all
            together with ``multi_reference="pooled"``; null under the other rules. The schema's metadata has the
            signature.

        Raises:
            TypeError: no table, a column that holds no texts, or a row that is null; the row is named.
            KeyError: there is no such column; the message lists the columns.
            ValueError: a row without reference, or with bytes that are no UTF-8; the row is named.
        """
        rows = as_table(table)
        return self._table(rows, list(map(self._columns, self._score_rows(rows, first_row))))

    def score_with_partial(self, table: Any, *, first_row: int = 0) -> tuple[pa.Table, Partial]:
        """Return the result of a call and the partial result of its rows, by one counting.

        Raises:
            ValueError: as a call; or sums can't give the result of the settings, see ``Partial``.
        """
        all_rows, chunks, partial = as_table(table), [], Partial(self.settings)
        for rows in self._score_rows(all_rows, first_row):
            chunks.append(self._columns(rows))
            self._add(partial, rows)
        return self._table(all_rows, chunks), partial

    def partial(self, table: Any, *, first_row: int = 0) -> Partial:
        """Return only the partial result; see ``score_with_partial``."""
        partial = Partial(self.settings)
        for rows in self._score_rows(as_table(table), first_row):
            self._add(partial, rows)
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
        """Add the scores of all batches, also in the shape of ``mapInArrow``.

        Yields:
            One record batch, with one row: ``partial`` (binary), for ``Partial.from_bytes``.
        """
        row, total = 0, Partial(self.settings)
        for batch in batches:
            table = as_table(batch)
            total += self.partial(table, first_row=row)
            row += len(table)
        yield pa.RecordBatch.from_pydict({"partial": pa.array([total.to_bytes()], pa.binary())})

    def _fields(self) -> dict[str, pa.DataType]:
        """Return names and types of the columns of scores, in order."""
        fields: dict[str, pa.DataType] = {}
        for name in self.settings.rouge_types:
            scores, winner, counts = _column_names(name)
            fields |= dict.fromkeys(scores, pa.float64()) | dict.fromkeys(winner, pa.int32())
            if self._hits:
                fields |= dict.fromkeys(counts, pa.float64())
        fields["prediction_tokens"] = pa.int32()
        return fields

    def _score_rows(self, table: pa.Table, first_row: int) -> Iterator[_Rows]:
        """Score some thousand rows at a time, as strings take more memory than Arrow's texts."""
        notes = InputNotes(self.settings.text_rules)
        for start in range(0, max(len(table), 1), _ROWS_AT_ONCE):  # once without rows, to check the columns
            part = table[start : start + _ROWS_AT_ONCE]
            inputs = inputs_of_table(part, self._prediction, self._reference, first_row + start)
            if len(part):
                yield from map(_Rows._make, scored_pairs(inputs, self.settings, self.run, notes))
        warn_of(messages_of(notes))

    def _add(self, partial: Partial, rows: _Rows) -> None:
        totals = None
        if self.settings.aggregate == "micro":
            totals = ExactSums(rows.scores.shape[1:])
            totals.add(summed_counts(rows.pairs, self.settings))
        partial.add(rows.scores, totals=totals)

    def _columns(self, rows: _Rows) -> list[pa.Array]:
        """Make the columns of ``_fields`` for some rows."""
        pairs, best = rows.pairs, rows.best
        scaled = scale_scores(rows.scores, self.settings.result_rules)
        first_pairs = pairs.offsets[:-1]
        winners = first_pairs[:, np.newaxis] + np.maximum(best, 0)  # int64[n_rows, n_types]: pairs
        tokens = np.where(best >= 0, pairs.reference_tokens[winners], -1)
        columns = []
        for number, name in enumerate(self.settings.rouge_types):
            columns += [_array(scaled[:, number, measure], pa.float64()) for _, measure in result_keys(name, "all")]
            columns += [_array(values[:, number], pa.int32(), values[:, number] < 0) for values in (best, tokens)]
            if self._hits:
                counts = self._counts(pairs, number, winners[:, number])
                columns += [_array(values, pa.float64(), np.isnan(values)) for values in counts.T]
        columns.append(_array(pairs.prediction_tokens[first_pairs], pa.int32()))
        return columns

    def _counts(self, pairs: Counts, number: int, winners: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return hits and totals of the winning reference or of all, float64[n_rows, 3]; NaN if the rule has none."""
        rule = self.settings.multi_reference
        if rule == "pooled":
            return np.add.reduceat(pairs.counts[:, number], pairs.offsets[:-1], axis=0)
        return pairs.counts[winners, number] if rule in _WITH_WINNER else np.full((len(winners), 3), np.nan)

    def _table(self, rows: pa.Table, chunks: list[list[pa.Array]]) -> pa.Table:
        """Join the columns to keep and the scores."""
        columns = [checked_column(rows, name, "keep") for name in self._keep]
        for number, arrow_type in enumerate(self._fields().values()):
            columns.append(pa.chunked_array([chunk[number] for chunk in chunks], arrow_type))
        return pa.Table.from_arrays(columns, schema=self.schema(rows.schema))


def score_table(table: Any, rouge: Rouge | str | None = None, *, first_row: int = 0, **options: Any) -> pa.Table:
    """Score each row of a table; see ``TableScorer``, which is quicker to call for many tables.

    Args:
        table: as for ``TableScorer``.
        rouge: as for ``TableScorer``.
        first_row: number of the table's first row in messages.
        **options: options of ``TableScorer``: ``prediction``, ``reference``, ``keep``, ``hits``.

    Returns:
        What ``TableScorer`` returns; it raises the same errors too.
    """
    return TableScorer(rouge, **options)(table, first_row=first_row)


def score_batches(batches: Iterable[Any], rouge: Rouge | str | None = None, **options: Any) -> Iterator[pa.RecordBatch]:
    """Score batch after batch, as Spark's ``mapInArrow`` calls it; see ``TableScorer.batches``.

    Args:
        batches: record batches, or tables.
        rouge: as for ``TableScorer``.
        **options: as for ``score_table``.

    Yields:
        One record batch for each batch that has rows.
    """
    yield from TableScorer(rouge, **options).batches(batches)


def partial_of(scored: pa.Table, settings: RougeSettings | None = None) -> Partial:
    """Make the partial result of any rows of a scored table, as ``TableScorer.score_with_partial`` does while scoring.

    Args:
        scored: what ``TableScorer`` returned, or some of its rows.
        settings: of the scores; by default from the signature in the schema's metadata, which some engines drop.

    Raises:
        KeyError: a column of scores is missing; of hits too, with ``aggregate="micro"``.
        ValueError: settings of which no partial result can be made; or a ``scale`` without ``round_each``, for which
            scores have been multiplied, so that a mean of them is not the mean multiplied, to the bit.
    """
    signature = (scored.schema.metadata or {}).get(_SIGNATURE, b"").decode()
    if settings is None:
        if not signature:
            raise ValueError(
                "The table's schema has no signature; give the settings: partial_of(table, scorer.settings)."
            )
        settings = RougeSettings.from_signature(signature)
    elif signature:
        refuse_other_settings(signature, write_signature(settings))
    partial = Partial(settings)
    rules = settings.result_rules
    if rules.aggregate != "micro" and rules.scale != 1 and rules.round_each is None:
        raise ValueError(
            f"The scores in the table have been multiplied by {rules.scale:g}, so their mean is not "
            "the multiplied mean, to the last bit. Use TableScorer.score_with_partial, or scale=1."
        )
    names = [_column_names(name) for name in settings.rouge_types]
    totals = None
    if rules.aggregate == "micro":
        if settings.multi_reference == "pooled" and "rougeW" in settings.rouge_types:
            raise ValueError(
                "The counts of rougeW in the table are rounded sums of all references; use score_with_partial."
            )
        totals = ExactSums((len(names), 3))
        totals.add(_stacked(scored, [counts for *_, counts in names]))
    scores = _stacked(scored, [(scores[1], scores[2], scores[0]) for scores, *_ in names])
    partial.add_scaled(scores, totals=totals)
    return partial


def _stacked(table: pa.Table, names: Sequence[tuple[str, ...]]) -> NDArray[np.float64]:
    """Stack columns as float64[n_rows, n_types, 3]."""
    columns = [[_score_column(table, name).to_numpy() for name in type_names] for type_names in names]
    return np.ascontiguousarray(np.array(columns, np.float64).transpose(2, 0, 1))


def _score_column(table: pa.Table, name: str) -> pa.ChunkedArray:
    if name not in table.column_names:
        advice = "; score with hits=True" if name.endswith(("_hits", "_total")) else ""
        raise KeyError(f"The table has no column {name!r}{advice}.")
    return table.column(name)


def _column_names(name: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Name the columns of one type: its scores, the winning reference and its tokens, the counts."""
    return (
        (name, f"{name}_precision", f"{name}_recall"),
        (f"{name}_reference", f"{name}_reference_tokens"),
        (f"{name}_hits", f"{name}_prediction_total", f"{name}_reference_total"),
    )


def _checked_name(name: Any, argument: str) -> str:
    if not isinstance(name, str):
        raise TypeError(f"{argument} is {shown_value(name)}; give the name of a column.")
    return name


def _array(values: NDArray, arrow_type: pa.DataType, is_null: NDArray[np.bool_] | None = None) -> pa.Array:
    """Make an Arrow array from buffers; ``pyarrow.array`` would import pandas."""
    buffers = [None, pa.py_buffer(np.ascontiguousarray(values, arrow_type.to_pandas_dtype()))]
    if is_null is not None and is_null.any():
        buffers[0] = pa.py_buffer(np.packbits(~is_null, bitorder="little"))
    return pa.Array.from_buffers(arrow_type, len(values), buffers)
