"""What evaluate's own rouge metric does, in our words: rouge_score and its BootstrapAggregator.

The metric itself is on the Hub, out of reach for a benchmark without network.
"""

import datasets
import evaluate
from rouge_score import rouge_scorer, scoring


class EvaluateRougePeer(evaluate.Metric):
    """ROUGE-1, -2, -L and -Lsum, the median of a bootstrap."""

    def _info(self) -> evaluate.MetricInfo:
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description="",
            citation="",
            inputs_description="",
            features=[
                datasets.Features({"predictions": text, "references": datasets.Sequence(text)}),
                datasets.Features({"predictions": text, "references": text}),
            ],
        )

    def _compute(  # pyright: ignore[reportIncompatibleMethodOverride] # evaluate's own modules do it so
        self, predictions: list[str], references: list, use_stemmer: bool = False
    ) -> dict:
        scorer = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeL", "rougeLsum"], use_stemmer)
        aggregator = scoring.BootstrapAggregator()
        several = isinstance(references[0], list)
        for prediction, reference in zip(predictions, references, strict=True):
            score = scorer.score_multi if several else scorer.score
            aggregator.add_scores(score(reference, prediction))
        return {name: score.mid.fmeasure for name, score in aggregator.aggregate().items()}
