"""Count all pairs of checked texts, chunk by chunk.

The compiled engine counts in threads, the plain engine in Python. Both give the same counts.
"""

from __future__ import annotations

import dataclasses
import functools
import os
import time
from collections import deque
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.compiled import uses_kernels
from polyrouge.counting.compiled.kernels import is_built
from polyrouge.counting.counts import Counts, concatenated
from polyrouge.documents.document import uses_segmenter
from polyrouge.documents.input_notes import InputNotes
from polyrouge.errors import Note, Option, RefusedValue
from polyrouge.inputs import Inputs, SingleReferences, reference_texts, total_length
from polyrouge.progress import tell_progress
from polyrouge.settings.rouge_settings import RougeSettings, RunOptions
from polyrouge.settings.rules import REFUSALS, CountRules, TextRules
from polyrouge.texts.jieba_words import jieba_dictionary

if TYPE_CHECKING:
    from polyrouge.counting.texts import ReadTexts, SystemTexts
    from polyrouge.counting.token_ids import TokenIds
    from polyrouge.counting.word_reading import WordReader

_CHUNK_CHARACTERS = 1_600_000
_CHUNK_SAMPLES = {"plain": 250, "compiled": 1000}
_LEAST_SAMPLES = 200  # in a chunk, if each thread has one
_READ_SAMPLES = {"plain": 250, "compiled": 4000}  # in a chunk of texts that are read
_LEAST_PAIRS = 1000  # of a thread that counts them
_FEW_PAIRS = 256  # that take less time than a thread takes to start, or little more
_AT_ONCE = 100_000  # characters that are counted too quickly to interrupt
_LOOK_AFTER, _LONG = 2.0, 10.0  # seconds of plain counting before its end is estimated, and of a slow call

ChunkCounts = tuple[Counts, InputNotes]


def engine() -> str:
    """Return the engine that ``engine="auto"`` takes: ``"compiled"``, or ``"plain"`` if the extension is not installed.

    The plain engine gives the same scores, much more slowly. It also counts, in every installation, under the
    few settings that the extension does not know.
    """
    return "compiled" if is_built() else "plain"


def check_engine(engine_name: str) -> None:
    """Refuse ``engine="compiled"`` without the extension."""
    if engine_name == "compiled" and not is_built():
        message = Note(
            Option("engine", "compiled"),
            f" needs polyrouge's compiled extension, which is not installed here: {_how_to_get_kernels()}. ",
            Option("engine", "auto"),
            " takes the plain engine instead, which gives the same scores, slower.",
        )
        raise ModuleNotFoundError(message, name="polyrouge.counting.compiled.kernels._kernels")


def count_in_chunks(
    texts: Inputs | SystemTexts, settings: RougeSettings, run: RunOptions, notes: InputNotes | None = None
) -> Iterator[Counts]:
    """Count chunk after chunk, in the order of the samples; ``notes`` collects suspicious input.

    Texts that were read are counted by their tokens. Tokens of other texts are not kept.
    """
    text_rules, count_rules = settings.text_rules, settings.count_rules
    all_inputs = texts if isinstance(texts, Inputs) else texts.inputs
    inputs = drop_unused_references(all_inputs, settings, notes)
    if isinstance(texts, Inputs):
        chunks = run_chunks(inputs, text_rules, count_rules, run)
    else:
        chunks = _count_read_chunks(texts, settings, run, only_first=inputs is not all_inputs)
    start = 0
    for pairs, chunk_notes in chunks:
        if notes is not None:
            notes.reading |= chunk_notes.reading
            notes.look_at(inputs, start, start + len(pairs.offsets) - 1, odd=chunk_notes.odd)
        if settings.empty == "error":
            _refuse_empty(pairs, start, inputs)
        if settings.empty == "skip_blank_reference":
            pairs = _with_blank_references_only(pairs, start, inputs)
        if pairs.refusals is not None:
            pairs = _without_refused(pairs, start, inputs, settings)
        start += len(pairs.offsets) - 1
        tell_progress(len(pairs.offsets) - 1)
        yield pairs


