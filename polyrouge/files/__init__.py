"""Files of texts: JSONL, CSV, TSV, Parquet, Arrow and plain text, chunk by chunk."""
