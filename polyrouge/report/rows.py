"""Pack the rows of a report for its page: texts, places of tokens and hits.

The browser unpacks a page of rows when it shows one of them, so a report of many rows opens as fast as one of few.
"""

import base64
import gzip
import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.compiled.jieba_tables import compiled_jieba_cutter
from polyrouge.counting.loop import count_pairs
from polyrouge.explaining.hit_positions import SHOWN_TYPES, PlacedHits, place_hits
from polyrouge.explaining.token_offsets import TextColumns, TokenColumns, placers_by_side
from polyrouge.inputs import Inputs
from polyrouge.progress import tell_progress, telling_progress
from polyrouge.report.report_sources import ReportSources
from polyrouge.settings.rouge_settings import RougeSettings, RunOptions

ROWS_A_PAGE = 100
_MOST_WAITING = 8  # pages that are to be compressed
_SIZES = (np.int8, np.int16, np.int32)


class ReportRows:
    """Packs the rows of some systems, by the settings of the metric, and their sources."""

    def __init__(
        self,
        systems: Sequence[Inputs],
        settings: RougeSettings,
        run: RunOptions,
        sources: ReportSources | None = None,
    ) -> None:
        self._systems = systems
        self._sources = sources
        # Counts of every pair by itself, without what the settings then do to its score.
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
            self._counts = [count_pairs(inputs, settings, run) for inputs in systems]
        self._of_prediction, self._of_reference = placers_by_side(settings, compiled_jieba_cutter)
        n_rows = len(systems[0].predictions)
        # Tokens of each prediction [n_systems, n_rows], and for each row of each reference; set by ``pages``.
        self.prediction_lengths: NDArray[np.int64] = np.zeros((len(systems), n_rows), np.int64)
        self.reference_lengths: list[list[int]] = [[] for _ in range(n_rows)]

    def pages(self, order: Sequence[int]) -> Iterator[str]:
        """Pages of the rows in a given order, packed; see ``_page``. Tells progress row by row."""
        waiting: deque[Future[str]] = deque()
        with ThreadPoolExecutor(max_workers=1) as pool:  # zlib releases Python's lock
            for start in range(0, len(order), ROWS_A_PAGE):
                waiting.append(pool.submit(packed, *self._page(order, start)))
                if len(waiting) == _MOST_WAITING:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()

    def _page(self, order: Sequence[int], start: int) -> tuple[dict[str, Any], dict[str, NDArray[np.integer]]]:
        """One page, as ``packed`` takes it.

        ``texts``: of each row the predictions, then the references; ``references``: how many each row has; ``sources``:
        for each row what ``ReportSources.page_row`` gives, if there are any. The columns are those of ``token_columns``
        for these texts, and those of ``hit_columns`` for each row's pairs, by reference, then by system.
        """
        rows = order[start : start + ROWS_A_PAGE]
        texts: list[TextColumns] = []
        pairs: list[tuple[int, int]] = []  # prediction and reference, in texts
        counted: list[int] = []  # of each reference, in the counts
        offsets = self._counts[0].offsets
        for row in rows:
            first, stop = len(texts), len(texts) + len(self._systems)
            texts += (self._of_prediction.columns(inputs.predictions[row]) for inputs in self._systems)
            texts += map(self._of_reference.columns, self._systems[0].references[row])
            self.prediction_lengths[:, row] = [len(text.whole.tokens) for text in texts[first:stop]]
            self.reference_lengths[row] = [len(text.whole.tokens) for text in texts[stop:]]
            pairs += ((one, other) for other in range(stop, len(texts)) for one in range(first, stop))
            counted += range(offsets[row], offsets[row + 1])
            tell_progress(1)
        predictions, references = np.array(pairs, np.int64).reshape(-1, 2).T.copy()
        hits = place_hits(texts, predictions, references, self._settings, self._run)
        counts = np.stack([each.counts[counted] for each in self._counts], axis=1).reshape(-1, len(SHOWN_TYPES), 3)
        content: dict[str, Any] = {
            "texts": [text.text for text in texts],
            "references": [len(self._systems[0].references[row]) for row in rows],
        }
        if self._sources is not None:
            content["sources"] = [self._sources.page_row(row) for row in rows]
        return content, {**token_columns(texts), **hit_columns(hits, counts)}


