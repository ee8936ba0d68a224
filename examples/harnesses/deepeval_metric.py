"""ROUGE for any language in DeepEval: a metric for ``assert_test`` and ``evaluate``.

::

    assert_test(LLMTestCase(input=..., actual_output=..., expected_output=...), [RougeMetric(threshold=0.6)])
"""

from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase

from polyrouge import Rouge


class RougeMetric(BaseMetric):
    """ROUGE F of a type, against a threshold."""

    def __init__(self, rouge_type: str = "rougeL", threshold: float = 0.5, convention: str = "default") -> None:
        self.rouge_type, self.threshold = rouge_type, threshold
        self.rouge = Rouge(convention, rouge_types=[rouge_type])

    def measure(self, test_case: LLMTestCase) -> float:
        """Called by DeepEval for each test case."""
        scores = self.rouge.compute([test_case.actual_output], [test_case.expected_output])
        self.score = scores[self.rouge_type]
        self.reason = f"{self.rouge_type} by {self.rouge.signature()}"
        self.success = self.score >= self.threshold
        return self.score

    async def a_measure(self, test_case: LLMTestCase, **_: object) -> float:
        """The same, where DeepEval runs many at once."""
        return self.measure(test_case)

    @property
    def __name__(self) -> str:
        """The name in DeepEval's table."""
        return self.rouge_type
