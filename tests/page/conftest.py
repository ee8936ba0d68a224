"""The page, served as a Space serves it, in a browser."""

import pytest
from page_server import running_page
from page_visits import TABS
from report_browser import PATIENCE, wait_until_still


@pytest.fixture(scope="module")
def server(tmp_path_factory, browser):  # noqa: ARG001 no server where there is no browser
    with running_page(tmp_path_factory.mktemp("page")) as (address, _, printed):
        yield address, printed


@pytest.fixture
def opened(browser, server):
    """Opens the page; at the end it may have made no error and asked for nothing from elsewhere."""
    address, printed = server
    contexts = []

    def open_page(query="", *, locale="en-US", ready="#try-scores table", **options):
        context = browser.new_context(locale=locale, accept_downloads=True, **options)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        problems = []
        page.on("console", lambda message: message.type == "error" and problems.append(message.text))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("dialog", lambda dialog: (problems.append(dialog.message), dialog.dismiss()))
        page.on(
            "request",
            lambda request: request.url.startswith((address, "data:", "blob:")) or problems.append(request.url),
        )
        contexts.append((context, problems))
        page.goto(address + query)
        page.wait_for_selector(ready)
        page.wait_for_function("lang => document.documentElement.lang === lang", arg=locale[:2])
        if locale.startswith("zh"):
            page.get_by_role("tab", name=TABS["zh"][0]).wait_for()
        wait_until_still(page)
        return page

    yield open_page
    for context, problems in contexts:
        assert problems == []
        context.close()
    assert "Traceback" not in printed.read_text(encoding="utf-8")
