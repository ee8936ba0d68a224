"""A folder on any file system of fsspec: list, read, and write files whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from polyrouge.files.atomic import atomic_write, remove_leftovers

_BLOCK = 1 << 22


class Folder:
    """A folder by its path, or by an address such as ``s3://bucket/folder``; a path is made absolute."""

    def __init__(self, url: str) -> None:
        from fsspec.core import url_to_fs
        from fsspec.implementations.local import LocalFileSystem

        self.fs, path = url_to_fs(url)
        self.is_local = isinstance(self.fs, LocalFileSystem)
        self.path = str(path).rstrip("/")
        self.url = (self.path if self.is_local else url.rstrip("/")) or "/"

    @property
    def real_path(self) -> str:
        """Its path, on this machine without symbolic links."""
        return os.path.realpath(self.path) if self.is_local else self.path

    def address_of(self, name: str) -> str:
        """The address of a file in it; on this machine, its path."""
        return f"{self.url.rstrip('/')}/{name}"

    def files(self) -> dict[str, int]:
        """The bytes of each file, also in folders below, by its path from here, sorted."""
        self.fs.invalidate_cache()
        try:
            infos = self.fs.find(self.path or "/", detail=True)
        except FileNotFoundError:
            return {}
        return {path[len(self.path) + 1 :]: info["size"] for path, info in sorted(infos.items()) if path != self.path}

    def info(self, name: str) -> dict[str, Any]:
        """The current facts about a file."""
        self.fs.invalidate_cache()
        return self.fs.info(f"{self.path}/{name}")

    def open(self, name: str) -> Any:
        """Open a file for reading, as bytes."""
        return self.fs.open(f"{self.path}/{name}", "rb")

    @contextmanager
    def atomic_write(self, name: str) -> Iterator[Path]:
        """Yield a path on this machine, whose content becomes the file unless an error occurs."""
        if self.is_local:
            place = Path(self.path, name)
            place.parent.mkdir(parents=True, exist_ok=True)
            with atomic_write(place) as path:
                yield Path(path)
            return
        with tempfile.TemporaryDirectory(prefix="polyrouge-") as folder:
            path = Path(folder, "file")
            yield path
            # A stream that is closed by an error would leave half an object, so none is opened.
            self.fs.put_file(str(path), f"{self.path}/{name}")

    def remove_unfinished(self) -> None:
        """Remove what killed processes have left, here and in folders below."""
        for folder, _, _ in os.walk(self.path) if self.is_local else ():
            remove_leftovers(folder)


def checksum_of(file: Any) -> str:
    """The checksum of an open file of bytes."""
    import xxhash

    digest = xxhash.xxh3_128()
    while block := file.read(_BLOCK):
        digest.update(block)
    return f"xxh3_128:{digest.hexdigest()}"
