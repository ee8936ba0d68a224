"""Make characters equal that a language treats as the same: the values of ``normalize``."""

import unicodedata

from polyrouge.texts.edits import edited, replacing
from polyrouge.texts.patterns import pattern

# NFKC takes the vowel am of Thai and Lao apart, and dictionaries have words with am: ํา is ำ again, ํ้า is ้ำ.
_AM_APART = pattern("\u0e4d[\u0e48-\u0e4b]?\u0e32|\u0ecd[\u0ec8-\u0ecb]?\u0eb2")
AM_TOGETHER = replacing(_AM_APART, lambda apart: apart[1:-1] + chr(ord(apart[-1]) + 1))
"""The pass that puts am together after NFKC."""
_DIGITS = {0x0660 + digit: str(digit) for digit in range(10)}
_PERSIAN_DIGITS = {0x06F0 + digit: str(digit) for digit in range(10)}
# Short vowels and similar marks, the small alef above, and the stroke that only lengthens a word.
_ARABIC_MARKS = dict.fromkeys([*range(0x064B, 0x0653), 0x0670, 0x0640], "")


def _letters(letters: str, replacements: str) -> dict[int, str]:
    return dict(zip(map(ord, letters), replacements, strict=True))


CHARACTERS: dict[str, dict[int, str]] = {
    "nfkc": {},
    # CAMeL Tools: dediac_ar, normalize_alef_ar, normalize_alef_maksura_ar, normalize_teh_marbuta_ar.
    "ar": _ARABIC_MARKS | _DIGITS | _letters("أإآٱىة", "اااايه"),
    # hazm's Normalizer, with ASCII digits and without the joiner that it writes for half a blank.
    "fa": _ARABIC_MARKS
    | dict.fromkeys([*range(0x0653, 0x0656), *range(0x06D6, 0x06EE), 0x200C], "")
    | _DIGITS
    | _PERSIAN_DIGITS
    | _letters("يىكہھەۀۂں", "ییکهههههن"),
    # Python's lower case of İ is i with a dot above, a character of its own.
    "tr": _letters("Iİ", "ıi") | {0x0307: ""},
}
"""Changes by each value of ``normalize`` besides NFC: characters and their replacements."""


def uses_nfkc(normalize: str | None) -> bool:
    """Say whether a value of ``normalize`` applies NFKC first."""
    return normalize in ("nfkc", "ar", "fa")


def normalized_text(text: str, normalize: str) -> str:
    """Bring a text into the form of one of ``CHARACTERS``."""
    if uses_nfkc(normalize):
        text = unicodedata.normalize("NFKC", text)
        if "\u0e4d" in text or "\u0ecd" in text:
            text = edited(text, (AM_TOGETHER,))
    return text.translate(CHARACTERS[normalize]) if CHARACTERS[normalize] else text
