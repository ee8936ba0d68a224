"""A real browser for the tests of pages: headless Chromium, driven by Playwright, without a download."""

import os
import re
import shutil
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

REQUIRED = "POLYROUGE_REQUIRE_ALL"
PATIENCE = 300_000  # milliseconds; waits are for conditions, and this only ends those that never come true
_NAMES = ("chromium", "chromium-browser", "google-chrome")


_AXE = """async (coloursOf) => {
  const rules = { "color-contrast": { enabled: false } };
  const { violations } = await axe.run(document, { resultTypes: ["violations"], rules });
  const colours = await axe.run(coloursOf, { resultTypes: ["violations"], runOnly: ["color-contrast"] });
  return [...violations, ...colours.violations];
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
    """Until nothing has moved between two looks."""
    page.evaluate("delete window.lookBefore")
    page.wait_for_function(_IS_STILL, polling=100)


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
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        is_root = getattr(os, "geteuid", lambda: 1)() == 0
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"] if is_root else [])
        yield browser
        browser.close()


class WatchedPage:
    """A page of a browser that notes what it must not do: errors, dialogs, and requests."""

    def __init__(self, browser, locale="en-US", kinds=None, **options):
        """``kinds``: of messages on the console that are problems; all by default."""
        self.context = browser.new_context(locale=locale, **options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.kinds, self.problems = kinds, []
        self.requests: list[str] = []
        self.page.on("console", self._note)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.problems.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def _note(self, said):
        if self.kinds is None or said.type in self.kinds:
            self.problems.append(f"{said.text} ({said.location.get('url')})")

    def no_problems(self):
        """Nothing went wrong since the last check."""
        problems, self.problems[:] = self.problems[:], []
        assert problems == []

    def close(self):
        self.context.close()


class ReportPage(WatchedPage):
    """A page for reports from disk."""

    def load(self, path, hash_part=""):
        """Open a report, by a link to it."""
        self.page.goto("about:blank")
        self.requests.clear()
        self.url = path.as_uri()
        self.page.goto(f"{self.url}#{hash_part}" if hash_part else self.url)
        self.page.wait_for_selector("html[data-ready]")
        self.page.wait_for_selector("#samples tbody tr")

    def check(self):
        """Nothing went wrong since the last check, and it asked for nothing but the report."""
        self.no_problems()
        assert {url.split("#")[0] for url in self.requests if not url.startswith("blob:")} == {self.url}


_FOLLOW = """async (hash) => {
  const followed = new Promise((resume) => addEventListener("hashchange", resume, { once: true }));
  location.hash = hash;
  await followed;
}"""


def follow_link(page, hash_part) -> None:
    """Open a link to another state of the report that is shown."""
    page.evaluate(_FOLLOW, hash_part)
    wait_for_table(page)


def show_in(page, *, width=1280, height=720, color_scheme="light") -> None:
    """Show a report, whose theme follows the system, in a window of a size."""
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(media="screen", color_scheme=color_scheme)
    page.wait_for_selector(f"html[data-theme={color_scheme}]")
    page.evaluate("() => new Promise(requestAnimationFrame)")  # it has noticed its width by then
    wait_for_table(page)


class Reports:
    """Reports in a browser: each is opened once for all tests that only look at it."""

    def __init__(self, browser):
        self._browser = browser
        self._pages: dict[tuple[str, Path | None], ReportPage] = {}

    def open(self, path, hash_part="", *, anew=False, locale="en-US", **window):
        """The page of a report at its beginning, in a window as ``show_in`` makes it.

        It is loaded ``anew`` for a test that stores something in the browser, follows a link, or speaks Chinese.
        """
        is_loaded = anew or hash_part or locale != "en-US"
        key = locale, None if is_loaded else path  # one page loads many: the first that a page loads takes much longer
        if key not in self._pages:
            is_loaded = True
            self._pages[key] = ReportPage(self._browser, locale)
        page = self._pages[key].page
        if is_loaded:
            self._pages[key].load(path, hash_part)
        show_in(page, **window)
        if not is_loaded:
            page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0); }")
            follow_link(page, "nothing=here")  # which shows the beginning, as a test of links holds
        return page

    def end_test(self):
        """Check all that is open; nothing stays stored."""
        for (_, path), shown in self._pages.items():
            if path is None:
                shown.page.evaluate("localStorage.clear()")
            shown.check()

    def close(self):
        for shown in self._pages.values():
            shown.close()


def accessibility_problems(page, colours_of: str = "body") -> list[tuple[str, list]]:
    """What axe-core finds wrong on the page as it is now, and in the colours of an element: rules and elements."""
    from axe_playwright_python.base import AXE_FILE_PATH

    wait_until_still(page)
    # By the protocol of the debugger, as the policy of the page lets no other script in.
    if page.evaluate("!window.axe"):
        page.evaluate(AXE_FILE_PATH.read_text("utf-8"))
    found = page.evaluate(_AXE, colours_of)
    return [(each["id"], [node["target"] for node in each["nodes"]]) for each in found]


def wait_for_table(page) -> None:
    """Until the samples of a report, and what is drawn of them, are those that were chosen or typed."""
    page.locator('#samples[aria-busy="false"]').wait_for(state="attached")


def shown_names(page) -> list[str]:
    """The names of the samples that are drawn, in order."""
    wait_for_table(page)
    return page.locator("#samples tbody th").all_inner_texts()


def count_of(page) -> int:
    """How many samples are left by the filters."""
    wait_for_table(page)
    return int(page.locator("#count").inner_text().replace(",", "").split()[0])


def sort_by(page, key: str, order: str = "ascending") -> None:
    """Sort the samples by a column, which gives an order."""
    # Typing draws the head anew after a while; a press and its release on two buttons would be no click.
    page.locator(f"[data-sort={key}]").dispatch_event("click")
    page.locator(f"th[aria-sort={order}] [data-sort={key}]").wait_for()


def open_sample(page, name: str) -> None:
    """Open a sample by its name."""
    page.locator("#samples tbody [data-row]", has_text=re.compile(f"^{re.escape(name)}$")).click()
    page.locator("#pair-content .texts").wait_for()


def show_view(page, view: int) -> None:
    """Show another type of the sample that is open."""
    page.locator(f"#view-{view}").check(force=True)


# Turn to the next sample, and wait until it is drawn; false at the last one.
_NEXT = """async () => {
  const next = document.getElementById("pair-next");
  if (next.disabled) return false;
  const before = document.getElementById("pair-title").textContent;
  next.click();
  while (document.getElementById("pair-title").textContent === before) await new Promise(requestAnimationFrame);
  return true;
}"""


def turn(page) -> bool:
    """Turn to the next sample; whether there was one."""
    return page.evaluate(_NEXT)


def open_details(page) -> None:
    """Unfold everything but menus."""
    page.locator("details:not(.menu)").evaluate_all("all => all.forEach((each) => { each.open = true; })")


def saved(page, button) -> bytes:
    """The file that a button saves; clicked again if it was drawn anew under the click, as Gradio does."""
    from playwright.sync_api import TimeoutError as NoDownload

    for last in (False, True):
        with suppress(*([] if last else [NoDownload])):
            with page.expect_download(timeout=PATIENCE if last else PATIENCE / 10) as download:
                button.click()
            return Path(download.value.path()).read_bytes()
    raise AssertionError("no file was saved")


def saved_from(page, place: str, kind: str, name: str | None = None) -> bytes:
    """The file that an entry of the menu in a place of the report saves, the first or that of a table or figure."""
    page.locator(f"{place} .menu summary").first.click()
    of = f"[aria-label='{name}'] " if name else ""
    return saved(page, page.locator(f"{place} {of}[data-save='{kind}']").first)


def load_again(page) -> None:
    """Open the link in the address as a visitor would."""
    link = page.url
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_selector("html[data-ready]")
