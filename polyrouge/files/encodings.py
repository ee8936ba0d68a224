"""Lines of a file as text: UTF-8, or GB18030, in which Chinese spreadsheets are written, or what was asked for."""

from __future__ import annotations

import codecs
import io
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

from polyrouge.files.file_rows import InputFileError, unreadable

Lines = Iterator[tuple[int, str]]
"""Lines with their numbers."""

_BYTE_ORDER_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_PIECE = 1 << 16
_COMMON = 0.9  # of the Chinese characters of a line in GB18030, those that are in GB 2312; other bytes rarely reach it


def checked_encoding(name: str | None) -> str | None:
    """The name of a codec as Python writes it; raises ``ValueError`` if there is no such codec for texts."""
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
    stream: Iterable[bytes], name: str, encoding: str | None = None, notes: list[str] | None = None, first: int = 1
) -> Lines:
    r"""Lines without their ``\n`` or ``\r\n``; nothing else ends a line.

    Without an encoding it is UTF-8, or UTF-16 with a byte order mark. A file that is ASCII up to a line that is no
    UTF-8, but is Chinese text in GB18030 (which holds GBK and GB 2312), is in GB18030, and a note says so.
    """
    number = first - 1
    start = stream.peek(4)[:4] if isinstance(stream, io.BufferedReader) else b""
    marked = next((codec for mark, codec in _BYTE_ORDER_MARKS.items() if start.startswith(mark)), None)
    codec = encoding or marked or "utf-8"
    is_known = encoding is not None or marked is not None  # else it may still turn out to be GB18030
    is_recoded = codec != "utf-8"
    try:
        for number, line in enumerate(_as_utf8(stream, codec) if is_recoded else stream, start=first):
            data = line.removesuffix(b"\n").removesuffix(b"\r")
            if number == 1:
                data = data.removeprefix(codecs.BOM_UTF8)
            if not is_known and not data.isascii():
                is_known = True
                if not _decoded(data, "utf-8") and _is_chinese(_decoded(data, "gb18030")):
                    codec = "gb18030"
                    if notes is not None:
                        notes.append(
                            f"{name} is no UTF-8 and was read as GB18030 (GBK), as from line {number} on it fits."
                        )
            yield number, data.decode("utf-8" if is_recoded else codec)
    except UnicodeDecodeError as error:
        wrong = encoding or codec.replace("utf-8", "UTF-8")
        raise InputFileError(
            f"{name}, line {number + is_recoded}: byte {error.object[error.start]:#04x} is not {wrong}; convert the "
            "file to UTF-8.",
            "Or name its encoding: --encoding.",
        ) from None
    except (EOFError, OSError, zlib.error) as error:
        raise unreadable(name, error) from None


def _decoded(data: bytes, encoding: str) -> str:
    """The text of a line; "" if it is in another encoding."""
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return ""


def _is_chinese(text: str) -> bool:
    """Whether its characters beyond ASCII, of which there are some, are mostly those of GB 2312."""
    wide = "".join(character for character in text if ord(character) >= 0x80)
    n_common = len(wide.encode("gb2312", "ignore").decode("gb2312"))
    return bool(wide) and n_common >= _COMMON * len(wide)


def _as_utf8(stream: Any, encoding: str) -> Iterator[bytes]:
    r"""The lines of a file in another encoding as those of UTF-8, which end with ``\n``."""
    pieces = codecs.iterdecode(iter(lambda: stream.read(_PIECE), b""), encoding)
    start = ""
    for piece in pieces:
        *lines, start = (start + piece).split("\n")
        for line in lines:
            yield f"{line}\n".encode()
    if start:
        yield start.encode()
