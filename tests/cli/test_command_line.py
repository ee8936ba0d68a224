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
from polyrouge.files.pairs import open_pairs

TWO = ("-p", "prediction", "-p", "prediction_b")


class Terminal(io.StringIO):
    """Standard error that is one."""

    def isatty(self):
        return True


def test_scores_and_signature_are_computes():
    rouge = Rouge("zh_word", confidence=0.95, output="all", scale=100)
    options = ("--confidence", "0.95", "--output", "all")
    ran = run("score", CHINESE, "-c", "zh_word", *options, "-f", "json")
    printed = json.loads(ran.stdout)
    assert rouge.compute(PREDICTIONS, REFERENCES) == printed["scores"]
    assert rouge.signature() == printed["signature"]
    assert (len(ROWS), [str(CHINESE)], 0) == (printed["samples"], printed["files"], ran.exit_code)
    assert f"guessed: {CHINESE}: predictions are the column 'prediction'" in ran.stderr


def test_comparison_as_json():
    ran = run("compare", CHINESE, *TWO, "--name", "A", "--name", "B", "-f", "json", "-q", "--seed", 7)
    printed = json.loads(ran.stdout)
    assert ["A", "B"] == [system["system"] for system in printed["systems"]]
    assert ["b"] == printed["systems"][0]["rouge1"]["better_than"]
    assert Rouge(scale=100).compute(PREDICTIONS, REFERENCES)["rouge1"] == printed["systems"][0]["rouge1"]["mean"]
    pair = printed["pairs"][0]
    assert pair["wins"] + pair["ties"] + pair["losses"] == len(ROWS)
    assert pair["low"] <= pair["difference"] <= pair["high"]
    assert (7, 10_000, True) == (printed["seed"], printed["n_resamples"], pair["significant"])


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

    settings = {
        "use_stemmer": True,
        "lowercase": False,
        "beta": 2,
        "max_words": 9,
        "rouge_types": ("rouge1", "rougeSU4"),
    }
    settings |= {
        "tokenizer": "char",
        "stop_words": ("的", "了"),
        "sentence_split": "\n\n",
        "normalize": "nfkc",
        "scale": 100,
    }
    assert ran.stdout == RougeSettings(**settings).signature() + "\n"
    assert Rouge(scale=100).signature() + "\n" == run("signature", "--max-words", "none").stdout


@pytest.fixture
def shown(monkeypatch):
    """What is told to rich's bar, on a terminal: totals of new stages, and (text, done, total)."""
    calls = []

    def update(*_, completed, total, description):
        calls.append((description, completed, total))

    monkeypatch.setattr("rich.progress.Progress.update", update)
    monkeypatch.setattr("rich.progress.Progress.reset", lambda *_, total: calls.append(total))
    return calls


def test_the_bar_moves_while_a_chunk_is_counted(tmp_path, shown, monkeypatch):
    """A slow segmenter takes long for the rows that are read at once."""
    monkeypatch.setattr(command_running.sys, "stderr", Terminal())
    path = write_rows(tmp_path / "rows.jsonl", [{"prediction": f"它 {row}", "reference": "它"} for row in range(2500)])
    with open_pairs([str(path)], []) as pairs:
        for chunk in command_running.with_progress(pairs, quiet=False):
            Rouge("zh_char", engine="plain").score(chunk.predictions[0], chunk.references)
    size = path.stat().st_size
    rows = [*range(250, 2501, 250), 2500]
    assert [text for text, _, _ in shown] == [f"{n:,} rows" for n in rows]
    assert [done for _, done, _ in shown] == pytest.approx([size * n / 2500 for n in rows])
    assert {total for _, _, total in shown} == {size}


def test_the_bar_of_a_report_shows_each_stage(shown, monkeypatch):
    monkeypatch.setattr(command_running.sys, "stderr", Terminal())
    with command_running.report_progress(quiet=True) as progress:
        assert progress is None
    with command_running.report_progress(quiet=False) as progress:
        assert progress is not None
        for done in range(1001):
            progress("examining", done, 1000)
        progress("writing", 0, 0)
    examining = [("examining", n, 1000) for n in range(0, 1001, 10)]
    assert shown == [1000, *examining, None, ("writing", 0, None)]


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


