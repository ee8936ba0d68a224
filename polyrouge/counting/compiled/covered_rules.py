"""Which rules for texts the kernels know, and which of their settings they take; nothing is loaded for it."""

from __future__ import annotations

from polyrouge.counting.compiled.kernels.codes import CHINESE, LINES, WHOLE
from polyrouge.settings.stages import TextRules

COMPILED_TOKENIZERS = ("mixed", "ascii", "zh_char", "char", "space", "rouge155")
_CUTS = {"none": WHOLE, "newline": LINES, "zh": CHINESE}
_CUTS_OF_SPACED = {"pltrdy": ".", "rouge_chinese": "none"}


def is_compiled_tokenization(rules: TextRules) -> bool:
    """Whether ``batch_of_texts`` can do it; the rest goes through documents."""
    if rules.max_words or rules.max_bytes or rules.max_characters:
        return False
    if can_be_spaced(rules):
        return True
    if rules.tokenizer not in COMPILED_TOKENIZERS or rules.clean == "opencompass" or rules.segment:
        return False
    if rules.tokenizer != "rouge155" and (rules.lowercase == "ascii" or has_tool_filter(rules)):
        return False
    if not isinstance(rules.sentence_split, str) or rules.sentence_split not in (*_CUTS, "auto"):
        return False  # a separator is no text, a callable may do anything
    cut = sentence_cut(rules)
    if cut is None or (cut == LINES and rules.tokenizer == "space"):
        return cut is not None
    return cut != CHINESE or (rules.tokenizer != "space" and _can_cut_at_chinese_marks(rules))


def can_be_spaced(rules: TextRules) -> bool:
    """Whether ``spaced_texts`` knows these settings."""
    if not isinstance(rules.tokenizer, str) or _CUTS_OF_SPACED.get(rules.tokenizer) != rules.sentence_split:
        return False
    if rules.normalize or rules.lowercase == "ascii" or rules.punctuation == "drop":
        return False
    return not rules.use_stemmer and not rules.stop_words


def has_tool_filter(rules: TextRules) -> bool:
    """Whether stems or stop words are those of a tool."""
    return isinstance(rules.stop_words, str) or (rules.use_stemmer and rules.stemmer != "porter")


def is_filtered(rules: TextRules) -> bool:
    """Whether tokens are left out, or stemmed otherwise than by the kernel."""
    return bool(rules.stop_words) or has_tool_filter(rules)


def sentence_cut(rules: TextRules) -> int | None:
    """How the kernel of ``is_compiled_tokenization`` cuts sentences; None where it can't."""
    if not rules.uses_sentences:
        return WHOLE
    if can_be_spaced(rules):
        return LINES if rules.tokenizer == "pltrdy" else WHOLE
    return _CUTS.get(str(rules.sentence_split))


def is_compiled_chinese(rules: TextRules) -> bool:
    """Whether ``batch_of_chinese_texts`` can do it; the rest goes through documents."""
    if rules.max_words or rules.max_bytes or rules.max_characters or rules.lowercase == "ascii":
        return False
    if not isinstance(rules.tokenizer, str) or not isinstance(rules.sentence_split, str):
        return False
    return rules.tokenizer == "jieba" and not rules.segment and rules.clean != "opencompass" and _can_be_cut(rules)


def _can_be_cut(rules: TextRules) -> bool:
    """Whether the kernel can cut sentences as these rules do."""
    if not rules.uses_sentences:
        return rules.sentence_split in (*_CUTS, "auto")  # a separator is no text
    if rules.sentence_split == "zh":
        return _can_cut_at_chinese_marks(rules)
    return rules.sentence_split in _CUTS


def _can_cut_at_chinese_marks(rules: TextRules) -> bool:
    """Where they are no tokens. They are cut at as they stand before NFKC, after which the kernel sees a text."""
    return rules.punctuation == "drop" and rules.normalize != "nfkc"


def chinese_cut(rules: TextRules) -> int:
    """How the kernel of ``is_compiled_chinese`` cuts sentences."""
    return _CUTS.get(str(rules.sentence_split), WHOLE) if rules.uses_sentences else WHOLE
