"""Named settings: ours, and those that reproduce other tools."""
