"""Other tools, one module each: their tokens, stems, limits, and the conventions that reproduce them."""
