"""The catalogue of bad and odd inputs: each with its outcome, at every entrance that can take it."""

from collections import Counter

import pytest
from catalogue_cases import ENTRANCES, Case, read_catalogue, without_names
from entrances import outcome_at

REASONS, CASES = read_catalogue()
RUNS = [(entrance, case) for case in CASES for entrance in ENTRANCES if entrance not in case.not_at]
OF_EVALUATE = ("evaluate", "evaluate_rows", "hub")
SLOW_OR_HEAVY = ("evaluate_rows", "hub", "page")


def difference(entrance: str, case: Case, metric_classes: dict) -> str:
    """What of an outcome is not as the catalogue says; nothing where all is."""
    expected = case.expected(entrance)
    try:
        outcome = outcome_at(entrance, case, metric_classes)
    except Exception as error:
        return f"the entrance itself failed: {error!r}"
    pairs = {"says": (expected.get("says"), without_names(outcome.says))}
    if outcome.error is not None:
        pairs["error"] = expected.get("error"), outcome.error
    if outcome.says is None:
        pairs["scores"] = case.expected_scores(entrance), outcome.scores
        pairs["warns"] = expected.get("warns", []), outcome.warns
    wrong = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
    return "; ".join(f"{name}: {actual!r}, not {wanted!r}" for name, (wanted, actual) in wrong.items())


@pytest.fixture
def assert_as_written(tmp_path, monkeypatch, request):
    """Every case at an entrance, each in a folder of its own; all that differ are named."""

    def check(entrance: str, cases: list[Case]) -> None:
        metric_classes = request.getfixturevalue("metric_classes") if entrance in OF_EVALUATE else {}
        differences = []
        for number, case in enumerate(cases):
            folder = tmp_path / str(number)
            folder.mkdir()
            monkeypatch.chdir(folder)
            if text := difference(entrance, case, metric_classes):
                differences.append(f"{case.group}: {case.name}: {text}")
        assert cases
        assert not differences, "\n".join([f"{len(differences)} of {len(cases)} at {entrance}:", *differences])

    return check


def cases_at(entrance: str, *, others: bool) -> list[Case]:
    """The cases of an entrance whose values need other libraries than the core's, or those that do not."""
    return [case for each, case in RUNS if each == entrance and case.needs_others == others]


@pytest.mark.parametrize("entrance", [name for name in ENTRANCES if name not in SLOW_OR_HEAVY])
def test_outcomes_are_those_of_the_catalogue(entrance, assert_as_written):
    assert_as_written(entrance, cases_at(entrance, others=False))


@pytest.mark.hub
@pytest.mark.parametrize("entrance", [name for name in ENTRANCES if name not in (*SLOW_OR_HEAVY, "command")])
def test_outcomes_of_what_other_libraries_make(entrance, assert_as_written):
    assert_as_written(entrance, cases_at(entrance, others=True))


@pytest.mark.hub
@pytest.mark.parametrize("entrance", SLOW_OR_HEAVY)
def test_outcomes_at_the_heavy_entrances(entrance, assert_as_written):
    assert_as_written(entrance, [case for name, case in RUNS if name == entrance])


# The catalogue itself


def test_each_case_has_one_kind_of_outcome():
    for case in CASES:
        for entrance in set(ENTRANCES) - case.not_at.keys():
            kinds = case.expected(entrance).keys() & {"says", "scores", "means"}
            assert len(kinds) == 1, (case.name, entrance, kinds)


def test_what_an_entrance_can_not_take_has_a_reason():
    reasons = {reason for case in CASES for reason in case.not_at.values()}
    assert reasons == REASONS.keys()  # each is known, and none is left over
    for case in CASES:
        assert case.not_at.keys() < set(ENTRANCES), case.name
        assert case.written.get("at", {}).keys() <= set(ENTRANCES) - {"hub"} - case.not_at.keys(), case.name


def test_no_case_stands_twice():
    parts = ("predictions", "references", "files", "arguments", "convention", "agreement")
    written = Counter(repr((case.settings, *map(case.written.get, parts))) for case in CASES)
    assert [case for case, times in written.items() if times > 1] == []


def test_every_entrance_is_run():
    runs = Counter(entrance for entrance, _ in RUNS)
    assert len(CASES) >= 150
    assert min(runs[entrance] for entrance in ENTRANCES) >= 150, runs
