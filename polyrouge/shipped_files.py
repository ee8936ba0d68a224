"""Files that stand at the top of the repository, where visitors look, and inside the package once it is installed."""

from pathlib import Path

_PACKAGE = Path(__file__).parent


def checkout() -> Path | None:
    """Return the folder of the clone that the package is imported from; None where it is installed."""
    folder = _PACKAGE.parent
    return folder if (folder / "pyproject.toml").is_file() else None


def shipped_file(path: str) -> Path:
    """Where a file or folder is that the repository has at its top.

    A wheel holds it in ``polyrouge/shipped``. In a clone, and in an installation that points at one, it is beside the
    package.

    Args:
        path: within the repository: ``"configs"``, ``"examples/zh_news.jsonl"`` or ``"rouge_metric.py"``.
    """
    installed = _PACKAGE / "shipped" / path
    return installed if installed.exists() else _PACKAGE.parent / path
