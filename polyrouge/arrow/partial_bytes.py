"""How a partial result is written: a name and version, a checksum, and what is known, compressed."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from polyrouge.errors import shown_value

_MAGIC, _VERSION = b"polyrouge partial ", 1
_DIGEST = 16  # bytes


def packed(head: Mapping[str, Any], numbers: Sequence[int]) -> bytes:
    """Bytes that ``unpacked`` reads.

    Args:
        head: plain values for JSON.
        numbers: whole numbers of any size.
    """
    body = zlib.compress(json.dumps(head).encode() + b"\n" + b"".join(map(_packed, numbers)))
    return _MAGIC + b"%d\n" % _VERSION + _digest(body) + body


def _packed(number: int) -> bytes:
    """A whole number: how many bytes it has, in two bytes, and the bytes."""
    size = number.bit_length() // 8 + 1
    return size.to_bytes(2, "little") + number.to_bytes(size, "little", signed=True)


def unpacked(data: bytes) -> tuple[dict[str, Any], list[int]]:
    """What ``to_bytes`` was given: what stands at the head, and whole numbers."""
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(f"A partial result is {shown_value(data)}; give the bytes of Partial.to_bytes.")
    start, _, rest = bytes(data).partition(b"\n")
    if not start.startswith(_MAGIC):
        raise ValueError("These bytes are no partial result; give those of Partial.to_bytes.")
    version = start.removeprefix(_MAGIC)
    if version != b"%d" % _VERSION:
        raise ValueError(
            f"This partial result has the version {version.decode(errors='replace')!r}, and this polyrouge knows "
            f"{_VERSION} only; score the rows again, or use the polyrouge that made it."
        )
    digest, body = rest[:_DIGEST], rest[_DIGEST:]
    if digest != _digest(body):
        raise ValueError(
            "The bytes of this partial result are damaged: their checksum is another. Score the rows again."
        )
    head, _, packed = zlib.decompress(body).partition(b"\n")
    numbers, place = [], 0
    while place < len(packed):
        size = int.from_bytes(packed[place : place + 2], "little")
        numbers.append(int.from_bytes(packed[place + 2 : place + 2 + size], "little", signed=True))
        place += 2 + size
    return json.loads(head), numbers


def _digest(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=_DIGEST).digest()
