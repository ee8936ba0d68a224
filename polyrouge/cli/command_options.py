"""Options of the commands, in bundles that a command takes as one argument."""

import dataclasses
import functools
import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from polyrouge.errors import unknown_value
from polyrouge.files.atomic import atomic_write
from polyrouge.files.file_rows import EMPTY_CELLS
from polyrouge.files.joined_rows import NO_IDS
from polyrouge.files.paired_texts import PairedTexts, open_paired_texts
from polyrouge.files.slice_columns import columns_to_read
from polyrouge.files.text_files import FORMATS
from polyrouge.tables.formats import OUTPUT_FORMATS, Report, output_format_of, render

INPUT, OUTPUT, FOLDERS = "Input", "Output", "Folders"
SCORING, PAIRS, LOOKING, SETTINGS = (
    "Score",
    "Texts against each other",
    "Look",
    "Settings and setup",
)  # groups of commands
FILES = "JSONL, CSV, TSV, Parquet, Arrow or plain text (a text a line), also as .gz; - is standard input"


def option(help: str, *names: str, panel: str | None = None, **more: Any) -> Any:
    """An option, for ``Annotated``."""
    return typer.Option(*names, help=help, rich_help_panel=panel, **more)


input_option = functools.partial(option, panel=INPUT)
output_option = functools.partial(option, panel=OUTPUT)
Quiet = Annotated[bool, output_option("Nothing on stderr but errors.", "--quiet", "-q")]


def _field(panel: str, default: Any, help: str, *names: str, **more: Any) -> Any:
    """A field of a bundle, which is an option."""
    return dataclasses.field(default=default, metadata={"option": option(help, *names, panel=panel, **more)})


_input = functools.partial(_field, INPUT)
_output = functools.partial(_field, OUTPUT)
_folders = functools.partial(_field, FOLDERS)


def refuse_overwriting(outputs: Sequence[str | None], inputs: Sequence[str]) -> None:
    """Raise ``ValueError`` where a file would be written over one that is read, or over another one written."""
    paths = [Path(output).resolve() for output in outputs if output is not None]
    if twice := [path for place, path in enumerate(paths) if path in paths[:place]]:
        raise ValueError(f"{str(twice[0])!r} is named for two outputs; give each a name of its own.")
    if both := [path for path in inputs if path != "-" and Path(path).resolve() in paths]:
        raise ValueError(f"{both[0]!r} is read, so it can't be written too; give the output another name.")


@dataclass(frozen=True)
class Reading:
    """How files are read."""

    id_column: str | None = _input(
        None,
        "Column of the rows' ids; guessed if not given. Where all files have ids, rows are joined by them; "
        f"{NO_IDS}: by their place.",
    )
    input_format: str | None = _input(None, f"Format of the files, if their names don't tell: {', '.join(FORMATS)}.")
    empty_cells: str = _input(
        EMPTY_CELLS[0],
        "An empty cell of CSV or TSV that is not quoted may be a missing text: refuse it, or take it for an empty "
        "text (text).",
    )
    encoding: str | None = _input(
        None,
        "Encoding of the files of lines, such as gb18030, big5 or latin-1; UTF-8, UTF-16 with a byte order mark "
        "and GB18030 are known by themselves.",
    )
    header: bool = _input(
        True,
        "Whether the first line of CSV and TSV names the columns; else they are called 1, 2 and so on.",
        "--header/--no-header",
    )

    def cells(self) -> dict[str, Any]:
        """The options of ``open_text_file``, without the format."""
        return {"empty_cells": self.empty_cells, "encoding": self.encoding, "has_header": self.header}

    def rows(self) -> dict[str, Any]:
        """The options of ``open_paired_texts``."""
        return {"id_column": self.id_column, "file_format": self.input_format, **self.cells()}


