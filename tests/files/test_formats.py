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


@pytest.mark.parametrize(("name", "separator"), [("a.csv", ","), ("a.tsv", "\t"), ("a.csv.gz", ",")])
def test_csv_gives_texts_as_they_are(tmp_path, name, separator):
    lines = 'id|prediction|reference\n1|"He said ""no""| once"|007\n2|NA|"two\nlines"\n'
    data = lines.replace("|", separator).encode("utf-8-sig")
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)

    assert ([f'He said "no"{separator} once', "NA"], ["007", "two\nlines"]) == pairs_of(tmp_path / name)


@pytest.mark.parametrize("cell", ['""', '"""a"""', '" "'])
@pytest.mark.parametrize(("name", "separator"), [("a.csv", ","), ("a.tsv", "\t")])
def test_a_quoted_cell_of_csv_is_a_text_though_empty(tmp_path, name, separator, cell):
    lines = f'n|prediction|reference\n1|{cell}|"x, |""y""\n"\n"2|""\n"|b|{cell}\n'.replace("|", separator)
    (tmp_path / name).write_text(lines)
    text = cell[1:-1].replace('""', '"')

    assert ([text, "b"], [f'x, {separator}"y"\n', text]) == pairs_of(tmp_path / name)


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


def test_empty_cells_of_other_columns_do_not_matter(tmp_path):
    (tmp_path / "a.csv").write_text("id,prediction,note,reference\n,a,,b\n")

    assert (["a"], ["b"]) == pairs_of(tmp_path / "a.csv")


def test_a_blank_line_of_one_column_is_an_empty_cell(tmp_path):
    (tmp_path / "p.csv").write_text("\nprediction\na\n\nc\n\n\n")
    (tmp_path / "r.txt").write_text("a\nb\nc\n")
    files = [tmp_path / "p.csv"], [tmp_path / "r.txt"]

    with pytest.raises(InputFileError, match=r"p\.csv, line 4: 'prediction' is an empty cell"):
        read(*files)
    assert [["a", "", "c"]] == read(*files, empty_cells="text").predictions

    (tmp_path / "two.csv").write_text("prediction,reference\n\na,b\n\n")
    assert (["a"], ["b"]) == pairs_of(tmp_path / "two.csv")


def test_a_table_without_a_line_of_names(tmp_path):
    (tmp_path / "a.tsv").write_text("a b\ta c\na b\ta b\n", encoding="utf-8")
    columns = {"prediction_columns": ["1"], "reference_columns": ["2"]}

    assert pairs_of(tmp_path / "a.tsv", **columns, has_header=False) == (["a b", "a b"], ["a c", "a b"])


def test_plain_text_is_one_text_a_line(tmp_path):
    (tmp_path / "p.txt").write_bytes("\ufeff今天\r\n\r\nx\u2028y\x0bz\n".encode())
    (tmp_path / "r1").write_text("a\nb\nc", encoding="utf-8")
    (tmp_path / "r2").write_text("d\n\ne\n", encoding="utf-8")

    with open_pairs([str(tmp_path / "p.txt")], [str(tmp_path / "r1"), str(tmp_path / "r2")]) as pairs:
        rows = pairs.read_all()

    assert [["今天", "", "x\u2028y\x0bz"]] == rows.predictions
    assert [["a", "d"], ["b", ""], ["c", "e"]] == rows.references
    assert [] == pairs.guesses


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


# Quotation marks in TSV


