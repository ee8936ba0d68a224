"""Score Chinese through ``evaluate.load``, by character and by word; compare two systems; write a report.

Run by ``make demo``. The texts are the 34 examples of ``zh_news.jsonl``, with one or more references each.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import evaluate

from polyrouge import Rouge, compare_systems
from polyrouge.report import write_report

HERE = Path(__file__).parent
SCRIPT = HERE.parent / "rouge_metric.py"
SYSTEMS = {"A": "prediction", "B": "prediction_b"}


def main() -> None:
    """Print what each step gives, and where the report is."""
    lines = (HERE / "zh_news.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    references = [row["references"] for row in rows]
    predictions = {system: [row[column] for row in rows] for system, column in SYSTEMS.items()}

    for convention in ("zh_char", "zh_word"):
        rouge: Any = evaluate.load(str(SCRIPT), convention, scale=100, normalize="nfkc")  # some digits are full-width
        print(f'evaluate.load("rouge_metric.py", "{convention}")')
        for system, texts in predictions.items():
            scores = rouge.compute(predictions=texts, references=references)
            print(f"  {system}: " + "  ".join(f"{name} {score:.2f}" for name, score in scores.items()))
        print(f"  {rouge.signature()}\n")

    rouge = Rouge("zh_word", scale=100, normalize="nfkc")  # what evaluate.load wraps
    print(compare_systems(predictions, references, rouge=rouge), "\n")

    path = write_report(
        HERE / "report.html",
        predictions["A"],
        references,
        rouge=rouge,
        name="A",
        others={"B": predictions["B"]},
        ids=[row["id"] for row in rows],
        title="Chinese news: A and B",
    )
    print(f"Report, to open in a browser: {path}")


if __name__ == "__main__":
    main()
