"""Turn an EvalPrediction of Transformers into predictions and references as texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from polyrouge.errors import warn_user
from polyrouge.training.process_group import gather_rows, process_count
from polyrouge.training.prompts import PromptStripper
from polyrouge.training.token_rows import IGNORED, Rows, read_rows, teacher_forced_ids

Postprocess = Callable[[list[str], list[str]], tuple[list[str], list[str]]]


class GeneratedTexts(NamedTuple):
    """The texts of some samples."""

    predictions: list[str]  # num_return_sequences texts for each sample, one after the other
    references: list[Any]  # for each sample a text, or for each a list of texts
    lengths: list[int] | None  # number of tokens of each prediction, without padding; None if texts were given

    def first(self, samples: int, sequences: int) -> GeneratedTexts:
        """The first ``samples`` samples, of ``sequences`` predictions each."""
        lengths = None if self.lengths is None else self.lengths[: samples * sequences]
        return GeneratedTexts(self.predictions[: samples * sequences], self.references[:samples], lengths)


class TextReader:
    """Reads predictions and references from EvalPrediction objects; see ``TrainerMetrics`` for the arguments."""

    def __init__(
        self,
        processing_class: Any,
        num_return_sequences: int,
        strip_prompt: str | bool,
        causal: bool | None,
        postprocess: Postprocess | None,
    ) -> None:
        self._processing_class = processing_class
        self._sequences = num_return_sequences
        self.prompts = PromptStripper(strip_prompt, num_return_sequences)
        self._causal = causal
        self._postprocess = postprocess
        self._warned_of_logits = False

    def gathered_inputs(self, prediction: Any) -> Any:
        """The inputs of an EvalPrediction, of all processes; each of them must call it.

        With batch_eval_metrics the Trainer gives the inputs of this process only, as a dict, while it gives
        the predictions and labels of all processes.
        """
        inputs = getattr(prediction, "inputs", None)
        if not self.prompts.needs_inputs or not isinstance(inputs, Mapping):
            return inputs
        inputs = inputs.get("input_ids")
        return gather_rows(inputs, IGNORED) if inputs is not None and process_count() > 1 else inputs

    def read(self, prediction: Any, inputs: Any) -> GeneratedTexts:
        """Return the texts of an EvalPrediction, whose inputs ``gathered_inputs`` gave."""
        if not (hasattr(prediction, "predictions") and hasattr(prediction, "label_ids")):
            raise TypeError(
                f"compute_metrics was called with a {type(prediction).__name__}; it takes the EvalPrediction of a "
                "Trainer, with the attributes predictions and label_ids. For texts there is Rouge.compute."
            )
        labels = read_rows(prediction.label_ids, "label_ids")
        predictions = read_rows(prediction.predictions, "predictions")
        if predictions.kind == "text lists":  # batches of texts
            predictions = Rows(list(chain.from_iterable(predictions.rows)), "texts")
            if labels.kind == "text lists" and len(labels.rows) * self._sequences != len(predictions.rows):
                labels = Rows(list(chain.from_iterable(labels.rows)), "texts")
        self._check_numbers(len(predictions.rows), len(labels.rows))
        if predictions.kind == "ids":
            predictions = self._without_what_is_no_answer(predictions, labels, inputs)
        pred_texts, lengths = self._texts(predictions, "predictions")
        ref_texts, _ = self._texts(labels, "label_ids")
        if self._postprocess is not None:
            pred_texts, ref_texts = self._processed(pred_texts, ref_texts)
        return GeneratedTexts(pred_texts, ref_texts, lengths)

    def _check_numbers(self, predictions: int, samples: int) -> None:
        if predictions == samples * self._sequences:
            return
        fitting = predictions // samples if predictions % samples == 0 else 0
        cause = (
            f"the model returns {fitting} sequences a sample; say num_return_sequences={fitting} to for_trainer."
            if fitting > 1
            else "give num_return_sequences as the model generates them, and leave eval_use_gather_object=False."
        )
        given = f", with num_return_sequences={self._sequences}" if self._sequences > 1 else ""
        raise ValueError(f"There are {predictions} predictions for {samples} rows of label_ids{given}: {cause}")

    def _without_what_is_no_answer(self, predictions: Rows, labels: Rows, given: Any) -> Rows:
        """The predicted ids, without the prompt, and without logits' ids where there is no label."""
        if predictions.from_logits:
            self._warn_of_logits()
            if labels.kind != "ids":
                raise ValueError(
                    "The predictions are logits, which need labels of token ids; set predict_with_generate=True."
                )
            causal = predictions.causal if self._causal is None else self._causal
            pairs = zip(predictions.rows, labels.rows, strict=True)
            return Rows([teacher_forced_ids(row, label, causal) for row, label in pairs], "ids")
        return self.prompts.strip(predictions, labels, given, self._pad_id())

    def _warn_of_logits(self) -> None:
        if self._warned_of_logits:
            return
        self._warned_of_logits = True
        warn_user(
            "The predictions are logits: their argmax given the reference so far (teacher forcing), which scores "
            "higher than what the model would generate. Set predict_with_generate=True for the latter; or keep this "
            "and save memory by preprocess_logits_for_metrics=polyrouge.training.preprocess_logits_for_metrics."
        )

    def _texts(self, rows: Rows, what: str) -> tuple[list[Any], list[int] | None]:
        """The rows as decoded texts, and the number of tokens of each, without padding."""
        if rows.kind != "ids":
            return rows.rows, None
        tokenizer = _tokenizer(self._processing_class)
        if tokenizer is None:
            raise ValueError(
                f"{what} holds token ids; give for_trainer the tokenizer (the Trainer's processing_class)."
            )
        pad = self._pad_id()
        ids, lengths = [], []
        for number, row in enumerate(rows.rows):
            kept = row[row != IGNORED] if pad is None else np.where(row == IGNORED, pad, row)
            if len(kept) and kept.min() < 0:
                raise ValueError(
                    f"{what}[{number}] holds the id {kept.min()}; ids are 0 or more, or -100 where there is none."
                )
            ids.append(kept.tolist())
            lengths.append(len(kept) if pad is None else int(np.count_nonzero(kept != pad)))
        return tokenizer.batch_decode(ids, skip_special_tokens=True), lengths

    def _pad_id(self) -> int | None:
        """The id to put in place of -100: the padding token, else the end of text, else None."""
        tokenizer = _tokenizer(self._processing_class)
        pad = getattr(tokenizer, "pad_token_id", None)
        return getattr(tokenizer, "eos_token_id", None) if pad is None else pad

    def _processed(self, predictions: list[str], references: list[Any]) -> tuple[list[str], list[Any]]:
        """The texts as the user's function returns them."""
        pair = self._postprocess(predictions, references) if self._postprocess is not None else None
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise TypeError("postprocess must return a pair: the predictions and the references, as lists of texts.")
        after = list(pair[0]), list(pair[1])
        if (len(after[0]), len(after[1])) != (len(predictions), len(references)):
            raise ValueError(
                f"postprocess made {len(after[0])} predictions and {len(after[1])} references of {len(predictions)} "
                f"and {len(references)}; it must keep their number and order."
            )
        return after


def _tokenizer(processing_class: Any) -> Any:
    """The tokenizer: what was given, or the one inside a processor."""
    return getattr(processing_class, "tokenizer", processing_class)
