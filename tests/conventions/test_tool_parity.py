"""Conventions against the packages themselves, run in processes of their own on the same texts."""

import math

import pytest
from peer_packages import peer_file, run_peer
from tool_texts import tool_pairs

from polyrouge import Rouge

pytestmark = [pytest.mark.peers, pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")]

PAIRS = tool_pairs(1600, 400)

_EACH = """
import json, sys
def each(score):
    results = []
    for prediction, reference in json.load(sys.stdin):
        try:
            results.append(score(prediction, reference))
        except (ValueError, ZeroDivisionError, RecursionError) as error:
            results.append(type(error).__name__)
    print(json.dumps(results))
"""
_PLTRDY = """
from {module} import Rouge
rouge = Rouge(exclusive={exclusive})
def score(prediction, reference):
    found = rouge.get_scores(prediction, reference)[0]
    return [found["rouge-" + name][m] for name in "12l" for m in "prf"]
"""
_LAWROUGE = _PLTRDY.replace("get_scores(prediction, reference)[0]", "get_scores([prediction], [reference], avg=1)")
_PY_ROUGE = """
import re, sys, types
sys.modules["pkg_resources"] = types.SimpleNamespace(resource_filename=lambda package, name: {folder!r} + "/" + name)
import nltk
nltk.word_tokenize = lambda text, language: nltk.tokenize.NLTKWordTokenizer().tokenize(text)  # no punkt here
from rouge import Rouge
rouge = Rouge(metrics=["rouge-n", "rouge-l"], max_n=2)
def score(prediction, reference):
    found = rouge.get_scores([prediction], [[reference]])
    return [found["rouge-" + name][m] for name in "12l" for m in "prf"]
"""
_ROUGE_METRIC = """
from rouge_metric import PyRouge
rouge = PyRouge(rouge_n=(1, 2), rouge_l=True, rouge_w=True, rouge_s=True, rouge_su=True, skip_gap=4)
def score(prediction, reference):
    found = rouge.evaluate([prediction], [[reference]])
    names = ["1", "2", "l", "w-1.2", "s4", "su4"]
    return [found["rouge-" + name][m] for name in names for m in "prf"]
"""
_SUMEVAL = """
from sumeval.metrics.rouge import RougeCalculator
rouge = RougeCalculator(stopwords=True, lang={language!r})
def score(prediction, reference):
    return [rouge.rouge_n(prediction, reference, n) for n in (1, 2)] + [rouge.rouge_l(prediction, reference)]
"""
_COCO = """
from pycocoevalcap.rouge.rouge import Rouge
rouge = Rouge()
def score(prediction, reference):
    return [float(rouge.calc_score([prediction], [reference, reference[::-1]]))]
"""
_TORCHMETRICS = """
import torchmetrics.functional.text.rouge as rouge
rouge._split_sentence = lambda text: text.split("\\n")  # no punkt here
keys = ("rouge1", "rouge2", "rougeL", "rougeLsum")
def score(prediction, reference):
    found = rouge.rouge_score(prediction, reference, rouge_keys=keys)
    return [float(found[key + "_" + m]) for key in keys for m in ("precision", "recall", "fmeasure")]
"""


def ours(rouge: Rouge, prediction: str, reference: str, measures: str) -> list | str:
    """Scores of a pair in the order of the programs above; the word "refused" where the convention refuses."""
    suffixes = [{"p": "_precision", "r": "_recall", "f": ""}[measure] for measure in measures]
    try:
        scores = rouge.score([prediction], [reference])
    except ValueError:
        return "refused"
    return [float(scores[f"{name}{suffix}"][0]) for name in rouge.settings.rouge_types for suffix in suffixes]


RAISE = {"on_error": "raise"}
SIX_TYPES = ("rouge1", "rouge2", "rougeL", "rougeW", "rougeS4", "rougeSU4")
CASES = [
    ("rouge", _PLTRDY.format(module="rouge", exclusive=True), "pltrdy", RAISE),
    (
        *("rouge", _PLTRDY.format(module="rouge", exclusive=False), "pltrdy"),
        {**RAISE, "tool": {"ngram_counts": "multiset", "lcs": "pairwise_sum"}},
    ),
    *(
        (
            *("rouge-chinese", _PLTRDY.format(module="rouge_chinese", exclusive=counts == "set"), "rouge_chinese"),
            {**RAISE, "segment": None, "tool": {"ngram_counts": counts}},
        )
        for counts in ("set", "multiset")
    ),
    ("lawrouge", _LAWROUGE.format(module="lawrouge", exclusive=False), "lawrouge", {**RAISE, "weights": None}),
    (
        *("lawrouge", _LAWROUGE.format(module="lawrouge", exclusive=True), "lawrouge"),
        {**RAISE, "weights": None, "tool": {"ngram_counts": "set", "lcs": "type_union"}},
    ),
    ("rouge-metric", _ROUGE_METRIC, "rouge_metric", {"rouge_types": SIX_TYPES}),
    ("torchmetrics", _TORCHMETRICS, "torchmetrics", {}),
]


def check(package: str, program: str, rouge: Rouge, measures: str = "prf") -> None:
    theirs = run_peer(package, f"{_EACH}{program}each(score)", PAIRS)
    refused = 0
    tolerance = 1e-6 if package == "torchmetrics" else 0.0  # which has single precision
    for pair, expected in zip(PAIRS, theirs, strict=True):
        got = ours(rouge, *pair, measures)
        if isinstance(expected, str):
            refused += 1
            assert got == "refused", (pair, expected, got)
        else:
            pairs = zip(expected, got, strict=True)
            agree = all(a == b or math.isclose(a, b, rel_tol=0, abs_tol=tolerance) for a, b in pairs)
            assert agree, (pair, expected, got)
    print(f"{len(PAIRS)} pairs agree, {refused} of them refused by both")


@pytest.mark.parametrize(("package", "program", "convention", "settings"), CASES, ids=map(str, range(len(CASES))))
def test_scores_of_the_package(package, program, convention, settings):
    check(package, program, Rouge(convention, **settings))


def test_py_rouge():
    folder = str(peer_file("py-rouge", "rouge"))
    check("py-rouge", _PY_ROUGE.format(folder=folder), Rouge("py_rouge", tool={"word_tables": folder}))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_sumeval(language):
    tables = str(peer_file("sumeval", "sumeval/metrics/lang/data"))
    chosen = {"tokenizer": f"sumeval_{language}", "stop_words": f"sumeval_{language}", "tool": {"word_tables": tables}}
    check("sumeval", _SUMEVAL.format(language=language), Rouge("sumeval", **chosen), measures="f")


def test_coco():
    theirs = run_peer("pycocoevalcap", f"{_EACH}{_COCO}each(score)", PAIRS)
    rouge = Rouge("coco")
    for (prediction, reference), (expected,) in zip(PAIRS, theirs, strict=True):
        scores = rouge.score([prediction], [[reference, reference[::-1]]])
        assert scores["rougeL"][0] == expected, (prediction, reference)
