"""Plots of scores for papers, by matplotlib: their distribution, score by length, and two systems.

Every function takes columns as ``Rouge.score`` gives them, and writes SVG, PNG or PDF, as the file's name says.
The same columns give the same bytes. matplotlib's global state is not changed.
"""

import os
from collections.abc import Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_SUFFIXES = (".svg", ".png", ".pdf")
# Colours that are told apart by colour-blind readers and in grey (Okabe and Ito).
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_CJK_FONTS = ("Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "PingFang SC", "Microsoft YaHei", "SimHei")
_BINS = 25
_RANGES = 12  # of lengths: the line of plot_length has a point for each


def plot_distribution(
    columns: Mapping[str, Any], path: str | os.PathLike, *, types: Sequence[str] | None = None, title: str | None = None
) -> Path:
    """Plot the distribution of the scores: a histogram for each type, with the mean.

    Args:
        columns: float[n_samples] by type, as ``Rouge.score`` returns; NaN is left out.
        path: file to write; ``.svg``, ``.png`` or ``.pdf``.
        types: keys of columns, in order; by default all F-measures.
        title: above the plot.

    Returns:
        The path.

    Raises:
        ValueError: no such column, no numbers in it, or another kind of file.
        ModuleNotFoundError: matplotlib is not installed.
    """
    names = _chosen(columns, types)
    with _figure(path, title, names, "samples") as plots:
        for axis, name, colour in plots:
            scores = _numbers(columns, name)
            axis.hist(scores, bins=np.linspace(0, _top(scores), _BINS + 1), color=colour)
            axis.axvline(scores.mean(), color="black", linestyle="--", linewidth=1)
            axis.set(title=f"{name}, mean {scores.mean():.4g}", xlabel="score", xlim=(0, _top(scores)))
    return Path(path)


def plot_length(
    columns: Mapping[str, Any],
    lengths: Any,
    path: str | os.PathLike,
    *,
    types: Sequence[str] | None = None,
    title: str | None = None,
    label: str = "reference length (tokens)",
) -> Path:
    """Plot the score by length: a point for each sample, and the mean in each of twelve ranges of length.

    Args:
        columns: as for ``plot_distribution``.
        lengths: number[n_samples].
        path: file to write.
        types: keys of columns.
        title: above the plot.
        label: what the lengths are.

    Returns:
        The path.

    Raises:
        ValueError: as for ``plot_distribution``; or there are not as many lengths as scores.
        ModuleNotFoundError: matplotlib is not installed.
    """
    names = _chosen(columns, types)
    all_lengths = np.asarray(lengths, np.float64)
    with _figure(path, title, names, "score") as plots:
        for axis, name, colour in plots:
            scores = np.asarray(columns[name], np.float64)
            if scores.shape != all_lengths.shape:
                counts = f"{len(all_lengths)} lengths but {len(scores)} scores of {name}"
                raise ValueError(f"{counts}; give one length a sample.")
            scores, sizes = _numbers(columns, name), all_lengths[~np.isnan(scores)]
            axis.scatter(sizes, scores, s=9, alpha=min(0.6, 60 / len(scores) ** 0.5), color=colour, linewidths=0)
            group = np.minimum(_RANGES - 1, (sizes / max(1, sizes.max()) * _RANGES).astype(int))
            middle = [(sizes[group == each].mean(), scores[group == each].mean()) for each in np.unique(group)]
            axis.plot(*zip(*middle, strict=True), color="black", linewidth=1.2, marker="o", markersize=3)
            axis.set(title=name, xlabel=label, ylim=(0, 1.03 * _top(scores)))
    return Path(path)


def plot_difference(
    columns: Mapping[str, Any],
    other: Mapping[str, Any],
    path: str | os.PathLike,
    *,
    types: Sequence[str] | None = None,
    names: tuple[str, str] = ("system", "other"),
    title: str | None = None,
) -> Path:
    """Plot the difference of two systems, first minus second, on each sample, in order, for each type.

    Args:
        columns: of the system, as for ``plot_distribution``.
        other: of the other system, on the same samples.
        path: file to write.
        types: keys of both.
        names: of the systems.
        title: above the plot.

    Returns:
        The path.

    Raises:
        ValueError: as for ``plot_distribution``; or the systems have unequal numbers of samples.
        ModuleNotFoundError: matplotlib is not installed.
    """
    chosen = _chosen(columns, types)
    _chosen(other, chosen)
    with _figure(path, title, chosen, f"{names[0]} - {names[1]}") as plots:
        for axis, name, _ in plots:
            first, second = (np.asarray(each[name], np.float64) for each in (columns, other))
            if first.shape != second.shape:
                raise ValueError(f"{len(first)} scores of {names[0]} but {len(second)} of {names[1]} for {name}.")
            differences = np.sort(first - second)
            differences = differences[~np.isnan(differences)]
            if not len(differences):
                raise ValueError(f"{name} has no sample that both systems have a score of.")
            for part, colour in ((differences.clip(0), _COLOURS[0]), (differences.clip(None, 0), _COLOURS[1])):
                axis.fill_between(np.arange(len(part)), 0, part, color=colour, step="mid", linewidth=0)
            axis.axhline(0, color="black", linewidth=0.8)
            axis.axhline(differences.mean(), color="black", linestyle="--", linewidth=1)
            wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
            counts = f"+{wins} / ={len(differences) - wins - losses} / -{losses}"
            axis.set(title=f"{name}, mean {differences.mean():+.4g}\n{counts}", xlabel="samples, by difference")
    return Path(path)


def _chosen(columns: Mapping[str, Any], types: Sequence[str] | None) -> list[str]:
    """The columns to draw."""
    others = ("_precision", "_recall", "_reference")
    names = list(types) if types is not None else [name for name in columns if not name.endswith(others)]
    if not names:
        raise ValueError("There is no column to plot; give the columns that Rouge.score returns.")
    for name in names:
        if name not in columns:
            raise ValueError(f"There is no column {name!r}; there are {', '.join(columns)}.")
    return names


def _numbers(columns: Mapping[str, Any], name: str) -> NDArray[np.float64]:
    """The scores of one column that are numbers."""
    scores = np.asarray(columns[name], np.float64)
    scores = scores[~np.isnan(scores)]
    if not len(scores):
        raise ValueError(f"The column {name!r} holds no score.")
    return scores


def _top(scores: NDArray[np.float64]) -> float:
    """The end of the axis: 1 or 100, whichever scale these scores are on."""
    return 1.0 if scores.max() <= 1 else 100.0 if scores.max() <= 100 else float(scores.max())


def _chinese_fonts(font_manager: Any) -> list[str]:
    """The Chinese fonts that are installed, also those that are newer than matplotlib's list of fonts."""
    manager = font_manager.fontManager
    if {font.name for font in manager.ttflist}.isdisjoint(_CJK_FONTS):
        for path in set(font_manager.findSystemFonts()) - {font.fname for font in manager.ttflist}:
            with suppress(Exception):  # matplotlib can't read every kind of font
                manager.addfont(path)
    names = {font.name for font in manager.ttflist}
    return [font for font in _CJK_FONTS if font in names]


@contextmanager
def _figure(path: str | os.PathLike, title: str | None, names: Sequence[str], label: str) -> Any:
    """Yield axes side by side, each with a name and a colour; write their figure at the end."""
    suffix = Path(path).suffix.lower()
    if suffix not in _SUFFIXES:
        raise ValueError(f"{os.fspath(path)!r} must end in one of {', '.join(_SUFFIXES)}.")
    try:
        import matplotlib as mpl
        from matplotlib import font_manager
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("Plots need matplotlib: pip install matplotlib", name="matplotlib") from error
    style = {
        "font.family": ["DejaVu Sans", *_chinese_fonts(font_manager)],
        "font.size": 9,
        "axes.titlesize": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.unicode_minus": False,
        "svg.hashsalt": "polyrouge",  # without it, ids are random
    }
    with mpl.rc_context(style):  # pyright: ignore[reportArgumentType]
        figure = Figure(figsize=(3.2 * len(names), 2.8), layout="constrained")
        axes = figure.subplots(1, len(names), squeeze=False)[0]
        axes[0].set_ylabel(label)
        yield zip(axes, names, cycle(_COLOURS), strict=False)
        if title:
            figure.suptitle(title)
        dates = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
        figure.savefig(path, dpi=200, metadata=dates.get(suffix))
