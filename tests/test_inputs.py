"""Bad input is refused by row and name; every usual container of texts is taken as it is."""

import enum
import itertools
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from late_modules import hub_params
from new_process import run_program
from text_columns import LIST_COLUMNS, TEXT_COLUMNS, data_set, object_array, pl

from polyrouge import Rouge
from polyrouge.inputs import check_inputs

# One object for all: each failure must leave it as it was.
ROUGE = Rouge(rouge_types=["rouge1"])

TEXTS = ["the cat", "今天天气", "", "naïve café", "a b c"]
LISTS = [["the dog", "a cat"], ["今天"], [""], ["café"], ["c", "b", "a"]]


def refused(predictions, references, position: str) -> None:
    """``compute`` and ``check_inputs`` name what they refuse, and leave no state."""
    for check in (ROUGE.compute, check_inputs):
        with pytest.raises(TypeError, match=f"^{re.escape(position)} is "):
            check(predictions, references)
    assert ROUGE.compute(["a b"], ["a c"]) == {"rouge1": 0.5}


# Values that are no texts; the catalogue has those of Python and of JSON.
NOT_TEXTS = [pd.NA, pd.NaT, np.int64(7), bytearray(b"text"), pa.scalar("a"), ("a",), np.array(["a"]), [7, "a"]]


@pytest.mark.parametrize("value", NOT_TEXTS, ids=lambda value: type(value).__name__)
def test_value_that_is_no_text_is_named(value):
    refused(["a", "b", value], ["a", "b", "c"], "predictions[2]")
    refused(["a", "b"], [["a"], ["fine", value]], "references[1][1]")
    if not isinstance(value, (tuple, list, np.ndarray)):
        refused(["a", "b"], ["a", value], "references[1]")
        refused(["a", "b"], [["a"], value], "references[1]")


MESSAGE = {"role": "assistant", "content": "the cat"}
OBJECTS = [
    (MESSAGE, "['content']"),
    ([{"role": "user", "content": "?"}, MESSAGE], "[-1]['content']"),
    ([{"generated_text": "the cat"}], "[-1]['generated_text']"),
]


@pytest.mark.parametrize(("value", "path"), OBJECTS)
def test_text_inside_an_object_is_pointed_at(value, path):
    with pytest.raises(TypeError, match=re.escape(f"Give the text of it: predictions[1]{path}.")):
        check_inputs(["a", value], ["a", "b"])


@pytest.mark.parametrize("value", [np.str_("the cat"), bytearray(b"cat"), frozenset({"a"}), len])
def test_value_that_is_no_column(value):
    refused(value, ["a"], "predictions")
    refused(["a"], value, "references")


def test_advice_on_surrogates_helps():
    for broken in ("\ud83d\ude00 ok", "ok \ud83d", "\ude00 ok"):
        cleaned = broken.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        assert check_inputs([cleaned], ["ok"]).predictions == [cleaned]


def test_long_value_is_shortened():
    with pytest.raises(TypeError) as raised:
        ROUGE.compute(["a"], [b"x" * 10_000])
    assert len(str(raised.value)) < 200


# Two rows of predictions, or of lists of references, and the first bad one: how libraries write what is missing.
BAD_COLUMNS = {
    "pandas-string-none": (lambda: pd.Series(["a", None], dtype="string"), "predictions[1]"),
    "arrow-binary": (lambda: pa.array([b"a", b"b"]), "predictions[0]"),
    "numpy-2d": (lambda: np.array([["a"], ["b"]]), "predictions[0]"),
    "datasets-none": (lambda: data_set(["a", None])["rows"], "predictions[1]"),
    "polars-row": (lambda: pl.Series([["a"], None]), "references[1]"),
    "arrow-item": (lambda: pa.array([["a"], ["b", None]]), "references[1][1]"),
    "numpy-item": (lambda: np.array([["a", "b"], ["c", None]], dtype=object), "references[1][1]"),
    "pandas-row": (lambda: pd.Series([["a"], np.nan]), "references[1]"),
}


@pytest.mark.parametrize("column", hub_params(BAD_COLUMNS))
def test_bad_row_in_a_column(column):
    make, position = column
    columns = (make(), ["a", "b"]) if position.startswith("predictions") else (["a", "b"], make())
    refused(*columns, position)


@pytest.mark.parametrize(
    ("predictions", "references", "kind", "position"),
    [
        (["a", None], ["a", "b"], None, "predictions[11]"),
        (["a"], [[None]], None, "references[10][0]"),
        (["a"], ["b"], "list", "references[10]"),
        (["a"], [["b"]], "text", "references[10]"),
    ],
)
def test_first_row_and_kind_carry_over_to_later_batches(predictions, references, kind, position):
    with pytest.raises(TypeError, match=f"^{re.escape(position)} is "):
        check_inputs(predictions, references, first_row=10, reference_kind=kind)
    assert check_inputs(["a"], [["b"]], first_row=10, reference_kind="list").references == [["b"]]


# Every container that is allowed


@pytest.mark.parametrize("make", hub_params(TEXT_COLUMNS))
def test_column_of_texts(make):
    inputs = check_inputs(make(TEXTS), make(TEXTS))
    assert inputs[:3] == (TEXTS, [[text] for text in TEXTS], "text")
    assert {type(text) for text in itertools.chain(inputs.predictions, *inputs.references)} == {str}
    assert ROUGE.compute(make(TEXTS), TEXTS, use_aggregator=False) == {"rouge1": [1.0, 1.0, 0.0, 1.0, 1.0]}


