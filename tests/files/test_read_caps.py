"""Files that are small and unpack to much more are refused before they are unpacked; all others read as ever."""

# ruff: noqa: E501 a case a line

import gzip
import json
import random
import subprocess
import sys
from contextlib import closing
from itertools import islice

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from polyrouge.files.arrow_messages import unpacked_bytes
from polyrouge.files.file_rows import InputFileError
from polyrouge.files.parquet_pages import PageHeaderError, pages_of_column
from polyrouge.files.read_caps import InputTooLargeError, ReadCaps
from polyrouge.files.row_sizes import slices_of_batch
from polyrouge.files.text_columns import open_paired_texts
from polyrouge.files.text_files import open_text_file

CAPS = ReadCaps(unpacked=1_000_000, whole=400_000, row=50_000, values=25_000, columns=30)
LONG = "x" * 40_000
ROWS = [{"id": n, "prediction": f"今天 {n} \U0001f600", "references": [f"text {n}", "", "b" * n]} for n in range(700)]


def rows_of(path, **given):
    columns = {"prediction_columns": ["prediction"], "reference_columns": ["references"], "id_column": "id"}
    with open_paired_texts([str(path)], **columns | given) as texts:
        chunks = list(texts.chunks())
    predictions = [text for chunk in chunks for text in chunk.predictions[0]]
    return (
        predictions,
        [row for chunk in chunks for row in chunk.references],
        [x for chunk in chunks for x in chunk.ids],
    )


def zipped(path, *parts):
    with gzip.open(path, "wb") as file:
        for part in parts:
            file.write(part)


def write_arrow(path, table, opener=pa.ipc.new_stream, codec=None):
    with (
        pa.OSFile(str(path), "wb") as file,
        opener(file, table.schema, options=pa.ipc.IpcWriteOptions(compression=codec)) as out,
    ):
        out.write_table(table, max_chunksize=300)


def retyped(table, **kinds):
    for name, kind in kinds.items():
        place = table.schema.get_field_index(name)
        table = table.set_column(place, name, table[name].combine_chunks().cast(kind))
    return table


TABLE = pa.Table.from_pylist(ROWS)
ENCODED = TABLE.set_column(1, "prediction", TABLE["prediction"].dictionary_encode())
LISTS = pa.list_(pa.large_string())
WRITERS = {
    "a.jsonl": lambda path: path.write_text("".join(json.dumps(row) + "\n" for row in ROWS)),
    "a.jsonl.gz": lambda path: zipped(path, *(json.dumps(row).encode() + b"\n" for row in ROWS)),
    "a.json": lambda path: path.write_text(json.dumps(ROWS)),
    "a.parquet": lambda path: pq.write_table(TABLE, path, row_group_size=90),
    "plain.parquet": lambda path: pq.write_table(TABLE, path, use_dictionary=False, compression="gzip"),
    "v2.parquet": lambda path: pq.write_table(TABLE, path, data_page_version="2.0", data_page_size=500),
    "nested.parquet": lambda path: pq.write_table(TABLE, path, use_compliant_nested_type=False),
    "large.parquet": lambda path: pq.write_table(retyped(TABLE, prediction=pa.large_string(), references=LISTS), path),
    "deltas.parquet": lambda path: pq.write_table(
        TABLE, path, use_dictionary=False, column_encoding={"prediction": "DELTA_BYTE_ARRAY"}
    ),
    "lengths.parquet": lambda path: pq.write_table(
        TABLE, path, use_dictionary=False, column_encoding={"prediction": "DELTA_LENGTH_BYTE_ARRAY"}
    ),
    "stream.arrow": lambda path: write_arrow(path, TABLE),
    "file.arrow": lambda path: write_arrow(path, TABLE, pa.ipc.new_file),
    "zstd.arrow": lambda path: write_arrow(path, TABLE, pa.ipc.new_file, "zstd"),
    "lz4.arrow": lambda path: write_arrow(path, TABLE, codec="lz4"),
    "dictionary.arrow": lambda path: write_arrow(path, ENCODED),
    "fixed.arrow": lambda path: write_arrow(path, retyped(TABLE, references=pa.list_(pa.string(), 3))),
    "view.arrow": lambda path: write_arrow(path, retyped(TABLE, prediction=pa.string_view())),
}  # fmt: skip


