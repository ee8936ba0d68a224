"""Compare systems slice by slice: on which kind of samples does one of them lose?"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.comparing.checks import check_comparison
from polyrouge.comparing.comparison import PairedDifference
from polyrouge.comparing.sample_slices import FEWEST_SAMPLES, SampleSlice, reference_columns, slices_of
from polyrouge.comparing.sliced_scores import SlicedDifference, SlicedScores, SliceMeans
from polyrouge.comparing.systems import compare_columns
from polyrouge.errors import hearing_warnings, warn_user
from polyrouge.inputs import check_inputs
from polyrouge.metric import Rouge
from polyrouge.progress import tell_progress, telling_progress
from polyrouge.scoring.p_values import holm_adjusted
from polyrouge.scoring.pipeline import score_samples
from polyrouge.scoring.results import result_keys, result_of
from polyrouge.settings.rouge_settings import RougeSettings

_RESAMPLES = 10_000
_FEWEST_RESAMPLES = 2  # times the number of tests / alpha: then two of them decide on the smallest p
_MOST_PAIRED = 4  # systems of which all pairs are compared on each slice
_DRAWS = 100_000_000  # samples drawn in all, which take some seconds
_MOST_DRAWS = 10 * _DRAWS


def compare_slices(
    systems: Mapping[str, Any],
    references: Any,
    slices: Mapping[str, Any] | None = None,
    rouge: Rouge | None = None,
    *,
    baseline: str | None = None,
    n_resamples: int | None = None,
) -> list[SlicedDifference]:
    """Compare systems on slices of the samples.

    All numbers of a slice are those that ``compare_systems`` gives for its samples and ``n_resamples``. The p values
    are corrected for how many slices were looked at.

    Args:
        systems: two or more: name to predictions, as for ``compare_systems``.
        references: as for ``Rouge.compute``.
        slices: name of a column to one value for each sample: a topic, a source, a length. Numbers of more than eight
            different values are cut at their quartiles; a missing value (None, NaN) is in no slice. None: slices by the
            length of the first reference in tokens, and by the number of references.
        rouge: the metric; ``Rouge()`` if None.
        baseline: compare only this system with each of the others, instead of all pairs.
        n_resamples: of each test. None: 10,000; for many samples fewer, so that 100 million samples are drawn in all,
            but twice as many as Holm's correction needs.

    Returns:
        One for each slice of two samples or more, pair of systems and key; those where the first system of the pair
        loses most come first.

    Raises:
        TypeError, ValueError: as ``compare_systems``; or a column does not fit, or has more than 100 different values
            that are no numbers.
    """
    rouge = rouge or Rouge()
    check_comparison(tuple(systems), rouge.settings, baseline, None, 0.05, "randomization", n_resamples, None)
    found = score_slices(systems, references, slices, rouge, baseline=baseline, n_resamples=n_resamples)
    return list(found.differences)


def score_slices(
    systems: Mapping[str, Any],
    references: Any,
    slices: Mapping[str, Any] | None = None,
    rouge: Rouge | None = None,
    *,
    baseline: str | None = None,
    n_resamples: int | None = None,
) -> SlicedScores:
    """Score one system or several on slices of the samples: means with intervals, and what ``compare_slices`` gives.

    Args:
        systems: one or more: name to predictions.
        references: as for ``Rouge.compute``.
        slices: as for ``compare_slices``.
        rouge: the metric; ``Rouge()`` if None. Means have intervals at its ``confidence``; those of several systems at
            95 % if it has none.
        baseline: as for ``compare_slices``.
        n_resamples: as for ``compare_slices``.

    Returns:
        The slices, each with the means that ``Rouge.compute`` gives for its samples, and the differences.

    Raises:
        TypeError, ValueError: as ``compare_slices``.
    """
    settings = (rouge or Rouge()).settings
    references = references if isinstance(references, (list, str)) else list(references)
    inputs = {name: check_inputs(predictions, references) for name, predictions in systems.items()}
    samples = {name: score_samples(each, settings) for name, each in inputs.items()}
    if slices is None:
        slices = reference_columns(next(iter(inputs.values())), settings)
    first = next(iter(samples.values()))
    return sliced_columns(
        {name: each.scores for name, each in samples.items()},
        slices_of(slices, len(first.scores)),
        settings,
        keys=first.keys,
        baseline=baseline,
        n_resamples=n_resamples,
    )


def sliced_columns(
    scores: Mapping[str, NDArray[np.float64]],
    slices: Sequence[SampleSlice],
    settings: RougeSettings,
    *,
    keys: NDArray[np.uint64] | None = None,
    baseline: str | None = None,
    confidence: float | None = None,
    alpha: float = 0.05,
    n_resamples: int | None = None,
    seed: int | None = None,
) -> SlicedScores:
    """The same by the ``SampleScores.scores`` of each system, and of their ``keys``; see ``score_slices``."""
    if settings.aggregate == "micro":
        raise ValueError("aggregate='micro': slices have means over samples; set aggregate='mean'.")
    names = tuple(scores)
    if len(names) > 1:
        confidence = confidence or settings.confidence or 0.95
        settings = settings.replace(confidence=confidence)
    if seed is not None:
        settings = settings.replace(seed=seed)
    settings = settings.replace(use_aggregator=True)
    kept = np.asarray(~np.isnan(np.stack(list(scores.values()))).any(axis=(0, 2, 3)))
    some = [each._replace(rows=each.rows[kept[each.rows]]) for each in slices]
    some = [each for each in some if len(each.rows) >= FEWEST_SAMPLES]
    n_pairs = _n_pairs(len(names), baseline)
    drawn = _resamples(n_resamples, [len(each.rows) for each in some], n_pairs, alpha)
    options = {"baseline": baseline, "confidence": confidence, "alpha": alpha, "n_resamples": drawn, "seed": seed}
    means, differences = [], []
    with hearing_warnings() as heard:
        for each in some:
            of_slice = {name: column[each.rows] for name, column in scores.items()}
            with telling_progress(None):  # a slice is one step
                if n_pairs:
                    found = compare_columns(of_slice, settings, **options)
                    of_systems = found.means, found.low, found.high
                else:
                    found, of_systems = None, _one_system(next(iter(of_slice.values())), each, settings, keys)
            tell_progress(1)
            means.append(SliceMeans(each.column, each.label, each.rows, *of_systems))
            differences += [_difference(means[-1], names, pair, found.keys) for pair in found.pairs] if found else []
    for message in {each[:20]: each for each in reversed(heard)}.values():  # of many slices the first that said so
        warn_user(message)
    return SlicedScores(
        systems=names,
        keys=tuple(_keys(settings)),
        slices=tuple(means),
        differences=tuple(sorted(_corrected(differences), key=lambda each: each.pair.difference)),
        n_tests=len(some) * n_pairs,
        baseline=baseline,
        confidence=settings.confidence,
        alpha=alpha,
        n_resamples=drawn,
        seed=settings.seed,
    )


def usual_baseline(systems: Sequence[str]) -> str | None:
    """What the command and the report take for a baseline where none is given: of more than four systems the first."""
    return systems[0] if len(systems) > _MOST_PAIRED else None


def _keys(settings: RougeSettings) -> list[str]:
    return [key for name in settings.rouge_types for key, _ in result_keys(name, settings.output)]


def _n_pairs(n_systems: int, baseline: str | None) -> int:
    return max(0, n_systems - 1) if baseline is not None else math.comb(n_systems, 2)


def _resamples(given: int | None, sizes: Sequence[int], n_pairs: int, alpha: float) -> int:
    """How many resamples to draw of each slice; warns where so few can't make any p small enough."""
    n_tests, n_rows = n_pairs * len(sizes), max(1, sum(sizes))
    if given is None:
        needed = math.ceil(_FEWEST_RESAMPLES * n_tests / alpha)
        affordable = max(_DRAWS // n_rows, min(needed, _MOST_DRAWS // n_rows), 1)
        given = min(max(_RESAMPLES, needed), affordable)
    if n_tests / (given + 1) >= alpha:
        warn_user(
            f"{given} resamples give no p below {n_tests / (given + 1):.2g} after Holm's correction over {n_tests} "
            f"slices and pairs, so none can be significant at {alpha:g}: look at fewer slices or systems, or give "
            f"n_resamples={math.floor(n_tests / alpha)} or more."
        )
    return given


def _one_system(
    scores: NDArray[np.float64], each: SampleSlice, settings: RougeSettings, keys: NDArray[np.uint64] | None
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Means and both ends of their intervals, NaN if there are none, in the form of ``Comparison.means``."""
    result = result_of(scores, settings.result_rules, keys=None if keys is None else keys[each.rows])
    ends = ("", "_low", "_high")
    means, low, high = (
        np.array([[result.get(f"{key}{end}", math.nan) for key in _keys(settings)]], np.float64) for end in ends
    )
    return means, low, high


def _difference(
    means: SliceMeans, names: Sequence[str], pair: PairedDifference, keys: Sequence[str]
) -> SlicedDifference:
    column = keys.index(pair.key)
    return SlicedDifference(
        column=means.column,
        label=means.label,
        n_samples=len(means.rows),
        first_mean=float(means.means[names.index(pair.first), column]),
        second_mean=float(means.means[names.index(pair.second), column]),
        pair=pair,
        p_holm=pair.p_randomization,
    )


def _corrected(found: Sequence[SlicedDifference]) -> list[SlicedDifference]:
    """The same with p values corrected over all slices and pairs of each key."""
    corrected = []
    ordered = sorted(found, key=lambda each: each.pair.key)
    for _, group in itertools.groupby(ordered, key=lambda each: each.pair.key):
        of_key = list(group)
        adjusted = holm_adjusted(np.array([each.pair.p_randomization for each in of_key])).tolist()
        corrected += [dataclasses.replace(each, p_holm=p) for each, p in zip(of_key, adjusted, strict=True)]
    return corrected
