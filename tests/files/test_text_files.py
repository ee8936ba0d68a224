"""Reading predictions and references from files: formats, guesses, and every way a file can be bad."""

# ruff: noqa: E501 a case a line

import gzip
import importlib
import io
import json
import os
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from polyrouge.files.file_rows import InputFileError
from polyrouge.files.paired_texts import open_paired_texts
from polyrouge.files.text_files import open_text_file

PREDICTIONS = ["今天天气很好。", 'He said "no",\tthen left.', "", "line one\u2028still one \U0001f600"]
REFERENCES = [["今天天气不错。", "天气好"], ["He left."], ["empty?"], ["one"]]


def chunks_of(*files, **given):
    with open_paired_texts(*files, **given) as texts:
        return list(texts.chunks())


def rows_of(path, **given):
    """All rows of one file with predictions and references."""
    chunks = chunks_of([str(path)], **given)
    return [text for chunk in chunks for text in chunk.predictions[0]], [
        row for chunk in chunks for row in chunk.references
    ]


def write_jsonl(path, predictions=PREDICTIONS, references=REFERENCES, **more):
    rows = [
        {"id": number, "prediction": prediction, "references": row, **more}
        for number, (prediction, row) in enumerate(zip(predictions, references, strict=True))
    ]
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def table(kind=None):
    return pa.table({"n": [1, 2, 3, 4], "prediction": pa.array(PREDICTIONS, kind), "references": REFERENCES})


def write_arrow(path, opener=pa.ipc.new_stream, kind=None, codec=None):
    found = table(kind)
    options = pa.ipc.IpcWriteOptions(compression=codec)
    with pa.OSFile(str(path), "wb") as file, opener(file, found.schema, options=options) as writer:
        writer.write_table(found, max_chunksize=3)


WRITERS = {
    "a.jsonl": write_jsonl,
    "a.json": lambda path: path.write_text(json.dumps(table().to_pylist()), encoding="utf-8"),
    "jsonl_in.json": write_jsonl,
    "a.parquet": lambda path: pq.write_table(table(), path, row_group_size=2),
    "large.parquet": lambda path: pq.write_table(table(pa.large_string()), path, compression="gzip"),
    "dictionary.parquet": lambda path: pq.write_table(table(pa.dictionary(pa.int32(), pa.string())), path),
    "deltas.parquet": lambda path: pq.write_table(
        table(), path, use_dictionary=False, column_encoding={"prediction": "DELTA_BYTE_ARRAY"}, data_page_version="2.0"
    ),
    "stream.arrow": write_arrow,
    "file.arrow": lambda path: write_arrow(path, pa.ipc.new_file),
    "zstd.arrow": lambda path: write_arrow(path, pa.ipc.new_file, codec="zstd"),
    "view.arrow": lambda path: write_arrow(path, kind=pa.string_view(), codec="lz4"),
    "dictionary.arrow": lambda path: write_arrow(path, kind=pa.dictionary(pa.int32(), pa.string())),
}


@pytest.mark.parametrize("name", WRITERS)
def test_formats_give_the_same_texts(tmp_path, name):
    WRITERS[name](tmp_path / name)

    assert (PREDICTIONS, REFERENCES) == rows_of(tmp_path / name)


@pytest.mark.parametrize(("name", "separator"), [("a.csv", ","), ("a.tsv", "\t"), ("a.csv.gz", ",")])
def test_csv_gives_texts_as_they_are(tmp_path, name, separator):
    lines = 'id|prediction|reference\n1|"He said ""no""| once"|007\n2|NA|"two\nlines"\n'
    data = lines.replace("|", separator).encode("utf-8-sig")
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)

    assert ([f'He said "no"{separator} once', "NA"], ["007", "two\nlines"]) == rows_of(tmp_path / name)


