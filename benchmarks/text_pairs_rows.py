"""Rows on texts against each other: near duplicates, nearest texts, all pairs, consensus, oracle sentences."""

from __future__ import annotations

import itertools
import json
import random
import re
import statistics
import time
from collections.abc import Callable, Iterator

import numpy as np
from rouge_score.rouge_scorer import RougeScorer, _score_lcs

from benchmarks import peers
from benchmarks.corpora import SHARED, Corpus, english
from benchmarks.results import Comparison, Fact
from benchmarks.scaling_rows import resident_peak
from benchmarks.setup import Setup
from benchmarks.timing import Side, compare, seconds
from polyrouge import Rouge
from polyrouge.beyond.pairs import consensus, deduplicate, nearest, oracle_batch, pairwise

__all__ = ["all_pairs", "candidates", "million_texts", "near_duplicates", "nearest_texts", "oracles"]

_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
_OF_ALPACA = "Alpaca's instructions"


def near_duplicates(setup: Setup) -> Iterator[Comparison | Fact]:
    """The filter of Self-Instruct and Alpaca over Alpaca's instructions, and over Chinese ones by character."""
    for language, convention, above, most_seconds in (
        ("en", "rouge_score", 0.7, 1.5),
        ("en", "rouge_score", 0.5, 2.0),
        ("zh", "zh_char", 0.7, 0.6),
    ):
        texts = _instructions(language)
        if not texts:
            return

        def run(texts: list[str] = texts, above: float = above, convention: str = convention) -> object:
            return deduplicate(texts, above=above, rouge=Rouge(convention, threads=setup.threads))

        run()
        resident_before = resident_peak(reset=True)
        run()
        peak = resident_peak() - resident_before
        what = f"near duplicates of {len(texts):,} instructions ({language}), rougeL above {above}"
        yield Fact("near_duplicates", f"{what}: time", _median_seconds(run), "s", most_seconds)
        yield Fact("near_duplicates", f"{what}: peak memory above the inputs", peak / 1e6, "MB", 250.0)
    few = _instructions("en")[: setup.pairs(1500)]
    mine = _median_seconds(lambda: deduplicate(few, rouge=Rouge("rouge_score", threads=setup.threads)))
    theirs = seconds(lambda: _kept_by_rouge_score(few), time.process_time)
    texts = f"{_OF_ALPACA}, the first {len(few):,}"
    work = "near duplicates, rougeL above 0.7"
    micro = 1e6 / len(few)
    yield Comparison(
        *("near_duplicates", work, texts, 1, setup.threads, "rouge_score's loop, once"),
        *(mine * micro, theirs * micro, theirs / mine, 3000.0, "µs a text"),
    )


def _kept_by_rouge_score(texts: list[str]) -> list[list[str]]:
    """The loop of Self-Instruct and of what came after it."""
    tokenize = RougeScorer(["rougeL"])._tokenizer.tokenize
    kept: list[list[str]] = []
    for tokens in map(tokenize, texts):
        if not any(_score_lcs(tokens, other).fmeasure > 0.7 for other in kept):
            kept.append(tokens)
    return kept


def million_texts(setup: Setup) -> Iterator[Fact]:
    """A million texts made of Alpaca's instructions, by drawing three words in ten anew."""
    texts = _instructions("en")
    if not texts:
        return
    rng = random.Random(0)  # noqa: S311 no secret
    n = setup.pairs(1_000_000)
    many = [_redrawn(text, texts, rng) for text in itertools.islice(itertools.cycle(texts), n)]
    before = resident_peak(reset=True)
    passed = seconds(lambda: deduplicate(many, rouge=Rouge("rouge_score", threads=setup.threads)), time.process_time)
    what = f"near duplicates of {n:,} texts, rougeL above 0.7"
    yield Fact("million_texts", f"{what}: time", passed, "s", 120.0)
    yield Fact("million_texts", f"{what}: peak memory above the inputs", (resident_peak() - before) / 1e6, "MB", 3000.0)


def nearest_texts(setup: Setup) -> Iterator[Fact]:
    """A thousand of Alpaca's instructions, and a thousand with three words in ten drawn anew, against all of them."""
    texts = _instructions("en")
    if not texts:
        return
    rng = random.Random(1)  # noqa: S311 no secret
    same = rng.sample(texts, setup.pairs(1000))
    for name, queries in (("themselves", same), ("redrawn", [_redrawn(text, texts, rng) for text in same])):

        def run(queries: list[str] = queries) -> object:
            return nearest(queries, texts, 5, rouge=Rouge("rouge_score", threads=setup.threads))

        what = f"nearest 5 of {len(texts):,} instructions, rougeL, of {len(queries):,} of them, {name}: time"
        yield Fact("nearest_texts", what, _median_seconds(run), "s", 1.5)


