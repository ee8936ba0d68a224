r"""rouge_score's command: ``python -m polyrouge.compat.rouge_score.rouge``.

It takes the same flags, in the spelling of absl (``--use_stemmer``, ``--nouse_stemmer``, ``--use_stemmer=false``)::

    python -m polyrouge.compat.rouge_score.rouge --target_filepattern=*.targets \
        --prediction_filepattern=*.decodes --output_filename=scores.csv --use_stemmer
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NoReturn

from polyrouge.compat.rouge_score import io, rouge_scorer, scoring

_SWITCHES = {"use_stemmer": False, "aggregate": True, "split_summaries": False}
_TRUE, _FALSE = ("true", "t", "1"), ("false", "f", "0")


class _Parser(argparse.ArgumentParser):
    """Ends with 1 for a flag that is wrong, as absl does."""

    def error(self, message: str) -> NoReturn:
        self.print_usage()
        self.exit(1, f"{self.prog}: {message}\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="rouge", description="ROUGE scores across text files, as CSV.", allow_abbrev=False)
    parser.add_argument("--target_filepattern", required=True, help="Files with targets.")
    parser.add_argument("--prediction_filepattern", required=True, help="Files with predictions.")
    parser.add_argument("--output_filename", required=True, help="File for the scores, as CSV.")
    parser.add_argument("--delimiter", default="\n", help="What ends a record in the files; a line break.")
    types = "ROUGE types, with commas between."
    parser.add_argument("--rouge_types", default="rouge1,rouge2,rougeL", help=types)
    for name, default in _SWITCHES.items():
        parser.add_argument(f"--{name}", nargs="?", const=True, default=default, type=_switch, help=f"{default}.")
        parser.add_argument(f"--no{name}", dest=name, action="store_false", help=argparse.SUPPRESS)
    return parser


def _switch(word: str) -> bool:
    if word.lower() in _TRUE + _FALSE:
        return word.lower() in _TRUE
    raise argparse.ArgumentTypeError(f"{word!r} is neither true nor false")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command with these arguments, or with those of the process."""
    flags = _parser().parse_args(arguments)
    scorer = rouge_scorer.RougeScorer(
        [name.strip() for name in flags.rouge_types.split(",")],
        use_stemmer=flags.use_stemmer,
        split_summaries=flags.split_summaries,
    )
    io.compute_scores_and_write_to_csv(
        flags.target_filepattern,
        flags.prediction_filepattern,
        flags.output_filename,
        scorer,
        scoring.BootstrapAggregator() if flags.aggregate else None,
        delimiter=flags.delimiter,
    )


if __name__ == "__main__":
    main()
