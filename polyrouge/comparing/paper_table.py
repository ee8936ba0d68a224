"""The table of several systems as a paper prints it, in LaTeX: one table, in English or Chinese."""

import string
from collections.abc import Sequence
from typing import Any

import numpy as np

from polyrouge.errors import visible
from polyrouge.results import digits_for, latex_text, shown_interval, shown_level, shown_number

_WORDS = {
    "en": {
        "packages": r"\usepackage{booktabs}",
        "system": "System",
        "scores": "ROUGE F-measures{scale} on {n} samples; the best of each column is bold.",
        "scale": " (×{scale})",
        "intervals": " Below each mean its {level} bootstrap interval.",
        "letters": " Letters a to {last} are the systems from top to bottom; a raised letter: significantly better "
        "than that system ({test}, {resamples} resamples, two-sided p < {alpha}{holm}).",
        "randomization": "paired approximate randomization",
        "bootstrap": "paired bootstrap",
        "holm": ", Holm's correction over all pairs",
    },
    "zh": {
        "packages": r"\usepackage{booktabs}, \usepackage{ctex}",
        "system": "系统",
        "scores": "{n} 个样本上的 ROUGE F 值{scale}，各列最高者为粗体。",
        "scale": "（×{scale}）",
        "intervals": "各平均值下方为 {level} 自助法置信区间。",
        "letters": "代号 a 至 {last} 自上而下代表各系统；上标代号：显著优于该系统（{test}，{resamples} 次重采样，双侧 "
        "p < {alpha}{holm}）。",
        "randomization": "配对近似随机化检验",
        "bootstrap": "配对自助法检验",
        "holm": "，对所有系统对作 Holm 校正",
    },
}


def type_name(key: str) -> str:
    """Write a key as papers do: ``"ROUGE-1"``, ``"ROUGE-L precision"``."""
    return key.replace("rouge", "ROUGE-", 1).replace("_", " ")


def paper_table(
    comparison: Any,
    keys: Sequence[str] | None = None,
    *,
    language: str = "en",
    intervals: bool = False,
    digits: int | None = None,
) -> str:
    """Write the means of the systems, the highest first, as a float with its caption.

    Args:
        comparison: a ``Comparison``, which gives this table as its LaTeX.
        keys: the columns; None: ``comparison.keys``, without a rougeLsum that repeats rougeL.
        language: of head and caption, ``"en"`` or ``"zh"``.
        intervals: whether each mean has its interval below it.
        digits: of all scores, after the point; None: two on the scale of papers, four on the scale of 0 to 1.
    """
    words = _WORDS[language]
    keys = _without_repeated_sum(comparison) if keys is None else keys
    digits = digits_for(comparison.scale) if digits is None else digits
    order = np.argsort(-comparison.means[:, 0], kind="stable").tolist()
    letters = {comparison.letter(comparison.systems[row]): string.ascii_lowercase[n] for n, row in enumerate(order)}
    columns = list(map(comparison.keys.index, keys))
    shown = np.vectorize(lambda mean: float(f"{mean:.{digits}f}"))(comparison.means)
    lines = []
    for row in order:
        system = comparison.systems[row]
        cells, ranges = [latex_text(visible(system))], [""]
        for key, column in zip(keys, columns, strict=True):
            mean = shown_number(comparison.means[row, column], digits)
            mean = rf"\textbf{{{mean}}}" if shown[row, column] == shown[:, column].max() else mean
            better = "".join(sorted(letters[letter] for letter in comparison.superscript(system, key)))
            cells.append(mean + (rf"\textsuperscript{{{better}}}" if better else ""))
            ends = shown_interval(comparison.low[row, column], comparison.high[row, column], digits)
            ranges.append(rf"{{\scriptsize {ends}}}")
        lines += [f"{' & '.join(of_line)} \\\\" for of_line in ([cells, ranges] if intervals else [cells])]
    heads = " & ".join([words["system"], *map(type_name, keys)])
    scale = "" if comparison.scale == 1 else words["scale"].format(scale=f"{comparison.scale:g}")
    caption = words["scores"].format(scale=scale, n=f"{comparison.n_samples:,}")
    if intervals:
        caption += words["intervals"].format(level=shown_level(comparison.confidence))
    caption += words["letters"].format(
        last=string.ascii_lowercase[len(order) - 1],
        test=words[comparison.test],
        resamples=f"{comparison.n_resamples:,}",
        alpha=f"{comparison.alpha:g}",
        holm=words["holm"] if len(order) > 2 else "",
    )
    begin = [rf"% {words['packages']}", r"\begin{table}[t]", r"\centering", rf"\caption{{{latex_text(caption)}}}"]
    tabular = [rf"\begin{{tabular}}{{l{'r' * len(keys)}}}", r"\toprule", f"{heads} \\\\", r"\midrule", *lines]
    facts = [comparison.tables(digits)[0].title]
    if comparison.empty_predictions:
        counts = zip(map(visible, comparison.systems), comparison.empty_predictions, strict=True)
        facts.append(f"empty predictions: {', '.join(f'{system} {n}' for system, n in counts)}")
    facts.append(f"signature: {comparison.signature}")
    end = [r"\bottomrule", r"\end{tabular}", *(f"% {fact}" for fact in facts), r"\end{table}"]
    return "\n".join([*begin, r"\label{tab:rouge}", *tabular, *end, ""])


def _without_repeated_sum(comparison: Any) -> list[str]:
    """Return the keys; rougeLsum is left out where its means and intervals are those of rougeL, as in the report."""
    keys = list(comparison.keys)
    if {"rougeL", "rougeLsum"} <= {*keys}:
        numbers = np.stack([comparison.means, comparison.low, comparison.high], axis=-1)
        of_l, of_sum = (numbers[:, keys.index(key)] for key in ("rougeL", "rougeLsum"))
        if np.array_equal(of_l, of_sum, equal_nan=True):
            keys.remove("rougeLsum")
    return keys
