"""The page's parts, without a browser: its numbers, words, limits."""

import contextlib
import itertools
import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from language_packages import usable_conventions

from polyrouge import CONVENTIONS, Rouge, compare_conventions
from polyrouge.beyond.recipes.loading import load_recipe
from polyrouge.comparing.convention_table import describe_differences
from polyrouge.errors import hearing_warnings
from polyrouge.page.choices import (
    CHOICES,
    TYPES,
    Choice,
    choice_labels,
    link_query,
    read_link,
    runs_here,
)
from polyrouge.page.files_tab import file_note
from polyrouge.page.highlight import pair_html
from polyrouge.page.job import FileColumns
from polyrouge.page.limits import LIMITS
from polyrouge.page.score_views import (
    compare_all,
    conventions_html,
    meanings_html,
    message_html,
    more_html,
    notes_html,
    published_range,
    score_pair,
    scores_html,
    split_references,
)
from polyrouge.page.text_tabs import example_texts, render_try
from polyrouge.page.visitor import Visitor
from polyrouge.page.wording import document_address, page_asset, page_texts, say, say_metric_words, say_note
from polyrouge.texts.preparation import STEPS, step_words

pytestmark = pytest.mark.hub
ROOT = Path(__file__).resolve().parents[2]
MARKUP = "<script>alert(1)</script> & \"><img src=x onerror=alert(1)> it's"
NEEDS_TABLES = ("lveval", "py_rouge", "sacrerouge", "sumeval")
USABLE = [key for key, (name, _) in CHOICES.items() if name in usable_conventions() and key not in NEEDS_TABLES]


@pytest.mark.parametrize(("choice", "language"), [(each, ("en", "zh")[n % 2]) for n, each in enumerate(USABLE)])
def test_numbers_are_those_of_the_shown_signature_and_the_shown_python(choice, language, capsys):
    prediction, references = example_texts(language)
    references = split_references(references)

    scored = score_pair(prediction, references, Choice(choice))

    with hearing_warnings():
        assert Rouge.from_signature(scored.signature).compute([prediction], [references], output="all") == scored.scores
        exec(scored.python, {})  # noqa: S102 what visitors copy
    assert capsys.readouterr().out == f"{scored.scores}\n"
    shown = scores_html(scored, Choice(choice), language)
    for name in scored.names():
        assert f"{scored.scores[name]:.2f}" in shown


@pytest.mark.parametrize(("references", "names"), [("a b c", ["rougeL"]), ("c\nb a", ["rougeL", "rougeLsum"])])
def test_rouge_lsum_is_a_row_where_it_is_not_rouge_l(references, names):
    *_, shown, _ = render_try("a b\nc", references, Choice(types=("rougeL", "rougeLsum")), "en")

    assert re.findall(r'<tr data-view="(\w+)', shown) == names
    assert ("= rougeLsum" in shown) == ("rougeLsum" not in names)


def test_settings_of_the_page_are_those_of_the_metric():
    choice = Choice("zh_char", ("rougeL", "rouge1"), True, "mean", "newline", nfkc=True)

    settings = {"rouge_types": ["rouge1", "rougeL"], "use_stemmer": True, "multi_reference": "mean"}
    settings |= {"sentence_split": "newline", "normalize": "nfkc", "output": "all"}
    assert choice.rouge().settings == Rouge("zh_char", scale=100, **settings).settings
    assert Choice("lawrouge", ("rouge1",)).rouge().settings.weights is None  # which are those of its own types


def test_references_are_split_at_lines_of_dashes():
    assert split_references("a\nb\n---\nc -- d\n ----- \r\n\n---\n") == ["a\nb", "c -- d"]
    assert split_references(" \n") == []


def test_links_carry_the_state():
    choice = Choice("zh_word", ("rouge1", "rougeL"), True, "mean", "zh", nfkc=True)

    query, is_whole = link_query(choice, "甲 & 乙=1\n", "丙\n---\n丁")

    read = dict(parse_qsl(query))
    assert is_whole
    assert (read["prediction"], read["references"]) == ("甲 & 乙=1\n", "丙\n---\n丁")
    assert read_link(read) == (choice, [])
    long_query, is_whole = link_query(choice, "长" * 5000, "b")
    assert not is_whole
    assert read_link(dict(parse_qsl(long_query))) == (choice, [])

    choice, unknown = read_link({"convention": "nope", "types": "rouge1,rouge99", "rule": "<b>", "nfkc": "1"})
    assert Choice(types=("rouge1",), nfkc=True) == choice
    assert unknown == ["types=rouge99", "convention=nope", "rule=<b>"]


