"""Bad input is refused by row and name; every usual container of texts is taken as it is."""

import copy
import enum
import itertools
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from late_modules import LateModule, hub_params

from polyrouge import Rouge
from polyrouge.inputs import check_inputs

datasets, pl = LateModule("datasets"), LateModule("polars")

# One object for all: each failure must leave it as it was.
ROUGE = Rouge(rouge_types=["rouge1"])

TEXTS = ["the cat", "今天天气", "", "naïve café", "a b c"]
LISTS = [["the dog", "a cat"], ["今天"], [""], ["café"], ["c", "b", "a"]]


def compute(predictions, references):
    return ROUGE.compute(predictions, references)


CHECKS = [pytest.param(compute, id="compute"), pytest.param(check_inputs, id="check_inputs")]


def refused(check, predictions, references, error: type[Exception], *fragments: str) -> None:
    """The call raises ``error`` itself, with all fragments in the message, and leaves no state behind."""
    with pytest.raises((TypeError, ValueError)) as raised:
        check(predictions, references)
    assert raised.type is error
    for fragment in fragments:
        assert fragment in str(raised.value)
    assert ROUGE.compute(["a b"], ["a c"]) == {"rouge1": 0.5}


def changed(rows: list, index: int, value) -> list:
    return [*rows[:index], value, *rows[index + 1 :]]


# A value that is no text, and what the message shows of it
NOT_TEXTS = [
    (np.float64("nan"), "nan"),
    (pd.NA, "<NA> (NAType)"),
    (pd.NaT, "NaT (NaTType)"),
    (7, "7 (int)"),
    (True, "True (bool)"),
    (np.int64(7), "7"),
    (b"text", "b'text' (bytes)"),
    (bytearray(b"text"), "bytearray(b'text') (bytearray)"),
    ({"text": "a"}, "{'text': 'a'} (dict)"),
    ({"a"}, "{'a'} (set)"),
    (pa.scalar("a"), "(StringScalar)"),
    (None, "None (NoneType)"),
]


@pytest.mark.parametrize("check", CHECKS)
def test_value_that_is_no_text_is_named(check):
    for value, shown in NOT_TEXTS:
        string, lists = (shown, "must be a string"), (shown, "a list of strings")
        refused(check, changed(TEXTS, 3, value), TEXTS, TypeError, "predictions[3] is ", *string)
        refused(check, TEXTS, changed(TEXTS, 3, value), TypeError, "references[3] is ", *string)
        refused(check, TEXTS, changed(TEXTS, 0, value), TypeError, "references[0] is ", *lists)
        refused(check, TEXTS, changed(LISTS, 2, ["fine", value]), TypeError, "references[2][1] is ", *string)
        refused(check, TEXTS, changed(LISTS, 4, value), TypeError, "references[4] is ", *lists)


@pytest.mark.parametrize("check", CHECKS)
def test_list_in_place_of_a_text(check):
    for value, shown in ((["a"], "['a'] (list)"), (("a",), "('a',) (tuple)"), (np.array(["a"]), "(ndarray)")):
        refused(check, changed(TEXTS, 1, value), TEXTS, TypeError, "predictions[1] is ", shown, "must be a string")
    refused(check, TEXTS, changed(LISTS, 2, ["fine", ["a"]]), TypeError, "references[2][1] is ['a'] (list)")


@pytest.mark.parametrize("check", CHECKS)
def test_rows_of_two_kinds(check):
    rows = "references[2] is a list", "rows before are strings", "give"
    refused(check, TEXTS, changed(TEXTS, 2, ["a"]), TypeError, *rows)
    for text in ("a", "", np.str_("a")):
        rows = "references[2] is a string", "rows before are lists", "give"
        refused(check, TEXTS, changed(LISTS, 2, text), TypeError, *rows)


# A whole column of the wrong kind, and what the message shows of it
NOT_COLUMNS = [
    (np.str_("the cat"), "the cat"),
    (b"the cat", "one bytes, b'the cat'; give a list"),
    (bytearray(b"cat"), "one bytearray"),
    (frozenset({"a"}), "a frozenset"),
    (float("nan"), "nan (float)"),
    (len, "builtin"),
    (np.array("the cat"), ""),
]


