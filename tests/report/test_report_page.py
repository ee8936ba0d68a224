"""The report in a real browser, opened from disk."""

import json
import re
from pathlib import Path

import pytest
from report_browser import ReportPage, low_contrast, show_in, wait_for_table, wait_until_still

from polyrouge import Rouge
from polyrouge.report.html_report import write_report

ROOT = Path(__file__).resolve().parents[2]
VIEWS = {"rouge1": 0, "rouge2": 1, "rouge3": 2, "rougeL": 3, "rougeLsum": 4}
SCRIPT, IMAGE = "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>'

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("report page"),
    pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning"),
]


def example_rows(name):
    with open(ROOT / "examples" / name, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


ENGLISH, CHINESE = example_rows("en_news.jsonl"), example_rows("zh_news.jsonl")
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


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    columns = ("prediction", "prediction_b", "references", "id")
    english, _, english_references, english_ids = ([row[key] for row in ENGLISH] for key in columns)
    chinese, chinese_b, chinese_references, chinese_ids = ([row[key] for row in CHINESE] for key in columns)
    return {
        "english": write_report(
            folder / "english.html",
            english,
            english_references,
            rouge=Rouge("rouge_score", sentence_split="auto"),
            ids=english_ids,
        ),
        "chinese": write_report(
            folder / "chinese.html",
            chinese,
            chinese_references,
            rouge=Rouge("zh_word", scale=100),
            name="系统甲",
            others={"系统乙": chinese_b},
            ids=chinese_ids,
            title="中文新闻",
        ),
        "several": write_report(
            folder / "several.html",
            chinese,
            chinese_references,
            rouge=Rouge("zh_char", scale=100),
            name="系统甲",
            others={"系统乙": chinese_b, "短": [text[:9] for text in chinese], "<b>": chinese[::-1]},
            ids=chinese_ids,
            metadata={"topic": [row["document_topic"] for row in CHINESE]},
        ),
        "odd": write_report(
            folder / "odd.html",
            [prediction for prediction, _ in ODD.values()],
            [references for _, references in ODD.values()],
            rouge=Rouge(normalize="nfkc"),
            name=SCRIPT,
            others={IMAGE: [IMAGE] * len(ODD)},
            ids=ODD,
            title=IMAGE,
        ),
        "many": write_report(
            folder / "many.html",
            ["a " * (number % 50 + 1) + f"p{number}" for number in range(2500)],
            ["a " * (number % 37 + 1) + f"r{number}" for number in range(2500)],
            rouge=Rouge(rouge_types=["rouge1"]),
        ),
    }


@pytest.fixture
def opened(open_report, reports):
    return lambda name, **options: open_report(reports[name], **options)


def cells(page, column):
    """The numbers of a column of the table, as shown."""
    texts = page.locator(f"#samples tbody tr > :nth-child({column + 1})").all_inner_texts()
    return [float(text.replace("−", "-").replace(",", "")) for text in texts]


def names(page):
    return page.locator("#samples tbody th").all_inner_texts()


def count_of(page):
    wait_for_table(page)
    return int(page.locator("#count").inner_text().replace(",", "").split()[0])


def open_row(page, name):
    page.locator("#samples tbody [data-row]", has_text=re.compile(f"^{re.escape(name)}$")).click()
    page.locator("#pair-content .texts").wait_for()


def texts_of(page):
    return page.locator(".side .body-text").evaluate_all("all => all.map((each) => each.textContent)")


def marks_of(page, side):
    return page.locator(".side").nth(side).locator("mark").evaluate_all("all => all.map((each) => each.textContent)")


def test_scores_in_the_page_are_those_of_compute(opened):
    page = opened("english")
    rouge = Rouge("rouge_score", sentence_split="auto", output="all", confidence=0.95)
    result = rouge.compute([row["prediction"] for row in ENGLISH], [row["references"] for row in ENGLISH])

    for place, name in enumerate(rouge.settings.rouge_types):
        row = page.locator("section").first.locator("tbody tr").nth(place).locator("td").all_inner_texts()
        keys = [f"{name}_precision", f"{name}_recall", name]
        assert [f"{result[key]:.4f}" for key in keys] == row[:3]
        assert f"{result[f'{name}_low']:.4f} – {result[f'{name}_high']:.4f}" == row[3]
    assert page.locator(".signature code").inner_text() == rouge.signature()


def test_the_worst_row_is_first_and_every_column_sorts(opened):
    page = opened("english")
    rouge = Rouge("rouge_score", sentence_split="auto")
    columns = rouge.score([row["prediction"] for row in ENGLISH], [row["references"] for row in ENGLISH])

    assert cells(page, 1) == sorted(cells(page, 1))
    assert [f"{score:.4f}" for score in sorted(columns["rouge1"])] == [f"{score:.4f}" for score in cells(page, 1)]
    for place, key in ((2, "type1"), (3, "type2"), (5, "length")):
        header = page.locator(f"[data-sort={key}]")
        header.click()
        page.locator(f"th[aria-sort]:not([aria-sort=none]) [data-sort={key}]").wait_for()
        first = cells(page, place)
        assert first == sorted(first, reverse=key == "length")
        page.locator(f"[data-sort={key}]").press("Enter")
        page.locator(f"th[aria-sort={'ascending' if key == 'length' else 'descending'}] [data-sort={key}]").wait_for()
        assert cells(page, place) == sorted(first, reverse=key != "length")
    page.locator("[data-sort=name]").click()
    page.locator("th[aria-sort=ascending] [data-sort=name]").wait_for()
    assert names(page) == sorted(row["id"] for row in ENGLISH)


def test_rows_are_filtered_by_text_score_and_bar(opened):
    page = opened("english")

    page.locator("#search").fill("hurricane")
    assert count_of(page) == 1
    assert names(page) == ["en-026"]
    page.locator("#search").fill("")
    page.locator("#low").fill("0.6")
    page.locator("#high").fill("0.7")
    n_between = count_of(page)
    assert n_between == len(cells(page, 1))
    assert all(0.6 <= score <= 0.7 for score in cells(page, 1))
    page.locator("#filter [type=reset]").click()
    assert count_of(page) == len(ENGLISH)
    bars = page.locator("#charts figure").first.locator(".target")
    bars.nth(15).click()
    assert all(0.75 <= score < 0.8 for score in cells(page, 1))
    assert f"{count_of(page)} samples" in bars.nth(15).get_attribute("aria-label")
    bars.nth(15).press("ArrowRight")
    page.keyboard.press("Enter")
    wait_for_table(page)
    assert cells(page, 1)
    assert all(0.8 <= score < 0.85 for score in cells(page, 1))
    page.locator("#search").fill("nothing holds this")
    wait_for_table(page)
    assert page.locator("#count").inner_text() == "No sample matches."


# Turn to the next sample as soon as it is drawn; false at the last one.
NEXT = """async () => {
  const next = document.getElementById("pair-next");
  if (next.disabled) return false;
  const before = document.getElementById("pair-title").textContent;
  next.click();
  while (document.getElementById("pair-title").textContent === before) await new Promise(requestAnimationFrame);
  return true;
}"""
# The sample that is open, in each view.
SHOWN_PAIR = """(views) => {
  const texts = (selector) => [...document.querySelectorAll(selector)].map((each) => each.textContent);
  const numbers = (selector) => texts(selector).map((line) => Number(line.match(/\\d+/)[0]));
  const shown = views.map((view) => {
    document.getElementById(`view-${view}`).click();
    return [numbers(".side > p.soft"), texts(".side .body-text"), numbers(".sentence-hits .soft")];
  });
  document.getElementById("view-0").click();
  const reference = document.querySelector("[name=reference]:checked");
  return [texts("#pair-title")[0].split(" ").at(-1), reference && Number(reference.id.split("-")[1]), shown];
}"""


@pytest.mark.parametrize(("report", "rows"), [("english", ENGLISH), ("chinese", CHINESE)])
def test_every_pair_shows_its_hits_and_its_texts_unchanged(opened, report, rows):
    settings = {"english": ("rouge_score", {"sentence_split": "auto"}), "chinese": ("zh_word", {})}[report]
    rouge = Rouge(settings[0], rouge_types=VIEWS, **settings[1])
    systems = ["prediction", "prediction_b"] if report == "chinese" else ["prediction"]
    page = opened(report)
    by_name = {row["id"]: row for row in rows}
    page.locator("#samples tbody [data-row]").first.click()
    page.locator("#pair-content .texts").wait_for()
    seen = 1
    while True:
        name, reference, views = page.evaluate(SHOWN_PAIR, list(VIEWS.values()))
        row = by_name[name]
        counts = {key: rouge.count([row[key]] * len(row["references"]), row["references"]).counts for key in systems}
        best = rouge.score([row["prediction"]], [row["references"]], best_reference=True)["rouge1_reference"][0]
        assert (reference or 0) == best
        for column, (hits, texts, of_sentences) in enumerate(views):
            expected = [counts[key][best, column, 0] for key in systems]
            assert hits == expected, (name, column)
            assert texts == [*(row[key] for key in systems), row["references"][best]]
            if of_sentences:
                assert sum(of_sentences) == expected[0]
        if not page.evaluate(NEXT):
            break
        seen += 1
    assert seen == len(rows)


def test_what_is_shared_is_marked_for_each_n(opened):
    page = opened("english")
    open_row(page, "en-002")

    shared = {}
    for name, view in VIEWS.items():
        page.locator(f"#view-{view}").check(force=True)
        shared[name] = marks_of(page, 0), marks_of(page, 1)

    assert page.locator("#reference-0").is_checked()
    low = ["a six", "year low"]  # the hyphen is no token
    assert shared["rouge1"][0] == ["Aldane", "to", "900 jobs as", "copper", "prices", *low]
    assert shared["rouge1"][1] == ["Copper", "Aldane", "900 jobs as", "prices", "to", *low]
    assert shared["rouge2"] == shared["rouge3"] == (["900 jobs as", *low], ["900 jobs as", *low])
    assert shared["rougeL"][0] == shared["rougeL"][1] == ["Aldane", "900 jobs as", "prices", *low]
    page.locator("#view-3").check(force=True)
    above, below = (page.locator(f".aligned .same .{side}").all_inner_texts() for side in ("theirs", "ours"))
    assert above == below == ["Aldane", "900 jobs as", "prices", "a six-year low"]
    chips = page.locator(".chips").all()
    assert [each.locator("li").all_inner_texts() for each in chips] == [["maker", "cuts", "fall"], ["cut", "hit"]]


def test_another_reference_can_be_chosen_and_the_best_is_named(opened):
    page = opened("english")
    open_row(page, "en-002")

    assert page.locator("fieldset", has_text="Reference 1 ★").count() == 1
    page.locator("#reference-1").check(force=True)

    assert texts_of(page)[1] == next(row for row in ENGLISH if row["id"] == "en-002")["references"][1]


def test_keys_open_turn_and_close(opened):
    page = opened("english")
    first, second = names(page)[:2]

    page.locator("#samples tbody [data-row]").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.locator("#pair-title", has_text=second).wait_for()
    page.keyboard.press("ArrowLeft")
    page.locator("#pair-title", has_text=first).wait_for()
    page.locator("#view-0").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("#view-1").is_checked()
    assert page.locator("#pair-title").inner_text().endswith(first)
    page.keyboard.press("Escape")

    assert not page.locator("#pair").is_visible()
    page.wait_for_function("name => document.activeElement.textContent === name", arg=first)  # set by a later event


def test_the_language_switches_all_texts_and_is_kept(opened):
    page = opened("chinese", anew=True)
    texts = json.loads((ROOT / "polyrouge" / "report" / "assets" / "report_texts.json").read_text("utf-8"))
    assert page.locator("#samples-title").inner_text() == texts["en"]["samples"]

    page.locator("#language").select_option("zh")

    assert page.evaluate("document.documentElement.lang") == "zh-CN"
    open_row(page, "zh-002")
    everything = page.locator("body").inner_text().replace(page.locator(".signature code").inner_text(), "")
    left = [key for key, value in texts["en"].items() if len(value) > 5 and "{" not in value and value in everything]
    assert not left
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.locator("#samples-title").inner_text() == "样本"


def test_a_chinese_browser_gets_chinese(opened):
    assert opened("english", locale="zh-CN").locator("#samples-title").inner_text() == "样本"


def test_the_theme_follows_the_system_and_switches(opened):
    background = "getComputedStyle(document.body).backgroundColor"
    page = opened("english", anew=True, color_scheme="dark")
    dark = page.evaluate(background)

    page.locator("#theme").select_option("light")

    light = page.evaluate(background)
    assert light == "rgb(255, 255, 255)" != dark
    page.emulate_media(color_scheme="light")
    page.locator("#theme").select_option("dark")
    assert page.evaluate(background) == dark


@pytest.mark.parametrize("report", ["chinese", "odd", "several"])
def test_all_text_has_the_contrast_of_wcag_aa(opened, report):
    page = opened(report)
    for scheme in ("light", "dark"):
        show_in(page, color_scheme=scheme)
        assert low_contrast(page, more_than=50) == []
        page.locator("#samples tbody [data-row]").nth(1).click()
        for view in VIEWS.values():
            page.locator(f"#view-{view}").check(force=True)
            assert low_contrast(page, within="#pair") == []
        page.keyboard.press("Escape")


@pytest.mark.parametrize("report", ["english", "chinese", "odd", "several"])
def test_nothing_sticks_out(opened, report):
    page = opened(report)
    too_wide = "each => each.scrollWidth - each.clientWidth"
    for width in (360, 768, 1280):
        show_in(page, width=width, height=800)
        wait_until_still(page)

        assert page.locator("html").evaluate(too_wide) <= 0
        for row in (0, 2):
            page.locator("#samples tbody [data-row]").nth(row).click()
            page.locator("#view-3").check(force=True)
            assert page.locator("#pair").evaluate(too_wide) <= 0
            page.keyboard.press("Escape")


def test_markup_in_texts_runs_nothing_and_is_shown(opened):
    page = opened("odd")

    assert page.title() == f"{IMAGE} - ROUGE"
    assert page.locator("h1").inner_text() == IMAGE
    assert set(names(page)) == set(ODD)
    for name, (prediction, references) in ODD.items():
        open_row(page, name)
        for view in VIEWS.values():
            page.locator(f"#view-{view}").check(force=True)
            assert texts_of(page)[:2] == [prediction or "(empty text)", IMAGE]
            assert texts_of(page)[2] in references
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


def test_arabic_runs_from_right_to_left(opened):
    page = opened("odd")
    open_row(page, "arabic")
    page.locator("#view-3").check(force=True)
    direction = "each => getComputedStyle(each).direction"

    assert page.locator(".side .body-text").first.evaluate(direction) == "rtl"
    assert page.locator(".aligned").evaluate(direction) == "rtl"
    assert page.locator(".chips").first.evaluate(direction) == "rtl"
    assert marks_of(page, 0) == ["مجلس المدينة", "خطة", "لتطوير الميناء القديم"]


def test_characters_beyond_the_first_plane_keep_their_places(opened):
    page = opened("odd")
    open_row(page, "astral")

    assert marks_of(page, 0) == ["ok ﬁne", "今天ＡＢ"]
    assert marks_of(page, 2) == ["ok", "fine 今天 ab"]


def test_two_systems_show_what_moved(opened):
    page = opened("chinese")
    rouge = Rouge("zh_word", scale=100, rouge_types=["rouge1"])
    references = [row["references"] for row in CHINESE]
    first, second = (
        rouge.score([row[key] for row in CHINESE], references)["rouge1"] for key in ("prediction", "prediction_b")
    )
    moved = {row["id"]: gain for row, gain in zip(CHINESE, first - second, strict=True)}

    up, down = (part.locator("li").all_inner_texts() for part in page.locator("#moved ol").all())

    assert [each.split()[1] for each in up] == sorted(moved, key=moved.__getitem__, reverse=True)[:5]
    assert [each.split()[1] for each in down] == [
        name for name in sorted(moved, key=moved.__getitem__) if moved[name] < 0
    ][:5]
    assert page.locator("#charts figure").count() == 4
    page.locator("#outcome").select_option("won")
    assert count_of(page) == sum(gain > 0 for gain in moved.values())
    page.locator("#outcome").select_option("all")
    page.locator("[data-sort=gain]").click()
    page.locator("th[aria-sort=descending] [data-sort=gain]").wait_for()
    assert cells(page, 3) == sorted(cells(page, 3), reverse=True)
    page.locator("#moved button").last.click()
    page.locator("#system-1").check(force=True)
    assert page.locator(".side.chosen h3").inner_text() == "系统乙"


def test_each_system_is_held_against_its_own_best_reference(opened):
    page = opened("chinese")
    rouge = Rouge("zh_word", rouge_types=["rouge1"])
    references = [row["references"] for row in CHINESE]
    bests = [
        rouge.score([row[key] for row in CHINESE], references, best_reference=True)["rouge1_reference"]
        for key in ("prediction", "prediction_b")
    ]
    place = next(place for place, (first, second) in enumerate(zip(*bests, strict=True)) if first != second)

    open_row(page, CHINESE[place]["id"])
    assert page.locator(f"#reference-{bests[0][place]}").is_checked()
    page.locator("#system-0").focus()
    page.keyboard.press("ArrowRight")
    page.locator(f"#reference-{bests[1][place]}:checked").wait_for(state="attached")

    assert page.evaluate("document.activeElement.id") == "system-1"
    assert texts_of(page)[2] == references[place][bests[1][place]]
    assert page.locator("fieldset", has_text=f"Reference {bests[1][place] + 1} ★").count() == 1


def test_another_type_moves_charts_and_table(opened):
    page = opened("chinese")
    before = cells(page, 1)

    page.locator("#type").select_option("1")

    wait_for_table(page)
    assert cells(page, 1) != before
    assert "rouge2 F" in page.locator("#charts").inner_text()


def test_many_rows_are_unpacked_page_by_page(opened):
    page = opened("many")

    assert page.locator("#samples tbody [data-row]").count() == 60
    assert page.locator("script.page").count() == 25
    assert page.locator("#charts circle").count() == 0  # so many are drawn as shades
    assert page.locator("#count").inner_text() == "2,500 of 2,500 samples"
    page.locator("#samples-view").evaluate("view => { view.scrollTop = view.scrollHeight / 2; }")
    page.locator('#samples [aria-rowindex="1250"]').wait_for()
    scores = cells(page, 1)
    assert scores == sorted(scores)
    page.locator("#search").fill("r2499")
    assert count_of(page) == 1
    assert names(page) == ["2500"]
    open_row(page, "2500")
    assert texts_of(page)[1].endswith("r2499")


def test_a_cell_of_a_chart_of_many_rows_can_be_seen_and_shows_its_samples(opened):
    page = opened("many")
    cells_of_chart = page.locator("#charts rect.cell")
    cells_of_chart.first.hover()
    title = page.locator("#charts g:has(> .cell) > title").text_content()
    assert cells_of_chart.first.get_attribute("aria-label") == title
    shades = set(cells_of_chart.evaluate_all("all => all.map((cell) => getComputedStyle(cell).fillOpacity)"))

    cells_of_chart.first.click()
    wait_for_table(page)

    assert len(shades) > 1
    assert page.locator("#count").inner_text() == title.replace(" samples", " of 2,500 samples")
    page.locator("#filter [type=reset]").click()
    page.locator("#count", has_text="2,500 of 2,500").wait_for()


def test_each_system_has_a_colour_of_its_own(opened):
    page = opened("chinese")
    open_row(page, CHINESE[0]["id"])
    colours = "all => all.map((mark) => getComputedStyle(mark).backgroundColor)"

    of_first, of_second, of_reference = (
        set(page.locator(".side").nth(place).locator("mark").evaluate_all(colours)) for place in range(3)
    )

    assert of_first
    assert of_second
    assert not of_first & of_second
    assert of_reference <= of_first  # those that the chosen system shares with it
    bars = {
        page.locator(f"svg .bar[data-system='{n}']").first.evaluate("bar => getComputedStyle(bar).fill") for n in "01"
    }
    assert len(bars) == 2


def test_nothing_is_cut_on_paper(opened):
    page = opened("chinese", width=700, height=990, media="print")

    cut = page.evaluate(
        """() => [...document.querySelectorAll("main *")]
          .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1 && each.clientWidth
            && getComputedStyle(each).overflowX !== "visible" && !each.closest("svg"))
          .map((each) => each.className || each.tagName)"""
    )

    assert cut == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not page.locator("#filter").is_visible()


@pytest.mark.parametrize("name", ["english", "chinese", "several"])
def test_nothing_lies_on_something_else_on_paper(opened, name):
    page = opened(name, width=700, height=990)
    page.locator("details").evaluate_all("all => all.forEach((each) => { each.open = true; })")
    page.emulate_media(media="print")

    beyond, broken = page.evaluate(
        """() => {
          const shown = (each) => each.checkVisibility() && each.clientHeight && !each.closest("svg");
          const beyond = [...document.querySelectorAll("main *")]
            .filter((each) => shown(each) && each.matches("div, section") && each.scrollHeight > each.clientHeight + 2)
            .map((each) => each.id || each.className);
          const lines = (text) => {
            const range = document.createRange();
            range.selectNodeContents(text);
            return new Set([...range.getClientRects()].map((each) => each.top)).size;
          };
          const broken = [...document.querySelectorAll("td, td button, td strong")].filter(shown)
            .flatMap((cell) => [...cell.childNodes])
            .filter((each) => each.nodeType === 3 && /^[-+−≤≥]?[\\d.,]+$/.test(each.data.trim()) && lines(each) > 1)
            .map((each) => each.data);
          return [beyond, broken];
        }"""
    )

    assert beyond == []
    assert broken == []


def test_paper_is_light(opened):
    page = opened("chinese", anew=True, width=700, height=990)
    page.locator("#theme").select_option("dark")
    colour = "getComputedStyle(document.body).color"
    on_screen = page.evaluate(colour)

    page.emulate_media(media="print")

    assert page.evaluate(colour) != on_screen
    assert low_contrast(page) == []


def test_any_two_of_several_systems_are_compared(opened):
    page = opened("several")
    columns = [[row["prediction"] for row in CHINESE], [row["prediction_b"] for row in CHINESE]]
    columns += [[text[:9] for text in columns[0]], columns[0][::-1]]
    rouge = Rouge("zh_char", scale=100, rouge_types=["rouge1"])
    references = [row["references"] for row in CHINESE]
    scores = [rouge.score(column, references)["rouge1"] for column in columns]

    assert page.locator("#board tbody tr").count() == 4
    assert page.locator("#board bdi").all_inner_texts()[0] == "系统甲"
    assert page.locator("#samples thead th").count() == 1 + 4 + 1 + 2
    page.locator(".matrix tbody tr").nth(1).locator("td").nth(2).locator("button").click()
    wait_for_table(page)

    assert page.locator("#first").input_value() == "1"
    assert page.locator("#second").input_value() == "2"
    shown = dict(zip(names(page), cells(page, 5), strict=True))
    for row, one, other in zip(CHINESE, scores[1], scores[2], strict=True):
        assert shown[row["id"]] == pytest.approx(one - other, abs=0.011)
    page.locator("#outcome").select_option("lost")
    assert count_of(page) == sum(one < other for one, other in zip(scores[1], scores[2], strict=True))
    page.locator("#outcome").select_option("all")
    page.locator("#second").select_option("1")  # the same two change places
    wait_for_table(page)
    assert page.locator("#first").input_value() == "2"
    open_row(page, CHINESE[0]["id"])
    assert [page.locator(".side").nth(place).get_attribute("data-system") for place in range(4)] == ["0", "1", "2", "3"]
    assert texts_of(page)[:4] == [column[0] for column in columns]
