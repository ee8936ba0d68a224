"""Rows of JSON Lines, and of JSON documents in the shapes that tools write."""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice, repeat
from typing import Any

from polyrouge.files.columns import holds_a_role
from polyrouge.files.encodings import Lines
from polyrouge.files.table import (
    SOME_ROWS,
    Content,
    InputFileError,
    Row,
    first_of,
    looked_ahead,
    names_of,
    other_value,
    value_at,
)

_KINDS = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}
_DEEPEST = 3  # objects in which rows are looked for
_TRAILING_COMMA = re.compile(r",\s*[}\]]")  # where Python 3.13 stops; earlier ones stop behind the comma


def jsonl_rows(name: str, lines: Lines) -> Content:
    """JSONL: a JSON object, or a text, a line; blank lines may stand at the end only."""

    def values() -> Iterator[tuple[str, Any]]:
        blank = 0
        for number, line in lines:
            if not line.strip():
                blank = blank or number
                continue
            if blank:  # blank lines at the end don't count; a blank line elsewhere is a missing row
                raise InputFileError(f"{name}, line {blank}: the line is blank; each line must hold a JSON object.")
            yield f"line {number}", _parsed(line, f"{name}, line {number}", is_line=True)

    return _of_values(name, values(), kinds=(str,))


def json_rows(name: str, lines: Lines) -> Content:
    """JSON, which is read as a whole: rows in one of the shapes of ``_rows_of``."""
    value = _parsed("\n".join(line for _, line in lines), name, is_line=False)
    if isinstance(value, dict) and "submission_name" in value and isinstance(tasks := value.get("tasks"), dict):
        if len(tasks) > 1:
            raise InputFileError(
                f"{name} is a submission to GEM with {len(tasks)} tasks, {names_of(tasks)}; write one to a file: "
                f"jq '.tasks[\"{next(iter(tasks))}\"]' {name} > task.json"
            )
        value = next(iter(tasks.values()), value)
    rows = _captions_of_images(value) or _rows_of(name, value)
    if rows is None:
        raise InputFileError(
            f"{name} is {_KINDS.get(type(value), 'a number')}; give a list of objects, or JSONL (an object a line)."
        )
    for name_of_list in ("paragraphs", "qas"):  # files like SQuAD: articles of paragraphs of questions
        if all(isinstance(row, dict) and isinstance(row.get(name_of_list), list) for row in rows):
            rows = [item for row in rows for item in row[name_of_list]]
    if all(isinstance(row, list) and len(row) == 1 and isinstance(row[0], dict) for row in rows):
        rows = [row[0] for row in rows]  # as a pipeline of Transformers returns them
    kinds = (str, list) if all(isinstance(row, list) for row in rows) else (str,)
    return _of_values(name, ((f"row {number}", row) for number, row in enumerate(rows, start=1)), kinds=kinds)


def is_document(lines: Lines, *, is_jsonl: bool) -> tuple[bool, Lines]:
    """Return whether a file is one JSON value, and its lines as before; ``is_jsonl``: its name says JSONL."""
    first = list(islice(lines, 2))
    lines = chain(first, lines)
    if not first:
        return False, lines
    is_value = False
    with suppress(ValueError, RecursionError):
        json.loads(first[0][1])
        is_value = True
    if is_value:
        return not is_jsonl and not any(line.strip() for _, line in first[1:]), lines
    return not is_jsonl or first[0][1].strip() in ("{", "["), lines


