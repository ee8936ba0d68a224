"""Time a reward on the batches of reinforcement learning: ``python -m benchmarks.rewards`` prints a table.

The plain engine scores 8 completions in a call, made from the texts of ``examples/``. Either each has its own
reference, which is new; or the 8 are a group with one reference, as in GRPO.
"""

from __future__ import annotations

import json
import pickle
import platform
import statistics
import time
import warnings
from pathlib import Path

from polyrouge import Rouge, RougeWarning

_ROOT = Path(__file__).resolve().parents[1]
_BATCH = 8
_CALLS = 200
_TYPES = {
    "rougeL": ["rougeL"],
    "1, L": ["rouge1", "rougeL"],
    "1, 2, L, Lsum": ["rouge1", "rouge2", "rougeL", "rougeLsum"],
}
_TEXTS = {"zh_char": "zh_news.jsonl", "zh_word": "zh_news.jsonl", "default": "en_news.jsonl"}


def batches(name: str) -> list[tuple[list[str], list[str]]]:
    """Completions and references, eight at a time."""
    with open(_ROOT / "examples" / name, encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    pairs = [(row[column], row["references"][0]) for row in rows for column in ("prediction", "prediction_b")]
    full = range(0, len(pairs) - _BATCH + 1, _BATCH)
    return [tuple(map(list, zip(*pairs[start : start + _BATCH], strict=True))) for start in full]  # type: ignore[misc]


def microseconds_a_pair(convention: str, types: list[str], group: bool) -> float:
    """The median over calls. Each round takes a new copy of the reward, which has seen no reference before."""
    texts = batches(_TEXTS[convention])
    times = []
    reward = Rouge(convention, engine="plain").as_reward(rouge_types=types)
    reward(completions=["a"], references=["a"])  # what is loaded once
    fresh = pickle.dumps(reward)
    for call in range(_CALLS):
        completions, references = texts[call % len(texts)]
        if call % len(texts) == 0:
            reward = pickle.loads(fresh)  # noqa: S301 our own
        start = time.perf_counter()
        reward(completions=completions, references=references[:1] * _BATCH if group else references)
        times.append(time.perf_counter() - start)
    return statistics.median(times) / _BATCH * 1e6


def main() -> None:
    """Print the table."""
    warnings.simplefilter("ignore", RougeWarning)
    print(f"Microseconds a pair, {_BATCH} pairs a call, plain engine; Python {platform.python_version()}.\n")
    print("| convention | characters a text | types | new references | one reference a group |")
    print("|---|--:|---|--:|--:|")
    for convention, name in _TEXTS.items():
        texts = [text for sides in batches(name) for side in sides for text in side]
        length = statistics.mean(map(len, texts))
        for label, types in _TYPES.items():
            times = [microseconds_a_pair(convention, types, group) for group in (False, True)]
            print(f"| {convention} | {length:.0f} | {label} | {times[0]:.0f} | {times[1]:.0f} |", flush=True)


if __name__ == "__main__":
    main()
