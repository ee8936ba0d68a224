"""How often ``find_settings`` names the settings that made a number, and how long it takes.

``python -m benchmarks.settings_draws`` draws settings, publishes what they give for real texts with two digits,
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

DRAWS = 50
TYPES = ("rouge1", "rouge2", "rougeL")
Texts = tuple[list[str], list[list[str]]]


def rows_of(name: str) -> list[dict]:
    """The rows of a file beside the checkout."""
    with (SHARED / f"{name}.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def texts() -> dict[str, Texts]:
    """Predictions and references by what they are."""
    judged = {}
    for name, n, n_references in (("realsumm", 1_000, 1), ("summeval", 400, 4)):
        references = {row["id"]: row["references"][:n_references] for row in rows_of(f"human/{name}_documents")}
        rows = random.Random(1).sample(rows_of(f"human/{name}_outputs"), n)  # noqa: S311 no secret
        judged[name] = [row["prediction"] for row in rows], [references[row["id"]] for row in rows]
    plain = {
        name: ([row["prediction"] for row in rows], [row["references"] for row in rows])
        for name, rows in ((name, rows_of(name)) for name in ("en_news", "zh_short"))
    }
    return {
        "1,000 outputs of REALSumm": judged["realsumm"],
        "400 outputs of SummEval, four references": judged["summeval"],
        f"{len(plain['en_news'][0])} English news": plain["en_news"],
        f"{len(plain['zh_short'][0])} Chinese headlines": plain["zh_short"],
    }


def drawn(predictions: list[str], references: list[list[str]]) -> tuple[int, int, int, int, float]:
    """How many settings there are; how often those drawn are in the first group, fit, and fit alone; seconds."""
    every = find_settings(predictions, references, dict.fromkeys(TYPES, 50), most=10**6)
    by_convention = defaultdict(list)
    for group in (
        each for each in every.groups if min(each.scores.values()) >= 0
    ):  # sums of counts of a tool may be less
        for code in (group.code, *group.others):
            by_convention[code.split("'")[1]].append((code, group))
    rng = random.Random(32)  # noqa: S311 no secret
    first = fits = alone = 0
    start = time.process_time()
    for _ in range(DRAWS):
        code, group = rng.choice(by_convention[rng.choice(sorted(by_convention))])
        published = {key: f"{value:.2f}" for key, value in group.scores.items()}
        groups = [each for each in find_settings(predictions, references, published, most=100).groups if each.fits]
        places = [place for place, each in enumerate(groups) if code in (each.code, *each.others)]
        first += places[:1] == [0]
        fits += bool(places)
        alone += len(groups) == 1
    return every.n_settings, first, fits, alone, (time.process_time() - start) / DRAWS


def main() -> None:
    """Draw, print the table, and write it."""
    lines = [
        "# Settings that are searched for",
        "",
        f"{DRAWS} settings drawn for each set of texts, a convention first; their ROUGE-1, ROUGE-2 and ROUGE-L are",
        "published with two digits. Settings that give the same numbers are one group. Where several groups fit, the",
        "simplest is first. Made by `python -m benchmarks.settings_draws`; processor seconds a search.",
        "",
        "| texts | settings tried | drawn one in the first group | fits | the only group that fits | seconds |",
        "|---|--:|--:|--:|--:|--:|",
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
