"""torchmetrics 1.9's ROUGE: ``from polyrouge.compat.torchmetrics import ROUGEScore, rouge_score``."""

import functools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import torch
from torchmetrics import Metric
from torchmetrics.utilities.distributed import gather_all_tensors

from polyrouge.compat.adapters import (
    convention_scorer,
    reference_scores,
    sample_scores,
    token_writer,
    written_token_scorer,
)
from polyrouge.conventions.common import find_punkt_data, porter_stemmer, punkt_sentences
from polyrouge.errors import warn_user
from polyrouge.inputs import check_inputs
from polyrouge.metric import Rouge
from polyrouge.scoring.single_pairs import PairScorer

Normalizer = Callable[[str], str]
Tokenizer = Callable[[str], Sequence[Any]]
_Rows = tuple[list[str], list[list[str]]]

ALLOWED_ROUGE_KEYS: dict[str, int | str] = {f"rouge{_kind}": _kind for _kind in (*range(1, 10), "L", "Lsum")}
ALLOWED_ACCUMULATE_VALUES = ("avg", "best")
_DEFAULT_KEYS = ("rouge1", "rouge2", "rougeL", "rougeLsum")
_MEASURES = {"fmeasure": 2, "precision": 0, "recall": 1}  # columns of precision, recall, F
_OTHER_CHARACTERS, _BLANKS = re.compile("[^a-z0-9]+"), re.compile(r"\s+")


def rouge_score(
    preds: str | Sequence[str],
    target: str | Sequence[str] | Sequence[Sequence[str]],
    accumulate: str = "best",
    use_stemmer: bool = False,
    normalizer: Normalizer | None = None,
    tokenizer: Tokenizer | None = None,
    rouge_keys: str | tuple[str, ...] = _DEFAULT_KEYS,
) -> dict[str, torch.Tensor]:
    """Score one text or many, as ``torchmetrics.functional.text.rouge_score``.

    Args:
        preds: a text, or texts.
        target: a text; texts, which are all the references of ``preds`` if that is a text, else one each; or lists of
            texts.
        accumulate: ``"best"`` takes for each key the reference with the highest F, ``"avg"`` the mean over all.
        use_stemmer: Porter stems of words with more than three characters.
        normalizer: in place of lower-casing and of blanks for all but a-z and 0-9.
        tokenizer: in place of splitting at blanks.
        rouge_keys: ``rouge1`` to ``rouge9``, ``rougeL``, ``rougeLsum``; the last cuts sentences by NLTK's punkt.

    Returns:
        The means ``"rouge1_fmeasure"``, ``"rouge1_precision"``, ``"rouge1_recall"`` and so on, as single numbers
        (float32) between 0 and 1; NaN where there is nothing to score, and with an unknown ``accumulate``.

    Raises:
        ValueError: an unknown key.
        IndexError: a prediction without reference, with ``"best"``.
        OSError: rougeLsum needs punkt's data, which are missing and can't be fetched.
        TypeError: a row is no text.
    """
    keys = _checked_keys(rouge_keys, list(ALLOWED_ROUGE_KEYS))
    words = _users_words(use_stemmer, normalizer, tokenizer)
    rows = _rows(preds, target)
    if accumulate not in ALLOWED_ACCUMULATE_VALUES:
        warn_user(
            f"accumulate is {accumulate!r}, none of {ALLOWED_ACCUMULATE_VALUES}; as in torchmetrics, scores are NaN."
        )
        rows = [], []
    scores = _scores(rows, keys, accumulate, use_stemmer, words)
    return {name: column.mean() for name, column in scores.items()}


