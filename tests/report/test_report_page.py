"""The report in a real browser, opened from disk."""

import itertools
import json
import re
from pathlib import Path

import pytest
from news import columns, news
from report_browser import (
    ReportPage,
    count_of,
    load_again,
    low_contrast,
    open_details,
    open_sample,
    show_in,
    show_view,
    shown_names,
    sort_by,
    turn,
    wait_for_table,
    wait_until_still,
)

from polyrouge import Rouge
from polyrouge.report.html_report import write_report

ROOT = Path(__file__).resolve().parents[2]
VIEWS = {"rouge1": 0, "rouge2": 1, "rougeL": 2, "rougeLsum": 3}
SCRIPT, IMAGE = "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>'

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("report page"),
    pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning"),
]
ENGLISH, CHINESE = news("en"), news("zh")
TEXTS, REFERENCES, IDS = columns(ENGLISH, "prediction", "references", "id")
GOOD, POOR, ZH_REFERENCES, ZH_IDS = columns(CHINESE, "prediction", "prediction_b", "references", "id")
ODD = {
    "arabic": (
        "أعلن مجلس المدينة يوم الثلاثاء خطة جديدة لتطوير الميناء القديم.",
        ["وافق مجلس المدينة على خطة لتطوير الميناء القديم وتحويله إلى سوق عامة."],
    ),
    SCRIPT: (f"{SCRIPT} the cat", [f"a {SCRIPT} cat sat"]),
    IMAGE: (f"{IMAGE} a & b", [f"{IMAGE} a &amp; c", "</script>"]),
    "empty": ("", ["not empty"]),
    "astral": ("😀𠮷 ok ﬁne, 今天ＡＢ", ["ok 😀 fine 今天 ab"]),
}
SEVERAL = {"系统甲": GOOD, "系统乙": POOR, "短": [text[:9] for text in GOOD], "<b>": GOOD[::-1]}
ENGLISH_ROUGE = Rouge("rouge_score", sentence_split="auto")
REPORTS = {
    "english": (TEXTS, REFERENCES, {"rouge": ENGLISH_ROUGE, "ids": IDS}),
    "chinese": (
        GOOD,
        ZH_REFERENCES,
        {"rouge": Rouge("zh_word", scale=100), "others": {"系统乙": POOR}, "ids": ZH_IDS, "title": "中文新闻"},
    ),
    "several": (
        GOOD,
        ZH_REFERENCES,
        {
            "rouge": Rouge("zh_char", scale=100),
            "others": {name: SEVERAL[name] for name in SEVERAL if name != "系统甲"},
            "ids": ZH_IDS,
            "metadata": {"topic": [row["document_topic"] for row in CHINESE]},
        },
    ),
    "odd": (
        *zip(*ODD.values(), strict=True),
        {"rouge": Rouge(normalize="nfkc"), "others": {IMAGE: [IMAGE] * len(ODD)}, "ids": list(ODD), "title": IMAGE},
    ),
    "many": (
        ["a " * (number % 50 + 1) + f"p{number}" for number in range(2500)],
        ["a " * (number % 37 + 1) + f"r{number}" for number in range(2500)],
        {"rouge": Rouge(rouge_types=["rouge1"])},
    ),
}


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    folder, names = tmp_path_factory.mktemp("reports"), {"odd": SCRIPT}
    return {
        key: write_report(folder / f"{key}.html", *texts, name=names.get(key, "系统甲"), **options)
        for key, (*texts, options) in REPORTS.items()
    }


@pytest.fixture
def opened(open_report, reports):
    return lambda name, **options: open_report(reports[name], **options)


@pytest.fixture
def renamed(opened):
    """Open a report and put other words into some of it, which is loaded anew for the next test."""
    pages = []

    def rename(report, names, words, **options):
        pages.append(opened(report, **options))
        open_details(pages[-1])
        pages[-1].locator(names).evaluate_all(
            "(all, words) => all.forEach((name) => (name.textContent = words))", words
        )
        return pages[-1]

    yield rename
    for page in pages:
        page.reload()


def cells(page, column):
    """The numbers of a column of the table, as shown."""
    wait_for_table(page)
    texts = page.locator(f"#samples tbody tr > :nth-child({column + 1})").all_inner_texts()
    return [float(text.replace("−", "-").replace(",", "")) for text in texts]


def n_views(page):
    return page.locator("#pair [name=view]").count()


def texts_of(page):
    return page.locator(".side .body-text").evaluate_all("all => all.map((each) => each.textContent)")


