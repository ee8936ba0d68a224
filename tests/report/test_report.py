"""The report as a file: what is in it, what it refuses, and that it is the same on every run."""

import itertools
import json
import re
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from report_file import index_of

from polyrouge import Rouge, compare_systems, score_context
from polyrouge.beyond.source_overlap.measures import SOURCE_MEASURES
from polyrouge.comparing.comparison import Comparison
from polyrouge.comparing.difference import Difference
from polyrouge.report import html_report, report_data
from polyrouge.report.html_report import board_rows, write_report

ROOT = Path(__file__).resolve().parents[2]
ASSETS = ROOT / "polyrouge" / "report" / "assets"
ROUGE = Rouge(rouge_types=["rouge1"])


NOTE, PAIRS = ">Fewer than 20 samples: ", ">Pairwise differences<"
FEW = {"predictions": ["", "a", "b"], "references": ["a", "a", "c"], "ids": ["x", "y", "z"]}


def written(tmp_path, *, rouge=ROUGE, **options):
    """The page of a report, without its words in both languages and without its script."""
    page = write_report(tmp_path / "page.html", rouge=rouge, **options).read_text("utf-8")
    return re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)


def words_of(page):
    """The texts that a page shows, by language."""
    (texts,) = re.findall(r'id="texts">(.*?)</script>', page)
    return json.loads(texts)


@pytest.mark.parametrize(
    ("options", "settings", "warning", "shown", "hidden"),
    [
        pytest.param(FEW, {"empty": "skip"}, "left 1 of 3", ["<strong>0.5000</strong>"], [], id="a row is left out"),
        pytest.param({"predictions": ["a b"] * 19, "references": ["a c"] * 19}, {}, None, [NOTE], [], id="few"),
        pytest.param({"predictions": ["a b"] * 20, "references": ["a c"] * 20}, {}, None, [], [NOTE], id="enough"),
        # Systems that can't be compared stand side by side; counts that are added up have no interval.
        # One sample has no interval, asked for or not.
        pytest.param(
            {"predictions": ["a b"], "references": ["a c"], "others": {"other": ["a"]}},
            {"confidence": 0.9},
            None,
            ["<strong>0.5000</strong>", "<strong>0.6667</strong>", " 1 sample.<"],
            [PAIRS, NOTE, ">90%<", "[0.5000"],
            id="one sample",
        ),
        pytest.param(
            {"predictions": ["a b"] * 3, "references": ["a c"] * 3, "others": {"other": ["a"] * 3}},
            {"aggregate": "micro", "multi_reference": "first"},
            None,
            ["<strong>0.5000</strong>", "<strong>0.6667</strong>"],
            [PAIRS, NOTE],
            id="no mean",
        ),
    ],
)
def test_what_a_report_shows(tmp_path, options, settings, warning, shown, hidden):
    with pytest.warns(UserWarning, match=warning) if warning else nullcontext():
        page = written(tmp_path, rouge=Rouge(rouge_types=["rouge1"], **settings), **options)

    assert [part for part in shown if part not in page] == []
    assert [part for part in hidden if part in page] == []


def test_empty_texts_are_counted(tmp_path):
    page = written(tmp_path, predictions=["a", " "], references=[["", "b"], ["c", "\n"]], others={"two": ["", ""]})

    line = re.search(r'<p class="soft" id="empty-texts">(.*)</p>', page)
    assert line is not None
    assert re.sub("<[^>]*>", "", line[1]) == "Empty predictions: system 1; two 2; Empty references: 2"


def test_the_same_texts_give_the_same_bytes_which_name_nothing_outside(tmp_path):
    paths = [tmp_path / f"{run}.html" for run in range(2)]
    pages = [write_report(path, ["今天 a"] * 300, ["今天 b"] * 300, rouge=ROUGE).read_text("utf-8") for path in paths]

    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert set(re.findall(r"https?://[^\s\"']+", pages[0])) <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<(?:link|img|iframe|script[^>]*\ssrc)", pages[0])
    assert "default-src &#39;none&#39;" in pages[0] or "default-src 'none'" in pages[0]


