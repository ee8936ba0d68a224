"""py-rouge 1.1 and ``polyrouge.compat.py_rouge`` side by side."""

import random

import pytest
from compat_cases import outcomes, program
from peer_packages import peer_file, run_peer
from tool_texts import tool_pairs

from polyrouge.compat import py_rouge

pytestmark = pytest.mark.peers
PAIRS = tool_pairs(1600, 400)
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


def cases(seed, **fixed):
    rng = random.Random(seed)
    found, left = [], PAIRS[:]
    while left:
        size = rng.choice([1, 1, 2, 5])
        taken, left = left[:size], left[size:]
        hypotheses = [pair[0] for pair in taken]
        references = [rng.choice([pair[1], [pair[1]], [pair[1], *rng.choice(PAIRS)]]) for pair in taken]
        if size == 1 and rng.random() < 0.5:
            hypotheses, references = hypotheses[0], references[0]
        found.append(({**random_options(rng), **fixed}, "get_scores", [hypotheses, references], {}))
    return found


def check(given, folder, least_errors=0):
    before = _BEFORE.format(folder=folder)
    theirs = run_peer("py-rouge", program("rouge", "Rouge", before), given)
    tables = [({**options, "word_tables": folder, "on_error": "raise"}, *call) for options, *call in given]
    ours = outcomes("polyrouge.compat.py_rouge", "Rouge", tables)

    for case, one, other in zip(given, theirs, ours, strict=True):
        assert one == other, (case, one, other)
    assert sum(one[0] == "error" for one in theirs) >= least_errors


def test_equal_scores(folder):
    check(cases(1), folder)


def test_equal_scores_without_compatibility(folder, monkeypatch):
    import nltk

    # Sentences by the same stand-in for NLTK's model in both.
    monkeypatch.setattr(nltk, "sent_tokenize", lambda text, _language: [part for part in text.split(".") if part])
    check(cases(2, ensure_compatibility=False)[:250], folder, least_errors=10)


def test_odd_input_is_met_in_the_same_way(folder):
    check(
        [
            ({"metrics": ["rouge-x"]}, "get_scores", ["a", "a"], {}),
            ({"length_limit_type": "chars"}, "get_scores", ["a", "a"], {}),
            ({"weight_factor": 0}, "get_scores", ["a", "a"], {}),
            ({"metrics": ["rouge-l"]}, "get_scores", [["a"], "a"], {}),
            ({"metrics": ["rouge-l"]}, "get_scores", [["a"], ["a", "b"]], {}),
            ({"limit_length": False, "length_limit_type": "chars"}, "get_scores", ["a", "a"], {}),
            ({}, "get_scores", ["a", "a"], {}),
            ({"metrics": ["rouge-l"]}, "get_scores", [[], []], {}),
            ({"metrics": ["rouge-l"], "apply_avg": False}, "get_scores", [[], []], {}),
            ({"metrics": ["rouge-n"], "max_n": 2}, "get_scores", ["a \ud800 b", "a b \ud800"], {}),
            ({"metrics": ["rouge-n"], "max_n": 9}, "get_scores", ["a b", "a b c d"], {}),
        ],
        folder,
        least_errors=5,
    )


def test_wrong_rows_are_named(folder):
    rouge = py_rouge.Rouge(["rouge-l"], word_tables=folder)
    with pytest.raises(AssertionError, match=r"hypothesis\[1\] is a NoneType"):
        rouge.get_scores(["a", None], ["a", "b"])
    with pytest.raises(TypeError, match=r"references\[0\] holds a int"):
        rouge.get_scores(["a"], [[3]])
    with pytest.raises(ValueError, match=r"references\[0\] is empty"):
        rouge.get_scores(["a"], [[]])
    assert rouge.as_polyrouge().settings.tool.lcs == "union"


def test_a_crash_is_scored_unless_it_is_asked_for(folder):
    options = {"metrics": ["rouge-w"], "apply_avg": False, "apply_best": True, "word_tables": folder}
    nothing = {"rouge-w": {"f": 0.0, "p": 0.0, "r": 0.0}}
    assert py_rouge.Rouge(**options).get_scores("a", "") == nothing
    with pytest.raises(ZeroDivisionError):
        py_rouge.Rouge(**options, on_error="raise").get_scores("a", "")
