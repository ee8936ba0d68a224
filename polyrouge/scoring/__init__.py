"""Counts to scores, to one score a sample, to the result."""
