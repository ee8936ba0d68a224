"""Files of rows to read, and the texts in them."""

import pyarrow as pa
import pyarrow.parquet as pq
from command_runs import write_rows

from polyrouge.files.pairs import open_pairs


def write_jsonl(path, rows):
    return str(write_rows(path, rows))


def write_table(path, table, opener=pa.ipc.new_file, codec=None, **options):
    """Write Parquet or Arrow, by the suffix."""
    if path.suffix == ".parquet":
        pq.write_table(table, path, **options)
    else:
        ipc = pa.ipc.IpcWriteOptions(compression=codec)
        with pa.OSFile(str(path), "wb") as file, opener(file, table.schema, options=ipc) as writer:
            writer.write_table(table, max_chunksize=3)
    return str(path)


def read(files, references=(), **options):
    """All rows of some files, as one chunk."""
    with open_pairs([str(file) for file in files], [str(file) for file in references], **options) as pairs:
        return pairs.read_all()


def pairs_of(path, **options):
    """The predictions and the references of one file."""
    rows = read([path], **options)
    return rows.predictions[0], rows.references
