"""``polyrouge.compat.sumeval`` against the package itself."""

import importlib
import json
import pickle
import random
import sys

import pytest
from compat_cases import both
from peer_packages import peer_file
from tool_texts import random_pairs, tool_samples

from polyrouge.compat.sumeval import BaseLang, RougeCalculator

pytestmark = pytest.mark.peers
# Of words that its languages, lists and tables treat apart.
_PIECES = (
    *("the", "The", "became", "best", "is", " ", "  ", "\n", *". 3.14 don't - -- _ $ é İ \u212a".split()),
    *("今天 的 天气 ， ！ ； “ ” · … 😀".split()),
    *("\u3000", "\u2028", "\r\n", "\x1c"),
    *"今日は ヴァ ー ＧＰＴ ｶﾅ です 。 々 A+B C# 100% 龥龦 \U00020000".split(),
)
SAMPLES = [*tool_samples(2000, seed=6), *((text, [other]) for text, other in random_pairs(1000, 7, _PIECES))]

_RUN = """
class Slashes(BaseLang):
    def __init__(self):
        super().__init__("en")
    def tokenize(self, text):
        return text.split("a")
def run(call):
    options = dict(call["options"])
    if options["lang"] == "own":
        options["lang"] = Slashes()
    rouge, a = RougeCalculator(**options), call["alpha"]
    return [[rouge.rouge_1(summary, references, a), rouge.rouge_2(summary, references, a),
             rouge.rouge_n(summary, references, call["n"], alpha=a), rouge.rouge_l(summary, references, a),
             rouge.tokenize(summary), rouge.tokenize(references[0], True)] for summary, references in call["rows"]]
"""
_IMPORTS = (
    "from sumeval.metrics.rouge import RougeCalculator; from sumeval.metrics.lang.base_lang import BaseLang",
    "from polyrouge.compat.sumeval import BaseLang, RougeCalculator",
)


class Slashes(BaseLang):
    def __init__(self):
        super().__init__("en")

    def tokenize(self, text):
        return text.split("a")


@pytest.fixture(name="_tables", autouse=True)
def _find_tables(monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path, str(peer_file("sumeval", ""))])


def _calls(languages):
    rng = random.Random(7)
    calls, rows = [], list(SAMPLES)
    while rows:
        batch, rows = rows[:100], rows[100:]
        options = {
            "stopwords": rng.random() < 0.6,
            "stemming": rng.random() < 0.5,
            "word_limit": rng.choice([-1, -1, 0, 5, 20]),
            "length_limit": rng.choice([-1, -1, 0, 7, 40]),
            "lang": languages[len(calls) % len(languages)],
        }
        if len(calls) % 5 == 4:  # lists of words
            batch = [(text.split(" "), [each.split(" ") for each in references]) for text, references in batch]
        elif len(calls) % 5 == 3:  # one text in place of the list
            batch = [(text, references[0]) for text, references in batch if references[0]]
        alpha = rng.choice([0.5, 0.5, 0, 1, 0.3, 1.5])
        calls.append({"options": options, "rows": batch, "alpha": alpha, "n": rng.choice([0, 1, 3, 4, 12])})
    return calls


@pytest.mark.parametrize("languages", [("en", "zh", "own", "xx"), ("ja",)], ids=["en-zh-own", "ja"])
def test_rougecalculator_is_the_package(languages):
    if languages == ("ja",):
        importlib.import_module("janome")
    calls = _calls(languages)[:: 4 if languages == ("ja",) else 1]  # janome is slow
    theirs, ours = both("sumeval", _RUN, _IMPORTS, calls)
    for call, expected, actual in zip(calls, theirs, ours, strict=True):
        assert json.dumps(actual) == json.dumps(expected), call["options"]  # the integer 0 where they have it


@pytest.mark.parametrize("lang", ["en", "zh", "own"])
def test_many_at_once_are_the_single_ones(lang):
    rows = SAMPLES[:200]
    own = {"stopwords": False, "stemming": True, "word_limit": 6}
    for options in ({}, own, {"length_limit": 20}, {"word_limit": 4, "length_limit": 9}):
        rouge = RougeCalculator(lang=Slashes() if lang == "own" else lang, **options)
        scores = rouge.scores(*zip(*rows, strict=True), kinds=["rouge_1", "rouge_3", "rouge_l"], alpha=0.3)
        assert scores["rouge_1"] == [rouge.rouge_1(*row, alpha=0.3) for row in rows]
        assert scores["rouge_3"] == [rouge.rouge_n(*row, 3, alpha=0.3) for row in rows]
        assert scores["rouge_l"] == [rouge.rouge_l(*row, alpha=0.3) for row in rows]
    words = [(text.split(), [each.split() for each in references]) for text, references in rows]
    assert rouge.scores(*zip(*words, strict=True), kinds=["rouge_l"])["rouge_l"] == [
        rouge.rouge_l(*row) for row in words
    ]


def test_a_calculator_can_be_changed_and_pickled():
    rouge = RougeCalculator(stopwords=False)
    assert rouge.tokenize("the cats") == ["the", "cats"]
    rouge.stopwords = True
    assert rouge.tokenize("the cats") == ["cats"]
    again = pickle.loads(pickle.dumps(rouge))  # noqa: S301 our own
    assert (again.lang, again.rouge_1("cat", "cat")) == ("en", 1.0)


def test_languages_are_checked():
    with pytest.raises(TypeError, match="lang is 3"):
        RougeCalculator(lang=3)
    with pytest.raises(Exception, match="Have to implement tokenize in subclass"):
        RougeCalculator(lang=BaseLang("cs")).rouge_1("a", "a")


@pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
def test_one_step_further_is_the_same_metric():
    texts, references = zip(*SAMPLES[:100], strict=True)
    for options in ({}, {"stemming": True}, {"lang": "zh", "stopwords": False}, {"word_limit": 5}):
        calculator = RougeCalculator(**options)
        scores = calculator.as_polyrouge().score(texts, references)
        assert scores["rougeL"].tolist() == calculator.scores(texts, references)["rouge_l"]
    with pytest.raises(ValueError, match="give Rouge"):
        RougeCalculator(lang=Slashes()).as_polyrouge()
