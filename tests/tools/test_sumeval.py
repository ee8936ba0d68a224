"""sumeval's tokens, stop words, stems and length limits: live and by hand."""

import importlib.util

import peer_packages
import pytest
import shared_data
from tool_texts import hide_packages, live_texts

from polyrouge.texts.tokenizers import TokenizerOptions, build_tokenizer
from polyrouge.tools import sumeval as sumeval_texts
from polyrouge.tools.sumeval import cut_sumeval, stemmer, sumeval_stop_words

HAS_JANOME = importlib.util.find_spec("janome") is not None
needs_janome = [pytest.mark.languages, pytest.mark.skipif(not HAS_JANOME, reason="needs janome: pip install janome")]


def tables():
    return peer_packages.peer_file("sumeval", "sumeval/metrics/lang/data")


def words(text, language):
    return build_tokenizer(f"sumeval_{language}", TokenizerOptions())(text)


@pytest.mark.parametrize(
    ("language", "text", "tokens"),
    [
        ("en", "State-of-the-art $3.14 don't", "state of the art 3 14 don t".split()),
        ("en", "\N{KELVIN SIGN}elvin İx 今天-", ["elvin", "x"]),
        ("en", "", []),
        ("zh", "今天，天气。GPT-4 很好", ["今天", "天气", "gpt", "-", "4", "很", "好"]),
        ("zh", "甲！乙；丙”丁‘😀", ["甲", "！", "乙", "；", "丙", "”", "丁", "‘", "😀"]),
        ("zh", "“3.14%’ \u3000\t", ["3", "14"]),
        ("zh", "\N{KELVIN SIGN}甲İ", ["k", "甲", "i̇"]),
        ("zh", "", []),
        pytest.param(
            "ja", "今日は、ＧＰＴが良い。", ["今日", "は", "ｇｐｔ", "が", "良い"], id="ja", marks=needs_janome
        ),
        pytest.param("ja", "ヴ\N{KELVIN SIGN}é😀", [], id="ja-none-of-these", marks=needs_janome),
        pytest.param("ja", " \u3000\n", [], id="ja-blanks", marks=needs_janome),
    ],
)
def test_tokens(language, text, tokens):
    assert tokens == words(text, language)


def test_missing_janome_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sumeval_texts.__dict__, "janome_cutter", sumeval_texts.janome_cutter.__wrapped__)
    for module in ("janome", "janome.tokenizer"):
        monkeypatch.setitem(__import__("sys").modules, module, None)
    with pytest.raises(ModuleNotFoundError, match="pip install janome"):
        build_tokenizer("sumeval_ja", TokenizerOptions())


def test_tables_from_a_file_or_a_folder(tmp_path):
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "stop_words.txt").write_text("the\n\n of \n")
    (tmp_path / "en" / "stemming.txt").write_text("went go\nbest good well\nis be\n")
    assert (
        {"the", "of"} == sumeval_stop_words("en", tmp_path) == sumeval_stop_words("en", tmp_path / "en/stop_words.txt")
    )
    for path in (tmp_path, tmp_path / "en" / "stemming.txt"):
        stem = stemmer(path)
        assert ["go", "good well", "is", "walking"] == list(map(stem, ["went", "best", "is", "walking"]))


def test_missing_tables_say_what_to_do(tmp_path, monkeypatch):
    with pytest.raises(FileNotFoundError, match=r"stop_words\.txt does not exist.*pip install sumeval"):
        sumeval_stop_words("zh", tmp_path)
    with pytest.raises(FileNotFoundError, match=r"stemming\.txt does not exist.*pip install sumeval"):
        stemmer(tmp_path)
    (tmp_path / "stemming.txt").write_text("went go\nbest\n")
    with pytest.raises(ValueError, match="entry 2 is 'best'; it must be a word, a blank and its base form"):
        stemmer(tmp_path / "stemming.txt")
    hide_packages(monkeypatch)
    for load in (lambda: sumeval_stop_words("en"), stemmer):
        with pytest.raises(ModuleNotFoundError, match="pip install sumeval, or give the path of"):
            load()


@pytest.mark.peers
def test_tables_of_the_installed_package(monkeypatch):
    monkeypatch.syspath_prepend(str(tables().parents[3]))
    sizes = {language: len(sumeval_stop_words(language)) for language in ("en", "zh", "ja")}
    assert sizes == {"en": 596, "zh": 1892, "ja": 310}
    assert stemmer()("became") == "become"


@pytest.mark.parametrize(
    ("language", "unit", "limit", "text", "beginning"),
    [
        ("en", "words", 3, "a  b c d", "a  b"),
        ("en", "words", 2, "a\nb c-d e", "a\nb c-d"),
        ("zh", "words", 3, "今天，天气很好", "今天   天气"),
        pytest.param("ja", "words", 3, "今日は、良い", "今日は、", id="ja-marks-count", marks=needs_janome),
        ("zh", "characters", 3, "今天，天气", "今天，"),
        ("en", "characters", 9, "ab", "ab"),
    ],
)
def test_limits(language, unit, limit, text, beginning):
    assert beginning == cut_sumeval(text, limit, unit, f"sumeval_{language}")


# Where MeCab is installed the tool would take it.
_THE_TOOL = """
import json, sys, warnings
warnings.simplefilter("ignore")
sys.modules["MeCab"] = None
from sumeval.metrics.rouge import RougeCalculator
language, given = json.load(sys.stdin)
found = []
for text, stop_words, stemming, words, length in given:
    if not found:
        tool = RougeCalculator(lang=language)
    tool.stopwords, tool.stemming, tool.word_limit, tool.length_limit = stop_words, stemming, words, length
    found.append(tool.tokenize(text, is_reference=True))
print(json.dumps(found))
"""


@pytest.mark.peers
@pytest.mark.parametrize("language", ["en", "zh", pytest.param("ja", marks=needs_janome)])
def test_same_words_as_the_tool(language):
    pieces = ["the", "The", "became", "best", "is", " ", "  ", "\n", *". 3.14 don't - -- _ $ é İ \u212a".split()]
    pieces += [*"今天 的 天气 ， ！ ； “ ” · … 😀".split(), "\u3000", "\u2028", "\r\n", "\x1c"]
    pieces += "今日は ヴァ ー ＧＰＴ ｶﾅ です 。 々 A+B C# 100% 龥龦 \U00020000".split()
    rows = shared_data.all_data_rows() if shared_data.SHARED.is_dir() else []
    rows = [row for row in rows if row["lang"] in (language, {"zh": "zh-Hant"}.get(language))]
    texts = live_texts(7, pieces, ["", " ", "\n", "-"], 1500, 500, rows)
    # Whether it leaves out stop words, whether it stems; its limits of words and characters.
    cases = [(False, False, -1, -1), (True, True, -1, -1), (False, True, 7, -1), (True, False, -1, 20)]
    given = [(text, *cases[number % len(cases)]) for number, text in enumerate(texts)]
    results = peer_packages.run_peer("sumeval", _THE_TOOL, [language, given])
    stop_words, stem = sumeval_stop_words(language, tables()), stemmer(tables())
    for (text, stops, stems, *limits), theirs in zip(given, results, strict=True):
        for unit, limit in zip(("words", "characters"), limits, strict=True):
            text = cut_sumeval(text, limit, unit, f"sumeval_{language}") if limit > 0 else text
        tokens = [token for token in words(text, language) if not stops or token not in stop_words]
        assert theirs == [stem(token) if stems and language == "en" else token for token in tokens], text
    print(f"sumeval, {language}: {len(given)} texts have the same words")
