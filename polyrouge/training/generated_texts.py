"""Turn an EvalPrediction of Transformers into predictions and references as texts, without the prompts."""

from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.errors import own_name, shown_value, unknown_value, warn_user
from polyrouge.training.process_group import process_count
from polyrouge.training.rewards import reference_texts
from polyrouge.training.token_rows import IGNORED, Rows, as_array, read_rows, teacher_forced_ids

Postprocess = Callable[[list[str], list[str]], tuple[list[str], list[str]]]
_PROMPT_RULES = ("auto", "inputs")


class GeneratedTexts(NamedTuple):
    """The texts of some samples."""

    predictions: list[str]  # num_return_sequences for each sample, one after the other
    references: list[Any]  # for each sample a text, or for each a list of texts
    lengths: list[int] | None  # tokens of each prediction, without padding; None if texts were given

    def first(self, samples: int, sequences: int) -> "GeneratedTexts":
        """Return the first ``samples`` samples, of ``sequences`` predictions each."""
        lengths = None if self.lengths is None else self.lengths[: samples * sequences]
        return GeneratedTexts(self.predictions[: samples * sequences], self.references[:samples], lengths)


class Evaluation(NamedTuple):
    """What we read of an EvalPrediction."""

    predictions: Any
    label_ids: Any
    inputs: Any = None


def refuse_eval_prediction(value: Any, method: str) -> None:
    """Raise if this is what a Trainer gives its ``compute_metrics``, which ``method`` is not."""
    if _is_eval_prediction(value):
        raise TypeError(
            f"{method} was called with an EvalPrediction, as a Trainer calls its compute_metrics. Give the Trainer "
            "compute_metrics=rouge.for_trainer(tokenizer), which makes the function for it."
        )


def _is_eval_prediction(value: Any) -> bool:
    return hasattr(value, "predictions") and hasattr(value, "label_ids")


def read_evaluation(value: Any) -> Evaluation:
    """Return an EvalPrediction, or the pair (predictions, labels) in place of it."""
    if _is_eval_prediction(value):
        evaluation = Evaluation(value.predictions, value.label_ids, getattr(value, "inputs", None))
    elif isinstance(value, (tuple, list)) and len(value) == 2 and not any(isinstance(side, str) for side in value):
        evaluation = Evaluation(*value)
    else:
        raise TypeError(
            f"compute_metrics was called with a {type(value).__name__}; it takes the EvalPrediction of a Trainer, or "
            "the pair (predictions, labels). For texts there is Rouge.compute."
        )
    return _with_answers(evaluation)


def _with_answers(evaluation: Evaluation) -> Evaluation:
    """The texts of rows as SQuAD's metric takes them, which run_seq2seq_qa.py of Transformers makes; others as is."""
    rows, labels = evaluation.predictions, evaluation.label_ids
    if not (_are_rows_with(rows, "prediction_text") and _are_rows_with(labels, "answers")):
        return evaluation
    ids = [[row.get("id") for row in side] for side in (rows, labels)]
    if ids[0] != ids[1]:
        by_id = dict(zip(ids[0], rows, strict=True))
        if len(by_id) < len(rows) or set(ids[0]) != set(ids[1]) or len(rows) != len(labels):
            odd = next(
                (row_id for row_id in ids[1] if ids[0].count(row_id) != 1 or ids[1].count(row_id) != 1), ids[0][-1]
            )
            raise ValueError(
                f"The id {odd!r} is not once among the predictions and once among the labels; each question must be."
            )
        rows = [by_id[row_id] for row_id in ids[1]]
    answers = []
    for i, row in enumerate(labels):
        name = f"label_ids[{i}]['answers']"
        if isinstance(row["answers"], Mapping) and len(row["answers"].get("text", "?")) == 0:
            raise ValueError(f"{name} holds no answer; leave out such questions, which have no reference.")
        answers.append(reference_texts(row["answers"], name))
    return Evaluation([row["prediction_text"] for row in rows], answers)


def _are_rows_with(rows: Any, key: str) -> bool:
    return (
        isinstance(rows, (list, tuple))
        and len(rows) > 0
        and all(isinstance(row, Mapping) and key in row for row in rows)
    )


