"""The page's parts, without a browser: its numbers, words, limits, files."""

import csv
import itertools
import json
import os
import re
import threading
import time
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, parse_qsl

import evaluate
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import report_file
from language_packages import usable_conventions

from polyrouge import CONVENTIONS, Rouge
from polyrouge.comparing.conventions import describe_differences
from polyrouge.comparing.systems import compare_systems
from polyrouge.errors import hearing_warnings
from polyrouge.files.slice_columns import NO_SLICES
from polyrouge.files.text_columns import open_paired_texts
from polyrouge.page.choices import (
    CHOICES,
    RULES,
    SPLITS,
    TYPES,
    Choice,
    choice_labels,
    link_query,
    read_link,
    runs_here,
)
from polyrouge.page.file_views import file_note, frame_html, limits_note, mapping_of_files, result_html, step_html
from polyrouge.page.files import score_files
from polyrouge.page.limits import LIMITS, Limits
from polyrouge.page.marks import pair_html
from polyrouge.page.meanings import meanings_html, published_range
from polyrouge.page.recipes_tab import recipes_html
from polyrouge.page.scoring import compare_all, explain_view, score_pair, split_references
from polyrouge.page.sessions import SessionStore
from polyrouge.page.steps import Step, in_steps
from polyrouge.page.tables import (
    conventions_html,
    message_html,
    notes_html,
    scores_html,
)
from polyrouge.page.texts import PageError, document_address, page_asset, say, say_error, say_metric_words, say_note
from polyrouge.page.try_tab import TryTab, example_texts, render_try
from polyrouge.page.uploads import FileColumns, Mapped, guess_columns, keep_upload, read_columns
from polyrouge.recipes.loading import load_recipe
from polyrouge.report import write_report
from polyrouge.report.report_data import STAGES

pytestmark = pytest.mark.hub
ROOT = Path(__file__).resolve().parents[2]
MARKUP = "<script>alert(1)</script> & \"><img src=x onerror=alert(1)> it's"
NEEDS_TABLES = ("py_rouge", "sacrerouge", "sumeval")
USABLE = [key for key, (name, _) in CHOICES.items() if name in usable_conventions() and key not in NEEDS_TABLES]


def example_rows(name="zh_news.jsonl"):
    return [json.loads(line) for line in (ROOT / "examples" / name).read_text(encoding="utf-8").splitlines()]


# The numbers


# evaluate's copy of our warning has a class of its own, which no other process could name
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("choice", USABLE)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_numbers_are_those_of_the_shown_signature_and_the_shown_python(choice, language, monkeypatch):
    load = evaluate.load
    monkeypatch.setattr(
        evaluate,
        "load",
        lambda _, *args, **kw: load(str(ROOT / "rouge_metric.py"), *args, keep_in_memory=True, **kw),
    )
    prediction, references = example_texts(language)
    references = split_references(references)

    scored = score_pair(prediction, references, Choice(choice))

    with hearing_warnings():
        assert Rouge.from_signature(scored.signature).compute([prediction], [references], output="all") == scored.scores
        for line in re.findall(r"^(?:evaluate\.load|Rouge)\(.*", scored.python, re.MULTILINE):
            names: dict = {}
            exec(f"import evaluate\nfrom polyrouge import Rouge\nresult = {line}", names)  # noqa: S102 what visitors copy
            assert names["result"] == scored.scores
    shown = scores_html(scored, language)
    digits = 2 if scored.scale >= 10 else 4
    for value in scored.scores.values():
        assert f"{value:.{digits}f}" in shown


def test_settings_of_the_page_are_those_of_the_metric():
    choice = Choice("zh_char", ("rougeL", "rouge1"), True, "mean", "newline", "100")

    rouge = choice.rouge()

    expected = Rouge(
        "zh_char",
        rouge_types=["rouge1", "rougeL"],
        use_stemmer=True,
        multi_reference="mean",
        sentence_split="newline",
        scale=100.0,
        output="all",
    )
    assert rouge.settings == expected.settings
    assert Choice("lawrouge", ("rouge1",)).rouge().settings.weights is None  # which are those of its own types


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("split", SPLITS)
def test_every_setting_of_the_page_gives_scores_and_a_picture(rule, split):
    status, scores, pair, signature, python = render_try(
        "a b\nc", "a b c\n---\nc b", Choice(types=TYPES, rule=rule, split=split), "rougeL", "en"
    )

    assert "pr-error" not in status
    table, _, explained = scores.partition("</table>")
    assert table.count("<tr>") == 1 + len(TYPES)
    assert explained.count("<tr>") > 1
    assert "<mark" in pair
    assert "types:1,2,3,4,L,Lsum,W,S4,SU4" in signature
    compile(python, "shown", "exec")


def test_references_are_split_at_lines_of_dashes():
    assert split_references("a\nb\n---\nc -- d\n ----- \r\n\n---\n") == ["a\nb", "c -- d"]
    assert split_references(" \n") == []


