"""What the tests of the report share."""

import pytest
from report_browser import chromium


@pytest.fixture(scope="module")
def browser():
    with chromium() as running:
        yield running
