"""Predictions beside the texts that they were made from: what is copied, what is new, what the source lacks."""
