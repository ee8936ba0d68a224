"""Texts of other tools' conventions as blanks between words: what the compiled tokenizer takes.

The tools that are fed with blanks between words (pltrdy's rouge, rouge_chinese) split at blanks. Here a
text is rewritten so that the kernel of ``space`` finds the same tokens and, at line breaks, the same
sentences; a test holds it to the plain tokenizers. Texts with jieba's words are for ``jieba_batches.py``.
"""

from __future__ import annotations

from collections.abc import Sequence

from polyrouge.settings.stages import TextRules
from polyrouge.texts.patterns import pattern
from polyrouge.tools.by_name import text_preparation

# What an empty token is written as. No word of pltrdy's holds a full stop; a noncharacter is looked for before.
_EMPTY_OF_PLTRDY = "."
_EMPTY_OF_ROUGE_CHINESE = "\U0010ffff"
_BLANK_LINE = pattern(r"\n[^\S\n]+(?=\n)")
_BLANKS_BEHIND_MARK = pattern(r"([。！？?])[^\S\n]+\n")
_SPLITS = {"pltrdy": ".", "rouge_chinese": "none"}


def can_be_spaced(rules: TextRules) -> bool:
    """Whether ``spaced_texts`` knows these settings."""
    if not isinstance(rules.tokenizer, str) or _SPLITS.get(rules.tokenizer) != rules.sentence_split:
        return False
    if rules.clean or rules.normalize or rules.lowercase == "ascii" or rules.punctuation == "drop":
        return False
    if rules.use_stemmer or rules.stop_words:
        return False
    return rules.segment is None or rules.segment.startswith("char")


def spaced_texts(texts: Sequence[str], rules: TextRules) -> Sequence[str] | None:
    """The texts with blanks between tokens and line breaks between sentences.

    Returns:
        None where a text holds what an empty token is written as.
    """
    put_blanks = text_preparation(None, rules.segment)
    if put_blanks is not None:
        found = {text: put_blanks(text) for text in dict.fromkeys(texts)}
        texts = [found[text] for text in texts]
    if rules.tokenizer == "pltrdy":
        return list(map(_as_pltrdy, texts))
    if any(_EMPTY_OF_ROUGE_CHINESE in text for text in texts):
        return None
    has_blanks = rules.segment is not None
    return [_as_rouge_chinese(text, has_blanks) for text in texts]


def _as_pltrdy(text: str) -> str:
    """Line breaks are blanks there; full stops end the pieces, of which one of blanks only is an empty token."""
    text = text.replace("\n", " ")
    if "." not in text:
        return _EMPTY_OF_PLTRDY if text.isspace() else text
    return "\n".join(_EMPTY_OF_PLTRDY if piece.isspace() else piece for piece in text.split("."))


def _as_rouge_chinese(text: str, has_blanks: bool) -> str:
    """A line of blanks only is an empty token, but at the end.

    Args:
        text: the text.
        has_blanks: blanks stand between all words. A break behind a mark then cuts no word, and leaves
            a line of blanks only where nothing else stands before the text's own line break.
    """
    from polyrouge.tools.rouge_chinese import break_chinese_lines

    text = text.rstrip()
    if not has_blanks:
        text = break_chinese_lines(text).rstrip()
    if "\n" not in text:
        return text
    first, _, rest = text.partition("\n")
    if first.isspace():
        text = f"{_EMPTY_OF_ROUGE_CHINESE}\n{rest}"
    text = _BLANK_LINE.sub(f"\n{_EMPTY_OF_ROUGE_CHINESE}", text)
    if has_blanks:
        parts = _BLANKS_BEHIND_MARK.split(text)  # every second one is a mark
        parts[1::2] = [f"{mark} {_EMPTY_OF_ROUGE_CHINESE} " for mark in parts[1::2]]
        text = "".join(parts)
    return text.replace("\n", " ")
