"""The steps that prepare a text before it is cut, by the names that ``prepare`` takes.

A step is one or more passes of edits (``texts/edits.py``), of which the text is made, and the places of its tokens in
the original. Each sees one text alone.
"""

import re
import string
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from polyrouge.texts.edits import Edit, Edits, by_character, edited, normalizing, replacing
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
    parts_han: bool = False  # whether Chinese characters have blanks between them afterwards


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

# CJK ideographs, as BERT and its copies tell them.
_HAN = (
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002b73f\U0002b740-\U0002b81f"
    "\U0002b820-\U0002ceaf\U0002f800-\U0002fa1f"
)
_ONE_BLANK = (_strip, replacing(pattern(r"\s+"), " "))
_IS_BLANK = pattern(r"\A\s*\Z")


def _without_control(character: str) -> str:
    """BERT's ``_clean_text``."""
    if character in " \t\n\r":
        return " "
    category = unicodedata.category(character)
    if category[0] == "C" or character == "\ufffd":
        return ""
    return " " if category == "Zs" else character


def _without_accent(character: str) -> str:
    return "" if unicodedata.category(character) == "Mn" else character


def _mark_apart(character: str) -> str:
    is_mark = unicodedata.category(character)[0] == "P" or character in string.punctuation
    return f" {character} " if is_mark else character


def _apart(character: str) -> str:
    return f" {character} "


# transformers' BasicTokenizer, lower-casing
_OF_BERT = (
    by_character(_without_control),
    replacing(pattern(f"[{_HAN}]"), _apart),
    normalizing("NFC"),
    _lower,
    normalizing("NFD"),
    by_character(_without_accent),
    by_character(_mark_apart),
    *_ONE_BLANK,
)
# ModelScope's rebuild_chinese_str; a text of blanks and full stops is not scored there
_MODELSCOPE_MARKS = (
    "＂＃＄％＆＇（）＊＋，－／：；＜＝＞＠［＼］＾＿｀｛｜｝～｟｠｢｣､\u3000、〃〈〉《》「」『』【】〔〕〖〗〘〙〚〛〜〝〞〟〰〾〿"
    "–—‘’‛“”„‟…‧﹏﹑﹔·！？｡。"
)
_OF_MODELSCOPE = (
    replacing(pattern(f"[{_HAN}{re.escape(_MODELSCOPE_MARKS)}]"), _apart),
    *_ONE_BLANK,
    replacing(pattern(r"\A[ .]+\Z"), ""),
)
# Marks of normalize_zh_answer, which LexEval and LV-Eval share
ZH_ANSWER_MARKS = string.punctuation + (
    "！？｡。＂＃＄％＆＇（）＊＋，－／：；＜＝＞＠［＼］＾＿｀｛｜｝～｟｠｢｣､、〃》「」『』【】〔〕〖〗〘〙〚〛〜〝〞〟〰〾〿–—‘’‛“”„‟…‧﹏."
)
_OF_LEXEVAL = (replacing(pattern(f"[{re.escape(ZH_ANSWER_MARKS)}\\s]+"), ""),)

STEPS: dict[str, Step] = {
    "model_output": Step(
        PASSES,
        "leaves out what a language model writes besides its answer",
        "去掉大模型在答案之外输出的内容",
    ),
    "opencompass": Step(
        _OF_OPENCOMPASS,
        "scores what stands before the first line break, full stop or comma only",
        "只对第一个换行、英文句点或逗号之前的内容打分",
    ),
    "lower": Step((_lower,), "lower-cases the text", "转小写"),
    "markup": Step(
        MARKUP,
        "takes out tags, special tokens, entities and Markdown, breaks lines at marks of sentences, and joins subwords",
        "去掉标签、特殊词元、HTML 实体和 Markdown 标记，在句子标记处换行，并把子词拼回去",
    ),
    "spaced_han": Step(SPACED_HAN, "takes out blanks between Chinese characters", "去掉汉字之间的空格"),
    "strip": Step((_strip,), "takes off blanks at both ends", "去掉首尾空白"),
    "first_line": Step((_first_line,), "keeps the first line that is not empty", "只留第一个非空行"),
    "line_breaks_to_blanks": Step((replacing(pattern("\n"), " "),), "makes blanks of line breaks", "换行改为空格"),
    "stops_end_lines": Step(
        (replacing(pattern(r" \. "), ".\n"),),
        "puts a line break in place of the blanks around a full stop",
        "英文句点两边的空格改为句点后换行",
    ),
    "bert_words": Step(
        _OF_BERT,
        "puts blanks between BERT's basic tokens: lower-cased, accents off, Chinese characters and marks apart",
        "按 BERT 的 BasicTokenizer 切开再用空格连接：转小写、去重音，汉字和标点逐个分开",
        parts_han=True,
    ),
    "modelscope_words": Step(
        _OF_MODELSCOPE,
        "puts blanks around Chinese characters and full-width marks; nothing is left of full stops and blanks alone",
        "在汉字和全角标点两边加空格；只有英文句点和空白的文本变为空",
        parts_han=True,
    ),
    "lexeval_marks": Step(
        _OF_LEXEVAL, "leaves out blanks, ASCII marks and Chinese marks", "去掉空白、英文标点和中文标点"
    ),
    "promptcblue_blank": Step((replacing(_IS_BLANK, "无 。"),), "writes 无 。 for a blank text", "空白文本改为“无 。”"),
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
