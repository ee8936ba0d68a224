r"""rouge_score's ``io`` and its command: files of targets and predictions in, a CSV file of scores out.

The command takes the same flags, in the spelling of absl (``--use_stemmer``, ``--nouse_stemmer``,
``--use_stemmer=false``)::

    python -m polyrouge.compat.rouge_score.rouge --target_filepattern=*.targets \
        --prediction_filepattern=*.decodes --output_filename=scores.csv --use_stemmer
"""

import argparse
import glob
import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from polyrouge.compat.rouge_score import rouge_scorer, scoring

_log = logging.getLogger(__name__)
_SWITCHES = {"use_stemmer": False, "aggregate": True, "split_summaries": False}
_WORDS = {"true": True, "t": True, "1": True, "false": False, "f": False, "0": False}


def compute_scores_and_write_to_csv(
    target_filepattern: str,
    prediction_filepattern: str,
    output_filename: str,
    scorer: Any,
    aggregator: Any,
    delimiter: str = "\n",
) -> None:
    r"""Score the records of files, and write a CSV file.

    The patterns are those of ``glob``; files are paired by their sorted names. The CSV file has a row for each type and
    measure with its low, mid and high, or, if ``aggregator`` is None, a row for each record.

    Raises:
        ValueError: no files, unequal numbers of files or of records, or a ROUGE type that is not known.
    """
    target_files, prediction_files = (sorted(glob.glob(each)) for each in (target_filepattern, prediction_filepattern))
    if not target_files or len(target_files) != len(prediction_files):
        raise ValueError(
            "Must have equal and positive number of target and prediction files. Found: "
            f"{len(target_files)} target files ({target_filepattern}), "
            f"{len(prediction_files)} prediction files ({prediction_filepattern})."
        )
    targets: list[str] = []
    predictions: list[str] = []
    for files in zip(target_files, prediction_files, strict=True):
        target_records, prediction_records = (_records(file, delimiter) for file in files)
        if len(target_records) != len(prediction_records):
            raise ValueError(
                "Must have equal number of lines across target and prediction files. Mismatch between files: "
                f"{files[0]}, {files[1]}."
            )
        targets += target_records
        predictions += prediction_records
    if isinstance(scorer, rouge_scorer.RougeScorer):
        scores = scorer.score_batch(targets, predictions)
    else:
        scores = list(map(scorer.score, targets, predictions))
    if aggregator:
        for score in scores:
            aggregator.add_scores(score)
        lines = _aggregate_lines(aggregator.aggregate())
    elif scores:
        lines = _score_lines(scores)
    else:
        _log.warning("No scores to write")
        return
    with open(output_filename, "w") as output:
        output.writelines(f"{line}\n" for line in lines)


def _records(file: str, delimiter: str) -> list[str]:
    """The records of a file; what follows the last delimiter is one too, unless it is empty."""
    with open(file) as lines:  # in the encoding of the machine, as there
        records = lines.read().split(delimiter)
    if records[-1]:
        _log.warning("Expected delimiter at end of file")
        return records
    return records[:-1]


def _aggregate_lines(aggregates: Mapping[str, Any]) -> Iterator[str]:
    yield "score_type,low,mid,high"
    for score_type, ends in sorted(aggregates.items()):
        for letter, measure in (("R", "recall"), ("P", "precision"), ("F", "fmeasure")):
            numbers = ",".join(f"{getattr(end, measure):f}" for end in (ends.low, ends.mid, ends.high))
            yield f"{score_type}-{letter},{numbers}"


def _score_lines(scores: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    types = sorted(scores[0])
    yield "id" + "".join(f",{name}-P,{name}-R,{name}-F" for name in types)
    for row, result in enumerate(scores):
        of_types = (result[name] for name in types)
        yield f"{row}" + "".join(f",{each.precision:f},{each.recall:f},{each.fmeasure:f}" for each in of_types)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command with these arguments, or with those of the process."""
    parser = argparse.ArgumentParser(
        prog="rouge", description="ROUGE scores across text files, as CSV.", allow_abbrev=False
    )
    parser.add_argument("--target_filepattern", required=True, help="Files with targets.")
    parser.add_argument("--prediction_filepattern", required=True, help="Files with predictions.")
    parser.add_argument("--output_filename", required=True, help="File for the scores, as CSV.")
    parser.add_argument("--delimiter", default="\n", help="What ends a record in the files; a line break.")
    parser.add_argument("--rouge_types", default="rouge1,rouge2,rougeL", help="ROUGE types, with commas between.")
    for name, default in _SWITCHES.items():
        parser.add_argument(f"--{name}", nargs="?", const=True, default=default, type=_switch, help=f"{default}.")
        parser.add_argument(f"--no{name}", dest=name, action="store_false", help=argparse.SUPPRESS)
    flags = parser.parse_args(arguments)
    types = [name.strip() for name in flags.rouge_types.split(",")]
    scorer = rouge_scorer.RougeScorer(types, flags.use_stemmer, flags.split_summaries)
    aggregator = scoring.BootstrapAggregator() if flags.aggregate else None
    patterns = flags.target_filepattern, flags.prediction_filepattern
    compute_scores_and_write_to_csv(*patterns, flags.output_filename, scorer, aggregator, flags.delimiter)


def _switch(word: str) -> bool:
    if word.lower() not in _WORDS:
        raise argparse.ArgumentTypeError(f"{word!r} is neither true nor false")
    return _WORDS[word.lower()]
