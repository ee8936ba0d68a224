"""The sub-command ``benchmark``."""

from contextlib import closing
from dataclasses import dataclass, replace
from typing import Annotated

import typer

from polyrouge.beyond.recipes.benchmark import (
    BenchmarkTable,
    RecipeList,
    checked_config,
    choose_convention,
    named_convention,
    open_hub_data,
    run_recipe,
)
from polyrouge.beyond.recipes.loading import load_recipe, recipe_names, write_template
from polyrouge.cli.command_options import FILES, Output, Quiet, Reading, input_option
from polyrouge.cli.command_running import announce, collected_warnings, with_progress
from polyrouge.cli.setting_options import Settings, option, taking
from polyrouge.cli.wording import in_command
from polyrouge.files.formats import open_table
from polyrouge.files.pairs import open_pairs
from polyrouge.version import VERSION


@dataclass(frozen=True, kw_only=True)
class Benchmark(
    taking(Settings, without=("output", "rouge_types", "scale", "confidence", "n_resamples", "seed", "interval")),
    Output,
    Reading,
):
    """Score on a benchmark as its papers do, and show the result among the published ones."""

    recipe: Annotated[
        str | None, typer.Argument(help="Name of a recipe, or a .yaml file; if none is given, all are listed.")
    ] = None
    predictions: Annotated[
        str | None,
        typer.Argument(
            help=f"File of predictions, in the order of the data or with its ids: {FILES}. Without it: published rows."
        ),
    ] = None
    convention: Annotated[
        str | None,
        option(
            "One of the recipe's conventions, as the list of recipes names it, or any other; the recipe's first if not "
            "given.",
            "--convention",
            "-c",
        ),
    ] = None
    data_file: Annotated[
        str | None, input_option("Your copy of the data, with the data set's columns, in place of the Hub's.")
    ] = None
    config: Annotated[str | None, input_option("Configuration of the data, such as a language.")] = None
    split: Annotated[str | None, input_option("Split of the data; the recipe's if not given.")] = None
    prediction_column: Annotated[
        str | None, input_option("Column of the predictions; guessed if not given.", "--prediction-column", "-p")
    ] = None
    reference_column: Annotated[
        list[str] | None,
        input_option("Of the data; the recipe's if not given. Again for several.", "--reference-column", "-r"),
    ] = None
    name: Annotated[str | None, input_option("Name of your system.", "--name", "-n")] = None
    new: Annotated[str | None, option("Write a recipe to fill in to this .yaml file, and do nothing else.")] = None
    baselines: Annotated[bool, option("Compute the recipe's lead baselines too.")] = True
    quiet: Quiet = False

    def run(self) -> None:
        """Score the predictions, or show the published rows, or all recipes."""
        if self.new is not None:
            announce(
                f"the recipe to fill in is {write_template(self.new)}; 'polyrouge benchmark {self.new}' checks it",
                self.quiet,
            )
            return
        self.check()
        if self.recipe is None:
            self.emit(RecipeList({name: load_recipe(name) for name in recipe_names()}, VERSION))
            return
        content = load_recipe(self.recipe)
        data = content.data
        config = checked_config(content, self.config)
        if self.predictions is None:
            named_convention(content, self.convention)
            table = BenchmarkTable(content, config, None, "none: published rows only")
            self.emit(table, {"warnings": []})
            return
        changes = self.changes()
        scoring, rouge = choose_convention(content, config, self.convention, changes)
        with collected_warnings(self.quiet) as collected:
            if self.data_file is None:
                rows = open_hub_data(content, config, self.split or data.split)
            else:
                rows = open_table(self.data_file, **self.cells())
            with closing(rows):
                leads = content.baselines if self.baselines else ()
                if leads and data.documents not in rows.columns:
                    announce(
                        f"warning: {rows.name} has no column {data.documents!r}, so no baselines are computed",
                        self.quiet,
                    )
                    leads = ()
                with open_pairs(
                    [self.predictions],
                    [rows],
                    prediction_columns=[self.prediction_column] if self.prediction_column else [],
                    reference_columns=self.reference_column or [data.references],
                    source_column=data.documents if leads else None,
                    names=[self.name] if self.name else [],
                    **self.rows(),
                ) as pairs:
                    chunks = with_progress(pairs, self.quiet)
                    result = run_recipe(content, config, scoring, rouge, leads, pairs, chunks, changes)
        result = replace(result, warnings=tuple(map(in_command, result.warnings)))
        for warning in result.warnings:
            announce(f"warning: {warning}", self.quiet)
        table = BenchmarkTable(content, config, result, rouge.signature())
        self.emit(table, {"warnings": [*result.warnings, *collected]})
