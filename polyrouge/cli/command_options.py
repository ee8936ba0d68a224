"""Groups of options: a command is a dataclass that inherits them, and whose own fields come before theirs."""

import functools
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, ClassVar

import typer

from polyrouge.cli.command_running import with_progress
from polyrouge.cli.setting_options import option
from polyrouge.errors import unknown_value
from polyrouge.files.atomic import atomic_write
from polyrouge.files.columns import NO_IDS
from polyrouge.files.formats import FORMATS
from polyrouge.files.pairs import Chunk, Pairs, open_pairs
from polyrouge.files.slices import columns_to_read
from polyrouge.files.table import EMPTY_CELLS
from polyrouge.results import OUTPUT_FORMATS, Result, output_format_of, render

INPUT, OUTPUT, FOLDERS = "Input", "Output", "Folders"
# Groups of commands
SCORING, PAIRS, LOOKING, SETTINGS = "Score", "Texts against each other", "Look", "Settings and setup"
FILES = "JSONL, JSON, CSV, TSV, Parquet, Arrow or plain text (a text a line), also as .gz; - is standard input"
input_option = functools.partial(option, panel=INPUT)
output_option = functools.partial(option, panel=OUTPUT)
folder_option = functools.partial(option, panel=FOLDERS)
Quiet = Annotated[bool, output_option("Nothing on stderr but errors.", "--quiet", "-q")]


