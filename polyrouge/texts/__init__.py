"""Cut a text into sentences and tokens, in any language. Knows no settings."""
