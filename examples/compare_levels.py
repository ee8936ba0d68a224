"""Score two systems on the example data: Chinese by character and by word, English with and without stems.

Run by ``make demo``. Every number is a mean over the examples, times 100, with its 95 % bootstrap
interval; the signature below a table says how it was made. At the end it writes one report a language.
"""

from __future__ import annotations

import json
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from polyrouge import Rouge
from polyrouge.report.html_report import write_report

TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
SYSTEMS = {"A": "prediction", "B": "prediction_b"}
LANGUAGES = {
    # NFKC, as some of these texts have full-width digits.
    "Chinese": (
        "zh_news.jsonl",
        {"char": Rouge("zh_char", normalize="nfkc"), "word": Rouge("zh_word", normalize="nfkc")},
    ),
    "English": (
        "en_news.jsonl",
        {
            "word": Rouge("rouge_score", sentence_split="auto"),
            "stem": Rouge("rouge_score", sentence_split="auto", use_stemmer=True),
        },
    ),
}


def read_rows(name: str) -> list[dict]:
    """The rows of a JSONL file beside this script."""
    with open(Path(__file__).parent / name, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def cells(result: dict[str, float], name: str) -> list[str]:
    """P, R and F of one type, F with its interval."""
    interval = f"{result[f'{name}_low']:.1f} - {result[f'{name}_high']:.1f}"
    return [f"{result[f'{name}_precision']:.1f}", f"{result[f'{name}_recall']:.1f}", f"{result[name]:.1f}", interval]


def language_table(language: str, rows: list[dict], levels: dict[str, Rouge]) -> Table:
    """One table: a row for each system and type, the levels side by side."""
    several = sum(len(row["references"]) > 1 for row in rows)
    title = f"{language}: {len(rows)} pairs, {several} with several references (scores x 100)"
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("system")
    table.add_column("type")
    for level in levels:
        for measure in ("P", "R", "F", "95 % of F"):
            table.add_column(f"{level} {measure}", justify="right", no_wrap=True)
    references = [row["references"] for row in rows]
    for system, column in SYSTEMS.items():
        predictions = [row[column] for row in rows]
        results = [
            rouge.compute(predictions, references, output="all", confidence=0.95, scale=100)
            for rouge in levels.values()
        ]
        for name in TYPES:
            table.add_row(system, name, *(cell for result in results for cell in cells(result, name)))
        table.add_section()
    return table


def language_report(language: str, rows: list[dict], rouge: Rouge) -> Path:
    """Both systems of one language in one page, beside this script."""
    first, second = SYSTEMS
    return write_report(
        Path(__file__).with_name(f"report_{language.lower()}.html"),
        [row[SYSTEMS[first]] for row in rows],
        [row["references"] for row in rows],
        rouge=rouge,
        name=first,
        others={second: [row[SYSTEMS[second]] for row in rows]},
        ids=[row["id"] for row in rows],
        title=f"{language} news: {first} and {second}",
    )


def main() -> None:
    """Print one table a language, with the signatures; then write the reports and say where they are."""
    console = Console(width=max(100, Console().width))
    for language, (name, levels) in LANGUAGES.items():
        console.print(language_table(language, read_rows(name), levels))
        for level, rouge in levels.items():
            settings = rouge.settings.replace(confidence=0.95, scale=100)
            console.print(f"{level}: {settings.signature()}", style="dim", highlight=False, soft_wrap=True)
        console.print()
    console.print("Reports, to open in a browser:")
    for language, (name, levels) in LANGUAGES.items():
        path = language_report(language, read_rows(name), list(levels.values())[-1])
        console.print(f"  {language}: {path}", highlight=False, soft_wrap=True)


if __name__ == "__main__":
    main()
