"""The steps that prepare a text before it is cut, by the names that ``prepare`` takes.

A step is one or more passes of edits (``texts/edits.py``), of which the text is made, and the places of its tokens in
the original. Each sees one text alone.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from polyrouge.texts.edits import Edit, Edits, edited, replacing
from polyrouge.texts.markup import MARKUP, SPACED_HAN
from polyrouge.texts.model_output import PASSES
from polyrouge.texts.patterns import pattern

SIDES = ("prediction", "reference")
"""What a step may be limited to, as in ``"prediction.strip"``."""


class Step(NamedTuple):
    """A row of ``STEPS``."""

    passes: tuple[Edits, ...]
    english: str  # what it does
    chinese: str


def _strip(text: str) -> Iterator[Edit]:
    start, stop = len(text) - len(text.lstrip()), len(text.rstrip())
    if start >= stop:  # nothing but blanks
        start = stop = len(text)
    if start:
        yield 0, start, ""
    if stop < len(text):
        yield stop, len(text), ""


def _first_line(text: str) -> Iterator[Edit]:
    start = len(text) - len(text.lstrip("\n"))
    if start:
        yield 0, start, ""
    stop = text.find("\n", start)
    if stop >= 0:
        yield stop, len(text), ""


def _lower(text: str) -> Iterator[Edit]:
    lowered, done = text.lower(), 0  # context decides some letters, but not their number
    for position, character in enumerate(text):
        size = len(character.lower())
        small = lowered[done : done + size]
        done += size
        if character != small:
            yield position, position + 1, small


# OpenCompass's general_postprocess
_OF_OPENCOMPASS = (
    replacing(pattern(r"[\n.,][\s\S]*"), ""),
    replacing(pattern(r"[^\w\s]"), ""),
    replacing(pattern(r"\b(?:a|an|the)\b", re.IGNORECASE), ""),
    _strip,
    replacing(pattern(r"\s+"), " "),
)

STEPS: dict[str, Step] = {
    "model_output": Step(
        PASSES,
        "leaves out what a language model writes beside its answer",
        "去掉大模型在答案之外输出的内容",
    ),
    "opencompass": Step(
        _OF_OPENCOMPASS,
        "scores what stands before the first line break, full stop or comma only",
        "只对第一个换行、英文句点或逗号之前的内容打分",
    ),
    "markup": Step(
        MARKUP,
        "takes out tags, special tokens and HTML entities, breaks lines at marks of sentences, and joins subwords",
        "去掉标签、特殊词元和 HTML 实体，在句子标记处换行，并把子词拼回去",
    ),
    "spaced_han": Step(SPACED_HAN, "takes out blanks between Chinese characters", "去掉汉字之间的空格"),
    "strip": Step((_strip,), "takes off blanks at both ends", "去掉首尾空白"),
    "first_line": Step((_first_line,), "keeps the first line that is not empty", "只留第一个非空行"),
    "lower": Step((_lower,), "lower-cases the text", "转小写"),
}
"""Every step by its name."""


def step_words(name: str) -> tuple[str, str]:
    """Say what a step does, in English and in Chinese."""
    side, _, step = name.rpartition(".")
    english = f" (of {side}s only)" if side else ""
    chinese = {"prediction": "（仅生成文本）", "reference": "（仅参考文本）"}.get(side, "")
    return STEPS[step].english + english, STEPS[step].chinese + chinese


def steps_of(names: Sequence[str], side: str) -> tuple[str, ...]:
    """Return the steps of predictions or of references, without the side in their names."""
    parts = (name.rpartition(".") for name in names)
    return tuple(step for of_side, _, step in parts if of_side in ("", side))


def passes_of(names: Sequence[str]) -> tuple[Edits, ...]:
    """Return the passes of steps, in order."""
    return tuple(edits_of for name in names for edits_of in STEPS[name].passes)


def preparation(names: Sequence[str]) -> Callable[[str], str]:
    """Make the function that applies steps, in order."""
    passes = passes_of(names)
    return lambda text: edited(text, passes)
