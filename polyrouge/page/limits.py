"""Limits of a public page: sizes, rows, time. Each has a sentence that tells the visitor."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from polyrouge.page.texts import PageError, say


@dataclass(frozen=True)
class Limits:
    """The limits.

    Attributes:
        text: characters of one text that is typed.
        references: of one prediction that is typed.
        file_megabytes: of one file.
        all_megabytes: of all files of a visitor.
        systems: that are compared.
        rows: of one file.
        unpacked_megabytes: of one file once it is decompressed.
        whole_megabytes: of one JSON array once it is decompressed: it is in memory as a whole.
        row_megabytes: of one row of a file.
        values: of a file: lines, or values in the columns that are read.
        columns: of a file.
        file_text: characters of one text in a file.
        million_characters: of all texts that are scored from files.
        seconds: for one job.
        call_pairs: pairs of one call of an endpoint.
        call_characters: of all its texts.
        link: characters of a link.
        quick_jobs: small jobs at the same time.
        file_jobs: jobs on files at the same time.
        waiting: jobs that may wait.
        sessions: visitors whose files and scores are kept.
        pages: open pages and callers that Gradio remembers, with half a megabyte each; it would take 10,000.
        idle_seconds: after which they are deleted.
    """

    text: int = 10_000
    references: int = 10
    file_megabytes: int = 20
    all_megabytes: int = 60
    systems: int = 12
    rows: int = 20_000
    unpacked_megabytes: int = 100
    whole_megabytes: int = 20
    row_megabytes: int = 4
    values: int = 2_000_000
    columns: int = 1_000
    file_text: int = 100_000
    million_characters: int = 30
    seconds: int = 60
    call_pairs: int = 1_000
    call_characters: int = 200_000
    link: int = 6_000
    quick_jobs: int = 8
    file_jobs: int = 2
    waiting: int = 200
    sessions: int = 24
    pages: int = 60
    idle_seconds: int = 3_600


LIMITS = Limits()


class Deadline:
    """The time until which a job must be done."""

    def __init__(self, seconds: int = LIMITS.seconds) -> None:
        self._seconds = seconds
        self._end = time.monotonic() + seconds

    def check(self) -> None:
        """Raise when the time is over."""
        if time.monotonic() > self._end:
            raise PageError(key="limitTime", most=self._seconds)


def check_pair(prediction: str, references: Sequence[str], language: str) -> None:
    """Refuse what is too much for the text boxes."""
    if not references:
        raise PageError(key="emptyReferences")
    if len(references) > LIMITS.references:
        raise PageError(key="limitReferences", n=len(references), most=LIMITS.references)
    for key, text in (("prediction", prediction), *(("reference", each) for each in references)):
        if len(text) > LIMITS.text:
            raise PageError(key="limitText", what=say(language, key).lower(), n=len(text), most=LIMITS.text)


def check_pairs(predictions: Sequence[object], references: Sequence[object], *more: Sequence[object]) -> None:
    """Refuse what is too much for one call of an endpoint; what is no list of texts is left to the scorer."""
    if not all(isinstance(column, (list, tuple)) for column in (predictions, references, *more)):
        return
    if len(predictions) > LIMITS.call_pairs:
        raise PageError(key="limitPairs", n=len(predictions), most=LIMITS.call_pairs)
    n = 0
    for each in (*predictions, *references, *(text for column in more for text in column)):
        n += sum(len(text) for text in each if isinstance(text, str)) if isinstance(each, list) else len(str(each))
    if n > LIMITS.call_characters:
        raise PageError(key="limitText", what="call", n=n, most=LIMITS.call_characters)
