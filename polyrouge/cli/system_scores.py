"""``SystemScores``: what ``polyrouge score`` prints of one system."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from polyrouge.beyond.source_overlap.measures import SourceMeans
from polyrouge.inputs import EmptyTexts
from polyrouge.results import (
    Cell,
    Result,
    ResultTable,
    count_of,
    digits_for,
    known_values,
    shown_interval,
    shown_level,
    shown_number,
)
from polyrouge.scoring.intervals import FEWEST_SAMPLES
from polyrouge.settings.rouge_settings import RougeSettings

_MEASURES = {"precision": "_precision", "recall": "_recall", "fmeasure": ""}


@dataclass(frozen=True)
class SystemScores(Result):
    """The means of one system."""

    name: str
    scores: dict[str, float]  # as Rouge.compute returns them
    settings: RougeSettings
    n_samples: int
    empty_texts: EmptyTexts
    sources: Mapping[str, float] | None = None  # mean of each measure against the source

    @property
    def signature(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride] nobody sets it
        """Of the settings."""
        return self.settings.signature()

    @property
    def _counts(self) -> dict[str, int]:
        return {
            "samples": self.n_samples,
            "empty_predictions": self.empty_texts.predictions[0],
            "empty_references": self.empty_texts.references,
        }

    @property
    def _types(self) -> tuple[str, ...]:
        return (*self.settings.rouge_types, *(() if self.settings.weights is None else ("weighted",)))

    @property
    def _measures(self) -> list[str]:
        return ["fmeasure"] if self.settings.output == "fmeasure" else list(_MEASURES)

    def tables(self, digits: int | None = None) -> list[ResultTable]:
        """Return a row for each type, and the measures against the source."""
        digits = digits_for(self.settings.scale) if digits is None else digits
        confidence = self.settings.confidence
        header = ["type"]
        for measure in self._measures:
            letter = measure[0].upper()
            header += [letter] if confidence is None else [letter, f"{shown_level(confidence)} of {letter}"]
        rows: list[list[Any]] = []
        for name in self._types:
            rows.append([name])
            for measure in self._measures:
                key = name + _MEASURES[measure]
                is_strong = measure == "fmeasure" and len(self._measures) > 1
                rows[-1].append(Cell(shown_number(self.scores[key], digits), strong=is_strong))
                if confidence is not None:
                    ends = self._ends(key) if self.n_samples >= FEWEST_SAMPLES else None  # records have them
                    rows[-1].append("–" if ends is None else shown_interval(*ends, digits))
        counts = ", ".join(count_of(n, noun.replace("_", " ")[:-1]) for noun, n in self._counts.items())
        of_sources = [] if self.sources is None else SourceMeans({self.name: self.sources}, self.signature).tables()
        return [ResultTable(f"{self.name}: {counts}", header, rows), *of_sources]

    def _ends(self, key: str) -> tuple[float, float] | None:
        """Of the interval; None of the weighted sum."""
        low, high = self.scores.get(f"{key}_low"), self.scores.get(f"{key}_high")
        return None if low is None or high is None else (low, high)

    def records(self) -> list[dict[str, Any]]:
        """Return a line for each type and measure, and for each measure against the source."""
        records = []
        for name in self._types:
            for measure in self._measures:
                key = name + _MEASURES[measure]
                record = {"type": name, "measure": measure, "value": self.scores[key]}
                if self.settings.confidence is not None:
                    record |= dict(zip(("low", "high"), self._ends(key) or (None, None), strict=True))
                records.append({**record, **self._counts})
        sources = (self.sources or {}).items()
        return records + [{"type": "source", "measure": name, "value": mean, **self._counts} for name, mean in sources]

    def to_dict(self) -> dict[str, Any]:
        """Return the scores, the measures against the source, and how many texts are empty."""
        sources = {"sources": known_values(self.sources)} if self.sources else {}
        return {"scores": self.scores, **sources, **self._counts}

    def numbers(self, digits: int | None) -> str:
        """Return the numbers of the table in one line, without intervals."""
        rows = self.tables(digits)[0].cells
        return " ".join(cell.text for row in rows for cell in row[1:] if not cell.text.startswith("["))
