"""Versions of what scores are made with: those that are installed, and those that a signature names."""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping

from polyrouge.errors import warn_user


@functools.cache
def installed_version(library: str) -> str:
    """Version of an installed package, ``"none"`` where it is missing."""
    from importlib import metadata  # imported when it is used, as it takes long

    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return "none"


def compare_versions(text: str, versions: Mapping[str, str], exact: Collection[str] = ()) -> None:
    """Warn once if a signature was made by other versions of the libraries than are installed.

    Args:
        text: the signature.
        versions: that are installed.
        exact: libraries whose other versions are refused.

    Raises:
        ValueError: one of ``exact`` has another version.
    """
    entries = dict(entry.split(":", 1) for entry in text.strip().split("|"))
    other = {library: here for library, here in versions.items() if entries.get(library, here) != here}
    said = ", ".join(f"{library} {entries[library]} (here {here})" for library, here in other.items())
    if refused := [library for library in exact if library in other]:
        command = " ".join(f"{library}=={entries[library]}" for library in refused)
        raise ValueError(
            f"This signature was made with {said}, and other versions cut other tokens: pip install {command}"
        )
    if other:
        warn_user(f"This signature was made with {said}: scores may differ.")
