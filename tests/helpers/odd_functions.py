"""Public functions and endpoints with arguments that they take; ``argument_runs.odd_call`` makes some of them odd."""

import contextlib
from collections.abc import Callable
from typing import Any

import pyarrow as pa
from odd_values import plain_rows

import polyrouge
from polyrouge import Rouge, RougeSettings
from polyrouge.beyond import pairs
from polyrouge.beyond.arrow import Partial, TableScorer, score_table, summarize
from polyrouge.report import write_report

_ROWS = plain_rows()
_PREDICTIONS = [row["prediction"] for row in _ROWS]
_OTHERS = [row["prediction_b"] for row in _ROWS]
_REFERENCES = [row["references"] for row in _ROWS]
_SOURCES = [row["document"] for row in _ROWS]
_FEW = Rouge(rouge_types=["rouge1", "rougeL"])
_SETTINGS: dict[str, Any] = {
    "convention": "default", "rouge_types": ["rouge1", "rougeL"], "tokenizer": "mixed", "lowercase": True, "scale": 100,
    "use_stemmer": False, "stop_words": ["the"], "max_words": 9, "sentence_split": "auto", "weight": 1.2, "beta": 1.0,
    "confidence": 0.95, "n_resamples": 50, "seed": 1, "normalize": None, "weights": [1, 2], "threads": 1, "alpha": None,
    "aggregate": "mean", "multi_reference": "best", "empty": "zero", "epsilon": 0, "round_each": None,
    "engine": "plain", "jieba_dict": None,
}  # fmt: skip


def _texts(**more: Any) -> dict[str, Any]:
    return {"predictions": list(_PREDICTIONS), "references": list(_REFERENCES), **more}


def _systems(**more: Any) -> dict[str, Any]:
    systems = {"A": list(_PREDICTIONS), "B": list(_OTHERS)}
    return {"systems": systems, "references": list(_REFERENCES), "rouge": _FEW, **more}


def _partial(start: int) -> Partial:
    scorer = TableScorer(Rouge(rouge_types=["rouge1"], use_aggregator=True))
    return scorer.partial(pa.table({"prediction": _PREDICTIONS[start:], "references": _REFERENCES[start:]}))


def _pool(texts: Any, more: Any, above: Any) -> Any:
    return pairs.Pool(texts, above=above).add(more)


def _score_columns(columns: Any, **options: Any) -> Any:
    """The score of a table with these columns, where Arrow can make one."""
    with contextlib.suppress(pa.ArrowException, TypeError, ValueError, AttributeError, OverflowError):
        columns = pa.table(columns)
    return score_table(columns, **options)


