"""Hits and totals that ROUGE-1.5.5 gave, per sample (golden file), against the plain engine's."""

import re
import string
from collections import Counter

import pytest
import shared_data

from polyrouge import RougeSettings
from polyrouge.counting.plain.engine import count_pair
from polyrouge.documents.document import Document
from polyrouge.tools.common import limited
from polyrouge.tools.rouge155 import CUTS

pytestmark = [shared_data.needs_shared, pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")]


find_tokens = re.compile("[a-z0-9]+").findall
ASCII_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def document(lines: list[str], options: dict) -> Document:
    """By the script's own rule: it reads bytes and lower-cases A-Z only. Everything from the tokens on is ours."""
    for unit in ("words", "bytes"):
        if options[f"max_{unit}"]:
            lines = limited(lines, options[f"max_{unit}"], CUTS[unit])
    sentences = [find_tokens(line.translate(ASCII_LOWER)) for line in lines]
    return Document([token for sentence in sentences for token in sentence], sentences)


def count(name: str, prediction: Document, reference: Document) -> tuple[float, float, float]:
    """In the script's order: reference total, prediction total, hits."""
    name, _, weight = name.replace("*", "").partition("-")
    settings = RougeSettings(rouge_types=[name], tool={"lcs": "union"}, weight=float(weight or 1.2))
    hits, prediction_total, reference_total = count_pair(prediction, reference, settings.count_rules)[0]
    return reference_total, prediction_total, hits


def best(name: str, counts: list, references: list[Document]) -> tuple[float, float, float]:
    """The reference that ``-f B`` takes: recall, rounded for N and S, once weighted for W."""

    def recall(index: int) -> float:
        total, _, hits = counts[index]
        if name.startswith("rougeW"):
            weight = float(name.partition("-")[2])
            base = sum(len(sentence) ** weight for sentence in references[index].sentences)
            return (hits / base) ** (1 / weight)
        value = hits / total if total else 0.0
        return value if name == "rougeL" else float(f"{value:.5f}")

    return counts[max(range(len(counts)), key=recall)]


def test_counts_of_rouge155():
    """``-t 2`` without stemming and stop words; not rougeL and rougeW under ``-b``, which cuts a text in two ways."""
    agreed: Counter[str] = Counter()
    for row in shared_data.read_rows("golden", "rouge155.jsonl"):
        options = row["options"]
        if options["stem"] or options["remove_stopwords"]:
            continue
        prediction = document(row["prediction"], options)
        references = [document(lines, options) for lines in row["references"]]
        for name, expected in row["counts"].items():
            if options["max_bytes"] and name[:6] in ("rougeL", "rougeW"):
                continue
            counts = [count(name, prediction, reference) for reference in references]
            is_best = options["multi_ref"] == "best"
            total = best(name, counts, references) if is_best else [sum(each) for each in zip(*counts, strict=True)]
            assert expected == pytest.approx(total, rel=1e-12, abs=1e-12), (row["id"], row["variant"], name)
            agreed[name] += 1
    print(f"rouge155.jsonl: counts that agree: {dict(agreed)}")
    assert agreed.total() > 5000
