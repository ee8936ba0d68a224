"""Pairs of texts on which tools differ: few words, repeats, ties, marks, blanks, nothing; and real ones."""

import random

import shared_data

_WORDS = (
    *"the cat Sat on mat. a b 3.14 12% gonna cannot state-of-the-art U.S. don't".split(),
    *"今天 天气 很好 中国 银行 研究生命 。 ！ ？” ， ； 2024年 ＡＩ 㐀 GPT-4 ... ...... …… .".split(),
    *(" . ", "\n", " \n ", "\t", "  ", "", *"K İ ß 😀".split(), "\u3000", "running", "became"),
)
_ODD = ("", " ", "\n", ".", "...", "。", "。。", "! ?", "  .  ")
# For packages that read lines and mark-up, and stem irregular words.
_MORE_WORDS = (*_WORDS, *"ran children studies oxen geese better comics x_y café".split())
_MORE_ODD = (*_ODD, "<a> b", "a\r\nb", "\n\na\n")
Pair = tuple[str, str]


def random_pairs(n: int, seed: int, words: tuple[str, ...] = _WORDS, odd: tuple[str, ...] = _ODD) -> list[Pair]:
    """Texts of few words, so that repeats and ties are frequent; each tenth side is empty, blank or marks."""
    rng = random.Random(seed)

    def text() -> str:
        if rng.random() < 0.1:
            return rng.choice(odd)
        drawn = rng.choices(rng.sample(words, rng.randint(2, 12)), k=rng.randint(1, 24))
        return rng.choice([" ", "", " "]).join(drawn)

    return [(text(), text()) for _ in range(n)]


def real_pairs(n: int, seed: int) -> list[Pair]:
    """Rows of all data files, where they are beside the repository; long texts cut, for the tools' sake."""
    if not shared_data.SHARED.is_dir():
        return []
    rows = random.Random(seed).sample(shared_data.all_data_rows(), n)
    return [(row["prediction"][:400], row["references"][0][:400]) for row in rows]


def tool_pairs(n_random: int, n_real: int) -> list[Pair]:
    """Random pairs, then real ones where they are at hand: the same ones every time."""
    return [*random_pairs(n_random, seed=7), *real_pairs(n_real, seed=8)]


def tool_samples(n: int, seed: int) -> list[tuple[str, list[str]]]:
    """Predictions with one to four references each."""
    rng = random.Random(seed)
    pairs = [*random_pairs(n - n // 5, seed, _MORE_WORDS, _MORE_ODD), *real_pairs(n // 5, seed)]
    return [(text, [first, *(rng.choice(pairs)[1] for _ in range(rng.choice((0, 0, 1, 3))))]) for text, first in pairs]


def live_texts(
    seed: int, pieces: list[str], texts: list[str], n_joined: int, n_spaced: int, rows: list[dict] | None = None
) -> list[str]:
    """Some texts, random ones of pieces, and those of rows: of all data files, where they are beside the repository."""
    rng = random.Random(seed)
    joined = ["".join(rng.choices(pieces, k=rng.randrange(30))) for _ in range(n_joined)]
    spaced = [" ".join(rng.choices(pieces, k=rng.randrange(100))) for _ in range(n_spaced)]
    if rows is None:
        rows = shared_data.all_data_rows() if shared_data.SHARED.is_dir() else []
    return [*texts, *joined, *spaced, *(text for row in rows for text in (row["prediction"], *row["references"]))]


def write_exceptions(folder, **lines: str):
    """Small exception lists of WordNet in a folder."""
    for name in ("adj", "adv", "noun", "verb"):
        (folder / f"{name}.exc").write_text(lines.get(name, ""))
    return folder
