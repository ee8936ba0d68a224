"""Numbers and names that a prediction has and its source lacks: what ROUGE cannot see, and a reader should look at.

This is a search by rules, not a judgement: a number that was worked out, or a name in another spelling, is listed too,
and a false sentence made of the source's own words is not.
"""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

import regex

_NUMBER = regex.compile(r"(?<![\p{Latin}\d])\d+(?:[.,:/]\d+)*")
_TITLE = regex.compile(r"《([^《》]{1,40})》")
_CASED = r"\p{Lu}\p{Ll}\p{M}\p{Nd}"  # letters of scripts that have capitals, marks and digits
_WORD = rf"\p{{Lu}}[{_CASED}'’-]*"
_NAME = regex.compile(rf"(?<![{_CASED}]){_WORD}(?:[ .]{{1,2}}{_WORD})*")
_WORDS = regex.compile(rf"[{_CASED}]+")
_UNCASED = regex.compile(r"\p{Lo}")
_SENTENCE_END = regex.compile(r"(?:^|[.!?:;。！？：；…\n])[\s\"'“”‘’«»(（\[]*$")


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
    return lacking_parts(prediction, known_parts(source))


class KnownParts(NamedTuple):
    """What a source has.

    Attributes:
        folded: the text, in one case.
        words: of it.
        numbers: without separators.
    """

    folded: str
    words: set[str]
    numbers: set[str]


def known_parts(source: str) -> KnownParts:
    """What a source has, for several predictions."""
    plain = unicodedata.normalize("NFKC", source)
    folded = plain.casefold()
    return KnownParts(folded, set(_WORDS.findall(folded)), {_plain_number(each) for each in _NUMBER.findall(plain)})


def lacking_parts(prediction: str, known: KnownParts) -> Unsupported:
    """See ``unsupported_parts``."""
    ours = unicodedata.normalize("NFKC", prediction)
    numbers = [each for each in _NUMBER.findall(ours) if _plain_number(each) not in known.numbers]
    names = [each for each in _names(ours) if not _is_known(each, known.folded, known.words)]
    return Unsupported(tuple(dict.fromkeys(numbers)), tuple(dict.fromkeys(names)))


def _plain_number(number: str) -> str:
    """Without separators of thousands, and without zeros at the end of a fraction."""
    plain = regex.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", number)
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def _names(text: str) -> list[str]:
    found = [(match.start(), match[1]) for match in _TITLE.finditer(text)]
    for match in _NAME.finditer(text):
        name = match[0].rstrip(".-'’")
        starts_sentence = _SENTENCE_END.search(text[: match.start()]) is not None
        if starts_sentence and regex.search(r"[ .]", name) is None and not name[1:].isupper():
            continue
        if len(name) > 1:
            found.append((match.start(), name))
    return [name for _, name in sorted(found)]


def _is_known(name: str, folded: str, words: set[str]) -> bool:
    if _UNCASED.search(name) is not None:
        return name.casefold() in folded
    return all(part in words for part in _WORDS.findall(name.casefold()))
