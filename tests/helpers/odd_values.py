"""Odd values of every type, odd words of a command line, and odd files: what functions and commands are fuzzed with."""

import copy
import csv
import datetime
import decimal
import fractions
import io
import json
import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from damage import damaged

CONTROLS = [
    *("\x1b[2J", "\x1b]0;title\x07", "\x9b31m", "\x08\x08", "a\rb", "a\nb", "\x7f", "\x85"),
    *("\u202eabc\u202c", "\u2066x"),
    *("a\tb", "\u2028", "\x00", "\udcff", "\ud800", "`` ` ``", "[bold]x[/bold]", "%s {0} {x}", "|*_<b>&", "=1+1"),
]
_NUMBERS = [
    *(0, 1, -1, 2, 0.5, 1e-300, 1e300, -0.0, math.nan, math.inf, -math.inf, True, False, 2**31, 2**63, 2**64),
    *(10**400, -(10**400), 9**5000, -(2**63), 1j, 1e-9, 100, 99.9, 1_000_000, 1_000_001),
    *(decimal.Decimal("NaN"), decimal.Decimal("sNaN"), decimal.Decimal("1e999999"), fractions.Fraction(10**400)),
    *(np.float32("nan"), np.int8(5), np.datetime64("NaT"), fractions.Fraction(1, 3), datetime.date(2020, 1, 1)),
]


def _nested(value: Any, depth: int) -> Any:
    for _ in range(depth):
        value = [value]
    return value


# Each is made anew, as a call may use it up.
_OBJECTS: list[Callable[[], Any]] = [
    *(object, list, tuple, dict, set, lambda: None, lambda: ..., lambda: object, lambda: print),
    *(lambda: iter("ab"), lambda: (text for text in "ab"), lambda: "ab".split, lambda: range(3), lambda: [0] * 1000),
    *(lambda: _nested([], 3000), lambda: _nested(["a"], 5), lambda: {"a"}, lambda: {"a": 1}, lambda: {1: 2}),
    *(lambda: [None], lambda: [[]], lambda: [{}], lambda: [math.nan], lambda: ["a", 1], lambda: {("a",): []}),
    *(lambda: {"a": None}, lambda: {"": ""}, lambda: {None: None}, lambda: {"rouge1": math.nan}),
    *(lambda: {"rouge1": 10**400}, lambda: {"rouge1": [1]}, lambda: {"rouge1": "0.5"}, lambda: bytearray(b"a")),
    *(lambda: np.array(3), lambda: np.array([]), lambda: np.array([["a"], ["b"]]), lambda: np.zeros((0, 3))),
    *(lambda: np.array([1, None, "a"], object), lambda: np.array([math.nan, math.inf])),
]
_TEXTS_ETC = [
    *("", " ", "a", "none", "x" * 5000, b"a", np.str_("a"), Path("/nowhere"), Path(), "default", "rouge1"),
    *(("rougeS999999999999",), ("rouge1", "rouge1"), ("rouge0",)),
]


def odd_value(rng: random.Random) -> Any:
    """A value of any type."""
    kind = rng.random()
    if kind < 0.35:
        return rng.choice(_NUMBERS)
    if kind < 0.5:
        return rng.choice(CONTROLS)
    return rng.choice(_TEXTS_ETC) if kind < 0.7 else rng.choice(_OBJECTS)()


def similar_value(rng: random.Random, value: Any) -> Any:
    """A value of the same type, which may be allowed."""
    if isinstance(value, bool) or value is None:
        return rng.choice([True, False, None])
    if isinstance(value, int):
        return rng.choice([0, 1, 2, 3, 7, 100, value + 1, -1])
    if isinstance(value, float):
        return rng.choice([0.0, 0.01, 0.5, 0.99, 1.0, 1.5, 100.0, -1.0, value / 3])
    if isinstance(value, str):
        return damaged(rng, [value, *_TEXTS]) if rng.random() < 0.5 else rng.choice([*_TEXTS, *CONTROLS, "", " "])
    return rng.sample(value, rng.randint(0, len(value))) if isinstance(value, list) else value


