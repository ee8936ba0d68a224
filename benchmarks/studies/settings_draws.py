"""How often ``find_settings`` names the settings that made a number, and how long it takes.

``python -m benchmarks.studies.settings_draws`` draws settings, publishes what they give for real texts with two digits,
searches, and rewrites SETTINGS.md beside this script.
"""

import json
import random
import time
import warnings
from collections import defaultdict
from pathlib import Path

from benchmarks.corpora import SHARED
from polyrouge import find_settings
from polyrouge.comparing.settings_search import code_and_keys

DRAWS = 40
TYPES = ("rouge1", "rouge2", "rougeL")
Texts = tuple[list[str], list[list[str]]]


def rows_of(name: str) -> list[dict]:
    """The rows of a file beside the checkout."""
    with (SHARED / f"{name}.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def texts() -> dict[str, Texts]:
    """Predictions and references by what they are, a thousand each where there are so many."""
    judged = {}
    for name in ("realsumm", "summeval"):
        references = {row["id"]: row["references"] for row in rows_of(f"human/{name}_documents")}
        rows = random.Random(1).sample(rows_of(f"human/{name}_outputs"), 1_000)  # noqa: S311 no secret
        judged[name] = [row["prediction"] for row in rows], [references[row["id"]] for row in rows]
    plain = {
        name: ([row["prediction"] for row in rows], [row["references"] for row in rows])
        for name, rows in ((name, rows_of(name)) for name in ("en_news", "zh_short", "zh_long"))
    }
    return {
        "1,000 outputs of REALSumm": judged["realsumm"],
        "1,000 outputs of SummEval, 11 references": judged["summeval"],
        f"{len(plain['en_news'][0])} English news": plain["en_news"],
        f"{len(plain['zh_short'][0])} Chinese headlines": plain["zh_short"],
        f"{len(plain['zh_long'][0])} long Chinese texts": plain["zh_long"],
    }


def drawn(predictions: list[str], references: list[list[str]]) -> tuple[int, int, int, float]:
    """How many settings there are; how often those drawn are in the first group, and alone in it; seconds."""
    every = find_settings(predictions, references, dict.fromkeys(TYPES, "50.00"), most=10**6)
    by_convention = defaultdict(list)
    for group in every.groups:
        # Sums of counts of a tool may be below 0; and where no number is above 1, all are taken as fractions.
        if min(group.scores.values()) >= 0 and max(group.scores.values()) > 1:
            for name in (code_and_keys(group), *group.others):
                by_convention[name.split("'")[1]].append((name, group))
    rng = random.Random(32)  # noqa: S311 no secret
    first = alone = 0
    start = time.perf_counter()
    for _ in range(DRAWS):
        name, group = rng.choice(by_convention[rng.choice(sorted(by_convention))])
        published = {key: f"{value:.2f}" for key, value in group.scores.items()}
        nearest = find_settings(predictions, references, published).groups[0]
        first += nearest.fits and name in (code_and_keys(nearest), *nearest.others)
        alone += not nearest.others
    return every.n_settings, first, alone, (time.perf_counter() - start) / DRAWS


def main() -> None:
    """Draw, print the table, and write it."""
    lines = [
        "# Settings that are searched for",
        "",
        f"{DRAWS} settings drawn for each set of texts, a convention first; their ROUGE-1, ROUGE-2 and ROUGE-L are",
        "published with two digits. Settings that give the same two digits are one group, and only more digits could",
        "tell them apart. Made by `python -m benchmarks.studies.settings_draws`; seconds of a search, two threads.",
        "",
        "| texts | settings tried | the drawn one in the first group | alone in it | seconds |",
        "|---|--:|--:|--:|--:|",
    ]
    print("\n".join(lines))
    for name, (predictions, references) in texts().items():
        n_settings, *counts, seconds = drawn(predictions, references)
        shares = " | ".join(f"{count} of {DRAWS}" for count in counts)
        lines.append(f"| {name} | {n_settings:,} | {shares} | {seconds:.1f} |")
        print(lines[-1], flush=True)
    Path(__file__).with_name("SETTINGS.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
