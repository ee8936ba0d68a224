"""``Result``, which makes its tables and records, and ``render``, which makes every output of a result."""

import csv
import io
import json
import math
import re
import textwrap
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from html import escape
from pathlib import Path
from typing import Any

from polyrouge.errors import visible

OUTPUT_FORMATS = ("table", "json", "csv", "latex", "markdown")
_SUFFIXES = {".json": "json", ".csv": "csv", ".tex": "latex", ".md": "markdown", ".txt": "table"}
_NARROWEST = 12  # characters of a column of words, unless its longest word is shorter
_LATEX = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"<": "$<$", ">": "$>$", "|": r"\textbar{}", "−": "$-$", "±": r"$\pm$", "≤": r"$\leq$", "×": r"$\times$"}
)
_MARKDOWN = str.maketrans({character: f"\\{character}" for character in "\\|*_`<"})
_OBEYED = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")  # JSON escapes the others itself
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # beginnings of cells that spreadsheets compute
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
        """Return the text with its raised letters as characters."""
        return self.text + self.raised.translate(_RAISED)


@dataclass(frozen=True)
class ResultTable:
    """One table; strings and integers in its rows are plain cells. Control characters are shown as symbols."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[Any]]
    n_words: int = 1  # columns of words, from the left; then columns of numbers

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", visible(self.title))
        object.__setattr__(self, "header", [visible(name) for name in self.header])

    @property
    def cells(self) -> list[list[Cell]]:
        """Return the rows as cells."""
        return [list(map(_cell, row)) for row in self.rows]

    def text(self) -> str:
        """Return the table in fixed-width characters; Chinese ones have double width."""
        lines = [list(self.header), *([cell.plain for cell in row] for row in self.cells)]
        widths = [max(map(_width, column)) for column in zip(*lines, strict=True)]
        written = ["  ".join(self._aligned(line, widths)).rstrip() for line in lines]
        return "\n".join([self.title, "", *written])

    def _aligned(self, line: Sequence[str], widths: Sequence[int]) -> Iterable[str]:
        for number, (text, width) in enumerate(zip(line, widths, strict=True)):
            blanks = " " * (width - _width(text))
            yield text + blanks if number < self.n_words else blanks + text

    def html(self) -> str:
        """Return the table as HTML."""
        head = "".join(f"<th>{escape(name)}</th>" for name in self.header)
        rows = "".join(f"<tr>{''.join(map(_html_cell, row))}</tr>" for row in self.cells)
        return (
            f"<table><caption>{escape(self.title)}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
        )


class Result:
    """The result of a function. It makes its tables and records once, and every output renders them: see ``render``."""

    signature: Any  # of the settings; None if the numbers are of several metrics

    def tables(self, digits: int | None = None) -> Sequence[ResultTable]:
        """Return the tables for terminal, Markdown, LaTeX, ``print`` and notebooks.

        Args:
            digits: of scores, after the point; None: the usual number for their scale.
        """
        raise NotImplementedError

    def records(self) -> Sequence[dict[str, Any]]:
        """Return the lines of CSV: flat, with every digit; a missing key is an empty cell."""
        raise NotImplementedError

    def latex(self, digits: int | None = None) -> str | None:  # noqa: ARG002
        """Return LaTeX of its own; None where that of ``tables`` will do."""
        return None

    def notes(self) -> Sequence[str]:
        """Return sentences to be shown below the tables."""
        return ()

    def to_dict(self) -> dict[str, Any]:
        """Return the full result as plain values for JSON."""
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
    """Turn a dataclass into a dict of its fields and properties, recursively; an array into lists."""
    if is_dataclass(value):
        properties = [name for name, member in vars(type(value)).items() if isinstance(member, property)]
        names = (*(field.name for field in fields(value)), *properties)
        return {name: plain_values(getattr(value, name)) for name in names}
    if isinstance(value, tuple):
        return tuple(map(plain_values, value))
    return value.tolist() if hasattr(value, "tolist") else value


def known_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """Replace NaN by None, for JSON and CSV."""
    return {name: None if isinstance(value, float) and math.isnan(value) else value for name, value in values.items()}


def shown_number(value: float | None, digits: int) -> str:
    """Round a number for display; None and NaN are a dash."""
    return "–" if value is None or value != value else f"{value:.{digits}f}"


def shown_scores(values: Iterable[float], digits: int) -> list[str]:
    """Apply ``shown_number`` to each value."""
    return [shown_number(value, digits) for value in values]


def shown_difference(value: float, digits: int) -> str:
    """Round a difference, with its sign; 0 has none."""
    text = f"{value:+.{digits}f}"
    return text.replace("-", "−") if float(text) else text[1:]


def shown_interval(low: float, high: float, digits: int) -> str:
    """Round both ends of an interval; NaN is a dash."""
    return "–" if math.isnan(low) else f"[{shown_number(low, digits)}, {shown_number(high, digits)}]"


def shown_interval_of_difference(low: float, high: float, digits: int) -> str:
    """Round both ends with their signs; NaN is a dash."""
    return "–" if math.isnan(low) else f"[{shown_difference(low, digits)}, {shown_difference(high, digits)}]"


def shown_level(confidence: float) -> str:
    """Format a level: ``"95%"``."""
    return f"{100 * confidence:.4g}%"


def count_of(n: int, noun: str) -> str:
    """Format a count: ``"1 sample"``, ``"2 samples"``."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def digits_for(scale: float) -> int:
    """Return the digits after the point: two on the scale of papers, four on the scale of 0 to 1."""
    return 2 if scale >= 10 else 4


