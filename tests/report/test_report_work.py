"""Working with the report in a real browser: links, search, stars, notes, files of what is on view, accessibility."""

import csv
import io
import json
import os
import random
import re
import shutil
import subprocess
from functools import partial

import pytest
from news import columns, news
from report_browser import (
    REQUIRED,
    ReportPage,
    accessibility_problems,
    low_contrast,
    open_details,
    saved_from,
    show_in,
    show_view,
    shown_names,
    sort_by,
    wait_for_table,
)

from polyrouge import Rouge, score_context
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
    assert page.locator("#view-1").is_checked()  # the type that is chosen
    show_view(page, 2)
    page.locator("#side-1").select_option(label="乙")
    page.wait_for_function("location.hash.includes('view=rougeL') && location.hash.includes('side1=')")
    link = page.url.split("#")[1]

    again = opened(link)

    again.locator("#pair-content .texts").wait_for()
    assert again.locator("#pair-title").inner_text() == f"Sample {expected[1]}"
    assert again.locator("#view-2").is_checked()
    assert selected(again, "#side-1") == "乙"
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
    bars = page.locator("#charts figure").first.locator(".target")
    counts = [
        int(bars.nth(place).get_attribute("aria-label").split(": ")[1].split()[0]) for place in range(bars.count())
    ]

    bars.nth(counts.index(max(counts))).click()

    assert len(shown_names(page)) == max(counts) < len(IDS)
    assert page.locator("#filters li").count() == 1
    in_view = "each => each.getBoundingClientRect().top >= 0 && each.getBoundingClientRect().bottom <= innerHeight"
    assert page.locator("#samples tbody tr").first.evaluate(in_view)
    page.locator("#filters button").click()
    assert len(shown_names(page)) == len(IDS)
    assert page.locator("#filters").is_hidden()

    page.locator("#search").fill("云渡")
    left = shown_names(page)
    assert len(left) < len(IDS)
    page.wait_for_function(HAS_DOTS, arg=len(left))
    page.locator("#filter [type=reset]").click()
    page.wait_for_function(HAS_DOTS, arg=len(IDS))

    place = page.evaluate(FIRST_DOT)
    page.mouse.click(*place)
    page.locator("#pair-content .texts").wait_for()
    assert page.locator("#pair-title").inner_text() == f"Sample {page.evaluate(TITLE)}"


# Whether the last chart, which is drawn last, has as many dots.
HAS_DOTS = """n => {
  const dots = document.querySelectorAll("#charts figure")[2].querySelectorAll(".dots");
  return [...dots].map((each) => each.getAttribute("d")).join("").split("M").length === n + 1;
}"""
# Where the first dot of the second chart stands, and the name that the pointer shows there.
FIRST_DOT = """() => {
  const svg = document.querySelectorAll("#charts figure")[1].querySelector("svg");
  svg.scrollIntoView({ block: "center" });
  const [x, y] = svg.querySelector(".dots").getAttribute("d").match(/M([\\d.]+) ([\\d.]+)/).slice(1).map(Number);
  const point = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
  return [point.x, point.y];
}"""
TITLE = "document.querySelectorAll('#charts figure')[1].querySelector('title').textContent"


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
    (sample,) = json.loads(saved_from(page, "#sample-exports", "JSON"))["samples"]
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

    page.locator("#samples .star").nth(0).click()
    page.locator("#note-line", has_text="Stars: 1. Notes: 1.").wait_for()
    page.locator("#marked").select_option("noted")
    assert shown_names(page) == [IDS[other - 1]]


def test_the_samples_that_are_left_are_saved_with_scores_and_texts(opened):
    page = opened()
    page.locator("#search").fill("云渡")
    left = shown_names(page)

    heads, rows = table_of(saved_from(page, "#sample-exports", "CSV").decode())
    rows = [dict(zip(heads, row, strict=True)) for row in rows]

    assert [row["id"] for row in rows] == left
    scores = {name: ROUGE.score(texts, REFERENCES) for name, texts in SYSTEMS.items()}
    for row in rows:
        place = IDS.index(row["id"])
        assert json.loads(row["references"]) == REFERENCES[place]
        for name, texts in SYSTEMS.items():
            assert row[f"{name} prediction"] == texts[place]
            for kind in ROUGE.settings.rouge_types:
                assert row[f"{name} {kind} fmeasure"] == repr(float(f"{scores[name][kind][place]:.2f}")).removesuffix(
                    ".0"
                )


