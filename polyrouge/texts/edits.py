"""Change a text by edits, which say where each piece of the changed text is from."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Literal

_VOWELS_AND_FINALS = range(0x1161, 0x1200)  # Hangul letters that join the syllable before them

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


def normalizing(form: Literal["NFC", "NFD", "NFKC"]) -> Edits:
    """Make a pass that brings a text into a normal form, cluster by cluster."""

    def edits(text: str) -> Iterator[Edit]:
        if unicodedata.is_normalized(form, text):
            return
        starts = (position for position, character in enumerate(text) if position and not _may_join(character))
        for start, stop in pairwise((0, *starts, len(text))):
            cluster = text[start:stop]
            normal = unicodedata.normalize(form, cluster)
            if normal != cluster:
                yield start, stop, normal

    return edits


def _may_join(character: str) -> bool:
    """Say whether a normal form may join a character with the previous one."""
    if character.isascii():
        return False
    first = unicodedata.normalize("NFKD", character)[0]
    is_mark = unicodedata.combining(first) != 0 or unicodedata.category(first).startswith("M")
    return is_mark or ord(first) in _VOWELS_AND_FINALS


def by_character(replacement_of: Callable[[str], str]) -> Edits:
    """Make a pass that replaces each character by what a function makes of it."""

    def edits(text: str) -> Iterator[Edit]:
        changes: Mapping[str, str] = {character: replacement_of(character) for character in set(text)}
        for position, character in enumerate(text):
            if changes[character] != character:
                yield position, position + 1, changes[character]

    return edits
