"""Working with the report in a real browser: links, search, stars, notes, files of what is on view, accessibility."""

import csv
import io
import json
from functools import partial
from pathlib import Path

import pytest
from report_browser import ReportPage, accessibility_problems, low_contrast, show_in, wait_for_table

from polyrouge import Rouge
from polyrouge.comparing.systems import compare_systems
from polyrouge.report.html_report import write_report

ROOT = Path(__file__).resolve().parents[2]
ROUGE = Rouge("zh_char", scale=100)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("report work"),
    pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning"),
]
with open(ROOT / "examples" / "zh_news.jsonl", encoding="utf-8") as _lines:
    ROWS = [json.loads(line) for line in _lines]
IDS = [row["id"] for row in ROWS]
REFERENCES = [row["references"] for row in ROWS]
SYSTEMS = {"甲": [row["prediction"] for row in ROWS], "乙": [row["prediction_b"] for row in ROWS]}
SYSTEMS["短"] = [text[:9] for text in SYSTEMS["甲"]]


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


def shown_ids(page):
    wait_for_table(page)
    return page.locator("#samples tbody th").all_inner_texts()


def saved(page, button):
    with page.expect_download() as download:
        button.click()
    return Path(download.value.path()).read_bytes()


def test_a_link_shows_the_same_again(opened):
    page = opened()
    page.locator("#type").select_option(label="rouge2")
    page.locator("#second").select_option(label="短")
    page.locator("#search").fill("云渡")
    page.locator("#outcome").select_option("won")
    page.locator("[data-sort=gain]").click()
    page.locator("th[aria-sort=descending] [data-sort=gain]").wait_for()
    expected = shown_ids(page)
    assert 1 < len(expected) < len(ROWS)
    page.locator("#samples tbody [data-row]").nth(1).click()
    page.locator("#view-1").check(force=True)
    page.locator("#system-2").check(force=True)
    page.wait_for_function("location.hash.includes('view=ngram2') && location.hash.includes('system=')")
    link = page.url.split("#")[1]

    again = opened(link)

    again.locator("#pair-content .texts").wait_for()
    assert again.locator("#pair-title").inner_text() == f"Sample {expected[1]}"
    assert again.locator("#view-1").is_checked()
    assert again.locator("#system-2").is_checked()
    again.keyboard.press("Escape")
    assert shown_ids(again) == expected
    assert again.locator("#type").evaluate("each => each.selectedOptions[0].text") == "rouge2"
    assert again.locator("#second").evaluate("each => each.selectedOptions[0].text") == "短"
    assert again.locator("#search").input_value() == "云渡"
    assert again.locator("#outcome").input_value() == "won"


def test_a_link_with_what_there_is_not_shows_the_beginning(opened):
    page = opened("type=rouge9&first=nobody&sort=nothing&at=-7&sample=4000&view=none&gain=x~y~z&by=magic")

    assert len(shown_ids(page)) == len(ROWS)
    assert not page.locator("#pair").is_visible()


def test_a_click_in_a_chart_is_a_filter_that_can_be_removed(opened):
    page = opened()
    bars = page.locator("#charts figure").nth(2).locator(".target")
    counts = [int(bars.nth(place).get_attribute("aria-label").split(": ")[1].split()[0]) for place in range(20)]
    place = counts.index(max(counts))

    bars.nth(place).click()

    assert len(shown_ids(page)) == max(counts) < len(ROWS)
    assert page.locator("#filters li").count() == 1
    page.locator("#filters button").click()
    assert len(shown_ids(page)) == len(ROWS)
    assert page.locator("#filters").is_hidden()


def test_charts_are_drawn_of_what_the_search_leaves(opened):
    page = opened()

    page.locator("#search").fill("云渡")
    left = shown_ids(page)

    dots = page.locator("#charts figure").nth(3).locator(".dot")
    assert dots.count() == len(left) < len(ROWS)


