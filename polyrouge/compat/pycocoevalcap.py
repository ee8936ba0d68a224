"""pycocoevalcap 1.2's ROUGE-L of captions: ``from polyrouge.compat.pycocoevalcap import Rouge``."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.compat.adapters import checked_texts, convention_scorer, sample_scores
from polyrouge.counting.plain.lcs import lcs_length
from polyrouge.metric import Rouge as PolyRouge


def my_lcs(string: Sequence[Hashable], sub: Sequence[Hashable]) -> int:
    """Return the length of the longest common subsequence of two lists of words."""
    return lcs_length(string, sub)


class Rouge:
    """ROUGE-L of captions whose words are between single spaces.

    Attributes:
        beta: weight of recall in F; it may be set.
    """

    def __init__(self) -> None:
        self.beta = 1.2

    def calc_score(self, candidate: Sequence[str], refs: Sequence[str]) -> float:
        """Return F of the highest precision and the highest recall of one text, in a list, against any of ``refs``."""
        if len(candidate) != 1:
            raise AssertionError(f"candidate holds {len(candidate)} texts; give a list of one.")
        if len(refs) == 0:
            raise AssertionError("refs is empty; give at least one reference.")
        return float(self._scores(checked_texts(candidate, "candidate"), [checked_texts(refs, "refs")])[0])

    def compute_score(
        self, gts: Mapping[Any, Sequence[str]], res: Mapping[Any, Sequence[str]]
    ) -> tuple[np.floating[Any], NDArray[np.float64]]:
        """Return the mean over images, and the scores in the order of ``gts``, float64[images].

        ``gts`` has for each image the list of its references, ``res`` a list of one caption.

        Raises:
            AssertionError: the keys differ, or an image lacks its caption or its references.
            TypeError: a text is no string.
        """
        if gts.keys() != res.keys():
            raise AssertionError("gts and res must have the same keys; some images are in one of them only.")
        for image in gts:
            if not isinstance(res[image], list) or len(res[image]) != 1:
                raise AssertionError(f"res[{image!r}] must be a list of one text.")
            if not isinstance(gts[image], list) or not gts[image]:
                raise AssertionError(f"gts[{image!r}] must be a list of texts.")
        predictions = [checked_texts(res[image], f"res[{image!r}]")[0] for image in gts]
        scores = self._scores(predictions, [checked_texts(gts[image], f"gts[{image!r}]") for image in gts])
        return np.mean(scores), scores

    def method(self) -> str:
        """Return the name of the metric."""
        return "Rouge"

    def as_polyrouge(self) -> PolyRouge:
        """Return the same metric as a ``polyrouge.Rouge``, which has a signature, intervals and explanations."""
        return PolyRouge("coco", beta=self.beta)

    def _scores(self, predictions: list[str], references: list[list[str]]) -> NDArray[np.float64]:
        return sample_scores(predictions, references, convention_scorer("coco", beta=self.beta))[:, 0, 2]