def test_links_carry_the_state():
    choice = Choice("zh_word", ("rouge1", "rougeL"), True, "mean", "zh", "100")

    query, is_whole = link_query(choice, "甲 & 乙=1\n", "丙\n---\n丁", "zh", "rougeL")

    from urllib.parse import parse_qsl

    read = dict(parse_qsl(query))
    assert is_whole
    assert (read["prediction"], read["references"], read["lang"]) == ("甲 & 乙=1\n", "丙\n---\n丁", "zh")
    assert read["view"] == "rougeL"
    assert read_link(read) == (choice, [])
    long_query, is_whole = link_query(choice, "长" * 5000, "b", "zh")
    assert not is_whole
    assert read_link(dict(parse_qsl(long_query))) == (choice, [])


def test_a_link_of_unknown_settings_names_them():
    choice, unknown = read_link({"convention": "nope", "types": "rouge1,rouge99", "rule": "<b>", "scale": "100"})

    assert Choice(types=("rouge1",), scale="100") == choice
    assert unknown == ["types=rouge99", "convention=nope", "rule=<b>"]


# Text stays text


def test_markup_is_escaped_everywhere():
    scored = score_pair(MARKUP, [MARKUP, "other"], Choice("default"))
    explanation, found = explain_view(Rouge(), MARKUP, [MARKUP, "<b>"], "rougeL")
    rows = compare_all(MARKUP, [MARKUP])
    refused = [(row, MARKUP) for row, _ in rows]

    for html in (
        scores_html(scored, "en"),
        pair_html(explanation, found, "en", [MARKUP]),
        notes_html([MARKUP], "en"),
        message_html(MARKUP, "zh"),
        message_html(ValueError(MARKUP), "en"),
        conventions_html(rows, "zh"),
        conventions_html(refused, "en"),
        file_note({MARKUP: FileColumns(MARKUP, "csv", [MARKUP], [], (MARKUP,))}, "en"),
    ):
        assert not re.search(r"<(script|img|b)\b", html)


def test_an_unexpected_error_shows_its_kind_only():
    assert "RuntimeError" in message_html(RuntimeError("secret text"), "en")
    assert "secret" not in message_html(RuntimeError("secret text"), "en")


def test_coloured_parts_put_together_are_the_text():
    prediction, references = "Ａcatﬁne, the cat 今天  天气\n好", ["the cat 今天天气 ﬁne A", "x"]
    for view in ("rouge1", "rouge2", "rougeL", "rougeLsum"):
        explanation, found = explain_view(Rouge(normalize="nfkc"), prediction, references, view)

        html = pair_html(explanation, found, "en")

        first = re.findall(r'<div class="pr-text" dir="auto">(.*?)</div>', html, re.DOTALL)
        assert [re.sub("<[^>]*>", "", part) for part in first] == [prediction, references[0]]
        matched = {
            token.token
            for token, hit in zip(found.match.prediction_tokens, found.match.prediction_matched or [], strict=True)
            if hit
        }
        assert bool(matched) == ("<mark" in html)


# Words


def test_every_text_is_in_both_languages_with_the_same_places():
    for key, text in json.loads(page_asset("page_texts.json")).items():
        assert set(text) == {"en", "zh"}, key
        places = [set(re.findall(r"{(\w+)}", text[language])) for language in ("en", "zh")]
        assert places[0] == places[1], key
    for language in ("en", "zh"):
        assert {key for _, key in choice_labels(language)} == {name for name in CHOICES if runs_here(CHOICES[name][0])}


def test_names_of_conventions_are_whole_and_in_groups():
    labels = [label for label, _ in choice_labels("en")]

    assert all(label.count("(") == label.count(")") for label in labels)
    groups = [label.partition(":")[0] for label in labels[5:]]
    assert groups == sorted(groups)
    assert set(groups) == {"Chinese", "Languages", "Other tools"}


def test_what_cannot_run_is_not_offered_and_a_link_to_it_is_told(monkeypatch):
    def missing(name, **_settings):
        raise FileNotFoundError(name)

    monkeypatch.setattr("polyrouge.page.choices.Rouge", missing)
    runs_here.cache_clear()
    try:
        assert choice_labels("en")[5:] == []
        assert read_link({"convention": "py_rouge"}) == (Choice(), ["convention=py_rouge"])
    finally:
        runs_here.cache_clear()


def test_each_type_and_measure_has_a_sentence_and_usual_values():
    for language in ("en", "zh"):
        html = meanings_html(TYPES, language)
        assert html.count("<dd>") == 3 + len(TYPES)
        assert "{" not in html
        assert say(language, "kind_lcsts") in html
    assert published_range(load_recipe("cnn_dailymail"), "rouge1") == "40–48"
    assert published_range(load_recipe("cnn_dailymail"), "rougeL") == "–"


def test_every_text_is_used():
    code = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("polyrouge/page/*.py"))
    for key in json.loads(page_asset("page_texts.json")):
        if not re.match(r"(view|rule|split|choice|mean|kind)_", key):
            assert re.search(rf"[\"']{key}[\"']", code), key


