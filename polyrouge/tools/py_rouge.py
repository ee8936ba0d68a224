"""Tokens, stems and length limits of py-rouge 1.1 (Diego999/py-rouge).

Where nothing else is said they are those under its option ``ensure_compatibility``, which is on by default: each line
is a sentence.
Its tables belong to others and are not part of this package: they are read from the installed ``py-rouge``,
or from a folder.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from polyrouge.texts.tokenizers import Tokenize, TokenizerOptions, built_in_tokenizer
from polyrouge.tools.common import PLAIN, THREE_TYPES, Convention, installed_tables, limited, porter_stemmer

_STEM_FILES = ("wordnet_key_value.txt", "wordnet_key_value_special_cases.txt")
_find_words = re.compile("[a-z0-9]+").findall

# In a text of letters, digits and blanks, all that NLTK's word tokenizer does is to split at blanks and to cut these
# contractions. It would cut "cannot" too: py-rouge writes _cannot_ before and puts it back afterwards.
_CONTRACTIONS = {
    "gimme": ("gim", "me"),
    "gonna": ("gon", "na"),
    "gotta": ("got", "ta"),
    "lemme": ("lem", "me"),
    "wanna": ("wan", "na"),
}


def py_rouge_tokenizer(compatible: bool = True) -> Callable[[str], list[str]]:
    """Return ``tokenize(text) -> tokens``, not stemmed; ``compatible`` keeps "cannot" in one piece.

    The text is lower-cased as Unicode has it (the Kelvin sign becomes a k), each character outside
    [A-Za-z0-9] a blank, and the rest is cut by NLTK's word tokenizer: gonna -> gon na.
    """
    contractions = _CONTRACTIONS if compatible else {**_CONTRACTIONS, "cannot": ("can", "not")}

    def tokenize(text: str) -> list[str]:
        words = _find_words(text.lower())
        if contractions.keys().isdisjoint(words):
            return words
        return [part for word in words for part in contractions.get(word, (word,))]

    return tokenize


def py_rouge_stem(folder: str | os.PathLike[str] | None = None, compatible: bool = True) -> Callable[[str], str]:
    """Return py-rouge's stemmer: its two tables, else NLTK's Porter stemmer as Porter published it.

    Tokens of at most three characters stay as they are. What a table gives is not stemmed again. Without
    ``compatible`` its first table only, and NLTK's own variant of Porter.
    """
    stems = load_py_rouge_stems(folder, compatible)
    porter = porter_stemmer("ORIGINAL_ALGORITHM" if compatible else "NLTK_EXTENSIONS").stem

    @functools.lru_cache(maxsize=1 << 17)
    def stem_token(token: str) -> str:
        # Stemmed while it still holds the underscores: cannots -> _cannot_s -> _cannot_ -> cannot.
        token = token.replace("cannot", "_cannot_")
        if len(token) > 3:
            stem = stems.get(token)
            token = porter(token) if stem is None else stem
        return token.replace("_cannot_", "cannot")

    return stem_token


def load_py_rouge_stems(folder: str | os.PathLike[str] | None = None, compatible: bool = True) -> dict[str, str]:
    """A stem for each word of py-rouge's tables, in the installed package ``py-rouge`` unless a folder is given.

    They are 5,930 exceptions of WordNet 2.0, and 138 words that ROUGE-1.5.5 stems in another way.
    """
    if folder is None:
        folder = installed_tables("py-rouge", "rouge", f"py-rouge's stemming needs the table {_STEM_FILES[0]}")
    stems: dict[str, str] = {}
    for name in _STEM_FILES if compatible else _STEM_FILES[:1]:
        file = Path(folder) / name
        if not file.is_file():
            raise FileNotFoundError(
                f"{file} does not exist; py-rouge's stemming needs a folder with {' and '.join(_STEM_FILES)}, "
                "which `pip install py-rouge` brings along."
            )
        stems.update(_read_pairs(file))
    return stems


def _read_pairs(file: Path) -> Iterable[tuple[str, str]]:
    for number, line in enumerate(file.read_text(encoding="utf-8").strip().split("\n"), 1):
        word, _, stem = line.strip().partition("|")
        if not (word and stem) or "|" in stem:
            raise ValueError(f"{file}, line {number} is {line!r}; it must be a word, a bar and its stem: word|stem.")
        yield word, stem


def limit_py_rouge(
    sentences: Sequence[str], max_words: int | None = None, max_characters: int | None = None
) -> list[str]:
    """The beginning of a text, as py-rouge cuts it: by its default after 665 characters.

    py-rouge speaks of bytes, but counts code points. Blanks around a sentence are removed first, and what
    joins sentences is not counted. Words are pieces between blanks (``str.split``).
    """
    if max_words:
        return limited([" ".join(sentence.split()) for sentence in sentences], max_words, str.split, " ".join)
    if max_characters:
        return limited([sentence.strip() for sentence in sentences], max_characters, str, str)
    return list(sentences)


@built_in_tokenizer(
    "py_rouge",
    "py-rouge: as ascii, but gonna and the like are two tokens",
    cuts_at_sentences=True,
    drops_letters=True,
    is_general=False,
)
def build_py_rouge(_options: TokenizerOptions) -> Tokenize:
    """NLTK's word tokenizer, on the ASCII letters and digits of a text; every other character is a blank."""
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
