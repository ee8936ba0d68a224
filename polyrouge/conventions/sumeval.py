"""sumeval 0.2.2 (chakki-works): tokens, stop words, stems and length limits, in English, Chinese and Japanese.

Its tables have other owners: they are read from the installed ``sumeval``, or from a folder.
"""

import functools
import os
import re
from collections.abc import Callable
from pathlib import Path

from polyrouge.conventions.common import AS_GIVEN, Convention, installed_tables, table_text
from polyrouge.conventions.rouge155 import tokenize155
from polyrouge.texts.jieba_words import jieba_cutter
from polyrouge.texts.patterns import pattern
from polyrouge.texts.tokenizers import OWN_PUNCTUATION, Tokenize, TokenizerOptions, built_in_tokenizer

# sumeval replaces these marks by blanks for jieba. Other marks become tokens, such as ！ ； ” ‘ and the hyphen.
_CHINESE_MARKS = pattern("[.!/_,$%^*()+“’—。：？、，:~@#￥&（）【】「」《》·]")
# Characters that become blanks: marks, but also ヴ and ヵ, rare characters, half-width kana.
_NOT_JAPANESE = pattern("[^ぁ-んァ-ン一-龥ーa-zA-Zａ-ｚＡ-Ｚ0-9０-９]")


@functools.cache
def janome_cutter() -> Callable[[str], list[str]]:
    """Return the function that cuts Japanese words."""
    try:
        from janome.tokenizer import Tokenizer
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "sumeval's Japanese words come from janome: pip install janome", name=error.name
        ) from error
    tokenizer = Tokenizer(wakati=True)
    return lambda text: list(map(str, tokenizer.tokenize(text)))


def sumeval_stop_words(language: str, path: str | os.PathLike[str] | None = None) -> frozenset[str]:
    """Load sumeval's stop words from a file, a folder with ``<language>/stop_words.txt``, or the installed package."""
    _, words = _table(language, "stop_words.txt", path, "sumeval's stop words")
    return frozenset(words)


def stemmer(tables: str | os.PathLike[str] | None = None) -> Callable[[str], str]:
    """Stem tokens of references by a table of English words, without rules; tokens of up to two characters stay."""
    file, lines = _table("en", "stemming.txt", tables, "sumeval's base forms")
    bases: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        word, _, base = line.partition(" ")
        if not base:
            raise ValueError(f"{file}, entry {number} is {line!r}; it must be a word, a blank and its base form.")
        bases[word] = base
    return lambda token: token if len(token) < 3 else bases.get(token, token)


def cut_sumeval(text: str, limit: int, unit: str, tokenizer: object) -> str:
    """Cut a text as sumeval does, before cleaning."""
    if unit == "characters":
        return text[:limit]
    if tokenizer == "sumeval_zh":  # words of the cleaned text, blanks included
        return " ".join(jieba_cutter(keep_blanks=True)(_CHINESE_MARKS.sub(" ", text))[:limit])
    if tokenizer == "sumeval_ja":
        return "".join(janome_cutter()(text)[:limit])
    return " ".join(text.split(" ")[:limit])


def _table(language: str, name: str, path: str | os.PathLike[str] | None, content: str) -> tuple[Path, list[str]]:
    """Find a table: a file, or in a folder or the installed package; return its path and its lines with a word."""
    if path is None:
        need = f"This rule of sumeval's needs its table {language}/{name}"
        path = installed_tables("sumeval", "sumeval/metrics/lang/data", need)
    file = Path(path) / language / name if Path(path).is_dir() else Path(path)
    text = table_text(file, f"{content} are a file that `pip install sumeval`")
    return file, list(filter(None, map(str.strip, text.split("\n"))))


@built_in_tokenizer(
    "sumeval_en",
    "sumeval: runs of A-Z, a-z, 0-9, lower-cased",
    drops_letters=True,
    is_general=False,
    alike={**OWN_PUNCTUATION, "lowercase": (False, "ascii")},
)
def _build_sumeval_en(_options: TokenizerOptions) -> Tokenize:
    return tokenize155


@built_in_tokenizer(
    "sumeval_zh",
    "sumeval: jieba's words once its list of marks is blank",
    libraries=("jieba",),
    is_general=False,
    alike=OWN_PUNCTUATION,
)
def _build_sumeval_zh(options: TokenizerOptions) -> Tokenize:
    return _words_without(options.jieba_cutter(), _CHINESE_MARKS)


@built_in_tokenizer(
    "sumeval_ja",
    "sumeval: janome's words of kana, kanji, letters and digits",
    libraries=("janome",),
    is_general=False,
    alike=OWN_PUNCTUATION,
)
def _build_sumeval_ja(_options: TokenizerOptions) -> Tokenize:
    """Cut janome's words. sumeval uses MeCab where it is installed, whose words differ between machines."""
    return _words_without(janome_cutter(), _NOT_JAPANESE)


def _words_without(cut: Tokenize, to_blank: re.Pattern[str]) -> Tokenize:
    """Cut a text into words after replacing marks by blanks; lower-case the words."""

    def tokenize(text: str) -> list[str]:
        words = (word.lower().strip() for word in cut(to_blank.sub(" ", text)))
        return [word for word in words if word]

    return tokenize


CONVENTIONS = (
    Convention(
        "sumeval",
        AS_GIVEN.replace(
            tokenizer="sumeval_en",
            stop_words="sumeval_en",
            tool={"stemmer": "sumeval", "limit_rule": "sumeval", "alpha": 0.5},
            multi_reference="pooled",
            aggregate="running_mean",
        ),
        "sumeval 0.2.2 (chakki-works), English; tokenizer='sumeval_zh' and stop_words='sumeval_zh' for Chinese",
        unusual="leaves stop words out by default; its stemmer is a table, and stems references only",
    ),
)
