"""Messages as data: sentences of texts and options, which each reader has in its own words."""

import ast
import json
import pickle
import re
from pathlib import Path
from string import Formatter

import pytest

import polyrouge
from polyrouge.cli.wording import in_command
from polyrouge.errors import Note, Option, RefusedType, RefusedValue, as_plain, note_from, unknown_value
from polyrouge.page.wording import in_json
from polyrouge.report.note_texts import note_texts

PACKAGE = Path(polyrouge.__file__).parent
# Commands of other tools, and a property of CSS.
OF_OTHERS = re.compile(r"\bpip install\b|--no-deps|--revision|--pr-n")
NAMES_AN_OPTION = re.compile(r"(?<![\w-])--[a-z]")


def sentences(path):
    """The texts of a module that a user may see: all but docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.lineno, node.value


def test_no_module_below_the_command_names_its_options():
    wrong = [
        f"{path.relative_to(PACKAGE)}:{line}: {text}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.relative_to(PACKAGE).parts[0] not in ("cli", "compat")  # whose drop-ins have commands of their own
        for line, text in sentences(path)
        if NAMES_AN_OPTION.search(text) and not OF_OTHERS.search(text)
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("option", "in_python", "typed", "argument"),
    [
        (
            Option("sentence_split", "auto"),
            "sentence_split='auto'",
            "--sentence-split auto",
            '"sentence_split": "auto"',
        ),
        (Option("sentence_split", "<q>"), "sentence_split='<q>'", "--sentence-split '<q>'", '"sentence_split": "<q>"'),
        (Option("sentence_split"), "sentence_split", "--sentence-split", '"sentence_split"'),
        (Option("max_words", 5), "max_words=5", "--max-words 5", '"max_words": 5'),
        (Option("beta", 1e-08), "beta=1e-08", "--beta 1e-08", '"beta": 1e-08'),
        (Option("use_stemmer", value=True), "use_stemmer=True", "--use-stemmer", '"use_stemmer": true'),
        (Option("jieba_hmm", value=False), "jieba_hmm=False", "--no-jieba-hmm", '"jieba_hmm": false'),
        (Option("lowercase", value=False), "lowercase=False", "--lowercase false", '"lowercase": false'),
        (Option("header", value=False), "header=False", "--no-header", '"header": false'),
        (Option("normalize", None), "normalize=None", "--normalize none", '"normalize": null'),
        (Option("weights", (0.5, 1.0)), "weights=(0.5, 1.0)", "--weights 0.5,1.0", '"weights": [0.5, 1.0]'),
        (Option("tool", {"lcs": "union"}), "tool={'lcs': 'union'}", "--lcs union", '"lcs": "union"'),
        (Option("A number of weights"), *["A number of weights"] * 3),
    ],
)
def test_an_option_is_worded_for_who_reads_it(option, in_python, typed, argument):
    error = RefusedValue("Give ", option, ".")
    assert str(error) == f"Give {in_python}."
    assert in_command(error) == f"Give {typed}."
    assert in_json(error) == f"Give {argument}."


def test_refusals_are_errors_of_python_that_keep_their_sentence():
    error = RefusedType(Option("beta"), " is 'a'; give a number.")
    for same in (error, pickle.loads(pickle.dumps(error))):  # noqa: S301 our own
        assert isinstance(same, TypeError)
        assert (same.field, same.sentence) == ("beta", (Option("beta"), " is 'a'; give a number."))
    assert RefusedValue("Nothing is named.").field == ""


def test_an_unknown_value_is_met_with_all_names_or_the_ten_nearest():
    error = unknown_value("bset", ["best", "mean"], Option("multi_reference"))
    assert isinstance(error, ValueError)
    assert str(error) == "Did you mean 'best'? Unknown multi_reference 'bset'; choose one of best, mean."
    names = [f"name_{letter}" for letter in "abcdefghijkl"]
    listed = str(unknown_value("nome_k", names, "x", {"name_l": "nomek"})).rpartition("; ")[2]
    assert listed.startswith("the nearest of 12 are name_l, name_k, ")
    assert len(set(listed.removesuffix(".").split(", "))) == 10
    assert str(unknown_value(5, [], "x")).startswith("Unknown x 5; ")


def test_notes_are_texts_that_keep_their_sentence_between_processes():
    note = Note(Option("empty", "skip"), " left 1 of 2.", kind="left_out", n=1, all=2)
    assert note == "empty='skip' left 1 of 2."
    for same in (pickle.loads(pickle.dumps(note)), note_from(json.loads(json.dumps(as_plain(note))))):  # noqa: S301 our own
        assert (same, same.kind, same.values) == (note, "left_out", {"n": 1, "all": 2})
        assert in_command(same) == "--empty skip left 1 of 2."


def test_what_python_says_of_missing_packages_is_worded_too():
    error = ModuleNotFoundError(Note("Give ", Option("subword_model", "FILE"), "."), name="x")
    assert (str(error), in_command(error)) == ("Give subword_model='FILE'.", "Give --subword-model FILE.")


def test_a_terminal_obeys_no_message():
    assert str(RefusedValue("a\x1b[2Jb")) == "a␛[2Jb"
    assert Note("a\x1b[2Jb") == "a␛[2Jb"


def notes_with_a_kind():
    """The kinds of notes in the package, each with the names of its values."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or getattr(node.func, "id", "") != "Note":
                continue
            values = {keyword.arg: keyword.value for keyword in node.keywords}
            match values.pop("kind", None):
                case None:
                    continue
                case ast.IfExp(body=ast.Constant(value=first), orelse=ast.Constant(value=second)):
                    kinds = [first, second]
                case ast.JoinedStr(values=[ast.Constant(value=prefix), _]):  # how sentences would be cut
                    kinds = [f"{prefix}{split}" for split in ("newline", "zh", "auto")]
                case ast.Constant(value=kind):
                    kinds = [kind]
                case expression:
                    raise TypeError(f"{path}: this test can't read the kind {ast.unparse(expression)}")
            yield from ((kind, values.keys()) for kind in kinds)


def test_the_page_has_a_sentence_for_each_kind_of_note_and_no_other():
    sentences = note_texts()
    kinds = dict(notes_with_a_kind())
    assert kinds.keys() == sentences.keys()
    for kind, by_language in sentences.items():
        assert "zh" in by_language, kind  # Python's English is read where "en" is missing
        for sentence in by_language.values():
            assert {name for _, name, *_ in Formatter().parse(sentence) if name} <= kinds[kind], kind