def _rows_of(name: str, value: Any, depth: int = 0) -> list[Any] | None:
    """Return the rows of a JSON value; None if it has none.

    A list has them. An object may be a row itself, hold columns, be numbered or named rows, or hold rows among others.
    """
    if isinstance(value, list):
        return value
    if not isinstance(value, dict) or not value:
        return None
    names, lists = value.get("columns"), value.get("data")
    if isinstance(names, list) and isinstance(lists, list) and all(isinstance(cells, list) for cells in lists):
        return [dict(zip(names, cells, strict=False)) for cells in lists]  # orient="split" of pandas; MLflow, W&B
    numbered = {key: item for key, item in value.items() if isinstance(item, dict) and key.isdecimal()}
    if numbered and all(isinstance(item, dict) == (key in numbered) for key, item in value.items()):
        value = numbered  # OpenCompass writes a type beside them
    items = list(value.values())
    kinds = {type(item) for item in items}
    if kinds == {dict}:
        if all(item and _counts(item) and item.keys() == items[0].keys() for item in items):  # orient="columns"
            return [{column: cells[key] for column, cells in value.items()} for key in _in_order(items[0])]
        if _counts(value) or all(map(holds_a_role, items)):  # OpenCompass, orient="index"
            return [{"id": key, **value[key]} for key in _in_order(value)]
    if texts := _texts_of_gem(value):
        return texts
    if columns := _columns_of_lists(name, value):
        return columns
    if holds_a_role(value):
        return [value]
    if kinds == {str} or (kinds == {list} and all(isinstance(text, str) for item in items for text in item)):
        return [{"id": key, "text": value[key]} for key in _in_order(value)]
    if depth < _DEEPEST:
        inner = [item for item in items if isinstance(item, list) and item and isinstance(item[0], dict)]
        inner += [rows for item in items if isinstance(item, dict) and (rows := _rows_of(name, item, depth + 1))]
        objects = [rows for rows in inner if isinstance(rows[0], dict)]
        for role in ("prediction", "reference"):
            with_role = [rows for rows in objects if holds_a_role(rows[0], role)]
            if len(with_role) == 1:
                return with_role[0]
        if len(inner) == 1:
            return inner[0]
    if depth:
        return None
    if len(paths := _paths_to_rows(value)) > 1:
        raise InputFileError(
            f"{name} has rows in several lists, {', '.join(paths[:5])}; write one to a file: "
            f"jq '{paths[0]}' {name} > one.json"
        )
    return [value]


def _paths_to_rows(value: dict[str, Any], outer: str = "") -> list[str]:
    """Return where rows with predictions are, as jq writes it: one list for each data set."""
    paths: list[str] = []
    for key, item in value.items():
        path = f"{outer or '.'}[{json.dumps(key, ensure_ascii=False)}]"
        if isinstance(item, list) and item and isinstance(item[0], dict) and holds_a_role(item[0], "prediction"):
            paths.append(path)
        elif isinstance(item, dict) and not outer:
            paths += _paths_to_rows(item, path)
    return paths


def _captions_of_images(value: Any) -> list[Any]:
    """Return a row for each image of COCO's annotations, whose captions are references of one text."""
    annotations = value.get("annotations") if isinstance(value, dict) and "images" in value else None
    captions: dict[Any, list[Any]] = {}
    for item in annotations if isinstance(annotations, list) else ():
        if not isinstance(item, dict) or not {"image_id", "caption"} <= item.keys():
            return []
        captions.setdefault(item["image_id"], []).append(item["caption"])
    return [{"image_id": image, "caption": texts} for image, texts in captions.items()]


def _texts_of_gem(value: dict[str, Any]) -> list[Any] | None:
    """Return the rows of GEM's ``{"values": [...], "keys": [...], "language": "en"}`` whose values are texts."""
    texts, keys = value.get("values"), value.get("keys")
    if not (isinstance(texts, list) and texts and all(isinstance(text, str) for text in texts)) or holds_a_role(value):
        return None
    if not isinstance(keys, list) or len(keys) != len(texts):
        return texts
    return [{"id": key, "prediction": text} for key, text in zip(keys, texts, strict=True)]


def _counts(cells: dict[str, Any]) -> bool:
    return all(key.isdecimal() for key in cells)


