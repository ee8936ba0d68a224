"""rouge_score's ``io``: files of targets and predictions in, a CSV file of scores out."""

from __future__ import annotations

import glob
import logging
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from polyrouge.compat.rouge_score.rouge_scorer import RougeScorer

_log = logging.getLogger(__name__)


def compute_scores_and_write_to_csv(
    target_filepattern: str,
    prediction_filepattern: str,
    output_filename: str,
    scorer: Any,
    aggregator: Any,
    delimiter: str = "\n",
) -> None:
    r"""Score the records of files, and write a CSV file.

    Args:
        target_filepattern: pattern of the files with targets, as ``glob`` takes it.
        prediction_filepattern: pattern of as many files with predictions; files belong together by their sorted names.
        output_filename: file to write: a row for each type and measure with its low, mid and high, or, without an
            aggregator, a row for each record.
        scorer: with ``score(target, prediction)``.
        aggregator: with ``add_scores`` and ``aggregate``; None for the scores of each record.
        delimiter: what ends a record.

    Raises:
        ValueError: no files, unequal numbers of files or of records, or a ROUGE type that is not known.
    """
    target_files, prediction_files = glob.glob(target_filepattern), glob.glob(prediction_filepattern)
    if not target_files or len(target_files) != len(prediction_files):
        raise ValueError(
            "Must have equal and positive number of target and prediction files. Found: "
            f"{len(target_files)} target files ({target_filepattern}), "
            f"{len(prediction_files)} prediction files ({prediction_filepattern})."
        )
    targets, predictions = _paired_records(sorted(target_files), sorted(prediction_files), delimiter)
    if isinstance(scorer, RougeScorer):
        scores = scorer.score_batch(targets, predictions)
    else:
        scores = list(map(scorer.score, targets, predictions))
    if aggregator:
        for score in scores:
            aggregator.add_scores(score)
        _write(output_filename, _aggregate_lines(aggregator.aggregate()))
    elif scores:
        _write(output_filename, _score_lines(scores))
    else:
        _log.warning("No scores to write")


def _paired_records(
    target_files: Sequence[str], prediction_files: Sequence[str], delimiter: str
) -> tuple[list[str], list[str]]:
    """The records of all files."""
    targets, predictions = [], []
    for target_file, prediction_file in zip(target_files, prediction_files, strict=True):
        _log.info("Reading targets from %s and predictions from %s.", target_file, prediction_file)
        pairs = zip_longest(_records(target_file, delimiter), _records(prediction_file, delimiter))
        for target, prediction in pairs:
            if target is None or prediction is None:
                raise ValueError(
                    "Must have equal number of lines across target and prediction files. Mismatch between files: "
                    f"{target_file}, {prediction_file}."
                )
            targets.append(target)
            predictions.append(prediction)
    return targets, predictions


def _records(file: str, delimiter: str) -> list[str]:
    """The records of a file; what stands behind the last delimiter is one if it is not empty."""
    with open(file) as lines:  # in the encoding of the machine, as there
        records = lines.read().split(delimiter)
    if records[-1]:
        _log.warning("Expected delimiter at end of file")
        return records
    return records[:-1]


def _aggregate_lines(aggregates: Mapping[str, Any]) -> list[str]:
    lines = ["score_type,low,mid,high"]
    for score_type, ends in sorted(aggregates.items()):
        for letter, measure in (("R", "recall"), ("P", "precision"), ("F", "fmeasure")):
            numbers = ",".join(f"{getattr(end, measure):f}" for end in (ends.low, ends.mid, ends.high))
            lines.append(f"{score_type}-{letter},{numbers}")
    return lines


def _score_lines(scores: Sequence[Mapping[str, Any]]) -> list[str]:
    types = sorted(scores[0])
    lines = ["id" + "".join(f",{name}-P,{name}-R,{name}-F" for name in types)]
    for row, result in enumerate(scores):
        found = [result[name] for name in types]
        numbers = [f",{each.precision:f},{each.recall:f},{each.fmeasure:f}" for each in found]
        lines.append(f"{row}{''.join(numbers)}")
    return lines


def _write(file: str, lines: Sequence[str]) -> None:
    _log.info("Writing results to %s.", file)
    with open(file, "w") as output:
        output.writelines(f"{line}\n" for line in lines)
