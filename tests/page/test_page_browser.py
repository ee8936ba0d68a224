"""The page in a real browser, served by ``python app.py``."""

import json
import time

import pytest
import report_file
from command_runs import write_rows
from news import EXAMPLES, news
from page_visits import (
    choose_convention,
    go_to,
    report_of,
    score_again,
    score_example,
    score_files,
    show_match,
    type_pair,
    upload,
)
from report_browser import PATIENCE, accessibility_problems, saved, wait_for_table, wait_until_still

from polyrouge import Rouge
from polyrouge.page.choices import Choice
from polyrouge.page.score_views import score_pair, split_references
from polyrouge.page.text_tabs import example_texts

ARABIC = "أعلن مجلس المدينة يوم الثلاثاء خطة جديدة لتطوير الميناء القديم."
LONG_CHINESE = "今年上半年全市地区生产总值同比增长百分之五点八消费市场明显回暖" * 4
PHONE = {"width": 390, "height": 844}
pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("page"),
    pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning"),
]


def test_what_is_typed_and_set_is_scored_and_shown(opened):
    page = opened()
    prediction, references = example_texts("en")
    scored = score_pair(prediction, split_references(references), Choice("default"))
    parts = [(f"{name}_precision", f"{name}_recall", name) for name in scored.names()]
    rows = page.locator("#try-scores tbody tr").all()
    shown = {row.locator("th button").inner_text(): row.locator(".pr-measure").all_inner_texts() for row in rows}
    assert shown == {names[-1]: [f"{scored.scores[each]:.2f}" for each in names] for names in parts}
    page.set_viewport_size({"width": 1400, "height": 800})
    wait_until_still(page)
    bottom = "each => each.getBoundingClientRect().bottom + scrollY"
    assert page.locator("#try-scores").evaluate(bottom) <= 800  # no click, no scrolling

    for rouge_type in ("rougeL", "rouge2"):
        show_match(page, rouge_type)
        marks = page.locator(f"#try-pair [data-view={rouge_type}] section:first-child mark")
        assert page.locator("#try-pair [data-view]:visible").count() == 1
        marks.nth(1).hover()
        lit = page.locator("#try-pair .pr-lit").all_inner_texts()
        assert lit == lit[: len(lit) // 2] * 2  # with its twin
        assert marks.nth(1).inner_text() in lit
    page.locator("#try-more summary", has_text="Python").click()

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

    type_pair(page, "１２", "12")
    page.locator("#try-status", has_text="Switch on NFKC").wait_for()
    page.locator("#try-settings > button").click()
    page.locator("#try-settings").get_by_label("NFKC").check()
    page.locator("#try-scores", has_text="100.00").wait_for()
    page.locator("#try-references textarea").fill("")
    page.locator("#try-status .pr-soft").wait_for()
    assert page.locator("#try-scores, #try-pair, #try-more").filter(visible=True).count() == 0


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
    page.locator("#try-prediction textarea").fill("戊")
    page.wait_for_function("!location.search.includes('prediction')")  # the link is no longer to what is shown

    page = opened(f"{link.removeprefix(server[0])}&rule=nope", locale="zh-CN")
    page.locator("#try-link", has_text="rule=nope").wait_for()


def test_a_report_is_gone_with_its_file(opened, tmp_path):
    page = opened(locale="zh-CN")
    go_to(page, "zh", 1)
    score_example(page)
    page.locator("#file-remove").click()
    page.locator("#file-frame iframe").wait_for(state="detached")
    page.wait_for_function("!document.getElementById('file-status').innerText.trim()")

    path = tmp_path / "表.csv"
    path.write_bytes("预测,参考\r\n云渡市经济增长,云渡市上半年经济增长\r\n".encode("gb18030"))
    upload(page, path, note="GB18030")
    score_files(page)
    upload(page, path)  # again
    page.locator("#file-frame iframe").wait_for(state="detached")


def test_cancel_stops_a_job(opened, tmp_path):
    rows = ({"prediction": f"{LONG_CHINESE}{n}", "reference": f"{LONG_CHINESE[::-1]}{n}"} for n in range(18_000))
    write_rows(tmp_path / "slow.jsonl", rows)
    page = opened()
    go_to(page, "en", 1)
    upload(page, tmp_path / "slow.jsonl")
    page.locator("#file-run").click()
    page.locator("#file-cancel").click()
    page.locator("#file-status", has_text="Cancelled").wait_for()
    page.locator("#file-cancel").wait_for(state="hidden")
    assert page.locator("#file-frame iframe").count() == 0


def test_every_tab_is_whole_in_each_look_and_on_a_phone(opened):
    page = opened(color_scheme="dark")
    window = page.viewport_size
    type_pair(page, LONG_CHINESE + ARABIC, LONG_CHINESE[::-1] + "x" * 400)
    page.locator("#try-pair", has_text="xxxx").wait_for()
    for tab in range(3):
        page.set_viewport_size(PHONE)
        go_to(page, "en", tab)
        if tab == 1:
            score_example(page)
        elif tab == 2:
            page.locator("#conventions-table .pr-words", has_text="counts distinct n-grams").first.wait_for()
        wait_until_still(page)
        for shown in [page, *([report_of(page)] if tab == 1 else [])]:
            assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth"), tab
        page.set_viewport_size(window)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.wait_for_function("dark => document.body.classList.contains('dark') === dark", arg=scheme == "dark")
            assert accessibility_problems(page) == []


def test_the_report_is_shown_without_rights_and_can_be_taken_along(opened):
    page = opened()
    go_to(page, "en", 1)
    report = score_example(page)
    frame = page.locator("#file-frame iframe")

    assert set(frame.get_attribute("sandbox").split()) == {"allow-scripts", "allow-downloads", "allow-popups"}
    parent = "() => { try { return parent.document.title; } catch (error) { return error.name; } }"
    assert report_of(page).evaluate(parent) == "SecurityError"
    report.locator("#sample-exports summary").click()
    samples = saved(page, report.locator("#sample-exports [data-save=CSV]")).decode("utf-8-sig")  # out of the frame
    assert samples.count(news("en")[0]["prediction"]) == 1
    written = saved(page, page.locator("#file-report")).decode()
    assert written.startswith("<!doctype html>")
    assert report_of(page).locator("#index").text_content() in written


def stored(page):
    """The notes that the page keeps: keys and values."""
    return page.evaluate("Object.entries(localStorage).filter(([key]) => key.startsWith('polyrouge-notes-'))")


def test_a_link_shows_the_report_as_it_was_once_its_files_are_there(opened, server):
    example = EXAMPLES / "en_news.jsonl"
    page = opened(locale="zh-CN")
    go_to(page, "zh", 1)
    upload(page, example)
    choose_convention(page, "file", "rouge_score")
    report = score_files(page)
    report.locator("#type").select_option(label="rouge2")
    report.locator("#search").fill("school")
    report.locator("#samples tbody tr").nth(1).wait_for()
    wait_for_table(report)
    report.locator("#samples [data-row]").nth(1).click()
    page.wait_for_function("new URLSearchParams(location.hash.slice(1)).get('view')?.includes('sample=')")
    url, title = page.url, report.locator("#pair-title").inner_text()
    assert "school" not in url.split("#")[0]  # what is behind # does not leave the browser

    again = opened(url.removeprefix(server[0]), locale="zh-CN", ready="#file-asked .pr-info")
    asked = again.locator("#file-asked").inner_text()
    assert "en_news.jsonl" in asked
    assert "34" in asked
    upload(again, example)
    again.wait_for_function("document.querySelector('#file-choice input').value.startsWith('英文')")
    report = score_files(again)
    report.locator("#pair-title", has_text=title).wait_for()
    report.locator("#pair-close").click()
    assert report.locator("#type").evaluate("each => each.selectedOptions[0].text") == "rouge2"
    assert report.locator("#search").input_value() == "school"
    again.locator("#file-asked", has_text="已按链接中的样子").wait_for()


def test_other_files_than_those_of_the_link_open_from_the_beginning(opened):
    url = "#report=0123456789abcdef&file=%3Cb%3Ea.jsonl&rows=7&settings=convention%3Dnope&view=search%3Dx"
    page = opened(url, ready="#file-asked .pr-info")
    assert "<b>a.jsonl (7 rows)" in page.locator("#file-asked").inner_text()
    report = score_example(page)

    page.locator("#file-asked", has_text="other texts or settings").wait_for()
    assert report.locator("#search").input_value() == ""


def test_notes_and_stars_are_kept_by_the_page(opened):
    page = opened()
    go_to(page, "en", 1)
    report = score_example(page)
    note = "odd $& <b>\"'\n&amp; 注"
    name = report.locator("#samples [data-row]").first.inner_text()
    report.locator("#samples [data-star]").first.click()
    report.locator("#samples [data-row]").first.click()
    report.locator("#pair-note").fill(note)
    page.wait_for_function("Object.values(localStorage).some((each) => each.includes('注'))")
    report.locator("#pair-close").click()
    ((stored_as, value),) = stored(page)
    key = page.locator(".pr-report").get_attribute("data-key")
    assert stored_as == f"polyrouge-notes-{key}"
    assert json.loads(value)[0][1] == {"star": True, "note": note}

    score_again(page)
    report.locator("#note-line", has_text="Stars: 1. Notes: 1.").wait_for()
    report.locator("[data-row]", has_text=name).click()
    assert report.locator("#pair-note").input_value() == note
    written = saved(page, page.locator("#file-report")).decode()
    assert report_file.index_of(written)["key"] == key  # that of the report as a file
    notes = report_of(page).evaluate("() => document.documentElement.dataset.notes")
    assert json.loads(notes) == json.loads(value)

    report.locator("#pair-note").fill("")
    report.locator("#pair-close").click()
    report.locator("[data-star][aria-pressed=true]").first.click()
    page.wait_for_function("!Object.keys(localStorage).some((each) => each.startsWith('polyrouge-notes-'))")

    check_what_is_kept(page)


def check_what_is_kept(page):
    """What is no note or comes from elsewhere is not kept; a note is, without what else is there."""
    before = page.url
    bad = ["no JSON", '[[1, {"star": true, "note": 5}]]', json.dumps([[1, {"star": True, "note": "x" * 1_000_000}]])]
    frame = report_of(page)
    for value in bad:
        frame.evaluate("value => parent.postMessage({ kind: 'notes', value }, '*')", value)
    good = '[[1, {"star": true, "note": "mine"}]]'
    # Another frame says the same as the report would.
    page.evaluate(
        """(value) => {
          const other = document.createElement("iframe");
          const received = new Promise((resume) => addEventListener("message", ({ source, data }) => {
            if (source === other.contentWindow && data.kind === "link") resume();
          }));
          other.setAttribute("sandbox", "allow-scripts");
          other.srcdoc = `<script>parent.postMessage({ kind: "notes", value: ${JSON.stringify(value)} }, "*");
            parent.postMessage({ kind: "link", value: "evil" }, "*")<` + "/script>";
          document.body.append(other);
          return received;
        }""",
        good,
    )
    assert stored(page) == []
    assert page.url == before
    frame.evaluate(
        "value => parent.postMessage({ kind: 'notes', value }, '*')", good.replace('"mine"', '"mine", "more": 1')
    )
    page.wait_for_function("Object.keys(localStorage).some((each) => each.startsWith('polyrouge-notes-'))")
    assert [json.loads(value) for _, value in stored(page)] == [[[1, {"star": True, "note": "mine"}]]]
