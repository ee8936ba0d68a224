"""ROUGE as a reward function, with the arguments and result that TRL's GRPOTrainer and others expect.

A row without a text raises an error that names the row: as an empty text it would have the reward 0.
"""

import functools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from polyrouge.documents.input_notes import InputNotes
from polyrouge.documents.notes import messages_of
from polyrouge.errors import own_name, shown_value, unknown_value, warn_of
from polyrouge.inputs import Inputs, check_inputs, column_rows
from polyrouge.scoring.aggregates import scale_scores
from polyrouge.scoring.sample_scores import score_samples
from polyrouge.scoring.single_pairs import FewPairs
from polyrouge.settings.allowed_values import WEIGHTS, checked_function, checked_number
from polyrouge.settings.rouge_settings import RougeSettings, RunOptions
from polyrouge.settings.rouge_types import own_type_name
from polyrouge.settings.signature import write_signature

_MEASURES = ("precision", "recall", "fmeasure")
_NOT_THE_ANSWER = ("user", "system", "developer", "tool", "function")
_TO_PYTHON = ("to_pylist", "to_list", "tolist", "as_py")  # Arrow; pandas, polars; numpy; Arrow's scalars
_REFERENCE_SHAPES = (
    "each row must be a text, a list of texts, a conversation (messages with 'content'), answers as SQuAD has them "
    "({'text': [...]}), or None where there is no reference"
)


class RougeReward:
    """A reward function, which can be pickled; ``Rouge.as_reward`` makes it.

    Args:
        settings: of the scores; ``settings.rouge_types`` are what is rewarded.
        run: how they are made.
        references: name of the column with the references: in each row a text, a list of texts, a conversation, or
            answers as SQuAD has them. A row of None has no reward.
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
        run: RunOptions,
        *,
        references: str = "references",
        weights: Mapping[str, float] | None = None,
        measure: str = "fmeasure",
        postprocess: Callable[[str], str] | None = None,
        name: str | None = None,
    ) -> None:
        own_measure = own_name(measure, _MEASURES, {"fmeasure": "f f1 fscore"})
        if own_measure is None:
            raise unknown_value(measure, _MEASURES, "measure")
        types = settings.rouge_types
        if weights is None:
            weights = dict.fromkeys(types, 1 / len(types))
        named = {own_type_name(name): weights[name] for name in weights} if isinstance(weights, Mapping) else {}
        if set(named) != set(types) or len(named) < len(weights):
            raise ValueError(
                f"weights is {weights!r}; give a number for each of {', '.join(types)}: {{{types[0]!r}: 1.0, ...}}."
            )
        for option, value in (("references", references), ("name", "" if name is None else name)):
            if not isinstance(value, str):
                raise TypeError(f"{option} is {value!r}; give a text.")
        self.settings, self.run = settings, run
        self.__name__ = name or "+".join(types)
        self._references = references
        self._weights = np.array([checked_number(f"weights[{name!r}]", named[name], WEIGHTS) for name in types])
        self._measure = _MEASURES.index(own_measure)
        self._postprocess = checked_function("postprocess", postprocess)
        self._few = FewPairs(settings, run)
        self._warned = False

    def __repr__(self) -> str:
        return f"RougeReward({self.__name__!r}, signature={write_signature(self.settings)!r})"

    def __call__(self, completions: Sequence[Any], prompts: Any = None, **columns: Any) -> list[float | None]:
        """Return a reward for each completion.

        Args:
            completions: texts, or conversations: lists of messages, whose last one by the assistant counts.
            prompts: not used.
            **columns: the other columns of the data set, with as many rows, and anything else that the trainer gives.

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
        answers = column_rows(completions, "completions")
        if len(rows) != len(answers):
            raise ValueError(
                f"{len(answers)} completions but {len(rows)} rows of {self._references!r}; give one for each."
            )
        references = [reference_texts(row, f"{self._references}[{i}]") for i, row in enumerate(rows)]
        rewarded = [i for i, row in enumerate(references) if row is not None]
        rewards: list[float | None] = [None] * len(references)
        if rewarded:
            for i, value in zip(rewarded, self._score(self._inputs(answers, references, rewarded)), strict=True):
                rewards[i] = None if math.isnan(value) else value
        return rewards

    def _inputs(self, completions: list, references: list[list[str] | None], rows: list[int]) -> Inputs:
        """Return the checked texts of the rows that have references; errors name the row in the batch."""
        texts = {i: completion_text(completions[i], f"completions[{i}]") for i in rows}
        if self._postprocess is not None:
            texts = {i: self._postprocess(text) for i, text in texts.items()}
        predictions = [texts.get(i, "") for i in range(len(references))]
        names = ("completions", self._references)
        inputs = check_inputs(predictions, [row or [""] for row in references], names=names)
        if len(rows) == len(references):
            return inputs
        selected = [inputs.predictions[i] for i in rows], [inputs.references[i] for i in rows]
        return inputs._replace(predictions=selected[0], references=selected[1], rows=rows)

    def _score(self, inputs: Inputs) -> list[float]:
        """The rewards of a batch. Only the first batch warns of odd texts, because there are thousands of batches."""
        few, notes = None, InputNotes(self.settings.text_rules)
        if all(len(row) == 1 for row in inputs.references):
            references = [row[0] for row in inputs.references]
            few = self._few.scores(list(inputs.predictions), references, looks=not self._warned)
        if few is not None:
            of_types, notes = few
            scores = of_types[self._measure :: 3].T
        else:
            scores = score_samples(inputs, self.settings, self.run, notes).scores[:, :, self._measure]
        terms: Any = scale_scores(scores, self.settings.result_rules) * self._weights
        if not self._warned:
            self._warned = True
            warn_of(messages_of(notes) if notes is not None else ())
        return functools.reduce(np.add, terms.T).tolist()  # a matrix product's last digit depends on the batch's size


