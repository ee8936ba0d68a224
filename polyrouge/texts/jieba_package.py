"""The jieba that is installed: its files, its version, and its modules loaded anew, for us alone.

A process may change what is in jieba's own modules (its patterns, its model, its list of deleted words); nothing of
that comes here.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import re
import sys
import types
import warnings
from typing import Any

from polyrouge.fork_lock import ForkLock

KNOWN_JIEBA = "0.42.1"  # what our tests hold us to

_MISSING = f"Chinese words are cut by jieba, which is not installed: pip install jieba=={KNOWN_JIEBA}"
_OWN_NAME = "_polyrouge_jieba"  # of jieba's modules as they are loaded anew
_IMPORTING = ForkLock()


def _begin_anew() -> None:
    """Another thread may have held a lock of jieba's when the process forked, and is not there in the child."""
    for name in [name for name in sys.modules if name.partition(".")[0] == _OWN_NAME]:
        del sys.modules[name]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)


def jieba_model() -> Any:
    """Jieba's model of unknown words: ``start_P``, ``trans_P`` and ``emit_P`` hold its probabilities, as logarithms."""
    return _own_jieba().finalseg


@functools.cache
def jieba_version() -> str:
    """The version of the jieba that is imported here, as it says itself; ``"none"`` where there is none."""
    try:
        found = re.search(rb"""^__version__ *= *["']([^"']*)""", jieba_file("__init__.py"), re.MULTILINE)
    except (ModuleNotFoundError, OSError):
        return "none"
    return found[1].decode() if found else "unknown"


def jieba_file(name: str) -> bytes:
    """What a file in jieba's folder holds; jieba is not imported for it.

    Raises:
        ModuleNotFoundError: jieba is not installed.
        OSError: it has no such file.
    """
    spec = importlib.util.find_spec("jieba")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(_MISSING, name="jieba")
    loader: Any = spec.loader
    return loader.get_data(os.path.join(os.path.dirname(spec.origin), *name.split("/")))


def separate_tokenizer(deleted: set[str]) -> Any:
    """A ``jieba.Tokenizer`` whose deleted words are its own, not those of the process.

    It has a class of its own: if it held its methods itself, in a cycle, its 60 MB would wait for Python's collector,
    which does not see how large they are.
    """
    jieba = _own_jieba()
    finalseg = types.SimpleNamespace(
        cut=_with_names(jieba.finalseg.cut, Force_Split_Words=deleted), add_force_split=deleted.add
    )
    methods = {  # all that look finalseg up
        name: _with_names(getattr(jieba.Tokenizer, name), finalseg=finalseg)
        for name in ("_Tokenizer__cut_DAG", "add_word")
    }
    tokenizer: Any = type("Tokenizer", (jieba.Tokenizer,), methods)()
    tokenizer.deleted_words = deleted
    return tokenizer


def _own_jieba() -> Any:
    """Modules of jieba, loaded anew: the process may have changed what is in its own."""
    with _IMPORTING.held():
        known = sys.modules.get(_OWN_NAME)
        if known is not None:
            return known
        found = importlib.util.find_spec("jieba")
        if found is None or found.origin is None:
            raise ModuleNotFoundError(_MISSING, name="jieba")
        folders = [os.path.dirname(found.origin)]
        spec: Any = importlib.util.spec_from_file_location(_OWN_NAME, found.origin, submodule_search_locations=folders)
        module = importlib.util.module_from_spec(spec)
        sys.modules[_OWN_NAME] = module  # its own modules look for it there
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # invalid escapes and pkg_resources in jieba's own source
                spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[_OWN_NAME]
            raise
        return module


def _with_names(function: Any, **names: object) -> Any:
    """The same function, but that some global names mean something else to it."""
    given = {**function.__globals__, **names}
    return types.FunctionType(function.__code__, given, function.__name__, function.__defaults__, function.__closure__)


class quiet_jieba:  # noqa: N801 used as a function
    """No messages of jieba's while it loads."""

    def __init__(self, name: str = _OWN_NAME) -> None:
        import logging

        self._log = logging.getLogger(name)

    def __enter__(self) -> None:
        self._level = self._log.level
        self._log.setLevel("WARNING")

    def __exit__(self, *_: object) -> None:
        self._log.setLevel(self._level)
