"""Limits of a public page. Each that a visitor meets has a sentence that tells it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from polyrouge.page.wording import PageError, say


@dataclass(frozen=True)
class Limits:
    """What the page takes, and what a job on files may use."""

    text: int = 10_000  # characters of one text that is typed
    references: int = 10  # of one prediction that is typed
    call_pairs: int = 1_000  # of one call of an endpoint
    call_characters: int = 200_000
    call_gap: int = 100  # of rougeS and rougeSU
    call_seconds: int = 20
    file_megabytes: int = 20  # of one file
    systems: int = 12  # that are compared
    rows: int = 20_000  # of a file
    million_characters: int = 30  # of all texts that are scored
    jobs: int = 2  # on files, at the same time
    seconds: int = 60  # for one job
    memory_megabytes: int = 2_000  # for one job, addresses that it has not filled included
    idle_minutes: int = 60  # after which files are deleted


LIMITS = Limits()


def check_pair(prediction: str, references: Sequence[str], language: str) -> None:
    """Refuse what is too much for the text boxes."""
    if not references:
        raise PageError("emptyReferences")
    if len(references) > LIMITS.references:
        raise PageError("limitReferences", n=len(references), most=LIMITS.references)
    for key, text in (("prediction", prediction), *(("reference", reference) for reference in references)):
        if len(text) > LIMITS.text:
            raise PageError("limitText", what=say(language, key).lower(), n=len(text), most=LIMITS.text)


def check_pairs(predictions: Sequence[object], references: Sequence[object], *more: Sequence[object]) -> None:
    """Refuse what is too much for one call of an endpoint; what is no list of texts is left to the scorer."""
    if not all(isinstance(column, (list, tuple)) for column in (predictions, references, *more)):
        return
    if len(predictions) > LIMITS.call_pairs:
        raise PageError("limitPairs", n=len(predictions), most=LIMITS.call_pairs)
    n = 0
    for value in chain(predictions, references, *more):
        n += sum(len(text) for text in value if isinstance(text, str)) if isinstance(value, list) else len(str(value))
    if n > LIMITS.call_characters:
        raise PageError("limitText", what="call", n=n, most=LIMITS.call_characters)
