"""Remove the marks of Markdown from texts: a pass of the step ``"markup"`` of ``prepare``.

Left out are fences with their language, marks of headings, lists and quotations at the start of a line, rules, the line
below the head of a table and the bars between its cells, ``*``, ``**`` and backticks around words, and the addresses of
links. A line's mark that other texts may have counts in company only: that of a list with another such line, that of a
heading or quotation with any other line. Between fences nothing else changes.
"""

from collections.abc import Iterator

from polyrouge.texts.edits import Edit
from polyrouge.texts.model_output import LINE_MARK
from polyrouge.texts.patterns import pattern

_FENCE = pattern(r"[^\S\n]*`{3,}[^`]*$")
_RULE = pattern(r"[^\S\n]*(?:-{3,}|\*{3,}|_{3,})[^\S\n]*$")
_BELOW_HEAD = pattern(r"(?=[^|]*\|)[^\S\n]*\|?(?:[^\S\n]*:?-+:?[^\S\n]*(?:\||$))+[^\S\n]*$")  # |---|:-:|
_BAR = pattern(r"[^\S\n]*\|[^\S\n]*")
_QUOTATION = pattern(r"[^\S\n]*(?:>[^\S\n]+)+")
# In each, the groups are the marks. A power (2**3) has letters or digits on both sides of its stars.
_AROUND_WORDS = (
    pattern(
        r"(?<!\*)(?:(?<![A-Za-z0-9])|(?=\*{2,3}[^A-Za-z0-9*]))(\*{2,3})(?![\s*])[^*\n]*(?<![\s*])"
        r"((?<![A-Za-z0-9])\1|\1(?![A-Za-z0-9]))(?!\*)"
    ),
    pattern(r"(?<![\w*\\])(\*)(?![\s*])[^*\n]+(?<!\s)(\*)(?![\w*])"),
    pattern(r"(?<!`)(`)(?![\s`])[^`\n]+(?<!\s)(`)(?!`)"),
    pattern(r'(!?\[)[^\[\]\n]*(\]\((?=[^\s()]*[/.:#])(?:[^\s()]|\([^\s()]*\))+(?:\s+"[^"\n]*")?\))'),
)
# What these marks begin with; searching for it is far quicker than for the marks.
_STAR = pattern(r"\*(?=\S)")
_BEGINNING = r"[^\S\n]*(?:[:#*+>|_\-•●○▪■◆◦‣·]|[(（]?(?:[0-9]{1,3}|[一二三四五六七八九十百]{1,3})[.、)）])"  # of a line
_FIRST_LINE, _LATER_LINE = pattern(_BEGINNING), pattern(rf"\n{_BEGINNING}")


def may_have_markdown(text: str) -> bool:
    """Say quickly whether a text may have a mark of Markdown."""
    if "](" in text or ("*" in text and _STAR.search(text) is not None):
        return True
    if "`" in text and ("```" in text or _AROUND_WORDS[2].search(text) is not None):
        return True
    return "\n" in text and (_FIRST_LINE.match(text) or _LATER_LINE.search(text)) is not None


def first_markdown(text: str) -> str | None:
    """Return the first mark of Markdown in a text; None if there is none."""
    marks = (text[start:stop].strip() for start, stop, _ in without_markdown(text)) if may_have_markdown(text) else ()
    return next(filter(None, marks), None)


def without_markdown(text: str) -> Iterator[Edit]:
    """Yield the edits that leave the marks out."""
    if not may_have_markdown(text):
        return
    lines = text.split("\n")
    dropped, plain = _dropped_lines(lines)
    bars = _lines_of_tables(lines, dropped)
    n_visible = sum(1 for line in lines if line.strip())
    marks = [0 if number in plain else _mark_stop(line) for number, line in enumerate(lines)]
    n_marked = sum(map(bool, marks))
    start = done = 0
    for number, line in enumerate(lines):
        stop = start + len(line)
        edits: list[Edit] = []
        if number in dropped:
            is_last = number == len(lines) - 1
            edits.append((max(0, start - is_last), stop + (not is_last), ""))  # with a line break
        elif number not in plain:
            is_alone = n_visible == 1 or (n_marked == 1 and line.lstrip()[0:1] not in ("#", ">"))
            if marks[number] and not is_alone:
                edits.append((start, start + marks[number], ""))
            edits += _edits_in_line(line, start, number in bars)
        for first, last, replacement in sorted(edits):
            if last > done:  # marks inside another mark go with it
                yield max(first, done), last, replacement
                done = last
        start = stop + 1


def _dropped_lines(lines: list[str]) -> tuple[set[int], set[int]]:
    """Return the numbers of the lines that are marks, and of those between fences."""
    dropped, plain, is_code = set(), set(), False
    for number, line in enumerate(lines):
        if _FENCE.match(line) and (not is_code or not line.strip().strip("`")):
            dropped.add(number)
            is_code = not is_code
        elif is_code:
            plain.add(number)
        elif _RULE.match(line) or _BELOW_HEAD.match(line):
            dropped.add(number)
    return dropped, plain


def _lines_of_tables(lines: list[str], dropped: set[int]) -> set[int]:
    """Return the numbers of lines whose bars stand between cells: the head and the lines below."""
    bars: set[int] = set()
    for number in sorted(dropped):
        if "|" in lines[number]:
            bars.add(number - 1)
            while (number := number + 1) < len(lines) and "|" in lines[number]:
                bars.add(number)
    return bars


def _mark_stop(line: str) -> int:
    """Return where the marks at the start of a line end; 0 without one."""
    quotation = _QUOTATION.match(line)
    start = quotation.end() if quotation else 0
    match = LINE_MARK.match(line[start:])
    return start + match.end() if match else start


def _edits_in_line(line: str, start: int, has_bars: bool) -> Iterator[Edit]:
    """Yield the edits of marks around words, which may be inside each other, and of bars."""
    for marks in _AROUND_WORDS:
        for match in marks.finditer(line):
            for group in (1, 2):
                yield start + match.start(group), start + match.end(group), ""
    if has_bars:
        for match in _BAR.finditer(line):
            is_edge = match.start() == 0 or match.end() == len(line)
            yield start + match.start(), start + match.end(), "" if is_edge else " "
