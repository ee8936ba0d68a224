"""The catalogue of bad and odd inputs: each with its outcome, at every entrance that can take it."""

import re
from collections import Counter
from pathlib import Path

import pytest
from catalogue_cases import ENTRANCES, Case, read_catalogue
from entrances import outcome_at
from loaded_metrics import loaded_metrics

ROOT = Path(__file__).resolve().parents[2]
REASONS, CASES = read_catalogue()
RUNS = [(entrance, case) for case in CASES for entrance in ENTRANCES if entrance not in case.not_at]


@pytest.fixture(scope="module")
def metric_classes(tmp_path_factory):
    with loaded_metrics(tmp_path_factory.mktemp("home")) as classes:
        yield classes


@pytest.fixture
def outcome(metric_classes, tmp_path, monkeypatch):
    """What came of a case, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return lambda entrance, case: outcome_at(entrance, case, metric_classes)


@pytest.mark.parametrize(
    ("entrance", "case"), RUNS, ids=[f"{entrance}-{case.group}-{case.name}" for entrance, case in RUNS]
)
def test_outcome_is_that_of_the_catalogue(entrance, case: Case, outcome):
    expected = case.expected(entrance)

    found = outcome(entrance, case)

    assert found.says == expected.get("says")
    if found.error is not None:
        assert found.error == expected["error"]
    if found.says is None:
        assert found.scores == case.expected_scores(entrance)
        assert found.warns == expected.get("warns", [])


# The documents


@pytest.mark.parametrize("name", ["reliability.md", "reliability.zh.md"])
def test_documents_have_the_figures_of_the_catalogue(name):
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\S+) \|[^|\n]*\| ([\d,]+) \| ([\d,]+) \|$", text, re.MULTILINE)
    cases, runs = Counter(case.group for case in CASES), Counter(case.group for _, case in RUNS)

    *groups, (_, all_cases, all_runs) = rows

    assert groups == [(group, f"{n:,}", f"{runs[group]:,}") for group, n in cases.items()]
    assert (all_cases, all_runs) == (f"{len(CASES):,}", f"{len(RUNS):,}")


# The catalogue itself


def test_each_case_has_one_kind_of_outcome():
    for case in CASES:
        for entrance in set(ENTRANCES) - case.not_at.keys():
            kinds = case.expected(entrance).keys() & {"says", "scores", "means"}
            assert len(kinds) == 1, (case.name, entrance, kinds)


def test_what_an_entrance_can_not_take_has_a_reason():
    given = {reason for case in CASES for reason in case.not_at.values()}

    assert given == REASONS.keys()  # each is known, and none is left over
    for case in CASES:
        assert case.not_at.keys() < set(ENTRANCES), case.name
        assert case.written.get("at", {}).keys() <= set(ENTRANCES) - {"hub"} - case.not_at.keys(), case.name


def test_no_case_stands_twice():
    parts = ("predictions", "references", "files", "arguments", "convention")
    written = Counter(repr((case.settings, *map(case.written.get, parts))) for case in CASES)

    assert [given for given, times in written.items() if times > 1] == []


def test_every_entrance_is_run():
    runs = Counter(entrance for entrance, _ in RUNS)

    assert len(CASES) >= 150
    assert min(runs[entrance] for entrance in ENTRANCES) >= 150, runs