def marks_of(page, side):
    return page.locator(".side").nth(side).locator("mark").evaluate_all("all => all.map((each) => each.textContent)")


def test_scores_are_those_of_compute_and_every_column_sorts(opened):
    page = opened("english")
    rouge = Rouge("rouge_score", sentence_split="auto", output="all", confidence=0.95)
    result = rouge.compute(TEXTS, REFERENCES)

    for place, name in enumerate(rouge.settings.rouge_types):
        row = page.locator("#scores tbody tr").nth(place).locator("td").all_inner_texts()
        keys = [f"{name}_precision", f"{name}_recall", name]
        assert [f"{result[key]:.4f}" for key in keys] == row[:3]
        assert f"[{result[f'{name}_low']:.4f}, {result[f'{name}_high']:.4f}]" == row[3]
    assert page.locator(".signature code").inner_text() == rouge.signature()

    scores = ENGLISH_ROUGE.score(TEXTS, REFERENCES)["rouge1"]
    assert [f"{score:.4f}" for score in sorted(scores)] == [f"{score:.4f}" for score in cells(page, 1)]
    for place, key in ((2, "type1"), (3, "type2"), (5, "length")):
        first, second = ("descending", "ascending") if key == "length" else ("ascending", "descending")
        sort_by(page, key, first)
        numbers = cells(page, place)
        assert numbers == sorted(numbers, reverse=key == "length")
        page.locator(f"[data-sort={key}]").press("Enter")
        page.locator(f"th[aria-sort={second}] [data-sort={key}]").wait_for()
        assert cells(page, place) == sorted(numbers, reverse=key != "length")
    sort_by(page, "name")
    assert shown_names(page) == sorted(IDS)


def test_rows_are_filtered_by_text_score_and_bar(opened):
    page = opened("english")

    page.locator("#search").fill("hurricane")
    assert count_of(page) == 1
    assert shown_names(page) == ["en-026"]
    page.locator("#search").fill("")
    page.locator("#low").fill("0.6")
    page.locator("#high").fill("0.7")
    assert count_of(page) == len(cells(page, 1))
    assert all(0.6 <= score <= 0.7 for score in cells(page, 1))
    page.locator("#filter [type=reset]").click()
    assert count_of(page) == len(ENGLISH)
    bars = page.locator("#charts figure").first.locator(".target")
    bars.nth(15).click()
    assert all(0.75 <= score < 0.8 for score in cells(page, 1))
    assert f"{count_of(page)} samples" in bars.nth(15).get_attribute("aria-label")
    bars.nth(15).press("ArrowRight")
    page.keyboard.press("Enter")
    assert cells(page, 1)
    assert all(0.8 <= score < 0.85 for score in cells(page, 1))
    page.locator("#search").fill("nothing holds this")
    wait_for_table(page)
    assert page.locator("#count").inner_text() == "No sample matches."


# The sample that is open, in each view.
SHOWN_PAIR = """(views) => {
  const texts = (selector) => [...document.querySelectorAll(selector)].map((each) => each.textContent);
  const numbers = (selector) => texts(selector).map((line) => Number(line.match(/\\d+/)[0]));
  const shown = views.map((view) => {
    document.getElementById(`view-${view}`).click();
    const reference = document.querySelector("[name=reference]:checked");
    const heads = texts(".side h3 .soft").filter((each) => each.includes(" F "));
    const chosen = reference && Number(reference.id.split("-")[1]);
    return [numbers(".side > p.soft"), texts(".side .body-text"), numbers(".pinned .unmatched summary"), heads, chosen];
  });
  document.getElementById("view-0").click();
  return [texts("#pair-title")[0].split(" ").at(-1), shown];
}"""


