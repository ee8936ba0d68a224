"""Count the instructions per pair of the most used kernels: a number that does not change on a busy machine.

valgrind's callgrind counts them in a second process, which loads the kernels from numba's cache. They are
compiled for a processor that valgrind knows (AVX2), so the number is the same on every x86-64 machine.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.corpora import english
from benchmarks.results import Fact
from benchmarks.setup import Setup

__all__ = ["instructions"]

_HERE = Path(__file__).resolve().parent
_N_PAIRS = 500
_COMPILED_FOR = {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "+popcnt", "OPENBLAS_CORETYPE": "Haswell"}


def instructions(_setup: Setup) -> Iterator[Fact]:
    """Instructions of each kernel for a pair of 62 words; no results if valgrind is not installed."""
    if shutil.which("valgrind") is None:
        sys.stderr.write("instructions: valgrind is not installed; on Debian: apt-get install valgrind.\n")
        return
    corpus = english(_N_PAIRS, 62, 3)
    environment = {**os.environ, **_COMPILED_FOR, "NUMBA_CACHE_DIR": str(_HERE / ".cache" / "kernels-for-valgrind")}
    with tempfile.TemporaryDirectory() as folder:
        texts = Path(folder, "texts.json")
        texts.write_text(
            json.dumps([t for pair in zip(corpus.predictions, corpus.references, strict=True) for t in pair])
        )
        probe = [sys.executable, "-m", "benchmarks.kernel_probe", str(texts)]
        subprocess.run(probe, check=True, env=environment, capture_output=True)  # noqa: S603 compiles
        callgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out"]
        printed = subprocess.run(  # noqa: S603 our own command
            [*callgrind, *probe, "dump"], check=True, env=environment, capture_output=True, text=True
        ).stdout
        for part, name in enumerate(json.loads(printed.splitlines()[-1]), start=1):
            if name is not None:
                counted = int(
                    re.findall(r"^(?:summary|totals): (\d+)", Path(folder, f"out.{part}").read_text(), re.M)[0]
                )
                yield Fact("instructions", f"{name}, 62 words", counted / _N_PAIRS, "instructions a pair")
