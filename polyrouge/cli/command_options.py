"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from polyrouge.files.joined_rows import NO_IDS
from polyrouge.files.text_files import FORMATS

INPUT, OUTPUT, FOLDERS = "Input", "Output", "Folders"
SCORING, LOOKING, SETTINGS = "Score", "Look", "Settings and setup"  # groups of commands
FILES = "JSONL, CSV, TSV, Parquet, Arrow or plain text (a text a line), also as .gz; - is standard input"
PredictionColumns = Annotated[
    list[str] | None,
    typer.Option(
        "--prediction-column", "-p", help="Column of the predictions; guessed if not given.", rich_help_panel=INPUT
    ),
]
ReferenceColumns = Annotated[
    list[str] | None,
    typer.Option(
        "--reference-column",
        "-r",
        help="Column of the references, of texts or lists of texts; give it again for further references.",
        rich_help_panel=INPUT,
    ),
]
ReferenceFiles = Annotated[
    list[str] | None,
    typer.Option(
        "--references",
        "-R",
        help="File of references, again for further ones; none if they are in the systems' files.",
        rich_help_panel=INPUT,
    ),
]
SystemNames = Annotated[
    list[str] | None, typer.Option("--name", "-n", help="Name of a system, in order.", rich_help_panel=INPUT)
]
IdColumn = Annotated[
    str | None,
    typer.Option(
        help="Column of the rows' ids; guessed if not given. Where all files have ids, rows are joined by them; "
        f"{NO_IDS}: by their place.",
        rich_help_panel=INPUT,
    ),
]
EmptyCells = Annotated[
    str,
    typer.Option(
        help="An empty cell of CSV or TSV that is not quoted may be a missing text: refuse it, or take it for an empty "
        "text (text).",
        rich_help_panel=INPUT,
    ),
]
InputFormat = Annotated[
    str | None,
    typer.Option(help=f"Format of the files, if their names don't tell: {', '.join(FORMATS)}.", rich_help_panel=INPUT),
]
SourceColumn = Annotated[
    str | None,
    typer.Option(
        help="Column of the texts that were summarized: shows measures of copying, novelty and repetition too.",
        rich_help_panel=INPUT,
    ),
]
SliceColumn = Annotated[
    list[str] | None,
    typer.Option(
        help="Column to slice the samples by (a topic, a source, a year; numbers by their quartiles); again for more.",
        rich_help_panel=INPUT,
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option(
        help="Encoding of the files of lines, such as gb18030, big5 or latin-1; UTF-8, UTF-16 with a byte order mark "
        "and GB18030 are known by themselves.",
        rich_help_panel=INPUT,
    ),
]
Header = Annotated[
    bool,
    typer.Option(
        "--header/--no-header",
        help="Whether the first line of CSV and TSV names the columns; else they are called 1, 2 and so on.",
        rich_help_panel=INPUT,
    ),
]
OutputFormat = Annotated[
    str | None,
    typer.Option("--format", "-f", help="table, json, csv, latex or markdown.", rich_help_panel=OUTPUT),
]
Save = Annotated[
    str | None,
    typer.Option("--save", "-o", help="Write to this file; its suffix may give the format.", rich_help_panel=OUTPUT),
]
Digits = Annotated[int | None, typer.Option(min=0, max=17, help="Digits after the point.", rich_help_panel=OUTPUT)]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but errors.", rich_help_panel=OUTPUT)]

RunOn = Annotated[
    str | None,
    typer.Option(
        help="Score a folder of files: local (processes of this machine), ray or spark. -o names a folder.",
        rich_help_panel=FOLDERS,
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(min=1, help="Partitions at once; as many as processors if not given.", rich_help_panel=FOLDERS),
]
PartitionSize = Annotated[
    float | None, typer.Option(help="Megabytes of texts in a partition; 64 if not given.", rich_help_panel=FOLDERS)
]
Keep = Annotated[
    list[str] | None,
    typer.Option(help="A column to stand beside the scores; again for more.", rich_help_panel=FOLDERS),
]
Hits = Annotated[bool, typer.Option("--hits", help="Write the counts beside the scores.", rich_help_panel=FOLDERS)]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show the plan; write nothing.", rich_help_panel=FOLDERS)]
