"""ROUGE as a reward function, with the arguments and result that TRL's GRPOTrainer and others expect."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from polyrouge.errors import unknown_value, warn_of
from polyrouge.inputs import Inputs, check_inputs, column_rows
from polyrouge.reading.notes import TextNotes
from polyrouge.scoring.aggregation import scale_scores
from polyrouge.scoring.pipeline import score_samples
from polyrouge.scoring.single_pairs import FewPairs
from polyrouge.settings.allowed_values import WEIGHTS, checked_function, checked_number
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.settings.signature import write_signature
from polyrouge.training.reward_rows import completion_text, reference_texts

REWARD_OPTIONS = ("references", "weights", "measure", "postprocess", "name")
_MEASURES = ("precision", "recall", "fmeasure")


class RougeReward:
    """A reward function; ``Rouge.as_reward`` makes it.

    The object can be pickled.

    Args:
        settings: of the scores; ``settings.rouge_types`` are what is rewarded.
        references: name of the column with the references: in each row a text, a list of texts, a
            conversation, or answers as SQuAD has them. A row of None has no reward.
        weights: factor of each type, in a mapping; None for the mean of the types.
        measure: ``"fmeasure"``, ``"precision"`` or ``"recall"``.
        postprocess: applied to each completion, for example to keep only the final answer.
        name: the trainer logs the reward under it; by default the types, such as ``"rougeL"``.

    Raises:
        ValueError: a value that is not allowed.
        TypeError: a value of the wrong type.
    """

    def __init__(
        self,
        settings: RougeSettings,
        *,
        references: str = "references",
        weights: Mapping[str, float] | None = None,
        measure: str = "fmeasure",
        postprocess: Callable[[str], str] | None = None,
        name: str | None = None,
    ) -> None:
        if measure not in _MEASURES:
            raise unknown_value(measure, _MEASURES, "measure")
        types = settings.rouge_types
        if weights is None:
            weights = dict.fromkeys(types, 1 / len(types))
        elif not isinstance(weights, Mapping) or set(weights) != set(types):
            raise ValueError(
                f"weights is {weights!r}; give a number for each of {', '.join(types)}: {{{types[0]!r}: 1.0, ...}}."
            )
        for option, value in (("references", references), ("name", "" if name is None else name)):
            if not isinstance(value, str):
                raise TypeError(f"{option} is {value!r}; give a text.")
        self.settings = settings
        self.__name__ = name or "+".join(types)
        self._references = references
        self._weights = np.array([checked_number(f"weights[{each!r}]", weights[each], WEIGHTS) for each in types])
        self._measure = _MEASURES.index(measure)
        self._postprocess = checked_function("postprocess", postprocess)
        self._warned = False
        self._begin()

    def _begin(self) -> None:
        """Make the parts that are not pickled."""
        self._notes = TextNotes(self.settings.text_rules)
        self._few = FewPairs(self.settings)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_notes": None, "_few": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._begin()

    def __repr__(self) -> str:
        return f"RougeReward({self.__name__!r}, signature={write_signature(self.settings)!r})"

    def __call__(self, completions: Sequence[Any], prompts: Any = None, **columns: Any) -> list[float | None]:
        """Return a reward for each completion.

        Args:
            completions: texts, or conversations: lists of messages, whose last one by the assistant
                counts.
            prompts: not used.
            **columns: the other columns of the data set, with as many rows, and anything else that the
                trainer gives.

        Returns:
            A float for each completion; None where the row has no reference.

        Raises:
            TypeError: there is no column of references, or a completion or reference holds no text.
            ValueError: unequal numbers of rows, or a row with no reference that is not None.
        """
        del prompts
        if self._references not in columns:
            raise TypeError(
                f"The reward needs the column {self._references!r}, and the trainer gave "
                f"{', '.join(map(repr, columns)) or 'none'}; name it by as_reward(references=...)."
            )
        rows = column_rows(columns[self._references], self._references)
        given = column_rows(completions, "completions")
        if len(rows) != len(given):
            raise ValueError(
                f"{len(given)} completions but {len(rows)} rows of {self._references!r}; give one for each."
            )
        references = [
            [row] if isinstance(row, str) else reference_texts(row, f"{self._references}[{i}]")
            for i, row in enumerate(rows)
        ]
        scored = [i for i, row in enumerate(references) if row is not None]
        rewards: list[float | None] = [None] * len(references)
        if not scored:
            return rewards
        for i, value in zip(scored, self._score(self._inputs(given, references)), strict=True):
            rewards[i] = None if math.isnan(value) else value
        return rewards

    def _inputs(self, completions: list, references: list[list[str] | None]) -> Inputs:
        """The checked texts of the rows that have references. What is refused is named by its row in the batch."""
        texts = [
            row if isinstance(row, str) else completion_text(row, f"completions[{i}]")
            for i, row in enumerate(completions)
            if references[i] is not None
        ]
        names = ("completions", self._references)
        if self._postprocess is not None:
            texts = list(map(self._postprocess, texts))
        if len(texts) == len(references):
            return check_inputs(texts, references, names=names)
        found = iter(texts)
        every = check_inputs(
            ["" if row is None else next(found) for row in references],
            [[""] if row is None else row for row in references],
            names=names,
        )
        kept = [i for i, row in enumerate(references) if row is not None]
        return every._replace(
            predictions=[every.predictions[i] for i in kept],
            references=[every.references[i] for i in kept],
            rows=kept,
        )

    def _score(self, inputs: Inputs) -> list[float]:
        """The rewards of a batch. Only the first one warns of what looks wrong in the texts, as there are thousands."""
        columns = None
        if all(len(row) == 1 for row in inputs.references):
            references = [row[0] for row in inputs.references]
            columns = self._few.columns(list(inputs.predictions), references, None if self._warned else self._notes)
        if columns is not None:
            scale = self.settings.scale
            terms: Any = np.array(columns[self._measure :: 3]).T * scale * self._weights
        else:
            scores = score_samples(inputs, self.settings, self._notes).scores[:, :, self._measure]
            terms = scale_scores(scores, self.settings.result_rules) * self._weights
        if not self._warned:
            self._warned = True
            warn_of(self._notes.messages())
        return functools.reduce(np.add, terms.T).tolist()  # a matrix product's last digit depends on the batch's size
