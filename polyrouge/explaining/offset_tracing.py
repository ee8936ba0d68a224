"""Texts made from other texts, whose every character knows which of the original it came from."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from polyrouge.texts.model_output import PASSES, Edit
from polyrouge.tools.rouge_chinese import clean_as_opencompass

_PERL_BLANKS = " \t\n\v\f\r"  # what separates words under max_words
_VOWELS_AND_FINALS = range(0x1161, 0x1200)  # Hangul letters that join the syllable before them


class TracedText(NamedTuple):
    """A text made from another: character i of it came from characters starts[i] ... ends[i] - 1."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def part(self, start: int, end: int) -> TracedText:
        """A piece of it."""
        return TracedText(self.text[start:end], self.starts[start:end], self.ends[start:end])

    def edited(self, edits: Iterable[Edit]) -> TracedText:
        """With pieces replaced, in order; each character that is put in is from the whole piece."""
        pieces: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        place = 0
        for start, stop, new in (*edits, (len(self.text), len(self.text), "")):
            pieces += (self.text[place:start], new)
            starts += [*self.starts[place:start], *(self.starts[start] for _ in new)]
            ends += [*self.ends[place:start], *(self.ends[stop - 1] for _ in new)]
            place = stop
        return TracedText("".join(pieces), starts, ends)


def joined(parts: Sequence[TracedText | None], separator: str = "\n") -> TracedText | None:
    """The parts with a separator, which came from nowhere, between each two; None if a part is None."""
    texts, starts, ends = [], [], []
    for part in parts:
        if part is None:
            return None
        if texts:
            here = ends[-1] if ends else 0
            starts.append(here)
            ends.append(here)
        texts.append(part.text)
        starts += part.starts
        ends += part.ends
    return TracedText(separator.join(texts), starts, ends)


def between(original: TracedText, separator: str) -> list[TracedText]:
    """What stands between the separators of a text, without empty pieces."""
    pieces, start = [], 0
    for piece in original.text.split(separator):
        pieces.append(original.part(start, start + len(piece)))
        start += len(piece) + len(separator)
    return [piece for piece in pieces if piece.text]


def prefix(
    part: str, source: TracedText, is_blank: Callable[[str], bool] = _PERL_BLANKS.__contains__
) -> TracedText | None:
    """A part that its source begins with, but for the number of blanks, as length limits leave it; or None."""
    starts, ends, at = [], [], 0
    for character in part:
        while not is_blank(character) and at < len(source.text) and is_blank(source.text[at]):
            at += 1
        if source.text[at : at + 1] == character:
            starts.append(source.starts[at])
            ends.append(source.ends[at])
            at += 1
        elif is_blank(character):  # it came from nowhere
            here = ends[-1] if ends else 0
            starts.append(here)
            ends.append(here)
        else:
            return None
    return TracedText(part, starts, ends)


def lowered(traced: TracedText, *, rule: bool | str = True, one_by_one: bool = False) -> TracedText:
    """``str.lower`` of the whole: it never makes fewer characters of one, and its context rules never more.

    ``rule``: a value of ``lowercase`` other than False. ``one_by_one``: of each character by itself, as of jieba's
    words: no word of more than one has a Σ, the only character whose lower case depends on others.
    """
    if rule == "fold":
        folded = ((place, place + 1, each.casefold()) for place, each in enumerate(traced.text))
        return traced.edited(edit for edit in folded if edit[2] != traced.text[edit[0]])
    if rule == "ascii":
        characters = (character.lower() if character.isascii() else character for character in traced.text)
        return traced._replace(text="".join(characters))
    text = "".join(map(str.lower, traced.text)) if one_by_one else traced.text.lower()
    if len(text) > len(traced.text):
        small = [character.lower() for character in traced.text]
        traced = traced.edited((place, place + 1, each) for place, each in enumerate(small) if len(each) > 1)
    return traced._replace(text=text)


def normalized(traced: TracedText, form: Literal["NFC", "NFKC"]) -> TracedText:
    """NFC or NFKC of the whole, cluster by cluster: each character of a changed cluster is from all of it."""
    if unicodedata.is_normalized(form, traced.text):
        return traced
    starts = (place for place, character in enumerate(traced.text) if place and not _may_join(character))
    clusters = pairwise((0, *starts, len(traced.text)))
    edits = ((start, stop, unicodedata.normalize(form, traced.text[start:stop])) for start, stop in clusters)
    return traced.edited(edit for edit in edits if edit[2] != traced.text[edit[0] : edit[1]])


def translated(traced: TracedText, characters: Mapping[int, str]) -> TracedText:
    """``str.translate`` of the whole."""
    places = ((place, characters.get(ord(character))) for place, character in enumerate(traced.text))
    return traced.edited((place, place + 1, new) for place, new in places if new is not None)


def _may_join(character: str) -> bool:
    """Whether NFC and NFKC may join a character with the one before it."""
    if character.isascii():
        return False
    first = unicodedata.normalize("NFKD", character)[0]
    is_mark = unicodedata.combining(first) != 0 or unicodedata.category(first).startswith("M")
    return is_mark or ord(first) in _VOWELS_AND_FINALS


def prepared(text: str, result: str, *, clean: str | None, normalize: str | None) -> TracedText | None:
    """Trace ``result``, a text after NFC (for any ``normalize``), cleaning and changes of blanks; None if it is not."""
    source: TracedText | None = TracedText(text, range(len(text)), range(1, len(text) + 1))
    if result == text:
        return source
    if normalize is not None:
        source = normalized(source, "NFC")
    if clean == "model_output":
        for edits_of in PASSES:
            source = source.edited(edits_of(source.text))
    elif clean is not None:
        source = _cleaned(source)
    if source is not None and clean is not None and normalize is not None:
        source = normalized(source, "NFC")
    return None if source is None else prefix(result, source, str.isspace)


def _cleaned(source: TracedText) -> TracedText | None:
    """``clean_as_opencompass`` word by word: each piece between blanks is a word without its marks, or none."""
    words = clean_as_opencompass(source.text).split()
    parts: list[TracedText] = []
    for piece in re.finditer(r"\S+", source.text):
        word = clean_as_opencompass(piece[0])
        if len(parts) < len(words) and word and word == words[len(parts)]:
            starts, ends, place = [], [], piece.start()
            for character in word:
                place = source.text.index(character, place) + 1
                starts.append(source.starts[place - 1])
                ends.append(source.ends[place - 1])
            parts.append(TracedText(word, starts, ends))
    return joined(parts, " ") if len(parts) == len(words) else None