def test_what_differs_is_told_in_chinese_too():
    first = CONVENTIONS["default"].settings
    chinese = json.loads(page_asset("page_chinese.json"))
    told = {words for each in CONVENTIONS.values() for words in describe_differences(each.settings, first)}
    told |= {words for each in CONVENTIONS.values() for words in describe_differences(each.settings, first, False)}
    told |= {
        words for each in CONVENTIONS.values() for words in describe_differences(each.settings, first, True, False)
    }

    assert told == set(chinese["differences"])
    assert {each.used_by for each in CONVENTIONS.values()} - {""} == set(chinese["usedBy"])
    assert say_metric_words("zh", "differences", "stems words") == "词干提取"
    assert say_metric_words("en", "differences", "stems words") == "stems words"


def test_warnings_are_told_in_chinese_too():
    with hearing_warnings() as heard:
        Rouge("rouge_score").compute(["今天天气"], ["天气"])
        Rouge("rouge_chinese").compute(["今天天气"], [["天气", "今天"]])
        Rouge(empty="skip").compute(["A b. C d.", ""], ["a", "b"])
        Rouge(confidence=0.95).compute(["a"], ["b"])
        Rouge().compute(["서울은 대한민국의 수도이다"], ["서울이 수도이다"])
        Rouge().compute(["ＡＩ <think>a</think>"], ["AI"])
        Rouge("pltrdy").compute(["今天天气很好"], ["今天天气"])
        Rouge(rouge_types=["rouge1"]).compute(["co\u00adoperate", "！"], ["cooperate", "！"])

    assert len(heard) >= 10
    assert any(f"分句改为“{say('zh', 'split_auto')}”" in say_note("zh", note) for note in heard)
    assert any(each.startswith("An interval of 1 sample ") for each in heard)
    for note in heard:
        assert not re.search(r"[a-z]{4,} [a-z]{3,} ", say_note("zh", note)), note
        for language in ("en", "zh"):  # no keyword that the page has no control for, unless it says where
            said = say_note(language, note)
            assert "Python" in said or not re.search(r"tokenizer|\w+='", said), note


BROKEN_FILES = {
    "null.jsonl": b'{"prediction": null, "reference": "a"}',
    "surrogate.jsonl": b'{"prediction": "\\ud83d", "reference": "a"}',
    "empty.jsonl": b'{"prediction": "a", "reference": []}',
    "mixed.jsonl": b'{"prediction": "a", "reference": "a"}\n{"prediction": "a", "reference": ["a"]}',
    "blank.jsonl": b'{"prediction": "a", "reference": "a"}\n\n{"prediction": "a", "reference": "a"}',
    "cut.jsonl": b'{"prediction": "a", "refer',
    "deep.jsonl": b"[" * 100_000,
    "list.jsonl": b'["a", "b"]',
    "missing.jsonl": b'{"prediction": "a", "reference": "a"}\n{"prediction": "a"}',
    "nothing.jsonl": b"",
    "latin.jsonl": '{"prediction": "é", "reference": "a"}'.encode("latin-1"),
    "twice.csv": b"prediction,prediction,reference\na,b,c\n",
    "cell.csv": b"prediction,reference\na,b\n,c\n",
    "ragged.csv": b"prediction,reference\na,b,c\n",
    "quote.csv": b'prediction,reference\n"a,b\n',
    "broken.parquet": b"PAR1 nothing",
}


@pytest.mark.parametrize("name", BROKEN_FILES)
def test_what_is_wrong_with_a_file_is_told_in_chinese_too(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(BROKEN_FILES[name])

    columns = {"prediction_columns": ["prediction"], "reference_columns": ["reference"]}
    with (
        pytest.raises(ValueError) as caught,  # noqa: PT011 any of them
        open_paired_texts([str(path)], **columns) as texts,
    ):
        list(texts.chunks())

    told = say_error("zh", str(caught.value))
    assert name in told
    assert re.search("[\u4e00-\u9fff]{2}", told), told


def test_other_refusals_are_told_in_chinese_too():
    refused = []
    for call in (
        lambda: Rouge().compute(["a", None], ["a", "b"]),
        lambda: Rouge().compute(["\ud83d"], ["a"]),
        lambda: Rouge("pltrdy", on_error="raise").compute([""], ["a"]),
        lambda: Rouge(aggregate="micro"),
    ):
        with pytest.raises((TypeError, ValueError)) as caught:
            call()
        refused.append(str(caught.value))

    for message in refused:
        assert re.search("[\u4e00-\u9fff]{3}", say_error("zh", message)), message
        assert say_error("en", message) == message


@pytest.mark.parametrize("language", ["en", "zh"])
def test_recipes(language):
    shown = recipes_html(language)

    assert "CNN/DailyMail" in shown
    assert shown.count("<details>") == len(list((ROOT / "configs").glob("*.yaml")))
    assert document_address("papers", language) in shown


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", ["index", "papers"])
def test_documents_of_the_page_are_there(name, language):
    home = "https://huggingface.co/spaces/polyrouge/rouge_metric/blob/main/"
    address = document_address(name, language)

    assert address.startswith(home)
    assert (ROOT / address.removeprefix(home)).is_file()


# Limits


def test_each_limit_has_its_sentence():
    too_long = "字" * (LIMITS.text + 1)
    assert "10,001" in render_try(too_long, "b", Choice(), "rouge1", "en")[0]
    assert "10,001" in render_try("b", too_long, Choice(), "rouge1", "zh")[0]
    assert "11 references" in render_try("b", "\n---\n".join("a" * 11), Choice(), "rouge1", "en")[0]
    assert say("zh", "emptyReferences") in render_try("b", " ", Choice(), "rouge1", "zh")[0]
    long_text = "字" * LIMITS.text
    assert "pr-error" not in render_try(long_text, long_text, Choice(), "rougeL", "en")[0]


def test_a_tool_that_refuses_is_told():
    refusals = {row.name: refusal for row, refusal in compare_all(".", ["a"])}

    assert refusals["pltrdy"]
    assert not refusals["default"]
    shown = conventions_html(compare_all(".", ["a"]), "en")
    assert shown.count("The tool refuses these texts") == sum(map(bool, refusals.values()))


# Files


@pytest.fixture
def session(tmp_path):
    store = SessionStore(tmp_path / "kept")
    yield store.get("visitor")
    store.drop("visitor")


def uploaded(folder, name, content):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def last_of(steps):
    *before, job = list(steps)
    stages = [step.stage for step in before]
    assert stages == sorted(stages, key=("reading", *STAGES).index)
    return job


def index_of(job):
    """What the report has of all its numbers."""
    return report_file.index_of(job.report.read_text(encoding="utf-8"))


def as_json(value):
    return json.loads(json.dumps(value))


def texts_of(job):
    """The predictions of each row of the report, worst first."""
    rows = report_file.rows_of(job.report.read_text(encoding="utf-8"))
    return [[text["text"] for text in row["predictions"]] for row in rows]


def keep(folder, session, name, rows):
    content = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return keep_upload(uploaded(folder, name, content), session)


@pytest.fixture(params=["jsonl", "csv", "tsv", "parquet"])
def written(request, tmp_path):
    rows = example_rows()
    flat = [{**row, "references": row["references"][0]} for row in rows]
    path = tmp_path / f"news.{request.param}"
    if request.param == "jsonl":
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in flat), encoding="utf-8")
    elif request.param == "parquet":
        pq.write_table(pa.Table.from_pylist(flat), path)
    else:
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, flat[0], delimiter="\t" if request.param == "tsv" else ",")
            writer.writeheader()
            writer.writerows(flat)
    return path, flat


