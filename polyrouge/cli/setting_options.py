"""An option of the command for each setting, from the table of settings; and the metric that they choose."""

import functools
import inspect
import re
from dataclasses import dataclass, make_dataclass
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeVar

import typer

from polyrouge.cli.command_running import collected_warnings
from polyrouge.cli.wording import is_switch
from polyrouge.metric import OF_DRAWS, Rouge, metric_in_points, warn_of_idle
from polyrouge.settings.allowed_values import (
    GEOMETRIC,
    STOP_LISTS,
    Flag,
    Names,
    Range,
    Steps,
    StopWords,
    Types,
    Weights,
)
from polyrouge.settings.rouge_settings import ALL_OPTIONS, RougeSettings, RunOptions, ToolRules, grouped, split_run

_NONE = ("none", "None")
_BOOLEANS = {"true": True, "false": False}
_LISTS = (Types, StopWords, Names, Weights)  # settings whose option may be repeated
_FUNCTION = ", or a callable ``str -> list[str]``"  # of Python only
_PANEL = "Settings (they override the convention)"
_OFTEN_SET = ("rouge_types", "tokenizer", "use_stemmer", "sentence_split", "scale", "confidence")


def option(help: str, *names: str, panel: str | None = None, **more: Any) -> Any:
    """Return an option, for ``Annotated``."""
    return typer.Option(*names, help=help, rich_help_panel=panel, **more)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The settings that a command takes; ``taking`` adds an option for each."""

    setting_names: ClassVar[tuple[str, ...]] = ()

    def changes(self) -> dict[str, Any]:
        """Return the settings that the user set, as arguments of ``Rouge``."""
        typed = {name: getattr(self, name) for name in self.setting_names}
        return grouped({name: _parsed(name, value) for name, value in typed.items() if value not in (None, [], ())})


@dataclass(frozen=True, kw_only=True)
class Metric(Settings):
    """A convention or a signature, with settings."""

    convention: Annotated[
        str, option("Named convention; 'polyrouge conventions' lists them.", "--convention", "-c")
    ] = "default"
    signature: Annotated[str | None, option("Score as this signature says, in place of a convention.")] = None

    def metric(self, quiet: bool, *, draws: bool = False) -> Rouge:
        """Return the chosen metric; ``draws``: ``seed`` and the like are used whether or not there is an interval."""
        with collected_warnings(quiet):
            rouge = self._rouge(self.changes())
            warn_of_idle(rouge, without=OF_DRAWS if draws else ())
        return rouge

    def _rouge(self, changes: dict[str, Any]) -> Rouge:
        if self.signature is None:
            return metric_in_points(self.convention, changes)
        if self.convention != "default":
            raise ValueError(f"Give --convention ({self.convention}) or --signature, not both.")
        run, changes = split_run(RunOptions(), {"use_aggregator": True, **changes})
        return Rouge.of(RougeSettings.from_signature(self.signature).replace(**changes), run)


_Group = TypeVar("_Group", bound=Settings)


def taking(group: type[_Group], *, without: tuple[str, ...] = (), lists: bool = False) -> type[_Group]:
    """Return the group with an option for each setting but ``without``; ``lists``: with ``use_aggregator`` too."""
    names = tuple(name for name in ALL_OPTIONS if name not in without and (lists or name != "use_aggregator"))
    show_all = option("Show this message with every setting.", "--help-settings", is_eager=True, callback=_show_all)
    return make_dataclass(
        group.__name__,
        [*((name, _setting(name), None) for name in names), ("help_settings", Annotated[bool, show_all], False)],
        bases=(group,),
        namespace={"__module__": __name__, "setting_names": names},
        frozen=True,
        kw_only=True,
    )


def _show_all(context: typer.Context, value: bool) -> None:
    """Show every setting; the usual help hides most of them."""
    if value:
        for parameter in context.command.params:
            parameter.hidden = False  # pyright: ignore[reportAttributeAccessIssue] of options, and all are
        typer.echo(context.get_help())
        raise typer.Exit


def _setting(name: str) -> Any:
    """Return the type of a setting's option, with its help."""
    dashed = name.replace("_", "-")
    names = f"--{dashed}/--no-{dashed}" if is_switch(name) else f"--{dashed}"
    info = option(_descriptions().get(name, ""), names, panel=_PANEL, hidden=name not in _OFTEN_SET)
    if is_switch(name):
        return Annotated[bool | None, info]
    return Annotated[list[str] | None if isinstance(ALL_OPTIONS[name].values, _LISTS) else str | None, info]


@functools.cache
def _descriptions() -> dict[str, str]:
    """Return the description of each setting, from the docstrings."""
    texts = {}
    for group in (RougeSettings, RunOptions, ToolRules):
        attributes = inspect.cleandoc(group.__doc__ or "").partition("Attributes:\n")[2].partition("\nRaises:")[0]
        texts |= dict(re.findall(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", attributes, re.MULTILINE))
    unmarked = str.maketrans({"`": None, '"': None, "[": r"\["})
    texts = {name: " ".join(text.split()).replace(_FUNCTION, "") for name, text in texts.items()}
    return {name: text.translate(unmarked) for name, text in texts.items()}


def _parsed(name: str, text: Any) -> Any:
    """Parse the value of a setting."""
    values = ALL_OPTIONS[name].values
    option = f"--{name.replace('_', '-')}"
    if isinstance(text, bool):
        return text
    if isinstance(text, (list, tuple)):
        parsed = [_parsed(name, part) for part in text]
        if len(parsed) > 1 and not all(isinstance(part, tuple) for part in parsed):
            raise ValueError(f"{option} is {', '.join(map(repr, text))}; give one of them, or names of one kind.")
        return parsed[0] if len(parsed) == 1 else tuple(chain.from_iterable(parsed))
    if values.may_be_none and text in _NONE:
        return None
    if isinstance(values, Flag):
        return _BOOLEANS.get(text.lower(), text)
    if isinstance(values, (Range, Weights)):
        expected = "numbers with commas between them"
        try:
            if isinstance(values, Weights):
                if text == GEOMETRIC:
                    return text
                return tuple(map(float, text.split(",")))
            expected = ("a whole number" if values.kind is int else "a number") + " or none" * values.may_be_none
            return values.kind(text)
        except ValueError:
            raise ValueError(f"{option} is {text!r}; give {expected}.") from None
    if isinstance(values, (Types, StopWords, Names)):
        return _names(values, text, option)
    return text


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
    if isinstance(values, Steps) and text in _NONE:
        return ()
    names = tuple(part.strip() for part in text.split(",") if part.strip())
    if not names and isinstance(values, Types):
        raise ValueError(f"{option} is {text!r}; give names with commas between them, for example rouge1,rougeL.")
    return names
