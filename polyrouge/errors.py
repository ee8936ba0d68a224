"""Messages: the warning category of this package, and errors that say what was given and what is allowed."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_NOT_THE_CALLER = ("polyrouge", "evaluate", "evaluate_modules")

_collected: ContextVar[list[str] | None] = ContextVar("polyrouge_warnings", default=None)


class RougeWarning(UserWarning):
    """A score was computed, but probably not the one that was meant."""


def unknown_value(
    given: object, allowed: Iterable[str], what: str, other_names: Mapping[str, str] | None = None
) -> ValueError:
    """Return a ``ValueError`` that says what was given, what is allowed and what is nearest.

    ``other_names`` has, for some of our names, what other tools and users call them: with blanks between, each as
    ``folded`` writes it.
    """
    names = list(allowed)
    key = folded(str(given))
    same = [name for name in names if key and folded(name) == key]
    meant = [name for name, others in (other_names or {}).items() if key in others.split()]
    import difflib

    nearest = list(dict.fromkeys(same + meant)) or difflib.get_close_matches(str(given), names, n=1, cutoff=0.5)
    hint = f" Did you mean {' or '.join(map(repr, nearest))}?" if nearest else ""
    return ValueError(f"Unknown {what} {given!r}; choose one of {', '.join(names)}.{hint}")


def folded(name: str) -> str:
    """A name as it is compared with those that other tools use: letters and digits only, in lower case."""
    return "".join(filter(str.isalnum, name.casefold()))


def shown_value(value: object) -> str:
    """What was given, for a message: its first 40 characters as Python writes it, and its type."""
    return f"{short_repr(value)} ({type(value).__name__})"


def short_repr(value: Any) -> str:
    """The first 40 characters of a value as Python writes it."""
    try:
        text = repr(value)
    except ValueError:  # a whole number of thousands of digits, which Python refuses to write
        return f"a number of {value.bit_length()} bits" if isinstance(value, int) else "too long to show"
    return text if len(text) <= 40 else f"{text[:39]}…"


def warn_user(message: str) -> None:
    """Warn with a ``RougeWarning`` that points at the caller's line, not at ours or evaluate's."""
    collected = _collected.get()
    if collected is not None:
        collected.append(message)
        return
    level = 1
    frame = sys._getframe()
    while frame.f_back is not None:
        module = frame.f_globals.get("__name__", "")
        if module.partition(".")[0] not in _NOT_THE_CALLER:
            break
        frame = frame.f_back
        level += 1
    warnings.warn(message, RougeWarning, stacklevel=level)


def warn_of(messages: Iterable[str]) -> None:
    """Warn with each of some messages, as ``warn_user`` does."""
    for message in messages:
        warn_user(message)


@contextmanager
def hearing_warnings() -> Iterator[list[str]]:
    """Gather the messages of this thread in a list instead of warning.

    ``warnings.catch_warnings`` changes the whole process: a thread would hear the warnings of others.
    """
    collected: list[str] = []
    token = _collected.set(collected)
    try:
        yield collected
    finally:
        _collected.reset(token)
