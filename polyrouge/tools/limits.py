"""Cut a text at a length limit, before it is tokenized. A setting says by which tool's rule."""

from __future__ import annotations

from collections.abc import Sequence

from polyrouge.texts.patterns import pattern
from polyrouge.tools.py_rouge import limit_py_rouge
from polyrouge.tools.sacrerouge import limit_sacrerouge
from polyrouge.tools.sumeval import limit_sumeval

_PERL_BLANKS = pattern(r"[ \t\n\v\f\r]+")


def limit_text(
    sentences: Sequence[str],
    rule: str,
    max_words: int | None = None,
    max_bytes: int | None = None,
    max_characters: int | None = None,
    language: str = "en",
) -> Sequence[str]:
    """The beginning of a text, as long as the limit allows.

    Args:
        sentences: the sentences of the text.
        rule: ``"rouge155"``, ``"py_rouge"``, ``"sacrerouge"`` or ``"sumeval"``.
        max_words: words to keep, as the rule counts them; None means all.
        max_bytes: bytes to keep; ROUGE-1.5.5's rule only.
        max_characters: characters to keep, as the rule counts them.
        language: for sumeval's rule, which takes the text for one sentence.
    """
    if rule == "py_rouge":
        return limit_py_rouge(sentences, max_words, max_characters)
    if rule == "sacrerouge":
        return limit_sacrerouge(sentences, max_words=max_words, max_bytes=max_characters)
    if rule == "sumeval":
        return [limit_sumeval(sentence, language, max_words, max_characters) for sentence in sentences]
    if max_words is not None:
        return limit_words(sentences, max_words)
    if max_bytes is not None:
        return limit_bytes(sentences, max_bytes)
    if max_characters is not None:
        return limit_characters(sentences, max_characters)
    return sentences


def limit_words(sentences: Sequence[str], max_words: int) -> list[str]:
    """The first ``max_words`` words of a text, as ROUGE-1.5.5 counts them (``-l``).

    Words are pieces between blanks, so a free-standing comma is one; blanks at the start of a
    sentence make one empty word that counts. A sentence that ends below the limit is kept as it
    is; the one that reaches it is cut, its words joined by one blank.
    """
    kept, used = [], 0
    for sentence in sentences:
        words = _PERL_BLANKS.split(sentence)
        while words and not words[-1]:
            words.pop()
        if used + len(words) >= max_words:
            kept.append(" ".join(words[: max_words - used]))
            break
        kept.append(sentence)
        used += len(words)
    return kept


def limit_bytes(sentences: Sequence[str], max_bytes: int) -> list[str]:
    """The first ``max_bytes`` bytes (UTF-8) of a text, as ROUGE-1.5.5 counts them (``-b``).

    What joins the sentences is not counted. The cut may fall into a word. A character that it
    falls into is dropped.
    """
    kept, used = [], 0
    for sentence in sentences:
        data = sentence.encode()
        if used + len(data) >= max_bytes:
            kept.append(data[: max_bytes - used].decode(errors="ignore"))
            break
        kept.append(sentence)
        used += len(data)
    return kept


def limit_characters(sentences: Sequence[str], max_characters: int) -> list[str]:
    """The first ``max_characters`` code points of the sentences together; what joins them is not counted."""
    kept, left = [], max_characters
    for sentence in sentences:
        kept.append(sentence[:left])
        left -= len(sentence)
        if left <= 0:
            break
    return kept
