"""Notes on what stands in place of a text: a missing value, the name of a file, several texts."""

from collections.abc import Sequence
from itertools import chain

from polyrouge.documents.input_notes import Sample, shortened
from polyrouge.errors import Note
from polyrouge.texts.patterns import pattern

_SIDES = ("prediction", "reference")
# What pandas, NumPy, Python, JSON, JavaScript and spreadsheets write for a value that is not there.
_MISSING = frozenset(
    ("nan", "NaN", "NaT", "<NA>", "None", "null", "NULL", "undefined", "#N/A", "#NAME?", "#REF!", "#VALUE!")
)
_FILE_NAME = pattern(r"[^\s'\"]+\.(?:txt|jsonl?|csv|tsv|parquet|xlsx)")
# Bars between texts. Three are hardly anything else; two are, in code and formulas, so all texts must have them.
_BARS = pattern(r"(?<=[^\s|])[^\S\n]*\|{2,}[^\S\n]*(?=[^\s|])")
_ANY_BARS = pattern(r"\|+")
_TELLING_BARS = 3
_FEWEST_OF_TWO_BARS = 3  # texts


def missing_values(sample: Sample) -> Note | None:
    """Note a missing value that was written as a text."""
    for chunk in sample.chunks:
        references = [*chain.from_iterable(chunk.references)]
        for side, texts in zip(_SIDES, (chunk.predictions, references), strict=True):
            if not _MISSING.isdisjoint(texts) and not _are_equal_there(chunk.predictions, chunk.references):
                text = next(filter(_MISSING.__contains__, texts))
                return Note(
                    f"The {side} {text!r}, and perhaps others, looks like a missing value that was written as a text, "
                    "and is scored as a word. Fill such values before they become texts: an empty text where a system "
                    "gave no answer; leave out a row that has no reference.",
                    kind="missing_values",
                    side=side,
                    text=repr(text),
                )
    return None


def _are_equal_there(predictions: Sequence[str], references: Sequence[Sequence[str]]) -> bool:
    """Say whether such words are answers: each stands on both sides of its row."""
    return all(
        _MISSING.isdisjoint((prediction, *row)) or prediction in row
        for prediction, row in zip(predictions, references, strict=True)
    )


def file_names(sample: Sample) -> Note | None:
    """Note that the texts of the only row are names of files."""
    if sample.reading.n_rows != 1 or not sample.beginnings:
        return None
    prediction, references = sample.beginnings[0]
    if not all(map(_FILE_NAME.fullmatch, (prediction, *references))):
        return None
    return Note(
        f"{shortened(prediction)!r} looks like the name of a file; it is scored as a text, and the file is not read. "
        "Give the texts of the file; the command `polyrouge score` takes names of files.",
        kind="file_names",
        text=repr(shortened(prediction)),
    )


def parted_texts(sample: Sample) -> Note | None:
    """Note that bars part several texts on one side, as data sets write several references, and not on the other."""
    if "||" not in sample.joined_first_texts or "|" in str(sample.rules.sentence_split):
        return None
    marks = [[_mark_between_texts(text) for of, text in sample.first_texts if of == side] for side in range(2)]
    for side, of_side in enumerate(marks):
        if any(marks[1 - side]) or not any(of_side):
            continue
        mark = next(filter(None, of_side))
        if mark.count("|") < _TELLING_BARS and not (all(of_side) and len(of_side) >= _FEWEST_OF_TWO_BARS):
            continue
        text = next(text for of, text in sample.first_texts if of == side and mark in text)
        noun = _SIDES[side]
        several = "references, make lists of them" if side else "answers, such as beams, score the first"
        parts = f"[text.split({mark!r}){'' if side else '[0]'} for text in {noun}s]"
        in_file = "; in a file, write them as lists, in JSONL or Parquet" if side else ""
        return Note(
            f"The {noun} {shortened(text)!r}, and perhaps others, is scored as one text, and {mark.strip()!r} seems to "
            f"stand between several. If they are several {several}: {parts}{in_file}.",
            kind="parted_texts",
            text=repr(shortened(text)),
            mark=repr(mark.strip()),
        )
    return None


def _mark_between_texts(text: str) -> str:
    """Return the bars between texts with the blanks around them; "" where there are others too, as in a table."""
    match = _BARS.search(text)
    return match[0] if match is not None and {*_ANY_BARS.findall(text)} == {match[0].strip()} else ""


def may_be_stand_ins(predictions: Sequence[str], references: Sequence[str], joined: str) -> bool:
    """Say quickly whether any of these notes may apply to a few pairs; ``joined`` is all texts in one."""
    if not (_MISSING.isdisjoint(predictions) and _MISSING.isdisjoint(references)):
        return True
    if "||" in joined:
        return True
    prediction = predictions[0]
    return len(predictions) == 1 and "." in prediction[-8:] and _FILE_NAME.fullmatch(prediction) is not None
