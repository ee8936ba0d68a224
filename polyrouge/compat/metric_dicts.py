"""What the classes of rouge, rouge_chinese and lawrouge share: metrics and stats by name, dicts of dicts as results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from polyrouge.compat.given_texts import texts_of
from polyrouge.compat.sentence_functions import refuse_empty, refuse_no_sentences
from polyrouge.conventions.registry import find_convention
from polyrouge.errors import unknown_value
from polyrouge.metric import Rouge as PolyRouge
from polyrouge.scoring.single_pairs import PairScorer, ScoredPair
from polyrouge.settings.rouge_settings import RougeSettings

_STATS = ("p", "r", "f")  # in the order of a pair's scores
_RAW_STATS = ("overlap", "hyp", "ref")  # in the order of a pair's counts
_ON_ERROR = ("score", "raise")


class MetricDicts:
    """Options and results of the three tools; each adds its convention.

    Args:
        metrics: names such as ``"rouge-1"``, ``"rouge-l"``; None for ``DEFAULT_METRICS``.
        stats: of ``"r"``, ``"p"``, ``"f"``; None for all.
        return_lengths: add numbers of words to the result, under ``"lengths"``.
        raw_results: counts in place of scores: ``"hyp"``, ``"ref"``, ``"overlap"``.
        exclusive: count distinct n-grams and words.
        on_error: what becomes of a pair for which the tool crashes although it has a score: ``"score"`` scores it,
            ``"raise"`` raises as the tool does. What the tool refuses on purpose is refused in any case.

    Raises:
        ValueError: a metric or stat is not known.
    """

    DEFAULT_METRICS: ClassVar[list[str]] = ["rouge-1", "rouge-2", "rouge-l"]
    AVAILABLE_METRICS: ClassVar[Mapping[str, Callable[..., dict[str, Any]]]] = {}
    DEFAULT_STATS: ClassVar[list[str]] = ["r", "p", "f"]
    AVAILABLE_STATS: ClassVar[list[str]] = ["r", "p", "f"]
    CONVENTION: ClassVar[str] = ""

    def __init__(
        self,
        metrics: Iterable[str] | None = None,
        stats: Iterable[str] | None = None,
        return_lengths: bool = False,
        raw_results: bool = False,
        exclusive: bool = True,
        *,
        on_error: str = "score",
    ) -> None:
        check_on_error(on_error)
        self.return_lengths = return_lengths
        self.raw_results = raw_results
        self.exclusive = exclusive
        self.metrics = self.DEFAULT_METRICS if metrics is None else _known("metric", metrics, self.AVAILABLE_METRICS)
        if self.raw_results:
            self.stats = ["hyp", "ref", "overlap"]
        else:
            self.stats = self.DEFAULT_STATS if stats is None else _known("stat", stats, self.AVAILABLE_STATS)
        self._on_error = on_error
        self._scorers: dict[tuple, PairScorer] = {}

    def as_polyrouge(self) -> PolyRouge:
        """The same metric as a ``polyrouge.Rouge``, which has a signature, intervals and explanations."""
        settings = self._scorer(()).settings
        return PolyRouge(**{name: getattr(settings, name) for name in RougeSettings.names()})

    def _changes(self, way: Any, /) -> dict[str, Any]:
        """What differs from the convention's settings; ``way`` is what ``_scorer`` was asked for."""
        raise NotImplementedError

    def _n_words(self, text: str, way: Any, /) -> int:
        """The length of a text, as the tool counts it."""
        raise NotImplementedError

    def _scorer(self, way: Any) -> PairScorer:
        """What scores pairs by the options of now, kept from call to call."""
        key = (*self.metrics, self.exclusive, way)
        scorer = self._scorers.get(key)
        if scorer is None:
            convention = find_convention(self.CONVENTION)
            types = tuple(dict.fromkeys(_rouge_type(metric) for metric in self.metrics)) or ("rouge1",)
            changes = {"rouge_types": types, "weights": None, "on_error": self._on_error, **self._changes(way)}
            scorer = self._scorers[key] = PairScorer(convention.override(convention.settings, changes))
        return scorer

    def _given(self, hyps: Any, refs: Any, ignore_empty: bool) -> tuple[list[str], list[str]]:
        """The texts of both sides, checked as the tools check them."""
        if isinstance(hyps, str):
            hyps, refs = [hyps], [refs]
        if ignore_empty:
            pairs = [pair for pair in zip(hyps, refs, strict=False) if len(pair[0]) > 0 and len(pair[1]) > 0]
            if not pairs:
                raise ValueError("ignore_empty=True leaves no pair: in each, one of the two texts is empty.")
            hyps, refs = zip(*pairs, strict=True)
        if not isinstance(hyps, type(refs)):
            raise AssertionError(
                f"hyps is a {type(hyps).__name__} and refs a {type(refs).__name__}; give two of the same type."
            )
        if len(hyps) != len(refs):
            raise AssertionError(f"hyps has {len(hyps)} texts and refs {len(refs)}; give as many.")
        return texts_of(hyps, "hyps"), texts_of(refs, "refs")

    def _pair_scores(self, hyps: list[str], refs: list[str], way: Any) -> list[dict[str, dict[str, Any]]]:
        """A dict for each pair."""
        stats = _RAW_STATS if self.raw_results else _STATS
        places = [(stat, stats.index(stat)) for stat in self.stats]
        found = []
        for pair in self._scored(hyps, refs, way):
            rows = [list(map(int, row)) for row in pair.counts] if self.raw_results else pair.scores
            of_type = dict(zip(self._scorer(way).settings.rouge_types, rows, strict=True))
            found.append({m: {stat: of_type[_rouge_type(m)][place] for stat, place in places} for m in self.metrics})
        if self.return_lengths:
            for scores, hyp, ref in zip(found, hyps, refs, strict=True):
                scores["lengths"] = {"hyp": self._n_words(hyp, way), "ref": self._n_words(ref, way)}
        return found

    def _mean_scores(self, hyps: list[str], refs: list[str], way: Any) -> dict[str, dict[str, float]]:
        """The means, added up in order as the tools do."""
        if self.raw_results and self.metrics:
            raise KeyError("hyp: raw_results=True has no averages; use avg=False, or raw_results=False.")
        if not hyps:
            raise ZeroDivisionError("No pairs to average: hyps and refs are empty.")
        sums: dict[str, dict[str, float]] = {metric: dict.fromkeys(self.stats, 0) for metric in self.metrics}
        if self.return_lengths:
            sums["lengths"] = {"hyp": 0, "ref": 0}
        added = [*self.metrics, *(["lengths"] if self.return_lengths else [])]  # one named twice counts twice, as there
        for scores in self._pair_scores(hyps, refs, way):
            for name in added:
                total = sums[name]
                for stat, value in scores[name].items():
                    total[stat] += value
        return {name: {stat: total / len(hyps) for stat, total in stats.items()} for name, stats in sums.items()}

    def _scored(self, hyps: list[str], refs: list[str], way: Any) -> Iterable[ScoredPair]:
        """Pair after pair; what the tool refuses is raised when it is reached."""
        refuse = None
        if self.metrics:
            refuse = refuse_no_sentences if self.metrics[0] == "rouge-l" else refuse_empty
        for pair in self._scorer(way).score_all(hyps, refs):
            if (pair.prediction_empty or pair.reference_empty) and refuse is not None and self._refuses(way):
                refuse(not pair.prediction_empty, not pair.reference_empty)
            self._raise_as_the_tool(pair, way)
            yield pair

    def _refuses(self, _way: Any, /) -> bool:
        """Whether a text without words is refused."""
        return True

    def _raise_as_the_tool(self, pair: ScoredPair, way: Any, /) -> None:
        """Raise what the tool crashes with, where that is asked for."""