def odd_part(rng: random.Random, value: Any) -> Any:
    """A value with one of its parts exchanged, left out or there twice; or another value in its place."""
    kind = rng.random()
    if kind < 0.25:
        return similar_value(rng, value)
    if kind < 0.45 or not isinstance(value, (list, dict)) or not value:
        return odd_value(rng)
    changed = copy.copy(value)
    key = rng.choice(list(value)) if isinstance(value, dict) else rng.randrange(len(value))
    kind = rng.random()
    if kind < 0.15:
        del changed[key]
    elif kind < 0.3 and isinstance(value, dict):
        changed[odd_hashable(rng)] = changed.pop(key)
    elif kind < 0.3:
        changed.insert(key, changed[key])
    else:
        changed[key] = odd_part(rng, value[key])
    return changed


def odd_hashable(rng: random.Random) -> Any:
    """A value that can be a key."""
    value = odd_value(rng)
    try:
        hash(value)
    except TypeError:
        return str(type(value))
    return value


_WORDS = [
    *("", " ", "0", "1", "-1", "2", "0.5", "nan", "inf", "-inf", "1e999", "-0", "1e-300", "0x10", "1_0", "٣", "½"),
    *("9" * 400, "9" * 5000, "1e308", "99.9%", "-5%", "nan%", "5", "1000000", "1000001", "2147483648", "9" * 20),
    *("none", "None", "true", "false", "True", "null", "all", "-", "--", "=", "a=", "=1", "rouge1=", "rouge1=nan"),
    *("rouge1=inf", "rouge1=0.5", "rouge1=50", "rouge1=1e999", "rouge1=0x10", "rouge1=1=2", "rouge1=1,rouge1=2"),
    *("rouge1=" + "9" * 5000, "rouge9=1", "rouge1=5,", ",", ",,", "a,b", "@", "@.", "@missing", "/", "/dev/null", "."),
    *("..", "missing.jsonl", "missing/x.jsonl", "x" * 300, "x" * 5000, "rouge1", "rouge0", "rougeL", "rougeSU4"),
    *("rougeL_recall", "rougeS99999999999", "rouge1,rougeL", "rouge1,rouge1", "default", "zh_char", "rouge_score"),
    *("jieba", "table", "json", "csv", "latex", "markdown", "html", "local", "greedy", "exact", "randomization"),
    *("bootstrap", "utf-8", "gb18030", "utf-9", "rot13", "base64", "idna", "jsonl", "tsv", "parquet", "refuse", "text"),
    *("1,2", "nan,1", "types:1", "types:1|v:0", "types:1,2|tok:mixed|v:9", "|", ":", "[" * 3000, '{"a": 1}', "null"),
    *("a[0]", "a.b.c", "references[0]", "references[9]", "document.x", "[0]", "id", "prediction", "prediction_b"),
    *("references", "topic", "human", "system", "n", "more", "document"),
]


def odd_word(rng: random.Random) -> str:
    """A word of a command line, which holds no NUL."""
    if rng.random() < 0.2:
        return rng.choice(CONTROLS).replace("\x00", "\x01").replace("\ud800", "\udc80")
    return rng.choice(_WORDS)


# Rows and files

_TEXTS = "the cat sat on the mat.|a cat sat. It ran!|今天天气很好。|it rained|the dog ran away|x y z|dog|猫".split("|")


