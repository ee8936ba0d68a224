"""The catalogue of bad and odd inputs: its cases as they are written, and the values that YAML can't write."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import yaml

CATALOGUE = Path(__file__).resolve().parents[1] / "catalogue" / "catalogue.yaml"
ENTRANCES = ("compute", "score_batch", "evaluate", "evaluate_rows", "hub", "trainer", "reward", "command", "page")

# Tags of the catalogue: what each makes of the value behind it, anew for each call.
MAKERS = {
    "!bytes": lambda text: text.encode(),
    "!set": set,
    "!tuple": tuple,
    "!generator": iter,
    "!numpy": np.array,
    "!series": pd.Series,
    "!polars": lambda values: import_module("polars").Series(values),
    "!arrow": pa.array,
    "!frame": pd.DataFrame,
    "!table": pa.table,
    "!dataset": lambda columns: import_module("datasets").Dataset.from_dict(columns),
    "!repeat": lambda pair: pair[0] * pair[1],
    "!times": lambda pair: [pair[0]] * pair[1],
    "!joined": lambda lists: [each for one in lists for each in one],
    "!hex": bytes.fromhex,
    "!concatenated": "".join,
    "!lowered_words": lambda _: lambda text: text.lower().split(),
}
_OF_OTHERS = {"!polars", "!dataset"}


class Made(NamedTuple):
    """A value with a tag."""

    tag: str
    value: Any


_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml where PyYAML has it


class CatalogueLoader(_Loader):
    """YAML with the tags of the catalogue; a name that stands twice is an error, not the last of the two."""

    def construct_mapping(self, node, deep=False):
        names = [self.construct_object(key, deep=True) for key, _ in node.value]
        twice = {name for name in names if names.count(name) > 1}
        assert not twice, f"line {node.start_mark.line + 1}: {twice} stands twice"
        return super().construct_mapping(node, deep)


def _made(loader, suffix, node):
    kinds = {yaml.ScalarNode: "scalar", yaml.SequenceNode: "sequence", yaml.MappingNode: "mapping"}
    construct = getattr(loader, f"construct_{kinds[type(node)]}")
    return Made(f"!{suffix}", construct(node) if isinstance(node, yaml.ScalarNode) else construct(node, deep=True))


CatalogueLoader.add_multi_constructor("!", _made)
# A text with half a character, which YAML has not.
CatalogueLoader.add_constructor("!escaped", lambda _, node: node.value.encode("ascii").decode("unicode_escape"))


def make(value: Any) -> Any:
    """The value as the entrance gets it."""
    if isinstance(value, Made):
        return MAKERS[value.tag](make(value.value))
    if isinstance(value, list):
        return [make(each) for each in value]
    if isinstance(value, dict):
        return {name: make(each) for name, each in value.items()}
    return value


def number(written: Any) -> float | None:
    """A score: a fraction such as 2/3, a number, or None where there is none."""
    return None if written is None else float(Fraction(written) if isinstance(written, str) else written)


def means(scores: dict[str, list[float | None]]) -> dict[str, float | None]:
    """The mean of each key over the samples that are scored: exact, then rounded once."""
    exact = {key: [Fraction(value) for value in values if value is not None] for key, values in scores.items()}
    return {key: float(sum(values) / len(values)) if values else None for key, values in exact.items()}


class Outcome(NamedTuple):
    """What an entrance did."""

    scores: dict[str, Any] | None  # by key, of each sample (None where it is left out), or one number for all
    warns: list[str]
    error: str | None = None  # the name of the exception's class, where the entrance shows it
    says: str | None = None  # the sentence of the refusal


@dataclass
class Case:
    """One input with its outcome."""

    group: str
    name: str
    written: dict[str, Any]  # as it stands in the catalogue
    not_at: dict[str, str]  # the entrances that can't take it, and why: the name of a reason
    settings: dict[str, Any]  # of the case, or of its group

    @property
    def needs_others(self) -> bool:
        """Whether libraries that are no part of the core make its values."""
        columns = [self.written.get("predictions"), self.written.get("references")]
        return any(isinstance(column, Made) and column.tag in _OF_OTHERS for column in columns)

    def expected(self, entrance: str) -> dict[str, Any]:
        """The outcome at an entrance, as it is written; the Hub's is that of evaluate."""
        own = self.written.get("at", {}).get("evaluate" if entrance == "hub" else entrance, {})
        kinds = {"scores", "means", "says"}
        is_another = own.keys() & kinds and not own.keys() & kinds & self.written.keys()
        shared = ("warns",) if is_another else ("scores", "means", "warns", "error", "says")
        return {**{name: self.written[name] for name in shared if name in self.written}, **own}

    def expected_scores(self, entrance: str) -> dict[str, Any]:
        """The numbers at an entrance; a trainer gives the mean of the samples."""
        written = self.expected(entrance)
        numbers = {
            key: [number(each) for each in value] if isinstance(value, list) else number(value)
            for key, value in written.get("scores", written.get("means", {})).items()
        }
        return means(numbers) if entrance == "trainer" and "scores" in written else numbers


def _spelled_out(outcome: dict[str, Any]) -> dict[str, Any]:
    """``raises`` as the class of the exception and its sentence."""
    outcome = dict(outcome)
    if "raises" in outcome:
        outcome["error"], _, outcome["says"] = outcome.pop("raises").partition(": ")
    return outcome


def without_names(sentence: str | None) -> str | None:
    """A refusal without the nearest names, which depend on all that there are; tests of ``unknown_value`` hold them."""
    return (
        re.sub(r"the nearest of \d+ are ([-\w<>]+, ){9}[-\w<>]+", "the nearest of … are …", sentence or "") or sentence
    )


def read_catalogue() -> tuple[dict[str, str], list[Case]]:
    """The reasons that cases give for the entrances that can't take them, and the cases."""
    with CATALOGUE.open(encoding="utf-8") as file:
        whole = yaml.load(file, CatalogueLoader)  # noqa: S506 a safe loader, with our tags
    cases = []
    for group, about in whole["groups"].items():
        texts = {name: about[name] for name in ("predictions", "references") if name in about}
        for name, outcome in about["cases"].items():
            written = {**texts, **_spelled_out(outcome)}
            if "at" in written:
                written["at"] = {entrance: _spelled_out(own) for entrance, own in written["at"].items()}
            not_at = {**about.get("not_at", {}), **written.get("not_at", {})}
            own = written.get("settings", {})  # null: of a sub-command that takes none
            settings = {} if own is None else {**about.get("settings", {"rouge_types": ["rouge1"]}), **own}
            cases.append(Case(group, name, written, not_at, settings))
    return whole["reasons"], cases