def _in_order(value: dict[str, Any]) -> list[str]:
    """Return the keys, numbers by their size: some tools write them sorted as texts, 0, 1, 10, 2."""
    return sorted(value, key=int) if _counts(value) else list(value)


def _columns_of_lists(name: str, value: dict[str, Any]) -> list[dict[str, Any]] | None:
    """Return the rows of columns such as ``{"predictions": [...], "references": [...]}``."""
    columns = {
        column: cells
        for column, cells in value.items()
        if isinstance(cells, list) and cells and all(isinstance(cell, str | list) for cell in cells)
    }
    if not columns or not holds_a_role({column: cells[0] for column, cells in columns.items()}):
        return None
    if len(columns) < 2 and len(value) > 1:  # a row with one list of references
        return None
    is_of_vllm = "input_lens" in value  # what vllm bench serve --save-detailed writes beside lists
    sizes = {column: len(cells) for column, cells in columns.items()}
    first_cells = {column: cells[0] for column, cells in columns.items()}
    has_both = all(holds_a_role(first_cells, role) for role in ("prediction", "reference"))
    has_text = any(isinstance(item, str) for item in value.values()) and not is_of_vllm
    if has_text and not (has_both and len(set(sizes.values())) == 1):  # a row
        return None
    if len(set(sizes.values())) > 1:
        counts = ", ".join(f"{column!r} has {size}" for column, size in islice(sizes.items(), 5))
        raise InputFileError(f"{name}: the lists are of unequal length: {counts}. Row i of each must belong together.")
    return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]


class _RepeatedKeyError(ValueError):
    """An object has a key twice."""


def _object_of_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        seen: set[str] = set()
        raise _RepeatedKeyError(next(key for key, _ in pairs if key in seen or seen.add(key)))
    return result


_decode = json.JSONDecoder(object_pairs_hook=_object_of_pairs).decode


def _line_of_repeated_key(text: str) -> int:
    """Return the line on which the object begins that has a key twice."""
    library: Any = json  # whose decoder in Python has no types
    decoder, starts = library.JSONDecoder(object_pairs_hook=_object_of_pairs), []

    def parse_object(start: tuple[str, int], *options: Any) -> Any:
        starts.append(start[1])
        result = library.decoder.JSONObject(start, *options)
        starts.pop()
        return result

    decoder.parse_object = parse_object
    decoder.scan_once = library.scanner.py_make_scanner(decoder)
    with suppress(_RepeatedKeyError, RecursionError):
        decoder.decode(text)
    return text.count("\n", 0, starts[-1] if starts else 0) + 1


def _parsed(text: str, where: str, *, is_line: bool) -> Any:
    try:
        return _decode(text)
    except _RepeatedKeyError as error:
        line = "" if is_line else f", line {_line_of_repeated_key(text)}"
        raise InputFileError(
            f"{where}{line}: an object has the key {error.args[0]!r} twice, of which only one would be read; rename or "
            "remove one."
        ) from None
    except json.JSONDecodeError as error:
        hint = _hint(text, error, is_line=is_line, name=where.partition(", line ")[0])
        if not is_line:
            raise InputFileError(f"{where}, line {error.lineno}: this is no JSON: {error.msg}.{hint}") from None
        problem = f"{error.msg.removesuffix(' starting at')} at character {error.pos + 1}"
        raise InputFileError(f"{where}: this is no JSON: {problem}.{hint}") from None
    except RecursionError:
        raise InputFileError(f"{where}: this JSON is nested too deep.") from None
    except ValueError as error:  # an integer of thousands of digits
        raise InputFileError(f"{where}: this is no JSON that can be read: {error}.") from None


