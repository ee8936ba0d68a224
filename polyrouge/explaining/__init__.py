"""Which tokens are the hits, and where they stand in the texts."""
