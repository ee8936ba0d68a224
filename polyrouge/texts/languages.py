"""Guess the languages of texts by their scripts: quick, without a model."""

import unicodedata
from collections.abc import Iterable, Iterator

from polyrouge.texts.patterns import pattern

_MAX_CHARACTERS = 200_000  # characters of all texts
_CHARACTERS_OF_A_TEXT = 5_000
LEAST_SHARE = 0.05  # of the letters, for a language of some texts

# A language by its letters. Arabic includes Persian and Urdu, Hindi every language in Devanagari, Bengali and
# Amharic all languages of their scripts; ``_letters_of`` separates languages of Han and Latin letters.
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
    "Armenian": pattern("[\u0531-\u0556\u0561-\u0587]"),
    "Punjabi": pattern("[\u0a05-\u0a39\u0a59-\u0a5e\u0a72-\u0a74]"),
    "Gujarati": pattern("[\u0a85-\u0ab9\u0ae0\u0ae1]"),
    "Odia": pattern("[\u0b05-\u0b39\u0b5c-\u0b61]"),
    "Tamil": pattern("[\u0b83-\u0bb9]"),
    "Telugu": pattern("[\u0c05-\u0c39\u0c58-\u0c61]"),
    "Kannada": pattern("[\u0c85-\u0cb9\u0cde-\u0ce1]"),
    "Malayalam": pattern("[\u0d05-\u0d3a\u0d54-\u0d56\u0d5f-\u0d61\u0d7a-\u0d7f]"),
    "Sinhala": pattern("[\u0d85-\u0dc6]"),
    "Tibetan": pattern("[\u0f40-\u0f6c]"),
    "Georgian": pattern("[\u10a0-\u10fa\u1c90-\u1cbf\u2d00-\u2d2d]"),
    "Amharic": pattern("[\u1200-\u135a\u1380-\u138f\u2d80-\u2dde\uab01-\uab2e]"),
    "Another script": pattern(
        "[\u0710-\u072f\u0780-\u07a5\u07ca-\u07ea\u13a0-\u13fd\u1401-\u166c\u1820-\u1878\u1a00-\u1a16\u1b05-\u1b33"
        "\u1b83-\u1ba0\u1c5a-\u1c7d\u2d30-\u2d67\ua000-\ua48c\ua4d0-\ua4f7\ua500-\ua62b\ua984-\ua9b2\uabc0-\uabe2]"
    ),
}
_HAN = pattern("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_KANA = pattern("[\u3041-\u3096\u30a1-\u30fa\uff66-\uff9d]")
_LATIN = pattern("[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")
# Letters of Vietnamese alone: not ẹ ị ọ ụ of Yoruba and Igbo, ẽ ỹ of Guarani, đ of Croatian.
_VIETNAMESE = pattern("[\u01a0\u01a1\u01af\u01b0\u1ea2-\u1eb7\u1eba\u1ebb\u1ebe-\u1ec9\u1ece-\u1ee3\u1ee6-\u1ef7]")
_BARRED, _DOTTED = pattern("[\u0110\u0111]"), pattern("[\u1ea0\u1ea1\u1eb8\u1eb9\u1eca-\u1ecd\u1ee4\u1ee5]")
_LEAST_KANA, _LEAST_VIETNAMESE = 0.05, 0.04  # of the letters of Han and kana; of Latin

# Frequent words of languages, none of them English or of its names, such as "los"; Norwegian and Danish share most.
_FREQUENT_WORDS = {
    "danish": "og ikke det til af er som den på med der",
    "dutch": "het een niet zijn dat te voor wordt naar ook bij",
    "finnish": "ja ei oli että hän mutta myös kuin ovat joka",
    "french": "le les des est une dans pour que qui pas du et",
    "german": "der und das ist nicht ein eine den mit zu im auf",
    "hungarian": "az és hogy nem egy volt meg csak már ez",
    "italian": "il di che è una della sono gli nel più anche",
    "norwegian": "og ikke det til av er som den på med jeg",
    "portuguese": "que não uma para com dos os em foi mais são",
    "romanian": "și nu este din pe cu pentru sunt mai că",
    "spanish": "el una que por para se más está como pero",
    "swedish": "och att det som är inte på av för med ett",
}
_WORDS_BY_LANGUAGE = {language: frozenset(words.split()) for language, words in _FREQUENT_WORDS.items()}
_FOREIGN_WORDS = frozenset().union(*_WORDS_BY_LANGUAGE.values())
_FEWEST_FREQUENT_WORDS, _LEAST_SHARE_OF_FREQUENT_WORDS = 4, 0.12
_LETTERS_BY_STEMMER = {"arabic": _LETTERS["Arabic"], "russian": _LETTERS["Cyrillic"]}


def may_be_for_another_stemmer(text: str) -> bool:
    """Say quickly whether ``language_of_stems`` may return a language."""
    if not text.isascii() and any(letters.search(text) for letters in _LETTERS_BY_STEMMER.values()):
        return True
    return not _FOREIGN_WORDS.isdisjoint(text.lower().split())


def language_of_stems(text: str) -> str | None:
    """Return the language, as Snowball calls it, that most words of a text are of; None for English and the rest."""
    n_letters = sum(map(str.isalpha, text))
    for language, letters in _LETTERS_BY_STEMMER.items():
        if 2 * len(letters.findall(text)) > n_letters:
            return language
    words = text.lower().split()
    least = max(_FEWEST_FREQUENT_WORDS, _LEAST_SHARE_OF_FREQUENT_WORDS * len(words))
    frequent_words = [word for word in words if word in _FOREIGN_WORDS]
    if len(frequent_words) < least:
        return None
    counts = {name: sum(map(words.__contains__, frequent_words)) for name, words in _WORDS_BY_LANGUAGE.items()}
    language = max(counts, key=counts.__getitem__)
    return language if counts[language] >= least else None


def shares_of_languages(texts: Iterable[str]) -> dict[str, float]:
    """Return each language's share of the letters at the beginning of texts, largest first; empty without letters."""
    counts: dict[str, int] = {}
    for part in _beginnings(texts):
        for name, count in _letters_of(part).items():
            counts[name] = counts.get(name, 0) + count
    total = sum(counts.values())
    return {name: counts[name] / total for name in sorted(counts, key=lambda name: -counts[name])}


def likely_languages(texts: Iterable[str]) -> set[str]:
    """Return the languages that texts may be in; Latin only where it is alone, as its words stand in all of them."""
    parts = list(_beginnings(texts))
    names = {name for name, share in shares_of_languages(parts).items() if share >= LEAST_SHARE}
    names = names - {"Latin"} or names
    if "Chinese" in names and is_japanese_han("".join(_HAN.findall("".join(parts)))):  # 東京五輪延期, without kana
        names.add("Japanese")
    return names


def _beginnings(texts: Iterable[str]) -> Iterator[str]:
    """Yield the beginnings of texts, at most ``_MAX_CHARACTERS`` in all."""
    budget = _MAX_CHARACTERS
    for text in texts:
        part = text[: min(_CHARACTERS_OF_A_TEXT, budget)]
        budget -= len(part)
        yield part
        if budget <= 0:
            break


def _letters_of(text: str) -> dict[str, int]:
    text = unicodedata.normalize("NFC", text)
    latin = len(_LATIN.findall(text))
    if text.isascii():
        return {"Latin": latin} if latin else {}
    han_letters, kana_letters = _HAN.findall(text), _KANA.findall(text)
    han, kana = len(han_letters), len(kana_letters)
    if set(kana_letters) == {"の"} and not is_japanese_han(
        "".join(han_letters)
    ):  # 优衣库の新品: as Chinese brands write
        kana = 0
    vietnamese = len(_VIETNAMESE.findall(text))
    if (barred := _BARRED.findall(text)) and (dotted := _DOTTED.findall(text)):  # which no other language has together
        vietnamese += len(barred + dotted)
    counts = {name: len(pattern.findall(text)) for name, pattern in _LETTERS.items()}
    counts["Japanese" if kana > _LEAST_KANA * (han + kana) else "Chinese"] = len(han_letters + kana_letters)
    counts["Vietnamese" if vietnamese > _LEAST_VIETNAMESE * latin else "Latin"] = latin
    return {name: count for name, count in counts.items() if count}


# Traditional forms that Japan no longer writes, and words of only Chinese.
_NOT_OF_JAPAN = frozenset(
    "國會學來實對發經關點體當變樂讀賣區圖團從歲戰擇擔據數斷條歸濟狀獨獻產畫盡禮稱總縣縱繼續聲聽臺舊號處裝觀覺觸證讓豐轉辭"
    "遲鄉醫鐵雜雙靈靜顏驗髮麥黃黑齒氣兒萬與們您她嗎很媽沒啊哪"
)


def is_japanese_han(han: str) -> bool:
    """Say whether Japanese may be written with these characters; its encodings lack simplified ones."""
    if not _NOT_OF_JAPAN.isdisjoint(han):
        return False
    try:
        han.encode("shift_jis")
    except UnicodeEncodeError:
        return False
    return True


_HANGUL_WORD = pattern("[\uac00-\ud7a3]{2,}")
_PARTICLES = frozenset("은는이가을를에의와과도로만")  # of one syllable


def may_be_korean(text: str) -> bool:
    """Say whether a text has a Korean word."""
    return _HANGUL_WORD.search(text) is not None


def differ_by_particles(text: str, other: str) -> bool:
    """Say whether two texts share a Korean word except for its ending: 서울은, 서울이다; 비가, 비는."""
    words, other_words = (set(_HANGUL_WORD.findall(one_text)) for one_text in (text, other))
    stems, other_stems = (set(map(_stem, different)) for different in (words - other_words, other_words - words))
    return not stems.isdisjoint(other_stems)


def _stem(word: str) -> str:
    """Return the first two syllables, or the one before a particle."""
    return word[:1] if len(word) == 2 and word[1] in _PARTICLES else word[:2]
