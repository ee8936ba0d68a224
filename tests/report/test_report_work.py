"""Working with the report in a real browser: links, search, stars, notes, files of what is on view, accessibility."""

import csv
import io
import json
from functools import partial

import pytest
from news import columns, news
from report_browser import (
    ReportPage,
    accessibility_problems,
    low_contrast,
    open_details,
    saved,
    show_in,
    show_view,
    shown_names,
    sort_by,
)

from polyrouge import Rouge
from polyrouge.comparing.systems import compare_systems
from polyrouge.report.html_report import write_report

ROUGE = Rouge("zh_char", scale=100)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("report work"),
    pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning"),
]
GOOD, POOR, REFERENCES, IDS = columns(news("zh"), "prediction", "prediction_b", "references", "id")
SYSTEMS = {"甲": GOOD, "乙": POOR, "短": [text[:9] for text in GOOD]}


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """Of all three systems."""
    path = tmp_path_factory.mktemp("reports") / "r.html"
    (first, texts), *others = SYSTEMS.items()
    return write_report(path, texts, REFERENCES, rouge=ROUGE, name=first, others=dict(others), ids=IDS)


@pytest.fixture(scope="module")
def whole_report(tmp_path_factory):
    """With all sections that a report can have, each of them short, as axe takes long for many elements."""
    (first, texts), *others = ((name, [text[:9] for text in texts[:6]]) for name, texts in SYSTEMS.items())
    references = [[text[:7] for text in each] for each in REFERENCES[:6]]
    return write_report(
        tmp_path_factory.mktemp("reports") / "whole.html",
        texts,
        references,
        rouge=ROUGE,
        name=first,
        others=dict(others),
        metadata={"topic": list("aabbcc")},
        sources=[" ".join(each) for each in references],
        steps=[100, 200, 300],
    )


@pytest.fixture
def opened(open_report, report):
    return partial(open_report, report)


def table_of(content):
    """Heads and rows of saved CSV."""
    heads, *rows = csv.reader(io.StringIO(content.removeprefix("\ufeff")))
    return heads, rows


def selected(page, name):
    return page.locator(name).evaluate("each => each.selectedOptions[0].text")


def test_a_link_shows_the_same_again(opened):
    page = opened()
    page.locator("#type").select_option(label="rouge2")
    page.locator("#second").select_option(label="短")
    page.locator("#search").fill("云渡")
    page.locator("#outcome").select_option("won")
    sort_by(page, "gain", "descending")
    expected = shown_names(page)
    assert 1 < len(expected) < len(IDS)
    page.locator("#samples tbody [data-row]").nth(1).click()
    show_view(page, 1)
    page.locator("#system-2").check(force=True)
    page.wait_for_function("location.hash.includes('view=ngram2') && location.hash.includes('system=')")
    link = page.url.split("#")[1]

    again = opened(link)

    again.locator("#pair-content .texts").wait_for()
    assert again.locator("#pair-title").inner_text() == f"Sample {expected[1]}"
    assert again.locator("#view-1").is_checked()
    assert again.locator("#system-2").is_checked()
    again.keyboard.press("Escape")
    assert shown_names(again) == expected
    assert (selected(again, "#type"), selected(again, "#second")) == ("rouge2", "短")
    assert again.locator("#search").input_value() == "云渡"
    assert again.locator("#outcome").input_value() == "won"

    beginning = opened("type=rouge9&first=nobody&sort=nothing&at=-7&sample=4000&view=none&gain=x~y~z&by=magic")
    assert len(shown_names(beginning)) == len(IDS)
    assert not beginning.locator("#pair").is_visible()


