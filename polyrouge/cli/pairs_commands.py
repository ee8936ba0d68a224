"""The sub-commands that compare texts with each other: ``dedupe``, ``nearest`` and ``oracle``."""

import sys
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from polyrouge.cli.command_options import FILES, Quiet, Reading, output_option
from polyrouge.cli.command_running import announce, collected_warnings, report_progress
from polyrouge.cli.setting_options import Settings, option, taking
from polyrouge.errors import Option, RefusedValue
from polyrouge.files.atomic import atomic_write
from polyrouge.files.columns import guess_column
from polyrouge.files.formats import open_table
from polyrouge.files.table import InputFileError, Row, Table, check_column, check_text_column, checked_text
from polyrouge.metric import Rouge, metric_in_points
from polyrouge.results import json_text

_CONVENTION = Annotated[str, option("Named convention; 'polyrouge conventions' lists them.", "--convention", "-c")]
_DEDUPE_CONVENTION = Annotated[
    str, option("Named convention; rouge_score decides as Self-Instruct does.", "--convention", "-c")
]
_TYPE = Annotated[str, option("The score: a type such as rougeL, or rougeL_precision, rougeL_recall.")]
_COLUMN = Annotated[str | None, option("Column of the texts; guessed if not given.")]
_SAVE = Annotated[str | None, output_option("Write to this file; standard output if not given.", "--save", "-o")]
_POINTS = 100
_FIXED = ("rouge_types", "use_aggregator", "output", "aggregate", "confidence", "n_resamples", "seed", "weights")
_File = Annotated[str, typer.Argument(help=f"The texts: {FILES}.")]


@dataclass(frozen=True, kw_only=True)
class Dedupe(taking(Settings, without=_FIXED), Reading):
    """Drop near duplicates: keep a row unless its text is too similar to one kept before.

    Rows are written as JSON lines, lines of plain text as they are. All rows are held in memory.
    """

    file: _File
    above: Annotated[
        float | None,
        option("Drop a text whose score with one kept before is above this, in points; 70 if not given."),
    ] = None
    against: Annotated[str | None, option("File of texts that were kept before.")] = None
    column: _COLUMN = None
    rouge_type: _TYPE = "rougeL"
    convention: _DEDUPE_CONVENTION = "default"
    dropped: Annotated[str | None, output_option("Also write what was dropped, and why, to this .jsonl.")] = None
    save: _SAVE = None
    quiet: Quiet = False

    def run(self) -> None:
        """Write the rows that are kept."""
        from polyrouge.beyond.pairs import deduplicate

        texts, rows = _read(self.file, self.column, self)
        before = _read(self.against, self.column, self)[0] if self.against else None
        with collected_warnings(self.quiet), report_progress(self.quiet) as progress:
            rouge = metric_in_points(self.convention, self.changes())
            if self.above is not None and rouge.settings.scale == _POINTS and 0 < self.above < 1:
                # Nearly every two texts are above it: a bound of 0 to 1 is meant.
                meant = Option("above", round(self.above * _POINTS, 9))
                raise RefusedValue(
                    Option("above", self.above), " is less than one point of 100. Give points: ", meant, "."
                )
            result = deduplicate(texts, self.rouge_type, self.above, against=before, rouge=rouge, progress=progress)
        _write_lines(self.save, (rows[row] for row in result.kept.tolist()))
        if self.dropped is not None:
            columns = (result.dropped, result.similar_to, result.in_pool, result.score)
            cells = zip(*(column.tolist() for column in columns), strict=True)
            why = (
                {"row": row, "similar_to": similar_row, "in_pool": in_pool, "score": score}
                for row, similar_row, in_pool, score in cells
            )
            _write_lines(self.dropped, ({**record, "text": texts[record["row"]]} for record in why))
        announce(f"{len(result.kept)} kept, {len(result.dropped)} dropped; signature: {result.signature}", self.quiet)


