"""The sub-command ``benchmark``."""

from __future__ import annotations

import dataclasses
from contextlib import closing
from typing import Annotated, Any

import typer

from polyrouge.cli.command_options import FILES, Output, Quiet, Reading, option
from polyrouge.cli.command_running import announce, emit, progressing, reports_errors, warnings_heard
from polyrouge.cli.command_settings import SettingError, takes_options
from polyrouge.cli.command_words import in_command_words
from polyrouge.errors import unknown_value
from polyrouge.files.file_rows import TextFile
from polyrouge.files.paired_texts import open_paired_texts
from polyrouge.files.text_files import open_text_file
from polyrouge.recipes.loading import load_recipe, recipe_names, write_template
from polyrouge.recipes.recipe import Recipe
from polyrouge.recipes.run import choose_convention, open_hub_data, run_recipe
from polyrouge.recipes.tables import benchmark_report, recipes_report
from polyrouge.version import VERSION


@reports_errors
@takes_options(
    without=("use_aggregator", "output", "rouge_types", "scale", "confidence", "n_resamples", "seed", "interval")
)
def benchmark(
    recipe: Annotated[
        str | None, typer.Argument(help="Name of a recipe, or a .yaml file; without, all are listed.")
    ] = None,
    predictions: Annotated[
        str | None,
        typer.Argument(
            help=f"File of predictions, in the order of the data or with its ids: {FILES}. Without, the published rows."
        ),
    ] = None,
    *,
    changes: dict[str, Any],
    convention: Annotated[
        str | None,
        typer.Option(
            "--convention", "-c", help="One of the recipe's conventions, or any other; the recipe's first if not given."
        ),
    ] = None,
    data_file: Annotated[
        str | None, option("Your copy of the data, with the data set's columns, in place of the Hub's.")
    ] = None,
    config: Annotated[str | None, option("Configuration of the data, such as a language.")] = None,
    split: Annotated[str | None, option("Split of the data; the recipe's if not given.")] = None,
    prediction_column: Annotated[
        str | None, option("Column of the predictions; guessed if not given.", "--prediction-column", "-p")
    ] = None,
    reference_column: Annotated[
        list[str] | None,
        option("Of the data; the recipe's if not given. Again for several.", "--reference-column", "-r"),
    ] = None,
    reading: Reading,
    name: Annotated[str | None, option("Name of your system.", "--name", "-n")] = None,
    new: Annotated[
        str | None, typer.Option(help="Write a recipe to fill in to this .yaml file, and do nothing else.")
    ] = None,
    baselines: Annotated[bool, typer.Option(help="Compute the recipe's lead baselines too.")] = True,
    out: Output,
    quiet: Quiet = False,
) -> None:
    """Score on a benchmark as its papers do, and show the result among the published ones."""
    if new is not None:
        announce(f"the recipe to fill in is {write_template(new)}; 'polyrouge benchmark {new}' checks it", quiet)
        return
    shape = out.check()
    if recipe is None:
        emit(recipes_report({each: load_recipe(each) for each in recipe_names()}, VERSION), shape, out.save)
        return
    found = load_recipe(recipe)
    config = _config(found, config)
    if predictions is None:
        signature = "none: published rows only"
        emit(benchmark_report(found, config, None, digits=out.digits, signature=signature), shape, out.save)
        return
    try:
        chosen, settings = choose_convention(found, config, convention, changes)
    except TypeError as error:  # a setting of the wrong type
        raise SettingError(str(error)) from None
    with (
        warnings_heard(quiet) as heard,
        closing(_data(found, config, split or found.data.split, data_file, reading.cells())) as data,
    ):
        documents = baselines and bool(found.baselines)
        if documents and found.data.documents not in (data.columns or []):
            announce(
                f"warning: {data.name} has no column {found.data.documents!r}, so no baselines are computed", quiet
            )
            documents = False
        with open_paired_texts(
            [predictions],
            [data],
            prediction_columns=[prediction_column] if prediction_column else [],
            reference_columns=reference_column or [found.data.references],
            id_column=reading.id_column,
            document_column=found.data.documents if documents else None,
            file_format=reading.input_format,
            **reading.cells(),
            names=[name] if name else [],
        ) as texts:
            result = run_recipe(
                found,
                texts,
                lambda opened: progressing(opened, quiet),
                config=config,
                convention=chosen,
                settings=settings,
                with_baselines=documents,
                changes=changes,
            )
    result = dataclasses.replace(result, warnings=tuple(map(in_command_words, result.warnings)))
    for warning in result.warnings:
        announce(f"warning: {warning}", quiet)
    report = benchmark_report(found, config, result, digits=out.digits, signature=settings.signature(), heard=heard)
    emit(report, shape, out.save)


def _config(recipe: Recipe, given: str | None) -> str | None:
    allowed = [each for each in (recipe.data.config, *recipe.data.configs) if each is not None]
    if given is not None and given not in allowed:
        raise unknown_value(given, allowed, "config")
    return given or recipe.data.config


def _data(recipe: Recipe, config: str | None, split: str, data_file: str | None, reading: dict[str, Any]) -> TextFile:
    return open_hub_data(recipe, config, split) if data_file is None else open_text_file(data_file, **reading)
