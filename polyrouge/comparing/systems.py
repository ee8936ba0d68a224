"""Compare systems on the same references: means, paired differences, significance."""

import itertools
import math
import string
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.comparing.comparison import Comparison
from polyrouge.comparing.difference import Difference
from polyrouge.comparing.significance import paired_tests, score_differences
from polyrouge.errors import Note, Option, RefusedValue, shown_value, unknown_value, warn_of
from polyrouge.inputs import Inputs, check_inputs, column_rows
from polyrouge.metric import Rouge, as_rouge, score_inputs
from polyrouge.scoring.aggregates import all_keys, f_of_result, result_of, result_warnings, results_of, scale_scores
from polyrouge.scoring.intervals import FEW_SAMPLES, few_samples_warning, holm_adjusted
from polyrouge.scoring.sample_scores import Scores
from polyrouge.settings.allowed_values import FRACTION, RESAMPLES, SEED, checked_number
from polyrouge.settings.rouge_settings import RougeSettings

_FEW_SAMPLES = 100
_RESAMPLES = 10_000
_MOST_RESAMPLES = 100_000
_RESAMPLES_BELOW_ALPHA = 10
NO_MEANS = ("bootstrap_median", "micro")
"""Aggregates that are not means over samples; paired tests compare means."""
TESTS = ("randomization", "bootstrap")


def compare_systems(
    systems: Mapping[str, Any],
    references: Any,
    rouge: Rouge | str | None = None,
    *,
    baseline: str | None = None,
    confidence: float | None = None,
    alpha: float = 0.05,
    test: str = "randomization",
    n_resamples: int | None = None,
    seed: int | None = None,
) -> Comparison:
    """Compare systems on the same references.

    Differences are first minus second, in the order in which the systems were given: above 0 the first scores
    higher. Every output of polyrouge that compares systems (command, page, report, endpoint) shows the result of this
    function with these defaults.

    Args:
        systems: two or more: name to predictions, as for ``Rouge.compute``.
        references: as for ``Rouge.compute``.
        rouge: the metric, or a convention's name; ``Rouge()`` if None. With ``output="all"``, precision and recall
            are compared too. Intervals are made as its setting ``interval`` says.
        baseline: compare only this system with each of the others, instead of all pairs.
        confidence: level of the intervals, above 0 and below 1; None: the metric's, or 0.95 if it has none.
        alpha: level of significance, above 0 and below 1.
        test: the test that decides: ``"randomization"`` or ``"bootstrap"``.
        n_resamples: resamples of each test, and of the intervals of differences, 1 to 1,000,000. None: 10,000, or
            10 x pairs / alpha if that is more, so that ten decide on Holm's smallest p; at most 100,000.
            Intervals of means have as many as the metric's ``n_resamples`` says.
        seed: of all draws, 0 to 4294967295; None: the metric's.

    Returns:
        The comparison. Holm's correction is over the pairs of systems, separately for each key.

    Raises:
        ValueError: fewer than two systems or samples, or a value that is not allowed.
        TypeError: a value of the wrong type.
    """
    rouge = as_rouge(rouge)
    if not isinstance(systems, Mapping):
        raise TypeError(f"systems is {shown_value(systems)}; give a mapping from the name of each to its predictions.")
    options = ComparisonOptions(baseline, confidence, alpha, test, n_resamples, seed)
    options = options.checked(tuple(systems), rouge.settings)
    inputs = check_systems(systems, references)
    scores = {
        name: score_inputs(system_inputs, rouge.settings, rouge.run).scores for name, system_inputs in inputs.items()
    }
    comparison = compare_columns(scores, rouge.settings, options)
    warn_of(comparison_warnings(comparison))
    return comparison


class ComparisonOptions(NamedTuple):
    """How systems are compared; see ``compare_systems``."""

    baseline: str | None = None
    confidence: float | None = None
    alpha: float = 0.05
    test: str = TESTS[0]
    n_resamples: int | None = None
    seed: int | None = None

    def checked(self, names: Sequence[str], settings: RougeSettings) -> "ComparisonOptions":
        """Check the options, before anything is scored; return them with Python numbers."""
        if len(names) < 2:
            raise ValueError(f"Give two or more systems to compare; given {len(names)}.")
        most = len(string.ascii_lowercase)
        if len(names) > most:
            raise ValueError(f"Give at most {most} systems: each has a letter; given {len(names)}.")
        if self.baseline is not None and (not isinstance(self.baseline, str) or self.baseline not in names):
            raise unknown_value(self.baseline, names, "baseline")
        if not isinstance(self.test, str) or self.test not in TESTS:
            raise unknown_value(self.test, TESTS, Option("test"))
        numbers = {"alpha": checked_number("alpha", self.alpha, FRACTION)}
        for name, values in (("confidence", FRACTION), ("n_resamples", RESAMPLES), ("seed", SEED)):
            if getattr(self, name) is not None:
                numbers[name] = checked_number(name, getattr(self, name), values)
        if settings.aggregate in NO_MEANS:
            compare = ": paired tests compare means over samples; set ", Option("aggregate", "mean"), "."
            raise RefusedValue(Option("aggregate", settings.aggregate), *compare)
        return self._replace(**numbers)