@pytest.mark.parametrize(
    ("mode", "wanted", "holds"),
    [
        pytest.param("text", "云渡市", lambda texts: any("云渡市" in text for text in texts), id="text"),
        pytest.param("token", "渡", lambda texts: any("渡" in text for text in texts), id="token"),
        pytest.param("token", "云渡", lambda _: False, id="no token of one character"),
        pytest.param("pattern", r"\d+亿", lambda texts: any("亿" in text for text in texts), id="pattern"),
    ],
)
def test_search_by_text_token_and_pattern(opened, mode, wanted, holds):
    page = opened()
    page.locator("#search-mode").select_option(mode)
    page.locator("#search").fill(wanted)

    found = shown_ids(page)

    expected = [
        each
        for place, each in enumerate(IDS)
        if holds([*REFERENCES[place], *(texts[place] for texts in SYSTEMS.values())])
    ]
    if mode == "pattern":
        assert set(found) <= set(expected)
        assert found
    else:
        assert sorted(found) == sorted(expected)


def test_what_was_found_is_in_colour_and_a_bad_pattern_is_told(opened):
    page = opened()
    page.locator("#search").fill("云渡")
    assert shown_ids(page)
    marked = "[...CSS.highlights.get('found')].map(String)"
    assert set(page.evaluate(marked)) == {"云渡"}

    page.locator("#search-mode").select_option("pattern")
    page.locator("#search").fill("(")

    assert len(shown_ids(page)) == len(ROWS)
    assert page.locator("#count").inner_text().startswith("Not a valid pattern: ")


def test_stars_and_notes_are_kept_filtered_and_saved(browser, report):
    shown = ReportPage(browser)
    shown.load(report)
    page = shown.page
    first, second, third = shown_ids(page)[:3]
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
    assert shown_ids(page) == [first]
    page.locator("#marked").select_option("noted")
    assert shown_ids(page) == [second]
    found = json.loads(saved(page, page.locator("#sample-exports [data-save=JSON]")))["samples"]
    assert [(each["id"], each["star"], each["note"]) for each in found] == [
        (second, False, "wrong year, <b>not</b> 2026")
    ]
    page.locator("#marked").select_option("all")
    assert third in shown_ids(page)
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
    other = next(each for each in range(1, len(ROWS) + 1) if each != number)

    page.evaluate(OTHER_TAB, json.dumps([[number, mark], [other, {"star": True, "note": "of the other tab"}]]))

    page.locator("#note-line", has_text="Stars: 2. Notes: 1.").wait_for()
    assert page.locator("#samples .star[aria-pressed=true]").count() == 2
    page.locator("#samples .star").nth(0).click()
    page.locator("#note-line", has_text="Stars: 1. Notes: 1.").wait_for()
    page.locator("#marked").select_option("noted")
    assert shown_ids(page) == [IDS[other - 1]]


