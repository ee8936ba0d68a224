"""Which engine counts, and how its chunks are run.

Both engines give the same counts, so nothing here moves a score: it is about time and memory.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate, chain
from typing import NamedTuple

from polyrouge.counting.compiled.jieba_tables import are_kept
from polyrouge.counting.jieba_from_tables import count_chunk_from_tables
from polyrouge.counting.pair_counts import PairCounts
from polyrouge.counting.plain.engine import count_chunk as count_plain_chunk
from polyrouge.errors import warn_user
from polyrouge.inputs import Inputs, SingleReferences
from polyrouge.reading.documents import Readers
from polyrouge.reading.notes import TextNotes
from polyrouge.settings.stages import CountRules, RunOptions, TextRules, cuts_with_jieba
from polyrouge.texts.jieba_words import jieba_dictionary

CountChunk = Callable[[Inputs, int, int, TextRules, CountRules, TextNotes, "Readers | None"], PairCounts]

# "auto" takes the compiled engine above so many characters: below, the plain one is done before the
# kernels are loaded (about half a second in a process; at the first time on a machine they are compiled).
_CHARACTERS_TO_LOAD = 1_500_000
_CHARACTERS_WHEN_LOADED = 20_000
_CHARACTERS_FOR_JIEBA = 200_000  # where the tables are yet to be made
# Where the tables are kept, Python cuts so many characters by them in the time that loading the kernels takes. They
# are counted over all calls of a process, so that many small calls come to the kernels too.
_CHARACTERS_FROM_TABLES = 60_000
# Types whose plain counting takes so many times as long as the n-grams' and LCS's.
_SLOW_KINDS = {"weighted_lcs": 40, "skip_bigram": 8}
_CHUNK_CHARACTERS = 1_600_000
_CHUNK_SAMPLES = {"plain": 250, "compiled": 1000}
_LEAST_SAMPLES = 200  # in a chunk of which each thread is to have some
_NOTICE_AFTER = 2.0  # seconds; loading compiled kernels takes less


class Engine(NamedTuple):
    """An engine that was chosen.

    Attributes:
        count_chunk: counts the pairs of a range of samples.
        threads: how many chunks may be counted at once.
        chunk_samples: the most samples in a chunk; fewer where texts are long.
    """

    count_chunk: CountChunk
    threads: int
    chunk_samples: int


def choose_engine(inputs: Inputs, text_rules: TextRules, count_rules: CountRules, options: RunOptions) -> Engine:
    """Return the engine that ``options.engine`` asks for, ``"auto"`` by the size of the input.

    Without numba, or without a place to keep compiled kernels, it is the plain one, with a warning.
    """
    slowness = max(_SLOW_KINDS.get(rouge_type.kind, 1) for rouge_type in count_rules.types)
    threshold = _CHARACTERS_WHEN_LOADED if _compiled_engine.cache_info().currsize else _CHARACTERS_TO_LOAD
    is_auto = options.engine == "auto"
    is_kept = is_auto and cuts_with_jieba(text_rules) and _has_tables(text_rules)
    if is_auto and cuts_with_jieba(text_rules):
        # jieba's dictionary takes longer to load than its tables and the kernels
        threshold = _FROM_TABLES.left() if is_kept else _CHARACTERS_FOR_JIEBA
    wants_compiled = options.engine == "compiled" or (is_auto and _has_characters(inputs, threshold / slowness))
    if wants_compiled and not text_rules.bytes_uncounted:  # for which there is no kernel
        count_chunk = _loaded_engine(text_rules, count_rules)
        if count_chunk is not None:
            threads = options.threads or _available_cores()
            share = -(-len(inputs.predictions) // (2 * threads)) if threads > 1 else len(inputs.predictions)
            return Engine(count_chunk, threads, min(_CHUNK_SAMPLES["compiled"], max(_LEAST_SAMPLES, share)))
    if is_kept:
        _FROM_TABLES.take(_characters(inputs, 0, len(inputs.predictions)))
        return Engine(count_chunk_from_tables, 1, _CHUNK_SAMPLES["plain"])
    return Engine(count_plain_chunk, 1, _CHUNK_SAMPLES["plain"])


class _FromTables:
    """How many characters Python is still to cut by the tables."""

    def __init__(self) -> None:
        self._cut = 0

    def left(self) -> int:
        return 0 if _compiled_engine.cache_info().currsize else max(0, _CHARACTERS_FROM_TABLES - self._cut)

    def take(self, characters: int) -> None:
        self._cut += characters


_FROM_TABLES = _FromTables()


def _has_tables(rules: TextRules) -> bool:
    """Whether the words of these rules can be cut without jieba being loaded."""
    try:
        return are_kept(jieba_dictionary(rules.jieba_dict))
    except (ModuleNotFoundError, OSError):  # whoever cuts will say what is missing
        return False


def run_chunks(
    engine: Engine,
    inputs: Inputs,
    text_rules: TextRules,
    count_rules: CountRules,
    readers: Readers | None = None,
) -> Iterator[tuple[PairCounts, TextNotes]]:
    """Count chunk after chunk, and yield each with the notes on its texts, in order.

    ``readers`` are for the plain engine, which then reads no text that they have read before. With several
    threads, about two chunks a thread are under way at once; no thread outlives the call, so that the process
    may fork afterwards.
    """
    if text_rules.jieba_dict is not None:  # all chunks by the words of now
        text_rules = text_rules._replace(jieba_dict=jieba_dictionary(text_rules.jieba_dict))

    def count(chunk: tuple[int, int]) -> tuple[PairCounts, TextNotes]:
        notes = TextNotes(text_rules)
        return engine.count_chunk(inputs, *chunk, text_rules, count_rules, notes, readers), notes

    chunks = _chunks(inputs, engine.chunk_samples)
    if engine.threads == 1 or _chunk_end(inputs, 0, engine.chunk_samples) == len(inputs.predictions):
        yield from map(count, chunks)
        return
    with ThreadPoolExecutor(engine.threads) as pool:
        under_way = deque()
        for chunk in chunks:
            under_way.append(pool.submit(count, chunk))
            if len(under_way) > 2 * engine.threads:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()


def _chunks(inputs: Inputs, most: int) -> Iterator[tuple[int, int]]:
    """Ranges of samples, from and to."""
    stop = 0
    while stop < len(inputs.predictions):
        start, stop = stop, _chunk_end(inputs, stop, most)
        yield start, stop


def _chunk_end(inputs: Inputs, start: int, most: int) -> int:
    """Where a chunk ends that begins at a sample: it has so many at most, and about so many characters."""
    stop = min(start + most, len(inputs.predictions))
    characters = _characters(inputs, start, stop)
    if characters <= _CHUNK_CHARACTERS:
        return stop
    return start + max(1, (stop - start) * _CHUNK_CHARACTERS // characters)


def _characters(inputs: Inputs, start: int, stop: int) -> int:
    """Characters of a range of samples."""
    references = inputs.references[start:stop]
    texts = references.texts if isinstance(references, SingleReferences) else chain.from_iterable(references)
    return sum(map(len, inputs.predictions[start:stop])) + sum(map(len, texts))


def _has_characters(inputs: Inputs, wanted: float) -> bool:
    """Whether there are so many; looks no further than needed."""
    samples = len(inputs.predictions)
    sizes = (_characters(inputs, start, start + 1000) for start in range(0, samples, 1000))
    return any(total >= wanted for total in accumulate(sizes))


@functools.cache
def _compiled_engine() -> CountChunk | None:
    """The compiled engine, or None, with a warning, where there is none to be had."""
    try:
        from polyrouge.counting.compiled.engine import count_chunk
    except ImportError as error:
        reason = f"{error}"
    except RuntimeError as error:  # numba finds no folder that it may write its cache to
        reason = f"{error}; set NUMBA_CACHE_DIR to a folder that can be written to"
    else:
        return count_chunk
    warn_user(f"The compiled engine is not available ({reason}); the plain engine gives the same scores, slower.")
    return None


_loaded: set[tuple] = set()
_loading = threading.Lock()


def _renew_lock() -> None:
    """Another thread may have held the lock when the process forked, and is not there in the child."""
    global _loading
    _loading = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_lock)


def _loaded_engine(text_rules: TextRules, count_rules: CountRules) -> CountChunk | None:
    """The compiled engine, with the kernels that these rules need; None where there is none to be had."""
    texts = (text_rules.tokenizer, text_rules.segment, text_rules.use_stemmer)
    key = (count_rules.types, texts, count_rules.lcs, count_rules.definition)
    if key in _loaded:
        return _compiled_engine()
    with _loading:
        count_chunk = _compiled_engine()
        if count_chunk is not None and key not in _loaded:
            _load_kernels(count_chunk, text_rules, count_rules)
        _loaded.add(key)
    return count_chunk


def _load_kernels(count_chunk: CountChunk, text_rules: TextRules, count_rules: CountRules) -> None:
    """Load or compile kernels on two words; say so if it takes long."""
    notice = threading.Timer(_NOTICE_AFTER, _say_that_it_compiles)
    notice.daemon = True
    with contextlib.suppress(RuntimeError):  # there are as many threads as there may be
        notice.start()
    try:
        if callable(text_rules.tokenizer):  # a user's function is not called on a text that no user gave
            text_rules = text_rules._replace(tokenizer="space")
        if callable(text_rules.sentence_split):
            text_rules = text_rules._replace(sentence_split="newline")
        inputs, notes = Inputs(["a b"], [["a b", "a\nb"]], "list"), TextNotes(text_rules)
        count_chunk(inputs, 0, 1, text_rules, count_rules._replace(refuses=()), notes, None)
    finally:
        notice.cancel()


def _say_that_it_compiles() -> None:
    sys.stderr.write("polyrouge: compiling its kernels, once on this machine; this takes about half a minute.\n")
    sys.stderr.flush()


def _available_cores() -> int:
    """Cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1
