"""The command as a user runs it: what it prints, what it writes, how it ends."""

import io
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command_runs import CHINESE, PREDICTIONS, REFERENCES, ROOT, ROWS, csv_rows, run, samples_of, write_rows
from new_process import run_program

import polyrouge
from polyrouge import CONVENTIONS, Rouge, RougeSettings
from polyrouge.cli import command_running

TWO = ("-p", "prediction", "-p", "prediction_b")


def test_same_seed_same_p_for_any_number_of_threads():
    arguments = ("compare", CHINESE, *TWO, "-f", "json", "-q", "--n-resamples", 300, "--engine", "compiled")
    first, *others = (json.loads(run(*arguments, "--threads", threads).stdout)["pairs"] for threads in (0, 1, 2))
    assert others == [first, first]


def test_every_setting_is_an_option(tmp_path):
    """Under its own name too, with underscores; "none" overrides a convention."""
    (tmp_path / "words.txt").write_text("的 了\n", encoding="utf-8")
    ran = run(
        "signature", "--use_stemmer", "--lowercase", "false", "--beta", 2, "--max_words", 9, "--rouge-types",
        "rouge1,rougeSU4", "--tokenizer", "char", "--stop_words", f"@{tmp_path}/words.txt",
        "--sentence_split", "\n\n", "--normalize", "nfkc",
    )  # fmt: skip

    texts = {"lowercase": False, "stop_words": ("的", "了"), "normalize": "nfkc", "tokenizer": "char"}
    numbers = {"beta": 2, "max_words": 9, "scale": 100, "rouge_types": ("rouge1", "rougeSU4")}
    expected = RougeSettings(use_stemmer=True, sentence_split="\n\n", **texts, **numbers)
    assert ran.stdout == expected.signature() + "\n"
    assert Rouge(scale=100).signature() + "\n" == run("signature", "--max-words", "none").stdout


def test_the_bar_of_a_report_shows_each_stage(monkeypatch):
    shown = []
    monkeypatch.setattr("rich.progress.Progress.update", lambda *_, **told: shown.append(tuple(told.values())))
    monkeypatch.setattr("rich.progress.Progress.reset", lambda *_, total: shown.append(total))
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr(command_running.sys, "stderr", terminal)
    with command_running.report_progress(quiet=False) as progress:
        assert progress is not None
        for done in range(1001):
            progress("examining", done, 1000)
        progress("writing", 0, 0)
    examining = [(n, 1000, "examining") for n in range(0, 1001, 10)]
    assert shown == [1000, *examining, None, (0, None, "writing")]


def test_a_file_in_place_of_a_terminal_gets_a_line_now_and_then(monkeypatch, capsys):
    with command_running.progress_bar("0 rows", quiet=False) as show:
        show("1 rows", 1, 10_000)
        monkeypatch.setattr(command_running, "SECONDS_OF_A_LINE", 0)
        show("12,000 rows", 2_500, 10_000)
        show("20,000 rows", 5_000, 10_000)
    with command_running.report_progress(quiet=False) as progress:
        assert progress is not None
        progress("examining", 5, 0)
    with command_running.progress_bar("", quiet=True) as show:
        assert show is None

    lines = ["12,000 rows, 25%", "20,000 rows, 50%", "examining"]
    assert capsys.readouterr().err == "".join(f"polyrouge: {line}\n" for line in lines)


def test_plain_text_from_standard_input_against_several_files(tmp_path):
    (tmp_path / "one.txt").write_text("a b\nc d\n")
    (tmp_path / "two.txt").write_text("a c\nc e\n")
    ran = run("score", "-", tmp_path / "one.txt", tmp_path / "two.txt", "-f", "json", "-q",
              "--per-sample", tmp_path / "samples.csv", text="a b\nc e\n")  # fmt: skip
    assert dict.fromkeys(("rouge1", "rouge2", "rougeL", "rougeLsum"), 100.0) == json.loads(ran.stdout)["scores"]
    assert [row["id"] for row in samples_of(tmp_path / "samples.csv")] == ["1", "2"]


def test_output_is_saved_by_its_suffix(tmp_path):
    for suffix, start in ((".json", "{"), (".csv", "type,"), (".tex", r"\begin{table}"), (".md", "**")):
        ran = run("score", CHINESE, "-q", "-o", tmp_path / f"out{suffix}")
        assert (ran.exit_code, ran.stdout) == (0, "")
        assert (tmp_path / f"out{suffix}").read_text(encoding="utf-8").startswith(start)


@pytest.fixture
def apart(tmp_path):
    """Predictions and references in two files, each with ids, in different orders."""
    predictions = [{"id": row["id"], "prediction": row["prediction"]} for row in ROWS]
    references = [{"id": row["id"], "references": row["references"]} for row in ROWS]
    random.Random(5).shuffle(references)
    return write_rows(tmp_path / "p.jsonl", predictions), write_rows(tmp_path / "r.jsonl", references)


