"""Options that several commands share, each declared once, in bundles that a command takes as one argument."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from polyrouge.errors import unknown_value
from polyrouge.files.file_rows import EMPTY_CELLS
from polyrouge.files.joined_rows import NO_IDS
from polyrouge.files.paired_texts import PairedTexts, open_paired_texts
from polyrouge.files.text_files import FORMATS
from polyrouge.tables.formats import OUTPUT_FORMATS, output_format_of

INPUT, OUTPUT, FOLDERS = "Input", "Output", "Folders"
SCORING, LOOKING, SETTINGS = "Score", "Look", "Settings and setup"  # groups of commands
FILES = "JSONL, CSV, TSV, Parquet, Arrow or plain text (a text a line), also as .gz; - is standard input"


def option(help: str, *names: str, panel: str | None = INPUT, **more: Any) -> Any:
    """An option, for ``Annotated``."""
    return typer.Option(*names, help=help, rich_help_panel=panel, **more)


Quiet = Annotated[bool, option("Nothing on stderr but errors.", "--quiet", "-q", panel=OUTPUT)]


@dataclass(frozen=True)
class Reading:
    """How files are read."""

    id_column: Annotated[
        str | None,
        option(
            "Column of the rows' ids; guessed if not given. Where all files have ids, rows are joined by them; "
            f"{NO_IDS}: by their place."
        ),
    ] = None
    input_format: Annotated[
        str | None, option(f"Format of the files, if their names don't tell: {', '.join(FORMATS)}.")
    ] = None
    empty_cells: Annotated[
        str,
        option(
            "An empty cell of CSV or TSV that is not quoted may be a missing text: refuse it, or take it for an empty "
            "text (text)."
        ),
    ] = EMPTY_CELLS[0]
    encoding: Annotated[
        str | None,
        option(
            "Encoding of the files of lines, such as gb18030, big5 or latin-1; UTF-8, UTF-16 with a byte order mark "
            "and GB18030 are known by themselves."
        ),
    ] = None
    header: Annotated[
        bool,
        option(
            "Whether the first line of CSV and TSV names the columns; else they are called 1, 2 and so on.",
            "--header/--no-header",
        ),
    ] = True

    def cells(self) -> dict[str, Any]:
        """The options of ``open_text_file``, without the format."""
        return {"empty_cells": self.empty_cells, "encoding": self.encoding, "has_header": self.header}


@dataclass(frozen=True)
class Inputs(Reading):
    """How files are read, and which columns hold the texts."""

    prediction_column: Annotated[
        list[str] | None, option("Column of the predictions; guessed if not given.", "--prediction-column", "-p")
    ] = None
    reference_column: Annotated[
        list[str] | None,
        option(
            "Column of the references, of texts or lists of texts; give it again for further references.",
            "--reference-column",
            "-r",
        ),
    ] = None

    def open(self, files: Sequence[str], references: Sequence[str] | None, **more: Any) -> PairedTexts:
        """The files of predictions and references; ``more`` are options of ``open_paired_texts``."""
        return open_paired_texts(
            files,
            references or [],
            prediction_columns=self.prediction_column or [],
            reference_columns=self.reference_column or [],
            id_column=self.id_column,
            file_format=self.input_format,
            **self.cells(),
            **more,
        )


@dataclass(frozen=True)
class Systems:
    """The files of systems, and of their references."""

    systems: Annotated[
        list[str], typer.Argument(help=f"A file for each system: {FILES}. Or one file, with a -p for each.")
    ]
    references: Annotated[
        list[str] | None,
        option(
            "File of references, again for further ones; none if they are in the systems' files.", "--references", "-R"
        ),
    ] = None
    name: Annotated[list[str] | None, option("Name of a system, in order.", "--name", "-n")] = None


@dataclass(frozen=True)
class Beside:
    """Columns beside the texts."""

    slice_column: Annotated[
        list[str] | None,
        option(
            "Column to slice the samples by (a topic, a source, a year; numbers by their quartiles); again for more."
        ),
    ] = None
    source_column: Annotated[
        str | None,
        option("Column of the texts that were summarized: shows measures of copying, novelty and repetition too."),
    ] = None


@dataclass(frozen=True)
class Printing:
    """In which format results are printed, and where to."""

    output_format: Annotated[
        str | None, option("table, json, csv, latex or markdown.", "--format", "-f", panel=OUTPUT)
    ] = None
    save: Annotated[
        str | None, option("Write to this file; its suffix may give the format.", "--save", "-o", panel=OUTPUT)
    ] = None

    def check(self) -> str:
        """The output format; raises ``ValueError`` before any work is done."""
        if self.output_format is not None and self.output_format not in OUTPUT_FORMATS:
            raise unknown_value(self.output_format, OUTPUT_FORMATS, "format")
        if self.save is not None and not Path(self.save).absolute().parent.is_dir():
            raise ValueError(
                f"There is no folder {str(Path(self.save).parent)!r} to write {Path(self.save).name!r} to; make it "
                "first."
            )
        return output_format_of(self.save, self.output_format)


@dataclass(frozen=True)
class Output(Printing):
    """How results are printed."""

    digits: Annotated[int | None, option("Digits after the point.", panel=OUTPUT, min=0, max=17)] = None


@dataclass(frozen=True)
class Folders:
    """Options that are for folders only."""

    run_on: Annotated[
        str | None,
        option(
            "Score a folder of files: local (processes of this machine), ray or spark. -o names a folder.",
            panel=FOLDERS,
        ),
    ] = None
    workers: Annotated[
        int | None, option("Partitions at once; as many as processors if not given.", panel=FOLDERS, min=1)
    ] = None
    partition_size: Annotated[
        float | None, option("Megabytes of texts in a partition; 64 if not given.", panel=FOLDERS)
    ] = None
    keep: Annotated[list[str] | None, option("A column to stand beside the scores; again for more.", panel=FOLDERS)] = (
        None
    )
    hits: Annotated[bool, option("Write the counts beside the scores.", "--hits", panel=FOLDERS)] = False
    dry_run: Annotated[bool, option("Show the plan; write nothing.", "--dry-run", panel=FOLDERS)] = False
