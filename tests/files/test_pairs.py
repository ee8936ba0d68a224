"""Predictions beside their references: which columns of which files are read, and what they may hold."""

import gzip
import json
import os

import pyarrow as pa
import pytest
from paired_files import pairs_of, read, write_jsonl, write_table

from polyrouge.files.pairs import open_pairs
from polyrouge.files.table import InputFileError

N = 12
ROW = {"prediction": "p", "other": "o", "reference": "r", "id": 7}


def rows_of(n=N, **columns):
    """Rows whose values are made of their numbers: by a function, or by an f-string's template."""
    makers = {name: make if callable(make) else make.format for name, make in columns.items()}
    return [{name: make(row) for name, make in makers.items()} for row in range(n)]


TEXTS = {"prediction": "p {}", "references": "r {}"}


def test_guesses_are_told(tmp_path):
    path = write_jsonl(tmp_path / "a.jsonl", [{"prompt": "x", "predict": "p", "label": "r"}])

    with open_pairs([path]) as pairs:
        assert pairs.guesses == [
            f"{path}: predictions are the column 'predict'",
            f"{path}: references are the column 'label'",
        ]


def test_the_only_column_of_texts_is_guessed(tmp_path):
    (tmp_path / "p.csv").write_text("nr,words\n1,a\n2,b\n")
    (tmp_path / "r.txt").write_text("a\nb\n")
    parquet = write_table(tmp_path / "p.parquet", pa.table({"nr": [1, 2], "words": ["a", "b"]}))

    with open_pairs([parquet], [str(tmp_path / "r.txt")]) as pairs:
        assert pairs.read_all().predictions == [["a", "b"]]
        assert pairs.guesses == [f"{parquet}: predictions are the column 'words'"]
    with pytest.raises(InputFileError, match="It has 'nr', 'words'"):  # in CSV a number may be a text
        read([tmp_path / "p.csv"], [tmp_path / "r.txt"])


def test_several_reference_columns_are_several_references(tmp_path):
    path = write_jsonl(tmp_path / "a.jsonl", [{"p": "x", "summary1": "a", "summary2": "b", "id": "r1"}])

    rows = read([path], prediction_columns=["p"], reference_columns=["summary1", "summary2"])

    assert ([["a", "b"]], ["r1"]) == (rows.references, rows.ids)


def test_systems_are_files_or_columns(tmp_path):
    for folder, name in (("one", "a"), ("one", "b"), ("two", "a")):
        (tmp_path / folder).mkdir(exist_ok=True)
        row = json.dumps({"prediction": folder + name, "reference": "r"})
        (tmp_path / folder / f"{name}.jsonl.gz").write_bytes(gzip.compress(row.encode()))
    columns = write_jsonl(tmp_path / "c.jsonl", [{"one": "x", "two": "y", "reference": "r"}])
    one_a, one_b, two_a = (str(tmp_path / name) for name in ("one/a.jsonl.gz", "one/b.jsonl.gz", "two/a.jsonl.gz"))

    for files, options, names, predictions in (
        ([one_a, one_b], {}, ["a", "b"], [["onea"], ["oneb"]]),
        ([one_a, two_a], {}, ["one", "two"], [["onea"], ["twoa"]]),
        ([columns], {"prediction_columns": ["one", "two"]}, ["one", "two"], [["x"], ["y"]]),
        ([columns], {"prediction_columns": ["one", "two"], "names": ["A", "B"]}, ["A", "B"], [["x"], ["y"]]),
    ):
        with open_pairs(files, **options) as pairs:
            assert pairs.systems == names
            assert pairs.read_all().predictions == predictions


def test_rows_come_in_chunks_of_bounded_size(tmp_path, monkeypatch):
    path = write_jsonl(tmp_path / "a.jsonl", rows_of(8, **TEXTS))

    for limit, value, sizes in (("_CHUNK_ROWS", 3, [3, 3, 2]), ("_CHUNK_CHARACTERS", 1, [1] * 8)):
        monkeypatch.setattr(f"polyrouge.files.pairs.{limit}", value)
        with open_pairs([path]) as pairs:
            assert sizes == [len(chunk.references) for chunk in pairs]


