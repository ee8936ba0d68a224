"""The sub-command ``benchmark``."""

from __future__ import annotations

import dataclasses
from contextlib import closing
from typing import Annotated, Any

import typer

from polyrouge.cli.command_options import (
    FILES,
    INPUT,
    SCORING,
    Digits,
    EmptyCells,
    Encoding,
    Header,
    IdColumn,
    InputFormat,
    OutputFormat,
    Quiet,
    Save,
)
from polyrouge.cli.command_running import announce, check_output, emit, progressing, reports_errors, warnings_heard
from polyrouge.cli.command_settings import SettingError, takes_settings
from polyrouge.cli.command_words import in_command_words
from polyrouge.errors import unknown_value
from polyrouge.files.file_rows import EMPTY_CELLS, TextFile
from polyrouge.files.text_columns import open_paired_texts
from polyrouge.files.text_files import open_text_file
from polyrouge.recipes.loading import load_recipe, recipe_names, write_template
from polyrouge.recipes.recipe import Recipe
from polyrouge.recipes.run import choose_convention, open_hub_data, run_recipe
from polyrouge.recipes.tables import benchmark_report, recipes_report
from polyrouge.version import VERSION


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(rich_help_panel=SCORING)(benchmark)


@reports_errors
@takes_settings(
    without=("use_aggregator", "output", "rouge_types", "scale", "confidence", "n_resamples", "seed", "interval"),
    as_changes=True,
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
        str | None,
        typer.Option(
            help="Your copy of the data, with the data set's columns, in place of the Hub's.", rich_help_panel=INPUT
        ),
    ] = None,
    config: Annotated[
        str | None, typer.Option(help="Configuration of the data, such as a language.", rich_help_panel=INPUT)
    ] = None,
    split: Annotated[
        str | None, typer.Option(help="Split of the data; the recipe's if not given.", rich_help_panel=INPUT)
    ] = None,
    prediction_column: Annotated[
        str | None,
        typer.Option(
            "--prediction-column", "-p", help="Column of the predictions; guessed if not given.", rich_help_panel=INPUT
        ),
    ] = None,
    reference_column: Annotated[
        list[str] | None,
        typer.Option(
            "--reference-column",
            "-r",
            help="Of the data; the recipe's if not given. Again for several.",
            rich_help_panel=INPUT,
        ),
    ] = None,
    id_column: IdColumn = None,
    input_format: InputFormat = None,
    empty_cells: EmptyCells = EMPTY_CELLS[0],
    encoding: Encoding = None,
    header: Header = True,
    name: Annotated[
        str | None, typer.Option("--name", "-n", help="Name of your system.", rich_help_panel=INPUT)
    ] = None,
    new: Annotated[
        str | None, typer.Option(help="Write a recipe to fill in to this .yaml file, and do nothing else.")
    ] = None,
    baselines: Annotated[bool, typer.Option(help="Compute the recipe's lead baselines too.")] = True,
    output_format: OutputFormat = None,
    save: Save = None,
    digits: Digits = None,
    quiet: Quiet = False,
) -> None:
    """Score on a benchmark as its papers do, and show the result among the published ones."""
    if new is not None:
        announce(f"the recipe to fill in is {write_template(new)}; 'polyrouge benchmark {new}' checks it", quiet)
        return
    shape = check_output(save, output_format)
    if recipe is None:
        emit(recipes_report({each: load_recipe(each) for each in recipe_names()}, VERSION), shape, save)
        return
    found = load_recipe(recipe)
    config = _config(found, config)
    if predictions is None:
        signature = "none: published rows only"
        emit(benchmark_report(found, config, None, digits=digits, signature=signature), shape, save)
        return
    try:
        chosen, settings = choose_convention(found, config, convention, changes)
    except TypeError as error:  # a setting of the wrong type
        raise SettingError(str(error)) from None
    reading: dict[str, Any] = {"empty_cells": empty_cells, "encoding": encoding, "has_header": header}
    with (
        warnings_heard(quiet) as heard,
        closing(_data(found, config, split or found.data.split, data_file, reading)) as data,
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
            id_column=id_column,
            document_column=found.data.documents if documents else None,
            file_format=input_format,
            **reading,
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
    report = benchmark_report(found, config, result, digits=digits, signature=settings.signature(), heard=heard)
    emit(report, shape, save)


def _config(recipe: Recipe, given: str | None) -> str | None:
    allowed = [each for each in (recipe.data.config, *recipe.data.configs) if each is not None]
    if given is not None and given not in allowed:
        raise unknown_value(given, allowed, "config")
    return given or recipe.data.config


def _data(recipe: Recipe, config: str | None, split: str, data_file: str | None, reading: dict[str, Any]) -> TextFile:
    return open_hub_data(recipe, config, split) if data_file is None else open_text_file(data_file, **reading)
