"""Working with the report in a real browser: links, search, stars, notes, files of what is on view, accessibility."""

import csv
import io
import json
import os
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
    open_details,
    saved_from,
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


def test_search_by_text_token_and_pattern(opened):
    page = opened()
    texts = {
        name: "\n".join([*row, *(of_system[place] for of_system in SYSTEMS.values())])
        for place, (name, row) in enumerate(zip(IDS, REFERENCES, strict=True))
    }
    for mode, words, pattern in (
        ("text", "云渡市", "云渡市"),
        ("token", "渡", "渡"),
        ("token", "云渡", "$^"),  # which is two tokens
        ("pattern", r"\d+亿", r"\d+亿"),
        ("pattern", "(", ""),
    ):
        page.locator("#search-mode").select_option(mode)
        page.locator("#search").fill(words)
        expected = [name for name, text in texts.items() if re.search(pattern, text)]
        assert sorted(shown_names(page)) == sorted(expected), (mode, words)
    assert page.locator("#count").inner_text().startswith("Not a valid pattern: ")


def test_stars_and_notes_are_kept_filtered_and_saved(browser, report):
    shown = ReportPage(browser)
    shown.load(report)
    page = shown.page
    first, second = shown_names(page)[:2]
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
    shown.check()
    shown.close()


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
                assert float(row[f"{name} {kind} fmeasure"]) == float(f"{scores[name][kind][place]:.2f}")


def test_all_numbers_are_saved(opened):
    page = opened()

    numbers = json.loads(saved_from(page, "#scores-part", "numbers"))

    assert numbers["signature"] == page.locator(".signature code").inner_text()
    rouge = Rouge("zh_char", scale=100, output="all", confidence=0.95)
    assert numbers["means"] == [rouge.compute(texts, REFERENCES) for texts in SYSTEMS.values()]
    assert numbers["comparison"] == json.loads(json.dumps(compare_systems(SYSTEMS, REFERENCES, ROUGE).to_dict()))

    rows = json.loads(saved_from(page, "#scores-part", "JSON"))  # CSV is the same: see test_every_table_is_saved_whole
    means = dict(zip(SYSTEMS, numbers["means"], strict=True))
    assert len(rows) == len(SYSTEMS)
    for row in rows:
        _, system, *_ = row.values()
        for kind in ROUGE.settings.rouge_types:
            expected = [round(means[system][key], 2) for key in (kind, f"{kind}_low", f"{kind}_high")]
            assert [row[kind], row[f"{kind} interval low"], row[f"{kind} interval high"]] == expected


COPIED = """async (withIntervals) => {
  const menu = document.querySelector("#scores-part .menu");
  menu.open = true;
  while (!menu.querySelector("input")) await new Promise(requestAnimationFrame);
  menu.querySelector("input").checked = withIntervals;
  const copied = new Promise((resume) => { navigator.clipboard.writeText = async (said) => resume(said); });
  menu.querySelector("[data-save=paper]").click();
  return copied;
}"""


def test_a_paper_gets_a_table_that_compiles(open_report, tmp_path):
    texts = [text.split() for text in ("a b c d e", "f g h i j", "k l m n o", "p q r s t")] * 6
    names = {r"50% of {x}_1 & \y ~^": 5, "<b> # $2 | 3": 4, "plain": 2}  # which LaTeX would take for commands
    (name, predictions), *others = ((name, [" ".join(text[:n]) for text in texts]) for name, n in names.items())
    options = {"rouge": Rouge(scale=100), "name": name, "others": dict(others)}
    page = open_report(write_report(tmp_path / "hostile.html", predictions, [*map(" ".join, texts)], **options))
    latex, bare = (page.evaluate(COPIED, with_intervals) for with_intervals in (True, False))

    assert r"50\% of \{x\}\_1 \& \textbackslash{}y \textasciitilde{}\textasciicircum{}" in latex
    assert r"$<$b$>$ \# \$2 \textbar{} 3" in latex
    assert r"\textbf{100.00}\textsuperscript{bc} & " in latex
    assert r"{\scriptsize [100.00, 100.00]}" in latex
    assert "scriptsize" not in bare
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
      for (const kind of ["CSV", "JSON"]) {
        group.querySelector(`[data-save=${kind}]`).click();
        while (!blobs.length) await new Promise(requestAnimationFrame);
        (all[group.getAttribute("aria-label")] ??= {})[kind] = await blobs.pop().text();
      }
    }
  }
  return all;
}"""


def test_every_table_is_saved_whole(open_report, whole_report):
    page = open_report(whole_report, anew=True)
    tables = page.evaluate(SAVE_ALL)

    assert page.locator(".saves").count() == page.locator("section").count() - 1  # samples have another menu
    assert len(tables) == 11
    for name, saved_as in tables.items():
        heads, rows = table_of(saved_as["CSV"])
        assert len({*heads} - {""}) == len(heads), name
        assert {len(row) for row in rows} == {len(heads)}, name
        for as_object, row in zip(json.loads(saved_as["JSON"]), rows, strict=True):
            assert list(as_object) == heads, name
            for cell, value in zip(row, as_object.values(), strict=True):
                assert (cell if isinstance(value, str) else float(cell)) == value, name
            assert not [cell for cell in row if re.search(r"\d / \d|^\[", cell)], name  # one number a column


def test_axe_finds_no_violation(open_report, whole_report):
    page = open_report(whole_report)
    open_details(page)
    page.locator(".menu summary").first.click()
    for scheme, width in (("light", 1280), ("dark", 390)):
        show_in(page, width=width, height=800, color_scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for part in ("body", "#pair"):
            if part == "#pair":
                page.locator("#samples tbody [data-row]").nth(1).click()
                for view in range(page.locator("#pair [name=view]").count()):
                    show_view(page, view)
            assert accessibility_problems(page, part) == []
        page.keyboard.press("Escape")
