"""The web page: its tabs, its endpoints, and what they share. ``app.py`` in the root starts it."""

from polyrouge.page.layout import serve

__all__ = ["serve"]