def count_pairs(
    texts: Inputs | SystemTexts, settings: RougeSettings, run: RunOptions, notes: InputNotes | None = None
) -> Counts:
    """Count every pair."""
    return concatenated(list(count_in_chunks(texts, settings, run, notes)))


def drop_unused_references(inputs: Inputs, settings: RougeSettings, notes: InputNotes | None = None) -> Inputs:
    """Keep only the first reference of each row if the convention's tool knows no others."""
    has_one_each = isinstance(inputs.references, SingleReferences)
    if settings.multi_reference != "first" or has_one_each or all(len(row) <= 1 for row in inputs.references):
        return inputs
    if notes is not None:
        notes.notice(leaves_references=True)
    return inputs._replace(references=[row[:1] for row in inputs.references])


def _refuse_empty(pairs: Counts, start: int, inputs: Inputs) -> None:
    """Raise for the first pair in which a text has no tokens."""
    bad = np.flatnonzero(pairs.prediction_empty | pairs.reference_empty)
    if len(bad) == 0:
        return
    prediction, reference = _row_names(pairs, int(bad[0]), start, inputs)
    name = prediction if pairs.prediction_empty[bad[0]] else reference
    remedy = "choose 'zero', 'skip' or 'one_if_both' to go on."
    raise RefusedValue(f"{name} has no tokens, and ", Option("empty", "error"), f" refuses it; {remedy}")


def _with_blank_references_only(pairs: Counts, start: int, inputs: Inputs) -> Counts:
    """Say of texts without tokens that they have one, which is no hit, but of blank references."""
    is_empty = pairs.prediction_empty | pairs.reference_empty
    if not is_empty.any():
        return pairs
    references = list(reference_texts(inputs.references[start : start + len(pairs.offsets) - 1]))
    is_blank = np.array([not text or text.isspace() for text in references]) & pairs.reference_empty
    predictions, references = np.maximum(pairs.prediction_tokens, 1), np.maximum(pairs.reference_tokens, ~is_blank)
    return dataclasses.replace(pairs, prediction_tokens=predictions, reference_tokens=references)


def _row_names(pairs: Counts, pair: int, start: int, inputs: Inputs) -> tuple[str, str]:
    """Name the two texts of a pair, for a message."""
    sample = int(np.searchsorted(pairs.offsets, pair, side="right")) - 1
    index = f"[{pair - pairs.offsets[sample]}]" if inputs.reference_kind == "list" else ""
    return inputs.row_name(0, start + sample), f"{inputs.row_name(1, start + sample)}{index}"


def _without_refused(pairs: Counts, start: int, inputs: Inputs, settings: RougeSettings) -> Counts:
    """Raise for the first pair that the convention's tool refuses, or count it as nothing."""
    refusals = pairs.refusals or []
    refused = [pair for pair, name in enumerate(refusals) if name]
    if settings.on_error == "raise":
        prediction, reference = _row_names(pairs, refused[0], start, inputs)
        raise RefusedValue(
            f"{prediction} with {reference}: the tool that this convention reproduces raises an error for "
            f"{REFUSALS[refusals[refused[0]]]}. ",
            *(Option("on_error", "score"), " or ", Option("on_error", "zero"), " goes on."),
        )
    counts = pairs.counts.copy()
    counts[refused, :, 0] = 0.0
    return dataclasses.replace(pairs, counts=counts)


def run_chunks(
    inputs: Inputs, text_rules: TextRules, count_rules: CountRules, run: RunOptions
) -> Iterator[ChunkCounts]:
    """Count chunk after chunk, in order, with notes on the texts. No thread outlives the call, so forks are safe."""
    if text_rules.jieba_dict is not None:  # all chunks use the dictionary in its present state
        text_rules = text_rules._replace(jieba_dict=jieba_dictionary(text_rules.jieba_dict))
    if uses_kernels(run.engine, text_rules):
        yield from _run_compiled(inputs, text_rules, count_rules, run.threads)
    else:
        yield from _run_plain(inputs, text_rules, count_rules, run.engine)