def test_a_click_in_a_chart_is_a_filter_and_charts_are_drawn_of_what_is_left(opened):
    page = opened()
    bars = page.locator("#charts figure").nth(2).locator(".target")
    counts = [int(bars.nth(place).get_attribute("aria-label").split(": ")[1].split()[0]) for place in range(20)]

    bars.nth(counts.index(max(counts))).click()

    assert len(shown_names(page)) == max(counts) < len(IDS)
    assert page.locator("#filters li").count() == 1
    page.locator("#filters button").click()
    assert len(shown_names(page)) == len(IDS)
    assert page.locator("#filters").is_hidden()

    page.locator("#search").fill("云渡")
    left = shown_names(page)
    assert page.locator("#charts figure").nth(3).locator(".dot").count() == len(left) < len(IDS)
    page.locator("#filter [type=reset]").click()

    dots = page.locator("#charts figure").nth(1).locator(".dot[data-system='0']")
    dots.first.focus()
    page.keyboard.press("ArrowRight")
    name = page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("Enter")
    page.locator("#pair-content .texts").wait_for()
    assert page.locator("#pair-title").inner_text() == f"Sample {name}"


def test_search_by_text_token_and_pattern(opened):
    page = opened()
    texts = {
        name: [*row, *(each[place] for each in SYSTEMS.values())]
        for place, (name, row) in enumerate(zip(IDS, REFERENCES, strict=True))
    }
    for mode, wanted, part in (("text", "云渡市", "云渡市"), ("token", "渡", "渡"), ("token", "云渡", None)):
        page.locator("#search-mode").select_option(mode)
        page.locator("#search").fill(wanted)
        expected = [name for name, each in texts.items() if part and any(part in text for text in each)]
        assert sorted(shown_names(page)) == sorted(expected), mode
    page.locator("#search-mode").select_option("pattern")
    page.locator("#search").fill(r"\d+亿")
    matches = shown_names(page)
    assert matches
    assert all(any("亿" in text for text in texts[name]) for name in matches)
    page.locator("#search").fill("(")
    assert len(shown_names(page)) == len(IDS)
    assert page.locator("#count").inner_text().startswith("Not a valid pattern: ")

    page.locator("#search-mode").select_option("text")
    page.locator("#search").fill("云渡")
    assert shown_names(page)
    assert set(page.evaluate("[...CSS.highlights.get('found')].map(String)")) == {"云渡"}


def test_stars_and_notes_are_kept_filtered_and_saved(browser, report):
    shown = ReportPage(browser)
    shown.load(report)
    page = shown.page
    first, second, third = shown_names(page)[:3]
    page.locator("#samples .star").nth(0).click()
    page.locator("#samples tbody [data-row]").nth(1).click()
    page.locator("#pair-note").fill("wrong year, <b>not</b> 2026")
    page.keyboard.press("ArrowRight")  # in the text, not to the next sample
    assert page.locator("#pair-title").inner_text() == f"Sample {second}"
    page.locator("#pair-close").click()

    # On a busy machine Chromium loses what is stored if the page is loaded anew in that moment: so it is given back.
    stored = page.evaluate("Object.entries(localStorage)")
    page.add_init_script(f"for (const each of {json.dumps(stored)}) localStorage.setItem(...each);")
    page.reload()
    page.wait_for_selector("html[data-ready]")

    page.locator("#note-line", has_text="Stars: 1. Notes: 1.").wait_for()
    assert page.locator("#samples .star").nth(0).get_attribute("aria-pressed") == "true"
    page.locator("#marked").select_option("starred")
    assert shown_names(page) == [first]
    page.locator("#marked").select_option("noted")
    assert shown_names(page) == [second]
    (sample,) = json.loads(saved(page, page.locator("#sample-exports [data-save=JSON]")))["samples"]
    assert [sample[key] for key in ("id", "star", "note")] == [second, False, "wrong year, <b>not</b> 2026"]
    page.locator("#marked").select_option("all")
    assert third in shown_names(page)
    shown.check()
    shown.close()


OTHER_TAB = """(value) => {
  const [key] = Object.keys(localStorage).filter((each) => each.includes("notes-"));
  localStorage.setItem(key, value);
  dispatchEvent(new StorageEvent("storage", { key }));
}"""


