"""The command that rouge and rouge_chinese install: two texts, or two files, to scores as JSON."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any


def run_command(name: str, rouge: Any, files_rouge: Any, arguments: Sequence[str] | None = None) -> None:
    """Parse arguments, score and print.

    Args:
        name: of the command.
        rouge: the class for texts.
        files_rouge: the class for files.
        arguments: None for those of the process.
    """
    metrics = {metric.removeprefix("rouge-").upper(): metric for metric in rouge.AVAILABLE_METRICS}
    stats = [stat.upper() for stat in rouge.AVAILABLE_STATS]
    parser = argparse.ArgumentParser(prog=name, description="Rouge Metric Calculator")
    parser.add_argument("-f", "--file", action="store_true", help="both are files, scored line by line")
    parser.add_argument("-a", "--avg", action="store_true", help="print means")
    parser.add_argument("--ignore_empty", action="store_true", help="leave out lines without text")
    parser.add_argument("hypothesis", help="text, or path of a file")
    parser.add_argument("reference", help="text, or path of a file")
    parser.add_argument("--metrics", nargs="+", type=str.upper, choices=metrics, help="metrics (three by default)")
    parser.add_argument("--stats", nargs="+", type=str.upper, choices=stats, help="stats (all by default)")
    given = parser.parse_args(arguments)
    options = (given.metrics and [metrics[each] for each in given.metrics], given.stats)
    texts, keywords = (given.hypothesis, given.reference), {"avg": given.avg}
    if given.file:
        scores = files_rouge(*options).get_scores(*texts, ignore_empty=given.ignore_empty, **keywords)
    else:
        scores = rouge(*options).get_scores(*texts, **keywords)
    sys.stdout.write(json.dumps(scores, indent=2) + "\n")
