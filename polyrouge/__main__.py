"""``python -m polyrouge``: the command."""

from polyrouge.cli.command_line import main

main()