def test_two_tabs_keep_what_the_other_one_wrote(opened):
    page = opened(anew=True)
    page.locator("#samples .star").nth(0).click()
    ((number, mark),) = json.loads(page.evaluate("Object.values(localStorage).find((each) => each.includes('star'))"))
    other = 1 if number != 1 else 2

    page.evaluate(OTHER_TAB, json.dumps([[number, mark], [other, {"star": True, "note": "of the other tab"}]]))

    page.locator("#note-line", has_text="Stars: 2. Notes: 1.").wait_for()
    assert page.locator("#samples .star[aria-pressed=true]").count() == 2
    page.locator("#samples .star").nth(0).click()
    page.locator("#note-line", has_text="Stars: 1. Notes: 1.").wait_for()
    page.locator("#marked").select_option("noted")
    assert shown_names(page) == [IDS[other - 1]]


def test_the_samples_that_are_left_are_saved_with_scores_and_texts(opened):
    page = opened()
    page.locator("#search").fill("云渡")
    left = shown_names(page)

    heads, rows = table_of(saved(page, page.locator("#sample-exports [data-save=CSV]")).decode())
    rows = [dict(zip(heads, row, strict=True)) for row in rows]

    assert [row["id"] for row in rows] == left
    scores = {name: ROUGE.score(texts, REFERENCES) for name, texts in SYSTEMS.items()}
    for row in rows:
        place = IDS.index(row["id"])
        assert json.loads(row["references"]) == REFERENCES[place]
        for name, texts in SYSTEMS.items():
            assert row[f"{name} prediction"] == texts[place]
            for kind in ROUGE.settings.rouge_types:
                assert float(row[f"{name} {kind} fmeasure"]) == pytest.approx(scores[name][kind][place], abs=0.00501)


def test_all_numbers_are_saved_and_every_table_shows_them(opened):
    page = opened()
    open_details(page)

    numbers = json.loads(saved(page, page.locator("[data-save=numbers]")))

    assert numbers["signature"] == page.locator(".signature code").inner_text()
    rouge = Rouge("zh_char", scale=100, output="all", confidence=0.95)
    assert numbers["means"] == [rouge.compute(texts, REFERENCES) for texts in SYSTEMS.values()]
    assert numbers["comparison"] == json.loads(json.dumps(compare_systems(SYSTEMS, REFERENCES, ROUGE).to_dict()))
    known = {f"{abs(value):.2f}" for result in numbers["means"] for value in result.values()}
    for pair in numbers["comparison"]["pairs"]:
        known |= {f"{abs(value):.2f}" for value in pair.values() if isinstance(value, float)}
    numbered = ("#board td", "#scores td", "#differences td:nth-child(3)", "#differences td:nth-child(4)", "#matrix td")
    cells = " ".join(page.locator(", ".join(numbered)).all_inner_texts())
    shown = {part.lstrip("+−") for part in cells.replace("–", " ").replace("…", " ").split() if "." in part}
    assert len(shown) > 40
    assert {part.rstrip("abc") for part in shown} <= known


def test_tables_are_saved_as_csv_json_and_latex(opened):
    page = opened()
    board = page.locator("[data-export=board]")
    first_row = page.locator("#board tbody tr").first.inner_text().split()

    heads, body = table_of(saved(page, board.locator("[data-save=CSV]")).decode())
    objects = json.loads(saved(page, board.locator("[data-save=JSON]")))
    latex = saved(page, board.locator("[data-save=LaTeX]")).decode()

    assert len(body) == len(objects) == len(SYSTEMS)
    kinds = ROUGE.settings.rouge_types
    parts = [f"{kind}{part}" for kind in kinds for part in ("", " better than", " interval")]
    assert heads == ["Letter", "System", *parts]
    assert body[0][1] == first_row[1]
    means = {name: ROUGE.compute(texts, REFERENCES) for name, texts in SYSTEMS.items()}
    for cells, as_object in zip(body, objects, strict=True):
        expected = [round(means[cells[1]][kind], 2) for kind in kinds]
        assert [*map(float, cells[2::3])] == [as_object[kind] for kind in kinds] == expected
        words = [cell for place, cell in enumerate(cells) if place < 2 or place % 3 != 2]
        assert [each for each in as_object.values() if isinstance(each, str)] == words
    best = max(means.values(), key=lambda mean: mean["rouge1"])["rouge1"]
    low, high = body[0][4].split(" – ")
    assert latex.startswith("% types:1,2,L,Lsum|")
    assert latex.count(r"\\") == 1 + len(body)
    assert r"\begin{tabular}{rlrrrr}" in latex
    assert rf"\textbf{{{best:.2f}}}\textsuperscript{{{body[0][3]}}} {{\scriptsize {low} -- {high}}}" in latex

    # The matrix has numbers that programs read.
    heads, body = table_of(saved(page, page.locator("#matrix [data-save=CSV]")).decode())
    names = list(SYSTEMS)
    assert heads == ["System", *(f"{name}{part}" for name in names for part in ("", " Won / equal / lost"))]
    pairs = compare_systems(SYSTEMS, REFERENCES, ROUGE).pairs
    differences = {(each.first, each.second): each for each in pairs if each.key == "rouge1"}
    for first, cells in zip(names, body, strict=True):
        assert cells[0] == first
        for place, second in enumerate(names):
            number, outcome = cells[1 + 2 * place : 3 + 2 * place]
            pair = differences.get((first, second)) or differences.get((second, first))
            if pair is None:
                assert number == outcome == ""
            else:
                sign = 1 if pair.first == first else -1
                assert float(number) == pytest.approx(sign * pair.difference, abs=0.00501)
                outcomes = [pair.wins, pair.ties, pair.losses][::sign]
                assert outcome == " / ".join(map(str, outcomes))


