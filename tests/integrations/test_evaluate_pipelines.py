"""evaluate runs pipelines with this metric: its ``evaluator``, an ``EvaluationSuite``. Its numbers are ours."""

from pathlib import Path

# pyright: reportIndexIssue=false
# (evaluate says less in its annotations than it gives)
import evaluate
import pytest
import torch
from datasets import Dataset
from tiny_parts import fit, read_rows, tiny_seq2seq_model, tiny_tokenizer
from transformers import pipeline

from polyrouge import Rouge

ROOT = Path(__file__).resolve().parents[2]
TYPES = ["rouge1", "rouge2", "rougeL"]


@pytest.fixture(scope="module")
def topics(rows):
    return [row["document_topic"] for row in rows]


@pytest.fixture(scope="module")
def summarizer():
    """A T5 that was trained for a second, on the CPU."""
    rows = read_rows(34)
    torch.manual_seed(0)
    tokenizer = tiny_tokenizer(rows)
    model = tiny_seq2seq_model(tokenizer)
    fit(model, tokenizer, rows)
    model.generation_config.max_length = 24
    return pipeline("summarization", model=model, tokenizer=tokenizer, device=-1)


@pytest.fixture
def load(monkeypatch, tmp_path):
    """``evaluate.load``, which takes our script for the one on the Hub."""
    load_any = evaluate.load

    def load_local(path, *args, **options):
        assert path == "polyrouge/rouge_metric"
        return load_any(str(ROOT / "rouge_metric.py"), *args, cache_dir=str(tmp_path), **options)

    monkeypatch.setattr(evaluate, "load", load_local)
    return load_local


def generated(summarizer, topics):
    return [each["summary_text"] for each in summarizer(topics)]


def test_evaluator(summarizer, load, topics, references):
    data = Dataset.from_dict({"text": topics, "label": references})
    metric = load("polyrouge/rouge_metric", "zh_char", rouge_types=TYPES)
    result = evaluate.evaluator("summarization").compute(summarizer, data, metric=metric)
    expected = Rouge("zh_char", rouge_types=TYPES).compute(generated(summarizer, topics), references)
    assert expected["rouge1"] > 0.05
    assert {kind: result[kind] for kind in TYPES} == expected


def test_suite(summarizer, topics, references, monkeypatch):
    """It takes the metric of the installation, so it needs no Hub."""
    monkeypatch.chdir(ROOT)  # where the suite finds its data
    suite = evaluate.EvaluationSuite.load(str(ROOT / "examples" / "harnesses" / "evaluation_suite.py"))
    (result,) = suite.run(summarizer)
    expected = Rouge("zh_char", rouge_types=TYPES).compute(generated(summarizer, topics), references)
    assert {kind: result[kind] for kind in TYPES} == expected
