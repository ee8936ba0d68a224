"""What must be the same in another process for it to read texts by jieba as this one does.

A process of ``text_processes`` is a new Python. It imports what is on disk now and knows nothing of what was
changed since this one was started: a library that was exchanged or patched, words that were deleted, a
dictionary that was edited. Both write down what they have; where that differs, this one reads them.
"""

from __future__ import annotations

import dataclasses
import hashlib
import re
import sys
import types
import unicodedata
from collections.abc import Mapping
from importlib import metadata
from typing import Any

from .jieba_words import jieba_tokenizer
from .sentences import SENTENCE_SPLITS
from .settings import VERSION, RougeSettings, cuts_with_jieba
from .tokenization import TOKENIZERS

__all__ = ["can_be_read_elsewhere", "reading_state"]

_PACKAGE = __name__.rpartition(".")[0]
# What jieba.Tokenizer looks up while it loads a user dictionary and cuts.
_NAMES_IN_JIEBA = ("Tokenizer", "re_userdict", "re_eng", "re_han_default", "re_skip_default", "strdecode", "finalseg")


def can_be_read_elsewhere(settings: RougeSettings) -> bool:
    """Whether documents are made by our own functions and jieba's alone, of which ``reading_state`` knows all."""
    if not isinstance(settings.tokenizer, str) or not isinstance(settings.sentence_split, str):
        return False
    entry = TOKENIZERS[settings.tokenizer]
    if settings.use_stemmer or isinstance(settings.stop_words, str):
        return False
    return {"jieba", "regex"}.issuperset(entry.libraries) and entry.build.__module__.startswith(f"{_PACKAGE}.")


def reading_state(settings: RougeSettings) -> str:
    """What the documents of these settings hang on; loads jieba's dictionary."""
    state: list[object] = [
        VERSION,
        sys.version,
        TOKENIZERS[str(settings.tokenizer)],
        SENTENCE_SPLITS.get(str(settings.sentence_split)),
        unicodedata.unidata_version,
        metadata.version("regex"),
    ]
    if cuts_with_jieba(settings):
        tokenizer, digest = jieba_tokenizer(settings.jieba_dict)
        state += [digest, len(tokenizer.FREQ), tokenizer.total, tokenizer.dictionary]
        jieba = sys.modules["jieba"]  # looked at after loading, which may delete words
        state += [getattr(jieba, name) for name in _NAMES_IN_JIEBA]
    return hashlib.sha256(repr(_described(state)).encode("utf-8", "replace")).hexdigest()


def _described(value: Any) -> object:
    """Data that two processes print alike if they behave alike."""
    value = getattr(value, "__wrapped__", value)
    value = getattr(value, "__func__", value)
    if value is None or isinstance(value, (bool, int, float, str, bytes)):
        return value
    if isinstance(value, (list, tuple)):
        return [_described(each) for each in value]
    if isinstance(value, (set, frozenset)):
        return sorted(map(repr, value))
    if isinstance(value, dict):
        return [(repr(key), _described(each)) for key, each in value.items()]
    if isinstance(value, (types.ModuleType, type)):
        return _described_names(vars(value))
    if isinstance(value, types.CodeType):
        return (value.co_code.hex(), value.co_names, value.co_varnames, _described(value.co_consts))
    if isinstance(value, types.FunctionType):
        return (value.__module__, value.__qualname__, _described(value.__code__))
    if dataclasses.is_dataclass(value):
        return [_described(getattr(value, field.name)) for field in dataclasses.fields(value)]
    if isinstance(value, re.Pattern):
        return (value.pattern, value.flags)
    return type(value).__qualname__


def _described_names(names: Mapping[str, Any]) -> object:
    """Of a module or class: all but Python's own entries and what it imported."""
    return [
        (name, _described(names[name]))
        for name in sorted(names)
        if not (name.startswith("__") and name.endswith("__")) and not isinstance(names[name], types.ModuleType)
    ]
