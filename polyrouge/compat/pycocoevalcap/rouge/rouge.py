"""pycocoevalcap's class ``Rouge``: ROUGE-L of captions, as in release 1.2."""

from __future__ import annotations

import contextlib
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.compat.given_texts import texts_of
from polyrouge.conventions.registry import find_convention
from polyrouge.counting.plain.lcs import lcs_length
from polyrouge.inputs import Inputs
from polyrouge.metric import Rouge as PolyRouge
from polyrouge.reading.notes import TextNotes
from polyrouge.scoring.pipeline import score_samples
from polyrouge.scoring.scores import f_of_pair
from polyrouge.scoring.single_pairs import PairScorer


def my_lcs(string: Sequence[Hashable], sub: Sequence[Hashable]) -> int:
    """Length of the longest common subsequence of two lists of words."""
    return lcs_length(string, sub)


class Rouge:
    """ROUGE-L of captions whose words stand between single spaces.

    Attributes:
        beta: weight of recall in F; it may be set.
    """

    def __init__(self) -> None:
        self.beta = 1.2
        self._scorer: PairScorer | None = None

    def calc_score(self, candidate: Sequence[str], refs: Sequence[str]) -> float:
        """F of the highest precision and the highest recall that any reference gives.

        Args:
            candidate: a list of one text.
            refs: texts, at least one.

        Raises:
            AssertionError: not one candidate, or no reference.
            TypeError: a text is no text.
        """
        if len(candidate) != 1:
            raise AssertionError(f"candidate holds {len(candidate)} texts; give a list of one.")
        if len(refs) == 0:
            raise AssertionError("refs is empty; give at least one reference.")
        (prediction,), references = texts_of(candidate, "candidate"), texts_of(refs, "refs")
        scorer = self._prepared()
        ratios = [scorer.score(prediction, reference).scores[0] for reference in references]
        precision, recall = max(row[0] for row in ratios), max(row[1] for row in ratios)
        return f_of_pair(precision, recall, scorer.settings.score_rule)

    def compute_score(
        self, gts: Mapping[Any, Sequence[str]], res: Mapping[Any, Sequence[str]]
    ) -> tuple[np.floating[Any], NDArray[np.float64]]:
        """Score the captions of many images at once.

        Args:
            gts: for each image the list of its references.
            res: for each image a list of one caption.

        Returns:
            The mean, and float64[images]: the scores in the order of ``gts``.

        Raises:
            AssertionError: the two have different keys, or an image has not a list of one caption and a list of
                references.
            TypeError: a text is no text.
        """
        if gts.keys() != res.keys():
            raise AssertionError("gts and res must have the same keys; some images are in one of them only.")
        for image in gts:
            for name, texts in (("res", res[image]), ("gts", gts[image])):
                if not isinstance(texts, list) or not texts or (name == "res" and len(texts) != 1):
                    raise AssertionError(
                        f"{name}[{image!r}] must be a list of {'one text' if name == 'res' else 'texts'}."
                    )
        predictions = [texts_of(res[image], f"res[{image!r}]")[0] for image in gts]
        references = [texts_of(gts[image], f"gts[{image!r}]") for image in gts]
        scores = np.array(self._scores(predictions, references))
        return np.mean(scores), scores

    def _scores(self, predictions: list[str], references: list[list[str]]) -> Sequence[float] | NDArray[np.float64]:
        """A score for each image."""
        if predictions:
            settings = self._prepared().settings
            inputs = Inputs(predictions, references, "list")
            # a lone surrogate can't be read by kernels
            with contextlib.suppress(UnicodeEncodeError):
                return score_samples(inputs, settings, TextNotes(settings.text_rules)).scores[:, 0, 2]
        return [self.calc_score([text], row) for text, row in zip(predictions, references, strict=True)]

    def method(self) -> str:
        """The name of the metric."""
        return "Rouge"

    def as_polyrouge(self) -> PolyRouge:
        """The same metric as a ``polyrouge.Rouge``, which has a signature, intervals and explanations."""
        return PolyRouge("coco", beta=self.beta)

    def _prepared(self) -> PairScorer:
        """What scores pairs by the beta of now."""
        if self._scorer is None or self._scorer.settings.beta != self.beta:
            convention = find_convention("coco")
            self._scorer = PairScorer(convention.override(convention.settings, {"beta": self.beta}))
        return self._scorer
