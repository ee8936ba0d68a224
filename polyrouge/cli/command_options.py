"""Options of the commands: bundles that a command takes as one argument, and every field of ``RougeSettings``."""

import dataclasses
import functools
import inspect
import os
import re
import shutil
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar

import typer

from polyrouge.cli.command_running import collected_warnings, reports_errors, with_progress
from polyrouge.errors import unknown_value
from polyrouge.files.atomic import atomic_write
from polyrouge.files.columns import NO_IDS
from polyrouge.files.formats import FORMATS
from polyrouge.files.pairs import Chunk, Pairs, open_pairs
from polyrouge.files.slices import columns_to_read
from polyrouge.files.table import EMPTY_CELLS
from polyrouge.metric import OF_DRAWS, Rouge, warn_of_idle
from polyrouge.results import OUTPUT_FORMATS, Result, output_format_of, render
from polyrouge.settings.allowed_values import STOP_LISTS, Flag, Names, Range, StopWords, Types, Weights
from polyrouge.settings.rouge_settings import ALL_OPTIONS, RougeSettings, RunOptions, ToolRules, grouped, split_run

INPUT, OUTPUT, FOLDERS = "Input", "Output", "Folders"
# Groups of commands
SCORING, PAIRS, LOOKING, SETTINGS = "Score", "Texts against each other", "Look", "Settings and setup"
FILES = "JSONL, CSV, TSV, Parquet, Arrow or plain text (a text a line), also as .gz; - is standard input"
_NONE = ("none", "None")
_BOOLEANS = {"true": True, "false": False}
_CONVENTION = "Named convention; 'polyrouge conventions' lists them."
_SIGNATURE = "Score as this signature says, in place of a convention."
_PANEL = "Settings (they override the convention)"
_OFTEN_SET = ("rouge_types", "tokenizer", "use_stemmer", "sentence_split", "scale", "confidence")


def option(help: str, *names: str, panel: str | None = None, **more: Any) -> Any:
    """An option, for ``Annotated``."""
    return typer.Option(*names, help=help, rich_help_panel=panel, **more)


input_option = functools.partial(option, panel=INPUT)
output_option = functools.partial(option, panel=OUTPUT)
Quiet = Annotated[bool, output_option("Nothing on stderr but errors.", "--quiet", "-q")]


def _argument(help: str, **default: Any) -> Any:
    """A field of a bundle, which is an argument."""
    return dataclasses.field(metadata={"option": typer.Argument(help=help)}, **default)


def _field(panel: str, default: Any, help: str, *names: str, **more: Any) -> Any:
    """A field of a bundle, which is an option."""
    return dataclasses.field(default=default, metadata={"option": option(help, *names, panel=panel, **more)})


_input = functools.partial(_field, INPUT)
_output = functools.partial(_field, OUTPUT)
_folders = functools.partial(_field, FOLDERS)


def refuse_overwriting(files: "System | Systems", *outputs: str | None) -> None:
    """Raise ``ValueError`` where a file would be written over one that is read, or over another one written."""
    inputs = [*files.systems, *(files.references or [])]
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
        "Column of the rows' ids; guessed if not given. If all files have one, rows are joined by it; "
        f"with {NO_IDS}, by their place.",
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
        "and GB18030 are detected.",
    )
    header: bool = _input(
        True,
        "Whether the first line of CSV and TSV names the columns; else they are called 1, 2 and so on.",
        "--header/--no-header",
    )

    def cells(self) -> dict[str, Any]:
        """The options of ``open_table``, without the format."""
        return {"empty_cells": self.empty_cells, "encoding": self.encoding, "has_header": self.header}

    def rows(self) -> dict[str, Any]:
        """The options of ``open_pairs``."""
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

    def open(self, files: "System | Systems", **more: Any) -> AbstractContextManager[Pairs]:
        """Open the files in a ``with`` block; ``more`` are options of ``open_pairs``."""
        columns = {"prediction_columns": self.prediction_column or [], "reference_columns": self.reference_column or []}
        return open_pairs(
            files.systems, files.references or [], names=files.name or [], **columns, **self.rows(), **more
        )

    def read(self, files: "System | Systems", quiet: bool, **more: Any) -> tuple[Pairs, Chunk]:
        """Read all rows as one chunk, for what needs them all; returns the files (closed) too."""
        with self.open(files, **more) as pairs:
            return pairs, pairs.read_all(with_progress(pairs, quiet))


