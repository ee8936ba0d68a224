"""Measure a prediction against its source: how much it copies, repeats and adds, and from where.

Copies are extractive fragments: the runs of tokens that both texts share (Grusky et al. 2018, figure 3). Both become
strings with one character for each distinct token of the source, so that Python's search, in C, finds a run.
"""

import math
import sys
from array import array
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.texts import Texts, read_texts
from polyrouge.inputs import Inputs, SingleReferences, check_inputs, column_rows
from polyrouge.metric import Rouge, as_rouge
from polyrouge.results import Result, ResultTable, known_values, shown_scores
from polyrouge.settings.rouge_settings import RougeSettings, RunOptions
from polyrouge.texts.sentences import SENTENCE_SPLITS

_NOWHERE = "\0"  # for each token that the source lacks
_MOST_DIFFERENT = sys.maxunicode  # other characters
_FIRST = "".join(map(chr, range(1, 5_001)))  # enough for most sources
_NOVEL_ORDERS = (1, 2, 3, 4)
_ROWS_AT_ONCE = 1_000  # read together
SOURCE_MEASURES = (
    *("coverage", "density", "compression", "novel_1", "novel_2", "novel_3", "novel_4"),
    *("repetition", "source_position"),
)
"""Names of the measures, in order."""


class Fragment(NamedTuple):
    """A run of tokens that both texts have."""

    prediction: int  # index of its first token
    source: int  # the same in the source
    length: int  # tokens, 1 or more


class SourceTokens:
    """The tokens of a source as ``characters``, for several predictions."""

    def __init__(self, tokens: Sequence[Hashable]) -> None:
        different = dict.fromkeys(tokens)
        if len(different) > _MOST_DIFFERENT:
            raise ValueError(
                f"A source has {len(different):,} different tokens; the most is {_MOST_DIFFERENT:,}. Cut it in parts."
            )
        characters = _FIRST if len(different) <= len(_FIRST) else map(chr, range(1, _MOST_DIFFERENT + 1))
        self._characters = dict(zip(different, characters, strict=False))
        self.characters = "".join(map(self._characters.__getitem__, tokens))

    def __len__(self) -> int:
        return len(self.characters)

    def characters_of(self, prediction: Sequence[Hashable]) -> str:
        """Return the characters of a prediction's tokens; ``_NOWHERE`` for a token that the source lacks."""
        return "".join([self._characters.get(token, _NOWHERE) for token in prediction])


def longest_runs(prediction: Sequence[Hashable], source: SourceTokens, most: int) -> list[int]:
    """Return for each token the length of the longest run from it that the source has, up to ``most``."""
    source_characters = source.characters
    runs: list[int] = []
    for piece in source.characters_of(prediction).split(_NOWHERE):
        length = 1
        for start in range(len(piece)):
            length = max(length - 1, 1)  # the previous run without its first token is a run too
            while length < min(most, len(piece) - start) and piece[start : start + length + 1] in source_characters:
                length += 1
            runs.append(length)
        runs.append(0)  # the token between this piece and the next
    return runs[:-1]


def extractive_fragments(
    prediction: Sequence[Hashable], source: SourceTokens, runs: Sequence[int] | None = None
) -> list[Fragment]:
    """Find the fragments of a prediction, from left to right; ``runs`` are its ``longest_runs``, up to 2 or more."""
    # At each token the longest run that the source has counts, the first of equal ones. As in the paper, the search
    # in the source continues after each run, so a run that begins inside another is not found.
    runs = longest_runs(prediction, source, 2) if runs is None else runs
    pred_characters, source_characters = source.characters_of(prediction), source.characters
    fragments = []
    start = 0
    while start < len(pred_characters):
        length, best_match = min(runs[start], 1), source_characters.find(pred_characters[start])
        two = pred_characters[start : start + 2]
        match = source_characters.find(two) if runs[start] > 1 else -1
        while match >= 0:
            pred_stop, source_stop = start + 2, match + 2
            while (
                pred_stop < len(pred_characters)
                and source_stop < len(source_characters)
                and pred_characters[pred_stop] == source_characters[source_stop]
            ):
                pred_stop, source_stop = pred_stop + 1, source_stop + 1
            if pred_stop - start > length:
                length, best_match = pred_stop - start, match
            match = source_characters.find(two, source_stop)
        if length:
            fragments.append(Fragment(start, best_match, length))
        start += max(length, 1)
    return fragments


