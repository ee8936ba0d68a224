r"""Remove marks of files and of tokenizers from texts: the steps ``"markup"`` and ``"spaced_han"`` of ``prepare``.

The passes of ``"markup"``, in this order, each in linear time; docs/settings.md lists what they know:

1. Characters that were written as escapes, or as bytes of a tokenizer, become characters: ``\u4eca``, ``<0x0A>``.
   Colours of a terminal are left out.
2. Special tokens of models become a blank, with the role that they announce: ``<s>``, ``[CLS]``, ``<|im_end|>``.
3. Tags of HTML that stand in words or around them are left out: ``<b>``, but not in ``x<b>y``. Cells, images and
   tags of answers become a blank: ``<td>``, ``<answer>``.
4. A mark between sentences or blocks becomes a line break: ``<q>``, ``</t>``, ``[SEP]``, ``<br>``, ``<p>``, a backslash
   and an n.
5. HTML entities with their semicolon become their characters, twice: ``&quot;``, ``&amp;nbsp;``.
6. Marks of Markdown are left out: ``**``, ``# ``, ``- ``, fences, tables, the addresses of links.
7. Brackets of the Penn Treebank become brackets: ``-LRB-``.
8. Subwords are joined: ``run@@ ning``, ``run ##ning``, ``run ￭ning``, ``run ning</w>``, ``Ġrun ning``, ``▁run ning``.
"""

import re
from collections.abc import Iterator

from polyrouge.texts.edits import Edit, Edits, replacing
from polyrouge.texts.markdown import without_markdown
from polyrouge.texts.model_output import ENTITY, NO_COMPARISON, SPECIAL_TOKEN, unescape
from polyrouge.texts.patterns import pattern

