"""Let an import of one package give another: what a user's changed import line does, for files that are not ours.

Run as a program, it runs a test suite so and prints how each of its tests ended, as JSON:
``python exchanged_imports.py '{"exchange": {"rouge_score": "polyrouge.compat.rouge_score"}, ...}'``; see ``Suite``.
"""

import importlib
import importlib.abc
import importlib.machinery
import json
import os
import sys
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Suite:
    """A test suite and how it is run, in its own folder.

    Attributes:
        files: the tests, from the folder of the suite on.
        exchange: package that the tests import: the module that they get; none for the package itself.
        more: package: a folder, from that of the suite on, with modules of the package that are the suite's own.
        without: names of tests that are not run, as they call what the package keeps to itself.
        commands: a folder of the package's commands that the tests run, which get the same imports; they are found
            with ``.py`` behind their names, too.
    """

    files: list[str]
    exchange: dict[str, str] = field(default_factory=dict)
    more: dict[str, str] = field(default_factory=dict)
    without: list[str] = field(default_factory=list)
    commands: str = ""

    def as_argument(self) -> str:
        """What the program takes."""
        return json.dumps(asdict(self))


class _Exchange(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds packages and their modules under other names; one module may stand for all of a package's."""

    def __init__(self, names):
        self._names = names
        self._single = {name for name in names.values() if not hasattr(importlib.import_module(name), "__path__")}

    def find_spec(self, fullname, path=None, target=None):  # noqa: ARG002 the protocol's arguments
        package, dot, rest = fullname.partition(".")
        if package not in self._names:
            return None
        name = self._names[package]
        is_package = name in self._single  # also what stands for its modules
        if not is_package:
            name += dot + rest
            try:
                is_package = hasattr(importlib.import_module(name), "__path__")
            except ModuleNotFoundError as error:
                if error.name == name:
                    return None
                raise
        self._module = sys.modules[name]
        return importlib.machinery.ModuleSpec(fullname, self, is_package=is_package)

    def create_module(self, spec):  # noqa: ARG002 the protocol's argument
        self._spec = self._module.__spec__
        return self._module

    def exec_module(self, module):
        module.__spec__ = self._spec  # which the import has replaced


class _Ends:
    """How each test ended: what failed, or the empty string."""

    def __init__(self):
        self.ends = {}

    def pytest_runtest_logreport(self, report):
        if report.failed or report.when == "call":
            name = report.nodeid.partition("::")[2]
            self.ends[name] = str(getattr(report.longrepr, "reprcrash", report.longrepr)) if report.failed else ""


def exchange_imports(suite):
    """What the suite's files import from now on."""
    for package, folder in suite.more.items():
        module = importlib.import_module(suite.exchange.get(package, package))
        module.__path__ = [*getattr(module, "__path__", []), folder]
    sys.meta_path.insert(0, _Exchange(suite.exchange))


_COMMAND = """#!{python}
import runpy, sys
sys.path.insert(0, {helpers!r})
from exchanged_imports import Suite, exchange_imports
exchange_imports({suite})
runpy.run_path({path!r}, run_name="__main__")
"""


def _put_commands(suite):
    places = {package: str(Path(folder).resolve()) for package, folder in suite.more.items()}
    suite, place = replace(suite, more=places), Path("commands").resolve()
    place.mkdir(exist_ok=True)
    for path in Path(suite.commands).resolve().iterdir():
        helpers = str(Path(__file__).parent)
        for command in (place / path.name, place / f"{path.name}.py"):
            command.write_text(_COMMAND.format(python=sys.executable, helpers=helpers, suite=suite, path=str(path)))
            command.chmod(0o755)
    os.environ["PATH"] = os.pathsep.join([str(place), os.environ["PATH"]])


def run(suite):
    """Run a suite in the folder of now."""
    exchange_imports(suite)
    if suite.commands:
        _put_commands(suite)
    ends = _Ends()
    chosen = f"not ({' or '.join(suite.without)})" if suite.without else ""
    arguments = "-q -p no:cacheprovider --import-mode=importlib --rootdir=. -c /dev/null".split()
    pytest.main(["-k", chosen, *arguments, *suite.files], plugins=[ends])
    return ends.ends


if __name__ == "__main__":
    found = run(Suite(**json.loads(sys.argv[1])))
    print("\nENDS " + json.dumps(found))
