"""The folder of what can be made again: tables of dictionaries, machine code."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """``POLYROUGE_CACHE_DIR``, or else ``polyrouge`` in the user's own cache folder.

    Not the temporary folder, where another user could put a file.
    """
    given = os.environ.get("POLYROUGE_CACHE_DIR")
    if given:
        return Path(given)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~\\AppData\\Local"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    folder = Path(os.path.expanduser(base), "polyrouge")
    # A user without a home has no such folder, and none is made in whatever folder the process happens to be in.
    return folder if folder.is_absolute() else Path(os.devnull, "polyrouge")
