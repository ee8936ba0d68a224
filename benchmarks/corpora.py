"""Texts to measure on: made with a fixed seed, and real ones where they lie beside the repository."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path
from typing import NamedTuple

__all__ = ["Corpus", "english", "real_english"]

_SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
_SYLLABLES = [a + b for a in "bcdfglmnprst" for b in ("a", "e", "i", "o", "u", "an", "er", "in", "on", "st")]


class Corpus(NamedTuple):
    """Pairs of texts, no text twice."""

    name: str
    predictions: list[str]
    references: list[str]


def english(n_pairs: int, n_words: int, n_sentences: int, seed: int = 0) -> Corpus:
    """News-like pairs: words drawn by Zipf's law from 20,000, one sentence a line.

    A prediction keeps about half the words of its reference, in order, and draws the others anew.
    """
    rng = random.Random(seed)  # noqa: S311 no secret
    vocabulary = ["".join(rng.choices(_SYLLABLES, k=_syllables(rng, rank))) for rank in range(20_000)]
    cumulative = list(itertools.accumulate(1 / rank for rank in range(1, len(vocabulary) + 1)))

    def words(n: int) -> list[str]:
        return rng.choices(vocabulary, cum_weights=cumulative, k=n)

    def text(tokens: list[str]) -> str:
        size = -(-len(tokens) // n_sentences)
        lines = [tokens[start : start + size] for start in range(0, len(tokens), size)]
        return "\n".join(" ".join(line).capitalize() + " ." for line in lines)

    predictions, references = [], []
    for _ in range(n_pairs):
        reference = words(max(4, round(rng.gauss(n_words, n_words / 5))))
        fresh = words(len(reference))
        kept = [old if rng.random() < 0.5 else new for old, new in zip(reference, fresh, strict=True)]
        predictions.append(text(kept))
        references.append(text(reference))
    return Corpus(f"synthetic, {n_words} words, {n_sentences} sentences", predictions, references)


def _syllables(rng: random.Random, rank: int) -> int:
    """Frequent words are short, so that the mean length of a running word is near English's 4.7."""
    if rank < 100:
        return rng.choice((1, 1, 1, 2))
    return rng.choice((2, 2, 3)) if rank < 2000 else rng.choice((2, 3, 3, 4))


def real_english(name: str, file: str, n_pairs: int) -> Corpus | None:
    """The first reference of each row of a data file, repeated up to n_pairs; None where it is missing.

    Repeats get a number at the end, so that no text is met twice and no cache helps.
    """
    if not (_SHARED / file).is_file():
        return None
    with open(_SHARED / file, encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    repeated = list(itertools.islice(itertools.cycle(rows), n_pairs))
    return Corpus(
        name,
        [f"{row['prediction']} x{i}" for i, row in enumerate(repeated)],
        [f"{row['references'][0]} y{i}" for i, row in enumerate(repeated)],
    )
