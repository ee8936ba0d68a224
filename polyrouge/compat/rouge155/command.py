"""``polyrouge rouge155``: ROUGE-1.5.5's command line without Perl, with the same arguments and the same lines."""

import functools
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence

from polyrouge.compat.rouge155.evaluation import EmptyReferenceError, MetricResult155, Rouge155Evaluator, Rouge155Task
from polyrouge.compat.rouge155.input_files import EvaluationEntry, read_configuration, read_file_list, read_sentences155
from polyrouge.compat.rouge155.options import USAGE, Rouge155Arguments, Rouge155Options, read_arguments
from polyrouge.conventions.rouge155 import load_stop_words, load_wordnet_exceptions
from polyrouge.errors import visible

_DIED = 255  # the script's own exit status, where it dies at ROUGE-W
_BAD_INPUT = 2  # polyrouge's, for bad arguments, files and tables


def main(argv: Sequence[str] | None = None) -> int:
    """Print the script's lines for its arguments, metric by metric, and return the exit status."""
    try:
        arguments = read_arguments(sys.argv[1:] if argv is None else argv)
        for warning in arguments.warnings:
            _complain(warning)
        if arguments.help:
            sys.stdout.write(USAGE)
            return 0
        for line in output_lines(arguments):
            sys.stdout.write(visible(line) + "\n")
    except BrokenPipeError:  # the reader has closed the pipe, as `head` does: no message, and nothing to flush
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _BAD_INPUT
    except (ValueError, OSError, ModuleNotFoundError) as error:
        _complain(str(error))
        return _DIED if isinstance(error, EmptyReferenceError) else _BAD_INPUT
    return 0


def result_lines(result: MetricResult155, system: str, arguments: Rouge155Arguments) -> Iterator[str]:
    """Yield the script's lines for one metric of one system (printResults, 641-672)."""
    metric = f"ROUGE-W-{arguments.shown_weight}" if result.metric.startswith("ROUGE-W-") else result.metric
    yield "---------------------------------------------"
    if result.recall is None or result.precision is None or result.fmeasure is None:
        reference, prediction, hits = (int(total) for total in result.totals[:3])
        yield f"{system} {metric} M_count: {reference} P_count: {prediction} H_count: {hits}"
    else:
        for letter, line in (("R", result.recall), ("P", result.precision), ("F", result.fmeasure)):
            interval = f"({arguments.shown_confidence}%-conf.int. {line.low:.5f} - {line.high:.5f})"
            yield f"{system} {metric} Average_{letter}: {line.average:.5f} {interval}"
    if arguments.per_evaluation:
        yield "............................................."
        for score in sorted(result.documents, key=lambda score: _by_evaluation(score.name)):
            if arguments.options.counting == "documents":
                recall, precision, f = (f"{value:.5f}" for value in (score.recall, score.precision, score.fmeasure))
            else:
                recall, precision, f = (f"{count:.15g}" for count in score.counts[:3])
            yield f"{system} {metric} Eval {score.name} R:{recall} P:{precision} F:{f}"


def output_lines(arguments: Rouge155Arguments) -> Iterator[str]:
    """Yield all lines that the script prints, metric by metric; notes go to standard error."""
    if arguments.list_format is None:
        evaluations = read_configuration(arguments.configuration)
    else:
        evaluations = read_file_list(arguments.configuration, arguments.list_format, arguments.system or "X")
    all_systems = {system for evaluation in evaluations for system in evaluation.predictions}
    systems = sorted(all_systems) if arguments.system is None else [arguments.system]
    for evaluation in evaluations:
        for note in evaluation.notes:
            _complain(note)
    evaluator = make_evaluator(arguments)
    read = functools.cache(read_sentences155)
    for system in systems:
        for result in evaluator.results(list(_tasks(evaluations, system, read, arguments.options))):
            yield from result_lines(result, system, arguments)


def make_evaluator(arguments: Rouge155Arguments) -> Rouge155Evaluator:
    """Make the evaluator for these arguments, with tables from the folder of arguments or environment."""
    folder = arguments.data_folder or os.environ.get("ROUGE_EVAL_HOME") or os.environ.get("RED_EVAL_HOME")
    stems = arguments.options.stem or arguments.options.stem_references
    return Rouge155Evaluator(
        arguments.options,
        exceptions=load_wordnet_exceptions(folder) if stems else None,
        stop_words=load_stop_words(folder) if arguments.options.remove_stop_words else None,
    )


def _tasks(
    evaluations: list[EvaluationEntry], system: str, read: Callable[[str, str], list[str]], options: Rouge155Options
) -> Iterator[Rouge155Task]:
    """Yield the evaluations with this system; skip the others with a warning (1005-1014)."""
    for evaluation in evaluations:
        if system not in evaluation.predictions:
            note = f"test instance for peer {system} does not exist for evaluation {evaluation.name}"
            sys.stderr.write(f"*ROUGE Warning: {visible(note)}\n")
            continue
        if (evaluation.input_format.upper() == "SIMPLE") != (options.basic_elements is not None):
            raise ValueError(
                f"{evaluation.location}: evaluation {evaluation.name!r} is in the format {evaluation.input_format}; "
                "basic elements (SIMPLE) are for -3 alone, and all other formats are not for -3."
            )
        entries, texts = [evaluation.predictions[system], *evaluation.references], []
        try:
            for entry in entries:
                texts.append(read(entry.path, evaluation.input_format))  # noqa: PERF401 the error names the next
        except OSError as error:
            entry, role = entries[len(texts)], "reference" if texts else "prediction"
            raise ValueError(
                f"{entry.location}: cannot read {role} {entry.path!r} of evaluation {evaluation.name!r} "
                f"({error.strerror}); paths are relative to the current folder, {os.getcwd()}."
            ) from error
        yield Rouge155Task(f"{evaluation.name}.{system}", texts[0], texts[1:])


@functools.cmp_to_key
def _by_evaluation(first: str, second: str) -> int:
    """Compare two names by the numbers that they begin with, else as strings (by_evalID, 776-791)."""
    numbers = [re.match("[0-9]+", name) for name in (first, second)]
    if numbers[0] and numbers[1]:
        return int(numbers[0][0]) - int(numbers[1][0])
    return (first > second) - (first < second)


def _complain(message: str) -> None:
    sys.stderr.write(f"rouge155: {visible(message)}\n")


if __name__ == "__main__":
    raise SystemExit(main())
