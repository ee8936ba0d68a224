"""Compare systems on the same references: means, paired differences, which one is significantly better."""

from __future__ import annotations

import itertools
import string
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.comparing.checks import check_comparison
from polyrouge.comparing.significance import holm_adjusted, paired_tests
from polyrouge.errors import shown_value, warn_user
from polyrouge.inputs import check_inputs
from polyrouge.metric import Rouge
from polyrouge.scoring.aggregation import scale_scores
from polyrouge.scoring.pipeline import score_samples
from polyrouge.scoring.results import result_keys, result_of
from polyrouge.settings.rouge_settings import RougeSettings

_FEW_SAMPLES = 100


@dataclass(frozen=True)
class PairedDifference:
    """Two systems compared under one key; differences are first minus second.

    Attributes:
        first: name of a system.
        second: name of the other.
        key: what is compared: ``"rouge1"`` (F-measure), ``"rouge1_recall"`` and so on.
        difference: mean difference, times ``scale``.
        low: lower bound of its bootstrap interval.
        high: upper bound.
        p_bootstrap: two-sided p of the paired bootstrap.
        p_randomization: two-sided p of paired approximate randomization.
        p_bootstrap_holm: after Holm's correction over all pairs of systems compared, for this key.
        p_randomization_holm: the same correction of ``p_randomization``.
        wins: samples on which the first scores higher.
        ties: samples on which both score the same.
        losses: samples on which the second scores higher.
    """

    first: str
    second: str
    key: str
    difference: float
    low: float
    high: float
    p_bootstrap: float
    p_randomization: float
    p_bootstrap_holm: float
    p_randomization_holm: float
    wins: int
    ties: int
    losses: int


@dataclass(frozen=True)
class Comparison:
    """What ``compare_systems`` found.

    Attributes:
        systems: names, in the order given; the i-th has the i-th letter.
        keys: what is compared, such as ``"rouge1"``.
        means: float64[n_systems, n_keys], times ``scale``: what ``Rouge.compute`` gives.
        low: float64[n_systems, n_keys], times ``scale``: lower bounds of the means' bootstrap intervals.
        high: their upper bounds, in the same form.
        pairs: one for each pair of systems and key.
        n_samples: how many samples were compared.
        n_left_out: how many samples ``empty="skip"`` left out, for any system.
        signature: of the settings.
        confidence: level of the intervals.
        alpha: level of significance, after Holm's correction.
        test: which p decides on significance: ``"randomization"`` or ``"bootstrap"``.
        n_resamples: of each test.
        seed: of the tests' own generator.
    """

    systems: tuple[str, ...]
    keys: tuple[str, ...]
    means: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    pairs: tuple[PairedDifference, ...]
    n_samples: int
    n_left_out: int
    signature: str
    confidence: float
    alpha: float
    test: str
    n_resamples: int
    seed: int

    def letter(self, system: str) -> str:
        """The letter that stands for a system in superscripts.

        Args:
            system: one of ``systems``.

        Raises:
            ValueError: there is no such system.
        """
        return string.ascii_lowercase[self.systems.index(system)]

    def is_significant(self, pair: PairedDifference) -> bool:
        """Whether the corrected p of the deciding test is below alpha.

        Args:
            pair: one of ``pairs``.
        """
        return (pair.p_randomization_holm if self.test == "randomization" else pair.p_bootstrap_holm) < self.alpha

    def superscript(self, system: str, key: str) -> str:
        """Letters of the systems that this one is significantly better than, as in ranx.

        Args:
            system: one of ``systems``.
            key: one of ``keys``.
        """
        worse = [
            pair.second if pair.difference > 0 else pair.first
            for pair in self.pairs
            if pair.key == key
            and self.is_significant(pair)
            and system == (pair.first if pair.difference > 0 else pair.second)
        ]
        return "".join(sorted(map(self.letter, worse)))


