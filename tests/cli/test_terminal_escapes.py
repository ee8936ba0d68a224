"""What data hold never reaches a terminal as it is: names of files, systems, slices and ids, and what was typed."""

import json
import re

import pytest
from argument_runs import RAW
from command_runs import run, write_rows

from polyrouge import RougeSettings
from polyrouge.cli import command_line, commands

EVIL = "\x1b[2J\x1b]0;t\x07\x9b31m\u202e\r\n"
SHOWN = r"␛[2J␛]0;t␇\u009b31m\u202e␍␊"


@pytest.fixture
def path(tmp_path):
    """Rows in which everything but the texts is hostile, and a token of the texts too."""
    rows = [
        {
            "id": f"{EVIL}{row}",
            "prediction": f"cat{EVIL} {row % 2}",
            "other": "a dog",
            "references": [f"cat{EVIL} 1", "b"],
            "document": f"cat{EVIL}. A dog",
            EVIL: f"{EVIL}{row % 3}",
            "human": row % 4,
            "system": f"{EVIL}{row % 4}",
            "of": row // 4,
        }
        for row in range(12)
    ]
    return write_rows(tmp_path / "\x1b[2J\u202e.jsonl", rows)


PAIR = ("-p", "prediction", "-p", "other", "--name", EVIL, "--name", "B", "--tokenizer", "space")


@pytest.mark.parametrize("output_format", ["table", "latex", "markdown"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "-p", "prediction", "--slice-column", EVIL),
        ("compare", *PAIR, "--slice-column", EVIL, "--where-loses", EVIL, "--n-resamples", 100),
        ("check", "-p", "other", "--fail-under", "rouge1=90"),
        ("examine", *PAIR),
        ("context", "-p", "prediction", "--source-column", "document"),
        ("agreement", "-p", "prediction", "--human", "human", "--document-column", "of"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_tables_and_messages_show_symbols(path, arguments, output_format):
    done = run(arguments[0], path, *arguments[1:], "-f", output_format)
    assert done.exit_code == (1 if arguments[0] == "check" else 0), done.stderr
    assert RAW.findall(done.stdout + done.stderr) == []
    if arguments[0] not in ("context", "agreement"):
        assert SHOWN[:6] in done.stdout


def test_json_keeps_the_data(path):
    printed = json.loads(run("compare", path, *PAIR, "--n-resamples", 100, "-f", "json", "-q").stdout)
    assert [system["system"] for system in printed["systems"]] == [EVIL, "B"]
    assert printed["files"] == [str(path)]


@pytest.mark.parametrize(
    "arguments",
    [
        ("compare", "PATH", "-p", EVIL),
        ("nearest", "PATH", "PATH", "--column", "of"),
        ("rouge155", "-z", "SPL", EVIL),
        (f"--{EVIL}",),
    ],
)
def test_errors_show_symbols(path, arguments):
    done = run(*(path if word == "PATH" else word for word in arguments))
    assert done.exit_code == 2
    assert RAW.findall(done.stdout + done.stderr) == []


def test_a_signature_holds_no_backtick():
    """It would end the code that it is in Markdown."""
    line = run("signature", "--stop-words", "a,`b`,\x1b[2J").stdout
    assert "`" not in line
    assert not RAW.search(line)
    assert RougeSettings.from_signature(line).stop_words == ("\x1b[2J", "`b`", "a")


def test_a_fault_of_ours_ends_with_2(monkeypatch, capsys):
    """Python's own exit code is 1, which says that a rule of ``check`` is broken."""

    def app(**_):
        raise KeyError(EVIL, "\x1b[2J")

    monkeypatch.setattr(commands, "app", app)
    with pytest.raises(SystemExit) as ended:
        command_line.main(["score"])
    said = capsys.readouterr().err
    assert ended.value.code == 2
    assert "Traceback" in said
    assert said.endswith("polyrouge: error: a fault of polyrouge; please report it.\n")
    assert not re.search("[\x1b\x9b\u202e]", said)
