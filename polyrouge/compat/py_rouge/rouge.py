"""py-rouge's class ``Rouge``, as in release 1.1."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from polyrouge.compat.metric_dicts import check_on_error
from polyrouge.counting.loop import count_pairs
from polyrouge.inputs import Inputs
from polyrouge.metric import Rouge as PolyRouge
from polyrouge.reading.notes import TextNotes
from polyrouge.scoring.scores import combine_references, scores_from_counts, scores_of_pair
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.settings.stages import ScoreRule
from polyrouge.tools.common import punkt_sentences, punkt_words
from polyrouge.tools.py_rouge import py_rouge_stem, py_rouge_tokenizer

_MEASURES = {"p": 0, "r": 1, "f": 2}


class Rouge:
    """ROUGE as py-rouge computes it.

    Its stems come from tables that belong to others. They are read from the installed ``py-rouge`` or from a folder;
    without ``stemming`` none is needed.

    Args:
        metrics: of ``"rouge-n"``, ``"rouge-l"``, ``"rouge-w"``; None for ``"rouge-n"``.
        max_n: with ``"rouge-n"``: ROUGE-1 to ROUGE-``max_n``, up to 9. None for no ROUGE-N, as there.
        limit_length: cut texts.
        length_limit: so many words or characters are left; 0 for all.
        length_limit_type: ``"words"``, or ``"bytes"``, which are characters.
        apply_avg: pool the references of a sample, and average over the samples.
        apply_best: without ``apply_avg``: take the reference with the highest recall, and average over the samples.
        stemming: stem words of more than three characters.
        alpha: in F = P R / ((1 - alpha) P + alpha R), 0 to 1.
        weight_factor: exponent of ROUGE-W, and on the ratios of ROUGE-L too; 0.5 to 5.
        ensure_compatibility: lines are sentences, and words are stemmed as by ROUGE-1.5.5; without it NLTK's
            sentences and its own variant of Porter's stemmer. In the package the first object of a process decides
            for all; here each does for itself.
        word_tables: folder of the tables; None means the installed package.
        on_error: ``"raise"`` crashes where the package does: on the best ROUGE-W of a reference without words.
            ``"score"`` scores it 0.

    Raises:
        ValueError: a metric, type of limit or number is not allowed.
        ModuleNotFoundError: with ``stemming``, there are no tables.
    """

    DEFAULT_METRICS: ClassVar[set[str]] = {"rouge-n"}
    DEFAULT_N = 1
    STATS: ClassVar[list[str]] = ["f", "p", "r"]
    AVAILABLE_METRICS: ClassVar[set[str]] = {"rouge-n", "rouge-l", "rouge-w"}
    AVAILABLE_LENGTH_LIMIT_TYPES: ClassVar[set[str]] = {"words", "bytes"}

    def __init__(
        self,
        metrics: Iterable[str] | None = None,
        max_n: int | None = None,
        limit_length: bool = True,
        length_limit: int = 665,
        length_limit_type: str = "bytes",
        apply_avg: bool = True,
        apply_best: bool = False,
        stemming: bool = True,
        alpha: float = 0.5,
        weight_factor: float = 1.0,
        ensure_compatibility: bool = True,
        *,
        word_tables: str | None = None,
        on_error: str = "score",
    ) -> None:
        check_on_error(on_error)
        names = list(self.DEFAULT_METRICS if metrics is None else metrics)
        for name in names:
            if name not in self.AVAILABLE_METRICS:
                raise ValueError(f"Unknown metric '{name}'")
        self.max_n = max_n if "rouge-n" in names else None
        if self.max_n is not None:
            names = [name for name in names if name != "rouge-n"]
            names += [f"rouge-{n}" for n in range(1, self.max_n + 1)]
        self.metrics = set(names)
        if limit_length and length_limit_type not in self.AVAILABLE_LENGTH_LIMIT_TYPES:
            raise ValueError(f"Unknown length_limit_type '{length_limit_type}'")
        if weight_factor <= 0:
            raise ValueError("ROUGE-W weight factor must greater than 0.")
        self.limit_length = limit_length and length_limit != 0
        self.length_limit = length_limit
        self.length_limit_type = length_limit_type
        self.stemming = stemming
        self.apply_avg = apply_avg
        self.apply_best = apply_best
        self.alpha = alpha
        self.weight_factor = weight_factor
        self.ensure_compatibility = ensure_compatibility
        self._on_error = on_error
        self._names = sorted(name for name in self.metrics if name[-1].isdigit())
        self._names += [name for name in ("rouge-l", "rouge-w") if name in self.metrics]
        self._settings = self._made_settings(word_tables)

    def get_scores(self, hypothesis: Any, references: Any) -> dict[str, Any]:
        """Score predictions against references.

        Args:
            hypothesis: a text, or a list of them.
            references: a text, or for each prediction a text or a list of texts.

        Returns:
            For each metric a dict of ``"f"``, ``"p"``, ``"r"``; without ``apply_avg`` and ``apply_best`` for each
            metric a list with such a dict for each sample, which holds lists of one score a reference.

        Raises:
            ValueError: the two are of different types or lengths, or a sample has no reference; without
                ``ensure_compatibility``, ROUGE-L or ROUGE-W of an empty text.
            AssertionError: a prediction is no text.
            TypeError: a reference is no text.
        """
        if isinstance(hypothesis, str):
            hypothesis, references = [hypothesis], [references]
        if type(hypothesis) is not type(references):
            raise ValueError("'hyps' and 'refs' are not of the same type")
        if len(hypothesis) != len(references):
            raise ValueError("'hyps' and 'refs' do not have the same length")
        if not self._names:
            return {}
        inputs = _checked(hypothesis, references)
        if not self.apply_avg and not self.apply_best:
            return self._of_each_reference(inputs)
        n = len(inputs.predictions)
        sums = np.zeros((len(self._settings.rouge_types), 3))
        for row in self._sample_scores(inputs) if n else ():  # in order, as sums depend on it in the last digit
            sums += row
        means = (sums / n if n > 1 else sums).tolist()
        return {
            name: {stat: means[column][_MEASURES[stat]] for stat in self.STATS}
            for name, column in self._columns.items()
        }

    def as_polyrouge(self) -> PolyRouge:
        """The same metric as a ``polyrouge.Rouge``, which has a signature, intervals and explanations."""
        return PolyRouge(**{name: getattr(self._settings, name) for name in RougeSettings.names()})

    def _made_settings(self, word_tables: str | None) -> RougeSettings:
        limit = "max_words" if self.length_limit_type == "words" else "max_characters"
        # Without a weight the package counts ROUGE-W as ROUGE-L.
        named = {"rouge-w": "rougeL"} if self.weight_factor == 1 else {}
        types = [named.get(name, f"rouge{name.removeprefix('rouge-').upper()}") for name in self._names]
        distinct = list(dict.fromkeys(types))
        self._columns = {name: distinct.index(found) for name, found in zip(self._names, types, strict=True)}
        changes: dict[str, Any] = {
            "rouge_types": tuple(distinct) or ("rouge1",),
            "max_characters": None,
            "use_stemmer": bool(self.stemming),
            "tool": {"word_tables": word_tables, "alpha": self.alpha},
            "weight": self.weight_factor,
            "multi_reference": "pooled" if self.apply_avg else "best_recall",
        }
        if self.limit_length:
            changes[limit] = self.length_limit
        if not self.ensure_compatibility:
            changes["tokenizer"] = _Tokenizer(bool(self.stemming), word_tables)
            by_sentence = not {"rouge-l", "rouge-w"}.isdisjoint(self._names)
            split = _some_sentences if by_sentence else punkt_sentences
            changes |= {"use_stemmer": False, "sentence_split": split, "punctuation": "keep"}
        return PolyRouge("py_rouge", **changes).settings

    def _sample_scores(self, inputs: Inputs) -> NDArray[np.float64]:
        """float64[samples, metrics, 3]: precision, recall, F-measure."""
        pairs = count_pairs(inputs, self._readable(inputs), TextNotes(self._settings.text_rules))
        divides = self._on_error == "raise" and not self.apply_avg and "rouge-w" in self.metrics
        if divides and pairs.reference_empty.any():
            raise ZeroDivisionError("float division by zero")
        return combine_references(pairs, self._settings.reference_rule, self._settings.score_rule)[0]

    def _of_each_reference(self, inputs: Inputs) -> dict[str, list[dict[str, list[float]]]]:
        """Scores of each reference, in lists."""
        if not inputs.predictions:
            return {name: [] for name in self._names}
        pairs = count_pairs(inputs, self._readable(inputs), TextNotes(self._settings.text_rules))
        scores = scores_from_counts(pairs.counts, self._settings.score_rule)
        bounds = pairs.offsets.tolist()
        return {
            name: [
                {stat: scores[start:stop, column, _MEASURES[stat]].tolist() for stat in self.STATS}
                for start, stop in pairwise(bounds)
            ]
            for name, column in self._columns.items()
        }

    def _readable(self, inputs: Inputs) -> RougeSettings:
        """The settings, with the engine that can read the texts: a lone surrogate is none to the kernels."""
        try:
            "".join([*inputs.predictions, *(text for row in inputs.references for text in row)]).encode()
        except UnicodeEncodeError:
            return self._settings.replace(engine="plain")
        return self._settings

    @staticmethod
    def tokenize_text(text: str, language: str = "english") -> list[str]:
        """The words of a text, by NLTK."""
        return punkt_words(text, language)

    @staticmethod
    def split_into_sentences(text: str, ensure_compatibility: bool, language: str = "english") -> list[str]:
        """The lines of a text, or its sentences by NLTK."""
        return text.split("\n") if ensure_compatibility else punkt_sentences(text, language)

    @staticmethod
    def _compute_p_r_f_score(
        evaluated_count: float,
        reference_count: float,
        overlapping_count: float,
        alpha: float = 0.5,
        weight_factor: float = 1.0,
    ) -> dict[str, float]:
        """Scores of three counts; its tests and some scripts call it."""
        power = None if weight_factor == 1.0 else 1.0 / weight_factor
        rule = ScoreRule(alpha=alpha, inverse_powers=(power,))
        ((precision, recall, f),) = scores_of_pair([(overlapping_count, evaluated_count, reference_count)], rule)
        return {"f": f, "p": precision, "r": recall}


class _Tokenizer:
    """Words, and their stems, without ``ensure_compatibility``."""

    def __init__(self, stemming: bool, word_tables: str | None) -> None:
        self._tokenize = py_rouge_tokenizer(compatible=False)
        self._stem = py_rouge_stem(word_tables, compatible=False) if stemming else None

    def __call__(self, text: str) -> list[str]:
        tokens = self._tokenize(text)
        return tokens if self._stem is None else list(map(self._stem, tokens))


def _some_sentences(text: str) -> list[str]:
    """NLTK's sentences; a text without any is refused, as there."""
    sentences = punkt_sentences(text)
    if not sentences:
        raise ValueError("Collections must contain at least 1 sentence.")
    return sentences


def _checked(hypothesis: Sequence[Any], references: Sequence[Any]) -> Inputs:
    """Predictions, and the list of references of each."""
    rows = []
    for sample, (text, given) in enumerate(zip(hypothesis, references, strict=True)):
        if not isinstance(text, str):
            raise AssertionError(f"hypothesis[{sample}] is a {type(text).__name__}; it must be a text.")
        row = given if isinstance(given, list) else [given]
        if not row:
            raise ValueError(f"references[{sample}] is empty; give at least one reference.")
        for one in row:
            if not isinstance(one, str):
                raise TypeError(f"references[{sample}] holds a {type(one).__name__}; each reference must be a text.")
        rows.append(row)
    return Inputs(list(hypothesis), rows, "list")
