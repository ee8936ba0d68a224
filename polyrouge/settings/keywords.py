"""The arguments that ``Rouge`` and its calls take by keyword, for editors and type checkers.

Type checkers want them written out; ``tests/settings/test_keywords.py`` holds them to the declarations.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypedDict

from polyrouge.settings.rouge_settings import ToolRules
from polyrouge.texts.jieba_words import JiebaWords


class RougeKeywords(TypedDict, total=False):
    """The fields of ``RougeSettings`` and ``RunOptions``, with all types that they take."""

    rouge_types: Iterable[str]
    tokenizer: str | Callable[[str], list[str]]
    prepare: Iterable[str]
    segment: str | None
    lowercase: bool | str
    normalize: str | None
    punctuation: str
    use_stemmer: bool
    stop_words: Iterable[str] | str | None
    max_words: int | None
    max_bytes: int | None
    max_characters: int | None
    sentence_split: str | Callable[[str], Sequence[str]]
    weight: float
    beta: float
    multi_reference: str
    empty: str
    on_error: str
    output: str
    use_aggregator: bool
    aggregate: str
    weights: Iterable[float] | str | None
    confidence: float | None
    n_resamples: int
    seed: int
    interval: str
    scale: float
    round_each: int | None
    round_result: int | None
    jieba_dict: JiebaWords
    jieba_hmm: bool
    subword_model: str | os.PathLike[str] | None
    pkuseg_model: str | os.PathLike[str] | None
    tool: ToolRules | Mapping[str, Any]
    engine: str
    threads: int
