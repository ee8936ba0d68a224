"""Read ROUGE-1.5.5's files: lists of paths, and texts in the formats SPL, SEE, ISI and SIMPLE.

Line numbers without a file point into ROUGE-1.5.5.pl.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from polyrouge.errors import unknown_value
from polyrouge.tools.rouge155 import split_sentences155

BLANKS = " \t\n\v\f\r"  # those of ASCII: the script reads bytes

INPUT_FORMATS = ("SEE", "SPL", "ISI", "SIMPLE")


class ConfigurationError(ValueError):
    """A configuration, a list or a text does not say what the script needs; the message has file and line."""


class FileEntry(NamedTuple):
    """One text of an evaluation."""

    path: str  # as the configuration gives it, below its root
    place: str  # file and line that name it, for messages


@dataclass
class EvaluationEntry:
    """One evaluation of a configuration."""

    name: str  # its ID
    place: str  # file and line where it begins
    input_format: str  # one of INPUT_FORMATS
    predictions: dict[str, FileEntry]  # of each system (peer)
    references: list[FileEntry]  # the texts to compare with (models), in order
    notes: list[str] = field(default_factory=list)  # what looks wrong, although the script accepts it


def read_file_list(path: str | os.PathLike[str], input_format: str, system: str) -> list[EvaluationEntry]:
    """Read a list, one evaluation a line: the prediction's path, then those of its references (``-z``, 2943-3020).

    Paths can't hold blanks. Blank lines and lines that start with # are skipped; the other ones are
    evaluations 1, 2, 3 and so on.
    """
    file = os.fspath(path)
    entries = []
    for number, line in enumerate(_lines(file), start=1):
        paths = re.split(r"\s+", line.strip(BLANKS), flags=re.ASCII)
        if line.startswith("#") or paths == [""]:
            continue
        place = f"{file}, line {number}"
        if len(paths) < 2:
            raise ConfigurationError(
                f"{place}: only one path, {paths[0]!r}; give the prediction's and those of its references."
            )
        prediction, *references = (FileEntry(name, place) for name in paths)
        name = str(len(entries) + 1)
        entries.append(EvaluationEntry(name, place, input_format, {system: prediction}, references))
    return entries


_SEE_SENTENCE = re.compile(
    r'<a (?:size="[0-9]+" )?name="[0-9]+">\[[0-9]+\]</a>\s+<a href="#[0-9]+" id=[0-9]+>([^<]+)', re.ASCII
)
_ISI_SENTENCE = re.compile('<S SNTNO="[0-9a-z,]+">([^<]+)</S>')


def read_sentences155(path: str | os.PathLike[str], input_format: str) -> list[str]:
    r"""The sentences of one text (1834-1862).

    * SPL: each line that is not empty.
    * SEE: lines that start with ``<a name="1">[1]</a> <a href="#1" id=1>`` (a ``size`` may come
      first); the text up to the next ``<``. Entities stay as they are: ``&amp;`` gives ``amp``.
    * ISI: lines that start with ``<S SNTNO="1">``; the text up to ``</S>``.
    * SIMPLE: basic elements, each line one (1941-1967).

    Bytes that are no UTF-8 become lone surrogates, from which the bytes can be made again.
    """
    kind = input_format.upper()
    if kind not in INPUT_FORMATS:
        raise ConfigurationError(str(unknown_value(input_format, INPUT_FORMATS, f"input format of {os.fspath(path)}")))
    if kind == "SPL":
        return split_sentences155("".join(_lines(path)))
    if kind == "SIMPLE":
        return [line.removesuffix("\n") for line in _lines(path)]
    find = (_SEE_SENTENCE if kind == "SEE" else _ISI_SENTENCE).match
    return [found[1] for found in map(find, _lines(path)) if found]


def _lines(path: str | os.PathLike[str]) -> list[str]:
    """The lines of a file with their line feeds, the only character that ends one."""
    parts = Path(path).read_bytes().decode("utf-8", "surrogateescape").split("\n")
    last = parts.pop()
    return [part + "\n" for part in parts] + ([last] if last else [])
