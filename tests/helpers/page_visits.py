"""What a visitor of the page does: opens tabs, types texts, uploads files, scores them."""

import time
from contextlib import suppress

from report_browser import PATIENCE, WatchedPage, wait_until_still

TABS = {
    "en": ["Try it", "Score files", "Compare conventions"],
    "zh": ["试一试", "给文件打分", "评分规则对比"],
}


_SOON = 3000  # milliseconds; then the tab has moved, and is looked for again


class Window(WatchedPage):
    """A window of a visitor who speaks a language, with what went wrong in it."""

    def __init__(self, browser, address, locale):
        options = {"accept_downloads": True, "reduced_motion": "reduce"}
        super().__init__(browser, locale, kinds=("error",), **options)
        self.address, self.locale = address, locale

    def load(self, query="", ready="#try-scores table", color_scheme="light"):
        """The page that a link opens."""
        self.no_problems()
        self.page.goto("about:blank")
        self.problems.clear()  # as a page is left, Gradio prints an AbortError for each stream that it closes
        self.page.emulate_media(color_scheme=color_scheme)
        self.page.goto(self.address + query)
        self.page.wait_for_selector(ready)
        self.page.wait_for_function("lang => document.documentElement.lang === lang", arg=self.locale[:2])
        if self.locale.startswith("zh"):
            self.page.get_by_role("tab", name=TABS["zh"][0]).wait_for()
        wait_until_still(self.page)
        return self.page

    def check(self):
        """Since the last check it has made no error and asked for nothing from elsewhere."""
        self.no_problems()
        requests, self.requests[:] = self.requests[:], []
        assert [url for url in requests if not url.startswith((self.address, "data:", "blob:", "about:"))] == []


# Whether the tab of a name is the open one, in the row or in the menu.
_IS_OPEN = """name => [...document.querySelectorAll(
  "#page-tabs [role=tab][aria-selected=true], #page-tabs .overflow-dropdown button.selected"
)].some((tab) => tab.innerText.trim() === name || tab.textContent.trim() === name)"""


def go_to(page, language, place):
    """Open a tab, from the menu where the window is narrow: tabs move there and back for a while after a new width."""
    from playwright.sync_api import TimeoutError as HasMoved

    name = TABS[language][place]
    tabs = page.locator("#page-tabs")
    in_row = tabs.get_by_role("tab", name=name, exact=True)
    in_menu = tabs.locator(".overflow-dropdown").get_by_text(name, exact=True)
    end = time.monotonic() + PATIENCE / 1000
    while not page.evaluate(_IS_OPEN, name):
        assert time.monotonic() < end, f"{name} did not open"
        with suppress(HasMoved):
            if not in_row.first.is_visible() and not in_menu.is_visible():
                tabs.locator(".overflow-menu > button").click(timeout=_SOON)
            (in_row.first if in_row.first.is_visible() else in_menu).click(timeout=_SOON)


def type_pair(page, prediction, references):
    """Type both texts of the first tab."""
    page.locator("#try-prediction textarea").fill(prediction)
    page.locator("#try-references textarea").fill(references)


def show_match(page, rouge_type):
    """Show what a type has matched in the first tab."""
    page.locator(f"#try-scores [data-view={rouge_type}] button").click()
    page.locator(f"#try-pair [data-view={rouge_type}]").wait_for()


def choose_convention(page, tab, label, exact=False):
    page.locator(f"#{tab}-choice input").click()
    page.get_by_role("option", name=label, exact=exact).first.click()


def upload(page, *paths, note=None):
    """Upload files, and wait until the note names the last one, or says something else."""
    page.locator("#file-upload input[type=file]").set_input_files([str(path) for path in paths])
    page.locator("#file-note", has_text=note or paths[-1].name).wait_for()


def score_example(page):
    page.locator("#file-example").click()
    page.locator("#file-note", has_text="prediction_b").wait_for()
    return score_files(page)


def score_files(page):
    """Score what is uploaded; gives the frame of the report, once its samples are there."""
    page.locator("#file-run").click()
    report = page.frame_locator("#file-frame iframe")
    report.locator("#samples tbody tr").first.wait_for()
    return report


def score_again(page):
    """Score the files once more, until another report has taken the place of the one that is there."""
    page.locator("#file-frame iframe").evaluate("(frame) => { frame.dataset.before = ''; }")
    page.locator("#file-run").click()
    page.locator("#file-frame iframe:not([data-before])").wait_for()


def report_of(page):
    """The report's document, as the functions of report_browser take it."""
    page.locator("#file-frame iframe").wait_for()
    (frame,) = page.frames[1:]
    frame.wait_for_selector("#samples tbody tr")
    return frame