def _count_read_chunks(
    texts: SystemTexts, settings: RougeSettings, run: RunOptions, *, only_first: bool
) -> Iterator[ChunkCounts]:
    """Count texts that were read, chunk after chunk; with each row's first reference, or with all."""
    from polyrouge.counting.texts import rules_of_reading

    if texts.read.rules != rules_of_reading(settings.text_rules):
        raise RuntimeError("texts were read by other settings than they are counted by")
    offsets, references = texts.offsets, texts.references
    if only_first:
        offsets, references = np.arange(len(offsets)), references[offsets[:-1]]
    predictions = np.repeat(texts.predictions, np.diff(offsets))
    n_rows = len(texts.predictions)
    size = _READ_SAMPLES["compiled" if uses_kernels(run.engine, texts.read.rules) else "plain"]
    for start, stop in pairwise([*range(0, n_rows, size), n_rows]):
        span = slice(offsets[start], offsets[stop])
        pairs = count_read(texts.read, predictions[span], references[span], settings.count_rules, run)
        yield dataclasses.replace(pairs, offsets=offsets[start : stop + 1] - offsets[start]), texts.notes


def count_read(
    read: ReadTexts,
    predictions: NDArray[np.int64],
    references: NDArray[np.int64],
    rules: CountRules,
    run: RunOptions,
) -> Counts:
    """Count pairs of texts that were read, given by their numbers; each pair is a sample with one reference."""
    if uses_kernels(run.engine, read.rules):
        counted = count_batch(read.tokens, predictions, references, read.rules, rules, run.threads)
    else:
        from polyrouge.counting.plain.engine import count_documents

        numbers = zip(predictions.tolist(), references.tolist(), strict=True)
        counted = count_documents(
            [(read.documents[prediction], read.documents[reference]) for prediction, reference in numbers], rules
        )
    if not rules.refuses:
        return counted
    if uses_kernels(run.engine, read.rules):
        from polyrouge.counting.compiled.text_counter import counter_of

        counter = counter_of(read.rules, rules)
        refusals = counter.refusals(read.texts, read.tokens, predictions, references, np.zeros(1, np.uint8))
    else:
        from polyrouge.counting.plain.engine import refusals_of

        refusals = refusals_of(read.texts, read.tokens, predictions, references, rules)
    return dataclasses.replace(counted, refusals=refusals)


