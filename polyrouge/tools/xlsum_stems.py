"""XL-Sum's stemmers: Snowball's, and those of Hindi, Turkish and Bengali."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any

from polyrouge.errors import warn_user

_SNOWBALL_LANGUAGES = (
    *("arabic", "danish", "dutch", "english", "finnish", "french", "german", "hungarian", "italian"),
    *("norwegian", "portuguese", "romanian", "russian", "spanish", "swedish"),
)
XLSUM_STEMMED_LANGUAGES = (*_SNOWBALL_LANGUAGES, "bengali", "hindi", "turkish")

# Ramanathan and Rao (2003), A Lightweight Stemmer for Hindi: inflections by their length in characters.
_HINDI_SUFFIXES = tuple(
    tuple(suffixes.split())
    for suffixes in (
        "ाएंगी ाएंगे ाऊंगी ाऊंगा ाइयाँ ाइयों ाइयां",
        "ाएगी ाएगा ाओगी ाओगे एंगी ेंगी एंगे ेंगे ूंगी ूंगा ातीं नाओं नाएं ताओं ताएं ियाँ ियों ियां",
        "ाकर ाइए ाईं ाया ेगी ेगा ोगी ोगे ाने ाना ाते ाती ाता तीं ाओं ाएं ुओं ुएं ुआं",
        "कर ाओ िए ाई ाए ने नी ना ते ीं ती ता ाँ ां ों ें",
        "ो े ू ु ी ि ा",
    )
)


def hindi_stem(word: str) -> str:
    """The stem of a Hindi word: without the longest suffix that leaves at least two characters."""
    for suffixes in _HINDI_SUFFIXES:
        length = len(suffixes[0])
        if len(word) > length + 1 and word.endswith(suffixes):
            return word[:-length]
    return word


def xlsum_stem(language: str | None) -> Callable[[str], str] | None:
    """Return XL-Sum's stemmer of one language; tokens of at most three characters stay as they are.

    - None: NLTK's Porter stemmer;
    - arabic, danish, dutch, english and the other languages of Snowball: NLTK's Snowball stemmer, which
      leaves the stop words of NLTK's list as they are;
    - hindi: ``hindi_stem``; turkish: TurkishStemmer; bengali: bengali_stemmer.

    NLTK's stop lists are data that NLTK downloads. Without them XL-Sum's scorer fails; here the stop words are
    stemmed too and a warning says so. It matters where the stem of a stop word is another word: "having"
    stays as it is, and becomes "have" where the list is missing.

    Args:
        language: one of ``XLSUM_STEMMED_LANGUAGES``, None, or a language without a stemmer.

    Returns:
        A function from a token to its stem; None for a language without a stemmer.

    Raises:
        ModuleNotFoundError: the stemmer's library is not installed; the message names it.
    """
    if language is not None and language not in XLSUM_STEMMED_LANGUAGES:
        return None
    stem, misses_stop_words = _load(language)
    if misses_stop_words:
        warn_user(
            f"xlsum stems all words of {language}, but the original leaves stop words as they are: NLTK's stop list "
            "is not installed. To get it: python -m nltk.downloader stopwords"
        )
    return stem


@functools.cache
def _load(language: str | None) -> tuple[Callable[[str], str], bool]:
    """The function that stems a token, and whether it lacks the stop list."""
    misses_stop_words = False
    if language == "hindi":
        stem = hindi_stem
    elif language == "turkish":
        stem = _turkish_stemmer()
    elif language == "bengali":
        stem = _bengali_stemmer()
    else:
        stem, misses_stop_words = _snowball_stemmer(language or "porter")

    @functools.lru_cache(maxsize=1 << 17)
    def stem_token(token: str) -> str:
        return stem(token) if len(token) > 3 else token

    return stem_token, misses_stop_words


def _snowball_stemmer(language: str) -> tuple[Callable[[str], str], bool]:
    from nltk.stem import SnowballStemmer

    if language == "porter":
        return SnowballStemmer(language).stem, False
    misses_stop_words = False
    try:
        snowball = SnowballStemmer(language, ignore_stopwords=True)
    except (LookupError, ValueError):  # no NLTK data, or data without this language
        snowball = SnowballStemmer(language)
        misses_stop_words = True
    stem = snowball.stem
    if language == "arabic":
        stem = _steady_arabic_stemmer(snowball.stemmer)
    return stem, misses_stop_words


def _steady_arabic_stemmer(stemmer: Any) -> Callable[[str], str]:
    """NLTK's Arabic stemmer as it is after its first words, so that no stem depends on the words before.

    The stemmer sets a mark when a word has the suffix of a verb, and never takes it back. All words after the
    first such word, in any text, are stemmed with that mark set; here it is set from the start. Words before it
    might have another stem in XL-Sum's scorer (1 of 101 words of a small sample). The stemmer also keeps notes
    on the word that it works on, so threads take turns.
    """
    stemmer.suffixes_verb_step1_success = True
    turn = threading.Lock()

    def stem(word: str) -> str:
        with turn:
            return stemmer.stem(word)

    return stem


def _turkish_stemmer() -> Callable[[str], str]:
    try:
        from TurkishStemmer import TurkishStemmer
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "xlsum's stems of Turkish come from TurkishStemmer: pip install TurkishStemmer", name=error.name
        ) from error
    return TurkishStemmer().stem


def _bengali_stemmer() -> Callable[[str], str]:
    try:
        from bengali_stemmer.rafikamal2014 import RafiStemmer
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "xlsum's stems of Bengali come from bengali_stemmer, which is not on PyPI: "
            "pip install git+https://github.com/abhik1505040/bengali-stemmer",
            name=error.name,
        ) from error
    return RafiStemmer().stem_word