def test_a_file_gives_the_numbers_of_compute(written, session):
    path, rows = written
    kept = keep_upload(str(path), session)

    mapped = guess_columns(read_columns(kept), kept)
    job = last_of(score_files(session, mapped, Choice("zh_word", scale="100")))

    assert not path.exists()  # taken over
    assert mapped == Mapped(("prediction", "prediction_b"), ("references",), "id")
    rouge = Rouge("zh_word", scale=100.0, output="all", confidence=0.95)
    references = [row["references"] for row in rows]
    index = index_of(job)
    for result, column in zip(index["means"], ("prediction", "prediction_b"), strict=True):
        assert rouge.compute([row[column] for row in rows], references) == result
    assert sorted(index["ids"]) == [row["id"] for row in rows]
    systems = {name: [row[name] for row in rows] for name in job.names}
    expected = compare_systems(systems, references, Rouge("zh_word", scale=100.0))
    assert index["comparison"] == as_json(expected.to_dict())


def letters(*words):
    return [{"prediction": word, "reference": "a b"} for word in words]


def test_each_file_is_a_system_in_the_order_that_is_chosen(session, tmp_path):
    texts = {"a": ("a", "b"), "b.x": ("a b", "x"), "c": ("x", "x")}
    for name, words in texts.items():
        keep(tmp_path, session, f"{name}.jsonl", letters(*words))
    columns = {"predictions": ("prediction",), "references": ("reference",)}

    job = last_of(score_files(session, Mapped(**columns), Choice()))

    assert job.names == list(texts)
    with hearing_warnings():  # few samples
        expected = compare_systems({name: list(words) for name, words in texts.items()}, ["a b", "a b"], Rouge())
    assert index_of(job)["comparison"] == as_json(expected.to_dict())
    job = last_of(score_files(session, Mapped(**columns, files=("c.jsonl", "a.jsonl")), Choice()))
    assert job.names == ["c", "a"]
    assert texts_of(job) == [["x", "a"], ["x", "b"]]
    job = last_of(score_files(session, Mapped(**columns, files=("b.x.jsonl",)), Choice()))
    assert job.names == ["b"]


def test_columns_of_one_file_are_systems(session, tmp_path):
    rows = [{f"p{n}": f"a {n} {row}" for n in range(5)} | {"reference": f"a {row}"} for row in range(3)]
    keep(tmp_path, session, "a.jsonl", rows)

    job = last_of(score_files(session, Mapped(("p4", "p0", "p2"), ("reference",)), Choice()))

    assert job.names == ["p4", "p0", "p2"]
    systems = {name: [row[name] for row in rows] for name in job.names}
    with hearing_warnings():  # few samples
        expected = compare_systems(systems, [row["reference"] for row in rows], Rouge())
    assert index_of(job)["comparison"] == as_json(expected.to_dict())


