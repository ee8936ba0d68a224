"""The documents: their examples are run, their tables are held against the code, their links are followed."""

import ast
import contextlib
import doctest
import importlib
import inspect
import pydoc
import re
import runpy
import shlex
import unicodedata
from pathlib import Path

import derived_texts
import pytest
import typer
from command_runs import PREDICTIONS, REFERENCES

from benchmarks import document_tables
from benchmarks.results import read_run
from polyrouge import CONVENTIONS, TOKENIZERS, RougeSettings, TokenizerOptions, compare_conventions, metric_path
from polyrouge.beyond.recipes import recipe_names
from polyrouge.cli.commands import app
from polyrouge.settings.allowed_values import Choice
from polyrouge.settings.rouge_settings import ALL_SETTINGS
from polyrouge.texts.tokenizers import build_tokenizer
from polyrouge.training.trainer import TRAINER_OPTIONS

ROOT = Path(__file__).resolve().parents[1]
HOME = "https://huggingface.co/spaces/polyrouge/rouge_metric"
READMES = ["README.md", "README_zh.md"]
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md"))
ENGLISH_PAGES = [name for name in PAGES if not name.endswith(".zh.md")]
DOCUMENTS = [*READMES, *PAGES]
PUBLIC_MODULES = [
    "polyrouge",
    *(
        f"polyrouge.{name}"
        for name in "beyond.arrow beyond.pairs beyond.recipes compat.rouge155 report training".split()
    ),
]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def in_languages(name: str) -> list[str]:
    """A page in English, and in Chinese where there is such a one."""
    return [each for each in (f"docs/{name}.md", f"docs/{name}.zh.md") if each in PAGES]


# Examples

OF_THE_HUB = re.compile(r"^>>> (?:import|from) (?:polars|polyrouge\.compat\.torchmetrics)\b", re.M)


def group_of(name: str):
    """What the examples of a page need beside the core."""
    examples = "\n".join(re.findall(r"^>>> .*", read(name), re.MULTILINE))
    if OF_THE_HUB.search(examples):
        return pytest.mark.hub
    if name.startswith("docs/languages."):
        return pytest.mark.languages
    return pytest.mark.slow if name.endswith(".zh.md") else ()  # the same calls as in English


@pytest.fixture
def examples_folder(monkeypatch, tmp_path):
    """Where examples run: a folder that holds nothing but the repository's ``examples``."""
    (tmp_path / "examples").symlink_to(ROOT / "examples", target_is_directory=True)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def local_load(request, monkeypatch):
    """``evaluate.load`` takes the script of this repository in place of our Hub path."""
    if ">>> import evaluate" not in read(request.getfixturevalue("name")):
        return
    import evaluate

    load = evaluate.load

    def load_local(path, *args, **kwargs):
        assert path in ("polyrouge/rouge_metric", metric_path())
        return load(str(ROOT / "rouge_metric.py"), *args, **kwargs)

    monkeypatch.setattr(evaluate, "load", load_local)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", [pytest.param(name, marks=group_of(name)) for name in DOCUMENTS])
@pytest.mark.usefixtures("examples_folder", "local_load")
def test_examples_print_what_they_say(name):
    path = str(ROOT / name)
    results = doctest.testfile(path, module_relative=False, optionflags=doctest.ELLIPSIS, encoding="utf-8")
    assert results.failed == 0
    assert results.attempted >= (5 if name in READMES else 0)
    assert results.attempted == read(name).count("\n>>> ")  # none stands where doctest does not see it


@pytest.mark.parametrize("name", DOCUMENTS)
def test_other_python_blocks_compile(name):
    """Those that need a model, or a running page."""
    for block in re.findall(r"```python\n(.*?)```", read(name), re.DOTALL):
        if not block.lstrip().startswith(">>>"):
            compile(block, name, "exec")


COMMAND = typer.main.get_command(app)
COMMANDS = [
    pytest.param(line, said, id=f"{name}: {line}")
    for name in DOCUMENTS
    for block in re.findall(r"```(?:console|text)\n(.*?)```", read(name), re.DOTALL)
    for line, said in re.findall(r"^(?:\$ )?polyrouge (\w.*)\n((?:(?!\$|polyrouge ).*\n)*)", block, re.MULTILINE)
]


