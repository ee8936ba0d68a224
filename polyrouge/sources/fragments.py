"""Extractive fragments: the runs of tokens that a summary shares with its source (Grusky et al. 2018, figure 3)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple


class Fragment(NamedTuple):
    """A run of tokens that both texts have.

    Attributes:
        prediction: place of its first token in the prediction.
        source: place of its first token in the source.
        length: number of tokens, 1 or more.
    """

    prediction: int
    source: int
    length: int


class SourceTokens:
    """The tokens of a source, with where they stand, for several predictions.

    Attributes:
        tokens: in order.
        first: for each token its first place.
        pairs: for each two neighbours where the first of them stands, from left to right. Few places have the same
            two, so that runs are found quickly.
    """

    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens = tokens
        self.first: dict[str, int] = {}
        self.pairs: dict[tuple[str, str], list[int]] = {}
        for place, token in enumerate(tokens):
            self.first.setdefault(token, place)
        for place, pair in enumerate(pairwise(tokens)):
            self.pairs.setdefault(pair, []).append(place)

    def __len__(self) -> int:
        return len(self.tokens)


def longest_runs(prediction: Sequence[str], source: SourceTokens, most: int) -> list[int]:
    """For each token of a prediction how long a run that begins with it is somewhere in the source, up to ``most``."""
    found = []
    for start, token in enumerate(prediction):
        longest = int(token in source.first)
        for place in _pair_places(prediction, start, source):
            longest = max(longest, _shared_length(prediction, start, source.tokens, place, most))
            if longest >= most:
                break
        found.append(min(longest, most))
    return found


def extractive_fragments(prediction: Sequence[str], source: SourceTokens) -> list[Fragment]:
    """The fragments of a prediction, from left to right.

    At each token the longest run is taken that the source has too, the first one of these, and the search goes on
    behind it. As in the paper, a run that was looked at is stepped over in the source, so one that begins inside it is
    not seen. A run of one token steps over nothing, so only those of two or more are looked at one by one.

    Args:
        prediction: tokens.
        source: its tokens.
    """
    found = []
    start = 0
    while start < len(prediction):
        first = source.first.get(prediction[start])
        if first is None:
            start += 1
            continue
        best = Fragment(start, first, 1)
        free = 0  # the first place of the source behind the run that was looked at last
        for place in _pair_places(prediction, start, source):
            if place < free:
                continue
            length = _shared_length(prediction, start, source.tokens, place, len(prediction))
            free = place + length
            if length > best.length:
                best = Fragment(start, place, length)
        found.append(best)
        start += best.length
    return found


def _pair_places(prediction: Sequence[str], start: int, source: SourceTokens) -> Sequence[int]:
    """Where the source has a token of the prediction and the one behind it."""
    if start + 1 >= len(prediction):
        return ()
    return source.pairs.get((prediction[start], prediction[start + 1]), ())


def _shared_length(prediction: Sequence[str], start: int, source: Sequence[str], place: int, most: int) -> int:
    """Length of the run that begins at both places, which is 2 or more."""
    length = 2
    most = min(most, len(prediction) - start, len(source) - place)
    while length < most and prediction[start + length] == source[place + length]:
        length += 1
    return length
