"""Rows on what people meet first: a machine without compiled kernels, a new process, small calls, one huge pair."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks import peers
from benchmarks.corpora import Corpus, chinese, chinese_titles, english, real
from benchmarks.results import Comparison, Fact, Result
from benchmarks.setup import Setup
from benchmarks.timing import Side, compare, take_turns
from polyrouge import Rouge, compile_kernels

__all__ = ["compiling", "empty_cache", "empty_cache_large", "new_process", "one_pair", "small_calls"]

_FOUR = ("rouge1", "rouge2", "rougeL", "rougeLsum")
_ROUNDS = 5

# Prints its seconds from the import on, and the process that compiles, if there is one.
_SCORE = """
import json, os, sys, time, warnings
warnings.simplefilter("ignore")
texts = json.load(open(sys.argv[1]))
options = json.loads(sys.argv[2])
start, begun = time.perf_counter(), time.time()
from polyrouge import Rouge
Rouge(**options).compute(texts["predictions"], texts["references"])
seconds = time.perf_counter() - start
from polyrouge.counting import kernel_choice
compiler = kernel_choice._STATE.compiler
print(json.dumps([seconds, begun, compiler and compiler._process.pid]))
sys.stdout.flush()
os._exit(0)
"""
_RUST = """
import json, sys, time
texts = json.load(open(sys.argv[1]))
start = time.perf_counter()
import numpy
from rouge_score import scoring
from rouge_score_rs import rouge_scorer
scorer = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeL", "rougeLsum"])
aggregator = scoring.BootstrapAggregator()
for scores in scorer.score_batch(texts["references"], texts["predictions"]):
    aggregator.add_scores({name: scoring.Score(s.precision, s.recall, s.fmeasure) for name, s in scores.items()})
