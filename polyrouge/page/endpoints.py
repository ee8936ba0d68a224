"""Endpoints of the page, for ``gradio_client`` and as tools of an MCP server."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection
from dataclasses import asdict
from typing import Any, TypeVar

import gradio as gr

from polyrouge.comparing.convention_table import compare_conventions
from polyrouge.comparing.systems import compare_systems as run_comparison
from polyrouge.errors import hearing_warnings, unknown_value
from polyrouge.metric import Rouge
from polyrouge.page.limits import check_pairs
from polyrouge.page.score_views import REFUSALS
from polyrouge.page.wording import say
from polyrouge.settings.rouge_settings import grouped

# What a caller may set: nothing that names a file of the server, and nothing that takes time without limit.
SETTINGS = (
    "rouge_types", "tokenizer", "lowercase", "normalize", "punctuation", "use_stemmer", "max_words", "sentence_split",
    "ngram_counts", "lcs", "definition", "weight", "beta", "multi_reference", "empty", "output", "use_aggregator",
    "confidence", "interval", "scale",
)  # fmt: skip
_Result = TypeVar("_Result")


def _tells(endpoint: Callable[..., _Result]) -> Callable[..., _Result]:
    """Tell the caller in one sentence what is wrong, and write it to no log."""

    @functools.wraps(endpoint)
    def call(*args: Any, **kwargs: Any) -> _Result:
        try:
            return endpoint(*args, **kwargs)
        except REFUSALS as error:
            raise gr.Error(str(error), print_exception=False) from None
        except Exception as error:  # its text might hold texts of the caller
            raise gr.Error(say("en", "unexpected", kind=type(error).__name__), print_exception=False) from None

    return call


@_tells
def score(
    predictions: list[str],
    references: list[list[str]],
    convention: str = "default",
    settings: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Score texts by ROUGE against reference texts, in any language.

    Args:
        predictions: the texts to be scored, such as summaries, answers or translations.
        references: for each prediction one reference text, or a list of them.
        convention: how texts are cut and counted: default (any language), zh_char (Chinese characters),
            zh_word (Chinese words), rouge_score (English), or the name of another tool.
        settings: settings beside the convention, such as {"use_stemmer": true, "scale": 100}.

    Returns:
        scores: by type (rouge1, rouge2, rougeL, rougeLsum) the mean precision, recall and F-measure;
        signature: one line that says how they were made; warnings: what may be wrong.
    """
    check_pairs(predictions, references)
    rouge = _metric(convention, {"output": "all", **(settings or {})})
    with hearing_warnings() as warnings:
        scores = rouge.compute(predictions, references)
    return {"scores": scores, "signature": rouge.signature(), "warnings": list(dict.fromkeys(warnings))}


@_tells
def compare(
    predictions: list[str], references: list[list[str]], conventions: list[str] | None = None
) -> dict[str, Any]:
    """Score the same texts under several conventions, and say in words how these differ.

    Args:
        predictions: the texts to be scored.
        references: for each prediction one reference text, or a list of them.
        conventions: names of conventions; none given: default, zh_char, zh_word, rouge_score, pltrdy,
            rouge_chinese and llama_factory. Differences are those from the first of them.

    Returns:
        conventions: for each its name, its scores times 100, what it does differently in words, and its signature;
        markdown: the same as a table.
    """
    check_pairs(predictions, references)
    names = conventions or ["default", "zh_char", "zh_word", "rouge_score", "pltrdy", "rouge_chinese", "llama_factory"]
    with hearing_warnings():
        table = compare_conventions(predictions, references, names)
    rows = [{**asdict(row), "differences": list(row.differences)} for row in table.rows]
    return {"conventions": rows, "markdown": table.to_markdown()}


@_tells
def compare_systems(
    predictions: list[str],
    other_predictions: list[str],
    references: list[list[str]],
    convention: str = "default",
    settings: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Compare two systems on the same references: mean differences with intervals and p-values.

    Args:
        predictions: texts of the first system.
        other_predictions: texts of the second system, in the same order.
        references: for each row one reference text, or a list of them.
        convention: as for score.
        settings: settings beside the convention.

    Returns:
        differences: for each type the mean of first minus second, which is above 0 where the first scores higher, its
        interval, the p of paired approximate randomization, and on how many rows the first wins, ties, loses;
        systems: the mean of each system with its interval; sign: what a difference means, in words; signature: how it
        was made.
    """
    check_pairs(predictions, references, other_predictions)
    rouge = _metric(convention, settings or {})
    with hearing_warnings() as warnings:
        comparison = run_comparison({"first": predictions, "second": other_predictions}, references, rouge)
    parts = ("low", "high", "p_randomization", "wins", "ties", "losses")
    differences = {
        pair.key: {
            "first_minus_second": pair.difference,
            **{name.partition("_")[0]: getattr(pair, name) for name in parts},
        }
        for pair in comparison.pairs
    }
    facts = {name: value for name, value in comparison.to_dict().items() if name != "pairs"}
    return {
        "differences": differences,
        "systems": facts.pop("systems"),
        **facts,
        "signature": comparison.signature,
        "warnings": list(dict.fromkeys(warnings)),
    }


def _metric(convention: str, settings: dict[str, Any]) -> Rouge:
    for name in settings:
        if name not in SETTINGS:
            raise unknown_value(name, SETTINGS, "setting of this page")
    types = settings.get("rouge_types")
    if isinstance(types, Collection) and ("rougeS" in types or "rougeSU" in types):
        raise ValueError("rougeS and rougeSU of any gap are not for this page; give a gap, such as rougeS4.")
    return Rouge(convention, **grouped(settings))


def add_endpoints() -> None:
    """Add them to the page that is being built."""
    for endpoint in (score, compare, compare_systems):
        gr.api(endpoint, api_name=endpoint.__name__)  # pyright: ignore[reportPrivateImportUsage]
