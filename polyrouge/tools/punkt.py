"""NLTK's sentences and words, for tools that cut with its punkt model."""

from __future__ import annotations


def punkt_sentences(text: str, language: str = "english") -> list[str]:
    """The sentences of a text, as ``nltk.sent_tokenize`` cuts them.

    Raises:
        LookupError: NLTK's data ``punkt_tab`` is not installed; its message says how to get it.
    """
    import nltk

    return nltk.sent_tokenize(text, language)


def punkt_words(text: str, language: str = "english") -> list[str]:
    """The words of a text, as ``nltk.word_tokenize`` cuts them; it cuts sentences before."""
    import nltk

    return nltk.word_tokenize(text, language)
