"""``python -m polyrouge``: the command."""

from .cli.command_line import main

main()