@pytest.mark.parametrize(
    ("report", "rows", "systems", "rouge"),
    [
        ("english", ENGLISH, ["prediction"], ENGLISH_ROUGE),
        ("chinese", CHINESE, ["prediction", "prediction_b"], Rouge("zh_word")),
    ],
    ids=["english", "chinese"],
)
def test_every_pair_shows_its_hits_and_its_texts_unchanged(opened, report, rows, systems, rouge):
    by_name = {row["id"]: row for row in rows}
    scale, digits = (100, 2) if report == "chinese" else (1, 4)
    page = opened(report)
    page.locator("#samples tbody [data-row]").first.click()
    page.locator("#pair-content .texts").wait_for()
    seen = 1
    while True:
        name, views = page.evaluate(SHOWN_PAIR, list(VIEWS.values()))
        row = by_name[name]
        n = len(row["references"])
        counts = [rouge.count([row[key]] * n, row["references"], rouge_types=VIEWS).counts for key in systems]
        bests = [rouge.score([row[key]], [row["references"]], best_reference=True) for key in systems]
        for column, (key, (hits, texts, unmatched, heads, reference)) in enumerate(zip(VIEWS, views, strict=True)):
            best = int(max(bests, key=lambda scores: scores[key][0])[f"{key}_reference"][0])  # of the better
            assert (reference or 0) == best
            assert heads == [f"{key} F {scores[key][0] * scale:.{digits}f}" for scores in bests]
            assert hits == [of_system[best, column, 0] for of_system in counts], (name, column)
            assert texts == [row["references"][best], *(row[key] for key in systems)]
            if len(systems) == 1 and column == 0:  # what is not marked is listed
                assert sum(unmatched) == counts[0][best, 0, 2] - counts[0][best, 0, 0]
        if not turn(page):
            break
        seen += 1
    assert seen == len(rows)


def test_what_is_shared_is_marked_for_each_n_with_the_reference_that_is_chosen(opened):
    page = opened("english")
    open_sample(page, "en-002")

    matched = {}
    for name, view in VIEWS.items():
        show_view(page, view)
        matched[name] = marks_of(page, 1), marks_of(page, 0)

    assert page.locator("#reference-0").is_checked()
    low = ["a six", "year low"]  # the hyphen is no token
    assert matched["rouge1"][0] == ["Aldane", "to", "900 jobs as", "copper", "prices", *low]
    assert matched["rouge1"][1] == ["Copper", "Aldane", "900 jobs as", "prices", "to", *low]
    assert matched["rouge2"] == (["900 jobs as", *low], ["900 jobs as", *low])
    assert matched["rougeL"][0] == matched["rougeL"][1] == ["Aldane", "900 jobs as", "prices", *low]
    show_view(page, 0)
    open_details(page)
    sides = page.locator(".side").all()  # what is unmatched stands under its own text
    assert [side.locator("summary").inner_text() for side in sides] == ["Unmatched (3)", "Unmatched (2)"]
    assert [side.locator("li").all_inner_texts() for side in sides] == [["maker", "cuts", "fall"], ["cut", "hit"]]
    page.locator(".side").nth(1).locator("mark").first.hover()
    assert page.locator("mark.partner").all_inner_texts() == ["Aldane", "Aldane"]  # the twin lights up

    assert page.locator("fieldset", has_text="Reference 1 ★").count() == 1
    page.locator("#reference-1").check(force=True)
    assert texts_of(page)[0] == REFERENCES[IDS.index("en-002")][1]


def test_keys_open_turn_and_close(opened):
    page = opened("english")
    first, second = shown_names(page)[:2]

    page.locator("#samples tbody [data-row]").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.locator("#pair-title", has_text=second).wait_for()
    page.keyboard.press("ArrowLeft")
    page.locator("#pair-title", has_text=first).wait_for()
    for key, name in (("j", second), ("k", first)):
        page.keyboard.press(key)
        page.locator("#pair-title", has_text=name).wait_for()
    page.locator("#view-0").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("#view-1").is_checked()
    assert page.locator("#pair-title").inner_text().endswith(first)
    page.keyboard.press("Escape")

    assert not page.locator("#pair").is_visible()
    page.wait_for_function("name => document.activeElement.textContent === name", arg=first)  # set by a later event


def test_the_language_is_that_of_the_browser_or_the_one_that_is_switched_to(opened):
    assert opened("english", locale="zh-CN").locator("#samples-title").inner_text() == "样本"
    page = opened("chinese", anew=True)
    texts = json.loads((ROOT / "polyrouge" / "report" / "assets" / "report_texts.json").read_text("utf-8"))
    assert page.locator("#samples-title").inner_text() == texts["en"]["samples"]

    page.locator("#language").select_option("zh")

    assert page.evaluate("document.documentElement.lang") == "zh-CN"
    open_sample(page, "zh-002")
    everything = page.locator("body").inner_text().replace(page.locator(".signature code").inner_text(), "")
    left = [key for key, value in texts["en"].items() if len(value) > 5 and "{" not in value and value in everything]
    assert not left
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.locator("#samples-title").inner_text() == "样本"


