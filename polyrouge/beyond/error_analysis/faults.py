"""Find outputs that look wrong by plain rules: empty, short, long, repeated, truncated, duplicate."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from polyrouge.beyond.error_analysis.missed_units import TokenRows
from polyrouge.inputs import is_blank
from polyrouge.progress import tell_progress
from polyrouge.texts.sentences import CLOSING_MARKS, split_auto

_SHORT, _LONG = 0.5, 2.0  # times as many tokens as the reference
_REPEATED_SHARE, _LEAST_REPEATED = 0.2, 3
_SENTENCE_LETTERS = 5
_MARKED_SHARE = 0.8

FAULTS = {
    "empty": "The prediction is empty or blank.",
    "no_tokens": "The prediction is not blank, but the settings leave no token of it.",
    "short": "The prediction has less than half as many tokens as its reference.",
    "long": "The prediction has more than twice as many tokens as its reference.",
    "repeated": (
        "More than a fifth of the prediction's 3-grams of tokens, and at least three, repeat earlier ones; or one "
        "does, and a sentence of five letters or more occurs twice."
    ),
    "truncated": (
        "The prediction does not end with a mark that ends a sentence (. ! ? 。 ！ ？ … or a mark of another script; a "
        "closing quote or bracket may follow), though its reference does, and four fifths of all references or more."
    ),
    "duplicate": "The same prediction occurs in another sample with other references.",
}
"""Each kind of fault, and its rule."""

_END_MARKS = frozenset(".!?。｡．！？…⋯؟۔।॥։።፧။។")
_AFTER_THE_END = f"{CLOSING_MARKS}»›“‘«‹*_`"


@dataclass(frozen=True)
class Fault:
    """The outputs of a system with one fault.

    Attributes:
        kind: one of ``FAULTS``.
        applies: whether the rule can be used; ``"truncated"`` needs references that mostly end with a mark.
        n_samples: number of samples with the fault.
        samples: the first of them, from 0.
    """

    kind: str
    applies: bool
    n_samples: int
    samples: tuple[int, ...]

    @property
    def rule(self) -> str:
        """Return the rule in words."""
        return FAULTS[self.kind]


def ends_a_sentence(text: str) -> bool:
    """Say whether a text ends with an end mark, ignoring closing quotes and brackets."""
    return text.rstrip().rstrip(_AFTER_THE_END).rstrip()[-1:] in _END_MARKS


def find_faults(
    predictions: Sequence[str],
    references: Sequence[Sequence[str]],
    tokens: TokenRows,
    lengths: NDArray[np.int64],  # tokens of the reference of each prediction
    compared: Sequence[str | None],  # the references; None for a skipped sample
    most_samples: int,
) -> tuple[Fault, ...]:
    """Find the outputs of a system that look wrong."""
    blank = np.array(list(map(is_blank, predictions)))
    sizes = tokens.sizes
    has_both = (sizes > 0) & (lengths > 0) & ~blank
    has_mark = np.array([text is not None and ends_a_sentence(text) for text in compared])
    n_texts = sum(text is not None and not is_blank(text) for text in compared)
    marks_are_usual = bool(n_texts and has_mark.sum() >= _MARKED_SHARE * n_texts)
    has_end = np.array(list(map(ends_a_sentence, predictions)))
    ids_by_row = np.split(tokens.ids, tokens.offsets[1:-1])
    rows_by_kind = {
        "empty": blank,
        "no_tokens": ~blank & (sizes == 0),
        "short": has_both & (sizes < _SHORT * lengths),
        "long": has_both & (sizes > _LONG * lengths),
        "repeated": np.array(list(map(_is_repeated, predictions, ids_by_row))),
        "truncated": marks_are_usual & has_mark & ~has_end & ~blank,
        "duplicate": _duplicates(predictions, references),
    }
    return tuple(
        Fault(
            kind,
            applies=kind != "truncated" or marks_are_usual,
            n_samples=int(rows.sum()),
            samples=tuple(np.flatnonzero(rows)[:most_samples].tolist()),
        )
        for kind, rows in rows_by_kind.items()
    )


def _is_repeated(text: str, token_ids: NDArray[np.uint32]) -> bool:
    tell_progress(1)
    ids = token_ids.tolist()
    n = len(ids) - 2
    repeated = n - len(set(zip(ids, ids[1:], ids[2:], strict=False))) if n > 1 else 0
    if repeated >= _LEAST_REPEATED and repeated > _REPEATED_SHARE * n:
        return True
    if not repeated:  # far quicker than cutting sentences
        return False
    sentences = ["".join(filter(str.isalnum, sentence)) for sentence in split_auto(text)]
    long_ones = [letters for letters in sentences if len(letters) >= _SENTENCE_LETTERS]
    return len(set(long_ones)) < len(long_ones)


def _duplicates(predictions: Sequence[str], references: Sequence[Sequence[str]]) -> NDArray[np.bool_]:
    references_of: dict[str, set[tuple[str, ...]]] = {}
    for text, row in zip(predictions, references, strict=True):
        references_of.setdefault(text.strip(), set()).add(tuple(row))
    return np.array([not is_blank(text) and len(references_of[text.strip()]) > 1 for text in predictions])