def token_columns(texts: Sequence[TextColumns]) -> dict[str, NDArray[np.int64]]:
    """Where the tokens of some texts stand, text by text.

    ``tokens`` [text]: how many; ``starts`` and ``lengths`` of all of them, see ``_places``. ``sentences`` [text]: how
    many, and the ``sentenceTokens`` of each. ``ownStarts`` and ``ownLengths`` are those of sentences that have other
    tokens than their text, ``hasOwn`` [text].
    """
    whole = [text.whole for text in texts]
    starts, lengths = _places(whole)
    own_starts, own_lengths = _places([each for text in texts if not text.is_of_sentences for each in text.sentences])
    return {
        "tokens": _sizes(each.tokens for each in whole),
        "starts": starts,
        "lengths": lengths,
        "sentences": _sizes(text.sentences for text in texts),
        "sentenceTokens": _sizes(sentence.tokens for text in texts for sentence in text.sentences),
        "hasOwn": np.array([not text.is_of_sentences for text in texts], np.int64),
        "ownStarts": own_starts,
        "ownLengths": own_lengths,
    }


def hit_columns(hits: PlacedHits, counts: NDArray[np.float64]) -> dict[str, NDArray[np.integer]]:
    """The hits of some pairs, and what the score counts: float64[n_pairs, n_types, 3] of hits and totals.

    ``hits`` [pair, type]: how many, -1 where the convention counts others than can be shown; ``totals`` [pair, type,
    side]; ``ours`` and ``theirs``: first positions in prediction and reference, each from that of the hit before.
    """
    is_right = hits.counts == counts[..., 0]
    sizes = hits.counts.ravel()
    is_first = np.zeros(hits.places.shape[1], np.bool_)
    is_first[(np.cumsum(sizes) - sizes)[sizes > 0]] = True
    steps = np.diff(hits.places, axis=1, prepend=0)
    steps = np.where(is_first, hits.places, steps)[:, np.repeat(is_right.ravel(), sizes)]
    return {
        "hits": np.where(is_right, hits.counts, -1),
        "totals": counts[..., 1:].astype(np.int64),
        "ours": steps[0],
        "theirs": steps[1],
    }


def _sizes(of: Iterable[Sequence]) -> NDArray[np.int64]:
    return np.array(list(map(len, of)), np.int64)


def _places(columns: Sequence[TokenColumns]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Start and length of each token, column by column. A start counts from that of the token before.

    A token that is not in the text has the start 0 and the length -1. Two tokens may begin at one character, by NFKC.
    """
    sizes = _sizes(each.tokens for each in columns)
    starts = np.array(list(chain.from_iterable(each.starts for each in columns)), np.float64)  # None is no number
    ends = np.array(list(chain.from_iterable(each.ends for each in columns)), np.float64)
    places = np.arange(len(starts))
    firsts = np.repeat(np.cumsum(sizes) - sizes, sizes)  # of its column, for each token
    is_there = ~np.isnan(starts)
    last = np.maximum.accumulate(np.where(is_there, places, -1))  # token that is in a text
    known = np.where(last >= firsts, starts[last], 0).astype(np.int64)
    before = np.where(places == firsts, 0, np.roll(known, 1))
    return known - before, np.where(is_there, ends - starts, -1).astype(np.int64)


def packed(value: Mapping[str, Any], columns: Mapping[str, NDArray[np.integer]] | None = None) -> str:
    """A value as compressed JSON, followed by columns of whole numbers that a browser reads without objects.

    The columns are arrays of any shape, below 2 to the 31st, little-endian, each in the fewest bytes that hold it. The
    value's key ``numbers`` says where: ``bytes`` of a number, ``shape``, and ``start`` after the JSON. The first four
    bytes are the length of the JSON. Blanks after it, and zeros after each column, make that a multiple of 4.
    """
    directory: dict[str, dict[str, Any]] = {}
    numbers = bytearray()
    for name, column in (columns or {}).items():
        low, high = (int(column.min()), int(column.max())) if column.size else (0, 0)
        size = next(each for each in _SIZES if np.iinfo(each).min <= low and high <= np.iinfo(each).max)
        directory[name] = {"bytes": np.dtype(size).itemsize, "shape": list(column.shape), "start": len(numbers)}
        numbers += np.ascontiguousarray(column, np.dtype(size).newbyteorder("<")).tobytes()
        numbers += bytes(-len(numbers) % 4)
    whole = {**value, "numbers": directory} if columns else value
    # JSON has an escape for a lone surrogate, which a name of a file may hold.
    text = json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode(errors="backslashreplace")
    text += b" " * (-len(text) % 4)
    data = len(text).to_bytes(4, "little") + text + numbers
    return base64.b64encode(gzip.compress(data, compresslevel=6, mtime=0)).decode()
