"""rouge (pltrdy), rouge_chinese, lawrouge: the packages and ``polyrouge.compat`` side by side."""

import json
import os
import random
import re
import subprocess
import sys

import pytest
from compat_cases import outcome, outcomes, program
from peer_packages import run_peer
from tool_texts import tool_pairs

PAIRS = tool_pairs(1600, 400)
METRICS = [f"rouge-{n}" for n in (1, 2, 3, 4, 5)] + ["rouge-l"]
PACKAGES = {  # module: folder of the peer, metrics, stats in their order
    "rouge": ("rouge", METRICS),
    "rouge_chinese": ("rouge-chinese", METRICS),
    "lawrouge": ("lawrouge", ["rouge-1", "rouge-2", "rouge-l"]),
}
# The tool's own words; other messages are Python's, for what was not foreseen there.
ON_PURPOSE = (
    "Hypothesis is empty.",
    "Reference is empty.",
    "Collections must contain at least 1 sentence.",
    "Unknown metric",
    "Unknown stat",
)


def random_options(rng, module):
    metrics = PACKAGES[module][1]
    options = {
        "metrics": rng.choice([None, rng.choices(metrics, k=rng.randint(1, 4)), [metrics[-1].upper()]]),
        "stats": rng.choice([None, ["f"], ["P", "r"]]),
        "return_lengths": rng.random() < 0.3,
        "raw_results": rng.random() < 0.2,
        "exclusive": rng.random() < 0.6,
    }
    if module == "lawrouge":
        options["isChinese"] = rng.random() < 0.6
    return {name: value for name, value in options.items() if rng.random() < 0.8}


def cases(module):
    """Every pair once: alone, or in a list with others; options vary."""
    rng = random.Random(module)
    found, left = [], PAIRS[:]
    averages = [0, 0, 1, 2] if module == "lawrouge" else [False, True]
    while left:
        options = random_options(rng, module)
        keywords = {"avg": rng.choice(averages), "ignore_empty": rng.random() < 0.3}
        if options.get("raw_results"):
            keywords["avg"] = averages[0]
        size = rng.choice([1, 1, 1, 2, 4, 9])
        taken, left = left[:size], left[size:]
        hyps, refs = map(list, zip(*taken, strict=True))
        if size == 1 and rng.random() < 0.5:
            hyps, refs = hyps[0], refs[0]
        found.append((options, "get_scores", [hyps, refs], keywords))
    return found


def same(theirs, ours):
    """Whether two outcomes are the same; of crashes there, whether there was one."""
    if theirs[0] != "error" or not theirs[2].startswith(ON_PURPOSE):
        return json.dumps(theirs[:2]) == json.dumps(ours[:2])
    return (
        theirs[:2] == ours[:2] and re.sub(r" \(hyps\[\d+\], refs\[\d+\]\)$", "", ours[2]) == theirs[2]
    )  # with the row


@pytest.mark.parametrize("module", PACKAGES)
@pytest.mark.peers
def test_equal_results_and_refusals(module):
    given = [({**options, "on_error": "raise"}, *call) for options, *call in cases(module)]
    theirs = run_peer(PACKAGES[module][0], program(module, "Rouge"), cases(module))

    ours = outcomes(f"polyrouge.compat.{module}", "Rouge", given)

    for case, one, other in zip(given, theirs, ours, strict=True):
        assert same(one, other), (case, one, other)
    refused = sum(one[0] == "error" for one in theirs)
    print(f"{module}: {len(PAIRS)} pairs in {len(given)} calls agree; {refused} calls are refused by both")
    assert 0 < refused < len(given) / 2


