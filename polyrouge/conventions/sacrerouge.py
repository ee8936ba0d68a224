"""sacrerouge 0.2.5 (danieldeutsch/sacrerouge), as its ``PythonRouge`` scores: its stems and length limits.

Its tokens, stop words and tables of exceptions come from ROUGE-1.5.5.
"""

from collections.abc import Callable

from polyrouge.conventions.common import PLAIN, THREE_TYPES, Convention, Cut, cut_words, porter_stemmer, token_stemmer
from polyrouge.conventions.rouge155 import load_wordnet_exceptions


def stemmer(tables: str | None) -> Callable[[str], str]:
    """Stem by WordNet 2.0's exceptions, else by NLTK's Porter as published: government, where the script has govern."""
    return token_stemmer(porter_stemmer("ORIGINAL_ALGORITHM").stem, load_wordnet_exceptions(tables))


def _cut_characters(sentence: str, limit: int) -> tuple[str, int]:
    """Cut after characters, which sacrerouge calls bytes; the sentence is stripped after the cut, then counted."""
    piece = sentence[:limit].strip()
    return piece, len(piece)


CUTS: dict[str, Cut] = {"words": cut_words, "characters": _cut_characters}

CONVENTIONS = (
    Convention(
        "sacrerouge",
        PLAIN.replace(
            rouge_types=THREE_TYPES,
            tokenizer="rouge155",
            use_stemmer=True,
            tool={
                "stemmer": "sacrerouge",
                "limit_rule": "sacrerouge",
                "lcs": "union",
                "definition": "rouge155",
                "quirks": ("percent_ratios",),
            },
            multi_reference="pooled",
            # percent_ratios also makes its scale 100
        ),
        "sacrerouge 0.2.5 python-rouge; a text's lines are its sentences",
        unusual="WordNet's exceptions, then NLTK's Porter stemmer; rougeL is summary level; scale 100",
    ),
)