def test_files_in_another_order_are_joined_by_their_ids(apart, tmp_path):
    """In the order of the first file; they were paired by place: a mean of rows that do not belong together."""
    path = tmp_path / "samples.jsonl"
    ran = run("score", *apart, "-c", "zh_char", "-f", "json", "--per-sample", path)
    by_place = run("score", *apart, "-c", "zh_char", "-f", "json", "--id-column", "none", "-q")

    expected = Rouge("zh_char", scale=100).compute(PREDICTIONS, REFERENCES)
    assert json.loads(ran.stdout)["scores"] == expected
    assert "guessed: ids are in " in ran.stderr
    assert json.loads(by_place.stdout)["scores"]["rouge1"] < expected["rouge1"] / 2
    scores = Rouge("zh_char", scale=100).score(PREDICTIONS, REFERENCES)["rouge1"].tolist()
    ids = [row["id"] for row in ROWS]
    assert [(row["id"], row["rouge1"]) for row in samples_of(path)] == list(zip(ids, scores, strict=True))
    assert run("score", *reversed(apart), "-p", "references", "-r", "prediction", "-q").exit_code == 2  # lists


def test_empty_texts_are_counted_in_every_output(tmp_path):
    rows = [("x", "", ["x", " "]), ("\n", " ", ["", "y"]), ("z", "", ["z", "z"])]
    path = write_rows(tmp_path / "rows.jsonl", [dict(zip("abr", row, strict=True)) for row in rows])

    def printed(output_format):
        options = ["-r", "r", "-f", output_format, "-q"]
        compared = run("compare", path, "-p", "a", "-p", "b", *options, "--n-resamples", 9)
        return run("score", path, "-p", "b", *options).stdout, compared.stdout

    scored, compared = map(json.loads, printed("json"))
    assert (scored["empty_predictions"], scored["empty_references"]) == (3, 2)
    assert [system["empty_predictions"] for system in compared["systems"]] == [1, 3]
    assert compared["empty_references"] == 2
    scored, compared = map(csv_rows, printed("csv"))
    assert {(row["empty_predictions"], row["empty_references"]) for row in scored} == {("3", "2")}
    names = ("first_empty_predictions", "second_empty_predictions", "empty_references")
    assert {tuple(row[name] for name in names) for row in compared} == {("1", "3", "2")}
    assert "% empty predictions: a 1, b 3" in printed("latex")[1]


def test_empty_cells_are_refused_or_taken_for_texts(tmp_path):
    (tmp_path / "rows.csv").write_text("prediction,reference\na b,a b\n,c\n")
    save = tmp_path / "out.json"
    arguments = ["score", tmp_path / "rows.csv", "-q", "-o", save]

    assert run(*arguments).exit_code == 2
    assert run(*arguments, "--empty-cells", "texts").exit_code == 2
    assert run("report", *arguments[1:]).exit_code == 2
    assert not save.exists()
    assert run(*arguments, "--empty-cells", "text").exit_code == 0
    saved = json.loads(save.read_text())
    assert (saved["scores"]["rouge1"], saved["empty_predictions"]) == (50.0, 1)


@pytest.mark.parametrize("options", [("--workers", 2), ("--config", "en")])
def test_an_option_without_the_one_that_it_is_for_is_refused(options):
    ran = run("score", CHINESE, "-p", "prediction", *options)
    assert (ran.exit_code, ran.stdout, options[0] in ran.stderr) == (2, "", True)


