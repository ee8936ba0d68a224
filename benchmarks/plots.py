"""Plot time by text length and by number of pairs, as an SVG."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.results import Comparison, Result
from benchmarks.scaling_rows import LENGTHS, N_PAIRS

__all__ = ["draw"]


def draw(results: Sequence[Result], path: Path) -> bool:
    """Draw the rows ``by_length`` and ``by_pairs``; False if one is not among the results."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "benchmarks"  # the same bytes for the same numbers
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for axis, (row, xs, label) in zip(
        axes,
        (("by_length", LENGTHS, "words in a text"), ("by_pairs", N_PAIRS, "pairs, 62 words each")),
        strict=True,
    ):
        found = [each for each in results if isinstance(each, Comparison) and each.row == row]
        if not found:
            return False
        sides: dict[str, list[float]] = {"polyrouge": []}
        for each in found:
            if each.peer == "rouge-score-rs":
                sides["polyrouge"].append(each.ours)
            sides.setdefault(each.peer, []).append(each.theirs)
        for side, micros in sides.items():
            factors = xs[: len(micros)] if row == "by_pairs" else [1] * len(micros)
            axis.loglog(xs[: len(micros)], [t * n for t, n in zip(micros, factors, strict=True)], "o-", label=side)
        axis.set_xlabel(label)
        axis.set_ylabel("µs a pair" if row == "by_length" else "µs in all")
        axis.grid(visible=True, which="major", alpha=0.3)
        axis.legend()
    figure.suptitle("ROUGE-1, -2, -L, -Lsum, one thread")
    figure.savefig(path, metadata={"Date": None})
    return True