def all_pairs(setup: Setup) -> Iterator[Comparison]:
    """A thousand instructions with a thousand others, a batch for each of them."""
    texts = _instructions("en")
    if not texts:
        return
    n = setup.pairs(1000)
    first, second = texts[:n], texts[-n:]
    batches = [peers.rouge_score_rs(Corpus("", [text] * n, second), _TYPES) for text in first]

    def run() -> dict[str, np.ndarray]:
        return pairwise(first, second, rouge_types=_TYPES, rouge=Rouge("rouge_score", threads=setup.threads))

    peers.check_same_scores({key: matrix.ravel().tolist() for key, matrix in run().items()}, batches[0](), "pairwise")
    others = {"rouge-score-rs by batches": Side(lambda: [len(batch()) for batch in batches], n * n, 5.0)}
    yield from compare("all_pairs", f"1/2/L/Lsum, {n:,} × {n:,}", _OF_ALPACA, setup.threads, Side(run, n * n), others)


def candidates(setup: Setup) -> Iterator[Comparison]:
    """32 candidates of 60 words for each of some questions."""
    from rouge_score_rs import rouge_scorer

    rng = random.Random(0)  # noqa: S311 no secret
    texts = english(setup.pairs(20), 60, 1).references
    groups = [[_redrawn(text, texts, rng) for _ in range(32)] for text in texts]
    score = rouge_scorer.RougeScorer(["rougeL"]).score

    def double_loop() -> list[list[float]]:
        return [
            [statistics.fmean(score(other, one)["rougeL"].fmeasure for other in group) for one in group]
            for group in groups
        ]

    def run() -> list[np.ndarray]:
        return consensus(groups, rouge=Rouge("rouge_score", threads=setup.threads)).expected

    np.testing.assert_allclose(run(), double_loop(), rtol=1e-14)
    size = 32 * 32 * len(groups)
    others = {"rouge-score-rs, a double loop": Side(double_loop, size, 10.0)}
    name = f"32 candidates of 60 words; {len(groups)} questions"
    yield from compare("candidates", "consensus, rougeL", name, setup.threads, Side(run, size), others)


def oracles(setup: Setup) -> Iterator[Comparison]:
    """Three sentences each of real articles, cut to 30 and repeated to the batch size of a data set's ``map``."""
    rows = [row for name in ("realsumm", "summeval") for row in _rows(f"human/{name}_documents.jsonl")]
    documents = [[part for part in re.split(r"(?<=[.!?])\s+", row["source"]) if part][:30] for row in rows]
    chosen = [(text, row["references"][0]) for text, row in zip(documents, rows, strict=True) if len(text) == 30]
    if not chosen:
        return
    n = setup.pairs(1000)
    documents, summaries = zip(*itertools.islice(itertools.cycle(chosen), n), strict=True)
    batch = {"document": list(documents), "summary": list(summaries)}
    words = [([sentence.split() for sentence in text], reference.split()) for text, reference in chosen]

    def run() -> list[list[int]]:
        return oracle_batch(batch, method="presumm", rouge=Rouge(threads=setup.threads))["oracle"]

    def by_sets() -> list[list[int]]:
        return [_chosen_by_sets(*each, 3) for each in words]

    if run()[: len(words)] != by_sets():
        raise RuntimeError("oracles: other sentences are chosen here than there.")
    others = {"PreSumm's greedy_selection, written anew": Side(by_sets, len(words), 50.0)}
    name = "real articles of 30 sentences"
    yield from compare("oracles", "3 oracle sentences, presumm", name, setup.threads, Side(run, n), others)


def _chosen_by_sets(sentences: list[list[str]], reference: list[str], k: int) -> list[int]:
    """As PreSumm chooses, with the same work: the units of each candidate set are joined anew."""

    def units(words: list[str]) -> tuple[set, ...]:
        clean = re.sub(r"[^a-zA-Z0-9 ]", "", " ".join(words)).split()
        return tuple({tuple(clean[i : i + n]) for i in range(len(clean) - n + 1)} for n in (1, 2))

    def f(ours: set, theirs: set) -> float:
        hits = len(ours & theirs)
        precision = hits / len(ours) if ours else 0.0
        recall = hits / len(theirs) if theirs else 0.0
        return 2.0 * ((precision * recall) / (precision + recall + 1e-8))

    of_sentences, of_reference = list(map(units, sentences)), units(reference)
    chosen: list[int] = []
    highest = 0.0
    while len(chosen) < k:
        best = None
        for index in range(len(sentences)):
            if index in chosen:
                continue
            sets = [of_sentences[each] for each in [*chosen, index]]
            total = sum(f(set.union(*(set(each[n]) for each in sets)), of_reference[n]) for n in range(2))
            if total > highest:
                highest, best = total, index
        if best is None:
            break
        chosen.append(best)
    return sorted(chosen)


def _redrawn(text: str, texts: list[str], rng: random.Random) -> str:
    """A text, three words in ten of which are drawn from others."""
    words = text.split()
    return " ".join(rng.choice(rng.choice(texts).split() or [""]) if rng.random() < 0.3 else word for word in words)


def _median_seconds(run: Callable[[], object]) -> float:
    return statistics.median([seconds(run, time.process_time) for _ in range(5)])


def _instructions(language: str) -> list[str]:
    return [row["text"] for row in _rows(f"instructions/{language}.jsonl")]


def _rows(file: str) -> list[dict]:
    """The rows of a data file; none where it is missing."""
    if not (SHARED / file).is_file():
        return []
    return [json.loads(line) for line in (SHARED / file).read_text("utf-8").splitlines()]