REWARD_OPTIONS = tuple(RougeReward.__init__.__kwdefaults__ or ())


def completion_text(row: Any, name: str) -> str:
    """Return the text of a completion: itself, or the assistant's last message; "" if that only calls a tool."""
    row = _python(row)
    if isinstance(row, str):
        return row
    messages = [row] if isinstance(row, Mapping) else _items(row)
    if not messages or not all(map(_is_message, messages)):
        raise TypeError(
            f"{name} is {shown_value(row)}; each must be a text or a conversation (messages with 'content')."
        )
    return _conversation_text(messages, name, may_be_none=True)


def reference_texts(row: Any, name: str) -> list[str] | None:
    """Return the reference texts of a row (``_REFERENCE_SHAPES``), also of numpy, pandas or Arrow; None for None."""
    row = _python(row)
    if row is None:
        return None
    if isinstance(row, str):
        return [row]
    if isinstance(row, Mapping):
        return _texts_of_mapping(row, name)
    items = _items(row)
    if items is None:
        raise TypeError(f"{name} is {shown_value(row)}; {_REFERENCE_SHAPES}.")
    if not items:
        raise ValueError(
            f"{name} is empty; give at least one reference, or None for a row without one, which has no reward."
        )
    if all(map(_is_message, items)):
        return [_conversation_text(items, name)]
    if all(map(_is_part, items)):
        return [_content_text(items, name)]
    return [text for i, item in enumerate(items) for text in _texts_of_item(item, f"{name}[{i}]")]


def _texts_of_item(item: Any, name: str) -> list[str]:
    """Return the texts of one of several references."""
    item = _python(item)
    if isinstance(item, str):
        return [item]
    if isinstance(item, Mapping) and not _is_message(item) and not _is_part(item):
        return _texts_of_mapping(item, name)
    messages = _items(item)
    if messages and all(map(_is_message, messages)):
        return [_conversation_text(messages, name)]
    raise TypeError(f"{name} is {shown_value(item)}; {_REFERENCE_SHAPES}.")


def _texts_of_mapping(row: Mapping, name: str) -> list[str]:
    """Return the text of a message or of a part of one, or the answers of a question."""
    if _is_message(row):
        return [_conversation_text([row], name)]
    if _is_part(row):
        return [_content_text([row], name)]
    if "text" not in row:
        keys = ", ".join(map(repr, row)) or "no keys"
        raise TypeError(
            f"{name} is a mapping with {keys}; {_REFERENCE_SHAPES}. Make a column of texts from what is meant, by "
            "map of the data set."
        )
    answer = _python(row["text"])
    if isinstance(answer, str):
        return [answer]
    texts = _items(answer)
    if texts is None:
        raise TypeError(f"{name}['text'] is {shown_value(answer)}; it must be a text or a list of texts.")
    if not texts:
        raise ValueError(f"{name}['text'] is empty; give an answer, or None in place of the row for no reward.")
    for number, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError(f"{name}['text'][{number}] is {shown_value(text)}; each answer must be a text.")
    return texts


def _conversation_text(messages: list, name: str, *, may_be_none: bool = False) -> str:
    """Return the text of the assistant's last message; of the last one if no role is known."""
    spoken = [message for message in messages if message.get("role") == "assistant"]
    spoken = spoken or [message for message in messages if message.get("role") not in _NOT_THE_ANSWER]
    if not spoken:
        roles = ", ".join(dict.fromkeys(repr(message.get("role")) for message in messages))
        raise TypeError(
            f"{name} is a conversation without a message by the assistant (roles: {roles}); end it with the answer."
        )
    content = _python(spoken[-1].get("content"))
    return "" if content is None and may_be_none else _content_text(content, name)


def _content_text(content: Any, name: str) -> str:
    """Return the text of a message's content: itself, or that of its parts that have one."""
    if isinstance(content, str):
        return content
    texts = []
    for part in _items(content) or ():
        if isinstance(part, str):
            texts.append(part)
        elif not isinstance(part, Mapping) or not isinstance(part.get("text"), (str, type(None))):
            break
        elif part.get("text") is not None:
            texts.append(part["text"])
    else:
        if texts:
            return "".join(texts)
    raise TypeError(
        f"{name} holds a message whose content is {shown_value(content)}; it must be a text, or parts with 'text'."
    )


def _is_message(value: Any) -> bool:
    return isinstance(value, Mapping) and ("content" in value or "role" in value)


def _is_part(value: Any) -> bool:
    """Return whether this is a part of a message's content, such as ``{"type": "text", "text": "..."}``."""
    return isinstance(value, Mapping) and "type" in value and not _is_message(value)


def _items(value: Any) -> list | None:
    """Return the items of a list of any kind; None for anything else."""
    if isinstance(value, (str, bytes, bytearray, Mapping, set, frozenset)) or not isinstance(value, Iterable):
        return None
    return [_python(item) for item in value]


def _python(value: Any) -> Any:
    """Return an array, a series or a scalar of another library as a value of Python."""
    if value is None or isinstance(value, (str, list, tuple, Mapping)):
        return value
    for convert in _TO_PYTHON:
        if hasattr(value, convert):
            return getattr(value, convert)()
    return value