ODD = [
    ({"metrics": ["rouge-9"]}, "get_scores", ["a", "a"], {}),
    ({"stats": ["x"]}, "get_scores", ["a", "a"], {}),
    ({"metrics": []}, "get_scores", ["", ""], {}),
    ({}, "get_scores", [["a b"], ["a", "b"]], {}),
    ({}, "get_scores", [[], []], {}),
    ({}, "get_scores", [[], []], {"avg": True}),
    ({}, "get_scores", [["", "a"], ["b", ""]], {"ignore_empty": True}),
    ({"raw_results": True}, "get_scores", [["a b"], ["a"]], {"avg": True}),
    ({}, "get_scores", [["a \ud800 b", "b", "c"], ["a \ud800 c", "b", "d"]], {}),
    ({}, "get_scores", [["a b c"] * 20, ["a c"] * 20], {"avg": True}),
]


@pytest.mark.parametrize("module", PACKAGES)
@pytest.mark.peers
def test_odd_input_is_met_in_the_same_way(module):
    theirs = run_peer(PACKAGES[module][0], program(module, "Rouge"), ODD)

    ours = outcomes(f"polyrouge.compat.{module}", "Rouge", ODD)

    for case, one, other in zip(ODD, theirs, ours, strict=True):
        assert same(one, other), (case, one, other)


@pytest.mark.parametrize("module", ["rouge", "rouge_chinese"])
def test_an_empty_text_is_named_by_its_row(module):
    made = __import__(f"polyrouge.compat.{module}", fromlist=["Rouge"]).Rouge
    with pytest.raises(ValueError, match=r"^Hypothesis is empty\. \(hyps\[2\], refs\[2\]\)$"):
        made().get_scores(["a", "b", "", "d"], ["a", "b", "c", "d"])
    with pytest.raises(ValueError, match=r"^Hypothesis is empty\.$"):
        made().get_scores("", "c")
    assert made.DEFAULT_STATS == ["r", "p", "f"]


def test_functions_take_positional_arguments_as_there():
    from polyrouge.compat import rouge, rouge_chinese

    sentences = ["a b a", "c d"], ["a c", "a d"]
    assert rouge.rouge_l_summary_level(*sentences, True, False) == {"hyp": 5, "ref": 4, "overlap": 4}
    for exclusive in (True, False, None):
        assert rouge_chinese.rouge_l_summary_level(*sentences, True, exclusive) == {"hyp": 5, "ref": 4, "overlap": 3}


@pytest.mark.parametrize("module", PACKAGES)
def test_what_is_no_text_is_named_by_its_row(module):
    made = __import__(f"polyrouge.compat.{module}", fromlist=["Rouge"]).Rouge
    with pytest.raises(TypeError, match=r"refs\[1\] is None .* it must be a text"):
        made().get_scores(["a", "b"], ["a", None])
    with pytest.raises(AssertionError, match="hyps is a list and refs a tuple"):
        made().get_scores(["a"], ("a",))


def test_a_crash_is_scored_unless_it_is_asked_for():
    from polyrouge import Rouge
    from polyrouge.compat import lawrouge, rouge

    text, other = " ".join("ab" * 800), " ".join("ba" * 800)
    with pytest.raises(RecursionError, match="maximum recursion depth exceeded"):
        rouge.Rouge(on_error="raise").get_scores(text, other)
    assert (
        rouge.Rouge().get_scores(text, other)[0]["rouge-l"]["f"] == Rouge("pltrdy").compute([text], [other])["rougeL"]
    )
    assert lawrouge.Rouge().get_scores("", "a")[0]["rouge-l"] == {"f": 0.0, "p": 0.0, "r": 0.0}
    with pytest.raises(ZeroDivisionError):
        lawrouge.Rouge(on_error="raise").get_scores("", "a")
    with pytest.raises(ValueError, match="on_error"):
        rouge.Rouge(on_error="zero")


