"""What the endpoints of the page do, in the process of a ``Job``: without Gradio, which takes seconds to import."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from polyrouge.comparing.convention_table import compare_conventions
from polyrouge.comparing.difference import outcomes_of
from polyrouge.comparing.systems import compare_systems
from polyrouge.errors import hearing_warnings, shown_value, unknown_value
from polyrouge.metric import Rouge, metric_in_points
from polyrouge.page.limits import LIMITS
from polyrouge.page.wording import in_json
from polyrouge.progress import Progress
from polyrouge.settings.rouge_settings import grouped
from polyrouge.settings.rouge_types import parse_rouge_type

# What a caller may set: nothing that names a file of the server, and nothing that takes time without limit.
SETTINGS = (
    "rouge_types", "tokenizer", "lowercase", "normalize", "punctuation", "use_stemmer", "max_words", "sentence_split",
    "ngram_counts", "lcs", "definition", "weight", "beta", "multi_reference", "empty", "output", "use_aggregator",
    "confidence", "interval", "scale",
)  # fmt: skip


def score_texts(
    _progress: Progress, predictions: Any, references: Any, convention: str, settings: Any
) -> dict[str, Any]:
    """See ``endpoints.score``."""
    rouge = _metric(convention, {"output": "all", **_checked(settings)})
    with hearing_warnings() as warnings:
        scores = rouge.compute(predictions, references)
    return {"scores": scores, "signature": rouge.signature(), "warnings": list(dict.fromkeys(map(in_json, warnings)))}


def score_by_conventions(
    _progress: Progress, predictions: Any, references: Any, names: list[str], settings: Any
) -> dict[str, Any]:
    """See ``endpoints.compare``."""
    scale = _checked(settings, ("scale",), "setting of /compare")
    with hearing_warnings():
        table = compare_conventions(predictions, references, names, **scale)
    rows = [
        {**asdict(row), "differences": list(row.differences), "notes": list(map(in_json, row.notes))}
        for row in table.rows
    ]
    return {"conventions": rows, "markdown": table.to_markdown()}


def score_two_systems(
    _progress: Progress, predictions: Any, other_predictions: Any, references: Any, convention: str, settings: Any
) -> dict[str, Any]:
    """See ``endpoints.compare_systems``."""
    rouge = _metric(convention, _checked(settings))
    with hearing_warnings() as warnings:
        comparison = compare_systems({"first": predictions, "second": other_predictions}, references, rouge)
    differences = {
        pair.key: {"first_minus_second": pair.difference, "low": pair.low, "high": pair.high, "p": pair.p}
        | outcomes_of(pair)
        for pair in comparison.pairs
    }
    facts = {name: value for name, value in comparison.to_dict().items() if name != "pairs"}
    own_fields = {"differences": differences, "systems": facts.pop("systems")}
    return {
        **own_fields,
        **facts,
        "signature": comparison.signature,
        "warnings": list(dict.fromkeys(map(in_json, warnings))),
    }


def _checked(settings: Any, allowed: Sequence[str] = SETTINGS, kind: str = "setting of this page") -> dict[str, Any]:
    """Return the settings of a call by name; none for null."""
    if settings is not None and not isinstance(settings, dict):
        raise TypeError(f'settings is {shown_value(settings)}; give an object, such as {{"scale": 1}}.')
    for name in settings or {}:
        if name not in allowed:
            raise unknown_value(name, allowed, kind)
    return settings or {}


def _metric(convention: str, settings: dict[str, Any]) -> Rouge:
    rouge = metric_in_points(convention, grouped(settings))
    for name in rouge.settings.rouge_types:
        rouge_type = parse_rouge_type(name)
        if rouge_type.kind == "skip_bigram" and (rouge_type.gap is None or rouge_type.gap > LIMITS.call_gap):
            raise ValueError(f"{name}: this page takes gaps of at most {LIMITS.call_gap}; give one, such as rougeS4.")
    return rouge
