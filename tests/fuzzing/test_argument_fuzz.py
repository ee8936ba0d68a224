"""Random arguments of random types: every command, function and endpoint gives a result, or says what is wrong."""

import json
import shutil
from collections import Counter

import pytest
from argument_runs import COMMANDS, Workshop, call_faults, command_faults, is_ours, odd_call, place_of, shown_arguments
from fuzz_rounds import limited_memory, no_hang, rounds
from odd_functions import ENDPOINTS, FUNCTIONS

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")]
N_CALLS = 150


def check(outcomes, faults):
    print(outcomes)
    assert not faults, "\n\n".join([f"{len(faults)} faults:", *faults[:40]])
    kinds = Counter(kind for _, kind in outcomes.elements())
    assert kinds["done"] > 0.1 * kinds.total()
    assert kinds["refused"] > 0.1 * kinds.total()


def test_commands(tmp_path, monkeypatch):
    """Exit code 0; or 2 and a sentence of ours; or 1, where ``check`` found a broken rule. Nothing raw is shown."""
    monkeypatch.chdir(tmp_path)
    outcomes, faults = Counter(), []
    for number, rng in enumerate(rounds("commands", N_CALLS, 0.3)):
        folder = tmp_path / f"{number}"
        folder.mkdir()
        command = COMMANDS[number % len(COMMANDS)]
        arguments = Workshop(rng, folder).arguments(command)
        with no_hang(), limited_memory():
            outcome, wrong = command_faults(command, arguments, folder)
        outcomes[command, outcome] += 1
        faults += [f"{number}: {command} {[word[:100] for word in arguments]}\n    {each}" for each in wrong]
        if not wrong:
            shutil.rmtree(folder)
    check(outcomes, faults)


def test_functions(tmp_path, monkeypatch):
    """A result; or a ``ValueError`` or ``TypeError`` that a ``raise`` of polyrouge makes, not Python or numpy."""
    monkeypatch.chdir(tmp_path)
    outcomes, faults = Counter(), []
    for number, rng in enumerate(rounds("functions", N_CALLS, 0.2)):
        name, (function, given, allowed) = list(FUNCTIONS.items())[number % len(FUNCTIONS)]
        arguments = odd_call(rng, given())
        with no_hang(), limited_memory():
            outcome, wrong = call_faults(function, arguments, allowed)
        outcomes[name, outcome] += 1
        faults += [f"{number}: {name}{shown_arguments(arguments)}\n    {each}" for each in wrong]
    check(outcomes, faults)


@pytest.mark.hub
def test_endpoints(monkeypatch):
    """A result, or a sentence in Gradio's own error."""
    import gradio as gr

    from polyrouge.page import endpoints

    monkeypatch.setattr(endpoints, "_in_a_process", lambda work, *arguments: work(None, *arguments))
    outcomes, faults = Counter(), []
    for number, rng in enumerate(rounds("endpoints", N_CALLS, 0.05)):
        name, given = list(ENDPOINTS.items())[number % len(ENDPOINTS)]
        try:
            arguments = json.loads(json.dumps(odd_call(rng, given()), default=str, skipkeys=True))
        except (ValueError, RecursionError):  # what JSON has not
            continue
        with no_hang(), limited_memory():
            try:
                json.dumps(getattr(endpoints, name)(**arguments), allow_nan=False)
                outcome = "done"
            except gr.Error as error:
                outcome = "refused"
                if not is_ours(error.__context__):
                    faults.append(f"{number}: {name}{shown_arguments(arguments)}\n    {place_of(error.__context__)}")
        outcomes[name, outcome] += 1
    check(outcomes, faults)
