"""The sub-commands of ``polyrouge``."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from polyrouge.cli.benchmark_command import benchmark
from polyrouge.cli.check_command import check
from polyrouge.cli.command_options import LOOKING, PAIRS, SCORING, SETTINGS, Printing, option, takes_options
from polyrouge.cli.command_running import announce, reports_errors
from polyrouge.cli.pairs_commands import dedupe, nearest, oracle
from polyrouge.cli.report_commands import agreement, context, examine, report, settings
from polyrouge.cli.score_commands import compare, score
from polyrouge.conventions.registry import CONVENTIONS
from polyrouge.counting.loop import engine
from polyrouge.errors import needs_extra, visible
from polyrouge.metric import Rouge
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
)


@app.callback(invoke_without_command=True)
def main(version: Annotated[bool, option("Print the version, and which engine counts.", "--version")] = False) -> None:
    """ROUGE for every language and every published convention."""
    if version:
        typer.echo(f"{VERSION} ({engine()} engine)")
        raise typer.Exit


for _command in (score, compare, check, benchmark):
    app.command(rich_help_panel=SCORING)(_command)
for _command in (dedupe, nearest, oracle):
    app.command(rich_help_panel=PAIRS)(_command)
for _command in (report, examine, context, agreement):
    app.command(rich_help_panel=LOOKING)(_command)


@app.command(name="app", rich_help_panel=LOOKING)
@reports_errors
def run_page(
    port: Annotated[
        int | None, option("Port to listen at; the first free one from 7860 if not given.", min=1, max=65535)
    ] = None,
    host: Annotated[str, option("Address to listen at; 0.0.0.0 lets other machines in.")] = "127.0.0.1",
) -> None:
    """Open the web page on this machine."""
    announce("starting the page; press Ctrl-C to end it")
    from polyrouge.page import serve

    try:
        with needs_extra("The page", "page"):
            serve(server_name=host, **({"server_port": port} if port is not None else {}))
    except OSError as error:  # Gradio's: the port is taken
        raise ValueError(f"The page can't listen at {host}{f', port {port}' if port else ''}: {error}") from None


app.command(rich_help_panel=SETTINGS)(settings)


@app.command(rich_help_panel=SETTINGS)
@takes_options()
def conventions(out: Printing) -> None:
    """List the named conventions: what each reproduces, and its signature."""
    out.check()
    out.emit(_Conventions())


class _Conventions(Result):
    """The named conventions."""

    signature = f"v:{VERSION}"

    def tables(self, digits: int | None = None) -> list[ResultTable]:  # noqa: ARG002 there are no scores
        """A row for each."""
        rows = [(name, convention.reproduces) for name, convention in CONVENTIONS.items()]
        return [ResultTable("Conventions", ["name", "reproduces"], rows, 2)]

    def records(self) -> list[dict[str, Any]]:
        """A line for each, with its settings."""
        return [
            {"convention": name, "reproduces": convention.reproduces, "settings": convention.settings.signature()}
            for name, convention in CONVENTIONS.items()
        ]

    def notes(self) -> list[str]:
        """How to see settings."""
        return ["'polyrouge signature -c NAME' prints the settings of one."]

    def to_dict(self) -> dict[str, Any]:
        """The records."""
        return {"conventions": self.records()}


@app.command(rich_help_panel=SETTINGS)
@takes_options()
def signature(*, rouge: Rouge) -> None:
    """Print the signature of a convention with settings: one line that names every setting that can move a score."""
    sys.stdout.write(rouge.signature() + "\n")


@app.command(
    name="rouge155",
    rich_help_panel=SCORING,
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []},
    add_help_option=False,
)
@reports_errors
def rouge155(context: typer.Context) -> None:
    """ROUGE-1.5.5's own command line: the same options, the same output."""
    from polyrouge.compat.rouge155 import command

    raise typer.Exit(command.main(list(context.args)))
