"""py-rouge 1.1 and ``polyrouge.compat.py_rouge`` side by side."""

import random

import nltk
import pytest
from compat_cases import compare
from peer_packages import peer_file
from tool_texts import random_pairs, tool_pairs

from polyrouge.compat import py_rouge

pytestmark = pytest.mark.peers
# Of words that its tokenizer and its tables treat apart.
_PIECES = (
    *("cannot", "CANNOT", "gonna", "wanna", "Gimme", "gotta", "lemme", "can not", "agreements", "became", "geese"),
    *("running", "cannots", "cannoting", "xcannotx", "can_not", " ", "  ", "\n", "\n\n"),
    *". 3.14 don't - _ é İ \u212a 今天 😀".split(),
)
PAIRS = [*tool_pairs(1600, 400), *random_pairs(1000, 5, _PIECES)]
# No punkt model is needed: the texts of the package's tokenizer hold no marks. Its tables are read without setuptools.
_BEFORE = """
import types
sys.modules["pkg_resources"] = types.SimpleNamespace(resource_filename=lambda package, name: {folder!r} + "/" + name)
import nltk
nltk.word_tokenize = lambda text, language: nltk.tokenize.NLTKWordTokenizer().tokenize(text)
nltk.sent_tokenize = lambda text, language: [part for part in text.split(".") if part]
"""


@pytest.fixture
def folder():
    return str(peer_file("py-rouge", "rouge"))


def random_options(rng):
    options = {
        "metrics": rng.choice([None, ["rouge-n"], ["rouge-n", "rouge-l", "rouge-w"], ["rouge-w"], ["rouge-l"]]),
        "max_n": rng.choice([1, 2, 4]),
        "limit_length": rng.random() < 0.7,
        "length_limit": rng.choice([0, 3, 12, 40, 665]),
        "length_limit_type": rng.choice(["words", "bytes"]),
        "apply_avg": rng.random() < 0.5,
        "apply_best": rng.random() < 0.5,
        "stemming": rng.random() < 0.7,
        "alpha": rng.choice([0.0, 0.3, 0.5, 1.0]),
        "weight_factor": rng.choice([1.0, 1.2, 2]),
    }
    if options["metrics"] is None:
        del options["max_n"]  # a set there, from which none can be taken
    return {name: value for name, value in options.items() if name == "metrics" or rng.random() < 0.8}


def random_cases(**fixed):
    rng = random.Random(1)
    cases, left = [], PAIRS[:]
    while left:
        size = rng.choice([1, 1, 2, 5])
        batch, left = left[:size], left[size:]
        hypotheses = [pair[0] for pair in batch]
        references = [rng.choice([pair[1], [pair[1]], [pair[1], *rng.choice(PAIRS)]]) for pair in batch]
        if size == 1 and rng.random() < 0.5:
            hypotheses, references = hypotheses[0], references[0]
        cases.append(({**random_options(rng), **fixed}, "get_scores", [hypotheses, references], {}))
    return cases


def check(cases, folder, least_errors=0):
    modules, before = ("rouge", "polyrouge.compat.py_rouge"), _BEFORE.format(folder=folder)
    options = {"word_tables": folder, "on_error": "raise"}
    theirs = compare("py-rouge", modules, "Rouge", cases, before=before, view=list, **options)
    assert sum(outcome[0] == "error" for outcome in theirs) >= least_errors


@pytest.mark.parametrize(("is_compatible", "least_errors"), [(True, 0), (False, 10)], ids=["compatible", "own"])
def test_equal_scores(is_compatible, least_errors, folder, monkeypatch):
    # Sentences by the same stand-in for NLTK's model in both.
    monkeypatch.setattr(nltk, "sent_tokenize", lambda text, _language: [part for part in text.split(".") if part])
    best = {"apply_avg": False, "apply_best": True, "stemming": False, "ensure_compatibility": is_compatible}
    two_errors = [
        ({**best, "metrics": metrics}, "get_scores", [["a b", "a"], [["a", "ß"], ["a", ""]]], {})
        for metrics in (["rouge-w"], ["rouge-l", "rouge-w"])
    ]
    check([*two_errors, *random_cases(ensure_compatibility=is_compatible)], folder, least_errors)


def test_equal_results_of_odd_input(folder):
    rows = [
        ({"metrics": ["rouge-x"]}, "a", "a"),
        ({"length_limit_type": "chars"}, "a", "a"),
        ({"weight_factor": 0}, "a", "a"),
        ({"metrics": ["rouge-l"]}, ["a"], "a"),
        ({"metrics": ["rouge-l"]}, ["a"], ["a", "b"]),
        ({"limit_length": False, "length_limit_type": "chars"}, "a", "a"),
        ({}, "a", "a"),
        ({"metrics": ["rouge-l"]}, [], []),
        ({"metrics": ["rouge-l"], "apply_avg": False}, [], []),
        ({"metrics": ["rouge-n"], "max_n": 2}, "a \ud800 b", "a b \ud800"),
        ({"metrics": ["rouge-n"], "max_n": 9}, "a b", "a b c d"),
    ]
    check([(options, "get_scores", texts, {}) for options, *texts in rows], folder, least_errors=5)


def test_errors_name_the_row_and_crashes_score(folder):
    rouge = py_rouge.Rouge(["rouge-l"], word_tables=folder)
    assert rouge.as_polyrouge().settings.tool.lcs == "union"
    for texts, error, message in (
        ((["a", None], ["a", "b"]), AssertionError, r"hypothesis\[1\] is a NoneType"),
        ((["a"], [[3]]), TypeError, r"references\[0\] holds a int"),
        ((["a"], [[]]), ValueError, r"references\[0\] is empty"),
    ):
        with pytest.raises(error, match=message):
            rouge.get_scores(*texts)
    options = {"metrics": ["rouge-w"], "apply_avg": False, "apply_best": True, "word_tables": folder}
    assert py_rouge.Rouge(**options).get_scores("a", "") == {"rouge-w": {"f": 0.0, "p": 0.0, "r": 0.0}}
    with pytest.raises(ZeroDivisionError):
        py_rouge.Rouge(**options, on_error="raise").get_scores("a", "")
