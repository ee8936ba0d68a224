"""py-rouge 1.1 by Diego999: ``from polyrouge.compat import py_rouge as rouge``."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np

from polyrouge.compat.adapters import check_on_error, reference_scores, sample_scores
from polyrouge.conventions.common import punkt_sentences
from polyrouge.conventions.py_rouge import py_rouge_tokenizer, stemmer
from polyrouge.metric import Rouge as PolyRouge
from polyrouge.scoring.single_pairs import PairScorer
from polyrouge.settings.rouge_settings import RougeSettings, RunOptions, grouped

__version__ = "1.0.0"  # as the release 1.1 has it
_MEASURES = {"p": 0, "r": 1, "f": 2}


@dataclass(eq=False)
class Rouge:
    """ROUGE as py-rouge computes it.

    Its stems come from tables that belong to others. They are read from the installed ``py-rouge`` or from a folder;
    without ``stemming`` none is needed.

    Args:
        metrics: of ``"rouge-n"``, ``"rouge-l"``, ``"rouge-w"``; None for ``"rouge-n"``.
        max_n: with ``"rouge-n"``: ROUGE-1 to ROUGE-``max_n``, up to 9. None for no ROUGE-N, as in py-rouge.
        limit_length: cut texts.
        length_limit: number of words or characters to keep; 0 for all.
        length_limit_type: ``"words"``, or ``"bytes"``, which are characters.
        apply_avg: pool the references of a sample, and average over the samples.
        apply_best: without ``apply_avg``: take the reference with the highest recall, and average over the samples.
        stemming: stem words of more than three characters.
        alpha: in F = P R / ((1 - alpha) P + alpha R), 0 to 1.
        weight_factor: exponent of ROUGE-W, and on the ratios of ROUGE-L too; 0.5 to 5.
        ensure_compatibility: lines are sentences, and words are stemmed as by ROUGE-1.5.5; without it NLTK's
            sentences and its own variant of Porter's stemmer. In the package the first object of a process decides
            for all; in polyrouge each decides for itself.
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

    metrics: Any = None
    max_n: int | None = None
    limit_length: bool = True
    length_limit: int = 665
    length_limit_type: str = "bytes"
    apply_avg: bool = True
    apply_best: bool = False
    stemming: bool = True
    alpha: float = 0.5
    weight_factor: float = 1.0
    ensure_compatibility: bool = True
    _: KW_ONLY
    word_tables: str | None = None
    on_error: str = "score"

    def __post_init__(self) -> None:
        check_on_error(self.on_error)
        names = set(self.DEFAULT_METRICS if self.metrics is None else self.metrics)
        for name in names - self.AVAILABLE_METRICS:
            raise ValueError(f"Unknown metric '{name}'")
        if "rouge-n" not in names:
            self.max_n = None
        elif self.max_n is not None:
            names = names - {"rouge-n"} | {f"rouge-{n}" for n in range(1, self.max_n + 1)}
        self.metrics = names
        if self.limit_length and self.length_limit_type not in self.AVAILABLE_LENGTH_LIMIT_TYPES:
            raise ValueError(f"Unknown length_limit_type '{self.length_limit_type}'")
        if self.weight_factor <= 0:
            raise ValueError("ROUGE-W weight factor must greater than 0.")
        self.limit_length = self.limit_length and self.length_limit != 0
        ordered = sorted(names - {"rouge-n"})  # numbers, L, W
        # Without a weight the package counts ROUGE-W as ROUGE-L.
        weighted = "rougeL" if self.weight_factor == 1 else "rougeW"
        types = [weighted if name == "rouge-w" else f"rouge{name[6:].upper()}" for name in ordered]
        distinct = list(dict.fromkeys(types))
        self._columns = {name: distinct.index(rouge_type) for name, rouge_type in zip(ordered, types, strict=True)}
        self._scorer = PairScorer(self._settings(tuple(distinct) or ("rouge1",)), RunOptions())

    def get_scores(self, hypothesis: Any, references: Any) -> dict[str, Any]:
        """Score a text, or a list of texts, against a text or a list of references each.

        Returns a dict of ``"f"``, ``"p"``, ``"r"`` for each metric; without ``apply_avg`` and ``apply_best`` a list of
        such dicts, one a sample, whose values are lists of one score a reference.

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
        if not self._columns:
            return {}
        predictions, rows = list(hypothesis), _checked_rows(hypothesis, references)
        if not self.apply_avg and not self.apply_best:
            samples = reference_scores(predictions, rows, self._scorer)
            return {
                name: [{stat: sample[:, column, _MEASURES[stat]].tolist() for stat in self.STATS} for sample in samples]
                for name, column in self._columns.items()
            }
        if predictions and self.on_error == "raise" and not self.apply_avg and "rouge-w" in self.metrics:
            pairs = [(text, reference) for text, row in zip(predictions, rows, strict=True) for reference in row]
            self._raise_first_error(pairs)
        sums = np.zeros((len(self._scorer.settings.rouge_types), 3))
        for row in sample_scores(predictions, rows, self._scorer):  # in order, as sums depend on it in the last digit
            sums += row
        means = (sums / max(len(predictions), 1)).tolist()
        return {
            name: {stat: means[column][_MEASURES[stat]] for stat in self.STATS}
            for name, column in self._columns.items()
        }

    def as_polyrouge(self) -> PolyRouge:
        """Return the same metric as a ``polyrouge.Rouge``, which has a signature, intervals and explanations."""
        return PolyRouge.of(self._scorer.settings)

    def _raise_first_error(self, pairs: list[tuple[str, str]]) -> None:
        """Raise what the package raises of these pairs where it counts ROUGE-W of each."""
        # Of several errors the package's is the first: ROUGE-L reads all pairs before ROUGE-W reads one.
        by_pair = len(pairs) > 1 and "rouge-l" not in self.metrics
        try:
            is_broken = self._scorer.score_columns(*map(list, zip(*pairs, strict=True)))[0].reference_empty.any()
        except ValueError:
            is_broken = True
            if not by_pair:
                raise
        if is_broken and by_pair:
            for pair in pairs:
                self._raise_first_error([pair])
        elif is_broken:
            raise ZeroDivisionError("float division by zero")

    def _settings(self, types: tuple[str, ...]) -> RougeSettings:
        changes: dict[str, Any] = {
            "rouge_types": types,
            "max_characters": None,
            "use_stemmer": bool(self.stemming),
            "word_tables": self.word_tables,
            "alpha": self.alpha,
            "weight": self.weight_factor,
            "multi_reference": "pooled" if self.apply_avg else "best_recall",
        }
        if self.limit_length:
            changes["max_words" if self.length_limit_type == "words" else "max_characters"] = self.length_limit
        if not self.ensure_compatibility:
            changes["tokenizer"] = _Tokenizer(bool(self.stemming), self.word_tables)
            by_sentence = not {"rouge-l", "rouge-w"}.isdisjoint(self._columns)
            split = _some_sentences if by_sentence else punkt_sentences
            changes |= {"use_stemmer": False, "sentence_split": split, "punctuation": "keep"}
        return PolyRouge("py_rouge", **grouped(changes)).settings


class _Tokenizer:
    """Cut words, and stem them, without ``ensure_compatibility``."""

    def __init__(self, stemming: bool, word_tables: str | None) -> None:
        self._tokenize = py_rouge_tokenizer(compatible=False)
        self._stem = stemmer(word_tables, compatible=False) if stemming else None

    def __call__(self, text: str) -> list[str]:
        tokens = self._tokenize(text)
        return tokens if self._stem is None else list(map(self._stem, tokens))


def _some_sentences(text: str) -> list[str]:
    """Cut NLTK's sentences; refuse a text without sentences, as py-rouge does."""
    sentences = punkt_sentences(text)
    if not sentences:
        raise ValueError("Collections must contain at least 1 sentence.")
    return sentences


def _checked_rows(hypothesis: Sequence[Any], references: Sequence[Any]) -> list[list[str]]:
    """Check predictions and references; return the list of references of each prediction."""
    rows = []
    for sample, (text, value) in enumerate(zip(hypothesis, references, strict=True)):
        if not isinstance(text, str):
            raise AssertionError(f"hypothesis[{sample}] is a {type(text).__name__}; it must be a text.")
        row = value if isinstance(value, list) else [value]
        if not row:
            raise ValueError(f"references[{sample}] is empty; give at least one reference.")
        for reference in row:
            if not isinstance(reference, str):
                raise TypeError(
                    f"references[{sample}] holds a {type(reference).__name__}; each reference must be a text."
                )
        rows.append(row)
    return rows
