"""Reading files of every format and encoding, and every way a file can be bad."""

# ruff: noqa: E501 a case a line

import gzip
import io
import json
import os
import struct
import sys
from contextlib import closing

import pyarrow as pa
import pytest
from paired_files import pairs_of, read, write_jsonl, write_table

from polyrouge.files.arrow_formats import arrow_table
from polyrouge.files.formats import open_table
from polyrouge.files.pairs import open_pairs
from polyrouge.files.table import InputFileError

PREDICTIONS = ["今天天气很好。", 'He said "no",\tthen left.', "", "line one\u2028still one \U0001f600"]
REFERENCES = [["今天天气不错。", "天气好"], ["He left."], ["empty?"], ["one"]]


def table(kind=None):
    return pa.table({"n": [1, 2, 3, 4], "prediction": pa.array(PREDICTIONS, kind), "references": REFERENCES})


DELTAS = {"use_dictionary": False, "column_encoding": {"prediction": "DELTA_BYTE_ARRAY"}, "data_page_version": "2.0"}
WRITERS = {
    "a.jsonl": lambda path: write_jsonl(path, table().to_pylist()),
    "a.json": lambda path: path.write_text(json.dumps(table().to_pylist()), encoding="utf-8"),
    "jsonl_in.json": lambda path: write_jsonl(path, table().to_pylist()),
    "a.parquet": lambda path: write_table(path, table(), row_group_size=2),
    "large.parquet": lambda path: write_table(path, table(pa.large_string()), compression="gzip"),
    "dictionary.parquet": lambda path: write_table(path, table(pa.dictionary(pa.int32(), pa.string()))),
    "deltas.parquet": lambda path: write_table(path, table(), **DELTAS),
    "stream.arrow": lambda path: write_table(path, table(), pa.ipc.new_stream),
    "file.arrow": lambda path: write_table(path, table()),
    "zstd.arrow": lambda path: write_table(path, table(), codec="zstd"),
    "view.arrow": lambda path: write_table(path, table(pa.string_view()), pa.ipc.new_stream, codec="lz4"),
    "dictionary.arrow": lambda path: write_table(
        path, table(pa.dictionary(pa.int32(), pa.string())), pa.ipc.new_stream
    ),
}


@pytest.mark.parametrize("name", WRITERS)
def test_formats_give_the_same_texts(tmp_path, name):
    WRITERS[name](tmp_path / name)

    assert (PREDICTIONS, REFERENCES) == pairs_of(tmp_path / name)


# Content of CSV and TSV, whose separator stands here as |, options, and the pairs of texts.
CELLS = {
    "digits, NA and a line break": ('id|prediction|reference\n1|"He said ""no""| once"|007\n2|NA|"two\nlines"\n', {}, [['He said "no"| once', "007"], ["NA", "two\nlines"]]),
    "empty and blank texts in quotes": ('n|prediction|reference\n1|""|" "\n2|"""a"""|""\n', {}, [["", " "], ['"a"', ""]]),
    "marks within quotes": ('n|prediction|reference\n"2|""\n"|b|"x, |""y""\n"\n', {}, [["b", 'x, |"y"\n']]),
    "quotes that are characters": ('prediction|reference\n"a" b|"c"\n"d|""\n', {"quotes": False}, [['"a" b', '"c"'], ['"d', '""']]),
    "no line of names": ("a b|a c\na b|a b\n", {"prediction_columns": ["1"], "reference_columns": ["2"], "has_header": False}, [["a b", "a c"], ["a b", "a b"]]),
    "empty cells of other columns": ("id|prediction|note|reference\n|a||b\n", {}, [["a", "b"]]),
    "blank lines": ("prediction|reference\n\na|b\n\n", {}, [["a", "b"]]),
}  # fmt: skip
NAMES = "prediction|reference\n"
SWALLOWED = f'{NAMES}a|"b\nc|d\ne|f"\ng|h\n'
CELLS_OF_TSV = {
    "whole cells": (f'{NAMES}a|"b"\n"c ""d"""|e\n', {}, [["a", "b"], ['c "d"', "e"]]),
    "an inch": (f'{NAMES}5" disk|3"\n', {}, [['5" disk', '3"']]),
    "a title at the beginning": (f'{NAMES}"Faust" is a play|b\nc|"Die Räuber" too\n', {}, [['"Faust" is a play', "b"], ["c", '"Die Räuber" too']]),
    "never closed": (f'{NAMES}"open|b\nc|d\ne|f\n', {}, [['"open', "b"], ["c", "d"], ["e", "f"]]),
    "closed too early": (f'{NAMES}"open|b\nc "x" c|d\n', {}, [['"open', "b"], ['c "x" c', "d"]]),
    "a line break in a cell": (f'{NAMES}a|"two\nlines"\nc|d\n', {}, [["a", "two\nlines"], ["c", "d"]]),
    "opened on two lines": (f'{NAMES}"one|b\n"two|d\n', {}, [['"one', "b"], ['"two', "d"]]),
    "after whole cells": (f'{NAMES}"a"|"b\nc|d\n', {}, [["a", '"b'], ["c", "d"]]),
    "no cell that swallowed rows": (SWALLOWED, {"quotes": False}, [["a", '"b'], ["c", "d"], ["e", 'f"'], ["g", "h"]]),
    "a cell that swallowed rows": (SWALLOWED, {"quotes": True}, [["a", "b\nc|d\ne|f"], ["g", "h"]]),
}  # fmt: skip


