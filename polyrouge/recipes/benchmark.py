"""Run a benchmark recipe: load its data, score predictions and baselines, warn of what can't be compared."""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from polyrouge.conventions.registry import CONVENTIONS, unknown_convention
from polyrouge.errors import warn_of
from polyrouge.files.arrow_formats import of_arrow
from polyrouge.files.file_rows import InputFileError, TextFile
from polyrouge.files.paired_texts import Chunk, PairedTexts
from polyrouge.inputs import is_blank
from polyrouge.metric import Rouge
from polyrouge.recipes.recipe import SCORE_COLUMNS, Lead, PublishedRow, Recipe, RecipeConvention
from polyrouge.scoring.sample_scores import StreamedScores
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.texts.sentences import sentence_splitter

_SPLIT_SENTENCES = sentence_splitter("auto")


@dataclass(frozen=True)
class BenchmarkResult:
    """The computed rows."""

    rows: list[PublishedRow]  # of each system and baseline
    convention: RecipeConvention  # of the recipe, or any other
    n_samples: int
    empty_predictions: dict[str, int]  # of each system and baseline
    empty_references: int
    warnings: tuple[str, ...]  # why the rows can't be compared with the published ones


def choose_convention(
    recipe: Recipe, config: str | None, key: str | None, changes: dict[str, Any]
) -> tuple[RecipeConvention, RougeSettings]:
    """The convention of a key or name (None: the recipe's first), and its settings on the scale of papers."""
    convention = recipe.convention(key)
    if convention is None:
        if key not in CONVENTIONS:
            raise unknown_convention(
                key, list(dict.fromkeys([*(each.key for each in recipe.conventions), *CONVENTIONS]))
            )
        scores = {name: name for name in SCORE_COLUMNS}
        convention = RecipeConvention(str(key), str(key), scores, "not of this recipe", "")
    if convention.name not in CONVENTIONS:
        available = [each.key for each in recipe.conventions if each.name in CONVENTIONS]
        others = f"the recipe's other one: --convention {available[0]}" if available else "--convention zh_char, say"
        raise ValueError(
            f"This recipe scores with the convention {convention.name!r}, which this version does not have. Install a "
            f"newer polyrouge, or choose {others} (its numbers are not those of {convention.key!r})."
        )
    types = dict.fromkeys(key.partition("_")[0] for key in convention.scores.values())
    measures = "all" if any("_" in key for key in convention.scores.values()) else "fmeasure"
    settings = {
        name: value.replace("{config}", config or "") if isinstance(value, str) else value
        for name, value in convention.settings.items()
    }
    settings |= {"rouge_types": tuple(types), "output": measures, "scale": 100.0, **changes}
    return convention, Rouge(convention.name, **settings).settings


def open_hub_data(recipe: Recipe, config: str | None, split: str) -> TextFile:
    """The recipe's data from the Hub, through ``datasets``."""
    if recipe.data.hub_id is None:
        raise InputFileError(
            f"{recipe.title} is not on the Hub; give your copy with --data-file. {recipe.data.note or ''}".rstrip()
        )
    try:
        from datasets import load_dataset
    except ModuleNotFoundError:
        raise InputFileError(
            f"{recipe.title} comes from the Hub by datasets, which is not installed: pip install datasets. If you have "
            "a copy, give it with --data-file."
        ) from None
    name = f"{recipe.data.hub_id} ({', '.join(filter(None, (config, split)))})"
    try:
        with _quiet_retries():
            rows: Any = load_dataset(recipe.data.hub_id, config, split=split)
    except Exception as error:  # of any kind: network, cache, a script that datasets no longer runs
        reason = " ".join(str(error).split())[:200]
        raise InputFileError(
            f"{name} can't be loaded: {type(error).__name__}: {reason}. If you have a copy with the same columns "
            f"({recipe.data.documents}, {recipe.data.references}), give it with --data-file."
        ) from None

    def batches(columns: Sequence[str]) -> Iterator[Any]:
        yield from rows.select_columns(list(columns)).with_format("arrow").iter(256)

    return of_arrow(name, "hub", rows.features.arrow_schema, batches, len(rows))


@contextmanager
def _quiet_retries() -> Iterator[None]:
    """Silence what libraries log for each attempt to reach the Hub."""
    loggers = [logging.getLogger(name) for name in ("huggingface_hub", "datasets", "fsspec")]
    before = [each.level for each in loggers]
    for each in loggers:
        each.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for each, level in zip(loggers, before, strict=True):
            each.setLevel(level)


def run_recipe(
    recipe: Recipe,
    config: str | None,
    convention: RecipeConvention,
    settings: RougeSettings,
    leads: Sequence[Lead],
    texts: PairedTexts,
    chunks: Iterable[Chunk],
    changes: Mapping[str, Any],
) -> BenchmarkResult:
    """Score the predictions and the baselines, chunk by chunk; ``chunks`` are those of ``texts``."""
    names = [*texts.systems, *(f"{lead.name} (computed)" for lead in leads)]
    streams = {name: StreamedScores(settings) for name in names}
    empty = dict.fromkeys(streams, 0)
    for chunk in chunks:
        computed = [[lead_text(lead, document, recipe) for document in chunk.documents] for lead in leads]
        columns = [*chunk.predictions, *computed]
        for number, ((name, stream), column) in enumerate(zip(streams.items(), columns, strict=True)):
            with chunk.naming_places(min(number, len(texts.systems) - 1), stream.n_samples):
                stream.add(column, chunk.references)
            empty[name] += sum(map(is_blank, column))
    rows = []
    for name, stream in streams.items():
        result = stream.result()
        warn_of([*stream.notes.messages(), *stream.warnings()])
        scores: dict[str, Any] = {column: result[key] for column, key in convention.scores.items() if key in result}
        rows.append(PublishedRow(name, "computed here", convention.key, **scores))
    warnings = tuple(_warnings(recipe, config, convention, texts.n_rows, changes))
    return BenchmarkResult(rows, convention, texts.n_rows, empty, texts.empty_texts.references, warnings)


def lead_text(lead: Lead, text: str, recipe: Recipe) -> str:
    """The baseline's summary: the first units, joined as the references' sentences are."""
    separator = recipe.data.document_separator
    documents = text.split(separator) if separator and lead.of_each_document else [text]
    units = []
    for document in documents:
        lines = [line.strip() for line in document.split("\n") if line.strip()]
        if lead.units == "sentences":
            lines = [sentence.strip() for line in lines for sentence in _SPLIT_SENTENCES(line)]
        units += lines[: lead.n]
    if recipe.data.sentence_separator is not None:
        return recipe.data.sentence_separator.join(units)
    return "".join(unit if not unit or ord(unit[-1]) >= 0x3000 else f"{unit} " for unit in units).rstrip()


def _warnings(
    recipe: Recipe, config: str | None, convention: RecipeConvention, n_samples: int, changes: Mapping[str, Any]
) -> Iterator[str]:
    """Why the computed rows can't be compared with the published ones."""
    if convention not in recipe.conventions:
        yield f"The convention {convention.key!r} is not of this recipe: no published row was made with it."
    if changes:
        names = ", ".join(f"{name}={value!r}" for name, value in changes.items())
        yield f"Settings that are not the recipe's ({names}): don't compare the rows computed here with published ones."
    expected = recipe.data.n_samples(config)
    if expected is not None and expected != n_samples:
        yield (
            f"The data has {n_samples} rows, the published split ({recipe.data.split}) {expected}: don't compare the "
            "rows computed here with published ones."
        )
