"""Scores of single samples in single precision, as torchmetrics has them."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.compat.token_texts import TokenTexts, written_token_settings
from polyrouge.conventions.registry import find_convention
from polyrouge.counting.loop import count_pairs
from polyrouge.counting.pair_counts import PairCounts
from polyrouge.errors import warn_user
from polyrouge.inputs import check_inputs
from polyrouge.reading.notes import TextNotes
from polyrouge.scoring.scores import combine_references, scores_from_counts
from polyrouge.scoring.single_pairs import PairScorer
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.tools.common import find_punkt_data, punkt_sentences

Normalizer = Callable[[str], str]
Tokenizer = Callable[[str], Sequence[Any]]
Rows = list[tuple[str, list[str]]]

ALLOWED_ROUGE_KEYS: dict[str, int | str] = {f"rouge{kind}": kind for kind in (*range(1, 10), "L", "Lsum")}
ALLOWED_ACCUMULATE_VALUES = ("avg", "best")
MEASURES = ("fmeasure", "precision", "recall")
_OTHER_CHARACTERS, _BLANKS = re.compile("[^a-z0-9]+"), re.compile(r"\s+")
_COLUMNS = (2, 0, 1)  # of these measures among precision, recall, F


def checked_keys(rouge_keys: str | tuple[str, ...], shown: object) -> tuple[str, ...]:
    """The keys as a tuple.

    Raises:
        ValueError: there is no such key.
    """
    keys = rouge_keys if isinstance(rouge_keys, tuple) else (rouge_keys,)
    for key in keys:
        if key not in ALLOWED_ROUGE_KEYS:
            raise ValueError(f"Got unknown rouge key {key}. Expected to be one of {shown}")
    return keys


def check_accumulate(accumulate: str) -> None:
    """Raise ``ValueError`` for a way to take several references that there is not."""
    if accumulate not in ALLOWED_ACCUMULATE_VALUES:
        raise ValueError(
            f"Got unknown accumulate value {accumulate}. Expected to be one of {ALLOWED_ACCUMULATE_VALUES}"
        )


def sample_rows(preds: Any, target: Any) -> Rows:
    """Predictions with their lists of references, from all that torchmetrics takes.

    As there, the shorter of two lists of unequal length says how many are scored; here with a warning.

    Args:
        preds: a text, or texts.
        target: a text; texts, which are the references of ``preds`` if that is a text, and one each if not; or lists
            of texts.

    Raises:
        TypeError: a row is no text.
    """
    if isinstance(target, str):
        lists = [[target]]
    else:
        target = list(target)
        if isinstance(preds, str) and all(isinstance(each, str) for each in target):
            lists = [target]
        else:
            lists = [[each] if isinstance(each, str) else list(each) for each in target]
    texts = [preds] if isinstance(preds, str) else list(preds)
    if len(texts) != len(lists):
        fewer = min(len(texts), len(lists))
        warn_user(
            f"preds has {len(texts)} rows and target {len(lists)}: as in torchmetrics, the first {fewer} of both are "
            "scored and the rest is left out."
        )
    return list(zip(texts, lists, strict=False))


def sample_scores(
    rows: Rows,
    keys: Sequence[str],
    accumulate: str,
    stem: Callable[[str], str] | None = None,
    normalizer: Normalizer | None = None,
    tokenizer: Tokenizer | None = None,
) -> dict[str, NDArray[np.float32]]:
    """Score each row.

    Args:
        rows: as ``sample_rows`` gives them; with ``"avg"`` those without a reference are left out, as there.
        keys: of ``ALLOWED_ROUGE_KEYS``.
        accumulate: ``"best"`` takes for each key the reference with the highest F, ``"avg"`` the mean over all.
        stem: NLTK's Porter stemmer, for words of more than three characters; None for no stems.
        normalizer: in place of lower-casing and of blanks for all but a-z and 0-9.
        tokenizer: in place of splitting at blanks.

    Returns:
        float32[n_rows] for each of ``"rouge1_fmeasure"``, ``"rouge1_precision"``, ``"rouge1_recall"`` and so on.

    Raises:
        IndexError: a row without a reference, with ``"best"``.
        OSError: rougeLsum, and punkt's data are neither there nor to be had.
        TypeError: a row is no text.
    """
    if accumulate == "avg":
        rows = [row for row in rows if row[1]]
    for number, (_, references) in enumerate(rows):
        if not references:
            raise IndexError(f"target[{number}] is empty; give at least one reference for each prediction.")
    if not rows:
        return {name: np.empty(0, np.float32) for key in keys for name in _names(key)}
    if "rougeLsum" in keys:
        find_punkt_data()
    has_own_words = normalizer is not None or tokenizer is not None
    if len(rows) == len(rows[0][1]) == 1 and not has_own_words and len(set(keys)) == len(keys):
        return _pair(rows[0][0], rows[0][1][0], tuple(keys), stem is not None)
    runs = _own_runs(rows, keys, _words(stem, normalizer, tokenizer)) if has_own_words else [_run(rows, keys, stem)]
    found: dict[str, NDArray[np.float32]] = {}
    for pairs, settings in runs:
        by_rows = combine_references(pairs, settings.reference_rule, settings.score_rule)[0]
        by_pairs = scores_from_counts(pairs.counts, settings.score_rule)
        for column, key in enumerate(settings.rouge_types):
            times = list(keys).count(key)  # a key that is given twice counts twice, and so is rounded otherwise
            scores = by_rows[:, column]
            if accumulate == "avg":
                scores = _averages(by_pairs[:, column], pairs.offsets, times)
            for name, measure in zip(_names(key), _COLUMNS, strict=True):
                found[name] = np.repeat(scores[:, measure].astype(np.float32), times)
    return found


def _names(key: str) -> list[str]:
    return [f"{key}_{measure}" for measure in MEASURES]


def _pair(prediction: str, reference: str, keys: tuple[str, ...], use_stemmer: bool) -> dict[str, NDArray[np.float32]]:
    """One prediction with one reference, by the convention."""
    inputs = check_inputs([prediction], [reference])
    texts = (inputs.predictions[0], inputs.references[0][0])
    if "rougeLsum" in keys:
        texts = _in_lines(texts[0]), _in_lines(texts[1])
    found = {}
    for key, scores in zip(keys, _pair_scorer(keys, use_stemmer).score(*texts).scores, strict=True):
        for name, measure in zip(_names(key), _COLUMNS, strict=True):
            found[name] = np.array([scores[measure]], np.float32)
    return found


@functools.lru_cache(maxsize=64)
def _pair_scorer(keys: tuple[str, ...], use_stemmer: bool) -> PairScorer:
    return PairScorer(_settings(keys, use_stemmer))


Run = tuple[PairCounts, RougeSettings]


def _counted(predictions: list[str], references: list[list[str]], settings: RougeSettings) -> Run:
    inputs = check_inputs(predictions, references, reference_kind="list")
    return count_pairs(inputs, settings, TextNotes(settings.text_rules)), settings


@functools.lru_cache(maxsize=64)
def _settings(keys: tuple[str, ...], use_stemmer: bool) -> RougeSettings:
    return find_convention("torchmetrics").settings.replace(rouge_types=keys, use_stemmer=use_stemmer)


def _run(rows: Rows, keys: Sequence[str], stem: Callable[[str], str] | None) -> Run:
    """By the convention, with punkt's sentences as lines: its words never go on beyond one."""
    settings = _settings(tuple(dict.fromkeys(keys)), stem is not None)
    inputs = check_inputs([text for text, _ in rows], [references for _, references in rows], reference_kind="list")
    if "rougeLsum" not in keys:
        return count_pairs(inputs, settings, TextNotes(settings.text_rules)), settings
    in_lines = functools.cache(_in_lines)
    texts = list(map(in_lines, inputs.predictions))
    return _counted(texts, [list(map(in_lines, row)) for row in inputs.references], settings)


