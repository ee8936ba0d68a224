"""Extractive fragments: the runs of tokens that a summary shares with its source (Grusky et al. 2018, figure 3).

Both texts become strings with one character for each different token of the source, so that Python's own search, in C,
finds a run.
"""

import sys
from collections.abc import Sequence
from typing import NamedTuple

_NOWHERE = "\0"  # for each token that the source lacks
_MOST_DIFFERENT = sys.maxunicode  # other characters
_FIRST = "".join(map(chr, range(1, 5_001)))  # enough for most sources


class Fragment(NamedTuple):
    """A run of tokens that both texts have."""

    prediction: int  # index of its first token
    source: int  # the same in the source
    length: int  # tokens, 1 or more


class SourceTokens:
    """The tokens of a source as ``characters``, for several predictions."""

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
        """The characters of a prediction's tokens; ``_NOWHERE`` for a token that the source lacks."""
        return "".join([self._characters.get(token, _NOWHERE) for token in prediction])


def longest_runs(prediction: Sequence[str], source: SourceTokens, most: int) -> list[int]:
    """For each token of a prediction, the length of the longest run from it on that the source has, up to ``most``."""
    theirs = source.characters
    runs: list[int] = []
    for piece in source.characters_of(prediction).split(_NOWHERE):
        length = 1
        for start in range(len(piece)):
            length = max(length - 1, 1)  # without its first token, the run before is a run too
            while length < min(most, len(piece) - start) and piece[start : start + length + 1] in theirs:
                length += 1
            runs.append(length)
        runs.append(0)  # the token between this piece and the next
    return runs[:-1]


def extractive_fragments(
    prediction: Sequence[str], source: SourceTokens, runs: Sequence[int] | None = None
) -> list[Fragment]:
    """The fragments of a prediction, from left to right; ``runs`` are its ``longest_runs``, up to 2 or more."""
    # At each token the longest run that the source has too counts, the first of equal ones. As in the paper, the search
    # in the source goes on behind each run, so a run that begins inside another is not seen.
    runs = longest_runs(prediction, source, 2) if runs is None else runs
    ours, theirs = source.characters_of(prediction), source.characters
    fragments = []
    start = 0
    while start < len(ours):
        length, first = min(runs[start], 1), theirs.find(ours[start])
        two = ours[start : start + 2]
        place = theirs.find(two) if runs[start] > 1 else -1
        while place >= 0:
            here, there = start + 2, place + 2
            while here < len(ours) and there < len(theirs) and ours[here] == theirs[there]:
                here, there = here + 1, there + 1
            if here - start > length:
                length, first = here - start, place
            place = theirs.find(two, there)
        if length:
            fragments.append(Fragment(start, first, length))
        start += max(length, 1)
    return fragments
