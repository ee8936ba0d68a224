"""The engines at work: chunk after chunk, by the plain one, by the compiled one in threads, or by one after the other.

Both give the same counts, so nothing here moves a score: it is about time and memory.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np

from polyrouge.counting.jieba_from_tables import count_chunk_from_tables
from polyrouge.counting.kernel_choice import KernelChoice, has_tables, load_or_compile
from polyrouge.counting.pair_counts import PairCounts
from polyrouge.counting.plain.engine import count_chunk as count_plain_chunk
from polyrouge.counting.word_reading import WordReader, needs_word_reader
from polyrouge.counting.work import plain_seconds
from polyrouge.inputs import Inputs, reference_texts, total_length
from polyrouge.reading.documents import Readers
from polyrouge.reading.notes import TextNotes
from polyrouge.settings.stages import CountRules, RunOptions, TextRules, cuts_with_jieba
from polyrouge.texts.jieba_words import jieba_dictionary

_CHUNK_CHARACTERS = 1_600_000
_CHUNK_SAMPLES = {"plain": 250, "compiled": 1000}
_LEAST_SAMPLES = 200  # in a chunk of which each thread is to have some
_AT_ONCE = 100_000  # characters that are counted so quickly that nobody can wish to interrupt it
_PLAIN_SECONDS = 0.1  # about, after which a run asks again whether the kernels are there
_LOOKED_AT = 8  # samples, by which the size of such a chunk is chosen

Counted = tuple[PairCounts, TextNotes]


def run_chunks(
    inputs: Inputs,
    text_rules: TextRules,
    count_rules: CountRules,
    options: RunOptions,
    readers: Readers | None = None,
) -> Iterator[Counted]:
    """Count chunk after chunk, and yield each with the notes on its texts, in order.

    With ``options.engine`` ``"auto"`` the plain engine counts until the kernels are loaded, and the compiled one the
    rest. No thread outlives the call, so that the process may fork afterwards.

    Args:
        inputs: checked texts.
        text_rules: how they are read.
        count_rules: how they are counted.
        options: engine and threads.
        readers: for the plain engine, which then reads no text that they have read before.
    """
    if text_rules.jieba_dict is not None:  # all chunks by the words of now
        text_rules = text_rules._replace(jieba_dict=jieba_dictionary(text_rules.jieba_dict))
    start = 0
    if options.engine == "plain" or text_rules.bytes_uncounted:  # for which there is no kernel
        choice = None
    else:
        choice = KernelChoice.of_rules(text_rules, count_rules)
        if options.engine == "compiled" and not load_or_compile(choice.units):
            choice = None
    for stop, counted in _counted_plainly(inputs, text_rules, count_rules, choice, readers):
        yield counted
        start = stop
    if start < len(inputs.predictions):
        yield from _counted_compiled(inputs, start, text_rules, count_rules, options.threads)


def _counted_plainly(
    inputs: Inputs,
    text_rules: TextRules,
    count_rules: CountRules,
    choice: KernelChoice | None,
    readers: Readers | None,
) -> Iterator[tuple[int, Counted]]:
    """Chunks and where each ends, until the kernels are loaded, or to the end without a choice."""
    start, n = 0, len(inputs.predictions)
    count_chunk = count_plain_chunk
    words = WordReader(text_rules) if readers is None and needs_word_reader(text_rules) else None
    if choice is not None:
        if choice.is_loaded():
            return
        if cuts_with_jieba(text_rules) and has_tables(text_rules):
            count_chunk = count_chunk_from_tables
    while start < n:
        if choice is None:
            stop = _chunk_end(inputs, start, _CHUNK_SAMPLES["plain"])
        else:
            if choice.take_over(plain_seconds(inputs, start, n, text_rules, count_rules)):
                return
            looked_at = min(start + _LOOKED_AT, n)
            each = plain_seconds(inputs, start, looked_at, text_rules, count_rules) / (looked_at - start)
            stop = min(n, start + min(_CHUNK_SAMPLES["plain"], max(1, int(_PLAIN_SECONDS / each))))
            if choice.wait(plain_seconds(inputs, start, stop, text_rules, count_rules)):
                return
        notes = TextNotes(text_rules)
        begin = time.perf_counter()
        chunk_readers = readers if words is None else words.readers(notes)
        pairs = count_chunk(inputs, start, stop, text_rules, count_rules, notes, chunk_readers)
        if choice is not None:
            choice.counted(time.perf_counter() - begin)
        start = stop
        yield start, (pairs, notes)


def _counted_compiled(
    inputs: Inputs, start: int, text_rules: TextRules, count_rules: CountRules, threads: int
) -> Iterator[Counted]:
    """The rest, from a sample on, by kernels that are loaded; in threads, about two chunks a thread at once."""
    from polyrouge.counting.compiled.engine import count_chunk

    n = len(inputs.predictions)
    cancelled = np.zeros(1, np.uint8)
    words: WordReader | None = None

    def count(first: int, behind: int) -> Counted:
        notes = TextNotes(text_rules)
        return count_chunk(inputs, first, behind, text_rules, count_rules, notes, cancelled, words), notes

    if _characters(inputs, start, min(n, start + _CHUNK_SAMPLES["compiled"])) < _AT_ONCE and n - start < _LEAST_SAMPLES:
        yield count(start, n)
        return
    threads = threads or _available_cores()
    share = -(-(n - start) // (2 * threads)) if threads > 1 else n
    if needs_word_reader(text_rules):
        words = WordReader(text_rules, _characters(inputs, start, n), threads)
    bounds = _chunk_bounds(inputs, start, min(_CHUNK_SAMPLES["compiled"], max(_LEAST_SAMPLES, share)))
    # In a thread even if there is one only: while a kernel runs, the main thread can't be interrupted.
    pool = ThreadPoolExecutor(threads)
    under_way = deque()
    try:
        for first, behind in pairwise(bounds):
            under_way.append(pool.submit(count, first, behind))
            if len(under_way) > 2 * threads:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
    finally:
        cancelled[0] = 1  # of what still runs, if this was left early
        pool.shutdown(cancel_futures=True)
        if words is not None:
            words.close()


def _chunk_bounds(inputs: Inputs, start: int, most: int) -> Iterator[int]:
    """Where chunks begin, and the last one ends."""
    while start < len(inputs.predictions):
        yield start
        start = _chunk_end(inputs, start, most)
    yield start


def _chunk_end(inputs: Inputs, start: int, most: int) -> int:
    """Where a chunk ends that begins at a sample: it has so many at most, and about so many characters."""
    stop = min(start + most, len(inputs.predictions))
    characters = _characters(inputs, start, stop)
    if characters <= _CHUNK_CHARACTERS:
        return stop
    return start + max(1, (stop - start) * _CHUNK_CHARACTERS // characters)


def _characters(inputs: Inputs, start: int, stop: int) -> int:
    """Characters of a range of samples."""
    return total_length(inputs.predictions[start:stop]) + total_length(reference_texts(inputs.references[start:stop]))


def _available_cores() -> int:
    """Cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1