def test_files_may_name_their_columns_differently(session, tmp_path):
    keep(tmp_path, session, "a.jsonl", [{"mine": "a", "reference": "a b"}])
    keep(tmp_path, session, "b.jsonl", [{"output": "b", "reference": "a b"}])

    job = last_of(score_files(session, Mapped(("mine",), ("reference",)), Choice()))

    assert texts_of(job) == [["a", "b"]]
    with pytest.raises(PageError) as raised:
        last_of(score_files(session, Mapped(("mine", "reference"), ("mine",)), Choice()))
    assert raised.value.sentence("zh") == say("zh", "sameColumn", name="mine")
    with pytest.raises(PageError) as raised:
        last_of(score_files(session, Mapped(("mine", "output"), ("reference",)), Choice()))
    assert raised.value.sentence("zh") == say("zh", "oneColumn", n=2)


def test_a_file_of_the_same_name_takes_the_place_of_the_one_before(session, tmp_path):
    first = keep(tmp_path, session, "a.jsonl", letters("a"))
    keep(tmp_path, session, "b.jsonl", letters("b"))
    again = keep(tmp_path, session, "a.jsonl", letters("a b"))

    assert next(iter(session.files.values())) == again
    assert not first.exists()
    assert list(session.files) == ["a.jsonl", "b.jsonl"]


def test_what_can_be_chosen_of_files(session, tmp_path):
    assert mapping_of_files({}, "en")[1]["visible"] is False
    keep(tmp_path, session, "a.jsonl", [{"prediction": "a", "prediction_b": "b", "reference": "a", "id": 1, "n": 2}])
    note, files, predictions, references, identity, source, slices = mapping_of_files(session.files, "en")
    assert "a.jsonl: jsonl, columns prediction, prediction_b, reference, id, n." in note
    assert files["visible"] is False
    assert predictions["value"] == ["prediction", "prediction_b"]
    assert references["value"] == ["reference"]
    assert identity["value"] == "id"
    assert (source["value"], slices["value"]) == ("", [])
    keep(tmp_path, session, "b.jsonl", [{"prediction": "a", "reference": "a", "id": 1}])
    note, files, predictions, *_ = mapping_of_files(session.files, "zh")
    assert "b.jsonl：jsonl，列：prediction、" in note or "b.jsonl：jsonl" in note
    assert (files["visible"], files["value"]) == (True, ["a.jsonl", "b.jsonl"])
    assert predictions["value"] == ["prediction"]  # of each file, which is a system


def test_not_too_many_systems_and_files(session, tmp_path, monkeypatch):
    rows = [{f"p{n}": "a" for n in range(14)} | {"reference": "a"}]
    kept = keep(tmp_path, session, "a.jsonl", rows)
    with pytest.raises(PageError, match="13 systems; this page takes 12"):
        last_of(score_files(session, Mapped(tuple(f"p{n}" for n in range(13)), ("reference",)), Choice()))
    many = [{"prediction": "a", "reference": "a"} | {f"prediction_{n}": "a" for n in range(20)}]
    kept = keep(tmp_path, session, "a.jsonl", many)
    assert len(guess_columns(read_columns(kept), kept).predictions) == 12
    for number in range(11):
        keep(tmp_path, session, f"{number}.jsonl", letters("a"))
    with pytest.raises(PageError, match="13 systems"):
        keep(tmp_path, session, "one_more.jsonl", letters("a"))
    session.files.clear()
    monkeypatch.setattr("polyrouge.page.uploads.LIMITS", Limits(all_megabytes=1))
    for name in ("a.jsonl", "a.jsonl"):  # the second in place of the first
        keep(tmp_path, session, name, letters("a" * 900_000))
    with pytest.raises(PageError, match="more than 1 MB together"):
        keep(tmp_path, session, "b.jsonl", letters("a" * 900_000))


def keep_systems(folder, session, first, second):
    """Two files of predictions with the same references, each with these ids."""
    for name, ids in (("a.jsonl", first), ("b.jsonl", second)):
        rows = [{"id": each, "prediction": f"{name[0]} {each}", "reference": f"a {each}"} for each in ids]
        keep(folder, session, name, rows)


def test_two_files_are_joined_by_their_ids(session, tmp_path):
    keep_systems(tmp_path, session, "xyz", "zxy")

    job = last_of(score_files(session, Mapped(("prediction",), ("reference",), "id"), Choice()))

    assert index_of(job)["ids"] == ["x", "y", "z"]
    assert texts_of(job) == [
        ["a x", "b x"],
        ["a y", "b y"],
        ["a z", "b z"],
    ]
    with pytest.raises(ValueError, match="all systems need the same references"):  # by place
        last_of(score_files(session, Mapped(("prediction",), ("reference",)), Choice()))


@pytest.mark.parametrize(
    ("first", "second", "english", "chinese"),
    [
        (
            "xyz",
            "xyw",
            "1 of a.jsonl (column 'id') is not in b.jsonl (column 'id') ('z'), and 1 of",
            "a.jsonl 中有 1 个编号",
        ),
        ("xy", "xyz", "1 of b.jsonl (column 'id') is not in a.jsonl (column 'id') ('z').", "b.jsonl 中有 1 个编号"),
        ("xyy", "xyz", "a.jsonl, line 3: the id 'y' (column 'id') is there for the second time", "编号 'y' 出现了两次"),
        (["x", None], "xy", "a.jsonl, line 2: 'id' is empty", "编号（列 id）为空"),
    ],
)
def test_ids_that_do_not_agree_are_told(session, tmp_path, first, second, english, chinese):
    keep_systems(tmp_path, session, first, second)

    with pytest.raises(ValueError, match=re.escape(english)) as raised:
        last_of(score_files(session, Mapped(("prediction",), ("reference",), "id"), Choice()))

    assert "--id-column" not in str(raised.value)
    assert str(raised.value).endswith("Or choose no column of ids, and row i of each file belongs together.")
    assert chinese in say_error("zh", str(raised.value))
    assert "“编号列”选为“无”" in say_error("zh", str(raised.value))


