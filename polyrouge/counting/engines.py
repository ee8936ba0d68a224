"""The engines at work: chunk after chunk, by the compiled one in threads, or by the plain one.

Both give the same counts, so nothing here moves a score: it is about time and memory.
"""

from __future__ import annotations

import functools
import os
import time
from collections import deque
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from polyrouge.counting.compiled.extension import HOW_TO_GET_IT, has_extension
from polyrouge.counting.pair_counts import PairCounts
from polyrouge.inputs import Inputs, reference_texts, total_length
from polyrouge.reading.documents import uses_segmenter
from polyrouge.reading.notes import TextNotes
from polyrouge.settings.stages import CountRules, RunOptions, TextRules
from polyrouge.texts.jieba_words import jieba_dictionary

if TYPE_CHECKING:
    from polyrouge.counting.word_reading import WordReader

_CHUNK_CHARACTERS = 1_600_000
_CHUNK_SAMPLES = {"plain": 250, "compiled": 1000}
_LEAST_SAMPLES = 200  # in a chunk of which each thread is to have some
_AT_ONCE = 100_000  # characters that are counted so quickly that nobody can wish to interrupt it
_LOOK_AFTER, _LONG = 2.0, 10.0  # seconds of plain counting until its end is estimated; a call that is called slow

Counted = tuple[PairCounts, TextNotes]


def run_chunks(
    inputs: Inputs, text_rules: TextRules, count_rules: CountRules, options: RunOptions
) -> Iterator[Counted]:
    """Count chunk after chunk, and yield each with the notes on its texts, in order.

    No thread outlives the call, so that the process may fork afterwards.
    """
    if text_rules.jieba_dict is not None:  # all chunks by the words of now
        text_rules = text_rules._replace(jieba_dict=jieba_dictionary(text_rules.jieba_dict))
    if is_compiled(options.engine, text_rules):
        yield from _counted_compiled(inputs, text_rules, count_rules, options.threads)
    else:
        yield from _counted_plainly(inputs, text_rules, count_rules, options.engine)


def is_compiled(engine: str, text_rules: TextRules) -> bool:
    """Whether the compiled engine counts: it is asked for or nobody asked, it is installed, and it knows the rules."""
    return engine != "plain" and has_extension() and not text_rules.bytes_uncounted


def _counted_plainly(inputs: Inputs, text_rules: TextRules, count_rules: CountRules, engine: str) -> Iterator[Counted]:
    """Chunk after chunk in Python."""
    from polyrouge.counting.plain.engine import count_chunk

    start, n = 0, len(inputs.predictions)
    words = _word_reader(text_rules)
    begin = time.monotonic()
    for start, stop in pairwise(_chunk_bounds(inputs, _CHUNK_SAMPLES["plain"])):
        notes = TextNotes(text_rules)
        readers = None if words is None else words.readers(notes)
        yield count_chunk(inputs, start, stop, text_rules, count_rules, notes, readers), notes
        seconds = time.monotonic() - begin
        if engine == "auto" and not has_extension() and seconds > _LOOK_AFTER and seconds * n > _LONG * stop:
            _say_that_it_is_slow()


@functools.cache
def _say_that_it_is_slow() -> None:
    """Once in a process, and not as a warning: the scores are right."""
    import logging

    logging.getLogger("polyrouge").warning(
        "polyrouge counts in plain Python here, some fifty times slower than by its compiled extension: %s.",
        HOW_TO_GET_IT,
    )


def _counted_compiled(
    inputs: Inputs, text_rules: TextRules, count_rules: CountRules, threads: int
) -> Iterator[Counted]:
    """Chunk after chunk by the extension; in threads, about two chunks a thread at once."""
    from polyrouge.counting.compiled.engine import count_chunk

    n = len(inputs.predictions)
    cancelled = np.zeros(1, np.uint8)
    words: WordReader | None = None

    def count(start: int, stop: int) -> Counted:
        notes = TextNotes(text_rules)
        return count_chunk(inputs, start, stop, text_rules, count_rules, notes, cancelled, words), notes

    is_small = n <= _CHUNK_SAMPLES["compiled"] and _characters(inputs, 0, n) < _AT_ONCE
    if is_small and not uses_segmenter(text_rules):
        yield count(0, n)
        return
    threads = threads or _available_cores()
    share = -(-n // (2 * threads)) if threads > 1 else n
    words = _word_reader(text_rules, inputs, threads)
    bounds = _chunk_bounds(inputs, min(_CHUNK_SAMPLES["compiled"], max(_LEAST_SAMPLES, share)))
    from concurrent.futures import ThreadPoolExecutor  # imported when it is used, as it takes long

    # In a thread even if there is one only: while a kernel runs, the main thread can't be interrupted.
    pool = ThreadPoolExecutor(threads)
    under_way = deque()
    try:
        for start, stop in pairwise(bounds):
            under_way.append(pool.submit(count, start, stop))
            if len(under_way) > 2 * threads:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
    finally:
        cancelled[0] = 1  # of what still runs, if this was left early
        pool.shutdown(cancel_futures=True)
        if words is not None:
            words.close()


def _word_reader(rules: TextRules, inputs: Inputs | None = None, threads: int = 1) -> WordReader | None:
    """What reads texts that a segmenter cuts; None for others."""
    if not uses_segmenter(rules):
        return None
    from polyrouge.counting.word_reading import WordReader  # imported when it is used, as it takes long

    return WordReader(rules, 0 if inputs is None else _characters(inputs, 0, len(inputs.predictions)), threads)


def _chunk_bounds(inputs: Inputs, most: int) -> Iterator[int]:
    """Where chunks begin, and the last one ends: each has so many samples at most, and about so many characters."""
    start, n = 0, len(inputs.predictions)
    while start < n:
        yield start
        stop = min(start + most, n)
        characters = _characters(inputs, start, stop)
        if characters > _CHUNK_CHARACTERS:
            stop = start + max(1, (stop - start) * _CHUNK_CHARACTERS // characters)
        start = stop
    yield start


def _characters(inputs: Inputs, start: int, stop: int) -> int:
    """Characters of a range of samples."""
    return total_length(inputs.predictions[start:stop]) + total_length(reference_texts(inputs.references[start:stop]))


def _available_cores() -> int:
    """Cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1
