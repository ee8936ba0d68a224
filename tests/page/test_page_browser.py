"""The page in a real browser, served by ``python app.py``."""

import csv
import io
import json
import re
import time

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import report_file
from news import columns, news
from page_visits import (
    TABS,
    choose_convention,
    go_to,
    report_of,
    score_example,
    score_files,
    show_alignment,
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
    wait_for_value,
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


def shown_scores(page, table):
    """By the type its numbers: precision, recall, F."""
    rows = page.locator(table).first.locator("tbody tr")
    return {
        row.locator("th").inner_text(): [float(text) for text in row.locator(".pr-measure").all_inner_texts()]
        for row in rows.all()
    }


def shown_index(page):
    """What the report in the frame has unpacked of its numbers."""
    return report_file.unpacked(report_of(page).locator("#index").text_content())


def shown_means(report):
    """By the type each cell of the report's table of the first system."""
    rows = report.locator("#scores tbody").first.locator("tr").all()
    return {row.locator("th").last.text_content(): row.locator("td").all_text_contents() for row in rows}


def cells_of(result, key, digits=4):
    """The cells that show what ``compute`` gives for a type."""
    shown = [f"{result[f'{key}{ending}']:.{digits}f}" for ending in ("_precision", "_recall", "", "_low", "_high")]
    return [*shown[:3], f"[{shown[3]}, {shown[4]}]"]


# The seconds from a click on a view until there are so many pictures of an alignment.
CHOOSE_VIEW = """async ([place, pictures]) => {
  const start = performance.now();
  document.querySelectorAll("#try-view input")[place].click();
  while (document.querySelectorAll("#try-pair .pr-aligned").length !== pictures) {
    await new Promise(requestAnimationFrame);
    if (performance.now() - start > 300000) break;
  }
  return (performance.now() - start) / 1000;
}"""


def wait_for_tab(page, place):
    """Until what a tab shows is there; the tab of files gets the example."""
    if place == 1:
        score_example(page)
    elif place == 2:
        page.locator("#conventions-table tbody tr").nth(20).wait_for()
    elif place == 3:
        page.locator("#papers-recipes", has_text="CNN/DailyMail").wait_for()


def test_the_page_opens_with_its_example_scored_and_answers_keys(opened):
    page = opened()

    prediction, references = example_texts("en")
    expected = score_pair(prediction, split_references(references), Choice("default"))
    for name, values in shown_scores(page, "#try-scores .pr-scores").items():
        keys = (f"{name}_precision", f"{name}_recall", name)
        assert [round(expected.scores[key], 4) for key in keys] == values
    wait_for_value(page.locator("#try-signature textarea, #try-signature input").first, expected.signature)
    page.locator("#page-tabs [role=tab]").first.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.locator("#file-run").wait_for()
    page.locator("#file-example").focus()
    page.keyboard.press("Enter")
    page.locator("#file-note", has_text="prediction_b").wait_for()
    assert "en_news" in page.locator("#file-note").inner_text()


def test_a_view_is_drawn_within_a_moment(page):
    go_to(page, "en", 0)
    show_alignment(page)

    seconds = [page.evaluate(CHOOSE_VIEW, view) for view in ([0, 0], [3, 1], [0, 0], [3, 1])]

    assert min(seconds) < 60  # a machine under load is slower; a quiet one is told by what is printed
    print(f"from click to picture: {min(seconds):.3f} s")


def test_changing_an_option_scores_at_once(opened):
    page = opened()
    type_pair(page, "今天天气很好。", "今天天气不错。\n---\n今天是个好天气。")
    choose_convention(page, "try", "English, as rouge_score", exact=True)
    page.locator("#try-status", has_text="Language and convention").wait_for()  # rouge_score drops Chinese
    page.wait_for_function("() => document.querySelector('#try-pair').innerText.includes('今天天气')")  # both texts

    choose_convention(page, "try", "Chinese, words (jieba)")
    expected = Rouge("zh_word", output="all").compute(["今天天气很好。"], [["今天天气不错。", "今天是个好天气。"]])
    page.locator("#try-scores", has_text=f"{expected['rouge1']:.4f}").wait_for()

    assert shown_scores(page, "#try-scores .pr-scores")["rouge1"][2] == round(expected["rouge1"], 4)
    wait_for_value(page.locator("#try-signature textarea"), re.compile("tok:jieba"))
    page.locator("#try-view label", has_text="Common subsequence").click()
    page.locator("#try-pair .pr-aligned").wait_for()
    page.locator("#try-pair summary").click()
    assert "天气" in page.locator("#try-pair .pr-tokens").inner_text()


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


def test_a_link_carries_the_state(opened, server):
    page = opened(locale="zh-CN")
    page.locator("#try-prediction textarea").fill("甲乙丙 & 丁=1")
    page.locator("#try-pair", has_text="甲乙丙").wait_for()
    show_alignment(page)
    page.locator("#try-make-link").click()
    page.wait_for_function("document.querySelector('#try-link textarea')?.value.includes('?')")
    link = page.locator("#try-link textarea").input_value()

    page.wait_for_url(link)
    again = opened(link.removeprefix(server[0]), locale="zh-CN")
    again.wait_for_function("document.querySelector('#try-prediction textarea').value.includes('丁=1')")
    wait_for_value(again.locator("#try-signature textarea"), re.compile("tok:zh_char"))
    again.locator("#try-pair .pr-aligned").wait_for()  # what was shown


def test_what_is_typed_and_scored_before_is_gone_with_its_file(opened, tmp_path):
    page = opened(locale="zh-CN")
    go_to(page, "zh", 1)
    page.locator("#file-run").click()
    page.locator("#file-status", has_text="请先上传文件").wait_for()  # not that it was deleted

    score_example(page)
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
    expected = Rouge("zh_char", confidence=0.95, output="all").compute(["云渡市经济增长"], ["云渡市上半年经济增长"])
    assert shown_means(report)["rouge1"] == cells_of(expected, "rouge1")
    upload(page, path)  # again: what was shown is of a file that is gone
    page.locator("#file-frame iframe").wait_for(state="detached")


def check_tab(page, language, place):
    """What stands in a tab, in a language."""
    if place == 1:
        assert len(shown_means(report_of(page))) == 4
        words = {"en": "Precision", "zh": "精确率"}[language]
        assert report_of(page).locator("main th", has_text=words).count() > 0
    elif place == 2:
        words = page.locator("#conventions-table .pr-words").all_inner_texts()
        assert any({"en": "counts distinct n-grams", "zh": "n 元组去重计数"}[language] in each for each in words)
    elif place == 3:
        page.locator("#papers-recipes summary").first.click()
        page.locator("#papers-recipes table:visible").first.wait_for()


def check_width(page, place):
    """Nothing is wider than the window, on the page and in its report."""
    wait_until_still(page)
    width, window = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width <= window, f"tab {place}"
    if place == 1:
        width, window = report_of(page).evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert 350 < width <= window


def check_contrast(page, place, scheme):
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function("isDark => document.body.classList.contains('dark') === isDark", arg=scheme == "dark")
    assert low_contrast(page, more_than=30) == [], f"tab {place}"
    if place == 1:
        wait_for_attribute(report_of(page).locator("html"), "data-theme", scheme)
        assert low_contrast(report_of(page), more_than=30) == []


@pytest.mark.parametrize(("locale", "schemes"), [("en-US", ("dark", "light")), ("zh-CN", ("light", "dark"))])
def test_every_tab_is_whole_in_each_look_and_on_a_phone(opened, locale, schemes):
    """What axe finds wrong in Gradio's own is left out: image of the settings, code fields, code blocks that scroll."""
    page = opened(locale=locale, color_scheme=schemes[0])
    language = locale[:2]
    window = page.viewport_size
    assert page.locator("#page-tabs [role=tablist]").first.locator("[role=tab]").all_inner_texts()[:4] == TABS[language]
    type_pair(page, LONG_CHINESE + ARABIC, LONG_CHINESE[::-1] + "x" * 400)
    page.locator("#try-pair", has_text="xxxx").wait_for()
    for place in range(4):
        page.set_viewport_size(PHONE)
        go_to(page, language, place)
        wait_for_tab(page, place)
        check_width(page, place)
        page.set_viewport_size(window)
        if place == 0:
            show_alignment(page)
        check_tab(page, language, place)
        for scheme in schemes:
            check_contrast(page, place, scheme)
        # The colours are the same in both languages.
        gradios = re.compile(r"\.cm-scroller|> pre$")
        for rule, at in accessibility_problems(page, "body" if language == "en" else None):
            assert rule == "image-redundant-alt" or all(gradios.search(str(each[-1])) for each in at), (rule, at)


def test_the_language_can_be_switched_with_all_that_is_shown(opened):
    page = opened()
    go_to(page, "en", 1)
    report = score_example(page)
    report.locator("#search").fill("bridge")
    report.locator("#samples tbody tr").first.wait_for()

    speak_chinese(page)
    report.locator("main th", has_text="精确率").first.wait_for()

    wait_for_text(page.locator("#page-tabs [role=tab]").first, TABS["zh"][0])
    page.locator("#file-status", has_text="已完成：34 行").wait_for()
    assert report.locator("#search").input_value() == "bridge"  # the same report, in other words
    wait_for_attribute(page.locator("#file-frame iframe"), "title", "报告：分数、图表和全部样本")
    wait_for_text(page.locator(".pr-fill"), "铺满窗口")
    page.reload()
    page.get_by_role("tab", name=TABS["zh"][0]).wait_for()  # it is remembered


FLAT = [{"id": row["id"], "prediction": row["prediction"], "reference": row["references"][0]} for row in news("en")]
PREDICTIONS, REFERENCES, IDS = columns(FLAT, "prediction", "reference", "id")


def write_rows(path, rows):
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The same rows in each format, broken files, and large ones."""
    folder = tmp_path_factory.mktemp("files")
    with open(folder / "a.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, FLAT[0])
        writer.writeheader()
        writer.writerows(FLAT)
    pq.write_table(pa.Table.from_pylist(FLAT), folder / "a.parquet")
    (folder / "broken.jsonl").write_text('{"prediction": "a", "reference": "b"}\n{"prediction"', encoding="utf-8")
    (folder / "broken.parquet").write_bytes(b"PAR1 nothing")
    (folder / "large.csv").write_text("prediction,reference\n" + "a b c d e f g,a b c\n" * 1_100_000, encoding="utf-8")
    slow = ({"prediction": f"{LONG_CHINESE}{n}", "reference": f"{LONG_CHINESE[::-1]}{n}"} for n in range(18_000))
    write_rows(folder / "slow.jsonl", slow)
    write_rows(folder / "ten.jsonl", (FLAT[n % len(FLAT)] for n in range(10_000)))
    return folder


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_each_format_gives_the_numbers_of_compute(page, files, name):
    upload(page, files / name)
    report = score_files(page)

    expected = Rouge(output="all", confidence=0.95).compute(PREDICTIONS, REFERENCES)
    shown = shown_means(report)
    assert shown == {key: cells_of(expected, key) for key in ("rouge1", "rouge2", "rougeL", "rougeLsum")}
    assert shown_index(page)["means"] == [expected]
    report.locator("#sample-exports summary").click()
    content = saved(page, report.locator("#sample-exports [data-save=CSV]")).decode("utf-8-sig")  # out of the frame
    samples = {sample["id"]: sample for sample in csv.DictReader(io.StringIO(content, newline=""))}
    scores = Rouge().score(PREDICTIONS, REFERENCES)["rougeL"].round(4).tolist()
    shown = [(float(samples[each]["a rougeL fmeasure"]), samples[each]["a prediction"]) for each in IDS]
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

    button = report.locator("#samples [data-row]").nth(1)
    name = button.inner_text()
    button.focus()
    page.keyboard.press("Enter")
    report.locator("#pair mark").first.wait_for()
    assert name in report.locator("#pair-title").inner_text()
    assert PREDICTIONS[IDS.index(name)].strip() in report.locator("#pair-content").inner_text()
    page.keyboard.press("Escape")
    report.locator("#pair:not([open])").wait_for(state="attached")

    before = frame.bounding_box()
    page.locator(".pr-fill").click()
    page.locator(".pr-fill", has_text="Back to the page").wait_for()
    filled, window = frame.bounding_box(), page.viewport_size
    assert filled["width"] > 0.95 * window["width"]
    assert filled["height"] > 0.9 * window["height"]
    page.locator(".pr-fill").click()
    page.wait_for_function(
        "width => document.querySelector('#file-frame iframe').getBoundingClientRect().width === width",
        arg=before["width"],
    )


def test_many_files_are_many_systems(page, tmp_path):
    systems = {"first": PREDICTIONS, "half": [text[: len(text) // 2] for text in PREDICTIONS], "gold": REFERENCES}
    for name, texts in systems.items():
        rows = [{**row, "prediction": text} for row, text in zip(FLAT, texts, strict=True)]
        write_rows(tmp_path / f"{name}.jsonl", rows if name == "first" else rows[::-1])  # joined by ids
    upload(page, *(tmp_path / f"{name}.jsonl" for name in systems))
    report = score_files(page)

    index = shown_index(page)
    assert index["systems"] == list(systems)
    expected = compare_systems(systems, REFERENCES, Rouge())
    assert index["comparison"] == json.loads(json.dumps(expected.to_dict()))
    best = expected.means[:, 0].argsort(kind="stable")[::-1]
    cells = report.locator("#board tbody td:nth-child(3)").all_inner_texts()
    assert [cell.strip()[:6] for cell in cells] == [f"{expected.means[row, 0]:.4f}" for row in best]
    assert report.locator("#board tbody th").first.inner_text().strip() == list(systems)[best[0]] == "gold"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("broken.jsonl", "broken.jsonl, line 2"),
        ("broken.parquet", "broken.parquet"),
        ("large.csv", "this page takes 20 MB"),
    ],
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
    choose_convention(page, "file", "lawrouge")  # counted by the plain engine: it takes a quarter of a minute
    page.locator("#file-run").click()
    page.locator("#file-status", has_text="Scoring: ").wait_for()
    ends = []
    for event in ("requestfinished", "requestfailed"):
        page.on(event, lambda request: "/queue/data" in request.url and ends.append(request))
    page.locator("#file-cancel").click()
    page.locator("#file-status", has_text="Cancelled").wait_for()
    while not ends:  # what the job says comes until then
        page.wait_for_timeout(50)

    assert page.locator("#file-frame iframe").count() == 0
    assert "Cancelled" in page.locator("#file-status").inner_text()
    page.locator("#file-cancel").click()
    page.locator("#file-status", has_text="Nothing is being scored").wait_for()


def test_ten_thousand_pairs(page, files):
    upload(page, files / "ten.jsonl")
    start = time.monotonic()
    score_files(page)

    print(f"10,000 pairs: {time.monotonic() - start:.2f} s to the report")


def test_markup_in_the_texts_stays_text_and_arabic_runs_from_right_to_left(page, tmp_path):
    go_to(page, "en", 0)
    type_pair(page, ARABIC, ARABIC)
    page.locator("#try-pair", has_text="مجلس").wait_for()
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