def _hint(text: str, error: json.JSONDecodeError, *, is_line: bool, name: str) -> str:
    """Return what stands where JSON ends, and what to do, if it is known; "" if not."""
    before, behind = text[: error.pos].rstrip(), text[error.pos :].lstrip()
    if behind.startswith(("//", "/*", "#")):
        return " A comment stands there, as JSON5 has them and JSON has not; take the comments out."
    if _TRAILING_COMMA.match(behind) or (before.endswith(",") and behind[:1] in ("}", "]")):
        return " A comma stands before the closing bracket, as JSON5 allows and JSON does not; take it out."
    if text.lstrip().startswith("{'") or behind.startswith("'"):
        return " It seems to be an object as Python prints it; write it by json.dumps."
    if error.msg == "Extra data" and behind.startswith("{"):
        return f" Another object follows; write one a line: jq -c . {name} > new.jsonl"
    if is_line and behind == ",":
        return f" A comma stands behind the object; take the commas out: sed 's/,[[:space:]]*$//' {name} > new.jsonl"
    if is_line:
        is_cut_off = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
        return " The line seems to be cut off." if is_cut_off else ""
    return " One value is to hold all; as JSONL, each row has a line." if error.msg == "Extra data" else ""


def _of_values(name: str, values: Iterator[tuple[str, Any]], kinds: tuple[type, ...]) -> Content:
    """Return the rows of JSON values: objects, or all of them texts, whose column has no name."""
    first, values = first_of(values, name)
    is_text = isinstance(first[1], kinds)

    def checked() -> Iterator[tuple[str, dict]]:
        for row_name, row in values:
            if isinstance(row, kinds) if is_text else isinstance(row, dict):
                yield row_name, {"": row} if is_text else row
                continue
            kind = _KINDS.get(type(row), "a number")
            expected = "a text, as those before" if is_text else 'a JSON object such as {"prediction": "..."}'
            raise InputFileError(f"{name}, {row_name}: this is {kind}; each must be {expected}.")

    sample, objects = looked_ahead(checked())

    def rows(texts: Sequence[str], further: Sequence[str]) -> Iterator[Row]:
        columns = [*texts, *further]
        for row_name, row in objects:
            try:
                selected = {column: row[column] for column in columns}
            except KeyError:  # a path, or what is missing
                selected = _selected(row, texts, further, f"{name}, {row_name}")
            yield Row(row_name, selected)

    records = [row for _, row in sample]
    if is_text or not records:
        return Content([], [], [], rows)
    _refuse_description(name, first[0], records)
    columns = list(records[0])
    lists = [column for column in columns if _is_of(column, records, list)]
    texts = [column for column in columns if column in lists or _is_of(column, records, str)]
    return Content(columns, texts, lists, rows, lambda: records)


def _refuse_description(name: str, row_name: str, records: Sequence[dict[str, Any]]) -> None:
    """Raise ``InputFileError`` if the first row has nothing of the others, such as the settings of a run."""
    row, *next_rows = records
    if (
        next_rows
        and not holds_a_role(row)
        and all(map(row.keys().isdisjoint, next_rows))
        and holds_a_role(next_rows[0])
    ):
        raise InputFileError(
            f"{name}, {row_name}: it has {names_of(row)}, and the rows behind it have {names_of(next_rows[0])}. If it "
            f"describes them, take it out{f': tail -n +2 {name} > new.jsonl' if row_name == 'line 1' else '.'}"
        )


def _selected(row: dict[str, Any], texts: Sequence[str], further: Sequence[str], where: str) -> dict[str, Any]:
    """Return the values at columns and paths; a text that is not there is an error, for ``checked_text`` to raise."""

    def text_or_error(column: str) -> Any:
        try:
            return value_at(row, column)
        except KeyError:
            return InputFileError(f"{where}: there is no {column!r}; it has {names_of(row)}.", *SOME_ROWS)

    return {column: other_value(row, column) for column in further} | {text: text_or_error(text) for text in texts}


def _is_of(column: str, records: Sequence[dict[str, Any]], kind: type) -> bool:
    """Return whether a column holds such values, as far as it is not null or NaN."""
    values = map(dict.get, records, repeat(column))
    first = next((value for value in values if value is not None and value == value), None)
    return isinstance(first, kind)