def test_markup_is_escaped_everywhere():
    scored = score_pair(MARKUP, [MARKUP, "other"], Choice("default"))
    visitor = Visitor()
    visitor.files[MARKUP] = FileColumns(MARKUP, "csv", [MARKUP], [], [MARKUP])
    rows = compare_all(MARKUP, [MARKUP])
    refused = [(row, MARKUP) for row, _ in rows]

    for html in (
        scores_html(scored, Choice(), "en"),
        more_html(scored, (MARKUP, True), "en"),
        pair_html(scored.explanation, scored.scores, scored.names(), "en"),
        notes_html([MARKUP], "en"),
        message_html(ValueError(MARKUP), "en"),
        conventions_html(rows, "zh"),
        conventions_html(refused, "en"),
        file_note(visitor, "en"),
    ):
        assert not re.search(r"<(script|img|b)\b|=\"[^\"]*\"><img", html)


def test_messages_show_what_the_metric_refuses_and_of_other_errors_the_kind_only():
    assert "RuntimeError" in message_html(RuntimeError("secret text"), "en")
    assert "secret" not in message_html(RuntimeError("secret text"), "en")
    shown = message_html(ValueError("predictions[1] is <None>"), "zh")
    assert say("zh", "errorTitle") in shown
    assert '<span lang="en">predictions[1] is &lt;None&gt;</span>' in shown


def test_every_text_is_in_both_languages_with_the_same_places():
    for key, text in page_texts().items():
        assert set(text) == {"en", "zh"}, key
        places = [set(re.findall(r"{(\w+)}", text[language])) for language in ("en", "zh")]
        assert places[0] == places[1], key
    for language in ("en", "zh"):
        assert {key for _, key in choice_labels(language)} == {name for name in CHOICES if runs_here(CHOICES[name][0])}


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


def test_usual_values_are_those_that_were_published():
    assert published_range(load_recipe("cnn_dailymail"), "rouge1") == "40–48"
    assert published_range(load_recipe("cnn_dailymail"), "rougeL") == "–"
    for language in ("en", "zh"):
        assert meanings_html(TYPES, language).count("<dd>") == 3 + len(TYPES)  # a sentence of each type and measure


def test_what_differs_is_told_in_chinese_too():
    first = CONVENTIONS["default"].settings
    chinese = json.loads(page_asset("page_chinese.json"))
    options = ((), (False,), (True, False))
    every = itertools.product(CONVENTIONS.values(), options)
    differences = {words for each, flags in every for words in describe_differences(each.settings, first, *flags)}

    of_steps = {step_words(side + step)[0] for step in STEPS for side in ("", "prediction.", "reference.")}
    assert differences - of_steps == set(chinese["differences"])
    assert all(say_metric_words("zh", "differences", words) != words for words in differences)
    users = {convention.used_by for convention in CONVENTIONS.values()}
    assert {words for words in users if " " in words} == set(chinese["usedBy"])  # one word is a name
    assert {convention.languages[0] for convention in CONVENTIONS.values() if convention.languages} == set(
        chinese["languages"]
    )
    assert say_metric_words("zh", "differences", "stems words") == "词干提取"
    assert say_metric_words("en", "differences", "stems words") == "stems words"


def test_warnings_name_the_controls_of_the_page():
    with hearing_warnings() as warnings:
        Rouge(empty="skip").compute(["A b. C d.", ""], ["a", "b"])
        Rouge().compute(["ＡＩ <think>a</think>"], ["AI"])
        Rouge("pltrdy").compute(["今天天气很好"], ["今天天气"])

    assert any(f"分句改为“{say('zh', 'split_auto')}”" in say_note("zh", note) for note in warnings)
    for note, language in itertools.product(warnings, ("en", "zh")):  # no keyword that the page has no control for
        said = say_note(language, note)
        assert "Python" in said or not re.search(r"tokenizer|\w+='", said), note


def test_documents_of_the_page_are_there():
    for name, language in itertools.product(("index", "papers", "which_rouge"), ("en", "zh")):
        assert (ROOT / document_address(name, language).partition("/blob/main/")[2]).is_file()


def test_each_limit_has_its_sentence():
    def status(prediction, references, language):
        return render_try(prediction, references, Choice(), language)[0]

    longest = "字" * LIMITS.text
    assert "10,001" in status(f"{longest}字", "b", "en")
    assert "10,001" in status("b", f"{longest}字", "zh")
    assert "11 references" in status("b", "\n---\n".join("a" * 11), "en")
    half = "字" * (LIMITS.pair - 2 * LIMITS.text)
    assert "25,001" in status(longest, f"{longest}\n---\n{half}字", "en")
    assert "pr-error" not in status(longest, f"{longest}\n---\n{half}", "en")
    hint = render_try("b", " ", Choice(), "zh")
    assert hint == (f'<p class="pr-soft">{say("zh", "emptyReferences")}</p>', "", "", "")


