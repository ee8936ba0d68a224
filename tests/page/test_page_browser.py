"""The page in a real browser, served by ``python app.py``."""

import csv
import io
import json
import time

import pytest
import report_file
from command_runs import write_rows
from news import columns, news
from page_visits import (
    TABS,
    choose_convention,
    go_to,
    open_settings,
    report_of,
    score_example,
    score_files,
    show_match,
    speak_chinese,
    type_pair,
    upload,
)
from report_browser import (
    PATIENCE,
    accessibility_problems,
    low_contrast,
    saved,
    wait_for_attribute,
    wait_for_text,
    wait_until_still,
)

from polyrouge import Rouge, compare_systems
from polyrouge.page.choices import Choice
from polyrouge.page.score_views import score_pair, split_references
from polyrouge.page.text_tabs import example_texts

MARKUP = '<script>alert(1)</script> "><img src=x onerror=alert(1)> & the cat'
ARABIC = "أعلن مجلس المدينة يوم الثلاثاء خطة جديدة لتطوير الميناء القديم."
LONG_CHINESE = "今年上半年全市地区生产总值同比增长百分之五点八消费市场明显回暖" * 4
PHONE = {"width": 390, "height": 844}
pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("page"),
    pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning"),
]


def shown_scores(page):
    """By the type its numbers: precision, recall, F."""
    rows = page.locator("#try-scores tbody tr").all()
    return {row.locator("th button").inner_text(): row.locator(".pr-measure").all_inner_texts() for row in rows}


def shown_index(page):
    """What the report in the frame has unpacked of its numbers."""
    return report_file.unpacked(report_of(page).locator("#index").text_content())


def shown_means(report):
    """By the type each cell of the report's table of the first system."""
    rows = report.locator("#scores tbody").first.locator("tr").all()
    return {row.locator("th").last.text_content(): row.locator("td").all_text_contents() for row in rows}


def cells_of(result, key, digits=2):
    """The cells that show what ``compute`` gives for a type."""
    endings = ["_precision", "_recall", "", *(["_low", "_high"] if f"{key}_low" in result else [])]
    shown = [f"{result[f'{key}{ending}']:.{digits}f}" for ending in endings]
    return [*shown[:3], *([f"[{', '.join(shown[3:])}]"] if shown[3:] else [])]


def wait_for_tab(page, language, place):
    """Until what a tab shows is there, in its language; the tab of files gets the example."""
    if place == 1:
        score_example(page)
    elif place == 2:
        words = {"en": "counts distinct n-grams", "zh": "n 元组去重计数"}[language]
        page.locator("#conventions-table .pr-words", has_text=words).first.wait_for()


# Where the match and the scores end.
BOTTOMS = """() => ["#try-pair [data-view]", "#try-scores"].map(
  (name) => document.querySelector(name).getBoundingClientRect().bottom + scrollY)"""


