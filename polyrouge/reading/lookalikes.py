"""Words that look the same in a prediction and in its reference, but are other characters, and so no hits."""

from __future__ import annotations

import functools
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from polyrouge.settings.stages import TextRules
from polyrouge.texts.patterns import pattern
from polyrouge.texts.tokenizers import TOKENIZERS

# Full-width letters and digits; characters that can't be seen inside a word; variation selectors behind a letter.
_WIDE = "０-９Ａ-Ｚａ-ｚ"
_UNSEEN = "\u00ad\u200b\u2060\ufeff"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
# Scripts without blanks between words have no word for an unseen character to stand in; in some it parts the words.
_LETTER = r"[^\W\d_\u0E01-\u0EFF\u1000-\u109F\u1780-\u17FF\u3041-\u30FF\u3400-\u9FFF\uAC00-\uD7A3]"
_ANY = pattern(f"[{_WIDE}{_UNSEEN}{_SELECTORS}]")
_WIDE_WORD = pattern(f"[{_WIDE}]+")
_PARTED_WORD = pattern(rf"{_LETTER}+(?:[{_UNSEEN}]+{_LETTER}+)+")
_SELECTED = pattern(rf"[^\W\d_][{_SELECTORS}]+")
_NOT_SEEN = pattern(f"[{_UNSEEN}{_SELECTORS}]")
_ASCII = bytes(range(128))
# What a character may be composed in: a word, or one character of a script without blanks between words.
_NO_BLANKS = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_COMPOSABLE = rf"[{_NO_BLANKS}]\p{{M}}*|(?:[\p{{L}}--[{_NO_BLANKS}]]\p{{M}}*)+"
_OF_A_WORD = rf"[[\p{{L}}\p{{M}}\p{{N}}]--[{_NO_BLANKS}]]"
_COMPOSE_BY_THEMSELVES = frozenset(("vi_words", "subwords", "super_ni"))  # or may do, as the model says


class Lookalikes(NamedTuple):
    """Two words that look the same, what can't be seen written out in the odd one, and what makes them equal."""

    odd: str
    usual: str
    remedy: str


def odd_texts(texts: Sequence[str], rules: TextRules) -> list[int]:
    """The places of the texts with a character that ``find_lookalikes`` looks for."""
    whole = "".join(texts)  # as one, which is by far quicker, as most have none
    if whole.isascii():
        return []
    places: set[int] = set()
    # None of the characters is ASCII, as most others are.
    if _ANY.search(whole.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass")):
        behind = list(accumulate(map(len, texts)))
        places |= {bisect_right(behind, found.start()) for found in _ANY.finditer(whole)}
    if tells_compositions_apart(rules) and not unicodedata.is_normalized("NFC", whole):
        places |= {place for place, text in enumerate(texts) if not unicodedata.is_normalized("NFC", text)}
    return sorted(places)


def find_lookalikes(texts: Sequence[str], others: Sequence[str], rules: TextRules) -> Lookalikes | None:
    """The first word of some texts that stands in others as it looks, but not as it is written."""
    entry = TOKENIZERS[rules.tokenizer] if isinstance(rules.tokenizer, str) else None
    drops_letters = entry is not None and entry.drops_letters
    for text in texts:
        if text.isascii():
            continue
        for odd, usual, remedy in _odd_words(text, rules, drops_letters):
            if _stands_in(others, odd, usual):
                return Lookalikes(_written_out(odd, usual), usual, remedy)
    return None


def _odd_words(text: str, rules: TextRules, drops_letters: bool) -> Iterator[Lookalikes]:
    """Words that may have a double in another text: as they are written, the usual way, and what makes both equal."""
    if _ANY.search(text):
        if rules.normalize != "nfkc":
            for found in _WIDE_WORD.finditer(text):
                yield Lookalikes(found[0], unicodedata.normalize("NFKC", found[0]), "normalize='nfkc'")
        if rules.clean != "model_output" and rules.tokenizer != "char":  # which has one character in a token
            # Letters of other scripts are dropped with what stands behind them, so that nothing is lost.
            for pattern in (_PARTED_WORD,) if drops_letters else (_PARTED_WORD, _SELECTED):
                for found in pattern.finditer(text):
                    yield Lookalikes(found[0], _NOT_SEEN.sub("", found[0]), "clean='model_output'")
    if tells_compositions_apart(rules) and not unicodedata.is_normalized("NFC", text):
        for found in _pattern(_COMPOSABLE).finditer(text):
            odd, usual = found[0], unicodedata.normalize("NFC", found[0])
            if odd != usual and not (drops_letters and _ascii_part(odd) == _ascii_part(usual)):
                yield Lookalikes(odd, usual, "normalize='nfc'")


def tells_compositions_apart(rules: TextRules) -> bool:
    """Whether é as one character is another token than é as two, as it is in the conventions of other tools."""
    return rules.normalize is None and rules.tokenizer not in _COMPOSE_BY_THEMSELVES


def _ascii_part(word: str) -> str:
    return "".join(filter(str.isascii, word))


def _written_out(odd: str, usual: str) -> str:
    """A word with the numbers of its characters that can't be told from the usual ones by looking at them."""
    if _WIDE_WORD.fullmatch(odd):
        return odd
    hidden = {each for each in odd if unicodedata.category(each) in ("Cf", "Mn")} or {*odd} - {*usual}
    return "".join(f"<U+{ord(each):04X}>" if each in hidden else each for each in odd)


def _stands_in(texts: Sequence[str], odd: str, usual: str) -> bool:
    """Whether some text holds the usual word by itself, and none the odd one."""
    if any(odd in text for text in texts) or not any(usual in text for text in texts):
        return False
    if _pattern(f"[{_NO_BLANKS}]").match(usual):
        return True
    word = _pattern(rf"(?<!{_OF_A_WORD}){re.escape(usual)}(?!{_OF_A_WORD})")
    return any(map(word.search, texts))


@functools.lru_cache(maxsize=8)
def _pattern(pattern: str) -> Any:
    """A pattern of regex, which is imported for the few texts that need it."""
    import regex

    return regex.compile(pattern, regex.V1)
