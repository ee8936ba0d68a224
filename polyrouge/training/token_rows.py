"""Turn what a Trainer gives (arrays, tensors, tuples, lists of batches, texts) into one row for each sample.

Tensors are recognized by their methods, so neither torch nor any other library is needed.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.errors import shown_value

IGNORED = -100
"""The id that Transformers pads batches with, and gives to labels that don't count."""

_GENERATED = ("sequences", "generated_tokens", "logits")  # of a model output that is a mapping
_HINTS = {
    "predictions": "Set predict_with_generate=True (Seq2SeqTrainingArguments), or, for teacher-forced scores, "
    "preprocess_logits_for_metrics=polyrouge.training.preprocess_logits_for_metrics.",
    "label_ids": "Name the column of token ids by label_names=['labels'] (TrainingArguments).",
    "inputs": "Only token ids can be stripped; set strip_prompt=False if the predictions are the answers alone.",
}


_MISSING = {
    "predictions": "EvalPrediction.predictions is None: the evaluation kept no output of the model. Set "
    "prediction_loss_only=False, and predict_with_generate=True under Seq2SeqTrainer.",
    "label_ids": "EvalPrediction.label_ids is None: the evaluation has no references. Keep the labels column "
    "(remove_unused_columns=False), and name it by label_names=['labels'] (TrainingArguments).",
    "inputs": "strip_prompt='inputs', but EvalPrediction.inputs is None: set include_for_metrics=['inputs'] "
    "(TrainingArguments), or strip_prompt=False if the predictions are the answers alone.",
}
_NO_LOGITS = (
    "EvalPrediction.predictions is (): the model returned its loss only. A fused loss leaves out the logits: set "
    "use_liger_kernel=False (TrainingArguments). Else see that forward() returns them, and that "
    "config.keys_to_ignore_at_inference does not name them; or set predict_with_generate=True under Seq2SeqTrainer."
)


class Rows(NamedTuple):
    """One row for each sample."""

    rows: list[Any]  # each a text, a list of texts, or int64[n_tokens]
    kind: str  # "texts", "text lists" or "ids"
    from_logits: bool = False  # the ids are the argmax of logits, not shifted
    causal: bool = True  # ids from logits look like those of a decoder-only model


def read_rows(value: Any, role: str) -> Rows:
    """One row for each sample of ``role``, an attribute of EvalPrediction: ids, the argmax of logits, or texts."""
    # Ids [samples, tokens] or [samples, sequences, tokens], logits [samples, tokens, vocabulary], or texts, in an
    # array, a tensor on any device, a tuple (the model's outputs), a mapping, a list of batches or a ragged list.
    if value is None:
        raise ValueError(_MISSING[role])
    if role == "predictions" and isinstance(value, tuple) and not value:
        raise ValueError(_NO_LOGITS)
    if isinstance(value, Mapping):
        return _from_mapping(value, role)
    if isinstance(value, tuple) and not _are(value, str) and not _are(value, list):
        main, causal = main_output(value)
        return read_rows(main, role)._replace(causal=causal)
    if isinstance(value, (list, tuple)):
        return _from_list(list(value), role)
    if hasattr(value, "columns") or hasattr(value, "column_names"):  # pandas, polars; Arrow, datasets
        raise TypeError(f"{role} is a table ({type(value).__name__}); give one of its columns.")
    array = as_array(value)
    if array is None:
        raise TypeError(f"{role} is {shown_value(value)}; token ids, logits or texts are needed. {_HINTS[role]}")
    return _from_array(array, role)


def as_array(value: Any) -> NDArray | None:
    """Return a numpy array of an array, or of a tensor of any library on any device; None for anything else."""
    if isinstance(value, np.ndarray):
        return value
    if hasattr(value, "detach") and hasattr(value, "cpu"):  # torch
        value = value.detach().cpu()
        if value.dtype.is_floating_point and value.element_size() < 4:  # numpy has no bfloat16
            value = value.float()
        return value.numpy()
    if hasattr(value, "__array__") and hasattr(value, "shape"):
        return np.asarray(value)
    return None


def main_output(outputs: Any) -> tuple[Any, bool]:
    """Return the generated ids or the logits among a model's outputs, and whether they look decoder-only."""
    # An encoder-decoder model also gives its encoder's last hidden state: a second array of three axes.
    if not isinstance(outputs, (tuple, list)):
        return outputs, True
    arrays = [output for output in outputs if hasattr(output, "shape")]
    if not arrays:
        return (outputs[0] if outputs else None), True
    if len(arrays[0].shape) == 2 and not _is_float(arrays[0]):
        return arrays[0], True
    cubes = [array for array in arrays if len(array.shape) == 3 and _is_float(array)]
    return (cubes[0], len(cubes) == 1) if cubes else (arrays[0], True)


def teacher_forced_ids(ids: Any, labels: Any, causal: bool) -> Any:
    """Move the argmax of logits, [..., tokens], to where the labels are; ``IGNORED`` where the labels have it."""
    if tuple(ids.shape) != tuple(labels.shape):
        raise ValueError(
            f"The logits are for {tuple(ids.shape)} tokens and the labels have the shape {tuple(labels.shape)}, so "
            "they can't be compared; give both the same width (no prefix tokens), or set "
            "predict_with_generate=True (Seq2SeqTrainingArguments)."
        )
    result = ids + 0  # a copy, in numpy and in torch
    if causal:  # logits are for the next token, so each id belongs one position later
        result[..., 1:] = ids[..., :-1]
        result[..., :1] = IGNORED
    result[labels == IGNORED] = IGNORED
    return result