@pytest.mark.parametrize(
    ("suffix", "mark", "case"),
    [*(("csv", ",", case) for case in CELLS), *(("tsv", "\t", case) for case in CELLS | CELLS_OF_TSV)],
)
def test_cells_are_texts_as_they_are(tmp_path, suffix, mark, case):
    content, options, pairs = (CELLS | CELLS_OF_TSV)[case]
    (tmp_path / f"a.{suffix}").write_bytes(content.replace("|", mark).encode("utf-8-sig"))

    texts = zip(*pairs_of(tmp_path / f"a.{suffix}", **options), strict=True)
    assert list(map(list, texts)) == [[text.replace("|", mark) for text in pair] for pair in pairs]


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

    with pytest.raises(InputFileError, match=f"a.csv, line {line}: '{column}' is"):
        pairs_of(tmp_path / "a.csv")

    predictions, references = pairs_of(tmp_path / "a.csv", empty_cells="text")
    assert "" in (predictions[-1], references[-1])


def test_a_blank_line_of_one_column_is_an_empty_cell(tmp_path):
    (tmp_path / "p.csv").write_text("\nprediction\na\n\nc\n\n\n")
    (tmp_path / "r.txt").write_text("a\nb\nc\n")
    files = [tmp_path / "p.csv"], [tmp_path / "r.txt"]

    with pytest.raises(InputFileError, match=r"p\.csv, line 4: 'prediction' is an empty cell"):
        read(*files)
    assert [["a", "", "c"]] == read(*files, empty_cells="text").predictions


@pytest.mark.parametrize("content", ['{"prediction": "a", "label": "b"}\n' * 2, "plain\n" * 2])
def test_standard_input_is_looked_at(monkeypatch, content):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content.encode())))

    file = open_table("-")

    assert file.format == ("jsonl" if content.startswith("{") else "text")
    assert file.name == "standard input"
    assert len(list(file.rows(["prediction"] if file.columns else [], []))) == 2