def test_empty_texts_are_counted(tmp_path):
    columns = {
        "prediction": ["a", "", " \n\u3000", "b"].__getitem__,
        "refs": [["", "x"], ["y"], [" "], ["z"]].__getitem__,
    }
    path = write_jsonl(tmp_path / "a.jsonl", rows_of(4, **columns))

    with open_pairs([path]) as pairs:
        pairs.read_all()

    assert pairs.empty_texts == ((2,), 2)


def test_a_column_of_documents_is_read_with_the_references(tmp_path):
    (tmp_path / "p.txt").write_text("p\n")
    references = write_jsonl(tmp_path / "r.jsonl", [{"reference": "r", "article": "long"}])

    with open_pairs([str(tmp_path / "p.txt")], [references], source_column="article") as pairs:
        rows = pairs.read_all()

    assert (rows.predictions, rows.references, rows.sources) == ([["p"]], ["r"], ["long"])
    assert [os.path.basename(name) for name in pairs.files] == ["p.txt", "r.jsonl"]


def test_an_id_column_may_be_that_of_a_text(tmp_path):
    """A column that is read as a text is not read as an id once more."""
    path = write_jsonl(tmp_path / "a.jsonl", [{"prediction": "p", "reference": "r"}])

    assert read([path], id_column="prediction").ids == []


TWO = {"prediction_columns": ["prediction", "other"]}
REFUSED = [
    (["p.txt"], [], {"prediction_columns": ["x"]}, "p.txt is plain text, without columns, so it has no column 'x'"),
    (["p.txt"], ["p.txt"], {"metadata_columns": ["topic"]}, "no column 'topic': the files are plain text"),
    (["a.jsonl"] * 3, [], TWO, "2 prediction columns for 3 files; name one for all of them, or one for each"),
    (["a.jsonl"], [], {**TWO, "names": ["A"]}, "^1 names for 2 systems; give one for each system"),
    (["a.jsonl"], [], {"reference_columns": ["reference"] * 2}, "the column 'reference' is named twice for references"),
    (["a.jsonl", "other.jsonl"], [], {}, r"other\.jsonl, line 1: 'reference' is not .*a\.jsonl, line 1: 'reference'"),
]  # fmt: skip


