"""Signatures, bare numbers, encodings, tables without a line of names, templates, the help."""

import errno
import json
import logging
from contextlib import closing

import pytest
from command_runs import CHINESE, PREDICTIONS, REFERENCES, ROWS, run, samples_of, write_rows

from polyrouge import Rouge, RougeSettings, measure_sources
from polyrouge.beyond.recipes.benchmark import open_hub_data
from polyrouge.beyond.recipes.loading import load_recipe, parse_recipe
from polyrouge.files.columns import guess_roles
from polyrouge.files.formats import open_table
from polyrouge.settings.rouge_settings import ALL_SETTINGS

TWO = ("-p", "prediction", "-p", "prediction_b")


@pytest.mark.parametrize("command", [("score",), ("compare", *TWO)])
def test_a_signature_scores_as_it_says(command):
    rouge = Rouge("zh_word", scale=100, rouge_types=["rouge2"])
    ran = run(*command, CHINESE, "--signature", rouge.signature(), "-f", "json", "-q")
    printed = json.loads(ran.stdout)
    value = rouge.compute(PREDICTIONS, REFERENCES)["rouge2"]
    assert value == (printed["scores"]["rouge2"] if "scores" in printed else printed["systems"][0]["rouge2"]["mean"])
    assert RougeSettings.from_signature(printed["signature"]).replace(confidence=None) == rouge.settings


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


def test_a_table_without_names_is_read_by_numbers(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("the cat\tthe dog\na b\ta b\n", encoding="utf-8")
    ran = run("score", path, "--no-header", "-p", "1", "-r", "2", "--rouge-types", "rouge1", "--score-only", "-q")
    assert ran.stdout == "75.00\n"


def test_markdown_has_bold_numbers_only_where_others_are_not():
    assert "**" not in run("score", CHINESE, "-f", "markdown", "-q").stdout.partition("\n")[2]
    assert "**" not in run("conventions", "-f", "markdown").stdout.partition("\n")[2]
    assert "**" in run("score", CHINESE, "-f", "markdown", "--output", "all", "-q").stdout.partition("\n")[2]


def test_a_new_recipe_can_be_filled_in(tmp_path):
    path = tmp_path / "my.yaml"
    for arguments in (("--new", path), (path,)):
        assert run("benchmark", *arguments).exit_code == 0
    assert load_recipe(str(path)).title == "My benchmark"
    again = run("benchmark", "--new", path)
    assert (again.exit_code, "is there already" in again.stderr) == (2, True)
    head, mark, rest = path.read_text(encoding="utf-8").partition("# baselines:")
    head = head.replace("# settings:", "settings:").replace("#   use_stemmer", "  use_stemmer")
    recipe = parse_recipe(head + (mark + rest).replace("\n# ", "\n")[2:], "x")
    assert (recipe.baselines[0].name, recipe.conventions[0].settings) == ("Lead-3", {"use_stemmer": True})
    assert recipe.notes


def test_all_faults_of_a_recipe_are_told_at_once(tmp_path):
    path = tmp_path / "my.yaml"
    run("benchmark", "--new", path)
    text = path.read_text(encoding="utf-8").replace("split:", "splitt:").replace("name: rouge_score", "nam: 3")
    path.write_text(text.replace("system: A system", "system: 7"), encoding="utf-8")

    said = run("benchmark", path).stderr

    assert "4 faults:" in said
    for fault in ("Unknown key 'splitt'", "Unknown key 'nam'", "'name' is missing", "system is 7; it must be a text"):
        assert fault in said
    for old, new in (("splitt:", "split:"), ("nam: 3", "name: default"), ("44.16", "444"), ("21.28", "-1")):
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")
    assert "2 faults:" in run("benchmark", path).stderr


def test_the_usual_help_is_short_and_groups_commands():
    whole, score, compare = (run(*command, "--help").stdout for command in ((), ("score",), ("compare",)))
    every = run("score", "--help-settings").stdout
    places = [whole.index(each) for each in ("Score", " Look ", " examine ", "Settings and setup")]
    assert places == sorted(places)
    assert "--use-stemmer" in score
    assert "--jackknife" not in compare
    assert all(f"--{name.replace('_', '-')}"[:20] in every for name in ALL_SETTINGS if name != "use_aggregator")
    assert score.count("\n") < every.count("\n") / 2


@pytest.mark.hub
def test_the_page_listens_where_it_is_told(monkeypatch):
    calls = []
    monkeypatch.setattr("polyrouge.page.serve", lambda **options: calls.append(options))
    run("app", "--port", "9876")
    run("app", "--host", "0.0.0.0")  # noqa: S104 as a user would
    assert calls == [{"server_name": "127.0.0.1", "server_port": 9876}, {"server_name": "0.0.0.0"}]  # noqa: S104
    assert run("app", "--port", "0").exit_code == 2


@pytest.mark.hub
def test_no_line_is_logged_for_each_attempt_to_reach_the_hub(monkeypatch, caplog):
    import datasets

    def fail(*_args, **_options):
        logging.getLogger("huggingface_hub.utils._http").warning("Retrying in 1s [Retry 1/5].")
        raise OSError(errno.ENETUNREACH, "offline")

    monkeypatch.setattr(datasets, "load_dataset", fail)
    level = logging.getLogger("huggingface_hub").level

    with pytest.raises(ValueError, match=r"can't be loaded: OSError: .*offline"):
        open_hub_data(load_recipe("xsum"), None, "test")

    assert not caplog.records
    assert logging.getLogger("huggingface_hub").level == level


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_measures_beside_the_source_are_those_of_measure_sources(tmp_path, suffix):
    rows = [{**row, "document": "".join(row["references"]) + "全文共2463字。"} for row in ROWS]
    path = write_rows(tmp_path / "a.jsonl", rows)
    options = ("-c", "zh_char", "--source-column", "document")

    ran = run("score", path, *options, "-f", "json", "-q", "--per-sample", tmp_path / f"s.{suffix}")

    measures = measure_sources(PREDICTIONS, [row["document"] for row in rows], Rouge("zh_char"))
    printed = json.loads(ran.stdout)
    assert printed["sources"] == measures.means()
    assert printed["scores"] == Rouge("zh_char", scale=100).compute(PREDICTIONS, REFERENCES)
    samples = samples_of(tmp_path / f"s.{suffix}")
    assert [float(row["density"]) for row in samples] == measures.columns["density"].tolist()
    assert "density" in run("score", path, *options).stdout
    assert run("score", path, "-c", "zh_char", "--source-column", "none_such").exit_code == 2


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
    assert "give one of them" in run("score", path, "--stop-words", "sumeval_en", "--stop-words", "a,b").stderr


def test_a_line_break_written_as_two_characters_cuts_sentences(tmp_path):
    r"""The warning names --sentence-split '\n', which was taken for a line break itself."""
    path = write_rows(tmp_path / "a.jsonl", [{"prediction": r"b c\na", "reference": r"a\nb c"}])
    ran = run("score", path, "-f", "json")
    assert r"--sentence-split '\n' cuts them" in ran.stderr
    scores = json.loads(run("score", path, "--sentence-split", r"\n", "-f", "json").stdout)["scores"]
    assert scores["rougeLsum"] == 100 > scores["rougeL"]


@pytest.mark.parametrize("command", ["score", "compare", "nearest", "oracle", "settings"])
def test_help_offers_what_a_command_line_can_give(command):
    words = " ".join(run(command, "--help").stdout.replace("│", " ").split())
    assert "callable" not in words
    assert "…" not in words.replace("。！？；…", "")  # nothing is cut
    assert "Self-Instruct" not in words


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
