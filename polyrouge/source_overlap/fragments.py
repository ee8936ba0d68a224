"""Extractive fragments: the runs of tokens that a summary shares with its source (Grusky et al. 2018, figure 3).

A source is kept as a string with one character for each of its different tokens, and so is what a prediction has of
them: then Python's own search, in C, finds where a run stands.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NamedTuple

_NOWHERE = "\0"  # stands for each token that the source lacks
_MOST_DIFFERENT = sys.maxunicode  # characters but that one
_FIRST = "".join(map(chr, range(1, 5_001)))  # for most sources; made once


class Fragment(NamedTuple):
    """A run of tokens that both texts have."""

    prediction: int  # place of its first token there
    source: int  # likewise
    length: int  # tokens, 1 or more


class SourceTokens:
    """The tokens of a source, for several predictions: ``characters``, one for each token, the same for the same."""

    def __init__(self, tokens: Sequence[str]) -> None:
        different = dict.fromkeys(tokens)
        if len(different) > _MOST_DIFFERENT:
            raise ValueError(
                f"A source has {len(different):,} different tokens; the most is {_MOST_DIFFERENT:,}. Cut it in parts."
            )
        characters = _FIRST if len(different) <= len(_FIRST) else map(chr, range(1, _MOST_DIFFERENT + 1))
        self._characters = dict(zip(different, characters, strict=False))
        self.characters = "".join(map(self._characters.__getitem__, tokens))

    def __len__(self) -> int:
        return len(self.characters)

    def characters_of(self, prediction: Sequence[str]) -> str:
        """The characters of a prediction's tokens; that of all tokens which the source lacks is in no source."""
        character = self._characters.get
        return "".join([character(token, _NOWHERE) for token in prediction])


def longest_runs(prediction: Sequence[str], source: SourceTokens, most: int) -> list[int]:
    """For each token of a prediction how long a run that begins with it is somewhere in the source, up to ``most``."""
    theirs = source.characters
    runs: list[int] = []
    for piece in source.characters_of(prediction).split(_NOWHERE):
        size = len(piece)
        length = 1
        for start in range(size):
            if length > 1:
                length -= 1  # behind a run's first token stands the rest of it
            end = start + length
            while end < size and length < most and piece[start : end + 1] in theirs:
                length, end = length + 1, end + 1
            runs.append(length)
        runs.append(0)  # of the token between this piece and the next
    return runs[:-1]


def extractive_fragments(
    prediction: Sequence[str], source: SourceTokens, runs: Sequence[int] | None = None
) -> list[Fragment]:
    """The fragments of a prediction, from left to right; ``runs`` are its ``longest_runs``, up to 2 or more.

    At each token the longest run is taken that the source has too, the first one of these, and the search goes on
    behind it. As in the paper, a run that was looked at is stepped over in the source, so one that begins inside it is
    not seen. A run of one token steps over nothing, so only those of two or more are looked at one by one.
    """
    runs = longest_runs(prediction, source, 2) if runs is None else runs
    ours, theirs = source.characters_of(prediction), source.characters
    n_ours, n_theirs = len(ours), len(theirs)
    fragments = []
    start = 0
    while start < n_ours:
        length, first = 0, -1
        if runs[start] < 2:
            if runs[start]:
                fragments.append(Fragment(start, theirs.find(ours[start]), 1))
            start += 1
            continue
        two = ours[start : start + 2]
        place = theirs.find(two)
        while place >= 0:
            here, there = start + 2, place + 2
            while here < n_ours and there < n_theirs and ours[here] == theirs[there]:
                here, there = here + 1, there + 1
            if here - start > length:
                length, first = here - start, place
            place = theirs.find(two, there)
        fragments.append(Fragment(start, first, length))
        start += length
    return fragments
