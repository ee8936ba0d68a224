"""Messages as data: sentences of texts and options, which each reader has in its own words."""

import ast
import json
import pickle
import re
from pathlib import Path

import pytest

import polyrouge
from polyrouge.cli.wording import in_command
from polyrouge.errors import Note, Option, RefusedType, RefusedValue, as_plain, note_from, unknown_value

PACKAGE = Path(polyrouge.__file__).parent
# Commands of other tools, and a property of CSS.
OF_OTHERS = re.compile(r"\bpip install\b|--revision|--pr-n")
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
    ("option", "in_python", "typed"),
    [
        (Option("sentence_split", "auto"), "sentence_split='auto'", "--sentence-split auto"),
        (Option("sentence_split", "<q>"), "sentence_split='<q>'", "--sentence-split '<q>'"),
        (Option("sentence_split"), "sentence_split", "--sentence-split"),
        (Option("max_words", 5), "max_words=5", "--max-words 5"),
        (Option("beta", 1e-08), "beta=1e-08", "--beta 1e-08"),
        (Option("use_stemmer", value=True), "use_stemmer=True", "--use-stemmer"),
        (Option("jieba_hmm", value=False), "jieba_hmm=False", "--no-jieba-hmm"),
        (Option("lowercase", value=False), "lowercase=False", "--lowercase false"),
        (Option("header", value=False), "header=False", "--no-header"),
        (Option("normalize", None), "normalize=None", "--normalize none"),
        (
            Option("rouge_types", ["rouge1", "rougeL"]),
            "rouge_types=['rouge1', 'rougeL']",
            "--rouge-types rouge1,rougeL",
        ),
        (Option("tool", {"lcs": "union"}), "tool={'lcs': 'union'}", "--lcs union"),
        (Option("A number of weights"), "A number of weights", "A number of weights"),
    ],
)
def test_an_option_is_worded_for_who_reads_it(option, in_python, typed):
    error = RefusedValue("Give ", option, ".")
    assert str(error) == f"Give {in_python}."
    assert in_command(error) == f"Give {typed}."


def test_refusals_are_errors_of_python_that_keep_their_sentence():
    error = RefusedType(Option("beta"), " is 'a'; give a number.")
    for same in (error, pickle.loads(pickle.dumps(error))):  # noqa: S301 our own
        assert isinstance(same, TypeError)
        assert (same.field, same.sentence) == ("beta", (Option("beta"), " is 'a'; give a number."))
    assert isinstance(unknown_value("bset", ["best"], Option("multi_reference")), ValueError)
    assert RefusedValue("Nothing is named.").field == ""


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
