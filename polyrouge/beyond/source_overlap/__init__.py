"""Predictions beside the texts that they were made from: what is copied, and what is new."""
