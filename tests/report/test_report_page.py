"""The report in a real browser, opened from disk."""

import json
from pathlib import Path

import pytest
from news import columns, news
from report_browser import count_of, open_details, open_sample, show_view, shown_names, sort_by, turn, wait_for_table

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


def cells(page, column):
    """The numbers of a column of the table, as shown."""
    wait_for_table(page)
    texts = page.locator(f"#samples tbody tr > :nth-child({column + 1})").all_inner_texts()
    return [float(text.replace("−", "-").replace(",", "")) for text in texts]


def texts_of(page):
    return page.locator(".side .body-text").evaluate_all("all => all.map((each) => each.textContent)")


def marks_of(page, side):
    return page.locator(".side").nth(side).locator("mark").evaluate_all("all => all.map((each) => each.textContent)")


def test_every_column_sorts(opened):
    page = opened("english")
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


# Where the first dot of the second chart stands, and the name that the pointer shows there.
FIRST_DOT = """() => {
  const svg = document.querySelectorAll("#charts figure")[1].querySelector("svg");
  svg.scrollIntoView({ block: "center" });
  const [x, y] = svg.querySelector(".dots").getAttribute("d").match(/M([\\d.]+) ([\\d.]+)/).slice(1).map(Number);
  const point = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
  return [point.x, point.y];
}"""
TITLE = "document.querySelectorAll('#charts figure')[1].querySelector('title').textContent"


def test_rows_are_filtered_by_text_score_and_chart(opened):
    page = opened("english")

    page.locator("#search").fill("hurricane")
    assert (count_of(page), shown_names(page)) == (1, ["en-026"])
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
    page.locator("#search").fill("nothing holds this")
    wait_for_table(page)
    assert page.locator("#count").inner_text() == "No sample matches."

    page.locator("#filter [type=reset]").click()
    wait_for_table(page)
    page.mouse.click(*page.evaluate(FIRST_DOT))
    page.locator("#pair-content .texts").wait_for()
    assert page.locator("#pair-title").inner_text() == f"Sample {page.evaluate(TITLE)}"


# The sample that is open, in each view.
SHOWN_PAIR = """(views) => {
  const texts = (selector) => [...document.querySelectorAll(selector)].map((each) => each.textContent);
  const numbers = (selector) => texts(selector).map((line) => Number(line.match(/\\d+/)[0]));
  const shown = views.map((view) => {
    document.getElementById(`view-${view}`).click();
    const reference = document.querySelector("[name=reference]:checked");
    const heads = texts(".side h3 .soft").filter((each) => each.includes(" F "));
    const chosen = reference && Number(reference.id.split("-")[1]);
    return [numbers(".side > p.soft"), texts(".side .body-text"), heads, chosen];
  });
  document.getElementById("view-0").click();
  return [texts("#pair-title")[0].split(" ").at(-1), shown];
}"""


def test_every_pair_shows_its_hits_and_its_texts_unchanged(opened):
    by_name, systems = {row["id"]: row for row in CHINESE}, ["prediction", "prediction_b"]
    rouge = Rouge("zh_word", scale=100)
    page = opened("chinese")
    page.locator("#samples tbody [data-row]").first.click()
    page.locator("#pair-content .texts").wait_for()
    seen = 1
    while True:
        name, views = page.evaluate(SHOWN_PAIR, list(VIEWS.values()))
        row = by_name[name]
        n = len(row["references"])
        counts = [rouge.count([row[key]] * n, row["references"], rouge_types=VIEWS).counts for key in systems]
        bests = [rouge.score([row[key]], [row["references"]], best_reference=True) for key in systems]
        for column, (key, (hits, texts, heads, reference)) in enumerate(zip(VIEWS, views, strict=True)):
            best = int(max(bests, key=lambda scores: scores[key][0])[f"{key}_reference"][0])  # of the better
            assert (reference or 0) == best
            assert heads == [f"{key} F {scores[key][0]:.2f}" for scores in bests]
            assert hits == [of_system[best, column, 0] for of_system in counts], (name, column)
            assert texts == [row["references"][best], *(row[key] for key in systems)]
        if not turn(page):
            break
        seen += 1
    assert seen == len(CHINESE)


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
    page.locator("#reference-1").check(force=True)
    assert texts_of(page)[0] == REFERENCES[IDS.index("en-002")][1]


def test_keys_open_turn_and_close(opened):
    page = opened("english")
    first, second = shown_names(page)[:2]
    page.locator("#samples tbody [data-row]").first.focus()
    page.keyboard.press("ArrowDown")
    for key, name in (("Enter", second), ("ArrowLeft", first), ("j", second), ("k", first)):
        page.keyboard.press(key)
        page.locator("#pair-title", has_text=name).wait_for()
    page.locator("#view-0").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("#view-1").is_checked()
    page.keyboard.press("Escape")
    page.wait_for_function("name => document.activeElement.textContent === name", arg=first)  # set by a later event


