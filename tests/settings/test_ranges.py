"""Numbers at the ends of their ranges: every score is a number, and the signature leads back."""

import enum
import math
import os
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyrouge import Rouge, RougeSettings
from polyrouge.settings.allowed_values import Range
from polyrouge.settings.rouge_settings import ALL_SETTINGS, grouped
from polyrouge.settings.rouge_types import LARGEST_GAP

NUMBERS = {name: setting.values for name, setting in ALL_SETTINGS.items() if isinstance(setting.values, Range)}
TYPES = ["rouge1", "rouge9", "rougeL", "rougeLsum", "rougeW", "rougeS", "rougeSU0", f"rougeSU{LARGEST_GAP}"]
SENTENCES = "\n".join(" ".join(f"w{(i * j) % 7}" for i in range(j % 5 + 1)) for j in range(90))
PREDICTIONS = ["the cat sat on the mat", "a b c d\ne f g h", SENTENCES, "x " * 300, "", "x", "Émile a b"]
REFERENCES = ["the cat sat on the mat", "a b c d\ne f g h", SENTENCES[::-1], "x " * 300, "", "y", "a b Émile"]


def ends(name: str) -> list:
    """The smallest and the largest value, and what lies just within an end that is excluded."""
    allowed = NUMBERS[name]
    low, high = allowed.kind(allowed.low), allowed.kind(allowed.high)
    if allowed.is_open:
        low, high = math.nextafter(low, 1), math.nextafter(high, 0)
    return [low, high, *([None] if allowed.may_be_none else [])]


COUNTING = (
    "weight",
    "max_words",
    "max_bytes",
    "max_characters",
)  # what an engine looks at; scores are made by one road


def check_scores(rouge: Rouge) -> None:
    with np.errstate(all="raise", under="ignore"):
        result = rouge.compute(PREDICTIONS, REFERENCES)
        columns = rouge.score(PREDICTIONS, REFERENCES)
    assert all(map(math.isfinite, result.values()))
    assert all(np.isfinite(column).all() for column in columns.values())
    assert RougeSettings.from_signature(rouge.signature()) == rouge.settings


@pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
@pytest.mark.parametrize(
    ("name", "value", "engine"),
    [
        (name, value, engine)
        for name in NUMBERS
        if name != "n_resamples"
        for value in ends(name)
        for engine in (("plain", "compiled") if name in COUNTING else ("compiled",))
    ],
)
def test_end_of_a_range(name, value, engine):
    check_scores(Rouge(rouge_types=TYPES, output="all", engine=engine, **grouped({name: value})))


SCORING = ("weight", "beta", "alpha", "epsilon", "round_each", "round_result", "scale")


@pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
@given(
    st.fixed_dictionaries({name: st.sampled_from(ends(name)) for name in SCORING}),
    st.sampled_from(
        [
            {},
            {"multi_reference": "pooled", "aggregate": "micro"},
            {"aggregate": "f_of_means"},
            {"confidence": 0.9, "n_resamples": 5},
            {"definition": "rouge155"},
            {"lcs": "pairwise_sum", "quirks": ["powered_lcs"]},
            {"quirks": ["percent_ratios", "rounded_ratios"]},
            {"multi_reference": "first", "aggregate": "running_mean", "weights": [1e9, -1e9] * 4},
        ]
    ),
)
def test_ends_of_several_ranges(numbers, others):
    if numbers["alpha"] is not None:  # which decides in place of beta
        del numbers["beta"]
    check_scores(Rouge(rouge_types=TYPES, output="all", **grouped({**numbers, **others})))


def test_out_of_range():
    refused = [
        ({"weights": [math.nan]}, "A number of weights is nan; it must be at least -1000000000"),
        ({"weights": [10**400]}, "A number of weights is 1000"),
        ({"quirks": [["float32"]]}, "Unknown name in quirks ['float32']; choose one of"),
    ]
    for more in ("", "U"):
        message = f"the gap must be at most 1000000; rougeS{more} takes any gap"
        gaps = (LARGEST_GAP + 1, 99999999999, 2**63, "9" * 5000)
        refused += [({"rouge_types": [f"rougeS{more}{gap}"]}, message) for gap in gaps]
    for values, message in refused:
        with pytest.raises(ValueError, match=re.escape(message)):
            RougeSettings(**grouped({"rouge_types": ["rouge1"], **values}))


def test_largest_gap_is_any_gap_in_both_engines():
    draw = np.random.default_rng(0)
    texts = [" ".join(f"w{token}" for token in draw.integers(0, 200, 500)) for _ in range(4)]
    for more in ("", "U"):
        names = [f"rougeS{more}{LARGEST_GAP}", f"rougeS{more}"]
        for engine in ("plain", "compiled"):
            rouge = Rouge(rouge_types=names, engine=engine)
            largest, any_gap = (rouge.score(texts[:2] + texts[:1], texts[2:] + texts[:1])[name] for name in names)
            assert largest.tolist() == any_gap.tolist()
            assert largest[-1] == 1.0


def test_what_inherits_from_text_is_taken_as_text():
    words = [f"word{i:02}" for i in range(11)]
    plain = {"tokenizer": "jieba", "sentence_split": "zh", "ngram_counts": "set", "lowercase": "ascii"}
    names = enum.Enum("Name", {value: value for value in [*plain.values(), "rouge1"]}, type=str)
    members = {name: names(value) for name, value in plain.items()}
    expected = RougeSettings(**grouped(plain), rouge_types=["rouge1"], stop_words=words)
    for types, stop_words in (([names("rouge1")], map(np.str_, words)), (np.array(["rouge1"]), np.array(words))):
        settings = RougeSettings(**grouped(members), rouge_types=types, stop_words=stop_words)
        assert settings == expected
        assert settings.signature() == expected.signature()
        assert {type(settings.value(name)) for name in plain} == {str}


@pytest.mark.parametrize("name", ["normalize", "lcs", "lowercase", "tokenizer", "sentence_split", "empty"])
def test_column_of_numpy_is_no_value(name):
    with pytest.raises((TypeError, ValueError), match=name):
        RougeSettings(**grouped({name: np.array(["a", "b"])}))


def test_files_with_names_that_are_no_text(tmp_path):
    folder = os.fsdecode(os.path.join(os.fsencode(tmp_path), b"tables\xff"))
    os.mkdir(folder)
    words = os.path.join(folder, os.fsdecode(b"words\xfe.txt"))
    with open(words, "w", encoding="utf-8") as file:
        file.write("云计算 5\n")
    for path in (words, os.fsencode(words)):
        if isinstance(path, bytes):
            path = type("Path", (), {"__fspath__": lambda _self, path=path: path})()
        signature = RougeSettings(tokenizer="jieba", jieba_dict=path).signature()
        assert "|dict:words%ED%B3%BE.txt#" in signature
        assert RougeSettings.from_signature(signature, jieba_dict=words).jieba_dict == words
    signature = RougeSettings(tool={"word_tables": folder}).signature()
    assert signature.isascii()
    assert RougeSettings.from_signature(signature, word_tables=folder).tool.word_tables == folder
    with open(words, "a", encoding="utf-8") as file:
        file.write("创新办 3\n")
    with pytest.raises(ValueError, match=r"word_tables=.*but the signature says"):
        RougeSettings.from_signature(signature, word_tables=folder)
