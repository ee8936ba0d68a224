"""rouge_score's ``rouge_scorer``: ``RougeScorer`` on the engines of this package, and functions that scripts import."""

import functools
import itertools
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from polyrouge.compat.adapters import convention_scorer
from polyrouge.compat.rouge_score import scoring, tokenizers
from polyrouge.compat.rouge_score.scoring import Score
from polyrouge.conventions.common import punkt_sentences
from polyrouge.counting.plain.engine import count_pair
from polyrouge.counting.plain.lcs import lcs_length
from polyrouge.counting.plain.ngrams import clipped_hits
from polyrouge.documents.document import Document
from polyrouge.errors import shown_value
from polyrouge.metric import Rouge
from polyrouge.scoring.single_pairs import PairScorer

_NO_SCORE = Score(0, 0, 0)  # of an LCS with an empty text: whole numbers, as in rouge_score


class RougeScorer(scoring.BaseScorer):
    """Score texts as rouge_score 0.1.2 does, to the last bit.

    Args:
        rouge_types: ``"rouge1"`` ... ``"rouge9"``, ``"rougeL"``, ``"rougeLsum"``.
        use_stemmer: Porter stems; without a ``tokenizer`` only.
        split_summaries: cut texts into sentences for rougeLsum by NLTK, not at line breaks.
        tokenizer: an object with ``tokenize(text)``, in place of the default one.
    """

    def __init__(
        self,
        rouge_types: Sequence[str],
        use_stemmer: bool = False,
        split_summaries: bool = False,
        tokenizer: Any = None,
    ) -> None:
        self.rouge_types = rouge_types if hasattr(rouge_types, "__len__") else list(rouge_types)  # of a generator
        self._tokenizer = tokenizer or tokenizers.DefaultTokenizer(use_stemmer)
        self._reads_as_default = type(self._tokenizer) is tokenizers.DefaultTokenizer
        self._split_summaries = split_summaries
        self._prepared: tuple[tuple[str, ...], PairScorer] | None = None  # types and their scorer

    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """Score a prediction against one target: a ``Score`` for each type, in the order of ``rouge_types``.

        Raises:
            ValueError: a type is not known.
            TypeError: a text is no string.
        """
        scorer = self._scorer()
        if type(target) is not str or type(prediction) is not str:  # numpy has strings of its own
            target, prediction = _text(target, "target"), _text(prediction, "prediction")
        settings = scorer.settings
        if self._reads_as_default:
            pair = scorer.score(prediction, target)
            counts, scores = pair.counts, pair.scores
        else:
            first, second = self._document(prediction), self._document(target)
            if set(self.rouge_types) == {"rougeL"}:
                first.tokens, second.tokens = _hashable(first.tokens, second.tokens)
            counts = count_pair(first, second, settings.count_rules)
            scores = [_score(*type_counts) for type_counts in counts]
        if not len(self.rouge_types):
            return {}
        return {
            name: _NO_SCORE
            if name.startswith("rougeL") and not (type_counts[1] and type_counts[2])
            else Score._make(score)
            for name, score, type_counts in zip(settings.rouge_types, scores, counts, strict=True)
        }

    def score_multi(self, targets: Iterable[str], prediction: str) -> dict[str, Score]:
        """Score a prediction against several targets: for each type the score of the best one.

        Raises:
            ValueError: there is no target, or a type is not known.
        """
        rows = [self.score(target, prediction) for target in targets]
        if not rows and len(self.rouge_types):
            raise ValueError("score_multi needs at least one target, and targets is empty.")
        return {name: max((row[name] for row in rows), key=lambda score: score.fmeasure) for name in self.rouge_types}

    def score_batch(self, targets: Iterable[str | Sequence[str]], predictions: Iterable[str]) -> list[dict[str, Score]]:
        """Score many predictions at once, several times faster than ``score`` one by one.

        Args:
            targets: for each prediction its reference text, or a list of them, of which the best counts for each type.
            predictions: the texts to score.

        Raises:
            ValueError: unequal numbers of rows, a row without target, or a type that is not known.
            TypeError: a text is no string.
        """
        rows, texts = list(targets), [_text(text, f"predictions[{i}]") for i, text in enumerate(predictions)]
        if len(rows) != len(texts):
            raise ValueError(
                f"{len(texts)} predictions but {len(rows)} targets; give one row of targets for each prediction."
            )
        if not self._reads_as_default or not all(isinstance(row, str) for row in rows):
            score = (self.score, self.score_multi)
            return [score[not isinstance(row, (str, bytes))](row, text) for row, text in zip(rows, texts, strict=True)]  # type: ignore[arg-type]
        scorer = self._scorer()
        if not texts or not len(self.rouge_types):
            return [{} for _ in texts]
        pairs, scores = scorer.score_columns(texts, rows)  # type: ignore[arg-type]
        names = scorer.settings.rouge_types
        columns = []
        for column, name in enumerate(names):
            column_scores = list(map(Score, *scores[:, column].T.tolist()))
            if name.startswith("rougeL"):
                for row in np.flatnonzero((pairs.counts[:, column, 1:] == 0).any(axis=1)):
                    column_scores[row] = _NO_SCORE
            columns.append(column_scores)
        return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]

    def as_polyrouge(self) -> Rouge:
        """Return the same metric as a ``Rouge``, which has a signature, intervals and explanations."""
        return Rouge.of(self._scorer().settings)

    def _scorer(self) -> PairScorer:
        """Return the scorer for the types, which may change between calls; check new types."""
        types = tuple(self.rouge_types)
        if self._prepared is None or self._prepared[0] != types:
            for name in types:
                _check_type(name)
            changes: dict[str, Any] = {"rouge_types": tuple(dict.fromkeys(types)) or ("rouge1",)}
            if self._split_summaries:
                changes["sentence_split"] = punkt_sentences
            if self._reads_as_default:
                changes["use_stemmer"] = self._tokenizer.use_stemmer
            else:
                changes["tokenizer"] = self._tokenizer.tokenize
            self._prepared = types, convention_scorer("rouge_score", **changes)
        return self._prepared[1]

    def _document(self, text: str) -> Document:
        """Read a text by a user's tokenizer, whose tokens may be anything that can be compared."""
        document = Document([], [])
        if set(self.rouge_types) != {"rougeLsum"}:
            document.tokens = list(self._tokenizer.tokenize(text))
        if "rougeLsum" in self.rouge_types:
            sentences = punkt_sentences(text) if self._split_summaries else text.split("\n")
            document.sentences = [list(self._tokenizer.tokenize(part)) for part in sentences if part]
        return document


