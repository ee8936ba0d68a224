"""Texts with their tokens, and hits between them, as columns of whole numbers for the page of a report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from polyrouge.explaining.placed_hits import PlacedHits
from polyrouge.explaining.token_places import TextColumns, TokenColumns


def token_columns(texts: Sequence[TextColumns]) -> dict[str, NDArray[np.int64]]:
    """Where the tokens of some texts stand, text by text.

    Args:
        texts: with their tokens.

    Returns:
        ``tokens`` [text]: how many; ``starts`` and ``lengths`` of all of them, see ``_places``. ``sentences`` [text]:
        how many, and the ``sentenceTokens`` of each. Of texts whose sentences have other tokens than the whole text,
        ``hasOwn`` [text], these are in ``ownStarts`` and ``ownLengths``.
    """
    whole = [text.whole for text in texts]
    own = [sentence for text in texts if not text.is_of_sentences for sentence in text.sentences]
    starts, lengths = _places(whole, _sizes(each.tokens for each in whole))
    own_starts, own_lengths = _places(own, _sizes(each.tokens for each in own))
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
    """The hits of some pairs, and what the score counts.

    Args:
        hits: of the pairs.
        counts: float64[n_pairs, n_types, 3]: hits, prediction total and reference total by the score.

    Returns:
        ``hits`` [pair, type]: how many, -1 where the convention counts other hits than those that can be shown;
        ``totals`` [pair, type, side]; and of all hits ``ours`` and ``theirs``, first positions in the prediction and in
        the reference, each counted from the one of the hit before.
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


def _places(columns: Sequence[TokenColumns], sizes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Start and length of each token, stretch by stretch. A start counts from the start of the token before.

    A token that is not in the text has the length -1 and the start of the token before. Two tokens may begin at the
    same character (by NFKC): the second one has the start 0.
    """
    starts = np.array(list(chain.from_iterable(each.starts for each in columns)), np.float64)  # None is no number
    ends = np.array(list(chain.from_iterable(each.ends for each in columns)), np.float64)
    places = np.arange(len(starts))
    firsts = np.repeat(np.cumsum(sizes) - sizes, sizes)  # of its stretch, for each token
    is_there = ~np.isnan(starts)
    last = np.maximum.accumulate(np.where(is_there, places, -1))  # token that is in a text
    known = np.where(last >= firsts, starts[last], 0).astype(np.int64)
    before = np.where(places == firsts, 0, np.roll(known, 1))
    return known - before, np.where(is_there, ends - starts, -1).astype(np.int64)
