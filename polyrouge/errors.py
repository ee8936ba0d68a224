"""Messages as data: refusals and notes, whose sentences Python, the command and the page word each in their way."""

import re
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple, TypeAlias

_NOT_THE_CALLER = ("polyrouge", "evaluate", "evaluate_modules")
# What ends a line, what a terminal obeys, what turns the order of a line, and what no encoding has.
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

_MOST_NAMES = 10  # that a message lists
_COMPARED = 100  # characters of a value that are held against the names
_SIMILAR = 0.5  # the least similarity of a name that is suggested

_collected: ContextVar[list[str] | None] = ContextVar("polyrouge_warnings", default=None)


class Option(NamedTuple):
    """A setting or argument in a sentence: ``beta=2.0`` in Python, ``--beta 2.0`` for the command."""

    name: str
    value: Any = ...  # the name alone


Sentence: TypeAlias = Sequence[str | Option]
"""A message before it has a reader: texts, and options where a setting or an argument is named."""


def in_python(sentence: Sentence) -> str:
    """Return the sentence for who calls Python: ``beta=2.0``."""
    return "".join(
        part if isinstance(part, str) else part.name if part.value is ... else f"{part.name}={part.value!r}"
        for part in sentence
    )


class Refused(Exception):  # noqa: N818 # as it reads where it is caught
    """An input that can't be meant; the text is the sentence in Python's words.

    Attributes:
        sentence: what was given, in which row, what is allowed, what to do.
    """

    def __init__(self, *sentence: str | Option) -> None:
        self.sentence = tuple(map(_visible_part, sentence))
        super().__init__(*self.sentence)

    def __str__(self) -> str:
        return in_python(self.sentence)

    @property
    def field(self) -> str:
        """The name of the first setting or argument in the sentence; "" for none."""
        return next((part.name for part in self.sentence if isinstance(part, Option)), "")


class RefusedValue(Refused, ValueError):  # noqa: N818
    """A value that is not allowed."""


class RefusedType(Refused, TypeError):  # noqa: N818
    """A value of a wrong type."""


class Note(str):
    """What looks wrong in a call: a text in Python's words, which keeps its sentence for other readers.

    Attributes:
        sentence: the message.
        kind: what the note is about, by which the page has sentences of its own; "" where it has none.
        values: what stands in them, by name.
    """

    sentence: Sentence
    kind: str
    values: dict[str, Any]

    def __new__(cls, *sentence: str | Option, kind: str = "", **values: Any) -> "Note":
        """Word the sentence."""
        parts = tuple(map(_visible_part, sentence))
        note = super().__new__(cls, in_python(parts))
        note.sentence, note.kind, note.values = parts, kind, values
        return note

    def __reduce__(self) -> Any:
        return note_from, (as_plain(self),)


def sentence_of(message: Exception | str) -> Sentence:
    """Return the sentence of an error or a warning; its text where it has no parts."""
    if isinstance(message, Exception) and message.args and isinstance(message.args[0], Note):
        message = message.args[0]  # of Python's own errors for what is missing
    return message.sentence if isinstance(message, (Refused, Note)) else (str(message),)


def as_plain(message: Exception | str) -> dict[str, Any]:
    """Return a message as values of JSON, for another process."""
    parts = [part if isinstance(part, str) else [part.name, *_plain_value(part.value)] for part in sentence_of(message)]
    about = {"kind": message.kind, **message.values} if isinstance(message, Note) else {}
    return {"sentence": parts, **about}


def note_from(plain: Mapping[str, Any]) -> Note:
    """Return the note that ``as_plain`` wrote; of an error a note with its sentence."""
    about = dict(plain)
    parts = [part if isinstance(part, str) else Option(*part) for part in about.pop("sentence")]
    return Note(*parts, **about)


def _plain_value(value: Any) -> list[Any]:
    if value is ...:
        return []
    return [value if isinstance(value, (str, int, float, list, tuple, dict, type(None))) else short_repr(value)]


def _visible_part(part: str | Option) -> str | Option:
    return visible(part) if isinstance(part, str) else part


class RougeWarning(UserWarning):
    """A score was computed, but probably not the one that was meant."""


def visible(text: str) -> str:
    """Return the text in one line, with symbols in place of characters that a terminal would obey: ``␛`` for ESC."""
    return text if text.isprintable() else _UNSEEN.sub(_symbol, text)


