"""The command's lines against the script's own, on configurations of every input format."""

import json
from pathlib import Path

import pytest
import rouge155_script

from polyrouge.compat.rouge155.command import main
from polyrouge.compat.rouge155.options import Rouge155Options, read_arguments

with open(Path(__file__).with_name("rouge155_runs.json"), encoding="utf-8") as _file:
    GOLDEN = json.load(_file)


def write_files(folder):
    for name, content in GOLDEN["files"].items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8", newline="")


@pytest.fixture
def files(tmp_path, monkeypatch):
    """The golden runs' files, in the current folder; their tables for -e; no variable that names others."""
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    for name in ("ROUGE_EVAL_HOME", "RED_EVAL_HOME"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("run", GOLDEN["runs"], ids=lambda run: run["arguments"])
def test_prints_the_lines_of_the_script(run, capsys):
    status = main(["-e", "tables", *run["arguments"].split()])
    assert run["lines"] == capsys.readouterr().out.splitlines()
    assert run["status"] == status


@pytest.mark.peers
def test_the_script_still_prints_these_lines(tmp_path):
    rouge155_script.need_perl()
    rouge155_script.need_release()
    write_files(tmp_path)
    tables = tmp_path / "tables"
    data = rouge155_script.build_data_folder(
        tmp_path / "data", tables / "smart_common_words.txt", tables / "WordNet-2.0-Exceptions"
    )
    environment = rouge155_script.perl_environment(tmp_path)
    for run in GOLDEN["runs"]:
        done = rouge155_script.run_script(run["arguments"].split(), tmp_path, data, environment)
        assert (run["status"], run["lines"]) == done, run["arguments"]


@pytest.mark.usefixtures("files")
def test_warns_of_a_missing_prediction_once(capsys):
    main(["-n", "2", "spl.xml", "b"])
    warning = "*ROUGE Warning: test instance for peer b does not exist for evaluation 10\n"
    assert warning == capsys.readouterr().err


@pytest.mark.usefixtures("files")
def test_tables_come_from_the_environment(capsys, monkeypatch):
    monkeypatch.setenv("ROUGE_EVAL_HOME", "tables")
    run = next(run for run in GOLDEN["runs"] if {"-m", "-s"} <= set(run["arguments"].split()))
    assert main(run["arguments"].split()) == 0
    assert run["lines"] == capsys.readouterr().out.splitlines()


def test_help(capsys):
    assert main(["-h"]) == 0
    assert "-z FORMAT" in capsys.readouterr().out


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param("", "no configuration file; give one", id="nothing"),
        pytest.param("-n 1 spl.xml", "no system: give its ID after 'spl.xml', or -a", id="no-system"),
        pytest.param("-a -n", "-n has no value", id="no-value"),
        pytest.param("-a -n two spl.xml", "-n is 'two'; it must be a whole number", id="word"),
        pytest.param("-a -w nan spl.xml", "weight (-w) is nan; it must be at least 0.5 and at most 5", id="range"),
        pytest.param("-a -l 5 -b 5 spl.xml", "not both", id="limits"),
        pytest.param("-a -3 HHM spl.xml", "Did you mean 'HM'?", id="elements"),
        pytest.param("-z SPLL spl.lst", "-z is 'SPLL'; it must be one of SEE, SPL, ISI, SIMPLE", id="format"),
        pytest.param("-z SIMPLE spl.lst", "basic elements (SIMPLE) are for -3 alone", id="elements-in-n"),
        pytest.param("-3 H -z SPL spl.lst", "all other formats are not for -3", id="text-in-3"),
        pytest.param("-a nowhere.xml", "No such file or directory: 'nowhere.xml'", id="no-file"),
        pytest.param("-a spl.lst", "spl.lst, line 1: not well-formed", id="list-as-xml"),
        pytest.param("-a -m -e . spl.xml", "adj.exc does not exist", id="no-tables"),
    ],
)
def test_bad_input_is_refused(arguments, message, capsys):
    assert main(arguments.split()) == 2
    out, err = capsys.readouterr()
    assert message in err
    assert not out


@pytest.mark.usefixtures("files")
def test_missing_text_names_its_line_in_the_configuration(capsys):
    Path("spl/references/cafe.0").unlink()
    assert main(["-a", "spl.xml"]) == 2
    err = capsys.readouterr().err
    line = GOLDEN["files"]["spl.xml"].partition("cafe.0")[0].count("\n") + 1
    assert f"spl.xml, line {line}: cannot read reference 'spl/references/cafe.0' of evaluation '12'" in err


FOUR = Rouge155Options(max_n=4, skip_gap=-1, skip_units="both")  # a value may begin with a minus


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        pytest.param("-adn4 -2 -1 -U c", {"per_evaluation": True, "system": None, "options": FOUR}, id="together"),
        pytest.param("-an1 -qx c", {"warnings": ("Unknown option: q",)}, id="unknown-letter"),
        pytest.param("-a -- -c.xml", {"configuration": "-c.xml"}, id="two-dashes"),
        pytest.param(
            "-n 1 c X -m",
            {"system": "X", "warnings": ("ignored: -m. Options come before the configuration file.",)},
            id="late",
        ),
    ],
)
def test_arguments(arguments, expected):
    result = read_arguments(arguments.split())
    assert {name: getattr(result, name) for name in expected} == expected
