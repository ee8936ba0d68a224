"""Rows on what an installation takes on the disk."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.results import Fact
from benchmarks.setup import Setup

__all__ = ["installation"]

_ROOT = Path(__file__).resolve().parents[1]
_INSTALLED = ("polyrouge", "polyrouge evaluate", "rouge_score evaluate", "rouge_score")
_PARTS = ("numpy", "jieba", "nltk", "uniseg", "pyarrow", "pandas", "datasets", "polyrouge")


def installation(_setup: Setup) -> Iterator[Fact]:
    """Megabytes of ``site-packages`` with the .pyc files that pip makes, and the largest parts of the largest."""
    for packages in _INSTALLED:
        with tempfile.TemporaryDirectory() as folder:
            sources = [str(_ROOT) if name == "polyrouge" else name for name in packages.split()]
            command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", folder, *sources]
            subprocess.run(command, check=True)  # noqa: S603 our own
            yield Fact("installation", f"site-packages of {packages}", _megabytes(Path(folder)), "MB")
            if packages == "polyrouge evaluate":
                for part in _PARTS:
                    size = sum(_megabytes(path) for path in Path(folder).glob(f"{part}*") if "-info" not in path.name)
                    yield Fact("installation", f"site-packages of {packages}: {part}", size, "MB")


def _megabytes(folder: Path) -> float:
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6
