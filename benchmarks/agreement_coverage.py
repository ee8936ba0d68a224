"""How often the intervals of ``agreement`` hold the true correlation, by the numbers of systems and documents.

``python -m benchmarks.agreement_coverage`` draws scores and judgements whose correlations are known, and rewrites
AGREEMENT.md beside this script. A 95 % interval should hold the true value in 95 % of the cases.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from polyrouge import agreement
from polyrouge.comparing.agreement import COEFFICIENTS, LEVELS, coefficients

SIMULATIONS = 1_000
SHAPES = ((12, 50), (16, 100), (24, 50))  # systems and documents
QUALITIES = (0.0, 0.5, 0.9)  # the correlation of systems' true qualities
DOCUMENTS, OF_DOCUMENTS, OF_OUTPUTS = 0.8, 0.3, 0.5  # spread of documents, and two correlations
Values = dict[tuple[str, str], np.ndarray]  # by metric and level


def drawn(quality: float, seed: int, *shape: int) -> np.ndarray:
    """Judgements and scores of two metrics, float64[3, n_systems, n_documents], or as many of them as ``shape`` says.

    Each is the sum of a system's quality, a document's ease, and noise. The second metric's qualities correlate half as
    much with people's as the first one's.
    """
    random = np.random.default_rng([seed, *shape, round(10 * quality)])

    def part(correlations: Sequence[float], *shape: int) -> np.ndarray:
        human = random.normal(size=shape)
        others = [each * human + np.sqrt(1 - each**2) * random.normal(size=shape) for each in correlations]
        return np.stack([human, *others])

    *draws, n_systems, n_documents = shape
    systems = part((quality, quality / 2), *draws, n_systems, 1)
    documents = part((OF_DOCUMENTS, OF_DOCUMENTS), *draws, 1, n_documents)
    return systems + DOCUMENTS * documents + part((OF_OUTPUTS, OF_OUTPUTS), *shape)


def truths(n_systems: int, n_documents: int, quality: float) -> Values:
    """The true coefficients of both metrics: those of normal variables, but simulated within documents."""
    values: Values = {}
    variance = 2 + DOCUMENTS**2
    human, *metrics = drawn(quality, 10**6, 20_000, n_systems, 1)[..., 0]
    for metric, of_systems, scores in zip(("first", "second"), (quality, quality / 2), metrics, strict=True):
        of_means = (of_systems + OF_OUTPUTS / n_documents) / (1 + 1 / n_documents)
        of_outputs = (of_systems + OF_DOCUMENTS * DOCUMENTS**2 + OF_OUTPUTS) / variance
        for level, r in (("systems", of_means), ("outputs", of_outputs)):
            values[metric, level] = np.array([r, 6 / np.pi * np.arcsin(r / 2), 2 / np.pi * np.arcsin(r)])
        values[metric, "documents"] = coefficients(scores, human, np.ones_like(human)).mean(axis=1)
    for level in LEVELS:
        values["difference", level] = values["first", level] - values["second", level]
    return values


def intervals(grids: np.ndarray) -> Values:
    """By metric, or their difference, and level: value, low and high, float64[3, 3]."""
    _, n_systems, n_documents = grids.shape
    systems = np.repeat(np.arange(n_systems), n_documents).tolist()
    documents = np.tile(np.arange(n_documents), n_systems).tolist()
    scores = {"first": grids[1].ravel(), "second": grids[2].ravel()}
    result = agreement(scores, grids[0].ravel(), systems, documents, n_resamples=1)
    numbers: dict[tuple[str, str], list] = {}
    for each in result.correlations:
        numbers.setdefault((each.metric, each.level), []).append([each.value, each.low, each.high])
    for each in result.differences:
        numbers.setdefault(("difference", each.level), []).append([each.difference, each.low, each.high])
    return {key: np.array(rows).T for key, rows in numbers.items()}


def main() -> None:
    """Print the table, and write it."""
    lines = [
        "# Coverage of the intervals of `agreement`",
        "",
        f"Share of {SIMULATIONS:,} simulated evaluations whose 95 % interval holds the true correlation (the standard",
        "error of a share near 95 % is 0.7 %): Pearson / Spearman / Kendall. *Quality* is the correlation of the",
        "systems' true qualities with people's; *difference* is the first metric minus one with half of it. Systems",
        "and documents are drawn anew each time. Made by `python -m benchmarks.agreement_coverage`.",
        "",
        f"| systems | documents | quality | metric | {' | '.join(f'over {level}' for level in LEVELS)} |",
        "|--:|--:|--:|---|---|---|---|",
    ]
    print("\n".join(lines))
    for n_systems, n_documents in SHAPES:
        for quality in QUALITIES:
            true = truths(n_systems, n_documents, quality)
            held = {key: np.zeros(len(COEFFICIENTS)) for key in true}
            for seed in range(SIMULATIONS):
                for key, (_, low, high) in intervals(drawn(quality, seed, n_systems, n_documents)).items():
                    held[key] += (low <= true[key]) & (true[key] <= high)
            for metric in ("first", "difference"):
                shares = [
                    " / ".join(f"{100 * each / SIMULATIONS:.1f} %" for each in held[metric, level]) for level in LEVELS
                ]
                lines.append(f"| {n_systems} | {n_documents} | {quality:g} | {metric} | {' | '.join(shares)} |")
                print(lines[-1], flush=True)
    Path(__file__).with_name("AGREEMENT.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
