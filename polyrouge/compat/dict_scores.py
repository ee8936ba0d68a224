"""The common part of rouge and rouge_chinese: scores of texts, files and sentences as dicts of metrics and stats."""

import argparse
import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from polyrouge.compat.adapters import check_on_error, checked_texts, convention_scorer
from polyrouge.counting.plain.lcs import pairwise_lcs, type_union_lcs
from polyrouge.counting.plain.ngrams import clipped_hits, count_ngrams
from polyrouge.metric import Rouge as PolyRouge
from polyrouge.scoring.scores import f_of_pair
from polyrouge.scoring.single_pairs import PairScorer, ScoredPair
from polyrouge.settings.rules import ScoreRule


@dataclass(eq=False)
class DictRouge:
    """Options and results of the two tools; each adds its convention.

    Args:
        metrics: names such as ``"rouge-1"``, ``"rouge-l"``; None for ``DEFAULT_METRICS``.
        stats: of ``"r"``, ``"p"``, ``"f"``; None for all.
        return_lengths: add numbers of words to the result, under ``"lengths"``.
        raw_results: counts in place of scores: ``"hyp"``, ``"ref"``, ``"overlap"``.
        exclusive: count distinct n-grams and words.
        on_error: for a pair that has a score although the tool crashes: ``"score"`` scores it, ``"raise"`` raises as
            the tool does. What the tool refuses on purpose is always refused.

    Raises:
        ValueError: a metric or stat is not known.
    """

    CONVENTION: ClassVar[str]
    DEFAULT_METRICS: ClassVar[list[str]] = ["rouge-1", "rouge-2", "rouge-l"]
    AVAILABLE_METRICS: ClassVar[list[str]] = [*(f"rouge-{n}" for n in range(1, 6)), "rouge-l"]
    DEFAULT_STATS: ClassVar[list[str]] = ["r", "p", "f"]
    AVAILABLE_STATS: ClassVar[list[str]] = ["r", "p", "f"]

    metrics: Any = None
    stats: Any = None
    return_lengths: bool = False
    raw_results: bool = False
    exclusive: bool = True
    _: KW_ONLY
    on_error: str = "score"

    def __post_init__(self) -> None:
        check_on_error(self.on_error)
        self.metrics = _known("metric", self.metrics, self.AVAILABLE_METRICS, self.DEFAULT_METRICS)
        if self.raw_results:
            self.stats = ["hyp", "ref", "overlap"]
        else:
            self.stats = _known("stat", self.stats, self.AVAILABLE_STATS, self.DEFAULT_STATS)

    def get_scores(self, hyps: Any, refs: Any, avg: bool = False, ignore_empty: bool = False) -> Any:
        """Score predictions against references, texts or lists of texts.

        Returns a dict of metrics for each pair, with ``avg`` one of their means. ``ignore_empty`` leaves out pairs with
        a text of length 0.

        Raises:
            ValueError: a text has no words; ``ignore_empty`` leaves no pair.
            AssertionError: the two are of different types or lengths.
            TypeError: a row is no string.
        """
        hyps, refs = _checked_pairs(hyps, refs, ignore_empty)
        return self._mean_scores(hyps, refs) if avg else list(self._pair_scores(hyps, refs))

    def as_polyrouge(self) -> PolyRouge:
        """Return the same metric as a ``polyrouge.Rouge``, which has a signature, intervals and explanations."""
        return PolyRouge.of(self._scorer().settings)

    def _changes(self) -> dict[str, Any]:
        """Return changes to the convention's settings."""
        raise NotImplementedError

    def _n_words(self, text: str, /) -> int:
        """Return the length of a text, as the tool counts it."""
        raise NotImplementedError

    def _check(self, pair: ScoredPair) -> None:
        """Raise as the tool does: for a text without words; under ``on_error="raise"`` also if it crashes."""
        if self.metrics and (pair.prediction_empty or pair.reference_empty):
            _refuse_empty(not pair.prediction_empty, not pair.reference_empty, is_lcs=self.metrics[0] == "rouge-l")

    def _scorer(self) -> PairScorer:
        """Return the scorer for the options, which may change between calls."""
        types = tuple(dict.fromkeys(map(_rouge_type, self.metrics))) or ("rouge1",)
        return convention_scorer(self.CONVENTION, rouge_types=types, on_error=self.on_error, **self._changes())

    def _pair_scores(self, hyps: list[str], refs: list[str]) -> Iterator[dict[str, dict[str, Any]]]:
        """Yield a dict for each pair; raise an error when its pair is reached."""
        scorer = self._scorer()
        names = ("overlap", "hyp", "ref") if self.raw_results else ("p", "r", "f")
        columns = [(stat, names.index(stat)) for stat in self.stats]
        for row, (hyp, ref, pair) in enumerate(zip(hyps, refs, scorer.score_all(hyps, refs), strict=True)):
            try:
                self._check(pair)
            except ValueError as error:
                raise error if len(hyps) == 1 else ValueError(f"{error} (hyps[{row}], refs[{row}])") from None
            rows = [list(map(int, row)) for row in pair.counts] if self.raw_results else pair.scores
            scores_of_type = dict(zip(scorer.settings.rouge_types, rows, strict=True))
            scores = {
                m: {stat: scores_of_type[_rouge_type(m)][column] for stat, column in columns} for m in self.metrics
            }
            if self.return_lengths:
                scores["lengths"] = {"hyp": self._n_words(hyp), "ref": self._n_words(ref)}
            yield scores

    def _mean_scores(self, hyps: list[str], refs: list[str]) -> dict[str, dict[str, float]]:
        """Return the means, added in order as the tools do."""
        if self.raw_results and self.metrics:
            raise KeyError("hyp: raw_results=True has no averages; use avg=False, or raw_results=False.")
        if not hyps:
            raise ZeroDivisionError("No pairs to average: hyps and refs are empty.")
        # A metric that is named twice counts twice, as in the tools.
        names = [*self.metrics, "lengths"] if self.return_lengths else self.metrics
        sums: dict[str, dict[str, float]] = {name: defaultdict(float) for name in names}
        for scores in self._pair_scores(hyps, refs):
            for name in names:
                for stat, value in scores[name].items():
                    sums[name][stat] += value
        return {name: {stat: total / len(hyps) for stat, total in stats.items()} for name, stats in sums.items()}