def test_a_refused_run_leaves_the_old_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    predictions = write_rows(Path("one.jsonl"), [{"id": name, "prediction": "x"} for name in "ab"])
    references = write_rows(Path("two.jsonl"), [{"id": name, "reference": "x"} for name in "ca"])
    Path("out.json").write_text("old")

    ran = run("score", predictions, references, "--save", "out.json", "--per-sample", "samples.csv", "-q")

    assert (ran.exit_code, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert re.search(r"1 of one.jsonl .* is not in two.jsonl .*\('b'\), and 1 of two.jsonl .*'c'", ran.stderr)
    assert sorted(os.listdir()) == ["one.jsonl", "out.json", "two.jsonl"]
    assert Path("out.json").read_text() == "old"


def test_a_warning_is_said_once_and_in_json(tmp_path):
    rows = write_rows(tmp_path / "rows.jsonl", [{"prediction": "The cat sat. It slept.", "reference": "A cat sat."}])
    ran = run("score", rows, "-c", "zh_char", "-f", "json")
    (warning,) = json.loads(ran.stdout)["warnings"]
    assert ran.stderr.count(f"warning: {warning}\n") == 1
    assert run("score", rows, "-c", "zh_char", "-f", "json", "--sentence-split", "auto").stderr.count("warning:") == 0


def test_comparison_is_checked_before_anything_is_scored(tmp_path):
    rows = tmp_path / "rows.jsonl"
    row = '{"prediction": "a", "prediction_b": "b", "reference": "c"}\n'
    rows.write_text(row + row.replace('"c"', "null"))  # which is an error when it is scored
    command = ("compare", rows, *TWO, "-r", "reference")
    assert "'reference' is null" in run(*command).stderr
    not_of_a_mean = ("--aggregate", "micro", "--multi-reference", "first")
    for options in (("--significance", "5"), ("--n-resamples", "0"), ("--seed", "-1"), not_of_a_mean):
        ran = run(*command, *options)
        assert (ran.exit_code, "is null" in ran.stderr) == (2, False), ran.stderr


def test_conventions_are_listed():
    listed = json.loads(run("conventions", "-f", "json").stdout)["conventions"]
    signatures = {name: each.settings.signature() for name, each in CONVENTIONS.items()}
    assert [(each["convention"], each["settings"]) for each in listed] == list(signatures.items())
    assert "**" not in run("conventions", "-f", "markdown").stdout.partition("\n")[2]


@pytest.mark.process
def test_help_is_quick_and_version_is_ours():
    program = (
        "import sys; from polyrouge.cli.commands import app;"
        "heavy = {'datasets', 'evaluate', 'pandas', 'pyarrow', 'gradio', 'rich.progress'};"
        "print(heavy & set(sys.modules))"
    )
    for arguments, printed in (
        (("-m", "polyrouge", "--version"), f"{polyrouge.__version__} (compiled engine)\n"),
        (("-c", program), "set()\n"),
    ):
        ran = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True, cwd=ROOT.parent)
        assert ran.stdout == printed


@pytest.mark.process
def test_a_closed_pipe_is_no_error():
    command = f"{sys.executable} -m polyrouge score {CHINESE} -q -f csv | head -1"
    ran = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=True, cwd=ROOT.parent)
    assert ran.stdout.startswith("type,")
    assert ran.stderr == ""


@pytest.mark.process
@pytest.mark.parametrize(
    ("library", "arguments", "sentence"),
    [
        ("pyarrow", ["score", "texts.parquet"], "texts.parquet (Parquet) needs pyarrow"),
        ("pyarrow", ["score", "folder", "--run-on", "local", "-o", "scored"], "A folder needs pyarrow"),
        ("scipy", ["agreement", "judged.jsonl", "--human", "human"], "agreement needs scipy"),
        ("gradio", ["app"], "The page needs gradio"),
    ],
)
def test_missing_library_is_named_with_its_extra(library, arguments, sentence, tmp_path):
    (tmp_path / "texts.parquet").touch()
    (tmp_path / "folder").mkdir()
    rows = [{"prediction": "a", "reference": "a", "system": name, "human": 1, "id": 0} for name in "AB"]
    write_rows(tmp_path / "judged.jsonl", rows)
    program = (
        f"import sys; sys.modules[{library!r}] = None; from polyrouge.cli.command_line import main; main({arguments})"
    )
    extra = {"pyarrow": "arrow", "scipy": "agreement", "gradio": "page"}[library]
    said = run_program(program, code=2, cwd=tmp_path).stderr.splitlines()[-1]
    assert said == f'polyrouge: error: {sentence}: pip install "polyrouge[{extra}]"'


@pytest.mark.process
def test_the_core_scores_and_reports_without_any_extra(tmp_path):
    """Neither Arrow nor scipy, evaluate or Gradio is imported, so none of them is needed."""
    hidden = ("pyarrow", "scipy", "datasets", "evaluate", "gradio", "pandas", "fsspec", "xxhash")
    write_rows(tmp_path / "texts.jsonl", [{"prediction": "a b", "reference": "a c"}])
    for command in (["score"], ["report", "-o", "report.html"], ["examine"], ["check", "--fail-under", "rouge1=38.4"]):
        arguments = [command[0], "texts.jsonl", *command[1:]]
        program = (
            f"import sys; sys.modules.update(dict.fromkeys({hidden})); "
            f"from polyrouge.cli.command_line import main; main({arguments})"
        )
        run_program(program, cwd=tmp_path)
    assert (tmp_path / "report.html").stat().st_size > 10_000


def test_rouge155_gets_all_arguments(monkeypatch):
    calls = []
    monkeypatch.setattr("polyrouge.compat.rouge155.command.main", lambda arguments: calls.append(arguments) or 3)
    arguments = ["-e", "data", "-n", "2", "-a", "--help", "settings.xml"]
    assert run("rouge155", *arguments).exit_code == 3
    assert calls == [arguments]
