"""What single tools do that no definition of ROUGE asks for: names of settings, with their meaning.

A quirk is switched on by its convention only, and stands in the signature like any setting.
"""

from __future__ import annotations

QUIRKS = {
    "rounded_ratios": "ROUGE-1.5.5: precision and recall are rounded to 5 digits before F is made of them, then F.",
    "rouge155_choice": (
        "ROUGE-1.5.5 -f B: the best reference is that of the highest recall, not rounded for rougeL, and for rougeW "
        "over a total that is weighted once."
    ),
    "py_rouge_choice": "py-rouge: as ROUGE-1.5.5, but the total of rougeW is weighted twice and one weight taken off.",
    "uncounted_bytes": (
        "ROUGE-1.5.5 -b: the reader of rougeL and rougeW never counts the bytes that it has read, so a sentence is cut "
        "only where it alone is too long; clipping and precision see the text that was cut rightly."
    ),
    "unclipped_totals": "py-rouge: a text shorter than n has tokens - n + 1 n-grams, below 0, in pooled totals.",
    "powered_lcs": "py-rouge: with a weight other than 1 the ratios of rougeL are raised to 1 / weight too.",
    "percent_ratios": "sacrerouge: F is made of precision and recall that are percentages already.",
    "float32": "torchmetrics: scores are rounded to single precision before the best reference is chosen.",
}
"""Name of each quirk: what it does, and whose it is."""

REFUSALS = {
    "empty": "a text without tokens",
    "empty_unless_blank": "a text that is not blank, but has no tokens; or its partner, where neither is blank",
    "empty_unless_blank_prediction": "a text without tokens, where the prediction is not blank",
    "rougeW_of_empty_reference": "rougeW of a reference without tokens",
    "deep_recursion": (
        "a rougeL whose walk back through the LCS table is longer than Python's default recursion limit allows: "
        "990 steps, where the tool is called from a script's top level"
    ),
}
"""What a tool raises an error for."""
