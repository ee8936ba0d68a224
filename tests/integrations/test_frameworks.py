"""Frameworks for agents and answers run the metrics of ``examples/harnesses``: each number is ours, in any language."""

import asyncio
import json
import shutil
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import pytest

from polyrouge import Rouge

OUTPUTS = ["今天天气很好", "วันนี้อากาศดี", "今日は天気がいい", "the cat sat", ""]
REFERENCES = ["今天天气不错", "วันนี้อากาศร้อน", "今日は天気が悪い", "a cat sat", "a dog"]
OURS = Rouge(rouge_types=["rougeL"]).compute(OUTPUTS, REFERENCES, use_aggregator=False)["rougeL"]
EXAMPLES = Path(__file__).resolve().parents[2] / "examples/harnesses"
ROWS = list(zip(OUTPUTS, REFERENCES, strict=True))


@pytest.fixture(scope="module", autouse=True)
def silent():
    with pytest.MonkeyPatch.context() as patch:
        for name in ("AZURE_AI_EVALUATION_DISABLE_TELEMETRY", "RAGAS_DO_NOT_TRACK", "OPIK_TRACK_DISABLE"):
            patch.setenv(name, "true")
        patch.setenv("OPIK_SENTRY_ENABLE", "false")
        patch.setenv("DEEPEVAL_TELEMETRY_OPT_OUT", "YES")
        yield


def test_scores_are_of_every_language():
    assert OURS == pytest.approx([2 / 3, 0.8, 0.875, 2 / 3, 0])


def test_adk():
    """ADK reads the metric from its configuration, and scores turns of an agent."""
    from google.adk.evaluation.eval_case import Invocation
    from google.adk.evaluation.eval_config import EvalConfig, get_eval_metrics_from_config
    from google.adk.evaluation.metric_evaluator_registry import register_custom_metrics_from_config
    from google.genai.types import Content, Part

    path = "harnesses.adk_metric.rouge_match"
    config = EvalConfig(criteria={"rouge_match": 0.7}, custom_metrics={"rouge_match": {"code_config": {"name": path}}})
    turns = [
        [
            Invocation(user_content=Content(parts=[Part(text="?")]), final_response=Content(parts=[Part(text=text)]))
            for text in texts
        ]
        for texts in (OUTPUTS, REFERENCES)
    ]

    metric = next(each for each in get_eval_metrics_from_config(config) if each.metric_name == "rouge_match")
    evaluator = register_custom_metrics_from_config(config).get_evaluator(metric)
    result = asyncio.run(evaluator.evaluate_invocations(*turns))

    assert [each.score for each in result.per_invocation_results] == OURS
    assert [each.eval_status.name for each in result.per_invocation_results] == [
        "FAILED", "PASSED", "PASSED", "FAILED", "FAILED",
    ]  # fmt: skip
    assert result.overall_score == pytest.approx(sum(OURS) / 5, rel=1e-14)
    assert result.overall_eval_status.name == "FAILED"


def test_ragas():
    from harnesses.ragas_metric import rouge_l

    results = rouge_l.batch_score([{"response": output, "reference": reference} for output, reference in ROWS])
    assert [each.value for each in results] == OURS


def test_deepeval(monkeypatch, tmp_path):
    from deepeval import assert_test, evaluate
    from deepeval.evaluate import DisplayConfig
    from deepeval.test_case import LLMTestCase
    from harnesses.deepeval_metric import RougeMetric

    monkeypatch.chdir(tmp_path)  # it keeps its runs in the folder
    cases = [LLMTestCase(input="?", actual_output=output, expected_output=reference) for output, reference in ROWS]
    display = DisplayConfig(print_results=False, show_indicator=False)

    results = evaluate(cases, [RougeMetric(threshold=0.7)], display_config=display).test_results

    scores = {each.actual_output: (each.metrics_data[0].score, each.success) for each in results}
    assert scores == {output: (score, score >= 0.7) for output, score in zip(OUTPUTS, OURS, strict=True)}
    assert_test(cases[1], [RougeMetric(threshold=0.7)], run_async=False)
    with pytest.raises(AssertionError, match="rougeL"):
        assert_test(cases[0], [RougeMetric(threshold=0.7)], run_async=False)


