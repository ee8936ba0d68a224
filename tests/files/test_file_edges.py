"""Files at their edges: nesting, columns that are not there, names, progress, what can't be opened."""

import gzip
import os
import struct

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from polyrouge.files.arrow_formats import of_arrow
from polyrouge.files.file_rows import InputFileError
from polyrouge.files.paired_texts import open_paired_texts
from polyrouge.files.text_files import open_text_file


def write(folder, **files):
    """Write files; return their paths, in order."""
    paths = [folder / name.replace("_", ".") for name in files]
    for path, content in zip(paths, files.values(), strict=True):
        path.write_text(content, encoding="utf-8")
    return [str(path) for path in paths]


ROW = '{"prediction": "p", "other": "o", "reference": "r", "id": 7}\n'


@pytest.mark.parametrize("name", ["a_json", "a_jsonl"])
def test_json_that_is_nested_too_deep_is_refused(tmp_path, name):
    """json.loads raises RecursionError, which is no ValueError."""
    deep = "[" * 100_000
    (path,) = write(tmp_path, **{name: deep if name == "a_json" else '{"prediction": ' + deep + "\n"})

    with pytest.raises(InputFileError, match="this JSON is nested too deep"):
        open_text_file(path)


@pytest.mark.parametrize("names", [["A"], ["A", "B", "C"]])
def test_there_are_as_many_names_as_systems_or_none(tmp_path, names):
    files = write(tmp_path, a_jsonl=ROW)
    columns = {"prediction_columns": ["prediction", "other"]}

    with pytest.raises(InputFileError, match=rf"^{len(names)} names for 2 systems; give one for each system"):
        open_paired_texts(files, **columns, names=names)
    with open_paired_texts(files, **columns, names=["A", "B"]) as texts:
        assert texts.systems == ["A", "B"]


def test_systems_of_one_name_are_numbered(tmp_path):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder, system_jsonl=ROW)

    with open_paired_texts([str(tmp_path / folder / "system.jsonl") for folder in ("one", "two")]) as texts:
        assert texts.systems == ["system-1", "system-2"]


def test_a_column_of_documents_is_read_beside_the_references(tmp_path):
    predictions, references = write(tmp_path, p_txt="p\n", r_jsonl='{"reference": "r", "article": "long"}\n')

    with open_paired_texts([predictions], [references], document_column="article") as texts:
        (chunk,) = texts.chunks()

    assert (chunk.predictions, chunk.references, chunk.documents) == ([["p"]], ["r"], ["long"])
    assert [os.path.basename(name) for name in texts.files] == ["p.txt", "r.jsonl"]


@pytest.mark.parametrize(
    ("files", "given", "message"),
    [
        pytest.param(
            {"a_txt": "p\n"},
            {},
            "a.txt is plain text, without columns, so it has no column of references; give it as a file of its own",
            id="references of plain text",
        ),
        pytest.param(
            {"a_txt": "p\n"},
            {"prediction_columns": ["x"]},
            "a.txt is plain text, without columns, so it has no column 'x'",
            id="column of plain text",
        ),
        pytest.param(
            {"a_jsonl": ROW}, {"prediction_columns": ["prediction"], "id_column": "nr"}, "Unknown column 'nr'", id="id"
        ),
        pytest.param(
            {"a_jsonl": ROW, "b_jsonl": ROW, "c_jsonl": ROW},
            {"prediction_columns": ["prediction", "other"]},
            "2 prediction columns for 3 files; name one for all of them, or one for each",
            id="columns for files",
        ),
        pytest.param({"a_csv": "prediction\n1\n"}, {}, "which column holds the references", id="no references"),
    ],
)
def test_columns_that_are_not_there_are_refused(tmp_path, files, given, message):
    with pytest.raises(InputFileError, match=message):
        open_paired_texts(write(tmp_path, **files), **given)


def test_the_only_column_of_texts_is_guessed(tmp_path):
    predictions, references = write(tmp_path, p_csv="nr,words\n1,a\n2,b\n", r_txt="a\nb\n")
    parquet = str(tmp_path / "p.parquet")
    pq.write_table(pa.table({"nr": [1, 2], "words": ["a", "b"]}), parquet)

    with open_paired_texts([parquet], [references]) as texts:
        assert [chunk.predictions for chunk in texts.chunks()] == [[["a", "b"]]]
        assert texts.guesses == [f"{parquet}: predictions are the column 'words'"]
    with pytest.raises(InputFileError, match="It has 'nr', 'words'"):  # in CSV a number may be a text
        open_paired_texts([predictions], [references])