def test_a_name_that_is_no_text_is_written_all_the_same(tmp_path):
    page = write_report(tmp_path / "page.html", ["a"], ["a"], rouge=ROUGE, name="\udcff", title="\udcfe")
    assert "\\udcfe" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"ids": ["1"]}, ValueError, "1 ids but 2 predictions"),
        ({"others": {"b": ["a"]}}, ValueError, None),
        ({"others": {"b": ["a", None]}}, TypeError, None),
        ({"others": {"b": ["a", "b"]}, "steps": [1, 2, 3]}, ValueError, "3 steps for 2 systems; give one step"),
        ({"others": {"b": ["a", "b"]}, "steps": [1, 1]}, ValueError, "The step 1 is given twice"),
        ({"name": "A", "others": {"A": ["a", "b"]}}, ValueError, "Two systems are called 'A'"),
        ({"path": "nowhere/page.html"}, FileNotFoundError, "There is no folder "),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_is_written(tmp_path, changes, error, message):
    arguments = {"path": "page.html", "predictions": ["a", "b"], "references": ["a", "b"], **changes}

    with pytest.raises(error, match=message):
        write_report(tmp_path / arguments.pop("path"), rouge=ROUGE, **arguments)

    assert list(tmp_path.iterdir()) == []


def check_keys(pairs):
    assert len(pairs) == len(dict(pairs)), pairs
    return dict(pairs)


def test_both_languages_have_the_same_texts_and_all_are_used():
    texts = json.loads((ASSETS / "report_texts.json").read_text("utf-8"), object_pairs_hook=check_keys)
    script = "\n".join((ASSETS / name).read_text("utf-8") for name in html_report._SCRIPTS)
    source = script + (ASSETS / "report.html.j2").read_text("utf-8") + Path(html_report.__file__).read_text("utf-8")

    assert list(texts["en"]) == list(texts["zh"])
    made = {side + of for side in ("missed", "added") for of in ("Units", "Count", "Total")}
    made |= {re.sub(r"_\d$", "", measure) + of for measure in SOURCE_MEASURES for of in ("", "Help")}
    kinds = ("verdict_", "point_", "combined_", "fault_", "rule_", "unchecked_", "ofSeveral_")
    for key, english in texts["en"].items():
        is_used = re.search(rf'"{key}"|text\.{key}\b', source) or key.startswith(kinds) or key in made
        assert is_used, key
        assert set(re.findall(r"\{\w+\}", english)) == set(re.findall(r"\{\w+\}", texts["zh"][key])), key
    used = re.findall(r"""(?:\btext\(|\bsay\(|data-text=)"(\w+)\"""", source)
    assert set(used) <= {*texts["en"], "verdict", "methods", "title", "affixes"}


@pytest.mark.parametrize(("language", "said"), [("en", "F-measures (×100)."), ("zh", "报告 F 值（×100）。")])
def test_the_sentence_of_a_paper_names_the_scale(tmp_path, language, said):
    path = write_report(tmp_path / "report.html", ["a b"], ["a c"], rouge=Rouge(scale=100, confidence=None))
    assert said in words_of(path.read_text(encoding="utf-8"))[language]["methods"]


def compared(means, beats):
    """A comparison of systems with some means by type, in which some beat others: ``("A", "B", "rouge1")``."""
    names, keys = list(means), [f"rouge{each}" for each in ("1", "2", "L")][: len(next(iter(means.values())))]
    pairs = []
    for (one, other), (place, key) in itertools.product(itertools.combinations(names, 2), enumerate(keys)):
        difference = means[one][place] - means[other][place]
        p = 0.01 if {(one, other, key), (other, one, key)} & set(beats) else 0.5
        wins = 0 if (one, other, "same") in beats else 3
        facts = {"first": one, "second": other, "key": key, "level": "all", "n_samples": 1000, "difference": difference}
        of_means = {"first_mean": means[one][place], "second_mean": means[other][place], "low": 0, "high": 0}
        p_values = dict.fromkeys(("p", "p_holm", "p_bootstrap", "p_bootstrap_holm"), p)
        pairs.append(Difference(**facts, **of_means, **p_values, n_tests=1, wins=wins, ties=4, losses=wins))
    numbers = np.array(list(means.values()), float)
    facts = {"n_left_out": 0, "scale": 1.0, "signature": "", "confidence": 0.95, "interval": "percentile", **DRAWS}
    return Comparison(tuple(names), tuple(keys), numbers, numbers, numbers, tuple(pairs), 1000, **facts)


DRAWS = {"alpha": 0.05, "test": "randomization", "n_resamples": 10_000, "seed": 0}
TWO, THREE = {"A": [2, 1], "B": [1, 2]}, {"A": [3, 3], "B": [2, 2], "C": [1, 1]}
BOTH_BEAT_C = [(name, "C", key) for name in "AB" for key in ("rouge1", "rouge2")]


