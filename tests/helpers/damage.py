"""Damage of valid bytes and texts, from a bit to a splice: what readers of files and lines are fuzzed with."""

import random
from typing import TypeVar

_Data = TypeVar("_Data", bytes, str)

_HARMFUL = [
    *("\0", "\x00" * 9, "\n", "\r", "\r\n", "\t", '"', '""', "'", ",", "|", ":", "\\", "{", "}", "[", "]"),
    *("<", ">", "&"),
    *("9" * 5000, "-1", "1e999", "nan", ".inf", "0x", "true", "null", "~", "[" * 3000, '{"a":' * 3000, "(" * 200),
    *("<a>" * 3000, "&amp;", "&x;", "<!--", "]]>", "<![CDATA[", "<?x?>", '<!DOCTYPE a [<!ENTITY x "y">]>', "*a "),
    *("&a ", "!!python/object:os.system ", "<<: ", "- ", "? ", "%", "%00", "%ff", "%ED%A0%80"),
    *("\ufeff", "\u2028", "é", "今天", "😀"),
    *("none", "#", "@", "custom", "rouge", "../", "/dev/null", "-", "--", "\x1f", "\x85", "\x1a"),
]
_HARMFUL_BYTES = [b"\xff", b"\xfe\xff", b"\xed\xa0\x80", b"\xc0\x80", b"\x80", b"\x1f\x8b", b"PAR1", b"ARROW1\0\0"]
_HARMFUL_BYTES += [b"\xff" * 8]


def damaged(rng: random.Random, seeds: list[_Data]) -> _Data:
    """One of the seeds with some damage, or at times whole."""
    data = rng.choice(seeds)
    for _ in range(rng.choice([0, 1, 1, 1, 2, 3, 8])):
        data = _once(rng, data, rng.choice(seeds))
    return data


def _once(rng: random.Random, data: _Data, other: _Data) -> _Data:
    at = rng.randint(0, len(data))
    to = min(len(data), at + rng.choice([0, 1, 1, 2, 4, 8, 30, 200]))
    kind = rng.randrange(6)
    if kind == 0:
        return data[:at] + _harm(rng, data) + data[to:]
    if kind == 1:
        return data[:at] + data[to:]
    if kind == 2:
        return data[:to] + data[at:]  # a part, twice
    if kind == 3:
        return data[:at] if rng.random() < 0.3 else data[:at] + other[rng.randint(0, len(other)) :]
    if kind == 4:
        begin = rng.randint(0, len(other))
        return data[:at] + other[begin : begin + rng.choice([1, 4, 16, 64])] + data[to:]
    if at == len(data):
        return data
    if isinstance(data, bytes):
        return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]
    return data[:at] + chr(ord(data[at]) ^ (1 << rng.randrange(7))) + data[at + 1 :]


def _harm(rng: random.Random, data: _Data) -> _Data:
    if isinstance(data, bytes):
        return rng.choice([*_HARMFUL_BYTES, *(each.encode() for each in _HARMFUL)])
    return rng.choice([*_HARMFUL, "\ud800"])
