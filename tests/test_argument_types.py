"""Arguments of a wrong type: refused by name, by no error of Python's or numpy's own."""

import numpy as np
import pytest
from odd_functions import FUNCTIONS

from polyrouge import RougeSettings, check_inputs, find_settings, suggest
from polyrouge.beyond.arrow import Partial, TableScorer, summarize
from polyrouge.beyond.pairs import consensus, nearest, oracle_batch
from polyrouge.page.calls import score_texts, score_two_systems

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
TAKES_ROUGE = [name for name, (_, given, _) in FUNCTIONS.items() if "rouge" in given()]
DEEP = []
for _ in range(3000):
    DEEP = [DEEP]


@pytest.mark.parametrize("name", TAKES_ROUGE)
@pytest.mark.parametrize("rouge", [0, {}, np.array([]), DEEP], ids=["0", "dict", "array", "deep"])
def test_what_is_no_metric_is_refused(name, rouge, tmp_path, monkeypatch):
    """0 and an empty dict as well."""
    monkeypatch.chdir(tmp_path)
    function, given, _ = FUNCTIONS[name]
    with pytest.raises(TypeError, match=r"^rouge is .*; give a metric, "):
        function(**{**given(), "rouge": rouge})


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: RougeSettings.from_signature(5), "The signature"),
        (lambda: RougeSettings(scale=DEEP), "scale"),
        (lambda: suggest(5), "texts"),
        (lambda: suggest(["a"], settings="zh_char"), "settings"),
        (lambda: check_inputs(["a"], ["a"], first_row=0.5), "first_row"),
        (lambda: find_settings(["a"], ["a"], {"rouge1": 0.5}, most="x"), "most"),
        (lambda: find_settings(["a"], ["a"], {"rouge1": 0.5}, conventions=5), "conventions"),
        (lambda: oracle_batch({}, source=["a"]), "source"),
        (lambda: nearest(["a"], ["a"], rouge_type=5), "rouge_type"),
        (lambda: consensus([["a", "b"]], weights=[["x", 1]]), r"weights\[0\]"),
        (lambda: Partial.from_bytes("x"), "A partial result"),
        (lambda: summarize(5), "partials"),
        (lambda: summarize([5]), r"partials\[0\]"),
        (lambda: TableScorer(prediction=5), "prediction"),
        (lambda: TableScorer()(5), "The table"),
        (lambda: score_texts(print, ["a"], ["a"], "default", [1]), "settings"),
        (lambda: score_two_systems(print, ["a"], ["a"], ["a"], "default", "x"), "settings"),
    ],
)
def test_an_argument_of_another_type_is_refused(call, name):
    with pytest.raises(TypeError, match=f"^{name} is "):
        call()