# Attributes have a value: in "if a<b and c>d" there is no tag.
_ATTRIBUTES = r"(?:\s+[\w:.-]+\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s\"'<>=]+))*\s*/?>"
# A type of a program in capitals is no tag: vector<T>, Promise<Response>.
_NO_TYPE = r"(?=<)(?!(?-i:(?<=\w)<[A-Z][a-z]*>)(?![^<]*</[A-Z]))"
# PreSumm, PEGASUS, pointer-generator, PaLM, BERTSum, arXiv; HTML
_END = (
    rf"(?:{_NO_TYPE}{NO_COMPARISON}(?:(?-i:</?[tS]>)|<(?:q|n|nl|newline|S_SEP|sent_?sep|eos_sent)>"
    r"|</?(?:p|div|li|tr|h[1-6]|blockquote|br|hr|ul|ol|dl|dt|dd|center|table|thead|tbody|pre|html|head|body)"
    rf"{_ATTRIBUTES})|\[(?:SEP|NL|NEWLINE)\]|#{{2,3}}SENT#{{2,3}})"
)
_BREAK = pattern(
    rf"(?<![^\S\n])[^\S\n]*(?P<mark>{_END})(?:[^\S\n]*{_END})*[^\S\n]*"
    r"|(?-i:(?:\\r)?\\n(?![a-z])|(?<=[.!?,;])\\n)",  # a line break in two characters, and no \nabla of LaTeX
    re.IGNORECASE,
)
_SPECIAL_TOKEN = pattern(SPECIAL_TOKEN)
_TAG_IN_WORDS = pattern(
    rf"{_NO_TYPE}</?(?:span|a|b|i|u|em|strong|small|sup|sub|mark|font|code){_ATTRIBUTES}", re.IGNORECASE
)
_CLOSING_TAG = pattern(r"</([A-Za-z]+)\s*>")
_BARE_TAG_BETWEEN_LETTERS = pattern(r"(?<=[A-Za-z0-9_)\]])<([A-Za-z]+)>(?=[A-Za-z0-9_(\[])")
_TAG_BETWEEN_WORDS = pattern(
    rf"{_NO_TYPE}</?(?:td|th|img|answer|final_answer|summary|response|output){_ATTRIBUTES}", re.IGNORECASE
)
# Characters as JSON and Python write them. Some may be meant, as in [\u4e00-\u9fff]; not two in a row, or three.
_ESCAPE = pattern(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u(?![dD][89a-fA-F])[0-9a-fA-F]{4}")
_ESCAPES = pattern(r"(?:\\u[0-9a-fA-F]{4}){2}|(?s:(?:\\u[0-9a-fA-F]{4}.*?){3})")
_BYTES = pattern(r"(?:<0x[0-9A-Fa-f]{2}>)+")
_BRACKET = pattern(r"(?<!\w)-(?:[LR][RSC]B|[lr][rsc]b)-(?!\w)")
_BRACKETS = {"lr": "(", "rr": ")", "ls": "[", "rs": "]", "lc": "{", "rc": "}"}
_COLOUR = pattern(r"\x1b\[[0-9;]{0,32}m")
_CONTINUED = pattern(r"(?<=[^\s@])@@(?: |$)|(?<=\w) ##(?=\w)|￭ ?| ￭ ?")
_END_OF_WORD, _END_OR_BLANK = "</w>", pattern("</w> ?| ")
_LEAST_MARKS = {"Ġ": 2, "▁": 1}  # of the beginnings of words; Ġ is a letter of Maltese
_LEAST_SHARE_OF_BLANKS = 0.4  # that stand before such a mark
_BLANK_AND_MARK = {mark: pattern(rf" ?{mark}| ") for mark in "Ġ▁"}
_BARS = pattern("[▂-█]")  # ▁ is the lowest of them
_HAN = r"[\u2e80-\u2fdf\u3001-\u303f\u3400-\u9fff\uf900-\ufaff\uff00-\uff65\U00020000-\U0003ffff]"
_HAN_CHARACTER = pattern(_HAN)
_FEWEST_HAN, _FEWEST_LETTERS, _FEWEST_DISTINCT = 4, 12, 6  # of a text that is said to have them pulled apart
_LEAST_SHARE_SPACED = 0.8
_CHARACTERS_OF_A_TEXT = 400  # looked at for letters
_BLANK_IN_HAN = pattern(rf"(?<={_HAN})[^\S\n]+(?={_HAN})")


def has_marked_words(text: str, mark: str) -> bool:
    """Say whether ``mark`` (Ġ of GPT-2, ▁ of SentencePiece) begins the words of a text."""
    has_many = text.count(mark) >= max(_LEAST_MARKS[mark], _LEAST_SHARE_OF_BLANKS * text.count(" "))
    return has_many and not (mark == "▁" and _BARS.search(text) is not None)


def _tags_in_words(text: str) -> Iterator[re.Match[str]]:
    """Yield the tags in words or around them: between two letters, one without its closing tag is a comparison."""
    last_closed = {match[1].lower(): match.start() for match in _CLOSING_TAG.finditer(text)}
    for match in _TAG_IN_WORDS.finditer(text):
        opening = _BARE_TAG_BETWEEN_LETTERS.match(text, match.start())
        if opening is None or last_closed.get(opening[1].lower(), -1) > match.start():
            yield match


def _without_tags_in_words(text: str) -> Iterator[Edit]:
    return ((match.start(), match.end(), "") for match in _tags_in_words(text))


def _breaks(text: str) -> Iterator[Edit]:
    """Break the line at marks between sentences, but not before the first word."""
    stop, has_words = 0, False
    for match in _BREAK.finditer(text):
        has_words = has_words or text[stop : match.start()].strip() != ""
        stop = match.end()
        yield match.start(), stop, "\n" if has_words else ""


def _character(escape: str) -> str:
    """Return the character of an escape, which may be a pair of surrogates."""
    return bytes.fromhex(escape.replace("\\u", "")).decode("utf-16-be")


def _characters_of_bytes(tokens: str) -> str:
    return bytes.fromhex(tokens.replace("<0x", "").replace(">", "")).decode(errors="replace")


def _words_by_their_ends(text: str) -> Iterator[Edit]:
    for match in _END_OR_BLANK.finditer(text) if _END_OF_WORD in text else ():
        yield match.start(), match.end(), " " if match[0] != " " else ""


def _subwords(text: str) -> Iterator[Edit]:
    for match in _CONTINUED.finditer(text):
        yield match.start(), match.end(), ""


def _words_by(mark: str) -> Edits:
    def edits(text: str) -> Iterator[Edit]:
        if has_marked_words(text, mark):
            for match in _BLANK_AND_MARK[mark].finditer(text):
                yield match.start(), match.end(), " " if match[0] != " " else ""

    return edits


# The first sign of each mark; searching for it is far quicker than a search for the mark.
_BEGINNINGS_OF_ASCII = (
    ("<", pattern(r"<(?:/?[A-Za-z][\w:-]{0,20}[\s>/|]|[|｜]|0x)")),
    ("[", pattern(r"\[(?:/?[A-Zg]{1,7}\]|unused|\||e~)")),
    ("]", pattern(r"\]~!?b")),
    ("&", pattern(r"&(?:#|[A-Za-z]{1,31};|[A-Za-z]{2,6}\d{1,2};)")),
    ("@", pattern("@@(?: |$)")),
    ("#", pattern(r"##(?:\w|#SENT)")),
    ("\\", pattern(r"\\(?:[rn]|u[0-9a-fA-F]{4})")),
    ("\x1b", pattern(r"\x1b\[")),
    ("RB-", pattern("RB-")),
    ("rb-", pattern("rb-")),
)
_BEGINNINGS = (*_BEGINNINGS_OF_ASCII, *((mark, pattern(mark)) for mark in "▁Ġ￭"))

_MARKS = (
    replacing(_ESCAPE, _character),
    replacing(_BYTES, _characters_of_bytes),
    replacing(_COLOUR, ""),
    replacing(_SPECIAL_TOKEN, " "),
    _without_tags_in_words,
    replacing(_TAG_BETWEEN_WORDS, " "),
    _breaks,
    replacing(ENTITY, unescape),
    replacing(ENTITY, unescape),
    replacing(_BRACKET, lambda mark: _BRACKETS[mark[1:3].lower()]),
    without_markdown,
)
MARKUP: tuple[Edits, ...] = (*_MARKS, _subwords, _words_by_their_ends, _words_by("Ġ"), _words_by("▁"))
SPACED_HAN: tuple[Edits, ...] = (replacing(_BLANK_IN_HAN, ""),)
"""The passes of the two steps."""


def may_have_markup(text: str) -> bool:
    """Say quickly whether a text has the beginning of a mark that the step ``"markup"`` removes."""
    for sign, beginning in _BEGINNINGS_OF_ASCII if text.isascii() else _BEGINNINGS:
        position = text.find(sign)
        while position >= 0:
            if beginning.match(text, position):
                return True
            position = text.find(sign, position + 1)
    return False


def first_mark(text: str) -> str | None:
    """Return the first mark that the step ``"markup"`` removes, mark by kind of mark; None if there is none."""
    kinds = (_BREAK.finditer, _SPECIAL_TOKEN.finditer, _tags_in_words, _TAG_BETWEEN_WORDS.finditer)
    for matches in kinds:
        if match := next(iter(matches(text)), None):
            return match.groupdict().get("mark") or match[0]
    entities = (match[0] for match in ENTITY.finditer(text))
    if entity := next((entity for entity in entities if unescape(entity) != entity), None):
        return entity
    if _END_OF_WORD in text:
        return _END_OF_WORD
    if match := _CONTINUED.search(text) or _COLOUR.search(text) or _BYTES.search(text) or _BRACKET.search(text):
        return match[0].strip()
    if match := _ESCAPES.search(text):
        return match[0][:6]
    return next((mark for mark in _BLANK_AND_MARK if has_marked_words(text, mark)), None)


def has_spaced_han(text: str) -> bool:
    """Say whether a blank stands between nearly all Chinese characters of a text."""
    n_han = len(_HAN_CHARACTER.findall(text))
    return n_han >= _FEWEST_HAN and len(_BLANK_IN_HAN.findall(text)) >= _LEAST_SHARE_SPACED * (n_han - 1)


def has_spaced_letters(text: str) -> bool:
    """Say whether nearly all parts of a text between blanks are single letters of words: t h e c a t."""
    parts = text[:_CHARACTERS_OF_A_TEXT].split()
    letters = [part for part in parts if len(part) == 1 and part.isalpha() and not _HAN_CHARACTER.match(part)]
    is_text = len(letters) >= _FEWEST_LETTERS and len({*letters}) >= _FEWEST_DISTINCT
    return is_text and len(letters) >= _LEAST_SHARE_SPACED * len(parts)
