"""Bad input is refused by row and name; every usual container of texts is taken as it is."""

import copy
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


def refused(predictions, references, error: type[Exception], *parts: str) -> None:
    """``compute`` and ``check_inputs`` raise ``error`` itself, with all parts in the message, and leave no state."""
    for check in (ROUGE.compute, check_inputs):
        with pytest.raises((TypeError, ValueError)) as raised:
            check(predictions, references)
        assert issubclass(raised.type, error)
        assert [part for part in parts if part not in str(raised.value)] == [], str(raised.value)
    assert ROUGE.compute(["a b"], ["a c"]) == {"rouge1": 0.5}


def changed(rows: list, index: int, value) -> list:
    return [*rows[:index], value, *rows[index + 1 :]]


# A value that is no text, and what the message shows of it; the catalogue has those of Python
NOT_TEXTS = [
    (pd.NA, "<NA> (NAType)"),
    (pd.NaT, "NaT (NaTType)"),
    (np.int64(7), "7"),
    (bytearray(b"text"), "bytearray(b'text') (bytearray)"),
    (pa.scalar("a"), "(StringScalar)"),
]


@pytest.mark.parametrize(("value", "shown"), NOT_TEXTS, ids=[shown for _, shown in NOT_TEXTS])
def test_value_that_is_no_text_is_named(value, shown):
    string, lists = (shown, "must be a string"), (shown, "a list of strings")
    refused(changed(TEXTS, 3, value), TEXTS, TypeError, "predictions[3] is ", *string)
    refused(TEXTS, changed(TEXTS, 3, value), TypeError, "references[3] is ", *string)
    refused(TEXTS, changed(TEXTS, 0, value), TypeError, "references[0] is ", *lists)
    refused(TEXTS, changed(LISTS, 2, ["fine", value]), TypeError, "references[2][1] is ", *string)
    refused(TEXTS, changed(LISTS, 4, value), TypeError, "references[4] is ", *lists)


def test_list_in_place_of_a_text():
    for value, shown in ((("a",), "('a',) (tuple)"), (np.array(["a"]), "(ndarray)")):
        refused(changed(TEXTS, 1, value), TEXTS, TypeError, "predictions[1] is ", shown, "must be a string")
    refused(changed(TEXTS, 1, [7, 8]), TEXTS, TypeError, "predictions[1] is [7, 8] (list)", "Ids of tokens are decoded")
    refused(changed(TEXTS, 1, [7, "a"]), TEXTS, TypeError, "predictions[1] is [7, 'a'] (list)", "An empty text is ''")


MESSAGE = {"role": "assistant", "content": "the cat"}
OBJECTS = [
    (MESSAGE, "['content']"),
    ([{"role": "user", "content": "?"}, MESSAGE], "[-1]['content']"),
    ([{"generated_text": "the cat"}], "[-1]['generated_text']"),
]


@pytest.mark.parametrize(("value", "path"), OBJECTS)
def test_text_inside_an_object_is_pointed_at(value, path):
    refused(changed(TEXTS, 1, value), TEXTS, TypeError, f"Give the text of it: predictions[1]{path}.")
    answers = [{"text": ["a b"], "answer_start": [0]}]
    refused(["a b"], answers, TypeError, "Give the text of it: references[0]['text'].")
    assert ROUGE.compute(["a b"], [answers[0]["text"]]) == {"rouge1": 1.0}
    refused(["a b"], [[MESSAGE]], TypeError, "Give the text of it: references[0][0]['content'].")


# A whole column of the wrong kind, and what the message shows of it
NOT_COLUMNS = [
    (np.str_("the cat"), "the cat"),
    (bytearray(b"cat"), "one bytearray"),
    (frozenset({"a"}), "a frozenset"),
    (len, "builtin"),
]


def test_value_that_is_no_column():
    for value, shown in NOT_COLUMNS:
        refused(value, ["a"], TypeError, "predictions is ", shown, "give a list")
        refused(["a"], value, TypeError, "references is ", shown, "give a list")
    refused(["a"], [np.array("the cat")], TypeError, "references[0] is ", "list")


def test_advice_on_surrogates_helps():
    for broken in ("\ud83d\ude00 ok", "ok \ud83d", "\ude00 ok"):
        cleaned = broken.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        assert check_inputs([cleaned], ["ok"]).predictions == [cleaned]


def test_long_value_is_shortened_and_the_first_bad_row_named():
    with pytest.raises(TypeError) as raised:
        ROUGE.compute(["a"], [b"x" * 10_000])
    assert len(str(raised.value)) < 200
    refused(["a", None, 5], ["a", "b", "c"], TypeError, "predictions[1] is None")


