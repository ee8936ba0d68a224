"""pycocoevalcap 1.2's Rouge and ``polyrouge.compat.pycocoevalcap`` side by side."""

import json
import random

import numpy as np
import pytest
from compat_cases import outcomes, program
from peer_packages import run_peer
from tool_texts import tool_pairs

from polyrouge.compat.pycocoevalcap import Rouge, my_lcs

PAIRS = tool_pairs(1600, 400)
MODULE = "pycocoevalcap.rouge.rouge"


def check(given):
    theirs = run_peer("pycocoevalcap", program(MODULE, "Rouge"), given)
    ours = outcomes("polyrouge.compat.pycocoevalcap", "Rouge", given)
    for case, one, other in zip(given, theirs, ours, strict=True):
        known = len(one) if one[0] == "value" else 2  # of an assertion there, the type
        assert json.dumps(one[:known]) == json.dumps(other[:known]), case
    return theirs


@pytest.mark.peers
def test_equal_scores():
    rng = random.Random(4)
    given = []
    for start in range(0, len(PAIRS), 2):
        (prediction, first), (second, third) = PAIRS[start : start + 2]
        refs = rng.choice([[first], [first, second, third]])
        given.append(({}, "calc_score", [[prediction], refs], {}))
    images = {str(i): pair for i, pair in enumerate(PAIRS)}
    gts = {i: [pair[1], pair[0][::-1]] for i, pair in images.items()}
    res = {i: [pair[0]] for i, pair in images.items()}
    given.append(({}, "compute_score", [gts, res], {}))

    theirs = check(given)

    assert len(theirs[-1][1][1]) == len(PAIRS)


@pytest.mark.peers
def test_odd_input_is_met_in_the_same_way():
    theirs = check(
        [
            ({}, "calc_score", [["a", "b"], ["a"]], {}),
            ({}, "calc_score", [["a"], []], {}),
            ({}, "compute_score", [{"1": ["a"]}, {"2": ["a"]}], {}),
            ({}, "compute_score", [{"1": ["a"]}, {"1": ["a", "b"]}], {}),
            ({}, "compute_score", [{"1": []}, {"1": ["a"]}], {}),
            ({}, "calc_score", [["a \ud800"], ["a"]], {}),
            ({}, "compute_score", [{"1": ["a"]}, {"1": ["a \ud800"]}], {}),
            ({}, "method", [], {}),
        ]
    )
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
