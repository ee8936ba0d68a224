"""The conventions by name: our own, those of rouge_score, and those of other tools."""

from collections.abc import Iterable, Mapping
from typing import Any

from polyrouge.errors import unknown_value
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.texts.registration import Registry
from polyrouge.texts.tokenizers import TOKENIZERS
from polyrouge.tools import load_tools, rouge_score
from polyrouge.tools.common import Convention


def _own(name: str, tokenizer: str, split: str, words: str) -> Convention:
    settings = RougeSettings(tokenizer=tokenizer, sentence_split=split)
    return Convention(name, settings, f"our own, {words}: lower-cased, punctuation dropped")


_OWN = (
    Convention("default", RougeSettings(), "our own, for any language"),
    _own("zh_char", "zh_char", "zh", "Chinese character level"),
    _own("zh_word", "jieba", "zh", "Chinese word level (jieba)"),
)


def _load_others() -> None:
    """Add those of single languages, then those of other tools."""
    CONVENTIONS["ja_word"] = _own("ja_word", "ja_mecab", "auto", "Japanese words (MeCab, unidic-lite)")
    CONVENTIONS["ko_word"] = _own("ko_word", "ko_mecab", "auto", "Korean morphemes (mecab-ko)")
    CONVENTIONS["th_word"] = _own("th_word", "th_newmm", "auto", "Thai words (newmm of pythainlp)")
    CONVENTIONS["vi_word"] = _own("vi_word", "vi_words", "auto", "Vietnamese words (pyvi)")
    for tool in load_tools():
        CONVENTIONS.update({each.name: each for each in tool.CONVENTIONS})


CONVENTIONS: Registry[Convention] = Registry(_load_others)
CONVENTIONS.update({each.name: each for each in (*_OWN, *rouge_score.CONVENTIONS)})
"""Every convention by its name, ours first."""

# What else a convention is called, by its tool's name or its users.
_OTHER_NAMES = {
    "zh_char": "zh cn zhcn chinese 中文 char character chinesechar",
    "zh_word": "zh cn zhcn chinese 中文 word jieba chineseword",
    "default": "en english multilingual",
    "rouge_score": "en english google rougescorer",
    "xlsum": "multilingual multilingualrouge multilingualrougescoring",
    "mbert_rouge": "multilingual",
    "ja_word": "ja japanese mecab",
    "ko_word": "mecab ko korean",
    "ko_mecab_rouge_score": "konlpy",
    "th_word": "th thai",
    "vi_word": "vi vietnamese",
    "korouge": "korougescore",
    "helm_xlsum": "helm bhasa",
    "super_ni": "naturalinstructions supernaturalinstructions",
    "super_ni_en": "naturalinstructions supernaturalinstructions tkinstruct",
    "evaluate_rouge": "evaluate huggingface hf rouge",  # evaluate.load("rouge"), and PyPI's rouge
    "pltrdy": "rouge pypirouge paddlenlp",
    "rouge_chinese": "rougeforchinese rougezh",
    # pyrouge is a wrapper of the script; py-rouge is another tool
    "rouge155": "rouge15 rouge155pl perl rougeperl pyrouge pyrouge155 files2rouge duc",
    "torchmetrics": "torchmetric",
    "coco": "pycocoevalcap caption",
    "lawrouge": "cail",
    "llama_factory": "llama",
    "chatglm": "chatglm2 chatglm6b",
    "opencompass_zh": "opencompass",
    "ms_swift": "swift",
    "t5_pegasus": "bert4keras clge",
    "lcsts": "mlrouge cnewsum",
}


def unknown_convention(name: object, names: Iterable[str] = CONVENTIONS) -> ValueError:
    """The error for a name that is none of ``names``; it names the nearest."""
    if isinstance(name, str) and name in TOKENIZERS:
        return ValueError(
            f"{name!r} is a tokenizer, no convention: tokenizer={name!r}, under one of {', '.join(names)}."
        )
    return unknown_value(name, names, "convention", _OTHER_NAMES)


def override(convention: Convention, settings: RougeSettings, changes: Mapping[str, Any]) -> RougeSettings:
    """``Convention.override``; refuses the name of a convention as a tokenizer."""
    tokenizer = changes.get("tokenizer")
    if isinstance(tokenizer, str) and tokenizer not in TOKENIZERS and tokenizer in CONVENTIONS:
        its_own = CONVENTIONS[tokenizer].settings.tokenizer
        raise ValueError(
            f"{tokenizer!r} is a convention, no tokenizer: take the convention {tokenizer!r}, or its tokenizer, "
            f"tokenizer={its_own!r}."
        )
    return convention.override(settings, changes)


def find_convention(name: str) -> Convention:
    """The convention of that name; the error for an unknown one names the nearest."""
    if not isinstance(name, str):
        raise TypeError(f"convention is {name!r}; give a name: one of {', '.join(CONVENTIONS)}.")
    if name not in CONVENTIONS:
        raise unknown_convention(name)
    return CONVENTIONS[name]