aggregator.aggregate()
print(json.dumps([time.perf_counter() - start, 0, None]))
"""


def empty_cache(setup: Setup) -> Iterator[Result]:
    """A machine that has never compiled, and a new process that ends before the compiler; beside the plain engine."""
    corpora = [
        english(setup.pairs(5000), 62, 3),
        chinese(setup.pairs(5000), 100),
        real("real news summaries", "en_news.jsonl", setup.pairs(5000)),
    ]
    for corpus in filter(None, corpora):
        for cores in (None, 1):
            yield from _beside_plain(setup, corpus, {}, _ROUNDS, cores)


def empty_cache_large(setup: Setup) -> Iterator[Result]:
    """The same for runs in the middle of which the kernels are ready; also beside the best possible."""
    for cores in (None, 1):
        yield from _beside_plain(setup, english(setup.pairs(200_000), 62, 3), {}, 1, cores)
    yield from _beside_plain(setup, chinese_titles(setup.pairs(1_000_000)), {"convention": "zh_char"}, 1, None)


def _beside_plain(
    setup: Setup, corpus: Corpus, options: dict[str, Any], rounds: int, cores: int | None
) -> Iterator[Result]:
    n = len(corpus.predictions)
    where = "one core" if cores else f"{os.cpu_count()} cores"
    with _written(corpus) as file:
        ours, plain, best = [], [], []
        for _ in range(rounds):
            with tempfile.TemporaryDirectory() as folder:
                seconds, begun, compiler = _run(_SCORE, file, {**options, "engine": "auto"}, cores, folder)
                ready = [mark.stat().st_mtime for mark in Path(folder).rglob("*.ready")]
                _end(compiler)
                ours.append(seconds)
                if max(ready, default=begun + seconds) < begun + seconds:
                    best.append((max(ready) - begun, seconds))
            plain.append(_run(_SCORE, file, {**options, "engine": "plain"}, cores)[0])
    ratio = statistics.median(b / a for a, b in zip(ours, plain, strict=True))
    row = "empty_cache" if rounds > 1 else "empty_cache_large"
    work = f"empty cache, new process, 1/2/L/Lsum, {where}"
    texts = f"{corpus.name}, {n:,} pairs"
    yield Comparison(
        row, work, texts, n, setup.threads, "the plain engine",
        statistics.median(ours), statistics.median(plain), ratio, 1 / 1.1, "s",
    )  # fmt: skip
    if best:
        rate = statistics.median(plain) / n  # of the plain engine, until the kernels were there
        ready, seconds = map(statistics.median, zip(*best, strict=True))
        warm = _warm_seconds(corpus, options, cores)
        ideal = ready + max(0.0, 1 - ready / (rate * n)) * warm
        yield Comparison(
            row, work, texts, n, setup.threads, "plain until the kernels were there, then compiled",
            seconds, ideal, ideal / seconds, 1 / 1.15, "s",
        )  # fmt: skip


def _warm_seconds(corpus: Corpus, options: dict[str, Any], cores: int | None) -> float:
    with _written(corpus) as file:
        return _run(_SCORE, file, {**options, "engine": "compiled"}, cores)[0]


def compiling(_setup: Setup) -> Iterator[Fact]:
    """Processor time to compile, in one process on an empty cache: what four types need, and all there is."""
    for what, units, limit in (
        ("kernels of rouge1, rouge2, rougeL, rougeLsum", "needed_units(s.text_rules, s.count_rules)", 15.0),
        ("all kernels", "UNITS", 32.0),
    ):
        code = (
            "import time; from polyrouge import RougeSettings\n"
            "from polyrouge.counting.compiled.kernel_units import UNITS, load_units, needed_units\n"
            "s = RougeSettings(); start = time.process_time()\n"
            f"load_units({units}, may_compile=True); print(time.process_time() - start)"
        )
        seconds = []
        for _ in range(3):
            with tempfile.TemporaryDirectory() as folder:
                environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
                done = subprocess.run([sys.executable, "-c", code], env=environment, check=True, capture_output=True)  # noqa: S603 our own
            seconds.append(float(done.stdout))
        yield Fact("compiling", what, statistics.median(seconds), "s of processor time", limit)


def new_process(setup: Setup) -> Iterator[Comparison]:
    """A new process, kernels on disk: 5,000 pairs, beside the plain engine and beside Rust with its bootstrap."""
    compile_kernels()
    for corpus in (english(5000, 62, 3), english(2000, 220, 9), real("real news summaries", "en_news.jsonl", 5000)):
        if corpus is None:
            continue
        with _written(corpus) as file:

            def ran(code: str, options: dict[str, Any], file: Path = file) -> Callable[[], float]:
                return lambda: _run(code, file, options)[0]

            sides = [ran(_SCORE, {"engine": "auto"}), ran(_SCORE, {"engine": "plain"}), ran(_RUST, {})]
            rounds = [[side() for side in sides] for _ in range(_ROUNDS + 1)][1:]
        for place, (peer, floor) in enumerate(
            (("the plain engine", 2.5), ("rouge-score-rs and rouge_score's BootstrapAggregator", 1.0)), start=1
        ):
            ratio = statistics.median(times[place] / times[0] for times in rounds)
            ours, theirs = (statistics.median(times[side] for times in rounds) for side in (0, place))
            yield Comparison(
                "new_process", "kernels on disk, new process, from the import on, 1/2/L/Lsum",
                f"{corpus.name}, {len(corpus.predictions):,} pairs", len(corpus.predictions), setup.threads,
                peer, ours, theirs, ratio, floor, "s",
            )  # fmt: skip


def small_calls(setup: Setup) -> Iterator[Result]:
    """Calls of 1 to 300 pairs, in a process that has counted before; and in a new one from its first call on."""
    compile_kernels()
    rouge = Rouge(threads=1)
    corpora = [english(3000, 62, 3), real("real news summaries", "en_news.jsonl", 3000), english(3000, 220, 9, seed=1)]
    for corpus in filter(None, corpora):
        rouge.compute(corpus.predictions, corpus.references)
        for size, floor in ((1, None), (8, 1.5), (30, 3.0), (300, 4.0)):
            yield from _in_calls(setup, corpus, rouge, size, floor)
    yield from _chinese_calls(setup)
    yield from _rewards(setup)
    yield from _from_the_first_call_on(setup)


def _in_calls(setup: Setup, corpus: Corpus, rouge: Rouge, size: int, floor: float | None) -> Iterator[Result]:
    from rouge_score_rs import rouge_scorer

    scorer = rouge_scorer.RougeScorer(list(_FOUR))
    n = min(3000, 300 * size) // size * size
    slices = [slice(start, start + size) for start in range(0, n, size)]
    calls = [(corpus.predictions[each], corpus.references[each]) for each in slices]
    if size == 1:
        theirs = lambda: [scorer.score(r[0], p[0]) for p, r in calls]  # noqa: E731
    else:
        theirs = lambda: [scorer.score_batch(r, p) for p, r in calls]  # noqa: E731
    found = list(
        compare(
            "small_calls", f"1/2/L/Lsum, calls of {size}", corpus.name, setup.threads,
            Side(lambda: [rouge.compute(p, r) for p, r in calls], n), {"rouge-score-rs": Side(theirs, n, floor)},
        )
    )  # fmt: skip
    yield from found
    if size == 1:
        yield Fact("small_calls", f"one call of one pair, {corpus.name}", found[0].ours, "µs", 80.0)


def _chinese_calls(setup: Setup) -> Iterator[Comparison]:
    """300 pairs, beside rouge_chinese."""
    scorer = peers.clashing_peer("rouge_chinese").Rouge()
    for corpus in filter(
        None, (chinese_titles(300), real("real LCSTS outputs", "zh_short.jsonl", 300), chinese(300, 100))
    ):
        rouge = Rouge("zh_char", threads=1)
        rouge.compute(corpus.predictions * 20, corpus.references * 20)
        spaced = [" ".join(text) for text in corpus.predictions], [" ".join(text) for text in corpus.references]
        yield from compare(
            "small_calls", "1/2/L/Lsum, zh_char, a call of 300", corpus.name, setup.threads,
            Side(lambda rouge=rouge, corpus=corpus: rouge.compute(corpus.predictions, corpus.references), 300),
            {"rouge_chinese": Side(lambda spaced=spaced: scorer.get_scores(*spaced), 300, 100.0)},
        )  # fmt: skip


def _rewards(setup: Setup) -> Iterator[Fact]:
    """Batches of eight, each with new references."""
    for name, corpus in (
        ("default", english(1600, 62, 3)),
        ("zh_char", chinese(1600, 100)),
        ("zh_word", chinese(1600, 100)),
    ):
        reward = Rouge(name, threads=setup.threads).as_reward()
        reward(completions=corpus.predictions * 20, references=corpus.references * 20)
        batches = [slice(start, start + 8) for start in range(0, 1600, 8)]

        def run(reward: Any = reward, corpus: Corpus = corpus, batches: list[slice] = batches) -> None:
            for each in batches:
                reward(completions=corpus.predictions[each], references=corpus.references[each])

        rounds = take_turns([run], time.process_time)
        microseconds = statistics.median(times[0] for times in rounds) / 1600 * 1e6
        yield Fact("small_calls", f"as_reward, batches of 8, {name}, {corpus.name}", microseconds, "µs a pair", 15.0)


_LOOP = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
texts = json.load(open(sys.argv[1]))
options = json.loads(sys.argv[2])
size, seconds = options.pop("size"), options.pop("seconds")
from polyrouge import Rouge
rouge = Rouge(**options)
predictions, references = texts["predictions"], texts["references"]
calls, place, start = 0, 0, time.perf_counter()
while time.perf_counter() - start < seconds:
    rouge.compute(predictions[place : place + size], references[place : place + size])
    calls += 1
    place = (place + size) % (len(predictions) - size)
print(json.dumps([(time.perf_counter() - start) / calls / size, 0, None]))
"""


