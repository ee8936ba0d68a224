"""How ChatGLM's P-tuning script scores generated texts, in short.

One line changes, the numbers stay::

    sed -i 's#from rouge_chinese import Rouge#from polyrouge.compat.rouge_chinese import Rouge#'
"""

import json
import sys

import jieba
import numpy as np
from rouge_chinese import Rouge

rouge = Rouge()


def compute_metrics(decoded_predictions: list[str], decoded_labels: list[str]) -> dict[str, float]:
    """Means of rounded scores; a blank text raises, as the script does not expect one."""
    scores: dict[str, list[float]] = {}
    for prediction, label in zip(decoded_predictions, decoded_labels, strict=True):
        hypothesis, reference = list(jieba.cut(prediction)), list(jieba.cut(label))
        for name, values in rouge.get_scores(" ".join(hypothesis), " ".join(reference))[0].items():
            scores.setdefault(name, []).append(round(values["f"] * 100, 4))
    return {name: float(np.mean(values)) for name, values in scores.items()}


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    scores = compute_metrics([row["prediction"] for row in rows], [row["references"][0] for row in rows])
    print(json.dumps(scores))
