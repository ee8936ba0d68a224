"""py-rouge 1.1 (Diego999/py-rouge): tokens, stems and length limits.

``compatible`` is its option ``ensure_compatibility``, on by default. Its tables have other owners: they are
read from the installed ``py-rouge``, or from a folder.
"""

import os
import re
from collections.abc import Callable
from pathlib import Path

from polyrouge.conventions import common
from polyrouge.conventions.common import PLAIN, THREE_TYPES, Convention, Cut
from polyrouge.texts.tokenizers import OWN_PUNCTUATION, Tokenize, TokenizerOptions, built_in_tokenizer

_STEM_FILES = ("wordnet_key_value.txt", "wordnet_key_value_special_cases.txt")
_find_words = re.compile("[a-z0-9]+").findall

# On letters, digits and blanks, NLTK's word tokenizer only splits at blanks and cuts these contractions after the third
# letter. It would cut "cannot" too, so py-rouge writes _cannot_ before and restores it afterwards.
_CONTRACTIONS = frozenset({"gimme", "gonna", "gotta", "lemme", "wanna"})


def py_rouge_tokenizer(compatible: bool = True) -> Callable[[str], list[str]]:
    """Cut the lower-cased text, reduced to ASCII letters and digits, into NLTK's words."""
    contractions = _CONTRACTIONS if compatible else _CONTRACTIONS | {"cannot"}

    def tokenize(text: str) -> list[str]:
        words = _find_words(text.lower())
        if contractions.isdisjoint(words):
            return words
        return [part for word in words for part in ((word[:3], word[3:]) if word in contractions else (word,))]

    return tokenize


def stemmer(tables: str | os.PathLike[str] | None = None, compatible: bool = True) -> Callable[[str], str]:
    """Stem by its tables, else by NLTK's Porter; without ``compatible`` by one table and NLTK's own variant."""
    porter = common.porter_stemmer("ORIGINAL_ALGORITHM" if compatible else "NLTK_EXTENSIONS").stem
    stem = common.token_stemmer(porter, load_py_rouge_stems(tables, compatible))
    # Stemmed with the underscores: cannots -> _cannot_s -> _cannot_ -> cannot.
    return common.token_stemmer(
        lambda token: stem(token.replace("cannot", "_cannot_")).replace("_cannot_", "cannot"), shortest=0
    )


def load_py_rouge_stems(folder: str | os.PathLike[str] | None = None, compatible: bool = True) -> dict[str, str]:
    """Load the stems of 5,930 exceptions of WordNet 2.0, and of 138 words that ROUGE-1.5.5 stems otherwise."""
    if folder is None:
        folder = common.installed_tables("py-rouge", "rouge", f"py-rouge's stemming needs the table {_STEM_FILES[0]}")
    need = f"py-rouge's stemming needs a folder with {' and '.join(_STEM_FILES)}, which `pip install py-rouge`"
    stems: dict[str, str] = {}
    for file in (Path(folder) / name for name in (_STEM_FILES if compatible else _STEM_FILES[:1])):
        for number, line in enumerate(common.table_text(file, need).strip().split("\n"), 1):
            word, _, stem = line.strip().partition("|")
            if not (word and stem) or "|" in stem:
                raise ValueError(
                    f"{file}, line {number} is {line!r}; it must be a word, a bar and its stem: word|stem."
                )
            stems[word] = stem
    return stems


def _cut_characters(sentence: str, limit: int) -> tuple[str, int]:
    """Cut after code points, which py-rouge calls bytes, without the blanks around a sentence."""
    return common.cut_characters(sentence.strip(), limit)


CUTS: dict[str, Cut] = {"words": common.cut_words, "characters": _cut_characters}


@built_in_tokenizer(
    "py_rouge",
    "py-rouge: as ascii, but gonna and the like are two tokens",
    cuts_at_sentences=True,
    drops_letters=True,
    is_general=False,
    alike={**OWN_PUNCTUATION, "lowercase": (True, False, "ascii")},
)
def _build_py_rouge(_options: TokenizerOptions) -> Tokenize:
    return py_rouge_tokenizer()


CONVENTIONS = (
    Convention(
        "py_rouge",
        PLAIN.replace(
            rouge_types=THREE_TYPES,
            tokenizer="py_rouge",
            use_stemmer=True,
            tool={
                "stemmer": "py_rouge",
                "limit_rule": "py_rouge",
                "lcs": "union",
                "definition": "rouge155",
                "alpha": 0.5,
                "quirks": ("powered_lcs", "py_rouge_choice", "unclipped_totals"),
            },
            max_characters=665,
            weight=1.0,
            multi_reference="pooled",
            aggregate="running_mean",
        ),
        "py-rouge 1.1 (Diego999), get_scores() with its defaults",
        used_by="TextBox and papers on SAMSum (weight=1.2), DialogSum",
        unusual="stems, and cuts every text after 665 characters, unless told not to; rougeL is summary level",
    ),
)
