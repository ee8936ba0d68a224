"""The files of a folder that is to be scored: which there are, their formats, and what tells that one has changed."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from polyrouge.files.file_rows import InputFileError
from polyrouge.files.text_files import format_of_name
from polyrouge.runs.folders import Folder

_AT_ONCE = 8  # files that are looked at at the same time: most of it is waiting for a disk or a network
_BLOCK = 1 << 22
# What file systems call the digest that they keep themselves, so that a file need not be read for it.
_KEPT_DIGESTS = ("ETag", "etag", "md5Hash", "content_md5", "blob_id", "crc32c")


class InputFile(NamedTuple):
    """One file.

    Attributes:
        name: its path from the folder.
        format: one of ``FORMATS``.
        is_zipped: its name ends in ``.gz``.
        size: bytes.
        checksum: changes when the file does: a digest of its bytes, or what the file system keeps as one.
    """

    name: str
    format: str
    is_zipped: bool
    size: int
    checksum: str


def input_folder(url: str) -> tuple[Folder, list[str], list[str]]:
    """The folder of an address, the names of its files that can be read, and of those that can't.

    Hidden files, those whose names or folders begin with an underscore (as engines mark what is no data), and empty
    files are none of both. The address may be that of one file.

    Raises:
        InputFileError: there is nothing that can be read.
    """
    folder = Folder(url)
    if folder.fs.isfile(folder.path):
        parent, _, name = folder.path.rpartition("/")
        folder = Folder(folder.fs.unstrip_protocol(parent or "/"))
        found: Mapping[str, Any] = {name: folder.fs.info(folder.place(name))}
    else:
        found = folder.files()
        if not found:
            raise InputFileError(
                f"There are no files in {folder.url!r}; give a folder of JSONL, CSV, Parquet or Arrow files."
            )
    data = [name for name, info in found.items() if len(found) == 1 or (info["size"] and not _is_aside(name))]
    readable = [name for name in data if format_of_name(name) not in (None, "text")]
    if not readable:
        raise InputFileError(
            f"{folder.url!r} has no file of JSONL, CSV, TSV, Parquet or Arrow; it has {', '.join(list(found)[:5])}."
        )
    return folder, readable, [name for name in data if name not in readable]


def looked_at(folder: Folder, names: list[str]) -> list[InputFile]:
    """The files with their sizes and checksums.

    Raises:
        InputFileError: a file can't be read.
    """
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        return list(threads.map(lambda name: _looked_at(folder, name), names))


def _looked_at(folder: Folder, name: str) -> InputFile:
    try:
        info = folder.fs.info(folder.place(name))
        kept = next((f"{key}:{info[key]}" for key in _KEPT_DIGESTS if isinstance(info.get(key), str)), None)
        checksum = kept or _digest(folder, name)
    except OSError as error:
        raise InputFileError(f"{folder.shown(name)} can't be read: {error.strerror or error}.") from None
    return InputFile(name, format_of_name(name) or "", name.lower().endswith(".gz"), int(info["size"]), checksum)


def _digest(folder: Folder, name: str) -> str:
    import xxhash

    digest = xxhash.xxh3_128()
    with folder.open(name) as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return f"xxh3_128:{digest.hexdigest()}"


def _is_aside(name: str) -> bool:
    return any(part.startswith((".", "_")) for part in PurePosixPath(name).parts)