@pytest.mark.parametrize("name", WRITERS)
def test_an_ordinary_file_is_read_the_same_with_caps(tmp_path, name):
    WRITERS[name](tmp_path / name)

    read = rows_of(tmp_path / name, caps=CAPS)

    assert read == (
        [row["prediction"] for row in ROWS],
        [row["references"] for row in ROWS],
        [str(n) for n in range(700)],
    )
    assert read == rows_of(tmp_path / name)


def test_csv_is_read_the_same_with_caps(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id,prediction,references\n" + "".join(f'{n},"a\n{n}",b\n' for n in range(5_000)))

    assert rows_of(path, caps=CAPS) == rows_of(path)


def repeated(n, text):
    return pa.DictionaryArray.from_arrays(pa.array([0] * n, pa.int32()), pa.array([text]))


def two(prediction, references=None):
    return pa.table(
        {"id": pa.nulls(len(prediction), pa.int8()), "prediction": prediction, "references": references or prediction}
    )


def one_list(n):
    return pa.ListArray.from_arrays(pa.array([0, n], pa.int32()), repeated(n, "b").dictionary_decode())


def write_overlapping(path, view):
    """Texts that share their bytes: many long ones in a small file."""
    if view:
        whole = pa.array(["x" * 45_000], pa.string_view())
        views = np.tile(np.frombuffer(whole.buffers()[1], np.int8)[:16], 900)
        texts = pa.Array.from_buffers(pa.string_view(), 900, [None, pa.py_buffer(views.tobytes()), whole.buffers()[2]])
    else:
        places = pa.py_buffer(np.array([0, 45_000] * 3_000 + [0], np.int32))
        texts = pa.StringArray.from_buffers(6_000, places, pa.py_buffer(b"x" * 45_000))
    write_arrow(path, two(texts))


BRACKETS = b"[" + b"[],[],[],[],[]," * 10_000 + b"[]]"
HOSTILE = {
    "line.jsonl.gz": (lambda path: zipped(path, b'{"prediction": "', *[b"x" * 10_000] * 900), "row"),
    "second.jsonl.gz": (lambda path: zipped(path, b'{"prediction":"a","references":"b"}\n', *[b"x" * 10_000] * 900), "row"),
    "lines.jsonl.gz": (lambda path: zipped(path, *[b'{"id":1,"prediction":"a","references":"b"}' + b" " * 500 + b"\n"] * 9_000), "unpacked"),
    "blank.jsonl.gz": (lambda path: zipped(path, b"\n" * 900_000), "values"),
    "line.csv.gz": (lambda path: zipped(path, b"prediction,references\n", *[b"x" * 10_000] * 900), "row"),
    "header.csv.gz": (lambda path: zipped(path, *[b"x" * 10_000] * 900), "row"),
    "quote.csv.gz": (lambda path: zipped(path, b'prediction,references\n"', *[b"x" * 100 + b"\n"] * 9_000), "row"),
    "columns.csv.gz": (lambda path: zipped(path, b"prediction,references," + b",".join(b"%d" % n for n in range(5_000)) + b"\na\n"), "columns"),
    "columns.jsonl.gz": (lambda path: zipped(path, json.dumps({str(n): "" for n in range(1_000)}).encode()), "columns"),
    "columns.parquet": (lambda path: pq.write_table(pa.table({str(n): ["a"] for n in range(31)}), path), "columns"),
    "line.tsv.gz": (lambda path: zipped(path, b"prediction\treferences\na\tb\n", *[b"x" * 10_000] * 900), "row"),
    "line.json.gz": (lambda path: zipped(path, b'[{"prediction": "', *[b"x" * 10_000] * 900), "whole"),
    "blanks.json.gz": (lambda path: zipped(path, *[b" " * 10_000] * 900), "whole"),
    "values.json.gz": (lambda path: zipped(path, b'[{"prediction":"a","references":"b","c":' + BRACKETS + b"}]"), "values"),
    "one.parquet": (lambda path: pq.write_table(two(pa.array(["x" * 9_000_000])), path, compression="zstd"), "unpacked"),
    "row.parquet": (lambda path: pq.write_table(two(pa.array(["x" * 60_000])), path), "row"),
    "groups.parquet": (lambda path: pq.write_table(two(pa.array([LONG] * 60)), path, row_group_size=1, compression="zstd"), "unpacked"),
    "lists.parquet": (lambda path: pq.write_table(two(pa.array(["a"]), pa.array([["b"] * 30_000])), path), "values"),
    "list.parquet": (lambda path: pq.write_table(two(pa.array(["a"]), pa.array([["b"] * 9_000])), path), "row"),
    "list of long.parquet": (lambda path: pq.write_table(two(pa.array(["a"]), pa.array([[LONG] * 9])), path), "row"),
    "both.parquet": (lambda path: pq.write_table(two(pa.array([LONG]), pa.array([LONG[1:]])), path), "row"),
    "deltas.parquet": (lambda path: pq.write_table(two(pa.array([LONG * 2 + str(n) for n in range(99)])), path, use_dictionary=False, column_encoding={"prediction": "DELTA_BYTE_ARRAY", "references": "DELTA_BYTE_ARRAY"}), "row"),
    "one.arrow": (lambda path: write_arrow(path, two(pa.array(["x" * 9_000_000])), pa.ipc.new_file, "zstd"), "unpacked"),
    "stream.arrow": (lambda path: write_arrow(path, two(pa.array(["x" * 9_000_000])), codec="lz4"), "unpacked"),
    "not packed.arrow": (lambda path: write_arrow(path, two(pa.array(["x" * 600_000]))), "unpacked"),
    "dictionary.arrow": (lambda path: write_arrow(path, two(repeated(9, "x" * 9_000_000)), pa.ipc.new_file, "zstd"), "unpacked"),
    "row.arrow": (lambda path: write_arrow(path, two(repeated(9, "x" * 60_000)), codec="zstd"), "row"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_file_that_unpacks_to_too_much_is_refused(tmp_path, name):
    write, what = HOSTILE[name]
    write(tmp_path / name)
    # the limit of a page for the file itself would not see it
    assert (tmp_path / name).stat().st_size < (2_000_000 if name == "not packed.arrow" else 250_000)

    with pytest.raises(InputTooLargeError) as caught:
        rows_of(tmp_path / name, caps=CAPS, id_column=None)

    assert (caught.value.what, caught.value.name) == (what, str(tmp_path / name))
    assert f"{caught.value.most:,}" in str(caught.value)


ENDLESS = {
    "repeated.parquet": lambda path: pq.write_table(two(repeated(20_000, LONG)), path, compression="zstd"),
    "repeated.arrow": lambda path: write_arrow(path, two(repeated(20_000, LONG)), codec="zstd"),
    "views.arrow": lambda path: write_overlapping(path, view=True),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_a_text_that_is_repeated_is_made_for_few_rows_at_once(tmp_path, name, monkeypatch):
    """It is for the reader to stop, as no row is too large."""
    ENDLESS[name](tmp_path / name)
    sliced = []

    def slices(batch, most):
        for part in slices_of_batch(batch, most):
            sliced.append(part)
            yield part

    monkeypatch.setattr("polyrouge.files.arrow_formats.slices_of_batch", slices)

    with closing(open_text_file(str(tmp_path / name), caps=CAPS)) as file:
        lengths = [len(row.values[0]) for row in islice(file.rows(["prediction"], []), 300)]

    assert set(lengths) <= {len(LONG), 45_000}
    assert {stop - start for start, stop, _ in sliced} == {1}
    assert len(sliced) == 300


def test_offsets_that_lie_are_refused(tmp_path):
    write_overlapping(tmp_path / "a.arrow", view=False)

    with pytest.raises(InputFileError, match=r"a\.arrow is no whole Arrow file .*[Oo]ffset"):
        rows_of(tmp_path / "a.arrow", caps=CAPS, id_column=None)


def test_lists_of_differences_are_refused(tmp_path):
    encoding = {"prediction": "PLAIN", "references.list.element": "DELTA_BYTE_ARRAY"}
    table = TABLE.select(["prediction", "references"])
    pq.write_table(table, tmp_path / "a.parquet", use_dictionary=False, column_encoding=encoding)

    with pytest.raises(InputFileError, match=r"the lists of 'references' are stored as differences .DELTA_BYTE_ARRAY."):
        rows_of(tmp_path / "a.parquet", caps=CAPS, id_column=None)
    assert rows_of(tmp_path / "a.parquet", id_column=None)[0] == [row["prediction"] for row in ROWS]


def test_ids_of_unknown_size_are_refused(tmp_path):
    table = pa.table({"id": [{"a": "x" * 10}], "prediction": ["a"], "references": ["b"]})
    pq.write_table(table, tmp_path / "a.parquet")

    with pytest.raises(InputFileError, match=r"the column 'id' holds struct<a: string>, which can't be ids"):
        rows_of(tmp_path / "a.parquet", caps=CAPS)
    assert rows_of(tmp_path / "a.parquet")[2] == [str({"a": "x" * 10})]


def test_runs_are_no_texts_with_caps(tmp_path):
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([2_000_000_000], pa.int32()), pa.array(["a"]))
    batch = pa.record_batch({"prediction": runs, "references": runs})
    with pa.OSFile(str(tmp_path / "a.arrow"), "wb") as file, pa.ipc.new_stream(file, batch.schema) as out:
        out.write_batch(batch)

    with pytest.raises(InputFileError, match="the column 'prediction' holds no texts"):
        rows_of(tmp_path / "a.arrow", caps=CAPS, id_column=None)


# Sizes by the headers, compared with those of the footer and of the buffers


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("codec", ["none", "snappy", "gzip", "zstd", "lz4", "brotli"])
@pytest.mark.parametrize("dictionary", [True, False])
def test_pages_add_up_to_the_sizes_of_an_honest_footer(tmp_path, version, codec, dictionary):
    path = tmp_path / "a.parquet"
    given = {"use_dictionary": dictionary, "write_page_index": True, "write_statistics": dictionary}
    pq.write_table(TABLE, path, 200, compression=codec, data_page_version=version, data_page_size=900, **given)
    metadata = pq.read_metadata(path)

    for column in range(metadata.num_columns):
        pages = pages_of_column(path.read_bytes(), metadata, column, 10**9)

        chunks = [metadata.row_group(number).column(column) for number in range(metadata.num_row_groups)]
        whole, values = (
            sum(getattr(chunk, of) for chunk in chunks) for of in ("total_uncompressed_size", "num_values")
        )
        assert 0.3 * whole < pages.unpacked < whole  # which has the headers too
        assert values <= pages.values <= values + dictionary * len(chunks)  # a page of a dictionary counts as one
        assert not pages.has_deltas


def test_pages_that_are_none_are_refused(tmp_path):
    path = tmp_path / "a.parquet"
    pq.write_table(TABLE, path, row_group_size=100)
    metadata, whole = pq.read_metadata(path), path.read_bytes()
    start = metadata.row_group(0).column(1).dictionary_page_offset
    draw = random.Random(1)
    seen = set()
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(draw.randrange(1, 9)):
            data[start + draw.randrange(60)] = draw.randrange(256)
        try:
            seen.add(pages_of_column(bytes(data), metadata, 1, 10**9) is not None)
        except PageHeaderError:
            seen.add(False)
    assert seen == {True, False}
    with pytest.raises(PageHeaderError, match="outside of the file"):
        pages_of_column(whole[:50], metadata, 1, 10**9)


@pytest.mark.parametrize("codec", [None, "lz4", "zstd"])
@pytest.mark.parametrize("opener", [pa.ipc.new_stream, pa.ipc.new_file])
def test_messages_add_up_to_the_sizes_of_their_buffers(tmp_path, codec, opener):
    table = ENCODED
    write_arrow(tmp_path / "a.arrow", table, opener, codec)
    data = (tmp_path / "a.arrow").read_bytes()[8 if opener is pa.ipc.new_file else 0 :]

    sizes = [unpacked_bytes(message) for message in pa.ipc.MessageReader.open_stream(pa.BufferReader(data))]

    batches = [batch.nbytes for batch in table.select(["id", "references"]).to_batches(300)]
    expected = sum(batches) + 4 * len(ROWS) + table["prediction"].chunk(0).dictionary.nbytes
    assert expected <= sum(sizes) < 1.1 * expected + 500
    assert sizes[0] == 0  # the schema


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lz4.arrow", "a.parquet", "v2.parquet", "dictionary.arrow"])
def test_damaged_files_are_read_or_refused(tmp_path, name):
    """Nothing else is raised, and nothing outside of the file is read."""
    path = tmp_path / name
    WRITERS[name](path)
    whole = path.read_bytes()
    draw = random.Random(7)
    outcomes = set()
    for _ in range(200):
        data = bytearray(whole)
        for _ in range(draw.randrange(1, 5)):
            data[draw.randrange(len(data))] = draw.randrange(256)
        path.write_bytes(data)
        try:
            rows_of(path, caps=CAPS)
            outcomes.add("read")
        except InputFileError:
            outcomes.add("refused")
    assert "refused" in outcomes


# Memory

READ = """
import resource, sys
import numpy, pyarrow.compute, pyarrow.parquet
from polyrouge.files.text_columns import open_paired_texts
from polyrouge.page.limits import LIMITS

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

before, characters, refused = peak(), 0, ""
try:
    with open_paired_texts([sys.argv[1]], prediction_columns=["prediction"], reference_columns=["references"], caps=LIMITS.caps) as texts:
        for chunk in texts.chunks():
            characters += sum(map(len, chunk.predictions[0]))
            if characters > LIMITS.million_characters * 1_000_000:
                break
except ValueError as error:
    refused = getattr(error, "what", str(error))
print(peak() - before, refused or "read")
"""
LARGE = {
    "line.jsonl.gz": (lambda path: zipped(path, b'{"prediction": "', *[b"x" * 1_000_000] * 300), "row"),
    "repeated.parquet": (lambda path: pq.write_table(two(repeated(20_000, "x" * 1_000_000)), path, compression="zstd"), "read"),
    "repeated.arrow": (lambda path: write_arrow(path, two(repeated(20_000, "x" * 1_000_000)), codec="zstd"), "read"),
    "list.parquet": (lambda path: pq.write_table(two(pa.array(["a"]), one_list(5_000_000)), path), "values"),
}  # fmt: skip


@pytest.mark.hub
@pytest.mark.skipif(sys.platform != "linux", reason="the unit of ru_maxrss")
@pytest.mark.parametrize("name", LARGE)
def test_a_small_hostile_file_takes_little_memory(tmp_path, name):
    """486 KB of gzip, or 900 bytes of Parquet, took gigabytes."""
    write, outcome = LARGE[name]
    write(tmp_path / name)
    assert (tmp_path / name).stat().st_size < 500_000

    ran = subprocess.run([sys.executable, "-c", READ, tmp_path / name], capture_output=True, text=True, check=True)

    grown, found = ran.stdout.split()
    assert found == outcome
    assert int(grown) < 150_000  # KB
