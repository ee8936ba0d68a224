"""Take the prompt off what a decoder-only model generates: by the inputs, or where the labels begin."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.errors import unknown_value, warn_user
from polyrouge.training.token_rows import IGNORED, Rows, as_array, read_rows

_RULES = ("auto", "inputs", "labels")


class PromptStripper:
    """Takes the prompts off the predictions of an evaluation, which may come batch by batch; see ``TrainerMetrics``."""

    def __init__(self, rule: str | bool, sequences: int) -> None:
        if rule is not False and rule not in _RULES:
            raise unknown_value(rule, (*_RULES, "False"), "strip_prompt")
        self._rule = rule
        self._sequences = sequences
        self.begin()

    @property
    def needs_inputs(self) -> bool:
        """Whether the inputs are looked at."""
        return self._rule in ("auto", "inputs")

    def begin(self) -> None:
        """Begin with another evaluation."""
        self._stripped = self._left = 0
        self._warned = False

    def strip(self, predictions: Rows, labels: Rows, inputs: Any, pad: int | None) -> Rows:
        """Return the predicted ids without their prompts."""
        if self._rule is False:
            return predictions
        if self._rule == "labels":
            pairs = zip(predictions.rows, self._repeated(labels), strict=True)
            return Rows([row[_masked_start(label) :] for row, label in pairs], "ids")
        rows = self._input_rows(inputs, len(labels.rows))
        if rows is None:
            if self._rule == "inputs":
                read_rows(inputs, "inputs")  # raises
            self._refuse_unstripped(predictions, labels, pad, has_inputs=False)
            return predictions
        prompts = [row[row != IGNORED] for row in rows for _ in range(self._sequences)]
        begins = [
            _begins_with(row, prompt) if len(prompt) else None  # None: there is nothing to take off
            for row, prompt in zip(predictions.rows, prompts, strict=True)
        ]
        if self._rule == "inputs":
            self._refuse_other_rows(begins)
        else:
            self._count(begins)
            if not self._stripped:
                self._refuse_unstripped(predictions, labels, pad, has_inputs=True)
        stripped = zip(predictions.rows, prompts, begins, strict=True)
        return Rows([row[len(prompt) :] if begin else row for row, prompt, begin in stripped], "ids")

    def _count(self, begins: list[bool | None]) -> None:
        """Warn, once in an evaluation, if some rows begin with their inputs and others do not."""
        self._stripped += begins.count(True)
        self._left += begins.count(False)
        if self._warned or not (self._stripped and self._left):
            return
        self._warned = True
        where = f" (predictions[{begins.index(False)}] for one)" if False in begins else ""
        warn_user(
            f"strip_prompt='auto': {self._left} of {self._stripped + self._left} predictions so far do not begin with "
            f"their inputs{where} and are scored as they are; the prompt was taken off the others. Set "
            "strip_prompt='inputs' to have such rows refused, 'labels' to cut where the labels begin, or False if the "
            "predictions are the answers alone."
        )

    def _refuse_other_rows(self, begins: list[bool | None]) -> None:
        if not any(begin is not None for begin in begins):
            raise ValueError(
                "strip_prompt='inputs', but the inputs hold no tokens, only -100; set strip_prompt='labels' or False."
            )
        if False in begins:
            raise ValueError(
                f"strip_prompt='inputs', but predictions[{begins.index(False)}] does not begin with its inputs; if the "
                "model's answers come without the prompt (as those of encoder-decoder models), set strip_prompt=False."
            )

    def _input_rows(self, inputs: Any, samples: int) -> list[NDArray[np.int64]] | None:
        """The input ids of each sample; None if there are none."""
        if inputs is None:
            return None
        if self._rule == "auto":
            array = as_array(inputs)
            if array is not None and (array.ndim != 2 or array.dtype.kind not in "iu"):
                return None  # speech or images, which are no prompt of tokens
        rows = read_rows(inputs, "inputs").rows[:samples]  # inputs may have more rows: repeated samples at the end
        if len(rows) != samples:
            raise ValueError(
                f"There are {len(rows)} rows of inputs for {samples} rows of label_ids; set strip_prompt='labels'."
            )
        return rows

    def _refuse_unstripped(self, predictions: Rows, labels: Rows, pad: int | None, *, has_inputs: bool) -> None:
        """Raise if each row of labels begins with a masked prompt, and the predictions have text there."""
        if labels.kind != "ids":
            return
        no_text = [IGNORED] if pad is None else [IGNORED, pad]
        for row, label in zip(predictions.rows, self._repeated(labels), strict=True):
            start = _masked_start(label)
            if start == 0 or np.isin(row[:start], no_text).all():
                return
        by_inputs = (
            "No prediction begins with its inputs, so they can't say where it ends. Set "
            if has_inputs
            else "Set include_for_metrics=['inputs'] (TrainingArguments) to have it stripped by the inputs, "
        )
        raise ValueError(
            "All label_ids begin with -100, as those of a decoder-only model do where its prompt is, so the "
            f"predictions probably begin with the prompt. {by_inputs}strip_prompt='labels' to cut where the labels "
            "begin, or strip_prompt=False if the predictions are the answers alone."
        )

    def _repeated(self, labels: Rows) -> list[NDArray[np.int64]]:
        if labels.kind != "ids":
            raise ValueError(
                "strip_prompt='labels' needs label_ids of token ids, and they are texts; set strip_prompt=False."
            )
        return [row for row in labels.rows for _ in range(self._sequences)]


def _begins_with(row: NDArray[np.int64], prompt: NDArray[np.int64]) -> bool:
    return len(row) >= len(prompt) and bool((row[: len(prompt)] == prompt).all())


def _masked_start(label: NDArray[np.int64]) -> int:
    """How many places at the start of a row have no label."""
    labelled = np.flatnonzero(label != IGNORED)
    return int(labelled[0]) if len(labelled) else 0
