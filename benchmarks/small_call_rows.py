"""Rows on what people meet first: a new process, a new machine, calls with a pair or a few."""

from __future__ import annotations

import contextlib
import json
import logging
import os
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
from polyrouge import Rouge
from polyrouge.compat.rouge_score.rouge_scorer import RougeScorer

__all__ = ["busy_machine", "new_process", "small_calls"]

_FOUR = ("rouge1", "rouge2", "rougeL", "rougeLsum")
_ROUNDS = 5
_BUSY = 4  # processes that do nothing but take time

# Each prints its seconds from the import on.
_SCORE = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
texts = json.load(open(sys.argv[1]))
options = json.loads(sys.argv[2])
start = time.perf_counter()
from polyrouge import Rouge
Rouge(**options).compute(texts["predictions"], texts["references"])
print(time.perf_counter() - start)
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
print(time.perf_counter() - start)
"""


def new_process(setup: Setup) -> Iterator[Comparison]:
    """A new process that has no cache: beside the plain engine, and beside Rust with its bootstrap."""
    for corpus in (english(5000, 62, 3), english(2000, 220, 9), real("real news summaries", "en_news.jsonl", 5000)):
        if corpus is None:
            continue
        with _written(corpus) as file:
            sides = [_ran(_SCORE, file, {}), _ran(_SCORE, file, {"engine": "plain"}), _ran(_RUST, file, {})]
            rounds = [[side() for side in sides] for _ in range(_ROUNDS + 1)][1:]
        peers_of_row = (("the plain engine", 2.5), ("rouge-score-rs and rouge_score's BootstrapAggregator", 2.0))
        for place, (peer, floor) in enumerate(peers_of_row, start=1):
            ratio = statistics.median(times[place] / times[0] for times in rounds)
            ours, theirs = (statistics.median(times[side] for times in rounds) for side in (0, place))
            yield Comparison(
                "new_process", "new process, from the import on, 1/2/L/Lsum",
                f"{corpus.name}, {len(corpus.predictions):,} pairs", len(corpus.predictions), setup.threads,
                peer, ours, theirs, ratio, floor, "s",
            )  # fmt: skip


def busy_machine(setup: Setup) -> Iterator[Comparison]:
    """The first process on a new machine, beside processes that take the cores; and one that finds all it can keep."""
    for name, n, floor in (("zh_char", 1_000_000, 1.0), ("zh_word", 200_000, None)):
        corpus = chinese_titles(setup.pairs(n))
        options = {"convention": name, "threads": setup.threads}
        with _written(corpus) as file, tempfile.TemporaryDirectory() as kept:
            _ran(_SCORE, file, options, kept)()
            busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(_BUSY)]
            try:
                rounds = [[_ran(_SCORE, file, options)(), _ran(_SCORE, file, options, kept)()] for _ in range(_ROUNDS)]
            finally:
                for process in busy:
                    process.kill()
                    process.wait()
        ours, theirs = map(statistics.median, zip(*rounds, strict=True))
        ratio = statistics.median(warm / new for new, warm in rounds)
        yield Comparison(
            "busy_machine", f"first process beside four busy ones, {name}", corpus.name, len(corpus.predictions),
            setup.threads, "a later process", ours, theirs, ratio, floor, "s",
        )  # fmt: skip


def small_calls(setup: Setup) -> Iterator[Result]:
    """Calls of 1 to 300 pairs."""
    rouge = Rouge(threads=1)
    corpora = [english(3000, 62, 3), real("real news summaries", "en_news.jsonl", 3000), english(3000, 220, 9, seed=1)]
    for corpus in filter(None, corpora):
        for size, floor in ((1, 1.2), (8, 3.0), (30, 4.0), (300, 5.0)):
            yield from _in_calls(setup, corpus, rouge, size, floor)
        yield from _through_compat(setup, corpus)
    yield from _chinese_calls(setup)
    yield from _calls_by_convention(setup)
    yield from _scores_of_samples(setup)
    yield from _rewards(setup)


def _in_calls(setup: Setup, corpus: Corpus, rouge: Rouge, size: int, floor: float) -> Iterator[Result]:
    from rouge_score_rs import rouge_scorer

    scorer = rouge_scorer.RougeScorer(list(_FOUR))
    n = min(3000, 300 * size) // size * size
    slices = [slice(start, start + size) for start in range(0, n, size)]
    calls = [(corpus.predictions[each], corpus.references[each]) for each in slices]
    theirs = lambda: [[scorer.score(r, p) for p, r in zip(*sides, strict=True)] for sides in calls]  # noqa: E731
    yield from compare(
        "small_calls", f"1/2/L/Lsum, calls of {size}", corpus.name, setup.threads,
        Side(lambda: [rouge.compute(p, r) for p, r in calls], n), {"rouge-score-rs": Side(theirs, n, floor)},
    )  # fmt: skip


def _through_compat(setup: Setup, corpus: Corpus) -> Iterator[Result]:
    from rouge_score_rs import rouge_scorer

    ours, theirs = RougeScorer(list(_FOUR)), rouge_scorer.RougeScorer(list(_FOUR))
    pairs = list(zip(corpus.references[:300], corpus.predictions[:300], strict=True))
    yield from compare(
        "small_calls", "1/2/L/Lsum, compat.rouge_score, a pair a call", corpus.name, setup.threads,
        Side(lambda: [ours.score(*pair) for pair in pairs], len(pairs)),
        {"rouge-score-rs": Side(lambda: [theirs.score(*pair) for pair in pairs], len(pairs), 1.0)},
    )  # fmt: skip


def _chinese_calls(setup: Setup) -> Iterator[Comparison]:
    """Ten calls of 300 pairs each, beside rouge_chinese with the first 300 of them."""
    scorer = peers.clashing_peer("rouge_chinese").Rouge()
    for corpus in filter(
        None, (chinese_titles(3000), real("real LCSTS outputs", "zh_short.jsonl", 3000), chinese(3000, 100))
    ):
        rouge = Rouge("zh_char", threads=1)
        slices = [slice(start, start + 300) for start in range(0, 3000, 300)]
        calls = [(corpus.predictions[each], corpus.references[each]) for each in slices]
        spaced = [[" ".join(text) for text in texts] for texts in calls[0]]
        yield from compare(
            "small_calls", "1/2/L/Lsum, zh_char, calls of 300", corpus.name, setup.threads,
            Side(lambda rouge=rouge, calls=calls: [rouge.compute(*call) for call in calls], 3000),
            {"rouge_chinese": Side(lambda spaced=spaced: scorer.get_scores(*spaced), 300, 150.0)},
        )  # fmt: skip


def _calls_by_convention(setup: Setup) -> Iterator[Comparison]:
    """300 calls of one pair, and ten of 300, beside the tool that each convention stands for, its jieba included."""
    import jieba

    jieba.setLogLevel(logging.WARNING)
    jieba.initialize()
    rouge, rouge_chinese = (peers.clashing_peer(module).Rouge() for module in ("rouge", "rouge_chinese"))
    lawrouge = peers.clashing_peer("lawrouge").Rouge()
    coco = peers.clashing_peer("pycocoevalcap.rouge.rouge").Rouge()
    words = lambda text: " ".join(jieba.cut(text))  # noqa: E731 one of several
    titles = real("real LCSTS outputs", "zh_short.jsonl", 3000) or chinese_titles(3000)
    news = english(3000, 20, 2)

    def by_words(scorer: Any) -> Callable[[str, str], object]:
        return lambda prediction, reference: scorer.get_scores(words(prediction), words(reference))

    tools: dict[str, tuple[Corpus, Callable[[str, str], object]]] = {
        "zh_word": (titles, by_words(rouge_chinese)),
        "rouge_chinese": (titles, by_words(rouge_chinese)),
        "llama_factory": (titles, by_words(rouge_chinese)),
        "ms_swift": (titles, by_words(rouge)),
        "longbench_zh": (titles, by_words(rouge)),
        "t5_pegasus": (titles, lambda *pair: rouge.get_scores(*(" ".join(text).lower() for text in pair))),
        "lawrouge": (titles, lambda prediction, reference: lawrouge.get_scores([prediction], [reference], avg=1)),
        "coco": (news, lambda prediction, reference: coco.calc_score([prediction], [reference])),
        "pltrdy": (news, rouge.get_scores),
    }
    for name, (corpus, tool) in tools.items():
        metric = Rouge(name, threads=1)
        pairs = list(zip(corpus.predictions, corpus.references, strict=True))
        few = pairs[:60]
        peers_of_row = {"its tool": Side(lambda few=few, tool=tool: [tool(*pair) for pair in few], len(few), 5.0)}
        if name == "zh_word":  # no published tool counts these words as rouge_score does
            cut = Side(lambda: [list(jieba.cut(text)) for pair in few for text in pair], len(few))  # noqa: B023 called here
            peers_of_row = {"jieba and rouge_chinese": peers_of_row["its tool"], "list(jieba.cut(t)) alone": cut}
        for size, n, floor in ((1, 300, 5.0), (300, 3000, 55.0 if name in ("zh_word", "llama_factory") else 40.0)):
            calls = [[*map(list, zip(*pairs[start : start + size], strict=True))] for start in range(0, n, size)]
            ours = Side(lambda metric=metric, calls=calls: [metric.compute(*call) for call in calls], n)
            floors = {peer: side._replace(floor=side.floor and floor) for peer, side in peers_of_row.items()}
            yield from compare("small_calls", f"{name}, calls of {size}", corpus.name, setup.threads, ours, floors)


def _scores_of_samples(setup: Setup) -> Iterator[Comparison]:
    """``Rouge.score`` beside ``Rouge.compute`` of the same pairs: how much longer the columns take."""
    corpus = english(2400, 62, 3)
    rouge = Rouge(threads=1)
    for size, floor in ((1, 1 / 1.3), (8, 1 / 1.2), (300, 1 / 1.1)):
        n = min(2400, 300 * size)
        slices = [slice(start, start + size) for start in range(0, n, size)]
        calls = [(corpus.predictions[each], corpus.references[each]) for each in slices]
        yield from compare(
            "small_calls", f"Rouge.score, calls of {size}", corpus.name, setup.threads,
            Side(lambda calls=calls: [rouge.score(*call) for call in calls], n),
            {"Rouge.compute": Side(lambda calls=calls: [rouge.compute(*call) for call in calls], n, floor)},
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


@contextlib.contextmanager
def _written(corpus: Corpus) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "texts.json")
        file.write_text(json.dumps({"predictions": corpus.predictions, "references": corpus.references}))
        yield file


def _ran(code: str, file: Path, options: Mapping[str, Any], kept: str | None = None) -> Callable[[], float]:
    """Seconds of a new process, with a cache folder of its own unless one is given."""

    def run() -> float:
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-c", code, str(file), json.dumps(dict(options))]
            environment = {**os.environ, "POLYROUGE_CACHE_DIR": kept or folder}
            done = subprocess.run(command, env=environment, check=True, capture_output=True)  # noqa: S603 our own
            return float(done.stdout)

    return run
