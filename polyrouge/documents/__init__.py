"""Texts to documents: sentences of tokens, as the settings ask, and notes on what looks wrong."""
