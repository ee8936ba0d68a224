"""JSON that shows whether it is as it was written: baselines and partial results."""

import hashlib
import json
from typing import Any

_CHECKSUM = "checksum"
_DIGITS = 16


def write_checked(content: dict[str, Any]) -> str:
    """JSON of an object, with its checksum."""
    return json.dumps({**content, _CHECKSUM: _checksum(content)})


def read_checked(text: str | bytes) -> dict[str, Any]:
    """Return the object that ``write_checked`` wrote; ``ValueError`` says what it is instead."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:  # of UTF-8 or of JSON; lists in lists in lists
        raise ValueError(f"not JSON in UTF-8: {error}") from None
    if not isinstance(content, dict):
        raise ValueError("no object of JSON")
    if content.pop(_CHECKSUM, None) != _checksum(content):
        raise ValueError("not as it was written")
    return content


def _checksum(content: dict[str, Any]) -> str:
    """Of the values, in whatever order and layout they stand."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:_DIGITS]