@dataclass(frozen=True)
class SourceMeasures(Result):
    """Measures of each sample. ``print`` and notebooks show their means.

    Attributes:
        columns: by the name of a measure float64[n_samples]; NaN where it is not defined: no token, no n-gram, or
            nothing shared with the source.
        signature: of the settings, which say what a token is.
    """

    columns: dict[str, NDArray[np.float64]]
    signature: str

    def means(self) -> dict[str, float]:
        """Return the mean of each measure over the samples for which it is defined; NaN if there are none."""
        defined = {name: column[~np.isnan(column)].tolist() for name, column in self.columns.items()}
        return {name: math.fsum(values) / len(values) if values else math.nan for name, values in defined.items()}

    def tables(self, digits: int | None = None) -> list[ResultTable]:  # noqa: ARG002 measures are no scores
        """Return the means.

        Args:
            digits: has no effect: measures have four digits.
        """
        return SourceMeans({"": self.means()}, self.signature).tables()

    def records(self) -> list[dict[str, Any]]:
        """Return a line for each sample; None if a measure is not defined."""
        rows = zip(*(column.tolist() for column in self.columns.values()), strict=True)
        return [known_values(dict(zip(self.columns, row, strict=True))) for row in rows]

    def to_dict(self) -> dict[str, Any]:
        """Return the full result as plain values for JSON: None in place of NaN."""
        return {"means": known_values(self.means()), "samples": self.records(), "signature": self.signature}