def test_the_theme_follows_the_system_and_switches_but_paper_is_light(opened):
    background, colour = (f"getComputedStyle(document.body).{each}" for each in ("backgroundColor", "color"))
    page = opened("chinese", anew=True, color_scheme="dark", width=700, height=990)
    dark = page.evaluate(background)
    page.locator("#theme").select_option("light")
    assert page.evaluate(background) == "rgb(255, 255, 255)" != dark
    page.emulate_media(color_scheme="light")
    page.locator("#theme").select_option("dark")
    assert page.evaluate(background) == dark
    on_screen = page.evaluate(colour)

    page.emulate_media(media="print")

    assert page.evaluate(colour) != on_screen
    assert low_contrast(page) == []


# The heads of the samples whose name or arrow is outside of its cell, with their texts.
CLIPPED_HEADS = """all => all.filter((cell) => {
  const range = document.createRange();
  range.selectNodeContents(cell.firstChild.lastChild); // the arrow, or the type and the arrow
  const [outer, ...parts] = [cell, cell.firstChild, range].map((each) => each.getBoundingClientRect());
  return parts.some(({ left, right, width }) => width && (left < outer.left || right > outer.right));
}).map((cell) => cell.innerText)"""

# Texts that end beyond what they are in.
BEYOND = """(all, whole) => all.filter((each) => {
  const [inner, outer] = [each, each.closest(whole)].map((part) => part.getBoundingClientRect());
  return inner.right > outer.right + 1;
}).map((each) => each.textContent)"""


@pytest.mark.parametrize("report", ["odd", "several", "english"])
def test_nothing_sticks_out(opened, report):
    page = opened(report)
    too_wide = "each => each.scrollWidth - each.clientWidth"
    for width in (360, 1280):
        show_in(page, width=width, height=800)
        wait_until_still(page)

        assert page.locator("html").evaluate(too_wide) <= 0
        heads = page.locator("#samples thead th[aria-sort]").filter(visible=True)
        assert "▲" in "".join(heads.all_inner_texts())
        assert heads.evaluate_all(CLIPPED_HEADS) == []
        for part, whole in (("figure svg text", "svg"), ("#samples .marks-help mark", "th")):
            assert page.locator(part).evaluate_all(BEYOND, whole) == []
        for row in (0, 2):
            page.locator("#samples tbody [data-row]").nth(row).click()
            show_view(page, n_views(page) - 1)
            assert page.locator("#pair").evaluate(too_wide) <= 0
            page.keyboard.press("Escape")


def test_heads_with_long_names_take_lines_before_a_table_hides_columns(renamed):
    page = renamed("several", ".found thead th:nth-child(n + 3)", "Llama-3.1-8B-lora-r16 alone", width=1280)
    hidden = "all => all.map((each) => each.scrollWidth - each.clientWidth).filter((n) => n > 0)"
    assert page.locator(".found thead th").filter(has_text="lora").count() >= 4
    assert page.locator(".found .wide").evaluate_all(hidden) == []


def test_chinese_heads_are_not_broken_within_a_word(renamed):
    words = "只有 allenai/led-large-16384-arxiv-finetuned-beam4"
    page = renamed("several", ".found thead th.long bdi", words, width=390, locale="zh-CN")
    heads = page.locator("#board th, #scores th, .found thead th:not(.long)").evaluate_all(
        """all => all.map((head) => {
          const range = document.createRange();
          range.selectNodeContents(head.querySelector("bdi") ?? head);
          return [head.textContent, range.getClientRects().length];
        })"""
    )
    assert {name for name, _ in heads} >= {"代号", "系统甲", "差值", "样本", "占比"}
    assert [name for name, n in heads if n > 1] == []


def test_the_name_of_a_system_begins_on_the_line_of_its_numbers(renamed):
    page = renamed("several", "#board tbody tr:first-child bdi", "google/pegasus-large " * 3, width=768)
    row = page.locator("#board tbody tr").first
    key, name, number = (row.locator(part).bounding_box() for part in (".key", "bdi", "strong >> nth=0"))
    assert name["height"] > 40  # several lines
    assert all(abs(box["y"] - name["y"]) < 15 for box in (key, number))


def test_differences_of_slices_are_not_hidden_on_a_phone(opened):
    page = opened("chinese", width=390)
    heads = page.locator("#slices-table thead th")
    difference = heads.nth(heads.all_inner_texts().index("Difference")).bounding_box()
    edge = page.locator(".wide:has(#slices-table)").evaluate("each => each.getBoundingClientRect().right")
    assert difference["x"] + difference["width"] <= edge


