"""Studies behind statements of the documents: each module says what it asks, and rewrites the page beside it."""
