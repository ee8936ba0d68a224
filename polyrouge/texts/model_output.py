"""Remove what language models write besides their answer: the step ``"model_output"`` of ``prepare``.

The passes, in this order, each in linear time; docs/settings.md lists what they know:

1. Thoughts: from an opening mark to its closing mark, or to the end of the text if there is none. A closing mark
   without an opening one removes all text before it: chat templates put the opening mark into the prompt.
2. Control tokens become a blank, with the role or channel that they announce: ``<|im_start|>assistant``, ``</s>``.
3. HTML entities with their semicolon become their characters, twice: ``&nbsp;``, ``&#8203;``, ``&amp;nbsp;``.
4. Invisible characters are left out. Cf is that of Unicode 15, whatever Python's version knows.
5. Up to three marks of lists and headings at the start of a line are left out, but 3.5 stays.

Not changed: emphasis (``**``), code, links, and anything else within a line.
"""

import re
from collections.abc import Iterator

from polyrouge.texts.edits import Edit, Edits, replacing
from polyrouge.texts.patterns import pattern

_THOUGHT = "think|thinking|thought|reasoning|seed:think"
_CHANNEL = r"(?:<\|start\|>assistant)?<\|channel\|>"
_MARK = pattern(  # the group has the closing marks
    rf"<(?:{_THOUGHT})>|\[THINK\]|◁think▷|<\|open\|>think<\|sep\|>|<\|START_THINKING\|>|<\|begin_of_thought\|>"
    rf"|<\|channel>thought\b|{_CHANNEL}(?:analysis|commentary)[^<>|]*(?:<\|constrain\|>\w+)?<\|message\|>"
    rf"|(</(?:{_THOUGHT})>|\[/THINK\]|◁/think▷|<\|close\|>think<\|sep\|>|<\|END_THINKING\|>|<\|end_of_thought\|>"
    r"|<channel\|>|<\|end\|>(?=<\|start\|>assistant))"
)
_CONTROL = pattern(
    rf"{_CHANNEL}\w+[^<>|]*<\|message\|>|<\|(?:im_start|start|start_header_id)\|>(?:assistant|model)?"
    r"|<(?:\|turn|start_of_turn)>(?:model)?|<turn\|>|<\|channel>\w*"
    r"|<\|[^<>|\s]{1,64}\|>|<｜[^<>｜\s]{1,64}｜>|</?(?:s|answer)>|<(?:pad|unk|bos|eos|end_of_turn)>"
    r"|\[(?:/?INST|PAD|CLS|SEP|UNK)\]"
)
ENTITY = pattern(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
UNSEEN = (  # left out by pass 4; the inside of a class of a regular expression
    "\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f"
    "\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0001\U000e0020-\U000e007f"  # Cf
    "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"  # Co
    "\u034f\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"  # the grapheme joiner, variation selectors
)
_UNSEEN = pattern(f"[{UNSEEN}]+")
_NUMERAL = "[一二三四五六七八九十百]"
LINE_MARK = pattern(
    r"^[^\S\n]*(?:(?:#{1,6}[^\S\n]|[-*+][^\S\n]|[•●○▪■◆◦‣·]|[0-9]{1,3}[.、)）](?![0-9])|[(（][0-9]{1,3}[)）]"
    rf"|[(（]{_NUMERAL}{{1,3}}[)）]|{_NUMERAL}{{1,3}}、(?!{_NUMERAL}))[^\S\n]*){{1,3}}",
    re.MULTILINE,
)


def has_thoughts(text: str) -> bool:
    """Say whether a text has a mark of thoughts."""
    # Most texts have none of these characters, which is quicker to check.
    return ("<" in text or "[" in text or "◁" in text) and _MARK.search(text) is not None


def _thoughts(text: str) -> Iterator[Edit]:
    last_stop, opened = 0, -1  # end of the last thought, and start of the open one
    for mark in _MARK.finditer(text):
        if not mark[1]:
            opened = mark.start() if opened < 0 else opened
            continue
        yield (last_stop if opened < 0 else opened), mark.end(), ""
        last_stop, opened = mark.end(), -1
    if opened >= 0:
        yield opened, len(text), ""


def unescape(entity: str) -> str:
    """Return the characters of an HTML entity."""
    import html.entities  # slow to import

    return html.unescape(entity) if entity[1] == "#" else html.entities.html5.get(entity[1:], entity)


PASSES: tuple[Edits, ...] = (
    _thoughts,
    replacing(_CONTROL, " "),
    replacing(ENTITY, unescape),
    replacing(ENTITY, unescape),
    replacing(_UNSEEN, ""),
    replacing(LINE_MARK, ""),
)
