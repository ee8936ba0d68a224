"""How LLaMA-Factory scores generated texts, in short.

One line changes, the numbers stay::

    sed -i 's#from rouge_chinese import Rouge#from polyrouge.compat.rouge_chinese import Rouge#'
"""

import json
import sys

import jieba
import numpy as np
from rouge_chinese import Rouge


def similarity(predictions: list[str], labels: list[str]) -> dict[str, float]:
    """Mean scores on the scale of 100, of which each is rounded; a blank side scores 0."""
    scores: dict[str, list[float]] = {"rouge-1": [], "rouge-2": [], "rouge-l": []}
    for prediction, label in zip(predictions, labels, strict=True):
        hypothesis, reference = (" ".join(jieba.cut(text)) for text in (prediction, label))
        if hypothesis.split() and reference.split():
            result = Rouge().get_scores(hypothesis, reference)[0]
        else:
            result = {name: {"f": 0.0} for name in scores}
        for name, values in scores.items():
            values.append(round(result[name]["f"] * 100, 4))
    return {name: float(np.mean(values)) for name, values in scores.items()}


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    scores = similarity([row["prediction"] for row in rows] + [""], [row["references"][0] for row in rows] + ["空"])
    print(json.dumps(scores))
