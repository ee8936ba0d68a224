"""``ds.map(rouge.score_batch, batched=True)``: the scores of each row as columns of a data set."""

from pathlib import Path

import evaluate
import pytest
from datasets import Dataset, disable_caching
from datasets.fingerprint import Hasher

from polyrouge import Rouge

pytestmark = pytest.mark.hub

ROOT = Path(__file__).resolve().parents[2]
ROWS = {
    "summary": ["今天天气很好", "明天下雨", "他们来", ""],
    "gold": ["今天天气不错", "明天下雨", "她今天来了吗", "空"],
}
NAMES = {"predictions": "summary", "references": "gold"}
ROUGE = Rouge("zh_char", rouge_types=["rouge1", "rougeL"])
EXPECTED = ROUGE.compute(ROWS["summary"], ROWS["gold"], use_aggregator=False)

disable_caching()


@pytest.fixture(params=["package", "evaluate"])
def rouge(request, tmp_path):
    if request.param == "package":
        return ROUGE
    options = {"rouge_types": ["rouge1", "rougeL"], "cache_dir": str(tmp_path / "rows")}
    return evaluate.load(str(ROOT / "rouge_metric.py"), "zh_char", **options)


@pytest.mark.parametrize("processes", [None, 2])
def test_map_adds_the_columns(rouge, processes):
    data = Dataset.from_dict(ROWS).map(
        rouge.score_batch, batched=True, batch_size=3, num_proc=processes, fn_kwargs=NAMES | {"prefix": "zh_"}
    )

    assert data.column_names == ["summary", "gold", "zh_rouge1", "zh_rougeL"]
    assert {name: data[f"zh_{name}"][:] for name in EXPECTED} == EXPECTED


def test_default_columns_lists_of_references_and_settings():
    references = [["今天天气不错", "好"], ["下雨"]]
    data = Dataset.from_dict({"prediction": ROWS["summary"][:2], "references": references})

    scored = data.map(ROUGE.score_batch, batched=True, fn_kwargs={"output": "all", "scale": 100})

    expected = ROUGE.score(ROWS["summary"][:2], references, scale=100)
    assert {name: scored[name][:] for name in expected} == {name: column.tolist() for name, column in expected.items()}


def test_same_data_is_not_scored_twice():
    """The function has the same fingerprint in every process, so ``datasets`` finds its cache."""
    same, other = (Rouge("zh_char", rouge_types=types) for types in (["rouge1", "rougeL"], ["rouge2"]))
    same.compute(["a"], ["a"])  # what it keeps of its calls does not count

    assert Hasher.hash(ROUGE.score_batch) == Hasher.hash(same.score_batch) != Hasher.hash(other.score_batch)


def test_weighted_sum_of_the_types():
    rouge = Rouge("zh_char", rouge_types=["rouge1", "rougeL"], confidence=0.9)  # an interval is not one row's
    scored = rouge.score_batch(ROWS, **NAMES, weights=(0.5, 0.5))

    assert scored == EXPECTED | {"weighted": [sum(pair) / 2 for pair in zip(*EXPECTED.values(), strict=True)]}
    assert ROUGE.score_batch({"summary": [], "gold": []}, **NAMES, weights=(0.5, 0.5)).keys() == scored.keys()


def test_bad_use_says_what_is_allowed():
    with pytest.raises(KeyError, match="There is no column 'prediction'; name one of 'summary', 'gold' by fn_kwargs"):
        ROUGE.score_batch(ROWS)
    with pytest.raises(TypeError, match="batched=True"):
        ROUGE.score_batch({"prediction": "a", "references": "a"})
