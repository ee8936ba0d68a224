"""Texts on which the packages of ``polyrouge.compat`` are held against the originals."""

import random

import shared_data

WORDS = (
    *("the", "cat", "Sat", "on", "mat.", "a", "b", "3.14", "12%", "gonna", "state-of-the-art", "U.S.", "don't"),
    *("今天", "天气", "很好", "中国", "银行", "研究生命", "。", "！", "？”", "，", "；", "2024年", "ＡＩ", "GPT-4"),
    *("running", "became", "ran", "children", "studies", "...", ".", " . ", "\n", " \n ", "\t", "  ", "", "ß", "😀"),
)
ODD_TEXTS = ("", " ", "\n", ".", "。", "! ?", "  .  ", "<a> b", "a\r\nb", "\n\na\n")


def random_texts(n: int, seed: int, words: tuple[str, ...] = WORDS) -> list[str]:
    """Texts of few words, so that repeats and ties are frequent; one in twelve is blank or odd."""
    rng = random.Random(seed)

    def text() -> str:
        if rng.random() < 1 / 12:
            return rng.choice(ODD_TEXTS)
        drawn = rng.choices(rng.sample(words, rng.randint(2, 12)), k=rng.randint(1, 24))
        return rng.choice([" ", "", " ", " "]).join(drawn)

    return [text() for _ in range(n)]


def pairs(n: int, seed: int, longest: int = 400) -> list[tuple[str, str]]:
    """Pairs of a prediction and a reference; a fifth are rows of real data where those are beside the repository."""
    texts = random_texts(2 * n, seed)
    found = list(zip(texts[:n], texts[n:], strict=True))
    if shared_data.SHARED.is_dir():
        rows = random.Random(seed).sample(shared_data.all_data_rows(), n // 5)
        found[: len(rows)] = [(row["prediction"][:longest], row["references"][0][:longest]) for row in rows]
    return found


def samples(n: int, seed: int) -> list[tuple[str, list[str]]]:
    """Predictions with one to four references each."""
    rng = random.Random(seed)
    found = pairs(n, seed)
    return [(text, [first, *(rng.choice(found)[1] for _ in range(rng.choice((0, 0, 1, 3))))]) for text, first in found]