def count_batch(
    batch: TokenIds,
    predictions: NDArray[np.int64],
    references: NDArray[np.int64],
    text_rules: TextRules,
    rules: CountRules,
    threads: int,
) -> Counts:
    """Count pairs of a batch's texts by the kernels, each a sample with one reference; no refusals."""
    from polyrouge.counting.compiled.text_counter import counter_of

    counter = counter_of(text_rules, rules)
    cancelled = np.zeros(1, np.uint8)

    def count(start: int, stop: int) -> Counts:
        return counter.count_read(batch, predictions[start:stop], references[start:stop], cancelled)

    if len(predictions) <= _FEW_PAIRS:
        return count(0, len(predictions))
    from concurrent.futures import ThreadPoolExecutor  # slow to import

    n_threads = min(threads or usable_cores(), 1 + len(predictions) // _LEAST_PAIRS)
    bounds = np.linspace(0, len(predictions), n_threads + 1).astype(int).tolist()
    # Even a single thread is not the main one, which can't be interrupted while a kernel runs.
    with ThreadPoolExecutor(n_threads) as pool:
        try:
            return concatenated(list(pool.map(count, bounds[:-1], bounds[1:])))
        finally:
            cancelled[0] = 1


def _run_plain(inputs: Inputs, text_rules: TextRules, count_rules: CountRules, engine: str) -> Iterator[ChunkCounts]:
    """Count chunk after chunk in Python."""
    from polyrouge.counting.plain.engine import count_chunk

    n_samples = len(inputs.predictions)
    words = _word_reader(text_rules)
    started = time.monotonic()
    for start, stop in pairwise(_chunk_bounds(inputs, _CHUNK_SAMPLES["plain"])):
        notes = InputNotes(text_rules)
        readers = None if words is None else words.readers(notes)
        yield count_chunk(_samples(inputs, start, stop), text_rules, count_rules, notes, readers), notes
        seconds = time.monotonic() - started
        if engine == "auto" and not is_built() and seconds > _LOOK_AFTER and seconds * n_samples > _LONG * stop:
            _say_that_it_is_slow()


@functools.cache
def _say_that_it_is_slow() -> None:
    """Log once in a process; no warning, because the scores are right."""
    import logging

    logging.getLogger("polyrouge").warning(
        "polyrouge counts in plain Python here, much more slowly than its compiled extension does: %s.",
        _how_to_get_kernels(),
    )


def _how_to_get_kernels() -> str:
    """Say why there is no compiled extension, and the command that installs it."""
    from polyrouge.shipped_files import checkout  # only here, as a first score imports little

    clone = checkout()
    if clone is None:
        return "pip install --force-reinstall --no-deps --no-cache-dir polyrouge, as a wheel or with a C compiler"
    return (
        f"this is the clone {clone}, where it is not built, and Python looks in the folder that it runs in before it "
        f'looks for an installed package. pip install -e "{clone}" builds it, with a C compiler'
    )


def _run_compiled(
    inputs: Inputs, text_rules: TextRules, count_rules: CountRules, threads: int
) -> Iterator[ChunkCounts]:
    """Count chunk after chunk by the extension, in threads."""
    from polyrouge.counting.compiled.text_counter import counter_of

    counter = counter_of(text_rules, count_rules)
    n_samples = len(inputs.predictions)
    cancelled = np.zeros(1, np.uint8)
    words: WordReader | None = None

    def count(start: int, stop: int) -> ChunkCounts:
        notes = InputNotes(text_rules)
        return counter.count(_samples(inputs, start, stop), notes, cancelled, words), notes

    is_small = n_samples <= _CHUNK_SAMPLES["compiled"] and _characters(inputs) < _AT_ONCE
    if is_small and not uses_segmenter(text_rules):
        yield count(0, n_samples)
        return
    threads = threads or usable_cores()
    share = -(-n_samples // (2 * threads)) if threads > 1 else n_samples
    words = _word_reader(text_rules, inputs, threads)
    bounds = _chunk_bounds(inputs, min(_CHUNK_SAMPLES["compiled"], max(_LEAST_SAMPLES, share)))
    from concurrent.futures import ThreadPoolExecutor  # slow to import

    # Even a single thread is not the main one, which can't be interrupted while a kernel runs.
    pool = ThreadPoolExecutor(threads)
    running = deque()
    try:
        for start, stop in pairwise(bounds):
            running.append(pool.submit(count, start, stop))
            if len(running) > 2 * threads:
                yield running.popleft().result()
        while running:
            yield running.popleft().result()
    finally:
        cancelled[0] = 1  # stops kernels that still run when the caller leaves early
        pool.shutdown(cancel_futures=True)
        if words is not None:
            words.close()


def _word_reader(rules: TextRules, inputs: Inputs | None = None, threads: int = 1) -> WordReader | None:
    """Make a reader of texts that a segmenter cuts; None for other texts."""
    if not uses_segmenter(rules):
        return None
    from polyrouge.counting.word_reading import WordReader  # slow to import

    return WordReader(rules, 0 if inputs is None else _characters(inputs), threads)


def _chunk_bounds(inputs: Inputs, most: int) -> Iterator[int]:
    """Yield the starts of chunks, and the end; a chunk has at most ``most`` samples, fewer if they are long."""
    start, n = 0, len(inputs.predictions)
    while start < n:
        yield start
        size = min(most, n - start)
        characters = _characters(_samples(inputs, start, start + size))
        start += size if characters <= _CHUNK_CHARACTERS else max(1, size * _CHUNK_CHARACTERS // characters)
    yield start


def _samples(inputs: Inputs, start: int, stop: int) -> Inputs:
    return inputs._replace(predictions=inputs.predictions[start:stop], references=inputs.references[start:stop])


def _characters(inputs: Inputs) -> int:
    return total_length(inputs.predictions) + total_length(reference_texts(inputs.references))


def usable_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
