"""Check the content of a YAML file by dataclasses: no unknown key, none missing, values of the right kind.

What is wrong is gathered, so that a file with five faults is mended in one go.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

from polyrouge.errors import unknown_value


class SchemaError(ValueError):
    """What is wrong with a file.

    Args:
        faults: a sentence for each.

    Attributes:
        faults: the same.
    """

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        lines = self.faults if len(self.faults) == 1 else (f"{len(self.faults)} faults:", *self.faults)
        super().__init__("\n  ".join(lines))


class Faults:
    """Gathers errors: what raises in a ``with faults.gathered()`` block is noted, and raised by ``close``."""

    def __init__(self) -> None:
        self._found: list[str] = []

    def add(self, error: ValueError) -> None:
        """Note an error."""
        self._found += error.faults if isinstance(error, SchemaError) else (str(error),)

    @contextmanager
    def gathered(self) -> Iterator[None]:
        """Note what is raised in the block."""
        try:
            yield
        except ValueError as error:
            self.add(error)

    def close(self) -> None:
        """Raise what was noted, if anything."""
        if self._found:
            raise SchemaError(self._found)


def unknown_at(place: str, value: Any, allowed: Iterable[str], what: str) -> ValueError:
    """The error for an unknown value, with its place in the file."""
    return ValueError(f"{place}: {unknown_value(value, allowed, what)}")


def checked_as(kind: Any, value: Any, place: str) -> Any:
    """Return ``value`` as ``kind``.

    Args:
        kind: a dataclass, or a type as its fields have them: str, int, float, bool, a union, a
            Literal, ``tuple[X, ...]`` (a list in the file) or ``dict[str, X]``.
        value: what the file holds.
        place: where in the file, for messages.

    Raises:
        SchemaError: values are of another kind, or keys are unknown or missing.
    """
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if dataclasses.is_dataclass(kind):
        return _checked_object(kind, value, place)
    if kind is Any:
        return value
    if origin is Literal:
        if value not in arguments:
            raise unknown_at(place, value, arguments, "value")
        return value
    if origin is tuple:
        if not isinstance(value, list):
            raise _wrong(place, value, "a list")
        parts = {number: (arguments[0], each, f"{place}[{number}]") for number, each in enumerate(value)}
        return tuple(_checked_parts(parts).values())
    if origin is dict:
        if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
            raise _wrong(place, value, "keys with values")
        return _checked_parts({key: (arguments[1], each, f"{place}: {key}") for key, each in value.items()})
    if arguments:  # a union
        fitting = [each for each in arguments if _fits(each, value)]
        if not fitting:
            raise _wrong(place, value, " or ".join(map(_word, arguments)))
        return checked_as(fitting[0], value, place)
    if not _fits(kind, value):
        raise _wrong(place, value, _word(kind))
    return float(value) if kind is float else value


def _checked_parts(parts: dict[Any, tuple[Any, Any, str]], faults: Faults | None = None) -> dict[Any, Any]:
    """Each part as its kind; raises for all that are wrong at once."""
    faults = faults or Faults()
    checked = {}
    for key, (kind, value, place) in parts.items():
        with faults.gathered():
            checked[key] = checked_as(kind, value, place)
    faults.close()
    return checked


def _checked_object(kind: Any, value: Any, place: str) -> Any:
    if not isinstance(value, dict):
        raise _wrong(place, value, "keys with values")
    kinds = typing.get_type_hints(kind)
    faults = Faults()
    for key in value:
        if key not in kinds:
            faults.add(unknown_at(place, key, kinds, "key"))
    for each in dataclasses.fields(kind):
        if (
            each.name not in value
            and each.default is dataclasses.MISSING
            and each.default_factory is dataclasses.MISSING
        ):
            faults.add(ValueError(f"{place}: the key {each.name!r} is missing."))
    parts = {key: (kinds[key], each, f"{place}: {key}") for key, each in value.items() if key in kinds}
    return kind(**_checked_parts(parts, faults))


def _fits(kind: Any, value: Any) -> bool:
    if kind is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, typing.get_origin(kind) or kind)


def _word(kind: Any) -> str:
    words = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", type(None): "null"}
    return words.get(kind, "keys with values")


def _wrong(place: str, value: Any, wanted: str) -> ValueError:
    return ValueError(f"{place} is {value!r}; it must be {wanted}.")
