"""Arguments of a wrong type: a sentence that names them, and no error of Python's or numpy's own."""

import re

import numpy as np
import pytest
from odd_functions import FUNCTIONS

from polyrouge import RougeSettings, agreement, check_inputs, find_settings, suggest
from polyrouge.beyond.pairs import nearest, oracle_batch
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
    message = r"^rouge is .*; give a metric, such as Rouge\('zh_char'\), a convention's name, or None\.$"
    with pytest.raises(TypeError, match=message):
        function(**{**given(), "rouge": rouge})


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: RougeSettings.from_signature(5),
            "The signature is 5 (int); give the line that signature() returns.",
        ),
        (lambda: RougeSettings(scale=DEEP), "scale is too long to show; give a number"),
        (lambda: suggest(5), "texts is 5 (int); give a list"),
        (lambda: suggest(["a"], settings="zh_char"), "settings is 'zh_char' (str); give RougeSettings"),
        (lambda: check_inputs(["a"], ["a"], first_row=0.5), "first_row is 0.5 (float); give a whole number."),
        (lambda: find_settings(["a"], ["a"], {"rouge1": 0.5}, most="x"), "most is 'x'; give a whole number"),
        (lambda: find_settings(["a"], ["a"], {"rouge1": 0.5}, conventions=5), "conventions is 5 (int); give a list"),
        (
            lambda: agreement([1, 2], [1, 2], ["a", "b"], [["x"], ["y"]]),
            "documents: row 0 is ['x'] (list); give a text or a number.",
        ),
        (lambda: oracle_batch({}, source=["a"]), "source is ['a'] (list); give the name of a column."),
        (lambda: nearest(["a"], ["a"], rouge_type=5), "rouge_type is 5 (int); give one"),
        (lambda: score_texts(print, ["a"], ["a"], "default", [1]), "settings is [1] (list); give an object"),
        (
            lambda: score_two_systems(print, ["a"], ["a"], ["a"], "default", "x"),
            "settings is 'x' (str); give an object",
        ),
    ],
)
def test_the_sentence_names_the_argument(call, message):
    with pytest.raises(TypeError, match=re.escape(message)):
        call()
