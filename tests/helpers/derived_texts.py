"""Texts that follow from the code: rows and figures of documents, and the keywords for editors.

Tests hold the files to them; running this file writes them. A row that a Chinese page lacks is written in English.
"""

import dataclasses
import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import shared_data
from golden_conventions import FILES, convention_of

from polyrouge import CONVENTIONS, TOKENIZERS, RougeSettings, RunOptions
from polyrouge.beyond.recipes import recipe_names
from polyrouge.settings.allowed_values import Choice, Flag, Range, Values
from polyrouge.settings.rouge_settings import ALL_OPTIONS, ALL_SETTINGS, ToolRules
from polyrouge.texts.preparation import STEPS
from polyrouge.training.trainer import TRAINER_OPTIONS

ROOT = Path(__file__).resolve().parents[2]
_OF_RULES = ("our own", "rouge_score 0.1.2, score()", "evaluate's rouge")  # in the table of settings
TOOL_CONVENTIONS = [row for row in CONVENTIONS.values() if not row.reproduces.startswith(_OF_RULES)]


def read(name: str) -> str:
    """The text of a file of the repository."""
    return (ROOT / name).read_text(encoding="utf-8")


# Golden rows


@cache
def golden_counts() -> tuple[Counter[str], Counter[str]]:
    """The golden rows of each convention: of our own texts, and of those of others where they are."""
    own, theirs = Counter(), Counter()
    for file in FILES:
        for row in shared_data.golden_rows(file):
            counted = own if row["data_file"] == shared_data.OWN_TEXTS else theirs
            counted[convention_of(file, row["setting"])[0]] += 1
    are_own = [row["id"].startswith(("en", "adv", "zh", "soup")) for row in shared_data.rouge155_rows()]
    own["rouge155"], theirs["rouge155"] = sum(are_own), len(are_own) - sum(are_own)
    return own, theirs


def claims(text: str) -> dict[str, tuple[int, int]]:
    """The rows that the page of conventions says agree: of our own texts, and of those of others."""
    written = re.findall(r"^\| `(\w+)` \|.*[ (]([\d,]+) \+ ([\d,]+) (?:\|$|rows)", text, re.MULTILINE)
    return {name: (int(own.replace(",", "")), int(theirs.replace(",", ""))) for name, own, theirs in written}


def _count(name: str) -> str:
    """How many rows of a convention agree; of the texts of others as it stands where those are not."""
    own, theirs = golden_counts()
    n_own, n_theirs = own[name], theirs[name]
    if not shared_data.SHARED.is_dir():
        n_theirs = claims(read("docs/conventions.md")).get(name, (0, 0))[1]
    return f"{n_own:,} + {n_theirs:,}" if n_own or n_theirs else ""


# Tables


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split("|")[1:-1]]


def _names(line: str) -> list[str]:
    """What a row is about."""
    return re.findall(r"`(\w+)`", _cells(line)[0]) if line.startswith("| ") else []


def _row_of_tool(line: str) -> str:
    """A row of a convention in its words, with its golden rows; another line as it is."""
    convention = {row.name: row for row in TOOL_CONVENTIONS}.get("".join(_names(line)))
    if convention is None or len(_cells(line)) != 6:
        return line
    words = (convention.reproduces, convention.used_by, convention.unusual, convention.fails_on)
    count = _count(convention.name) or _cells(line)[-1]
    return f"| `{convention.name}` | {' | '.join(word or '–' for word in words)} | {count} |"


def _conventions(text: str) -> str:
    """The rows of tools; new ones with golden rows end the first of their tables."""
    lines = list(map(_row_of_tool, text.split("\n")))
    named = {name for line in lines for name in _names(line)}
    new = [row.name for row in TOOL_CONVENTIONS if row.name not in named and _count(row.name)]
    first = next(number for number, line in enumerate(lines) if _names(line) and len(_cells(line)) == 6)
    end = next(number for number in range(first, len(lines)) if not lines[number])
    lines[end:end] = [_row_of_tool(f"| `{name}` |{' |' * 5}") for name in new]
    return re.sub(r"[\d,]+ in all\b", f"{golden_counts()[0].total():,} in all", "\n".join(lines))


def _chinese_conventions(text: str) -> str:
    """The counts; the words are a translation."""
    lines = []
    for line in text.split("\n"):
        count = _count("".join(_names(line))) if line.endswith(" |") else ""
        lines.append(re.sub(r"(?<=\| )[\d,]+ \+ [\d,]+(?= \|$)", count, line) if count else line)
    return re.sub(r"一共 [\d,]+ 行", f"一共 {golden_counts()[0].total():,} 行", "\n".join(lines), count=1)


