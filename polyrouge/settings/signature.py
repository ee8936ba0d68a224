"""One line that names every setting able to move a score, and the way back from it.

``types:1,2,L,Lsum|tok:mixed|case:lower|...|v:0.1.0``, in the manner of sacreBLEU: one
``key:value`` an entry. How a field is written is part of its metadata (``setting``), so that no
field of the settings can be left out. A field that can't move a score under the settings at hand
(``engine``; the ``seed`` where no interval is asked for) is written only where it differs from its
default.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping
from importlib import metadata
from pathlib import Path
from types import CellType, CodeType
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

from polyrouge.errors import unknown_value, warn_user
from polyrouge.texts.jieba_words import jieba_dictionary
from polyrouge.tools.stems import STOP_LISTS

_WORDS_SHOWN = 10  # longer word lists are shown as their size and a digest
_DIGITS = 12  # of a digest


class SettingInfo(NamedTuple):
    """How one field stands in the signature.

    Attributes:
        key: the entry's key.
        kind: how the value is written: flag, number, integer, name, types, words or dictionary.
        words: for flags, what True and False are called, and what else the value may be.
        matters: whether the field can move a score, given all settings.
    """

    key: str
    kind: str
    words: tuple[str, ...]
    matters: Callable[[Any], bool]


def setting(
    default: Any,
    key: str,
    kind: str,
    *,
    words: tuple[str, ...] = ("yes", "no"),
    matters: Callable[[Any], bool] = lambda _settings: True,
) -> Any:
    """A dataclass field that knows how it is written in the signature."""
    return dataclasses.field(default=default, metadata={"signature": SettingInfo(key, kind, words, matters)})


def installed_version(library: str) -> str:
    """Version of an installed package, ``"none"`` where it is missing."""
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return "none"


def write_signature(settings: Any, versions: Mapping[str, str]) -> str:
    """Return the signature of ``settings``, a dataclass whose fields are made by ``setting``.

    Args:
        settings: the settings.
        versions: libraries that can move a score, with their version; written last.
    """
    entries = []
    for field in dataclasses.fields(settings):
        info: SettingInfo = field.metadata["signature"]
        value = getattr(settings, field.name)
        if info.matters(settings) or value != field.default:
            entries.append(f"{info.key}:{_write(value, info)}")
    entries += [f"{library}:{version}" for library, version in versions.items()]
    return "|".join(entries)


def read_signature(
    text: str, settings_class: type, given: Mapping[str, Any], version_keys: Collection[str]
) -> dict[str, Any]:
    """Return the fields that a signature names, as arguments for ``settings_class``.

    Args:
        text: what ``write_signature`` returned.
        settings_class: the dataclass of the settings.
        given: values for fields that a signature can only name, not hold (a callable, a user
            dictionary, a long list of stop words). Each must have the signature's entry.
        version_keys: keys of entries that are versions.

    Raises:
        ValueError: an entry has an unknown key or value, or a value that must be given is not.
    """
    seen: set[str] = set()
    by_key = {field.metadata["signature"].key: field for field in dataclasses.fields(settings_class)}
    values: dict[str, Any] = {}
    for entry in text.strip().split("|"):
        key, colon, written = entry.partition(":")
        if not colon:
            msg = f"{entry!r} is not a key:value entry of a signature."
            raise ValueError(msg)
        if key in seen:
            msg = f"The signature has two entries for {key!r}."
            raise ValueError(msg)
        seen.add(key)
        if key not in by_key:
            if key not in version_keys:
                raise unknown_value(key, by_key, "signature key")
            continue
        field = by_key[key]
        info = field.metadata["signature"]
        if field.name in given:
            if _write(given[field.name], info) != written:
                msg = (
                    f"{field.name}={given[field.name]!r} is written "
                    f"{_write(given[field.name], info)!r}, but the signature says {written!r}."
                )
                raise ValueError(msg)
            values[field.name] = given[field.name]
        else:
            values[field.name] = _read(written, info, field)
    if unused := [name for name in given if name not in values]:
        msg = f"The signature has no entry for {', '.join(unused)}; leave it out, or change the settings afterwards."
        raise ValueError(msg)
    return values


def warn_of_other_versions(text: str, versions: Mapping[str, str]) -> None:
    """Warn once if a signature was made by other versions of the libraries than are installed."""
    entries = dict(entry.split(":", 1) for entry in text.strip().split("|"))
    other = [
        f"{library} {entries[library]} (here {version})"
        for library, version in versions.items()
        if entries.get(library, version) != version
    ]
    if other:
        warn_user(f"This signature was made with {', '.join(other)}: scores may differ.")


def _write(value: Any, info: SettingInfo) -> str:
    """How a value stands in the signature."""
    if info.kind == "dictionary":
        return _write_dictionary(value)
    if value is None:
        return "none"
    if info.kind == "flag" and isinstance(value, bool):
        return info.words[0] if value else info.words[1]
    if info.kind == "number":
        return f"{value:g}" if float(f"{value:g}") == value else repr(value)
    if info.kind == "types":
        return ",".join(name.removeprefix("rouge") for name in value)
    if info.kind == "text":
        return f"[{_escape(value)}]"
    if info.kind in ("names", "numbers"):
        return ",".join(each if info.kind == "names" else repr(each) for each in value) or "[]"
    if info.kind == "folder":
        return f"{_escape(Path(value).name)}#{_digest(b''.join(_file_bytes(Path(value))))}"
    if info.kind == "words" and not isinstance(value, str):
        if len(value) <= _WORDS_SHOWN:
            return f"[{','.join(map(_escape, value))}]"
        return f"{len(value)}#{_digest(repr(value).encode())}"
    if callable(value):
        return _callable_name(value)
    return _escape(str(value))


def _write_dictionary(words: Any) -> str:
    """Name and digest of a dictionary of jieba's, its own included: ``none`` where jieba is not installed."""
    try:
        dictionary = jieba_dictionary(words)
        is_own = dictionary is jieba_dictionary()
        name = "./jieba" if dictionary.name == "jieba" and not is_own else dictionary.name  # a user's file of that name
        return f"{_escape(name)}#{dictionary.digest[:_DIGITS]}"
    except ModuleNotFoundError:
        if words is None:
            return "none"
        raise


