"""The entrances of the package, each of which takes a case of the catalogue."""

from __future__ import annotations

import io
import json
import warnings
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import typer
from catalogue_cases import Case, Outcome, make

from polyrouge import Rouge, RougeWarning, agreement
from polyrouge.cli.commands import app
from polyrouge.settings.rouge_settings import grouped

COMMAND = typer.main.get_command(app)  # built once: it takes longer than most cases


def outcome_at(entrance: str, case: Case, metric_classes: dict[str, Any]) -> Outcome:
    """The outcome of a case at an entrance, in the current folder; ``metric_classes``: see ``loaded_metrics``."""
    if entrance == "command":
        return _command(case)
    if entrance == "page":
        return _page(case)
    calls: dict[str, Callable[..., dict[str, Any]]] = {
        "compute": _compute,
        "score_batch": _score_batch,
        "trainer": _trainer,
        "reward": _reward,
        "evaluate": lambda *arguments: _evaluate(metric_classes["evaluate"], *arguments),
        "evaluate_rows": lambda *arguments: _evaluate_rows(metric_classes["evaluate"], *arguments),
        "hub": lambda *arguments: _evaluate(metric_classes["hub"], *arguments),
    }
    settings = grouped(make(case.settings))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        for category in (RougeWarning, RuntimeWarning):  # numpy's are ours to avoid
            warnings.simplefilter("always", category)
        try:
            scores = calls[entrance](case, case.written.get("convention", "default"), settings)
        except Exception as error:
            return Outcome(
                None,
                [],
                next(each.__name__ for each in type(error).__mro__ if each.__module__ == "builtins"),
                str(error),
            )
    return Outcome(_plain(scores), list(dict.fromkeys(str(each.message) for each in caught)))


def _columns(case: Case) -> tuple[Any, Any]:
    return make(case.written["predictions"]), make(case.written["references"])


def _lists(case: Case, settings: dict[str, Any]) -> dict[str, Any]:
    return {**settings, "use_aggregator": False} if "scores" in case.written else settings


def _compute(case: Case, convention: str, settings: dict[str, Any]) -> dict[str, Any]:
    if "agreement" in case.written:
        return agreement(**make(case.written["agreement"])).to_dict()
    return Rouge(convention, **_lists(case, settings)).compute(*_columns(case))  # few rows take the short way


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


def _pythons_scale(case: Case) -> dict[str, float]:
    """The scale of a case's convention in Python, for entrances that show points."""
    if "scale" in {**make(case.settings)}:
        return {}
    with suppress(TypeError, ValueError, ModuleNotFoundError):  # which the entrance says itself
        return {"scale": Rouge(case.written.get("convention", "default")).settings.scale}
    return {}


def _page(case: Case) -> Outcome:
    import gradio as gr

    from polyrouge.page import endpoints

    predictions, references = _columns(case)
    settings = {"output": "fmeasure", **_pythons_scale(case), **_lists(case, make(case.settings))}
    try:
        answer = endpoints.score(predictions, references, case.written.get("convention", "default"), settings)
    except gr.Error as error:
        return Outcome(None, [], None, error.message)
    return Outcome(_plain(answer["scores"]), answer["warnings"])


def _command(case: Case) -> Outcome:
    """The texts in two files; or the files, arguments and sub-command of the case."""
    files, command = write_files(case, ("predictions", "references")), case.written.get("command", "score")
    endings = {
        "report": [],
        "dedupe": [],
        "nearest": [],
        "score": ["--format", "json", "--per-sample", "samples.jsonl"],
    }
    scale = [f"--scale={scale}" for scale in _pythons_scale(case).values()] if command == "score" else []
    code, printed, said = run_command(
        command, *files, *typed_options(case), *scale, *endings.get(command, ["--format", "json"])
    )
    if isinstance(code, str):
        return Outcome(None, [], None, code)
    if code:
        (sentence,) = [line.removeprefix("error: ") for line in said if line.startswith("error: ")]
        assert (code, printed, Path("samples.jsonl").exists()) == (2, "", False)
        return Outcome(None, [], None, sentence)
    warned = [line.removeprefix("warning: ") for line in said if line.startswith("warning: ")]
    if "means" in case.written:
        return Outcome(json.loads(printed)["scores"], warned)
    rows = [json.loads(line) for line in Path("samples.jsonl").read_text("utf-8").splitlines()]
    keys = [key for key in rows[0] if key not in ("id", "signature")]
    return Outcome({key: [row[key] for row in rows] for key in keys}, warned)


def write_files(case: Case, names: tuple[str, str]) -> list[str]:
    """Write the files of a case, or its two columns as JSON; returns the command's arguments."""
    files = make(case.written.get("files", {}))
    if not files:
        for name, key, column in zip(names, ("prediction", "references"), _columns(case), strict=True):
            files[f"{name}.jsonl"] = "".join(f"{json.dumps({key: row})}\n" for row in column)
    for name, content in files.items():
        Path(name).write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    return case.written.get("arguments", list(files))


def typed_options(case: Case) -> list[str]:
    """The settings of a case as they are typed."""
    typed = ["--convention", str(case.written["convention"])] if "convention" in case.written else []
    for name, value in make(case.settings).items():
        option = f"--{name.replace('_', '-')}"
        if name == "rouge_types" and case.written.get("command") == "examine":  # which has types of its own
            continue
        if isinstance(value, bool) and name != "lowercase":
            typed.append(option if value else option.replace("--", "--no-", 1))
        else:
            typed += [option, ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)]
    return typed


def run_command(*arguments: str) -> tuple[Any, str, list[str]]:
    """The exit code (a sentence where the usage is wrong), what the command prints, and the lines on stderr."""
    out, said = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(said):
        try:
            code = COMMAND.main([*arguments], prog_name="polyrouge", standalone_mode=False)
        except Exception as error:
            if not hasattr(error, "format_message"):  # the framework's own: the usage is wrong
                raise
            code = error.format_message()  # pyright: ignore[reportAttributeAccessIssue]
    return code, out.getvalue(), [line.removeprefix("polyrouge: ") for line in said.getvalue().splitlines()]


def _plain(scores: dict[str, Any]) -> dict[str, Any]:
    """Scores with None for NaN; each must be a float of Python's."""
    plain = {}
    for key, values in scores.items():
        each = values if isinstance(values, list) else [values]
        assert all(value is None or type(value) is float for value in each), key
        numbers = [None if value != value else value for value in each]
        plain[key] = numbers if isinstance(values, list) else numbers[0]
    return plain
