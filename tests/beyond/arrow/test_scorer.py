"""Arrow tables in and out: every type of column, the same scores as from Python lists, and what is refused."""

import pickle

import numpy as np
import pyarrow as pa
import pytest
from arrow_rows import table
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import texts

from polyrouge import Rouge, RunOptions
from polyrouge.beyond.arrow import TableScorer, partial_of, score_batches, score_table
from polyrouge.beyond.arrow import scorer as scorer_module

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
TEXT_TYPES = [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())]
LIST_TYPES = [pa.list_, pa.large_list, pa.list_view, pa.large_list_view]
PREDICTIONS = ["the cat sat", "", "今天天气很好", "naïve Ünïcode Σİ", "a b", "x"]
REFERENCES = [["a cat", "the cat"], ["no"], ["今天天气不错"], ["naive ünïcode σi", "c", ""], ["b a"], ["y", "x"]]
SINGLE = {"prediction": PREDICTIONS, "references": [row[0] for row in REFERENCES]}


def assert_same_scores(scored, predictions, references, *, best_reference=True, **options):
    expected = Rouge(**options).score(predictions, references, best_reference=best_reference)
    for name, values in expected.items():
        np.testing.assert_array_equal(scored[name].to_numpy(), values, err_msg=name)


@pytest.mark.parametrize("engine", ["plain", "compiled"])
@pytest.mark.parametrize("kind", TEXT_TYPES, ids=str)
@pytest.mark.parametrize("make", LIST_TYPES)
def test_every_type_of_column_gives_the_scores_of_lists(make, kind, engine):
    rows = pa.table({"prediction": pa.array(PREDICTIONS, kind), "references": pa.array(REFERENCES, make(kind))})
    assert_same_scores(score_table(rows, Rouge(engine=engine)), PREDICTIONS, REFERENCES, engine=engine)
    for start, stop in ((0, 3), (2, 6), (3, 4)):  # the offsets do not begin at 0
        part = rows[start:stop]
        assert_same_scores(score_table(part, Rouge(engine=engine)), PREDICTIONS[start:stop], REFERENCES[start:stop])
    chunked = pa.concat_tables([rows[4:], rows[:0], rows[1:4]])
    assert_same_scores(score_table(chunked), PREDICTIONS[4:] + PREDICTIONS[1:4], REFERENCES[4:] + REFERENCES[1:4])


@pytest.mark.parametrize("kind", TEXT_TYPES, ids=str)
def test_one_text_a_row_and_lists_of_a_fixed_size(kind):
    texts = pa.array([row[0] for row in REFERENCES], kind)
    pairs = pa.FixedSizeListArray.from_arrays(pa.concat_arrays([texts, texts]), 2)
    for references in (texts, pa.FixedSizeListArray.from_arrays(texts, 1)[1:], pairs):
        predictions = PREDICTIONS[-len(references) :]
        rows = pa.table({"p": pa.array(predictions, kind), "r": references})
        assert_same_scores(TableScorer(prediction="p", reference="r")(rows), predictions, references.to_pylist())


CHANGES = [
    *({}, {"tokenizer": "jieba"}, {"tokenizer": "ascii", "use_stemmer": True}, {"tokenizer": "unicode"}),
    *({"normalize": "nfkc", "punctuation": "keep"}, {"prepare": ["model_output"], "sentence_split": "zh"}),
    {"stop_words": ["a", "天"], "multi_reference": "mean"},
]


@given(st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), min_size=1, max_size=6), st.data())
@settings(max_examples=60, deadline=None)
def test_any_text_is_counted_as_from_a_list(rows, data):
    predictions, references = [row[0] for row in rows], [row[1] for row in rows]
    start = data.draw(st.integers(0, len(rows) - 1))
    given_rows = pa.table({"prediction": predictions, "references": references})[start:]
    changes = data.draw(st.sampled_from(CHANGES))
    engine = data.draw(st.sampled_from(["plain", "compiled"]))
    scored = score_table(given_rows, Rouge(engine=engine, **changes), hits=True)
    assert_same_scores(scored, predictions[start:], references[start:], best_reference=False, engine=engine, **changes)


def test_columns_that_stand_before_the_scores():
    rows = pa.table({"id": [3, 4], "prediction": ["the cat sat", ""], "references": [["a", "a cat"], ["b c d"]]})
    scorer = TableScorer(Rouge(rouge_types=["rouge2", "rouge1"]), keep=["id", "references"], hits=True)
    scored = scorer(rows)
    assert scored.schema == scorer.schema(rows) == scorer.schema(rows.schema)
    assert scored.schema.metadata == {
        b"polyrouge.signature": Rouge(rouge_types=["rouge2", "rouge1"]).signature().encode()
    }
    assert scored.select(["id", "references"]).equals(rows.select(["id", "references"]))
    expected = {
        "rouge1_reference": [1, 0],
        "rouge1_reference_tokens": [2, 3],
        "prediction_tokens": [3, 0],
        "rouge1_hits": [1, 0],
        "rouge1_prediction_total": [3, 0],
        "rouge1_reference_total": [2, 3],
        "rouge2_prediction_total": [2, 0],
    }
    assert scored.select(list(expected)).to_pydict() == expected


@pytest.mark.parametrize(("rule", "hits"), [("pooled", [1 + 2]), ("mean", [None]), ("jackknife", [None])])
def test_a_rule_without_a_winner_has_none(rule, hits):
    rows = pa.table({"prediction": ["a b"], "references": [["a", "b a"]]})
    scored = score_table(rows, Rouge(rouge_types=["rouge1"], multi_reference=rule), hits=True).to_pydict()
    assert scored["rouge1_reference"] == scored["rouge1_reference_tokens"] == [None]
    assert scored["rouge1_hits"] == hits


