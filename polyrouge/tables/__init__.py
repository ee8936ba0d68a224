"""Results as tables: text, Markdown, LaTeX, CSV and JSON."""