def _printed(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose result is shown in every way, too."""

    def call(**arguments: Any) -> None:
        result = function(**arguments)
        repr(result)
        str(result)
        for name in ("to_dict", "records", "_repr_html_", "to_markdown"):
            if hasattr(result, name):
                getattr(result, name)()

    return call


_JUDGED = {
    "scores": {"rouge1": [0.1 * row for row in range(12)], "rouge2": [row % 5 for row in range(12)]},
    "human": {"fluency": [row * 7 % 5 for row in range(12)]},
    "systems": list("ABC" * 4),
    "documents": [row // 3 for row in range(12)],
    "baseline": None,
    "confidence": 0.95,
}
_Case = tuple[Callable[..., Any], Callable[[], dict[str, Any]], tuple[type[Exception], ...]]
FUNCTIONS: dict[str, _Case] = {
    name: (_printed(function), given, allowed[0] if allowed else ())
    for name, function, given, *allowed in (
        ("Rouge", Rouge, lambda: dict(_SETTINGS)),
        ("RougeSettings", RougeSettings, lambda: {
            name: value for name, value in _SETTINGS.items() if name in RougeSettings.names()}),
        ("compute", _FEW.compute, lambda: _texts(scale=100, confidence=0.9, use_aggregator=False)),
        ("score", _FEW.score, lambda: _texts()),
        ("count", _FEW.count, lambda: _texts()),
        ("explain", _FEW.explain, lambda: {"prediction": "the cat", "reference": ["a cat"], "lcs": "sentence"}),
        ("score_batch", _FEW.score_batch, lambda: {
            "batch": {"prediction": _PREDICTIONS, "references": _REFERENCES}, "predictions": "prediction",
            "references": "references", "prefix": ""}, (KeyError,)),
        ("rouge", polyrouge.rouge, lambda: {"prediction": "the cat", "reference": "a cat", "convention": "default"}),
        ("check_inputs", polyrouge.check_inputs, lambda: _texts(first_row=0)),
        ("compare_systems", polyrouge.compare_systems, lambda: _systems(
            baseline="A", confidence=0.9, alpha=0.05, test="randomization", n_resamples=20, seed=1)),
        ("compare_slices", polyrouge.compare_slices, lambda: _systems(
            slices={"topic": ["x", "y"] * 6, "n": list(range(12))}, baseline="A", n_resamples=20)),
        ("score_slices", polyrouge.score_slices, lambda: _texts(slices={"topic": ["x", "y"] * 6}, rouge=_FEW)),
        ("compare_conventions", polyrouge.compare_conventions, lambda: _texts(
            names=["default", "rouge_score"], rouge_types=["rouge1"])),
        ("agreement", polyrouge.agreement, lambda: dict(_JUDGED)),
        ("check_scores", polyrouge.check_scores, lambda: _texts(
            baseline=list(_OTHERS), rouge=_FEW, max_drop={"rouge1": 1}, at_least="99%", fail_under={"rouge1": 5},
            significant=True, alpha=0.05, n_resamples=20, ids=list(range(12))), (OSError,)),
        ("find_settings", polyrouge.find_settings, lambda: _texts(
            published={"rouge1": 50, "rougeL": 40}, conventions=["default", "rouge_score"], most=3)),
        ("trace_checkpoints", polyrouge.trace_checkpoints, lambda: {
            "checkpoints": {1: list(_PREDICTIONS), 20: list(_OTHERS)}, "references": _REFERENCES, "rouge": _FEW}),
        ("examine_systems", polyrouge.examine_systems, lambda: _systems(most=3)),
        ("measure_sources", polyrouge.measure_sources, lambda: {
            "predictions": _PREDICTIONS, "sources": _SOURCES, "rouge": _FEW}),
        ("score_context", polyrouge.score_context, lambda: _texts(
            sources=_SOURCES, rouge=_FEW, lead=2, confidence=0.9, seed=1)),
        ("suggest", polyrouge.suggest, lambda: {"texts": list(_PREDICTIONS), "settings": RougeSettings()}),
        ("deduplicate", pairs.deduplicate, lambda: {
            "texts": list(_PREDICTIONS), "rouge_type": "rougeL", "above": 0.7, "against": list(_OTHERS),
            "rouge": _FEW}),
        ("Pool", _pool, lambda: {"texts": list(_PREDICTIONS), "more": list(_OTHERS), "above": 0.7}),
        ("nearest", pairs.nearest, lambda: {
            "queries": list(_PREDICTIONS), "corpus": list(_OTHERS), "k": 2, "at_least": 0.1, "rouge_type": "rouge1",
            "rouge": "default"}),
        ("pairs_above", pairs.pairs_above, lambda: {
            "first": list(_PREDICTIONS), "second": list(_OTHERS), "above": 0.3, "rouge_type": "rouge2_recall"}),
        ("pairwise", pairs.pairwise, lambda: {
            "first": list(_PREDICTIONS), "second": list(_OTHERS), "rouge_types": ["rouge1"], "rouge": "zh_char"}),
        ("consensus", pairs.consensus, lambda: {
            "candidates": [["a b", "a c", "d"], ["x", "y"]], "weights": [[1, 2, 3], [1, 1]], "rouge_type": "rougeL"}),
        ("diversity", pairs.diversity, lambda: {"samples": [["a b", "a c", "d"], ["x", "y"]], "rouge_type": "rougeL"}),
        ("extractive_oracle", pairs.extractive_oracle, lambda: {
            "sentences": ["a b c", "d e"], "reference": ["a b"], "k": 2, "method": "greedy", "rouge_types": ["rouge1"],
            "rouge": _FEW, "sentence_split": "auto"}),
        ("oracle_batch", pairs.oracle_batch, lambda: {
            "batch": {"document": list(_SOURCES), "summary": list(_PREDICTIONS)}, "source": "document",
            "reference": "summary", "column": "oracle", "k": 2}, (KeyError,)),
        ("score_table", _score_columns, lambda: {
            "columns": {"prediction": list(_PREDICTIONS), "references": list(_REFERENCES)}, "rouge": "default",
            "prediction": "prediction", "reference": "references", "keep": [], "hits": False,
        }, (KeyError,)),
        ("summarize", summarize, lambda: {"partials": [_partial(0), _partial(3)]}),
        ("write_report", write_report, lambda: _texts(
            path="report.html", rouge=_FEW, name="A", others={"B": list(_OTHERS)}, ids=list(range(12)),
            metadata={"topic": ["x", "y"] * 6}, sources=_SOURCES, slices=True, title="T", steps=None), (OSError,)),
    )
}  # fmt: skip
ENDPOINTS: dict[str, Callable[[], dict[str, Any]]] = {
    "score": lambda: _texts(convention="default", settings={"use_stemmer": True, "scale": 100}),
    "compare": lambda: _texts(conventions=["default", "zh_char"]),
    "compare_systems": lambda: _texts(other_predictions=_OTHERS, convention="default", settings={"scale": 100}),
}
