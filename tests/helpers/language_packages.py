"""What conventions and tokenizers for languages need: installed packages, and small models made here."""

import contextlib
import functools
import random
import tempfile
from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution, distributions
from pathlib import Path
from typing import Any

import pytest

from polyrouge import CONVENTIONS, TOKENIZERS
from polyrouge.texts.tokenizers import NEEDS_MODEL, NEEDS_PKUSEG_MODEL

_WORDS = (
    *"the cat sat on mat running runs don't Harrow Bay bridge has reopened 今 天 天 气 很 好 中国 東京 です".split(),
    *"서울은 대한민국의 수도이다 กรุงเทพ Hà Nội thủ đô है हिन्दी اللغة 3.14 12% a_b ! ? 。 , . é".split(),
)


_OF_THE_CORE = {"jieba", "nltk", "regex", "uniseg"}
# What needs tables that are not part of the package.
_WITHOUT_TABLES = {
    **{name: {"stop_words": None} for name in ("lveval", "sumeval")},
    **{name: {"use_stemmer": False} for name in ("py_rouge", "sacrerouge", "super_ni_en", "helm_xlsum")},
}


def needs_segmenter(name: str) -> bool:
    """Whether a convention or tokenizer needs libraries that are no part of the core."""
    tokenizer = str(CONVENTIONS[name].settings.tokenizer) if name in CONVENTIONS else name
    return not set(TOKENIZERS[tokenizer].libraries) <= _OF_THE_CORE


def by_need(names: Iterable[str]) -> list[Any]:
    """Names of conventions or tokenizers as parameters of a test; what needs more than the core is of the languages."""
    return [pytest.param(name, marks=pytest.mark.languages) if needs_segmenter(name) else name for name in names]


# One for each way to read texts and to count; the others differ from one of these by values.
DISTINCT_CONVENTIONS = (
    *("default", "zh_char", "zh_word", "rouge155", "pltrdy", "torchmetrics", "rouge_chinese", "py_rouge", "sacrerouge"),
    *("lawrouge", "coco", "sumeval", "lexeval", "promptcblue", "lveval"),
)


def every_convention() -> list[Any]:
    """Conventions as parameters of a test: ``DISTINCT_CONVENTIONS`` in the fast set, all of them in the slow one."""
    return [
        pytest.param(name, marks=pytest.mark.slow)
        if isinstance(name, str) and name not in DISTINCT_CONVENTIONS
        else name
        for name in by_need(CONVENTIONS)
    ]


def needs(*packages: str) -> None:
    """Skip the test where a package is not installed."""
    for package in packages:
        try:
            distribution(package)
        except PackageNotFoundError:
            pytest.skip(f"needs {package}: pip install {package}")


def convention_settings(name: str) -> dict:
    """What a convention must be given here: a model of its subwords, or to go without tables of others.

    Skips where its packages are not installed.
    """
    settings = CONVENTIONS[name].settings
    entry = TOKENIZERS[str(settings.tokenizer)]
    if entry.exact_libraries:
        needs(*entry.libraries)
    return _WITHOUT_TABLES.get(name, {} if settings.subword_model is None else {"subword_model": str(_model())})


@functools.cache
def usable_tokenizers() -> list[str]:
    """The names of the tokenizers that need no model, and whose segmenters are installed here."""
    installed = {str(each.metadata["Name"]).lower().replace("_", "-") for each in distributions()}
    return [
        name
        for name, entry in TOKENIZERS.items()
        if name not in (*NEEDS_MODEL, *NEEDS_PKUSEG_MODEL)
        and {library.lower() for library in entry.libraries} <= installed
    ]


def usable_conventions() -> list[str]:
    """The names of the conventions with such a tokenizer."""
    return [name for name, each in CONVENTIONS.items() if each.settings.tokenizer in usable_tokenizers()]


@functools.cache
def _model() -> Path:
    return train_bpe(Path(tempfile.mkdtemp(prefix="polyrouge-subwords-")))


def training_texts(seed: int) -> list[str]:
    rng = random.Random(seed)
    return [" ".join(rng.choices(_WORDS, k=12)) for _ in range(400)]


def train_bpe(folder: Path) -> Path:
    """A small byte-level BPE, such as GPT-2's, of texts of our own."""
    tokenizers = import_module("tokenizers")
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=600,
        show_progress=False,
        special_tokens=["<|endoftext|>"],
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
    )
    tokenizer.train_from_iterator(training_texts(1), trainer)
    tokenizer.enable_truncation(8)  # what a model was saved with must not cut texts
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def train_wordpiece(folder: Path) -> Path:
    """A small WordPiece, such as BERT's, of texts of our own: its vocab.txt."""
    trained = import_module("tokenizers").BertWordPieceTokenizer(lowercase=True)
    trained.train_from_iterator(training_texts(2), vocab_size=900, min_frequency=2, show_progress=False)
    trained.save_model(str(folder))
    return folder


def train_pkuseg(folder: Path) -> Path:
    """A small model of pkuseg, of sentences of our own: its folder."""
    needs("spacy-pkuseg")
    sentences = [
        *(
            "今天 天气 很 好 。",
            "我们 去 北京 的 国家 图书馆 看 书 。",
            "国家 公务员 去 东京 开会 ，",
            "他 说 ： “ 好 的 ！ ”",
        ),
        *("港湾 大桥 今天 重新 开放 。", "这 本 书 的 作者 是 一 位 老师 ？", "天气 不错 ， 我 喜欢 看 电影 。"),
    ]
    words = folder / "words.txt"
    words.write_text("\n".join(sentences * 5) + "\n", encoding="utf-8")
    with contextlib.redirect_stdout(None):
        import_module("spacy_pkuseg").train(str(words), str(words), str(folder / "pkuseg"), train_iter=5)
    return folder / "pkuseg"
