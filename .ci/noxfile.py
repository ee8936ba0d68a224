"""What needs an environment of its own, or more time than a merge has; ``nox -f .ci/noxfile.py -l`` lists it.

``pip install nox uv`` brings what it needs. Daily work is in the Makefile. CI runs these sessions for each change, each
week or before a release: .github/workflows.
"""

import functools
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nox

ROOT = Path(__file__).resolve().parents[1]
nox.options.envdir = str(ROOT / ".nox")
nox.options.sessions = []  # nox alone lists them
nox.options.default_venv_backend = "venv"

PYTHON = ROOT / ".venv" / "bin" / "python"
# Extras, and groups of pyproject.toml.
LANGUAGES = "ja ja-tools ko ko-sacrebleu kiwi th vi km lo pkuseg subwords languages".split()  # noqa: SIM905
EXTRAS = ("ja", "ko", "languages")
# python-mecab-ko has no wheels since then, and its source needs mecab-config.
WITHOUT_KO = ("3.13", "3.14")
FAST = """conventions/test_conventions.py counting/test_counting.py explaining files documents
  compat/rouge155/test_files.py compat/rouge155/test_golden.py scoring settings texts"""
VERSIONS = (
    "cloudpickle>=3",
    "dill>=0.3.8",
    "hypothesis>=6.100",
    "pandas>=2.2",
    "polars>=1",
    "pytest>=8.2",
    "rouge-score==0.1.2",
    "sacrebleu>=2.4",
)


def at_root(**options: Any) -> Callable[[Callable[..., None]], Any]:
    """Make a session that runs at the top of the repository; nox itself takes it to the folder of this file."""

    def register(function: Callable[..., None]) -> Any:
        @functools.wraps(function)
        def run(session: nox.Session, **parameters: Any) -> None:
            session.chdir(ROOT)
            function(session, **parameters)

        return nox.session(run, **options)

    return register


@at_root(venv_backend="uv", python=["3.10", "3.11", "3.13"])
def versions(session: nox.Session) -> None:
    """Fast tests with the oldest allowed dependencies, and on 3.13, for which they have no wheels, with the newest."""
    resolution = "highest" if session.python == "3.13" else "lowest-direct"
    package = ("--editable", ".[agreement,arrow,evaluate,languages]")
    session.install("--resolution", resolution, *package, *VERSIONS)
    _pytest(session, *(f"tests/{name}" for name in FAST.split()))


@at_root()
@nox.parametrize("name", LANGUAGES, ids=LANGUAGES)
def extras(session: nox.Session, name: str) -> None:
    """What one language's words need, alone, and the examples of docs/languages.md that it is for."""
    version = session.run("python", "-c", "import sys; print('%d.%d' % sys.version_info[:2])", silent=True)
    left_out = ["ko"] if str(version).strip() in WITHOUT_KO else []
    if name in left_out:
        session.skip("python-mecab-ko has no wheel for this Python")
    _install(session, *([f".[{name}]"] if name in EXTRAS else [".", "--group", name]))
    check, page = Path(".ci", "check_extra.py").resolve(), Path("docs", "languages.md").resolve()
    with session.chdir(session.create_tmp()):
        session.run("python", "-I", str(check), name, str(page), *left_out, env={"PYTHONPATH": ""})
    if name == "ko-sacrebleu":  # its parity with sacreBLEU, which other environments can't show
        session.install("hypothesis", "pytest", "rouge-score==0.1.2")
        _pytest(session, "tests/conventions/test_language_conventions.py", "-k", "sacrebleu")


@at_root()
def plain(session: nox.Session) -> None:
    """The plain engine, installed where no C compiler works."""
    _install(session, ".", "--group", "test", env={"CC": "/bin/false"})
    with session.chdir(session.create_tmp()):
        version = str(session.run("polyrouge", "--version", silent=True))
    if not version.strip().endswith("(plain engine)"):
        session.error(f"The package has kernels: {version}")
    tests = (
        "tests/snapshot tests/counting/test_plain_rules.py tests/counting/test_tool_lcs.py tests/scoring/test_scores.py"
    )
    # Not python -m pytest, by which the package in this folder would come before the one that is installed.
    session.run("pytest", "-q", "-p", "no:cacheprovider", "-k", "not compiled", *tests.split())


@at_root()
def release(session: nox.Session) -> None:
    """Build what PyPI and the Hub get, check it, and run it: ``nox -f .ci/noxfile.py -s release -- v1.2.3``.

    The archives have the time of the last commit, so that whoever builds them again gets the same bytes.
    """
    _install(session, "--group", "release")
    shutil.rmtree("dist", ignore_errors=True)
    time = str(session.run("git", "log", "-1", "--format=%ct", silent=True, external=True)).strip()
    session.run("python", "-m", "build", "--no-isolation", env={"SOURCE_DATE_EPOCH": time})
    archives = [str(path.resolve()) for path in Path("dist").iterdir()]
    session.run("python", "-m", "twine", "check", "--strict", *archives)
    session.run("python", ".ci/check_release.py", env={"TAG": "".join(session.posargs)})
    session.run("python", ".ci/assemble_space.py", "build/space", "dist")
    (wheel,) = (path for path in archives if path.endswith(".whl"))
    _run_wheel(session, wheel)