@pytest.mark.parametrize("cell", ['""', '"""a"""', '" "'])
@pytest.mark.parametrize(("name", "separator"), [("a.csv", ","), ("a.tsv", "\t")])
def test_a_quoted_cell_of_csv_is_a_text_though_empty(tmp_path, name, separator, cell):
    lines = f'n|prediction|reference\n1|{cell}|"x, |""y""\n"\n"2|""\n"|b|{cell}\n'.replace("|", separator)
    (tmp_path / name).write_text(lines)
    text = cell[1:-1].replace('""', '"')

    assert ([text, "b"], [f'x, {separator}"y"\n', text]) == rows_of(tmp_path / name)


MISSING_CELLS = {
    "first": ("prediction,reference\na,b\n,b\n", 3, "prediction"),
    "last": ("prediction,reference\na,b\na,\n", 3, "reference"),
    "last of Windows": ("prediction,reference\r\na,b\r\na,\r\n", 3, "reference"),
    "between": ("n,prediction,reference\n1,,b\n", 2, "prediction"),
    "after quotes": ('n,prediction,reference\n"a, ""b\n""",,b\n', 2, "prediction"),
    "after an empty text": ('n,prediction,reference\n"",,b\n', 2, "prediction"),
    "after a quote in a cell": ('n,prediction,reference\n5"x,,"b"\n', 2, "prediction"),
    "all": ("prediction,reference\n,\n", 2, "prediction"),
}


@pytest.mark.parametrize(("content", "line", "column"), MISSING_CELLS.values(), ids=MISSING_CELLS)
def test_an_empty_cell_of_csv_may_be_a_missing_text(tmp_path, content, line, column):
    """It was an empty text, which scores 0; the same data frame as Parquet has a null there, and is refused."""
    (tmp_path / "a.csv").write_bytes(content.encode())

    with pytest.raises(InputFileError, match=f"a.csv, line {line}: '{column}' is an empty cell") as caught:
        rows_of(tmp_path / "a.csv")
    assert str(caught.value).endswith("Or take all empty cells for empty texts: --empty-cells text.")

    predictions, references = rows_of(tmp_path / "a.csv", empty_cells="text")
    assert "" in (predictions[-1], references[-1])


def test_empty_cells_of_other_columns_do_not_matter(tmp_path):
    (tmp_path / "a.csv").write_text("id,prediction,note,reference\n,a,,b\n")

    assert (["a"], ["b"]) == rows_of(tmp_path / "a.csv")


@pytest.mark.parametrize("text", ["", None])
@pytest.mark.parametrize("frame", ["pandas", pytest.param("polars", marks=pytest.mark.hub)])
def test_what_a_data_frame_writes(tmp_path, frame, text):
    """polars quotes an empty text, and leaves a missing one empty; pandas leaves both empty."""
    path = tmp_path / "a.csv"
    table = importlib.import_module(frame).DataFrame({"prediction": ["x", text], "reference": ["a", "a"]})
    table.to_csv(path, index=False) if frame == "pandas" else table.write_csv(path)

    if frame == "polars" and text == "":
        assert (["x", ""], ["a", "a"]) == rows_of(path)
    else:
        with pytest.raises(InputFileError, match="line 3: 'prediction' is an empty cell"):
            rows_of(path)


def test_a_blank_line_of_one_column_is_an_empty_cell(tmp_path):
    (tmp_path / "p.csv").write_text("\nprediction\na\n\nc\n\n\n")
    (tmp_path / "r.txt").write_text("a\nb\nc\n")
    files = [str(tmp_path / "p.csv")], [str(tmp_path / "r.txt")]

    with pytest.raises(InputFileError, match=r"p\.csv, line 4: 'prediction' is an empty cell"):
        chunks_of(*files)

    (chunk,) = chunks_of(*files, empty_cells="text")
    assert [["a", "", "c"]] == chunk.predictions
    (tmp_path / "two.csv").write_text("prediction,reference\n\na,b\n\n")
    assert (["a"], ["b"]) == rows_of(tmp_path / "two.csv")


