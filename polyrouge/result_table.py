"""``ResultTable``, which ``tables`` formats: what ``print`` and a notebook show of a comparison and its like."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from html import escape
from typing import Any

from polyrouge.errors import visible

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


class PrintsTables:
    """A result that is printed, and shown in notebooks, as tables; ``repr`` gives all of it."""

    @property
    def _signature(self) -> str | None:
        """None: the result is not of one metric, as the scores of an agreement may be anybody's."""
        return getattr(self, "signature", None)

    def _tables(self) -> Sequence[ResultTable]:
        raise NotImplementedError

    def _notes(self) -> Sequence[str]:
        """Sentences below the tables."""
        return ()

    def _shown_notes(self) -> list[str]:
        return list(map(visible, self._notes()))

    def __str__(self) -> str:
        tables = [each.text() for each in self._tables()]
        signature = [f"signature: {self._signature}"] if self._signature else []
        return "\n\n".join([*tables, "\n".join([*self._shown_notes(), *signature])])

    def _repr_html_(self) -> str:
        notes = "".join(f"<p>{escape(note)}</p>" for note in self._shown_notes())
        tables = "".join(each.html() for each in self._tables())
        signature = f"<p><code>{escape(self._signature)}</code></p>" if self._signature else ""
        return f"<div>{tables}{notes}{signature}</div>"


def plain_values(value: Any) -> Any:
    """A dataclass as a dict of its fields and properties, recursively; an array as lists."""
    if is_dataclass(value):
        properties = [name for name, each in vars(type(value)).items() if isinstance(each, property)]
        names = (*(each.name for each in fields(value)), *properties)
        return {name: plain_values(getattr(value, name)) for name in names}
    if isinstance(value, tuple):
        return tuple(map(plain_values, value))
    return value.tolist() if hasattr(value, "tolist") else value


def shown_number(value: float | None, digits: int) -> str:
    """The number, rounded; a dash where there is none (None or NaN)."""
    return "–" if value is None or value != value else f"{value:.{digits}f}"


def shown_scores(values: Iterable[float], digits: int) -> list[str]:
    """``shown_number`` of each."""
    return [shown_number(value, digits) for value in values]


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
