"""Rows on English texts: rouge_score's convention beside the Rust packages and rouge_score itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from benchmarks import peers
from benchmarks.corpora import Corpus, english, real
from benchmarks.results import Comparison
from benchmarks.setup import Setup
from benchmarks.timing import Side, compare
from polyrouge import Rouge

__all__ = ["four_types", "ngrams_and_lcs", "stemmer", "words_220", "words_2000"]

_THREE = ("rouge1", "rouge2", "rougeL")
_FOUR = (*_THREE, "rougeLsum")
_SLOW_PAIRS = 100


def ngrams_and_lcs(setup: Setup) -> Iterator[Comparison]:
    """1/2/L of news-length pairs, beside every peer and beside only finding the words."""
    for corpus in _news(setup):
        rouge = _ours(setup, _THREE)
        floor = _floor(corpus, 1.8)
        others = {
            "rouge-score-rs": Side(peers.rouge_score_rs(corpus, _THREE), len(corpus.predictions), floor),
            "rouge-rust, flat": Side(peers.rouge_rust(corpus), len(corpus.predictions), floor),
        }
        if setup.threads == 1:
            others["rouge_score"] = Side(peers.rouge_score(corpus.first(_SLOW_PAIRS), _THREE), _SLOW_PAIRS)
            # at most 0.3 of its time
            others["re.findall of the words alone"] = Side(
                lambda corpus=corpus: _find_words(corpus), len(corpus.predictions), _floor(corpus, 1 / 0.3)
            )
        yield from _against(setup, "ngrams_and_lcs", "1/2/L", corpus, rouge, others)


def four_types(setup: Setup) -> Iterator[Comparison]:
    """1/2/L/Lsum of news-length pairs."""
    for corpus in _news(setup):
        yield from _four_types(setup, "four_types", corpus, _floor(corpus, 2.5))


def stemmer(setup: Setup) -> Iterator[Comparison]:
    """1/2/L/Lsum of news-length pairs with Porter stems."""
    for corpus in _news(setup):
        yield from _four_types(setup, "stemmer", corpus, _floor(corpus, 4.0), use_stemmer=True)


def words_220(setup: Setup) -> Iterator[Comparison]:
    """Pairs as long as PubMed's abstracts."""
    yield from _four_types(setup, "words_220", english(setup.pairs(4000), 220, 9), floor=4.0)


def words_2000(setup: Setup) -> Iterator[Comparison]:
    """Pairs as long as articles."""
    yield from _four_types(setup, "words_2000", english(setup.pairs(400), 2000, 80), floor=8.0)


def _news(setup: Setup) -> list[Corpus]:
    n = setup.pairs(10_000)
    corpora = [
        english(n, 62, 3),
        real("real CNN/DM outputs", "en_news.jsonl", n),
        real("real XSum outputs", "en_short.jsonl", n),
    ]
    return [corpus for corpus in corpora if corpus is not None]


def _floor(corpus: Corpus, floor: float) -> float | None:
    """What is asked for about 62 words; nothing is for XSum's 22."""
    return None if "XSum" in corpus.name else floor


def _ours(setup: Setup, types: Sequence[str], *, use_stemmer: bool = False) -> Rouge:
    return Rouge("rouge_score", rouge_types=types, use_stemmer=use_stemmer, engine="compiled", threads=setup.threads)


def _four_types(
    setup: Setup, row: str, corpus: Corpus, floor: float | None, *, use_stemmer: bool = False
) -> Iterator[Comparison]:
    n = len(corpus.predictions)
    others = {"rouge-score-rs": Side(peers.rouge_score_rs(corpus, _FOUR, use_stemmer=use_stemmer), n, floor)}
    n_slow = _SLOW_PAIRS * 62 // max(62, len(corpus.references[0]) // 6)
    if setup.threads == 1 and n_slow > 5:  # it takes seconds for a pair of articles
        slow = peers.rouge_score(corpus.first(n_slow), _FOUR, use_stemmer=use_stemmer)
        others["rouge_score"] = Side(slow, n_slow)
    work = "1/2/L/Lsum, stemmer" if use_stemmer else "1/2/L/Lsum"
    yield from _against(setup, row, work, corpus, _ours(setup, _FOUR, use_stemmer=use_stemmer), others)


def _against(
    setup: Setup, row: str, work: str, corpus: Corpus, rouge: Rouge, others: dict[str, Side]
) -> Iterator[Comparison]:
    """Check that the scores are those of the first peer, then compare."""
    scores = rouge.compute(corpus.predictions, corpus.references, use_aggregator=False)
    peers.check_same_scores(scores, others["rouge-score-rs"].run(), f"{row}, {corpus.name}")  # pyright: ignore[reportArgumentType] # a list of dicts
    ours = Side(lambda: rouge.compute(corpus.predictions, corpus.references), len(corpus.predictions))
    yield from compare(row, work, corpus.name, setup.threads, ours, others)


def _find_words(corpus: Corpus) -> None:
    find = re.compile("[a-z0-9]+").findall
    for text in corpus.predictions:
        find(text.lower())
    for text in corpus.references:
        find(text.lower())
