"""How often the paired tests call two systems different, by their true difference and the number of samples.

``python -m benchmarks.significance_power`` simulates pairs of systems and rewrites POWER.md beside this
script. A row with a true difference of 0 is the Type I error, which should be 5 %.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from polyrouge.comparing.significance import paired_tests

SIMULATIONS = 1_000
RESAMPLES = 1_000
EXAMPLES = (50, 100, 300, 1_000)
DIFFERENCES = (0.0, 0.005, 0.01, 0.02)
NOISE = 0.08  # of each system, about a common difficulty; the difference of two scores varies by 0.11


def simulated_scores(n: int, difference: float, seed: int) -> np.ndarray:
    """Scores of two systems on n samples, float64[2, n, 1], distributed like ROUGE-1 of summaries."""
    generator = np.random.default_rng(seed)
    difficulty = generator.beta(6, 9, size=(1, n, 1))
    scores = difficulty + generator.normal(0, NOISE, size=(2, n, 1))
    scores[0] += difference
    return np.clip(scores, 0, 1)


def rejection_rates(n: int, difference: float) -> tuple[float, float]:
    """Shares of simulations with p < 0.05: bootstrap, randomization."""
    found = [
        paired_tests(simulated_scores(n, difference, seed), n_resamples=RESAMPLES, seed=seed)
        for seed in range(SIMULATIONS)
    ]
    rates = [
        np.mean([each[0, 0] < 0.05 for each in column])
        for column in zip(*((f.p_bootstrap, f.p_randomization) for f in found), strict=True)
    ]
    return float(rates[0]), float(rates[1])


def main() -> None:
    """Print the table, and write it."""
    lines = [
        "# Type I error and power of the paired tests",
        "",
        f"Share of {SIMULATIONS:,} simulated pairs of systems that are called different at p < 0.05 ({RESAMPLES:,}",
        "resamples, two-sided): bootstrap / randomization. Scores in [0, 1]; the difference of two scores has a",
        f"standard deviation of {NOISE * 2**0.5:.2f}. The first row is the Type I error. Made by",
        "`python -m benchmarks.significance_power`.",
        "",
        f"| true difference | {' | '.join(f'{n} samples' for n in EXAMPLES)} |",
        f"|---|{'---|' * len(EXAMPLES)}",
    ]
    print("\n".join(lines))
    for difference in DIFFERENCES:
        cells = [" / ".join(f"{100 * rate:.1f} %" for rate in rejection_rates(n, difference)) for n in EXAMPLES]
        lines.append(f"| {difference:g} | {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    Path(__file__).with_name("POWER.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
