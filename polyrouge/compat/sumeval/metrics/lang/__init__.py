"""The languages of ``sumeval``: English, Japanese, Chinese, and what a user makes of ``BaseLang``."""

from polyrouge.compat.sumeval.metrics.lang.base_lang import BaseLang
from polyrouge.compat.sumeval.metrics.lang.lang_en import LangEN
from polyrouge.compat.sumeval.metrics.lang.lang_ja import LangJA
from polyrouge.compat.sumeval.metrics.lang.lang_zh import LangZH


def get_lang(lang: str = "") -> BaseLang:
    """The language of that code; English for every other one, as there."""
    return {"ja": LangJA, "zh": LangZH}.get(lang, LangEN)()
