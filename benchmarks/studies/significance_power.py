"""How often the paired tests call two systems different, by their true difference and the number of samples.

``python -m benchmarks.studies.significance_power`` simulates pairs of systems and rewrites POWER.md beside this
script. A row with a true difference of 0 is the Type I error, which should be 5 %.
"""

from __future__ import annotations

import math
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np

from polyrouge import Rouge, compare_systems
from polyrouge.comparing.gate import limit_tests
from polyrouge.comparing.significance import paired_tests

SIMULATIONS = 1_000
RESAMPLES = 1_000
EXAMPLES = (50, 100, 300, 1_000)
DIFFERENCES = (0.0, 0.005, 0.01, 0.02)
GATES = 2_000
DROPS = (0.0, 0.5, 1.0, 2.0)  # points of 100
SHORT = 1_000  # comparisons of short answers
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


def failing_gates(n: int, drop: float, n_rules: int) -> float:
    """The share of checks with a test that fail outputs whose true means are some points below their limits."""
    failures = 0
    for seed in range(GATES):
        generator = np.random.default_rng(seed)
        difficulty = generator.beta(6, 9, size=(1, n, 1))
        of_sample, of_type = (
            generator.normal(0, NOISE / 2**0.5, (2, n, 1)),
            generator.normal(0, NOISE / 2**0.5, (2, n, 3)),
        )
        before, now = 100 * (difficulty + of_sample + of_type)[..., :n_rules]  # scores of types vary with each other
        *_, p = limit_tests(now - drop, before, RESAMPLES, seed)
        failures += p.min() <= 0.05
    return failures / GATES


def failing_fixed_limits(n: int) -> float:
    """The same for a limit that is no sample's, and scores near 0, most of them below their mean of 14."""
    failures = 0
    for seed in range(GATES):
        scores = 100 * np.random.default_rng(seed).beta(1, 6, size=(n, 1))
        *_, p = limit_tests(scores, np.full((n, 1), 100 / 7), RESAMPLES, seed)
        failures += p.min() <= 0.05
    return failures / GATES


def p_of_short_answers(seed: int) -> tuple[float, float]:
    """Two systems that answer 8 to 12 questions with random words: p as we give it, and that of all swaps."""
    generator = np.random.default_rng(seed)
    n = int(generator.integers(8, 13))

    def answers(fewest: int) -> list[str]:
        return [" ".join(generator.choice(list("abcdef"), generator.integers(fewest, 4))) for _ in range(n)]

    one, other, references = answers(1), answers(1), answers(3)
    rouge = Rouge(rouge_types=["rouge1"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # so few samples
        (pair,) = compare_systems({"one": one, "other": other}, references, rouge, seed=seed).pairs
    scores = [
        [
            Fraction(2 * int(hits), int(ours + theirs))
            for hits, ours, theirs in rouge.count(each, references).counts[:, 0]
        ]
        for each in (one, other)
    ]
    differences = [a - b for a, b in zip(*scores, strict=True)]
    unit = math.lcm(*(each.denominator for each in differences))
    wholes = np.array([int(each * unit) for each in differences])
    sums = (2 * (np.arange(2**n)[:, np.newaxis] >> np.arange(n) & 1) - 1) @ wholes
    return pair.p, float(np.mean(np.abs(sums) >= abs(wholes.sum())))


def main() -> None:
    """Print the table, and write it."""
    lines = [
        "# Type I error and power of the paired tests",
        "",
        f"Share of {SIMULATIONS:,} simulated pairs of systems that are called different at p < 0.05 ({RESAMPLES:,}",
        "resamples, two-sided): bootstrap / randomization. Scores in [0, 1]; the difference of two scores has a",
        f"standard deviation of {NOISE * 2**0.5:.2f}. The first row is the Type I error. Made by",
        "`python -m benchmarks.studies.significance_power`.",
        "",
        f"| true difference | {' | '.join(f'{n} samples' for n in EXAMPLES)} |",
        f"|---|{'---|' * len(EXAMPLES)}",
    ]
    print("\n".join(lines))
    for difference in DIFFERENCES:
        cells = [" / ".join(f"{100 * rate:.1f} %" for rate in rejection_rates(n, difference)) for n in EXAMPLES]
        lines.append(f"| {difference:g} | {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    lines += [
        "",
        "## A gate",
        "",
        f"Share of {GATES:,} simulated checks by `polyrouge check --significant` that fail, at the usual level of 5 %:",
        "with one rule / with three rules for types that go together. The difference of two scores has a standard",
        f"deviation of {100 * NOISE * 2**0.5:.0f} points. With a drop of 0 the outputs are as good as the rules allow.",
        "",
        f"| true drop below the limit, points | {' | '.join(f'{n} samples' for n in EXAMPLES)} |",
        f"|---|{'---|' * len(EXAMPLES)}",
    ]
    for drop in DROPS:
        cells = [" / ".join(f"{100 * failing_gates(n, drop, k):.1f} %" for k in (1, 3)) for n in EXAMPLES]
        lines.append(f"| {drop:g} | {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    cells = [f"{100 * failing_fixed_limits(n):.1f} %" for n in EXAMPLES]
    lines += [
        "",
        f"Against a fixed limit, the true mean of scores that are mostly near 0: {', '.join(cells)}.",
    ]
    found = np.array([p_of_short_answers(seed) for seed in range(SHORT)])
    rates = [100 * float(np.mean(each < 0.05)) for each in found.T]
    furthest = float(np.abs(found[:, 0] - found[:, 1]).max())
    n_changed = int(((found[:, 0] < 0.05) != (found[:, 1] < 0.05)).sum())
    lines += [
        "",
        "## Short answers",
        "",
        f"{SHORT:,} comparisons of two systems that answer 8 to 12 questions with one to three random words. Scores",
        "are halves, thirds and fifths, so many swaps give just the difference that was observed. p is below 0.05 in",
        f"{rates[0]:.1f} % by the randomization test with 10,000 resamples, in {rates[1]:.1f} % by all 2^n swaps,",
        f"counted as fractions. No p is further from that of all swaps than {furthest:.3f}, and {n_changed} lie on the",
        "other side of 0.05, as may be in 10,000 draws.",
    ]
    print("\n".join(lines[-8:]))
    Path(__file__).with_name("POWER.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
