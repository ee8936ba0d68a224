"""Patterns that are compiled when they are first used: most processes need few of them, and a start must be quick."""

import re
from typing import Any, cast


class _Pattern:
    """Becomes the pattern at the first look at one of its methods."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._arguments = pattern, flags

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(*self._arguments), name)  # which Python keeps
        setattr(self, name, value)
        return value


def pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """``re.compile``, later."""
    return cast("re.Pattern[str]", _Pattern(pattern, flags))
