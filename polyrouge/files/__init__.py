"""Read files of texts chunk by chunk: JSONL, CSV, TSV, Parquet, Arrow, plain text; write files whole or not at all."""