def digits_of(values: Any) -> int:
    """Return the digits after the point for an array: two if a value is above 1, else four."""
    return 2 if (values > 1).any() else 4


def latex_text(text: str) -> str:
    """Escape a text for LaTeX."""
    return text.translate(_LATEX)


def _cell(value: Any) -> Cell:
    """Turn a value of a row into a cell."""
    cell = value if isinstance(value, Cell) else Cell(str(value))
    return replace(cell, text=visible(cell.text))


def _html_cell(cell: Cell) -> str:
    raised = f"<sup>{escape(cell.raised)}</sup>" if cell.raised else ""
    text = f"<b>{escape(cell.text)}</b>" if cell.strong else escape(cell.text)
    return f"<td>{text}{raised}</td>"


def _width(text: str) -> int:
    return sum(
        0 if unicodedata.combining(character) else 1 + (unicodedata.east_asian_width(character) in "WF")
        for character in text
    )


def output_format_of(path: str | None, output_format: str | None) -> str:
    """Return the format by its name, else by the suffix of the file, else a table."""
    return output_format or _SUFFIXES.get(Path(path or "").suffix.lower(), "table")


def render(
    result: Result,
    output_format: str,
    *,
    further: Mapping[str, Any] | None = None,
    digits: int | None = None,
    width: int | None = None,
    color: bool = False,
) -> str:
    """Render a result in one of ``OUTPUT_FORMATS``.

    ``more`` has further results, which are shown after the first, and plain values for JSON; its keys are names in
    JSON. ``digits`` are those of scores; ``width`` limits a ``"table"``.
    """
    further = further or {}
    results = [result, *(value for value in further.values() if isinstance(value, Result))]
    notes = [note for shown_result in results for note in shown_result.notes()]
    if output_format == "json":
        named = {name: value.to_dict() if isinstance(value, Result) else value for name, value in further.items()}
        text = json_text({**result.to_dict(), **named, "signature": result.signature, "notes": notes}, indent=2) + "\n"
    elif output_format == "csv":
        text = _csv([record for shown_result in results for record in shown_result.records()], result.signature)
    else:
        tables = [table for shown_result in results for table in shown_result.tables(digits)]
        notes = list(map(visible, notes))  # some include names of systems
        if output_format == "latex":
            text = "\n".join(
                shown_result.latex(digits) or _latex(shown_result.tables(digits), notes, result.signature)
                for shown_result in results
            )
        elif output_format == "markdown":
            text = _markdown(tables, notes, result.signature)
        else:
            text = _terminal(tables, notes, result.signature, width, color)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")  # file names may have surrogates


def _csv(records: Sequence[dict[str, Any]], signature: str | None) -> str:
    lines = io.StringIO()
    header = dict.fromkeys(name for record in records for name in record)
    writer = csv.DictWriter(lines, [*header, "signature"], lineterminator="\n")
    writer.writeheader()
    for record in records:
        writer.writerow({name: csv_cell(value) for name, value in {**record, "signature": signature}.items()})
    return lines.getvalue()


