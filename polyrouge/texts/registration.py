"""Checks of the names that users register, and the digest of what a signature can't hold."""

import re
from collections.abc import Container
from typing import Any

UNNAMED = "custom"  # what stands in the signature for a function without a name


def sha256(content: bytes) -> str:
    """The SHA-256 of some content, hexadecimal."""
    import hashlib  # imported when it is used: most processes need no digest

    return hashlib.sha256(content).hexdigest()


def check_new_name(what: str, name: Any, version: Any, registry: Container[str], allowed: str) -> None:
    """Refuse a name or version that can't be registered; ``allowed`` is a pattern of names."""
    for value, kind in ((name, "name"), (version, "version")):
        if not isinstance(value, str):
            raise TypeError(
                f"The {kind} of a {what} is {value!r}; give a text, such as {'my_words' if kind == 'name' else '1'!r}."
            )
    if name == UNNAMED or not re.fullmatch(allowed, name):
        marks = ", _, - and full stops" if "." in allowed else " and _"
        raise ValueError(f"A {what} can't be named {name!r}; take letters, digits{marks}, and not {UNNAMED!r}.")
    if not version.strip() or not version.isprintable():
        raise ValueError(
            f"The version of the {what} {name!r} is {version!r}; give one that can be printed, such as '1'."
        )
    if name in registry:
        table = f"polyrouge.{what.upper().replace(' ', '_')}S"
        raise ValueError(
            f"A {what} named {name!r} is registered already; take another name, or remove it: {table}.pop({name!r})."
        )