def compare_systems(
    systems: Mapping[str, Any],
    references: Any,
    rouge: Rouge | None = None,
    *,
    baseline: str | None = None,
    confidence: float = 0.95,
    alpha: float = 0.05,
    test: str = "randomization",
    n_resamples: int = 10_000,
    seed: int = 0,
) -> Comparison:
    """Compare systems on the same references.

    Args:
        systems: two or more: name to predictions, as for ``Rouge.compute``.
        references: as for ``Rouge.compute``.
        rouge: the metric; ``Rouge()`` if None. With ``output="all"``, precision and recall are compared too.
        baseline: compare only this system with each of the others, instead of all pairs.
        confidence: level of the intervals, above 0 and below 1.
        alpha: level of significance, above 0 and below 1.
        test: which test decides: ``"randomization"`` or ``"bootstrap"``.
        n_resamples: resamples of each test, 1 to 1,000,000.
        seed: of the tests' own generator, 0 to 4294967295.

    Returns:
        The comparison. Holm's correction is over the pairs of systems, separately for each key.

    Raises:
        ValueError: fewer than two systems or samples, or a value that is not allowed.
        TypeError: a value of the wrong type.
    """
    rouge = rouge or Rouge()
    if not isinstance(systems, Mapping):
        msg = f"systems is {shown_value(systems)}; give a mapping from the name of each to its predictions."
        raise TypeError(msg)
    check_comparison(tuple(systems), rouge.settings, baseline, confidence, alpha, test, n_resamples, seed)
    references = references if isinstance(references, (list, str)) else list(references)
    scores = {
        name: score_samples(check_inputs(predictions, references), rouge.settings).scores
        for name, predictions in systems.items()
    }
    return compare_columns(
        scores,
        rouge.settings,
        baseline=baseline,
        confidence=confidence,
        alpha=alpha,
        test=test,
        n_resamples=n_resamples,
        seed=seed,
    )


def compare_columns(
    scores: Mapping[str, NDArray[np.float64]],
    settings: RougeSettings,
    *,
    baseline: str | None = None,
    confidence: float = 0.95,
    alpha: float = 0.05,
    test: str = "randomization",
    n_resamples: int = 10_000,
    seed: int = 0,
) -> Comparison:
    """Compare systems by the ``SampleScores.scores`` of each; see ``compare_systems``."""
    names = tuple(scores)
    check_comparison(names, settings, baseline, confidence, alpha, test, n_resamples, seed)
    signature = settings.signature()
    settings = settings.replace(use_aggregator=True, confidence=None)
    raw = np.stack([scores[name] for name in names])
    left_out = np.asarray(np.isnan(raw).any(axis=(0, 2, 3)))
    n_left_out = int(left_out.sum())
    if n_left_out:
        warn_user(
            f"empty='skip' leaves {n_left_out} of {len(left_out)} samples out of the comparison: a text of some "
            "system, or a reference, has no tokens."
        )
        raw = raw[:, ~left_out]
    n_samples = raw.shape[1]
    if 2 <= n_samples < _FEW_SAMPLES and test == "bootstrap":
        warn_user(f"With {n_samples} samples the bootstrap's p is somewhat too small; test='randomization' is exact.")
    if settings.aggregate == "f_of_means":
        warn_user(
            "aggregate='f_of_means': the means are F of mean precision and recall, but the tests compare the means of "
            "each sample's F."
        )
    keys, places, measures = zip(
        *(
            (key, place, measure)
            for place, name in enumerate(settings.rouge_types)
            for key, measure in result_keys(name, settings.output)
        ),
        strict=True,
    )
    results = [result_of(each, settings.result_rules) for each in raw] if n_samples else []
    rounds = settings.round_each is not None  # what is rounded, and so scaled, is what is averaged
    stacked, scale = (scale_scores(raw, settings.result_rules), 1.0) if rounds else (raw, settings.scale)
    stacked = stacked[:, :, places, measures]
    chosen = [
        (one, other)
        for one, other in itertools.combinations(range(len(names)), 2)
        if baseline is None or baseline in (names[one], names[other])
    ]
    tests = paired_tests(stacked, chosen, confidence=confidence, n_resamples=n_resamples, seed=seed)
    by_pair = {name: getattr(tests, name) * scale for name in ("difference", "low", "high")}
    p_values = {name: getattr(tests, name) for name in ("p_bootstrap", "p_randomization")}
    by_pair |= p_values | {f"{name}_holm": holm_adjusted(values) for name, values in p_values.items()}
    pairs = tuple(
        PairedDifference(
            first=names[one],
            second=names[other],
            key=key,
            **{name: float(by_pair[name][row, column]) for name in by_pair},
            wins=int((stacked[one, :, column] > stacked[other, :, column]).sum()),
            ties=int((stacked[one, :, column] == stacked[other, :, column]).sum()),
            losses=int((stacked[one, :, column] < stacked[other, :, column]).sum()),
        )
        for row, (one, other) in enumerate(chosen)
        for column, key in enumerate(keys)
    )
    return Comparison(
        systems=names,
        keys=keys,
        means=np.array([[result[key] for key in keys] for result in results]),
        low=tests.mean_low * scale,
        high=tests.mean_high * scale,
        pairs=pairs,
        n_samples=n_samples,
        n_left_out=n_left_out,
        signature=signature,
        confidence=confidence,
        alpha=alpha,
        test=test,
        n_resamples=n_resamples,
        seed=seed,
    )
