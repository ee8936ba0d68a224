"""Notes on references that lie otherwise in rows than they are scored: by column, or a row for each."""

from collections.abc import Sequence
from itertools import groupby
from operator import eq, itemgetter

from polyrouge.documents.input_notes import Sample, shortened
from polyrouge.errors import Note
from polyrouge.inputs import SingleReferences, is_blank

_MOST_ROWS_TRANSPOSED = 100  # whose references are compared with the transposed table
_FEWEST_REPEATED = 3  # predictions in several rows


def references_by_column(sample: Sample) -> Note | None:
    """Note that references look like lists by reference, not by row."""
    for chunk in sample.chunks:
        is_single = isinstance(chunk.references, SingleReferences)
        if not is_single and _are_by_column(chunk.predictions, chunk.references):
            return Note(
                "The references look like lists by reference, each with a text for every row, as sacreBLEU takes "
                "them; here each row has the list of its own references: list(map(list, zip(*references))).",
                kind="references_by_column",
            )
    return None


def references_in_rows(sample: Sample) -> Note | None:
    """Note that predictions stand in several rows each, one after the other, with another reference in each."""
    rows = sample.beginnings
    if not may_repeat([prediction for prediction, _ in rows]):
        return None
    runs = {prediction: [row for _, row in run] for prediction, run in groupby(rows, itemgetter(0))}
    repeated = {text: references for text, references in runs.items() if len(references) > 1 and not is_blank(text)}
    if len(repeated) < max(_FEWEST_REPEATED, len(runs) / 2) or sum(map(len, runs.values())) < len(rows):
        return None
    texts = [tuple(references) for of_text in repeated.values() for references in of_text]
    if len({*texts}) < len(texts) / 2:  # every text beside every other one
        return None
    if any(len({*map(tuple, references)}) < len(references) for references in repeated.values()):
        return None
    text, references = next(iter(repeated.items()))
    add = "append" if isinstance(sample.chunks[0].references, SingleReferences) else "extend"
    return Note(
        f"Predictions stand in several rows each, such as {shortened(text)!r} in {len(references)}, with another "
        "reference in each, and every row counts as a sample. If these are the references of one text, give it one "
        "row with the list of them: rows = {}; for text, reference in zip(predictions, references): "
        f"rows.setdefault(text, []).{add}(reference). Then score list(rows) with list(rows.values()).",
        kind="references_in_rows",
        text=repr(shortened(text)),
        n=len(references),
    )


def may_repeat(predictions: Sequence[str]) -> bool:
    """Say quickly whether one of the first predictions is the next one too."""
    is_long = len(predictions) >= 2 * _FEWEST_REPEATED
    return is_long and any(map(eq, predictions[:_FEWEST_REPEATED], predictions[1 : 1 + _FEWEST_REPEATED]))


def _are_by_column(predictions: Sequence[str], references: Sequence[Sequence[str]]) -> bool:
    """Say whether n lists of n references resemble the predictions far more when transposed."""
    n = len(predictions)
    if not 1 < n <= _MOST_ROWS_TRANSPOSED or any(len(row) != n for row in references):
        return False
    words = [[_words(text) for text in row] for row in references]
    predicted_words = list(map(_words, predictions))

    def likeness(rows: Sequence[Sequence[set[str]]]) -> float:
        pairs = [
            (prediction, reference) for prediction, row in zip(predicted_words, rows, strict=True) for reference in row
        ]
        return (
            sum(len(pred_words & reference) / max(1, len(pred_words | reference)) for pred_words, reference in pairs)
            / n**2
        )

    by_row = likeness(words)
    return likeness([*zip(*words, strict=True)]) > max(1.3 * by_row, by_row + 0.1)


def _words(text: str) -> set[str]:
    """Return the words of a text, or its characters if it has no blanks."""
    return {*text.lower().split()} if " " in text else {*text.lower()}
