"""How our functions are compiled: the three kinds of them, and where numba keeps the machine code.

A ``@kernel`` is called from Python, with arrays of the types that it names. It is compiled once for them and kept on
disk. A ``@helper`` is called by kernels only, and is kept within theirs. An ``@inlined`` function becomes part
of whatever calls it.

None of them makes an array: Python makes those that a kernel works in. That saves a third of the compiling, and
counting references, which is done by atomic instructions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit

from polyrouge.counting.compiled.kernels.machine_code import JIT_IS_OFF, KernelCache

_OPTIONS: dict[str, Any] = {"nogil": True, "no_cfunc_wrapper": True, "_nrt": False}

inlined = njit(inline="always", no_cpython_wrapper=True, **_OPTIONS)
helper = njit(no_cpython_wrapper=True, **_OPTIONS)
helper_with_arrays = njit(no_cpython_wrapper=True, **{**_OPTIONS, "_nrt": True})

# Types of arguments, for the signatures of kernels.
TEXT = "Array(uint8, 1, 'C', readonly=True)"
OFFSETS = "int64[::1]"
IDS = "uint32[::1]"
INT = "int64"
FLAG = "boolean"
CHUNK = (IDS, OFFSETS, OFFSETS, OFFSETS)  # see ``ngrams.py``
SENTENCES = (IDS, OFFSETS, OFFSETS, OFFSETS, OFFSETS)  # see ``union_lcs.py``
COUNTS = "int64[:, ::1]"
CANCELLED = "uint8[::1]"  # of one: not 0 once the result is of no use any more


def together(*types: str) -> str:
    """The type of a tuple of these: arguments that belong together are given as one."""
    return f"Tuple(({', '.join(types)}))"


_KERNELS: dict[str, tuple[Any, str]] = {}


def kernel(*argument_types: str, makes_arrays: bool = False) -> Callable[[Callable], Any]:
    """Compile a function for arguments of these types only; its code is kept on disk.

    Args:
        *argument_types: numba's names of the types.
        makes_arrays: it makes arrays of its own.
    """

    def prepared(function: Callable) -> Any:
        dispatcher: Any = njit(**{**_OPTIONS, "_nrt": makes_arrays})(function)
        if not JIT_IS_OFF:
            dispatcher._cache = KernelCache(function, makes_arrays=makes_arrays)
        module = function.__module__.rpartition(".")[2]
        _KERNELS[f"{module}.{function.__name__}"] = dispatcher, f"({', '.join(argument_types)},)"
        return dispatcher

    return prepared


def load_kernel(name: str, *, may_compile: bool) -> None:
    """Make a kernel ready to be called.

    Args:
        name: of the module and of the function, ``"lcs.count_lcs"``; the module has been imported.
        may_compile: compile it, and write its code down, where there is none on disk.

    Raises:
        NotCompiledError: there is none, and it may not be compiled.
        OSError: it has been compiled, but could not be written down.
    """
    dispatcher, signature = _KERNELS[name]
    cache: KernelCache = dispatcher._cache
    cache.may_compile, cache.write_error = may_compile, None
    try:
        dispatcher.compile(signature)
    finally:
        cache.may_compile = True
    if cache.write_error is not None:
        raise cache.write_error
