"""Limits of a public page. Each that a visitor meets has a sentence that tells it."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from polyrouge.page.wording import PageError, say


@dataclass(frozen=True)
class Limits:
    """What the page takes, and what a job on files may use."""

    text: int = 10_000  # characters of one text that is typed
    references: int = 10  # of one prediction that is typed
    pair: int = 25_000  # characters of both: any choice of types and conventions takes about two seconds
    call_pairs: int = 1_000  # of one call of an endpoint
    call_characters: int = 200_000
    call_gap: int = 100  # of rougeS and rougeSU
    call_seconds: int = 20
    file_megabytes: int = 20  # of one file
    systems: int = 12  # that are compared
    rows: int = 20_000  # of a file
    million_characters: int = 30  # of all texts that are scored
    marks: int = 100  # combining ones in a row, which take time with the square of their number
    call_texts: int = 10_000  # predictions and references of one call of an endpoint
    quick_product: int = 1_000_000  # characters of a prediction times those of its references, without a process
    text_seconds: int = 5  # for typed texts above that
    wait_seconds: int = 5  # for a free process
    jobs: int = 2  # of a kind (uploads, files, typed texts, calls), at the same time
    processes: int = 6  # of all kinds
    waiting: int = 300  # requests of all
    waiting_of_session: int = 20
    waiting_of_address: int = 100
    calls_of_address: int = 20  # of endpoints, that wait or run
    body_megabytes: int = 2  # of one request that is no upload
    upload_parts: int = 24  # files of one upload
    store_megabytes: int = 2_000  # of all files that the page keeps
    address_megabytes: int = 500  # of the visitors of one address
    upload_minutes: int = 10  # after which an upload that nobody has taken is deleted
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
        _check_marks(text)
    n = sum(map(len, (prediction, *references)))
    if n > LIMITS.pair:
        raise PageError("limitPair", n=n, most=LIMITS.pair)


def check_pairs(predictions: Sequence[object], references: Sequence[object], *more: Sequence[object]) -> None:
    """Refuse what is too much for one call of an endpoint; what is no list of texts is left to the scorer."""
    if not all(isinstance(column, (list, tuple)) for column in (predictions, references, *more)):
        return
    if len(predictions) > LIMITS.call_pairs:
        raise PageError("limitPairs", n=len(predictions), most=LIMITS.call_pairs)
    n = n_texts = 0
    for value in chain(predictions, references, *more):
        n_texts += len(value) if isinstance(value, list) else 1
        n += sum(len(text) for text in value if isinstance(text, str)) if isinstance(value, list) else len(str(value))
    if n > LIMITS.call_characters:
        raise PageError("limitText", what="call", n=n, most=LIMITS.call_characters)
    if n_texts > LIMITS.call_texts:
        raise PageError("limitTexts", n=n_texts, most=LIMITS.call_texts)
    for value in chain(predictions, references, *more):
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str):
                _check_marks(text)


def _check_marks(text: str) -> None:
    """Refuse a long run of combining marks: Unicode's normal forms sort it, in the time of its square."""
    n = 0
    for character in "" if text.isascii() else text:
        n = n + 1 if unicodedata.combining(character) else 0
        if n > LIMITS.marks:
            raise PageError("limitMarks", most=LIMITS.marks)
