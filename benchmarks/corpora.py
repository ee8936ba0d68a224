"""Texts to measure on: made with a fixed seed, and real ones if they are beside the repository."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path
from typing import NamedTuple

__all__ = ["SHARED", "Corpus", "chinese", "chinese_titles", "english", "real"]

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
_SYLLABLES = [a + b for a in "bcdfglmnprst" for b in ("a", "e", "i", "o", "u", "an", "er", "in", "on", "st")]
# Endings that English words have, and that a stemmer has to look at.
_ENDINGS = ("", "", "", "s", "s", "ed", "ing", "ly", "ation", "er", "al", "ness")


class Corpus(NamedTuple):
    """Pairs of texts, no text twice."""

    name: str
    predictions: list[str]
    references: list[str]

    def first(self, n_pairs: int) -> Corpus:
        """Its first pairs, for a slow peer."""
        return Corpus(self.name, self.predictions[:n_pairs], self.references[:n_pairs])


def english(n_pairs: int, n_words: int, n_sentences: int, seed: int = 0) -> Corpus:
    """News-like pairs: words drawn by Zipf's law from 20,000, one sentence a line.

    A prediction keeps about half the words of its reference, in order; the others are drawn at random.
    """
    rng = random.Random(seed)  # noqa: S311 no secret
    vocabulary = [_word(rng, rank) for rank in range(20_000)]
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
    return Corpus(f"synthetic, {n_words} words", predictions, references)


def _word(rng: random.Random, rank: int) -> str:
    """Frequent words are short, so that the mean length of a running word is near English's 4.7."""
    if rank < 100:
        return "".join(rng.choices(_SYLLABLES, k=rng.choice((1, 1, 1, 2))))
    n_syllables = rng.choice((2, 2, 3)) if rank < 2000 else rng.choice((2, 3, 3, 4))
    return "".join(rng.choices(_SYLLABLES, k=n_syllables)) + rng.choice(_ENDINGS)


def chinese(n_pairs: int, n_characters: int, seed: int = 0) -> Corpus:
    """Chinese pairs: words drawn by their frequency in jieba's dictionary, one sentence a line.

    A sentence has about 20 characters and ends in a full stop. A prediction keeps about half of
    the words of its reference.
    """
    rng = random.Random(seed)  # noqa: S311 no secret
    vocabulary, cumulative = _chinese_words()

    def words() -> list[str]:
        drawn, length = [], 0
        while length < n_characters:
            drawn.append(rng.choices(vocabulary, cum_weights=cumulative)[0])
            length += len(drawn[-1])
        return drawn

    predictions, references = [], []
    for _ in range(n_pairs):
        reference = words()
        fresh = words()
        kept = [old if rng.random() < 0.5 else new for old, new in zip(reference, fresh, strict=False)]
        references.append(_in_sentences(reference))
        predictions.append(_in_sentences(kept))
    return Corpus(f"synthetic, {n_characters} characters", predictions, references)


def chinese_titles(n_pairs: int, seed: int = 0) -> Corpus:
    """Pairs of 20 Chinese characters, cut from one long run of words, so that a million are made fast.

    The first half of a prediction is the first half of its reference.
    """
    rng = random.Random(seed)  # noqa: S311 no secret
    vocabulary, cumulative = _chinese_words()
    run = "".join(rng.choices(vocabulary, cum_weights=cumulative, k=1_000_000))
    starts = rng.choices(range(len(run) - 20), k=2 * n_pairs)
    references = [run[start : start + 20] for start in starts[:n_pairs]]
    predictions = [
        reference[:10] + run[start : start + 10] for reference, start in zip(references, starts[n_pairs:], strict=True)
    ]
    return Corpus("synthetic, 20 characters", predictions, references)


def _chinese_words() -> tuple[list[str], list[int]]:
    """Words of jieba's dictionary that are all Han, and their cumulative frequencies."""
    import jieba

    with open(jieba.get_dict_file().name, encoding="utf-8") as lines:
        entries = [line.split(" ")[:2] for line in lines]
    entries = [(word, int(times)) for word, times in entries if all("\u4e00" <= c <= "\u9fd5" for c in word)]
    words, times = zip(*entries, strict=True)
    return list(words), list(itertools.accumulate(times))


def _in_sentences(words: list[str]) -> str:
    parts, length = [], 0
    for word in words:
        parts.append(word)
        length += len(word)
        if length >= 20:
            parts.append("。\n")
            length = 0
    return "".join(parts)


def real(name: str, file: str, n_pairs: int) -> Corpus | None:
    """The first reference of each row of a data file, repeated up to n_pairs; None where it is missing.

    Repeats get a number at the end, so that no text comes twice and no cache helps.
    """
    if not (SHARED / file).is_file():
        return None
    with open(SHARED / file, encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    repeated = list(itertools.islice(itertools.cycle(rows), n_pairs))
    return Corpus(
        name,
        [f"{row['prediction']} x{i}" for i, row in enumerate(repeated)],
        [f"{row['references'][0]} y{i}" for i, row in enumerate(repeated)],
    )
