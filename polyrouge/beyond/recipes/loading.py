"""Read benchmark recipes, those of the package and others; an error lists all faults of a file with their places."""

import dataclasses
import types
import typing
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any, Literal

from polyrouge.beyond.recipes.recipe import SCORE_COLUMNS, Recipe, RecipeConvention
from polyrouge.conventions.registry import CONVENTIONS
from polyrouge.errors import unknown_value
from polyrouge.settings.allowed_values import COUNT, Range, checked_number
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.settings.rouge_types import parse_rouge_type
from polyrouge.shipped_files import shipped_file

_RECIPES = shipped_file("configs")
_SCORE = Range(float, 0, 100, may_be_none=True)
_WORDS = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", type(None): "null"}


def recipe_names() -> list[str]:
    """Names of the recipes that come with the package."""
    return sorted(file.name.removesuffix(".yaml") for file in _RECIPES.iterdir())


def load_recipe(name_or_path: str) -> Recipe:
    """Read a recipe.

    Args:
        name_or_path: a name of ``recipe_names()``, or the path of a YAML file.

    Returns:
        The recipe, checked: every key known, every row with its source.

    Raises:
        ValueError: there is no such recipe, or it is not as it must be; the message names the place.
    """
    path = Path(name_or_path)
    if path.suffix in (".yaml", ".yml") and path.is_file():
        return parse_recipe(path.read_text(encoding="utf-8"), name_or_path)
    name = path.name.removesuffix(".yaml")
    if name not in recipe_names():
        raise unknown_value(name_or_path, [*recipe_names(), "a .yaml file"], "recipe")
    text = (_RECIPES / f"{name}.yaml").read_text(encoding="utf-8")
    return parse_recipe(text, f"{name}.yaml")


def parse_recipe(text: str, name: str) -> Recipe:
    """Check the text of a recipe; ``name`` is the file's, for messages."""
    faults: list[str] = []
    recipe = _converted(Recipe, _yaml(text, name), name, faults)
    if not faults:
        _check_parts(recipe, name, faults)
    if faults:
        raise ValueError("\n  ".join(faults if len(faults) == 1 else (f"{len(faults)} faults:", *faults)))
    return recipe


def write_template(path: str) -> str:
    """Write a recipe to fill in, with comments, to a new ``.yaml`` file; it can be read as it is. Returns the path."""
    target = Path(path)
    if target.suffix not in (".yaml", ".yml"):
        raise ValueError(f"A recipe can't be written to {path!r}; give a name that ends in .yaml.")
    if target.exists():
        raise ValueError(f"{path!r} is there already; give another name.")
    target.write_bytes((resources.files("polyrouge.beyond.recipes") / "new_recipe.yaml").read_bytes())
    return path


def _yaml(text: str, name: str) -> Any:
    """Parse YAML, and refuse repeated keys and aliases."""
    import yaml

    with _yaml_errors_named(name):
        loader = yaml.SafeLoader(text)
        node = loader.get_single_node()
    _refuse_repeats(node, name, set())
    with _yaml_errors_named(name):
        return None if node is None else loader.construct_document(node)


@contextmanager
def _yaml_errors_named(name: str) -> Iterator[None]:
    """Raise PyYAML's errors as a ``ValueError`` with the file's name and the line."""
    import yaml

    try:
        yield
    except RecursionError:
        raise ValueError(f"{name}: values are nested too deep; a recipe has four levels.") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        position = f", line {mark.line + 1}" if mark is not None else ""
        raise ValueError(f"{name}{position}: this is no YAML: {getattr(error, 'problem', None) or error}.") from None
    except (ArithmeticError, AttributeError, LookupError, ValueError) as error:  # PyYAML's own, at odd tags and escapes
        raise ValueError(f"{name}: this is no YAML: a value can't be read ({error}).") from None


def _refuse_repeats(node: Any, name: str, node_ids: set[int]) -> None:
    """Raise for a key that occurs twice, of which YAML takes the last, and for an alias of a list or mapping."""
    children = getattr(node, "value", None)
    if not isinstance(children, list):
        return
    if id(node) in node_ids:  # aliases can make a few lines fill the memory, or a list contain itself
        raise ValueError(
            f"{name}, line {node.start_mark.line + 1}: what begins here is used again by an alias (*); write it out."
        )
    node_ids.add(id(node))
    keys = set()
    for child in children:
        if isinstance(child, tuple):
            key, child = child
            if str(key.value) in keys:
                raise ValueError(f"{name}, line {key.start_mark.line + 1}: the key {key.value!r} is there twice.")
            keys.add(str(key.value))
        _refuse_repeats(child, name, node_ids)