def _in_lines(text: str) -> str:
    """The text with a line for each of punkt's sentences."""
    return "\n".join(sentence.replace("\n", " ") for sentence in punkt_sentences(text))


def _own_runs(rows: Rows, keys: Sequence[str], words: Callable[[str], list[str]]) -> Iterator[Run]:
    """By the user's words: of the texts, and for rougeLsum of their sentences."""
    texts = TokenTexts()

    @functools.cache
    def whole(text: str) -> str:
        return texts.written([words(text)])

    @functools.cache
    def in_lines(text: str) -> str:
        return texts.written(map(words, punkt_sentences(text)))

    of_texts = tuple(dict.fromkeys(key for key in keys if key != "rougeLsum"))
    of_sentences = ("rougeLsum",) if "rougeLsum" in keys else ()
    for written, part in ((whole, of_texts), (in_lines, of_sentences)):
        if part:
            settings = written_token_settings(rouge_types=part).replace(tool={"quirks": ("float32",)})
            yield _counted([written(text) for text, _ in rows], [list(map(written, row)) for _, row in rows], settings)


def _words(
    stem: Callable[[str], str] | None, normalizer: Normalizer | None, tokenizer: Tokenizer | None
) -> Callable[[str], list[str]]:
    """Normalize, split, stem, in torchmetrics' order; what is no string, or an empty one, is dropped."""

    def words(text: str) -> list[str]:
        text = _OTHER_CHARACTERS.sub(" ", text.lower()) if normalizer is None else normalizer(text)
        tokens = _BLANKS.split(text) if tokenizer is None else tokenizer(text)
        if stem is not None:
            tokens = [stem(token) if len(token) > 3 else token for token in tokens]
        return [token for token in tokens if isinstance(token, str) and token]

    return words


def own_words(
    stem: Callable[[str], str] | None, normalizer: Normalizer | None, tokenizer: Tokenizer | None
) -> dict[str, Any]:
    """Settings of ``Rouge`` for words of the user's own."""
    words = _words(stem, normalizer, tokenizer)
    return {"tokenizer": words, "lowercase": False, "punctuation": "keep", "use_stemmer": False}


def _averages(scores: NDArray[np.float64], offsets: NDArray[np.int64], times: int) -> NDArray[np.float64]:
    """The mean of each measure over the references of a sample, as torch adds them up in single precision.

    Args:
        scores: float64[n_pairs, 3].
        offsets: where the pairs of each sample begin, and the last end.
        times: how often each reference is added.
    """
    import torch

    sizes = np.diff(offsets)
    means = np.empty((len(sizes), scores.shape[1]))
    for size in np.unique(sizes):
        chosen = np.flatnonzero(sizes == size)
        of_rows = scores[offsets[chosen][:, np.newaxis] + np.arange(size)].repeat(times, axis=1)
        columns = np.ascontiguousarray(of_rows.transpose(0, 2, 1), dtype=np.float32)
        means[chosen] = torch.from_numpy(columns).mean(dim=-1).numpy()
    return means
