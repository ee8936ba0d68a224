"""Guess the languages of texts by their scripts: quick, without a model."""

from __future__ import annotations

from collections.abc import Iterable

from polyrouge.texts.patterns import pattern

_MAX_CHARACTERS = 200_000  # characters of all texts
_CHARACTERS_OF_A_TEXT = 5_000

# A language by its letters. Arabic stands for Persian and Urdu too, Hindi for every language in Devanagari; languages
# of Han and Latin letters are told apart in ``_letters_of``.
_LETTERS = {
    "Korean": pattern("[\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3]"),
    "Thai": pattern("[\u0e01-\u0e2e\u0e30\u0e32\u0e33\u0e40-\u0e46]"),
    "Lao": pattern("[\u0e81-\u0eae\u0eb0\u0eb2\u0eb3\u0ebd-\u0ec6\u0edc\u0edd]"),
    "Khmer": pattern("[\u1780-\u17b3]"),
    "Burmese": pattern("[\u1000-\u102a\u103f\u1050-\u1055]"),
    "Arabic": pattern("[\u0620-\u064a\u066e-\u06d3\u06fa-\u06fc\ufb50-\ufdfb\ufe70-\ufefc]"),
    "Hebrew": pattern("[\u05d0-\u05ea]"),
    "Hindi": pattern("[\u0904-\u0939\u0958-\u0961]"),
    "Bengali": pattern("[\u0985-\u09b9\u09dc-\u09e1]"),
    "Cyrillic": pattern("[\u0400-\u0481\u048a-\u052f]"),
    "Greek": pattern("[\u0370-\u0373\u0376-\u037d\u0386-\u03ff\u1f00-\u1fbc]"),
}
_HAN = pattern("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_KANA = pattern("[\u3041-\u3096\u30a1-\u30fa\uff66-\uff9d]")
_LATIN = pattern("[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")
_VIETNAMESE = pattern("[\u01a0\u01a1\u01af\u01b0\u0110\u0111\u1ea0-\u1ef9]")
_LEAST_KANA, _LEAST_VIETNAMESE = 0.05, 0.04  # of the letters of Han and kana; of Latin


def shares_of_languages(texts: Iterable[str]) -> dict[str, float]:
    """Each language's share of the letters at the beginning of texts, the largest first; empty without letters."""
    counts: dict[str, int] = {}
    budget = _MAX_CHARACTERS
    for text in texts:
        part = text[: min(_CHARACTERS_OF_A_TEXT, budget)]
        budget -= len(part)
        for name, count in _letters_of(part).items():
            counts[name] = counts.get(name, 0) + count
        if budget <= 0:
            break
    total = sum(counts.values())
    return {name: counts[name] / total for name in sorted(counts, key=lambda name: -counts[name])}


def _letters_of(text: str) -> dict[str, int]:
    latin = len(_LATIN.findall(text))
    if text.isascii():
        return {"Latin": latin} if latin else {}
    han, kana = len(_HAN.findall(text)), len(_KANA.findall(text))
    vietnamese = len(_VIETNAMESE.findall(text))
    counts = {name: len(pattern.findall(text)) for name, pattern in _LETTERS.items()}
    counts["Japanese" if kana > _LEAST_KANA * (han + kana) else "Chinese"] = han + kana
    counts["Vietnamese" if vietnamese > _LEAST_VIETNAMESE * latin else "Latin"] = latin
    return {name: count for name, count in counts.items() if count}


_HANGUL_WORD = pattern("[\uac00-\ud7a3]{2,}")
_PARTICLES = frozenset("은는이가을를에의와과도로만")  # of one syllable


def may_be_korean(text: str) -> bool:
    """Whether a text has a Korean word."""
    return _HANGUL_WORD.search(text) is not None


def differ_by_particles(text: str, other: str) -> bool:
    """Whether the texts have a Korean word in common but for its ending: 서울은, 서울이다; 비가, 비는."""
    words, others = (set(_HANGUL_WORD.findall(each)) for each in (text, other))
    stems, other_stems = (set(map(_stem, each)) for each in (words - others, others - words))
    return not stems.isdisjoint(other_stems)


def _stem(word: str) -> str:
    """The first two syllables, or the one before a particle."""
    return word[:1] if len(word) == 2 and word[1] in _PARTICLES else word[:2]