class ROUGEScore(Metric):
    """ROUGE over all updates and processes, as ``torchmetrics.text.ROUGEScore``.

    A state holds one tensor an update, float32 with a number a sample. Processes may have seen different numbers of
    updates and samples, or none.

    It takes the arguments of ``rouge_score``, in another order, and the keywords of ``torchmetrics.Metric``.

    Raises:
        ValueError: an unknown key or ``accumulate``, or an unknown keyword.
    """

    is_differentiable = False
    higher_is_better = True
    full_state_update = False  # forward() then scores its batch once; torchmetrics' scores it twice
    plot_lower_bound = 0.0
    plot_upper_bound = 1.0

    def __init__(
        self,
        use_stemmer: bool = False,
        normalizer: Normalizer | None = None,
        tokenizer: Tokenizer | None = None,
        accumulate: str = "best",
        rouge_keys: str | tuple[str, ...] = _DEFAULT_KEYS,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.rouge_keys = _checked_keys(rouge_keys, ALLOWED_ROUGE_KEYS)
        if accumulate not in ALLOWED_ACCUMULATE_VALUES:
            raise ValueError(
                f"Got unknown accumulate value {accumulate}. Expected to be one of {ALLOWED_ACCUMULATE_VALUES}"
            )
        self.rouge_keys_values = [ALLOWED_ROUGE_KEYS[key] for key in self.rouge_keys]
        self.stemmer = porter_stemmer() if use_stemmer else None
        self.normalizer = normalizer
        self.tokenizer = tokenizer
        self.accumulate = accumulate
        for name in self._names():
            self.add_state(name, [], dist_reduce_fx=None)

    def update(self, preds: str | Sequence[str], target: str | Sequence[str] | Sequence[Sequence[str]]) -> None:
        """Score a batch and keep its scores; see ``rouge_score`` for the arguments and errors."""
        use_stemmer = self.stemmer is not None
        words = _users_words(use_stemmer, self.normalizer, self.tokenizer)
        for name, scores in _scores(_rows(preds, target), self.rouge_keys, self.accumulate, use_stemmer, words).items():
            getattr(self, name).append(scores.to(self.device))

    def compute(self) -> dict[str, torch.Tensor]:
        """Return all samples' means: ``"rouge1_fmeasure"``, ``"rouge1_precision"``, ``"rouge1_recall"`` and so on."""
        return {name: self._samples(name).cpu().mean() for name in self._names()}

    def as_polyrouge(self) -> Rouge:
        """Return the same metric as a ``Rouge``, in single precision; its last digit may differ, as it rounds once."""
        changes: dict[str, Any] = {"use_stemmer": self.stemmer is not None}
        if words := _users_words(self.stemmer is not None, self.normalizer, self.tokenizer):
            changes = {"tokenizer": words, "lowercase": False, "punctuation": "keep", "use_stemmer": False}
        return Rouge(
            "torchmetrics",
            rouge_types=tuple(dict.fromkeys(self.rouge_keys)),
            multi_reference="mean" if self.accumulate == "avg" else "best",
            sentence_split=punkt_sentences if "rougeLsum" in self.rouge_keys else "newline",
            **changes,
        )

    def plot(self, val: Any = None, ax: Any = None) -> Any:
        """Plot one result or several, see ``torchmetrics.Metric``; needs matplotlib."""
        return self._plot(val, ax)

    def _names(self) -> list[str]:
        return [f"{key}_{measure}" for key in self.rouge_keys for measure in _MEASURES]

    def _samples(self, name: str) -> torch.Tensor:
        """Return the scores of one state in one tensor."""
        parts = [part.reshape(-1) for part in getattr(self, name)]  # scalars in a checkpoint of torchmetrics
        if not parts:
            return torch.zeros(0, device=self.device)
        if self._is_synced and len({len(part) for part in parts}) == 1:
            return torch.stack(parts, dim=1).reshape(-1)  # sample by sample of all processes, as torchmetrics adds
        return torch.cat(parts)

    def _sync_dist(self, dist_sync_fn: Callable = gather_all_tensors, process_group: Any | None = None) -> None:
        """Gather one tensor a state from all processes, whatever each has seen."""
        for name in self._names():
            setattr(self, name, [self._samples(name)])
        super()._sync_dist(dist_sync_fn, process_group)


class _Words:
    """Cut words by a user's functions: normalize, split, stem, in torchmetrics' order."""

    def __init__(self, use_stemmer: bool, normalizer: Normalizer | None, tokenizer: Tokenizer | None) -> None:
        self._stem = porter_stemmer().stem if use_stemmer else None
        self._normalizer = normalizer
        self._tokenizer = tokenizer

    def __call__(self, text: str) -> list[str]:
        text = self._normalizer(text) if self._normalizer else _OTHER_CHARACTERS.sub(" ", text.lower())
        tokens = self._tokenizer(text) if self._tokenizer else _BLANKS.split(text)
        if self._stem is not None:
            tokens = [self._stem(token) if len(token) > 3 else token for token in tokens]
        return [token for token in tokens if isinstance(token, str) and token]


def _users_words(use_stemmer: bool, normalizer: Normalizer | None, tokenizer: Tokenizer | None) -> _Words | None:
    return None if normalizer is None and tokenizer is None else _Words(use_stemmer, normalizer, tokenizer)


def _checked_keys(rouge_keys: str | tuple[str, ...], shown: object) -> tuple[str, ...]:
    """Check the keys, and make them a tuple."""
    keys = rouge_keys if isinstance(rouge_keys, tuple) else (rouge_keys,)
    for key in keys:
        if key not in ALLOWED_ROUGE_KEYS:
            raise ValueError(f"Got unknown rouge key {key}. Expected to be one of {shown}")
    return keys


def _rows(preds: Any, target: Any) -> _Rows:
    """Return predictions and their lists of references; of unequal lists the shorter one counts, with a warning."""
    targets = [target] if isinstance(target, str) else list(target)
    if isinstance(preds, str) and all(isinstance(references, str) for references in targets):
        lists = [targets]
    else:
        lists = [[references] if isinstance(references, str) else list(references) for references in targets]
    texts = [preds] if isinstance(preds, str) else list(preds)
    fewer = min(len(texts), len(lists))
    if len(texts) != len(lists):
        warn_user(
            f"preds has {len(texts)} rows and target {len(lists)}: as in torchmetrics, the first {fewer} of both are "
            "scored and the rest is left out."
        )
    return texts[:fewer], lists[:fewer]


def _scores(
    rows: _Rows, keys: Sequence[str], accumulate: str, use_stemmer: bool, words: _Words | None
) -> dict[str, torch.Tensor]:
    """Return float32[n_rows] for ``"rouge1_fmeasure"``, ``"rouge1_precision"``, ``"rouge1_recall"`` and so on."""
    texts, lists = rows
    is_best = accumulate == "best"
    if not is_best:  # as in torchmetrics, rows without a reference are left out
        texts = [text for text, references in zip(texts, lists, strict=True) if references]
        lists = list(filter(None, lists))
    elif [] in lists:
        raise IndexError(f"target[{lists.index([])}] is empty; give at least one reference for each prediction.")
    if not texts or not keys:
        return {f"{key}_{measure}": torch.empty(0) for key in keys for measure in _MEASURES}
    if "rougeLsum" in keys:
        find_punkt_data()
    inputs = check_inputs(texts, lists, reference_kind="list")
    texts, lists = list(inputs.predictions), list(map(list, inputs.references))
    by_key: dict[str, torch.Tensor] = {}
    for types, (run_texts, run_references), scorer in _runs((texts, lists), keys, use_stemmer, words):
        scores: Any = (sample_scores if is_best else reference_scores)(run_texts, run_references, scorer)
        for column, key in enumerate(types):
            times = list(keys).count(key)  # a repeated key counts twice, which rounds differently
            for measure, measure_column in _MEASURES.items():
                if is_best:
                    values = torch.from_numpy(scores[:, column, measure_column].astype(np.float32))
                else:  # the means over the references, as torch adds them up in single precision
                    samples = (sample[:, column, measure_column].repeat(times).tolist() for sample in scores)
                    values = torch.stack([torch.tensor(sample).mean() for sample in samples])
                by_key[f"{key}_{measure}"] = values.repeat_interleave(times)
    return by_key


def _runs(
    rows: _Rows, keys: Sequence[str], use_stemmer: bool, words: _Words | None
) -> Iterator[tuple[tuple[str, ...], _Rows, PairScorer]]:
    """Yield types, texts and scorer of each run: the convention with punkt's lines, or the user's words."""
    types = tuple(dict.fromkeys(keys))
    if words is None:
        scorer = convention_scorer("torchmetrics", rouge_types=types, use_stemmer=use_stemmer)
        yield types, _mapped(_in_lines, rows) if "rougeLsum" in keys else rows, scorer
        return
    write = token_writer()
    text_types = tuple(key for key in types if key != "rougeLsum")
    if text_types:  # a user's words may continue beyond a sentence
        scorer = written_token_scorer(rouge_types=text_types, quirks=("float32",))
        yield text_types, _mapped(lambda text: write([words(text)]), rows), scorer
    if "rougeLsum" in keys:
        scorer = written_token_scorer(rouge_types=("rougeLsum",), quirks=("float32",))
        by_sentence = _mapped(lambda text: write(map(words, punkt_sentences(text))), rows)
        yield ("rougeLsum",), by_sentence, scorer


def _mapped(change: Callable[[str], str], rows: _Rows) -> _Rows:
    """Change each text of the rows, equal ones once."""
    change = functools.cache(change)
    return list(map(change, rows[0])), [list(map(change, references)) for references in rows[1]]


def _in_lines(text: str) -> str:
    """Write a line for each of punkt's sentences; the convention's words never continue beyond one."""
    return "\n".join(sentence.replace("\n", " ") for sentence in punkt_sentences(text))