@pytest.mark.parametrize(("files", "references", "options", "message"), REFUSED)
def test_choices_that_do_not_fit_are_refused(tmp_path, monkeypatch, files, references, options, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.txt").write_text("a\nb\nc\nd\n")
    for name, reference in (("a", "r"), ("other", "y")):
        write_jsonl(tmp_path / f"{name}.jsonl", [{**ROW, "reference": reference}] * 2)

    with pytest.raises(InputFileError, match=message):
        read(files, references, **options)


def test_options_of_other_names_are_refused(tmp_path):
    path = write_jsonl(tmp_path / "a.jsonl", [ROW])
    for option, value in (("file_format", "xml"), ("empty_cells", "zero")):
        with pytest.raises(ValueError, match=f"Unknown .* '{value}'; choose one of"):
            read([path], **{option: value})


# Metadata and sources


def slices_of(files, references=(), columns=None):
    with open_pairs(files, references, metadata_columns=columns) as pairs:
        return pairs.slices(pairs.read_all().metadata), pairs.notes


def test_columns_that_look_like_slices_are_taken_by_themselves(tmp_path):
    slices = {
        "topic": lambda row: f"t{row % 3}",
        "is_hard": lambda row: row % 2 == 0,
        "seconds": lambda row: row**2 / 7,
        "year": lambda row: 2000 + row % 4,
        "maybe": lambda row: None if row % 2 else "x" if row % 4 else "y",
    }
    others = {
        "number": int,
        "constant": "same",
        "empty": lambda _: None,
        "each_its_own": "name {}",
        "tags": lambda _: ["a"],
        "article": lambda row: f"{row % 2}" * 200,
    }
    path = write_jsonl(tmp_path / "a.jsonl", rows_of(**TEXTS, id=str, **slices, **others))

    columns, _ = slices_of([path])

    assert list(columns) == list(slices)
    assert columns["is_hard"][:2] == [True, False]
    assert columns["maybe"][:3] == ["y", None, "x"]
    (tmp_path / "a.txt").write_text("a\nb\n")
    assert slices_of([str(tmp_path / "a.txt")], [str(tmp_path / "a.txt")])[0] == {}


def test_cells_of_csv_are_numbers_where_all_are(tmp_path):
    lines = ["prediction,reference,year,score,mixed"]
    lines += [f"p{row},r{row},{2000 + row},{'' if row == 3 else row / 4},{row if row % 2 else 'x'}" for row in range(N)]
    (tmp_path / "a.csv").write_text("\n".join(lines))

    columns, _ = slices_of([str(tmp_path / "a.csv")], columns=["year", "score", "mixed"])

    assert columns["year"] == [2000 + row for row in range(N)]
    assert columns["score"][:5] == [0, 0.25, 0.5, None, 1]
    assert columns["mixed"][:2] == ["x", "1"]


def test_a_column_may_stand_with_the_references(tmp_path):
    predictions = write_jsonl(tmp_path / "p.jsonl", rows_of(id=str, prediction="p {}"))
    columns = {"id": lambda row: str(N - 1 - row), "reference": "r {}", "topic": lambda row: row % 2}
    references = write_jsonl(tmp_path / "r.jsonl", rows_of(**columns))

    columns, _ = slices_of([predictions], [references], ["topic"])

    assert columns["topic"] == [(N - 1 - row) % 2 for row in range(N)]  # joined by ids, as the texts are


def test_the_first_file_counts_and_what_differs_is_told(tmp_path):
    first = write_jsonl(tmp_path / "a.jsonl", rows_of(**TEXTS, topic=lambda row: "ab"[row % 2]))
    second = write_jsonl(tmp_path / "b.jsonl", rows_of(**TEXTS, topic=lambda row: "ab"[row % 2 or row > 3]))

    columns, notes = slices_of([first, second], columns=["topic"])

    assert columns["topic"] == ["ab"[row % 2] for row in range(N)]
    assert notes == [f"{second}, line 5: 'topic' is not {first}, line 5: 'topic'; the values of {first} are taken"]
    assert slices_of([first, second]) == ({}, [])  # where columns are guessed


def test_sources_may_stand_in_each_file(tmp_path):
    first, same = (write_jsonl(tmp_path / f"{name}.jsonl", rows_of(**TEXTS, article="source {}")) for name in "ab")

    assert read([first, same], source_column="article").sources == [f"source {row}" for row in range(N)]


# A row of a tool's file, whose texts are named by their paths. What is read without options is in test_shapes.py.

LM_EVAL = {"doc_id": 0, "doc": {"refs": ["a cat", "the cat"]}, "target": "a cat", "filtered_resps": ["a dog"]}
LIGHTEVAL = {
    "doc": {"query": "Summarize", "choices": ["a cat"], "gold_index": [0]},
    "model_response": {"input": "Summarize", "text": ["a dog"], "text_post_processed": None},
    "metric": {"rougeL": 0.5},
}
DOTTED = {"a.b": "a dog", "a": {"b": "x"}, "gold": "a cat"}


def write_content(path, content):
    if path.suffix == ".parquet":
        return write_table(path, pa.Table.from_pylist([content]))
    return write_jsonl(path, [content])


@pytest.mark.parametrize(
    ("name", "content", "predictions", "references", "expected"),
    [
        ("samples.jsonl", LM_EVAL, (), ("doc.refs",), ["a cat", "the cat"]),
        ("details.parquet", LIGHTEVAL, ("model_response.text[0]",), ("doc.choices[0]",), "a cat"),
        ("dotted.jsonl", DOTTED, ("a.b",), (), "a cat"),
    ],
)
def test_files_that_tools_write(tmp_path, name, content, predictions, references, expected):
    path = write_content(tmp_path / name, content)

    columns = {"prediction_columns": predictions, "reference_columns": references}
    assert pairs_of(path, **columns) == (["a dog"], [expected])


@pytest.mark.parametrize(("name", "place"), [("x.jsonl", "line 1"), ("x.parquet", "row 1")])
@pytest.mark.parametrize("column", ["doc.title", "doc.refs[5]", "target[0]"])
def test_a_path_that_leads_nowhere_names_the_row(tmp_path, name, place, column):
    path = write_content(tmp_path / name, LM_EVAL)

    with pytest.raises(InputFileError) as raised:
        pairs_of(path, reference_columns=(column,))

    assert f"{name}, {place}: there is no {column!r}" in str(raised.value)
