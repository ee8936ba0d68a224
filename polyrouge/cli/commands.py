"""The sub-commands of ``polyrouge``."""

import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from polyrouge.cli.benchmark_command import Benchmark
from polyrouge.cli.check_command import Check
from polyrouge.cli.command_options import LOOKING, PAIRS, SCORING, SETTINGS, Printing
from polyrouge.cli.command_running import announce, run_command
from polyrouge.cli.pairs_commands import Dedupe, Nearest, Oracle
from polyrouge.cli.report_commands import Agreement, Context, Examine, FindSettings, Report
from polyrouge.cli.score_commands import Compare, Score
from polyrouge.cli.setting_options import Metric, option, taking
from polyrouge.conventions.registry import CONVENTIONS
from polyrouge.counting.loop import engine
from polyrouge.errors import needs_extra, visible
from polyrouge.results import Result, ResultTable
from polyrouge.version import VERSION


class _Commands(TyperGroup):
    """The commands, in whose messages on wrong usage no control character of what was typed is left."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        with _visible_usage():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        with _visible_usage():
            return super().invoke(ctx)


@contextmanager
def _visible_usage() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        if hasattr(error, "format_message"):  # of wrong usage, by click or Typer's own copy of it
            error.message = visible(error.message)  # pyright: ignore[reportAttributeAccessIssue]
        raise


app = typer.Typer(
    name="polyrouge",
    cls=_Commands,
    help="ROUGE for every language and every published convention.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={
        "help_option_names": ["-h", "--help"],
        "token_normalize_func": lambda name: name.replace("_", "-"),
    },
    add_completion=False,
    result_callback=run_command,
)


@app.callback(invoke_without_command=True)
def main(version: Annotated[bool, option("Print the version, and which engine counts.", "--version")] = False) -> None:
    """ROUGE for every language and every published convention."""
    if version:
        typer.echo(f"{VERSION} ({engine()} engine)")
        raise typer.Exit


@dataclass(frozen=True, kw_only=True)
class Page:
    """Open the web page on this machine."""

    port: Annotated[
        int | None, option("Port to listen at; the first free one from 7860 if not given.", min=1, max=65535)
    ] = None
    host: Annotated[str, option("Address to listen at; 0.0.0.0 lets other machines in.")] = "127.0.0.1"

    def run(self) -> None:
        """Serve the page."""
        announce("starting the page; press Ctrl-C to end it")
        from polyrouge.page import serve

        port = {} if self.port is None else {"server_port": self.port}
        try:
            with needs_extra("The page", "page"):
                serve(server_name=self.host, **port)
        except OSError as error:  # Gradio's: the port is taken
            at = f"{self.host}{f', port {self.port}' if self.port else ''}"
            raise ValueError(f"The page can't listen at {at}: {error}") from None


@dataclass(frozen=True, kw_only=True)
class ListConventions(Printing):
    """List the named conventions: what each reproduces, and its signature."""

    def run(self) -> None:
        """Print the list."""
        self.check()
        self.emit(_Conventions())


class _Conventions(Result):
    """The named conventions."""

    signature = f"v:{VERSION}"

    def tables(self, digits: int | None = None) -> list[ResultTable]:  # noqa: ARG002 there are no scores
        """Return a row for each."""
        rows = [(name, convention.reproduces) for name, convention in CONVENTIONS.items()]
        return [ResultTable("Conventions", ["name", "reproduces"], rows, 2)]

    def records(self) -> list[dict[str, Any]]:
        """Return a line for each, with its settings."""
        return [
            {"convention": name, "reproduces": convention.reproduces, "settings": convention.settings.signature()}
            for name, convention in CONVENTIONS.items()
        ]

    def notes(self) -> list[str]:
        """Return how to see settings."""
        return ["'polyrouge signature -c NAME' prints the settings of one."]

    def to_dict(self) -> dict[str, Any]:
        """Return the records."""
        return {"conventions": self.records()}


@dataclass(frozen=True, kw_only=True)
class PrintSignature(taking(Metric, lists=True)):
    """Print the signature of a convention with settings: one line that names every setting that can move a score."""

    def run(self) -> None:
        """Print it."""
        sys.stdout.write(self.metric(quiet=False).signature() + "\n")


@dataclass(frozen=True)
class Rouge155:
    """ROUGE-1.5.5's own command line: the same options, the same output."""

    arguments: list[str]

    def run(self) -> None:
        """Run it; the exit code is its own."""
        from polyrouge.compat.rouge155 import command

        raise typer.Exit(command.main(self.arguments))


for _panel, _commands in {
    SCORING: {"score": Score, "compare": Compare, "check": Check, "benchmark": Benchmark},
    PAIRS: {"dedupe": Dedupe, "nearest": Nearest, "oracle": Oracle},
    LOOKING: {"report": Report, "examine": Examine, "context": Context, "agreement": Agreement, "app": Page},
    SETTINGS: {"settings": FindSettings, "conventions": ListConventions, "signature": PrintSignature},
}.items():
    for _name, _command in _commands.items():
        # A paragraph of a docstring is one line for the terminal to wrap.
        _paragraphs = inspect.cleandoc(_command.__doc__ or "").split("\n\n")
        _help = "\n\n".join(" ".join(paragraph.split()) for paragraph in _paragraphs)
        app.command(_name, help=_help, rich_help_panel=_panel)(_command)


@app.command(
    name="rouge155",
    rich_help_panel=SCORING,
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []},
    add_help_option=False,
    help=Rouge155.__doc__,
)
def rouge155(context: typer.Context) -> Rouge155:
    """Take all that follows as arguments of ROUGE-1.5.5."""
    return Rouge155(list(context.args))