def test_all_numbers_are_saved_and_every_table_shows_them(opened):
    page = opened()
    open_details(page)

    numbers = json.loads(saved_from(page, "#scores-part", "numbers"))

    assert numbers["signature"] == page.locator(".signature code").inner_text()
    rouge = Rouge("zh_char", scale=100, output="all", confidence=0.95)
    assert numbers["means"] == [rouge.compute(texts, REFERENCES) for texts in SYSTEMS.values()]
    assert numbers["comparison"] == json.loads(json.dumps(compare_systems(SYSTEMS, REFERENCES, ROUGE).to_dict()))
    known = {f"{abs(value):.2f}" for result in numbers["means"] for value in result.values()}
    for pair in numbers["comparison"]["pairs"]:
        known |= {f"{abs(value):.2f}" for value in pair.values() if isinstance(value, float)}
    numbered = ("#board td", "#scores td", "#differences td:nth-child(3)", "#differences td:nth-child(4)")
    cells = " ".join(page.locator(", ".join(numbered)).all_inner_texts())
    shown = {part.lstrip("+−") for part in re.split(r"[\[\],\s]+", cells) if "." in part}
    assert len(shown) > 40
    assert {part.rstrip("abc") for part in shown} <= known


def test_the_main_table_is_saved_with_a_column_for_each_number(opened):
    page = opened()
    heads, body = table_of(saved_from(page, "#scores-part", "CSV").decode())
    objects = json.loads(saved_from(page, "#scores-part", "JSON"))

    kinds = ROUGE.settings.rouge_types
    parts = [f"{kind}{part}" for kind in kinds for part in ("", " better than", " interval low", " interval high")]
    assert heads == ["Letter", "System", *parts]
    assert len(body) == len(objects) == len(SYSTEMS)
    rouge = Rouge("zh_char", scale=100, confidence=0.95)
    for cells, as_object in zip(body, objects, strict=True):
        result = rouge.compute(SYSTEMS[cells[1]], REFERENCES)
        for kind in kinds:
            expected = [round(result[key], 2) for key in (kind, f"{kind}_low", f"{kind}_high")]
            names = [kind, f"{kind} interval low", f"{kind} interval high"]
            assert [as_object[name] for name in names] == expected
            assert [float(cells[heads.index(name)]) for name in names] == expected


@pytest.fixture(scope="module")
def hostile_report(tmp_path_factory):
    """Names that LaTeX would take for commands."""
    texts = [text.split() for text in ("a b c d e", "f g h i j", "k l m n o", "p q r s t")] * 6
    names = {r"50% of {x}_1 & \y ~^": 5, "<b> # $2 | 3": 4, "plain": 2}
    (first, *others) = ((name, [" ".join(text[:n]) for text in texts]) for name, n in names.items())
    references = [" ".join(text) for text in texts]
    path = tmp_path_factory.mktemp("reports") / "hostile.html"
    return write_report(path, first[1], references, rouge=Rouge(scale=100), name=first[0], others=dict(others))


COPIED = """async (withIntervals) => {
  const menu = document.querySelector("#scores-part .menu");
  menu.open = true;
  while (!menu.querySelector("input")) await new Promise(requestAnimationFrame);
  menu.querySelector("input").checked = withIntervals;
  const copied = new Promise((resume) => { navigator.clipboard.writeText = async (said) => resume(said); });
  menu.querySelector("[data-save=paper]").click();
  return copied;
}"""