def test_markup_in_texts_runs_nothing_and_is_shown(opened):
    page = opened("odd")

    assert page.title() == f"{IMAGE} - ROUGE"
    assert page.locator("h1").inner_text() == IMAGE
    assert set(shown_names(page)) == set(ODD)
    for name, (prediction, references) in ODD.items():
        open_sample(page, name)
        for view in range(n_views(page)):
            show_view(page, view)
            assert texts_of(page)[1:] == [prediction or "(empty text)", IMAGE]
            assert texts_of(page)[0] in references
        page.keyboard.press("Escape")
    page.locator("#search").fill(IMAGE)
    wait_for_table(page)
    assert page.locator("img").count() == 0
    kinds = page.locator("script").evaluate_all("all => all.map((each) => each.type)")
    assert sorted(set(kinds)) == ["", "application/json", "text/plain"]
    assert kinds.count("") == 1


def test_the_policy_forbids_other_scripts_and_requests(browser, reports):
    shown = ReportPage(browser)
    shown.load(reports["english"])

    ran = shown.page.evaluate("""async () => {
      document.body.insertAdjacentHTML("beforeend", "<img src='file:///etc/hostname' onerror='window.ran = 1'>");
      const script = document.createElement("script");
      script.textContent = "window.ran = 1";
      document.body.append(script);
      const fetched = await fetch("http://127.0.0.1:9/").then(() => "fetched", () => "refused");
      return [window.ran, fetched];
    }""")

    assert ran == [None, "refused"]
    assert shown.answered == [shown.url]
    assert all("Content Security Policy" in problem for problem in shown.problems)
    shown.close()


def test_arabic_runs_from_right_to_left_and_characters_beyond_the_first_plane_keep_their_places(opened):
    page = opened("odd")
    open_sample(page, "arabic")
    show_view(page, 2)
    for part in (".side .body-text", ".chips"):
        assert page.locator(part).first.evaluate("each => getComputedStyle(each).direction") == "rtl"
    assert marks_of(page, 1) == ["مجلس المدينة", "خطة", "لتطوير الميناء القديم"]
    page.keyboard.press("Escape")

    open_sample(page, "astral")
    show_view(page, 0)
    assert marks_of(page, 1) == ["ok ﬁne", "今天ＡＢ"]
    assert marks_of(page, 0) == ["ok", "fine 今天 ab"]


def test_the_largest_wins_are_one_click_away_and_marks_say_who_matches(opened):
    page = opened("chinese")
    rouge = Rouge("zh_word", scale=100)
    scores = [rouge.score(texts, ZH_REFERENCES, best_reference=True) for texts in (GOOD, POOR)]
    moved = dict(zip(ZH_IDS, scores[0]["rouge1"] - scores[1]["rouge1"], strict=True))
    by_gain = sorted(moved, key=moved.__getitem__)

    for system, order in (("系统甲", by_gain[::-1]), ("系统乙", by_gain)):
        page.get_by_role("button", name=f"Largest wins of {system}").click()
        page.locator("#samples tbody tr").first.get_by_text(order[0], exact=True).wait_for()
        assert shown_names(page)[:5] == order[:5]
        assert (  # each row has three texts
            page.locator("#samples tbody tr").nth(2).evaluate("row => row.getBoundingClientRect().bottom < innerHeight")
        )
    assert page.locator("#samples thead th").all_inner_texts()[1].splitlines() == ["系统甲", "rouge1 F"]
    page.locator("#outcome").select_option("won")
    assert count_of(page) == sum(gain > 0 for gain in moved.values())
    page.locator("#outcome").select_option("all")
    page.locator("#type").select_option("1")
    wait_for_table(page)
    assert "rouge2 F" in page.locator("#charts").inner_text()
    page.locator("#type").select_option("0")

    # Each word of the reference has the colour of the one that matches it, and none where both do.
    open_sample(page, ZH_IDS[0])
    best = scores[0]["rouge1_reference"][0]
    ours = [rouge.explain(texts[0], ZH_REFERENCES[0]).types["rouge1"].matches[best] for texts in (GOOD, POOR)]
    spans = [{place for start, end in match.reference_spans for place in range(start, end)} for match in ours]
    for kind, expected in (
        ("[data-system='0']", spans[0] - spans[1]),
        ("[data-system='1']", spans[1] - spans[0]),
        (":not([data-system])", spans[0] & spans[1]),
    ):
        marked = "".join(page.locator(f".pinned mark{kind}").evaluate_all("all => all.map((each) => each.textContent)"))
        assert marked == "".join(ZH_REFERENCES[0][best][place] for place in sorted(expected)), kind
    colours = page.locator("#charts .bar[data-system]").evaluate_all(
        "all => all.map((bar) => getComputedStyle(bar).fill)"
    )
    assert len(set(colours)) == 2