def test_gzip_is_seen_whatever_the_name(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(gzip.compress(b'{"pred": "a", "answers": ["b"]}\n'))

    assert (["a"], [["b"]]) == pairs_of(tmp_path / "a.jsonl")


def test_many_stray_quotes_take_no_longer(tmp_path):
    (tmp_path / "a.tsv").write_text("prediction\treference\n" + '"a\tb c\nd e f\tg h\n' * 10_000)

    assert len(pairs_of(tmp_path / "a.tsv")[0]) == 20_000


# Bad files


def open_files(folder):
    """Names of the files of a folder that this process has open."""
    if not os.path.isdir("/proc/self/fd"):
        return []
    paths = [os.path.realpath(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd")]
    return sorted(os.path.basename(path) for path in paths if os.path.dirname(path) == str(folder))


GOOD = '{"prediction": "a", "references": ["b"]}\n'
BAD_FILES = {
    "comment of JSON5": ("a.json", '{\n  // the best\n  "prediction": "a"\n}', "a.json, line 2: this is no JSON: .* A comment stands there, as JSON5 has them"),
    "comment behind a row": ("a.jsonl", GOOD + GOOD.strip() + " # b\n", "a.jsonl, line 2: this is no JSON: .* A comment stands there"),
    "comma behind the last row": ("a.json", '[\n{"prediction": "a"},\n]', "a.json, line [23]: this is no JSON: .* A comma stands before the closing bracket"),
    "number": ("a.jsonl", GOOD + '{"prediction": 5, "references": ["b"]}', r"line 2: 'prediction' is 5 \(int\); each must be a text"),
    "column of numbers": ("a.jsonl", '{"prediction": 1, "references": ["b"]}', "the column 'prediction' holds no texts; columns of texts are: 'references'"),
    "csv of numbers": ("a.csv", "prediction,reference\n1,a\n2.5,b\n", "the column 'prediction' holds only numbers"),
    "csv column twice": ("a.csv", "prediction,prediction\na,b\n", "the column 'prediction' is there twice.* header=False"),
    "csv header only": ("a.csv", "prediction,reference\n", "has no rows"),
    "too long a name": ("x" * 300, None, "can't be opened: File name too long"),
    "json": ("a.json", '[{"prediction": "a"\n', "a.json, line 1: this is no JSON"),
    "json object": ("a.json", "5", "a.json is a number; give a list of objects"),
    "deep json": ("a.json", "[" * 100_000, "this JSON is nested too deep"),  # json.loads raises RecursionError
    "zipped parquet": ("b.parquet.gz", gzip.compress(b"PAR1"), "parquet can't be read from standard input or gzip"),
    "no arrow": ("a.arrow", "ARROW1", "a.arrow is no whole Arrow file"),
    "spreadsheet": ("x.xlsx", "PK\x03\x04rest", r"x.xlsx is a spreadsheet; save the sheet as CSV \(UTF-8\) and give that"),
    "carriage returns": ("a.txt", "a b\rc d\r", r"carriage returns \(CR\) only"),
    "two encodings": ("a.csv", b"prediction,reference\n" + "今天天气,天气很好\n".encode("gb18030") + "café,a\n".encode(), "line 2 is GB18030 .* line 3 is valid UTF-8"),
    "semicolons": ("a.csv", "prediction;reference\na b;a c\n", "'prediction;reference' is one column of CSV, .* semicolons"),
    "json key twice": ("a.json", '[{"a": "b"},\n {"a": "b",\n "a": "c"}]', "line 2: an object has the key 'a' twice"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_FILES)
def test_bad_files_are_refused_by_line_and_closed(tmp_path, case):
    name, content, message = BAD_FILES[case]
    if content is not None:
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())

    with pytest.raises(InputFileError, match=message) as caught:
        pairs_of(tmp_path / name)

    assert [] == open_files(tmp_path), caught.value  # the error holds on to what was on its way


LIKE = {
    "a carriage return at the end": ("a.txt", "a b\r", [{"": "a b"}]),
    "a carriage return within": ("a.txt", "a\rb\nc\n", [{"": "a\rb"}, {"": "c"}]),
    "one column with a semicolon": ("a.csv", "text\na;b\n", [{"text": "a;b"}]),
    "text after all": ("a.csv.txt", "text\na\n", [{"": "text"}, {"": "a"}]),
    "a copy": ("a.csv.bak", "prediction\na b\n", [{"prediction": "a b"}]),
    "a second copy": ("a.CSV.1", "prediction\na b\n", [{"prediction": "a b"}]),
    "a copy of JSON": ("a.json.bak", '{"0": {"a": "b"}}', [{"id": "0", "a": "b"}]),
    "numbers in their order": ("a.json", '{"0": {"a": "x"}, "10": {"a": "z"}, "2": {"a": "y"}}', [{"id": n, "a": a} for n, a in (("0", "x"), ("2", "y"), ("10", "z"))]),
}  # fmt: skip


@pytest.mark.parametrize(("name", "content", "rows"), LIKE.values(), ids=LIKE)
def test_rows_of_files_that_look_like_others(tmp_path, name, content, rows):
    (tmp_path / name).write_bytes(content.encode())
    with closing(open_table(str(tmp_path / name))) as file:
        assert [row.values for row in file.rows(file.text_columns or [""], [])] == rows


def test_truncated_gzip_is_refused(tmp_path):
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(b'{"prediction": "a", "reference": "b"}\n' * 9)[:-9])
    with pytest.raises(InputFileError, match=r"a\.jsonl\.gz"):
        pairs_of(tmp_path / "a.jsonl.gz")


@pytest.mark.parametrize("name", ["a.parquet", "stream.arrow", "file.arrow"])
def test_truncated_and_empty_tables_are_refused(tmp_path, name):
    path = tmp_path / name
    WRITERS[name](path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 2 // 3])

    with pytest.raises(InputFileError, match=f"{name} is no whole .* file .*; it may be cut off"):
        pairs_of(path)

    write_table(path, table()[:0])
    with pytest.raises(InputFileError, match=f"{name} has no rows"):
        pairs_of(path)


def test_parquet_damaged_within_is_refused(tmp_path):
    path = tmp_path / "a.parquet"
    write_table(path, pa.table({"prediction": [str(n**7) for n in range(20_000)], "reference": ["b"] * 20_000}))
    data = bytearray(path.read_bytes())
    data[1_000:60_000] = bytes(59_000)
    path.write_bytes(data)

    with pytest.raises(InputFileError, match=r"a\.parquet is no whole Parquet file"):
        pairs_of(path)


@pytest.mark.parametrize("opener", [pa.ipc.new_file, pa.ipc.new_stream])
def test_arrow_whose_texts_lie_outside_of_their_buffer_is_refused(tmp_path, opener):
    """pyarrow itself raises a SystemError, or reads what lies behind."""
    texts = pa.array(["a text", "another", "a third"])
    places = pa.py_buffer(struct.pack("<4i", 0, 2**30, 7, 20))
    broken = pa.StringArray.from_buffers(3, places, texts.buffers()[2])
    write_table(tmp_path / "a.arrow", pa.Table.from_arrays([texts, broken], ["reference", "prediction"]), opener)

    with pytest.raises(InputFileError, match="is no whole Arrow file"):
        pairs_of(tmp_path / "a.arrow")


def test_an_index_beyond_its_dictionary_is_damage():
    """As damaged Parquet may hold; pyarrow looks at it when the text is read."""
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int32()), pa.array(["a"]), safe=False)
    batch = pa.record_batch({"prediction": column})
    file = arrow_table("data.parquet", "parquet", batch.schema, lambda _: iter([batch]), 2)

    with pytest.raises(InputFileError, match=r"data.parquet is no whole Parquet file \(index with value of 1"):
        list(file.rows(["prediction"], []))


def test_bytes_that_cannot_be_read_are_an_error(tmp_path, monkeypatch):
    path = write_jsonl(tmp_path / "a.jsonl", [{"prediction": "p"}])

    def fail(*_args):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("polyrouge.files.formats.numbered_lines", fail)
    with pytest.raises(InputFileError, match=r"a\.jsonl can't be read: .*Input/output error"):
        open_table(path)


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="open files are seen in /proc")
@pytest.mark.parametrize("name", WRITERS)
def test_files_are_closed_when_the_rest_is_not_read(tmp_path, name):
    WRITERS[name](tmp_path / name)
    files = [write_jsonl(tmp_path / "other.jsonl", table().to_pylist()), str(tmp_path / name)]

    with open_pairs(files) as pairs:
        chunks = iter(pairs)
        next(chunks)
        assert {"other.jsonl", name} == {"other.jsonl", *open_files(tmp_path)}
    assert [] == open_files(tmp_path)
