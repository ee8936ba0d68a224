"""Chinese words of pkuseg (spacy-pkuseg), by a model that the user has: no package on PyPI brings one.

A model is the folder that ``spacy_pkuseg.train`` writes, or that the package downloads when asked for one by name.
"""

from __future__ import annotations

import functools
import threading
from pathlib import Path
from typing import Any

from polyrouge.texts.tokenizers import Tokenize, TokenizerOptions, built_in_tokenizer, without_punctuation
from polyrouge.texts.word_segmenters import by_piece

HOW_TO_GET_ONE = (
    "python -c \"import spacy_pkuseg; spacy_pkuseg.pkuseg('news')\" downloads one from GitHub to ~/.pkuseg/news (also "
    "'web', 'mixed', 'medicine', 'tourism', 'spacy_ontonotes'), and spacy_pkuseg.train makes one"
)
_FILES = ("features.msgpack", "weights.npz")
_PACKAGES = ("spacy-pkuseg",)
_loading = threading.Lock()  # the package keeps the folder that it loads from in one place for all


@built_in_tokenizer(
    "zh_pkuseg",
    "Chinese words of pkuseg (spacy-pkuseg), by the model that pkuseg_model names",
    libraries=(*_PACKAGES, "regex"),
    exact_libraries=_PACKAGES,
    cuts_at_sentences=True,
    is_general=False,
)
def build_zh_pkuseg(options: TokenizerOptions) -> Tokenize:
    """The words of ``pkuseg(folder).cut``, with the package's own list of words, which joins what is in it."""
    folder = Path(str(options.pkuseg_model))
    changed = max((folder / name).stat().st_mtime_ns for name in _FILES)
    return without_punctuation(by_piece(_loaded(str(folder.absolute()), changed)), options)


@functools.lru_cache(maxsize=2)
def _loaded(folder: str, _changed: int) -> Tokenize:
    from spacy_pkuseg import pkuseg

    with _loading:
        cut: Any = pkuseg(folder).cut
    return cut


def check_pkuseg_model(folder: str) -> None:
    """Refuse a folder that holds no model of pkuseg.

    Raises:
        ValueError: there is no such folder, or a file of a model is missing; the message says how to get one.
    """
    path = Path(folder)
    if not path.is_dir():
        raise ValueError(f"pkuseg_model: there is no folder {folder!r}; {HOW_TO_GET_ONE}.")
    missing = [name for name in _FILES if not (path / name).is_file()]
    if missing and (path / "features.pkl").is_file():
        raise ValueError(
            f"pkuseg_model: {folder!r} has features.pkl, a pickle, which could run code; if you trust it, make "
            "features.msgpack of it: from spacy_pkuseg.feature_extractor import FeatureExtractor; "
            f"FeatureExtractor.load({folder!r}).save({folder!r})."
        )
    if missing:
        names = " and no ".join(missing)
        raise ValueError(f"pkuseg_model: {folder!r} has no {names}, so it is no model of pkuseg; {HOW_TO_GET_ONE}.")