def test_rows_that_are_left_out_are_nan_without_a_winner():
    rows = pa.table({"prediction": ["a b", "!"], "references": ["a", "b"]})
    scored = score_table(rows, Rouge(rouge_types=["rouge1"], empty="skip")).to_pydict()
    assert np.isnan(scored["rouge1"]).tolist() == [False, True]
    assert scored["rouge1_reference"] == [0, None]


@pytest.mark.parametrize("library", ["pandas.DataFrame", pytest.param("polars.DataFrame", marks=pytest.mark.hub)])
def test_tables_of_other_libraries_come_in_by_the_capsule_interface(library):
    module, _, name = library.partition(".")
    make = getattr(pytest.importorskip(module), name)
    assert score_table(make(SINGLE)).equals(score_table(pa.table(SINGLE)))
    lists = make({"prediction": PREDICTIONS, "references": REFERENCES})
    assert_same_scores(score_table(lists), PREDICTIONS, REFERENCES)


def test_batches_are_scored_one_by_one_with_their_rows_numbered_through():
    rows = table(90)
    batches = [*rows[:30].to_batches(), *rows[:0].to_batches(), *rows[30:].to_batches(max_chunksize=25)]
    scored = list(score_batches(iter(batches), "zh_char", keep=["id"]))
    assert all(isinstance(batch, pa.RecordBatch) for batch in scored)
    assert pa.Table.from_batches(scored).equals(score_table(rows, "zh_char", keep=["id"]))
    broken = rows[:5].set_column(1, "prediction", pa.array(["a", "b", None, "d", "e"]))
    with pytest.raises(TypeError, match=r"predictions\[32\] is None"):
        list(score_batches([rows[:30], broken]))


def test_a_table_is_read_slice_by_slice(monkeypatch):
    rows, scorer = table(90), TableScorer("zh_char", keep=["id"], hits=True)
    expected, partial = scorer.score_with_partial(rows)
    monkeypatch.setattr(scorer_module, "_ROWS_AT_ONCE", 7)
    assert scorer.score_with_partial(rows)[0].equals(expected)
    assert scorer.partial(rows) == partial
    broken = rows.set_column(1, "prediction", pa.array(["a"] * 60 + [None] * 30))
    with pytest.raises(TypeError, match=r"predictions\[65\] is None"):
        scorer(broken, first_row=5)


def test_a_table_without_rows():
    scorer = TableScorer(keep=["id"], hits=True)
    empty = scorer(table(3)[:0])
    assert len(empty) == 0
    assert empty.schema == scorer(table(3)).schema
    assert partial_of(empty).n_samples == 0
    nothing = pa.chunked_array([], pa.string())
    assert len(score_table(pa.table({"prediction": nothing, "references": nothing}))) == 0


def test_a_scorer_travels():
    scorer = TableScorer(Rouge("zh_char", beta=2, threads=1), keep=["id"], hits=True)
    again = pickle.loads(pickle.dumps(scorer))  # noqa: S301 our own
    assert again(table(9)).equals(scorer(table(9)))
    assert (again.settings, again.run) == (scorer.settings, RunOptions(threads=1))
    assert again.signature() == scorer.signature()


NO_UTF8 = pa.StringArray.from_buffers(2, pa.py_buffer(b"\0\0\0\0\1\0\0\0\4\0\0\0"), pa.py_buffer(b"a\xed\xa0\x80"))
HIDDEN_NULL = pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int32()), pa.array(["a", None]))


@pytest.mark.parametrize(
    ("predictions", "references", "error", "message"),
    [
        (["a", None], ["b", "c"], TypeError, r"predictions\[11\] is None"),
        (["a", "b"], [["b"], ["c", None]], TypeError, r"references\[11\]\[1\] is None"),
        (["a", "b"], [["b"], []], ValueError, r"references\[11\] is empty"),
        (HIDDEN_NULL, ["b", "c"], TypeError, r"predictions\[11\] is None"),
        (["a", "b"], pa.ListArray.from_arrays([0, 1, 2], HIDDEN_NULL), TypeError, r"references\[11\]\[0\] is None"),
        (NO_UTF8, ["b", "c"], ValueError, r"predictions\[11\] is no UTF-8 at byte 0"),
        (["a", "b"], pa.ListArray.from_arrays([0, 1, 2], NO_UTF8), ValueError, r"references\[11\]\[0\] is no UTF-8"),
        ([1, 2], ["b", "c"], TypeError, "predictions is of type int64"),
        (["a", "b"], [[1], [2]], TypeError, "references is of type list<item: int64>"),
        (pa.nulls(2), ["b", "c"], TypeError, r"predictions\[10\] is None"),
        (["a", "!"], ["b", "c"], ValueError, r"predictions\[11\] has no tokens"),
    ],
)
def test_a_bad_row_is_named(predictions, references, error, message):
    rows = pa.table({"prediction": predictions, "references": references})
    with pytest.raises(error, match=message):
        score_table(rows, Rouge(empty="error"), first_row=10)


def test_columns_that_are_not_there_or_there_twice_are_refused():
    rows = pa.table([["a"], ["b"], ["a"]], names=["prediction", "prediction", "references"])
    with pytest.raises(ValueError, match="2 columns 'prediction'"):
        score_table(rows)
    rows = rows.select([1, 2])
    for options, error, message in (
        ({"reference": "reference"}, KeyError, "references"),
        ({"keep": ["rouge1"]}, ValueError, "column of this name"),
        ({"keep": ["prediction", "prediction"]}, ValueError, "twice"),
        ({"keep": "prediction"}, TypeError, r"give a list: \['prediction'\]"),
    ):
        with pytest.raises(error, match=message):
            score_table(rows, **options)
