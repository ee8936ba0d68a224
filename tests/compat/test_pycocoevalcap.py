"""pycocoevalcap 1.2's Rouge and ``polyrouge.compat.pycocoevalcap`` side by side."""

import random

import numpy as np
import pytest
from compat_cases import compare
from tool_texts import tool_pairs

from polyrouge.compat.pycocoevalcap import Rouge, my_lcs

PAIRS = tool_pairs(1600, 400)
MODULES = "pycocoevalcap.rouge.rouge", "polyrouge.compat.pycocoevalcap"


@pytest.mark.peers
def test_equal_scores():
    rng = random.Random(4)
    cases = []
    for start in range(0, len(PAIRS), 2):
        (prediction, first), (second, third) = PAIRS[start : start + 2]
        refs = rng.choice([[first], [first, second, third]])
        cases.append(({}, "calc_score", [[prediction], refs], {}))
    gts = {str(i): [pair[1], pair[0][::-1]] for i, pair in enumerate(PAIRS)}
    res = {str(i): [pair[0]] for i, pair in enumerate(PAIRS)}
    cases.append(({}, "compute_score", [gts, res], {}))
    theirs = compare("pycocoevalcap", MODULES, "Rouge", cases, words=())
    assert len(theirs[-1][1][1]) == len(PAIRS)


@pytest.mark.peers
def test_equal_results_of_odd_input():
    cases = [
        ({}, "calc_score", [["a", "b"], ["a"]], {}),
        ({}, "calc_score", [["a"], []], {}),
        ({}, "compute_score", [{"1": ["a"]}, {"2": ["a"]}], {}),
        ({}, "compute_score", [{"1": ["a"]}, {"1": ["a", "b"]}], {}),
        ({}, "compute_score", [{"1": []}, {"1": ["a"]}], {}),
        ({}, "calc_score", [["a \ud800"], ["a"]], {}),
        ({}, "compute_score", [{"1": ["a"]}, {"1": ["a \ud800"]}], {}),
        ({}, "method", [], {}),
    ]
    theirs = compare("pycocoevalcap", MODULES, "Rouge", cases, words=())
    assert [each[0] for each in theirs] == ["error"] * 5 + ["value"] * 3


def test_types_and_beta():
    rouge = Rouge()
    mean, scores = rouge.compute_score({1: ["a b", "c"]}, {1: ["a c"]})
    assert (type(mean), scores.dtype, scores.shape) == (np.float64, np.float64, (1,))
    assert mean == rouge.calc_score(["a c"], ["a b", "c"])
    rouge.beta = 1.0
    assert rouge.calc_score(["a c"], ["a b"]) == 0.5
    assert rouge.as_polyrouge().settings.beta == 1.0
    assert my_lcs(["a", "b", "c"], ["a", "c"]) == 2
    with pytest.raises(TypeError, match=r"refs\[0\] is 3"):
        rouge.calc_score(["a"], [3])