def _run_wheel(session: nox.Session, wheel: str) -> None:
    """Install a wheel as a user does, and run it in another folder, where no compiler can be found."""
    folder = Path(session.create_tmp()).resolve()
    session.run("python", "-m", "venv", "--clear", str(folder / "venv"))
    programs = folder / "venv" / "bin"
    bare = {"PATH": str(programs), "HOME": str(folder)}
    program = [
        "from polyrouge import Rouge, engine",
        "assert engine() == 'compiled'",
        "for name in ('plain', 'compiled'):",
        "    assert Rouge('zh_char', engine=name).compute(['今天天气很好。'], ['今天天气不错。'])['rouge1'] == 2 / 3",
    ]
    examples = Path("examples", "zh_news.jsonl").resolve()
    with session.chdir(folder):
        pip = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        session.run(str(programs / "python"), *pip, wheel, env={"PATH": str(programs)}, external=True)
        session.run(
            *(str(programs / "python"), "-I", "-c", "\n".join(program)),
            env=bare,
            include_outer_env=False,
            external=True,
        )
        score = (str(programs / "polyrouge"), "score", str(examples), "-c", "zh_char")
        session.run(*score, env=bare, include_outer_env=False, external=True)


@at_root()
def harnesses(session: nox.Session) -> None:
    """The real harnesses run the tasks of examples/harnesses, offline; see docs/reliability.md."""
    _install(session, "-e", ".", "--group", "harnesses")
    session.run("python", "-m", "pytest", "-rs", "tests/integrations", env={"HF_HUB_OFFLINE": "1"})


@at_root()
def frameworks(session: nox.Session) -> None:
    """Frameworks for agents and answers, which pin other versions; promptfoo is a program of Node.js: needs npm."""
    _install(session, "-e", ".", "--group", "frameworks")
    folder = Path(session.create_tmp()).resolve()
    npm = ("npm", "install", "--silent", "--no-audit", "--no-fund")
    session.run(*npm, "--prefix", str(folder), "promptfoo@0.123.1", "node@22", external=True)
    path = os.pathsep.join([str(folder / "node_modules" / ".bin"), os.environ["PATH"]])
    session.run("python", "-m", "pytest", "-rs", "tests/integrations/test_frameworks.py", env={"PATH": path})


@at_root(venv_backend="uv")
def audit(session: nox.Session) -> None:
    """Known vulnerabilities of what all extras install; fails where PyPI gives no answer."""
    session.install("pip-audit>=2.9")
    requirements = str(Path(session.create_tmp(), "requirements.txt").resolve())
    compiled = ("--quiet", "--no-header", "--no-annotate", "--all-extras", "--output-file", requirements)
    session.run("uv", "pip", "compile", *compiled, "pyproject.toml", external=True)
    # Without --strict it finds nothing in a package that the service doesn't answer for, and is content.
    options = ("--strict", "--progress-spinner", "off", "--no-deps", "--disable-pip")
    session.run("pip-audit", *options, "--requirement", requirements)


# In .venv, with all that `make test-all` installs


@at_root(venv_backend="none")
def fuzz(session: nox.Session) -> None:
    """Property tests, random settings, texts, words, damaged files: other ones each time, ``-- SECONDS`` long (600).

    It prints its seed, and POLYROUGE_FUZZ_SEED=... runs it again.
    """
    _in_venv(session, "pytest", "-n", "2", "-m", "hypothesis", env={"HYPOTHESIS_PROFILE": "fuzz"})
    tests = ("-s", "-m", "", "-k", "fuzz", "tests/fuzzing", "tests/counting/test_jieba_kernel.py")
    _in_venv(session, "pytest", *tests, env={"POLYROUGE_FUZZ_SECONDS": _argument(session, "600")})


@at_root(venv_backend="none")
def sanitize(session: nox.Session) -> None:
    """The kernels' tests and the fuzz under AddressSanitizer and UBSan, ``-- SECONDS`` long (600); Linux, GCC."""
    session.run("make", "ready", external=True)
    session.run(".ci/sanitize", str(PYTHON), _argument(session, "600"), external=True)


@at_root(venv_backend="none")
def soak(session: nox.Session) -> None:
    """A page with visitors and a compute loop for ``-- MINUTES`` (60): memory and files must stay flat; Linux."""
    paths = {"PYTHONPATH": os.pathsep.join([".", "tests/helpers"])}
    session.run("make", "ready", external=True)
    session.run(str(PYTHON), "tests/soak/soak.py", "--minutes", _argument(session, "60"), env=paths, external=True)


@at_root(venv_backend="none")
def coverage(session: nox.Session) -> None:
    """The share of lines and branches that all tests, and the processes that they start, run."""
    for command in ("erase", "run -m pytest -m ''", "combine", "report --fail-under 95"):
        words = ["" if word == "''" else word for word in command.split()]
        _in_venv(session, "coverage", *words)


@at_root(venv_backend="none")
def mutation(session: nox.Session) -> None:
    """The share of broken rules, ``-- MUTANTS`` or all, that tests notice; ``mutmut results`` names the rest."""
    _in_venv(session, "mutmut", "run", *session.posargs)


@at_root(venv_backend="none")
def drift(session: nox.Session) -> None:
    """The newest release of each tool beside its convention; downloads them."""
    _in_venv(session, "pytest", "-m", "drift", "tests/drift")


def _install(session: nox.Session, *what: str, env: dict[str, str] | None = None) -> None:
    """Install with a pip that knows groups of dependencies."""
    session.install("--upgrade", "pip>=25.1")
    session.install(*what, env=env)


def _pytest(session: nox.Session, *arguments: str) -> None:
    session.run("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments)


def _in_venv(session: nox.Session, module: str, *arguments: str, env: dict[str, str] | None = None) -> None:
    """Run a module of the environment that ``make test-all`` makes."""
    session.run("make", "ready", external=True)
    session.run(str(PYTHON), "-m", module, *arguments, env=env, external=True)


def _argument(session: nox.Session, default: str) -> str:
    return session.posargs[0] if session.posargs else default
