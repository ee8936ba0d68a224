"""Score what a visitor typed: the numbers, what the texts share, and the Python that gives the same numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from polyrouge.comparing.conventions import ConventionRow, compare_conventions
from polyrouge.conventions.registry import CONVENTIONS
from polyrouge.errors import hearing_warnings
from polyrouge.explaining.explanation import Explanation, TypeExplanation
from polyrouge.metric import Rouge
from polyrouge.page.choices import Choice
from polyrouge.page.limits import Deadline, check_pair

VIEWS = ("rouge1", "rouge2", "rouge3", "rougeL", "rougeLsum")
_COMPARED = ("rouge1", "rouge2", "rougeL")


@dataclass(frozen=True)
class ScoredPair:
    """One sample, scored.

    Attributes:
        scores: what ``Rouge.compute`` gives, with ``output="all"``.
        explanation: of all its types.
        signature: of the settings.
        python: lines of Python that give ``scores``.
        notes: the metric's warnings.
        scale: of the scores.
    """

    scores: dict[str, float]
    explanation: Explanation
    signature: str
    python: str
    notes: tuple[str, ...]
    scale: float


def split_references(text: str) -> list[str]:
    """The references of a text box: separated by lines of three dashes or more; blank ones are none."""
    parts = re.split(r"^[ \t]*-{3,}[ \t]*$", text.replace("\r\n", "\n"), flags=re.MULTILINE)
    return [part.strip("\n") for part in parts if part.strip()]


def score_pair(prediction: str, references: Sequence[str], choice: Choice, language: str = "en") -> ScoredPair:
    """Score what was typed.

    Raises:
        PageError: it is too much, or there is no reference.
        ValueError: settings that don't go together, or texts that the convention's tool refuses.
    """
    references = list(references)
    check_pair(prediction, references, language)
    rouge = choice.rouge()
    with hearing_warnings() as heard:
        scores = rouge.compute([prediction], [references])
        explanation = rouge.explain(prediction, references)
    return ScoredPair(
        scores,
        explanation,
        rouge.signature(),
        choice.python([prediction], [references]),
        tuple(dict.fromkeys(heard)),
        rouge.settings.scale,
    )


def explain_view(
    rouge: Rouge, prediction: str, references: Sequence[str], view: str
) -> tuple[Explanation, TypeExplanation]:
    """What one type finds in a sample; it need not be among the types that were scored."""
    with hearing_warnings():
        explanation = rouge.explain(prediction, list(references), rouge_types=(view,), weights=None)
    return explanation, explanation.types[view]


def compare_all(prediction: str, references: Sequence[str], language: str = "en") -> list[tuple[ConventionRow, str]]:
    """For each convention a row of the table, and why its tool refuses the texts, or "". The first is ``default``.

    Raises:
        PageError: the texts are too much.
        ValueError: they can't be scored at all.
    """
    check_pair(prediction, references, language)
    deadline = Deadline()
    rows = []
    with hearing_warnings():
        (first,) = compare_conventions([prediction], [list(references)], ["default"], rouge_types=_COMPARED).rows
        for name, convention in CONVENTIONS.items():
            deadline.check()
            refusal = ""
            try:
                found = compare_conventions([prediction], [list(references)], ["default", name], rouge_types=_COMPARED)
                row = found.rows[-1] if name != first.name else first
            except (ValueError, RecursionError) as error:
                row = ConventionRow(name, dict.fromkeys(_COMPARED), (), convention.settings.signature())
                refusal = str(error)
            if row.missing is None and not refusal and convention.settings.tool.refuses:
                refusal = _refusal(name, prediction, references)
            rows.append((row, refusal))
    return rows


def _refusal(name: str, prediction: str, references: Sequence[str]) -> str:
    """What the tool itself would say instead of a score, or ""."""
    try:
        Rouge(name, on_error="raise").compute([prediction], [list(references)])
    except (ValueError, RecursionError) as error:
        return str(error)
    return ""
