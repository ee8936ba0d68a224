"""Files of the snapshot of behaviour: how facts are written in them, and what differs from them.

Keys are sorted and each fact has a line of its own, so that a diff reads well.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

FOLDER = Path(__file__).resolve().parents[1] / "snapshot"
MADE_WITH = "made with"  # key of an entry that other versions of these packages may change
_LIBRARIES = (
    "emoji fugashi ipadic jieba mecab-python3 neologdn nltk python-mecab-ko python-mecab-ko-dic pythainlp pyvi regex "
    "sacrebleu tokenizers ucd unidic-lite v"
)
# In signatures: versions, and the digest of a model that is here or not.
_VERSIONS = re.compile(rf"(?<![\w-])((?:{'|'.join(_LIBRARIES.split())}):|subwords:[^|#]*#)(?:none|[0-9a-f][\w.]*)")


class Missing(NamedTuple):
    """Stands in place of facts that can't be collected here; the stored ones stay as they are."""

    package: str


def plain(value: Any) -> Any:
    """The value as JSON holds it: numbers to the last bit, a list of numbers in one line, no versions."""
    if isinstance(value, (np.ndarray, np.number)):
        return plain(value.tolist())
    if isinstance(value, (Missing, bool, int, float, type(None))):
        return value
    if isinstance(value, str):
        return _VERSIONS.sub(r"\1*", value)
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        if value and all(isinstance(each, (int, float, np.number)) for each in value):
            return " ".join(map(number, value))
        return [plain(each) for each in value]
    raise TypeError(f"{value!r} ({type(value).__name__}) is no fact that a snapshot can hold.")


def number(value: Any) -> str:
    """A number to the last bit, without ``.0`` at its end."""
    return repr(value.item() if isinstance(value, np.generic) else value).removesuffix(".0")


def differences(old: Any, new: Any, path: str, missing: set[str]) -> Iterator[str]:
    """What differs between stored facts and those of now; ``missing`` gets the packages that some of them lack."""
    if isinstance(new, Missing):
        missing.add(new.package)
    elif isinstance(old, dict) and isinstance(new, dict):
        if MADE_WITH in old and MADE_WITH in new and old[MADE_WITH] != new[MADE_WITH]:
            missing.add(old[MADE_WITH])
            return
        for key in sorted(old.keys() | new.keys()):
            if key in old and key in new:
                yield from differences(old[key], new[key], f"{path} > {key}", missing)
            elif not isinstance(new.get(key), Missing):
                yield f"{path} > {key}\n    {'gone' if key in old else 'new'}: {_json(old.get(key, new.get(key)))}"
    elif _json(old) != _json(new):  # as 1.0 == 1 and nan != nan
        yield f"{path}\n    was: {_json(old)}\n    now: {_json(new)}"


def _json(value: Any, indent: int | None = None) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent, sort_keys=True)


def read_stored(name: str) -> Any:
    """The stored facts of a file; none where it is new."""
    file = FOLDER / f"{name}.json"
    return json.loads(file.read_text("utf-8")) if file.exists() else {}


def write_stored(name: str, facts: Any) -> int:
    """Write a file; facts that are missing here stay as they are stored. Returns its bytes."""
    text = _json(_with_stored(read_stored(name), facts), indent=1) + "\n"
    return (FOLDER / f"{name}.json").write_text(text, encoding="utf-8", newline="\n")


def _with_stored(old: Any, new: Any) -> Any:
    """The facts of now, with the stored ones in place of those that can't be collected here."""
    if isinstance(new, dict):
        known = old if isinstance(old, dict) else {}
        merged = {key: _with_stored(known.get(key), each) for key, each in new.items()}
        return {key: each for key, each in merged.items() if not isinstance(each, Missing)}
    return new if old is None or not isinstance(new, Missing) else old
