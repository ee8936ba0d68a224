"""The kernels: one extension of all kernel modules, in the fastest build that this processor can run.

``from polyrouge.counting.compiled.kernels import count_lcs`` loads the extension. Where it was not built, or was built
for another machine, the import raises ImportError, and ``is_built()`` is False.
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
    """Say whether the extension can be loaded."""
    try:
        _extension()
    except ImportError:
        return False
    return True


def __getattr__(name: str) -> Any:
    """Return a kernel, or a number that it shares, by its name; from then on the module has it."""
    if name.startswith("_"):  # submodules, and special names that Python asks for
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return globals().setdefault(name, getattr(_extension(), name))
