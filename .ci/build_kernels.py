"""Build the kernels: each ``.pyx`` file of ``polyrouge/counting/compiled/kernels`` becomes an extension.

hatchling runs this for a wheel and for an installation in place. Where no C compiler works, the wheel has no extension,
and the package counts in Python.

``python .ci/build_kernels.py [FLAG...]`` builds in place, with further flags for compiler and linker, such as
``-fsanitize=address -g``. It needs Cython, hatchling and setuptools, and fails where the compiler does.
"""

import os
import platform
import shutil
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory

from Cython.Build import cythonize
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from setuptools import Distribution, Extension
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parents[1]
KERNELS = Path("polyrouge", "counting", "compiled", "kernels")

# What stands at the top of the repository and is read by the package, which looks in polyrouge/shipped first.
SHIPPED = ("configs", "examples/en_news.jsonl", "examples/zh_news.jsonl", "rouge_metric.py")

# One build serves Python 3.11 and all newer ones. Older ones have no buffers in it; those without the GIL have no such
# interface.
IS_LIMITED = sys.version_info >= (3, 11) and not sysconfig.get_config_var("Py_GIL_DISABLED")
IS_MSVC = sys.platform == "win32"
KNOWS_V3 = platform.machine() == "x86_64" and not IS_MSVC


def kernel_extension(source: Path, flags: tuple[str, ...]) -> Extension:
    """The extension of a file. One that ends with ``_v3`` is for x86-64 processors of the third level."""
    # GCC would fuse a product and a sum of floats where the processor can, which moves the last bit.
    compiler_flags = ["/O2"] if IS_MSVC else ["-O3", "-g0", "-ffp-contract=off"]
    if source.stem.endswith("_v3"):
        compiler_flags.append("-march=x86-64-v3")
    strip = ["-s"] if sys.platform == "linux" and not flags else []
    return Extension(
        ".".join((*source.parent.parts, source.stem)),
        [source.as_posix()],
        include_dirs=[source.parent.as_posix()],
        define_macros=[("Py_LIMITED_API", "0x030B0000")] if IS_LIMITED else [],
        py_limited_api=IS_LIMITED,
        extra_compile_args=[*compiler_flags, *flags],
        extra_link_args=[*strip, *flags],
    )


class BuildWhatCanBe(build_ext):
    """Goes on where a compiler fails. ``optional=True`` does not where there is none at all."""

    def build_extension(self, ext: Extension) -> None:
        """Build one, or say why not."""
        try:
            super().build_extension(ext)
        except Exception as error:  # whatever the compiler, the linker or their environment lacks
            sys.stderr.write(f"{ext.name} is not built: {error}\n")


def build_kernels(folder: Path, flags: tuple[str, ...] = ()) -> list[Path]:
    """Build the extensions, and return the paths of those that could be built.

    Args:
        folder: where they go, with C files and object files beside them.
        flags: further ones for compiler and linker.
    """
    sources = [path for path in sorted(KERNELS.glob("*.pyx")) if KNOWS_V3 or not path.stem.endswith("_v3")]
    extensions = [kernel_extension(source, flags) for source in sources]
    extensions = cythonize(extensions, build_dir=folder / "c", quiet=True, nthreads=len(extensions))
    command = BuildWhatCanBe(Distribution({"name": "polyrouge", "ext_modules": extensions}))
    command.build_lib, command.build_temp = str(folder / "lib"), str(folder / "objects")
    command.parallel = len(extensions)
    command.ensure_finalized()
    command.run()
    return [path for path in map(Path, command.get_outputs()) if path.is_file()]


def put_in_place(path: Path) -> None:
    """Put a file beside the sources; a process that has loaded the one before keeps that."""
    place = ROOT / KERNELS / path.name
    shutil.copy(path, place.with_suffix(".new"))
    os.replace(place.with_suffix(".new"), place)


class KernelHook(BuildHookInterface):
    """Found by hatchling."""

    def initialize(self, version: str, build_data: dict) -> None:
        """Add the extensions and what is shipped to the wheel, or build them in place for one that only points here."""
        self.folder = TemporaryDirectory()  # until the wheel is written
        files = build_kernels(Path(self.folder.name))
        if version == "editable":
            for path in files:
                put_in_place(path)
            return
        build_data["force_include"].update({str(ROOT / path): f"polyrouge/shipped/{path}" for path in SHIPPED})
        if files:
            build_data["force_include"].update({str(path): str(KERNELS / path.name) for path in files})
            build_data["pure_python"] = False
            build_data["tag"] = self.build_config.builder.get_best_matching_tag()
            if IS_LIMITED:
                build_data["tag"] = f"cp311-abi3-{build_data['tag'].rpartition('-')[2]}"


if __name__ == "__main__":
    os.chdir(ROOT)
    with TemporaryDirectory() as folder:
        files = build_kernels(Path(folder), tuple(sys.argv[1:]))
        if not files:
            sys.exit("no kernel is built")
        for path in files:
            put_in_place(path)