def test_empty_texts_are_counted(tmp_path):
    write_jsonl(tmp_path / "a.jsonl", ["a", "", " \n\u3000", "b"], [["", "x"], ["y"], [" "], ["z"]])

    with open_paired_texts([str(tmp_path / "a.jsonl")]) as texts:
        list(texts.chunks())

    assert texts.empty_texts == ((2,), 2)


def test_plain_text_is_one_text_a_line(tmp_path):
    (tmp_path / "p.txt").write_bytes("\ufeff今天\r\n\r\nx\u2028y\x0bz\n".encode())
    (tmp_path / "r1").write_text("a\nb\nc", encoding="utf-8")
    (tmp_path / "r2").write_text("d\n\ne\n", encoding="utf-8")

    with open_paired_texts([str(tmp_path / "p.txt")], [str(tmp_path / "r1"), str(tmp_path / "r2")]) as texts:
        (chunk,) = texts.chunks()

    assert [["今天", "", "x\u2028y\x0bz"]] == chunk.predictions
    assert [["a", "d"], ["b", ""], ["c", "e"]] == chunk.references
    assert [] == texts.guesses


@pytest.mark.parametrize("content", ['{"prediction": "a", "label": "b"}\n', "plain\n"])
def test_standard_input_is_looked_at(monkeypatch, content):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content.encode())))

    file = open_text_file("-")

    assert file.format == ("jsonl" if content.startswith("{") else "text")
    assert file.name == "standard input"
    assert len(list(file.rows(["prediction"] if file.columns else [], []))) == 1