def _read(written: str, info: SettingInfo, field: dataclasses.Field) -> Any:
    """The value that ``_write`` wrote; raises ``ValueError`` for one that a line can't hold."""
    if written == "none" and field.default is None:
        return None
    if info.kind == "dictionary" and written.startswith("jieba#"):
        if written != _write(None, info):
            here = _write(None, info)
            warn_user(f"This signature was made with jieba's dictionary {written} (here {here}): scores may differ.")
        return None
    if info.kind == "flag":
        if written not in info.words:
            raise unknown_value(written, info.words, f"value of {info.key!r}")
        return written if written in info.words[2:] else written == info.words[0]
    if info.kind == "text":
        return unquote(written.removeprefix("[").removesuffix("]"))
    if info.kind == "names":
        return tuple(written.split(",")) if written != "[]" else ()
    if info.kind == "numbers":
        return tuple(map(float, written.split(",")))
    if info.kind in ("number", "integer"):
        return (float if info.kind == "number" else int)(written)
    if info.kind == "types":
        return tuple(f"rouge{part}" for part in written.split(","))
    if "#" in written or written.startswith("call("):
        msg = f"The signature names {written!r} but can't hold it: from_signature(text, {field.name}=...)."
        raise ValueError(msg)
    if info.kind == "words":
        if written in STOP_LISTS:
            return written
        if not (written.startswith("[") and written.endswith("]")):
            msg = f"{info.key}:{written} must be none, or words in brackets: {info.key}:[the,of]."
            raise ValueError(msg)
        return tuple(unquote(word) for word in written[1:-1].split(",") if word)
    return unquote(written)


def _file_bytes(folder: Path) -> Iterator[bytes]:
    """Name and content of each file of a folder, in order."""
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        yield f"{file.relative_to(folder).as_posix()}\0".encode()
        yield hashlib.sha256(file.read_bytes()).digest()


def _escape(text: str) -> str:
    """Percent-encode what has a meaning in a signature (``| : , # ( ) [ ]``), blanks and non-ASCII."""
    return quote(text, safe="<>/!?;{}=+*&^$@~'\"`\\")


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:_DIGITS]


def _callable_name(function: Callable) -> str:
    """``call(module.name#digest)``; a callable may name itself by an attribute ``signature``."""
    own = getattr(function, "signature", None)
    if isinstance(own, str):
        return f"call({_escape(own)})"
    name = getattr(function, "__qualname__", type(function).__qualname__)
    name = f"{getattr(function, '__module__', None) or 'builtins'}.{name}"
    has_digest = isinstance(function, functools.partial) or hasattr(function, "__code__")
    return f"call({_escape(name)}{f'#{_digest(_value_bytes(function))}' if has_digest else ''})"


def _value_bytes(value: Any) -> bytes:
    """What a function does, and the plain values that it works with, as bytes alike in every process."""
    if isinstance(value, functools.partial):
        parts = [value.func, value.args, tuple(sorted(value.keywords.items()))]
    elif isinstance(value, CodeType):
        parts = [value.co_code, value.co_names, value.co_consts]
    elif hasattr(value, "__code__"):
        cells = tuple(_cell_value(cell) for cell in value.__closure__ or ())
        parts = [value.__code__, value.__defaults__, tuple(sorted((value.__kwdefaults__ or {}).items())), cells]
    elif isinstance(value, (tuple, list)):
        parts = list(value)
    elif isinstance(value, (set, frozenset)):
        return b"{" + b",".join(sorted(map(_value_bytes, value))) + b"}"
    elif value is None or isinstance(value, (str, bytes, bool, int, float, complex)):
        return repr(value).encode("utf-8", "backslashreplace")
    else:
        return type(value).__qualname__.encode()  # its repr may hold an address
    return type(value).__qualname__.encode() + b"(" + b",".join(map(_value_bytes, parts)) + b")"


def _cell_value(cell: CellType) -> Any:
    """What a closure holds, of a function its code (it may hold itself); None while it holds nothing."""
    try:
        value = cell.cell_contents
    except ValueError:
        return None
    return getattr(value, "__code__", value)