def test_a_paper_gets_a_table_that_compiles_and_a_sentence(open_report, hostile_report, tmp_path):
    page = open_report(hostile_report)
    latex, bare = (page.evaluate(COPIED, with_intervals) for with_intervals in (True, False))

    assert latex.count(r"\textbf{") == 3  # the best of each type, of which two are one
    assert r"50\% of \{x\}\_1 \& \textbackslash{}y \textasciitilde{}\textasciicircum{}" in latex
    assert r"$<$b$>$ \# \$2 \textbar{} 3" in latex
    assert r"\textbf{100.00}\textsuperscript{bc} & " in latex
    assert r"{\scriptsize [100.00, 100.00]}" in latex
    assert r"\textbf{100.00}\textsuperscript{bc} &" in bare
    assert "scriptsize" not in bare
    assert r"System & ROUGE-1 & ROUGE-2 & ROUGE-L \\" in latex
    assert r"Below each mean its 95\% bootstrap interval. Letters a to c are the systems from top to bottom" in latex
    assert "bootstrap" not in bare.split("label{tab:rouge}")[0]
    assert "We compute ROUGE-1, ROUGE-2 and ROUGE-L with polyrouge" in latex
    assert "p $<$ 0.05, Holm" in latex
    if (compiler := shutil.which("pdflatex")) is None:
        reason = "needs pdflatex (Debian: apt-get install texlive-latex-base texlive-latex-recommended)"
        (pytest.fail if os.environ.get(REQUIRED) else pytest.skip)(reason)
    begin = "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{booktabs}\\begin{document}\n"
    (tmp_path / "t.tex").write_text(f"{begin}{latex}{bare}\\end{{document}}\n", encoding="utf-8")
    ran = subprocess.run(
        [compiler, "-halt-on-error", "t.tex"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout[-1500:]


SAVE_ALL = """async () => {
  const blobs = [];
  URL.createObjectURL = (blob) => { blobs.push(blob); return "#"; };
  HTMLAnchorElement.prototype.click = () => {};
  const all = {};
  for (const menu of document.querySelectorAll(".saves .menu")) {
    menu.open = true;
    while (!menu.querySelector("button")) await new Promise(requestAnimationFrame);
    for (const group of [...menu.querySelectorAll(".group:has([data-save=CSV])")]) {
      const section = menu.closest("section").id;
      for (const kind of ["CSV", "JSON"]) {
        group.querySelector(`[data-save=${kind}]`).click();
        while (!blobs.length) await new Promise(requestAnimationFrame);
        ((all[section] ??= {})[group.getAttribute("aria-label")] ??= {})[kind] = await blobs.pop().text();
      }
    }
  }
  return all;
}"""


def test_every_table_is_saved_whole(open_report, whole_report):
    page = open_report(whole_report, anew=True)
    sections = page.evaluate(SAVE_ALL)

    assert page.locator(".saves").count() == page.locator("section").count() - 1  # samples have another menu
    assert {section: list(tables) for section, tables in sections.items()} == {
        "scores-part": ["Scores", "Precision and recall", "Pairwise differences"],
        "slices-part": ["Slices: rouge1 F"],
        "found-part": [
            *(f"Hits of {a} that {b} misses" for a, b in (("甲", "乙"), ("乙", "甲"))),
            *("Most missed", "Most added", "Suspicious outputs"),
        ],
        "sources-part": ["Compared with the source"],
        "checkpoints-part": ["Checkpoints"],
    }
    for name, saved_as in [each for tables in sections.values() for each in tables.items()]:
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
            assert not [cell for cell in row if re.search(r"\d / \d|^\[", cell)], name  # one number a column


def test_the_figure_of_means_has_what_they_lie_between(open_report, tmp_path):
    sources = ["。".join([*each, "别的事情。"]) for each in REFERENCES]
    context = score_context(GOOD, REFERENCES, sources, ROUGE)
    options = {"rouge": ROUGE, "name": "甲", "context": context}
    path = write_report(tmp_path / "r.html", GOOD, REFERENCES, others={"乙": POOR}, **options)
    with pytest.raises(ValueError, match="context was not made from the outputs of '甲' by this metric"):
        write_report(tmp_path / "r.html", POOR, REFERENCES, **options)

    page = open_report(path, anew=True, locale="zh-CN")
    page.locator("#type").select_option("rouge2")

    names = {"shuffled references": "打乱的参考文本", "one text for all": "同一篇文本", "source": "整篇原文"}
    names |= {"oracle": "抽取上限", "human": "人写的文本", "system": "甲"}
    names |= {name: f"原文前 {name[5:]} 句" for name in context.points if name.startswith("lead-")}
    means = {names[name]: point["rouge2"] for name, point in context.points.items() if name in names}
    means["乙"] = ROUGE.compute(POOR, REFERENCES)["rouge2"]
    expected = [each for name in sorted(means, key=lambda name: -means[name]) for each in (name, f"{means[name]:.2f}")]
    assert page.locator("#means text.strong").all_text_contents() == expected


LENGTHS = "Score by reference length"


def test_figures_are_saved_with_the_names_of_systems(opened):
    page = opened()
    for place, figure, names in (("#scores-part", "Figure", SYSTEMS), ("#charts-part", LENGTHS, list(SYSTEMS)[:2])):
        svg = saved_from(page, place, "SVG", figure).decode()
        assert all(f">{name}</text>" in svg for name in names)
        assert "rgb(" in svg
        assert 'class="target"' not in svg
        assert len(svg) < 30_000

    page.evaluate("window.print = () => {}")  # whose dialog saves it
    page.locator("#scores-part .menu summary").click()
    page.locator("#scores-part [data-save=PDF]").click()
    page.emulate_media(media="print")
    pdf = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1
    width, height = map(float, re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)[0])
    shown = page.locator("#means svg").evaluate("each => each.viewBox.baseVal.width")  # as wide as it was shown
    assert width == pytest.approx(shown * 72 / 96, abs=1)
    assert height < width
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("#sheet").count() == 0


def test_a_scatter_of_2000_points_is_a_small_file(open_report, tmp_path):
    draw = random.Random(2)
    references = [" ".join(draw.choices("abcdefgh", k=draw.randint(3, 400))) for _ in range(2000)]
    systems = [[" ".join(draw.choices("abcdefgh", k=9)) for _ in references] for _ in range(2)]
    rouge, name = Rouge(rouge_types=["rouge1"]), {"name": "A", "others": {"B": systems[1]}, "slices": False}
    page = open_report(write_report(tmp_path / "r.html", systems[0], references, rouge=rouge, **name), anew=True)

    for figure in (LENGTHS, "Sample by sample"):
        assert len(saved_from(page, "#charts-part", "SVG", figure)) < 150_000
    assert "log scale" in page.locator("#charts").inner_text()


def test_what_people_come_for_takes_few_clicks(open_report, report):
    page = open_report(report, width=1400, height=900)
    seen = "each => each.getBoundingClientRect().top >= 0 && each.getBoundingClientRect().bottom <= innerHeight"

    # Which system is better on what: no click, and no scrolling.
    assert all(page.locator(place).evaluate(seen) for place in ("#verdict", "#board", "#means svg"))
    verdict = page.locator("#verdict").inner_text()
    types = "ROUGE-1, ROUGE-2, ROUGE-L and ROUGE-Lsum"
    assert verdict == f"甲 is significantly better than 乙 and 短 on {types} (p < 0.05, Holm). 34 samples."
    # A table into LaTeX: two.
    page.evaluate("navigator.clipboard.writeText = async (said) => { window.said = said; }")
    page.locator("#scores-part .menu summary").click()
    page.locator("#scores-part [data-save=paper]").click()
    page.wait_for_function("window.said?.includes('tabular')")
    # The three samples on which the second loses most: three, and j twice.
    page.locator("#contents a[href='#samples-part']").click()
    page.get_by_role("button", name="Largest wins of 甲").click()
    wait_for_table(page)
    page.locator("#samples tbody [data-row]").first.click()
    page.locator("#pair-content .texts").wait_for()
    gains = (
        ROUGE.score(GOOD, REFERENCES)["rouge1"] - ROUGE.score(SYSTEMS[selected(page, "#side-1")], REFERENCES)["rouge1"]
    )
    for place in (-gains).argsort(kind="stable")[:3]:
        page.locator("#pair-title", has_text=IDS[place]).wait_for()
        assert all(page.locator(".side .body-text").nth(side).evaluate(seen) for side in range(3))
        page.keyboard.press("j")


FOCUSABLE = """[...document.querySelectorAll("body *")]
  .filter((each) => each.tabIndex >= 0 && each.checkVisibility() && !each.closest("#samples")).length"""


def test_a_bar_shows_its_rows_and_few_elements_take_the_focus(open_report, whole_report, report):
    page = open_report(report, width=1400, height=900)
    bars = page.locator("#charts figure").first.locator(".target")
    next(bar for bar in bars.all() if ": 0 samples" not in bar.get_attribute("aria-label")).click()
    wait_for_table(page)
    assert page.locator("#samples tbody tr").first.evaluate("row => row.getBoundingClientRect().bottom < innerHeight")

    for path in (report, whole_report):
        page = open_report(path)
        n = page.evaluate(FOCUSABLE)
        assert 20 < n <= 60


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_axe_finds_no_violation(open_report, whole_report, locale):
    page = open_report(whole_report, locale=locale)
    open_details(page)
    page.locator(".menu summary").first.click()
    for scheme, width in (("light", 1280), ("dark", 390)):
        show_in(page, width=width, height=800, color_scheme=scheme)
        for part in ("body", "#pair"):
            if part == "#pair":
                page.locator("#samples tbody [data-row]").nth(1).click()
                for view in range(page.locator("#pair [name=view]").count()):
                    show_view(page, view)
            # The colours are the same in both languages.
            assert accessibility_problems(page, part if locale == "en-US" else None) == []
            assert low_contrast(page, within=part) == []
        page.keyboard.press("Escape")
