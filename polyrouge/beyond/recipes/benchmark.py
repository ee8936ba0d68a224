"""Run a benchmark recipe: load its data, score predictions and baselines, and show them among the published rows."""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from polyrouge.beyond.recipes.recipe import SCORE_COLUMNS, Lead, PublishedRow, Recipe, RecipeConvention
from polyrouge.conventions.registry import CONVENTIONS, unknown_convention
from polyrouge.documents.notes import messages_of
from polyrouge.errors import Note, Option, RefusedValue, unknown_value, warn_of
from polyrouge.files.arrow_formats import arrow_table
from polyrouge.files.pairs import Chunk, Pairs
from polyrouge.files.table import InputFileError, Table
from polyrouge.inputs import is_blank
from polyrouge.metric import Rouge, metric_in_points, warn_of_idle
from polyrouge.results import Cell, Result, ResultTable, count_of, shown_number
from polyrouge.scoring.sample_scores import StreamedScores
from polyrouge.texts.sentences import sentence_splitter

_SPLIT_SENTENCES = sentence_splitter("auto")
_OTHER, _UNKNOWN = "†", "?"


@dataclass(frozen=True)
class BenchmarkResult:
    """The computed rows."""

    rows: list[PublishedRow]  # of each system and baseline
    convention: RecipeConvention  # of the recipe, or any other
    n_samples: int
    empty_predictions: dict[str, int]  # of each system and baseline
    empty_references: int
    warnings: tuple[str, ...]  # why the rows can't be compared with the published ones


def checked_config(recipe: Recipe, config: str | None) -> str | None:
    """Return a configuration of the recipe's data, its own for None.

    Raises:
        ValueError: the recipe has no such one.
    """
    names = [name for name in (recipe.data.config, *recipe.data.configs) if name is not None]
    if config not in (None, *names):
        raise unknown_value(config, names, "config")
    return config or recipe.data.config


def named_convention(recipe: Recipe, key: str | None) -> RecipeConvention:
    """Return the convention of a key or name, the recipe's first for None.

    Raises:
        ValueError: neither the recipe nor this package has it.
    """
    convention = recipe.convention(key)
    if convention is not None:
        return convention
    if key not in CONVENTIONS:
        raise unknown_convention(key, list(dict.fromkeys([*(entry.key for entry in recipe.conventions), *CONVENTIONS])))
    return RecipeConvention(str(key), str(key), {name: name for name in SCORE_COLUMNS}, "not of this recipe", "")


def choose_convention(
    recipe: Recipe, config: str | None, key: str | None, changes: dict[str, Any]
) -> tuple[RecipeConvention, Rouge]:
    """Return the convention of a key or name (None: the recipe's first), and its metric on the scale of papers."""
    convention = named_convention(recipe, key)
    if convention.name not in CONVENTIONS:
        available = [entry.key for entry in recipe.conventions if entry.name in CONVENTIONS]
        first, say = ("the recipe's other one: ", "") if available else ("", ", say")
        raise RefusedValue(
            f"This recipe scores with the convention {convention.name!r}, which this version does not have. Install a "
            f"newer polyrouge, or choose {first}",
            Option("convention", available[0] if available else "zh_char"),
            f"{say} (its numbers differ from the numbers of {convention.key!r}).",
        )
    types = dict.fromkeys(key.partition("_")[0] for key in convention.scores.values())
    measures = "all" if any("_" in key for key in convention.scores.values()) else "fmeasure"
    settings: dict[str, Any] = {
        name: value.replace("{config}", config or "") if isinstance(value, str) else value
        for name, value in convention.settings.items()
    }
    settings |= {"rouge_types": tuple(types), "output": measures, **changes}
    rouge = metric_in_points(convention.name, settings)
    warn_of_idle(rouge)
    return convention, rouge


def open_hub_data(recipe: Recipe, config: str | None, split: str) -> Table:
    """Return the recipe's data from the Hub, through ``datasets``."""
    if recipe.data.hub_id is None:
        note = f". {recipe.data.note or ''}".rstrip()
        raise InputFileError(f"{recipe.title} is not on the Hub; give your copy with ", Option("data_file"), note)
    try:
        from datasets import load_dataset
    except ModuleNotFoundError:
        raise InputFileError(
            f"{recipe.title} comes from the Hub by datasets, which is not installed: pip install "
            '"polyrouge[evaluate]". If you have a copy, give it with ',
            Option("data_file"),
            ".",
        ) from None
    name = f"{recipe.data.hub_id} ({', '.join(filter(None, (config, split)))})"
    try:
        with _quiet_retries():
            rows: Any = load_dataset(recipe.data.hub_id, config, split=split)
    except Exception as error:  # of any kind: network, cache, a script that datasets no longer runs
        reason = " ".join(str(error).split())[:200]
        raise InputFileError(
            f"{name} can't be loaded: {type(error).__name__}: {reason}. If you have a copy with the same columns "
            f"({recipe.data.documents}, {recipe.data.references}), give it with ",
            Option("data_file"),
            ".",
        ) from None

    def batches(columns: Sequence[str]) -> Iterator[Any]:
        yield from rows.select_columns(list(columns)).with_format("arrow").iter(256)

    return arrow_table(name, "hub", rows.features.arrow_schema, batches, len(rows))