READ_TSV = {
    "whole cells": ('a\t"b"\n"c ""d"""\te\n', [["a", "b"], ['c "d"', "e"]]),
    "an inch": ('5" disk\t3"\n', [['5" disk', '3"']]),
    "a title at the beginning": ('"Faust" is a play\tb\nc\t"Die Räuber" too\n', [['"Faust" is a play', "b"], ["c", '"Die Räuber" too']]),
    "never closed": ('"open\tb\nc\td\ne\tf\n', [['"open', "b"], ["c", "d"], ["e", "f"]]),
    "closed too early": ('"open\tb\nc "x" c\td\n', [['"open', "b"], ['c "x" c', "d"]]),
    "a line break in a cell": ('a\t"two\nlines"\nc\td\n', [["a", "two\nlines"], ["c", "d"]]),
    "a tab in a cell": ('"a\tb"\tc\nd\te\n', [["a\tb", "c"], ["d", "e"]]),
    "opened on two lines": ('"one\tb\n"two\td\n', [['"one', "b"], ['"two', "d"]]),
    "after whole cells": ('"a"\t"b\nc\td\n', [["a", '"b'], ["c", "d"]]),
}  # fmt: skip


@pytest.mark.parametrize("case", READ_TSV)
def test_a_quotation_mark_of_tsv_is_a_character_unless_it_encloses_a_cell(tmp_path, case):
    content, rows = READ_TSV[case]
    (tmp_path / "a.tsv").write_text(f"prediction\treference\n{content}", encoding="utf-8")

    assert [list(row) for row in zip(*pairs_of(tmp_path / "a.tsv"), strict=True)] == rows


def test_a_cell_that_swallowed_rows_is_refused(tmp_path):
    (tmp_path / "a.tsv").write_text('prediction\treference\na\t"b\nc\td\ne\tf"\ng\th\n')

    with pytest.raises(InputFileError):
        pairs_of(tmp_path / "a.tsv")
    assert pairs_of(tmp_path / "a.tsv", quotes=False)[1] == ['"b', "d", 'f"', "h"]
    assert pairs_of(tmp_path / "a.tsv", quotes=True) == (["a", "g"], ["b\nc\td\ne\tf", "h"])


@pytest.mark.parametrize(("name", "mark"), [("a.csv", ","), ("a.tsv", "\t")])
def test_quotes_may_be_characters(tmp_path, name, mark):
    (tmp_path / name).write_text(f'prediction{mark}reference\n"a" b{mark}"c"\n"d{mark}""\n')

    assert pairs_of(tmp_path / name, quotes=False) == (['"a" b', '"d'], ['"c"', '""'])


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


def rows_of(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with closing(open_table(str(path))) as file:
        return [row.values for row in file.rows(file.text_columns or [""], [])]


def test_files_that_look_like_those(tmp_path):
    assert rows_of(tmp_path / "a.txt", "a b\r") == [{"": "a b"}]
    assert rows_of(tmp_path / "b.txt", "a\rb\nc\n") == [{"": "a\rb"}, {"": "c"}]
    assert rows_of(tmp_path / "a.csv", "text\na;b\n") == [{"text": "a;b"}]
    assert rows_of(tmp_path / "c.csv.txt", "text\na\n") == [{"": "text"}, {"": "a"}]


def test_a_suffix_behind_a_known_one(tmp_path):
    for name in ("k.csv.bak", "k.CSV.1"):
        assert rows_of(tmp_path / name, "prediction,reference\na b,a c\n") == [
            {"prediction": "a b", "reference": "a c"}
        ]
    assert rows_of(tmp_path / "k.json.bak", '{"0": {"a": "b"}}') == [{"id": "0", "a": "b"}]


def test_numbered_objects_are_in_the_order_of_their_numbers(tmp_path):
    content = ", ".join(f'"{number}": {{"prediction": "{number}"}}' for number in (0, 1, 10, 2))
    assert [row["prediction"] for row in rows_of(tmp_path / "a.json", f"{{{content}}}")] == ["0", "1", "2", "10"]


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

    with (
        pytest.raises(ValueError, match="Unknown column 'none'") as caught,
        open_pairs(files, reference_columns=["none"]),
    ):
        pass
    assert [] == open_files(tmp_path), caught.value


def test_parquet_is_not_read_from_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"PAR1")))

    with pytest.raises(InputFileError, match="can't be read from standard input"):
        open_table("-", "parquet")
