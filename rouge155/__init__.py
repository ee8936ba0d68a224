"""ROUGE-1.5.5 in full: the script's options, its input formats, its scoring and what it prints."""