def test_gzip_is_seen_whatever_the_name(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(gzip.compress(b'{"pred": "a", "answers": ["b"]}\n'))

    assert (["a"], [["b"]]) == rows_of(tmp_path / "a.jsonl")


def test_guesses_are_told(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"prompt": "x", "predict": "p", "label": "r"}\n')

    with open_paired_texts([str(path)]) as texts:
        assert texts.guesses == [
            f"{path}: predictions are the column 'predict'",
            f"{path}: references are the column 'label'",
        ]


def test_several_reference_columns_are_several_references(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"p": "x", "summary1": "a", "summary2": "b", "id": "r1"}\n')

    columns = {"prediction_columns": ["p"], "reference_columns": ["summary1", "summary2"]}
    (chunk,) = chunks_of([str(tmp_path / "a.jsonl")], **columns)

    assert [["a", "b"]] == chunk.references
    assert ["r1"] == chunk.ids


def test_systems_are_files_or_columns(tmp_path):
    for name in "ab":
        row = f'{{"prediction": "{name}", "reference": "r"}}\n'
        (tmp_path / f"{name}.jsonl.gz").write_bytes(gzip.compress(row.encode()))
    (tmp_path / "c.jsonl").write_text('{"one": "x", "two": "y", "reference": "r"}\n')

    with open_paired_texts([str(tmp_path / "a.jsonl.gz"), str(tmp_path / "b.jsonl.gz")]) as files:
        assert ["a", "b"] == files.systems
        assert [["a"], ["b"]] == next(files.chunks()).predictions
    with open_paired_texts([str(tmp_path / "c.jsonl")], prediction_columns=["one", "two"]) as columns:
        assert ["one", "two"] == columns.systems
        assert [["x"], ["y"]] == next(columns.chunks()).predictions


def test_rows_come_in_chunks_of_bounded_size(tmp_path, monkeypatch):
    monkeypatch.setattr("polyrouge.files.paired_texts._CHUNK_ROWS", 3)
    write_jsonl(tmp_path / "a.jsonl", ["a"] * 8, ["b"] * 8)

    assert [3, 3, 2] == [len(chunk.references) for chunk in chunks_of([str(tmp_path / "a.jsonl")])]

    monkeypatch.setattr("polyrouge.files.paired_texts._CHUNK_CHARACTERS", 1)
    assert 8 == len(chunks_of([str(tmp_path / "a.jsonl")]))


def open_files(folder):
    """Names of the files of a folder that this process has open."""
    if not os.path.isdir("/proc/self/fd"):
        return []
    paths = [os.path.realpath(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd")]
    return sorted(os.path.basename(path) for path in paths if os.path.dirname(path) == str(folder))


GOOD = '{"prediction": "a", "references": ["b"]}\n'


BAD_FILES = {
    "broken line": ("a.jsonl", GOOD + '{"prediction": "a", "refere', "a.jsonl, line 2: this is no JSON: .* The line seems to be cut off"),
    "no object": ("a.jsonl", GOOD + '"text"\n', "a.jsonl, line 2: this is a string; each must be a JSON object"),
    "blank line": ("a.jsonl", GOOD + "\n" + GOOD, "a.jsonl, line 2: the line is blank"),
    "key missing": ("a.jsonl", GOOD + '{"prediction": "a"}\n', "a.jsonl, line 2: there is no 'references'; it has 'prediction'"),
    "number": ("a.jsonl", GOOD + '{"prediction": 5, "references": ["b"]}', r"line 2: 'prediction' is 5 \(int\); each must be a text"),
    "null": ("a.jsonl", GOOD + '{"prediction": null, "references": ["b"]}', "line 2: 'prediction' is null"),
    "null reference": ("a.jsonl", GOOD + '{"prediction": "a", "references": ["b", null]}', "line 2: 'references', reference 2, is null"),
    "no reference": ("a.jsonl", GOOD + '{"prediction": "a", "references": []}', "line 2: 'references' is an empty list"),
    "mixed": ("a.jsonl", GOOD + '{"prediction": "a", "references": "b"}', "line 2: 'references' is a text, but the rows before hold lists"),
    "surrogate": ("a.jsonl", GOOD + '{"prediction": "\\ud83d", "references": ["b"]}', "line 2: 'prediction' holds a lone surrogate"),
    "column of numbers": ("a.jsonl", '{"prediction": 1, "references": ["b"]}', "the column 'prediction' holds no texts; columns of texts are: 'references'"),
    "csv of numbers": ("a.csv", "prediction,reference\n1,a\n2.5,b\n", "the column 'prediction' holds only numbers"),
    "csv field missing": ("a.csv", "prediction,reference\na,b\nc\n", "a.csv, line 3: 1 fields, but the first line names 2 columns"),
    "csv quote": ("a.csv", 'prediction,reference\na,"b\n', "a.csv, line 2: this is no CSV"),
    "csv column twice": ("a.csv", "prediction,prediction\na,b\n", "the column 'prediction' is there twice"),
    "csv header only": ("a.csv", "prediction,reference\n", "has no rows"),
    "unknown columns": ("a.jsonl", '{"x": "a", "y": "b"}', "which column holds the predictions\\? It has 'x', 'y'"),
    "empty": ("a.jsonl", "", "a.jsonl has no rows"),
    "empty text": ("a.txt", "", "a.txt has no rows"),
    "latin 1": ("a.jsonl", GOOD.encode() + '{"prediction": "é"}'.encode("latin-1"), "a.jsonl, line 2: byte 0xe9 is not UTF-8"),
    "json": ("a.json", '[{"prediction": "a"\n', "a.json, line 1: this is no JSON"),
    "json object": ("a.json", "5", "a.json is a number; give a list of objects"),
    "no parquet": ("a.parquet", "PAR1", "a.parquet is no whole Parquet file"),
    "no arrow": ("a.arrow", "ARROW1", "a.arrow is no whole Arrow file"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_FILES)
def test_bad_files_are_refused_by_line_and_closed(tmp_path, case):
    name, content, message = BAD_FILES[case]
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())

    with pytest.raises(InputFileError, match=message) as caught:
        rows_of(tmp_path / name)

    assert [] == open_files(tmp_path), caught.value  # the error holds on to what was on its way


@pytest.mark.parametrize("name", ["a.parquet", "stream.arrow", "file.arrow"])
def test_truncated_files_are_refused(tmp_path, name):
    path = tmp_path / name
    WRITERS[name](path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 2 // 3])

    with pytest.raises(InputFileError, match=f"{name} is no whole .* file .*; it may be cut off"):
        rows_of(tmp_path / name)


def test_truncated_gzip_is_refused(tmp_path):
    text = "".join(f'{{"prediction": "{number**9}", "reference": "b"}}\n' for number in range(5_000))
    data = gzip.compress(text.encode())
    (tmp_path / "a.jsonl.gz").write_bytes(data[: len(data) // 2])

    with pytest.raises(InputFileError, match=r"a\.jsonl\.gz is no whole gzip file"):
        rows_of(tmp_path / "a.jsonl.gz")


def test_parquet_damaged_within_is_refused(tmp_path):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"prediction": [str(n**7) for n in range(20_000)], "reference": ["b"] * 20_000}), path)
    data = bytearray(path.read_bytes())
    data[1_000:60_000] = bytes(59_000)
    path.write_bytes(data)

    with pytest.raises(InputFileError, match=r"a\.parquet is no whole Parquet file"):
        rows_of(path)


def test_unequal_files_are_refused_with_both_counts(tmp_path):
    (tmp_path / "p.txt").write_text("a\nb\nc\nd\n")
    (tmp_path / "r.txt").write_text("a\nb\n")

    with pytest.raises(InputFileError, match=r"p\.txt has 4, .*r\.txt has 2\. Row i of each must belong together"):
        chunks_of([str(tmp_path / "p.txt")], [str(tmp_path / "r.txt")])


def test_systems_with_other_references_are_refused(tmp_path):
    for name, reference in (("a", "x"), ("b", "y")):
        (tmp_path / f"{name}.jsonl").write_text(f'{{"prediction": "p", "reference": "{reference}"}}\n')

    with pytest.raises(InputFileError, match=r"b\.jsonl, line 1: 'reference' is not .*a\.jsonl, line 1: 'reference'"):
        chunks_of([str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl")])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"prediction_columns": ["predictoin"]},
            "Unknown column 'predictoin'; choose one of id, .* Did you mean 'prediction'?",
        ),
        ({"prediction_columns": ["id"]}, "the column 'id' holds no texts"),
        ({"file_format": "xml"}, "Unknown format 'xml'"),
        ({"empty_cells": "zero"}, "Unknown empty_cells 'zero'; choose one of refuse, text"),
    ],
)
def test_bad_choices_are_refused(tmp_path, given, message):
    write_jsonl(tmp_path / "a.jsonl")

    with pytest.raises(ValueError, match=message):
        open_paired_texts([str(tmp_path / "a.jsonl")], **given)


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="open files are seen in /proc")
@pytest.mark.parametrize("name", WRITERS)
def test_files_are_closed_when_the_rest_is_not_read(tmp_path, name):
    WRITERS[name](tmp_path / name)
    write_jsonl(tmp_path / "other.jsonl")

    with open_paired_texts([str(tmp_path / "other.jsonl"), str(tmp_path / name)]) as texts:
        chunks = texts.chunks()
        next(chunks)
        assert {"other.jsonl", name} == {"other.jsonl", *open_files(tmp_path)}
    assert [] == open_files(tmp_path)

    with pytest.raises(ValueError, match="Unknown column 'none'") as caught:
        open_paired_texts([str(tmp_path / "other.jsonl"), str(tmp_path / name)], reference_columns=["none"])
    assert [] == open_files(tmp_path), caught.value


@pytest.mark.parametrize(
    ("path", "message"),
    [("none.txt", "There is no file"), (".", "is a folder"), ("x" * 300, "can't be opened: File name too long")],
)
def test_files_that_cannot_be_opened_are_named(tmp_path, path, message):
    with pytest.raises(InputFileError, match=message):
        open_text_file(str(tmp_path / path))


def test_standard_input_is_read_once():
    with pytest.raises(InputFileError, match="once only"):
        open_paired_texts(["-"], ["-"])


def test_parquet_is_not_read_from_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"PAR1")))

    with pytest.raises(InputFileError, match="can't be read from standard input"):
        open_text_file("-", "parquet")