LISTED = """rows => rows.map((row) => [row.cells[0].querySelector("bdi").innerText, row.cells[1].innerText,
  [...row.querySelectorAll("q")].map((each) => [each.textContent,
    [...each.querySelectorAll("mark")].map((mark) => [Number(mark.dataset.system), mark.textContent])])])"""


def test_the_list_shows_what_a_person_compares(opened):
    """The reference and both outputs, in each what only one system matches, and a column of the user's own."""
    page = opened("several")
    texts = {name: dict(zip(ZH_IDS, SEVERAL[name], strict=True)) for name in SEVERAL}
    numbers = [int(page.locator(place).input_value()) for place in ("#first", "#second")]
    outputs = [texts[list(SEVERAL)[number]] for number in numbers]
    rouge = Rouge("zh_char", rouge_types=["rouge1"])
    topics = dict(zip(ZH_IDS, REPORTS["several"][2]["metadata"]["topic"], strict=True))
    n_whole = 0

    listed = page.locator("#samples tbody tr").evaluate_all(LISTED)
    assert len(listed) == len(ZH_IDS)
    for name, topic, (of_reference, *of_outputs) in listed:
        references = ZH_REFERENCES[ZH_IDS.index(name)]
        types = [rouge.explain(output[name], references).types["rouge1"] for output in outputs]
        better = types[1] if types[1].fmeasure > types[0].fmeasure else types[0]
        best = better.best_reference
        places = [
            {at for start, end in type_of_output.matches[best].reference_spans for at in range(start, end)}
            for type_of_output in types
        ]
        assert topic == topics[name]
        for (excerpt, _), text in zip(
            [of_reference, *of_outputs], [references[best], *(output[name] for output in outputs)], strict=True
        ):
            assert excerpt.lstrip("…") in text
        excerpt, marks = of_reference
        if excerpt == references[best]:
            n_whole += 1
            for place, number in enumerate(numbers):
                alone = "".join(references[best][at] for at in sorted(places[place] - places[1 - place]))
                assert "".join(text for system, text in marks if system == number) == alone
        for number, (_, marks) in zip(numbers, of_outputs, strict=True):
            assert {system for system, _ in marks} <= {number}
    assert n_whole > len(ZH_IDS) / 2

    topic = listed[0][1]
    page.locator("#samples tbody [data-label]", has_text=topic).first.click()
    page.locator("#filters", has_text=topic).wait_for()
    assert sorted(shown_names(page)) == sorted(name for name in ZH_IDS if topics[name] == topic)
    page.locator("#filter [type=reset]").click()
    wait_for_table(page)
    sort_by(page, "column0")
    values = page.locator("#samples tbody [data-label]").all_inner_texts()
    assert [value for value, _ in itertools.groupby(values)] == list(dict.fromkeys(values))  # one beside the other


def test_many_rows_are_shown_a_hundred_at_a_time(opened):
    page = opened("many")

    assert page.locator("#samples tbody [data-row]").count() == 100
    assert page.locator("script.page").count() == 25
    assert page.locator("#count").inner_text() == "2,500 of 2,500 samples"
    dots = page.locator("#charts .dots")
    assert dots.count() == 1  # one path, of as many dots as can be told apart
    assert dots.get_attribute("d").count("M") == 2000
    assert "2,000 of them are drawn." in page.locator("#charts").inner_text()
    scores = cells(page, 1)
    page.locator("#page-next").click()
    page.locator("#turn", has_text="101–200").wait_for()
    assert scores + cells(page, 1) == sorted(scores + cells(page, 1))
    page.locator("#search").fill("r2499")
    assert count_of(page) == 1
    assert shown_names(page) == ["2500"]
    page.wait_for_function(
        "document.querySelector('#samples td.text')?.textContent.includes('r2499')"
    )  # where it was found
    open_sample(page, "2500")
    assert texts_of(page)[0].endswith("r2499")
    page.keyboard.press("Escape")
    page.locator("#filter [type=reset]").click()
    page.locator("#count", has_text="2,500 of 2,500").wait_for()

    # The focus comes back to the sample that was open, on whichever page of the table that is.
    page.locator("#samples tbody [data-row]").nth(98).click()
    page.locator("#pair-title").wait_for()
    for _ in range(3):
        turn(page)
    name = page.locator("#pair-title").inner_text().split()[-1]
    page.keyboard.press("Escape")
    page.wait_for_function("name => document.activeElement.textContent === name", arg=name)
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.closest('tr').rowIndex") == 3
    page.keyboard.press("Tab")
    assert page.evaluate("!document.activeElement.closest('#samples')")