@pytest.mark.parametrize("check", CHECKS)
def test_value_that_is_no_column(check):
    for value, shown in NOT_COLUMNS:
        refused(check, value, ["a"], TypeError, "predictions is ", shown, "give a list")
        refused(check, ["a"], value, TypeError, "references is ", shown, "give a list")
    refused(check, ["a"], [np.array("the cat")], TypeError, "references[0] is ", "list")


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize(
    "make",
    hub_params(
        {
            "list": list,
            "tuple": tuple,
            "iterator": iter,
            "numpy": np.array,
            "pandas": lambda rows: pd.Series(rows, dtype=object),
            "polars": lambda rows: pl.Series(rows),
        }
    ),
)
def test_no_rows(check, make):
    refused(check, make([]), [], ValueError, "empty", "at least one")


@pytest.mark.parametrize("check", CHECKS)
def test_unequal_lengths(check):
    for n_predictions, n_references in ((2, 3), (3, 2), (0, 1), (1, 0)):
        message = f"{n_predictions} predictions but {n_references} references"
        for row in ("a", ["a"]):
            rows = ["a"] * n_predictions, [row] * n_references
            refused(check, *rows, ValueError, message, "one row of references")


@pytest.mark.parametrize("check", CHECKS)
def test_row_without_reference(check):
    for row, empty in itertools.product((0, 3), ([], (), np.array([], dtype=object))):
        message = f"references[{row}] is empty"
        refused(check, TEXTS, changed(LISTS, row, empty), ValueError, message, "at least one reference")


@pytest.mark.parametrize("check", CHECKS)
def test_lone_surrogate(check):
    for text, surrogate, place in (
        ("ab\ud83d", r"'\ud83d'", 2),
        ("\ude00ab", r"'\ude00'", 0),
        ("今\ud83d\ude00", r"'\ud83d'", 1),
    ):
        fragments = (f"lone surrogate {surrogate} at character {place}", "clean it")
        refused(check, changed(TEXTS, 1, text), TEXTS, ValueError, "predictions[1]", *fragments)
        refused(check, TEXTS, changed(TEXTS, 4, text), ValueError, "references[4]", *fragments)
        refused(check, TEXTS, changed(LISTS, 4, ["a", text]), ValueError, "references[4][1]", *fragments)


def test_advice_on_surrogates_helps():
    for broken in ("\ud83d\ude00 ok", "ok \ud83d", "\ude00 ok"):
        cleaned = broken.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        assert check_inputs([cleaned], ["ok"]).predictions == [cleaned]


@pytest.mark.parametrize("check", CHECKS)
def test_long_value_is_shortened_and_the_first_bad_row_named(check):
    with pytest.raises(TypeError) as raised:
        check(["a"], [b"x" * 10_000])
    assert len(str(raised.value)) < 200
    refused(check, ["a", None, 5], ["a", "b", "c"], TypeError, "predictions[1] is None")


BAD_COLUMNS = {
    "pandas-none": (lambda: pd.Series(["a", None]), "[1] is"),
    "pandas-string-none": (lambda: pd.Series(["a", None], dtype="string"), "[1] is <NA>"),
    "pandas-str-none": (lambda: pd.Series(["a", None], dtype="str"), "[1] is nan"),
    "pandas-numbers": (lambda: pd.Series([0.5, 1.5]), "[0] is 0.5 (float)"),
    "polars-none": (lambda: pl.Series(["a", None]), "[1] is None"),
    "polars-numbers": (lambda: pl.Series([1, 2]), "[0] is 1 (int)"),
    "arrow-none": (lambda: pa.array(["a", None]), "[1] is None"),
    "arrow-binary": (lambda: pa.array([b"a", b"b"]), "[0] is b'a' (bytes)"),
    "numpy-nan": (lambda: np.array(["a", np.nan], dtype=object), "[1] is nan (float)"),
    "numpy-bytes": (lambda: np.array([b"a", b"b"]), "[0] is b'a' (bytes)"),
    "numpy-numbers": (lambda: np.array([1, 2]), "[0] is 1 (int)"),
    "numpy-2d": (lambda: np.array([["a"], ["b"]]), "[0] is ['a'] (list)"),
    "datasets-none": (lambda: datasets.Dataset.from_dict({"text": ["a", None]})["text"], "[1] is None"),
}
BAD_LIST_COLUMNS = {
    "polars-row": (lambda: pl.Series([["a"], None]), "[1] is None"),
    "polars-item": (lambda: pl.Series([["a"], ["b", None]]), "[1][1] is None"),
    "arrow-row": (lambda: pa.array([["a"], None]), "[1] is None"),
    "arrow-item": (lambda: pa.array([["a"], ["b", None]]), "[1][1] is None"),
    "numpy-item": (lambda: np.array([["a", "b"], ["c", None]], dtype=object), "[1][1] is None"),
    "numpy-numbers": (lambda: np.array([[1, 2], [3, 4]]), "[0][0] is 1 (int)"),
    "pandas-row": (lambda: pd.Series([["a"], np.nan]), "[1] is nan (float)"),
}


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("column", hub_params(BAD_COLUMNS))
def test_bad_row_in_a_column(check, column):
    make, message = column
    refused(check, make(), ["a", "b"], TypeError, f"predictions{message}", "must be a string")


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("column", hub_params(BAD_LIST_COLUMNS))
def test_bad_row_in_a_column_of_lists(check, column):
    make, message = column
    refused(check, ["a", "b"], make(), TypeError, f"references{message}", "string")


