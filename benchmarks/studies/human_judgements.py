"""Which ROUGE agrees with people: correlations with the judgements of SummEval, REALSumm and Multi_SummEval.

``python -m benchmarks.studies.human_judgements`` reads the judgements beside this checkout (corpora.py says where), and
rewrites human_judgements.json and HUMAN.md. Everything is deterministic: a second run gives the same numbers.
"""

import itertools
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from benchmarks.corpora import SHARED
from polyrouge import Rouge, agreement

HERE = Path(__file__).parent
STORED = HERE / "human_judgements.json"
TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
MEASURES = {"F": "", "precision": "_precision", "recall": "_recall"}
BINS = (0, 1, 2, 3, 5, 100)  # points of 100 between the means of two systems
LANGUAGES = ("en", "de", "fr", "es", "ru", "tr", "id", "zh")


class Outputs(NamedTuple):
    """Outputs with judgements, a row each."""

    predictions: list[str]
    references: list[list[str]]
    systems: list[str]
    documents: list[str]
    human: dict[str, list[float]]

    def scores(self, rouge: Rouge) -> dict[str, list[float]]:
        """By key the score of each output, in points."""
        return rouge.compute(self.predictions, self.references, output="all", use_aggregator=False, scale=100)


def lines_of(name: str) -> list[dict[str, Any]]:
    """The rows of a file of judgements."""
    with (SHARED / "human" / f"{name}.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def outputs_of(rows: Sequence[Mapping[str, Any]], references: Mapping[str, list[str]] | None = None) -> Outputs:
    """The columns of rows."""
    columns = ([row[name] for row in rows] for name in ("prediction", "system", "id"))
    predictions, systems, documents = columns
    of_rows = [row["references"] if references is None else references[row["id"]] for row in rows]
    human = {name: [row["human"][name] for row in rows] for name in rows[0]["human"]}
    return Outputs(predictions, of_rows, systems, documents, human)


def collections() -> dict[str, Outputs]:
    """The data sets of several systems."""
    found = {}
    for name in ("realsumm", "summeval"):
        references = {row["id"]: row["references"] for row in lines_of(f"{name}_documents")}
        found[name] = outputs_of(lines_of(f"{name}_outputs"), references)
    return found


def correlations(
    data: str, setting: str, outputs: Outputs, scores: Mapping[str, list[float]], human: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """A record for each key, dimension and level: value and ends of each coefficient, with four digits."""
    for key, column in scores.items():
        found = agreement(column, human, outputs.systems, outputs.documents)
        for (dimension, level), group in itertools.groupby(
            found.correlations, lambda each: (each.dimension, each.level)
        ):
            numbers = {each.coefficient: rounded((each.value, each.low, each.high)) for each in group}
            yield {"data": data, "setting": setting, "key": key, "dimension": dimension, "level": level, **numbers}


def rounded(values: Iterable[float]) -> list[float | None]:
    """With four digits; None where there is no number."""
    return [None if math.isnan(value) else round(float(value), 4) for value in values]


def tests(data: str, outputs: Outputs, metrics: Mapping[str, list[float]], dimension: str) -> Iterator[dict[str, Any]]:
    """The differences of each further metric from the first, of Pearson's r over systems, and p of Williams' test."""
    human = {dimension: outputs.human[dimension]}
    found = agreement(metrics, human, outputs.systems, outputs.documents, baseline=next(iter(metrics)))
    for each in found.differences:
        difference, p = rounded((each.difference, math.nan if each.p is None else each.p))
        names = {"data": data, "dimension": dimension, "first": each.first, "second": each.second}
        yield {**names, "difference": difference, "p": p}


def of_documents(metrics: Sequence[Sequence[float]], judged: np.ndarray, documents: Sequence[str]) -> list[float]:
    """Pearson's r of a metric over all outputs, or r of one less that of another: value, and ends of a 95 % interval.

    By the jackknife over documents: it is for these two systems, whose spread two can't show. On Fisher's z of one r.
    """
    scale, back = (math.atanh, math.tanh) if len(metrics) == 1 else (float, float)

    def value(known: np.ndarray) -> float:
        r = [np.corrcoef(np.array(column)[known], judged[known])[0, 1] for column in metrics]
        return scale(r[0] - sum(r[1:]))

    names = np.array(documents)
    without = np.array([value(names != name) for name in dict.fromkeys(documents)])
    middle, n = value(np.ones(len(names), bool)), len(without)
    half = stats.t.ppf(0.975, n - 2) * math.sqrt(without.var() * (n - 1))
    return [back(middle), back(middle - half), back(middle + half)]


def agreeing_pairs(outputs: Outputs, scores: Sequence[float], human: Sequence[float]) -> list[list[float]]:
    """For each of ``BINS`` the share of pairs of systems that people rank as the score does, and how many there are."""
    systems = np.array(outputs.systems)
    means = {
        name: [np.mean(np.array(column)[systems == name]) for column in (scores, human)]
        for name in dict.fromkeys(systems)
    }
    distances, agree = [], []
    for (one, of_one), (other, of_other) in itertools.combinations(means.values(), 2):
        distances.append(abs(one - other))
        agree.append((one - other) * (of_one - of_other) > 0)
    which = np.digitize(distances, BINS[1:-1])
    return [
        [round(float(np.mean(np.array(agree)[which == each])), 4), int((which == each).sum())]
        for each in range(len(BINS) - 1)
    ]


def _rouge(**settings: Any) -> Rouge:
    """The metric of rouge_score, for texts whose sentences stand in one line."""
    return Rouge("rouge_score", sentence_split="auto", rouge_types=TYPES, **settings)


def measured() -> dict[str, list[Any]]:
    """All numbers."""
    result: dict[str, list[Any]] = {"correlations": [], "languages": [], "tests": [], "pairs": []}
    for data, outputs in collections().items():
        dimension = "litepyramid_recall" if data == "realsumm" else "relevance"
        own = outputs
        settings = {
            "no stems": _rouge(),
            "stems": _rouge(use_stemmer=True),
        }
        if data == "summeval":
            own = outputs._replace(references=[row[:1] for row in outputs.references])
            settings |= {
                f"stems, {rule} of 11": _rouge(use_stemmer=True, multi_reference=rule) for rule in ("best", "pooled")
            }
        scores = {}
        for name, rouge in settings.items():
            scores[name] = (outputs if "11" in name else own).scores(rouge)
            human = outputs.human if name == "stems" else {dimension: outputs.human[dimension]}
            result["correlations"] += correlations(data, name, outputs, scores[name], human)
        words = {"words": [float(len(text.split())) for text in outputs.predictions]}
        result["correlations"] += correlations(
            data, "number of words", outputs, words, {dimension: outputs.human[dimension]}
        )
        stems = scores["stems"]
        metrics = {
            "rouge1": stems["rouge1"],
            "rouge1 recall": stems["rouge1_recall"],
            "rouge1 precision": stems["rouge1_precision"],
            "rouge2": stems["rouge2"],
            "rougeL": stems["rougeL"],
            "rouge1 without stems": scores["no stems"]["rouge1"],
        }
        if data == "summeval":
            metrics |= {
                f"rouge1, {rule} of 11": scores[f"stems, {rule} of 11"]["rouge1"] for rule in ("best", "pooled")
            }
        result["tests"] += tests(data, outputs, metrics, dimension)
        for key in ("rouge1", "rouge2", "rouge1_recall", "rouge2_recall"):
            pairs = agreeing_pairs(outputs, stems[key], outputs.human[dimension])
            result["pairs"].append({"data": data, "dimension": dimension, "key": key, "bins": pairs})
    rows = lines_of("multi_summeval")
    for language in LANGUAGES:
        outputs = outputs_of([row for row in rows if row["lang"] == language])
        human = {"focus and coverage": np.mean([outputs.human["focus"], outputs.human["coverage"]], axis=0).tolist()}
        outputs = outputs._replace(human=human)
        settings = {
            "default": Rouge(rouge_types=TYPES[:3]),
            "4 characters": Rouge(tokenizer="char", rouge_types=["rouge4"]),
        }
        if language == "zh":
            settings = {
                "zh_char": Rouge("zh_char", rouge_types=TYPES[:3]),
                "zh_word": Rouge("zh_word", rouge_types=TYPES[:3]),
                **settings,
            }
        scores = {name: outputs.scores(rouge) for name, rouge in settings.items()}
        data, judged = f"multi_summeval, {language}", np.array(human["focus and coverage"])
        for name, of_setting in scores.items():
            for key, column in of_setting.items():
                if "_" not in key:
                    numbers = rounded(of_documents([column], judged, outputs.documents))
                    result["languages"].append({"data": data, "setting": name, "key": key, "pearson": numbers})
        names = ("zh_char", "zh_word") if language == "zh" else ("default", "4 characters")
        metrics = [scores[name].get("rouge1") or scores[name]["rouge4"] for name in names]
        difference = rounded(of_documents(metrics, judged, outputs.documents))
        result["tests"].append({"data": data, "first": names[0], "second": names[1], "difference": difference})
    return result


NAMES = {"litepyramid_recall": "coverage"}
SETS = {"realsumm": "REALSumm", "summeval": "SummEval"}


def shown(numbers: Sequence[float | None]) -> str:
    """A coefficient with its interval."""
    value, low, high = ("–" if each is None else f"{round(each, 2) + 0:.2f}".replace("-", "−") for each in numbers)
    return f"{value} –" if low == "–" else f"{value} [{low}, {high}]"


def key_words(key: str) -> str:
    """``"rouge1 recall"``."""
    return key.replace("_", " ")


def correlation_rows(result: Mapping[str, list[Any]]) -> list[str]:
    """A line for each setting of the two English data sets: over systems, and within documents."""
    by_row: dict[tuple[str, ...], dict[str, Any]] = {}
    for each in result["correlations"]:
        if each["data"] in SETS:
            by_row.setdefault((each["data"], each["dimension"], each["setting"], each["key"]), {})[each["level"]] = each
    lines = []
    for (data, dimension, setting, key), levels in by_row.items():
        of = levels["systems"]["pearson"], levels["systems"]["kendall"], levels["documents"]["pearson"]
        named = f"{SETS[data]}, {NAMES.get(dimension, dimension)} | {key_words(key)} | {setting}"
        lines.append(f"| {named} | {' | '.join(map(shown, of))} |")
    return lines


def language_rows(result: Mapping[str, list[Any]]) -> list[str]:
    """A line for each language and setting of Multi_SummEval, over all outputs."""
    return [
        f"| {each['data'][-2:]} | {key_words(each['key'])} | {each['setting']} | {shown(each['pearson'])} |"
        for each in result["languages"]
    ]


def pair_rows(result: Mapping[str, list[Any]]) -> list[str]:
    """A line for each data set and score: how often people agree, by points of difference."""
    return [
        f"| {SETS[each['data']]} | {key_words(each['key'])} "
        f"| {' | '.join(f'{share:.2f} ({n})' for share, n in each['bins'])} |"
        for each in result["pairs"]
    ]


def difference_rows(result: Mapping[str, list[Any]]) -> list[str]:
    """A line for each difference that was tested: over systems by Williams' test, or over all outputs of two."""
    lines = []
    for each in result["tests"]:
        named = f"| {SETS.get(each['data'], each['data'])} | {each['first']} − {each['second']}"
        if "p" in each:
            difference = f"{round(each['difference'], 2) + 0:.2f}".replace("-", "−")
            lines.append(f"{named} | systems | {difference} | {each['p']:.4f} |")
        else:
            lines.append(f"{named} | outputs | {shown(each['difference'])} | – |")
    return lines


PAIR_HEAD = ["| data | score | < 1 | 1–2 | 2–3 | 3–5 | ≥ 5 |", "|---|---|---|---|---|---|---|"]


def main() -> None:
    """Measure, and write both files."""
    result = measured()
    STORED.write_text(
        json.dumps(result, separators=(",", ":")).replace('{"data"', '\n{"data"') + "\n", encoding="utf-8"
    )
    lines = [
        "# Which ROUGE agrees with people",
        "",
        "Made by `python -m benchmarks.studies.human_judgements` from the published judgements of SummEval (Fabbri",
        "et al. 2021; 16 systems, 100 documents, experts), REALSumm (Bhandari et al. 2020; 24 systems, 100 documents,",
        "coverage by LitePyramid) and Multi_SummEval (Koto et al. 2021; 8 languages, two systems, 135 documents).",
        "Brackets: 95 % intervals of `polyrouge.agreement`. Scores are of the convention `rouge_score`, with sentences",
        "cut automatically, unless the setting says another.",
        "",
        "## Over systems, and within documents",
        "",
        "SummEval has CNN/DailyMail's own reference unless the setting says 11.",
        "",
        "| data, dimension | score | setting | systems, Pearson | systems, Kendall | within documents, Pearson |",
        "|---|---|---|---|---|---|",
        *correlation_rows(result),
        "",
        "## Languages",
        "",
        "Multi_SummEval, over all outputs of both systems; Pearson's r with the mean of focus and coverage. Intervals",
        "are by the jackknife over documents, so they hold for these two systems.",
        "",
        "| language | score | setting | Pearson |",
        "|---|---|---|---|",
        *language_rows(result),
        "",
        "## Differences of settings",
        "",
        "Pearson's r of the first minus that of the second. Over systems with Williams' test, after Holm's correction",
        "over the pairs; over all outputs of two systems with an interval by the jackknife over documents.",
        "",
        "| data | settings | over | difference | p |",
        "|---|---|---|---|---|",
        *difference_rows(result),
        "",
        "## How far apart must two systems be?",
        "",
        "Share of pairs of systems that people rank as the score does (and how many pairs there are), by the points",
        "between their mean scores. With stems; people's coverage on REALSumm, relevance on SummEval.",
        "",
        *PAIR_HEAD,
        *pair_rows(result),
    ]
    (HERE / "HUMAN.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
