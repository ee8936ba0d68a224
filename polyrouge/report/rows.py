"""Pack the rows of a report for its page: texts, positions of tokens and hits.

The browser unpacks a page of rows when it shows one of its rows, so a long report opens as fast as a short one.
"""

import base64
import gzip
import json
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.loop import count_pairs
from polyrouge.counting.texts import ReadTexts, Texts, ranges
from polyrouge.explaining.hit_positions import SHOWN_TYPES, Hits, find_hits
from polyrouge.progress import tell_progress, telling_progress
from polyrouge.report.report_sources import ReportSources
from polyrouge.settings.rouge_settings import RougeSettings, RunOptions

ROWS_A_PAGE = 100
_MOST_WAITING = 8  # pages waiting for compression
_SIZES = (np.int8, np.int16, np.int32)


class ReportRows:
    """Pack the rows of systems, by the settings of the metric, and their sources."""

    def __init__(
        self, texts: Texts, settings: RougeSettings, run: RunOptions, sources: ReportSources | None = None
    ) -> None:
        self._texts = texts
        self._sources = sources
        # Counts of every pair on its own, without rules that act on its score.
        settings = settings.replace(
            rouge_types=SHOWN_TYPES,
            weights=None,
            on_error="zero" if settings.on_error == "zero" else "score",
            empty="zero",
            multi_reference="best",
            aggregate="mean",  # "micro" has no best reference
        )
        self._settings, self._run = settings, run
        with telling_progress(None):
            self._counts = [count_pairs(texts.system(number), settings, run) for number in range(len(texts.systems))]
        # Tokens of each prediction [n_systems, n_rows], and of all references, with the offsets of rows.
        self.prediction_lengths = texts.read.sizes[texts.predictions]
        self.reference_lengths = texts.read.sizes[texts.references]
        self.offsets = texts.offsets

    def pages(self, order: Sequence[int]) -> Iterator[str]:
        """Pack pages of the rows in a given order; see ``_page``. Reports progress row by row."""
        waiting: deque[Future[str]] = deque()
        with ThreadPoolExecutor(max_workers=1) as pool:  # zlib releases Python's lock
            for start in range(0, len(order), ROWS_A_PAGE):
                waiting.append(pool.submit(packed, *self._page(order, start)))
                if len(waiting) == _MOST_WAITING:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()

    def _page(self, order: Sequence[int], start: int) -> tuple[dict[str, Any], dict[str, NDArray[np.integer]]]:
        """Collect one page for ``packed``.

        ``texts``: of each row the predictions, then the references; ``references``: how many each row has; ``sources``:
        for each row ``ReportSources.page_row``, if there are sources. The columns are ``token_columns``
        of these texts, and ``hit_columns`` of each row's pairs, by reference, then by system.
        """
        rows = np.array(order[start : start + ROWS_A_PAGE], np.int64)
        texts, read, n_systems = self._texts, self._texts.read, len(self._texts.systems)
        predictions = texts.predictions[:, rows].T  # [n_rows, n_systems]
        pairs, n_references = ranges(texts.offsets, rows)  # of the references, in the counts
        references = texts.references[pairs]
        first_references = np.cumsum(n_references) - n_references
        shown = np.insert(references, np.repeat(first_references, n_systems), predictions.ravel())
        pair_numbers = np.repeat(predictions, n_references, axis=0).ravel(), np.repeat(references, n_systems)
        hits = find_hits(read, *pair_numbers, self._settings, self._run)
        counts = np.stack([counts_of_system.counts[pairs] for counts_of_system in self._counts], axis=1).reshape(
            -1, len(SHOWN_TYPES), 3
        )
        content: dict[str, Any] = {
            "texts": [read.texts[number] for number in shown.tolist()],
            "references": n_references.tolist(),
        }
        if self._sources is not None:
            content["sources"] = [self._sources.page_row(row) for row in rows.tolist()]
        tell_progress(len(rows))
        return content, {**token_columns(read, shown), **hit_columns(hits, counts)}


