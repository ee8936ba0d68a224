"""Write a file whole or not at all."""

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_MARK = ".polyrouge-"  # in the names of files that are not finished


@contextmanager
def atomic_write(path: str | Path) -> Iterator[str]:
    """Yield the path of an empty file next to ``path``, which takes its place if no error comes in between.

    A pipe or a device is written to as it is.
    """
    target = Path(path).absolute()
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if target.exists() and not target.is_file():  # a pipe or a device, which has no whole to be replaced by
        yield str(path)
        return
    target = target.resolve()  # a link stays one
    temporary = target.with_name(f".{target.stem[:40]}{_MARK}{secrets.token_hex(8)}{target.suffix}")
    try:
        temporary.touch(exist_ok=False)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    try:
        yield str(temporary)
        with open(temporary, "rb+") as file:
            os.fsync(file.fileno())  # after a power cut a name without its data would look finished
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def remove_leftovers(folder: str | Path) -> None:
    """Remove the unfinished files of killed writers from a folder, to which nobody may be writing now."""
    for path in Path(folder).glob(f".*{_MARK}*"):
        with suppress(OSError):
            path.unlink()