@dataclass(frozen=True)
class System:
    """The files of one system, and of its references."""

    predictions: str = _argument(f"File of predictions: {FILES}.")
    references: list[str] | None = _argument(
        "One file for each reference of a row; none if they are in the same file.", default=None
    )
    name: ClassVar = None  # that of the file

    @property
    def systems(self) -> list[str]:
        """The file, as one of several."""
        return [self.predictions]


@dataclass(frozen=True)
class Systems:
    """The files of systems, and of their references."""

    systems: list[str] = _argument(f"A file for each system: {FILES}. Or one file, with a -p for each.")
    references: list[str] | None = _input(
        None,
        "File of references; repeat it for more. Not needed if they are in the systems' files.",
        "--references",
        "-R",
    )
    name: list[str] | None = _input(None, "Name of a system, in order.", "--name", "-n")


@dataclass(frozen=True)
class ExtraColumns:
    """Columns that are neither predictions nor references."""

    slice_column: list[str] | None = _input(
        None,
        "Column to slice the samples by (a topic, a source, a year; numbers by their quartiles); repeat it for more.",
    )
    source_column: str | None = _input(
        None, "Column of the texts that were summarized: shows measures of copying, novelty and repetition too."
    )

    @property
    def slices(self) -> Sequence[str]:
        """The columns to slice by."""
        return columns_to_read(self.slice_column, guesses=False) or ()

    def columns(self) -> dict[str, Any]:
        """The options of ``open_pairs``."""
        return {"source_column": self.source_column, "metadata_columns": self.slices}


@dataclass(frozen=True)
class Printing:
    """Format and file of the results."""

    output_format: str | None = _output(None, "table, json, csv, latex or markdown.", "--format", "-f")
    save: str | None = _output(None, "Write to this file; its suffix may give the format.", "--save", "-o")
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
    keep: list[str] | None = _folders(None, "A column to copy beside the scores; repeat it for more.")
    hits: bool = _folders(False, "Write the counts beside the scores.", "--hits")
    dry_run: bool = _folders(False, "Show the plan; write nothing.", "--dry-run")

    def chosen(self) -> list[str]:
        """The options that were given, as they are typed."""
        names = [each.name for each in fields(self) if getattr(self, each.name) not in (each.default, [])]
        return [f"--{name.replace('_', '-')}" for name in names]


def named_numbers(name: str, texts: Sequence[str]) -> dict[str, str]:
    """The numbers by their keys, of texts such as ``rouge1=38.4``; ``name``: of the option."""
    values: dict[str, str] = {}
    for text in texts:
        key, is_named, value = (part.strip() for part in text.partition("="))
        if not is_named:
            raise ValueError(f"{name} is {text!r}; give a score and a number: {name} rouge1=38.4.")
        if key in values:
            raise ValueError(f"{name} has {key!r} twice; give each score one number.")
        values[key] = value
    return values


