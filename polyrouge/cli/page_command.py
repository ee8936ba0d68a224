"""The sub-command ``app``: the web page."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Annotated

import typer

from polyrouge.cli.command_options import LOOKING
from polyrouge.cli.command_running import announce, reports_errors


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="app", rich_help_panel=LOOKING)(run_page)


@reports_errors
def run_page(
    port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="Port to listen at; the first free one from 7860 if not given.")
    ] = None,
    host: Annotated[str, typer.Option(help="Address to listen at; 0.0.0.0 lets other machines in.")] = "127.0.0.1",
) -> None:
    """Open the web page on this machine."""
    if find_spec("gradio") is None:
        raise ImportError("The page needs gradio: pip install 'gradio[mcp]' jinja2")
    announce("starting the page; press Ctrl-C to end it")
    from polyrouge.page import serve

    try:
        serve(server_name=host, **({"server_port": port} if port is not None else {}))
    except OSError as error:  # Gradio's: the port is taken
        raise ValueError(f"The page can't listen at {host}{f', port {port}' if port else ''}: {error}") from None
