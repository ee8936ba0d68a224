"""Compile patterns when they are first used: most processes need few of them, and must start quickly."""

import re
from typing import Any, cast


class _Pattern:
    """Compile the pattern when one of its methods is first used."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._arguments = pattern, flags

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(*self._arguments), name)  # cached by Python
        setattr(self, name, value)
        return value


def pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Call ``re.compile`` later."""
    return cast("re.Pattern[str]", _Pattern(pattern, flags))
