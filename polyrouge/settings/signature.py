"""One line that names every setting able to move a score, and the way back from it.

``types:1,2,L,Lsum|tok:mixed|case:lower|...|v:0.1.0``, in the manner of sacreBLEU: one
``key:value`` an entry. How a field is written is part of its metadata (``setting``), so that no
field of the settings can be left out. A field that can't move a score under the settings at hand
(``engine``; the ``seed`` where no interval is asked for) is written only where it differs from its
default.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from polyrouge.errors import unknown_value, warn_user
from polyrouge.settings.allowed_values import STOP_LISTS
from polyrouge.texts.jieba_words import jieba_dictionary
from polyrouge.texts.registry import UNNAMED
from polyrouge.texts.sentences import SENTENCE_SPLITS
from polyrouge.texts.tokenizers import TOKENIZERS

# What a user's function may be registered in, by the kind of the setting; and how.
_REGISTRIES: dict[str, Mapping[str, Any]] = {"tokenizer": TOKENIZERS, "split": SENTENCE_SPLITS}
_REGISTER = {
    "tokenizer": "register_tokenizer(name, summary, version=...)",
    "split": "register_sentence_split(name, summary, version=...)",
}
_WORDS_SHOWN = 10  # longer word lists are shown as their size and a digest
_DIGITS = 12  # of a digest


class SettingInfo(NamedTuple):
    """How one field stands in the signature.

    Attributes:
        key: the entry's key.
        kind: how the value is written: flag, number, integer, name, types, words, dictionary, model, tokenizer, split.
        words: for flags, what True and False are called, and what else the value may be.
        matters: whether the field can move a score, given all settings.
        may_be_none: None is a value, beside a default that is another.
    """

    key: str
    kind: str
    words: tuple[str, ...]
    matters: Callable[[Any], bool]
    may_be_none: bool = False


def setting(
    default: Any,
    key: str,
    kind: str,
    *,
    words: tuple[str, ...] = ("yes", "no"),
    matters: Callable[[Any], bool] = lambda _settings: True,
    may_be_none: bool = False,
) -> Any:
    """A dataclass field that knows how it is written in the signature."""
    info = SettingInfo(key, kind, words, matters, may_be_none)
    return dataclasses.field(default=default, metadata={"signature": info})


def write_signature(settings: Any) -> str:
    """Return the signature of settings: a dataclass whose fields are made by ``setting``, with ``versions()``."""
    entries = []
    for field in dataclasses.fields(settings):
        info: SettingInfo = field.metadata["signature"]
        value = getattr(settings, field.name)
        if info.matters(settings) or value != field.default:
            entries.append(f"{info.key}:{_write(value, info)}")
    entries += [f"{library}:{version}" for library, version in settings.versions().items()]
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
            raise ValueError(f"{entry!r} is not a key:value entry of a signature.")
        if key in seen:
            raise ValueError(f"The signature has two entries for {key!r}.")
        seen.add(key)
        if key not in by_key:
            if key not in version_keys:
                raise unknown_value(key, by_key, "signature key")
            continue
        field = by_key[key]
        info = field.metadata["signature"]
        if field.name in given:
            if _write(given[field.name], info) != written:
                raise ValueError(
                    f"{field.name}={given[field.name]!r} is written "
                    f"{_write(given[field.name], info)!r}, but the signature says {written!r}."
                )
            values[field.name] = given[field.name]
        else:
            values[field.name] = _read(written, info, field)
    if unused := [name for name in given if name not in values]:
        raise ValueError(
            f"The signature has no entry for {', '.join(unused)}; leave it out, or change the settings afterwards."
        )
    return values


def _write(value: Any, info: SettingInfo) -> str:
    """How a value stands in the signature."""
    from polyrouge.texts.subwords import subword_digest, subword_name

    if info.kind == "dictionary":
        return _write_dictionary(value)
    if value is None:
        return "none"
    if info.kind == "flag" and isinstance(value, bool):
        return info.words[0] if value else info.words[1]
    if info.kind == "model":
        return f"{_escape(subword_name(value))}#{subword_digest(value)}"
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
    if info.kind in _REGISTRIES:
        return _write_function(value, info.kind)
    return _escape(str(value))


def _write_function(value: Any, kind: str) -> str:
    """A name, with its version where a user registered it; ``custom`` for a function without a name."""
    if callable(value):
        return UNNAMED
    entry = _REGISTRIES[kind].get(value)
    return _escape(value) if entry is None or entry.version is None else f"{_escape(value)}@{_escape(entry.version)}"


def unnamed_functions(settings: Any) -> dict[str, str]:
    """The settings that are functions without a name: to each, how it is named."""
    return {
        field.name: _REGISTER[field.metadata["signature"].kind]
        for field in dataclasses.fields(settings)
        if field.metadata["signature"].kind in _REGISTRIES and callable(getattr(settings, field.name))
    }


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
    from urllib.parse import unquote

    if written == "none" and (field.default is None or info.may_be_none):
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
    if info.kind in _REGISTRIES:
        return _read_function(written, info.kind, field.name)
    if info.kind == "model" and "/" in written:  # on the Hub; the name of a file is not its path
        return _read_model(written)
    if "#" in written:
        raise ValueError(f"The signature names {written!r} but can't hold it: from_signature(text, {field.name}=...).")
    if info.kind == "words":
        if written in STOP_LISTS:
            return written
        if not (written.startswith("[") and written.endswith("]")):
            raise ValueError(f"{info.key}:{written} must be none, or words in brackets: {info.key}:[the,of].")
        return tuple(unquote(word) for word in written[1:-1].split(",") if word)
    return unquote(written)


def _read_function(written: str, kind: str, name: str) -> str:
    """The name that ``_write_function`` wrote."""
    from urllib.parse import unquote

    if written == UNNAMED:
        raise ValueError(
            f"The signature says that {name} was a function without a name, so it can't be repeated from this line. "
            f"Give the function: from_signature(text, {name}=...). {_REGISTER[kind]} names one."
        )
    function, at, version = map(unquote, written.partition("@"))
    if not at:
        return function
    entry = _REGISTRIES[kind].get(function)
    if entry is None or entry.version is None:
        raise ValueError(
            f"The signature names the {name} {function!r} of version {version!r}, which is not registered in this "
            f"process: {_REGISTER[kind]} does it."
        )
    if entry.version != version:
        warn_user(f"This signature was made with {function} {version} (here {entry.version}): scores may differ.")
    return function


def _read_model(written: str) -> str:
    """A repository on the Hub, whose file must be the one that the signature was made with."""
    from urllib.parse import unquote

    from polyrouge.texts.subwords import how_to_download, subword_digest

    name, _, digest = written.partition("#")
    model = unquote(name)
    if digest not in ("none", here := subword_digest(model)):
        found = f"here it is {here}" if here != "none" else f"it is not on this machine: {how_to_download(model)}"
        raise ValueError(
            f"The signature names the subwords of {model} whose file has the digest {digest}, and {found}."
        )
    return model


def _file_bytes(folder: Path) -> Iterator[bytes]:
    """Name and content of each file of a folder, in order."""
    import hashlib

    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        yield f"{file.relative_to(folder).as_posix()}\0".encode(errors="surrogatepass")
        yield hashlib.sha256(file.read_bytes()).digest()


def _escape(text: str) -> str:
    """Percent-encode what has a meaning in a signature (``| : , # @ ( ) [ ]``), blanks and non-ASCII."""
    from urllib.parse import quote

    return quote(text, safe="<>/!?;{}=+*&^$~'\"`\\", errors="surrogatepass")  # a file's name may hold them


def _digest(data: bytes) -> str:
    import hashlib

    return hashlib.sha256(data).hexdigest()[:_DIGITS]
