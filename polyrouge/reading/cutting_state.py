"""What must be the same in another process for it to read texts by jieba as this one does.

A process of ``text_processes`` is a new Python. It imports what is on disk now and knows nothing of what was
changed since this one was started: a library that was exchanged or patched, words that were deleted, a
dictionary that was edited. Both write down what they have; where that differs, this one reads them.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import importlib
import re
import sys
import types
import unicodedata
from importlib import metadata
from typing import Any

from polyrouge.settings.rouge_settings import RougeSettings, cuts_with_jieba
from polyrouge.texts.jieba_words import jieba_tokenizer
from polyrouge.texts.sentences import SENTENCE_SPLITS
from polyrouge.texts.tokenizers import TOKENIZERS
from polyrouge.version import VERSION

__all__ = ["can_be_read_elsewhere", "reading_state"]

_PACKAGE = "polyrouge"
# Ours through which a text goes until jieba cuts it and behind that, whatever the settings.
_MODULES_THAT_READ = (
    "reading.documents",
    "texts.jieba_words",
    "texts.sentences",
    "tools.limits",
    "reading.notes",
    "texts.tokenizers",
    "tools.preparation",
)
_DESCRIBED_PACKAGES = ("jieba", _PACKAGE)
_DEEPEST = 8  # descriptions within descriptions
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
        state += [digest, _dictionary_digest(tokenizer)]
        jieba = sys.modules["jieba"]  # looked at after loading, which may delete words
        state += [getattr(jieba, name) for name in _NAMES_IN_JIEBA]
    modules = [importlib.import_module(f"{_PACKAGE}.{name}") for name in _MODULES_THAT_READ]
    state += [_own_names(module) for module in modules]
    return _digest(state)


@functools.lru_cache(maxsize=8)
def _dictionary_digest(tokenizer: Any) -> str:
    return _digest((tokenizer.dictionary, tokenizer.total, tokenizer.FREQ))


def _digest(state: object) -> str:
    return hashlib.sha256(repr(_described(state)).encode("utf-8", "replace")).hexdigest()


def _own_names(module: types.ModuleType) -> dict[str, object]:
    """Functions and classes of a module, and what they are made of; not what comes and goes, as in a registry."""
    kinds = (types.FunctionType, type, re.Pattern, str, int, float, tuple, frozenset)
    return {name: value for name, value in _of_module(module) if isinstance(value, kinds)}


def _described(value: Any, depth: int = 0) -> object:
    """Data that two processes print alike if they behave alike."""
    if value is None or isinstance(value, (bool, int, float, str, bytes)):
        return value
    if depth > _DEEPEST:  # what refers to itself, most likely
        return type(value).__qualname__
    inner = functools.partial(_described, depth=depth + 1)
    if isinstance(value, (list, tuple)):
        return list(map(inner, value))
    if isinstance(value, (set, frozenset)):
        return sorted(map(repr, value))
    if isinstance(value, dict):
        return [(repr(key), inner(each)) for key, each in value.items()]
    if isinstance(value, types.CodeType):
        return (value.co_code.hex(), value.co_names, value.co_varnames, inner(value.co_consts))
    if isinstance(value, (types.MethodType, staticmethod, classmethod)):
        return inner(value.__func__)
    if isinstance(value, property):
        return inner((value.fget, value.fset))
    if isinstance(value, types.FunctionType):
        closure = [cell.cell_contents for cell in value.__closure__ or () if cell != types.CellType()]
        parts = (value.__code__, value.__defaults__, value.__kwdefaults__, closure, getattr(value, "__wrapped__", None))
        return (value.__module__, value.__qualname__, *map(inner, parts))
    if isinstance(value, types.ModuleType) and depth < 3:
        return inner(_of_module(value))
    if isinstance(value, type) and value.__module__.partition(".")[0] in _DESCRIBED_PACKAGES:
        return (value.__qualname__, *(inner(each) for each in _functions_of(value)))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [inner(getattr(value, field.name)) for field in dataclasses.fields(value)]
    if isinstance(value, re.Pattern):
        return (value.pattern, value.flags)
    return (type(value).__qualname__, inner(getattr(value, "__wrapped__", None)))


def _of_module(module: types.ModuleType) -> list[tuple[str, object]]:
    """All that a module holds but Python's own entries and what it imported."""
    return [
        (name, value)
        for name, value in sorted(vars(module).items())
        if not (name.startswith("__") and name.endswith("__")) and not isinstance(value, types.ModuleType)
    ]


def _functions_of(made: type) -> list[tuple[str, object]]:
    """Those of a class, also those with Python's own names."""
    kinds = (types.FunctionType, staticmethod, classmethod, property)
    return [(name, value) for name, value in sorted(vars(made).items()) if isinstance(value, kinds)]