def _converted(kind: Any, value: Any, path: str, faults: list[str]) -> Any:
    """Convert a value to a dataclass or the type of a field; if it does not fit, add a fault and return None."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if dataclasses.is_dataclass(kind) and isinstance(value, dict):
        kinds = typing.get_type_hints(kind)
        before = len(faults)
        faults += (_unknown(path, key, kinds, "key") for key in value if key not in kinds)
        # Both are MISSING where there is no default.
        required = [field.name for field in dataclasses.fields(kind) if field.default is field.default_factory]
        faults += (f"{path}: the key {key!r} is missing." for key in required if key not in value)
        parts = {key: _converted(kinds[key], value[key], f"{path}: {key}", faults) for key in value if key in kinds}
        return kind(**parts) if len(faults) == before else None  # pyright: ignore[reportCallIssue] # a class
    if origin is tuple and isinstance(value, list):
        return tuple(_converted(arguments[0], item, f"{path}[{n}]", faults) for n, item in enumerate(value))
    if origin is dict and isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {key: _converted(arguments[1], item, f"{path}: {key}", faults) for key, item in value.items()}
    if origin is types.UnionType:
        for argument in arguments:
            if _fits(argument, value):
                return _converted(argument, value, path, faults)
    elif origin is Literal:
        if value not in arguments:
            faults.append(_unknown(path, value, arguments, "value"))
        return value
    elif kind is Any or (origin is None and _fits(kind, value)):
        return float(value) if kind is float else value  # pyright: ignore[reportArgumentType] # as _fits says
    choices = arguments if origin is types.UnionType else (kind,)
    expected = (
        "a list" if origin is tuple else " or ".join(_WORDS.get(choice, "keys with values") for choice in choices)
    )
    faults.append(f"{path} is {value!r}; it must be {expected}.")
    return None


def _fits(kind: Any, value: Any) -> bool:
    if kind in (int, float):
        return isinstance(value, (int, kind)) and not isinstance(value, bool)
    return isinstance(value, typing.get_origin(kind) or kind)


def _unknown(path: str, value: Any, allowed: Iterable[str], noun: str) -> str:
    return f"{path}: {unknown_value(value, allowed, noun)}"


def _check_parts(recipe: Recipe, name: str, faults: list[str]) -> None:
    """Find numbers out of range, names that are unknown, and parts that don't fit each other."""
    samples = recipe.data.samples
    counts = {f"data: samples: {key}": n for key, n in samples.items()} if isinstance(samples, dict) else {}
    if isinstance(samples, int):
        counts["data: samples"] = samples
    counts |= {f"baselines[{number}]: n": lead.n for number, lead in enumerate(recipe.baselines)}
    for path, count in counts.items():
        _try(faults, checked_number, f"{name}: {path}", count, COUNT)
    keys = [convention.key for convention in recipe.conventions]
    if not keys or len(set(keys)) < len(keys):
        faults.append(
            f"{name}: conventions: give one or more, each with a key of its own; given {', '.join(keys) or 'none'}."
        )
    for number, convention in enumerate(recipe.conventions):
        _check_convention(convention, f"{name}: conventions[{number}]", faults)
    for number, row in enumerate(recipe.published):
        path = f"{name}: published[{number}]"
        scores = {column: getattr(row, column) for column in SCORE_COLUMNS}
        for column, score in scores.items():
            _try(faults, checked_number, f"{path}: {column}", score, _SCORE)
        if row.made_with is not None and row.made_with not in keys:
            faults.append(_unknown(path, row.made_with, keys, "convention"))
        if row.config is not None and row.config not in (recipe.data.config, *recipe.data.configs):
            faults.append(_unknown(path, row.config, recipe.data.configs, "config"))
        if not any(score is not None for score in scores.values()):
            faults.append(f"{path}: {row.system!r} has no score.")


def _check_convention(convention: RecipeConvention, path: str, faults: list[str]) -> None:
    unknown = [setting for setting in convention.settings if setting not in RougeSettings.names()]
    faults += (_unknown(path, setting, RougeSettings.names(), "setting") for setting in unknown)
    if not unknown and convention.name in CONVENTIONS:  # one of a newer version, say, is refused when it is run
        # What {config} stands for is known when it is run.
        settings = {key: value for key, value in convention.settings.items() if "{config}" not in str(value)}
        try:
            CONVENTIONS[convention.name].settings.replace(**settings)
        except (TypeError, ValueError) as error:
            faults.append(f"{path}: settings: {error}")
    for column, key in convention.scores.items():
        if column not in SCORE_COLUMNS:
            faults.append(_unknown(path, column, SCORE_COLUMNS, "column"))
        _try(faults, parse_rouge_type, key.removesuffix("_precision").removesuffix("_recall"))


def _try(faults: list[str], check: Callable[..., Any], *arguments: Any) -> None:
    try:
        check(*arguments)
    except ValueError as error:
        faults.append(str(error))
