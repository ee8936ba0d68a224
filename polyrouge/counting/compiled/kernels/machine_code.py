"""Machine code of kernels on disk: numba's own cache, in our folder, of which nothing damaged is ever run."""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Callable
from typing import Any, ClassVar

from numba.core import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.serialize import dumps

from polyrouge.counting.compiled.kernel_folder import NotCompiledError, kernel_folder, source_digest

JIT_IS_OFF = bool(config.DISABLE_JIT)


class _Locator:
    """Says where numba keeps a function's code, and of which source it is."""

    def __init__(self, function: Callable) -> None:
        self._name = function.__name__

    @classmethod
    def from_function(cls, function: Callable, _file: str) -> _Locator:
        return cls(function)

    def ensure_cache_path(self) -> None:
        kernel_folder().mkdir(parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        return str(kernel_folder())

    def get_source_stamp(self) -> str:
        return source_digest()

    def get_disambiguator(self) -> str:
        return ""  # no two kernels of a module have one name


class _CheckedCode(CompileResultCacheImpl):
    """With a checksum: numba would run what a full disk or a broken one left."""

    _locator_classes: ClassVar[list] = [_Locator]

    def reduce(self, cres: Any) -> tuple[int, bytes]:
        data = dumps(super().reduce(cres))
        return zlib.crc32(data), data

    def rebuild(self, target_context: Any, payload: tuple[int, bytes]) -> Any:
        checksum, data = payload
        if zlib.crc32(data) != checksum:
            return None
        return super().rebuild(target_context, pickle.loads(data))  # noqa: S301 # from a folder of the user's own


class KernelCache(FunctionCache):
    """The machine code of one kernel.

    Args:
        function: the kernel as it is written.
        makes_arrays: as for ``kernel``.

    Attributes:
        may_compile: where there is none, numba makes it; else ``NotCompiledError``.
        write_error: what kept it from being written; None where nothing did.
    """

    _impl_class = _CheckedCode

    def __init__(self, function: Callable, *, makes_arrays: bool) -> None:
        super().__init__(function)
        self._makes_arrays = makes_arrays
        self.may_compile = True
        self.write_error: OSError | None = None

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The code for a signature, or None."""
        try:
            # Numba's own method first brings in all that it can compile, which takes longer than all else here. Code
            # that makes no arrays needs nothing of it.
            load = super().load_overload if self._makes_arrays else self._load_overload
            found = load(sig, target_context)
        except Exception:  # whatever a damaged file makes pickle, zlib or LLVM say
            found = None
        if found is None and not self.may_compile:
            raise NotCompiledError(self._name)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write the code down, if that is possible."""
        try:
            if self._is_damaged():
                self._cache_file.flush()
            super().save_overload(sig, data)
        except OSError as error:
            self.write_error = error

    def _is_damaged(self) -> bool:
        """Whether the index can't be read, in which numba would look before it writes."""
        try:
            self._cache_file._load_index()
        except Exception:  # see load_overload
            return True
        return False
