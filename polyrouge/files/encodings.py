"""Lines of a file as text: UTF-8, or GB18030, in which Chinese spreadsheets are written, or what was asked for."""

from __future__ import annotations

import codecs
import io
import zlib
from collections.abc import Iterator
from typing import IO, Any

from polyrouge.files.file_rows import InputFileError, unreadable
from polyrouge.files.read_caps import InputTooLargeError, ReadCaps

Lines = Iterator[tuple[int, str]]
"""Lines with their numbers."""

_BYTE_ORDER_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_PIECE = 1 << 16
_COMMON = 0.9  # of the Chinese characters of a line in GB18030, those that are in GB 2312; other bytes rarely reach it


def checked_encoding(name: str | None) -> str | None:
    """The name of a codec as Python writes it.

    Raises:
        ValueError: there is no such codec for texts.
    """
    if name is None:
        return None
    try:
        found = codecs.lookup(name)
        "a".encode(found.name)
    except (LookupError, UnicodeError):
        raise ValueError(
            f"Unknown encoding {name!r}; give the name of a codec, such as utf-8, gb18030, big5, utf-16 or latin-1."
        ) from None
    return found.name


def numbered_lines(
    stream: Any,
    name: str,
    caps: ReadCaps | None = None,
    encoding: str | None = None,
    notes: list[str] | None = None,
    first: int = 1,
) -> Lines:
    r"""Lines without their ``\n`` or ``\r\n``; nothing else ends a line.

    Without an encoding it is UTF-8, or UTF-16 with a byte order mark. A file that is ASCII up to a line that is no
    UTF-8, but is Chinese text in GB18030 (which holds GBK and GB 2312), is in GB18030, and a note says so.

    Args:
        stream: the bytes: an open file, or its lines; with caps or an encoding a file.
        name: of the file, for messages.
        caps: on lines.
        encoding: of the text, as ``checked_encoding`` gives it; None: found.
        notes: where the note is put.
        first: number of the first line, where others stand before it.
    """
    number = first - 1
    given = encoding
    start = stream.peek(4)[:4] if isinstance(stream, io.BufferedReader) else b""
    marked = next((codec for mark, codec in _BYTE_ORDER_MARKS.items() if start.startswith(mark)), None)
    encoding = encoding or marked
    if encoding not in (None, "utf-8"):
        stream = io.BufferedReader(_AsUtf8(stream, encoding))  # pyright: ignore[reportArgumentType] it reads
    is_known = encoding is not None  # else it may still turn out to be GB18030
    codec = "utf-8"
    try:
        for number, line in enumerate(stream if caps is None else _capped_lines(stream, name, caps), start=first):
            data = line.removesuffix(b"\n").removesuffix(b"\r")
            if number == 1:
                data = data.removeprefix(codecs.BOM_UTF8)
            if not is_known and not data.isascii():
                is_known = True
                if _is_gb18030(data):
                    codec = "gb18030"
                    if notes is not None:
                        notes.append(
                            f"{name} is no UTF-8 and was read as GB18030 (GBK), as from line {number} on it fits."
                        )
            yield number, data.decode(codec)
    except UnicodeDecodeError as error:
        at = f"{name}, line {number if encoding is None or encoding == 'utf-8' else number + 1}"
        wrong = given or encoding or codec.replace("utf-8", "UTF-8")
        raise InputFileError(
            f"{at}: byte {error.object[error.start]:#04x} is not {wrong}; convert the file to UTF-8.",
            "Or name its encoding: --encoding.",
        ) from None
    except (EOFError, OSError, zlib.error) as error:
        raise unreadable(name, error) from None


def _is_gb18030(data: bytes) -> bool:
    """Whether a line is no UTF-8, but Chinese in GB18030: mostly characters of GB 2312."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        try:
            text = data.decode("gb18030")
        except UnicodeDecodeError:
            return False
        wide = [character for character in text if ord(character) >= 0x80]
        n_common = len("".join(wide).encode("gb2312", "ignore").decode("gb2312"))
        return n_common >= _COMMON * len(wide)
    return False


def _capped_lines(stream: IO[bytes], name: str, caps: ReadCaps) -> Iterator[bytes]:
    number = 0
    while line := stream.readline(caps.row + 1):
        number += 1
        if len(line) > caps.row:
            raise InputTooLargeError(name, "row", caps.row, f"line {number}")
        if number > caps.values:
            raise InputTooLargeError(name, "values", caps.values)
        yield line


class _AsUtf8(io.RawIOBase):
    """Bytes of one encoding as those of UTF-8.

    Args:
        stream: bytes in the encoding.
        encoding: its codec.
    """

    def __init__(self, stream: IO[bytes], encoding: str) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._left = b""
        self._is_done = False

    def readable(self) -> bool:
        return True

    def readinto(self, target: bytearray) -> int:  # pyright: ignore[reportIncompatibleMethodOverride] of any buffer
        while not self._left and not self._is_done:
            data = self._stream.read(_PIECE)
            self._is_done = not data
            self._left = self._decoder.decode(data, final=self._is_done).encode()
        n = min(len(target), len(self._left))
        target[:n] = self._left[:n]
        self._left = self._left[n:]
        return n
