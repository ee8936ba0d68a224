"""Rows of what translators print beside their texts.

``fairseq-generate`` prints ``H-7<tab>score<tab>text`` and the like, in any order, in its log; Moses and Marian write
lists of the n best as ``7 ||| text ||| features ||| score``.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from polyrouge.files.encodings import Lines
from polyrouge.files.table import Content, Row

_LINE = re.compile(r"([STHD])-(\d+)\t(.*)", re.DOTALL)
_OF_MOSES = re.compile(r"(\d+) \|\|\| (.*?) ?\|\|\| .*")
_COLUMNS = {"S": "source", "T": "target", "H": "hypothesis", "D": "detokenized"}
_SCORED = "HD"  # a score stands before the text
_LOOK_AHEAD = 2_000  # lines
_LEAST = 2  # of them that look so
_IDS = re.compile(r"[\d\s]+")


def is_generated(lines: Lines) -> tuple[bool, Lines]:
    """Return whether the first lines look like those of fairseq or Moses, and the lines as before."""
    first = list(islice(lines, _LOOK_AHEAD))
    kinds = [match[1] for _, line in first if (match := _LINE.fullmatch(line)) is not None]
    is_log = len(kinds) >= _LEAST and ("H" in kinds or len(kinds) == len(first))
    return is_log or bool(first and all(_OF_MOSES.fullmatch(line) for _, line in first)), chain(first, lines)


def generated_rows(name: str, lines: Lines, notes: list[str]) -> Content:
    """Return a row for each sample, by their numbers; of several hypotheses, the first, which has the best score."""
    samples: dict[int, dict[str, str]] = {}
    n_beams = 1
    for _, line in lines:
        if match := _LINE.fullmatch(line):
            kind, number, text = match[1], int(match[2]), match[3]
            text = text.partition("\t")[2] if kind in _SCORED else text
        elif match := _OF_MOSES.fullmatch(line):
            kind, number, text = "H", int(match[1]), match[2]
        else:
            continue
        sample = samples.setdefault(number, {})
        if _COLUMNS[kind] in sample:
            n_beams += kind == "H"
            continue
        sample[_COLUMNS[kind]] = text
    columns = [column for column in _COLUMNS.values() if all(column in sample for sample in samples.values())]
    # With the byte pairs of GPT-2, fairseq decodes D lines only; the others are ids.
    columns = [column for column in columns if not all(_IDS.fullmatch(sample[column]) for sample in samples.values())]
    if n_beams > 1:
        notes.append(f"{name} has several hypotheses of a sample; the first of each is read")
    if {"target", "hypothesis", "detokenized"} <= set(columns):
        is_other = any(sample["hypothesis"] != sample["detokenized"] for sample in samples.values())
        if is_other:
            notes.append(
                f"{name}: its T lines are tokenized as its H lines are, and its D lines are not. For D lines give a "
                "file of the references as they were before; H lines are the column 'hypothesis'"
            )
    records = [
        {"id": str(number), **{column: samples[number][column] for column in columns}} for number in sorted(samples)
    ]

    def rows(texts: Sequence[str], further: Sequence[str]) -> Iterator[Row]:
        for record in records:
            yield Row(f"sample {record['id']}", {column: record[column] for column in (*texts, *further)})

    return Content(["id", *columns], columns, [], rows, lambda: records)
