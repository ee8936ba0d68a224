"""Results as text: tables for the terminal, JSON, CSV, LaTeX and Markdown."""

import csv
import io
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from polyrouge.errors import visible
from polyrouge.tables.result_table import Cell, Result, ResultTable

OUTPUT_FORMATS = ("table", "json", "csv", "latex", "markdown")
_SUFFIXES = {".json": "json", ".csv": "csv", ".tex": "latex", ".md": "markdown", ".txt": "table"}
_NARROWEST = 12  # a column of words is not made narrower, except to the length of its longest word
_LATEX = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"<": "$<$", ">": "$>$", "−": "$-$", "±": r"$\pm$", "≤": r"$\leq$"}
)
_MARKDOWN = str.maketrans({character: f"\\{character}" for character in "\\|*_`<"})
_OBEYED = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")  # JSON escapes the others itself
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a cell begins with that spreadsheets compute


def output_format_of(path: str | None, output_format: str | None) -> str:
    """The format by its name, else by the suffix of the file, else a table."""
    return output_format or _SUFFIXES.get(Path(path or "").suffix.lower(), "table")


def render(
    result: Result,
    output_format: str,
    *,
    more: Mapping[str, Any] | None = None,
    digits: int | None = None,
    width: int | None = None,
    color: bool = False,
) -> str:
    """The result in one of ``OUTPUT_FORMATS``.

    ``more`` are further results, which are shown after it, and plain values of JSON; its keys are their names in JSON.
    ``digits`` are those of scores; ``width`` limits a ``"table"``.
    """
    more = more or {}
    results = [result, *(value for value in more.values() if isinstance(value, Result))]
    notes = [note for part in results for note in part.notes()]
    if output_format == "json":
        named = {name: value.to_dict() if isinstance(value, Result) else value for name, value in more.items()}
        text = json_text({**result.to_dict(), **named, "signature": result.signature, "notes": notes}, indent=2) + "\n"
    elif output_format == "csv":
        text = _csv([record for part in results for record in part.records()], result.signature)
    else:
        tables = [table for part in results for table in part.tables(digits)]
        notes = list(map(visible, notes))  # names of systems stand in some
        if output_format == "latex":
            text = _latex(tables, notes, result.signature)
        elif output_format == "markdown":
            text = _markdown(tables, notes, result.signature)
        else:
            text = _terminal(tables, notes, result.signature, width, color)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")  # a file's name may hold what UTF-8 has not


def _csv(records: Sequence[dict[str, Any]], signature: str | None) -> str:
    lines = io.StringIO()
    header = dict.fromkeys(name for record in records for name in record)
    writer = csv.DictWriter(lines, [*header, "signature"], lineterminator="\n")
    writer.writeheader()
    for record in records:
        writer.writerow({name: csv_cell(value) for name, value in {**record, "signature": signature}.items()})
    return lines.getvalue()


def json_text(value: Any, **options: Any) -> str:
    """JSON that keeps characters as they are, but for those that a terminal would obey or that UTF-8 has not."""
    return _OBEYED.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(value, ensure_ascii=False, **options))


def csv_cell(value: Any) -> Any:
    """A value for CSV: a text that a spreadsheet would take for a formula gets a ``'`` in front."""
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
        # If the terminal is too narrow, it breaks the lines itself, so that nothing is left out.
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
    parts = []
    for result in tables:
        columns = "l" * result.n_words + "r" * (len(result.header) - result.n_words)
        rows = [" & ".join(name.translate(_LATEX) for name in result.header) + r" \\", r"\midrule"]
        rows += [" & ".join(map(_latex_cell, row)) + r" \\" for row in result.cells]
        parts += [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{result.title.translate(_LATEX)}}}",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
            *(f"% {note}" for note in notes),
            *([] if signature is None else [f"% signature: {signature}"]),
            r"\end{table}",
        ]
    return "\n".join(parts) + "\n"


def _latex_cell(cell: Cell) -> str:
    text = rf"\textbf{{{cell.text.translate(_LATEX)}}}" if cell.strong else cell.text.translate(_LATEX)
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
    """A text that is no markup: no link either."""
    return text.translate(_MARKDOWN).replace("](", r"]\(")


def _markdown_cell(cell: Cell) -> str:
    text = f"**{_markdown_text(cell.text)}**" if cell.strong else _markdown_text(cell.text)
    return text + (f"<sup>{cell.raised}</sup>" if cell.raised else "")
