"""rouge_score's ``rouge_scorer``: ``RougeScorer``, on the engines of this package."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from polyrouge.compat.rouge_score import scoring, tokenizers
from polyrouge.compat.rouge_score.lcs_functions import (  # noqa: F401 whoever knows them finds them here
    _backtrack_norec,
    _find_union,
    _lcs_table,
    _summary_level_lcs,
    _union_lcs,
    lcs_ind,
)
from polyrouge.compat.rouge_score.scoring import Score
from polyrouge.conventions.registry import find_convention
from polyrouge.counting.plain.engine import count_pair
from polyrouge.errors import shown_value
from polyrouge.metric import Rouge
from polyrouge.reading.documents import Document
from polyrouge.scoring.scores import scores_of_pair
from polyrouge.scoring.single_pairs import PairScorer
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.tools.common import punkt_sentences

_NO_SCORE = Score(0, 0, 0)  # whole numbers, as there


class _Plan(NamedTuple):
    """What is prepared for some types: ``is_lcs`` says of each whether it is rougeL or rougeLsum."""

    given: tuple[str, ...]
    settings: RougeSettings
    scorer: PairScorer
    is_lcs: tuple[bool, ...]


class RougeScorer(scoring.BaseScorer):
    """Scores texts as rouge_score 0.1.2 does, to the last bit.

    Args:
        rouge_types: ``"rouge1"`` ... ``"rouge9"``, ``"rougeL"``, ``"rougeLsum"``.
        use_stemmer: Porter stems; without a ``tokenizer`` only.
        split_summaries: cut texts into sentences for rougeLsum by NLTK, not at line breaks.
        tokenizer: an object with ``tokenize(text)``, in place of the default one.

    Attributes:
        rouge_types: as given.
    """

    def __init__(
        self,
        rouge_types: Sequence[str],
        use_stemmer: bool = False,
        split_summaries: bool = False,
        tokenizer: Any = None,
    ) -> None:
        self.rouge_types = rouge_types
        self._tokenizer = tokenizer or tokenizers.DefaultTokenizer(use_stemmer)
        self._reads_as_default = type(self._tokenizer) is tokenizers.DefaultTokenizer
        self._split_summaries = split_summaries
        self._prepared: _Plan | None = None

    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """Score a prediction against one target.

        Args:
            target: the reference text.
            prediction: the text to score.

        Returns:
            A ``Score`` for each type, in the order of ``rouge_types``.

        Raises:
            ValueError: a type is not known.
            TypeError: a text is no text.
        """
        plan = self._prepared
        if plan is None or plan.given != tuple(self.rouge_types):
            plan = self._prepare()
        if not isinstance(target, str) or not isinstance(prediction, str):
            target, prediction = _text(target, "target"), _text(prediction, "prediction")
        if self._reads_as_default:
            counts = plan.scorer.score(prediction, target).counts
        else:
            counts = count_pair(self._document(prediction), self._document(target), plan.settings.count_rules)
        if not plan.given:
            return {}
        scores = scores_of_pair(counts, plan.settings.score_rule)
        make = Score._make
        return {
            name: _NO_SCORE if is_lcs and not (of_type[1] and of_type[2]) else make(score)
            for name, is_lcs, score, of_type in zip(plan.settings.rouge_types, plan.is_lcs, scores, counts, strict=True)
        }

    def score_multi(self, targets: Iterable[str], prediction: str) -> dict[str, Score]:
        """Score a prediction against several targets: for each type the score of the best one.

        Args:
            targets: the reference texts.
            prediction: the text to score.

        Raises:
            ValueError: there is no target, or a type is not known.
        """
        found = [self.score(target, prediction) for target in targets]
        if not found and len(self.rouge_types):
            raise ValueError("score_multi needs at least one target, and targets is empty.")
        return {name: _best([scores[name] for scores in found]) for name in self.rouge_types}

    def score_batch(self, targets: Iterable[str | Sequence[str]], predictions: Iterable[str]) -> list[dict[str, Score]]:
        """Score many predictions at once: the same as ``score`` one by one, several times faster.

        Args:
            targets: for each prediction its reference text, or a list of them, of which the best counts for each type.
            predictions: the texts to score.

        Raises:
            ValueError: unequal numbers of rows, a row without target, or a type that is not known.
            TypeError: a text is no text.
        """
        rows, texts = list(targets), [_text(text, f"predictions[{i}]") for i, text in enumerate(predictions)]
        if len(rows) != len(texts):
            raise ValueError(
                f"{len(texts)} predictions but {len(rows)} targets; give one row of targets for each prediction."
            )
        if not self._reads_as_default or not all(isinstance(row, str) for row in rows):
            score = (self.score, self.score_multi)
            return [score[not isinstance(row, (str, bytes))](row, text) for row, text in zip(rows, texts, strict=True)]  # type: ignore[arg-type]
        plan = self._prepare()
        if not texts or not plan.given:
            return [{} for _ in texts]
        pairs, scores = plan.scorer.score_columns(texts, rows)  # type: ignore[arg-type]
        columns = []
        for column, is_lcs in enumerate(plan.is_lcs):
            made = list(map(Score, *scores[:, column].T.tolist()))
            for row in np.flatnonzero((pairs.counts[:, column, 1:] == 0).any(axis=1)) if is_lcs else ():
                made[row] = _NO_SCORE
            columns.append(made)
        names = plan.settings.rouge_types
        return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]

    def as_polyrouge(self) -> Rouge:
        """The same metric as a ``Rouge``, which has a signature, intervals and explanations."""
        settings = self._prepare().settings
        return Rouge(**{name: getattr(settings, name) for name in RougeSettings.names()})

    def _prepare(self) -> _Plan:
        """Look at the types, and keep what is made of them."""
        given = tuple(self.rouge_types)
        for name in given:
            _check_type(name)
        if self._prepared is None or self._prepared.given != given:
            settings = self._settings(tuple(dict.fromkeys(given)) or ("rouge1",))
            is_lcs = tuple(name.startswith("rougeL") for name in settings.rouge_types)
            self._prepared = _Plan(given, settings, PairScorer(settings), is_lcs)
        return self._prepared

    def _settings(self, types: tuple[str, ...]) -> RougeSettings:
        convention = find_convention("rouge_score")
        changes: dict[str, Any] = {"rouge_types": types}
        if self._split_summaries:
            changes["sentence_split"] = punkt_sentences
        if self._reads_as_default:
            changes["use_stemmer"] = self._tokenizer.use_stemmer
        else:
            changes["tokenizer"] = self._tokenizer.tokenize
        return convention.override(convention.settings, changes)

    def _document(self, text: str) -> Document:
        """A text as the tokenizer of the user sees it, whose tokens may be anything that can be compared."""
        types = self.rouge_types
        wants_sentences = "rougeLsum" in types
        sentences = punkt_sentences(text) if wants_sentences and self._split_summaries else text.split("\n")
        return Document(
            [] if set(types) == {"rougeLsum"} else list(self._tokenizer.tokenize(text)),
            [list(self._tokenizer.tokenize(part)) for part in sentences if part] if wants_sentences else [],
        )


def _best(scores: list[Score]) -> Score:
    """The score with the highest F-measure, the first of several."""
    return max(scores, key=lambda score: score.fmeasure)


@functools.lru_cache(maxsize=256)
def _check_type(name: str) -> None:
    if not isinstance(name, str):
        raise TypeError(f"rouge_types holds {shown_value(name)}; each must be a name such as 'rouge1'.")
    if name in ("rougeL", "rougeLsum") or re.fullmatch(r"rouge[1-9]", name):
        return
    raise ValueError(f"rougen requires positive n: {name}" if name == "rouge0" else f"Invalid rouge type: {name}")


def _text(value: Any, name: str) -> str:
    """A text; bytes are UTF-8, of which nothing but ASCII can be a token."""
    if isinstance(value, bytes):
        return value.decode().encode("ascii", "replace").decode()
    if not isinstance(value, str):
        hint = " score_multi takes a list of targets." if isinstance(value, (list, tuple)) else ""
        raise TypeError(f"{name} is {shown_value(value)}; it must be a text.{hint}")
    return value
