"""What all tests share."""

import os

import pytest
from hypothesis import settings
from report_browser import chromium

from polyrouge.counting.compiled.cache_folder import cache_folder

# A busy machine is no failure.
settings.register_profile("polyrouge", deadline=None)
settings.load_profile("polyrouge")

# Tests that give a process an empty cache mean the tables in it: only those of the kernels compile anew.
os.environ.setdefault("NUMBA_CACHE_DIR", str(cache_folder() / "numba"))


@pytest.fixture(scope="module")
def browser():
    """Of a module: Playwright's own loop must not run while other tests start theirs."""
    with chromium() as running:
        yield running