@contextmanager
def _quiet_retries() -> Iterator[None]:
    """Silence what libraries log for each attempt to reach the Hub."""
    loggers = [logging.getLogger(name) for name in ("huggingface_hub", "datasets", "fsspec")]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


def run_recipe(
    recipe: Recipe,
    config: str | None,
    convention: RecipeConvention,
    rouge: Rouge,
    leads: Sequence[Lead],
    pairs: Pairs,
    chunks: Iterable[Chunk],
    changes: Mapping[str, Any],
) -> BenchmarkResult:
    """Score the predictions and the baselines, chunk by chunk; ``chunks`` are those of ``pairs``."""
    names = [*pairs.systems, *(f"{lead.name} (computed)" for lead in leads)]
    streams = {name: StreamedScores(rouge.settings, rouge.run) for name in names}
    empty = dict.fromkeys(streams, 0)
    for chunk in chunks:
        computed = [[lead_text(lead, document, recipe) for document in chunk.sources] for lead in leads]
        columns = [*chunk.predictions, *computed]
        for number, ((name, stream), column) in enumerate(zip(streams.items(), columns, strict=True)):
            with chunk.with_row_names(min(number, len(pairs.systems) - 1), stream.n_samples):
                stream.add(column, chunk.references)
            empty[name] += sum(map(is_blank, column))
    rows = []
    for name, stream in streams.items():
        result = stream.result()
        warn_of(map(_with_recipe, [*messages_of(stream.notes), *stream.warnings()]))
        scores: dict[str, Any] = {column: result[key] for column, key in convention.scores.items() if key in result}
        rows.append(PublishedRow(name, "computed here", convention.key, **scores))
    warnings = tuple(_warnings(recipe, config, convention, pairs.n_rows, changes))
    return BenchmarkResult(rows, convention, pairs.n_rows, empty, pairs.empty_texts.references, warnings)


def _with_recipe(message: str) -> str:
    """Return a note; where it names a setting, with what that means for a recipe."""
    if not isinstance(message, Note) or all(isinstance(part, str) for part in message.sentence):
        return message
    words = " Another setting than the recipe's makes numbers that can't be compared with the published ones."
    return Note(*message.sentence, words)


def lead_text(lead: Lead, text: str, recipe: Recipe) -> str:
    """Return the baseline's summary: the first units, joined as the references' sentences are."""
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
        options = [part for change in changes.items() for part in (", ", Option(*change))]
        message = "): don't compare the rows computed here with published ones."
        yield Note("Settings that are not the recipe's (", *options[1:], message)
    expected = recipe.data.n_samples(config)
    if expected is not None and expected != n_samples:
        yield (
            f"The data has {n_samples} rows, the published split ({recipe.data.split}) {expected}: don't compare the "
            "rows computed here with published ones."
        )


class BenchmarkTable(Result):
    """Computed and published rows of a configuration, sorted by the column that most of them have.

    ``result`` is None where only published rows are shown.
    """

    def __init__(self, recipe: Recipe, config: str | None, result: BenchmarkResult | None, signature: str) -> None:
        self.recipe, self.config, self.result, self.signature = recipe, config, result, signature
        self._key = key = result.convention.key if result is not None else recipe.conventions[0].key
        records = [_record(row, key) for row in recipe.published if row.config in (None, config)]
        if result is not None:
            records += [_record(row, key, result.empty_predictions[row.system]) for row in result.rows]
        self._columns = [column for column in SCORE_COLUMNS if any(record[column] is not None for record in records)]
        n_known = {column: sum(record[column] is not None for record in records) for column in self._columns}
        ranked_by = max(n_known, key=n_known.__getitem__, default="")
        self._records = sorted(records, key=lambda record: _rank(record, ranked_by, self._columns))
        self._sources = list(dict.fromkeys(record["source"] for record in self._records if not record["computed"]))

    def tables(self, digits: int | None = None) -> list[ResultTable]:
        """Return a row for each system; those computed here are bold."""
        digits = 2 if digits is None else digits
        rows: list[list[Any]] = []
        for record in self._records:
            scores = [
                "" if record[column] is None else shown_number(record[column], digits) for column in self._columns
            ]
            source = "" if record["computed"] else f"[{self._sources.index(record['source']) + 1}]"
            system, *cells = (Cell(text, strong=record["computed"]) for text in (record["system"], *scores))
            rows.append([system, _made_with(record), *cells, source])
        title, header = f"{self.recipe.title}, scored as {self._key}", ["system", "made with", *self._columns, "source"]
        if self.result is not None:
            n_samples, n_empty = self.result.n_samples, self.result.empty_references
            title += f", {count_of(n_samples, 'sample')}, {count_of(n_empty, 'empty reference')}"
            header.append("empty")
            for row, record in zip(rows, self._records, strict=True):
                row.append("" if record["empty_predictions"] is None else record["empty_predictions"])
        return [ResultTable(title, header, rows, 2)]

    def records(self) -> list[dict[str, Any]]:
        """Return a line for each system."""
        return self._records

    def notes(self) -> list[str]:
        """Which rows can't be compared, and where the published ones are from."""
        warnings = () if self.result is None else self.result.warnings
        notes = [*(f"Warning: {warning}" for warning in warnings), *_differences(self.recipe, self._records, self._key)]
        sources = [f"[{number}] {source}" for number, source in enumerate(self._sources, start=1)]
        return [*notes, *self.recipe.notes, *sources]

    def to_dict(self) -> dict[str, Any]:
        """Return the rows, and of how many samples they are."""
        facts = {}
        if self.result is not None:
            facts = {"samples": self.result.n_samples, "empty_references": self.result.empty_references}
        return {"benchmark": self.recipe.title, "config": self.config, **facts, "rows": self._records}