def test_the_first_tab(opened):
    """What matched is seen at once, and chosen by the row of a score; what is typed and set is scored."""
    page = opened()
    prediction, references = example_texts("en")
    scored = score_pair(prediction, split_references(references), Choice("default"))
    parts = [(f"{name}_precision", f"{name}_recall", name) for name in scored.names()]
    shown = {names[-1]: [f"{scored.scores[each]:.2f}" for each in names] for names in parts}
    assert shown_scores(page) == shown
    page.set_viewport_size({"width": 1400, "height": 800})
    wait_until_still(page)
    assert max(page.evaluate(BOTTOMS)) <= 800  # no click, no scrolling
    page.set_viewport_size(PHONE)
    wait_until_still(page)
    assert page.evaluate(BOTTOMS)[0] <= 2 * PHONE["height"]
    assert page.locator("#try-choice input").input_value() == "Any language"
    places = [page.locator(name).bounding_box() for name in ("#try-choice input", "#try-references textarea")]
    assert all(box["y"] + box["height"] < PHONE["height"] - 180 for box in places)  # below the browser's own bars
    assert places[0]["x"] > PHONE["width"] / 3  # beside its label
    lines = """all => all.map((each) => {
      const range = document.createRange();
      range.selectNodeContents(each);
      return range.getClientRects().length;
    })"""
    assert page.locator("#try-scores td").evaluate_all(lines) == [1] * 16
    is_cut = "all => all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.innerText)"
    for width in (PHONE["width"], 320):
        page.set_viewport_size({"width": width, "height": 640})
        wait_until_still(page)
        assert page.locator("#try-scores :is(td, th)").evaluate_all(is_cut) == []
        right = "each => innerWidth - each.getBoundingClientRect().right"
        assert page.locator("#try-scores table").evaluate(right) >= 12
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size({"width": 1400, "height": 800})

    for rouge_type in ("rougeL", "rouge2"):
        show_match(page, rouge_type)
        marks = page.locator(f"#try-pair [data-view={rouge_type}] section:first-child mark")
        assert page.locator("#try-pair [data-view]:visible").count() == 1
        marks.nth(1).hover()
        lit = page.locator("#try-pair .pr-lit").all_inner_texts()
        assert lit == lit[: len(lit) // 2] * 2  # with its twin
        assert marks.nth(1).inner_text() in lit
        marks.first.focus()
        page.keyboard.press("ArrowRight")
        assert page.locator("#try-pair .pr-lit").all_inner_texts() == lit
    page.locator("#try-more summary", has_text="Python").click()
    assert "print(rouge.compute(predictions, references))" in page.locator("#try-more pre:visible").inner_text()

    type_pair(page, "今天天气很好。", "今天天气不错。\n---\n今天是个好天气。")
    choose_convention(page, "try", "English, as rouge_score", exact=True)
    page.locator("#try-status", has_text="Language and convention").wait_for()  # rouge_score drops Chinese
    page.locator("#try-choice input").click()
    page.keyboard.type("jieba")  # in place of what stands there
    page.get_by_role("option", name="Chinese, words (jieba)").click()
    texts = ["今天天气很好。"], [["今天天气不错。", "今天是个好天气。"]]
    expected = Rouge("zh_word", scale=100).compute(*texts)["rouge1"]
    page.locator("#try-scores [data-view=rouge1] .pr-measure", has_text=f"{expected:.2f}").last.wait_for()
    assert "'zh_word'" in page.locator("#try-more pre:visible").inner_text()  # it has stayed open
    page.locator("#try-pair summary").click()
    page.locator("#try-pair details", has_text="天气").wait_for()

    type_pair(page, "１２", "12")
    page.locator("#try-status", has_text="Switch on NFKC").wait_for()
    open_settings(page, "try")
    page.locator("#try-settings").get_by_label("NFKC").check()
    page.locator("#try-scores", has_text="100.00").wait_for()
    page.locator("#try-references textarea").fill("")
    page.locator("#try-status .pr-soft").wait_for()
    assert page.locator("#try-scores, #try-pair, #try-more").filter(visible=True).count() == 0


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_the_label_of_the_upload_does_not_cover_its_icon(opened, locale):
    page = opened(locale=locale)
    page.get_by_role("tab").nth(1).click()
    page.set_viewport_size(PHONE)
    wait_until_still(page)
    label = page.locator("#file-upload [data-testid=block-label]").bounding_box()
    icon = page.locator("#file-upload .icon-wrap:visible").first.bounding_box()
    page.set_viewport_size({"width": 1400, "height": 800})
    assert label["y"] + label["height"] <= icon["y"]


def test_what_is_typed_while_the_page_opens_stays(browser, server):
    """The reply to the page's opening comes after the first key."""
    page = browser.new_context(locale="en-US").new_page()
    page.set_default_timeout(PATIENCE)

    def late(route):
        time.sleep(0.5)
        route.continue_()

    page.route("**/queue/join*", late)
    page.goto(server[0])
    page.locator("#try-prediction textarea").fill("the first key")
    page.locator("#try-pair", has_text="the first key").wait_for()
    page.wait_for_selector("#try-scores table")
    page.locator("#try-references textarea").fill("the second key")  # the opening has its reply by this one's
    page.locator("#try-pair", has_text="the second key").wait_for()

    assert page.locator("#try-prediction textarea").input_value() == "the first key"
    assert page.locator("#try-references textarea").input_value() == "the second key"
    page.context.close()


def test_a_link_carries_the_state_until_it_changes(opened, server):
    page = opened(locale="zh-CN")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("#try-prediction textarea").fill("甲乙丙 & 丁=1")
    page.locator("#try-pair", has_text="甲乙丙").wait_for()
    show_match(page, "rougeL")
    page.locator("#try-more [data-link]").click()
    page.locator("#try-more [data-link]", has_text="已复制").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.url

    again = opened(link.removeprefix(server[0]), locale="zh-CN")
    again.wait_for_function("document.querySelector('#try-prediction textarea').value.includes('丁=1')")
    again.locator("#try-scores caption", has_text="中文，字级").wait_for()
    again.locator("#try-pair [data-view=rougeL]").wait_for()  # what was shown
    go_to(page, "zh", 2)  # one click, and no scrolling
    assert page.locator(".pr-strips").evaluate("each => each.getBoundingClientRect().bottom <= innerHeight")
    page.locator("[data-fold=unfit] summary").click()
    colour = "each => getComputedStyle(each).color"
    greys, texts = (
        [cell.evaluate(colour) for cell in page.locator(f"{table} tbody td").all()[:5]]
        for table in (".pr-unfit", "#conventions-table > * > .pr-table")
    )
    assert not {*greys} & {*texts}
    page.locator("#conventions-table [data-link]").click()
    page.locator("#conventions-table [data-link]", has_text="已复制").wait_for()
    again = opened(page.url.removeprefix(server[0]), locale="zh-CN", ready="#conventions-table tbody tr")
    assert again.locator("#conventions-table p").first.inner_text() == "甲乙丙 & 丁=1"

    go_to(page, "zh", 0)
    page.locator("#try-prediction textarea").fill("戊")
    page.wait_for_function("!location.search.includes('prediction')")  # the link is no longer to what is shown

    page = opened(f"{link.removeprefix(server[0])}&rule=nope", locale="zh-CN")
    page.locator("#try-link", has_text="rule=nope").wait_for()
    page.locator("#try-prediction textarea").fill("己")
    page.locator("#try-pair", has_text="己").wait_for()
    assert "rule=nope" in page.locator("#try-link").inner_text()  # with new scores, too


def test_what_is_typed_and_scored_before_is_gone_with_its_file(opened, tmp_path):
    page = opened(locale="zh-CN")
    go_to(page, "zh", 1)
    assert page.locator("#file-controls, #file-remove, #file-report").filter(visible=True).count() == 0

    score_example(page)
    assert not page.locator("#file-cancel").is_visible()
    page.wait_for_function(
        "() => document.querySelector('#file-frame iframe').getBoundingClientRect().top < innerHeight / 2"
    )
    page.locator("#file-remove").click()
    page.locator("#file-frame iframe").wait_for(state="detached")
    wait_for_text(page.locator("#file-status"), "")
    page.locator("#file-report").wait_for(state="hidden")

    path = tmp_path / "表.csv"
    path.write_bytes("预测,参考\r\n云渡市经济增长,云渡市上半年经济增长\r\n".encode("gb18030"))
    upload(page, path, note="GB18030")
    report = score_files(page)
    expected = Rouge("zh_char", output="all", scale=100).compute(["云渡市经济增长"], ["云渡市上半年经济增长"])
    assert shown_means(report)["rouge1"] == cells_of(expected, "rouge1")
    upload(page, path)  # again: what was shown is of a file that is gone
    page.locator("#file-frame iframe").wait_for(state="detached")


def check_width(page, place):
    """Nothing is wider than the window, on the page and in its report."""
    wait_until_still(page)
    width, window = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width <= window, f"tab {place}"
    if place == 1:
        width, window = report_of(page).evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert 350 < width <= window
    if place == 2:
        assert page.evaluate("document.documentElement.scrollHeight / innerHeight") < 4


FOCUSABLE = """() => [...document.querySelectorAll(
  "a[href], button, input, textarea, select, summary, [tabindex]")].filter(
  (each) => each.tabIndex >= 0 && each.checkVisibility({ visibilityProperty: true })).length"""


def check_contrast(page, place, scheme):
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function("isDark => document.body.classList.contains('dark') === isDark", arg=scheme == "dark")
    assert low_contrast(page, more_than=30) == [], f"tab {place}"
    if place == 1:
        wait_for_attribute(report_of(page).locator("html"), "data-theme", scheme)
        assert low_contrast(report_of(page), more_than=30) == []


@pytest.mark.parametrize(("locale", "schemes"), [("en-US", ("dark", "light")), ("zh-CN", ("light", "dark"))])
def test_every_tab_is_whole_in_each_look_and_on_a_phone(opened, locale, schemes):
    page = opened(locale=locale, color_scheme=schemes[0])
    language = locale[:2]
    window = page.viewport_size
    assert page.locator("#page-tabs [role=tablist]").first.locator("[role=tab]").all_inner_texts() == TABS[language]
    type_pair(page, LONG_CHINESE + ARABIC, LONG_CHINESE[::-1] + "x" * 400)
    page.locator("#try-pair", has_text="xxxx").wait_for()
    for place in range(3):
        page.set_viewport_size(PHONE)
        go_to(page, language, place)
        wait_for_tab(page, language, place)
        check_width(page, place)
        page.set_viewport_size(window)
        for scheme in schemes:
            check_contrast(page, place, scheme)
        # The colours are the same in both languages.
        assert accessibility_problems(page, "body" if language == "en" else None) == []
        assert page.evaluate(FOCUSABLE) <= 60


def test_the_language_can_be_switched_with_all_that_is_shown(opened):
    page = opened()
    go_to(page, "en", 1)
    report = score_example(page)
    report.locator("#search").fill("bridge")
    report.locator("#samples tbody tr").first.wait_for()

    speak_chinese(page)
    report.locator("#board th", has_text="系统").wait_for()

    wait_for_text(page.locator("#page-tabs [role=tab]").first, TABS["zh"][0])
    page.locator("#file-status", has_text="已完成：34 行").wait_for()
    assert report.locator("#search").input_value() == "bridge"  # the same report, in other words
    wait_for_attribute(page.locator("#file-frame iframe"), "title", "报告：分数、图表和全部样本")
    wait_for_text(page.locator(".pr-fill"), "全屏")
    page.reload()
    page.get_by_role("tab", name=TABS["zh"][0]).wait_for()  # it is remembered


FLAT = [{"id": row["id"], "prediction": row["prediction"], "reference": row["references"][0]} for row in news("en")]
PREDICTIONS, REFERENCES, IDS = columns(FLAT, "prediction", "reference", "id")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A table, a broken file, and large ones."""
    folder = tmp_path_factory.mktemp("files")
    with open(folder / "a.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, FLAT[0])
        writer.writeheader()
        writer.writerows(FLAT)
    (folder / "broken.jsonl").write_text('{"prediction": "a", "reference": "b"}\n{"prediction"', encoding="utf-8")
    (folder / "large.csv").write_text("prediction,reference\n" + "a b c d e f g,a b c\n" * 1_100_000, encoding="utf-8")
    slow = ({"prediction": f"{LONG_CHINESE}{n}", "reference": f"{LONG_CHINESE[::-1]}{n}"} for n in range(18_000))
    write_rows(folder / "slow.jsonl", slow)
    return folder


def test_a_file_gives_the_numbers_of_compute(page, files):
    upload(page, files / "a.csv")
    report = score_files(page)

    expected = Rouge(output="all", confidence=0.95, scale=100).compute(PREDICTIONS, REFERENCES)
    shown = shown_means(report)
    assert shown == {key: cells_of(expected, key) for key in ("rouge1", "rouge2", "rougeL", "rougeLsum")}
    assert shown_index(page)["means"] == [expected]
    report.locator("#sample-exports summary").click()
    content = saved(page, report.locator("#sample-exports [data-save=CSV]")).decode("utf-8-sig")  # out of the frame
    samples = {sample["id"]: sample for sample in csv.DictReader(io.StringIO(content, newline=""))}
    scores = Rouge(scale=100).score(PREDICTIONS, REFERENCES)["rougeL"].round(2).tolist()
    shown = [(round(float(samples[each]["a rougeL fmeasure"]), 2), samples[each]["a prediction"]) for each in IDS]
    assert shown == list(zip(scores, PREDICTIONS, strict=True))


def test_the_report_is_shown_without_rights_and_can_be_taken_along(page):
    report = score_example(page)
    frame = page.locator("#file-frame iframe")

    assert set(frame.get_attribute("sandbox").split()) == {"allow-scripts", "allow-downloads", "allow-popups"}
    assert frame.get_attribute("title") == "Report: scores, charts, and every sample"
    parent = "() => { try { return parent.document.title; } catch (error) { return error.name; } }"
    assert report_of(page).evaluate(parent) == "SecurityError"
    assert not report.locator("#language").is_visible()  # the page has switches of its own
    written = saved(page, page.locator("#file-report")).decode()
    assert written.startswith("<!doctype html>")
    assert report_of(page).locator("#index").text_content() in written

    page.locator(".pr-fill").click()
    page.wait_for_function("document.fullscreenElement?.tagName === 'IFRAME'")
    page.evaluate("document.exitFullscreen()")


def test_many_files_are_many_systems(page, tmp_path):
    systems = {"first": PREDICTIONS, "half": [text[: len(text) // 2] for text in PREDICTIONS], "gold": REFERENCES}
    for name, texts in systems.items():
        rows = [{**row, "prediction": text} for row, text in zip(FLAT, texts, strict=True)]
        write_rows(tmp_path / f"{name}.jsonl", rows if name == "first" else rows[::-1])  # joined by ids
    upload(page, *(tmp_path / f"{name}.jsonl" for name in systems))
    report = score_files(page)

    index = shown_index(page)
    assert index["systems"] == list(systems)
    expected = compare_systems(systems, REFERENCES, Rouge(scale=100))
    assert index["comparison"] == json.loads(json.dumps(expected.to_dict()))
    best = expected.means[:, 0].argsort(kind="stable")[::-1]
    cells = report.locator("#board tbody td:nth-child(3)").all_inner_texts()
    assert [cell.strip()[:5] for cell in cells] == [f"{expected.means[row, 0]:.2f}"[:5] for row in best]
    assert report.locator("#board tbody th").first.inner_text().strip() == list(systems)[best[0]] == "gold"


@pytest.mark.parametrize(
    ("name", "message"), [("broken.jsonl", "broken.jsonl, line 2"), ("large.csv", "this page takes 20 MB")]
)
def test_a_broken_or_too_large_file_is_told_in_a_sentence(page, files, name, message):
    upload(page, files / name)
    if page.locator("#file-note .pr-error").count() == 0:
        page.locator("#file-run").click()
    page.locator(".pr-error", has_text=message).wait_for()

    assert "polyrouge-" not in page.locator(".pr-error").first.inner_text()  # our folder
    assert page.locator("#file-frame iframe").count() == 0


def test_cancel_stops_a_job(opened, files):
    page = opened()
    go_to(page, "en", 1)
    upload(page, files / "slow.jsonl")
    ends = []
    for event in ("requestfinished", "requestfailed"):
        page.on(event, lambda request: "/queue/data" in request.url and ends.append(request))
    page.locator("#file-run").click()
    page.locator("#file-cancel").click()  # at once: with its report, the job takes some ten times as long as a click
    while not ends:  # what the job says comes until then
        page.wait_for_timeout(50)
    page.locator("#file-status", has_text="Cancelled").wait_for()

    assert page.locator("#file-frame iframe").count() == 0
    page.locator("#file-cancel").wait_for(state="hidden")


def test_markup_in_the_texts_stays_text_and_arabic_runs_from_right_to_left(page, tmp_path):
    go_to(page, "en", 0)
    type_pair(page, ARABIC, ARABIC)
    page.locator("#try-pair .pr-side", has_text="مجلس").nth(1).wait_for()  # both are scored
    assert page.locator("#try-pair .pr-text").first.evaluate("e => getComputedStyle(e).direction") == "rtl"

    type_pair(page, MARKUP, f"{MARKUP} sat\n---\n<b>bold</b>")
    page.locator("#try-pair", has_text="onerror").wait_for()

    assert page.locator("#try-pair .pr-text").first.inner_text() == MARKUP
    assert page.locator("#try-pair img, #try-pair script, #try-scores img").count() == 0
    go_to(page, "en", 2)
    page.locator("#conventions-table tbody tr").nth(20).wait_for()
    path = tmp_path / "<img src=x onerror=alert(1)>.jsonl"
    rows = [
        {"prediction": MARKUP, "reference": f"{MARKUP} sat", "id": f"{MARKUP} {n}", MARKUP: f"{MARKUP} {n % 2}"}
        for n in range(4)
    ]
    go_to(page, "en", 1)
    upload(page, write_rows(path, rows), note="onerror")
    assert page.locator("#file-note img").count() == 0
    report = score_files(page)
    report.locator("#samples [data-row]").first.click()
    report.locator("#pair-content", has_text="onerror").wait_for()
    assert report.locator("img").count() == 0
