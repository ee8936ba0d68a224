"""What other tools, and the scripts around them, do to a text before it is cut into sentences and tokens."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable

from polyrouge.texts.canonical import composed
from polyrouge.texts.jieba_words import JiebaWords, MakeCutter, jieba_cutter
from polyrouge.texts.patterns import pattern

Prepare = Callable[[str], str]

_FIRST_PART = pattern(r"[^\n.,]*")
_NO_WORD = pattern(r"[^\w\s]")
_ARTICLE = pattern(r"\b(?:a|an|the)\b", re.IGNORECASE)


def text_preparation(
    clean: str | None,
    segment: str | None,
    jieba_dict: JiebaWords = None,
    *,
    normalize: str | None = None,
    jieba_hmm: bool = True,
    make_cutter: MakeCutter = jieba_cutter,
) -> Prepare | None:
    """Return the function that prepares a text, or None where nothing is done to it.

    Args:
        clean: a name of ``CLEANERS``, or None.
        segment: ``"char"``, ``"char_without_blanks"``, ``"jieba"``, ``"jieba_without_spaces"`` (other
            blanks, such as line breaks, stay words of their own), or None.
        jieba_dict: whose words; see ``jieba_dictionary``.
        normalize: with any form the text is brought to NFC first, so that all that follows is the same for texts
            that are canonically equivalent; NFKC comes later, for the tokens only.
        jieba_hmm: let jieba guess words that its dictionary does not hold.
        make_cutter: makes the function that cuts words.
    """
    steps: list[Prepare] = []
    if normalize is not None:
        steps.append(composed)
    if clean is not None:
        steps.append(CLEANERS[clean])
        if normalize is not None:  # what was taken out may have stood between a letter and its accent
            steps.append(composed)
    if segment is not None:
        steps.append(_segmentation(segment, lambda: make_cutter(jieba_dict, hmm=jieba_hmm, keep_blanks=True)))
    if len(steps) <= 1:
        return steps[0] if steps else None
    return lambda text: functools.reduce(lambda made, step: step(made), steps, text)


def _segmentation(segment: str, word_cutter: Callable[[], Callable[[str], list[str]]]) -> Prepare:
    """Put one blank between the words or characters of a text."""
    if segment == "char":
        return " ".join
    if segment == "char_without_blanks":
        return lambda text: " ".join(character for character in text if not character.isspace())
    cut = word_cutter()
    if segment == "jieba":
        return lambda text: " ".join(cut(text))
    return lambda text: " ".join(word for word in cut(text) if word != " ")


def clean_as_opencompass(text: str) -> str:
    """Clean a text as OpenCompass's ``general_postprocess`` does.

    What stands before the first line break, full stop or comma (ASCII) is kept. Of that, characters that are
    neither word characters nor blanks are left out, then the articles a, an and the; several blanks become one.
    """
    part = _FIRST_PART.match(text)
    words = _ARTICLE.sub("", _NO_WORD.sub("", part[0] if part else ""))
    return " ".join(words.split())


def _clean_model_output(text: str) -> str:
    from polyrouge.texts.model_output import clean_model_output

    return clean_model_output(text)


CLEANERS: dict[str, Prepare] = {"opencompass": clean_as_opencompass, "model_output": _clean_model_output}
"""What each value of the setting ``clean`` does."""