class TextReader:
    """Reads predictions and references from EvalPrediction objects; arguments as for ``TrainerMetrics``."""

    def __init__(
        self,
        processing_class: Any,
        num_return_sequences: int,
        strip_prompt: str | bool,
        causal: bool | None,
        postprocess: Postprocess | None,
    ) -> None:
        self._tokenizer = getattr(processing_class, "tokenizer", processing_class)
        if self._tokenizer is not None and not hasattr(self._tokenizer, "batch_decode"):
            raise TypeError(
                f"for_trainer was called with {_named(processing_class)}, which can't decode token ids; give the "
                "tokenizer, or a processor that has one (the Trainer's processing_class)."
            )
        self._sequences = num_return_sequences
        prompt_rule = strip_prompt if strip_prompt is False else own_name(strip_prompt, _PROMPT_RULES)
        if prompt_rule is None:
            raise unknown_value(strip_prompt, (*_PROMPT_RULES, "False"), "strip_prompt")
        self._prompt_rule = prompt_rule
        self.causal = causal
        self._postprocess = postprocess
        self._warned_of_logits = False

    def prompt_stripper(self) -> "PromptStripper":
        """What removes the prompts of one evaluation."""
        return PromptStripper(self._prompt_rule, self._sequences)

    def gathered_inputs(self, evaluation: Evaluation) -> Any:
        """Return the inputs of an evaluation, from all processes, which must all call this."""
        # With batch_eval_metrics the Trainer gives this process's inputs as a dict, but all predictions and labels.
        inputs = evaluation.inputs
        if self._prompt_rule is False or not isinstance(inputs, Mapping):
            return inputs
        inputs = inputs.get("input_ids")
        if inputs is None or process_count() == 1:
            return inputs
        from accelerate.utils import gather, pad_across_processes

        return gather(pad_across_processes(inputs, dim=1, pad_index=IGNORED))

    def read(self, evaluation: Evaluation, inputs: Any, prompts: "PromptStripper") -> GeneratedTexts:
        """Return the texts of a batch; ``inputs`` come from ``gathered_inputs``, ``prompts`` from its evaluation."""
        labels = read_rows(evaluation.label_ids, "label_ids")
        predictions = read_rows(evaluation.predictions, "predictions")
        if predictions.kind == "text lists":  # batches of texts
            predictions = Rows(list(chain.from_iterable(predictions.rows)), "texts")
            if labels.kind == "text lists" and len(labels.rows) * self._sequences != len(predictions.rows):
                labels = Rows(list(chain.from_iterable(labels.rows)), "texts")
        self._check_numbers(len(predictions.rows), len(labels.rows))
        if predictions.kind == "ids":
            predictions = self._answers(predictions, labels, inputs, prompts)
        pred_texts, lengths = self._texts(predictions, "predictions")
        ref_texts, _ = self._texts(labels, "label_ids")
        if self._postprocess is not None:
            pair = self._postprocess(pred_texts, ref_texts)
            if not isinstance(pair, (tuple, list)) or len(pair) != 2:
                raise TypeError(
                    "postprocess must return a pair: the predictions and the references, as lists of texts."
                )
            before = len(pred_texts), len(ref_texts)
            pred_texts, ref_texts = map(list, pair)
            if (len(pred_texts), len(ref_texts)) != before:
                raise ValueError(
                    f"postprocess made {len(pred_texts)} predictions and {len(ref_texts)} references of {before[0]} "
                    f"and {before[1]}; it must keep their number and order."
                )
        return GeneratedTexts(pred_texts, ref_texts, lengths)

    def _check_numbers(self, predictions: int, samples: int) -> None:
        if predictions == samples * self._sequences:
            return
        sequences = predictions // samples if predictions % samples == 0 else 0
        cause = (
            f"the model returns {sequences} sequences a sample; say num_return_sequences={sequences} to for_trainer."
            if sequences > 1
            else "give num_return_sequences as the model generates them, and leave eval_use_gather_object=False."
        )
        setting = f", with num_return_sequences={self._sequences}" if self._sequences > 1 else ""
        raise ValueError(f"There are {predictions} predictions for {samples} rows of label_ids{setting}: {cause}")

    def _answers(self, predictions: Rows, labels: Rows, inputs: Any, prompts: "PromptStripper") -> Rows:
        """Return the predicted ids without the prompt; of logits those that have a label."""
        if not predictions.from_logits:
            return prompts.strip(predictions, labels, inputs, self._pad_id())
        if not self._warned_of_logits:
            self._warned_of_logits = True
            warn_user(
                "The predictions are logits: their argmax given the reference so far (teacher forcing), which scores "
                "higher than what the model would generate. Seq2SeqTrainer generates with predict_with_generate=True; "
                "Trainer can't: call model.generate yourself, and give the texts to Rouge.compute. Or keep this and "
                "save memory by preprocess_logits_for_metrics=polyrouge.training.preprocess_logits_for_metrics."
            )
        if labels.kind != "ids":
            raise ValueError(
                "The predictions are logits, which need labels of token ids; set predict_with_generate=True."
            )
        causal = predictions.causal if self.causal is None else self.causal
        pairs = zip(predictions.rows, labels.rows, strict=True)
        return Rows([teacher_forced_ids(row, label, causal) for row, label in pairs], "ids")

    def _texts(self, rows: Rows, role: str) -> tuple[list[Any], list[int] | None]:
        """Return the decoded texts of the rows, and how many tokens each has without padding."""
        if rows.kind != "ids":
            return rows.rows, None
        if self._tokenizer is None:
            raise ValueError(
                f"{role} holds token ids; give for_trainer the tokenizer (the Trainer's processing_class)."
            )
        pad = self._pad_id()
        ids, lengths = [], []
        for number, row in enumerate(rows.rows):
            tokens = row[row != IGNORED] if pad is None else np.where(row == IGNORED, pad, row)
            if len(tokens) and tokens.min() < 0:
                raise ValueError(
                    f"{role}[{number}] holds the id {tokens.min()}; ids are 0 or more, or -100 where there is none."
                )
            ids.append(tokens.tolist())
            lengths.append(len(tokens) if pad is None else int(np.count_nonzero(tokens != pad)))
        return self._tokenizer.batch_decode(ids, skip_special_tokens=True), lengths

    def _pad_id(self) -> int | None:
        """Return the id to put in place of -100: the padding token, else the end of text, else None."""
        pad = getattr(self._tokenizer, "pad_token_id", None)
        return getattr(self._tokenizer, "eos_token_id", None) if pad is None else pad