class DictFilesRouge:
    """Score the lines of two files; the arguments are those of ``ROUGE``."""

    ROUGE: ClassVar[type[DictRouge]]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.rouge: Any = self.ROUGE(*args, **kwargs)

    def get_scores(self, hyp_path: Any, ref_path: Any, avg: bool = False, ignore_empty: bool = False) -> Any:
        """Score each line of a file of predictions against the same line of references; see ``Rouge.get_scores``.

        As in the tools, a line loses its last character.

        Raises:
            AssertionError: a file is missing, or the numbers of lines differ.
        """
        hyps, refs = ([line[:-1] for line in lines] for lines in _file_lines(hyp_path, ref_path))
        if len(hyps) != len(refs):
            raise AssertionError(
                f"{hyp_path} has {len(hyps)} lines and {ref_path} {len(refs)}; each line needs its partner."
            )
        return self.rouge.get_scores(hyps, refs, avg=avg, ignore_empty=ignore_empty)


def _checked_pairs(hyps: Any, refs: Any, ignore_empty: bool) -> tuple[list[str], list[str]]:
    """Check the texts of both sides as the tools do."""
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
    return checked_texts(hyps, "hyps"), checked_texts(refs, "refs")


def _file_lines(*paths: Any) -> list[list[str]]:
    """Read the lines of each file, with their line breaks; ``AssertionError`` if a file is missing."""
    for path in paths:
        if not os.path.isfile(path):
            raise AssertionError(f"{path} is no file.")
    contents = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            contents.append(list(file))
    return contents


def _known(noun: str, names: Iterable[str] | None, allowed: list[str], default: list[str]) -> list[str]:
    """Lower-case names, each of which must be allowed."""
    if names is None:
        return default
    lowered = [name.lower() for name in names]
    for name in lowered:
        if name not in allowed:
            raise ValueError(f"Unknown {noun} '{name}'")
    return lowered


def _rouge_type(metric: str) -> str:
    return f"rouge{metric.removeprefix('rouge-').upper()}"