@pytest.mark.parametrize(
    ("means", "beats", "english", "chinese"),
    [
        # No blank stands between Chinese characters.
        (
            {"甲": [2], "B乙": [1]},
            [("甲", "B乙", "rouge1")],
            "甲 is significantly better than B乙 on ROUGE-1 (p < 0.05).",
            "在 ROUGE-1 上，甲显著优于 B乙（p < 0.05）。",
        ),
        (
            TWO,
            [("A", "B", "rouge1"), ("B", "A", "rouge2")],
            "A is significantly better than B on ROUGE-1 (p < 0.05).\nB is significantly better than A on ROUGE-2 "
            "(p < 0.05).",
            "在 ROUGE-1 上，A 显著优于 B（p < 0.05）。\n在 ROUGE-2 上，B 显著优于 A（p < 0.05）。",
        ),
        (
            TWO,
            [],
            "A and B can't be told apart on ROUGE-1 and ROUGE-2.",
            "在 ROUGE-1 和 ROUGE-2 上，A 和 B 没有显著差异。",
        ),
        (
            {"A": [1], "B": [1]},
            [("A", "B", "same")],
            "A and B score the same on every sample (ROUGE-1).",
            "A 和 B 在每个样本上的分数都相同（ROUGE-1）。",
        ),
        (
            THREE,
            BOTH_BEAT_C,
            "A and B can't be told apart on ROUGE-1 and ROUGE-2; each of them is significantly better than C "
            "(p < 0.05, Holm).",
            "在 ROUGE-1 和 ROUGE-2 上，A 和 B 没有显著差异，且都显著优于 C（p < 0.05，Holm 校正）。",
        ),
        # B does not beat C, so only of the best it can be said.
        (
            {**THREE, "B": [2, 4]},
            BOTH_BEAT_C[:1],
            "A has the highest mean on ROUGE-1: significantly better than C (p < 0.05, Holm), but not than B.\n"
            "A, B and C can't be told apart on ROUGE-2.",
            "在 ROUGE-1 上，A 的平均值最高：显著优于 C（p < 0.05，Holm 校正），但与 B 没有显著差异。\n"
            "在 ROUGE-2 上，A、B 和 C 没有显著差异。",
        ),
        (
            {"A": [3], "B": [2], "C": [1]},
            [("B", "C", "rouge1")],  # whose differences are steadier
            "A has the highest mean on ROUGE-1, but can't be told apart from B and C.",
            "在 ROUGE-1 上，A 的平均值最高，但与 B 和 C 没有显著差异。",
        ),
    ],
)
def test_the_verdict_is_what_the_tests_say(means, beats, english, chinese):
    texts = json.loads((ASSETS / "report_texts.json").read_text("utf-8"))
    comparison = compared(means, beats)
    data = SimpleNamespace(comparison=comparison, order=range(1000), types=comparison.keys)

    assert html_report.verdict(data, texts["en"]) == f"{english} 1,000 samples."
    assert html_report.verdict(data, texts["zh"]) == f"{chinese}共 1,000 个样本。"


@pytest.mark.parametrize(
    ("settings", "others", "english"),
    [
        ({}, {}, "A scores 0.6667 [0.6667, 0.6667] on ROUGE-1, 0.5714 [0.5714, 0.5714] on ROUGE-2. 30 samples."),
        ({"confidence": None, "aggregate": "micro"}, {}, "A scores 0.6667 on ROUGE-1, 0.5714 on ROUGE-2. 30 samples."),
        (
            {"aggregate": "micro"},
            {"B": ["a b c d e"] * 30},
            "B has the highest score on ROUGE-1 and ROUGE-2. The systems were not tested against each other. "
            "30 samples.",
        ),
    ],
)
def test_the_verdict_without_a_test_has_the_means(tmp_path, settings, others, english):
    rouge = Rouge(rouge_types=["rouge1", "rouge2"], multi_reference="first", **settings)
    page = written(
        tmp_path, rouge=rouge, predictions=["a b c"] * 30, references=["a b c d e f"] * 30, name="A", others=others
    )

    assert re.findall(r'id="verdict"[^>]*>([^<]*)<', page) == [english]


def test_a_column_takes_the_place_of_the_one_of_references_with_its_name(tmp_path):
    texts = ["a", "b"] * 2

    path = write_report(tmp_path / "page.html", texts, texts, rouge=ROUGE, metadata={"references": list("xyxy")})

    column = {"name": "references", "labels": ["x", "y"], "named": True, "given": True, "system": None}
    assert column in index_of(path.read_text("utf-8"))["slices"]["columns"]


