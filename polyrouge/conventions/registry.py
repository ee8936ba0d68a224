"""The conventions by name: our own, those of rouge_score, and those of other tools."""

from __future__ import annotations

from collections.abc import Iterable

from polyrouge.errors import unknown_value
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.texts.registry import Registry
from polyrouge.tools import load_tools, rouge_score
from polyrouge.tools.common import Convention

_CHINESE = RougeSettings(tokenizer="zh_char", sentence_split="zh")
_OF_LANGUAGES = {
    "ja_word": ("ja_mecab", "Japanese words (MeCab, unidic-lite)"),
    "ko_word": ("ko_mecab", "Korean morphemes (mecab-ko)"),
    "th_word": ("th_newmm", "Thai words (newmm of pythainlp)"),
    "vi_word": ("vi_words", "Vietnamese words (pyvi)"),
}

_FIRST = (
    Convention("default", RougeSettings(), "our own, for any language"),
    Convention("zh_char", _CHINESE, "our own, Chinese character level: lower-cased, punctuation dropped"),
    Convention(
        "zh_word",
        _CHINESE.replace(tokenizer="jieba"),
        "our own, Chinese word level (jieba): lower-cased, punctuation dropped",
    ),
)


def _load_others() -> None:
    """Those of languages, then those of other tools."""
    for name, (tokenizer, words) in _OF_LANGUAGES.items():
        settings = RougeSettings(tokenizer=tokenizer, sentence_split="auto")
        CONVENTIONS[name] = Convention(name, settings, f"our own, {words}: lower-cased, punctuation dropped")
    for tool in load_tools():
        CONVENTIONS.update({each.name: each for each in getattr(tool, "CONVENTIONS", ())})


CONVENTIONS: Registry[Convention] = Registry(_load_others)
CONVENTIONS.update({each.name: each for each in (*_FIRST, *rouge_score.CONVENTIONS)})
"""Every convention by its name, ours first."""


_CHINESE_LEVELS = ("zh_char", "zh_word")
# What else a convention is called, by its tool's name or its users, as ``polyrouge.errors.folded`` writes it.
_OTHER_NAMES: dict[str, tuple[str, ...]] = {
    "zh": _CHINESE_LEVELS,
    "cn": _CHINESE_LEVELS,
    "zhcn": _CHINESE_LEVELS,
    "chinese": _CHINESE_LEVELS,
    "中文": _CHINESE_LEVELS,
    "char": ("zh_char",),
    "character": ("zh_char",),
    "chinesechar": ("zh_char",),
    "word": ("zh_word",),
    "jieba": ("zh_word",),
    "chineseword": ("zh_word",),
    "en": ("default", "rouge_score"),
    "english": ("default", "rouge_score"),
    "multilingual": ("default", "xlsum", "mbert_rouge"),
    "ja": ("ja_word",),
    "japanese": ("ja_word",),
    "mecab": ("ja_word", "ko_word"),
    "ko": ("ko_word",),
    "korean": ("ko_word",),
    "konlpy": ("ko_mecab_rouge_score",),
    "th": ("th_word",),
    "thai": ("th_word",),
    "vi": ("vi_word",),
    "vietnamese": ("vi_word",),
    "korougescore": ("korouge",),
    "helm": ("helm_xlsum",),
    "bhasa": ("helm_xlsum",),
    "naturalinstructions": ("super_ni", "super_ni_en"),
    "supernaturalinstructions": ("super_ni", "super_ni_en"),
    "tkinstruct": ("super_ni_en", "super_ni"),
    "google": ("rouge_score",),
    "rougescorer": ("rouge_score",),
    "evaluate": ("evaluate_rouge",),
    "huggingface": ("evaluate_rouge",),
    "hf": ("evaluate_rouge",),
    "rouge": ("evaluate_rouge", "pltrdy"),  # evaluate.load("rouge"), and PyPI's rouge
    "rougeforchinese": ("rouge_chinese",),
    "rougezh": ("rouge_chinese",),
    "pypirouge": ("pltrdy",),
    "paddlenlp": ("pltrdy",),
    "rouge15": ("rouge155",),
    "rouge155pl": ("rouge155",),
    "perl": ("rouge155",),
    "rougeperl": ("rouge155",),
    "pyrouge": ("rouge155",),  # a wrapper of the script; py-rouge is another tool
    "pyrouge155": ("rouge155",),
    "files2rouge": ("rouge155",),
    "duc": ("rouge155",),
    "multilingualrouge": ("xlsum",),
    "multilingualrougescoring": ("xlsum",),
    "torchmetric": ("torchmetrics",),
    "pycocoevalcap": ("coco",),
    "caption": ("coco",),
    "cail": ("lawrouge",),
    "llama": ("llama_factory",),
    "chatglm2": ("chatglm",),
    "chatglm6b": ("chatglm",),
    "opencompass": ("opencompass_zh",),
    "swift": ("ms_swift",),
    "bert4keras": ("t5_pegasus",),
    "clge": ("t5_pegasus",),
    "mlrouge": ("lcsts",),
    "cnewsum": ("lcsts",),
}


def unknown_convention(name: object, names: Iterable[str] = CONVENTIONS) -> ValueError:
    """The error for a name that is none of ``names``, with the one that was probably meant."""
    return unknown_value(name, names, "convention", _OTHER_NAMES)


def find_convention(name: str) -> Convention:
    """Return the convention of that name.

    Raises:
        ValueError: there is none; the message names the nearest.
        TypeError: not a name.
    """
    if not isinstance(name, str):
        raise TypeError(f"convention is {name!r}; give a name: one of {', '.join(CONVENTIONS)}.")
    if name not in CONVENTIONS:
        raise unknown_convention(name)
    return CONVENTIONS[name]
