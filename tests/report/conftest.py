"""Reports in a browser."""

import pytest


@pytest.fixture(scope="module")
def reports_of_module(browser):
    from report_browser import Reports

    reports = Reports(browser)
    yield reports
    reports.close()


@pytest.fixture
def open_report(reports_of_module):
    """Opens reports by path; at the end none may have made an error or asked for anything."""
    yield reports_of_module.open
    reports_of_module.end_test()