def _refuse_empty(evaluated: int, reference: int, *, is_lcs: bool) -> None:
    """Raise the tools' error if either text has nothing."""
    if is_lcs and not (evaluated and reference):
        raise ValueError("Collections must contain at least 1 sentence.")
    if not evaluated:
        raise ValueError("Hypothesis is empty.")
    if not reference:
        raise ValueError("Reference is empty.")


def rouge_n(
    evaluated_sentences: Sequence[str],
    reference_sentences: Sequence[str],
    n: int = 2,
    raw_results: bool = False,
    exclusive: bool = True,
) -> dict[str, Any]:
    """Return ROUGE-N of two lists of sentences, whose words are between single spaces.

    ``raw_results`` gives counts (``"hyp"``, ``"ref"``, ``"overlap"``) in place of scores (``"f"``, ``"p"``, ``"r"``);
    ``exclusive`` counts distinct n-grams. An empty list is a ``ValueError``.
    """
    _refuse_empty(len(evaluated_sentences), len(reference_sentences), is_lcs=False)
    if n <= 0:
        raise AssertionError(f"n is {n}; it must be above 0.")
    words = (
        [word for sentence in text for word in sentence.split(" ")]
        for text in (evaluated_sentences, reference_sentences)
    )
    first, second = (count_ngrams(text_words, n) for text_words in words)
    if exclusive:
        first, second = dict.fromkeys(first, 1), dict.fromkeys(second, 1)
    return _result((clipped_hits(first, second), sum(first.values()), sum(second.values())), raw_results)


def rouge_l_summary_level(
    evaluated_sentences: Sequence[str],
    reference_sentences: Sequence[str],
    raw_results: bool = False,
    exclusive: bool = True,
    **_: Any,
) -> dict[str, Any]:
    """Return what pltrdy's rouge calls ROUGE-L, of two lists of sentences; see ``rouge_n``."""
    _refuse_empty(len(evaluated_sentences), len(reference_sentences), is_lcs=True)
    count = type_union_lcs if exclusive else pairwise_lcs
    first, second = ([sentence.split(" ") for sentence in text] for text in (evaluated_sentences, reference_sentences))
    return _result(count(first, second), raw_results)


def _result(counts: tuple[float, float, float], raw_results: bool) -> dict[str, Any]:
    """Return the counts (overlap, prediction, reference) by the tools' names, or their scores."""
    overlap, evaluated, reference = counts
    if raw_results:
        return {"hyp": evaluated, "ref": reference, "overlap": overlap}
    precision, recall = overlap / evaluated if evaluated else 0.0, overlap / reference if reference else 0.0
    return {"f": f_of_pair(precision, recall, ScoreRule(epsilon=1e-8)), "p": precision, "r": recall}


def run_command(name: str, rouge: type[DictRouge], files_rouge: type[DictFilesRouge]) -> None:
    """Run the command of rouge and rouge_chinese: two texts, or two files, to scores as JSON."""
    metrics = {metric.removeprefix("rouge-").upper(): metric for metric in rouge.AVAILABLE_METRICS}
    stats = [stat.upper() for stat in rouge.AVAILABLE_STATS]
    parser = argparse.ArgumentParser(prog=name, description="Rouge Metric Calculator")
    parser.add_argument("-f", "--file", action="store_true", help="both are files, scored line by line")
    parser.add_argument("-a", "--avg", action="store_true", help="print means")
    parser.add_argument("--ignore_empty", action="store_true", help="leave out lines without text")
    parser.add_argument("hypothesis", help="text, or path of a file")
    parser.add_argument("reference", help="text, or path of a file")
    parser.add_argument("--metrics", nargs="+", type=str.upper, choices=metrics, help="metrics (three by default)")
    parser.add_argument("--stats", nargs="+", type=str.upper, choices=stats, help="stats (all by default)")
    arguments = parser.parse_args()
    options = (arguments.metrics and [metrics[metric] for metric in arguments.metrics], arguments.stats)
    texts = (arguments.hypothesis, arguments.reference)
    if arguments.file:
        scores = files_rouge(*options).get_scores(*texts, avg=arguments.avg, ignore_empty=arguments.ignore_empty)
    else:
        scores = rouge(*options).get_scores(*texts, avg=arguments.avg)
    sys.stdout.write(json.dumps(scores, indent=2) + "\n")
