"""sumeval's tokens, stop words, stems and length limits by hand; golden rows have the tool's own."""

import importlib.util

import pytest

from polyrouge.conventions.sumeval import cut_sumeval, stemmer, sumeval_stop_words
from polyrouge.texts.tokenizers import TokenizerOptions, build_tokenizer

HAS_JANOME = importlib.util.find_spec("janome") is not None
needs_janome = [pytest.mark.languages, pytest.mark.skipif(not HAS_JANOME, reason="needs janome: pip install janome")]


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


def test_missing_tables_say_what_to_do(tmp_path):
    for load in (lambda: sumeval_stop_words("zh", tmp_path), lambda: stemmer(tmp_path)):
        with pytest.raises(FileNotFoundError, match=r"does not exist.*pip install sumeval"):
            load()
    (tmp_path / "stemming.txt").write_text("went go\nbest\n")
    with pytest.raises(ValueError, match="entry 2 is 'best'"):
        stemmer(tmp_path / "stemming.txt")


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
