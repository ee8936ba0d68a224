"""Tables for the compiled tokenizers: the class of each Unicode code point, and the code point as which it is compared.

Built from the same sources as the plain tokenizers: ``str.lower``, ``str.isspace`` and the patterns of
``texts/tokenizers.py``.
"""

import functools
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.compiled import kernels
from polyrouge.texts.sentences import CHINESE_SENTENCE_MARKS, LINE_BREAKS
from polyrouge.texts.tokenizers import HAN, UNSPACED_SCRIPTS, script_patterns

# Texts with one of these are lower-cased before the kernel: the two characters that str.lower does not map to one
# character in every context, and the Kelvin sign, whose lower case is ASCII (which a stemmer must see).
LOWERED_BEFORE = ("İ", "Σ", "\u212a")

_N_POINTS = 0x110000
_SURROGATES = range(0xD800, 0xE000)
_UNUSED_PLANES = (4, 14)  # first, and one after the last
# Flags that characters set for their text, so that Python looks at few texts; a flag may be set in vain.
_FLAGGED = (
    # ``lookalikes.TRIGGERS``, the scripts that ``zh_char`` leaves in one piece, such as Thai and kana, and neighbours;
    # but no letter of French or German except ß, no Vietnamese, Han or Hangul, and no usual mark
    (
        kernels.NEEDS_A_LOOK,
        "AA-BF DF 130-133 13F-140 149 17F 1C0-1FF 2B0-2FF 307 340-37F 3C2 3D0-3FF 580-5BF 600-6FF E00-1DFF 1E9A-1E9F"
        " 2000-200F 2028-202F 2040-209F 20A8 2100-218F 2440-24FF 2C40-2FFF 3036-303A 3040-33FF A000-ABFF FB00-FEFF"
        " FF10-FF19 FF21-FF5A FF66-FFDF 10000-1F2FF 1FBC0-1FBFF C0000-10FFFF",
    ),
    # all characters of texts that are not in NFC, and neighbours; but few letters, marks, CJK and emoji
    (
        kernels.MAY_BE_DECOMPOSED,
        "300-37F 387 480-1DFF 1F00-2001 20C0-213F 2300-233F 2AC0-2AFF 2C00-2FFF 302A-302F 3097-309C A000-ABFF F900-FB7F"
        " FE00-FE3F 10000-1EFFF 2F000-10FFFF",
    ),
    (kernels.HAS_HANGUL, "AC00-D7BF"),
)


class CharacterTable(NamedTuple):
    """The classes of all code points under one tokenizer; see ``kernels/_kernels.pyx``."""

    # [0x110000]: class, ENDS_SENTENCE, flags, and from bit LOWER on the code point as which each is compared
    points: NDArray[np.int32]
    begins_mark: NDArray[np.bool_]  # [256]: bytes with which the UTF-8 of a MARK or INNER may begin
    lone_marks: bool  # a mark that follows no character of a token is a token
    ascii_words: bool  # of ASCII, letters and digits are WORD, and all else is SEPARATOR


@functools.lru_cache(maxsize=16)
def character_table(
    tokenizer: str, keep_punctuation: bool, lowercase: bool, *, for_ascii: bool = False, alone: bool = False
) -> CharacterTable:
    """Make the table of a compiled tokenizer, or of jieba; ``for_ascii`` saves the 0.1 s of all other characters.

    ``alone``: letters of ``LOWERED_BEFORE`` stand alone when they are lower-cased; only İ becomes two characters.
    """
    n_points = 128 if for_ascii or tokenizer in ("ascii", "rouge155") else _N_POINTS
    needs_lowering = lowercase and not alone
    lowercase = lowercase or tokenizer == "rouge155"
    lower = _lower_points(n_points) if lowercase else np.arange(n_points, dtype=np.int32)
    if lowercase and alone and n_points > 0x212A:
        lower = lower.copy()
        lower[[0x3A3, 0x212A]] = ord("σ"), ord("k")
    classes = (_classes_of_ascii if n_points == 128 else _classes)(tokenizer, keep_punctuation)[lower]
    points = np.full(_N_POINTS, kernels.SEPARATOR, np.int32)
    points[:n_points] = lower << kernels.LOWER | classes
    points[[ord(mark) for mark in CHINESE_SENTENCE_MARKS + LINE_BREAKS]] |= kernels.ENDS_SENTENCE
    for flag, ranges in _FLAGGED:
        for ends in ranges.split(" "):
            first, _, last = ends.partition("-")
            points[int(first, 16) : int(last or first, 16) + 1] |= flag
    if needs_lowering:
        points[list(map(ord, LOWERED_BEFORE))] |= kernels.HAS_ODD_CASE
    begins_mark = np.zeros(256, np.bool_)
    marks = np.flatnonzero((classes == kernels.MARK) | (classes >= kernels.INNER)).tolist()
    begins_mark[[chr(point).encode()[0] for point in marks]] = True
    ascii_words = bool(np.array_equal(classes[:128], _classes_of_ascii("ascii", False)))
    lone_marks = keep_punctuation and tokenizer in ("mixed", "zh_char")
    return CharacterTable(points, begins_mark, lone_marks, ascii_words)


