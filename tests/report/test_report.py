"""The report as a file: what is in it, what it refuses, and that it is the same on every run."""

import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from language_packages import by_need, convention_settings
from report_file import unpacked

from polyrouge import CONVENTIONS, Rouge, compare_systems, report
from polyrouge.report import html_report
from polyrouge.report.html_report import board_rows, write_report
from polyrouge.report.rows import packed

ROOT = Path(__file__).resolve().parents[2]
ASSETS = ROOT / "polyrouge" / "report" / "assets"
ROUGE = Rouge(rouge_types=["rouge1"])


def test_the_signature_is_the_agreed_one(tmp_path):
    path = write_report(
        tmp_path / "both.html",
        iter(["a b", "c"]),
        iter([["a"], ["c", "d"]]),
        rouge=ROUGE,
        name="one",
        others={"two": iter(["a", "d"])},
        ids=range(2),
        title="A title",
    )

    page = path.read_text("utf-8")
    assert path == tmp_path / "both.html"
    assert "<title>A title - ROUGE</title>" in page
    assert "<strong>0.8333</strong>" in page  # (2/3 + 1) / 2 of the first system
    assert "<strong>−0.1667</strong>" in page  # both of the second's pairs score 1


def test_empty_texts_are_counted(tmp_path):
    path = write_report(
        tmp_path / "r.html", ["a", " "], [["", "b"], ["c", "\n"]], rouge=ROUGE, others={"two": ["", ""]}
    )

    line = re.search(r'<p class="soft" id="empty-texts">(.*)</p>', path.read_text("utf-8"))
    assert line is not None
    assert re.sub("<[^>]*>", "", line[1]) == "Empty predictions: 1 / 2; Empty references: 2"


def test_the_same_texts_give_the_same_bytes(tmp_path):
    pages = [
        write_report(tmp_path / f"{run}.html", ["今天 a"] * 300, ["今天 b"] * 300, rouge=ROUGE).read_bytes()
        for run in range(2)
    ]

    assert pages[0] == pages[1]


def test_nothing_outside_is_named(tmp_path):
    page = write_report(tmp_path / "page.html", ["a"], ["a"], rouge=ROUGE).read_text("utf-8")

    assert set(re.findall(r"https?://[^\s\"']+", page)) <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<(?:link|img|iframe|script[^>]*\ssrc)", page)
    assert "default-src &#39;none&#39;" in page or "default-src 'none'" in page


def test_rows_that_are_left_out_are_last_and_have_no_score(tmp_path):
    with pytest.warns(UserWarning, match="left 1 of 3"):
        page = write_report(
            tmp_path / "page.html",
            ["", "a", "b"],
            ["a", "a", "c"],
            rouge=Rouge(rouge_types=["rouge1"], empty="skip"),
            ids="xyz",
        )
    # the means are of the other two
    with pytest.warns(UserWarning, match="left 1 of 3"):
        mean = ROUGE.compute(["", "a", "b"], ["a", "a", "c"], empty="skip")["rouge1"]
    assert f"<strong>{mean:.4f}</strong>" in page.read_text("utf-8")


NOTE = ">Fewer than 20 samples: "


def without_texts(page):
    """The page without its words in both languages and without its script."""
    return re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)


@pytest.mark.parametrize(("n", "is_noted"), [(19, True), (20, False)])
def test_a_report_of_few_samples_says_that_its_intervals_are_narrow(tmp_path, n, is_noted):
    path = write_report(tmp_path / "page.html", ["a b"] * n, ["a c"] * n, rouge=ROUGE)  # warns of nothing

    assert (NOTE in without_texts(path.read_text("utf-8"))) == is_noted


def test_an_interval_that_was_asked_for_is_warned_of_too(tmp_path):
    rouge = Rouge(rouge_types=["rouge1"], confidence=0.9)

    with pytest.warns(UserWarning, match="An interval of 2 samples"):
        page = write_report(tmp_path / "page.html", ["a b", "c"], ["a c", "d"], rouge=rouge).read_text("utf-8")

    assert NOTE in without_texts(page)
    assert ">90 %<" in page


@pytest.mark.parametrize(
    ("n", "settings"),
    [
        pytest.param(1, {}, id="one sample"),
        pytest.param(3, {"aggregate": "micro", "multi_reference": "first"}, id="no mean"),
    ],
)
def test_systems_that_cannot_be_compared_stand_side_by_side(tmp_path, n, settings):
    rouge = Rouge(rouge_types=["rouge1"], **settings)

    path = write_report(tmp_path / "page.html", ["a b"] * n, ["a c"] * n, rouge=rouge, others={"other": ["a"] * n})

    page = without_texts(path.read_text("utf-8"))
    assert "<strong>0.5000</strong>" in page
    assert "<strong>0.6667</strong>" in page
    assert "<caption" not in page
    assert (NOTE in page) == (n == 1)  # counts that are added up have no interval


def test_systems_of_the_same_name_are_refused(tmp_path):
    with pytest.raises(ValueError, match="Two systems are called 'A'"):
        write_report(tmp_path / "page.html", ["a"], ["a"], rouge=ROUGE, name="A", others={"A": ["b"]})

    assert list(tmp_path.iterdir()) == []


# What needs tables that are not part of the package.
WITHOUT_TABLES = {
    "py_rouge": {"use_stemmer": False},
    "sacrerouge": {"use_stemmer": False},
    "sumeval": {"stop_words": None},
}


@pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
@pytest.mark.parametrize("name", by_need(CONVENTIONS))
def test_every_convention_has_a_report(tmp_path, name):
    rouge = Rouge(name, **{**WITHOUT_TABLES.get(name, {}), **convention_settings(name)})
    predictions, other = ["今天 天气 好。a b", "the cat sat"], ["天气", "a dog"]
    references = [["今天 天气 不错。a b", "x"], ["the cat"]]
    result = rouge.compute(predictions, references, output="all")

    beside = {"sources": ["今天 天气 不错", ""], "metadata": {"column": ["x", None]}}
    page = write_report(
        tmp_path / "page.html", predictions, references, rouge=rouge, others={"other": other}, **beside
    ).read_text("utf-8")

    digits = 4 if rouge.settings.scale < 10 else 2
    for key in rouge.settings.rouge_types:
        assert f"<strong>{result[key]:.{digits}f}</strong>" in page
        assert f"<td>{result[f'{key}_recall']:.{digits}f}</td>" in page


def test_packed_values_come_back():
    value = {"x": ["今天", None, 1]}
    columns = {"small": np.array([[-1, 127]]), "none": np.zeros((0, 3), np.int64), "large": np.array([1 << 30])}

    found = unpacked(packed(value, columns))
    numbers = found.pop("numbers")

    assert found == value == unpacked(packed(value))
    assert {name: column.tolist() for name, column in numbers.items()} == {
        name: column.tolist() for name, column in columns.items()
    }
    assert [column.dtype.itemsize for column in numbers.values()] == [1, 1, 4]


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"ids": ["1"]}, ValueError, "1 ids but 2 predictions"),
        ({"others": {"b": ["a"]}}, ValueError, "1 predictions but 2 references"),
        ({"others": {"b": ["a", None]}}, TypeError, "predictions[1] is None"),
        ({"references": ["a"]}, ValueError, "2 predictions but 1 references"),
        ({"others": {"b": ["a", "b"]}, "steps": [1]}, ValueError, "1 checkpoint; give two or more"),
        (
            {"others": {"b": ["a", "b"]}, "steps": [1, 2, 3]},
            ValueError,
            "3 steps for 2 systems; give one step",
        ),
        ({"others": {"b": ["a", "b"]}, "steps": [1, 1]}, ValueError, "The step 1 is given twice"),
        ({"others": {str(n): ["a", "b"] for n in range(12)}}, ValueError, "13 systems; a report has a colour for each"),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_is_written(tmp_path, changes, error, message):
    given = {"predictions": ["a", "b"], "references": ["a", "b"], **changes}

    with pytest.raises(error, match=re.escape(message)):
        write_report(tmp_path / "page.html", given.pop("predictions"), given.pop("references"), rouge=ROUGE, **given)

    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no folder '.*nowhere'"):
        write_report(tmp_path / "nowhere" / "page.html", ["a"], ["a"], rouge=ROUGE)


@pytest.mark.parametrize(
    ("library", "call"),
    [
        ("jinja2", lambda path: write_report(path, ["a"], ["a"], rouge=ROUGE)),
        ("matplotlib", lambda path: report.plot_distribution({"rouge1": [0.5]}, path.with_suffix(".svg"))),
    ],
)
def test_a_missing_library_is_named(tmp_path, monkeypatch, library, call):
    html_report._template.cache_clear()
    monkeypatch.setitem(sys.modules, library, None)

    with pytest.raises(ModuleNotFoundError, match=f"pip install {library}"):
        call(tmp_path / "page.html")

    assert list(tmp_path.iterdir()) == []


def test_both_languages_have_the_same_texts_and_all_are_used():
    texts = json.loads((ASSETS / "report_texts.json").read_text("utf-8"))
    script = "\n".join((ASSETS / name).read_text("utf-8") for name in html_report._SCRIPTS)
    template = (ASSETS / "report.html.j2").read_text("utf-8")

    assert list(texts["en"]) == list(texts["zh"])
    for key, english in texts["en"].items():
        assert re.search(rf'"{key}"|text\.{key}\b', script + template), key
        assert set(re.findall(r"\{\w+\}", english)) == set(re.findall(r"\{\w+\}", texts["zh"][key])), key
    used = re.findall(r'\btext\("(\w+)"', script) + re.findall(r'data-text="(\w+)"', template)
    assert set(used) <= set(texts["en"])


def test_a_key_of_the_texts_is_given_once():
    pairs: list[list[str]] = []
    json.loads(
        (ASSETS / "report_texts.json").read_text("utf-8"),
        object_pairs_hook=lambda found: pairs.append([key for key, _ in found]),
    )
    for keys in pairs:
        assert len(keys) == len(set(keys))


def test_the_assets_are_what_the_report_reads():
    read = {*html_report._SCRIPTS, "report.html.j2", "report.css", "report_texts.json"}
    assert read == {path.name for path in ASSETS.iterdir()}


def test_the_best_of_each_type_and_whom_each_system_beats_stand_on_the_board():
    texts = {"order": ["d c b a"] * 40, "words": ["a b c"] * 40, "one": ["a"] * 40}
    rouge = Rouge(rouge_types=["rouge1", "rougeL"])
    found = compare_systems(texts, ["a b c d"] * 40, rouge, n_resamples=500)

    rows = board_rows(found, rouge.settings)

    assert [(row["letter"], row["name"], row["number"]) for row in rows] == [
        ("a", "order", 0),
        ("b", "words", 1),
        ("c", "one", 2),
    ]
    assert [[cell["best"] for cell in row["cells"]] for row in rows] == [[True, False], [False, True], [False, False]]
    assert [[cell["better"] for cell in row["cells"]] for row in rows] == [["bc", ""], ["c", "ac"], ["", "a"]]
