"""What all tests share."""

import os
import re
from pathlib import Path

import pytest
from _pytest.mark.expression import Expression
from hypothesis import settings

# A busy machine is no failure, and neither is what CI happens to draw beside another change: "fast" draws the same few
# examples each time, for the minutes before a commit, and "ci" five times as many. "fuzz", each week, draws 100 others.
settings.register_profile("fast", deadline=None, max_examples=10, derandomize=True)
settings.register_profile("ci", deadline=None, max_examples=50, derandomize=True)
settings.register_profile("fuzz", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))

# An `assert` of a helper says what it compared, as one of a test does.
pytest.register_assert_rewrite(*(path.stem for path in Path(__file__).with_name("helpers").glob("*.py")))

_MODULE_MARKS = re.compile(r"^pytestmark = (?:\[\n(?:.*\n)*?\]|.*)", re.MULTILINE)


def pytest_ignore_collect(collection_path, config):
    """A module of a group that is not run is not imported: what the group installs may be missing."""
    if collection_path.suffix != ".py" or not config.option.markexpr:
        return None
    marks = set(re.findall(r"pytest\.mark\.(\w+)", "".join(_MODULE_MARKS.findall(collection_path.read_text("utf-8")))))
    groups = marks & {line.partition(":")[0] for line in config.getini("markers")}
    if groups and not Expression.compile(config.option.markexpr).evaluate(lambda name, **_: name in groups):
        return True
    return None


# Tests whose package is missing are skipped with its name. CI sets this, and there they fail.
_REQUIRE_ALL = "POLYROUGE_REQUIRE_ALL"


def _missing_package(error):
    """The message of an error that says a package of others is not installed; None for any other error."""
    while error is not None and not isinstance(error, ModuleNotFoundError):
        error = error.__cause__
    if error is None or os.environ.get(_REQUIRE_ALL) or (error.name or "").startswith("polyrouge"):
        return None
    return f"{error}; the group test-all of pyproject.toml has it"


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    report = yield
    call = getattr(report, "call", None)  # none for a file that pytest --last-failed skips
    reason = _missing_package(call and call.excinfo and call.excinfo.value)
    if reason:
        report.outcome, report.longrepr = "skipped", (str(collector.path), 1, reason)
    return report


def _skip_without_its_package():
    try:
        return (yield)
    except ModuleNotFoundError as error:
        reason = _missing_package(error)
        if reason is None:
            raise
    pytest.skip(reason)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup():
    return (yield from _skip_without_its_package())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call():
    return (yield from _skip_without_its_package())


@pytest.fixture(scope="module")
def browser():
    """Of a module: Playwright's own loop must not run while other tests start theirs."""
    from report_browser import chromium

    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def metric_classes(tmp_path_factory):
    """What ``evaluate.load`` gives: from the script's path, and from a Hub on this machine."""
    from loaded_metrics import loaded_metrics

    with loaded_metrics(tmp_path_factory.mktemp("home")) as classes:
        yield classes


@pytest.fixture(scope="session")
def archives(tmp_path_factory):
    """The folder with the wheel and the source distribution of this checkout; a test of it has the group "archives"."""
    from distributions import build

    folder = tmp_path_factory.mktemp("dist")
    build(Path(__file__).resolve().parents[1], folder)
    return folder
