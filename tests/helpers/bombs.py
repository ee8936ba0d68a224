"""Small files that unpack to much, or lie about what they hold: what reads strangers' files has to refuse them."""

import gzip
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

MEGABYTE = b"x" * 1_000_000
ROW = b'{"prediction": "a", "references": "b"}\n'


def write_gzip(path: Path, start: bytes, part: bytes = b"", times: int = 1) -> None:
    """A gzip file of a start and a part that is repeated: members one after the other, each packed once."""
    path.write_bytes(gzip.compress(start, 1) + gzip.compress(part) * times)


def write_arrow(path: Path, table: pa.Table, opener=pa.ipc.new_stream, codec: str | None = None) -> None:
    options = pa.ipc.IpcWriteOptions(compression=codec)
    with pa.OSFile(str(path), "wb") as file, opener(file, table.schema, options=options) as writer:
        writer.write_table(table)


def write_parquet(path: Path, table: pa.Table, **options) -> None:
    pq.write_table(table, path, compression="zstd", **options)


def pairs(predictions, references=None) -> pa.Table:
    """A table of two columns; the references are the predictions if none are given."""
    return pa.table({"prediction": predictions, "references": predictions if references is None else references})


def repeated(n_rows: int, text: str) -> pa.DictionaryArray:
    """One text in many rows, which is stored once."""
    return pa.DictionaryArray.from_arrays(pa.array([0] * n_rows, pa.int32()), pa.array([text]))


def lying_offsets(n_rows: int = 6_000, size: int = 45_000) -> pa.StringArray:
    """Texts that share their bytes, so that places go back and forth."""
    places = np.array([0, size] * (n_rows // 2) + [0], np.int32)
    return pa.StringArray.from_buffers(n_rows, pa.py_buffer(places), pa.py_buffer(b"x" * size))


def shared_views(n_rows: int = 20_000, size: int = 1_000_000) -> pa.Array:
    """Views of one text: 20 GB as strings of Python."""
    whole = pa.array(["x" * size], pa.string_view())
    views = np.tile(np.frombuffer(whole.buffers()[1], np.int8)[:16], n_rows)
    return pa.Array.from_buffers(pa.string_view(), n_rows, [None, pa.py_buffer(views.tobytes()), whole.buffers()[2]])


def _one_list(n: int) -> pa.ListArray:
    return pa.ListArray.from_arrays(pa.array([0, n], pa.int32()), repeated(n, "b").dictionary_decode())


def _nested(path: Path) -> None:
    path.write_bytes(b"[" * 10_000_000)


def _runs(path: Path) -> None:
    """A run-end encoded text of two billion rows."""
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([2_000_000_000], pa.int32()), pa.array(["a"]))
    write_arrow(path, pa.table({"prediction": runs, "references": runs}))


def _zip(path: Path) -> None:
    """A zip file in the clothes of another."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("a.jsonl", ROW * 100_000)


BRACKETS = b"[],[],[],[],[]," * 70_000
COLUMNS = [str(number) for number in range(500_000)]
BOMBS: dict[str, Callable[[Path], None]] = {
    # 20 GB in less than a thousand bytes
    "repeated.parquet": lambda path: write_parquet(path, pairs(repeated(20_000, "x" * 1_000_000))),
    "repeated.arrow": lambda path: write_arrow(path, pairs(repeated(20_000, "x" * 1_000_000)), codec="zstd"),
    "views.arrow": lambda path: write_arrow(path, pairs(shared_views())),
    "one list.parquet": lambda path: write_parquet(path, pairs(pa.array(["a"]), _one_list(3_000_000))),
    "dictionary.arrow": lambda path: write_arrow(path, pairs(repeated(9, "x" * 200_000_000)), codec="zstd"),
    "runs.arrow": _runs,
    "line.jsonl.gz": lambda path: write_gzip(path, b'{"prediction": "', MEGABYTE, 3_000),
    "lines.jsonl.gz": lambda path: write_gzip(path, ROW, ROW * 20_000, 500),
    "blank lines.jsonl.gz": lambda path: write_gzip(path, ROW, b"\n" * 1_000_000, 2_000),
    "cell.csv.gz": lambda path: write_gzip(path, b'prediction,references\n"', MEGABYTE, 3_000),
    "blanks.json.gz": lambda path: write_gzip(path, b" ", b" " * 1_000_000, 3_000),
    "values.json.gz": lambda path: write_gzip(path, b'[{"prediction":"a","references":"b","c":[', BRACKETS, 300),
    "nested.json": _nested,
    "columns.csv.gz": lambda path: write_gzip(path, ",".join(COLUMNS).encode() + b"\n" + b"a," * 499_999 + b"a\n"),
    "columns.jsonl.gz": lambda path: write_gzip(path, json.dumps(dict.fromkeys(COLUMNS, "")).encode() + b"\n"),
    "zip.jsonl": _zip,
    "offsets.arrow": lambda path: write_arrow(path, pairs(lying_offsets())),
}
"""Writers of files that are no larger than some megabytes, and must be refused, whatever holds them in check."""
