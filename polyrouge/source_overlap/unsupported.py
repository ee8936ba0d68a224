"""Numbers and names that a prediction has and its source lacks: what ROUGE cannot see, and a reader should check.

The search goes by rules: it also lists numbers worked out from the source and names in another spelling, and it misses
false sentences made of the source's own words.
"""

import functools
import unicodedata
from typing import NamedTuple

import regex

from polyrouge.errors import shown_value

_NUMBER = regex.compile(r"(?<![\p{Latin}\d])\d+(?:[.,:/]\d+)*")
_THOUSANDS = regex.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_TITLE = regex.compile(r"《([^《》]{1,40})》")
_CASED = r"\p{Lu}\p{Ll}\p{M}\p{Nd}"  # letters of scripts that have capitals, marks and digits
_WORD = rf"\p{{Lu}}[{_CASED}'’-]*"
_NAME = regex.compile(rf"(?<![{_CASED}]){_WORD}(?:[ .]{{1,2}}{_WORD})*")
_WORDS = regex.compile(rf"[{_CASED}]+")
_UNCASED = regex.compile(r"\p{Lo}")
# (?r) matches backwards from the end, so that the text before is not searched.
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
    stands in 《》; the first word of a sentence alone is no name. A name is in the source if all its words are, in
    upper or lower case.

    Args:
        prediction: a text.
        source: the text that it was made from.

    Raises:
        TypeError: one of them is no text.
    """
    for name, text in (("prediction", prediction), ("source", source)):
        if not isinstance(text, str):
            raise TypeError(f"{name} is {shown_value(text)}; give a text.")
    return lacking_parts(prediction, KnownParts(source))


class KnownParts:
    """The numbers and words of a source, for several predictions."""

    def __init__(self, source: str) -> None:
        self._plain = unicodedata.normalize("NFKC", source)
        self._folded = self._plain.casefold()

    @functools.cached_property
    def numbers(self) -> set[str]:
        """The numbers, in plain form."""
        return {_plain_number(each) for each in _NUMBER.findall(self._plain)}

    def has_name(self, name: str) -> bool:
        """Whether the source has all words of a name, or the whole name in a script without capitals."""
        folded = name.casefold()
        if _UNCASED.search(name) is not None:
            return folded in self._folded
        return all(map(self._has_word, _WORDS.findall(folded)))

    def _has_word(self, word: str) -> bool:
        """Whether the source has a word, not only as part of a longer one."""
        text = self._folded
        start = text.find(word)
        while start >= 0:
            end = start + len(word)
            if not _in_word(text[start - 1 : start]) and not _in_word(text[end : end + 1]):
                return True
            start = text.find(word, start + 1)
        return False


@functools.lru_cache(maxsize=4096)
def _in_word(character: str) -> bool:
    return _WORDS.match(character) is not None


def lacking_parts(prediction: str, known: KnownParts) -> Unsupported:
    """``unsupported_parts`` of a source that was read before."""
    text = unicodedata.normalize("NFKC", prediction)
    numbers = [each for each in _NUMBER.findall(text) if _plain_number(each) not in known.numbers]
    names = [each for each in _names(text) if not known.has_name(each)]
    return Unsupported(tuple(dict.fromkeys(numbers)), tuple(dict.fromkeys(names)))


def _plain_number(number: str) -> str:
    """Without separators of thousands and zeros at the end of a fraction."""
    plain = _THOUSANDS.sub("", number) if "," in number else number
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def _names(text: str) -> list[str]:
    names = [(match.start(), match[1]) for match in _TITLE.finditer(text)]
    for match in _NAME.finditer(text):
        name = match[0].rstrip(".-'’")
        starts_sentence = _SENTENCE_END.match(text, 0, match.start()) is not None
        is_plain_word = " " not in name and "." not in name and not name[1:].isupper()
        if len(name) > 1 and not (starts_sentence and is_plain_word):
            names.append((match.start(), name))
    return [name for _, name in sorted(names)]
