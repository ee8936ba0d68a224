"""Chunks put together: scores stand in their rows, and what looks wrong is said, wherever a chunk ends."""

import numpy as np
import pytest

from polyrouge import Rouge
from polyrouge.counting import loop
from polyrouge.scoring import sample_scores as pipeline

PREDICTIONS = ["a b", "a", "b c d", "x", "a b c", "c"]
REFERENCES = [["a", "a b c"], ["a b"], ["d c b", "b", "c d"], ["y"], ["a c"], ["c", "d"]]


pytestmark = pytest.mark.usefixtures("small_chunks")


@pytest.fixture(params=[1, 2, 3, 4])
def small_chunks(request, monkeypatch):
    monkeypatch.setitem(loop._CHUNK_SAMPLES, "plain", 1)
    monkeypatch.setattr(pipeline, "_PAIRS_SCORED_AT_ONCE", request.param)


@pytest.mark.parametrize("rule", ["best", "mean", "pooled"])
def test_any_number_of_chunks_gives_the_same(rule):
    rouge = Rouge(rouge_types=["rouge1", "rouge2"], multi_reference=rule, engine="plain")

    alone = [rouge.score([one], [several])["rouge1"][0] for one, several in zip(PREDICTIONS, REFERENCES, strict=True)]

    for n in range(1, 7):
        assert rouge.score(PREDICTIONS[:n], REFERENCES[:n])["rouge1"].tolist() == alone[:n]
    assert len(np.unique(alone)) > 3
    if rule == "best":
        best = rouge.score(PREDICTIONS, REFERENCES, best_reference=True)["rouge1_reference"]
        assert best.tolist() == [1, 0, 0, 0, 0, 0]