def refuse_overwriting(files: "System | Systems", *outputs: str | None) -> None:
    """Raise ``ValueError`` where a file would be written over one that is read, or over another one written."""
    inputs = [*files.systems, *(files.references or [])]
    paths = [Path(output).resolve() for output in outputs if output is not None]
    if twice := [path for number, path in enumerate(paths) if path in paths[:number]]:
        raise ValueError(f"{str(twice[0])!r} is named for two outputs; give each a name of its own.")
    if overwritten := [path for path in inputs if path != "-" and Path(path).resolve() in paths]:
        raise ValueError(f"{overwritten[0]!r} is read, so it can't be written too; give the output another name.")


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How files are read."""

    id_column: Annotated[
        str | None,
        input_option(
            "Column of the rows' ids; guessed if not given. If all files have one, rows are joined by it; "
            f"with {NO_IDS}, by their place."
        ),
    ] = None
    input_format: Annotated[
        str | None, input_option(f"Format of the files, if their names don't tell: {', '.join(FORMATS)}.")
    ] = None
    empty_cells: Annotated[
        str,
        input_option(
            "An empty cell of CSV or TSV that is not quoted may be a missing text: refuse it, or take it for an empty "
            "text (text)."
        ),
    ] = EMPTY_CELLS[0]
    encoding: Annotated[
        str | None,
        input_option(
            "Encoding of the files of lines, such as big5, cp949 or latin-1; UTF-8, UTF-16 with a byte order mark and "
            "Chinese in GB18030 are detected."
        ),
    ] = None
    header: Annotated[
        bool,
        input_option(
            "Whether the first line of CSV and TSV names the columns; else they are called 1, 2 and so on.",
            "--header/--no-header",
        ),
    ] = True

    quotes: Annotated[
        bool | None,
        input_option(
            "Whether quotation marks enclose cells of CSV and TSV, or are ordinary characters. If not given, a mark in "
            "TSV counts only if it encloses a whole cell.",
            "--quotes/--no-quotes",
        ),
    ] = None

    def cells(self) -> dict[str, Any]:
        """Return the options of ``open_table``, without the format."""
        return {
            "empty_cells": self.empty_cells,
            "encoding": self.encoding,
            "has_header": self.header,
            "quotes": self.quotes,
        }

    def rows(self) -> dict[str, Any]:
        """Return the options of ``open_pairs``."""
        return {"id_column": self.id_column, "file_format": self.input_format, **self.cells()}


@dataclass(frozen=True, kw_only=True)
class Inputs(Reading):
    """How files are read, and which columns hold the texts."""

    prediction_column: Annotated[
        list[str] | None, input_option("Column of the predictions; guessed if not given.", "--prediction-column", "-p")
    ] = None
    reference_column: Annotated[
        list[str] | None,
        input_option(
            "Column of the references, of texts or lists of texts; give it again for further references.",
            "--reference-column",
            "-r",
        ),
    ] = None

    where: Annotated[
        list[str] | None,
        input_option("Read only the rows with this value in a column: filter=strict-match; repeat it for more."),
    ] = None

    def open(self, files: "System | Systems", **more: Any) -> AbstractContextManager[Pairs]:
        """Open the files in a ``with`` block; ``more`` are options of ``open_pairs``."""
        columns = {"prediction_columns": self.prediction_column or [], "reference_columns": self.reference_column or []}
        return open_pairs(
            files.systems,
            files.references or [],
            names=files.name or [],
            where=self.where or [],
            guesses_systems=isinstance(files, Systems),
            **columns,
            **self.rows(),
            **more,
        )

    def read(self, files: "System | Systems", quiet: bool, **more: Any) -> tuple[Pairs, Chunk]:
        """Read all rows as one chunk, for what needs them all; returns the files (closed) too."""
        with self.open(files, **more) as pairs:
            return pairs, pairs.read_all(with_progress(pairs, quiet))


@dataclass(frozen=True, kw_only=True)
class System:
    """The files of one system, and of its references."""

    predictions: Annotated[str, typer.Argument(help=f"File of predictions: {FILES}. Or a folder with one text a file.")]
    references: Annotated[
        list[str] | None,
        typer.Argument(help="One file for each reference of a row; none if they are in the same file."),
    ] = None
    name: ClassVar = None  # that of the file

    @property
    def systems(self) -> list[str]:
        """The file, as one of several."""
        return [self.predictions]


@dataclass(frozen=True, kw_only=True)
class Systems:
    """The files of systems, and of their references."""

    systems: Annotated[
        list[str],
        typer.Argument(help=f"A file for each system: {FILES}. Or one file with a column for each (-p)."),
    ]
    references: Annotated[
        list[str] | None,
        input_option(
            "File of references; repeat it for more. Not needed if they are in the systems' files.",
            "--references",
            "-R",
        ),
    ] = None
    name: Annotated[list[str] | None, input_option("Name of a system, in order.", "--name", "-n")] = None


@dataclass(frozen=True, kw_only=True)
class ExtraColumns:
    """Columns that are neither predictions nor references."""

    slice_column: Annotated[
        list[str] | None,
        input_option(
            "Column to slice the samples by (a topic, a source, a year; numbers by their quartiles); repeat it for "
            "more."
        ),
    ] = None
    source_column: Annotated[
        str | None,
        input_option(
            "Column of the texts that were summarized: shows measures of copying, novelty and repetition too."
        ),
    ] = None

    @property
    def slices(self) -> Sequence[str]:
        """The columns to slice by."""
        return columns_to_read(self.slice_column, guesses=False) or ()

    def columns(self) -> dict[str, Any]:
        """Return the options of ``open_pairs``."""
        return {"source_column": self.source_column, "metadata_columns": self.slices}


@dataclass(frozen=True, kw_only=True)
class Printing:
    """Format and file of the results."""

    output_format: Annotated[str | None, output_option("table, json, csv, latex or markdown.", "--format", "-f")] = None
    save: Annotated[
        str | None, output_option("Write to this file; its suffix may give the format.", "--save", "-o")
    ] = None
    digits: ClassVar = None  # those that fit the scale

    def check(self, files: System | Systems | None = None) -> None:
        """Raise ``ValueError`` before any work is done; ``files`` are read, so none of them may be written."""
        if self.output_format is not None and self.output_format not in OUTPUT_FORMATS:
            raise unknown_value(self.output_format, OUTPUT_FORMATS, "format")
        path = Path(self.save or "")
        if self.save is not None and path.is_dir():
            raise ValueError(f"--save {self.save!r} is a folder; name a file.")
        if self.save is not None and not path.absolute().parent.is_dir():
            raise ValueError(f"There is no folder {str(path.parent)!r} to write {path.name!r} to; make it first.")
        if files is not None:
            refuse_overwriting(files, self.save)

    def emit(self, result: Result, more: Mapping[str, Any] | None = None) -> None:
        """Print the result, or write it to a file; ``more`` is as for ``render``."""
        output_format, digits = output_format_of(self.save, self.output_format), self.digits
        if self.save is not None:
            text = render(result, output_format, further=more, digits=digits)
            with atomic_write(self.save) as temporary:
                Path(temporary).write_text(text, encoding="utf-8", newline="\n")
            return
        terminal = sys.stdout.isatty()
        width = shutil.get_terminal_size().columns if terminal else None
        color = terminal and "NO_COLOR" not in os.environ
        sys.stdout.write(render(result, output_format, further=more, digits=digits, width=width, color=color))


@dataclass(frozen=True, kw_only=True)
class Output(Printing):
    """How results are printed."""

    digits: Annotated[int | None, output_option("Digits after the point.", min=0, max=17)] = None


@dataclass(frozen=True, kw_only=True)
class Folders:
    """Options that are for folders only."""

    run_on: Annotated[
        str | None,
        folder_option("Score a folder of files: local (processes of this machine), ray or spark. -o names a folder."),
    ] = None
    workers: Annotated[int | None, folder_option("Partitions at once; as many as processors if not given.", min=1)] = (
        None
    )
    partition_size: Annotated[float | None, folder_option("Megabytes of texts in a partition; 64 if not given.")] = None
    keep: Annotated[list[str] | None, folder_option("A column to copy beside the scores; repeat it for more.")] = None
    hits: Annotated[bool, folder_option("Write the counts beside the scores.", "--hits")] = False
    dry_run: Annotated[bool, folder_option("Show the plan; write nothing.", "--dry-run")] = False

    def chosen(self) -> list[str]:
        """Return the options that were given, as they are typed."""
        names = [field.name for field in fields(Folders) if getattr(self, field.name) not in (field.default, [])]
        return [f"--{name.replace('_', '-')}" for name in names]


def named_numbers(name: str, texts: Sequence[str]) -> dict[str, str]:
    """Return the numbers by their keys, of texts such as ``rouge1=38.4``; ``name``: of the option."""
    values: dict[str, str] = {}
    for text in texts:
        key, is_named, value = (part.strip() for part in text.partition("="))
        if not is_named:
            raise ValueError(f"{name} is {text!r}; give a score and a number: {name} rouge1=38.4.")
        if key in values:
            raise ValueError(f"{name} has {key!r} twice; give each score one number.")
        values[key] = value
    return values