def test_the_best_of_each_type_and_whom_each_system_beats_stand_on_the_board():
    texts = {"order": ["d c b a"] * 40, "words": ["a b c"] * 40, "one": ["a"] * 40}
    rouge = Rouge(rouge_types=["rouge1", "rougeL"])

    data = SimpleNamespace(settings=rouge.settings, types=rouge.settings.rouge_types)
    rows = board_rows(compare_systems(texts, ["a b c d"] * 40, rouge, n_resamples=500), data)

    named = [(row["letter"], row["name"], row["number"]) for row in rows]
    assert named == [("a", "order", 0), ("b", "words", 1), ("c", "one", 2)]
    assert [[cell["best"] for cell in row["cells"]] for row in rows] == [[True, False], [False, True], [False, False]]
    assert [[cell["better"] for cell in row["cells"]] for row in rows] == [
        ["bc", ""],
        ["c", "ac"],
        ["", "a"],
    ]  # in the order of the rows


LONG = [f"outputs/2026-11/model-{name}-predictions.jsonl" for name in ("base", "large", "tuned-on-news")]


@pytest.mark.parametrize(
    ("names", "affixes"),
    [
        (LONG, ("outputs/2026-11/model-", "-predictions.jsonl")),
        (["pred_a", "pred_b"], ("", "")),  # short
        (["a-long-name-of-a-system", "a-long-name-of-a-"], ("", "")),  # nothing would be left
        (["our-model-version-two", "baseline-version-one"], ("", "")),  # no words in common at either end
        (["our-model-v2-of-2026-11", "theirs-v2-of-2026-11"], ("", "-v2-of-2026-11")),
    ],
)
def test_long_names_lose_what_all_have_in_common(names, affixes):
    assert report_data.shared_affixes(names) == affixes


def test_many_systems_with_long_names_are_counted_and_short(tmp_path):
    names = [f"outputs/2026-11/model-{n}-predictions.jsonl" for n in range(7)]
    others = {name: ["a b c" + " d" * n, "x"] for n, name in enumerate(names[1:], start=1)}
    texts = ["a b c", "x"], ["a b c d d d", "x"]
    page = write_report(tmp_path / "r.html", *texts, rouge=ROUGE, name=names[0], others=others).read_text("utf-8")

    assert index_of(page)["systems"] == list("0123456")
    assert words_of(page)["en"]["verdict"].startswith("7 systems (a, b, c, d, e, f, g) can't be told apart")


def test_rouge_lsum_that_is_rouge_l_is_no_column_of_its_own(tmp_path):
    rouge = Rouge(rouge_types=["rougeL", "rougeLsum"], scale=100)
    equal, different = (
        write_report(
            tmp_path / f"{n}.html", ["b c\na d"] * 2, [reference] * 2, rouge=rouge, name="A", others={"B": ["a"] * 2}
        )
        for n, reference in enumerate(["b c a", "a d\nb c"])
    )

    page = equal.read_text("utf-8")
    assert index_of(page)["types"] == ["rougeL"]
    assert re.findall(r'<th scope="col">(rouge[^<]*)<', page) == ["rougeL = rougeLsum"]
    assert index_of(different.read_text("utf-8"))["types"] == ["rougeL", "rougeLsum"]


@pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
def test_warnings_stand_in_the_report_once_with_the_systems_they_concern(tmp_path):
    thought = "<think>well</think> a b"
    others = {"B": ["a b", "a"], "C": [thought, "a"]}
    path = write_report(tmp_path / "r.html", [thought, "a"], ["a b", "a"], rouge=ROUGE, name="A", others=others)

    page = path.read_text("utf-8")
    (shown,) = re.findall(r'id="notes">(.*?)</div>', page, re.DOTALL)
    assert re.findall(r"<bdi>(.*?)</bdi>", shown) == ["A and C"]
    assert "带有模型作答前的思考过程" in words_of(page)["zh"]["note0"]


@pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
def test_a_context_stands_in_the_report_on_its_scale(tmp_path):
    predictions, references = ["a b", "c d"], ["a c", "c d"]
    context = score_context(predictions, references, ["a b c", "c d e"], ROUGE)
    options = {"rouge": Rouge(rouge_types=["rouge1"], scale=100), "context": context}
    page = write_report(tmp_path / "r.html", predictions, references, **options).read_text("utf-8")

    expected = {name: {key: 100 * value for key, value in point.items()} for name, point in context.points.items()}
    assert index_of(page)["context"] == expected
    with pytest.raises(ValueError, match="context was not made from the outputs of"):
        write_report(tmp_path / "r.html", ["b", "d"], references, **options)