def test_first_row_and_kind_carry_over_to_later_batches():
    with pytest.raises(TypeError, match=re.escape("predictions[11] is None")):
        check_inputs(["a", None], ["a", "b"], first_row=10)
    with pytest.raises(TypeError, match=re.escape("references[10][0] is None")):
        check_inputs(["a"], [[None]], first_row=10)
    with pytest.raises(TypeError, match=re.escape("references[10] is a string, but the rows before are lists")):
        check_inputs(["a"], ["b"], first_row=10, reference_kind="list")
    with pytest.raises(TypeError, match=re.escape("references[10] is a list, but the rows before are strings")):
        check_inputs(["a"], [["b"]], first_row=10, reference_kind="text")
    assert check_inputs(["a"], [["b"]], first_row=10, reference_kind="list").references == [["b"]]


# Every container that is allowed


def list_dataset():
    features = datasets.Features({"text": datasets.Value("string"), "lists": datasets.List(datasets.Value("string"))})
    return datasets.Dataset.from_dict({"text": TEXTS, "lists": LISTS}, features=features)


def object_array(rows: list) -> np.ndarray:
    array = np.empty(len(rows), dtype=object)
    array[:] = rows
    return array


TEXT_COLUMNS = {
    "list": list,
    "tuple": tuple,
    "generator": lambda rows: (row for row in rows),
    "map": lambda rows: map(str, rows),
    "dict-values": lambda rows: dict(enumerate(rows)).values(),
    "numpy-object": object_array,
    "numpy-str": np.array,
    "numpy-StringDType": lambda rows: np.array(rows, dtype=np.dtypes.StringDType()),
    "list-of-np-str": lambda rows: [np.str_(row) for row in rows],
    "pandas": pd.Series,
    "pandas-object": lambda rows: pd.Series(rows, dtype=object),
    "pandas-string": lambda rows: pd.Series(rows, dtype="string"),
    "pandas-pyarrow": lambda rows: pd.Series(rows, dtype=pd.ArrowDtype(pa.string())),
    "pandas-category": lambda rows: pd.Series(rows, dtype="category"),
    "pandas-other-index": lambda rows: pd.Series(rows, index=range(10, 10 + len(rows))),
    "pandas-index": pd.Index,
    "pandas-array": lambda rows: pd.array(rows, dtype="string"),
    "pandas-column": lambda rows: pd.DataFrame({"text": rows})["text"],
    "polars": lambda rows: pl.Series(rows),
    "polars-categorical": lambda rows: pl.Series(rows, dtype=pl.Categorical),
    "polars-column": lambda rows: pl.DataFrame({"text": rows})["text"],
    "arrow": pa.array,
    "arrow-large": lambda rows: pa.array(rows, pa.large_string()),
    "arrow-view": lambda rows: pa.array(rows, pa.string_view()),
    "arrow-dictionary": lambda rows: pa.array(rows).dictionary_encode(),
    "arrow-chunked": lambda rows: pa.chunked_array([pa.array(rows[:2]), pa.array(rows[2:])]),
    "arrow-table-column": lambda rows: pa.table({"text": rows})["text"],
    "datasets": lambda _rows: list_dataset()["text"],
    "datasets-slice": lambda _rows: list_dataset()[:]["text"],
    "datasets-numpy": lambda _rows: list_dataset().with_format("numpy")[:]["text"],
    "datasets-arrow": lambda _rows: list_dataset().with_format("arrow")[:]["text"],
    "datasets-pandas": lambda _rows: list_dataset().with_format("pandas")[:]["text"],
}


@pytest.mark.parametrize("make", hub_params(TEXT_COLUMNS))
def test_column_of_texts(make):
    inputs = check_inputs(make(TEXTS), make(TEXTS))
    assert inputs[:3] == (TEXTS, [[text] for text in TEXTS], "text")
    assert {type(text) for text in [*inputs.predictions, *sum(inputs.references, [])]} == {str}  # noqa: RUF017
    assert ROUGE.compute(make(TEXTS), TEXTS, use_aggregator=False) == {"rouge1": [1.0, 1.0, 0.0, 1.0, 1.0]}