def test_the_samples_that_are_left_are_saved_with_scores_and_texts(opened):
    page = opened()
    page.locator("#search").fill("云渡")
    left = shown_ids(page)

    rows = list(
        csv.DictReader(io.StringIO(saved(page, page.locator("#sample-exports [data-save=CSV]")).decode("utf-8-sig")))
    )

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
    page.locator("details").evaluate_all("all => all.forEach((each) => { each.open = true; })")

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

    rows = list(csv.reader(io.StringIO(saved(page, board.locator("[data-save=CSV]")).decode("utf-8-sig"))))
    objects = json.loads(saved(page, board.locator("[data-save=JSON]")))
    latex = saved(page, board.locator("[data-save=LaTeX]")).decode()

    heads, *body = rows
    assert len(body) == len(objects) == len(SYSTEMS)
    kinds = ROUGE.settings.rouge_types
    assert heads == [
        "Letter",
        "System",
        *(f"{kind}{part}" for kind in kinds for part in ("", " better than", " interval")),
    ]
    assert body[0][1] == first_row[1]
    means = {name: ROUGE.compute(texts, REFERENCES) for name, texts in SYSTEMS.items()}
    for cells, found in zip(body, objects, strict=True):
        mean = means[cells[1]]
        assert [float(cells[2 + 3 * place]) for place in range(len(kinds))] == [round(mean[kind], 2) for kind in kinds]
        assert [found[kind] for kind in kinds] == [round(mean[kind], 2) for kind in kinds]
        assert [str(each) for each in found.values() if isinstance(each, str)] == [
            cell for place, cell in enumerate(cells) if place < 2 or place % 3 != 2
        ]
    best = max(means.values(), key=lambda mean: mean["rouge1"])["rouge1"]
    low, high = body[0][4].split(" – ")
    assert latex.startswith("% types:1,2,L,Lsum|")
    assert latex.count(r"\\") == len(rows)
    assert r"\begin{tabular}{rlrrrr}" in latex
    assert rf"\textbf{{{best:.2f}}}\textsuperscript{{{body[0][3]}}} {{\scriptsize {low} -- {high}}}" in latex


def test_the_matrix_is_saved_with_numbers_that_programs_read(opened):
    page = opened()

    rows = list(csv.reader(io.StringIO(saved(page, page.locator("#matrix [data-save=CSV]")).decode("utf-8-sig"))))

    heads, *body = rows
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
  const found = {};
  for (const bar of document.querySelectorAll(".exports:has(> [data-save=LaTeX])")) {
    for (const kind of ["CSV", "JSON", "LaTeX"]) {
      bar.querySelector(`[data-save=${kind}]`).click();
      const name = bar.closest("[id], [data-export]");
      (found[name.id || name.dataset.export] ??= {})[kind] = await blobs.pop().text();
    }
  }
  return found;
}"""


def test_every_table_is_saved_whole(open_report, whole_report):
    tables = open_report(whole_report, anew=True).evaluate(SAVE_ALL)

    assert {"board", "scores", "differences", "matrix", "missed", "added", "buckets", "faults"} <= set(tables)
    assert {"slices-exports", "sources-exports", "checkpoint-changes"} <= set(tables)
    for name, saved_as in tables.items():
        heads, *rows = csv.reader(io.StringIO(saved_as["CSV"].lstrip("\ufeff")))
        assert all(heads), name
        assert len(set(heads)) == len(heads), name
        assert rows, name
        assert {len(row) for row in rows} == {len(heads)}, name
        for found, row in zip(json.loads(saved_as["JSON"]), rows, strict=True):
            assert list(found) == heads, name
            assert [each if isinstance(each, str) else float(each) for each in found.values()] == [
                cell if isinstance(each, str) else float(cell) for each, cell in zip(found.values(), row, strict=True)
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


def test_charts_are_used_by_keyboard(opened):
    page = opened()
    dots = page.locator("#charts figure").nth(1).locator(".dot[data-system='0']")
    dots.first.focus()
    page.keyboard.press("ArrowRight")
    name = page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("Enter")

    page.locator("#pair-content .texts").wait_for()
    assert page.locator("#pair-title").inner_text() == f"Sample {name}"


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_axe_finds_no_violation(open_report, whole_report, locale):
    page = open_report(whole_report, locale=locale)
    page.locator("details").evaluate_all("all => all.forEach((each) => { each.open = true; })")
    for scheme, width in (("light", 1280), ("dark", 390)):
        show_in(page, width=width, height=800, color_scheme=scheme)
        for part in ("body", "#pair"):
            if part == "#pair":
                page.locator("#samples tbody [data-row]").nth(1).click()
                for view in range(5):
                    page.locator(f"#view-{view}").check(force=True)
            # The colours are the same in both languages.
            assert accessibility_problems(page, part if locale == "en-US" else None) == []
            assert low_contrast(page, within=part) == []
        page.keyboard.press("Escape")