def test_language_and_theme_follow_the_browser_or_what_is_chosen(opened):
    assert opened("english", locale="zh-CN").locator("#samples-title").inner_text() == "样本"
    page = opened("chinese", anew=True, color_scheme="dark")
    background = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(background)
    page.locator("#theme").select_option("light")
    assert page.evaluate(background) == "rgb(255, 255, 255)" != dark
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


def test_marks_stand_right_in_arabic_and_beyond_the_first_plane(opened):
    page = opened("odd")
    open_sample(page, "arabic")
    show_view(page, 2)
    assert page.locator(".side .body-text").first.evaluate("each => getComputedStyle(each).direction") == "rtl"
    assert marks_of(page, 1) == ["مجلس المدينة", "خطة", "لتطوير الميناء القديم"]
    page.keyboard.press("Escape")

    open_sample(page, "astral")
    show_view(page, 0)
    assert marks_of(page, 1) == ["ok ﬁne", "今天ＡＢ"]
    assert marks_of(page, 0) == ["ok", "fine 今天 ab"]


def test_markup_in_texts_runs_nothing_and_is_shown(opened):
    page = opened("odd")

    assert page.locator("h1").inner_text() == IMAGE
    assert set(shown_names(page)) == set(ODD)
    for name, (prediction, references) in ODD.items():
        open_sample(page, name)
        for view in range(3):  # rougeLsum is rougeL
            show_view(page, view)
            assert texts_of(page)[1:] == [prediction or "(empty text)", IMAGE]
            assert texts_of(page)[0] in references
        page.keyboard.press("Escape")
    page.locator("#search").fill(IMAGE)
    wait_for_table(page)
    assert page.locator("img").count() == 0


def test_the_largest_wins_are_one_click_away_and_marks_say_who_matches(opened):
    page = opened("chinese")
    rouge = Rouge("zh_word", scale=100)
    scores = [rouge.score(texts, ZH_REFERENCES, best_reference=True) for texts in (GOOD, POOR)]
    moved = dict(zip(ZH_IDS, scores[0]["rouge1"] - scores[1]["rouge1"], strict=True))
    by_gain = sorted(moved, key=moved.__getitem__)

    page.get_by_role("button", name="Largest wins of 系统乙").click()
    page.locator("#samples tbody tr").first.get_by_text(by_gain[0], exact=True).wait_for()
    assert shown_names(page)[:5] == by_gain[:5]

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


def test_many_rows_are_shown_a_hundred_at_a_time(opened):
    page = opened("many")

    assert page.locator("#samples tbody [data-row]").count() == 100
    assert page.locator("#count").inner_text() == "2,500 of 2,500 samples"
    dots = page.locator("#charts .dots")
    assert dots.get_attribute("d").count("M") == 2000  # one path, of as many dots as can be told apart
    assert "2,000 of them are drawn." in page.locator("#charts").inner_text()
    scores = cells(page, 1)
    page.locator("#page-next").click()
    page.locator("#turn", has_text="101–200").wait_for()
    assert scores + cells(page, 1) == sorted(scores + cells(page, 1))
    page.locator("#search").fill("r2499")
    assert (count_of(page), shown_names(page)) == (1, ["2500"])
    open_sample(page, "2500")
    assert texts_of(page)[0].endswith("r2499")
    page.keyboard.press("Escape")


def test_any_two_of_several_systems_are_compared(opened):
    page = opened("several")
    rouge = Rouge("zh_char", scale=100, rouge_types=["rouge1"])
    scores = [rouge.score(texts, ZH_REFERENCES)["rouge1"] for texts in SEVERAL.values()]

    best = [int(page.locator(menu).input_value()) for menu in ("#first", "#second")]
    assert best == sorted(range(4), key=lambda system: -scores[system].mean())[:2]
    page.locator("details:has(#differences)").evaluate("each => { each.open = true; }")
    assert page.locator("#differences tbody tr:visible").count() == 6  # of the chosen type
    page.locator("[data-pair='1 2']:visible").click()
    wait_for_table(page)

    assert [page.locator(menu).input_value() for menu in ("#first", "#second")] == ["1", "2"]
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


@pytest.mark.parametrize("rule", ["pooled", "jackknife"])
def test_a_score_of_several_references_says_how_it_is_made(rule, open_report, tmp_path):
    rouge = Rouge(scale=100, multi_reference=rule)
    references = [["a b x", "c d\ny a", "b"], ["a"]]
    path = write_report(tmp_path / f"{rule}.html", ["a b\nc d", "a b"], references, rouge=rouge, slices=False)
    page = open_report(path)

    open_sample(page, "1")
    for column, name in enumerate(VIEWS):
        show_view(page, column)
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
