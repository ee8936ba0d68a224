"""Folders with one text a file, as of DUC and pyrouge: files of several folders belong together by their names."""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from polyrouge.errors import Option
from polyrouge.files.binary_files import refuse_binary
from polyrouge.files.encodings import checked_encoding, numbered_lines
from polyrouge.files.table import InputFileError, Row, Table, names_of

_HIGHLIGHT = "@highlight"
_OF_SYSTEMS = ("thumbs.db", "desktop.ini")  # what Windows writes into folders
_OF_ROWS = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet", ".arrow")
Key = tuple[str, ...]
# Ways to see a name: as it is without its suffix; in parts between marks; in runs of letters and of digits.
_WAYS: tuple[Callable[[str], Key], ...] = (
    lambda name: (Path(name).stem,),
    lambda name: tuple(re.findall(r"[^\W_]+", name)),
    lambda name: tuple(re.findall(r"[^\W\d_]+|\d+", name)),
)


def are_folders(paths: Sequence[str]) -> bool:
    """Return whether these are folders; raises ``InputFileError`` if some are, or if their files hold rows."""
    folders = [path for path in paths if path != "-" and os.path.isdir(path)]
    if not folders:
        return False
    if len(folders) < len(paths):
        file = next(path for path in paths if path not in folders)
        raise InputFileError(
            f"{folders[0]!r} is a folder, and {file!r} is not; give files for both, or for both folders with one text "
            "a file."
        )
    for folder in folders:
        if any(name.lower().endswith(_OF_ROWS) for name in _files_of(folder)):
            raise InputFileError(
                f"{folder!r} is a folder whose files have rows. Score each of its files: ",
                Option("run_on", "local"),
                ".",
            )
    return True


def open_folders(paths: Sequence[str], encoding: str | None = None) -> list[Table]:
    """Return a table of each folder: the ids of its texts, and the texts; several of one id are a list."""
    codec = None if encoding is None else checked_encoding(encoding)
    files = [_files_of(path) for path in paths]
    keys = _ids_of(files[0]) if len(paths) == 1 else None
    tables = []
    for number, path in enumerate(paths):
        if number:
            first_ids, ids = _matched(paths[0], files[0], path, files[number])
            if keys is None:
                keys = first_ids
                tables.append(_table(paths[0], keys, codec))
            ids = {name: keys[first] for name, first in ids.items()}
            tables.append(_table(path, ids, codec))
    return tables or [_table(paths[0], keys or {}, codec)]


def _files_of(folder: str) -> list[str]:
    try:
        names = [entry.name for entry in os.scandir(folder) if entry.is_file() and not entry.name.startswith(".")]
        names = [name for name in names if name.lower() not in _OF_SYSTEMS]
    except OSError as error:
        raise InputFileError(f"{folder!r} can't be read: {error.strerror}.") from None
    if not names:
        raise InputFileError(f"{folder!r} is a folder without files; give a file, or a folder with one text a file.")
    return sorted(names, key=_by_numbers)


def _by_numbers(name: str) -> list[tuple[int, int, str]]:
    return [(0, int(part), part) if part.isdecimal() else (1, 0, part) for part in re.findall(r"\d+|\D+", name)]


def _ids_of(names: Sequence[str]) -> dict[str, str]:
    stems = {name: Path(name).stem for name in names}
    return stems if len(set(stems.values())) == len(stems) else {name: name for name in names}


def _matched(
    folder: str, names: Sequence[str], other_folder: str, others: Sequence[str]
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the ids of the first folder's files, and for each file of another the name in the first."""
    if len(names) == len(others) == 1:
        return _ids_of(names), {others[0]: names[0]}
    for way in _WAYS:
        first, second = _keys(names, way), _keys(others, way)
        if first is None or second is None or len(set(first.values())) < len(names):
            continue
        by_key = {key: name for name, key in first.items()}
        n_parts = len(next(iter(second.values())))
        for left_out in (None, *range(n_parts)):  # a part that numbers the references of a text
            of_first = {
                name: key if left_out is None else key[:left_out] + key[left_out + 1 :] for name, key in second.items()
            }
            if set(of_first.values()) == by_key.keys() and (left_out is not None or len(names) == len(others)):
                return _ids_of(names), {name: by_key[key] for name, key in of_first.items()}
    stems = [{Path(name).stem for name in of_folder} for of_folder in (names, others)]
    alone = [name for name in (*names, *others) if Path(name).stem in stems[0] ^ stems[1]]
    without = f" Only one of them has {names_of(alone)}." if stems[0] & stems[1] and alone else ""
    raise InputFileError(
        f"The files of {folder!r} and {other_folder!r} don't match by their names: {len(names)} in the first "
        f"({names_of(names[:3])}), {len(others)} in the second ({names_of(others[:3])}).{without} Name them "
        "alike, such as 001.txt in both, or 001.A.txt and 001.B.txt for two references of 001.txt."
    )


def _keys(names: Sequence[str], way: Callable[[str], Key]) -> dict[str, Key] | None:
    """Return what differs between names, as a way sees them; None if they have unequal numbers of parts."""
    parts = {name: tuple(str(int(part)) if part.isdecimal() else part for part in way(name)) for name in names}
    if len({len(key) for key in parts.values()}) > 1:
        return None
    differing = [n for n, values in enumerate(zip(*parts.values(), strict=True)) if len(set(values)) > 1]
    return {name: tuple(key[n] for n in differing) for name, key in parts.items()}


def _table(folder: str, ids: Mapping[str, str], codec: str | None) -> Table:
    """Return the table of a folder, in the order of the ids; ``ids``: by the names of its files."""
    names: dict[str, list[str]] = {}
    for name, text_id in ids.items():
        names.setdefault(text_id, []).append(name)
    has_several = max(map(len, names.values())) > 1
    are_stories = all(name.lower().endswith(".story") for name in ids)
    columns = ["article", "highlights"] if are_stories else ["text"]
    notes: list[str] = []

    def records() -> Iterator[tuple[str, dict[str, Any]]]:
        for text_id in sorted(names, key=_by_numbers):
            texts = [read_text(os.path.join(folder, name), codec, notes) for name in names[text_id]]
            where = f"file {names[text_id][0]}"
            if are_stories:
                yield where, {"id": text_id, **story(texts[0])}
            else:
                yield where, {"id": text_id, "text": texts if has_several else texts[0]}

    def rows(texts: Sequence[str], further: Sequence[str]) -> Iterator[Row]:
        for where, record in records():
            yield Row(where, {column: record[column] for column in (*texts, *further)})

    lists = columns if has_several and not are_stories else []
    return Table(folder, "folder", ["id", *columns], columns, lists, rows, tuple, lambda: None, lambda: None, notes)


def read_text(path: str, codec: str | None, notes: list[str]) -> str:
    """Return the text of a file, without the line break at its end."""
    try:
        with open(path, "rb") as raw:
            refuse_binary(path, raw.peek(20))
            return "\n".join(line for _, line in numbered_lines(raw, path, codec, notes))
    except OSError as error:
        raise InputFileError(f"{path!r} can't be read: {error.strerror}.") from None


def story(text: str) -> dict[str, str]:
    """Return the article and the highlights of a story of CNN or the Daily Mail, a highlight a line."""
    parts = [part.strip() for part in re.split(f"^{_HIGHLIGHT}$", text, flags=re.MULTILINE)]
    return {"article": parts[0], "highlights": "\n".join(part for part in parts[1:] if part)}
