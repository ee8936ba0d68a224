"""Endpoints of the page, for ``gradio_client`` and as tools of an MCP server."""

import functools
import inspect
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import gradio as gr

from polyrouge.conventions.registry import CONVENTIONS
from polyrouge.page.calls import score_by_conventions, score_texts, score_two_systems
from polyrouge.page.controls import CALL_LANE
from polyrouge.page.job import Job
from polyrouge.page.limits import LIMITS, check_pairs
from polyrouge.page.score_views import REFUSALS
from polyrouge.page.wording import PageError, in_json, say

_Result = TypeVar("_Result")


def _tells(endpoint: Callable[..., _Result]) -> Callable[..., _Result]:
    """Tell the caller in one sentence what is wrong, and write it to no log."""

    @functools.wraps(endpoint)
    def call(*args: Any, **kwargs: Any) -> _Result:
        try:
            return endpoint(*args, **kwargs)
        except REFUSALS as error:
            raise gr.Error(in_json(error), print_exception=False) from None
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
        references: for each prediction the list of its reference texts; one text alone is taken too.
        convention: default (any language), zh_char, zh_word (Chinese), rouge_score (English), or another tool's.
        settings: settings beside the convention, such as {"use_stemmer": true}; {"scale": 1} gives fractions.

    Returns:
        scores: by type (rouge1, rouge2, rougeL, rougeLsum) the mean precision, recall and F-measure; signature: one
            line that says how they were made; warnings: what may be wrong.
    """
    check_pairs(predictions, references)
    return _in_a_process(score_texts, predictions, references, convention, settings)


@_tells
def compare(
    predictions: list[str],
    references: list[list[str]],
    conventions: list[str] | None = None,
    settings: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Score the same texts under several conventions, and say in words how these differ.

    Args:
        predictions: the texts to be scored.
        references: for each prediction the list of its reference texts; one text alone is taken too.
        conventions: their names; seven common ones if not given. Differences are those from the first of them.
        settings: {"scale": 1} gives fractions; conventions make all other settings.

    Returns:
        conventions: for each its name, its scores, what it does differently in words, and its signature;
            markdown: the same as a table.
    """
    check_pairs(predictions, references)
    if isinstance(conventions, list) and len(conventions) > len(CONVENTIONS):
        raise PageError("limitConventions", n=len(conventions), most=len(CONVENTIONS))
    names = conventions or ["default", "zh_char", "zh_word", "rouge_score", "pltrdy", "rouge_chinese", "llama_factory"]
    return _in_a_process(score_by_conventions, predictions, references, names, settings)


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
        references: for each row the list of its reference texts; one text alone is taken too.
        convention: default (any language), zh_char, zh_word (Chinese), rouge_score (English), or another tool's.
        settings: settings beside the convention, such as {"use_stemmer": true}; {"scale": 1} gives fractions.

    Returns:
        differences: for each type the mean of first minus second, which is above 0 where the first scores higher, its
            interval, the p of paired approximate randomization, and on how many rows the first wins, ties, loses;
            systems: the mean of each system with its interval; sign: what a difference means, in words; signature:
            how it was made.
    """
    check_pairs(predictions, references, other_predictions)
    return _in_a_process(score_two_systems, predictions, other_predictions, references, convention, settings)


def _in_a_process(work: Callable[..., dict[str, Any]], *arguments: Any) -> dict[str, Any]:
    """Do the work of a call where its time and memory have a limit."""
    with tempfile.TemporaryDirectory(prefix="polyrouge-") as folder:
        result: Any
        *_, result = Job(work, Path(folder), *arguments, seconds=LIMITS.call_seconds).steps()
    return result


def add_endpoints() -> None:
    """Add them to the page that is being built."""
    for endpoint in (score, compare, compare_systems):
        # Gradio reads what an argument is from its one line of the docstring.
        gr.api(endpoint, api_name=endpoint.__name__, api_description=inspect.getdoc(endpoint), **CALL_LANE)  # pyright: ignore[reportPrivateImportUsage]


def answer_agents_in_json() -> None:
    """Gradio 6.31 answers agents with Python's notation of a result: ``None`` and ``True``, in single quotes."""
    from gradio.mcp import GradioMCPServer  # needs the package mcp

    def contents(server: GradioMCPServer, data: Any, _root_url: str) -> list[Any]:
        return [server.types.TextContent(type="text", text=json.dumps(item, ensure_ascii=False)) for item in data]

    GradioMCPServer.postprocess_output_data = contents  # pyright: ignore[reportAttributeAccessIssue]