def test_empty_texts_are_counted(session, tmp_path):
    rows = [
        {"a": "", "b": "x", "r": ["x", " "]},
        {"a": "y", "b": "\n", "r": ["", ""]},
        {"a": " ", "b": "z", "r": ["z"]},
    ]
    keep(tmp_path, session, "e.jsonl", rows)

    job = last_of(score_files(session, Mapped(("a", "b"), ("r",)), Choice()))

    report = re.sub("<[^>]*>", "", job.report.read_text(encoding="utf-8"))
    assert "Empty predictions: 2 / 1; Empty references: 3\n" in report


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("cell.csv", "prediction,reference\na,\n", "cell.csv, line 2: 'reference' is an empty cell"),
        ("bad.jsonl", '{"prediction": "a", "reference": "b"}\n{"prediction": \n', "bad.jsonl, line 2"),
        ("bad.csv", b"prediction,reference\n\xff\xfe,b\n", "bad.csv"),
        ("bad.parquet", b"not parquet", "bad.parquet"),
        ("empty.csv", "", "empty.csv"),
        ("lines.txt", "just\nlines\n", "lines.txt"),
        ("null.jsonl", '{"prediction": "a", "reference": null}\n', "reference"),
    ],
    ids=lambda value: value if isinstance(value, str) and "." in value[:12] and "," not in value else "",
)
def test_a_broken_file_is_named_without_its_folder(session, tmp_path, name, content, message):
    def score_it():
        kept = keep_upload(uploaded(tmp_path, name, content), session)
        read_columns(kept)
        last_of(score_files(session, Mapped(("prediction",), ("reference",)), Choice()))

    with pytest.raises(ValueError, match=re.escape(message)) as raised:
        score_it()

    assert str(tmp_path) not in str(raised.value)
    assert str(session.folder) not in str(raised.value)


def test_limits_of_files(session, tmp_path, monkeypatch):
    small = Limits(file_megabytes=1, rows=3, million_characters=1, file_text=600_000)
    for module in ("files", "uploads", "limits"):
        monkeypatch.setattr(f"polyrouge.page.{module}.LIMITS", small)
    mapped = Mapped(("p",), ("r",))
    row = json.dumps({"p": "a", "r": "b"}) + "\n"

    large = uploaded(tmp_path, "large.jsonl", row * 70_000)
    with pytest.raises(PageError, match=r"large.jsonl has 1\.\d MB"):
        keep_upload(large, session)
    assert not Path(large).exists()
    for content, message in (
        (row * 4, "more than 3 rows"),
        (json.dumps({"p": "a" * 400_000, "r": "b" * 599_999}) + "\n" + row, "more than 1 million"),
        (json.dumps({"p": "a" * 600_001, "r": "b"}) + "\n", "600,001 characters"),
    ):
        if len(content) < 1_000_000:
            keep_upload(uploaded(tmp_path, "rows.jsonl", content), session)
            with pytest.raises(PageError, match=message):
                last_of(score_files(session, mapped, Choice()))


def test_time_is_limited(session, tmp_path, monkeypatch):
    keep_upload(uploaded(tmp_path, "a.jsonl", json.dumps({"p": "a", "r": "b"}) + "\n"), session)
    monkeypatch.setattr("polyrouge.page.files.Deadline", lambda: Ended())

    with pytest.raises(PageError, match="60 seconds"):
        last_of(score_files(session, Mapped(("p",), ("r",)), Choice()))


class Ended:
    def check(self):
        raise PageError(key="limitTime", most=60)


COLUMNS = {"sameColumn": {"name": "p"}, "sourceColumn": {"name": "r"}}


def test_columns_must_be_chosen_and_differ(session, tmp_path):
    keep_upload(uploaded(tmp_path, "a.jsonl", json.dumps({"p": "a", "r": "b"}) + "\n"), session)
    for mapped, key in (
        (Mapped(), "noPredictionColumn"),
        (Mapped(("p",)), "noPredictionColumn"),
        (Mapped((), ("r",)), "noPredictionColumn"),
        (Mapped(("p",), ("p",)), "sameColumn"),
        (Mapped(("r", "p"), ("p",)), "sameColumn"),
        (Mapped(("p",), ("r",), source="r"), "sourceColumn"),
    ):
        with pytest.raises(PageError) as raised:
            last_of(score_files(session, mapped, Choice()))
        assert raised.value.sentence("zh") == say("zh", key, **COLUMNS.get(key, {}))