@pytest.mark.parametrize("module", ["rouge", "rouge_chinese"])
@pytest.mark.peers
def test_functions_over_sentences(module):
    rng = random.Random(5)
    sentences = [
        [" ".join(rng.choices("abcd", k=rng.randint(1, 6))) for _ in range(rng.randint(0, 3))] for _ in range(60)
    ]
    pairs = list(zip(sentences[::2], sentences[1::2], strict=True))
    found = []
    for first, second in pairs:
        for exclusive in (True, False):
            for raw in (True, False):
                keywords = {"raw_results": raw, "exclusive": exclusive}
                found += [({}, "rouge_n", [first, second, n], keywords) for n in (1, 2)]
                found.append(({}, "rouge_l_summary_level", [first, second], keywords))
    # As a class whose methods are the module's functions.
    before = f"import {module}.rouge_score as functions\nfunctions.Functions = lambda: functions"
    theirs = run_peer(PACKAGES[module][0], program(f"{module}.rouge_score", "Functions", before), found)

    functions = __import__(f"polyrouge.compat.{module}", fromlist=["rouge_n"])
    for case, one in zip(found, theirs, strict=True):
        assert same(one, outcome(lambda: functions, case)), case


@pytest.mark.parametrize("module", PACKAGES)
@pytest.mark.peers
def test_files(module, tmp_path):
    lines = [pair for pair in PAIRS[:60] if all(part.split() and "\n" not in part for part in pair)]
    for name, column in (("hyp", 0), ("ref", 1)):
        (tmp_path / name).write_text("".join(pair[column] + " x\n" for pair in lines), "utf-8")
    (tmp_path / "short").write_text("a\n", "utf-8")
    paths = [str(tmp_path / name) for name in ("hyp", "ref", "short", "none")]
    given = [({}, "get_scores", paths[:2], {}), ({"metrics": ["rouge-l"]}, "get_scores", paths[:2], {"avg": True})]
    given += [({}, "get_scores", paths[1:3], {}), ({}, "get_scores", paths[2:], {})]
    theirs = run_peer(PACKAGES[module][0], program(module, "FilesRouge"), given)

    assert [each[:2] for each in outcomes(f"polyrouge.compat.{module}", "FilesRouge", given)] == [
        each[:2] for each in theirs
    ]
    assert [each[0] for each in theirs] == ["value", "value", "error", "error"]


@pytest.mark.peers
def test_folders_of_lawrouge(tmp_path):
    for number, text in enumerate(["今天\n天气。很好", "今天\n天气。不好", "好"]):
        (tmp_path / str(number)).write_text(text, "utf-8")
    paths = [str(tmp_path / str(number)) for number in range(4)]
    given = [({}, "get_scores", [paths[:2], paths[1:3]], {"avg": avg}) for avg in (0, 1, 2)]
    given.append(({}, "get_scores", [paths[3:], paths[:1]], {}))
    theirs = run_peer("lawrouge", program("lawrouge.rouge", "FoldersRouge"), given)

    assert [each[:2] for each in outcomes("polyrouge.compat.lawrouge", "FoldersRouge", given)] == [
        each[:2] for each in theirs
    ]


@pytest.mark.parametrize(
    "arguments", [["a b c", "a c"], ["-a", "a b c", "a c", "--metrics", "1", "l", "--stats", "F"], ["-f", "H", "R"]]
)
@pytest.mark.parametrize("module", ["rouge", "rouge_chinese"])
@pytest.mark.process
def test_commands(module, arguments, tmp_path):
    (tmp_path / "H").write_text("a b\nc d\n", "utf-8")
    (tmp_path / "R").write_text("a d\nc c\n", "utf-8")
    command = [sys.executable, "-m", f"polyrouge.compat.{module}", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env={**os.environ}, check=True)

    found = json.loads(done.stdout)

    made = __import__(f"polyrouge.compat.{module}", fromlist=["Rouge"])
    if arguments[0] == "-f":
        assert found == made.FilesRouge().get_scores(tmp_path / "H", tmp_path / "R")
    elif arguments[0] == "-a":
        assert found == made.Rouge(["rouge-1", "rouge-l"], ["f"]).get_scores("a b c", "a c", avg=True)
    else:
        assert found == made.Rouge().get_scores("a b c", "a c")