# Two rows of predictions, or of lists of references, and the message: how each library writes what is missing
BAD_COLUMNS = {
    "pandas-string-none": (lambda: pd.Series(["a", None], dtype="string"), "predictions[1] is <NA>"),
    "pandas-str-none": (lambda: pd.Series(["a", None], dtype="str"), "predictions[1] is nan"),
    "arrow-binary": (lambda: pa.array([b"a", b"b"]), "predictions[0] is b'a' (bytes)"),
    "numpy-bytes": (lambda: np.array([b"a", b"b"]), "predictions[0] is b'a' (bytes)"),
    "numpy-2d": (lambda: np.array([["a"], ["b"]]), "predictions[0] is ['a'] (list)"),
    "datasets-none": (lambda: data_set(["a", None])["rows"], "predictions[1] is None"),
    "polars-row": (lambda: pl.Series([["a"], None]), "references[1] is None"),
    "polars-item": (lambda: pl.Series([["a"], ["b", None]]), "references[1][1] is None"),
    "arrow-row": (lambda: pa.array([["a"], None]), "references[1] is None"),
    "arrow-item": (lambda: pa.array([["a"], ["b", None]]), "references[1][1] is None"),
    "numpy-item": (lambda: np.array([["a", "b"], ["c", None]], dtype=object), "references[1][1] is None"),
    "numpy-numbers": (lambda: np.array([[1, 2], [3, 4]]), "references[0][0] is 1 (int)"),
    "pandas-row": (lambda: pd.Series([["a"], np.nan]), "references[1] is nan (float)"),
}


@pytest.mark.parametrize("column", hub_params(BAD_COLUMNS))
def test_bad_row_in_a_column(column):
    make, message = column
    columns = (make(), ["a", "b"]) if message.startswith("predictions") else (["a", "b"], make())
    refused(*columns, TypeError, message, "string")


@pytest.mark.parametrize(
    ("predictions", "references", "kind", "message"),
    [
        (["a", None], ["a", "b"], None, "predictions[11] is None"),
        (["a"], [[None]], None, "references[10][0] is None"),
        (["a"], ["b"], "list", "references[10] is a string, but the rows before are lists"),
        (["a"], [["b"]], "text", "references[10] is a list, but the rows before are strings"),
    ],
)
def test_first_row_and_kind_carry_over_to_later_batches(predictions, references, kind, message):
    with pytest.raises(TypeError, match=re.escape(message)):
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
    class Text(str):
        __slots__ = ()

    inputs = check_inputs([Text("a"), np.str_("b"), Colour.RED], [[Text("c")], [np.str_("d")], ["e"]])
    assert inputs[:3] == (["a", "b", "deep red"], [["c"], ["d"], ["e"]], "list")
    assert {type(text) for text in itertools.chain(inputs.predictions, *inputs.references)} == {str}


# What looks odd and is allowed


def test_nul_is_a_character():
    assert check_inputs(["a\0b"], [["\0"]])[:3] == (["a\0b"], [["\0"]], "list")
    assert ROUGE.compute(["a\0b"], ["a b"]) == {"rouge1": 1.0}
    assert ROUGE.compute(["a\0b"], ["a\0b"], tokenizer="char", punctuation="keep") == {"rouge1": 1.0}
    assert ROUGE.compute(["a\0b"], ["ab"], tokenizer="char", punctuation="keep") == {"rouge1": 0.8}


@pytest.mark.filterwarnings("ignore:The tokenizer 'mixed' leaves no token of:polyrouge.RougeWarning")
@pytest.mark.parametrize("text", ["", " ", "\n\n", "\t\u3000\xa0", "。！", "\0"], ids=repr)
def test_text_without_tokens_scores_zero(text):
    types = ["rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW", "rougeS", "rougeSU4"]
    zeros = dict.fromkeys(types, 0.0)
    settings = {"rouge_types": types, "sentence_split": "none"}
    assert Rouge(**settings).compute([text], ["有 内容"]) == zeros
    assert Rouge(**settings).compute(["有 内容"], [text]) == zeros
    assert Rouge(**settings).compute([text], [[text, ""]]) == zeros


@pytest.mark.parametrize("texts", [TEXTS, ["a b", "", "c", "d\ne", "f"]], ids=["any-text", "ascii"])
def test_inputs_are_not_modified(texts):
    predictions, references = list(texts), [[text, "x"] for text in texts]
    expected = copy.deepcopy((predictions, references))
    Rouge(sentence_split="none").compute(predictions, references)
    assert (predictions, references) == expected
    array = object_array(references)
    ROUGE.compute(np.array(predictions), array)
    assert array.tolist() == expected[1]


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
