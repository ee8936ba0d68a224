"""A benchmark as a table: computed rows among the published ones, and which of them can be compared."""

from collections.abc import Sequence
from typing import Any

from polyrouge.recipes.benchmark import BenchmarkResult
from polyrouge.recipes.recipe import SCORE_COLUMNS, PublishedRow, Recipe
from polyrouge.result_table import Cell, ResultTable
from polyrouge.tables.formats import Report
from polyrouge.tables.score_tables import count_of, shown_number

_OTHER, _UNKNOWN = "†", "?"


def benchmark_report(
    recipe: Recipe,
    config: str | None,
    result: BenchmarkResult | None,
    *,
    digits: int | None,
    signature: str,
    other_warnings: Sequence[str] = (),
) -> Report:
    """Computed and published rows of a configuration, sorted by the column that most of them have."""
    digits = 2 if digits is None else digits
    key = result.convention.key if result is not None else recipe.conventions[0].key
    records = [_record(row, key) for row in recipe.published if row.config in (None, config)]
    if result is not None:
        records += [_record(row, key, result.empty_predictions[row.system]) for row in result.rows]
    columns = [column for column in SCORE_COLUMNS if any(record[column] is not None for record in records)]
    ranked_by = max(columns, key=lambda column: sum(record[column] is not None for record in records), default="")
    records.sort(key=lambda record: _rank(record, ranked_by, columns))
    sources = list(dict.fromkeys(record["source"] for record in records if not record["computed"]))
    rows: list[list[Any]] = []
    for record in records:
        scores = ["" if record[column] is None else shown_number(record[column], digits) for column in columns]
        source = "" if record["computed"] else f"[{sources.index(record['source']) + 1}]"
        system, *cells = (Cell(text, strong=record["computed"]) for text in (record["system"], *scores))
        rows.append([system, _made_with(record), *cells, source])
    title = f"{recipe.title}, scored as {key}"
    header, facts, warnings = ["system", "made with", *columns, "source"], {}, ()
    if result is not None:
        warnings = result.warnings
        facts = {"samples": result.n_samples, "empty_references": result.empty_references}
        title += f", {count_of(result.n_samples, 'sample')}, {count_of(result.empty_references, 'empty reference')}"
        header.append("empty")
        for row, record in zip(rows, records, strict=True):
            row.append("" if record["empty_predictions"] is None else record["empty_predictions"])
    notes = [*(f"Warning: {each}" for each in warnings), *_differences(recipe, records, key), *recipe.notes]
    notes += [f"[{number}] {source}" for number, source in enumerate(sources, start=1)]
    data = {"benchmark": recipe.title, "config": config, **facts, "rows": records}
    data["warnings"] = [*warnings, *other_warnings]
    return Report(data, records, [ResultTable(title, header, rows, 2)], signature, notes)


def _record(row: PublishedRow, key: str, empty_predictions: int | None = None) -> dict[str, Any]:
    """A row of the report; only computed rows have ``empty_predictions``."""
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
    mine = next((each for each in recipe.conventions if each.key == key), None)
    if mine is not None:
        notes.append(f"{mine.key}: {mine.tool}. Source: {mine.source}.")
    for each in recipe.conventions:
        if each.key != key and each.key in conventions:
            notes.append(
                f"{_OTHER} {each.key}: {each.tool}. Another convention gives other numbers for the same texts: don't "
                f"compare these rows with those made with {key}. --convention {each.key} scores as they were."
            )
        elif each.key != key:
            notes.append(f"Also in use: --convention {each.key}: {each.tool}.")
    if None in conventions:
        notes.append(f"{_UNKNOWN} The row's source does not say how it was scored: compare with care.")
    return notes


def recipes_report(recipes: dict[str, Recipe], version: str) -> Report:
    """All recipes, one a line."""
    records = [
        {
            "recipe": name,
            "title": recipe.title,
            "hub_id": recipe.data.hub_id,
            "convention": recipe.conventions[0].name,
            "other_conventions": ", ".join(each.name for each in recipe.conventions[1:]),
            "published": len(recipe.published),
        }
        for name, recipe in recipes.items()
    ]
    rows = []
    for record in records:
        conventions = ", ".join(filter(None, (record["convention"], record["other_conventions"])))
        data = record["hub_id"] or "your own copy"
        rows.append([Cell(record["recipe"], strong=True), data, conventions, record["published"]])
    table = ResultTable("Benchmark recipes", ["recipe", "data on the Hub", "conventions", "published rows"], rows, 3)
    note = "'polyrouge benchmark RECIPE' shows the published rows; with a file of predictions it scores them."
    return Report({"recipes": records}, records, [table], f"v:{version}", [note])
