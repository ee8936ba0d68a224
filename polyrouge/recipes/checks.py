"""Check the content of a recipe's file: keys, kinds of values, numbers, names, and parts that fit each other.

Each function adds a sentence to ``faults`` for each thing that is wrong, so that a file with five faults is mended in
one go.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Iterable
from typing import Any, Literal

from polyrouge.conventions.registry import CONVENTIONS
from polyrouge.errors import unknown_value
from polyrouge.recipes.recipe import SCORE_COLUMNS, Recipe, RecipeConvention
from polyrouge.settings.allowed_values import BILLION, Range, checked_number
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.settings.rouge_types import parse_rouge_type

_COUNT = Range(int, 1, BILLION)
_SCORE = Range(float, 0, 100, may_be_none=True)
_WORDS = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", type(None): "null"}
_MAPPING = "keys with values"


def checked_recipe(content: Any, name: str) -> Recipe:
    """The content of a file as a recipe.

    Raises:
        ValueError: what is wrong with it, with the places.
    """
    faults: list[str] = []
    recipe = _checked_as(Recipe, content, name, faults)
    if not faults:
        _check_parts(recipe, name, faults)
    if faults:
        raise ValueError("\n  ".join(faults if len(faults) == 1 else (f"{len(faults)} faults:", *faults)))
    return recipe


def _checked_as(kind: Any, value: Any, place: str, faults: list[str]) -> Any:
    """The value as a dataclass or as a type that their fields have; None where it is none."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if dataclasses.is_dataclass(kind):
        return _checked_object(kind, value, place, faults)
    if origin is tuple and isinstance(value, list):
        return tuple(_checked_as(arguments[0], each, f"{place}[{n}]", faults) for n, each in enumerate(value))
    if origin is dict and isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {key: _checked_as(arguments[1], each, f"{place}: {key}", faults) for key, each in value.items()}
    if origin is types.UnionType:
        fitting = [each for each in arguments if _fits(each, value)]
        if fitting:
            return _checked_as(fitting[0], value, place, faults)
    elif origin is Literal:
        if value not in arguments:
            faults.append(_unknown(place, value, arguments, "value"))
        return value
    elif kind is Any or (origin is None and _fits(kind, value)):
        return value if kind is not float else float(value)  # pyright: ignore[reportArgumentType] # as _fits says
    wanted = " or ".join(_WORDS.get(each, _MAPPING) for each in (arguments if origin is types.UnionType else (kind,)))
    faults.append(f"{place} is {value!r}; it must be {'a list' if origin is tuple else wanted}.")
    return None


def _checked_object(kind: Any, value: Any, place: str, faults: list[str]) -> Any:
    if not isinstance(value, dict):
        faults.append(f"{place} is {value!r}; it must be {_MAPPING}.")
        return None
    kinds = typing.get_type_hints(kind)
    before = len(faults)
    faults += (_unknown(place, key, kinds, "key") for key in value if key not in kinds)
    needed = [each.name for each in dataclasses.fields(kind) if each.default is each.default_factory]  # both missing
    faults += (f"{place}: the key {key!r} is missing." for key in needed if key not in value)
    parts = {key: _checked_as(kinds[key], value[key], f"{place}: {key}", faults) for key in value if key in kinds}
    return kind(**parts) if len(faults) == before else None


def _fits(kind: Any, value: Any) -> bool:
    if kind in (int, float):
        return isinstance(value, (int, kind)) and not isinstance(value, bool)
    return isinstance(value, typing.get_origin(kind) or kind)


def _unknown(place: str, value: Any, allowed: Iterable[str], what: str) -> str:
    return f"{place}: {unknown_value(value, allowed, what)}"


def _check_parts(recipe: Recipe, name: str, faults: list[str]) -> None:
    """Find what no recipe can have, though its values are of the right kinds."""
    samples = recipe.data.samples
    by_config = samples if isinstance(samples, dict) else {} if samples is None else {"": samples}
    counts = {f"data: samples{f': {config}' if config else ''}": number for config, number in by_config.items()}
    counts |= {f"baselines[{number}]: n": lead.n for number, lead in enumerate(recipe.baselines)}
    for place, count in counts.items():
        _try(faults, checked_number, f"{name}: {place}", count, _COUNT)
    keys = [each.key for each in recipe.conventions]
    if not keys or len(set(keys)) < len(keys):
        given = ", ".join(keys) or "none"
        faults.append(f"{name}: conventions: give one or more, each with a key of its own; given {given}.")
    for number, each in enumerate(recipe.conventions):
        _check_convention(each, f"{name}: conventions[{number}]", faults)
    for number, row in enumerate(recipe.published):
        place = f"{name}: published[{number}]"
        scores = {column: getattr(row, column) for column in SCORE_COLUMNS}
        for column, score in scores.items():
            _try(faults, checked_number, f"{place}: {column}", score, _SCORE)
        if row.made_with is not None and row.made_with not in keys:
            faults.append(_unknown(place, row.made_with, keys, "convention"))
        if row.config is not None and row.config not in (recipe.data.config, *recipe.data.configs):
            faults.append(_unknown(place, row.config, recipe.data.configs, "config"))
        if not any(score is not None for score in scores.values()):
            faults.append(f"{place}: {row.system!r} has no score.")


def _check_convention(convention: RecipeConvention, place: str, faults: list[str]) -> None:
    unknown = [setting for setting in convention.settings if setting not in RougeSettings.names()]
    faults += (_unknown(place, setting, RougeSettings.names(), "setting") for setting in unknown)
    if not unknown and convention.name in CONVENTIONS:  # one of a newer version, say, is refused when it is run
        # What {config} stands for is known when it is run.
        known = {key: value for key, value in convention.settings.items() if "{config}" not in str(value)}
        try:
            CONVENTIONS[convention.name].settings.replace(**known)
        except (TypeError, ValueError) as error:
            faults.append(f"{place}: settings: {error}")
    for column, key in convention.scores.items():
        if column not in SCORE_COLUMNS:
            faults.append(_unknown(place, column, SCORE_COLUMNS, "column"))
        _try(faults, parse_rouge_type, key.removesuffix("_precision").removesuffix("_recall"))


def _try(faults: list[str], check: Callable[..., Any], *arguments: Any) -> None:
    try:
        check(*arguments)
    except ValueError as error:
        faults.append(str(error))