def _symbol(match: re.Match[str]) -> str:
    code = ord(match[0])
    return chr(0x2400 + code) if code < 0x20 else "␡" if code == 0x7F else f"\\u{code:04x}"


def own_name(value: object, allowed: Iterable[str], synonyms: Mapping[str, str] | None = None) -> str | None:
    """The name that a text is, or is another spelling of, or the only one that it is a synonym of; None for none.

    ``synonyms``: our names with what others call the same thing, folded, in one text.
    """
    if not isinstance(value, str):
        return None
    names = list(allowed)
    if value in names:
        return names[names.index(value)]  # not a member of an enum
    key = folded(value)
    same = [name for name in names if key and folded(name) == key]
    same = same or [name for name, other_names in (synonyms or {}).items() if key in other_names.split()]
    return same[0] if len(same) == 1 else None


def unknown_value(
    value: object, allowed: Iterable[str], noun: str | Option, other_names: Mapping[str, str] | None = None
) -> RefusedValue:
    """Return the error for an unknown value; ``other_names``: our names, each with words that may mean it."""
    from difflib import SequenceMatcher

    names = [visible(str(name)) for name in allowed]
    shown = repr(value) if isinstance(value, str) else short_repr(value)
    typed = value if isinstance(value, str) else shown
    key = folded(typed)
    same = [name for name in names if key and folded(name) == key]
    same += [name for name, synonyms in (other_names or {}).items() if key in synonyms.split()]
    matcher = SequenceMatcher(None, "", typed[:_COMPARED])
    ratios = {}
    for name in names:
        matcher.set_seq1(name)
        ratios[name] = matcher.ratio()
    ranked = sorted(names, key=ratios.__getitem__, reverse=True)
    nearest = list(dict.fromkeys(same)) or [name for name in ranked[:1] if ratios[name] >= _SIMILAR]
    hint = f"Did you mean {' or '.join(map(repr, nearest))}? " if nearest else ""
    choices = f"choose one of {', '.join(names)}"
    if len(names) > _MOST_NAMES:
        listed = [*dict.fromkeys([*(name for name in nearest if name in ratios), *ranked])][:_MOST_NAMES]
        choices = f"the nearest of {len(names)} are {', '.join(listed)}"
    return RefusedValue(f"{hint}Unknown ", noun, f" {shown}; {choices}.")


def folded(name: str) -> str:
    """Return a name for comparing with other spellings of it: letters and digits only, in lower case."""
    return "".join(filter(str.isalnum, name.casefold()))


def shown_value(value: object) -> str:
    """Return a value for a message: its first 40 characters as Python writes it, and its type."""
    return f"{short_repr(value)} ({type(value).__name__})"


def short_repr(value: Any) -> str:
    """Return the first 40 characters of a value as Python writes it."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a whole number of thousands of digits, or lists in lists in lists
        return f"a number of {value.bit_length()} bits" if isinstance(value, int) else "too long to show"
    return text if len(text) <= 40 else f"{text[:39]}…"


def warn_user(message: str) -> None:
    """Warn with a ``RougeWarning`` that points at the caller's line, not at ours or evaluate's."""
    message = visible(message)
    if (collected := _collected.get()) is not None:
        collected.append(message)
        return
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in _NOT_THE_CALLER:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, RougeWarning, stacklevel=level)


def warn_of(messages: Iterable[str]) -> None:
    """Warn with each message, as ``warn_user`` does."""
    for message in messages:
        warn_user(message)


@contextmanager
def needs_extra(feature: str, extra: str) -> Iterator[None]:
    """Import the libraries of an extra; one that is missing is named with the command that brings it.

    Args:
        feature: that needs them, as the message begins: ``"Parquet files"``.
        extra: of pyproject.toml.

    Raises:
        ModuleNotFoundError: a library is missing.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        message = f'{feature} needs {library}: pip install "polyrouge[{extra}]"'
        raise ModuleNotFoundError(message, name=error.name) from None


@contextmanager
def hearing_warnings() -> Iterator[list[str]]:
    """Collect the messages of this thread in a list instead; ``warnings.catch_warnings`` changes all threads."""
    collected: list[str] = []
    token = _collected.set(collected)
    try:
        yield collected
    finally:
        _collected.reset(token)
