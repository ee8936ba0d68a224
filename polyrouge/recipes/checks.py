"""Check a recipe as a whole: numbers that can be, names that are known, and parts that fit each other."""

from __future__ import annotations

from polyrouge.conventions.registry import CONVENTIONS
from polyrouge.recipes.recipe import SCORE_COLUMNS, Recipe, RecipeConvention
from polyrouge.recipes.schema import Faults, unknown_at
from polyrouge.settings.allowed_values import BILLION, Range, checked_number
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.settings.rouge_types import parse_rouge_type

_COUNT = Range(int, 1, BILLION)
_SCORE = Range(float, 0, 100, may_be_none=True)


def check_recipe(recipe: Recipe, name: str) -> None:
    """Refuse what no recipe can have; all of it is told at once.

    Args:
        recipe: of values of the right kinds.
        name: of its file, for messages.

    Raises:
        SchemaError: what is wrong, with the places.
    """
    faults = Faults()
    _check_numbers(recipe, name, faults)
    keys = [each.key for each in recipe.conventions]
    if not keys or len(set(keys)) < len(keys):
        msg = f"{name}: conventions: give one or more, each with a key of its own; given {', '.join(keys) or 'none'}."
        faults.add(ValueError(msg))
    for number, each in enumerate(recipe.conventions):
        _check_convention(each, f"{name}: conventions[{number}]", faults)
    for number, row in enumerate(recipe.published):
        place = f"{name}: published[{number}]"
        if row.made_with is not None and row.made_with not in keys:
            faults.add(unknown_at(place, row.made_with, keys, "convention"))
        if row.config is not None and row.config not in (recipe.data.config, *recipe.data.configs):
            faults.add(unknown_at(place, row.config, recipe.data.configs, "config"))
        if not any(getattr(row, column) is not None for column in SCORE_COLUMNS):
            faults.add(ValueError(f"{place}: {row.system!r} has no score."))
    faults.close()


def _check_numbers(recipe: Recipe, name: str, faults: Faults) -> None:
    samples = recipe.data.samples
    by_config = samples if isinstance(samples, dict) else {} if samples is None else {"": samples}
    counts = {f"data: samples{f': {config}' if config else ''}": number for config, number in by_config.items()}
    counts |= {f"baselines[{number}]: n": lead.n for number, lead in enumerate(recipe.baselines)}
    for place, count in counts.items():
        with faults.gathered():
            checked_number(f"{name}: {place}", count, _COUNT)
    for number, row in enumerate(recipe.published):
        for column in SCORE_COLUMNS:
            with faults.gathered():
                checked_number(f"{name}: published[{number}]: {column}", getattr(row, column), _SCORE)


def _check_convention(convention: RecipeConvention, place: str, faults: Faults) -> None:
    unknown = [setting for setting in convention.settings if setting not in RougeSettings.names()]
    for setting in unknown:
        faults.add(unknown_at(place, setting, RougeSettings.names(), "setting"))
    if not unknown:
        with faults.gathered():
            _check_settings(convention, place)
    for column, key in convention.scores.items():
        if column not in SCORE_COLUMNS:
            faults.add(unknown_at(place, column, SCORE_COLUMNS, "column"))
        with faults.gathered():
            parse_rouge_type(key.removesuffix("_precision").removesuffix("_recall"))


def _check_settings(convention: RecipeConvention, place: str) -> None:
    """Refuse values of settings that the convention can't have; one with ``{config}`` is known when it is run."""
    known = {key: value for key, value in convention.settings.items() if "{config}" not in str(value)}
    if convention.name not in CONVENTIONS:  # of a newer version, say; it is refused when it is run
        return
    try:
        CONVENTIONS[convention.name].settings.replace(**known)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{place}: settings: {error}") from None