def check_systems(systems: Mapping[Any, Any], references: Any) -> dict[Any, Inputs]:
    """Check the texts of each system, over the same references."""
    if not isinstance(systems, Mapping):
        raise TypeError(f"systems is {shown_value(systems)}; give a mapping from the name of each to its predictions.")
    references = column_rows(references, "references")
    return {name: check_inputs(predictions, references) for name, predictions in systems.items()}


def compare_columns(
    scores: Mapping[str, NDArray[np.float64]],
    settings: RougeSettings,
    options: ComparisonOptions = ComparisonOptions(),  # noqa: B008 it can't change
    results: Sequence[Mapping[str, float]] | None = None,
) -> Comparison:
    """``compare_systems`` from the ``Scores.scores`` of each; see also ``comparison_warnings``.

    ``results``, if the caller has them, are those of ``results_on_shared_samples`` for these systems.
    """
    names = tuple(scores)
    options = options.checked(names, settings)
    confidence = options.confidence or settings.confidence or 0.95
    seed = settings.seed if options.seed is None else options.seed
    settings = settings.replace(use_aggregator=True, confidence=confidence, seed=seed)
    raw = np.stack(list(scores.values()))[:, ~skipped_samples(list(scores.values()))]
    n_samples = raw.shape[1]
    pair_indexes = [
        (first, second)
        for first, second in itertools.combinations(range(len(names)), 2)
        if options.baseline in (None, names[first], names[second])
    ]
    n_resamples = options.n_resamples or resamples_drawn(len(pair_indexes), options.alpha)
    column_of = {key: 3 * column + measure for key, column, measure in all_keys(settings.result_rules)}
    keys, columns = tuple(column_of), list(column_of.values())
    rounds = settings.round_each is not None  # then means are over scaled and rounded scores
    scored, scale = (scale_scores(raw, settings.result_rules), 1.0) if rounds else (raw, settings.scale)
    flat = scored.reshape(len(names), n_samples, 3 * len(settings.rouge_types))
    is_mean = settings.aggregate != "f_of_means"
    tests = paired_tests(
        flat[:, :, columns] if is_mean else flat,
        pair_indexes,
        confidence=confidence,
        n_resamples=n_resamples,
        seed=seed,
        interval=settings.interval,
        of_means=None if is_mean else lambda means: f_of_result(means, settings.result_rules)[..., columns],
    )
    numbers = {name: getattr(tests, name) * scale for name in ("difference", "low", "high")}
    for name, p_values in (("p", tests.p_randomization), ("p_bootstrap", tests.p_bootstrap)):
        numbers |= {name: p_values, f"{name}_holm": holm_adjusted(p_values)}
    if results is None:
        results = results_of(list(raw), settings.result_rules)
    means, low, high = result_arrays(results, keys)
    differences = []
    for row, (first, second) in enumerate(pair_indexes):
        signs = outcomes(raw[first], raw[second], settings).reshape(n_samples, -1)[:, columns]
        for column, key in enumerate(keys):
            pair_numbers = {name: float(values[row, column]) for name, values in numbers.items()}
            wins, ties, losses = outcome_counts(signs[:, column])
            differences.append(
                Difference(
                    first=names[first],
                    second=names[second],
                    key=key,
                    level="all",
                    n_samples=n_samples,
                    first_mean=float(means[first, column]),
                    second_mean=float(means[second, column]),
                    difference=pair_numbers["difference"],
                    low=pair_numbers["low"],
                    high=pair_numbers["high"],
                    p=pair_numbers["p"],
                    p_holm=pair_numbers["p_holm"],
                    p_bootstrap=pair_numbers["p_bootstrap"],
                    p_bootstrap_holm=pair_numbers["p_bootstrap_holm"],
                    n_tests=len(pair_indexes),
                    wins=wins,
                    ties=ties,
                    losses=losses,
                )
            )
    return Comparison(
        names,
        keys,
        means,
        low,
        high,
        pairs=tuple(differences),
        n_samples=n_samples,
        n_left_out=len(scores[names[0]]) - n_samples,
        scale=settings.scale,
        signature=settings.signature(),
        confidence=confidence,
        interval=settings.interval,
        alpha=options.alpha,
        test=options.test,
        n_resamples=n_resamples,
        seed=seed,
    )


