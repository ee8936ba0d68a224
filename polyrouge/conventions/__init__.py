"""Conventions: settings with a name. Some are our own, the others are in ``tools``."""