def _reliability(text: str) -> str:
    tools = [
        name for name in claims(_conventions(read("docs/conventions.md"))) if name not in ("rouge_score", "rouge155")
    ]
    n_rows = sum(sum(map(int, _count(name).replace(",", "").split(" + "))) for name in tools if _count(name))
    for pattern in (
        r"\d+( other tools and leaderboards \| )[\d,]+( rows)",
        r"\d+( 种工具和榜单\*\*：运行它们得到的 )[\d,]+( 行)",
    ):
        text = re.sub(pattern, rf"{len(tools)}\g<1>{n_rows:,}\g<2>", text)
    return text


_OF_CODE = {*CONVENTIONS, *TOKENIZERS, *ALL_OPTIONS, *STEPS, *TRAINER_OPTIONS, *recipe_names()}


def _described(group: type, name: str) -> str:
    """What a setting does: its words in the docstring of its group."""
    words = re.search(rf"^        {name}: (.*?)(?=\n {{,8}}\S|\n\n)", group.__doc__ or "", re.MULTILINE | re.DOTALL)
    assert words, f"the docstring of {group.__name__} does not say what {name} is"
    return " ".join(words[1].split()).replace("``", "`").replace("|", "\\|").removesuffix(".")


def _values(values: Values, default: Any) -> str:
    """What a setting may be, its default first."""
    named = values.allowed if isinstance(values, Choice) else (True, False) if isinstance(values, Flag) else ()
    cells = [f"`{value!r}`".replace("'", '"') for value in dict.fromkeys([default, *named])]
    if isinstance(values, Range):
        cells.append(f"{values.low:,} to {values.high:,}")
    return ", ".join(cells)


def _settings(text: str) -> str:
    """A row for each setting; that of a new one stands behind the row of the setting that is declared before it."""
    lines, before = text.split("\n"), ""
    for group in (RougeSettings, ToolRules):
        for field in dataclasses.fields(group):
            if field.name not in ALL_SETTINGS:
                continue
            if not any(field.name in _names(line) for line in lines):
                values = _values(ALL_SETTINGS[field.name].values, field.default)
                number = next(number for number, line in enumerate(lines) if before in _names(line))
                lines.insert(number + 1, f"| `{field.name}` | {values} | {_described(group, field.name)} |")
            before = field.name
    return "\n".join(lines)


def _with_rows_of(text: str, english: str) -> str:
    """A Chinese page with the rows of names of the code that only the English one has, each behind the row before."""
    lines, before = text.split("\n"), ""
    named = {name for line in lines for name in _names(line)}
    for line in english.split("\n"):
        names = _names(line)
        if names and _OF_CODE.issuperset(names) and named.isdisjoint(names):
            numbers = [number for number, row in enumerate(lines) if before in _names(row)]
            lines.insert(numbers[0] + 1 if numbers else len(lines), line)
        before = names[0] if names else before
    return "\n".join(lines)


# Keywords

# What a setting is given as, where it is stored as another type.
TAKEN_AS = {
    "tuple[str, ...]": "Iterable[str]",
    "tuple[str, ...] | str | None": "Iterable[str] | str | None",
    "tuple[float, ...] | str | None": "Iterable[float] | str | None",
    "ToolRules": "ToolRules | Mapping[str, Any]",
}
PATHS = ("subword_model", "pkuseg_model")


def keyword_types() -> dict[str, str]:
    """The types that each setting takes, by its name."""
    fields = [*dataclasses.fields(RougeSettings), *dataclasses.fields(RunOptions)]
    types = {field.name: TAKEN_AS.get(str(field.type), str(field.type)) for field in fields}
    return types | {name: types[name].replace("str", "str | os.PathLike[str]") for name in PATHS}


def _keywords(text: str) -> str:
    fields = "".join(f"    {name}: {kind}\n" for name, kind in keyword_types().items())
    return f"{text.partition('    rouge_types:')[0]}{fields}"


# Files

KEYWORDS = "polyrouge/settings/keywords.py"
_MAKE = {
    "docs/conventions.md": _conventions,
    "docs/conventions.zh.md": _chinese_conventions,
    "docs/reliability.md": _reliability,
    "docs/reliability.zh.md": _reliability,
    "docs/settings.md": _settings,
    KEYWORDS: _keywords,
}
_TRANSLATED = [f"docs/{name}.zh.md" for name in ("conventions", "papers", "settings", "tokenizers", "training")]
NAMES = [*dict.fromkeys([*_MAKE, *_TRANSLATED])]


def derived(name: str) -> str:
    """The text that a file should have."""
    text = read(name)
    if name in _TRANSLATED:
        text = _with_rows_of(text, derived(name.replace(".zh", "")))
    return _MAKE[name](text) if name in _MAKE else text


def main() -> None:
    """Write all files, and name those that changed."""
    for name in NAMES:
        text = derived(name)
        if text != read(name):
            (ROOT / name).write_text(text, encoding="utf-8")
            sys.stdout.write(f"{name}: written\n")


if __name__ == "__main__":
    main()
