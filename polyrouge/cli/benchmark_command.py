"""The sub-command ``benchmark``."""

import dataclasses
from contextlib import closing
from typing import Annotated, Any

import typer

from polyrouge.beyond.recipes.benchmark import BenchmarkTable, RecipeList, choose_convention, open_hub_data, run_recipe
from polyrouge.beyond.recipes.loading import load_recipe, recipe_names, write_template
from polyrouge.cli.command_options import FILES, Output, Quiet, Reading, input_option, option, takes_options
from polyrouge.cli.command_running import announce, collected_warnings, in_command_words, with_progress
from polyrouge.errors import unknown_value
from polyrouge.files.formats import open_table
from polyrouge.files.pairs import open_pairs
from polyrouge.version import VERSION


@takes_options(
    without=("use_aggregator", "output", "rouge_types", "scale", "confidence", "n_resamples", "seed", "interval")
)
def benchmark(
    recipe: Annotated[
        str | None, typer.Argument(help="Name of a recipe, or a .yaml file; if none is given, all are listed.")
    ] = None,
    predictions: Annotated[
        str | None,
        typer.Argument(
            help=f"File of predictions, in the order of the data or with its ids: {FILES}. Without it: published rows."
        ),
    ] = None,
    *,
    changes: dict[str, Any],
    convention: Annotated[
        str | None,
        option("One of the recipe's conventions, or any other; the recipe's first if not given.", "--convention", "-c"),
    ] = None,
    data_file: Annotated[
        str | None, input_option("Your copy of the data, with the data set's columns, in place of the Hub's.")
    ] = None,
    config: Annotated[str | None, input_option("Configuration of the data, such as a language.")] = None,
    split: Annotated[str | None, input_option("Split of the data; the recipe's if not given.")] = None,
    prediction_column: Annotated[
        str | None, input_option("Column of the predictions; guessed if not given.", "--prediction-column", "-p")
    ] = None,
    reference_column: Annotated[
        list[str] | None,
        input_option("Of the data; the recipe's if not given. Again for several.", "--reference-column", "-r"),
    ] = None,
    reading: Reading,
    name: Annotated[str | None, input_option("Name of your system.", "--name", "-n")] = None,
    new: Annotated[str | None, option("Write a recipe to fill in to this .yaml file, and do nothing else.")] = None,
    baselines: Annotated[bool, option("Compute the recipe's lead baselines too.")] = True,
    out: Output,
    quiet: Quiet = False,
) -> None:
    """Score on a benchmark as its papers do, and show the result among the published ones."""
    if new is not None:
        announce(f"the recipe to fill in is {write_template(new)}; 'polyrouge benchmark {new}' checks it", quiet)
        return
    out.check()
    if recipe is None:
        out.emit(RecipeList({name: load_recipe(name) for name in recipe_names()}, VERSION))
        return
    content = load_recipe(recipe)
    data = content.data
    configs = [each for each in (data.config, *data.configs) if each is not None]
    if config not in (None, *configs):
        raise unknown_value(config, configs, "config")
    config = config or data.config
    if predictions is None:
        table = BenchmarkTable(content, config, None, "none: published rows only")
        out.emit(table, {"warnings": []})
        return
    scoring, rouge = choose_convention(content, config, convention, changes)
    with collected_warnings(quiet) as collected:
        if data_file is None:
            rows = open_hub_data(content, config, split or data.split)
        else:
            rows = open_table(data_file, **reading.cells())
        with closing(rows):
            leads = content.baselines if baselines else ()
            if leads and data.documents not in rows.columns:
                announce(f"warning: {rows.name} has no column {data.documents!r}, so no baselines are computed", quiet)
                leads = ()
            with open_pairs(
                [predictions],
                [rows],
                prediction_columns=[prediction_column] if prediction_column else [],
                reference_columns=reference_column or [data.references],
                source_column=data.documents if leads else None,
                names=[name] if name else [],
                **reading.rows(),
            ) as pairs:
                chunks = with_progress(pairs, quiet)
                result = run_recipe(content, config, scoring, rouge, leads, pairs, chunks, changes)
    result = dataclasses.replace(result, warnings=tuple(map(in_command_words, result.warnings)))
    for warning in result.warnings:
        announce(f"warning: {warning}", quiet)
    table = BenchmarkTable(content, config, result, rouge.signature())
    out.emit(table, {"warnings": [*result.warnings, *collected]})