@pytest.mark.parametrize(
    ("prediction", "references"),
    [
        (".", ["a"]),  # which some tools refuse
        ("The cat sat.\n\nOn the mat.", ["the cat sat on a mat"]),  # lines, of which longbench warns
        ("今天天气很好。", ["今天天气不错。", "天气"]),
    ],
)
def test_rows_are_those_of_compare_conventions(prediction, references):
    compared = compare_all(prediction, references)
    rows = {row.name: row for row, _ in compared}
    for name in CONVENTIONS:
        with contextlib.suppress(ValueError), hearing_warnings():  # no scores at all
            expected = compare_conventions([prediction], [references], ["default", name]).rows[1]
            assert repr(rows[name]) == repr(expected)
    refused = {row.name for row, refusal in compared if refusal}
    assert ("pltrdy" in refused) == (prediction == ".")
    assert conventions_html(compared, "en").count("The tool refuses these texts") == len(refused)


def test_conventions_are_strips_with_named_ends_and_a_sorted_table():
    prediction, references = example_texts("en")
    rows = compare_all(prediction, split_references(references))
    fit = [row for row, _ in rows if row.unfit is None]
    scores = {row.name: row.scores for row in fit if any(score is not None for score in row.scores.values())}

    strips, table = conventions_html(rows, "en").split('data-fold="unfit"')[0].split("<table", 1)

    for key, strip in zip(("rouge1", "rouge2", "rougeL"), strips.split("<div><strong>ROUGE")[1:], strict=True):
        known = {name: each[key] for name, each in scores.items() if each[key] is not None}
        ends = re.findall(r"<span><strong>([\d.]+)</strong> <code>(\w+)</code>", strip)
        assert [float(score) for score, _ in ends] == [round(end(known.values()), 2) for end in (min, max)]
        assert all(round(known[name], 2) == float(score) for score, name in ends)
        assert strip.count("<i") == len({round(score, 2) for score in known.values()})
        assert [name for _, name in re.findall(r'class="pr-first"[^>]*title="([\d.]+): (\w+)', strip)] == ["default"]
    names = re.findall(r'<th scope="row"><code>(\w+)', table)
    firsts = [next(score for score in scores[name].values() if score is not None) for name in names]
    assert (set(names), firsts) == (set(scores), sorted(firsts))


LETTERS, CLAUSES = "Drops most or all letters of a text", "Takes a whole clause for one token"


def test_conventions_that_are_unfit_for_the_texts_are_folded_with_the_reason_and_no_ends_of_the_strips():
    compared = compare_all("Банк снизил ставку PRIME", ["Банк России снизил ставку"])
    here = {row.name for row, _ in compared if row.missing is None}

    shown, folded = conventions_html([pair for pair in compared if pair[0].missing is None], "en").split(
        'data-fold="unfit"'
    )

    lines = dict(re.findall(r'<th scope="row"><code>(\w+)(.*?)</tr>', folded))
    assert "Made for Chinese" in lines["zh_word"]
    assert LETTERS in lines["rouge_score"]
    assert all(re.search(f"{LETTERS}|{CLAUSES}|Made for [A-Z]", line) for line in lines.values())
    names = re.findall(r'<th scope="row"><code>(\w+)', shown)
    assert {"default", "pltrdy"} <= set(names)
    assert sorted([*names, *lines]) == sorted(here)
    assert set(re.findall(r"<span><strong>[\d.]+</strong> <code>(\w+)", shown)) <= set(names)
    assert not any(re.search(rf"\b{unfit}\b", title) for title in re.findall("title=.*?>", shown) for unfit in lines)


AFTER_PRELOAD = """
import sys

import polyrouge.page.preload
from polyrouge.page.choices import Choice
from polyrouge.page.text_views import render_try

sys.addaudithook(lambda event, facts: print(event, facts[0]) if event in ("open", "import") else None)
for language in ("en", "zh"):
    render_try("今天天气很好。\\nThe cat sat.", "今天天气好\\nthe cats sat", Choice(), language)
"""


def test_what_a_job_is_forked_from_has_loaded_all_that_a_typed_pair_needs():
    """What it loads later, each job loads anew: the recipes alone took a second of each answer."""
    loaded = subprocess.run([sys.executable, "-c", AFTER_PRELOAD], check=True, capture_output=True, text=True)
    assert loaded.stdout == ""
