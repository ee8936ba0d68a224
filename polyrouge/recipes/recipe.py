"""Read benchmark recipes: which data, which convention, which published results, which baselines.

A recipe is a YAML file (``configs/*.yaml``), checked against the classes below: an unknown key, a
missing one or a value of the wrong kind is refused, with the place in the file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from polyrouge.conventions.registry import CONVENTIONS
from polyrouge.errors import unknown_value
from polyrouge.recipes.schema import checked_as, unknown_at
from polyrouge.settings.allowed_values import BILLION, Range, checked_number
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.settings.rouge_types import parse_rouge_type
from polyrouge.shipped_files import shipped_file

_COUNT = Range(int, 1, BILLION)
_SCORE = Range(float, 0, 100, may_be_none=True)
SCORE_COLUMNS = ("rouge1", "rouge2", "rougeL", "rougeLsum")


@dataclass(frozen=True)
class RecipeData:
    """Where the texts are.

    Attributes:
        hub_id: of the data set on the Hub; None if there is no copy.
        config: its configuration.
        source: where these facts were read.
        documents: column of the source texts.
        references: column of the reference texts, or of lists of them.
        split: the split that results are published for.
        configs: other configurations of the same shape.
        samples: number of rows of the split; for several configurations, by their name.
        sentence_separator: what stands between sentences of a reference.
        document_separator: what stands between the documents of one row.
        licence: of the data, if its source states one.
        note: what to know about the data.
    """

    hub_id: str | None
    config: str | None
    source: str
    documents: str
    references: str
    split: str = "test"
    configs: tuple[str, ...] = ()
    samples: int | dict[str, int] | None = None
    sentence_separator: str | None = None
    document_separator: str | None = None
    licence: str | None = None
    note: str | None = None

    def n_samples(self, config: str | None) -> int | None:
        """How many rows the split of a configuration has; None if that isn't known."""
        return self.samples.get(config or "") if isinstance(self.samples, dict) else self.samples


@dataclass(frozen=True)
class RecipeConvention:
    """How a part of the literature scores this data.

    Attributes:
        key: what published rows and ``--convention`` call it.
        name: of the convention, as for ``Rouge``.
        scores: column of the table to key of the result, such as ``rougeLsum: rougeL`` where the
            tool's ROUGE-L is summary level, or ``rouge1: rouge1_recall``.
        tool: the tool and how it is called.
        source: where that was read.
        settings: changes to the convention; ``{config}`` in a text stands for the data's configuration.
    """

    key: str
    name: str
    scores: dict[str, str]
    tool: str
    source: str
    settings: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class PublishedRow:
    """A published result, times 100.

    Attributes:
        system: its name.
        source: where the row was read.
        made_with: key of the convention; None if the source does not say.
        rouge1: ROUGE-1.
        rouge2: ROUGE-2.
        rougeL: ROUGE-L; where the tool has two kinds, the one over the whole text.
        rougeLsum: summary-level ROUGE-L.
        baseline: whether it is a baseline, such as a lead or an oracle.
        config: the configuration of the data, if there are several.
        note: what to know about the row.
    """

    system: str
    source: str
    made_with: str | None
    rouge1: float | None = None
    rouge2: float | None = None
    rougeL: float | None = None  # noqa: N815 the result's key
    rougeLsum: float | None = None  # noqa: N815
    baseline: bool = False
    config: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class Lead:
    """A baseline to compute: the first units of the document.

    Attributes:
        name: of the row.
        units: sentences (by rules, for any script), or turns (lines).
        n: how many.
        of_each_document: take them of each document of the row, not of the first only.
    """

    name: str
    units: Literal["sentences", "turns"]
    n: int
    of_each_document: bool = False


@dataclass(frozen=True)
class Recipe:
    """One benchmark.

    Attributes:
        title: of the benchmark.
        data: where the texts are.
        conventions: how the literature scores; the first is the default.
        published: results.
        baselines: that can be computed.
        notes: what to know about the benchmark.
    """

    title: str
    data: RecipeData
    conventions: tuple[RecipeConvention, ...]
    published: tuple[PublishedRow, ...]
    baselines: tuple[Lead, ...] = ()
    notes: tuple[str, ...] = ()

    def convention(self, key: str | None) -> RecipeConvention | None:
        """The convention of that key, the default for None; None if there is no such one.

        Args:
            key: what the recipe calls it, or the name that ``Rouge`` knows it by.
        """
        return next((each for each in self.conventions if key is None or key in (each.key, each.name)), None)


def recipe_names() -> list[str]:
    """Names of the recipes that come with the package."""
    files = shipped_file("configs").iterdir()
    return sorted(file.name.removesuffix(".yaml") for file in files if file.name.endswith(".yaml"))