@dataclass(frozen=True, kw_only=True)
class Nearest(taking(Settings, without=_FIXED), Reading):
    """Find the nearest texts of a corpus for each query, as JSON lines.

    All texts are held in memory.
    """

    queries: _File
    corpus: Annotated[str, typer.Argument(help="The texts that are searched.")]
    k: Annotated[int, option("How many texts for each query.", "--k", "-k", min=1)] = 5
    at_least: Annotated[float, option("Leave out texts with a lower score, in points.")] = 0.0
    column: _COLUMN = None
    rouge_type: _TYPE = "rougeL"
    convention: _CONVENTION = "default"
    save: _SAVE = None
    quiet: Quiet = False

    def run(self) -> None:
        """Write the neighbours."""
        from polyrouge.beyond import pairs

        texts, _ = _read(self.queries, self.column, self)
        corpus, _ = _read(self.corpus, self.column, self)
        with collected_warnings(self.quiet), report_progress(self.quiet) as progress:
            rouge = metric_in_points(self.convention, self.changes())
            result = pairs.nearest(
                texts, corpus, self.k, self.at_least, rouge_type=self.rouge_type, rouge=rouge, progress=progress
            )
        _write_lines(self.save, ({**row, "text": corpus[row["neighbour"]]} for row in result.records()))
        announce(f"signature: {result.signature}", self.quiet)


@dataclass(frozen=True, kw_only=True)
class Oracle(taking(Settings, without=_FIXED), Reading):
    """Choose the sentences of each document that score highest against its summary, as JSON lines."""

    file: Annotated[str, typer.Argument(help=f"Documents and summaries: {FILES}.")]
    source_column: Annotated[
        str | None, option("Column of the documents: texts, or lists of sentences; guessed if not given.")
    ] = None
    reference_column: Annotated[
        str | None, option("Column of the summaries; guessed if not given.", "--reference-column", "-r")
    ] = None
    k: Annotated[int, option("How many sentences at most.", "--k", "-k", min=1)] = 3
    method: Annotated[str, option("greedy, presumm (the labels of PreSumm), or exact.")] = "greedy"
    convention: _CONVENTION = "default"
    save: _SAVE = None
    quiet: Quiet = False

    def run(self) -> None:
        """Write the sentences."""
        from polyrouge.beyond.pairs import extractive_oracle

        changes = self.changes()
        split = changes.pop("sentence_split", "auto")  # of the document

        def chosen(row: Row, columns: Sequence[str], rouge: Rouge) -> dict[str, Any]:
            document, summary = (row.values[column] for column in columns)
            for value in (document, summary):
                if isinstance(value, InputFileError):  # the row lacks it
                    raise value
            try:
                oracle = extractive_oracle(
                    document, summary, self.k, method=self.method, rouge=rouge, sentence_split=split
                )
            except (TypeError, ValueError) as error:
                raise ValueError(f"{self.file}, {row.name}: {error}") from None
            return {"oracle": oracle.indices, "sentences": oracle.sentences, **oracle.scores}

        with closing(_open(self.file, self)) as table, collected_warnings(self.quiet):
            columns: list[str] = []
            for role, column in (("source", self.source_column), ("summary", self.reference_column)):
                columns.append(column or guess_column(table, role, columns))
                check_column(table, columns[-1])
                if column is None:
                    announce(f"guessed: {table.name}: the column {columns[-1]!r} for the {role}", self.quiet)
            rouge = metric_in_points(self.convention, changes)
            _write_lines(self.save, (chosen(row, columns, rouge) for row in table.rows(columns, [])))


def _open(path: str, reading: Reading) -> Table:
    return open_table(path, reading.input_format, **reading.cells())


def _read(path: str, column: str | None, reading: Reading) -> tuple[list[str], Sequence[Any]]:
    """Return the texts of a file, and its rows: dicts, or lines of plain text."""
    with closing(_open(path, reading)) as table:
        if not table.columns:
            texts = [row.values[""] for row in table.rows([""], [])]
            return texts, texts
        name = column or guess_column(table, "text", ())
        check_text_column(table, name, may_be_nested=False)
        rows = list(table.rows([name], [column_name for column_name in table.columns if column_name != name]))
    texts = [checked_text(row.values[name], f"{table.name}, {row.name}: {name!r}") for row in rows]
    return texts, [{column: row.values[column] for column in table.columns} for row in rows]


def _write_lines(path: str | None, values: Iterable[Any]) -> None:
    """Write a line for each value: a text as it is, another value as JSON."""
    lines = (f"{value if isinstance(value, str) else json_text(value)}\n" for value in values)
    if path is None:
        sys.stdout.writelines(lines)
        return
    with atomic_write(path) as temporary, Path(temporary).open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(lines)