def _classes_of_ascii(tokenizer: str, keep: bool) -> NDArray[np.uint8]:
    """Return the start of ``_classes`` without regex, which is slow to import."""
    classes = np.full(128, kernels.SEPARATOR, np.uint8)
    for point in range(128):
        character = chr(point)
        if character.isalnum():
            classes[point] = kernels.OTHER if tokenizer == "char" else kernels.WORD
        elif tokenizer in ("mixed", "zh_char"):
            classes[point] = kernels.OTHER if keep and "!" <= character <= "~" else kernels.SEPARATOR
        elif tokenizer == "hanzi":
            classes[point] = kernels.SEPARATOR if character.isspace() else kernels.WORD
        elif tokenizer in ("char", "jieba", "space") and (keep or tokenizer == "space") and not character.isspace():
            word_class = kernels.WORD if keep else kernels.RUN_ONLY
            classes[point] = kernels.OTHER if tokenizer == "char" else word_class
    return classes


def _classes(tokenizer: str, keep: bool) -> NDArray[np.uint8]:
    """Return the class of each lower-cased code point."""
    classes = np.full(_N_POINTS, kernels.SEPARATOR, np.uint8)
    if tokenizer in ("char", "jieba", "space"):
        visible = _points_of("".join(_all_points(_N_POINTS).split()))
        if tokenizer == "space":
            classes[visible] = kernels.RUN_ONLY
        words = visible if keep else _points_matching(r"[\p{L}\p{M}\p{N}]")
        classes[words] = kernels.OTHER if tokenizer == "char" else kernels.WORD
        return classes
    if tokenizer == "hanzi":
        classes[_points_of("".join(_all_points(_N_POINTS).split()))] = kernels.WORD
        classes[0x4E00:0x9FA6] = kernels.SINGLE
        return classes
    patterns = script_patterns(UNSPACED_SCRIPTS if tokenizer == "mixed" else (HAN,))
    if keep:
        classes[_points_matching(patterns.other)] = kernels.OTHER
    inner = _points_matching(patterns.inner)
    classes[inner] = np.where(classes[inner] == kernels.OTHER, kernels.INNER_OR_OTHER, kernels.INNER)
    classes[_points_matching(r"\p{M}")] = kernels.MARK
    classes[_points_matching(patterns.start)] = kernels.WORD
    classes[_points_matching(patterns.single)] = kernels.SINGLE
    return classes


@functools.cache
def _all_points(n_points: int) -> str:
    """Return the first code points except surrogates, in order."""
    points = np.arange(n_points, dtype="<i4")
    is_surrogate = (points >= _SURROGATES.start) & (points < _SURROGATES.stop)
    return points[~is_surrogate].tobytes().decode("utf-32-le")


def _points_of(text: str) -> NDArray[np.int32]:
    return np.frombuffer(text.encode("utf-32-le"), "<i4")


def _points_matching(pattern: str) -> NDArray[np.int32]:
    """Return the code points that a pattern of one character matches."""
    import regex

    points = _all_points(_N_POINTS)
    start, end = (plane * 0x10000 - len(_SURROGATES) for plane in _UNUSED_PLANES)
    find = regex.compile(f"(?:{pattern})+", regex.VERSION1).findall
    # One point stands for the unused planes, which are half of all points and would take most of the time.
    unused_matches = points[start:end] if find(points[start : start + 1]) else ""
    return _points_of("".join([*find(points[:start]), unused_matches, *find(points[end:])]))


@functools.cache
def _lower_points(n_points: int) -> NDArray[np.int32]:
    """Apply ``str.lower`` to the first code points; letters of ``LOWERED_BEFORE`` stay unchanged."""
    points = np.arange(n_points, dtype=np.int32)
    text = _all_points(n_points)
    for character in LOWERED_BEFORE:
        text = text.replace(character, "\0")
    points[_points_of(_all_points(n_points))] = _points_of(text.lower())
    unchanged = [ord(character) for character in LOWERED_BEFORE if ord(character) < n_points]
    points[unchanged] = unchanged
    return points
