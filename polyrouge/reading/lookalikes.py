"""Words that look the same in a prediction and in its reference, but are other characters, and so no hits."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from polyrouge.inputs import joined, text_lengths
from polyrouge.settings.stages import TextRules
from polyrouge.texts.tokenizers import TOKENIZERS

# Full-width letters and digits; characters that can't be seen inside a word; variation selectors behind a letter.
_WIDE = "０-９Ａ-Ｚａ-ｚ"
_UNSEEN = "\u00ad\u200b\u2060\ufeff"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
# Scripts without blanks between words have no word for an unseen character to stand in; in some it parts the words.
_LETTER = r"[^\W\d_\u0E01-\u0EFF\u1000-\u109F\u1780-\u17FF\u3041-\u30FF\u3400-\u9FFF\uAC00-\uD7A3]"
_ANY = re.compile(f"[{_WIDE}{_UNSEEN}{_SELECTORS}]")
_WIDE_WORD = re.compile(f"[{_WIDE}]+")
_PARTED_WORD = re.compile(rf"{_LETTER}+(?:[{_UNSEEN}]+{_LETTER}+)+")
_SELECTED = re.compile(rf"[^\W\d_][{_SELECTORS}]+")
_NOT_SEEN = re.compile(f"[{_UNSEEN}{_SELECTORS}]")


class Lookalikes(NamedTuple):
    """Two words that look the same.

    Attributes:
        odd: as it stands in one text, with what can't be seen written out.
        usual: as it stands in the other.
        remedy: the setting that makes them equal.
    """

    odd: str
    usual: str
    remedy: str


def odd_texts(texts: Sequence[str]) -> list[int]:
    """The places of the texts with a character that ``find_lookalikes`` looks for."""
    whole = joined(texts)  # as one, which is by far quicker, as most have none
    if whole.isascii() or not _ANY.search(whole):
        return []
    behind = list(accumulate(text_lengths(texts)))
    return sorted({bisect_right(behind, found.start()) for found in _ANY.finditer(whole)})


def find_lookalikes(texts: Sequence[str], others: Sequence[str], rules: TextRules) -> Lookalikes | None:
    """The first word of some texts that stands in others as it looks, but not as it is written.

    Args:
        texts: where the odd word is looked for.
        others: where the usual one is.
        rules: where they make them equal, nothing is found.
    """
    for text in texts:
        if text.isascii() or not _ANY.search(text):
            continue
        if rules.normalize != "nfkc":
            for found in _WIDE_WORD.finditer(text):
                usual = unicodedata.normalize("NFKC", found[0])
                if _stands_in(others, found[0], usual):
                    return Lookalikes(found[0], usual, "normalize='nfkc'")
        if rules.clean != "model_output" and rules.tokenizer != "char":  # which has one character in a token
            entry = TOKENIZERS[rules.tokenizer] if isinstance(rules.tokenizer, str) else None
            drops_letters = entry is not None and entry.drops_letters  # of other scripts, so that nothing is lost
            for pattern in (_PARTED_WORD,) if drops_letters else (_PARTED_WORD, _SELECTED):
                for found in pattern.finditer(text):
                    usual = _NOT_SEEN.sub("", found[0])
                    if _stands_in(others, found[0], usual):
                        odd = _NOT_SEEN.sub(lambda each: f"<U+{ord(each[0]):04X}>", found[0])
                        return Lookalikes(odd, usual, "clean='model_output'")
    return None


def _stands_in(texts: Sequence[str], odd: str, usual: str) -> bool:
    """Whether some text holds the usual word by itself, and none the odd one."""
    if any(odd in text for text in texts) or not any(usual in text for text in texts):
        return False
    if not usual.isascii():
        return True
    word = re.compile(rf"(?<![0-9A-Za-z]){re.escape(usual)}(?![0-9A-Za-z])")
    return any(map(word.search, texts))
