"""NLTK's sentences and words, for tools that cut by its model punkt, whose data are part of no package."""

from __future__ import annotations


def punkt_sentences(text: str, language: str = "english") -> list[str]:
    """The sentences of a text, as ``nltk.sent_tokenize`` cuts them.

    Raises:
        LookupError: NLTK's data ``punkt_tab`` are not installed; its message says how to get them.
    """
    import nltk

    return nltk.sent_tokenize(text, language)


def punkt_words(text: str, language: str = "english") -> list[str]:
    """The words of a text, as ``nltk.word_tokenize`` cuts them; it cuts sentences before.

    Raises:
        LookupError: as ``punkt_sentences``.
    """
    import nltk

    return nltk.word_tokenize(text, language)


def find_punkt_data() -> None:
    """Look for punkt's data, and let NLTK fetch them where they are missing.

    Raises:
        OSError: they are neither there nor to be had.
    """
    import nltk

    try:
        nltk.data.find("tokenizers/punkt_tab")
    except LookupError:
        try:
            nltk.download("punkt_tab", quiet=True, raise_on_error=True)
        except ValueError as error:
            raise OSError(
                "NLTK's data `punkt_tab`, which cut the sentences of rougeLsum, are not on this machine and can't be "
                "fetched: run `python -m nltk.downloader punkt_tab` where there is a network, and copy ~/nltk_data."
            ) from error
