"""Every field of ``RougeSettings`` as an option of the command line, under the same name."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import re
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Annotated, Any

import typer

from polyrouge.metric import Rouge
from polyrouge.settings.allowed_values import STOP_LISTS
from polyrouge.settings.rouge_settings import ALL_SETTINGS, RougeSettings, ToolRules, grouped

_OF_ALL = {field.name: str(field.type) for group in (RougeSettings, ToolRules) for field in dataclasses.fields(group)}
_KINDS = {name: _OF_ALL[name] for name in ALL_SETTINGS}  # those of tools too: here all are options alike
_NONE = ("none", "None")
_FLAGS = {"true": True, "false": False}


class SettingError(ValueError):
    """A setting was given a value that it can't have."""


def takes_options(*, without: Collection[str] = ()) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that gives a command the options of its arguments.

    An argument whose type is a dataclass gets an option for each field. ``rouge`` gets ``--convention``,
    ``--signature`` and an option for each setting but those ``without``, and is the metric that they make; ``changes``
    gets the settings alone, and is a dict of those that were given.
    """
    names = [name for name in _KINDS if name not in without]

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        taken = inspect.signature(command, eval_str=True).parameters
        bundles: dict[str, Any] = {
            name: each.annotation for name, each in taken.items() if dataclasses.is_dataclass(each.annotation)
        }
        parameters: list[inspect.Parameter] = []
        for name, parameter in taken.items():
            if name in bundles:
                parameters += inspect.signature(bundles[name], eval_str=True).parameters.values()
            elif name not in ("rouge", "changes"):
                parameters.append(parameter)
        if "rouge" in taken:
            parameters.append(_parameter("convention", str, "default", "--convention", "-c", help=_CONVENTION))
            parameters.append(_parameter("signature", str | None, None, "--signature", help=_SIGNATURE))
        if "rouge" in taken or "changes" in taken:
            parameters += [*map(_setting, names), _settings_help()]
        parameters = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in parameters]

        @functools.wraps(command)
        def run(**given: Any) -> None:
            given.pop("help_settings", None)
            values = {name: given.pop(name) for name in names if name in given}
            changes = grouped({name: _parsed(name, value) for name, value in values.items() if value is not None})
            for name, bundle in bundles.items():
                given[name] = bundle(**{each.name: given.pop(each.name) for each in dataclasses.fields(bundle)})
            if "changes" in taken:
                given["changes"] = changes
            if "rouge" in taken:
                given["rouge"] = _rouge(given.pop("convention"), given.pop("signature"), changes)
            command(**given)

        run.__signature__ = inspect.Signature(parameters)  # pyright: ignore[reportAttributeAccessIssue]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return run

    return decorate


_CONVENTION = "Named convention; 'polyrouge conventions' lists them."
_SIGNATURE = "Score as this signature says, in place of a convention."
_SETTINGS = "Settings (they override the convention)"
_OFTEN_SET = ("rouge_types", "tokenizer", "use_stemmer", "sentence_split", "scale", "confidence")


def _fields() -> list[dataclasses.Field]:
    """The fields of all settings, those of tools too: on the command line all are options alike."""
    fields = {field.name: field for group in (RougeSettings, ToolRules) for field in dataclasses.fields(group)}
    return [fields[name] for name in ALL_SETTINGS]


def _rouge(convention: str, signature: str | None, changes: dict[str, Any]) -> Rouge:
    """The metric of a convention, or of a signature, with changes."""
    try:
        if signature is None:
            return Rouge(convention, **changes)
        if convention != "default":
            raise SettingError(f"Give --convention ({convention}) or --signature, not both.")
        found = RougeSettings.from_signature(signature).replace(**{"use_aggregator": True, **changes})
        return Rouge(**{name: getattr(found, name) for name in RougeSettings.names()})
    except TypeError as error:
        raise SettingError(str(error)) from None


def _settings_help() -> inspect.Parameter:
    """The option that shows the help with all settings; there are so many that the usual help leaves most out."""

    def show(context: typer.Context, value: bool) -> None:
        if value:
            for parameter in context.command.params:
                parameter.hidden = False  # pyright: ignore[reportAttributeAccessIssue] of options, and all are
            typer.echo(context.get_help())
            raise typer.Exit

    given = {"is_eager": True, "callback": show, "help": "Show this message with every setting."}
    return _parameter("help_settings", bool, False, "--help-settings", **given)


def _parameter(name: str, kind: Any, default: Any, *names: str, **given: Any) -> inspect.Parameter:
    annotation = Annotated[kind, typer.Option(*names, show_default=default not in (None, False), **given)]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _setting(name: str) -> inspect.Parameter:
    is_flag = _KINDS[name] == "bool"
    shown = {"help": _descriptions().get(name, ""), "rich_help_panel": _SETTINGS, "hidden": name not in _OFTEN_SET}
    return _parameter(name, bool | None if is_flag else str | None, None, _option_name(name, is_flag), **shown)


def _option_name(name: str, is_flag: bool) -> str:
    dashed = name.replace("_", "-")
    return f"--{dashed}/--no-{dashed}" if is_flag else f"--{dashed}"


@functools.cache
def _descriptions() -> dict[str, str]:
    """What the docstrings say of each setting."""
    found = []
    for group in (RougeSettings, ToolRules):
        attributes = inspect.cleandoc(group.__doc__ or "").partition("Attributes:\n")[2].partition("\nRaises:")[0]
        found += re.findall(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", attributes, re.MULTILINE)
    return {
        name: re.sub(r"\s+", " ", text).replace("``", "").replace('"', "").replace("[", r"\[") for name, text in found
    }


def _parsed(name: str, value: Any) -> Any:
    """The value of a setting, made from the text on the command line."""
    if isinstance(value, bool):
        return value
    kind = _KINDS[name]
    option = _option_name(name, False)
    if value in _NONE and "None" in kind:
        return None
    if kind == "bool | str" and value.lower() in _FLAGS:
        return _FLAGS[value.lower()]
    if kind.startswith("tuple[float"):
        try:
            return tuple(map(float, value.split(",")))
        except ValueError:
            raise SettingError(f"{option} is {value!r}; give numbers with commas between them.") from None
    if kind.startswith("tuple"):
        if value.startswith("@"):
            return _words_of(value[1:], option)
        parts = tuple(part.strip() for part in value.split(",") if part.strip())
        if "," not in value and "| str" in kind:
            return _name_of_list(value, option)
        if not parts and name == "rouge_types":
            raise SettingError(
                f"{option} is {value!r}; give names with commas between them, for example rouge1,rougeL."
            )
        return parts
    for number, kind_name in ((int, "a whole number"), (float, "a number")):
        if kind.startswith(number.__name__):
            try:
                return number(value)
            except ValueError:
                raise SettingError(
                    f"{option} is {value!r}; give {kind_name}{' or none' if 'None' in kind else ''}."
                ) from None
    return value.replace("\\n", "\n").replace("\\t", "\t") if name == "sentence_split" else value


def _name_of_list(value: str, option: str) -> str:
    if value not in STOP_LISTS:
        names = ", ".join(STOP_LISTS)
        raise SettingError(
            f"{option} is {value!r}; give the name of a list ({names}), words with commas between them, or @FILE."
        )
    return value


def _words_of(path: str, option: str) -> tuple[str, ...]:
    try:
        return tuple(Path(path).read_text(encoding="utf-8").split())
    except (OSError, UnicodeDecodeError) as error:
        raise SettingError(f"{option}: the words can't be read from {path!r}: {error}.") from None
