"""Signatures, bare numbers, encodings, tables without a line of names, templates, the help."""

import json
from contextlib import closing

import pytest
from command_runs import CHINESE, OTHERS, PREDICTIONS, REFERENCES, ROWS, run, samples_of, write_rows

from polyrouge import Rouge, examine_systems, measure_sources
from polyrouge.beyond.recipes.loading import load_recipe, parse_recipe
from polyrouge.files.columns import guess_roles
from polyrouge.files.formats import open_table
from polyrouge.settings.rouge_settings import ALL_SETTINGS

TWO = ("-p", "prediction", "-p", "prediction_b")


def test_a_setting_beside_a_signature_changes_it():
    ran = run("signature", "--signature", Rouge("zh_char").signature(), "--scale", "100")
    assert ran.stdout.strip() == Rouge("zh_char", scale=100).signature()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--signature", Rouge().signature(), "-c", "zh_char"), "--convention (zh_char) or --signature, not both"),
        (("--signature", "nonsense"), "is not a key:value entry"),
        (("--score-only", "-f", "json"), "leave out --format and --save"),
        (("--encoding", "gbk8"), "Unknown encoding 'gbk8'"),
        (("-f", "xml"), "Unknown format 'xml'"),
        (("--save", "none/out.json"), "There is no folder 'none' to write 'out.json' to"),
        (("--rouge-types", ","), "--rouge-types is ','; give names with commas between them"),
        (("--stop-words", "sumeval_en", "--stop-words", "a,b"), "give one of them"),
    ],
)
def test_what_does_not_go_together_is_refused(arguments, message):
    ran = run("score", CHINESE, *arguments)
    assert ran.exit_code == 2
    assert message in ran.stderr


def test_numbers_alone_are_those_of_the_table():
    options = ("--output", "all", "--confidence", "0.9", "--score-only", "--digits", "6", "-q")
    result = Rouge("zh_char", scale=100, output="all", confidence=0.9).compute(PREDICTIONS, REFERENCES)
    ran = run("score", CHINESE, "-c", "zh_char", *options)
    keys = [name + ending for name in Rouge().settings.rouge_types for ending in ("_precision", "_recall", "")]
    assert ran.stdout.split() == [f"{result[key]:.6f}" for key in keys]


def test_a_table_of_a_chinese_spreadsheet_is_read_and_told(tmp_path):
    path = tmp_path / "表.csv"
    lines = ["预测,参考", *(f'"{row["prediction"]}","{row["references"][0]}"' for row in ROWS)]
    path.write_bytes("\r\n".join(lines).encode("gb18030"))
    options = ("-c", "zh_char", "--score-only", "--digits", "6")
    ran = run("score", path, *options)
    result = Rouge("zh_char", scale=100).compute(PREDICTIONS, [row["references"][0] for row in ROWS])
    assert ran.stdout.split() == [f"{value:.6f}" for value in result.values()]
    assert "read as GB18030 (GBK)" in ran.stderr
    assert run("score", path, "--encoding", "gbk", *options).stdout == ran.stdout


def test_a_new_recipe_can_be_filled_in(tmp_path):
    path = tmp_path / "my.yaml"
    for arguments in (("--new", path), (path,)):
        assert run("benchmark", *arguments).exit_code == 0
    assert load_recipe(str(path)).title == "My benchmark"
    assert run("benchmark", "--new", path).exit_code == 2  # it is there already
    head, mark, rest = path.read_text(encoding="utf-8").partition("# baselines:")
    head = head.replace("# settings:", "settings:").replace("#   use_stemmer", "  use_stemmer")
    recipe = parse_recipe(head + (mark + rest).replace("\n# ", "\n")[2:], "x")
    assert (recipe.baselines[0].name, recipe.conventions[0].settings) == ("Lead-3", {"use_stemmer": True})
    path.write_text(head.replace("split:", "splitt:").replace("name: rouge_score", "nam: 3"), encoding="utf-8")
    assert "faults:" in run("benchmark", path).stderr  # all at once


