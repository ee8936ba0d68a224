"""Change a text by edits, which say where each piece of the changed text is from."""

import re
from collections.abc import Callable, Iterator, Sequence

Edit = tuple[int, int, str]
"""Start, stop and replacement of a piece."""

Edits = Callable[[str], Iterator[Edit]]
"""Yield the edits of a text, sorted and disjoint."""


def edited(text: str, passes: Sequence[Edits]) -> str:
    """Apply the edits of each pass to what the pass before it has left."""
    for edits_of in passes:
        pieces = []
        position = 0
        for start, stop, replacement in edits_of(text):
            pieces += (text[position:start], replacement)
            position = stop
        if pieces:
            text = "".join([*pieces, text[position:]])
    return text


def replacing(pattern: re.Pattern[str], replace: Callable[[str], str] | str) -> Edits:
    """Make a pass that replaces each match of a pattern by a text, or by what a function makes of the match."""

    def edits(text: str) -> Iterator[Edit]:
        for match in pattern.finditer(text):
            replacement = replace if isinstance(replace, str) else replace(match[0])
            if replacement != match[0]:
                yield match.start(), match.end(), replacement

    return edits