def test_an_id_column_may_be_that_of_a_text(tmp_path):
    """A column that is read as a text is not read as an id once more."""
    files = write(tmp_path, a_jsonl='{"prediction": "p", "reference": "r"}\n')

    with open_paired_texts(files, id_column="prediction") as texts:
        (chunk,) = texts.chunks()

    assert chunk.ids == []


def write_table(path, table, opener=pa.ipc.new_file):
    if path.suffix == ".parquet":
        pq.write_table(table, path)
    else:
        with pa.OSFile(str(path), "wb") as file, opener(file, table.schema) as writer:
            writer.write_table(table)


def test_progress_is_that_of_all_files_or_unknown(tmp_path):
    lines, references = write(tmp_path, a_jsonl=ROW * 10, b_txt="r\n" * 10)
    for name in ("c.parquet", "d.arrow"):
        write_table(tmp_path / name, pa.table({"prediction": ["p"] * 10}), pa.ipc.new_stream)
    size = os.path.getsize(references)

    for path, total in (
        (lines, os.path.getsize(lines) + size),
        (str(tmp_path / "c.parquet"), 10 + size),
        (str(tmp_path / "d.arrow"), None),  # a stream does not say how long it is
    ):
        with open_paired_texts([path], [references], prediction_columns=["prediction"]) as texts:
            list(texts.chunks())
            assert texts.progress() == (total and (total, total))
        if path == lines:
            assert texts.progress() == (total, total)  # closed


@pytest.mark.parametrize("name", ["a.parquet", "a.arrow"])
def test_a_table_without_rows_is_refused(tmp_path, name):
    table = pa.table({"prediction": pa.array([], pa.string()), "reference": pa.array([], pa.string())})
    write_table(tmp_path / name, table)

    with pytest.raises(InputFileError, match=f"{name} has no rows"), open_paired_texts([str(tmp_path / name)]) as texts:
        list(texts.chunks())


def test_parquet_is_not_unzipped(tmp_path):
    pq.write_table(pa.table({"prediction": ["p"]}), tmp_path / "a.parquet")
    (tmp_path / "b.parquet.gz").write_bytes(gzip.compress((tmp_path / "a.parquet").read_bytes()))

    with pytest.raises(InputFileError, match="parquet can't be read from standard input or gzip"):
        open_text_file(str(tmp_path / "b.parquet.gz"))


def test_bytes_that_cannot_be_read_are_told(tmp_path, monkeypatch):
    (path,) = write(tmp_path, a_jsonl=ROW)

    def fail(*_args):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("polyrouge.files.text_files._numbered_lines", fail)
    with pytest.raises(InputFileError, match=r"a\.jsonl can't be read: .*Input/output error"):
        open_text_file(path)


@pytest.mark.parametrize("name", ["file", "stream"])
def test_arrow_whose_texts_lie_outside_of_their_buffer_is_refused(tmp_path, name):
    """pyarrow itself raises a SystemError, or reads what lies behind."""
    texts = pa.array(["a text", "another", "a third"])
    places = pa.py_buffer(struct.pack("<4i", 0, 2**30, 7, 20))
    broken = pa.StringArray.from_buffers(3, places, texts.buffers()[2])
    path = tmp_path / "a.arrow"
    table = pa.Table.from_arrays([texts, broken], ["reference", "prediction"])
    write_table(path, table, getattr(pa.ipc, f"new_{name}"))

    with pytest.raises(InputFileError, match="is no whole Arrow file"), open_paired_texts([str(path)]) as opened:
        list(opened.chunks())


def test_an_index_beyond_its_dictionary_is_damage():
    """As damaged Parquet may hold; pyarrow looks at it when the text is read."""
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int32()), pa.array(["a"]), safe=False)
    batch = pa.record_batch({"prediction": column})
    file = of_arrow("data.parquet", "parquet", batch.schema, lambda _: iter([batch]), 2)

    with pytest.raises(InputFileError, match=r"data.parquet is no whole Parquet file \(index with value of 1"):
        list(file.rows(["prediction"], []))
