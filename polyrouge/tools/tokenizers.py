"""Tokenizers of other tools, for the conventions that reproduce them; the general ones are in ``texts/tokenizers.py``.

They get the text as the convention prepares it (``segment``). Some give empty tokens where the tool does;
such tokens count and match.
"""

from __future__ import annotations

import polyrouge.texts.subwords  # for its entries of TOKENIZERS, which are shown first

# isort: split
import polyrouge.texts.pkuseg_words  # likewise
import polyrouge.texts.word_segmenters  # likewise
import polyrouge.tools.language_tokenizers  # noqa: F401 # likewise
from polyrouge.texts.patterns import pattern
from polyrouge.texts.tokenizers import TOKENIZERS as TOKENIZERS  # with those below
from polyrouge.texts.tokenizers import Tokenize, TokenizerOptions, built_in_tokenizer
from polyrouge.tools.py_rouge import py_rouge_tokenizer
from polyrouge.tools.rouge155_words import tokenize155
from polyrouge.tools.sumeval import sumeval_tokenizer
from polyrouge.tools.xlsum import XLSUM_LANGUAGES, xlsum_sentence_tokenizer, xlsum_tokenizer

_HANZI = pattern(r"[\u4E00-\u9FA5]|[^\s\u4E00-\u9FA5]+")
_CHINESE_MARK = pattern(r"[。！？?]|\.{6}|…{2}")
# Where rouge_chinese puts a line break: after these, unless a closing quote follows.
_CHINESE_BREAKS = (
    (pattern(r"([。！？?])([^”’])"), "\\1\n\\2"),
    (pattern(r"(\.{6})([^”’])"), "\\1\n\\2"),
    (pattern(r"(…{2})([^”’])"), "\\1\n\\2"),
    (pattern(r"([。！？?][”’])([^，。！？?])"), "\\1\n\\2"),
)


@built_in_tokenizer(
    "pltrdy",
    "pltrdy's rouge: split at blanks; a piece of blanks only is one empty token",
    cuts_at_sentences=True,
    is_general=False,
    splits_at_blanks=True,
)
def build_pltrdy(_options: TokenizerOptions) -> Tokenize:
    """The words of one piece between full stops; it is ``sentence_split="."`` that cuts the pieces."""
    return lambda text: text.split() or ([""] if text else [])


@built_in_tokenizer(
    "rouge_chinese",
    "rouge_chinese: split at blanks; a line of blanks only is one empty token",
    is_general=False,
    splits_at_blanks=True,
)
def build_rouge_chinese(_options: TokenizerOptions) -> Tokenize:
    """The words of all its sentences, which it cuts at Chinese marks and line breaks."""

    def tokenize(text: str) -> list[str]:
        lines = break_chinese_lines(text).rstrip().split("\n")
        return [word for line in lines if line for word in line.split() or [""]]

    return tokenize


def break_chinese_lines(text: str) -> str:
    """The text with a line break where rouge_chinese cuts sentences."""
    if _CHINESE_MARK.search(text) is None:
        return text
    for marks, with_break in _CHINESE_BREAKS:
        text = marks.sub(with_break, text)
    return text


@built_in_tokenizer(
    "single_space",
    "split at each single space; two in a row hold an empty token",
    cuts_at_sentences=True,
    is_general=False,
    splits_at_blanks=True,
)
def build_single_space(_options: TokenizerOptions) -> Tokenize:
    """``str.split(" ")``, as in pycocoevalcap: a text without a character is one empty token."""
    return lambda text: text.split(" ")


@built_in_tokenizer("every_char", "lawrouge: every character, blanks too", cuts_at_sentences=True, is_general=False)
def build_every_char(_options: TokenizerOptions) -> Tokenize:
    """Every code point."""
    return list


@built_in_tokenizer(
    "hanzi", "MLROUGE: each of U+4E00-9FA5, and what is left between blanks", cuts_at_sentences=True, is_general=False
)
def build_hanzi(_options: TokenizerOptions) -> Tokenize:
    """Each of U+4E00-9FA5 is a token; the rest is split at blanks, and keeps its punctuation."""
    return _HANZI.findall


@built_in_tokenizer(
    "rouge155",
    "ROUGE-1.5.5: runs of A-Z, a-z, 0-9, lower-cased",
    cuts_at_sentences=True,
    drops_letters=True,
    is_general=False,
)
def build_rouge155(_options: TokenizerOptions) -> Tokenize:
    """As ``ascii``, except that no other character can become an ASCII letter by lower-casing."""
    return tokenize155


@built_in_tokenizer(
    "py_rouge",
    "py-rouge: as ascii, but gonna and the like are two tokens",
    cuts_at_sentences=True,
    drops_letters=True,
    is_general=False,
)
def build_py_rouge(_options: TokenizerOptions) -> Tokenize:
    """NLTK's word tokenizer, on the ASCII letters and digits of a text; every other character is a blank."""
    return py_rouge_tokenizer()


@built_in_tokenizer("sumeval_en", "sumeval: runs of A-Z, a-z, 0-9, lower-cased", drops_letters=True, is_general=False)
def build_sumeval_en(_options: TokenizerOptions) -> Tokenize:
    """As ``rouge155``."""
    return sumeval_tokenizer("en")


@built_in_tokenizer(
    "sumeval_zh", "sumeval: jieba's words once its list of marks is blank", libraries=("jieba",), is_general=False
)
def build_sumeval_zh(options: TokenizerOptions) -> Tokenize:
    """Lower-cased after they are cut."""
    return sumeval_tokenizer("zh", options.jieba_cutter)


@built_in_tokenizer(
    "sumeval_ja", "sumeval: janome's words of kana, kanji, letters and digits", libraries=("janome",), is_general=False
)
def build_sumeval_ja(_options: TokenizerOptions) -> Tokenize:
    """As sumeval cuts where MeCab is not installed."""
    return sumeval_tokenizer("ja")


def _register_xlsum(name: str, language: str | None) -> None:
    """XL-Sum's tokenizer of one language; its stems are part of it."""
    libraries = {"chinese": ("jieba",), "thai": ("pythainlp",), "japanese": ("fugashi", "unidic-lite")}

    def build(options: TokenizerOptions) -> Tokenize:
        return xlsum_tokenizer(language, options.use_stemmer, options.jieba_cutter)

    def build_for_sentences(options: TokenizerOptions) -> Tokenize:
        return xlsum_sentence_tokenizer(language, options.use_stemmer)

    built_in_tokenizer(
        f"xlsum_{name}",
        f"XL-Sum: its words of {language or 'a language that it does not know'}",
        libraries=(*libraries.get(name.partition("_")[0], ()), "nltk"),
        build_for_sentences=build_for_sentences,
        is_general=False,
    )(build)


_register_xlsum("other", None)
for each in XLSUM_LANGUAGES:
    _register_xlsum(each, each)