@pytest.mark.parametrize("make", hub_params(LIST_COLUMNS))
def test_column_of_reference_lists(make):
    inputs = check_inputs(TEXTS, make(LISTS))
    assert inputs[:3] == (TEXTS, LISTS, "list")
    assert {type(text) for row in inputs.references for text in row} == {str}
    expected = [0.5, 2 / 3, 0.0, 2 / 3, 0.5]  # the of the cat; 今天 of 今天天气; café of naïve café; c of a b c
    assert ROUGE.compute(TEXTS, make(LISTS), use_aggregator=False)["rouge1"] == pytest.approx(expected)


@pytest.mark.parametrize("dtype", [str, object, np.dtypes.StringDType()], ids=["str", "object", "StringDType"])
def test_references_as_a_two_dimensional_array(dtype):
    array = np.array([["a", "b b"], ["今天", ""]], dtype=dtype)
    assert check_inputs(["a", "b"], array)[:3] == (["a", "b"], [["a", "b b"], ["今天", ""]], "list")


def test_list_rows_of_mixed_kinds():
    rows = [["a"], ("b", "c"), np.array(["d"]), pd.Series(["e"]), (text for text in "fg")]
    expected = [["a"], ["b", "c"], ["d"], ["e"], ["f", "g"]]
    assert check_inputs(["x"] * 5, rows).references == expected


class Colour(str, enum.Enum):  # as was usual before StrEnum; str() gives its name, not its value
    RED = "deep red"


def test_subclass_of_str_becomes_plain_str():
    inputs = check_inputs([np.str_("b"), Colour.RED], [[np.str_("d")], ["e"]])
    assert inputs[:3] == (["b", "deep red"], [["d"], ["e"]], "list")
    assert {type(text) for text in itertools.chain(inputs.predictions, *inputs.references)} == {str}


# What looks odd and is allowed


def test_nul_is_a_character():
    settings = {"tokenizer": "char", "punctuation": "keep"}
    assert ROUGE.compute(["a\0b"], ["a\0b"], **settings) == {"rouge1": 1.0}
    assert ROUGE.compute(["a\0b"], ["ab"], **settings) == {"rouge1": 0.8}


@pytest.mark.filterwarnings("ignore:The tokenizer 'mixed' leaves no token of:polyrouge.RougeWarning")
@pytest.mark.parametrize("text", ["", " ", "\n\n", "\t\u3000\xa0", "。！", "\0"], ids=repr)
def test_text_without_tokens_scores_zero(text):
    types = ["rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW", "rougeS", "rougeSU4"]
    zeros = dict.fromkeys(types, 0.0)
    settings = {"rouge_types": types, "sentence_split": "none"}
    assert Rouge(**settings).compute([text], ["有 内容"]) == zeros
    assert Rouge(**settings).compute(["有 内容"], [text]) == zeros
    assert Rouge(**settings).compute([text], [[text, ""]]) == zeros


def test_inputs_are_not_modified():
    predictions, references = list(TEXTS), object_array([[text, "x"] for text in TEXTS])
    Rouge(sentence_split="none").compute(predictions, references)
    assert (predictions, references.tolist()) == (TEXTS, [[text, "x"] for text in TEXTS])


LONG_TEXTS = """
import json, random, re, time
from polyrouge import Rouge


def peak_megabytes():
    # not resource.getrusage, whose peak begins at that of the process that started this one
    return int(re.search(r"VmHWM:\\s*(\\d+) kB", open("/proc/self/status").read())[1]) / 1024


rouge = Rouge(engine=ENGINE)
rouge.compute(["a b\\nc d"], ["a c\\nd"])
before = peak_megabytes()
start = time.process_time()  # of this process alone, so that others may keep the machine busy
draw = random.Random(0)


def text(first_word):
    words = [f"w{first_word + draw.randrange(N_WORDS)}" for _ in range(100_000)]
    return "\\n".join(" ".join(words[i : i + LINE]) for i in range(0, len(words), LINE))


scores = rouge.compute([text(0)], [text(0)], sentence_split=SPLIT)
seconds = time.process_time() - start
print(json.dumps({"scores": scores, "megabytes": peak_megabytes() - before, "seconds": seconds}))
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads memory from /proc (Linux)")
@pytest.mark.process
@pytest.mark.parametrize(
    ("engine", "n_words", "line"),
    [("plain", 5_000, 500), ("plain", 30_000, 100_000), ("compiled", 5_000, 50)],
)
def test_100_000_tokens_in_bounded_memory(engine, n_words, line):
    """In lines of ``line`` tokens, in a process of their own."""
    values = {"ENGINE": engine, "N_WORDS": n_words, "LINE": line, "SPLIT": "none" if line >= 100_000 else "newline"}
    program = "\n".join([*(f"{name} = {value!r}" for name, value in values.items()), LONG_TEXTS])
    result = json.loads(run_program(program).stdout)
    assert result["megabytes"] < 300
    if n_words == 5_000:
        scores = result["scores"]
        # by chance alone: 20 occurrences of each of 5,000 words on either side share 7/8 of them
        assert 0.85 < scores["rouge1"] < 0.9
        assert 0 < scores["rouge2"] < scores["rougeL"] <= scores["rougeLsum"] < scores["rouge1"] + 0.01
        assert result["seconds"] < 30
