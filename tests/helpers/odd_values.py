"""Odd values of every type, odd words of a command line, and odd files: what functions and commands are fuzzed with."""

import contextlib
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
    *(0, 1, -1, 2, 0.5, 1e-300, 1e300, -0.0, math.nan, math.inf, -math.inf, True, False, 2**31, 2**63, 2**64, 1j, 100),
    *(10**400, -(10**400), 9**5000, decimal.Decimal("sNaN"), decimal.Decimal("1e999999"), fractions.Fraction(10**400)),
    *(np.float32("nan"), np.int8(5), np.datetime64("NaT"), fractions.Fraction(1, 3), datetime.date(2020, 1, 1)),
]


def _deep() -> Any:
    value = []
    for _ in range(3000):
        value = [value]
    return value


# A call may use one up, so that a new one is made for it.
_OBJECTS: list[Callable[[], Any]] = [
    *(object, list, tuple, dict, set, lambda: None, lambda: ..., lambda: print, lambda: iter("ab"), lambda: range(3)),
    *(_deep, lambda: {"a"}, lambda: {"a": 1}, lambda: {1: 2}, lambda: [None], lambda: [[]], lambda: [math.nan]),
    *(lambda: ["a", 1], lambda: {("a",): []}, lambda: {"a": None}, lambda: {None: None}, lambda: bytearray(b"a")),
    *(lambda: {"rouge1": math.nan}, lambda: {"rouge1": 10**400}, lambda: {"rouge1": [1]}, lambda: {"rouge1": "0.5"}),
    *(lambda: np.array(3), lambda: np.array([]), lambda: np.array([["a"], ["b"]]), lambda: np.zeros((0, 3))),
    *(lambda: np.array([1, None, "a"], object), lambda: np.array([math.nan, math.inf])),
]
_ODD_TEXTS = ["", " ", "a", "none", "x" * 5000, b"a", np.str_("a"), Path("/nowhere"), Path(), "default", "rouge1"]
_ODD_TEXTS += [("rougeS999999999999",), ("rouge1", "rouge1"), ("rouge0",)]


def odd_value(rng: random.Random) -> Any:
    """A value of any type."""
    kind = rng.random()
    if kind < 0.35:
        return rng.choice(_NUMBERS)
    if kind < 0.5:
        return rng.choice(CONTROLS)
    return rng.choice(_ODD_TEXTS) if kind < 0.7 else rng.choice(_OBJECTS)()


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
        changed[rng.choice([*_NUMBERS, *CONTROLS])] = changed.pop(key)
    elif kind < 0.3:
        changed.insert(key, changed[key])
    else:
        changed[key] = odd_part(rng, value[key])
    return changed


_WORDS = [
    *("", " ", "0", "1", "-1", "2", "0.5", "nan", "inf", "-inf", "1e999", "-0", "1e-300", "0x10", "1_0", "٣", "½"),
    *("9" * 5000, "1e308", "99.9%", "nan%", "5", "1000001", "2147483648", "9" * 20, "none", "true", "False", "null"),
    *("all", "-", "--", "=", "a=", "=1", "rouge1=", "rouge1=nan", "rouge1=50", "rouge1=1e999", "rouge1=1=2"),
    *("rouge1=1,rouge1=2", "rouge9=1", ",", "a,b", "@", "@missing", "/", "/dev/null", ".", "..", "missing.jsonl"),
    *("x" * 300, "x" * 5000, "rouge1", "rouge0", "rougeL_recall", "rougeS99999999999", "rouge1,rouge1", "default"),
    *("zh_char", "jieba", "json", "csv", "local", "randomization", "utf-8", "gb18030", "rot13", "base64", "parquet"),
    *("1,2", "nan,1", "types:1", "types:1|v:0", "|", ":", "[" * 3000, '{"a": 1}', "a[0]", "a.b.c", "references[9]"),
    *("document.x", "[0]", "id", "prediction", "references", "topic", "human", "system", "n", "more", "document"),
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
    kind, column = rng.random(), rng.choice([*rows[0]])
    if kind < 0.05:
        return []
    if kind < 0.5:
        at = rng.randrange(len(rows))
        rows[at] = odd_part(rng, rows[at])
        return rows
    value = odd_value(rng)
    for row in rows:
        row[column] = value if kind < 0.6 else rng.choice(CONTROLS) + str(row[column])
    return rows


def odd_json(row: Any) -> str:
    """A value as JSON, or brackets where JSON has none for it."""
    try:
        return json.dumps(row, ensure_ascii=False, default=lambda value: type(value).__name__)
    except (TypeError, ValueError, RecursionError):  # keys or numbers that it has not
        return "[" * 100_000


def _csv_text(rows: list[Any]) -> str:
    lines, columns = io.StringIO(), [*plain_rows(1)[0]]
    writer = csv.DictWriter(lines, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for row in rows:
        with contextlib.suppress(AttributeError, ValueError, RecursionError):  # no row, or a number that is too long
            writer.writerow(row)
    return lines.getvalue()


def _parquet(rows: list[Any]) -> bytes:
    sink = io.BytesIO()
    try:
        pq.write_table(pa.Table.from_pylist([row for row in rows if isinstance(row, dict)]), sink, row_group_size=5)
    except (pa.ArrowException, ValueError, TypeError, OverflowError, AttributeError, RecursionError):
        return _parquet(plain_rows())
    return sink.getvalue()


NAMES = ["rows", "rows", "rows", "行 1", "[red]a", "checkpoint-5", "a|b", "\x1b[2Jrows", "ro\u202ews", "a\nb", "\udcff"]


def odd_file(rng: random.Random, folder: Path, rows: list[Any] | None = None) -> str:
    """Write rows to a file; its name is odd at times, and so are the rows and the bytes, unless rows are given."""
    is_odd = rows is None
    rows = odd_rows(rng) if rows is None else rows
    suffix = rng.choice(["jsonl", "json", "csv", "parquet"])
    if suffix == "parquet":
        content = _parquet(rows)
    else:
        lines = list(map(odd_json, rows))
        texts = {"jsonl": "\n".join(lines), "json": f"[{','.join(lines)}]", "csv": _csv_text(rows)}
        content = texts[suffix].encode("utf-8", "surrogatepass")
    if is_odd and rng.random() < 0.3:
        content = damaged(rng, [content])
    path = folder / f"{rng.choice(NAMES)}.{suffix}"
    path.write_bytes(content)
    return str(path)
