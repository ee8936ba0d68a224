"""Cut words of languages by segmenters from extra packages, imported on demand.

A text is cut at line breaks and after sentence marks first; the segmenter gets each piece. So a text has the tokens of
its sentences, for every ``sentence_split`` and type, and no segmenter gets more than a thousand characters at
once: some refuse longer texts or get slow. Blanks and zero-width spaces between the words of a piece are dropped.
"""

import functools
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from polyrouge.errors import Option, RefusedValue
from polyrouge.texts.jieba_words import quiet_logger
from polyrouge.texts.patterns import pattern
from polyrouge.texts.sentences import pieces_at_marks
from polyrouge.texts.tokenizers import PKUSEG_MODEL, Tokenize, TokenizerOptions, built_in_tokenizer, without_punctuation

# At most so many characters at once, up to a blank if possible: MeCab takes quadratic time, and Sudachi
# refuses more than 49,149 bytes.
_LONGEST_PIECE = pattern(r".{1,1000}(?=\s|$)|.{1,1000}", re.DOTALL)
# NUL, the end of the text for MeCab; halves of characters, which ROUGE-1.5.5's limit of bytes leaves.
_NO_CHARACTER = pattern("[\0\ud800-\udfff]")
# The syllables of a word, or a mark among them.
_VIETNAMESE = pattern(r"\w[^_]*(?:_\w[^_]*)*|[^_\w][^_]*|_+$")
_NO_WORD = " \t\n\v\f\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000\u200b\ufeff"


def segmenter_tokenizer(
    name: str, summary: str, packages: tuple[str, ...], *, of_a_tool: bool = False
) -> Callable[[Callable[[], Tokenize]], Callable[[], Tokenize]]:
    """Register a segmenter, which the decorated function loads once; its words depend on ``packages``."""

    def register(load: Callable[[], Tokenize]) -> Callable[[], Tokenize]:
        load_once = functools.cache(load)

        def build(options: TokenizerOptions) -> Tokenize:
            return without_punctuation(load_once() if of_a_tool else _by_piece(load_once()), options)

        build.__module__ = load.__module__  # the registry checks it
        libraries, is_general = (packages, False) if of_a_tool else ((*packages, "regex"), True)
        built_in_tokenizer(
            name,
            summary,
            libraries=libraries,
            exact_libraries=packages,
            cuts_at_sentences=is_general,
            is_general=is_general,
        )(build)
        return load_once

    return register


def _by_piece(cut: Tokenize) -> Tokenize:
    """Cut each piece of a text, and drop blank words."""

    def tokenize(text: str) -> list[str]:
        words = []
        for piece in pieces_at_marks(_NO_CHARACTER.sub(" ", text)):
            for part in _LONGEST_PIECE.findall(piece):
                words += [word.strip(_NO_WORD) for word in cut(part)]
        return [word for word in words if word]

    return tokenize


class SegmenterPool:
    """A segmenter for each active thread. Segmenters outlive the threads: MeCab never frees its dictionary."""

    def __init__(self, make: Callable[[], Tokenize]) -> None:
        self._make = make
        self._free = [make()]

    def __call__(self, text: str) -> list[str]:
        """Cut a text into words."""
        try:
            cut = self._free.pop()
        except IndexError:
            cut = self._make()
        try:
            return cut(text)
        finally:
            self._free.append(cut)


@segmenter_tokenizer("ja_mecab", "Japanese words of MeCab (fugashi) with unidic-lite", ("fugashi", "unidic-lite"))
def unidic_words() -> Tokenize:
    """Cut words of UniDic 2.1.2, which are short units (東京 都)."""
    from unidic_lite import DICDIR

    return SegmenterPool(functools.partial(_mecab_words, f'-r "{DICDIR}/mecabrc" -d "{DICDIR}"'))


def _mecab_words(arguments: str) -> Tokenize:
    from fugashi import GenericTagger  # pyright: ignore[reportAttributeAccessIssue] # compiled

    parse = GenericTagger(f"{arguments} -Owakati").parse
    return lambda text: parse(text).split()


@segmenter_tokenizer("ja_mecab_ipadic", "Japanese words of MeCab (fugashi) with ipadic", ("fugashi", "ipadic"))
def _ipadic_words() -> Tokenize:
    from ipadic import MECAB_ARGS

    return SegmenterPool(functools.partial(_mecab_words, MECAB_ARGS))


_SUDACHI = ("SudachiPy", "SudachiDict-core")


@functools.cache
def _sudachi_dictionary() -> Any:
    from sudachipy import Dictionary

    return Dictionary(dict="core")


def _sudachi_words(mode: str) -> Tokenize:
    from sudachipy import SplitMode

    tokenize: Any = _sudachi_dictionary().tokenizer(getattr(SplitMode, mode)).tokenize
    return lambda text: [word.surface() for word in tokenize(text)]


# 国家 公務 員; 国家 公務員; 国家公務員.
for _mode, _length in (("A", "shortest"), ("B", "middle"), ("C", "longest, names whole")):
    segmenter_tokenizer(
        f"ja_sudachi_{_mode.lower()}", f"Japanese words of Sudachi, mode {_mode} ({_length})", _SUDACHI
    )(lambda mode=_mode: SegmenterPool(functools.partial(_sudachi_words, mode)))


