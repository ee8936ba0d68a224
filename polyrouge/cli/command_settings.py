"""Every field of ``RougeSettings`` as an option of the command line, under the same name."""

import functools
import inspect
import re
from collections.abc import Callable, Collection
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from polyrouge.cli.command_options import option
from polyrouge.cli.command_running import collected_warnings, reports_errors
from polyrouge.metric import Rouge
from polyrouge.settings.allowed_values import STOP_LISTS, Flag, Names, Range, StopWords, Types, Weights
from polyrouge.settings.rouge_settings import ALL_SETTINGS, RougeSettings, ToolRules, grouped

_NONE = ("none", "None")
_BOOLEANS = {"true": True, "false": False}
_CONVENTION = "Named convention; 'polyrouge conventions' lists them."
_SIGNATURE = "Score as this signature says, in place of a convention."
_PANEL = "Settings (they override the convention)"
_OFTEN_SET = ("rouge_types", "tokenizer", "use_stemmer", "sentence_split", "scale", "confidence")


def takes_options(*, without: Collection[str] = ()) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that gives a command the options of its arguments, and reports its errors.

    A bundle becomes an option for each field; ``rouge`` becomes ``--convention``, ``--signature`` and an option for
    each setting except ``without``; ``changes`` becomes the settings alone, and is a dict of those that the user set.
    """
    names = [name for name in ALL_SETTINGS if name not in without]

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        arguments = inspect.signature(command, eval_str=True).parameters
        bundles: Any = {name: each.annotation for name, each in arguments.items() if is_dataclass(each.annotation)}
        parameters: list[inspect.Parameter] = []
        for name, parameter in arguments.items():
            if name not in ("rouge", "changes"):
                parameters += _options_of(bundles[name]) if name in bundles else [parameter]
        if "rouge" in arguments:
            parameters.append(_parameter("convention", str, option(_CONVENTION, "--convention", "-c"), "default"))
            parameters.append(_parameter("signature", str | None, option(_SIGNATURE)))
        if "rouge" in arguments or "changes" in arguments:
            parameters += [*map(_setting, names), _settings_help()]
        parameters = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in parameters]

        @functools.wraps(command)
        def run(**options: Any) -> None:
            options.pop("help_settings", None)
            values = {name: options.pop(name) for name in names if name in options}
            changes = grouped({name: _parsed(name, value) for name, value in values.items() if value is not None})
            for name, bundle in bundles.items():
                options[name] = bundle(**{each.name: options.pop(each.name) for each in fields(bundle)})
            if "changes" in arguments:
                options["changes"] = changes
            if "rouge" in arguments:
                with collected_warnings(options.get("quiet", False)):
                    options["rouge"] = _rouge(options.pop("convention"), options.pop("signature"), changes)
            command(**options)

        run.__signature__ = inspect.Signature(parameters)  # pyright: ignore[reportAttributeAccessIssue]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return reports_errors(run)

    return decorate


def _rouge(convention: str, signature: str | None, changes: dict[str, Any]) -> Rouge:
    """The metric of a convention, or of a signature, with changes."""
    try:
        if signature is None:
            return Rouge(convention, **changes)
        if convention != "default":
            raise ValueError(f"Give --convention ({convention}) or --signature, not both.")
        settings = RougeSettings.from_signature(signature).replace(**{"use_aggregator": True, **changes})
        return Rouge(**{name: getattr(settings, name) for name in RougeSettings.names()})
    except TypeError as error:
        raise ValueError(str(error)) from None


def _settings_help() -> inspect.Parameter:
    """The option that shows every setting; the usual help hides most of them."""

    def show(context: typer.Context, value: bool) -> None:
        if value:
            for parameter in context.command.params:
                parameter.hidden = False  # pyright: ignore[reportAttributeAccessIssue] of options, and all are
            typer.echo(context.get_help())
            raise typer.Exit

    info = option("Show this message with every setting.", "--help-settings", is_eager=True, callback=show)
    return _parameter("help_settings", bool, info, False)


def _options_of(bundle: Any) -> list[inspect.Parameter]:
    info = {field.name: field.metadata["option"] for field in fields(bundle)}
    parameters = inspect.signature(bundle, eval_str=True).parameters.values()
    return [each.replace(annotation=Annotated[each.annotation, info[each.name]]) for each in parameters]


def _setting(name: str) -> inspect.Parameter:
    """The option of a setting."""
    values, dashed = ALL_SETTINGS[name].values, name.replace("_", "-")
    is_boolean = isinstance(values, Flag) and not values.texts
    names = f"--{dashed}/--no-{dashed}" if is_boolean else f"--{dashed}"
    info = option(_descriptions().get(name, ""), names, panel=_PANEL, hidden=name not in _OFTEN_SET)
    return _parameter(name, bool | None if is_boolean else str | None, info)


def _parameter(name: str, kind: Any, info: Any, default: Any = None) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, info])


@functools.cache
def _descriptions() -> dict[str, str]:
    """The description of each setting, from the docstrings."""
    texts = {}
    for group in (RougeSettings, ToolRules):
        attributes = inspect.cleandoc(group.__doc__ or "").partition("Attributes:\n")[2].partition("\nRaises:")[0]
        texts |= dict(re.findall(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", attributes, re.MULTILINE))
    unmarked = str.maketrans({"`": None, '"': None, "[": r"\["})
    return {name: " ".join(text.split()).translate(unmarked) for name, text in texts.items()}


def _parsed(name: str, text: Any) -> Any:
    """Parse the value of a setting."""
    values = ALL_SETTINGS[name].values
    option = f"--{name.replace('_', '-')}"
    if isinstance(text, bool):
        return text
    if values.may_be_none and text in _NONE:
        return None
    if isinstance(values, Flag):
        return _BOOLEANS.get(text.lower(), text)
    if isinstance(values, (Range, Weights)):
        expected = "numbers with commas between them"
        try:
            if isinstance(values, Weights):
                return tuple(map(float, text.split(",")))
            expected = ("a whole number" if values.kind is int else "a number") + " or none" * values.may_be_none
            return values.kind(text)
        except ValueError:
            raise ValueError(f"{option} is {text!r}; give {expected}.") from None
    if isinstance(values, (Types, StopWords, Names)):
        return _names(values, text, option)
    return text.replace("\\n", "\n").replace("\\t", "\t") if name == "sentence_split" else text


def _names(values: Any, text: str, option: str) -> tuple[str, ...] | str:
    """Parse names with commas between them, ``@FILE``, or the name of a list of words."""
    if text.startswith("@"):
        try:
            return tuple(Path(text[1:]).read_text(encoding="utf-8").split())
        except (OSError, UnicodeDecodeError) as error:
            raise ValueError(f"{option}: the words can't be read from {text[1:]!r}: {error}.") from None
    if isinstance(values, StopWords) and "," not in text:
        if text not in STOP_LISTS:
            raise ValueError(
                f"{option} is {text!r}; give the name of a list ({', '.join(STOP_LISTS)}), words with commas between "
                "them, or @FILE."
            )
        return text
    names = tuple(part.strip() for part in text.split(",") if part.strip())
    if not names and isinstance(values, Types):
        raise ValueError(f"{option} is {text!r}; give names with commas between them, for example rouge1,rougeL.")
    return names
