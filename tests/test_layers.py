"""The house: which package may import which, who may import what, and how long a module may be."""

import ast
import functools
from importlib import import_module
from pathlib import Path

import pytest
from new_process import run_program

from polyrouge import CONVENTIONS, TOKENIZERS, registries

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


def upward_imports(module, imports):
    """What of the imports of a module breaks the rule, as text that names the line."""
    part = module.partition("/")[0].removesuffix(".py")
    wrong = []
    for line, name in imports:
        where = f"polyrouge/{module}:{line}: "
        if name.startswith("."):
            wrong.append(f"{where}relative import {name}; write it in full")
        elif name.partition(".")[0] == "polyrouge":
            other = name.split(".")[1] if "." in name else ""
            # public names of the package itself are above all layers
            if other != part and LAYER.get(other, len(LAYERS)) >= LAYER[part]:
                wrong.append(f"{where}{name} is not below {part}")
    return wrong


def test_every_package_has_its_layer_and_imports_point_down():
    modules = [module for module in MODULES if module not in TOP]
    assert {name.partition("/")[0].removesuffix(".py") for name in modules} <= set(LAYER)
    assert [line for module in modules for line in upward_imports(module, imports_of(PACKAGE / module))] == []


def test_modules_have_no_cycle():
    graph = {}
    for module in MODULES:
        dotted = "polyrouge." + module.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        graph[dotted] = {name for _, name in imports_of(PACKAGE / module) if name.startswith("polyrouge.")}
    done = set()

    def visit(module, path):
        assert module not in path, " -> ".join([*path, module])
        if module in done:
            return
        for other in graph.get(module, ()):
            visit(other, (*path, module))
        done.add(module)

    for module in graph:
        visit(module, ())


@pytest.mark.parametrize(
    ("table", "packages"),
    [(registries.TOKENIZERS, {"texts", "conventions"}), (registries.CONVENTIONS, {"conventions"})],
)
def test_rows_of_a_registry_are_in_its_package_or_in_conventions(table, packages):
    """Not above, so that to look up a name imports nothing that imports the registry's users."""
    assert {module.partition(".")[0] for module in table} == packages
    assert {f"{module.replace('.', '/')}.py" for module in table} <= set(MODULES)


def test_a_module_registers_the_names_that_its_table_has():
    of_modules = {}
    for name, entry in TOKENIZERS.items():
        of_modules.setdefault(entry.build.__module__.removeprefix("polyrouge."), []).append(name)
    assert of_modules.pop("texts.tokenizers")[0] == "mixed"  # which has its names from its factories
    assert {module: names.split() for module, names in registries.TOKENIZERS.items()} == of_modules
    for module, names in registries.CONVENTIONS.items():
        rows = import_module(f"polyrouge.{module}").CONVENTIONS
        assert [each.name for each in rows] == names.split()
    assert [each for names in registries.CONVENTIONS.values() for each in names.split()] == list(CONVENTIONS)
    with_rows = {
        module[:-3].replace("/", ".")
        for module in MODULES
        if "\nCONVENTIONS = " in (PACKAGE / module).read_text("utf-8")
    }
    assert with_rows - {"registries"} == set(registries.CONVENTIONS)


def test_modules_of_ours_are_imported_by_name_in_registries_only():
    """Beside these: public names of the package, the kernels for a processor, modules of other packages."""
    callers = {
        module
        for module in MODULES
        for node in ast.walk(tree_of(PACKAGE / module))
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in ("import_module", "__import__")
    }
    others = {"__init__.py", "counting/compiled/kernels/__init__.py", "conventions/language_scorers.py"}
    assert callers == {"registries.py", *others}


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


def test_a_registry_lists_its_names_without_importing_them():
    program = (
        "import sys; from polyrouge import CONVENTIONS, TOKENIZERS\n"
        "print(len(CONVENTIONS), len(TOKENIZERS), 'xlsum' in CONVENTIONS, 'xlsum_thai' in TOKENIZERS)\n"
        "before = set(sys.modules)\n"
        "TOKENIZERS['pltrdy']; CONVENTIONS['coco']\n"
        "print(sorted(name for name in set(sys.modules) - before if name.startswith('polyrouge.conventions.')))"
    )
    sizes, after = run_program(program).stdout.splitlines()
    assert sizes == f"{len(CONVENTIONS)} {len(TOKENIZERS)} True True"
    assert after == str([f"polyrouge.conventions.{name}" for name in ("coco", "pltrdy")])


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
# Those that call entrances and show the warnings in their own way.
LISTENERS = ("page/", "beyond/folder_jobs/worker.py")


@pytest.mark.parametrize(
    ("functions", "allowed"),
    [(("warn_user", "warn_of", "warnings.warn"), ENTRANCES), (("hearing_warnings",), LISTENERS)],
)
def test_only_entrances_warn(functions, allowed):
    callers = {
        module
        for module in MODULES
        for node in ast.walk(tree_of(PACKAGE / module))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in functions
    }
    assert {module for module in callers if not module.startswith(allowed)} == {"errors.py"} & callers


def test_modules_fit_a_mind():
    assert [each for each in MODULES if len((PACKAGE / each).read_text("utf-8").splitlines()) > 600] == []


def test_only_public_modules_say_what_they_export():
    public = {
        f"{name}__init__.py"
        for name in (
            "",
            "training/",
            "report/",
            "page/",
            "compat/rouge155/",
            *(f"beyond/{name}/" for name in ("arrow", "pairs", "recipes")),
        )
    }
    assert {module for module in MODULES if "\n__all__ = " in (PACKAGE / module).read_text("utf-8")} == public


def test_scripts_at_the_root_use_public_names_only():
    for script in ("rouge_metric.py", "app.py"):
        names = {name for _, name in imports_of(ROOT / script) if name.startswith("polyrouge")}
        assert names <= {"polyrouge", "polyrouge.metric_card", "polyrouge.page"}, script