LIST_COLUMNS = {
    "list": list,
    "tuples": lambda rows: tuple(map(tuple, rows)),
    "generators": lambda rows: ((text for text in row) for row in rows),
    "numpy-object": object_array,
    "numpy-rows": lambda rows: [np.array(row) for row in rows],
    "numpy-object-rows": lambda rows: [np.array(row, dtype=object) for row in rows],
    "list-of-np-str": lambda rows: [[np.str_(text) for text in row] for row in rows],
    "pandas": pd.Series,
    "pandas-rows": lambda rows: list(map(pd.Series, rows)),
    "pandas-arrow-lists": lambda rows: pd.Series(rows, dtype=pd.ArrowDtype(pa.list_(pa.string()))),
    "polars": lambda rows: pl.Series(rows),
    "polars-rows": lambda rows: list(map(pl.Series, rows)),
    "polars-object": lambda rows: pl.Series(rows, dtype=pl.List(pl.String)),
    "arrow": pa.array,
    "arrow-large": lambda rows: pa.array(rows, pa.large_list(pa.string())),
    "arrow-chunked": lambda rows: pa.chunked_array([pa.array(rows[:1]), pa.array(rows[1:])]),
    "arrow-rows": lambda rows: list(map(pa.array, rows)),
    "datasets": lambda _rows: list_dataset()["lists"],
    "datasets-slice": lambda _rows: list_dataset()[:]["lists"],
    "datasets-numpy": lambda _rows: list_dataset().with_format("numpy")[:]["lists"],
    "datasets-arrow": lambda _rows: list_dataset().with_format("arrow")[:]["lists"],
    "datasets-pandas": lambda _rows: list_dataset().with_format("pandas")[:]["lists"],
    "datasets-polars": lambda _rows: list_dataset().with_format("polars")[:]["lists"],
}


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
    assert {type(text) for text in [*inputs.predictions, *sum(inputs.references, [])]} == {str}  # noqa: RUF017


TABLES = {
    "pandas": lambda: pd.DataFrame({"prediction": ["a", "b"], "reference": ["c", "d"]}),
    "polars": lambda: pl.DataFrame({"prediction": ["a", "b"]}),
    "arrow": lambda: pa.table({"prediction": ["a", "b"]}),
    "datasets": lambda: datasets.Dataset.from_dict({"prediction": ["a", "b"]}),
}


@pytest.mark.parametrize("make", hub_params(TABLES))
@pytest.mark.parametrize("check", CHECKS)
def test_table_is_refused(check, make):
    table = make()
    refused(check, table, ["a", "b"], TypeError, "predictions is a table", "one of its columns")
    refused(check, ["a", "b"], table, TypeError, "references is a table", "one of its columns")


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


needs_proc = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads memory from /proc (Linux)")


def score_long_texts(engine: str, n_words: int, line: int) -> dict:
    """Two texts of 100,000 tokens in lines of ``line`` tokens, in a process of their own."""
    split = "none" if line >= 100_000 else "newline"
    values = {"ENGINE": engine, "N_WORDS": n_words, "LINE": line, "SPLIT": split}
    head = "\n".join(f"{name} = {value!r}" for name, value in values.items())
    done = subprocess.run(
        [sys.executable, "-c", head + LONG_TEXTS], capture_output=True, text=True, timeout=900, check=True
    )
    return json.loads(done.stdout)


@needs_proc
@pytest.mark.process
@pytest.mark.parametrize(
    ("engine", "line"), [("plain", 100_000), ("plain", 500), ("compiled", 100_000), ("compiled", 50)]
)
def test_100_000_tokens_in_bounded_memory(engine, line):
    result = score_long_texts(engine, 5_000, line)
    scores = result["scores"]
    # by chance alone: 20 occurrences of each of 5,000 words on either side share 7/8 of them
    assert 0.85 < scores["rouge1"] < 0.9
    assert 0 < scores["rouge2"] < scores["rougeL"] <= scores["rougeLsum"] < scores["rouge1"] + 0.01
    assert result["megabytes"] < 300
    assert result["seconds"] < 30


@needs_proc
@pytest.mark.process
def test_100_000_tokens_of_many_distinct_words_in_bounded_memory():
    assert score_long_texts("plain", 30_000, 100_000)["megabytes"] < 300
