"""``python -m polyrouge``: the command."""

from .command_line import main

main()
