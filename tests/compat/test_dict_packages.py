"""rouge (pltrdy) and rouge_chinese: the packages and ``polyrouge.compat`` side by side."""

import json
import random
import subprocess
import sys

import pytest
from compat_cases import compare
from tool_texts import tool_pairs

from polyrouge import Rouge
from polyrouge.compat import rouge, rouge_chinese

PAIRS = tool_pairs(1600, 400)
METRICS = [f"rouge-{n}" for n in (1, 2, 3, 4, 5)] + ["rouge-l"]
MODULES = ("rouge", "rouge_chinese")
# The tool's own words; other messages are Python's, for what was not foreseen there.
ON_PURPOSE = (
    "Hypothesis is empty.",
    "Reference is empty.",
    "Collections must contain at least 1 sentence.",
    "Unknown metric",
    "Unknown stat",
)


def random_options(rng):
    options = {
        "metrics": rng.choice([None, rng.choices(METRICS, k=rng.randint(1, 4)), ["ROUGE-L"]]),
        "stats": rng.choice([None, ["f"], ["P", "r"]]),
        "return_lengths": rng.random() < 0.3,
        "raw_results": rng.random() < 0.2,
        "exclusive": rng.random() < 0.6,
    }
    return {name: value for name, value in options.items() if rng.random() < 0.8}


def random_cases(module):
    """Every pair once: alone, or in a list with others; options vary."""
    rng = random.Random(module)
    cases, left = [], PAIRS[:]
    while left:
        options = random_options(rng)
        avg = not options.get("raw_results") and rng.random() < 0.5
        keywords = {"avg": avg, "ignore_empty": rng.random() < 0.3}
        size = rng.choice([1, 1, 1, 2, 4, 9])
        batch, left = left[:size], left[size:]
        hyps, refs = map(list, zip(*batch, strict=True))
        if size == 1 and rng.random() < 0.5:
            hyps, refs = hyps[0], refs[0]
        cases.append((options, "get_scores", [hyps, refs], keywords))
    return cases


def compare_with(module, name, cases, inner="", **options):
    modules = module + inner, f"polyrouge.compat.{module}"
    return compare(module.replace("_", "-"), modules, name, cases, ON_PURPOSE, **options)


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.peers
def test_equal_results_and_refusals(module):
    cases = random_cases(module)
    theirs = compare_with(module, "Rouge", cases, on_error="raise")
    assert 0 < sum(outcome[0] == "error" for outcome in theirs) < len(cases) / 2


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


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.peers
def test_equal_results_of_odd_input(module):
    compare_with(module, "Rouge", ODD)


@pytest.mark.parametrize("package", [rouge, rouge_chinese])
def test_refusals_name_the_row(package):
    for error, message, texts in (
        (TypeError, r"^refs\[1\] is None .* it must be a text", (["a", "b"], ["a", None])),
        (AssertionError, "^hyps is a list and refs a tuple", (["a"], ("a",))),
        (ValueError, r"^Hypothesis is empty\. \(hyps\[1\], refs\[1\]\)$", (["b", "", "d"], ["b", "c", "d"])),
        (ValueError, r"^Hypothesis is empty\.$", ("", "c")),
    ):
        with pytest.raises(error, match=message):
            package.Rouge().get_scores(*texts)


def test_functions_count_the_tokens_that_are_shared():
    overlap = rouge.rouge_l_summary_level(["a b a", "c d"], ["a c", "a d"], True, False)
    assert overlap == {"hyp": 5, "ref": 4, "overlap": 4}


def test_a_crash_is_scored_unless_on_error_is_raise():
    text, other = " ".join("ab" * 800), " ".join("ba" * 800)
    with pytest.raises(RecursionError, match="maximum recursion depth exceeded"):
        rouge.Rouge(on_error="raise").get_scores(text, other)
    expected = Rouge("pltrdy").compute([text], [other])["rougeL"]
    assert rouge.Rouge().get_scores(text, other)[0]["rouge-l"]["f"] == expected
    with pytest.raises(ValueError, match="on_error"):
        rouge.Rouge(on_error="zero")


@pytest.mark.peers
def test_functions_over_sentences(monkeypatch):
    rng = random.Random(5)
    sentences = [
        [" ".join(rng.choices("abcd", k=rng.randint(1, 6))) for _ in range(rng.randint(0, 3))] for _ in range(60)
    ]
    cases = []
    for first, second in zip(sentences[::2], sentences[1::2], strict=True):
        for exclusive, raw in ((True, True), (True, False), (False, True), (False, False)):
            keywords = {"raw_results": raw, "exclusive": exclusive}
            cases += [({}, "rouge_n", [first, second, n], keywords) for n in (1, 2)]
            cases.append(({}, "rouge_l_summary_level", [first, second], keywords))
    # As a class whose methods are the module's functions.
    monkeypatch.setattr(rouge, "Functions", lambda: rouge, raising=False)
    before = "import rouge.rouge_score as functions\nfunctions.Functions = lambda: functions"
    compare_with("rouge", "Functions", cases, ".rouge_score", before=before)


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.peers
def test_files(module, tmp_path):
    lines = [pair for pair in PAIRS[:60] if all(part.split() and "\n" not in part for part in pair)]
    for name, column in (("hyp", 0), ("ref", 1)):
        (tmp_path / name).write_text("".join(pair[column] + " x\n" for pair in lines), "utf-8")
    (tmp_path / "short").write_text("a\n", "utf-8")
    hyp, ref, short, missing = (str(tmp_path / name) for name in ("hyp", "ref", "short", "none"))
    cases = [({}, "get_scores", [hyp, ref], {}), ({"metrics": ["rouge-l"]}, "get_scores", [hyp, ref], {"avg": True})]
    cases += [({}, "get_scores", [ref, short], {}), ({}, "get_scores", [short, missing], {})]
    theirs = compare_with(module, "FilesRouge", cases)
    assert [outcome[0] for outcome in theirs] == ["value", "value", "error", "error"]


@pytest.mark.parametrize("package", [rouge, rouge_chinese])
@pytest.mark.process
def test_commands(package, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "H").write_text("a b\nc d\n", "utf-8")
    (tmp_path / "R").write_text("a d\nc c\n", "utf-8")
    averages = package.Rouge(["rouge-1", "rouge-l"], ["f"]).get_scores("a b c", "a c", avg=True)
    commands = (
        (["-a", "a b c", "a c", "--metrics", "1", "l", "--stats", "F"], averages),
        (["-f", "H", "R"], package.FilesRouge().get_scores("H", "R")),
    )
    for arguments, expected in commands:
        command = [sys.executable, "-m", package.__name__, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert json.loads(done.stdout) == expected
