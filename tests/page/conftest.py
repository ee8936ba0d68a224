"""The page, served as a Space serves it, in a browser."""

import pytest


class Window:
    """A window of a visitor who speaks a language, with what went wrong in it."""

    def __init__(self, browser, address, locale):
        from report_browser import PATIENCE

        self.address, self.locale = address, locale
        self.context = browser.new_context(locale=locale, accept_downloads=True, reduced_motion="reduce")
        self.problems = []
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("console", lambda message: message.type == "error" and self.problems.append(message.text))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.problems.append(dialog.message), dialog.dismiss()))
        self.page.on(
            "request",
            lambda request: (
                request.url.startswith((address, "data:", "blob:", "about:")) or self.problems.append(request.url)
            ),
        )

    def load(self, query="", ready="#try-scores table", color_scheme="light"):
        """The page that a link opens."""
        from page_visits import TABS
        from report_browser import wait_until_still

        self.page.goto("about:blank")
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
        problems, self.problems[:] = self.problems[:], []
        assert problems == []


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """Address of the page, and the path of what it prints."""
    from page_server import running_page
    from report_browser import chromium_path

    chromium_path()  # no server where there is no browser
    with running_page(tmp_path_factory.mktemp("page")) as (address, _, printed):
        yield address, printed


@pytest.fixture(scope="module")
def windows(browser, server):
    """Opens windows; there is one for all tests that open the page anew in a language, as the first page is slow."""
    opened = {}

    def window(locale, use="anew"):
        if (locale, use) not in opened:
            opened[locale, use] = Window(browser, server[0], locale)
        return opened[locale, use]

    yield window
    for each in opened.values():
        each.context.close()


@pytest.fixture
def opened(windows, server):
    """Opens the page."""
    used = set()

    def open_page(query="", *, locale="en-US", **options):
        used.add(windows(locale))
        return windows(locale).load(query, **options)

    yield open_page
    for window in used:
        window.page.evaluate("localStorage.clear()")
        window.check()
    assert "Traceback" not in server[1].read_text(encoding="utf-8")


@pytest.fixture
def page(windows, server):
    """The page in English, without files, for tests that choose no settings and store nothing."""
    from page_visits import remove_files

    window = windows("en-US", "for all")
    if window.page.url == "about:blank":
        window.load()
    remove_files(window.page)
    yield window.page
    window.check()
    assert "Traceback" not in server[1].read_text(encoding="utf-8")