# What is cut, what lies on something else, and numbers that are broken into lines.
ON_PAPER = """() => {
  const drawn = (each) => each.checkVisibility() && !each.closest("svg, .heard, .text");  // those end in …
  const shown = (each) => drawn(each) && each.clientHeight;
  const name = (each) => each.id || each.className || each.tagName;
  const all = [...document.querySelectorAll("main *")].filter(drawn);
  const cut = all.filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth
    && getComputedStyle(each).overflowX !== "visible");
  const beyond = all
    .filter((each) => shown(each) && each.matches("div, section") && each.scrollHeight > each.clientHeight + 2);
  const lines = (text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    return new Set([...range.getClientRects()].map((each) => each.top)).size;
  };
  const broken = [...document.querySelectorAll("td, td button, td strong")].filter(shown)
    .flatMap((cell) => [...cell.childNodes])
    .filter((each) => each.nodeType === 3 && /^[-+−≤≥]?[\\d.,]+$/.test(each.data.trim()) && lines(each) > 1)
    .map((each) => each.data);
  return [cut.map(name), beyond.map(name), broken];
}"""


def test_nothing_is_cut_or_lies_on_something_else_on_paper(opened):
    page = opened("several", width=700, height=990, media="print")
    assert page.evaluate(ON_PAPER)[0] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not page.locator("#filter").is_visible()
    page.emulate_media(media="screen")
    open_details(page)

    page.emulate_media(media="print")

    assert page.evaluate(ON_PAPER)[1:] == [[], []]


# Of each figure the width, how far it goes beyond the paper, and the size of its smallest text on it, in points.
FIGURES_ON_PAPER = """() => [...document.querySelectorAll("#means svg, figure svg")].map((svg) => {
  const box = svg.getBoundingClientRect();
  const units = box.width / svg.viewBox.baseVal.width;
  const sizes = [...svg.querySelectorAll("text")].map((each) => parseFloat(getComputedStyle(each).fontSize));
  return [box.width, Math.max(0, box.right - innerWidth), 0.75 * units * Math.min(...sizes)];
})"""


def test_the_figure_of_means_is_drawn_as_wide_as_it_is_shown(opened):
    page = opened("several", anew=True, width=1280)
    load_again(page)  # in a window of this width; room for the letters of the table moves the figure
    (width, _, points), *_ = page.evaluate(FIGURES_ON_PAPER)
    assert points == pytest.approx(8.25, rel=0.01), width


@pytest.mark.parametrize(("report", "n_figures"), [("english", 3), ("several", 4)])
def test_the_text_of_figures_has_eight_points_on_paper(opened, report, n_figures):
    widths = set()
    for width in (1400, 360):  # of the window: the widest and the narrowest figures
        page = opened(report, width=width, height=900)
        page.emulate_media(media="print")
        page.set_viewport_size({"width": 703, "height": 990})  # what the margins leave of A4
        wait_for_table(page)
        figures = page.evaluate(FIGURES_ON_PAPER)
        assert len(figures) == n_figures
        assert [beyond for _, beyond, _ in figures] == [0] * n_figures
        assert min(points for *_, points in figures) >= 8
        widths |= {round(each) for each, *_ in figures}
    assert max(widths) > 450
    assert min(widths) < 340


def test_a_report_is_printed_on_few_pages_and_a_sample_on_one(browser, tmp_path):
    *texts, options = REPORTS["several"]
    hundred = [(each * 3)[:100] for each in map(list, texts)]
    ids = {"ids": range(100), "metadata": None}
    others = {key: (each * 3)[:100] for key, each in options.get("others", {}).items()}
    path = write_report(tmp_path / "r.html", *hundred, name="系统甲", **{**options, **ids, "others": others})
    shown = ReportPage(browser)
    shown.load(path)
    wait_for_table(shown.page)

    def n_pages():
        return len(re.findall(rb"/Type\s*/Page\b", shown.page.pdf(format="A4")))

    assert 2 <= n_pages() <= 6
    shown.page.locator("#samples tbody [data-row]").first.click()
    shown.page.locator("#pair-content .texts").wait_for()
    assert n_pages() == 1
    shown.page.emulate_media(media="print")
    assert shown.page.evaluate(ON_PAPER)[2] == []
    shown.close()