def takes_options(
    *, without: Collection[str] = (), draws: bool = False
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that gives a command the options of its arguments, and reports its errors.

    A bundle becomes an option for each field; ``rouge`` becomes ``--convention``, ``--signature`` and an option for
    each setting except ``without``; ``changes`` becomes the settings alone, and is a dict of those that the user set.
    ``draws``: the command uses ``seed`` and the like whether or not there is an interval.
    """
    names = [name for name in ALL_OPTIONS if name not in without]

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        arguments = inspect.signature(command, eval_str=True).parameters
        bundles: Any = {name: each.annotation for name, each in arguments.items() if is_dataclass(each.annotation)}
        parameters: list[inspect.Parameter] = []
        for name, parameter in arguments.items():
            if name not in ("rouge", "changes"):
                parameters += _options_of(bundles[name]) if name in bundles else [parameter]
        if "rouge" in arguments:
            parameters.append(_parameter("convention", str, option(_CONVENTION, "--convention", "-c"), "default"))
            parameters.append(_parameter("signature", str | None, option(_SIGNATURE)))
        if "rouge" in arguments or "changes" in arguments:
            parameters += [*map(_setting, names), _settings_help()]
        parameters = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in parameters]

        @functools.wraps(command)
        def run(**options: Any) -> None:
            options.pop("help_settings", None)
            values = {name: options.pop(name) for name in names if name in options}
            changes = grouped({name: _parsed(name, value) for name, value in values.items() if value is not None})
            for name, bundle in bundles.items():
                options[name] = bundle(**{each.name: options.pop(each.name) for each in fields(bundle)})
            if "changes" in arguments:
                options["changes"] = changes
            if "rouge" in arguments:
                with collected_warnings(options.get("quiet", False)):
                    rouge = options["rouge"] = _rouge(options.pop("convention"), options.pop("signature"), changes)
                    warn_of_idle(rouge, without=OF_DRAWS if draws else ())
            command(**options)

        run.__signature__ = inspect.Signature(parameters)  # pyright: ignore[reportAttributeAccessIssue]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return reports_errors(run)

    return decorate


def _rouge(convention: str, signature: str | None, changes: dict[str, Any]) -> Rouge:
    """The metric of a convention, or of a signature, with changes."""
    if signature is None:
        return Rouge(convention, **changes)
    if convention != "default":
        raise ValueError(f"Give --convention ({convention}) or --signature, not both.")
    run, changes = split_run(RunOptions(), {"use_aggregator": True, **changes})
    return Rouge.of(RougeSettings.from_signature(signature).replace(**changes), run)


def _settings_help() -> inspect.Parameter:
    """The option that shows every setting; the usual help hides most of them."""

    def show(context: typer.Context, value: bool) -> None:
        if value:
            for parameter in context.command.params:
                parameter.hidden = False  # pyright: ignore[reportAttributeAccessIssue] of options, and all are
            typer.echo(context.get_help())
            raise typer.Exit

    info = option("Show this message with every setting.", "--help-settings", is_eager=True, callback=show)
    return _parameter("help_settings", bool, info, False)


def _options_of(bundle: Any) -> list[inspect.Parameter]:
    info = {field.name: field.metadata["option"] for field in fields(bundle)}
    parameters = inspect.signature(bundle, eval_str=True).parameters.values()
    return [each.replace(annotation=Annotated[each.annotation, info[each.name]]) for each in parameters]


def _setting(name: str) -> inspect.Parameter:
    """The option of a setting."""
    values, dashed = ALL_OPTIONS[name].values, name.replace("_", "-")
    is_boolean = isinstance(values, Flag) and not values.texts
    names = f"--{dashed}/--no-{dashed}" if is_boolean else f"--{dashed}"
    info = option(_descriptions().get(name, ""), names, panel=_PANEL, hidden=name not in _OFTEN_SET)
    return _parameter(name, bool | None if is_boolean else str | None, info)


def _parameter(name: str, kind: Any, info: Any, default: Any = None) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, info])


@functools.cache
def _descriptions() -> dict[str, str]:
    """The description of each setting, from the docstrings."""
    texts = {}
    for group in (RougeSettings, RunOptions, ToolRules):
        attributes = inspect.cleandoc(group.__doc__ or "").partition("Attributes:\n")[2].partition("\nRaises:")[0]
        texts |= dict(re.findall(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", attributes, re.MULTILINE))
    unmarked = str.maketrans({"`": None, '"': None, "[": r"\["})
    return {name: " ".join(text.split()).translate(unmarked) for name, text in texts.items()}


def _parsed(name: str, text: Any) -> Any:
    """Parse the value of a setting."""
    values = ALL_OPTIONS[name].values
    option = f"--{name.replace('_', '-')}"
    if isinstance(text, bool):
        return text
    if values.may_be_none and text in _NONE:
        return None
    if isinstance(values, Flag):
        return _BOOLEANS.get(text.lower(), text)
    if isinstance(values, (Range, Weights)):
        expected = "numbers with commas between them"
        try:
            if isinstance(values, Weights):
                return tuple(map(float, text.split(",")))
            expected = ("a whole number" if values.kind is int else "a number") + " or none" * values.may_be_none
            return values.kind(text)
        except ValueError:
            raise ValueError(f"{option} is {text!r}; give {expected}.") from None
    if isinstance(values, (Types, StopWords, Names)):
        return _names(values, text, option)
    return text.replace("\\n", "\n").replace("\\t", "\t") if name == "sentence_split" else text


def _names(values: Any, text: str, option: str) -> tuple[str, ...] | str:
    """Parse names with commas between them, ``@FILE``, or the name of a list of words."""
    if text.startswith("@"):
        try:
            return tuple(Path(text[1:]).read_text(encoding="utf-8").split())
        except (OSError, UnicodeDecodeError) as error:
            raise ValueError(f"{option}: the words can't be read from {text[1:]!r}: {error}.") from None
    if isinstance(values, StopWords) and "," not in text:
        if text not in STOP_LISTS:
            raise ValueError(
                f"{option} is {text!r}; give the name of a list ({', '.join(STOP_LISTS)}), words with commas between "
                "them, or @FILE."
            )
        return text
    names = tuple(part.strip() for part in text.split(",") if part.strip())
    if not names and isinstance(values, Types):
        raise ValueError(f"{option} is {text!r}; give names with commas between them, for example rouge1,rougeL.")
    return names