def test_measures_beside_the_source_are_those_of_measure_sources(tmp_path):
    rows = [{**row, "document": "".join(row["references"]) + "全文共2463字。"} for row in ROWS]
    path = write_rows(tmp_path / "a.jsonl", rows)
    options = ("-c", "zh_char", "--source-column", "document")

    ran = run("score", path, *options, "-f", "json", "-q", "--per-sample", tmp_path / "s.csv")

    measures = measure_sources(PREDICTIONS, [row["document"] for row in rows], Rouge("zh_char"))
    printed = json.loads(ran.stdout)
    assert printed["sources"] == measures.means()
    assert printed["scores"] == Rouge("zh_char", scale=100).compute(PREDICTIONS, REFERENCES)
    samples = samples_of(tmp_path / "s.csv")
    assert [float(row["density"]) for row in samples] == measures.columns["density"].tolist()


def test_an_option_that_takes_a_list_may_be_repeated(tmp_path):
    """The last one was taken."""
    path = write_rows(tmp_path / "a.jsonl", [{"prediction": "a b", "reference": "a b"}])

    def types_of(*options):
        done = run("score", path, *options, "-f", "json")
        assert done.exit_code == 0, done.stderr
        return list(json.loads(done.stdout)["scores"])

    assert types_of("--rouge-types", "rouge1", "--rouge-types", "rouge2,rougeL") == ["rouge1", "rouge2", "rougeL"]
    weighted = types_of("--rouge-types", "rouge1,rouge2", "--weights", "0.5", "--weights", "0.5")
    assert weighted == ["rouge1", "rouge2", "weighted"]


def test_every_setting_is_in_the_long_help():
    shown = run("score", "--help-settings").stdout
    assert all(f"--{name.replace('_', '-')}"[:20] in shown for name in ALL_SETTINGS if name != "use_aggregator")


def test_a_line_break_written_as_two_characters_cuts_sentences(tmp_path):
    r"""The warning names --sentence-split '\n', which was taken for a line break itself."""
    path = write_rows(tmp_path / "a.jsonl", [{"prediction": r"b c\na", "reference": r"a\nb c"}])
    ran = run("score", path, "-f", "json")
    assert r"--sentence-split '\n' cuts them" in ran.stderr
    scores = json.loads(run("score", path, "--sentence-split", r"\n", "-f", "json").stdout)["scores"]
    assert scores["rougeLsum"] == 100 > scores["rougeL"]


def test_one_file_of_several_systems_is_guessed_as_on_the_page(tmp_path):
    rows = [{**row, "source": row["references"][0] * 2} for row in ROWS]
    path = write_rows(tmp_path / "both.jsonl", rows)
    with closing(open_table(str(path))) as table:
        roles = guess_roles(table, 12)
    assert (roles.predictions, roles.source) == (["prediction", "prediction_b"], "source")

    guessed, named = (run("compare", path, *columns, "-f", "json") for columns in ((), TWO))
    assert json.loads(guessed.stdout)["systems"] == json.loads(named.stdout)["systems"]
    assert "further systems are the columns 'prediction_b'" in guessed.stderr
    assert "further systems" not in named.stderr

    ran = run("report", path, "-o", tmp_path / "report.html")
    assert ran.exit_code == 0, ran.stderr
    assert "sources are the column 'source'" in ran.stderr


def test_examine_prints_what_examine_systems_gives():
    columns = ("-p", "prediction", "-p", "prediction_b")
    printed = json.loads(run("examine", CHINESE, *columns, "-c", "zh_char", "-q", "--most", 4, "-f", "json").stdout)
    systems = {"prediction": PREDICTIONS, "prediction_b": OTHERS}
    examination = examine_systems(systems, REFERENCES, Rouge("zh_char", scale=100), most=4)
    assert printed["ids"] == [row["id"] for row in ROWS]
    expected = json.loads(json.dumps(examination.to_dict()))
    assert {name: printed[name] for name in expected} == expected


def test_samples_without_ids_are_numbered_from_1(tmp_path):
    (tmp_path / "p.txt").write_text("a b\nc\n", encoding="utf-8")
    (tmp_path / "r.txt").write_text("a b\nd e f g.\n", encoding="utf-8")
    shown = run("examine", tmp_path / "p.txt", "-R", tmp_path / "r.txt", "-q", "-f", "markdown").stdout
    assert "| p | short | 1 | 2 |" in shown
    assert "by their rows, from 1" in shown
