"""Check names that users register, and digest what is too long for a signature."""

import re
from collections.abc import Container
from typing import Any

UNNAMED = "custom"  # name in the signature for a function without a name


def sha256(content: bytes) -> str:
    """Return the hexadecimal SHA-256 of some content."""
    import hashlib  # only here: most processes need no digest

    return hashlib.sha256(content).hexdigest()


def check_new_name(kind: str, name: Any, version: Any, registry: Container[str], allowed: str) -> None:
    """Refuse a name or version that can't be registered; ``allowed`` is a pattern of names."""
    for value, part in ((name, "name"), (version, "version")):
        if not isinstance(value, str):
            raise TypeError(
                f"The {part} of a {kind} is {value!r}; give a text, such as {'my_words' if part == 'name' else '1'!r}."
            )
    if name == UNNAMED or not re.fullmatch(allowed, name):
        marks = ", _, - and full stops" if "." in allowed else " and _"
        raise ValueError(f"A {kind} can't be named {name!r}; take letters, digits{marks}, and not {UNNAMED!r}.")
    if not version.strip() or not version.isprintable():
        raise ValueError(
            f"The version of the {kind} {name!r} is {version!r}; give one that can be printed, such as '1'."
        )
    if name in registry:
        table = f"polyrouge.{kind.upper().replace(' ', '_')}S"
        raise ValueError(
            f"A {kind} named {name!r} is registered already; take another name, or remove it: {table}.pop({name!r})."
        )