def check_on_error(on_error: str) -> None:
    """Raise ``ValueError`` for what is neither ``"score"`` nor ``"raise"``."""
    if on_error not in _ON_ERROR:
        raise unknown_value(on_error, _ON_ERROR, "on_error")


def _known(kind: str, names: Iterable[str], allowed: Iterable[str]) -> list[str]:
    """The names in lower case, each of which must be allowed."""
    lowered = [name.lower() for name in names]
    for name in lowered:
        if name not in allowed:
            raise ValueError(f"Unknown {kind} '{name}'")
    return lowered


def _rouge_type(metric: str) -> str:
    return f"rouge{metric.removeprefix('rouge-').upper()}"


def lines_of(path: Any) -> list[str]:
    """The lines of a file as the tools read them: the last character of each is dropped, whatever it is."""
    with open(path, encoding="utf-8") as file:
        return [line[:-1] for line in file]


def check_files(hyp_path: Any, ref_path: Any) -> None:
    """Raise ``AssertionError`` where a file is missing, or the two have different numbers of lines."""
    import os

    counts = []
    for path in (hyp_path, ref_path):
        if not os.path.isfile(path):
            raise AssertionError(f"{path} is no file.")
        with open(path, "rb") as file:
            counts.append(sum(1 for _ in file))
    if counts[0] != counts[1]:
        raise AssertionError(
            f"{hyp_path} has {counts[0]} lines and {ref_path} {counts[1]}; each line needs its partner."
        )
