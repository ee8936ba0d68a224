"""The kernels: one extension of all modules here, in the quickest build that runs on this processor.

``from polyrouge.counting.compiled.kernels import count_lcs`` loads it. Where it was not built, or what is installed is
not for this machine, that raises ImportError, and ``is_built()`` is False.
"""

import functools
import importlib
from types import ModuleType
from typing import Any


@functools.cache
def _extension() -> ModuleType:
    baseline = importlib.import_module(f"{__name__}._kernels")
    if baseline.has_v3():
        try:
            return importlib.import_module(f"{__name__}._kernels_v3")
        except ImportError:  # built by a compiler that has no such option
            pass
    return baseline


def is_built() -> bool:
    """Whether the extension can be loaded here."""
    try:
        _extension()
    except ImportError:
        return False
    return True


def __getattr__(name: str) -> Any:
    """A kernel by its name."""
    if name.startswith("_"):  # as of modules here, and what Python itself asks for
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_extension(), name)