def test_opik():
    from harnesses.opik_metric import RougeMetric

    metric = RougeMetric(track=False)
    assert [metric.score(output=output, reference=reference).value for output, reference in ROWS] == OURS
    assert metric.score(output="a b", reference=["c", "a b"]).value == 1  # the best of several references


def test_phoenix():
    import pandas as pd
    from harnesses.phoenix_evaluator import rouge_l
    from phoenix.evals import evaluate_dataframe

    frame = evaluate_dataframe(
        dataframe=pd.DataFrame(ROWS, columns=["output", "reference"]), evaluators=[rouge_l], hide_tqdm_bar=True
    )
    cells = frame["rouge_l_score"]
    assert [(json.loads(cell) if isinstance(cell, str) else cell)["score"] for cell in cells] == OURS


def test_langsmith():
    from harnesses.langsmith_evaluator import rouge_l
    from langsmith import Client, evaluate
    from langsmith.schemas import Example

    examples = [Example(id=uuid4(), inputs={"text": o}, outputs={"reference": r}) for o, r in ROWS]
    client = Client(api_url="http://127.0.0.1:9", auto_batch_tracing=False)  # where no one answers

    results = evaluate(
        lambda inputs: {"answer": inputs["text"]},
        data=examples,
        evaluators=[rouge_l],
        upload_results=False,
        client=client,
    )

    scores = {each["run"].outputs["answer"]: each["evaluation_results"]["results"][0] for each in results}
    assert [(scores[output].key, scores[output].score) for output in OUTPUTS] == [("rouge_l", score) for score in OURS]


def test_azure(tmp_path):
    from azure.ai.evaluation import evaluate
    from harnesses.azure_evaluator import RougeEvaluator

    data = tmp_path / "outputs.jsonl"
    rows = [{"response": output, "ground_truth": reference} for output, reference in ROWS]
    data.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    result = evaluate(data=str(data), evaluators={"rouge": RougeEvaluator()})

    assert [row["outputs.rouge.rougeL"] for row in result["rows"]] == OURS
    assert result["metrics"]["rouge.rougeL"] == pytest.approx(sum(OURS) / 5, rel=1e-14)


@pytest.mark.skipif(
    shutil.which("promptfoo") is None,
    reason="promptfoo is a program of Node.js, which nox -f .ci/noxfile.py -s harnesses frameworks installs",
)
def test_promptfoo(tmp_path, monkeypatch):
    """Its provider echo gives the prompt back, so the outputs are ours; it takes an empty one for an error."""
    config = {"type": "rougeL", "threshold": 0.7}
    assertion = {"type": "python", "value": f"file://{EXAMPLES / 'promptfoo_assert.py'}", "config": config}
    own = {"type": "rouge-n", "value": "{{reference}}", "threshold": 0.7}
    tests = [{"vars": {"answer": o, "reference": r}, "assert": [assertion, own]} for o, r in ROWS[:4]]
    written = json.dumps({"prompts": ["{{answer}}"], "providers": ["echo"], "tests": tests})
    (tmp_path / "promptfooconfig.json").write_text(written, encoding="utf-8")
    for name in ("TELEMETRY", "UPDATE", "REMOTE_GENERATION", "SHARING"):
        monkeypatch.setenv(f"PROMPTFOO_DISABLE_{name}", "1")
    monkeypatch.setenv("PROMPTFOO_CONFIG_DIR", str(tmp_path / "own"))
    monkeypatch.setenv("PROMPTFOO_PYTHON", sys.executable)

    command = ["promptfoo", "eval", "-c", "promptfooconfig.json", "-o", "out.json", "--no-cache", "-j", "1"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert done.returncode == 100, done.stdout + done.stderr  # an assertion failed
    results = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["results"]["results"]
    results.sort(key=lambda each: each["testIdx"])
    ours, theirs = zip(*(each["gradingResult"]["componentResults"] for each in results), strict=True)
    assert [(each["score"], each["pass"]) for each in ours] == [(score, score >= 0.7) for score in OURS[:4]]
    assert [each["score"] for each in theirs] == [0, 0, 0, pytest.approx(2 / 3)]
