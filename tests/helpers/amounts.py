"""How much is drawn: a little in the fast set, which runs before every commit; in the others what finds the rare."""

import os

import pytest
from hypothesis import settings


def few_or_many(few: int, many: int) -> pytest.MarkDecorator:
    """The parameter ``n`` of a test: few in the fast set, many in the slow one."""
    return pytest.mark.parametrize("n", [few, pytest.param(many, marks=pytest.mark.slow)])


def examples_in_ci(n: int) -> settings:
    """Of a property whose rare cases few examples do not meet: so many in other profiles than ``fast``."""
    return settings() if os.environ.get("HYPOTHESIS_PROFILE", "fast") == "fast" else settings(max_examples=n)
