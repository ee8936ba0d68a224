"""Texts made from other texts, whose every character knows which of the original it came from."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple

from polyrouge.texts.model_output import PASSES
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


def untouched(text: str) -> TracedText:
    """The original itself."""
    return TracedText(text, range(len(text)), range(1, len(text) + 1))


def joined(parts: Sequence[TracedText | None]) -> TracedText | None:
    r"""The parts with a line break, which came from nowhere, between each two."""
    starts: list[int] = []
    ends: list[int] = []
    texts = []
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
    return TracedText("\n".join(texts), starts, ends)


def between(original: TracedText, separator: str) -> list[TracedText]:
    """What stands between the separators of a text, without empty pieces."""
    pieces = []
    cursor = 0
    for piece in original.text.split(separator):
        if piece:
            pieces.append(original.part(cursor, cursor + len(piece)))
        cursor += len(piece) + len(separator)
    return pieces


def prefix(part: str, source: TracedText) -> TracedText | None:
    """A part that its source begins with, but for the number of blanks, as length limits leave it; or None."""
    return _spread(part, source, _PERL_BLANKS.__contains__)


def lowered(traced: TracedText, *, ascii_only: bool = False, one_by_one: bool = False) -> TracedText:
    """``str.lower`` of the whole: it never makes fewer characters of one, and its context rules never more.

    ``ascii_only``: A to Z only. ``one_by_one``: of each character by itself, as of jieba's words: no word of more than
    one has a Σ, the only character whose lower case depends on others.
    """
    if ascii_only:
        characters = (character.lower() if character.isascii() else character for character in traced.text)
        return traced._replace(text="".join(characters))
    text = "".join(map(str.lower, traced.text)) if one_by_one else traced.text.lower()
    if len(text) == len(traced.text):
        return traced._replace(text=text)
    starts, ends = [], []
    for character, start, end in zip(*traced, strict=True):
        size = len(character.lower())
        starts += [start] * size
        ends += [end] * size
    return TracedText(text, starts, ends)


def normalized(traced: TracedText, form: Literal["NFC", "NFKC"]) -> TracedText:
    """NFC or NFKC of the whole, cluster by cluster: each character of a changed cluster is from all of it."""
    if unicodedata.is_normalized(form, traced.text):
        return traced
    texts, starts, ends = [], [], []
    for begin, stop in _clusters(traced.text):
        cluster = traced.text[begin:stop]
        made = unicodedata.normalize(form, cluster)
        texts.append(made)
        if made == cluster:
            starts += traced.starts[begin:stop]
            ends += traced.ends[begin:stop]
        else:
            starts += [traced.starts[begin]] * len(made)
            ends += [traced.ends[stop - 1]] * len(made)
    return TracedText("".join(texts), starts, ends)


def _clusters(text: str) -> Iterable[tuple[int, int]]:
    """Cut where NFC and NFKC can't join what is before with what is behind."""
    begin = 0
    for place, character in enumerate(text):
        if place and not _may_join(character):
            yield begin, place
            begin = place
    if text:
        yield begin, len(text)


def _may_join(character: str) -> bool:
    """Whether a character's decomposition begins with one that can combine with what is before it."""
    if character.isascii():
        return False
    first = unicodedata.normalize("NFKD", character)[0]
    return (
        unicodedata.combining(first) != 0
        or unicodedata.category(first).startswith("M")
        or ord(first) in _VOWELS_AND_FINALS
    )


def prepared(text: str, made: str, *, clean: str | None, normalize: str | None) -> TracedText | None:
    """``made``, what a convention makes of a text first, traced: NFC for any form of ``normalize``, cleaning, blanks.

    None if it isn't made so. What is not cleaned keeps every visible character.
    """
    source: TracedText | None = untouched(text)
    if made == text:
        return source
    if normalize is not None:
        source = normalized(source, "NFC")
    if clean == "model_output":
        source = _without_model_output(source)
    elif clean is not None:
        source = _cleaned(source)
    if source is not None and clean is not None and normalize is not None:
        source = normalized(source, "NFC")
    return None if source is None else _spread(made, source, str.isspace)


def _without_model_output(source: TracedText) -> TracedText:
    """``clean_model_output``, edit by edit: what is put in is from all that it is put in for."""
    for edits_of in PASSES:
        text, starts, ends = "", [], []
        place = 0
        for start, end, made in (*edits_of(source.text), (len(source.text), len(source.text), "")):
            text += source.text[place:start] + made
            starts += [*source.starts[place:start], *[source.starts[start] for _ in made]]
            ends += [*source.ends[place:start], *[source.ends[end - 1] for _ in made]]
            place = end
        source = TracedText(text, starts, ends)
    return source


def _cleaned(source: TracedText) -> TracedText | None:
    """``clean_as_opencompass`` word by word: each piece between blanks is a word without its marks, or none."""
    text = source.text
    cleaned = clean_as_opencompass(text)
    words = cleaned.split()
    starts, ends, found = [], [], []
    at = 0
    for piece in text.split():
        begin = text.index(piece, at)
        at = begin + len(piece)
        word = clean_as_opencompass(piece)
        if len(found) < len(words) and word and word == words[len(found)]:
            place = begin
            for character in word:
                place = text.index(character, place) + 1
                starts.append(source.starts[place - 1])
                ends.append(source.ends[place - 1])
            found.append(word)
            starts.append(source.ends[at - 1])
            ends.append(source.ends[at - 1])
    if found != words:
        return None
    return TracedText(cleaned, starts[: len(cleaned)], ends[: len(cleaned)])


def _spread(made: str, source: TracedText, is_blank: Callable[[str], bool]) -> TracedText | None:
    """A text that its source begins with, but for blanks."""
    starts, ends = [], []
    at = 0
    for character in made:
        if not is_blank(character):
            while at < len(source.text) and is_blank(source.text[at]):
                at += 1
            if at == len(source.text) or source.text[at] != character:
                return None
        if at < len(source.text) and source.text[at] == character:
            starts.append(source.starts[at])
            ends.append(source.ends[at])
            at += 1
        else:  # a blank that came from nowhere
            here = ends[-1] if ends else 0
            starts.append(here)
            ends.append(here)
    return TracedText(made, starts, ends)
