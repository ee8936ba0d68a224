"""Hits and totals that ROUGE-1.5.5 gave, per sample (golden file), against the plain engine's."""

import re
from collections import defaultdict

import pytest
import shared_data

from polyrouge import RougeSettings
from polyrouge.counting.plain.engine import count_pair
from polyrouge.documents.document import Document
from polyrouge.tools.common import limited
from polyrouge.tools.rouge155 import CUTS

pytestmark = [shared_data.needs_shared, pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")]


class TestRouge155Counts:
    """Hits and totals of ROUGE-1.5.5 (``-t 2``) on the variants without stemming and stop words.

    The script reads bytes and lower-cases A-Z only, so its tokens are taken here from the text by
    its own rule; everything from the tokens on is ours. Left out, because they are quirks of the
    script that belong to a convention of its own: rougeL and rougeW under ``-b``, for which it cuts
    the text in two different ways.
    """

    token = re.compile("[a-z0-9]+")
    ascii_lower = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")

    def document(self, lines: list[str], options: dict) -> Document:
        if options["max_words"]:
            lines = limited(lines, options["max_words"], CUTS["words"])
        if options["max_bytes"]:
            lines = limited(lines, options["max_bytes"], CUTS["bytes"])
        sentences = [self.token.findall(line.translate(self.ascii_lower)) for line in lines]
        return Document([token for sentence in sentences for token in sentence], sentences)

    def count(self, name: str, prediction: Document, reference: Document) -> tuple[float, float, float]:
        """In the script's order: reference total, prediction total, hits."""
        name, _, weight = name.replace("*", "").partition("-")
        settings = RougeSettings(rouge_types=[name], tool={"lcs": "union"}, weight=float(weight or 1.2))
        hits, prediction_total, reference_total = count_pair(prediction, reference, settings.count_rules)[0]
        return reference_total, prediction_total, hits

    def best(self, name: str, counts: list, references: list[Document]) -> tuple[float, float, float]:
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

    def test_counts(self):
        agreed: dict[str, int] = defaultdict(int)
        for row in shared_data.read_rows("golden", "rouge155.jsonl"):
            options = row["options"]
            if options["stem"] or options["remove_stopwords"]:
                continue
            prediction = self.document(row["prediction"], options)
            references = [self.document(lines, options) for lines in row["references"]]
            for name, expected in row["counts"].items():
                if options["max_bytes"] and name[:6] in ("rougeL", "rougeW"):
                    continue
                counts = [self.count(name, prediction, reference) for reference in references]
                if options["multi_ref"] == "best":
                    total = self.best(name, counts, references)
                else:
                    total = [sum(column) for column in zip(*counts, strict=True)]
                assert expected == pytest.approx(total, rel=1e-12, abs=1e-12), (row["id"], row["variant"], name)
                agreed[name] += 1
        print(f"rouge155.jsonl: counts that agree: {dict(agreed)}")
        assert 5000 < sum(agreed.values())
