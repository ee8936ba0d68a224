"""One line that names every setting able to move a score, and the way back from it.

``types:1,2,L,Lsum|tok:mixed|case:lower|...|v:0.1.0``, as sacreBLEU does: each entry is ``key:value``, and the setting's
declaration writes and reads the value. A setting that can't move a score under the others (``seed`` without an
interval) stands there only if it is not the default, and ``seed`` never beside ``bootstrap_median``.
"""

import dataclasses
import functools
from collections.abc import Collection, Mapping
from typing import Any

from polyrouge.errors import Option, RefusedValue, shown_value, unknown_value, warn_user
from polyrouge.settings.allowed_values import Setting


def write_signature(settings: Any) -> str:
    """Return the signature of ``RougeSettings``; does not warn of functions without a name."""
    entries = []
    defaults = {field.name: field.default for group in (settings, settings.tool) for field in dataclasses.fields(group)}
    for name, setting in settings._declarations().items():
        value = settings.value(name)
        if name == "seed" and settings.aggregate == "bootstrap_median":  # which draws from numpy's generator
            continue
        if value != defaults[name] or (setting.matters is not None and setting.matters(settings)):
            entries.append(f"{setting.key}:{_write(value, setting)}")
    entries += [f"{library}:{version}" for library, version in settings.versions().items()]
    return "|".join(entries)


def _write(value: Any, setting: Setting) -> str:
    return "none" if value is None and setting.values.may_be_none else setting.values.write(value)


def _entries(text: str) -> dict[str, str]:
    """Return the entries of a signature by key."""
    if not isinstance(text, str):
        raise TypeError(f"The signature is {shown_value(text)}; give the line that signature() returns.")
    entries: dict[str, str] = {}
    for entry in text.strip().split("|"):
        key, colon, value_text = entry.partition(":")
        if not colon:
            raise ValueError(f"{entry!r} is not a key:value entry of a signature.")
        if key in entries:
            raise ValueError(f"The signature has two entries for {key!r}.")
        entries[key] = value_text
    return entries


def signature_differences(first: str, second: str) -> dict[str, tuple[str | None, str | None]]:
    """Return the entries of both, by key, in which two signatures differ; None where one has none."""
    first_entries, second_entries = _entries(first), _entries(second)
    return {
        key: (first_entries.get(key), second_entries.get(key))
        for key in {**first_entries, **second_entries}
        if first_entries.get(key) != second_entries.get(key)
    }


def read_signature(
    text: str, declared: Mapping[str, Setting], given: Mapping[str, Any], libraries: Collection[str]
) -> dict[str, Any]:
    """Return the settings of a signature by name; each of ``given`` must have the signature's entry."""
    by_key = {setting.key: name for name, setting in declared.items()}
    values: dict[str, Any] = {}
    for key, value_text in _entries(text).items():
        if key in libraries:
            continue
        if key not in by_key:
            raise unknown_value(key, by_key, "signature key")
        name = by_key[key]
        allowed = declared[name].values
        if name in given:
            entry = _write(given[name], declared[name])
            if entry != value_text:
                says = f" is written {entry!r}, but the signature says {value_text!r}."
                raise RefusedValue(Option(name, given[name]), says)
            values[name] = given[name]
        else:
            values[name] = None if value_text == "none" and allowed.may_be_none else allowed.read(value_text, name, key)
    if unused := [name for name in given if name not in values]:
        raise ValueError(
            f"The signature has no entry for {', '.join(unused)}; leave it out, or change the settings afterwards."
        )
    return values


@functools.cache
def installed_version(library: str) -> str:
    """Version of an installed package, ``"none"`` where it is missing."""
    from importlib import metadata  # imported when it is used, as it takes long

    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return "none"


def compare_versions(text: str, versions: Mapping[str, str], exact: Collection[str] = ()) -> None:
    """Warn once of other versions than the signature's; refuse other ones of ``exact`` libraries."""
    entries = _entries(text)
    different = {
        library: installed for library, installed in versions.items() if entries.get(library, installed) != installed
    }
    named = ", ".join(f"{library} {entries[library]} (here {installed})" for library, installed in different.items())
    if refused := [library for library in exact if library in different]:
        command = " ".join(f"{library}=={entries[library]}" for library in refused)
        raise ValueError(
            f"This signature was made with {named}, and other versions cut other tokens: pip install {command}"
        )
    if different:
        warn_user(f"This signature was made with {named}: scores may differ.")
