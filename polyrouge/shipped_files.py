"""Files that stand at the root of the repository for people to read, and that the package reads too."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any


def shipped_file(*names: str) -> Any:
    """The path of a recipe or an example text: ``shipped_file("configs", "lcsts.yaml")``."""
    # An installed package holds a copy; in a clone of the repository, such as a Space, they stand beside the package.
    inside = resources.files("polyrouge").joinpath(names[0])
    if inside.is_file() or inside.is_dir():
        return inside.joinpath(*names[1:])
    return Path(__file__).resolve().parents[1].joinpath(*names)
