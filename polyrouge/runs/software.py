"""Versions of what can move a number or a byte of a run: all its workers must have the same."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version

from polyrouge.settings.rouge_settings import RougeSettings


def software_of(settings: RougeSettings) -> dict[str, str]:
    """Names and versions, here.

    To those that make the scores (``RougeSettings.versions``) come pyarrow, which writes them, and numpy where an
    interval is drawn.
    """
    found = {**settings.versions(), "pyarrow": version("pyarrow")}
    found["polyrouge"] = found.pop("v")
    if settings.confidence is not None:
        found["numpy"] = version("numpy")
    return dict(sorted(found.items()))


def check_software(wanted: Mapping[str, str], settings: RougeSettings) -> None:
    """Raise ``ValueError`` if this process has not the versions that a run was planned with."""
    here = software_of(settings)
    for name, needed in wanted.items():
        if here.get(name) != needed:
            raise ValueError(
                f"A worker has {name} {here.get(name)}, but the run was planned with {name} {needed}; install the same "
                "on all machines."
            )
