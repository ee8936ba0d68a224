"""A folder on any file system that fsspec knows: its files are listed, read, and written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from polyrouge.files.atomic import atomic_write, remove_leftovers


class Folder:
    """A folder. On a disk a file that is written gets its name when it is finished; elsewhere it is sent as a whole.

    Args:
        url: a path, or an address such as ``s3://bucket/folder``.

    Attributes:
        url: as given; a path on this machine is made absolute.
        fs: the file system.
        path: the folder there.
        is_local: it is on this machine's disks.

    Raises:
        ImportError: the package for this kind of address is not installed.
        ValueError: there is no such kind of address.
    """

    def __init__(self, url: str) -> None:
        from fsspec.core import url_to_fs
        from fsspec.implementations.local import LocalFileSystem

        self.fs, path = url_to_fs(url)
        self.is_local = isinstance(self.fs, LocalFileSystem)
        self.path = str(path).rstrip("/") or "/"
        self.url = self.path if self.is_local else url.rstrip("/")

    def place(self, name: str) -> str:
        """The path of a file in it, as the file system has it."""
        return f"{self.path.rstrip('/')}/{name}"

    def shown(self, name: str) -> str:
        """The address of a file in it, for messages."""
        return f"{self.url.rstrip('/')}/{name}"

    def files(self) -> dict[str, dict[str, Any]]:
        """What the file system tells of each file, also in folders below, by its path from here, sorted."""
        self.fs.invalidate_cache()
        try:
            found = self.fs.find(self.path, detail=True)
        except FileNotFoundError:
            return {}
        start = len(self.path.rstrip("/")) + 1
        return {path[start:]: info for path, info in sorted(found.items()) if path != self.path}

    def open(self, name: str) -> Any:
        """Open a file for reading, as bytes."""
        return self.fs.open(self.place(name), "rb")

    def read(self, name: str) -> bytes | None:
        """What a file holds; None if it is not there."""
        try:
            return self.fs.cat_file(self.place(name))
        except FileNotFoundError:
            return None

    def size(self, name: str) -> int | None:
        """The bytes of a file; None if it is not there."""
        with suppress(FileNotFoundError):
            return int(self.fs.info(self.place(name))["size"])
        return None

    def write(self, name: str, data: bytes) -> None:
        """Write a file.

        Raises:
            OSError: it can't be written.
        """
        with self.written_whole(name) as path:
            Path(path).write_bytes(data)

    @contextmanager
    def written_whole(self, name: str) -> Iterator[str]:
        """Yield the path of a file on this machine, which becomes a file of this folder if no error comes in between.

        Raises:
            OSError: it can't be written.
        """
        if self.is_local:
            os.makedirs(os.path.dirname(self.place(name)), exist_ok=True)
            with atomic_write(self.place(name)) as path:
                yield path
            return
        with tempfile.TemporaryDirectory(prefix="polyrouge-") as folder:
            path = str(Path(folder) / Path(name).name)
            yield path
            # A stream that is closed by an error would leave half an object, so none is opened.
            self.fs.put_file(path, self.place(name))

    def sweep(self) -> None:
        """Remove what killed writers have left unfinished, here and in folders below."""
        if self.is_local:
            for folder, _, _ in os.walk(self.path):
                remove_leftovers(folder)
