"""How often a bootstrap interval holds the true mean, by its method and the number of samples.

``python -m benchmarks.studies.interval_coverage`` draws samples of two populations of scores whose mean is known, and
rewrites COVERAGE.md beside this script. A 95 % interval should hold the true mean in 95 % of the cases.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from polyrouge.scoring.intervals import bootstrap_interval

SIMULATIONS = 4_000
RESAMPLES = 1_000
CONFIDENCE = 0.95
METHODS = ("percentile", "bca")
# Number of samples, and the 97.5 % quantile of Student's t with one degree of freedom less.
SIZES = {5: 2.776, 10: 2.262, 15: 2.145, 20: 2.093, 30: 2.045, 50: 2.010, 100: 1.984, 300: 1.968}
ZEROS = 0.25  # share of the skewed scores that are 0
MEANS = (6 / 15, (1 - ZEROS) * 0.6 / 3.6)


def drawn_scores(n: int, seed: int) -> np.ndarray:
    """Scores of n samples, float64[n, 2]: distributed like ROUGE-1 of summaries, and skewed like ROUGE-2."""
    generator = np.random.default_rng([seed, n])
    even, skewed = generator.beta(6, 9, n), generator.beta(0.6, 3, n)
    skewed[generator.random(n) < ZEROS] = 0
    return np.stack([even, skewed], axis=1)


def coverage(n: int) -> list[float]:
    """Shares that hold the true mean, for each population: of each of ``METHODS``, then of Student's t."""
    held = np.zeros((2, len(METHODS) + 1))
    for seed in range(SIMULATIONS):
        scores = drawn_scores(n, seed)
        for column, method in enumerate(METHODS):
            low, high = bootstrap_interval(scores, CONFIDENCE, RESAMPLES, seed, method)
            held[:, column] += (low <= MEANS) & (high >= MEANS)
        reach = SIZES[n] * scores.std(axis=0, ddof=1) / math.sqrt(n)
        held[:, -1] += abs(scores.mean(axis=0) - MEANS) <= reach
    return (held / SIMULATIONS).ravel().tolist()


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def main() -> None:
    """Print the table, and write it."""
    lines = [
        "# Coverage of bootstrap intervals",
        "",
        f"Share of {SIMULATIONS:,} simulated sets of samples whose {_percent(CONFIDENCE)} interval holds the true mean",
        f"({RESAMPLES:,} resamples; the standard error of a share near 95 % is 0.3 %). *Even* scores are distributed",
        "like ROUGE-1 of summaries (mean 0.40, standard deviation 0.12). *Skewed* ones are like ROUGE-2 of hard texts",
        f"(mean 0.13, {_percent(ZEROS)} zeros, a long tail). Student's t, mean ± t s / √n, stands there for",
        "comparison. Made by `python -m benchmarks.studies.interval_coverage`.",
        "",
        "| samples | even: percentile | BCa | Student's t | skewed: percentile | BCa | Student's t |",
        "|--:|--:|--:|--:|--:|--:|--:|",
    ]
    print("\n".join(lines))
    for n in SIZES:
        lines.append(f"| {n} | {' | '.join(f'{100 * share:.1f} %' for share in coverage(n))} |")
        print(lines[-1], flush=True)
    Path(__file__).with_name("COVERAGE.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
