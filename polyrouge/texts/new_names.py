"""Names that users give to tokenizers and sentence splitters of their own, so that a signature can name them."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Any

UNNAMED = "custom"
"""What stands in the signature for a function without a name."""


def check_new_name(what: str, name: Any, version: Any, taken: Container[str], allowed: str) -> None:
    """Refuse a name or version that can't be registered.

    Args:
        what: is named, such as ``"tokenizer"``.
        name: that it is to have.
        version: that it is to have.
        taken: names that there are.
        allowed: regular expression of a name.

    Raises:
        TypeError: the name or the version is no text.
        ValueError: it can't be one, or the name is taken.
    """
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
    if name in taken:
        registry = f"polyrouge.{what.upper().replace(' ', '_')}S"
        raise ValueError(
            f"A {what} named {name!r} is registered already; take another name, or remove it: {registry}.pop({name!r})."
        )
