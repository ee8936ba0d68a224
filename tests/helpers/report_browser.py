"""A real browser for the tests of pages: headless Chromium, driven by Playwright, without a download."""

import os
import shutil
from contextlib import contextmanager

import pytest

REQUIRED = "POLYROUGE_REQUIRE_BROWSER"
PATIENCE = 300_000  # milliseconds; waits are for conditions, and this only ends those that never come true
_NAMES = ("chromium", "chromium-browser", "google-chrome")

# The contrast of each visible text with what is behind it, where it is less than WCAG 2 AA asks for.
LOW_CONTRAST = """() => {
  const parse = (colour) => {
    const numbers = colour.match(/[\\d.]+/g).map(Number);
    return numbers.length === 4 ? numbers : [...numbers, 1];
  };
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
  const behind = (element) => {
    if (!element) return [255, 255, 255, 1];
    const own = parse(getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own : over(own, behind(element.parentElement));
  };
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let seen = 0;
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const hidden = !walker.currentNode.data.trim() || element.closest("script,style,noscript,:disabled,title");
    if (hidden || !element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    const back = behind(element);
    const front = over(parse(element.closest("svg") ? style.fill : style.color), back);
    const [high, low] = [light(front), light(back)].sort((a, b) => b - a);
    const ratio = (high + 0.05) / (low + 0.05);
    seen += 1;
    if (ratio < 4.5) found.push([walker.currentNode.data.slice(0, 30), ratio]);
  }
  return [seen, found];
}"""

# Whether the text and width of the page are those of the look before, and no transition is under way.
_IS_STILL = """() => {
  const now = [document.body.innerText, document.documentElement.scrollWidth].join();
  const moving = document.getAnimations().some(
    (each) => each.playState === "running" && each.effect.getComputedTiming().endTime !== Infinity
  );
  const still = now === window.lookBefore && !moving;
  window.lookBefore = now;
  return still;
}"""


def wait_until_still(page) -> None:
    """Until nothing has moved between two looks, half a second apart."""
    page.evaluate("delete window.lookBefore")
    page.wait_for_function(_IS_STILL, polling=500)


def wait_for_text(locator, text: str) -> None:
    """Until a text, and nothing else, is shown; what a server answers comes in several steps."""
    from playwright.sync_api import expect

    expect(locator).to_have_text(text, use_inner_text=True, timeout=PATIENCE)


def wait_for_value(locator, value) -> None:
    """Until a field holds a value, or a text that a compiled pattern finds."""
    from playwright.sync_api import expect

    expect(locator).to_have_value(value, timeout=PATIENCE)


def wait_for_attribute(locator, name: str, value: str) -> None:
    """Until an element has an attribute with a value."""
    from playwright.sync_api import expect

    expect(locator).to_have_attribute(name, value, timeout=PATIENCE)


def low_contrast(page, more_than: int = 0) -> list:
    """Texts with less contrast than WCAG 2 AA asks for, as soon as more texts than ``more_than`` are drawn."""
    page.wait_for_function(f"least => ({LOW_CONTRAST})()[0] > least", arg=more_than)
    wait_until_still(page)
    return page.evaluate(LOW_CONTRAST)[1]


def chromium_path() -> str:
    """Path of the browser; skips the test where there is none, or fails it where one is asked for."""
    path = next(filter(None, map(shutil.which, _NAMES)), None)
    if path is None:
        reason = f"needs one of {', '.join(_NAMES)} on the PATH (Debian: apt-get install chromium fonts-noto-cjk)"
        if os.environ.get(REQUIRED):
            pytest.fail(f"{REQUIRED} is set, but this test {reason}")
        pytest.skip(reason)
    return path


@contextmanager
def chromium():
    """The browser, running."""
    path = chromium_path()
    if not os.environ.get(REQUIRED):
        pytest.importorskip("playwright", reason="needs playwright for Python")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        is_root = getattr(os, "geteuid", lambda: 1)() == 0
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"] if is_root else [])
        yield browser
        browser.close()


class OpenPage:
    """A page opened from disk that notes what it must not do."""

    def __init__(self, browser, path, **context):
        self._context = browser.new_context(**{"locale": "en-US", **context})
        self.page = self._context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.problems: list[str] = []
        self.requests: list[str] = []
        self.answered: list[str] = []
        self.page.on("console", lambda message: self.problems.append(message.text))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("dialog", self._refuse)
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("requestfinished", lambda request: self.answered.append(request.url))
        self.url = path.as_uri()
        self.page.goto(self.url)
        self.page.wait_for_selector("html[data-ready]")
        self.page.wait_for_selector("#samples tbody tr")

    def _refuse(self, dialog):
        self.problems.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def close(self):
        self._context.close()


def accessibility_problems(page) -> list[tuple[str, list]]:
    """What axe-core finds wrong on the page as it is now: the rule and the elements."""
    pytest.importorskip("axe_playwright_python", reason="needs axe-playwright-python")
    from axe_playwright_python.base import AXE_FILE_PATH

    wait_until_still(page)
    # By the protocol of the debugger, as the policy of the page lets no other script in.
    page.evaluate(AXE_FILE_PATH.read_text("utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [(each["id"], [node["target"] for node in each["nodes"]]) for each in found["violations"]]


def wait_for_table(page) -> None:
    """Until the samples of a report, and what is drawn of them, are those that were chosen or typed."""
    page.locator('#samples[aria-busy="false"]').wait_for(state="attached")


@contextmanager
def report_opener(browser):
    """Opens reports by path, with what may stand behind # of a link; at the end none may have asked for anything."""
    pages = []

    def open_report(path, hash_part="", **context):
        pages.append(OpenPage(browser, path, **context))
        page = pages[-1].page
        if hash_part:
            page.goto(f"{path.as_uri()}#{hash_part}")
            page.reload()
            page.wait_for_selector("html[data-ready]")
        return page

    yield open_report
    for each in pages:
        assert each.problems == []
        assert {url.split("#")[0] for url in each.requests if not url.startswith("blob:")} == {each.url}  # its own PNG
        each.close()
