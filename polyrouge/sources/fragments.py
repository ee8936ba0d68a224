"""Extractive fragments: the runs of tokens that a summary shares with its source (Grusky et al. 2018, figure 3)."""

from __future__ import annotations

from collections.abc import Sequence
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
    """The tokens of a source, with the places of each, for several predictions.

    Attributes:
        tokens: in order.
        places: for each token where it stands, from left to right.
    """

    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens = tokens
        self.places: dict[str, list[int]] = {}
        for place, token in enumerate(tokens):
            self.places.setdefault(token, []).append(place)

    def __len__(self) -> int:
        return len(self.tokens)


def longest_runs(prediction: Sequence[str], source: SourceTokens, most: int) -> list[int]:
    """For each token of a prediction how long a run that begins with it is somewhere in the source, up to ``most``."""
    found = []
    for start, token in enumerate(prediction):
        longest = 0
        for place in source.places.get(token, ()):
            longest = max(longest, _shared_length(prediction, start, source.tokens, place, most))
            if longest == most:
                break
        found.append(longest)
    return found


def extractive_fragments(prediction: Sequence[str], source: SourceTokens) -> list[Fragment]:
    """The fragments of a prediction, from left to right.

    At each token the longest run is taken that the source has too, the first one of these, and the search goes on
    behind it. As in the paper, a run that was looked at is stepped over in the source, so one that begins inside it is
    not seen.

    Args:
        prediction: tokens.
        source: its tokens.
    """
    found = []
    start = 0
    while start < len(prediction):
        best = Fragment(start, 0, 0)
        free = 0  # the first place of the source behind the run that was looked at last
        for place in source.places.get(prediction[start], ()):
            if place < free:
                continue
            length = _shared_length(prediction, start, source.tokens, place, len(prediction))
            free = place + length
            if length > best.length:
                best = Fragment(start, place, length)
        if best.length:
            found.append(best)
        start += max(best.length, 1)
    return found


def _shared_length(prediction: Sequence[str], start: int, source: Sequence[str], place: int, most: int) -> int:
    length = 0
    most = min(most, len(prediction) - start, len(source) - place)
    while length < most and prediction[start + length] == source[place + length]:
        length += 1
    return length
