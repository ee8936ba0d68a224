"""What a benchmark recipe holds: which data, which convention, which published results, which baselines.

A recipe is a YAML file (``configs/*.yaml``), checked against the classes below by ``loading``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

SCORE_COLUMNS = ("rouge1", "rouge2", "rougeL", "rougeLsum")


@dataclass(frozen=True)
class RecipeData:
    """Where the texts are."""

    hub_id: str | None  # of the data set on the Hub; None if there is no copy
    config: str | None
    source: str  # where these facts were read
    documents: str  # column of the source texts
    references: str  # column of the reference texts, or of lists of them
    split: str = "test"  # that results are published for
    configs: tuple[str, ...] = ()  # others of the same shape
    samples: int | dict[str, int] | None = None  # rows of the split; for several configurations, by their name
    sentence_separator: str | None = None  # between the sentences of a reference
    document_separator: str | None = None  # between the documents of one row
    licence: str | None = None
    note: str | None = None

    def n_samples(self, config: str | None) -> int | None:
        """How many rows the split of a configuration has; None if that isn't known."""
        return self.samples.get(config or "") if isinstance(self.samples, dict) else self.samples


@dataclass(frozen=True)
class RecipeConvention:
    """How a part of the literature scores this data."""

    key: str  # what published rows and --convention call it
    name: str  # of the convention, as for Rouge
    scores: dict[str, str]  # column of the table to key of the result, such as rougeLsum: rougeL, rouge1: rouge1_recall
    tool: str  # and how it is called
    source: str  # where that was read
    settings: dict[str, Any] = field(default_factory=dict)  # changes; {config} in a text is the data's configuration


@dataclass(frozen=True)
class PublishedRow:
    """A published result, times 100."""

    system: str
    source: str  # where the row was read
    made_with: str | None  # key of the convention; None if the source does not say
    rouge1: float | None = None
    rouge2: float | None = None
    rougeL: float | None = None  # noqa: N815 # where the tool has two kinds, the one over the whole text
    rougeLsum: float | None = None  # noqa: N815
    baseline: bool = False  # such as a lead or an oracle
    config: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class Lead:
    """A baseline to compute: the first units of the document."""

    name: str
    units: Literal["sentences", "turns"]  # by rules, for any script; or lines
    n: int
    of_each_document: bool = False  # of the row, not of the first only


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
