"""The package behaves as the snapshot says; ``make snapshot`` writes it anew where a change is meant."""

import pytest
from snapshot import RUNS, compared


@pytest.mark.parametrize(("name", "engine"), RUNS, ids=[f"{name}-{engine}" for name, engine in RUNS])
def test_nothing_has_changed(name, engine):
    changed, missing, _ = compared(name, engine)
    if missing:
        print(f"{name}.json: not compared where it needs {missing}")
    if changed:
        pytest.fail(f"{changed}\nIf that is meant: make snapshot, and say why in the commit.", pytrace=False)
