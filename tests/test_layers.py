"""The house: which package may import which, who may import what, and how long a module may be."""

import ast
import functools
from importlib import import_module
from pathlib import Path

import pytest

from polyrouge import TOKENIZERS, registries

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "polyrouge"

# A package imports itself and the rows above it, never its neighbours or what stands below.
LAYERS = [
    {"checked_json", "errors", "progress", "registries", "shipped_files", "version"},
    {"inputs", "results", "texts"},
    {"settings"},
    {"conventions"},
    {"documents"},
    {"counting"},
    {"scoring"},
    {"explaining", "training"},
    {"metric", "metric_card"},
    {"comparing", "files"},
    {"beyond"},
    {"report"},
    {"page", "compat"},
    {"cli"},
]
LAYER = {name: number for number, names in enumerate(LAYERS) for name in names}

# Of these libraries each is known to the modules below one place only.
HOMES = {
    "evaluate": (),
    "datasets": ("beyond/recipes",),
    "Cython": (),
    "cython": ("counting/compiled/kernels",),
    "jieba": ("texts",),
    "nltk": ("conventions",),
    "jinja2": ("report",),
    "gradio": ("page",),
    "typer": ("cli",),
    "ray": ("beyond/folder_jobs",),
    "pyspark": ("beyond/folder_jobs",),
    "fsspec": ("beyond/folder_jobs",),
    "xxhash": ("beyond/folder_jobs",),
    "rich": ("results.py", "cli"),
    "yaml": ("beyond/recipes",),
    "torch": ("training", "compat/torchmetrics"),
    "torchmetrics": ("compat/torchmetrics",),
    "pandas": (),
    "polars": (),
    "transformers": ("training",),
}

MODULES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))
TOP = ("__init__.py", "__main__.py")  # over all layers: they start the package and the command


@functools.cache
def tree_of(path):
    return ast.parse(path.read_text("utf-8"))


@functools.cache
def imports_of(path):
    """(line, dotted name) of each import in a file, wherever it stands; a relative one begins with its dots."""
    imports = []
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            names = [f"polyrouge.{alias.name}" for alias in node.names] if module == "polyrouge" else [module]
        else:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        imports += [(node.lineno, name) for name in names]  # pyright: ignore[reportAttributeAccessIssue] of imports only
    return imports


def test_every_package_has_its_layer_and_imports_point_down():
    """By full names; public names of the package itself are above all layers."""
    wrong = []
    for module in MODULES:
        package = module.partition("/")[0].removesuffix(".py")
        for line, name in imports_of(PACKAGE / module) if module not in TOP else ():
            _, _, path = name.partition("polyrouge.")
            imported = path.partition(".")[0]
            is_ours = name.partition(".")[0] == "polyrouge"
            is_upward = is_ours and imported != package and LAYER.get(imported, len(LAYERS)) >= LAYER[package]
            if name.startswith(".") or is_upward:
                wrong.append(f"polyrouge/{module}:{line}: {name}")
    assert wrong == []


def test_a_module_registers_the_names_that_its_table_has():
    of_modules = {}
    for name, entry in TOKENIZERS.items():
        of_modules.setdefault(entry.build.__module__.removeprefix("polyrouge."), []).append(name)
    assert of_modules.pop("texts.tokenizers")[0] == "mixed"  # which has its names from its factories
    assert {module: names.split() for module, names in registries.TOKENIZERS.items()} == of_modules
    for module, names in registries.CONVENTIONS.items():
        rows = import_module(f"polyrouge.{module}").CONVENTIONS
        assert [row.name for row in rows] == names.split()
    # In low layers, so that to look up a name imports nothing that imports the registry's users.
    packages = {module.partition(".")[0] for module in (*registries.TOKENIZERS, *registries.CONVENTIONS)}
    assert packages == {"texts", "conventions"}


# A name is a noun of the domain (token, row, system, position, reference).
NO_NOUNS = set("each place places ours theirs one here there some whole found chosen what".split())


def test_names_are_nouns():
    trees = {module: tree_of(PACKAGE / module) for module in MODULES}
    names = [
        (f"polyrouge/{module}:{node.lineno}", name)
        for module, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.arg) or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
        for name in [node.arg if isinstance(node, ast.arg) else node.id]
    ]
    assert [(line, name) for line, name in names if name in NO_NOUNS] == []


def test_rows_of_users_stand_behind_and_can_be_taken_out():
    registry = registries.Registry({"texts.tokenizers": "mixed"}, lambda _module: {"mixed": 1})
    registry["mine"] = 2
    assert list(registry.items()) == [("mixed", 1), ("mine", 2)]
    assert registry.pop("mine") == 2
    assert (list(registry), len(registry), "mine" in registry, registry.get("mine")) == (["mixed"], 1, False, None)
    with pytest.raises(KeyError):
        registry["mine"]
    del registry["mixed"]
    assert list(registry) == []


def test_plain_counting_does_not_know_the_compiled_one():
    plain = [module for module in MODULES if module.startswith("counting/plain/")]
    assert plain
    assert [each for each in plain if "counting.compiled" in (PACKAGE / each).read_text("utf-8")] == []


def test_a_library_is_imported_in_its_home_only():
    strangers = [
        f"polyrouge/{module}:{line}: {name}"
        for module in MODULES
        for line, name in imports_of(PACKAGE / module)
        if not module.startswith(HOMES.get(name.partition(".")[0], ""))
    ]
    assert strangers == []


# Only these warn; inner code returns what it noticed.
ENTRANCES = (
    *("metric.py", "settings/", "training/", "cli/", "compat/"),
    *("comparing/checkpoints.py", "comparing/convention_table.py", "comparing/slices.py", "comparing/systems.py"),
    *("beyond/arrow/", "beyond/pairs/", "beyond/recipes/benchmark.py", "beyond/reference_points.py"),
    "report/report_data.py",
)


def test_only_entrances_warn():
    callers = {
        module
        for module in MODULES
        for node in ast.walk(tree_of(PACKAGE / module))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("warn_user", "warn_of", "warnings.warn")
    }
    assert {module for module in callers if not module.startswith(ENTRANCES)} == {"errors.py"}


def test_modules_fit_a_mind():
    assert [each for each in MODULES if len((PACKAGE / each).read_text("utf-8").splitlines()) > 600] == []
