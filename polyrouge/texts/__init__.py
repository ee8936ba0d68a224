"""A text to pieces: sentences and tokens of any language. Knows no settings."""