class PromptStripper:
    """Removes the prompts from the predictions of one evaluation, batch by batch; see ``TrainerMetrics``."""

    def __init__(self, rule: str | bool, sequences: int) -> None:
        self._rule, self._sequences = rule, sequences
        self._stripped = self._left = 0
        self._warned = False

    def strip(self, predictions: Rows, labels: Rows, inputs: Any, pad: int | None) -> Rows:
        """Return the predicted ids without their prompts; ``"auto"`` raises if nothing says where a prompt ends."""
        if self._rule is False:
            return predictions
        rows = self._input_rows(inputs, len(labels.rows))
        if rows is None:
            self._refuse_unstripped(predictions, labels, pad, has_inputs=False)
            return predictions
        prompts = [row[row != IGNORED] for row in rows for _ in range(self._sequences)]
        begins = [
            # None: there is no prompt
            bool(np.array_equal(row[: len(prompt)], prompt)) if len(prompt) else None
            for row, prompt in zip(predictions.rows, prompts, strict=True)
        ]
        if self._rule == "inputs":
            _refuse_other_rows(begins)
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
            "strip_prompt='inputs' to have such rows refused, or False if the predictions are the answers alone."
        )

    def _input_rows(self, inputs: Any, samples: int) -> list[NDArray[np.int64]] | None:
        """Return the input ids of each sample; None if ``"auto"`` has none."""
        if self._rule == "auto":
            array = as_array(inputs)
            if inputs is None or (array is not None and (array.ndim != 2 or array.dtype.kind not in "iu")):
                return None  # speech or images are not a prompt
        rows = read_rows(inputs, "inputs").rows[:samples]  # inputs may have more rows: repeated samples at the end
        if len(rows) != samples:
            raise ValueError(
                f"There are {len(rows)} rows of inputs for {samples} rows of label_ids; give the inputs of each, or "
                "set strip_prompt=False if the predictions are the answers alone."
            )
        return rows

    def _refuse_unstripped(self, predictions: Rows, labels: Rows, pad: int | None, *, has_inputs: bool) -> None:
        """Raise if each row of labels begins with a masked prompt, and a prediction has text there."""
        if labels.kind != "ids":
            return
        no_text = [IGNORED] if pad is None else [IGNORED, pad]
        repeated = [label for label in labels.rows for _ in range(self._sequences)]
        starts = list(map(_masked_start, repeated))
        heads = [row[:start] for row, start in zip(predictions.rows, starts, strict=True)]
        if 0 in starts or all(np.isin(head, no_text).all() for head in heads):
            return
        # Where the labels begin does not say how long the prompt is: they may be padded on the left.
        by_inputs = (
            "No prediction begins with its inputs, so they can't say where it ends. Set "
            if has_inputs
            else "Set include_for_metrics=['inputs'] (TrainingArguments) to have it stripped by the inputs, or "
        )
        raise ValueError(
            "All label_ids begin with -100, as a decoder-only model's do where its prompt is, so the "
            f"predictions probably begin with the prompt. {by_inputs}strip_prompt=False if the predictions are the "
            "answers alone."
        )


def _refuse_other_rows(begins: list[bool | None]) -> None:
    if not any(begin is not None for begin in begins):
        raise ValueError(
            "strip_prompt='inputs', but the inputs hold no tokens, only -100; set strip_prompt=False if the "
            "predictions are the answers alone."
        )
    if False in begins:
        raise ValueError(
            f"strip_prompt='inputs', but predictions[{begins.index(False)}] does not begin with its inputs; if the "
            "model's answers come without the prompt (as from encoder-decoder models), set strip_prompt=False."
        )


def _named(value: Any) -> str:
    return shown_value(value) if isinstance(value, (str, int, float, list, dict)) else f"a {type(value).__name__}"


def _masked_start(label: NDArray[np.int64]) -> int:
    """Return the number of positions at the start of a row that have no label."""
    labelled = np.flatnonzero(label != IGNORED)
    return int(labelled[0]) if len(labelled) else 0
