"""Imported by what jobs are forked from: what takes seconds to load is loaded once, tables and recipes."""

import polyrouge.page.calls  # noqa: F401
from polyrouge.page.choices import Choice
from polyrouge.page.text_views import render_conventions, render_try
from polyrouge.page.wording import LANGUAGES

for language in LANGUAGES:
    render_try("今天 a b", "今天 a", Choice(), language)
    render_conventions("今天 a b", "今天 a", language)
