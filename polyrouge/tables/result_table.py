"""``Result``, which lays itself out, and ``ResultTable``: what every output shows of a comparison and its like."""

import math
import textwrap
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from html import escape
from typing import Any

from polyrouge.errors import visible

_WRAPPER = textwrap.TextWrapper(118, break_long_words=False, break_on_hyphens=False)  # of printed notes
_RAISED = str.maketrans("abcdefghijklmnopqrstuvwxyz", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖ𐞥ʳˢᵗᵘᵛʷˣʸᶻ")


@dataclass(frozen=True)
class Cell:
    """One cell."""

    text: str
    raised: str = ""  # letters above the line
    strong: bool = False  # in bold

    @property
    def plain(self) -> str:
        """The text with its raised letters, as characters."""
        return self.text + self.raised.translate(_RAISED)


@dataclass(frozen=True)
class ResultTable:
    """One table; texts and whole numbers in its rows are plain cells. Control characters are shown as symbols."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[Any]]
    n_words: int = 1  # columns that hold words, from the left; the others hold numbers

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", visible(self.title))
        object.__setattr__(self, "header", [visible(name) for name in self.header])

    @property
    def cells(self) -> list[list[Cell]]:
        """The rows, each of as many cells as the header has."""
        return [list(map(_cell, row)) for row in self.rows]

    def text(self) -> str:
        """The table in characters of one width, of which Chinese ones take two."""
        lines = [list(self.header), *([cell.plain for cell in row] for row in self.cells)]
        widths = [max(map(_width, column)) for column in zip(*lines, strict=True)]
        written = ["  ".join(self._aligned(line, widths)).rstrip() for line in lines]
        return "\n".join([self.title, "", *written])

    def _aligned(self, line: Sequence[str], widths: Sequence[int]) -> Iterable[str]:
        for number, (text, width) in enumerate(zip(line, widths, strict=True)):
            blanks = " " * (width - _width(text))
            yield text + blanks if number < self.n_words else blanks + text

    def html(self) -> str:
        """The table as HTML."""
        head = "".join(f"<th>{escape(name)}</th>" for name in self.header)
        rows = "".join(f"<tr>{''.join(map(_html_cell, row))}</tr>" for row in self.cells)
        return (
            f"<table><caption>{escape(self.title)}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
        )


class Result:
    """What a function found. It lays itself out once, and every output renders that: see ``tables.formats.render``."""

    signature: Any  # of the settings; None: the numbers are not of one metric

    def tables(self, digits: int | None = None) -> Sequence[ResultTable]:
        """The tables of a terminal, Markdown, LaTeX, ``print`` and notebooks.

        Args:
            digits: of scores, after the point; None: those that fit their scale.
        """
        raise NotImplementedError

    def records(self) -> Sequence[dict[str, Any]]:
        """The lines of CSV: flat, with every digit; a key that is missing is an empty cell."""
        raise NotImplementedError

    def notes(self) -> Sequence[str]:
        """Sentences below the tables."""
        return ()

    def to_dict(self) -> dict[str, Any]:
        """The whole result as plain values for JSON."""
        return plain_values(self)

    def __str__(self) -> str:
        notes = [_WRAPPER.fill(visible(note)) for note in self.notes()]
        signature = [f"signature: {self.signature}"] if self.signature else []
        return "\n\n".join([*(table.text() for table in self.tables()), "\n".join([*notes, *signature])]).rstrip()

    def _repr_html_(self) -> str:
        notes = "".join(f"<p>{escape(visible(note))}</p>" for note in self.notes())
        tables = "".join(table.html() for table in self.tables())
        signature = f"<p><code>{escape(self.signature)}</code></p>" if self.signature else ""
        return f"<div>{tables}{notes}{signature}</div>"


def plain_values(value: Any) -> Any:
    """A dataclass as a dict of its fields and properties, recursively; an array as lists."""
    if is_dataclass(value):
        properties = [name for name, member in vars(type(value)).items() if isinstance(member, property)]
        names = (*(field.name for field in fields(value)), *properties)
        return {name: plain_values(getattr(value, name)) for name in names}
    if isinstance(value, tuple):
        return tuple(map(plain_values, value))
    return value.tolist() if hasattr(value, "tolist") else value


def known_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values for JSON and CSV: None for NaN."""
    return {name: None if isinstance(value, float) and math.isnan(value) else value for name, value in values.items()}


def shown_number(value: float | None, digits: int) -> str:
    """The number, rounded; a dash where there is none (None or NaN)."""
    return "–" if value is None or value != value else f"{value:.{digits}f}"


def shown_scores(values: Iterable[float], digits: int) -> list[str]:
    """``shown_number`` of each."""
    return [shown_number(value, digits) for value in values]


def shown_difference(value: float, digits: int) -> str:
    """A difference with its sign; 0 has none."""
    text = f"{value:+.{digits}f}"
    return text.replace("-", "−") if float(text) else text[1:]


def shown_interval(low: float, high: float, digits: int) -> str:
    """Both ends of an interval, rounded; a dash for none."""
    return "–" if math.isnan(low) else f"[{shown_number(low, digits)}, {shown_number(high, digits)}]"


def shown_interval_of_difference(low: float, high: float, digits: int) -> str:
    """Both ends with their signs; a dash for none."""
    return "–" if math.isnan(low) else f"[{shown_difference(low, digits)}, {shown_difference(high, digits)}]"


def shown_level(confidence: float) -> str:
    """Such as ``"95 %"``."""
    return f"{100 * confidence:.4g} %"


def count_of(n: int, noun: str) -> str:
    """``"1 sample"``, ``"2 samples"``."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def digits_for(scale: float) -> int:
    """Digits after the point: two on the scale of papers, four on that of 0 to 1."""
    return 2 if scale >= 10 else 4


def digits_of(values: Any) -> int:
    """Digits behind the point: two of scores on the scale of papers, four of those up to 1. ``values``: an array."""
    return 2 if (values > 1).any() else 4


def _cell(value: Any) -> Cell:
    """A value of a row as a cell; the raised letters are ours."""
    cell = value if isinstance(value, Cell) else Cell(str(value))
    return replace(cell, text=visible(cell.text))


def _html_cell(cell: Cell) -> str:
    raised = f"<sup>{escape(cell.raised)}</sup>" if cell.raised else ""
    text = f"<b>{escape(cell.text)}</b>" if cell.strong else escape(cell.text)
    return f"<td>{text}{raised}</td>"


def _width(text: str) -> int:
    return sum(0 if unicodedata.combining(each) else 1 + (unicodedata.east_asian_width(each) in "WF") for each in text)
