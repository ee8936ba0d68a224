"""``polyrouge check``: exit codes, files that it reads and writes, and a pull request rehearsed as the example says."""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest
import yaml
from command_runs import OTHERS, PREDICTIONS, REFERENCES, ROOT, ROWS, run, write_rows

from polyrouge import Rouge, check_scores

CHAR = ("-c", "zh_char", "-q")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Outputs of two systems; those of the second are worse, and stand in another order."""
    folder = tmp_path_factory.mktemp("outputs")
    rows = {
        name: [{"id": row["id"], "prediction": row[key], "references": row["references"]} for row in ROWS]
        for name, key in (("good", "prediction"), ("worse", "prediction_b"))
    }
    return write_rows(folder / "good.jsonl", rows["good"]), write_rows(folder / "worse.jsonl", rows["worse"][::-1])


def test_numbers_are_those_of_python(files):
    good, worse = files
    rules = ("--max-drop", "rougeL=0.5", "--max-drop", "rouge2=60", "--fail-under", "rouge1=30", "--at-least", "99.9%")
    done = run("check", worse, "--baseline", good, *rules, "--significant", *CHAR, "-f", "json")

    printed = json.loads(done.stdout)
    expected = check_scores(
        OTHERS[::-1],
        REFERENCES[::-1],
        PREDICTIONS[::-1],
        Rouge("zh_char"),
        max_drop={"rougeL": 0.5, "rouge2": 60},
        at_least=0.999,
        fail_under={"rouge1": 30},
        significant=True,
        ids=[row["id"] for row in ROWS[::-1]],
    ).to_dict()
    assert done.exit_code == 1
    assert {name: printed[name] for name in expected} == json.loads(json.dumps(expected))
    assert [rule["holds"] for rule in printed["rules"]] == [False, True, *[False] * 4, True]


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("good", "--baseline", "worse"), 0, "4 of 4 rules hold."),
        (("worse", "--baseline", "good"), 1, "4 of 4 rules are broken; the first: rouge1 is 35.43, was 71.96"),
        (("good", "--baseline", "ROUGE-1=71,rouge-l=61", "--at-least", "ROUGE-1=99%"), 0, "1 of 1 rules hold."),
        (("good", "--fail-under", "ROUGE-1=71", "--fail-under", "r-l=99"), 1, "the first: rougeL is 61"),
        (("worse", "--baseline", "good", "--max-drop", "rouge1=36", "--significant"), 0, "1 of 1 rules hold."),
        (
            ("worse", "--baseline", "good", "--max-drop", "rouge1=36", "--significant", "--significance", "0.9"),
            1,
            "rouge1 is 35.43, was 71.96; 35.96 is the lowest allowed",
        ),
        (("good",), 2, "There is no rule"),
        (("good", "--baseline", "no.json"), 2, "no.json"),
        (("good", "--fail-under", "0.5"), 2, "--fail-under is '0.5'; give a score and a number"),
        (("good", "--fail-under", "rouge1=0.384"), 2, "give points of 100: 38.4"),
        (("good", "--baseline", "worse", "--max-drop", "rouge1=1", "--max-drop", "rouge1=9"), 2, "has 'rouge1' twice"),
        (("good", "--baseline", "rouge1=1,rouge1=9"), 2, "--baseline has 'rouge1' twice"),
        (("good", "--baseline", "worse", "--significance", "2"), 2, "--significance is 2.0"),
        (("good", "--save-baseline", "base.txt"), 2, "give a name that ends in .json"),
    ],
)
def test_exit_codes(files, arguments, code, says):
    named = dict(zip(("good", "worse"), files, strict=True))
    done = run("check", *(named.get(each, each) for each in arguments), *CHAR)

    assert done.exit_code == code
    assert says in done.stdout + done.stderr


@pytest.mark.parametrize("name", ["means", "signature", "samples", "references"])
def test_an_edited_baseline_is_no_broken_rule(files, tmp_path, name):
    """Exit code 1 says that a rule is broken, so it must not be that of bad input."""
    path = tmp_path / "baseline.json"
    assert run("check", files[0], "--save-baseline", path, *CHAR).exit_code == 0
    saved = json.loads(path.read_text())
    for value in (None, [1], {"rouge1": "x"}):
        path.write_text(json.dumps(saved | {name: value}))
        done = run("check", files[0], "--baseline", path, *CHAR)
        assert (done.exit_code, str(path) in done.stderr) == (2, True)


def test_a_baseline_is_saved_unless_a_rule_is_broken(files, tmp_path, monkeypatch):
    good, worse = files
    baseline, junit, summary = (tmp_path / name for name in ("baseline.json", "rouge.xml", "summary.md"))
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))

    assert run("check", good, "--save-baseline", baseline, *CHAR).exit_code == 0
    saved = baseline.read_text()
    assert PREDICTIONS[0] not in saved
    arguments = (worse, "--baseline", baseline, "--id-column", "none", "--save-baseline", tmp_path / "new.json", *CHAR)
    assert run("check", *arguments).exit_code == 2  # the rows stand in another order
    write_rows(worse, [json.loads(line) for line in worse.read_text("utf-8").splitlines()][::-1])
    summary.write_text("of an earlier step\n")
    done = run("check", *arguments, "--junit", junit, "-o", tmp_path / "result.json")
    assert (done.exit_code, done.stderr.count("4 of 4 rules are broken")) == (1, 1)
    assert not (tmp_path / "new.json").exists()
    suite = ET.parse(junit).getroot()  # noqa: S314 our own
    assert suite.attrib == {"name": "polyrouge", "tests": "4", "failures": "4"}
    assert len(suite.findall("testcase/failure")) == 4
    text = summary.read_text("utf-8")
    assert text.startswith("of an earlier step\n")
    assert "| rouge1 | not below the baseline | 71.96 | 71.96 | 35.43 | **broken** |" in text
    outputs = tmp_path / "a=b.json"  # outputs may be JSON, and a name may look like a mean
    outputs.write_text(json.dumps([json.loads(line) for line in good.read_text("utf-8").splitlines()]), "utf-8")
    assert run("check", worse, "--baseline", outputs, *CHAR).exit_code == 1
    done = run("check", good, "--baseline", baseline, "--save-baseline", baseline, *CHAR)
    assert "is read, so it can't be written too" in done.stderr
    done = run("check", good, "--baseline", baseline, "-c", "zh_char", "--normalize", "nfkc", "-q")
    assert done.exit_code == 2
    assert "was scored in another way: norm was nfc, is nfkc; score" in done.stderr


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="runs the steps in a POSIX shell")
def test_a_pull_request_by_the_example_turns_red_where_a_score_drops(tmp_path):
    """The steps of the workflow in a repository: what GitHub brings and pip are left out."""
    text = (ROOT / "examples" / "pipelines" / "rouge.yml").read_text("utf-8")
    for page in ("pipelines.md", "pipelines.zh.md"):
        assert f"```yaml\n{text}```" in (ROOT / "docs" / page).read_text("utf-8")
    (job,) = yaml.safe_load(text)["jobs"].values()
    steps = [step["run"] for step in job["steps"] if "run" in step and not step["run"].startswith("pip ")]
    (save,) = [line.removeprefix("#").strip() for line in text.splitlines() if "--save-baseline" in line]
    summary = tmp_path / "summary.md"
    environment = os.environ | {"PYTHONPATH": str(ROOT), "GITHUB_STEP_SUMMARY": str(summary)}
    command = f'polyrouge() {{ "{sys.executable}" -m polyrouge "$@"; }}\n'

    def runs(step):
        return subprocess.run(
            ["/bin/bash", "-e", "-c", command + step], cwd=tmp_path, env=environment, capture_output=True
        )

    def write(predictions):
        rows = [{"prediction": each, "references": ["the cat sat on the mat"]} for each in predictions]
        write_rows(tmp_path / "outputs.jsonl", rows)

    write(["the cat sat on a mat"] * 20)
    assert runs(save).returncode == 0
    ends = []
    for predictions in (["the cat sat on the mat"] * 20, ["the cat sat on a mat"] * 10 + ["a cat sat on a mat"] * 10):
        write(predictions)
        summary.write_text("")
        ends.append([runs(step).returncode for step in steps])
        assert (tmp_path / "rouge.xml").exists()
    assert ends == [[0], [1]]
    assert summary.read_text("utf-8").startswith("**Failed, 20 samples**\n\n| score | rule | baseline | lowest | now |")
