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
_LAWROUGE = """
from lawrouge import Rouge
rouge = Rouge(exclusive={exclusive})
def score(prediction, reference):
    found = rouge.get_scores([prediction], [reference], avg=1)
    return [found["rouge-" + name][m] for name in "12l" for m in "prf"]
"""
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


def ours(rouge: Rouge, pairs: list[tuple[str, str]], measures: str = "prf") -> list:
    """Scores of each pair in the order of the programs above; the word "refused" where the convention refuses."""
    suffixes = [{"p": "_precision", "r": "_recall", "f": ""}[measure] for measure in measures]
    rows = []
    for prediction, reference in pairs:
        try:
            scores = rouge.score([prediction], [reference])
        except ValueError:
            rows.append("refused")
        else:
            rows.append(
                [float(scores[f"{name}{suffix}"][0]) for name in rouge.settings.rouge_types for suffix in suffixes]
            )
    return rows


def check(
    rouge: Rouge, theirs: list, pairs: list[tuple[str, str]], measures: str = "prf", tolerance: float = 0.0
) -> None:
    assert len(theirs) == len(pairs)
    refused = 0
    for pair, expected, got in zip(pairs, theirs, ours(rouge, pairs, measures), strict=True):
        if isinstance(expected, str):
            refused += 1
            assert got == "refused", (pair, expected, got)
        else:
            assert all(
                a == b or math.isclose(a, b, rel_tol=0, abs_tol=tolerance) for a, b in zip(expected, got, strict=True)
            ), (pair, expected, got)
    print(f"{len(pairs)} pairs agree, {refused} of them refused by both")


@pytest.mark.parametrize("exclusive", [True, False])
def test_rouge_of_pltrdy(exclusive):
    theirs = run_peer("rouge", _EACH + _PLTRDY.format(module="rouge", exclusive=exclusive) + "each(score)", PAIRS)
    variant = {} if exclusive else {"tool": {"ngram_counts": "multiset", "lcs": "pairwise_sum"}}
    check(Rouge("pltrdy", on_error="raise", **variant), theirs, PAIRS)


@pytest.mark.parametrize("exclusive", [True, False])
def test_rouge_chinese(exclusive):
    program = _PLTRDY.format(module="rouge_chinese", exclusive=exclusive)
    theirs = run_peer("rouge-chinese", _EACH + program + "each(score)", PAIRS)
    counts = "set" if exclusive else "multiset"
    check(Rouge("rouge_chinese", segment=None, tool={"ngram_counts": counts}, on_error="raise"), theirs, PAIRS)


@pytest.mark.parametrize("exclusive", [True, False])
def test_lawrouge(exclusive):
    theirs = run_peer("lawrouge", _EACH + _LAWROUGE.format(exclusive=exclusive) + "each(score)", PAIRS)
    variant = {"tool": {"ngram_counts": "set", "lcs": "type_union"}} if exclusive else {}
    check(Rouge("lawrouge", weights=None, on_error="raise", **variant), theirs, PAIRS)


def test_py_rouge():
    folder = str(peer_file("py-rouge", "rouge"))
    theirs = run_peer("py-rouge", _EACH + _PY_ROUGE.format(folder=folder) + "each(score)", PAIRS)
    check(Rouge("py_rouge", tool={"word_tables": folder}), theirs, PAIRS)


def test_rouge_metric():
    theirs = run_peer("rouge-metric", _EACH + _ROUGE_METRIC + "each(score)", PAIRS)
    types = ("rouge1", "rouge2", "rougeL", "rougeW", "rougeS4", "rougeSU4")
    check(Rouge("rouge_metric", rouge_types=types), theirs, PAIRS)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_sumeval(language):
    theirs = run_peer("sumeval", _EACH + _SUMEVAL.format(language=language) + "each(score)", PAIRS)
    tables = str(peer_file("sumeval", "sumeval/metrics/lang/data"))
    chosen = {"tokenizer": f"sumeval_{language}", "stop_words": f"sumeval_{language}", "tool": {"word_tables": tables}}
    check(Rouge("sumeval", **chosen), theirs, PAIRS, measures="f")


def test_coco():
    theirs = run_peer("pycocoevalcap", _EACH + _COCO + "each(score)", PAIRS)
    rouge = Rouge("coco")
    for (prediction, reference), (expected,) in zip(PAIRS, theirs, strict=True):
        scores = rouge.score([prediction], [[reference, reference[::-1]]])
        assert scores["rougeL"][0] == expected, (prediction, reference)


def test_torchmetrics():
    theirs = run_peer("torchmetrics", _EACH + _TORCHMETRICS + "each(score)", PAIRS)
    check(Rouge("torchmetrics"), theirs, PAIRS, tolerance=1e-6)
