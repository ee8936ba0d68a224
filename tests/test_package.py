"""The package as a whole: what it exports, what importing it costs, what its modules know of each other."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import polyrouge

ROOT = Path(__file__).resolve().parents[1]
MODULES = sorted(
    path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
    for pattern in ("*.py", "cli/*.py", "page/*.py", "rouge155/*.py")
    for path in ROOT.glob(pattern)
    if path.stem != "__init__"
)


def path_of(module: str) -> Path:
    return ROOT / f"{module.replace('.', '/')}.py"


def imports_of(module: str) -> tuple[set[str], set[str]]:
    """Siblings and top-level libraries that a module imports anywhere."""
    siblings, libraries = set(), set()
    for node in ast.walk(ast.parse(path_of(module).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            folder = module.rpartition(".")[0] if node.level == 1 else ""
            names = [node.module] if node.module else [alias.name for alias in node.names]
            if node.module in ("cli", "page", "rouge155"):
                folder, names = node.module, [alias.name for alias in node.names]
            siblings.update(f"{folder}.{name}" if folder else name for name in names if name != "configs")
        elif isinstance(node, ast.ImportFrom):
            libraries.add(str(node.module).partition(".")[0])
        elif isinstance(node, ast.Import):
            libraries.update(alias.name.partition(".")[0] for alias in node.names)
    return siblings, libraries


def test_all_is_sorted_and_true():
    assert sorted(polyrouge.__all__) == sorted(set(polyrouge.__all__))
    for name in polyrouge.__all__:
        assert hasattr(polyrouge, name)


@pytest.mark.parametrize("module", MODULES)
def test_modules_stay_short(module):
    assert len(path_of(module).read_text(encoding="utf-8").splitlines()) <= 300


def test_imports_have_no_cycle():
    graph = {module: imports_of(module)[0] for module in MODULES}
    done: list[str] = []

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " -> ".join([*path, module])
        if module not in done:
            for sibling in graph[module]:
                visit(sibling, (*path, module))
            done.append(module)

    for module in MODULES:
        visit(module, ())


@pytest.mark.parametrize(
    "module", [name for name in MODULES if name not in ("rouge_metric", "app", "cli.benchmark_run")]
)
def test_only_the_adapter_knows_evaluate(module):
    known = {"datasets"} if module == "cli.benchmark_run" else set()  # it loads benchmarks

    assert not imports_of(module)[1] & {"evaluate", "datasets"} - known


def test_import_is_light():
    """Neither evaluate nor anything that a short English call does not need."""
    program = (
        "import sys; from polyrouge import Rouge; Rouge(rouge_types=['rouge1']).compute(['a b'], ['a']);"
        "print(sorted(set('evaluate datasets pandas nltk jieba numba uniseg'.split()) & set(sys.modules)))"
    )

    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)

    assert "[]\n" == printed.stdout
    assert "" == printed.stderr


def test_demo_prints_both_levels_and_their_signatures():
    printed = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "compare_levels.py")], capture_output=True, check=True, text=True
    ).stdout

    assert "Chinese: 34 pairs" in printed
    assert "English: 34 pairs" in printed
    assert "char 95 % of F" in printed
    assert "word 95 % of F" in printed
    assert "tok:jieba" in printed
    paths = re.findall(r"^  (?:Chinese|English): (.*)$", printed, re.MULTILINE)
    assert len(paths) == 2
    assert all("<table" in Path(path).read_text("utf-8") for path in paths)