@pytest.mark.parametrize(("line", "said"), COMMANDS)
@pytest.mark.usefixtures("examples_folder")
def test_commands_are_taken_and_print_what_they_say(line, said, capsys, monkeypatch):
    """Those on the examples run; of others the options are read, as their files are the reader's."""
    monkeypatch.setenv("COLUMNS", "200")
    name, *arguments = shlex.split(line, comments=True)
    command = COMMAND.commands[name]  # pyright: ignore[reportAttributeAccessIssue]
    command.make_context(name, [*arguments])
    if "examples/" in line:
        with contextlib.suppress(SystemExit):  # of a gate whose rule is broken
            COMMAND.main([name, *arguments], prog_name="polyrouge")
        printed = "".join(capsys.readouterr())
        assert not said or doctest.OutputChecker().check_output(said, printed, doctest.ELLIPSIS), printed


# What readers are promised


@pytest.mark.parametrize("name", document_tables.DOCUMENTS)
def test_measured_tables_are_those_of_the_results(name):
    runs = [read_run(path) for path in (ROOT / "benchmarks" / "results").glob("*.jsonl")]
    assert document_tables.document_text(read(name), runs, name) == read(name)


@pytest.mark.parametrize("module", PUBLIC_MODULES)
def test_every_public_name_has_a_docstring_and_is_in_the_reference(module):
    public = importlib.import_module(module)
    for name in in_languages("api"):
        documented = set(re.findall(r'<a id="([^"]+)">', read(name)))
        assert {f"{module}.{each}" for each in public.__all__} <= documented
    for name in public.__all__:
        if inspect.isclass(getattr(public, name)) or inspect.isfunction(getattr(public, name)):
            assert (getattr(public, name).__doc__ or "").strip(), name


@pytest.mark.parametrize("registry", [CONVENTIONS, TOKENIZERS], ids=["conventions", "tokenizers"])
def test_help_of_a_registry_says_how_to_read_it(registry):
    text = pydoc.plain(pydoc.render_doc(registry))
    assert 'CONVENTIONS["zh_char"]' in text.split("Args:")[0]


# Tables


@pytest.mark.parametrize("name", in_languages("tokenizers"))
def test_tokenizer_table_is_what_the_tokenizers_do(name):
    text = read(name)
    (example,) = set(re.findall(r"^\|[^\n]*`(GPT-4[^`]*)`[^\n]*\n\|[-| :]+\|$", text, re.MULTILINE))
    table = text[text.index(example) :].partition("\n\n")[0]
    rows = re.findall(r"^\| `(\w+)` \| ((?:`[^`]+` )+)\|", table, re.MULTILINE)
    tables = {tokenizer: re.findall("`([^`]+)`", tokens) for tokenizer, tokens in rows}
    general = {each for each, entry in TOKENIZERS.items() if entry.takes_pieces}
    assert general == set(tables)
    for tokenizer, tokens in tables.items():
        assert tokens == build_tokenizer(tokenizer, TokenizerOptions())(example.lower()), tokenizer


@pytest.mark.parametrize("name", in_languages("languages"))
def test_segmenters_are_named_with_their_language(name):
    text = read(name)
    for tokenizer, entry in TOKENIZERS.items():
        if entry.is_general and entry.exact_libraries:
            conventions = [each for each, its in CONVENTIONS.items() if its.settings.tokenizer == tokenizer]
            row = re.search(rf'^\|.*"{tokenizer}"', text, re.MULTILINE)
            assert row or any(f"`{each}`" in text for each in conventions), tokenizer


@pytest.mark.languages
@pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
@pytest.mark.parametrize("name", in_languages("languages"))
def test_each_extra_for_languages_is_for_what_the_table_says(name):
    """As ``nox -f .ci/noxfile.py -s extras`` does, with what is installed here; both pages have the same rows."""
    check = runpy.run_path(str(ROOT / ".ci" / "check_extra.py"))
    text, english = (check["tables_in"](read(each)) for each in (name, "docs/languages.md"))
    (extras,) = re.findall(r'LANGUAGES = "(ja [^"]*)"', read(".ci/noxfile.py"))
    assert text == english
    assert extras.split() == list(text.names)
    for extra in set(text.names) - {"ko-sacrebleu"}:  # whose packages have an environment of their own
        assert check["check"](extra, text)


@pytest.mark.parametrize("name", in_languages("settings"))
def test_settings_table_has_every_setting_with_its_values(name):
    text = read(name)
    for setting, declared in ALL_SETTINGS.items():
        rows = re.findall(rf"^\|[^|]*`{setting}`.*$", text, re.MULTILINE)
        assert rows, setting
        default = repr(RougeSettings().value(setting)).replace("'", '"')
        assert any(f"`{default}`" in row.split("|")[2] for row in rows), (
            f"{name}: the default of {setting} is {default}"
        )
        for value in declared.values.allowed if isinstance(declared.values, Choice) else ():
            assert not isinstance(value, str) or any(f'"{value}"' in row for row in rows), (setting, value)


