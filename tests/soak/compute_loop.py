"""Score random samples under random settings for ever: ``compute_loop.py SHARE SEED``; ``soak.py`` watches it.

Each round is new: its texts, its settings, its functions, at times its user dictionary, so that whatever is kept by
their names or contents without an end would show.
"""

from __future__ import annotations

import contextlib
import random
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

from random_settings import random_rouge, random_samples, random_text

from polyrouge import CONVENTIONS, TOKENIZERS, Rouge, compare_conventions, compare_systems

_REFUSED = (ValueError, TypeError, FileNotFoundError, ModuleNotFoundError)
_WORDS = "the cat sat on a mat running policies 今天 天气 很好 。 研究 生命".split()


def random_texts(rng: random.Random, n: int) -> list[str]:
    """Texts of up to 120 words, with one that no other call draws; some are empty."""
    words = [*_WORDS, str(rng.random())]
    return [" ".join(rng.choices(words, k=rng.randint(0, 120))) for _ in range(n)]


def _rows(rng: random.Random, n: int) -> tuple[list[str], list[str]]:
    return random_texts(rng, n), random_texts(rng, n)


def _random_settings(rng: random.Random) -> None:
    if (rouge := random_rouge(rng)) is not None:
        samples = random_samples(rng)
        for engine in ("plain", "compiled"):
            with contextlib.suppress(*_REFUSED):
                rouge.compute(*samples, engine=engine, threads=rng.choice([1, 2, 5]))


def _large_batch(rng: random.Random) -> None:
    convention = rng.choice(["default", "rouge_score", "zh_char", "zh_word", "rouge155"])
    rouge = Rouge(convention, confidence=rng.choice([None, 0.95]), n_resamples=200)
    rouge.compute(*_rows(rng, 400), threads=rng.choice([1, 2, 4]))


def _new_function(rng: random.Random) -> None:
    stops = {random_text(rng) for _ in range(20)}
    Rouge(tokenizer=lambda text: [word for word in text.split() if word not in stops]).compute(*_rows(rng, 20))


def _new_dictionary(rng: random.Random) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "words.txt")
        words = {"".join(rng.choices("今天天气很好上海下雨研究生命", k=rng.randint(2, 5))) for _ in range(300)}
        path.write_text("".join(f"{word} {rng.randint(1, 9999)} n\n" for word in words), encoding="utf-8")
        for engine in ("plain", "compiled"):
            Rouge("zh_word", jieba_dict=str(path), engine=engine).compute(*_rows(rng, 20))


def _row_by_row(rng: random.Random) -> None:
    predictions, references = _rows(rng, 30)
    rouge = Rouge("zh_char")
    for prediction, reference in zip(predictions, references, strict=True):
        rouge.score_batch({"prediction": [prediction], "references": [reference]})
    reward = Rouge("rouge_score").as_reward(references="answers")
    reward(prompts=[""] * 30, completions=predictions, answers=references)


def _comparisons(rng: random.Random) -> None:
    first, references = _rows(rng, 40)
    second, _ = _rows(rng, 40)
    compare_systems({"a": first, "b": second}, references, Rouge(rouge_types=["rouge1", "rougeL"]))
    compare_conventions(first[:10], references[:10], ["default", "pltrdy", "rouge_chinese"])
    for prediction, reference in zip(first[:5], references, strict=False):
        Rouge("zh_word").explain(prediction, reference)


def _refusals(rng: random.Random) -> None:
    for rows in ([None], [1.0], ["\ud800"], [random_text(rng), b""]):
        with contextlib.suppress(*_REFUSED):
            Rouge().compute(rows, ["a"] * len(rows))
    with contextlib.suppress(*_REFUSED):
        Rouge(f"no convention {rng.random()}")
    Rouge.from_signature(Rouge("zh_char", beta=rng.random() + 0.5).signature())


# What a round does, and how often beside the others.
_KINDS: dict[Callable[[random.Random], None], int] = {
    _random_settings: 30,
    _large_batch: 2,
    _new_function: 4,
    _new_dictionary: 1,
    _row_by_row: 2,
    _comparisons: 1,
    _refusals: 4,
}


def _load_everything(rng: random.Random) -> None:
    """Use each tokenizer and convention once: the tables of janome and others are loaded with the first text."""
    for settings in [*({"tokenizer": name} for name in TOKENIZERS), *({"convention": name} for name in CONVENTIONS)]:
        for engine in ("plain", "compiled"):
            with contextlib.suppress(*_REFUSED):
                Rouge(**settings, engine=engine).compute(*_rows(rng, 30))


def run(share: float, seed: int) -> None:
    """Run rounds, with pauses so that they take this share of a core."""
    warnings.simplefilter("ignore")
    rng = random.Random(seed)
    _load_everything(rng)
    rounds = 0
    while True:
        begun, processor = time.monotonic(), time.process_time()
        kind = rng.choices(list(_KINDS), list(_KINDS.values()))[0]
        kind(random.Random(rng.random()))
        rounds += 1
        if rounds % 20 == 0:
            print(rounds, flush=True)
        time.sleep(max(0.0, (time.process_time() - processor) / share - (time.monotonic() - begun)))


if __name__ == "__main__":
    run(float(sys.argv[1]), int(sys.argv[2]))
