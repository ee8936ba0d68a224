"""The entrances of the package: each takes a case of the catalogue and tells what came of it."""

from __future__ import annotations

import io
import json
import warnings
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import typer
from catalogue_cases import Case, Outcome, make

from polyrouge import Rouge, RougeWarning
from polyrouge.cli.commands import app
from polyrouge.settings.rouge_settings import grouped

_COMMAND = typer.main.get_command(app)  # made once: it takes longer than most cases
_FILES = ("predictions.jsonl", "references.jsonl")


def outcome_at(entrance: str, case: Case, metric_classes: dict[str, Any]) -> Outcome:
    """What an entrance makes of a case; the folder that is the current one is its own.

    Args:
        entrance: one of ``ENTRANCES``.
        case: of the catalogue.
        metric_classes: what ``evaluate.load`` gives, by entrance (``"evaluate"``, ``"hub"``).
    """
    if entrance == "command":
        return _command(case)
    if entrance == "page":
        return _page(case)
    calls: dict[str, Callable[..., dict[str, Any]]] = {
        "compute": _compute,
        "score_batch": _score_batch,
        "trainer": _trainer,
        "reward": _reward,
        "evaluate": lambda *given: _evaluate(metric_classes["evaluate"], *given),
        "evaluate_rows": lambda *given: _evaluate_rows(metric_classes["evaluate"], *given),
        "hub": lambda *given: _evaluate(metric_classes["hub"], *given),
    }
    settings = grouped(make(case.settings))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        for category in (RougeWarning, RuntimeWarning):  # numpy's are ours to avoid
            warnings.simplefilter("always", category)
        try:
            scores = calls[entrance](case, case.written.get("convention", "default"), settings)
        except Exception as error:
            return Outcome(None, [], type(error).__name__, str(error))
    return Outcome(_plain(scores), list(dict.fromkeys(str(each.message) for each in caught)))


def _columns(case: Case) -> tuple[Any, Any]:
    return make(case.written["predictions"]), make(case.written["references"])


def _lists(case: Case, settings: dict[str, Any]) -> dict[str, Any]:
    return {**settings, "use_aggregator": False} if "scores" in case.written else settings


def _compute(case: Case, convention: str, settings: dict[str, Any]) -> dict[str, Any]:
    return Rouge(convention).compute(*_columns(case), **_lists(case, settings))


def _score_batch(case: Case, convention: str, settings: dict[str, Any]) -> dict[str, Any]:
    predictions, references = _columns(case)
    return Rouge(convention).score_batch({"prediction": predictions, "references": references}, **settings)


def _evaluate(metric_class: Any, case: Case, convention: str, settings: dict[str, Any]) -> dict[str, Any]:
    predictions, references = _columns(case)
    metric = metric_class(convention, cache_dir="rows", **_lists(case, settings))
    return metric.compute(predictions=predictions, references=references)


def _evaluate_rows(metric_class: Any, case: Case, convention: str, settings: dict[str, Any]) -> dict[str, Any]:
    """Rows are kept in a file of evaluate's until compute is called; nothing of them may be left then."""
    predictions, references = _columns(case)
    metric = metric_class(convention, cache_dir="rows")
    try:
        metric.add_batch(predictions=predictions, references=references)
        return metric.compute(**_lists(case, settings))
    finally:
        metric._discard()
        assert not list(Path("rows").rglob("*.arrow"))


def _trainer(case: Case, convention: str, settings: dict[str, Any]) -> dict[str, Any]:
    predictions, references = _columns(case)
    metrics = Rouge(convention).for_trainer(**settings)
    return metrics(SimpleNamespace(predictions=predictions, label_ids=references, inputs=None))


def _reward(case: Case, convention: str, settings: dict[str, Any]) -> dict[str, Any]:
    """The reward of each type by itself: it is the score of the sample."""
    types = settings.get("rouge_types", ()) if "scores" in case.written else ()
    scores = {}
    for chosen in [{**settings, "rouge_types": [name]} for name in types] or [settings]:
        completions, references = _columns(case)
        reward = Rouge(convention).as_reward(references="references", **chosen)
        scores[reward.__name__] = reward(completions, references=references)
    return scores


def _page(case: Case) -> Outcome:
    import gradio as gr

    from polyrouge.page import endpoints

    predictions, references = _columns(case)
    settings = {"output": "fmeasure", **_lists(case, make(case.settings))}
    try:
        answer = endpoints.score(predictions, references, case.written.get("convention", "default"), settings)
    except gr.Error as error:
        return Outcome(None, [], None, error.message)
    return Outcome(_plain(answer["scores"]), answer["warnings"])


def _command(case: Case) -> Outcome:
    """The texts in two files of JSON; or the files, arguments and sub-command that the case gives."""
    if "files" in case.written:
        for name, content in make(case.written["files"]).items():
            Path(name).write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
        files = case.written.get("arguments", list(case.written["files"]))
    else:
        for path, name, column in zip(_FILES, ("prediction", "references"), _columns(case), strict=True):
            lines = [json.dumps({name: row}) for row in column]
            Path(path).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        files = _FILES
    command = case.written.get("command", "score")
    endings = {"report": [], "score": ["--format", "json", "--per-sample", "samples.jsonl"]}
    arguments = [command, *files, *_options(case), *endings.get(command, ["--format", "json"])]
    out, said = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(said):
        try:
            code = _COMMAND.main(arguments, prog_name="polyrouge", standalone_mode=False)
        except Exception as error:
            if not hasattr(error, "format_message"):  # the framework's own: the usage is wrong
                raise
            return Outcome(None, [], None, error.format_message())
    words = [line.removeprefix("polyrouge: ") for line in said.getvalue().splitlines()]
    if code:
        (sentence,) = [line.removeprefix("error: ") for line in words if line.startswith("error: ")]
        assert (code, out.getvalue(), Path("samples.jsonl").exists()) == (2, "", False)
        return Outcome(None, [], None, sentence)
    heard = [line.removeprefix("warning: ") for line in words if line.startswith("warning: ")]
    if "means" in case.written:
        return Outcome(json.loads(out.getvalue())["scores"], heard)
    rows = [json.loads(line) for line in Path("samples.jsonl").read_text("utf-8").splitlines()]
    keys = [key for key in rows[0] if key not in ("id", "signature")]
    return Outcome({key: [row[key] for row in rows] for key in keys}, heard)


def _options(case: Case) -> list[str]:
    """The settings as they are typed."""
    convention = case.written.get("convention")
    typed = [] if convention is None else ["--convention", str(convention)]
    for name, value in make(case.settings).items():
        if name == "rouge_types" and case.written.get("command") == "examine":  # which has types of its own
            continue
        option = f"--{name.replace('_', '-')}"
        if isinstance(value, bool) and name != "lowercase":
            typed.append(option if value else option.replace("--", "--no-", 1))
        else:
            typed += [option, ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)]
    return typed


def _plain(scores: dict[str, Any]) -> dict[str, Any]:
    """Scores with None for NaN; each must be a float of Python's."""
    plain = {}
    for key, values in scores.items():
        each = values if isinstance(values, list) else [values]
        assert all(value is None or type(value) is float for value in each), key
        told = [None if value is None or value != value else value for value in each]
        plain[key] = told if isinstance(values, list) else told[0]
    return plain