EMPTY_ROWS = [
    {"a": "x", "b": "", "r": ["x", " "]},
    {"a": "\n", "b": " ", "r": ["", "y"]},
    {"a": "z", "b": "", "r": ["z", "z"]},
]


@pytest.mark.parametrize("output_format", ["table", "json", "csv", "latex", "markdown"])
def test_empty_texts_are_counted_in_every_output(tmp_path, output_format):
    write_rows(tmp_path / "rows.jsonl", EMPTY_ROWS)
    options = ["-r", "r", "-f", output_format, "-q"]

    score = run("score", tmp_path / "rows.jsonl", "-p", "b", *options).stdout
    compare = run("compare", tmp_path / "rows.jsonl", "-p", "a", "-p", "b", *options, "--n-resamples", 9).stdout

    if output_format == "json":
        scored, compared = json.loads(score), json.loads(compare)
        assert (scored["empty_predictions"], scored["empty_references"]) == (3, 2)
        assert [system["empty_predictions"] for system in compared["systems"]] == [1, 3]
        assert compared["empty_references"] == 2
    elif output_format == "csv":
        scored, compared = map(csv_rows, (score, compare))
        assert {(row["empty_predictions"], row["empty_references"]) for row in scored} == {("3", "2")}
        names = ("first_empty_predictions", "second_empty_predictions", "empty_references")
        assert {tuple(row[name] for name in names) for row in compared} == {("1", "3", "2")}
    else:
        assert "3 samples, 3 empty predictions, 2 empty references" in score
        assert "2 systems, 3 samples, 2 empty references" in compare
        if output_format == "latex":
            assert "% empty predictions: a 1, b 3" in compare
            return
        rows = [line for line in compare.splitlines() if re.match(r"[| ]*([ab]\b).*\1", line) and "[" not in line]
        assert [re.findall(r"\d+", line)[-1] for line in rows if "−" not in line] == ["1", "3"]


@pytest.mark.parametrize("command", ["score", "report"])
def test_empty_cells_are_refused_or_taken_for_texts(tmp_path, command):
    (tmp_path / "rows.csv").write_text("prediction,reference\na b,a b\n,c\n")
    save = tmp_path / {"score": "out.json", "report": "out.html"}[command]
    arguments = [command, tmp_path / "rows.csv", "-q", "-o", save]

    refused = run(*arguments)
    assert (refused.exit_code, save.exists()) == (2, False)
    assert "rows.csv, line 3: 'prediction' is an empty cell" in refused.stderr
    assert "--empty-cells text" in refused.stderr
    assert run(*arguments, "--empty-cells", "texts").exit_code == 2

    taken = run(*arguments, "--empty-cells", "text")
    assert taken.exit_code == 0, taken.stderr
    if command == "score":
        saved = json.loads(save.read_text())
        assert (saved["scores"]["rouge1"], saved["empty_predictions"]) == (50.0, 1)


