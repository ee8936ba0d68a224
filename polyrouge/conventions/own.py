"""polyrouge's conventions for any language and for Chinese."""

from polyrouge.conventions.common import Convention
from polyrouge.settings.rouge_settings import RougeSettings


def own_convention(name: str, tokenizer: str, split: str, words: str, *languages: str) -> Convention:
    """Make a convention of polyrouge: the words of a tokenizer, in lower case, without punctuation."""
    settings = RougeSettings(tokenizer=tokenizer, sentence_split=split)
    reproduces = f"our own, {words}: lower-cased, punctuation dropped"
    return Convention(name, settings, reproduces, languages=languages)


CONVENTIONS = (
    Convention("default", RougeSettings(), "our own, for any language"),
    own_convention("zh_char", "zh_char", "zh", "Chinese character level", "Chinese", "Latin"),
    own_convention("zh_word", "jieba", "zh", "Chinese word level (jieba)", "Chinese", "Latin"),
)