OF_TOOLS = {re.sub("^xlsum_.*", "xlsum_<language>", each) for each, its in TOKENIZERS.items() if not its.is_general}
ROW = r"^\|[^|]*`{}`"
ROWS = {
    "tokenizers": ("`{}`", sorted(OF_TOOLS)),
    "training": (ROW, TRAINER_OPTIONS),
    "conventions": (r"\| `{}` \|", list(CONVENTIONS)),
    "papers": (ROW, recipe_names()),
}


@pytest.mark.parametrize("name", ROWS)
def test_tables_name_everything(name):
    row, names = ROWS[name]
    for page in in_languages(name):
        text = read(page)
        missing = [each for each in names if not re.search(row.format(re.escape(each)), text, re.MULTILINE)]
        assert missing == [], f"{page} does not name {missing}"


@pytest.mark.parametrize("name", derived_texts.NAMES)
def test_what_follows_from_the_code_is_written(name):
    assert read(name) == derived_texts.derived(name), f"{name} lags behind the code: run make snapshot."


COMPARED = re.compile(r"^\| `(\w+)` \| ([\d.–]+) \| ([\d.–]+) \| ([\d.–]+) \|(.*)\|$", re.MULTILINE)


@pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
@pytest.mark.parametrize("name", [name for name in DOCUMENTS if COMPARED.search(read(name))])
def test_table_of_compared_conventions_is_what_they_score(name):
    rows = COMPARED.findall(read(name))
    assert len(rows) >= 8 or name != "docs/comparing.md"
    compared = compare_conventions(PREDICTIONS, REFERENCES, [convention for convention, *_ in rows])
    (table,) = compared.tables()
    for (convention, *scores, note), cells, row in zip(rows, table.rows, compared.rows, strict=True):
        assert [convention, *scores] == list(cells)
        assert name != "docs/comparing.md" or note.strip() == "; ".join(row.differences)


@pytest.mark.parametrize("name", [*READMES, *in_languages("papers")])
def test_settings_that_a_document_tells_are_settings(name):
    written = r'Rouge\(("\w+"[^`]*)\)' if name in READMES else r'("\w+"(?:, \w+=[^`]+)?)'
    calls = re.findall(f"`{written}`", read(name))
    assert len(calls) >= 15
    for call in calls:
        parsed = ast.parse(f"f({re.sub('<[^>]*>', 'hindi', call)})", mode="eval").body
        assert isinstance(parsed, ast.Call)
        changes = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in parsed.keywords}
        CONVENTIONS[ast.literal_eval(parsed.args[0])].settings.replace(**changes)


# Links


def links_of(name: str) -> list[str]:
    """The targets of a document's links and pictures, code left out."""
    text = re.sub(r"^```.*?^```|`[^`\n]*`", "``", read(name), flags=re.DOTALL | re.MULTILINE)
    return re.findall(r"\]\(([^)\s]+)\)", text)


def anchors_of(path: Path) -> set[str]:
    """The anchors that the site and the Hub make of a document's headings and of the names it documents."""
    text = path.read_text(encoding="utf-8")
    names = set(re.findall(r'<a id="([^"]+)">', text))
    without_code = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    for heading in re.findall(r"^#{1,6} (.+)$", without_code, re.MULTILINE):
        shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", unicodedata.normalize("NFC", heading)).strip().lower()
        names.add(re.sub(r"[^\w\- ]", "", shown).replace(" ", "-"))
    return names


def in_language_of(name: str, path: Path) -> Path:
    """The page that the site shows for a link from a document: the one in its language, if there is one."""
    translated = path.with_suffix(".zh.md")
    return translated if name.endswith(".zh.md") and path.suffix == ".md" and translated.is_file() else path


@pytest.mark.parametrize("name", [*DOCUMENTS, "CONTRIBUTING.md"])
def test_links_lead_somewhere(name):
    for link in links_of(name):
        target, _, anchor = link.partition("#")
        if target.startswith(HOME):
            path = ROOT / target.removeprefix(HOME).partition("/main/")[2]
        elif target.startswith("http"):
            continue
        else:
            path = in_language_of(name, (ROOT / name).parent / target) if target else ROOT / name
        assert path.exists(), link
        assert not anchor or anchor in anchors_of(path), link


def test_every_page_is_reached_from_the_readme():
    linked = {link.partition("#")[0] for link in links_of("README.md")}
    assert set(ENGLISH_PAGES) - {"docs/contributing.md"} <= linked


def test_every_page_is_in_the_contents_of_the_site():
    contents = re.findall(r"^ +- (?:Home: )?(\S+\.md)$", read("mkdocs.yml"), re.MULTILINE)
    assert {name.removeprefix("docs/") for name in ENGLISH_PAGES} <= set(contents)