def report_of_both(path, rows, **beside):
    """What ``write_report`` writes of the two systems of the example."""
    return write_report(
        path,
        [row["prediction"] for row in rows],
        [row["references"] for row in rows],
        rouge=Rouge("zh_char", confidence=0.95, output="all"),
        name="prediction",
        others={"prediction_b": [row["prediction_b"] for row in rows]},
        ids=[row["id"] for row in rows],
        **beside,
    )


def test_the_report_is_the_one_that_is_written_for_these_texts(session, tmp_path):
    rows = example_rows()
    keep(tmp_path, session, "news.jsonl", rows)
    mapped = Mapped(("prediction", "prediction_b"), ("references",), "id", slices=(NO_SLICES,))

    job = last_of(score_files(session, mapped, Choice("zh_char")))

    same = report_of_both(tmp_path / "same.html", rows, slices=False)
    assert job.report.read_bytes() == same.read_bytes()
    assert job.report.is_relative_to(session.folder)  # so that it is deleted with it
    for language, words in (("en", "Scored. Rows: 34; systems: 2."), ("zh", "已完成：34 行，2 个系统。")):
        assert words in result_html(job, language)
    assert str(job.report) in frame_html(job)
    assert all(say(language, "reportFill") in frame_html(job) for language in ("en", "zh"))


def test_slices_and_sources_are_those_of_the_written_report(session, tmp_path):
    keys = ("id", "prediction", "prediction_b", "references")
    rows = [
        {key: row[key] for key in keys}
        | {"topic": "abc"[n % 3], "n": n % 7, "document": " ".join(row["references"]), "url": f"u{n}"}
        for n, row in enumerate(example_rows())
    ]
    kept = keep(tmp_path, session, "news.jsonl", rows)
    mapped = guess_columns(read_columns(kept), kept)
    assert mapped.source == "document"

    def written(chosen, **beside):
        job = last_of(score_files(session, chosen, Choice("zh_char")))
        return job.report.read_bytes() == report_of_both(tmp_path / "same.html", rows, **beside).read_bytes()

    columns = {name: [row[name] for row in rows] for name in ("topic", "n")}
    assert written(mapped, metadata=columns, sources=[row["document"] for row in rows])
    assert written(mapped._replace(source="", slices=("topic",)), metadata={"topic": columns["topic"]})
    assert written(mapped._replace(source="", slices=(NO_SLICES,)), slices=False)


def test_what_is_said_of_slices_and_sources_is_told_in_chinese_too(session, tmp_path):
    rows = [{"prediction": f"a {n}", "reference": "a", "topic": "xy"[n % 2], "source": "a b"} for n in range(4)]
    keep(tmp_path, session, "a.jsonl", rows)
    keep(tmp_path, session, "b.jsonl", [{**row, "topic": "x"} for row in rows])
    mapped = Mapped(("prediction",), ("reference",), source="source", slices=("topic", "source"))

    notes = last_of(score_files(session, mapped, Choice())).notes

    (differs,) = (note for note in notes if "are taken" in note)
    assert differs == "b.jsonl, line 2: 'topic' is not a.jsonl, line 2: 'topic'; the values of a.jsonl are taken"
    assert any(note.startswith("The column 'source' makes no slice") for note in notes)
    for note in notes:
        assert re.search("[\u4e00-\u9fff]{3}", say_note("zh", note)), note
    keep(tmp_path, session, "b.jsonl", [{**row, "source": "b"} for row in rows])
    with pytest.raises(ValueError, match="need the same source texts") as raised:
        last_of(score_files(session, mapped, Choice()))
    assert "必须使用相同的原文" in say_error("zh", str(raised.value))
    keep(tmp_path, session, "b.jsonl", [{**row, "topic": ["x"]} for row in rows])
    with pytest.raises(ValueError, match="samples are sliced by a text") as raised:
        last_of(score_files(session, mapped._replace(files=("b.jsonl",)), Choice()))
    assert "分组列应为文本" in say_error("zh", str(raised.value))


def test_steps_are_told_and_a_closed_iterator_stops_the_work():
    told = threading.Event()
    stopped = threading.Event()

    def work(tell):
        try:
            for done in itertools.count():
                tell("writing", done, 10**9)
                told.set()
        finally:
            stopped.set()

    steps = in_steps(work)
    first = next(steps)
    steps.close()

    assert stopped.is_set()
    assert told.is_set()
    for language, words in (("en", "Writing the report: "), ("zh", "正在生成报告：")):
        assert words in step_html(first, language)
    shown = {step_html(Step(stage, 3, 4), "en") for stage in STAGES}
    assert len(shown) == len(STAGES)
    assert any("75 %" in each for each in shown)
    assert list(in_steps(lambda _tell: "done"))[-1] == "done"

    def fails(_tell):
        raise PageError(key="limitTime", most=60)

    with pytest.raises(PageError):
        list(in_steps(fails))


def test_sessions_are_bounded_and_deleted(tmp_path):
    store = SessionStore(tmp_path, most=2, idle_seconds=1000)
    places = []
    for name in "abc":
        place = store.get(name).path("file.txt")
        place.write_text(name)
        places.append(place)

    assert len(store) == 2
    assert [place.exists() for place in places] == [False, True, True]
    store.drop("b")
    assert [place.exists() for place in places] == [False, False, True]
    idle = SessionStore(tmp_path, idle_seconds=-1)
    idle.get("d")
    idle.drop("another")
    assert len(idle) == 0