def load_recipe(name_or_path: str) -> Recipe:
    """Read a recipe.

    Args:
        name_or_path: a name of ``recipe_names()``, or the path of a YAML file.

    Returns:
        The recipe, checked: every key known, every row with its source.

    Raises:
        ValueError: there is no such recipe, or it is not as it must be; the message names the place.
        ModuleNotFoundError: PyYAML is not installed.
    """
    path = Path(name_or_path)
    if path.suffix in (".yaml", ".yml") and path.is_file():
        return parse_recipe(path.read_text(encoding="utf-8"), name_or_path)
    name = path.name.removesuffix(".yaml")
    if name not in recipe_names():
        raise unknown_value(name_or_path, [*recipe_names(), "a .yaml file"], "recipe")
    text = shipped_file("configs", f"{name}.yaml").read_text(encoding="utf-8")
    return parse_recipe(text, f"{name}.yaml")


def parse_recipe(text: str, name: str) -> Recipe:
    """Check the text of a recipe; ``name`` is the file's, for messages."""
    import yaml

    node = _yaml(name, lambda: yaml.compose(text, yaml.SafeLoader))
    _refuse_repeats(node, name, set())
    recipe = checked_as(Recipe, _yaml(name, lambda: yaml.safe_load(text)), name)
    _check_numbers(recipe, name)
    _check_together(recipe, name)
    return recipe


def _yaml(name: str, read: Callable[[], Any]) -> Any:
    """What PyYAML reads, or a ``ValueError`` with the line."""
    import yaml

    try:
        return read()
    except RecursionError:
        msg = f"{name}: values are nested too deep; a recipe has four levels."
        raise ValueError(msg) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f", line {mark.line + 1}" if mark is not None else ""
        reason = getattr(error, "problem", None) or error
    except (ArithmeticError, AttributeError, LookupError, ValueError) as error:  # PyYAML's own, at odd tags and escapes
        place, reason = "", f"a value can't be read ({error})"
    msg = f"{name}{place}: this is no YAML: {reason}."
    raise ValueError(msg)


def _refuse_repeats(node: Any, name: str, known: set[int]) -> None:
    """Raise where a key stands twice, as YAML would silently take the last one; and at an alias of a list or of keys.

    Aliases can make a few lines as large as the memory, and a list that holds itself.
    """
    children = getattr(node, "value", None)
    if not isinstance(children, list):
        return
    if id(node) in known:
        msg = f"{name}, line {node.start_mark.line + 1}: what begins here is used again by an alias (*); write it out."
        raise ValueError(msg)
    known.add(id(node))
    seen = set()
    for child in children:
        if isinstance(child, tuple):
            key = child[0].value
            if str(key) in seen:
                msg = f"{name}, line {child[0].start_mark.line + 1}: the key {key!r} is there twice."
                raise ValueError(msg)
            seen.add(str(key))
            _refuse_repeats(child[1], name, known)
        else:
            _refuse_repeats(child, name, known)


def _check_numbers(recipe: Recipe, name: str) -> None:
    """Refuse numbers that no data set, result or baseline can have."""
    samples = recipe.data.samples
    by_config = samples if isinstance(samples, dict) else {} if samples is None else {"": samples}
    counts = {f"data: samples{f': {config}' if config else ''}": number for config, number in by_config.items()}
    counts |= {f"baselines[{number}]: n": lead.n for number, lead in enumerate(recipe.baselines)}
    for place, count in counts.items():
        checked_number(f"{name}: {place}", count, _COUNT)
    for number, row in enumerate(recipe.published):
        for column in SCORE_COLUMNS:
            checked_number(f"{name}: published[{number}]: {column}", getattr(row, column), _SCORE)


def _check_settings(convention: RecipeConvention, place: str) -> None:
    """Refuse values of settings that the convention can't have; one with ``{config}`` is known when it is run."""
    known = {key: value for key, value in convention.settings.items() if "{config}" not in str(value)}
    if convention.name not in CONVENTIONS:  # of a newer version, say; it is refused when it is run
        return
    try:
        CONVENTIONS[convention.name].settings.replace(**known)
    except (TypeError, ValueError) as error:
        msg = f"{place}: settings: {error}"
        raise ValueError(msg) from None


def _check_together(recipe: Recipe, name: str) -> None:
    keys = [each.key for each in recipe.conventions]
    if not keys or len(set(keys)) < len(keys):
        msg = f"{name}: conventions: give one or more, each with a key of its own; given {', '.join(keys) or 'none'}."
        raise ValueError(msg)
    for number, each in enumerate(recipe.conventions):
        place = f"{name}: conventions[{number}]"
        for setting in each.settings:
            if setting not in RougeSettings.names():
                raise unknown_at(place, setting, RougeSettings.names(), "setting")
        _check_settings(each, place)
        for column, key in each.scores.items():
            if column not in SCORE_COLUMNS:
                raise unknown_at(place, column, SCORE_COLUMNS, "column")
            parse_rouge_type(key.removesuffix("_precision").removesuffix("_recall"))
    for number, row in enumerate(recipe.published):
        place = f"{name}: published[{number}]"
        if row.made_with is not None and row.made_with not in keys:
            raise unknown_at(place, row.made_with, keys, "convention")
        if row.config is not None and row.config not in (recipe.data.config, *recipe.data.configs):
            raise unknown_at(place, row.config, recipe.data.configs, "config")
        if not any(getattr(row, column) is not None for column in SCORE_COLUMNS):
            msg = f"{place}: {row.system!r} has no score."
            raise ValueError(msg)
