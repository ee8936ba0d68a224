"""The report as a file: what is in it, what it refuses, and that it is the same on every run."""

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from language_packages import convention_settings
from matplotlib import font_manager
from report_file import unpacked

from polyrouge import CONVENTIONS, Rouge, compare_systems, report
from polyrouge.report import html_report, plots
from polyrouge.report.html_report import write_report
from polyrouge.report.packing import packed
from polyrouge.report.score_tables import board_rows

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
@pytest.mark.parametrize("name", CONVENTIONS)
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
        ("jinja2", "write_report('page.html', ['a'], ['a'], rouge=Rouge())"),
        ("matplotlib", "plot_distribution({'rouge1': [0.5]}, 'page.svg')"),
    ],
)
def test_a_missing_library_is_named(tmp_path, library, call):
    program = (
        f"import sys; sys.modules[{library!r}] = None\n"
        "from polyrouge import Rouge; from polyrouge.report import write_report, plot_distribution\n"
        f"try:\n    {call}\nexcept ModuleNotFoundError as error:\n    print(error)\n"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path)

    assert f"pip install {library}" in done.stdout
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


# Plots


@pytest.fixture
def columns():
    draw = np.random.default_rng(3)
    scores = {name: draw.beta(4, 3, 200) for name in ("rouge1", "rougeL")}
    scores["rouge1"][5] = np.nan
    return {**scores, "rouge1_precision": scores["rouge1"], "rouge1_reference": np.zeros(200)}


PLOTS = {
    "distribution": lambda columns, path, **options: report.plot_distribution(columns, path, **options),
    "length": lambda columns, path, **options: report.plot_length(columns, np.arange(200), path, **options),
    "difference": lambda columns, path, **options: report.plot_difference(
        columns, {name: values[::-1] for name, values in columns.items()}, path, **options
    ),
}


def test_a_chinese_font_is_found_that_matplotlibs_list_is_too_old_for(columns, tmp_path, monkeypatch):
    manager = font_manager.fontManager
    fonts = list(manager.ttflist)
    files = {font.fname for font in fonts if font.name in plots._CJK_FONTS}
    monkeypatch.setattr(manager, "ttflist", [font for font in fonts if font.fname not in files])
    report.plot_distribution(columns, tmp_path / "plot.svg", title="中文新闻")
    installed = {font.name for font in fonts} & set(plots._CJK_FONTS)
    assert installed <= {font.name for font in manager.ttflist}


@pytest.mark.parametrize("kind", PLOTS)
def test_plots_are_written_as_svg_and_png(kind, columns, tmp_path):
    svg = PLOTS[kind](columns, tmp_path / "plot.svg", title="中文新闻 & <news>")
    png = PLOTS[kind](columns, tmp_path / "plot.png", types=["rougeL"])

    assert "<svg" in svg.read_text("utf-8")
    assert png.read_bytes().startswith(b"\x89PNG")
    assert PLOTS[kind](columns, tmp_path / "again.svg", title="中文新闻 & <news>").read_bytes() == svg.read_bytes()


def test_the_plot_of_differences_counts_them(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("matplotlib").rcParams, "svg.fonttype", "none")  # text stays text
    first, second = {"rouge1": [0.1, 0.5, 0.3, np.nan]}, {"rouge1": [0.4, 0.5, 0.2, 1.0]}

    path = report.plot_difference(first, second, tmp_path / "plot.svg", names=("one", "two"))

    drawn = path.read_text("utf-8")
    assert "+1 / =1 / -1" in drawn
    assert "mean -0.06667" in drawn
    assert "one - two" in drawn


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda path: report.plot_distribution({}, path), "no column to plot"),
        (lambda path: report.plot_distribution({"rouge1": [0.1]}, path, types=["rouge2"]), "no column 'rouge2'"),
        (lambda path: report.plot_distribution({"rouge1": [np.nan]}, path), "'rouge1' holds no score"),
        (lambda path: report.plot_distribution({"rouge1": [0.1]}, path.with_suffix(".txt")), "must end in one of"),
        (lambda path: report.plot_length({"rouge1": [0.1]}, [1, 2], path), "2 lengths but 1 scores of rouge1"),
        (lambda path: report.plot_difference({"rouge1": [0.1]}, {"rouge1": [1, 2]}, path), "1 scores of system but 2"),
        (lambda path: report.plot_difference({"rouge1": [0.1]}, {}, path), "no column 'rouge1'"),
        (
            lambda path: report.plot_difference({"rouge1": [0.1, np.nan]}, {"rouge1": [np.nan, 0.1]}, path),
            "rouge1 has no sample that both systems have a score of",
        ),
    ],
)
def test_plots_refuse_what_they_cannot_draw_and_write_nothing(tmp_path, call, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        call(tmp_path / "plot.svg")

    assert list(tmp_path.iterdir()) == []


def test_plots_leave_matplotlib_as_it_was(tmp_path, columns):
    import matplotlib as mpl

    before = dict(mpl.rcParams)

    report.plot_distribution(columns, tmp_path / "plot.png")

    assert dict(mpl.rcParams) == before


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