def _from_the_first_call_on(setup: Setup) -> Iterator[Comparison]:
    """The same loop in a new process, its first seconds: a pair's share of the time, beside the better engine's."""
    seconds = 10 if setup.quick else 20
    corpus = english(3000, 62, 3)
    with _written(corpus) as file:
        for size in (1, 8, 30, 300):
            times = {
                engine: _run(_LOOP, file, {"engine": engine, "size": size, "seconds": seconds, "threads": 1})[0]
                for engine in ("auto", "plain", "compiled")
            }
            better = min(times["plain"], times["compiled"])
            yield Comparison(
                "small_calls", f"1/2/L/Lsum, calls of {size}, the first {seconds} s of a process", corpus.name, size,
                setup.threads, "the better engine", times["auto"] * 1e6, better * 1e6, better / times["auto"], 1 / 1.15,
            )  # fmt: skip


def one_pair(setup: Setup) -> Iterator[Comparison]:
    """A new process and one pair that the plain engine would count for minutes; kernels on disk."""
    compile_kernels()
    long = english(2, 12_000, 300)
    lines = Corpus(
        "2,000 short lines", *([["\n".join(f"{word} a{i % 97}" for i in range(2000))] for word in ("x", "y")])
    )
    repeated = Corpus("10^6 repeated tokens", ["the cat sat on " * 250_000], ["the dog sat on " * 250_000])
    for types, corpus in ((["rougeS"], long.first(1)), (["rougeLsum"], lines), (["rougeL"], repeated)):
        with _written(corpus) as file:
            runs = [
                [
                    _run(_SCORE, file, {"rouge_types": types, "engine": engine, "threads": setup.threads})[0]
                    for engine in ("auto", "compiled")
                ]
                for _ in range(_ROUNDS)
            ]
        ratio = statistics.median(compiled / auto for auto, compiled in runs)
        ours, theirs = (statistics.median(times[side] for times in runs) for side in (0, 1))
        yield Comparison(
            "one_pair", f"new process, {types[0]} of one pair", corpus.name, 1, setup.threads,
            "the compiled engine and its loading", ours, theirs, ratio, 1 / 1.5, "s",
        )  # fmt: skip


@contextlib.contextmanager
def _written(corpus: Corpus) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "texts.json")
        file.write_text(json.dumps({"predictions": corpus.predictions, "references": corpus.references}))
        yield file


def _run(
    code: str, file: Path, options: Mapping[str, Any], cores: int | None = None, cache: str | None = None
) -> tuple[float, float, int | None]:
    """What a new process prints: its seconds, when it began, and the process that it left behind."""
    environment = {**os.environ, **({"NUMBA_CACHE_DIR": cache} if cache else {})}
    pinned = ["taskset", "-c", "0"] if cores == 1 else []
    command = [*pinned, sys.executable, "-c", code, str(file), json.dumps(options)]
    done = subprocess.run(command, env=environment, check=True, capture_output=True)  # noqa: S603 our own
    return tuple(json.loads(done.stdout))


def _end(process: int | None) -> None:
    """End the process that compiles, so that the next run has the machine for itself."""
    if process is not None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