def _from_mapping(outputs: Mapping, role: str) -> Rows:
    for name in _GENERATED if role == "predictions" else ("labels", "input_ids"):
        if outputs.get(name) is not None:
            causal = "encoder_last_hidden_state" not in outputs
            return read_rows(outputs[name], role)._replace(causal=causal)
    names = ", ".join(map(repr, outputs))
    raise ValueError(f"{role} is a mapping with {names}, none of which is known to hold tokens. {_HINTS[role]}")


def _from_list(values: list, role: str) -> Rows:
    """Texts, rows of ids, or batches of either."""
    if not values:
        raise ValueError(f"{role} is empty: nothing was evaluated.")
    if _are(values, str):
        return Rows(values, "texts")
    if _are(values, (int, float, np.number)):
        return _from_array(np.asarray(values), role)
    if all(isinstance(value, (list, tuple)) and value and _are(value, str) for value in values):
        return Rows([list(value) for value in values], "text lists")
    rows = [_row_of_ids(value) for value in values]
    if all(row is not None for row in rows):
        return Rows(rows, "ids")
    if any(isinstance(value, (str, type(None))) for value in values) or (
        any(map(_holds_text, values)) and all(as_array(value) is None for value in values)  # an array is a batch
    ):
        raise _odd_text_row(values, role)
    batches = [read_rows(value, role) for value in values]
    kinds = {batch.kind for batch in batches}
    if len(kinds) > 1:
        raise TypeError(f"{role} mixes {' and '.join(sorted(kinds))}; all batches must hold the same.")
    joined = [row for batch in batches for row in batch.rows]
    return batches[0]._replace(rows=joined)


def _holds_text(row: Any) -> bool:
    return isinstance(row, (list, tuple)) and any(isinstance(item, str) for item in row)


def _odd_text_row(values: list, role: str) -> TypeError | ValueError:
    """Return the error for the first row that is not what the first one with a text is: a text, or a list of texts."""
    first = next((value for value in values if isinstance(value, str) or _holds_text(value)), "")
    if isinstance(first, str):
        i, odd = next((i, value) for i, value in enumerate(values) if not isinstance(value, str))
        return TypeError(f"{role}[{i}] is {shown_value(odd)} among texts; each row must be a text.")
    i, row = next((i, row) for i, row in enumerate(values) if not (isinstance(row, (list, tuple)) and _are(row, str)))
    if not isinstance(row, (list, tuple)):
        return TypeError(f"{role}[{i}] is {shown_value(row)} among lists of texts; each row must be a list of texts.")
    if not row:
        return ValueError(f"{role}[{i}] is empty; each row must hold at least one text.")
    j, odd = next((j, item) for j, item in enumerate(row) if not isinstance(item, str))
    return TypeError(f"{role}[{i}][{j}] is {shown_value(odd)} among texts; each must be a text.")


def _row_of_ids(value: Any) -> NDArray[np.int64] | None:
    """Return a row of token ids as an array; None if it is something else."""
    if isinstance(value, (list, tuple)):
        if not all(isinstance(token, (int, np.integer)) and not isinstance(token, bool) for token in value):
            return None
        return np.array(value, dtype=np.int64)
    array = as_array(value)
    if array is None or array.ndim != 1 or array.dtype.kind not in "iu":
        return None
    return array.astype(np.int64, copy=False)


def _from_array(array: NDArray, role: str) -> Rows:
    if array.size == 0 and (array.ndim == 0 or len(array) == 0):
        raise ValueError(f"{role} is empty: nothing was evaluated.")
    if array.dtype.kind in "UOT":
        if array.ndim == 0:
            raise TypeError(f"{role} is {shown_value(array.item())}; give a list of texts.")
        return _from_list(array.tolist(), role)
    if array.dtype.kind in "iu" and array.ndim in (2, 3):
        return Rows(list(array.reshape(-1, array.shape[-1]).astype(np.int64, copy=False)), "ids")
    if array.dtype.kind == "f" and array.ndim == 3 and role == "predictions":
        return Rows(list(array.argmax(-1)), "ids", from_logits=True)
    raise ValueError(_wrong_shape(array, role))


def _wrong_shape(array: NDArray, role: str) -> str:
    """Return the message for an array that is neither token ids nor logits."""
    shown = f"{role} is an array of {array.dtype} of the shape {array.shape}"
    if role == "predictions" and array.dtype.kind == "f" and array.ndim == 2:
        return f"{shown}: one score a sample and class, not tokens. {_HINTS[role]}"
    if role == "predictions" and array.ndim == 1:
        return (
            f"{shown}: one number a sample, where [samples, tokens] is needed. Set predict_with_generate=True, or take "
            "the argmax over the last axis in preprocess_logits_for_metrics."
        )
    return f"{shown}; token ids [samples, tokens] are needed. {_HINTS[role]}"


def _are(values: Any, kind: type | tuple[type, ...]) -> bool:
    return len(values) > 0 and all(isinstance(value, kind) for value in values)


def _is_float(array: Any) -> bool:
    return "float" in str(array.dtype)