def token_columns(read: ReadTexts, numbers: NDArray[np.int64]) -> dict[str, NDArray[np.int64]]:
    """Return the positions of the tokens of texts, text by text.

    ``tokens`` [text]: how many; ``starts`` and ``lengths`` of all of them, see ``_places``. ``sentences`` [text]: how
    many, and the ``sentenceTokens`` of each. ``ownStarts`` and ``ownLengths`` are for sentences that have other
    tokens than their text, ``hasOwn`` [text].
    """
    tokens = read.tokens
    positions, sizes = ranges(tokens.text_tokens, numbers)
    sentences, n_sentences = ranges(tokens.text_sentences, numbers)
    sentence_tokens, sentence_sizes = ranges(tokens.sentence_tokens, sentences)
    starts, lengths = _places(read.spans[positions], sizes)
    has_own = np.isin(numbers, read.with_own_sentences)
    own_sentences = np.repeat(has_own, n_sentences)
    own_tokens = sentence_tokens[np.repeat(own_sentences, sentence_sizes)]
    own_starts, own_lengths = _places(read.sentence_spans[own_tokens], sentence_sizes[own_sentences])
    return {
        "tokens": sizes,
        "starts": starts,
        "lengths": lengths,
        "sentences": n_sentences,
        "sentenceTokens": sentence_sizes,
        "hasOwn": has_own.astype(np.int64),
        "ownStarts": own_starts,
        "ownLengths": own_lengths,
    }


def hit_columns(hits: Hits, counts: NDArray[np.float64]) -> dict[str, NDArray[np.integer]]:
    """Return the hits of pairs, and the counts of their scores, float64[n_pairs, n_types, 3] of hits and totals.

    ``hits`` [pair, type]: their number, -1 if the convention counts hits that can't be shown; ``totals`` [pair, type,
    side]; ``ours`` and ``theirs``: first positions in prediction and reference, each relative to the previous hit.
    """
    is_consistent = hits.counts == counts[..., 0]
    sizes = hits.counts.ravel()
    is_first = np.zeros(hits.positions.shape[1], np.bool_)
    is_first[(np.cumsum(sizes) - sizes)[sizes > 0]] = True
    steps = np.diff(hits.positions, axis=1, prepend=0)
    steps = np.where(is_first, hits.positions, steps)[:, np.repeat(is_consistent.ravel(), sizes)]
    return {
        "hits": np.where(is_consistent, hits.counts, -1),
        "totals": counts[..., 1:].astype(np.int64),
        "ours": steps[0],
        "theirs": steps[1],
    }


def _places(spans: NDArray[np.int32], sizes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return start and length of each token, text by text. A start is relative to the previous token's.

    A token that is not in the text has the start 0 and the length -1. Two tokens may begin at one character, by NFKC.
    """
    starts, ends = spans.T.astype(np.int64)
    positions = np.arange(len(starts))
    first_tokens = np.repeat(np.cumsum(sizes) - sizes, sizes)  # of the text of each token
    is_in_text = starts >= 0
    last_in_text = np.maximum.accumulate(np.where(is_in_text, positions, -1))  # token that is in a text
    known_starts = np.where(last_in_text >= first_tokens, starts[last_in_text], 0)
    previous_starts = np.where(positions == first_tokens, 0, np.roll(known_starts, 1))
    return known_starts - previous_starts, np.where(is_in_text, ends - starts, -1)


def packed(value: Mapping[str, Any], columns: Mapping[str, NDArray[np.integer]] | None = None) -> str:
    """Write a value as compressed JSON, followed by columns of integers that a browser reads without objects.

    The columns are arrays of any shape, below 2 to the 31st, little-endian, each in as few bytes as possible. The
    value's key ``numbers`` says where: ``bytes`` of a number, ``shape``, and ``start`` after the JSON. The first four
    bytes are the length of the JSON. Blanks after the JSON, and zeros after each column, pad to a multiple of 4.
    """
    directory: dict[str, dict[str, Any]] = {}
    numbers = bytearray()
    for name, column in (columns or {}).items():
        low, high = (int(column.min()), int(column.max())) if column.size else (0, 0)
        size = next(
            number_type
            for number_type in _SIZES
            if np.iinfo(number_type).min <= low and high <= np.iinfo(number_type).max
        )
        directory[name] = {"bytes": np.dtype(size).itemsize, "shape": list(column.shape), "start": len(numbers)}
        numbers += np.ascontiguousarray(column, np.dtype(size).newbyteorder("<")).tobytes()
        numbers += bytes(-len(numbers) % 4)
    with_directory = {**value, "numbers": directory} if columns else value
    # JSON has an escape for a lone surrogate, which a file's name may have.
    text = json.dumps(with_directory, ensure_ascii=False, separators=(",", ":")).encode(errors="backslashreplace")
    text += b" " * (-len(text) % 4)
    data = len(text).to_bytes(4, "little") + text + numbers
    return base64.b64encode(gzip.compress(data, compresslevel=6, mtime=0)).decode()