@dataclass(frozen=True)
class SourceMeans(Result):
    """The means of the measures of each system, which commands show beside scores."""

    means: Mapping[str, Mapping[str, float]]  # by system, by measure; NaN where it is not defined for any sample
    signature: str

    def tables(self, digits: int | None = None) -> list[ResultTable]:  # noqa: ARG002 measures are no scores
        """Return a row for each measure, a column for each system."""
        systems = list(self.means) if len(self.means) > 1 else ["mean"]
        columns = list(self.means.values())
        rows = [[name, *shown_scores((column[name] for column in columns), 4)] for name in columns[0]]
        return [ResultTable("Compared with the source", ["measure", *systems], rows)]

    def records(self) -> list[dict[str, Any]]:
        """Return a line for each system and measure, with the names of a comparison."""
        return [
            {"key": f"source_{name}", "first": system, "first_mean": value}
            for system, means in self.means.items()
            for name, value in means.items()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the means by system: None in place of NaN."""
        return {system: known_values(means) for system, means in self.means.items()}


def measure_sources(predictions: Any, sources: Any, rouge: Rouge | str | None = None) -> SourceMeasures:
    """Measure predictions against the texts that they were made from.

    Tokens are cut by the metric's settings, without their limits of length. Of a prediction with the tokens S and its
    source with the tokens A:

    - ``coverage``: share of S that lies in extractive fragments, 0 to 1 (Grusky et al. 2018);
    - ``density``: the squared lengths of the fragments added up, divided by the length of S: the mean length of the
      fragment that a token lies in, 0 to the length of S;
    - ``compression``: the length of A divided by the length of S, above 0;
    - ``novel_1`` to ``novel_4``: share of the n-grams of S, each occurrence counted, that A lacks, 0 to 1
      (See et al. 2017);
    - ``repetition``: share of the 3-grams of S that occurred before, 0 to 1;
    - ``source_position``: where in A the fragments are, the mean over their tokens of (position + 1/2) / length of A: 0
      the beginning, 1 the end. An even spread has 0.5, a lead summary less.

    Args:
        predictions: texts, as for ``Rouge.compute``.
        sources: for each prediction a text, or a list of texts that are read one after the other.
        rouge: the metric, or a convention's name; ``Rouge()`` if None.

    Returns:
        The measures.

    Raises:
        TypeError, ValueError: as ``Rouge.compute``, of sources in place of references.
    """
    rouge = as_rouge(rouge)
    predictions = column_rows(predictions, "predictions")
    texts = checked_sources(predictions, sources)
    stream = StreamedSources(rouge.settings, rouge.run)
    for start in range(0, len(texts), _ROWS_AT_ONCE):
        stream.add([predictions[start : start + _ROWS_AT_ONCE]], texts[start : start + _ROWS_AT_ONCE])
    columns = stream.columns()[0].T.copy()
    return SourceMeasures(dict(zip(SOURCE_MEASURES, columns, strict=True)), rouge.settings.signature())


def checked_sources(predictions: Any, sources: Any) -> list[str]:
    """Check the source of each prediction, and make it one text; raises as ``measure_sources``."""
    try:
        inputs = check_inputs(predictions, sources)
    except (TypeError, ValueError) as error:
        raise type(error)(str(error).replace("reference", "source")) from None
    return ["\n".join(source) for source in inputs.references]


def without_limits(settings: RougeSettings) -> RougeSettings:
    """Return the settings without limits of length, and with each text as one sentence."""
    return settings.replace(max_words=None, max_bytes=None, max_characters=None, sentence_split="none")


def has_tokens_of_sources(settings: RougeSettings) -> bool:
    """Say whether texts have the same tokens ``without_limits``: neither a limit nor a separator is set."""
    split = settings.sentence_split
    is_limited = (settings.max_words, settings.max_bytes, settings.max_characters) != (None, None, None)
    return not is_limited and (not isinstance(split, str) or split in SENTENCE_SPLITS)


def read_with_sources(
    predictions: Sequence[Sequence[str]], sources: Sequence[str], settings: RougeSettings, run: RunOptions
) -> Texts:
    """Read the predictions of systems and their sources, without limits."""
    rows = SingleReferences(sources)
    return read_texts([Inputs(texts, rows, "text") for texts in predictions], without_limits(settings), run, sources)


def token_rows(texts: Texts) -> Iterator[tuple[list[list[int]], list[int]]]:
    """Yield row by row the tokens of each system's prediction, and of the source."""
    ids, bounds = texts.read.tokens.ids, texts.read.tokens.text_tokens

    def tokens(number: int) -> list[int]:
        return ids[bounds[number] : bounds[number + 1]].tolist()

    for predictions, source in zip(texts.predictions.T.tolist(), texts.sources.tolist(), strict=True):
        yield list(map(tokens, predictions)), tokens(source)


class MeasuredTokens(NamedTuple):
    """The measures of one prediction."""

    values: list[float]  # the measures, in the order of SOURCE_MEASURES
    fragments: list[Fragment]


def measured_tokens(prediction: Sequence[Hashable], source: SourceTokens) -> MeasuredTokens:
    """Measure the tokens of one sample."""
    if not prediction:
        return MeasuredTokens([math.nan] * len(SOURCE_MEASURES), [])
    runs = longest_runs(prediction, source, max(_NOVEL_ORDERS))
    fragments = extractive_fragments(prediction, source, runs)
    copied = sum(fragment.length for fragment in fragments)
    doubled_positions = sum(
        fragment.length * (2 * fragment.source + fragment.length) for fragment in fragments
    )  # twice the sum of position + 1/2
    values = [
        copied / len(prediction),
        sum(fragment.length**2 for fragment in fragments) / len(prediction),
        len(source) / len(prediction),
        *(_novel_share(runs, n) for n in _NOVEL_ORDERS),
        _repeated_share(prediction),
        doubled_positions / (2 * copied * len(source)) if copied else math.nan,
    ]
    return MeasuredTokens(values, fragments)


def _novel_share(runs: Sequence[int], n: int) -> float:
    """Return the share of the n-grams that the source lacks."""
    n_starts = len(runs) - n + 1
    n_found = sum(run >= n for run in runs)  # a run of n or more begins with one
    return (n_starts - n_found) / n_starts if n_starts > 0 else math.nan


def _repeated_share(prediction: Sequence[Hashable]) -> float:
    """Return the share of the 3-grams that occurred before."""
    ngrams = list(zip(prediction, prediction[1:], prediction[2:], strict=False))
    return 1 - len(set(ngrams)) / len(ngrams) if ngrams else math.nan


class StreamedSources:
    """Measure samples that come in chunks, as ``measure_sources`` does."""

    def __init__(self, settings: RougeSettings, run: RunOptions, n_systems: int = 1) -> None:
        self._settings, self._run = settings, run
        self._values: list[array[float]] = [array("d") for _ in range(n_systems)]

    def add(self, predictions: Sequence[Sequence[str]], sources: Sequence[str]) -> list[list[dict[str, Any]]]:
        """Return for each system and sample its measures by name; None if not defined."""
        rows: list[list[dict[str, Any]]] = [[] for _ in predictions]
        for tokens, source in token_rows(read_with_sources(predictions, sources, self._settings, self._run)):
            self.add_read(tokens, source)
            for row, values in zip(rows, self._values, strict=True):
                row.append(known_values(dict(zip(SOURCE_MEASURES, values[-len(SOURCE_MEASURES) :], strict=True))))
        return rows

    def add_read(self, predictions: Sequence[Sequence[Hashable]], source: Sequence[Hashable]) -> list[list[Fragment]]:
        """Measure the tokens of a sample; return the fragments of each system."""
        source_tokens = SourceTokens(source)
        measured = [measured_tokens(tokens, source_tokens) for tokens in predictions]
        for column, (values, _) in zip(self._values, measured, strict=True):
            column.extend(values)
        return [fragments for _, fragments in measured]

    def columns(self) -> NDArray[np.float64]:
        """Return all measures so far, float64[n_systems, n_samples, n_measures]."""
        return np.array(self._values, np.float64).reshape(len(self._values), -1, len(SOURCE_MEASURES))

    def coverage(self) -> NDArray[np.float64]:
        """Return how much of each prediction is copied, float64[n_systems, n_samples]."""
        return self.columns()[:, :, SOURCE_MEASURES.index("coverage")]

    def means(self) -> list[dict[str, float]]:
        """Return the means of each system so far."""
        return [
            SourceMeasures(dict(zip(SOURCE_MEASURES, columns.T, strict=True)), "").means() for columns in self.columns()
        ]