def json_text(value: Any, **options: Any) -> str:
    """Write JSON with all characters, escaping those that control a terminal or that UTF-8 lacks."""
    return _OBEYED.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(value, ensure_ascii=False, **options))


def csv_cell(value: Any) -> Any:
    """Write a value for CSV: a ``'`` before a text that a spreadsheet would take for a formula."""
    if not isinstance(value, str) or not value.startswith(_FORMULA):
        return value
    try:
        float(value)
    except ValueError:
        return f"'{value}"
    return value


def _terminal(
    tables: Sequence[ResultTable], notes: Sequence[str], signature: str | None, width: int | None, color: bool
) -> str:
    from rich import box
    from rich.cells import cell_len
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    lines = io.StringIO()
    console = Console(
        file=lines, width=width or 500, force_terminal=color, no_color=not color, highlight=False, legacy_windows=False
    )
    for result in tables:
        table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
        minimum = 0
        for number, name in enumerate(result.header):
            words = number < result.n_words
            column = [name, *(row[number].text + row[number].raised for row in result.cells)]
            longest = max(map(cell_len, column))
            narrowest = min(longest, _NARROWEST) if words else longest
            minimum += narrowest + 2
            justify = "left" if words else "right"
            table.add_column(name, justify=justify, no_wrap=not words, overflow="fold", min_width=narrowest)
        for row in result.cells:
            table.add_row(*(Text(cell.plain, "bold" if cell.strong else "") for cell in row))
        console.print(Text(result.title, "bold"))
        # A terminal that is too narrow breaks the lines itself, so that nothing is lost.
        width_of_text, console.width = console.width, max(console.width, minimum)
        console.print(table)
        console.width = width_of_text
        console.print()
    for note in notes:
        console.print(Text(note))
    if signature is not None:
        console.print(Text(f"signature: {signature}", "dim"), soft_wrap=True)
    return "".join(f"{line.rstrip()}\n" for line in lines.getvalue().splitlines())


def _latex(tables: Sequence[ResultTable], notes: Sequence[str], signature: str | None) -> str:
    comments = [*(f"% {note}" for note in notes), *([] if signature is None else [f"% signature: {signature}"])]
    return "".join(latex_table(table, comments) for table in tables)


def latex_table(table: ResultTable, comments: Sequence[str] = ()) -> str:
    """Write a table as a float, with comments at its end."""
    columns = "l" * table.n_words + "r" * (len(table.header) - table.n_words)
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{latex_text(table.title)}}}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        " & ".join(map(latex_text, table.header)) + r" \\",
        r"\midrule",
        *(" & ".join(map(_latex_cell, row)) + r" \\" for row in table.cells),
        r"\bottomrule",
        r"\end{tabular}",
        *comments,
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _latex_cell(cell: Cell) -> str:
    text = rf"\textbf{{{latex_text(cell.text)}}}" if cell.strong else latex_text(cell.text)
    return text + (f"$^{{{cell.raised}}}$" if cell.raised else "")


def _markdown(tables: Sequence[ResultTable], notes: Sequence[str], signature: str | None) -> str:
    parts = []
    for result in tables:
        rows = [
            list(map(_markdown_text, result.header)),
            ["---" if number < result.n_words else "---:" for number in range(len(result.header))],
            *(list(map(_markdown_cell, row)) for row in result.cells),
        ]
        parts += [f"**{_markdown_text(result.title)}**", "", *(f"| {' | '.join(row)} |" for row in rows), ""]
    parts += [f"{_markdown_text(note)}\n" for note in notes]
    return "\n".join([*parts, *([] if signature is None else [f"signature: `{signature}`"])]).rstrip("\n") + "\n"


def _markdown_text(text: str) -> str:
    """Escape a text, so that it is no markup and no link."""
    return text.translate(_MARKDOWN).replace("](", r"]\(")


def _markdown_cell(cell: Cell) -> str:
    text = f"**{_markdown_text(cell.text)}**" if cell.strong else _markdown_text(cell.text)
    return text + (f"<sup>{cell.raised}</sup>" if cell.raised else "")
