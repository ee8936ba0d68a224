"""The settings by stage: a stage of the way from texts to result is handed its own rules and no others.

Outside, settings are flat keywords (``RougeSettings``). Each class here names the fields of it that one stage
looks at; ``stage_of`` takes them out.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple, TypeVar

from polyrouge.settings.rouge_types import RougeType, parse_rouge_type

__all__ = [
    "ReferenceRule",
    "ResultRules",
    "RunOptions",
    "ScoreRule",
    "cuts_with_jieba",
    "parsed_types",
    "score_rule",
    "stage_of",
]


class ScoreRule(NamedTuple):
    """Counts to precision, recall and F; see the settings of the same names.

    Attributes:
        beta: weight of recall in F.
        alpha: the other way to weight F, or None.
        epsilon: added to P + R in F.
        inverse_powers: for each type None, or the exponent that its ratios are raised to (rougeW).
        quirks: see ``quirks.QUIRKS``.
    """

    beta: float = 1.0
    alpha: float | None = None
    epsilon: float = 0.0
    inverse_powers: Sequence[float | None] = ()
    quirks: Collection[str] = ()


class ReferenceRule(NamedTuple):
    """The scores of all references of an example to one score; see the settings of the same names.

    Attributes:
        multi_reference: which reference counts, or how they are put together.
        empty: what becomes of texts without tokens.
        kinds: of each type, see ``RougeType``.
    """

    multi_reference: str
    empty: str
    kinds: Sequence[str]


class ResultRules(NamedTuple):
    """The scores of all examples to the result; see the settings of the same names.

    Attributes:
        score_rule: for aggregates that are made of counts, or of mean precision and recall.
    """

    score_rule: ScoreRule
    rouge_types: tuple[str, ...]
    output: str
    use_aggregator: bool
    aggregate: str
    weights: tuple[float, ...] | None
    confidence: float | None
    n_resamples: int
    seed: int
    scale: float
    round_each: int | None
    round_result: int | None


class RunOptions(NamedTuple):
    """How the work is done; these never move a score."""

    engine: str
    threads: int


Stage = TypeVar("Stage", ReferenceRule, ResultRules, RunOptions)


def stage_of(settings: Any, stage: type[Stage], **derived: Any) -> Stage:
    """The fields of ``settings`` that a stage names, and what is derived from several of them."""
    names = [name for name in stage._fields if name not in derived]
    return stage(**{name: getattr(settings, name) for name in names}, **derived)


def parsed_types(settings: Any) -> tuple[RougeType, ...]:
    """What each of ``rouge_types`` asks for."""
    return tuple(map(parse_rouge_type, settings.rouge_types))


def cuts_with_jieba(settings: Any) -> bool:
    """Whether jieba cuts the texts, for tokens or before they are tokenized."""
    return settings.tokenizer == "jieba" or (settings.segment or "").startswith("jieba")


def score_rule(settings: Any) -> ScoreRule:
    """How these settings make scores of counts."""
    powers: list[float | None] = [None] * len(settings.rouge_types)
    for column, rouge_type in enumerate(parsed_types(settings)):
        is_lcs = rouge_type.kind in ("lcs", "lcs_summary")
        powered_lcs = is_lcs and "powered_lcs" in settings.quirks and settings.weight != 1
        if rouge_type.kind == "weighted_lcs" or powered_lcs:
            powers[column] = 1 / settings.weight
    return ScoreRule(settings.beta, settings.alpha, settings.epsilon, powers, settings.quirks)
