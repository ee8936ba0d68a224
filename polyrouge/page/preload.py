"""Imported by what jobs are forked from: each tokenizer's tables, which take seconds to load, are loaded once."""

import polyrouge.page.calls
import polyrouge.page.text_views  # noqa: F401
from polyrouge.page.choices import choice_labels
from polyrouge.page.score_views import compare_all

choice_labels("en")
compare_all("a b", ["a"])
