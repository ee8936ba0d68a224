"""Score folders of files partition by partition, on this machine, Ray or Spark; a run can be resumed."""

from polyrouge.errors import needs_extra

with needs_extra("A folder", "arrow"):
    import fsspec as fsspec
    import pyarrow as pyarrow
    import xxhash as xxhash
