"""How often the intervals of ``agreement`` hold the true correlation, by the numbers of systems and documents.

``python -m benchmarks.studies.agreement_coverage`` draws scores and judgements whose correlations are known, and
rewrites AGREEMENT.md beside this script. A 95 % interval should hold the true value in 95 % of the cases.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from polyrouge import agreement
from polyrouge.beyond.agreement import COEFFICIENTS, LEVELS, coefficients, williams_p

SIMULATIONS = 1_000
SHAPES = ((12, 50), (16, 100), (24, 50))  # systems and documents
QUALITIES = (0.0, 0.5, 0.9)  # the correlation of systems' true qualities
FEW_SIMULATIONS = 250
FEW = (3, 4, 5, 6)  # systems of metrics that have nothing to do with the judgements
DOCUMENTS, OF_DOCUMENTS, OF_OUTPUTS = 0.8, 0.3, 0.5  # spread of documents, and two correlations
Values = dict[str, np.ndarray]  # by level


def drawn(
    quality: float, seed: int, *shape: int, of_parts: tuple[float, float] = (OF_DOCUMENTS, OF_OUTPUTS)
) -> np.ndarray:
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
    of_documents, of_outputs = of_parts
    systems = part((quality, quality / 2), *draws, n_systems, 1)
    documents = part((of_documents, of_documents), *draws, 1, n_documents)
    return systems + DOCUMENTS * documents + part((of_outputs, of_outputs), *shape)


def truths(n_systems: int, n_documents: int, quality: float) -> Values:
    """The true coefficients of the first metric: those of normal variables, but simulated within documents."""
    values: Values = {}
    variance = 2 + DOCUMENTS**2
    of_means = (quality + OF_OUTPUTS / n_documents) / (1 + 1 / n_documents)
    of_outputs = (quality + OF_DOCUMENTS * DOCUMENTS**2 + OF_OUTPUTS) / variance
    for level, r in (("systems", of_means), ("outputs", of_outputs)):
        values[level] = np.array([r, 6 / np.pi * np.arcsin(r / 2), 2 / np.pi * np.arcsin(r)])
    human, scores, _ = drawn(quality, 10**6, 20_000, n_systems, 1)[..., 0]
    return values | {"documents": coefficients(scores, human, np.ones_like(human)).mean(axis=1)}


def intervals(grids: np.ndarray) -> Values:
    """Of the first metric by level: value, low and high, float64[3, 3]."""
    _, n_systems, n_documents = grids.shape
    systems = np.repeat(np.arange(n_systems), n_documents).tolist()
    documents = np.tile(np.arange(n_documents), n_systems).tolist()
    result = agreement(grids[1].ravel(), grids[0].ravel(), systems, documents)
    numbers: dict[str, list] = {}
    for each in result.correlations:
        numbers.setdefault(each.level, []).append([each.value, each.low, each.high])
    return {key: np.array(rows).T for key, rows in numbers.items()}


def n_told_apart(quality: float, n_systems: int, n_documents: int) -> int:
    """How often Williams' test has p < 0.05 for the two metrics."""
    told = 0
    for seed in range(SIMULATIONS):
        means = drawn(quality, seed, n_systems, n_documents).mean(axis=2)  # of people and of two metrics
        r = np.corrcoef(means)
        told += williams_p(r[0, 1], r[0, 2], r[1, 2], n_systems) < 0.05
    return told


def shares(counts: Iterable[float], of: int = SIMULATIONS) -> str:
    """Of the simulations, in percent."""
    return " / ".join(f"{100 * each / of:.1f} %" for each in counts)


def rows_of_coverage() -> Iterator[str]:
    """A line for each number of systems and documents, and quality."""
    for n_systems, n_documents in SHAPES:
        for quality in QUALITIES:
            true = truths(n_systems, n_documents, quality)
            held = {level: np.zeros(len(COEFFICIENTS)) for level in LEVELS}
            for seed in range(SIMULATIONS):
                for level, (_, low, high) in intervals(drawn(quality, seed, n_systems, n_documents)).items():
                    held[level] += (low <= true[level]) & (true[level] <= high)
            cells = " | ".join(shares(held[level]) for level in LEVELS)
            yield f"| {n_systems} | {n_documents} | {quality:g} | {cells} |"


def rows_of_tests() -> Iterator[str]:
    """A line for each number of systems and documents: how often Williams' test tells the metrics apart."""
    for n_systems, n_documents in SHAPES:
        cells = [shares([n_told_apart(quality, n_systems, n_documents)]) for quality in QUALITIES]
        yield f"| {n_systems} | {n_documents} | {' | '.join(cells)} |"


def rows_of_few() -> Iterator[str]:
    """Two lines for each number: how often an independent metric has an interval without 0, or none."""
    for n_systems in FEW:
        wrong, none = ({level: np.zeros(len(COEFFICIENTS)) for level in LEVELS} for _ in range(2))
        for seed in range(FEW_SIMULATIONS):
            for level, (_, low, high) in intervals(drawn(0, seed, n_systems, 20, of_parts=(0, 0))).items():
                wrong[level] += (low > 0) | (high < 0)
                none[level] += np.isnan(low)
        for words, counts in (("without 0", wrong), ("no interval", none)):
            cells = " | ".join(shares(counts[level], FEW_SIMULATIONS) for level in LEVELS)
            yield f"| {n_systems} | {words} | {cells} |"


def main() -> None:
    """Print the tables, and write them."""
    lines = []

    def write(*new: str) -> None:
        lines.extend(new)
        print(*new, sep="\n", flush=True)

    over = " | ".join(f"over {level}" for level in LEVELS)
    write(
        "# Coverage of the intervals of `agreement`",
        "",
        f"Share of {SIMULATIONS:,} simulated evaluations whose 95 % interval holds the true correlation (the standard",
        "error of a share near 95 % is 0.7 %): Pearson / Spearman / Kendall. *Quality* is the correlation of the",
        "systems' true qualities with people's. Systems and documents are drawn anew each time. Made by",
        "`python -m benchmarks.studies.agreement_coverage`.",
        "",
        f"| systems | documents | quality | {over} |",
        "|--:|--:|--:|---|---|---|",
    )
    for row in rows_of_coverage():
        write(row)
    write(
        "",
        "## Few systems",
        "",
        f"The same for {FEW_SIMULATIONS:,} metrics that are independent of the judgements, over 20 documents: how",
        "often an interval does not hold 0, and how often there is none, because there are fewer than five systems, or",
        "the coefficient is the same without any one of them.",
        "",
        f"| systems | | {over} |",
        "|--:|---|---|---|---|",
    )
    for row in rows_of_few():
        write(row)
    write(
        "",
        "## Williams' test",
        "",
        f"Share of {SIMULATIONS:,} evaluations in which it tells two metrics apart at p < 0.05, by the first one's",
        "quality; the second one has half of it. With a quality of 0 both are alike: the Type I error.",
        "",
        f"| systems | documents | {' | '.join(f'{quality:g}' for quality in QUALITIES)} |",
        "|--:|--:|---|---|---|",
    )
    for row in rows_of_tests():
        write(row)
    Path(__file__).with_name("AGREEMENT.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
