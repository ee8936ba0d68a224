"""Conventions: settings with a name. Some are our own, the others reproduce other tools."""