def test_any_two_of_several_systems_are_compared(opened):
    page = opened("several")
    rouge = Rouge("zh_char", scale=100, rouge_types=["rouge1"])
    scores = [rouge.score(texts, ZH_REFERENCES)["rouge1"] for texts in SEVERAL.values()]

    assert page.locator("#board tbody tr").count() == 4
    assert page.locator("#board bdi").all_inner_texts()[0] == "系统甲"
    assert page.locator("#samples thead th").count() == 1 + 1 + 2 + 1 + 2  # one of the user's, the two compared
    best = [int(page.locator(place).input_value()) for place in ("#first", "#second")]
    assert best == sorted(range(4), key=lambda system: -scores[system].mean())[:2]
    page.locator("details:has(#differences)").evaluate(
        "each => { each.open = true; }"
    )  # another test may have left it so
    assert page.locator("#differences tbody tr:visible").count() == 6  # of the chosen type
    for part in ("#scores-part", "#slices-part"):
        assert "Intervals are not corrected for several comparisons." in page.locator(part).inner_text()
    page.locator("[data-pair='1 2']:visible").click()
    wait_for_table(page)

    assert page.locator("#first").input_value() == "1"
    assert page.locator("#second").input_value() == "2"
    shown = dict(zip(shown_names(page), cells(page, 4), strict=True))
    for name, one, other in zip(ZH_IDS, scores[1], scores[2], strict=True):
        assert shown[name] == pytest.approx(one - other, abs=0.011)
    page.locator("#outcome").select_option("lost")
    assert count_of(page) == sum(one < other for one, other in zip(scores[1], scores[2], strict=True))
    page.locator("#outcome").select_option("all")
    page.locator("#second").select_option("1")  # the same two change places
    wait_for_table(page)
    assert page.locator("#first").input_value() == "2"
    open_sample(page, ZH_IDS[0])
    assert texts_of(page)[1:] == [SEVERAL["短"][0], POOR[0]]
    page.locator("#side-1").select_option("3")  # another output beside it, in this view only
    page.wait_for_function(
        "text => document.querySelectorAll('.side .body-text')[2].textContent === text", arg=GOOD[-1]
    )
    assert page.locator("#second").input_value() == "1"


@pytest.mark.parametrize("rule", ["pooled", "jackknife"])
def test_a_score_of_several_references_says_how_it_is_made(rule, open_report, tmp_path):
    rouge = Rouge(scale=100, multi_reference=rule)
    references = [["a b x", "c d\ny a", "b"], ["a"]]
    path = write_report(tmp_path / f"{rule}.html", ["a b\nc d", "a b"], references, rouge=rouge, slices=False)
    page = open_report(path)
    texts = json.loads((ROOT / "polyrouge" / "report" / "assets" / "report_texts.json").read_text("utf-8"))["en"]

    open_sample(page, "1")
    for column, name in enumerate(VIEWS):
        show_view(page, column)
        controls = page.locator("#pair .controls").inner_text()
        assert texts[f"combined_{rule}"].format(type=name) in controls
        assert "★" not in page.locator("#pair").inner_text()
        (head,) = page.locator(".side h3 .soft").all_inner_texts()
        scores = rouge.score(["a b\nc d"], references[:1])
        assert head == f"{name} F {scores[name][0]:.2f}"
        counts = rouge.count(["a b\nc d"] * 3, [[text] for text in references[0]]).counts[:, column]
        for number, (hits, prediction, reference) in enumerate(counts):
            page.locator(f"#reference-{number}").check(force=True)
            line = page.locator("#pair-content .side > p.soft").inner_text()
            assert line.startswith(f"{hits:.0f} matched; {prediction:.0f} in prediction, {reference:.0f} in reference.")
            total = "All references: {:.0f} matched; {:.0f} in predictions, {:.0f} in references."
            assert (total.format(*counts.sum(axis=0)) in line) == (rule == "pooled")
    page.keyboard.press("Escape")
    open_sample(page, "2")  # with one reference
    assert page.locator("[name=reference]").count() == 0