@segmenter_tokenizer("ko_mecab", "Korean morphemes of mecab-ko", ("python-mecab-ko", "python-mecab-ko-dic"))
def korean_morphemes() -> Tokenize:
    """Cut by ``morphs`` of python-mecab-ko, as KoNLPy's ``Mecab``: particles and endings apart from their words."""
    # The dictionary by its path: mecab-ko-dic, which sacreBLEU takes, has a module of the same name.
    from importlib import metadata  # slow to import

    from mecab import MeCab

    folder = metadata.distribution("python-mecab-ko-dic").locate_file("mecab_ko_dic/dictionary")
    return SegmenterPool(lambda: MeCab(dictionary_path=str(folder)).morphs)


@segmenter_tokenizer("ko_kiwi", "Korean morphemes of Kiwi, in their base form", ("kiwipiepy", "kiwipiepy-model"))
def _kiwi_morphemes() -> Tokenize:
    """Cut into morphemes: 갔다 is 가 었 다. Loading the model takes some seconds."""
    from kiwipiepy import Kiwi

    kiwi: Any = Kiwi(num_workers=1)
    return lambda text: [token.form for token in kiwi.tokenize(text)]


@segmenter_tokenizer("th_newmm", "Thai words of pythainlp's newmm", ("pythainlp",))
def _thai_words() -> Tokenize:
    from pythainlp.tokenize import word_tokenize

    return lambda text: word_tokenize(text, engine="newmm", keep_whitespace=False)


@segmenter_tokenizer("vi_words", "Vietnamese words of pyvi", ("pyvi",))
def _vietnamese_words() -> Tokenize:
    """Cut by pyvi, which joins the syllables of a word, and sometimes a mark, by an underscore: ``thủ_đô``."""
    from pyvi.ViTokenizer import tokenize

    def cut(text: str) -> list[str]:
        words = tokenize(text).split() if text.strip() else []
        parts = (part for word in words for part in (_VIETNAMESE.findall(word) if "_" in word else [word]))
        return [part.strip("_") or part for part in parts]

    return cut


@segmenter_tokenizer("km_words", "Khmer words of khmer-nltk", ("khmer-nltk",))
def _khmer_words() -> Tokenize:
    with quiet_logger("khmer-nltk"):
        from khmernltk import word_tokenize

        word_tokenize("\u1780")  # the first call writes to stderr
    return lambda text: [str(word) for word in word_tokenize(text)] if text.strip(_NO_WORD) else []


@segmenter_tokenizer("lo_words", "Lao words of LaoNLP", ("laonlp", "pythainlp"))
def _lao_words() -> Tokenize:
    from laonlp.tokenize import word_tokenize

    return word_tokenize


# Chinese words of pkuseg, by a user's model: no package on PyPI has one.
_PKUSEG_FILES = ("features.msgpack", "weights.npz")
_loading_pkuseg = threading.Lock()  # the package stores the folder of a load in a global


@built_in_tokenizer(
    "zh_pkuseg",
    "Chinese words of pkuseg (spacy-pkuseg), by the model that pkuseg_model names",
    libraries=("spacy-pkuseg", "regex"),
    exact_libraries=("spacy-pkuseg",),
    cuts_at_sentences=True,
    is_general=False,
)
def _build_zh_pkuseg(options: TokenizerOptions) -> Tokenize:
    """Cut by ``pkuseg(folder).cut``; the package's own list joins its words."""
    folder = Path(str(options.pkuseg_model))
    changed = max((folder / name).stat().st_mtime_ns for name in _PKUSEG_FILES)
    return without_punctuation(_by_piece(_pkuseg_words(str(folder.absolute()), changed)), options)


@functools.lru_cache(maxsize=2)
def _pkuseg_words(folder: str, _changed: int) -> Tokenize:
    from spacy_pkuseg import pkuseg

    with _loading_pkuseg:
        cut: Any = pkuseg(folder).cut
    return cut


def check_pkuseg_model(folder: str) -> None:
    """Refuse a folder without a model of pkuseg."""
    path = Path(folder)
    if not path.is_dir():
        raise RefusedValue(Option("pkuseg_model"), f": there is no folder {folder!r}; {PKUSEG_MODEL}.")
    missing = [name for name in _PKUSEG_FILES if not (path / name).is_file()]
    if missing and (path / "features.pkl").is_file():
        raise RefusedValue(
            Option("pkuseg_model"),
            f": {folder!r} has features.pkl, a pickle, which could run code; if you trust it, make "
            "features.msgpack of it: from spacy_pkuseg.feature_extractor import FeatureExtractor; "
            f"FeatureExtractor.load({folder!r}).save({folder!r}).",
        )
    if missing:
        names = " and no ".join(missing)
        problem = f": {folder!r} has no {names}, so it is no model of pkuseg; {PKUSEG_MODEL}."
        raise RefusedValue(Option("pkuseg_model"), problem)
