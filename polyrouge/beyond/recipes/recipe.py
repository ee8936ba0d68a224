"""What a benchmark recipe holds: which data, which convention, which published results, which baselines.

A recipe is a YAML file (``configs/*.yaml``), checked against the classes below by ``loading``.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

SCORE_COLUMNS = ("rouge1", "rouge2", "rougeL", "rougeLsum")


@dataclass(frozen=True)
class RecipeData:
    """Where the texts are.

    Attributes:
        hub_id: of the data set on the Hub; None if there is no copy.
        config: its configuration.
        source: where these facts were read.
        documents: column of the source texts.
        references: column of the reference texts, or of lists of them.
        split: the split that results are published for.
        configs: other configurations of the same shape.
        samples: number of rows of the split; for several configurations, by their name.
        sentence_separator: what stands between sentences of a reference.
        document_separator: what stands between the documents of one row.
        licence: of the data, if its source states one.
        note: what to know about the data.
    """

    hub_id: str | None
    config: str | None
    source: str
    documents: str
    references: str
    split: str = "test"
    configs: tuple[str, ...] = ()
    samples: int | dict[str, int] | None = None
    sentence_separator: str | None = None
    document_separator: str | None = None
    licence: str | None = None
    note: str | None = None

    def n_samples(self, config: str | None) -> int | None:
        """Return how many rows the split of a configuration has; None if that isn't known."""
        return self.samples.get(config or "") if isinstance(self.samples, dict) else self.samples


@dataclass(frozen=True)
class RecipeConvention:
    """How a part of the literature scores this data.

    Attributes:
        key: what published rows and ``--convention`` call it.
        name: of the convention, as for ``Rouge``.
        scores: column of the table to key of the result, such as ``rougeLsum: rougeL`` where the
            tool's ROUGE-L is summary level, or ``rouge1: rouge1_recall``.
        tool: the tool and how it is called.
        source: where that was read.
        settings: changes to the convention; ``{config}`` in a text stands for the data's configuration.
    """

    key: str
    name: str
    scores: dict[str, str]
    tool: str
    source: str
    settings: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class PublishedRow:
    """A published result, times 100.

    Attributes:
        system: its name.
        source: where the row was read.
        made_with: key of the convention; None if the source does not say.
        rouge1: ROUGE-1.
        rouge2: ROUGE-2.
        rougeL: ROUGE-L; where the tool has two kinds, the one over the whole text.
        rougeLsum: summary-level ROUGE-L.
        baseline: whether it is a baseline, such as a lead or an oracle.
        config: the configuration of the data, if there are several.
        note: what to know about the row.
    """

    system: str
    source: str
    made_with: str | None
    rouge1: float | None = None
    rouge2: float | None = None
    rougeL: float | None = None  # noqa: N815 the result's key
    rougeLsum: float | None = None  # noqa: N815
    baseline: bool = False
    config: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class Lead:
    """A baseline to compute: the first units of the document.

    Attributes:
        name: of the row.
        units: sentences (by rules, for any script), or turns (lines).
        n: how many.
        of_each_document: take them of each document of the row, not of the first only.
    """

    name: str
    units: Literal["sentences", "turns"]
    n: int
    of_each_document: bool = False


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
        """Return the convention of that key, the default for None; None if there is no such one.

        Args:
            key: what the recipe calls it, or the name that ``Rouge`` knows it by.
        """
        return next(
            (candidate for candidate in self.conventions if key is None or key in (candidate.key, candidate.name)), None
        )