@functools.lru_cache(maxsize=256)
def _check_type(name: str) -> None:
    if not isinstance(name, str):
        raise TypeError(f"rouge_types holds {shown_value(name)}; each must be a name such as 'rouge1'.")
    if name in ("rougeL", "rougeLsum") or re.fullmatch(r"rouge[1-9]", name):
        return
    raise ValueError(f"rougen requires positive n: {name}" if name == "rouge0" else f"Invalid rouge type: {name}")


def _text(value: Any, name: str) -> str:
    """Check a text; bytes are UTF-8, of which only ASCII can be a token."""
    if isinstance(value, bytes):
        return value.decode().encode("ascii", "replace").decode()
    if not isinstance(value, str):
        hint = " score_multi takes a list of targets." if isinstance(value, (list, tuple)) else ""
        raise TypeError(f"{name} is {shown_value(value)}; it must be a text.{hint}")
    return value


def _create_ngrams(tokens: Sequence[Hashable], n: int) -> Counter:
    """Count each n-gram; an order below 1 has the n-grams that slices give."""
    return Counter(tuple(tokens[start : start + n]) for start in range(len(tokens) - n + 1))


def _score_ngrams(target_ngrams: Mapping, prediction_ngrams: Mapping) -> Score:
    """Score ROUGE-N of two texts from the counts of their n-grams."""
    hits = clipped_hits(prediction_ngrams, target_ngrams)
    return _score(hits, sum(prediction_ngrams.values()), sum(target_ngrams.values()))


def _score_lcs(target_tokens: Sequence[Any], prediction_tokens: Sequence[Any]) -> Score:
    """Score ROUGE-L of two texts from their tokens; Self-Instruct and Alpaca compare instructions by it."""
    if not target_tokens or not prediction_tokens:
        return _NO_SCORE
    hits = lcs_length(*_hashable(target_tokens, prediction_tokens))
    return _score(hits, len(prediction_tokens), len(target_tokens))


def _hashable(*texts: Sequence[Any]) -> list[Any]:
    """Return the tokens; if they have no hash, replace each by the number of the first that equals it."""
    try:
        for tokens in texts:
            set(tokens)
    except TypeError:
        distinct: list[Any] = []
        for token in itertools.chain.from_iterable(texts):
            if token not in distinct:
                distinct.append(token)
        return [[distinct.index(token) for token in tokens] for tokens in texts]
    return list(texts)


def _score(hits: float, prediction_total: float, target_total: float) -> Score:
    precision, recall = hits / max(prediction_total, 1), hits / max(target_total, 1)
    return Score(precision, recall, scoring.fmeasure(precision, recall))
