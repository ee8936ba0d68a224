"""Texts to numbers: the tokens that are compared, each with an id of its own, equal in all texts."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.compiled.jieba_cutter import compiled_jieba_cutter
from polyrouge.progress import tell_progress
from polyrouge.reading.documents import ReadDocument, document_readers
from polyrouge.reading.notes import TextNotes
from polyrouge.settings.rouge_settings import RougeSettings


class TokenRows(NamedTuple):
    """The tokens of some texts.

    Attributes:
        ids: int64[n_tokens]: of one text after the other.
        offsets: int64[n_texts + 1]: where each begins in ids.
    """

    ids: NDArray[np.int64]
    offsets: NDArray[np.int64]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many tokens each text has."""
        return np.diff(self.offsets)


class TokenNumbering:
    """Reads texts as they are counted, and numbers their tokens in the order in which they are first seen.

    Args:
        settings: which say what a token is.
    """

    def __init__(self, settings: RougeSettings) -> None:
        rules = settings.text_rules
        self._readers = document_readers(rules, TextNotes(rules), compiled_jieba_cutter, most_kept=1)
        self._ids: defaultdict[str, int] = defaultdict()
        self._ids.default_factory = self._ids.__len__

    def __len__(self) -> int:
        """How many different tokens there are so far."""
        return len(self._ids)

    def tokens(self) -> Sequence[str]:
        """The token of each id."""
        return list(self._ids)

    def predictions(self, texts: Iterable[str]) -> TokenRows:
        """Number the tokens of predictions."""
        return self._numbered(texts, self._readers.prediction)

    def references(self, texts: Iterable[str]) -> TokenRows:
        """Number the tokens of references."""
        return self._numbered(texts, self._readers.reference)

    def _numbered(self, texts: Iterable[str], read: ReadDocument) -> TokenRows:
        ids, ends = array("q"), array("q", [0])
        id_of = self._ids.__getitem__
        for text in texts:
            ids.extend(map(id_of, read(text).tokens))
            ends.append(len(ids))
            tell_progress(1)
        return TokenRows(np.array(ids, np.int64), np.array(ends, np.int64))
