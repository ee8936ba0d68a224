"""Documents to counts: hits and totals of each pair of texts."""
