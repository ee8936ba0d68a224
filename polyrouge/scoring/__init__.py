"""Counts to scores, to one score an example, to the result."""
