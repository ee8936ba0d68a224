"""Numbers at the ends of their ranges: every score is a number, and the signature leads back."""

import enum
import math
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyrouge import Rouge, RougeSettings
from polyrouge.errors import RefusedValue
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


@pytest.mark.parametrize("name", NUMBERS)
def test_bounds(name):
    allowed = NUMBERS[name]
    if allowed.is_open:
        outside = [allowed.low, allowed.high, math.nan]
    elif allowed.kind is int:
        outside = [allowed.low - 1, allowed.high + 1, 10**5000]
    else:
        outside = [math.nextafter(allowed.low, -1), math.nextafter(allowed.high, 1e99), math.nan, math.inf]
    for value in {*ends(name), *([] if allowed.is_open else [np.uint8(1)])} - {None}:
        number = RougeSettings(**grouped({name: value})).value(name)
        assert (number, type(number)) == (value, allowed.kind)
    for value in outside:
        with pytest.raises(RefusedValue) as raised:
            RougeSettings(**grouped({name: value}))
        assert raised.value.field == name


def check_scores(rouge: Rouge) -> None:
    with np.errstate(all="raise", under="ignore"):
        result = rouge.compute(PREDICTIONS, REFERENCES)
        columns = rouge.score(PREDICTIONS, REFERENCES)
    assert all(map(math.isfinite, result.values()))
    assert all(np.isfinite(column).all() for column in columns.values())
    assert RougeSettings.from_signature(rouge.signature()) == rouge.settings


SCORING = ("weight", "beta", "alpha", "epsilon", "round_each", "round_result", "scale")


@pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
@given(
    st.fixed_dictionaries({name: st.sampled_from(ends(name)) for name in SCORING}),
    st.sampled_from(
        [
            {},
            *({"max_words": 1}, {"max_words": 10**9}, {"max_bytes": 1}, {"max_characters": 10**9}),
            {"multi_reference": "pooled", "aggregate": "micro"},
            {"aggregate": "f_of_means"},
            {"confidence": 0.9, "n_resamples": 5},
            {"definition": "rouge155"},
            {"lcs": "pairwise_sum", "quirks": ["powered_lcs"]},
            {"quirks": ["percent_ratios", "rounded_ratios"]},
            {"multi_reference": "first", "aggregate": "running_mean", "weights": [1e9, -1e9] * 4},
        ]
    ),
    st.sampled_from(["plain", "compiled"]),
)
def test_ends_of_several_ranges(numbers, others, engine):
    if numbers["alpha"] is not None:  # which decides in place of beta
        del numbers["beta"]
    check_scores(Rouge(rouge_types=TYPES, output="all", engine=engine, **grouped({**numbers, **others})))


def test_out_of_range():
    for gap in (LARGEST_GAP + 1, "9" * 5000):
        for name in ("rougeS", "rougeSU"):
            with pytest.raises(ValueError, match=f"the gap must be at most 1000000; {name} takes any gap"):
                RougeSettings(rouge_types=[f"{name}{gap}"])
    for values in ({"weights": [math.nan]}, {"weights": [10**400]}, {"quirks": [["float32"]]}):
        with pytest.raises(RefusedValue):
            RougeSettings(**grouped({"rouge_types": ["rouge1"], **values}))


def test_largest_gap_is_any_gap_in_both_engines():
    draw = np.random.default_rng(0)
    texts = [" ".join(f"w{token}" for token in draw.integers(0, 200, 500)) for _ in range(4)]
    for engine in ("plain", "compiled"):
        for name in ("rougeS", "rougeSU"):
            rouge = Rouge(rouge_types=[f"{name}{LARGEST_GAP}", name], engine=engine)
            largest, any_gap = (rouge.score(texts[:2], texts[2:])[each].tolist() for each in rouge.settings.rouge_types)
            assert largest == any_gap


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


def test_column_of_numpy_is_no_value():
    for name in ("normalize", "lowercase", "tokenizer", "sentence_split"):
        with pytest.raises((TypeError, ValueError), match=name):
            RougeSettings(**grouped({name: np.array(["a", "b"])}))


def test_files_with_names_that_are_no_text(tmp_path):
    folder = os.fsdecode(os.path.join(os.fsencode(tmp_path), b"tables\xff"))
    os.mkdir(folder)
    words = Path(folder, os.fsdecode(b"words\xfe.txt"))
    words.write_text("云计算 5\n", encoding="utf-8")
    signature = RougeSettings(tokenizer="jieba", jieba_dict=words).signature()
    assert "|dict:words%ED%B3%BE.txt#" in signature
    assert RougeSettings.from_signature(signature, jieba_dict=str(words)).jieba_dict == str(words)
    signature = RougeSettings(tool={"word_tables": folder}).signature()
    assert signature.isascii()
    assert RougeSettings.from_signature(signature, word_tables=folder).tool.word_tables == folder
    words.write_text("创新办 3\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"word_tables=.*but the signature says"):
        RougeSettings.from_signature(signature, word_tables=folder)
