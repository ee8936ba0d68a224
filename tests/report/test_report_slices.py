"""Slices and sources of a report in a real browser: each number is that of the command, and a click filters all."""

import json
import re
from collections import defaultdict

import pytest
from command_runs import run
from news import columns, news
from report_browser import count_of, follow_link, load_again, open_sample, shown_names, wait_for_table

from polyrouge import Rouge, measure_sources
from polyrouge.report.html_report import write_report

# Three times, so that some slices have a p and others are too small for one.
ROWS = [
    {
        **row,
        "id": f"{row['id']}{'' if number < 34 else f'-{number // 34}'}",
        "article": f"据😀报道。{row['references'][0]}相关工作仍在推进。{row['prediction'][:12]}",
        "year": 2000 + number % 20,
        "third": row["prediction"][: 10 + number],
    }
    for number, row in enumerate(3 * news("zh"))
]
NAMES = ("prediction", "prediction_b", "third")
COLUMNS = ("--slice-column", "document_topic", "--slice-column", "year", "--source-column", "article")
OPTIONS = ("-c", "zh_char", "--rouge-types", "rouge1,rougeL", *COLUMNS, "-q")
FIRST_TWO = "first=prediction&second=prediction_b"  # the best and the next are others
NUMBER = re.compile(r"[+−]?\d+(?:\.\d+)?")

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("report slices"),
    pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning"),
]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A report of the command, and what its comparison of the same files prints as JSON."""
    folder = tmp_path_factory.mktemp("slices")
    lines = [json.dumps(row, ensure_ascii=False) for row in ROWS]
    (folder / "rows.jsonl").write_text("\n".join(lines), encoding="utf-8")
    arguments = [str(folder / "rows.jsonl"), *(part for name in NAMES for part in ("-p", name)), *OPTIONS]
    written = run("report", *arguments, "-o", folder / "report.html")
    assert written.exit_code == 0, written.stderr
    printed = json.loads(run("compare", *arguments, "-f", "json").stdout)
    one = write_report(
        folder / "one.html",
        *columns(ROWS, "prediction", "references"),
        rouge=Rouge("zh_char", scale=100, rouge_types=["rouge1"]),
        metadata={"topic": [row["document_topic"] for row in ROWS]},
    )
    return folder / "report.html", printed, one


@pytest.fixture
def opened(open_report, files):
    return lambda which=0, hash_part="", **options: open_report(files[which], hash_part, **options)


# Each row of the table of slices: which slice it is, its cells, and how many numbers are bold.
SLICES = """() => [...document.querySelectorAll("#slices-table tbody tr")].map((row) => {
  const { column, label } = row.querySelector("button").dataset;
  const cells = [...row.querySelectorAll("td")].map((cell) => cell.innerText);
  return [[column, label], cells, row.querySelectorAll("strong").length];
})"""


def numbers(text):
    return [each.replace("+", "").replace("−", "-") for each in NUMBER.findall(text)]


def shown(*values):
    return [f"{value:.2f}" for value in values]


def test_every_number_of_slices_and_sources_is_in_the_json_of_the_command(opened, files):
    page, printed = opened(), files[1]["slices"]
    places = {(each["column"], each["label"]): each for each in printed["slices"]}
    walked = n_small = 0
    for key in ("rouge1", "rougeL"):
        page.select_option("#type", label=key)
        for first, second in ((0, 1), (0, 2), (2, 1)):
            page.select_option("#first", str(first))
            page.select_option("#second", str(second))
            wait_for_table(page)
            one, other = NAMES[first], NAMES[second]
            differences = {
                (each["column"], each["label"]): each
                for each in printed["differences"]
                if each["key"] == key and {each["first"], each["second"]} == {one, other}
            }
            rows = page.evaluate(SLICES)
            of_others = f"coverage: {({*NAMES} - {one, other}).pop()}"  # is not shown
            assert {tuple(place) for place, *_ in rows} == {place for place in places if place[0] != of_others}
            before = dict.fromkeys((column for column, _ in places), (False, -2.0))  # of each column
            for place, (n, *cells), n_strong in rows:
                each, pair = places[tuple(place)], differences[tuple(place)]
                assert int(n) == each["n_samples"] == pair["n_samples"]
                for system, cell in zip((one, other), cells, strict=False):
                    mean = each["systems"][system][key]
                    assert numbers(cell) == shown(mean["mean"], mean["low"], mean["high"])
                sign, is_small = 1 if pair["first"] == one else -1, pair["n_samples"] < 10
                ends = () if is_small else (pair["low"], pair["high"])
                ends = ends if sign > 0 else [-end for end in reversed(ends)]
                assert numbers(cells[2]) == [
                    text.replace("-0.00", "0.00") for text in shown(sign * pair["difference"], *ends)
                ]
                if is_small:
                    assert (pair["p_holm"], pair["n_tests"], cells[3]) == (None, 0, "–")
                else:
                    assert abs(float(numbers(cells[3])[0]) - pair["p_holm"]) <= 1e-4
                assert (n_strong == 1) == pair["significant"]
                assert (is_small, sign * pair["difference"]) >= before[place[0]]
                before[place[0]] = is_small, sign * pair["difference"]
                n_small += is_small
                walked += 1
    assert walked > n_small > 0

    rows = page.locator("#sources-table tbody tr").all()

    assert [row.locator("[data-measure]").get_attribute("data-measure") for row in rows] == [
        name for name in files[1]["sources"]["third"] if name not in ("novel_1", "novel_3")
    ]
    for row in rows:
        cells = row.locator("td").all_inner_texts()[: len(NAMES)]
        name = row.locator("[data-measure]").get_attribute("data-measure")
        values = [files[1]["sources"][system][name] for system in NAMES]
        is_share = name not in ("density", "compression")
        assert cells == [f"{100 * value:.1f}%" if is_share else f"{value:.1f}" for value in values]


def test_a_click_on_a_slice_filters_everything_and_stands_in_the_link(opened):
    page = opened(hash_part=FIRST_TWO)
    button = page.locator('#slices-table [data-column="document_topic"]').first
    topic = button.get_attribute("data-label")
    rows = [row["id"] for row in ROWS if row["document_topic"] == topic]

    button.focus()
    page.keyboard.press("Enter")

    assert count_of(page) == len(rows)
    assert sorted(shown_names(page)) == sorted(rows)
    dots = page.locator("#charts figure").nth(1).locator(".dots").all()
    assert [path.get_attribute("d").count("M") for path in dots] == [len(rows)] * 2

    page.locator("#slices-table").locator("xpath=../following-sibling::label").locator("input").check()  # all rows
    page.locator('#slices-table [data-column="references"]').first.click()
    assert count_of(page) < len(rows)  # both at once
    load_again(page)
    assert 0 <= count_of(page) < len(rows)
    assert page.locator('#slices-table [aria-pressed="true"]').count() == 2

    follow_link(page, "slice+document_topic=none+such")  # of which there is none
    assert count_of(page) == len(ROWS)


def test_one_system_has_its_scores_by_slice_lowest_first(opened):
    page = opened(2)
    rouge = Rouge("zh_char", scale=100, rouge_types=["rouge1"], confidence=0.95)

    before = {}
    for (column, label), (n, mean, *_), _ in page.evaluate(SLICES):
        value = int(n) < 10, float(numbers(mean)[0])
        assert value >= before.get(column, (False, 0.0))
        before[column] = value
        if column == "topic":
            some = [each for each in ROWS if each["document_topic"] == label]
            result = rouge.compute(*columns(some, "prediction", "references"))
            assert int(n) == len(some)
            assert numbers(mean) == shown(result["rouge1"], result["rouge1_low"], result["rouge1_high"])
    assert page.locator("#sources-part").is_hidden()


def _texts_of_runs(panel):
    """The letters and digits of each copied run; a place that two systems copied is in a run of each."""
    texts = defaultdict(str)
    for runs, text in panel.locator("mark").evaluate_all(
        "all => all.map((mark) => [mark.dataset.run, mark.innerText])"
    ):
        for name in runs.split():
            texts[name] += "".join(filter(str.isalnum, text))
    return texts


def test_what_was_copied_is_in_colour_on_both_sides(opened):
    page = opened()
    open_sample(page, "zh-005")
    page.get_by_role("radio", name="Source").check()

    row = next(row for row in ROWS if row["id"] == "zh-005")
    assert page.locator(".pinned .body-text").inner_text() == row["article"]
    names = NAMES[1:]
    for side, name in enumerate(names):
        page.locator(f"#side-{side}").select_option(label=name)
        page.locator(f'#pair-content .side:nth-child({side + 2})[aria-label="{name}"]').wait_for()
    source, *panels = page.locator("#pair-content .side").all()
    copied = _texts_of_runs(source)
    for panel, name in zip(panels, names, strict=True):
        runs = _texts_of_runs(panel)
        assert runs
        assert all(
            text.endswith(copied.get(run, "")) for run, text in runs.items()
        )  # of two copies the second is shorter
        coverage = measure_sources([row[name]], [row["article"]], Rouge("zh_char")).means()["coverage"]
        (shown_coverage,) = re.findall(r"coverage ([\d.]+)%", panel.inner_text())
        assert float(shown_coverage) == pytest.approx(100 * coverage, abs=0.06)
