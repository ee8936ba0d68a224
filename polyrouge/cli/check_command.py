"""``polyrouge check``, a gate for pipelines: exit code 0 if all rules hold, 1 if one is broken, 2 for bad input."""

import os
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from polyrouge.cli.command_options import (
    Inputs,
    Printing,
    Quiet,
    System,
    Systems,
    named_numbers,
    output_option,
    refuse_overwriting,
)
from polyrouge.cli.command_running import announce, collected_warnings
from polyrouge.cli.setting_options import Metric, option, taking
from polyrouge.comparing.gate import ScoreCheck, check_scores, is_baseline
from polyrouge.files.atomic import atomic_write
from polyrouge.results import render
from polyrouge.settings.allowed_values import FRACTION, checked_number

_BROKEN = 1
_SAVED = ".json"
_SUMMARY = "GITHUB_STEP_SUMMARY"  # the file that GitHub shows on the page of a run


@dataclass(frozen=True, kw_only=True)
class Check(taking(Metric, without=("confidence", "n_resamples", "scale", "weights")), Printing, Inputs, System):
    """Compare outputs with a baseline or fixed limits: exit code 1 if a rule is broken.

    All scores are points of 100. In a GitHub action the page of the run shows the tables too. All rows are held
    in memory.
    """

    baseline: Annotated[
        str | None,
        option(
            "What the rules compare with: a file of --save-baseline, of outputs, or means: rouge1=42.99,rougeL=29.99."
        ),
    ] = None
    max_drop: Annotated[
        list[str] | None,
        option(
            "Points that a score may be below the baseline: 0.5, or rougeL=0.5 (repeat it for more). 0 if neither this "
            "nor --at-least is given."
        ),
    ] = None
    at_least: Annotated[
        list[str] | None,
        option("Share of the baseline that a score must reach: 99.9%, or rouge1=99% (repeat it for more)."),
    ] = None
    fail_under: Annotated[
        list[str] | None, option("Points that a score must reach: rouge1=38.4 (repeat it for more).")
    ] = None
    significant: Annotated[
        bool, option("Let a one-sided paired test decide whether a rule is broken, not the means.", "--significant")
    ] = False
    significance: Annotated[float, option("Level of that test, after Holm's correction over the rules.")] = 0.05
    save_baseline: Annotated[
        str | None, output_option("Write the scores and the signature to this file, unless a rule is broken.")
    ] = None
    junit: Annotated[str | None, output_option("Also write a test for each rule to this file, as JUnit XML.")] = None
    quiet: Quiet = False

    def run(self) -> None:
        """Check the outputs."""
        rouge = self.metric(self.quiet, draws=True)
        self.check()
        if self.save_baseline is not None and Path(self.save_baseline).suffix != _SAVED:
            raise ValueError(f"--save-baseline is {self.save_baseline!r}; give a name that ends in {_SAVED}.")
        checked_number("significance", self.significance, FRACTION)
        means = _means(self.baseline)
        of_outputs = (
            self.baseline is not None
            and not means
            and not (Path(self.baseline).suffix == _SAVED and is_baseline(self.baseline))
        )
        baseline = [] if self.baseline is None or means else [self.baseline]
        all_files = Systems(systems=[self.predictions, *baseline], references=self.references)
        refuse_overwriting(all_files, self.save, self.save_baseline, self.junit)
        with collected_warnings(self.quiet) as collected:
            opened, rows = self.read(all_files if of_outputs else self, self.quiet)
            result = check_scores(
                rows.predictions[0],
                rows.references,
                means or (rows.predictions[1] if of_outputs else self.baseline),
                rouge,
                max_drop=_limits("--max-drop", self.max_drop),
                at_least=_limits("--at-least", self.at_least),
                fail_under=_limits("--fail-under", self.fail_under),
                significant=self.significant,
                alpha=self.significance,
                ids=rows.ids or range(1, len(rows.references) + 1),
            )
        if not result.rules and self.save_baseline is None:
            raise ValueError("There is no rule: give --baseline or --fail-under, or --save-baseline to write one.")
        more = {"files": opened.files, "warnings": list(collected)}
        self.emit(result, more)
        if self.junit is not None:
            with atomic_write(self.junit) as temporary:
                # The first table has no ids of samples, which may be what XML can't hold.
                Path(temporary).write_bytes(_junit(result, result.tables()[0].text()))
        if path := os.environ.get(_SUMMARY):
            with open(path, "a", encoding="utf-8") as summary:
                summary.write(render(result, "markdown") + "\n")
        if not result.passed:
            if self.save is not None:
                announce(result.reason)
            raise typer.Exit(_BROKEN)
        if self.save_baseline is not None:
            with atomic_write(self.save_baseline) as temporary:
                result.save_baseline(temporary)


def _means(baseline: str | None) -> dict[str, str]:
    """Return the means of ``KEY=NUMBER,KEY=NUMBER``; none of the name of a file."""
    if baseline is None or "=" not in baseline or Path(baseline).exists():
        return {}
    return named_numbers("--baseline", baseline.split(","))


def _limits(name: str, texts: Sequence[str] | None) -> Any:
    """Return the values of an option: one for all scores, or by key."""
    if not texts:
        return None
    if len(texts) == 1 and "=" not in texts[0] and name != "--fail-under":
        return texts[0]
    return named_numbers(name, texts)


def _junit(result: ScoreCheck, rules: str) -> bytes:
    """Return a test suite with a test for each rule; a test that fails shows the table of all."""
    broken = [rule for rule in result.rules if not rule.holds]
    counts = {"tests": str(len(result.rules)), "failures": str(len(broken))}
    suite = ET.Element("testsuite", {"name": "polyrouge", **counts})
    for rule in result.rules:
        test = ET.SubElement(suite, "testcase", classname="polyrouge.check", name=f"{rule.key}: {rule.limit}")
        if not rule.holds:
            ET.SubElement(test, "failure", message=f"{rule.score:.2f} is below {rule.lowest:.2f}").text = rules
    return ET.tostring(suite, encoding="utf-8", xml_declaration=True)
