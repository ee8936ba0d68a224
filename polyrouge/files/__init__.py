"""Read files of texts chunk by chunk: JSONL, CSV, TSV, Parquet, Arrow and plain text; write a file whole or not."""
