"""Tokens, stop words, stems and length limits of sumeval 0.2.2 (chakki-works), in English, Chinese and Japanese.

Its tables belong to others and are not part of this package: they are read from the installed
``sumeval``, or from a folder.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path

from polyrouge.errors import unknown_value
from polyrouge.texts.jieba_words import MakeCutter, jieba_cutter
from polyrouge.texts.patterns import pattern
from polyrouge.tools.installed_tables import installed_tables
from polyrouge.tools.rouge155_words import tokenize155

SUMEVAL_LANGUAGES = ("en", "zh", "ja")

# The marks that sumeval makes blanks before jieba sees the text. Others stay and become tokens, such as
# ！ ； ” ‘ and the hyphen.
CHINESE_MARKS = pattern("[.!/_,$%^*()+“’—。：？、，:~@#￥&（）【】「」《》·]")
# Everything else is a blank: marks, but also ヴ and ヵ, rare characters, half-width kana.
NOT_JAPANESE = pattern("[^ぁ-んァ-ン一-龥ーa-zA-Zａ-ｚＡ-Ｚ0-9０-９]")


def sumeval_tokenizer(language: str, make_cutter: MakeCutter = jieba_cutter) -> Callable[[str], list[str]]:
    """Return ``tokenize(text) -> tokens``, lower-cased; stop words are still among them.

    - en: runs of [A-Za-z0-9], the tokens of ROUGE-1.5.5.
    - zh: a list of marks becomes blanks, the rest is jieba's words (HMM on).
    - ja: what is not kana of the main rows, a character from 一 to 龥, or a letter or digit, becomes a
      blank; the rest is janome's words. sumeval itself takes MeCab where that works on the machine, and janome
      elsewhere; janome gives the same words everywhere.

    Chinese and Japanese are lower-cased after they are cut.

    Args:
        language: ``"en"``, ``"zh"`` or ``"ja"``.
        make_cutter: makes the function that cuts Chinese words.

    Raises:
        ValueError: sumeval has no such language.
        ModuleNotFoundError: janome is not installed.
    """
    _check_language(language)
    if language == "en":
        return tokenize155
    if language == "zh":
        cut, to_blank = make_cutter(), CHINESE_MARKS
    else:
        cut, to_blank = janome_cutter(), NOT_JAPANESE

    def tokenize(text: str) -> list[str]:
        words = (word.lower().strip() for word in cut(to_blank.sub(" ", text)))
        return [word for word in words if word]

    return tokenize


@functools.cache
def janome_cutter() -> Callable[[str], list[str]]:
    """Return the function that cuts Japanese words.

    Raises:
        ModuleNotFoundError: janome is not installed.
    """
    try:
        from janome.tokenizer import Tokenizer
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "sumeval's Japanese words come from janome: pip install janome", name=error.name
        ) from error
    tokenizer = Tokenizer(wakati=True)
    return lambda text: list(map(str, tokenizer.tokenize(text)))


def sumeval_stop_words(language: str, path: str | os.PathLike[str] | None = None) -> frozenset[str]:
    """Read sumeval's stop words. By default it leaves out the lower-cased tokens that are among them.

    Args:
        language: ``"en"``, ``"zh"`` or ``"ja"``.
        path: the file with one word a line, or a folder with ``<language>/stop_words.txt``; None means the
            installed package ``sumeval``.

    Raises:
        ValueError: sumeval has no such language.
        ModuleNotFoundError: no path is given and ``sumeval`` is not installed.
        FileNotFoundError: there is no such file.
    """
    file = _table(language, "stop_words.txt", path)
    if not file.is_file():
        raise FileNotFoundError(
            f"{file} does not exist; sumeval's stop words are a file that `pip install sumeval` brings along."
        )
    return frozenset(_lines(file))


def sumeval_stem(language: str, path: str | os.PathLike[str] | None = None) -> Callable[[str], str]:
    """Return sumeval's stemmer, a table without rules; sumeval stems the tokens of references only.

    Tokens of fewer than three characters, and those that the table does not hold, stay as they are. Only
    English has a table, so that all Chinese and Japanese tokens stay.

    Args:
        language: ``"en"``, ``"zh"`` or ``"ja"``.
        path: the file with a word, a blank and its base form in each line, or a folder with
            ``<language>/stemming.txt``; None means the installed package ``sumeval``.

    Raises:
        ValueError: sumeval has no such language, or a line of the file is not a word and its base form.
        ModuleNotFoundError: no path is given and ``sumeval`` is not installed.
        FileNotFoundError: there is no English table.
    """
    bases = sumeval_base_forms(language, path)
    return lambda token: token if len(token) < 3 else bases.get(token, token)


def sumeval_base_forms(language: str, path: str | os.PathLike[str] | None = None) -> dict[str, str]:
    """Read the table behind ``sumeval_stem``: word to base form; empty where a language has none."""
    file = _table(language, "stemming.txt", path)
    bases: dict[str, str] = {}
    if file.is_file():
        for number, line in enumerate(_lines(file), 1):
            word, _, base = line.partition(" ")
            if not base:
                raise ValueError(f"{file}, entry {number} is {line!r}; it must be a word, a blank and its base form.")
            bases[word] = base
    elif language == "en":
        raise FileNotFoundError(
            f"{file} does not exist; sumeval's base forms are a file that `pip install sumeval` brings along."
        )
    return bases


def limit_sumeval(text: str, language: str, max_words: int | None = None, max_characters: int | None = None) -> str:
    """The beginning of a text, as sumeval cuts it before it cleans it.

    What counts as a word (``word_limit``): in English a piece between single blanks; in Chinese a word that
    jieba finds in the cleaned text, where a blank is a word too; in Japanese a word that janome finds in the
    text as it is. The words that are kept are joined, in Chinese with blanks, and tokenized once more.

    Args:
        text: the text.
        language: ``"en"``, ``"zh"`` or ``"ja"``.
        max_words: words to keep; None or 0 means all.
        max_characters: characters to keep (``length_limit``); None or 0 means all. Only one of the two may
            be given.

    Raises:
        ValueError: sumeval has no such language, both limits are given, or one is negative.
        ModuleNotFoundError: janome is not installed.
    """
    _check_language(language)
    for name, limit in (("max_words", max_words), ("max_characters", max_characters)):
        if limit is not None and limit < 0:
            raise ValueError(f"{name} is {limit}; give a number above 0, or 0 for no limit.")
    if max_words and max_characters:
        raise ValueError(f"max_words is {max_words} and max_characters is {max_characters}; give one of them.")
    if max_characters:
        return text[:max_characters]
    if not max_words:
        return text
    if language == "en":
        return " ".join(text.split(" ")[:max_words])
    if language == "zh":
        return " ".join(jieba_cutter(keep_blanks=True)(CHINESE_MARKS.sub(" ", text))[:max_words])
    return "".join(janome_cutter()(text)[:max_words])


def _check_language(language: str) -> None:
    if language not in SUMEVAL_LANGUAGES:
        raise unknown_value(language, SUMEVAL_LANGUAGES, "language of sumeval")


def _table(language: str, name: str, path: str | os.PathLike[str] | None) -> Path:
    """The path of a table: as given, in the folder given, or in the installed package."""
    _check_language(language)
    if path is not None and not Path(path).is_dir():
        return Path(path)
    if path is None:
        need = f"This rule of sumeval's needs its table {language}/{name}"
        path = installed_tables("sumeval", "sumeval/metrics/lang/data", need)
    return Path(path) / language / name


def _lines(file: Path) -> list[str]:
    """The lines that are not blank, without the blanks around them."""
    return list(filter(None, map(str.strip, file.read_text(encoding="utf-8").split("\n"))))
