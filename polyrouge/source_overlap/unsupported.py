"""Numbers and names that a prediction has and its source lacks: what ROUGE cannot see, and a reader should look at.

This is a search by rules, not a judgement: a number that was worked out, or a name in another spelling, is listed too,
and a false sentence made of the source's own words is not.
"""

from __future__ import annotations

import functools
import unicodedata
from typing import NamedTuple

import regex

_NUMBER = regex.compile(r"(?<![\p{Latin}\d])\d+(?:[.,:/]\d+)*")
_THOUSANDS = regex.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_TITLE = regex.compile(r"《([^《》]{1,40})》")
_CASED = r"\p{Lu}\p{Ll}\p{M}\p{Nd}"  # letters of scripts that have capitals, marks and digits
_WORD = rf"\p{{Lu}}[{_CASED}'’-]*"
_NAME = regex.compile(rf"(?<![{_CASED}]){_WORD}(?:[ .]{{1,2}}{_WORD})*")
_WORDS = regex.compile(rf"[{_CASED}]+")
_UNCASED = regex.compile(r"\p{Lo}")
# Matched backwards from the end that it is given, so that what stands before is not searched.
_SENTENCE_END = regex.compile(r"(?r)(?:^|[.!?:;。！？：；…\n])[\s\"'“”‘’«»(（\[]*")


class Unsupported(NamedTuple):
    """What a prediction has and its source lacks, each once, in order.

    Attributes:
        numbers: as they are written in the prediction.
        names: runs of words with capitals, and titles in 《》.
    """

    numbers: tuple[str, ...]
    names: tuple[str, ...]


def unsupported_parts(prediction: str, source: str) -> Unsupported:
    """Numbers and names of a prediction that are nowhere in its source.

    A number is a run of digits with points, commas, colons or slashes inside; separators of thousands and full-width
    forms make no difference. A name is a run of words that begin with a capital, in scripts that have capitals, or what
    stands in 《》; the first word of a sentence alone is none. It is there if all its words are in the source, in any
    case.

    Args:
        prediction: a text.
        source: the text that it was made from.
    """
    return lacking_parts(prediction, KnownParts(source))


class KnownParts:
    """What a source has, for several predictions."""

    def __init__(self, source: str) -> None:
        self._plain = unicodedata.normalize("NFKC", source)
        self._folded = self._plain.casefold()

    @functools.cached_property
    def numbers(self) -> set[str]:
        """Its numbers, without what may differ."""
        return {_plain_number(each) for each in _NUMBER.findall(self._plain)}

    def has_name(self, name: str) -> bool:
        """Whether all words of a name stand in it; one of a script without capitals, the name itself."""
        folded = name.casefold()
        if _UNCASED.search(name) is not None:
            return folded in self._folded
        return all(map(self._has_word, _WORDS.findall(folded)))

    def _has_word(self, word: str) -> bool:
        """Whether a word stands in it and is no part of a longer one."""
        text = self._folded
        start = text.find(word)
        while start >= 0:
            end = start + len(word)
            if not _is_of_word(text[start - 1 : start]) and not _is_of_word(text[end : end + 1]):
                return True
            start = text.find(word, start + 1)
        return False


@functools.lru_cache(maxsize=4096)
def _is_of_word(character: str) -> bool:
    return _WORDS.match(character) is not None


def lacking_parts(prediction: str, known: KnownParts) -> Unsupported:
    """``unsupported_parts`` of a source that is known."""
    ours = unicodedata.normalize("NFKC", prediction)
    numbers = [each for each in _NUMBER.findall(ours) if _plain_number(each) not in known.numbers]
    names = [each for each in _names(ours) if not known.has_name(each)]
    return Unsupported(tuple(dict.fromkeys(numbers)), tuple(dict.fromkeys(names)))


def _plain_number(number: str) -> str:
    """Without separators of thousands, and without zeros at the end of a fraction."""
    plain = _THOUSANDS.sub("", number) if "," in number else number
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def _names(text: str) -> list[str]:
    names = [(match.start(), match[1]) for match in _TITLE.finditer(text)]
    for match in _NAME.finditer(text):
        name = match[0].rstrip(".-'’")
        starts_sentence = _SENTENCE_END.match(text, 0, match.start()) is not None
        if starts_sentence and " " not in name and "." not in name and not name[1:].isupper():
            continue
        if len(name) > 1:
            names.append((match.start(), name))
    return [name for _, name in sorted(names)]