# The catalogue has every refusal; these are of every part of a run.
BAD = {
    "ids": (
        "one.jsonl two.jsonl",
        "1 of one.jsonl .* is not in two.jsonl .*\\('b'\\), and 1 of two.jsonl .*'c'.*--id-column none",
    ),
    "number": (f"{CHINESE} --beta x", "--beta is 'x'; give a number"),
    "types": (f"{CHINESE} --rouge-types ,", "--rouge-types is ','; give names with commas between them"),
    "format": (f"{CHINESE} -f xml", "Unknown format 'xml'"),
    "option": (f"{CHINESE} --use-stemer", "No such option"),
    "folder": (f"{CHINESE} --save none/out.json", "There is no folder 'none' to write 'out.json' to"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_message_and_exit_code_2_and_writes_nothing(tmp_path, monkeypatch, case):
    monkeypatch.chdir(tmp_path)
    write_rows(Path("one.jsonl"), [{"id": each, "prediction": "x"} for each in "ab"])
    write_rows(Path("two.jsonl"), [{"id": each, "reference": "x"} for each in "ca"])
    Path("out.json").write_text("old")
    before = sorted(os.listdir())
    arguments, message = BAD[case]
    save = [] if "--save" in arguments else ["--save", "out.json"]

    ran = run("score", *arguments.split(), *save, "--per-sample", "samples.csv", "-q")

    assert ran.exit_code == 2
    assert ran.stdout == ""
    assert re.search(message, ran.stderr), ran.stderr
    if "option" not in case:
        assert ran.stderr.count("\n") == 1
    assert sorted(os.listdir()) == before
    assert Path("out.json").read_text() == "old"


def test_warning_is_in_the_words_of_the_command(tmp_path):
    rows = write_rows(tmp_path / "rows.jsonl", [{"prediction": "The cat sat. It slept.", "reference": "A cat sat."}])
    ran = run("score", rows, "-c", "zh_char", "-f", "json")
    (warning,) = json.loads(ran.stdout)["warnings"]
    assert f"warning: {warning}\n" in ran.stderr
    assert "by --sentence-split zh, so it is rougeL" in warning
    assert "--sentence-split auto cuts them; --sentence-split none says" in warning
    assert run("score", rows, "-c", "zh_char", "-f", "json", "--sentence-split", "auto").stderr.count("warning:") == 0


def test_comparison_is_checked_before_anything_is_scored(tmp_path):
    rows = tmp_path / "rows.jsonl"
    row = '{"prediction": "a", "prediction_b": "b", "reference": "c"}\n'
    rows.write_text(row + row.replace('"c"', "null"))  # which is an error when it is scored
    command = ("compare", rows, *TWO, "-r", "reference")
    assert "line 2: 'reference' is null" in run(*command).stderr
    for options, message in (
        (("--significance", "5"), "--significance is 5.0; it must be above 0 and below 1"),
        (("--n-resamples", "0"), "--n-resamples is 0; it must be at least 1"),
        (("--seed", "-1"), "seed is -1; it must be at least 0"),
        (("--aggregate", "micro", "--multi-reference", "first"), "set --aggregate mean"),
    ):
        ran = run(*command, *options)
        assert (ran.exit_code, message in ran.stderr) == (2, True), ran.stderr


def test_setting_of_the_wrong_type_is_a_message_of_benchmark_too(tmp_path):
    (tmp_path / "data.jsonl").write_text('{"summary": "a", "text": "b"}\n')
    file = tmp_path / "data.jsonl"
    ran = run("benchmark", "lcsts", file, "--data-file", file, "--lowercase", "no")
    assert ran.exit_code == 2
    assert "error: --lowercase is 'no'; give True or False" in ran.stderr


def test_warnings_are_sentences_once_and_in_json():
    ran = run("compare", CHINESE, *TWO, "-c", "rouge_score", "-f", "json")
    assert ran.stderr.count("warning: The tokenizer 'ascii' drops") <= 2
    assert any("drops" in warning for warning in json.loads(ran.stdout)["warnings"])
    assert "RougeWarning" not in ran.stderr


def test_a_report_is_written(tmp_path):
    ran = run("report", CHINESE, *TWO, "-c", "zh_char", "-o", tmp_path / "r.html", "--title", "两个系统")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "两个系统" in page
    assert Rouge("zh_char").signature()[:60] in page
    assert f"the report is {(tmp_path / 'r.html').as_uri()}" in ran.stderr
    assert os.listdir(tmp_path) == ["r.html"]


def test_conventions_are_listed():
    listed = json.loads(run("conventions", "-f", "json").stdout)["conventions"]
    signatures = {name: each.settings.signature() for name, each in CONVENTIONS.items()}
    assert [(each["convention"], each["settings"]) for each in listed] == list(signatures.items())


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
    (tmp_path / "judged.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    program = (
        f"import sys; sys.modules[{library!r}] = None; from polyrouge.cli.command_line import main; main({arguments})"
    )
    extra = {"pyarrow": "arrow", "scipy": "agreement", "gradio": "page"}[library]
    said = run_program(program, code=2, cwd=tmp_path).stderr.splitlines()[-1]
    assert said == f'polyrouge: error: {sentence}: pip install "polyrouge[{extra}]"'


JSON_LINES = '{"prediction": "a b", "reference": "a c"}\n'


@pytest.mark.process
def test_the_core_scores_and_reports_without_any_extra(tmp_path):
    """Neither Arrow nor scipy, evaluate or Gradio is imported, so none of them is needed."""
    hidden = ("pyarrow", "scipy", "datasets", "evaluate", "gradio", "pandas", "fsspec", "xxhash")
    (tmp_path / "texts.jsonl").write_text(JSON_LINES, encoding="utf-8")
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
