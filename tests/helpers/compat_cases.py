"""The same calls to another package and to ``polyrouge.compat``: what each returns or raises, as JSON.

The package runs in a process of its own (``peer_packages.run_peer``), which reads this file too; so it imports nothing
but the standard library.
"""

import importlib
import json
import re
from pathlib import Path

# A case: options of the class, method, arguments, keywords.
Case = tuple[dict, str, list, dict]


def plain(value):
    """Arrays as lists; JSON does the rest."""
    return value.tolist() if hasattr(value, "tolist") else list(value)


def outcome(made, case):
    """What a call gives, or raises."""
    options, method, arguments, keywords = case
    try:
        found = getattr(made(**options), method)(*arguments, **keywords)
        return ["value", json.loads(json.dumps(found, default=plain))]
    except Exception as error:
        return ["error", type(error).__name__, str(error)]


def outcomes(module, name, cases):
    """What a class of a module makes of each case."""
    made = getattr(importlib.import_module(module), name)
    return [outcome(made, case) for case in cases]


def compare(peer, modules, name, cases, words=("",), before="", view=json.dumps, **options):
    """Assert that a class of a package and ours make the same of each case; returns the package's outcomes.

    Args:
        peer: the package's folder.
        modules: the package's, and ours.
        name: of the class.
        cases: what is called.
        words: beginnings of messages that ours must have too, perhaps with the row; of other errors the type counts.
        before: code for the package's process.
        view: what of an outcome is compared; JSON has the order of keys, and 0 is not 0.0.
        options: of our class only.
    """
    from peer_packages import run_peer

    theirs = run_peer(peer, program(modules[0], name, before), cases)
    ours = outcomes(modules[1], name, [({**case[0], **options}, *case[1:]) for case in cases])
    for case, expected, found in zip(cases, theirs, ours, strict=True):
        if expected[0] == "error":
            n = 3 if expected[2].startswith(words) else 2
            found = [re.sub(r" \(hyps\[\d+\], refs\[\d+\]\)$", "", each) for each in found[:n]]
            expected = expected[:n]
        assert view(found) == view(expected), case
    return theirs


def both(peer, source, imports, calls):
    """What ``run(call)`` of a source gives: with the package's imports, in its process, and with ours, here.

    Args:
        peer: the package's folder.
        source: of ``run``, whose results are JSON's.
        imports: the line for the package, the line for ours.
        calls: what ``run`` is called with, one after the other.
    """
    from peer_packages import run_peer

    ending = "import json, sys\nprint(json.dumps(list(map(run, json.load(sys.stdin)))))"
    theirs = run_peer(peer, f"{imports[0]}\n{source}\n{ending}", calls)
    ours = {}
    exec(f"{imports[1]}\n{source}", ours)  # noqa: S102 our own code
    return theirs, list(map(ours["run"], calls))


def program(module, name, before=""):
    """The text of a program that reads cases as JSON and prints their outcomes."""
    call = f"outcomes({module!r}, {name!r}, json.load(sys.stdin))"
    return "\n".join([Path(__file__).read_text("utf-8"), "import sys", before, f"print(json.dumps({call}))"])
