"""How the report of files is looked at stands in the page's address; notes and stars are kept by the page."""

import json
import re

import pytest
import report_file
from news import EXAMPLES
from page_visits import (
    choose_convention,
    go_to,
    report_of,
    score_again,
    score_example,
    score_files,
    show_match,
    speak_chinese,
    upload,
)
from report_browser import saved, wait_for_table, wait_for_value

EXAMPLE = EXAMPLES / "en_news.jsonl"

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("page"),
    pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning"),
]


def look_at(page, report):
    """Change the type, search, open a sample; returns the address that says so, and the sample's name."""
    report.locator("#type").select_option(label="rouge2")
    report.locator("#search").fill("school")
    report.locator("#samples tbody tr").nth(1).wait_for()
    wait_for_table(report)
    report.locator("#samples [data-row]").nth(1).click()
    page.wait_for_function("new URLSearchParams(location.hash.slice(1)).get('view')?.includes('sample=')")
    return page.url, report.locator("#pair-title").inner_text()


def is_looked_at(report, title):
    report.locator("#pair-title", has_text=title).wait_for()
    report.locator("#pair-close").click()
    assert report.locator("#type").evaluate("each => each.selectedOptions[0].text") == "rouge2"
    assert report.locator("#search").input_value() == "school"


def stored(page):
    return page.evaluate("Object.entries(localStorage).filter(([key]) => key.startsWith('polyrouge-notes-'))")


def key_of(page):
    return page.locator(".pr-report").get_attribute("data-key")


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_a_link_shows_the_report_as_it_was_once_its_files_are_there(opened, server, locale):
    language = locale[:2]
    page = opened(locale=locale)
    go_to(page, language, 1)
    upload(page, EXAMPLE)
    choose_convention(page, "file", "rouge_score")
    url, title = look_at(page, score_files(page))
    assert "school" not in url.split("#")[0]  # what is behind # does not leave the browser

    again = opened(url.removeprefix(server[0]), locale=locale, ready="#file-asked .pr-info")
    asked = again.locator("#file-asked").inner_text()
    assert "en_news.jsonl" in asked
    assert ("“Use the example”" in asked) == (language == "en")  # of which the button gives another in Chinese
    assert "34" in asked
    upload(again, EXAMPLE)
    wait_for_value(again.locator("#file-choice input"), re.compile({"en": "^English", "zh": "^英文"}[language]))
    is_looked_at(score_files(again), title)
    shown = {"en": "in the linked view", "zh": "已按链接中的样子"}[language]
    again.locator("#file-asked", has_text=shown).wait_for()


def test_other_files_than_those_of_the_link_open_from_the_beginning(opened, server):
    url = "#report=0123456789abcdef&file=%3Cb%3Ea.jsonl&rows=7&settings=convention%3Dnope&view=search%3Dx"
    page = opened(url, ready="#file-asked .pr-info")
    assert "<b>a.jsonl (7 rows)" in page.locator("#file-asked").inner_text()
    page.locator("#file-note", has_text="convention=nope").wait_for()
    report = score_example(page)

    page.locator("#file-asked", has_text="other texts or settings").wait_for()
    page.locator(".pr-is-asked", has_text="other texts or settings").wait_for()  # where it is seen
    assert report.locator("#search").input_value() == ""
    page.locator("#file-remove").click()
    page.locator("#file-asked", has_text="upload them below").wait_for()
    page.wait_for_function("!location.href.includes('#')")
    assert server[0] in page.url


def test_the_view_stays_when_the_same_files_are_scored_again(opened):
    page = opened()
    go_to(page, "en", 1)
    report = score_example(page)
    url, title = look_at(page, report)
    report.locator("#pair-close").click()

    go_to(page, "en", 0)
    go_to(page, "en", 1)
    assert report.locator("#search").input_value() == "school"
    speak_chinese(page)
    report.locator("main th", has_text="系统").first.wait_for()
    assert report.locator("#search").input_value() == "school"
    report.locator("#samples [data-row]").nth(1).click()
    page.wait_for_function("location.hash.includes('sample')")
    page.wait_for_url(url)
    score_again(page)
    is_looked_at(report, title.split()[-1])


