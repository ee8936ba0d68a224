"""The README as PyPI shows it: without the Space's front matter, with full addresses in place of paths."""

import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

_PATH = re.compile(r"(!?)(\[[^\]]*\]\()(?![a-z]+:|#)([^)\s]+)\)")


def pypi_readme(text: str, home: str) -> str:
    """The README of the repository, for another place.

    Args:
        text: of README.md, which begins with front matter.
        home: the address of the repository.
    """
    card = text.split("---\n", 2)[2].lstrip()
    return _PATH.sub(lambda link: f"{link[1]}{link[2]}{home}/{'resolve' if link[1] else 'blob'}/main/{link[3]})", card)


class PypiReadme(MetadataHookInterface):
    """Found by hatch, which builds the archives."""

    def update(self, metadata: dict) -> None:
        """Set the description that PyPI shows."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": pypi_readme(text, metadata["urls"]["Homepage"])}
