"""The pandas accessor: ``df.rouge``."""

import numpy as np
import pandas as pd
import pytest

import polyrouge.pandas  # noqa: F401 registers the accessors
from polyrouge import Rouge, compare_systems


@pytest.fixture(name="frame")
def _frame():
    columns = {
        "prediction": ["今天天气很好。", "the cat sat", ""],
        "reference": ["今天天气不错。", "a cat sat", "x"],
        "references": [["今天", "天气很好"], np.array(["the cat", "a dog"]), ("x",)],
        "other": ["天气", "the dog", "x"],
    }
    return pd.DataFrame(columns, index=["a", "b", "a"])


def test_scores_are_columns_behind_the_others(frame):
    for references in ("reference", "references"):
        scored = frame.rouge.score("prediction", references, output="all", prefix="my_")
        columns = Rouge(output="all").score(list(frame["prediction"]), list(frame[references]))
        assert list(scored.columns) == [*frame.columns, *(f"my_{name}" for name in columns)]
        assert scored.index.equals(frame.index)
        for name, values in columns.items():
            assert scored[f"my_{name}"].tolist() == values.tolist()
    assert list(frame.columns) == ["prediction", "reference", "references", "other"]


def test_conventions_and_settings_are_those_of_rouge(frame):
    scored = frame.rouge.score("prediction", "reference", convention="zh_word", rouge_types=["rougeL"], scale=100)
    expected = Rouge("zh_word", rouge_types=["rougeL"], scale=100).score(frame["prediction"], frame["reference"])
    assert scored["rougeL"].tolist() == expected["rougeL"].tolist()
    assert "rouge1" not in scored
    skipped = frame.rouge.score(empty="skip")["rouge1"]
    assert np.isnan(skipped.to_numpy()).tolist() == [False, False, True]


def test_compute_explain_and_compare(frame):
    assert frame.rouge.compute("prediction", "references") == Rouge().compute(frame["prediction"], frame["references"])
    explained = frame.rouge.explain("b", "prediction", "reference", rouge_types=["rouge1"])
    assert explained["rouge1"].fmeasure == frame.rouge.score()["rouge1"].iloc[1]
    wide = pd.concat([frame] * 8)
    systems = {name: list(wide[name]) for name in ("prediction", "other")}
    comparison = wide.rouge.compare("prediction", "other", n_resamples=100)
    assert comparison.pairs == compare_systems(systems, list(wide["reference"]), n_resamples=100).pairs


def test_a_missing_value_is_refused_with_its_row(frame):
    for missing in (None, np.nan, pd.NA):
        frame["prediction"] = ["a", missing, "b"]
        with pytest.raises(TypeError, match=r"predictions\[1\] is"):
            frame.rouge.score()
        with pytest.raises(TypeError, match=r"predictions\[1\] is"):
            frame.rouge.compute()


def test_columns_that_are_not_there_or_there_already_are_refused(frame):
    for call in (frame.rouge.score, frame.rouge.compute):
        with pytest.raises(KeyError, match="There is no column 'predictions'; name one of 'prediction', 'reference'"):
            call("predictions")
    with pytest.raises(ValueError, match="has a column 'rouge2' already; give a prefix"):
        frame.assign(rouge2=1).rouge.score()
    with pytest.raises(TypeError, match="Did you mean 'tokenizer'"):
        frame.rouge.score(tokeniser="mixed")


def test_an_empty_table_gets_empty_columns():
    scored = pd.DataFrame({"prediction": [], "reference": []}, dtype=str).rouge.score(rouge_types=["rouge1"])
    assert (len(scored), scored["rouge1"].dtype) == (0, np.float64)
