"""How often the intervals of ``agreement`` hold the true correlation, by the numbers of systems and documents.

``python -m benchmarks.agreement_coverage`` draws scores and judgements whose correlations are known, and rewrites
AGREEMENT.md beside this script. A 95 % interval should hold the true value in 95 % of the cases.
"""

from pathlib import Path

import numpy as np

from polyrouge import agreement
from polyrouge.comparing.agreement import COEFFICIENTS, LEVELS

SIMULATIONS = 1_000
SHAPES = ((12, 50), (16, 100), (24, 50))  # systems and documents
QUALITIES = (0.0, 0.5, 0.9)  # the correlation of systems' true qualities
DOCUMENTS, OF_DOCUMENTS, OF_OUTPUTS = 0.8, 0.3, 0.5  # spread of documents, and two correlations


def drawn(n_systems: int, n_documents: int, quality: float, seed: int) -> np.ndarray:
    """Scores and judgements, float64[2, n_systems, n_documents]: a system's quality, a document's ease, and noise."""
    random = np.random.default_rng(seed)

    def pair(correlation: float, *shape: int) -> np.ndarray:
        first, second = random.normal(size=(2, *shape))
        return np.stack([first, correlation * first + np.sqrt(1 - correlation**2) * second])

    systems, documents = pair(quality, n_systems, 1), pair(OF_DOCUMENTS, 1, n_documents)
    return systems + DOCUMENTS * documents + pair(OF_OUTPUTS, n_systems, n_documents)


def truths(n_systems: int, n_documents: int, quality: float) -> dict[str, np.ndarray]:
    """The true coefficients by level, float64[3]: those of normal variables, but simulated within documents."""
    of_means = (quality + OF_OUTPUTS / n_documents) / (1 + 1 / n_documents)
    variance = 2 + DOCUMENTS**2
    of_outputs = (quality + OF_DOCUMENTS * DOCUMENTS**2 + OF_OUTPUTS) / variance
    by_level = {
        level: np.array([r, 6 / np.pi * np.arcsin(r / 2), 2 / np.pi * np.arcsin(r)])
        for level, r in (("systems", of_means), ("outputs", of_outputs))
    }
    many = [values_of(drawn(n_systems, 20, quality, 10**6 + seed)) for seed in range(1_000)]
    return {**by_level, "documents": np.mean([each["documents"][0] for each in many], axis=0)}


def values_of(grids: np.ndarray) -> dict[str, np.ndarray]:
    """By level value, low and high, float64[3, 3]."""
    _, n_systems, n_documents = grids.shape
    systems = np.repeat(np.arange(n_systems), n_documents).tolist()
    documents = np.tile(np.arange(n_documents), n_systems).tolist()
    result = agreement(grids[0].ravel(), grids[1].ravel(), systems, documents)
    found = {level: [each for each in result.correlations if each.level == level] for level in LEVELS}
    return {level: np.array([[each.value, each.low, each.high] for each in rows]).T for level, rows in found.items()}


def main() -> None:
    """Print the table, and write it."""
    lines = [
        "# Coverage of the intervals of `agreement`",
        "",
        f"Share of {SIMULATIONS:,} simulated evaluations whose 95 % interval holds the true correlation (the standard",
        "error of a share near 95 % is 0.7 %): Pearson / Spearman / Kendall. *Quality* is the correlation of the",
        "systems' true qualities with people's. Systems and documents are drawn anew each time. Made by",
        "`python -m benchmarks.agreement_coverage`.",
        "",
        f"| systems | documents | quality | {' | '.join(f'over {level}' for level in LEVELS)} |",
        "|--:|--:|--:|---|---|---|",
    ]
    print("\n".join(lines))
    for n_systems, n_documents in SHAPES:
        for quality in QUALITIES:
            true = truths(n_systems, n_documents, quality)
            held = {level: np.zeros(len(COEFFICIENTS)) for level in LEVELS}
            for seed in range(SIMULATIONS):
                found = values_of(drawn(n_systems, n_documents, quality, seed))
                for level, (_, low, high) in found.items():
                    held[level] += (low <= true[level]) & (true[level] <= high)
            shares = [" / ".join(f"{100 * each / SIMULATIONS:.1f} %" for each in held[level]) for level in LEVELS]
            lines.append(f"| {n_systems} | {n_documents} | {quality:g} | {' | '.join(shares)} |")
            print(lines[-1], flush=True)
    Path(__file__).with_name("AGREEMENT.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
