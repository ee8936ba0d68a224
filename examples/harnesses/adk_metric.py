"""Response match for any language in Google ADK: a custom metric, with ROUGE-L or any other type.

In ``test_config.json``::

    {"criteria": {"rouge_match": 0.6},
     "custom_metrics": {"rouge_match": {"code_config": {"name": "adk_metric.rouge_match"}}}}
"""

from google.adk.evaluation.eval_case import ConversationScenario, Invocation
from google.adk.evaluation.eval_metrics import EvalMetric
from google.adk.evaluation.evaluator import EvalStatus, EvaluationResult, PerInvocationResult

from polyrouge import Rouge

ROUGE = Rouge(rouge_types=["rougeL"])


def rouge_match(
    metric: EvalMetric,
    actual: list[Invocation],
    expected: list[Invocation] | None,
    _scenario: ConversationScenario | None = None,
) -> EvaluationResult:
    """ROUGE-L F of each final response against the expected one, and the mean."""
    predictions, references = ([_text(each) for each in turns] for turns in (actual, expected or []))
    scores = ROUGE.compute(predictions, references, use_aggregator=False)["rougeL"]

    def status(score: float) -> EvalStatus:
        return EvalStatus.PASSED if score >= metric.criterion.threshold else EvalStatus.FAILED

    turns = zip(actual, expected or [], scores, strict=True)
    results = [
        PerInvocationResult(actual_invocation=a, expected_invocation=e, score=s, eval_status=status(s))
        for a, e, s in turns
    ]
    mean = sum(scores) / len(scores)
    return EvaluationResult(overall_score=mean, overall_eval_status=status(mean), per_invocation_results=results)


def _text(turn: Invocation) -> str:
    content = turn.final_response
    return "\n".join(part.text for part in content.parts if part.text) if content and content.parts else ""
