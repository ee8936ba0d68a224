"""How fast the segmenters of languages are, and what threads and processes gain.

Real texts where they are beside the repository, else sentences of our own, in three sets: sentences, long texts, and
texts of which each comes four times; medians of five rounds in which all ways take turns. Processes are timed on one
set that takes some ten seconds, with their start. On a busy machine look at the processor's seconds, which others do
not change: those of this process, which reads nothing while others cut. ``python -m
benchmarks.studies.segmenters`` writes the tables to SEGMENTERS.md.
"""

from __future__ import annotations

import json
import platform
import random
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

from benchmarks.corpora import SHARED
from polyrouge import Rouge
from polyrouge.counting import word_reading
from polyrouge.texts.tokenizers import Tokenize, TokenizerOptions, build_tokenizer

_ROUNDS = 5
_ROUNDS_OF_PROCESSES = 3
_SECONDS = 10.0
_SEGMENTERS = {
    "ja_mecab": ("ja", 400_000),
    "ja_sudachi_c": ("ja", 300_000),
    "ko_mecab": ("ko", 200_000),
    "ko_kiwi": ("ko", 60_000),
    "th_newmm": ("th", 400_000),
    "vi_words": ("vi", 400_000),
    "km_words": ("km", 80_000),
    "lo_words": ("lo", 400_000),
}
_OWN = {
    "ja": "国家公務員が東京都へ行った。今日は良い天気です。",
    "ko": "서울은 대한민국의 수도이다. 학교에 갔다.",
    "th": "กรุงเทพเป็นเมืองหลวงของประเทศไทย ",
    "vi": "Hà Nội là thủ đô của Việt Nam. ",
    "km": "ភ្នំពេញជារាជធានីនៃប្រទេសកម្ពុជា។",
    "lo": "ວຽງຈັນເປັນນະຄອນຫຼວງຂອງປະເທດລາວ ",
}
_TYPES = ["rouge1", "rouge2", "rougeL"]
Measured = tuple[float, float]


def text_sets(language: str, size: int) -> dict[str, list[str]]:
    """Texts of about so many characters in each set, an even number of them."""
    rng = random.Random(0)  # noqa: S311 no secret
    path = SHARED / "multilingual.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    real = [text for row in rows if row["lang"] == language for text in (row["prediction"], *row["references"])]
    joined = "".join(real) or _OWN[language] * 20

    def made(length: int, characters: int) -> list[str]:
        """Stretches of 40 characters, so that no text comes twice."""
        return [
            "".join(joined[at : at + 40] for at in rng.choices(range(max(1, len(joined) - 40)), k=length // 40))
            for _ in range(2 * max(300, characters // length // 2))
        ]

    repeated = made(120, size // 4) * 4
    rng.shuffle(repeated)
    return {"sentences": made(120, size), "long texts": made(1200, size), "four times": repeated}


def timed(run: Callable[[], object]) -> Measured:
    """Seconds by the clock, and seconds of this process."""
    clock, own = time.perf_counter(), time.process_time()
    run()
    return time.perf_counter() - clock, time.process_time() - own


def row(name: str, texts: list[str]) -> list[str]:
    """The cells of one segmenter and set."""
    cut: Tokenize = build_tokenizer(name, TokenizerOptions())
    rouge = Rouge(tokenizer=name, rouge_types=_TYPES)
    middle = len(texts) // 2
    predictions, references = texts[:middle], texts[middle:]

    def score(threads: int) -> Callable[[], object]:
        return lambda: rouge.compute(predictions, references, engine="compiled", threads=threads)

    ways = {
        "bare": lambda: [cut(text) for text in texts],
        "one": score(1),
        "threads": score(2),
    }
    rounds = [{way: timed(run) for way, run in ways.items()} for _ in range(_ROUNDS)]

    def median(of: Callable[[dict[str, Measured]], float]) -> float:
        return statistics.median(map(of, rounds))

    characters = sum(map(len, texts))
    return [
        f"{1e6 * median(lambda each: each['bare'][1]) / characters:.2f}",
        f"{median(lambda each: each['one'][1] / each['bare'][1]):.2f}",
        f"{median(lambda each: each['one'][0] / each['threads'][0]):.2f}",
    ]


def process_row(name: str, language: str) -> list[str]:
    """The cells of one segmenter that keeps the lock, with as much to cut as is worth processes."""
    size = int(_SECONDS / word_reading._HOLD_THE_LOCK[name])
    texts = text_sets(language, size)["sentences"]
    rouge = Rouge(tokenizer=name, rouge_types=_TYPES)
    middle = len(texts) // 2

    def score(threads: int) -> Measured:
        return timed(lambda: rouge.compute(texts[:middle], texts[middle:], engine="compiled", threads=threads))

    score(1)
    rounds = [(score(1), score(2)) for _ in range(_ROUNDS_OF_PROCESSES)]
    return [
        *(f"{statistics.median(each[way][0] for each in rounds):.1f}" for way in (0, 1)),
        *(f"{statistics.median(each[way][1] for each in rounds):.1f}" for way in (0, 1)),
    ]


def main() -> None:
    """Measure, print each row as it comes, and write the table."""
    warnings.simplefilter("ignore")
    lines = [
        "# Segmenters of languages",
        "",
        f"Python {platform.python_version()}, {platform.machine()}; `python -m {__spec__.name}` says how.",
        "",
        "| tokenizer | texts | bare, µs a character | rouge1, 2 and L with it / bare | gain of two threads |",
        "|---|---|--:|--:|--:|",
    ]
    for name, (language, size) in _SEGMENTERS.items():
        for kind, texts in text_sets(language, size).items():
            lines.append(f"| `{name}` | {kind} | {' | '.join(row(name, texts))} |")
            print(lines[-1], flush=True)
    lines += [
        "",
        "Seconds in all, and of the processor in this process alone, on sentences:",
        "",
        "| tokenizer | one thread | two processes | its own part, one thread | two processes |",
        "|---|--:|--:|--:|--:|",
    ]
    for name, (language, _) in _SEGMENTERS.items():
        if name in word_reading._HOLD_THE_LOCK:
            lines.append(f"| `{name}` | {' | '.join(process_row(name, language))} |")
            print(lines[-1], flush=True)
    Path(__file__).with_name("SEGMENTERS.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
