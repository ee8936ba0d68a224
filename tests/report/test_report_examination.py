"""What the report shows of missed and added tokens, faults, moved hits and checkpoints: each number is Python's."""

import itertools
import re
from urllib.parse import urlencode

import pytest
from news import columns, news
from report_browser import count_of, follow_link, open_details, shown_names, wait_for_table

from polyrouge import Rouge, examine_systems, trace_checkpoints
from polyrouge.report.html_report import write_report

GOOD, POOR, REFERENCES = columns(news("zh"), "prediction", "prediction_b", "references")
SYSTEMS = {"甲": ["", GOOD[1] * 2, *GOOD[2:]], "乙": POOR, "丙": [text[:6] for text in GOOD]}
STEPS = list(range(100, 1501, 100))
CHECKPOINTS = {step: [GOOD[n] if n % 15 < step // 100 else POOR[n] for n in range(len(GOOD))] for step in STEPS}
ROUGE = Rouge("zh_char", scale=100, rouge_types=["rouge1", "rouge2"])

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("report examination"),
    pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    backwards = {f"checkpoint-{step}": CHECKPOINTS[step] for step in reversed(STEPS)}
    for file, systems, steps in (
        ("systems", SYSTEMS, None),
        ("checkpoints", backwards, STEPS[::-1]),
    ):
        (name, texts), *others = systems.items()
        path = folder / f"{file}.html"
        write_report(path, texts, REFERENCES, rouge=ROUGE, name=name, others=dict(others), steps=steps)
    return folder


@pytest.fixture
def opened(open_report, folder):
    return lambda name, **options: open_report(folder / f"{name}.html", **options)


def table(page, name):
    """The cells of a table's body, as they are shown."""
    return page.locator(f"#{name} tbody tr").evaluate_all(
        "rows => rows.map((row) => [...row.cells].map((cell) => cell.innerText.replace(/\\s+/g, ' ').trim()))"
    )


def percent(share):
    return "–" if share is None else f"{100 * share:.1f}%"


def signed(value, digits=0):
    return f"{value:+,.{digits}f}".replace("-", "−") if value else f"{value:.{digits}f}"


def choose_units(page, system, order):
    page.locator("#found-system").select_option(label=system)
    page.locator("#found-order").select_option(str(order))


def numbers_shown(page):
    """The numbers of the samples in the table, from 0."""
    return {int(name) - 1 for name in shown_names(page)}


@pytest.fixture(scope="module")
def systems():
    return examine_systems(SYSTEMS, REFERENCES, ROUGE).systems


def test_every_number_of_missed_and_added_units_is_that_of_python(opened, systems):
    page = opened("systems")
    open_details(page)
    for system, order in itertools.product(systems, (0, 1)):
        totals = system.units[order]

        choose_units(page, system.system, order)

        for side in ("missed", "added"):
            assert table(page, side) == [
                [" ".join(u.tokens), f"{u.count:,}", f"{u.total:,}", percent(u.share), f"{u.n_samples:,}"]
                for u in getattr(totals, side)
            ], (system.system, order)
        missed, added = totals.reference_total - totals.hits, totals.prediction_total - totals.hits
        expected = [totals.reference_total, totals.hits, missed, totals.prediction_total, added]
        sums = page.locator("#found-sums").inner_text()
        assert [int(each.replace(",", "")) for each in re.findall(r"\d[\d,]*\d|\d", sums)] == expected
        assert sums.endswith("Where a sample has several references, only the best one counts here.")


def test_every_number_of_faults_is_that_of_python(opened, systems):
    page = opened("systems")
    open_details(page)

    faults = [[system.faults[place] for system in systems] for place in range(len(systems[0].faults))]
    shown = [row[1:] for row in table(page, "faults")]
    some = [row for row in faults if any(each.n_samples for each in row)]
    assert 0 < len(some) < len(faults)  # those that no output has stand in one line
    assert shown == [[f"{each.n_samples}" if each.applies else "–" for each in row] for row in some]
    unchecked = [row for row in faults if not any(each.applies for each in row)]
    none, *rest = page.locator("#faults-none").inner_text().split(". ")
    assert none.count(", ") == len(faults) - len(some) - len(unchecked) - 1
    assert [row[0].kind for row in unchecked] == ["truncated"]  # too few references end with a mark
    assert [text.split(",")[0] for text in rest] == ["Not checked: likely cut off"]


def test_a_problem_that_is_checked_for_one_system_only_has_a_row(open_report, tmp_path):
    references = [["甲乙丙丁。", "子丑寅卯"], ["天地玄黄。", "宇宙洪荒"]]  # each system has its own best ones
    systems = {"有": ["甲乙丙丁。", "天地玄黄。"], "无": ["子丑寅卯", "宇宙洪荒"]}
    path = tmp_path / "one.html"
    write_report(path, systems["无"], references, rouge=ROUGE, name="无", others={"有": systems["有"]})
    page = open_report(path)
    open_details(page)

    ((problem, *cells),) = table(page, "faults")
    assert problem.startswith("Likely cut off")
    assert cells == ["–", "0"]
    assert "cut off" not in page.locator("#faults-none").inner_text()


@pytest.mark.parametrize("pair", [(0, 1), (2, 0)])
def test_every_number_of_moved_hits_is_that_of_python_either_way_round(opened, pair):
    page = opened("systems")
    open_details(page)
    names = [list(SYSTEMS)[place] for place in pair]
    examination = examine_systems({name: SYSTEMS[name] for name in names}, REFERENCES, ROUGE)
    follow_link(page, urlencode({"first": names[0], "second": names[1]}))
    assert page.locator("#gained-title").inner_text() == f"Hits of {names[0]} that {names[1]} misses"

    for order, moved in enumerate(examination.moved):
        page.locator("#found-order").select_option(str(order))
        for name, units in (("gained", moved.units_gained), ("lost", moved.units_lost)):
            assert table(page, name) == [
                [" ".join(u.tokens), signed(u.difference), f"{u.gained:,}", f"{u.lost:,}", f"{u.n_samples}"]
                for u in units
            ]
        sums = page.locator("#why-sums").inner_text()
        for number in (signed(moved.difference), f"{moved.gained:,}", signed(moved.score_difference, 2)):
            assert number in sums


def test_a_number_shows_its_samples_and_the_link_keeps_them(opened, systems):
    page = opened("systems", anew=True)
    unit = systems[1].units[0].missed[2]
    open_details(page)
    choose_units(page, "乙", 0)

    page.locator("#missed tbody tr").nth(2).locator("button").click()

    page.locator("#count", has_text=f"{unit.n_samples} of {len(GOOD)} samples").wait_for()
    assert numbers_shown(page) == set(unit.samples)
    assert unit.tokens[0] in page.locator("#filters").inner_text()
    assert "found=missed.1.0.2" in page.url
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert numbers_shown(page) == set(unit.samples)
    page.locator("#faults tbody tr", has_text="The prediction is empty").locator("td").first.locator("button").click()
    page.locator("#count", has_text="1 of ").wait_for()
    assert numbers_shown(page) == {0}
    follow_link(page, "found=nonsense.9.9")
    assert count_of(page) == len(GOOD)


def test_checkpoints_are_shown_by_step_and_many_by_curves(opened):
    page = opened("checkpoints")
    traced = trace_checkpoints(CHECKPOINTS, REFERENCES, ROUGE)

    assert traced.low is not None
    assert traced.high is not None
    for column, key in enumerate(traced.keys):
        page.locator("#type").select_option(str(column))
        wait_for_table(page)
        points = page.locator("#curves .point")
        columns = (each[:, column].tolist() for each in (traced.means, traced.low, traced.high))
        assert points.evaluate_all("all => all.map((each) => each.ariaLabel)") == [
            f"step {step:,}: {mean:.2f} [{low:.2f}, {high:.2f}]"
            for step, mean, low, high in zip(STEPS, *columns, strict=True)
        ]
        rows = table(page, "checkpoint-changes")
        changes = [each for each in traced.changes if each.key == key]
        for place, (row, change) in enumerate(zip(rows, changes, strict=True)):
            moved = traced.means[place + 1, column] - traced.means[place, column]
            name = f"{change.before:,} → {change.after:,}"
            assert row[:4] == [name, signed(moved, 2), f"{change.better}", f"{change.worse}"]
            for cell, samples in zip(row[4:], (change.up, change.down), strict=True):
                assert cell == " ".join(f"{each.sample + 1} {signed(each.difference, 2)}" for each in samples[:3])
    assert "All 15 checkpoints are in the curves; samples are shown for 12" in page.locator("#curves-note").inner_text()
    assert page.locator("#board tbody tr").count() == 12
