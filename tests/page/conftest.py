"""The page, served as a Space serves it, in a browser."""

import re

import pytest


def check_log(printed):
    """The server has met no error; else the test says which."""
    said = printed.read_text(encoding="utf-8")
    found = re.search(r"Traceback|\(its message may hold", said)  # of the server, or as polyrouge.page.log writes it
    assert not found, said[max(0, found.start() - 3000) :][:5000]


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
    from page_visits import Window

    opened = {}

    def window(locale):
        if locale not in opened:
            opened[locale] = Window(browser, server[0], locale)
        return opened[locale]

    yield window
    for each in opened.values():
        each.close()


@pytest.fixture
def opened(windows, server):
    """Opens the page."""
    used = set()

    def open_page(query="", *, locale="en-US", **options):
        used.add(windows(locale))
        return windows(locale).load(query, **options)

    yield open_page
    check_log(server[1])
    for window in used:
        window.page.evaluate("localStorage.clear()")
        window.check()
