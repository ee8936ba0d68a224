"""Tables by name that load their rarer rows on demand, and checks of the names that users register."""

import re
import threading
from collections.abc import Callable, Container
from typing import Any, TypeVar

Row = TypeVar("Row")
UNNAMED = "custom"  # what stands in the signature for a function without a name


def sha256(content: bytes) -> str:
    """The SHA-256 of some content, hexadecimal."""
    import hashlib  # imported when it is used: most processes need no digest

    return hashlib.sha256(content).hexdigest()


def _of_all_rows(method: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def load_and_look(registry: Any) -> Any:
        registry._whole()
        return method(registry)

    return load_and_look


class Registry(dict[str, Row]):
    """A dictionary that calls ``load`` for its rarer rows when a name is not among the first ones."""

    def __init__(self, load: Callable[[], object]) -> None:
        super().__init__()
        self._load: Callable[[], object] | None = load
        self._lock = threading.RLock()
        self._is_whole = False

    def _whole(self) -> None:
        if self._is_whole:
            return
        with self._lock:  # open to the loading itself, which may look at rows
            load, self._load = self._load, None
            if load is not None:
                load()
                self._is_whole = True

    def __missing__(self, name: str) -> Row:
        self._whole()
        if not super().__contains__(name):
            raise KeyError(name)
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        if super().__contains__(name):
            return True
        self._whole()
        return super().__contains__(name)

    def get(self, name: str, default: Any = None) -> Any:
        """The row of that name, or the default."""
        return self[name] if name in self else default  # noqa: SIM401 its own get does not load

    __iter__: Any = _of_all_rows(dict.__iter__)
    __len__: Any = _of_all_rows(dict.__len__)
    keys: Any = _of_all_rows(dict.keys)
    values: Any = _of_all_rows(dict.values)
    items: Any = _of_all_rows(dict.items)


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
