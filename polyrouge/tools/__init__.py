"""What other tools do to a text: their tokens, sentences, stems, stop words and limits. Knows no settings."""