def test_both_links_stand_in_the_address(opened):
    page = opened()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("#try-more [data-link]").click()
    page.wait_for_function("location.search.includes('prediction=')")
    search = page.evaluate("location.search")
    go_to(page, "en", 1)
    report = score_example(page)
    page.wait_for_function("location.hash.includes('report=')")
    assert page.evaluate("location.search") == search

    go_to(page, "en", 0)
    show_match(page, "rougeL")
    page.locator("#try-more [data-link]").click()
    page.locator("#try-more [data-link]", has_text="Copied").wait_for()
    assert "view=rougeL" in page.evaluate("location.search")
    assert "report=" in page.evaluate("location.hash")
    assert page.evaluate("navigator.clipboard.readText()") == page.url.split("#")[0]

    # Another link in the address is followed.
    go_to(page, "en", 1)
    page.evaluate("location.hash += '&view=' + encodeURIComponent('search=school&type=rougeL')")
    page.frames[1].wait_for_function("document.getElementById('search').value === 'school'")
    assert report.locator("#type").evaluate("each => each.selectedOptions[0].text") == "rougeL"

    # The link is copied with what it holds.
    assert "Your files are not in it" in page.locator(".pr-tools").inner_text()
    report.locator("#search").fill("bridge")
    page.wait_for_function("location.hash.includes('bridge')")
    page.locator(".pr-copy").click()
    page.locator(".pr-copy", has_text="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == page.url

    report.locator("#search").fill("x" * 6_001)  # too long for a link
    page.wait_for_function("!location.hash.includes('bridge')")
    assert "view=" not in page.evaluate("location.hash")
    page.locator(".pr-copy").click()
    page.locator(".pr-copy", has_text="too long").wait_for()


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
    assert stored_as == f"polyrouge-notes-{key_of(page)}"
    assert json.loads(value)[0][1] == {"star": True, "note": note}
    assert "This browser does not keep" not in report.locator("#note-line").inner_text()

    score_again(page)
    report.locator("#note-line", has_text="Stars: 1. Notes: 1.").wait_for()
    report.locator("[data-row]", has_text=name).click()
    assert report.locator("#pair-note").input_value() == note
    written = saved(page, page.locator("#file-report")).decode()
    assert report_file.index_of(written)["key"] == key_of(page)  # that of the report as a file
    notes = report_of(page).evaluate("() => document.documentElement.dataset.notes")
    assert json.loads(notes) == json.loads(value)

    report.locator("#pair-note").fill("")
    report.locator("#pair-close").click()
    report.locator("[data-star][aria-pressed=true]").first.click()
    page.wait_for_function("!Object.keys(localStorage).some((each) => each.startsWith('polyrouge-notes-'))")

    check_what_is_kept(page)
    check_a_browser_that_keeps_nothing(page, report)


def check_what_is_kept(page):
    """What is no note or comes from elsewhere is not kept; a note is, without what else is there."""
    before = page.url
    bad = [
        "null",
        "{}",
        "no JSON",
        '[["1", {"star": true, "note": ""}]]',
        '[[1, {"star": 1, "note": ""}]]',
        '[[1, {"star": true, "note": 5}]]',
        "[[1]]",
        json.dumps([[1, {"star": True, "note": "x" * 1_000_000}]]),
    ]
    frame = report_of(page)
    for value in bad:
        frame.evaluate("value => parent.postMessage({ kind: 'notes', value }, '*')", value)
    frame.evaluate("parent.postMessage(null, '*')")
    frame.evaluate("parent.postMessage({ kind: 'link', value: { toString: () => 'x' }.length }, '*')")
    frame.evaluate("parent.postMessage({ kind: 'other', value: 'x' }, '*')")
    good = '[[1, {"star": true, "note": "mine"}]]'
    # Another frame, and the page itself, say the same as the report would.
    page.evaluate(
        """(value) => {
          const other = document.createElement("iframe");
          let received = 0;
          const all = new Promise((resume) => addEventListener("message", ({ source }) => {
            if (source === window || source === other.contentWindow) received += 1;
            if (received === 3) resume();
          }));
          window.postMessage({ kind: "notes", value }, "*");
          other.setAttribute("sandbox", "allow-scripts");
          other.srcdoc = `<script>parent.postMessage({ kind: "notes", value: ${JSON.stringify(value)} }, "*");
            parent.postMessage({ kind: "link", value: "evil" }, "*")<` + "/script>";
          document.body.append(other);
          return all;
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


def check_a_browser_that_keeps_nothing(page, report):
    """It says so."""
    page.evaluate(
        "() => { localStorage.clear(); Storage.prototype.setItem = () => { throw new DOMException('full'); }; }"
    )
    report.locator("#samples [data-star]").first.click()

    report.locator("#note-line", has_text="This browser does not keep them").wait_for()
    assert stored(page) == []
