"""The same calls to another package, in a process of its own, and to ``polyrouge.compat``: what each gives, as JSON."""

import json
import re

from peer_packages import run_peer

# A case: options of the class, method, arguments, keywords.
Case = tuple[dict, str, list, dict]

# Of the class ``made``: what a case returns, arrays as lists, or raises.
_RUN = """
import json
def plain(value):
    return value.tolist() if hasattr(value, "tolist") else list(value)
def run(case):
    options, method, arguments, keywords = case
    try:
        returned = getattr(made(**options), method)(*arguments, **keywords)
        return ["value", json.loads(json.dumps(returned, default=plain))]
    except Exception as error:
        return ["error", type(error).__name__, str(error)]
"""


def both(peer, source, imports, calls):
    """What ``run(call)`` of a source gives: with the package's imports, in its process, and with ours, here.

    Args:
        peer: the package's folder.
        source: of ``run``, whose results are JSON's.
        imports: the lines for the package, the lines for ours.
        calls: what ``run`` is called with, one after the other.
    """
    ending = "import json, sys\nprint(json.dumps(list(map(run, json.load(sys.stdin)))))"
    theirs = run_peer(peer, f"{imports[0]}\n{source}\n{ending}", calls)
    ours = {}
    exec(f"{imports[1]}\n{source}", ours)  # noqa: S102 our own code
    return theirs, list(map(ours["run"], calls))


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
    theirs_import, ours_import = (f"from {module} import {name} as made" for module in modules)
    ours_import += f"\nimport functools\nmade = functools.partial(made, **{options!r})"
    theirs, ours = both(peer, _RUN, (f"import sys\n{before}\n{theirs_import}", ours_import), cases)
    for case, expected, actual in zip(cases, theirs, ours, strict=True):
        if expected[0] == "error":
            n = 3 if expected[2].startswith(words) else 2
            actual = [re.sub(r" \(hyps\[\d+\], refs\[\d+\]\)$", "", each) for each in actual[:n]]
            expected = expected[:n]
        assert view(actual) == view(expected), case
    return theirs