SAVE_ALL = """async () => {
  const blobs = [];
  URL.createObjectURL = (blob) => { blobs.push(blob); return "#"; };
  HTMLAnchorElement.prototype.click = () => {};
  const all = {};
  for (const bar of document.querySelectorAll(".exports:has(> [data-save=LaTeX])")) {
    for (const kind of ["CSV", "JSON", "LaTeX"]) {
      bar.querySelector(`[data-save=${kind}]`).click();
      const name = bar.closest("[id], [data-export]");
      (all[name.id || name.dataset.export] ??= {})[kind] = await blobs.pop().text();
    }
  }
  return all;
}"""


def test_every_table_is_saved_whole(open_report, whole_report):
    tables = open_report(whole_report, anew=True).evaluate(SAVE_ALL)

    assert {"board", "scores", "differences", "matrix", "missed", "added", "buckets", "faults"} <= set(tables)
    assert {"slices-exports", "sources-exports", "checkpoint-changes"} <= set(tables)
    for name, saved_as in tables.items():
        heads, rows = table_of(saved_as["CSV"])
        assert all(heads), name
        assert len(set(heads)) == len(heads), name
        assert {len(row) for row in rows} == {len(heads)}, name
        for as_object, row in zip(json.loads(saved_as["JSON"]), rows, strict=True):
            assert list(as_object) == heads, name
            values = as_object.values()
            assert [cell if isinstance(each, str) else float(cell) for each, cell in zip(values, row, strict=True)] == [
                *values
            ], name
        lines = [line for line in saved_as["LaTeX"].splitlines() if line.endswith(r"\\")]
        assert len(lines) == len(rows) + 1, name
        assert len({line.count(" & ") for line in lines}) == 1, name


def test_figures_are_saved_as_svg_and_png(opened):
    page = opened()
    figure = page.locator("#charts figure").first

    svg = saved(page, figure.locator("[data-save=SVG]")).decode()
    png = saved(page, figure.locator("[data-save=PNG]"))

    assert svg.startswith("<svg")
    assert "rgb(" in svg
    assert 'class="target"' not in svg
    assert png.startswith(b"\x89PNG")
    assert int.from_bytes(png[16:20]) > 1000


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_axe_finds_no_violation(open_report, whole_report, locale):
    page = open_report(whole_report, locale=locale)
    open_details(page)
    for scheme, width in (("light", 1280), ("dark", 390)):
        show_in(page, width=width, height=800, color_scheme=scheme)
        for part in ("body", "#pair"):
            if part == "#pair":
                page.locator("#samples tbody [data-row]").nth(1).click()
                for view in range(5):
                    show_view(page, view)
            # The colours are the same in both languages.
            assert accessibility_problems(page, part if locale == "en-US" else None) == []
            assert low_contrast(page, within=part) == []
        page.keyboard.press("Escape")