def _record(row: PublishedRow, key: str, empty_predictions: int | None = None) -> dict[str, Any]:
    """Return a row of the report; only computed rows have ``empty_predictions``."""
    return {
        "system": row.system,
        **{column: getattr(row, column) for column in SCORE_COLUMNS},
        "made_with": row.made_with,
        "comparable": row.made_with == key,
        "computed": empty_predictions is not None,
        "source": row.source,
        "note": row.note,
        "empty_predictions": empty_predictions,
    }


def _rank(record: dict[str, Any], ranked_by: str, columns: Sequence[str]) -> tuple[int, float]:
    """Sort key: the score of ``ranked_by``; rows without it come last, by their last score."""
    score = record.get(ranked_by)
    if score is not None:
        return 0, -score
    return 1, -next((record[column] for column in reversed(columns) if record[column] is not None), 0.0)


def _made_with(record: dict[str, Any]) -> str:
    if record["computed"]:
        return "computed here"
    if record["made_with"] is None:
        return _UNKNOWN
    return record["made_with"] + ("" if record["comparable"] else f" {_OTHER}")


def _differences(recipe: Recipe, records: Sequence[dict[str, Any]], key: str) -> list[str]:
    """Notes: which published rows can't be compared with the computed ones, and why."""
    notes = []
    conventions = {record["made_with"] for record in records}
    mine = next((entry for entry in recipe.conventions if entry.key == key), None)
    if mine is not None:
        notes.append(f"{mine.key}: {mine.tool}. Source: {mine.source}.")
    for entry in recipe.conventions:
        if entry.key != key and entry.key in conventions:
            notes.append(
                f"{_OTHER} {entry.key}: {entry.tool}. Another convention gives other numbers for the same texts: don't "
                f"compare these rows with rows made with {key}. Choose {entry.key} to score as they did."
            )
        elif entry.key != key:
            notes.append(f"Also in use: the convention {entry.key}: {entry.tool}.")
    if None in conventions:
        notes.append(f"{_UNKNOWN} The row's source does not say how it was scored: compare with care.")
    return notes


class RecipeList(Result):
    """All recipes, one a line."""

    def __init__(self, recipes: Mapping[str, Recipe], version: str) -> None:
        self.recipes, self.signature = recipes, f"v:{version}"

    def tables(self, digits: int | None = None) -> list[ResultTable]:  # noqa: ARG002 there are no scores
        """Return a row for each."""
        rows = []
        for record in self.records():
            conventions = ", ".join(filter(None, (record["convention"], record["other_conventions"])))
            data = record["hub_id"] or "your own copy"
            rows.append([Cell(record["recipe"], strong=True), data, conventions, record["published"]])
        return [
            ResultTable("Benchmark recipes", ["recipe", "data on the Hub", "conventions", "published rows"], rows, 3)
        ]

    def records(self) -> list[dict[str, Any]]:
        """Return a line for each."""
        return [
            {
                "recipe": name,
                "title": recipe.title,
                "hub_id": recipe.data.hub_id,
                "convention": recipe.conventions[0].key,
                "other_conventions": ", ".join(convention.key for convention in recipe.conventions[1:]),
                "published": len(recipe.published),
            }
            for name, recipe in self.recipes.items()
        ]

    def notes(self) -> list[str]:
        """What to do with a recipe."""
        return [
            "'polyrouge benchmark RECIPE' shows the published rows; with a file of predictions it scores them. "
            "A convention goes by the name that the recipe's row has. 'polyrouge compare' takes a recipe too."
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the records."""
        return {"recipes": self.records()}
