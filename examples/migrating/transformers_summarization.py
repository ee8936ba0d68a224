"""How the summarization example of Transformers computes its scores, in short.

One line changes, the numbers stay::

    sed -i 's#load("rouge")#load("polyrouge/rouge_metric", "evaluate_rouge", aggregate="bootstrap_median")#'

The example seeds numpy, as the Trainer's ``set_seed`` does; evaluate's rouge prints a random median, and
``aggregate="bootstrap_median"`` the same one. Leave it out for the mean, which is the same on every run.
"""

import json
import sys

import evaluate
import nltk
import numpy as np

np.random.seed(42)  # noqa: NPY002 as set_seed does there; the metric takes its seed from it
metric = evaluate.load("rouge")


def postprocess_text(predictions: list[str], labels: list[str]) -> tuple[list[str], list[str]]:
    """ROUGE-Lsum expects a line break after each sentence."""
    predictions, labels = ([text.strip() for text in texts] for texts in (predictions, labels))
    predictions, labels = (["\n".join(nltk.sent_tokenize(text)) for text in texts] for texts in (predictions, labels))
    return predictions, labels


def compute_metrics(predictions: list[str], labels: list[str]) -> dict[str, float]:
    """The scores of decoded texts, as the example logs them."""
    predictions, labels = postprocess_text(predictions, labels)
    result = metric.compute(predictions=predictions, references=labels, use_stemmer=True)
    return {name: round(value * 100, 4) for name, value in (result or {}).items()}


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    scores = compute_metrics([row["prediction"] for row in rows], [row["references"][0] for row in rows])
    print(json.dumps(scores))