@dataclass(frozen=True)
class Inputs(Reading):
    """How files are read, and which columns hold the texts."""

    prediction_column: list[str] | None = _input(
        None, "Column of the predictions; guessed if not given.", "--prediction-column", "-p"
    )
    reference_column: list[str] | None = _input(
        None,
        "Column of the references, of texts or lists of texts; give it again for further references.",
        "--reference-column",
        "-r",
    )

    def open(self, files: Sequence[str], references: Sequence[str] | None, **more: Any) -> PairedTexts:
        """Open the files; ``more`` are options of ``open_paired_texts``."""
        columns = {"prediction_columns": self.prediction_column or [], "reference_columns": self.reference_column or []}
        return open_paired_texts(files, references or [], **columns, **self.rows(), **more)


@dataclass(frozen=True)
class Systems:
    """The files of systems, and of their references."""

    systems: list[str] = dataclasses.field(
        metadata={"option": typer.Argument(help=f"A file for each system: {FILES}. Or one file, with a -p for each.")}
    )
    references: list[str] | None = _input(
        None,
        "File of references, again for further ones; none if they are in the systems' files.",
        "--references",
        "-R",
    )
    name: list[str] | None = _input(None, "Name of a system, in order.", "--name", "-n")

    def paths(self) -> list[str]:
        """All files that are read."""
        return [*self.systems, *(self.references or [])]


@dataclass(frozen=True)
class ExtraColumns:
    """Columns that are neither predictions nor references."""

    slice_column: list[str] | None = _input(
        None, "Column to slice the samples by (a topic, a source, a year; numbers by their quartiles); again for more."
    )
    source_column: str | None = _input(
        None, "Column of the texts that were summarized: shows measures of copying, novelty and repetition too."
    )

    @property
    def slices(self) -> Sequence[str]:
        """The columns to slice by."""
        return columns_to_read(self.slice_column, guesses=False) or ()

    def columns(self) -> dict[str, Any]:
        """The options of ``open_paired_texts``."""
        return {"document_column": self.source_column, "metadata_columns": self.slices}


@dataclass(frozen=True)
class Printing:
    """Format and file of the results."""

    output_format: str | None = _output(None, "table, json, csv, latex or markdown.", "--format", "-f")
    save: str | None = _output(None, "Write to this file; its suffix may give the format.", "--save", "-o")

    def check(self) -> None:
        """Raise ``ValueError`` before any work is done."""
        if self.output_format is not None and self.output_format not in OUTPUT_FORMATS:
            raise unknown_value(self.output_format, OUTPUT_FORMATS, "format")
        path = Path(self.save or "")
        if self.save is not None and path.is_dir():
            raise ValueError(f"--save {self.save!r} is a folder; name a file.")
        if self.save is not None and not path.absolute().parent.is_dir():
            raise ValueError(f"There is no folder {str(path.parent)!r} to write {path.name!r} to; make it first.")

    def emit(self, report: Report) -> None:
        """Print the report, or write it to a file."""
        output_format = output_format_of(self.save, self.output_format)
        if self.save is not None:
            with atomic_write(self.save) as temporary:
                Path(temporary).write_text(render(report, output_format), encoding="utf-8", newline="\n")
            return
        terminal = sys.stdout.isatty()
        width = shutil.get_terminal_size().columns if terminal else None
        color = terminal and "NO_COLOR" not in os.environ
        sys.stdout.write(render(report, output_format, width=width, color=color))


@dataclass(frozen=True)
class Output(Printing):
    """How results are printed."""

    digits: int | None = _output(None, "Digits after the point.", min=0, max=17)


@dataclass(frozen=True)
class Folders:
    """Options that are for folders only."""

    run_on: str | None = _folders(
        None, "Score a folder of files: local (processes of this machine), ray or spark. -o names a folder."
    )
    workers: int | None = _folders(None, "Partitions at once; as many as processors if not given.", min=1)
    partition_size: float | None = _folders(None, "Megabytes of texts in a partition; 64 if not given.")
    keep: list[str] | None = _folders(None, "A column to stand beside the scores; again for more.")
    hits: bool = _folders(False, "Write the counts beside the scores.", "--hits")
    dry_run: bool = _folders(False, "Show the plan; write nothing.", "--dry-run")
