"""The polars namespaces: ``df.rouge``, ``lf.rouge`` and ``pl.col(...).rouge``."""

import polars as pl
import pytest

import polyrouge.polars  # noqa: F401 registers the namespaces
from polyrouge import Rouge

pytestmark = pytest.mark.hub

DATA = {
    "prediction": ["今天天气很好。", "the cat sat", "", "a b"],
    "reference": ["今天天气不错。", "a cat sat", "x", "B a"],
    "references": [["今天", "天气很好"], ["the cat", "a dog"], ["x"], ["b"]],
}


@pytest.fixture(name="frame")
def _frame():
    return pl.DataFrame(DATA)


@pytest.mark.parametrize("references", ["reference", "references"])
def test_scores_are_columns_behind_the_others(frame, references):
    columns = Rouge(output="all").score(DATA["prediction"], DATA[references])
    lazy = frame.lazy().rouge.score("prediction", references, output="all", prefix="my_")
    for scored in (
        frame.rouge.score("prediction", references, output="all", prefix="my_"),
        lazy.collect(),
        lazy.collect(engine="streaming"),
    ):
        assert scored.columns == [*frame.columns, *(f"my_{name}" for name in columns)]
        for name, values in columns.items():
            assert scored[f"my_{name}"].to_list() == values.tolist()
            assert scored[f"my_{name}"].dtype == pl.Float64


def test_an_expression_gives_a_struct(frame):
    scores = pl.col("prediction").rouge.score(
        pl.col("references"), convention="zh_char", rouge_types=["rouge1", "rougeL"]
    )
    selected = frame.select(scores)
    assert selected.schema == {"rouge": pl.Struct({"rouge1": pl.Float64, "rougeL": pl.Float64})}
    expected = Rouge("zh_char", rouge_types=["rouge1", "rougeL"]).score(DATA["prediction"], DATA["references"])
    assert selected["rouge"].struct.field("rougeL").to_list() == expected["rougeL"].tolist()
    upper = pl.col("prediction").str.to_uppercase().rouge.score("reference", lowercase=False)
    assert frame.select(upper.struct.field("rouge1"))["rouge1"].to_list()[3] == 0.5
    best = frame.filter(pl.col("prediction").rouge.score("reference").struct.field("rouge1") > 0.9)
    assert best["prediction"].to_list() == ["a b"]


def test_scores_within_groups(frame):
    grouped = frame.with_columns(group=pl.Series([1, 2, 1, 2])).group_by("group", maintain_order=True)
    means = grouped.agg(pl.col("prediction").rouge.score("reference").struct.field("rouge1").mean())
    each = Rouge().score(DATA["prediction"], DATA["reference"])["rouge1"]
    assert means["rouge1"].to_list() == pytest.approx([each[[0, 2]].mean(), each[[1, 3]].mean()])


def test_compute_is_that_of_rouge(frame):
    expected = Rouge("zh_word").compute(DATA["prediction"], DATA["references"])
    assert frame.rouge.compute("prediction", "references", convention="zh_word") == expected
    assert frame.lazy().rouge.compute("prediction", "references", convention="zh_word") == expected


def test_a_null_is_refused_with_its_row(frame):
    broken = pl.concat([frame, pl.DataFrame({"prediction": [None], "reference": ["a"]})], how="diagonal")
    for call in (
        broken.rouge.score,
        broken.rouge.compute,
        lambda: broken.lazy().rouge.score().collect(engine="streaming"),
        lambda: broken.select(pl.col("prediction").rouge.score("reference")),
    ):
        with pytest.raises(TypeError, match=r"predictions\[4\] is None"):
            call()
    with pytest.raises(TypeError, match=r"references\[4\] is None"):
        broken.rouge.score("reference", "references")


def test_what_can_not_work_is_refused_at_once(frame):
    for call in (frame.rouge.score, frame.lazy().rouge.score, pl.col("prediction").rouge.score):
        with pytest.raises(TypeError, match="Did you mean 'tokenizer'"):
            call(tokeniser="mixed")
    with pytest.raises(pl.exceptions.ColumnNotFoundError):
        frame.rouge.score("predictions")
    with pytest.raises(pl.exceptions.DuplicateError):
        frame.with_columns(rouge1=1).rouge.score()


def test_an_empty_table_gets_empty_columns(frame):
    scored = frame.clear().rouge.score(rouge_types=["rouge1"])
    assert scored.schema["rouge1"] == pl.Float64
    assert len(scored) == 0
