"""``torchmetrics.text.rouge``: ``ROUGEScore``, a torchmetrics ``Metric`` on our engines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torchmetrics import Metric
from torchmetrics.utilities.distributed import gather_all_tensors

from polyrouge.compat.torchmetrics.sample_scores import (
    ALLOWED_ROUGE_KEYS,
    MEASURES,
    check_accumulate,
    checked_keys,
    own_words,
    sample_rows,
    sample_scores,
)
from polyrouge.metric import Rouge
from polyrouge.tools.common import porter_stemmer, punkt_sentences


class ROUGEScore(Metric):
    """ROUGE over all updates and processes, as ``torchmetrics.text.ROUGEScore``.

    A state holds one tensor an update, float32 with a number a sample. Processes may have seen different numbers of
    updates and samples, or none.

    Args:
        use_stemmer: Porter stems of words with more than three characters.
        normalizer: in place of lower-casing and of blanks for all but a-z and 0-9.
        tokenizer: in place of splitting at blanks.
        accumulate: ``"best"`` takes for each key the reference with the highest F, ``"avg"`` the mean over all.
        rouge_keys: ``rouge1`` to ``rouge9``, ``rougeL``, ``rougeLsum``; the last cuts sentences by NLTK's punkt.
        **kwargs: of ``torchmetrics.Metric``.

    Raises:
        ValueError: an unknown key or ``accumulate``, or an unknown keyword.
    """

    is_differentiable = False
    higher_is_better = True
    full_state_update = False  # forward() then scores its batch once, where torchmetrics' own scores it twice
    plot_lower_bound = 0.0
    plot_upper_bound = 1.0

    def __init__(
        self,
        use_stemmer: bool = False,
        normalizer: Callable[[str], str] | None = None,
        tokenizer: Callable[[str], Sequence[Any]] | None = None,
        accumulate: str = "best",
        rouge_keys: str | tuple[str, ...] = ("rouge1", "rouge2", "rougeL", "rougeLsum"),
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.rouge_keys = checked_keys(rouge_keys, ALLOWED_ROUGE_KEYS)
        check_accumulate(accumulate)
        self.rouge_keys_values = [ALLOWED_ROUGE_KEYS[key] for key in self.rouge_keys]
        self.stemmer = porter_stemmer() if use_stemmer else None
        self.normalizer = normalizer
        self.tokenizer = tokenizer
        self.accumulate = accumulate
        for name in self._names():
            self.add_state(name, [], dist_reduce_fx=None)

    def _names(self) -> list[str]:
        return [f"{key}_{measure}" for key in self.rouge_keys for measure in MEASURES]

    def update(self, preds: str | Sequence[str], target: str | Sequence[str] | Sequence[Sequence[str]]) -> None:
        """Score a batch and keep its scores; see ``rouge_score`` for the arguments and errors."""
        stem = None if self.stemmer is None else self.stemmer.stem
        rows = sample_rows(preds, target)
        found = sample_scores(rows, self.rouge_keys, self.accumulate, stem, self.normalizer, self.tokenizer)
        for name, scores in found.items():
            getattr(self, name).append(torch.from_numpy(scores).to(self.device))

    def compute(self) -> dict[str, torch.Tensor]:
        """The means over all samples: ``"rouge1_fmeasure"``, ``"rouge1_precision"``, ``"rouge1_recall"`` and so on."""
        return {name: self._samples(name).cpu().mean() for name in self._names()}

    def _samples(self, name: str) -> torch.Tensor:
        """The scores of one state in one tensor."""
        parts = [part.reshape(-1) for part in getattr(self, name)]  # one by one in a checkpoint of torchmetrics' own
        if not parts:
            return torch.zeros(0, device=self.device)
        if self._is_synced and len({len(part) for part in parts}) == 1:
            return torch.stack(parts, dim=1).reshape(-1)  # sample by sample of all processes, as torchmetrics adds up
        return torch.cat(parts)

    def _sync_dist(self, dist_sync_fn: Callable = gather_all_tensors, process_group: Any | None = None) -> None:
        """Bring the processes together with one tensor a state, whatever each has seen."""
        for name in self._names():
            setattr(self, name, [self._samples(name)])
        super()._sync_dist(dist_sync_fn, process_group)

    def as_polyrouge(self) -> Rouge:
        """The same metric as a ``Rouge``, which has a signature, intervals and explanations; in single precision, too.

        Its mean is exact before its one rounding, so that the last digit of a float32 may differ.
        """
        stem = None if self.stemmer is None else self.stemmer.stem
        given = (
            {}
            if self.normalizer is None and self.tokenizer is None
            else own_words(stem, self.normalizer, self.tokenizer)
        )
        return Rouge(
            "torchmetrics",
            rouge_types=tuple(dict.fromkeys(self.rouge_keys)),
            multi_reference="mean" if self.accumulate == "avg" else "best",
            sentence_split=punkt_sentences if "rougeLsum" in self.rouge_keys else "newline",
            **({"use_stemmer": self.stemmer is not None} | given),
        )

    def plot(self, val: Any = None, ax: Any = None) -> Any:
        """Plot one result or several, see ``torchmetrics.Metric``; needs matplotlib."""
        return self._plot(val, ax)