def comparison_warnings(comparison: Comparison) -> Iterator[str]:
    """Yield the warnings of a comparison: samples left out, too few samples, too few resamples."""
    n_samples, n_left_out = comparison.n_samples, comparison.n_left_out
    n_pairs = len(comparison.pairs) // len(comparison.keys)
    if n_left_out:
        n_all = n_samples + n_left_out
        skips_blank = "|empty:skip_blank_reference|" in comparison.signature
        yield Note(
            Option("empty", "skip_blank_reference" if skips_blank else "skip"),
            f" leaves {n_left_out} of {n_all} samples out of the comparison: a text of some system, or a reference, "
            "has no tokens.",
            kind="not_compared",
            n=n_left_out,
            all=n_all,
        )
    if comparison.test == "bootstrap" and n_samples < _FEW_SAMPLES:
        yield f"With {n_samples} samples the bootstrap's p is somewhat too small; take test='randomization'."
    yield from resamples_warnings(comparison.n_resamples, n_pairs, comparison.alpha)
    if n_samples < FEW_SAMPLES:
        yield few_samples_warning(n_samples)


def resamples_warnings(n_resamples: int, n_pairs: int, alpha: float) -> Iterator[str]:
    """Warn if so few resamples can't make any p small enough after Holm's correction over the pairs."""
    smallest = n_pairs / (n_resamples + 1)
    if smallest >= alpha:
        needed = math.floor(min(n_pairs / alpha, 1e15))
        corrected = f" after Holm's correction over {n_pairs} pairs" if n_pairs > 1 else ""
        yield Note(
            f"{n_resamples} resamples give no p below {smallest:.2g}{corrected}, so nothing can be significant at "
            f"{alpha:g}: give ",
            Option("n_resamples", needed),
            f" or more{', or compare fewer pairs' if corrected else ''}.",
        )


def results_on_shared_samples(
    samples: Sequence[Scores], settings: RougeSettings
) -> tuple[list[dict[str, float]], list[str]]:
    """Make the result of each system, over the samples that no system skips if they are comparable; and warnings."""
    scores = [sample.scores for sample in samples]
    if is_comparable(scores, settings):
        is_shared = ~skipped_samples(scores)
        samples = [sample._replace(scores=sample.scores[is_shared]) for sample in samples]
    rules = settings.result_rules
    messages = [message for sample in samples for message in result_warnings(sample.scores, rules)]
    if rules.aggregate == "micro":
        return [result_of(sample.scores, rules, sample.totals) for sample in samples], messages
    return results_of([sample.scores for sample in samples], rules), messages


def result_arrays(results: Sequence[Mapping[str, float]], keys: Sequence[str]) -> Iterator[NDArray[np.float64]]:
    """Yield means, and lower and upper bounds of their intervals: float64[n_results, n_keys]; NaN if there are none."""
    for end in ("", "_low", "_high"):
        yield np.array([[result.get(key + end, math.nan) for key in keys] for result in results], np.float64)


def outcomes(first: NDArray[np.float64], second: NDArray[np.float64], settings: RougeSettings) -> NDArray[np.float64]:
    """Return who scores higher on each sample: 1 the first, 0 neither, -1 the second; NaN for a skipped sample."""
    first_scaled, second_scaled = (
        scale_scores(system_scores, settings.result_rules) for system_scores in (first, second)
    )
    return np.sign(score_differences(first_scaled, second_scaled))


def outcome_counts(signs: NDArray[np.float64]) -> tuple[int, int, int]:
    """Return on how many samples the first scores higher, the same, lower, by ``outcomes`` of one key."""
    return int((signs > 0).sum()), int((signs == 0).sum()), int((signs < 0).sum())


def is_comparable(scores: Sequence[NDArray[np.float64]], settings: RougeSettings) -> bool:
    """Say whether ``compare_columns`` takes these systems; it refuses few samples, and aggregates other than means."""
    return len(scores) > 1 and settings.aggregate not in NO_MEANS and (~skipped_samples(scores)).sum() > 1


def skipped_samples(scores: Sequence[NDArray[np.float64]]) -> NDArray[np.bool_]:
    """Return bool[n_samples]: which samples any system skips, by the ``Scores.scores`` of each."""
    return np.any([np.isnan(system_scores).any(axis=(1, 2)) for system_scores in scores], axis=0)


def resamples_drawn(n_pairs: int, alpha: float = 0.05) -> int:
    """Return the default number of resamples of each test."""
    return max(_RESAMPLES, math.ceil(min(_RESAMPLES_BELOW_ALPHA * n_pairs / alpha, _MOST_RESAMPLES)))