def test_what_an_upload_leaves_behind_is_deleted(tmp_path):
    old, new, used = ("a" * 64, "b" * 64, "c" * 64)
    for name in (old, new, used, "of_gradio"):
        (tmp_path / name).mkdir()
    for name in ("tmp_old", "tmp_new", "tmp_used", "empty"):
        (tmp_path / name).touch()
    (tmp_path / used / "rows.csv").write_text("a")
    (tmp_path / "tmp_used").write_text("a")
    for name in (old, used, "of_gradio", "tmp_old", "tmp_used", "empty"):
        os.utime(tmp_path / name, (0, 0))

    SessionStore(tmp_path).drop("a page")

    assert {new, used, "of_gradio", "tmp_new", "tmp_used", "empty"} == {path.name for path in tmp_path.iterdir()}
    SessionStore(tmp_path / "not yet").drop("a page")


def test_the_tab_gives_what_it_renders():
    prediction, references = example_texts("en")

    shown = TryTab.update(prediction, references, "default", [], False, "", "", "", "rouge1", "en")

    assert render_try(prediction, references, Choice(), "rouge1", "en") == shown


def test_an_overtaken_reply_is_not_shown(tmp_path):
    session = SessionStore(tmp_path).get("a")
    first, second, third = session.begin(), session.begin(), session.begin()

    assert session.may_show(second)
    assert not session.may_show(first)
    assert session.may_show(third)


@pytest.mark.parametrize("stage", ["reading", *STAGES])
def test_a_job_that_is_stopped_in_any_step_leaves_nothing(session, tmp_path, stage, monkeypatch):
    rows = [{"p": f"a b c {n % 7}", "q": f"a c {n % 5}", "r": f"a b {n % 3}", "s": f"a b c d {n}"} for n in range(300)]
    keep(tmp_path, session, "a.jsonl", rows)
    before = sorted(tmp_path.rglob("*"))
    seen = threading.Event()

    def at_the_stage(work):
        def watched(told):
            def tell(name, done, of):
                if name == stage:
                    seen.set()
                    time.sleep(1)  # until the visitor has cancelled
                told(name, done, of)

            return work(tell)

        return in_steps(watched)

    monkeypatch.setattr("polyrouge.page.files.in_steps", at_the_stage)
    threads = threading.active_count()
    steps = score_files(session, Mapped(("p", "q"), ("r",), source="s"), Choice())
    while not seen.is_set():
        next(steps)
    steps.close()

    assert threading.active_count() <= threads
    assert sorted(tmp_path.rglob("*")) == before
    monkeypatch.undo()
    job = last_of(score_files(session, Mapped(("p", "q"), ("r",)), Choice()))  # the next one is as any other
    assert session.keep_job(session.turn, job)
    assert job.report.exists()
    session.begin_job()
    assert not job.report.exists()


def test_the_key_and_the_settings_of_a_job_are_those_of_its_report(session, tmp_path):
    rows = [{"p": "a b", "r": "a c"}, {"p": "a", "r": "b"}]
    keep(tmp_path, session, "<b> & ä.jsonl", rows)
    choice = Choice("zh_char", ("rouge1",), scale="100")

    job = last_of(score_files(session, Mapped(("p",), ("r",)), choice))

    assert index_of(job)["key"] == job.key
    html = frame_html(job)
    assert "<b>" not in html
    (link,) = re.findall('data-link="(.*?)"', html)
    asked = parse_qs(unescape(link))
    assert asked["report"] == [job.key]
    assert asked["file"] == ["<b> & ä.jsonl"]
    assert asked["rows"] == ["2"]
    assert read_link(dict(parse_qsl(asked["settings"][0]))) == (choice, [])


def test_sessions_are_swept_while_nobody_comes(tmp_path):
    store = SessionStore(tmp_path, idle_seconds=0.5)
    store.get("a").path("a.csv").write_text("a")

    store.sweep_each(0.01)

    while len(store) or list(tmp_path.iterdir()):
        time.sleep(0.01)


def test_the_limits_are_said_before_the_upload():
    for language, rows in (("en", "20,000 rows"), ("zh", "20,000 行")):
        said = limits_note(language)
        assert rows in said
        numbers = [
            f"{each:,}" for each in (LIMITS.systems, LIMITS.file_megabytes, LIMITS.all_megabytes, LIMITS.seconds)
        ]
        assert all(re.search(rf"\b{each}\b", said) for each in [*numbers, f"{LIMITS.file_text:,}"])
    assert "30 million characters" in limits_note("en")
    assert "3000 万字符" in limits_note("zh")


def test_a_job_is_cancelled_until_it_is_done(tmp_path):
    session = SessionStore(tmp_path).get("a")
    assert not session.cancel_job()
    first = session.begin_job()
    assert session.cancel_job()
    assert not session.keep_job(first, "result")
    assert session.job is None
    session.end_job(first)

    second = session.begin_job()
    session.end_job(first)
    assert session.is_running
    assert session.keep_job(second, "result")
    session.end_job(second)
    assert not session.cancel_job()
    assert session.job == "result"