def plain_rows(n: int = 12) -> list[dict[str, Any]]:
    """Rows with a column for every use: of texts, ids, sources, systems, judgements, slices."""
    return [
        {
            "id": f"n{row // 3}",
            "key": f"k{row}",
            "prediction": _TEXTS[row % 8],
            "prediction_b": _TEXTS[(3 * row + 1) % 8],
            "references": [_TEXTS[(row + 1) % 6], _TEXTS[row % 6]],
            "document": " ".join(_TEXTS[:6]),
            "summary": _TEXTS[row % 5],
            "system": "ABC"[row % 3],
            "human": 1 + row * 7 % 5,
            "topic": ["news", "sport"][row % 2],
            "n": row * row,
            "more": {"a": [row], "text": _TEXTS[row % 8]},
        }
        for row in range(n)
    ]


def odd_rows(rng: random.Random) -> list[Any]:
    """Such rows, of which some have odd cells."""
    rows: list[Any] = plain_rows(rng.choice([12, 12, 12, 1, 2, 3]))
    kind = rng.random()
    if kind < 0.3:  # control characters, in all rows of a column
        column = rng.choice([*rows[0]])
        for row in rows:
            row[column] = rng.choice(CONTROLS) + str(row[column])
    elif kind < 0.6:
        for _ in range(rng.choice([1, 1, 3])):
            at = rng.randrange(len(rows))
            rows[at] = odd_part(rng, rows[at])
    elif kind < 0.7:
        column, value = rng.choice([*rows[0]]), odd_value(rng)
        for row in rows:
            row[column] = value
    elif kind < 0.75:
        rows = []
    return rows


def _json(value: Any) -> Any:
    """What JSON has in place of a value."""
    return value.tolist() if isinstance(value, np.ndarray) else type(value).__name__


def odd_json(row: Any) -> str:
    """A value as JSON, or brackets where JSON has none for it."""
    try:
        return json.dumps(row, ensure_ascii=False, default=_json)
    except (TypeError, ValueError, RecursionError):  # keys or numbers that it has not
        return "[" * 100_000


def _csv_text(rows: list[Any], delimiter: str) -> str:
    lines = io.StringIO()
    columns = [*plain_rows(1)[0]]
    writer = csv.writer(lines, delimiter=delimiter, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        cells = [row.get(column, "") if isinstance(row, dict) else "" for column in columns]
        writer.writerow([_short_text(cell) for cell in cells])
    return lines.getvalue()


def _short_text(value: Any) -> str:
    try:
        return str(value)
    except (ValueError, RecursionError):  # a number of thousands of digits
        return "huge"


def _parquet(rows: list[Any]) -> bytes:
    sink = io.BytesIO()
    try:
        table = pa.Table.from_pylist([row for row in rows if isinstance(row, dict)])
        pq.write_table(table, sink, row_group_size=5)
    except (pa.ArrowException, ValueError, TypeError, OverflowError, AttributeError, RecursionError):
        return _parquet(plain_rows())
    return sink.getvalue()


FORMATS = ("jsonl", "jsonl", "csv", "tsv", "json", "parquet", "parquet")
NAMES = [
    *("rows", "rows", "rows", "行 1", "`a`", "[red]a", "checkpoint-5", "a|b"),
    *("\x1b[2Jrows", "\x9b1m", "ro\u202ews", "a\nb", "\udcff"),
]


def odd_file(rng: random.Random, folder: Path, rows: list[Any] | None = None) -> str:
    """Write rows to a file; its name is odd at times, and so are the rows and the bytes, unless rows are given."""
    is_odd = rows is None
    rows = odd_rows(rng) if rows is None else rows
    suffix = rng.choice(FORMATS)
    if suffix == "parquet":
        content = _parquet(rows)
    elif suffix in ("csv", "tsv"):
        content = _csv_text(rows, "," if suffix == "csv" else "\t").encode("utf-8", "surrogatepass")
    else:
        lines = list(map(odd_json, rows))
        content = ("\n".join(lines) if suffix == "jsonl" else f"[{','.join(lines)}]").encode("utf-8", "surrogatepass")
    if is_odd and rng.random() < 0.3:
        content = damaged(rng, [content])
    path = folder / f"{rng.choice(NAMES)}.{suffix}"
    path.write_bytes(content)
    return str(path)
