"""Cutting a text into sentences, for the types that look at them: rougeLsum, union L and rougeW."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import NamedTuple

from polyrouge.errors import unknown_value
from polyrouge.texts.patterns import pattern
from polyrouge.texts.registration import check_new_name

SplitSentences = Callable[[str], Sequence[str]]

CHINESE_SENTENCE_MARKS = "。｡！？；…⋯"
HALF_WIDTH_MARKS = "!?;"  # not the full stop, which stands within names: 史蒂夫.乔布斯
CLOSING_MARKS = "”’」』】）》〉〕〗〞〟\"')]"
LINE_BREAKS = "\n\r\u2028\u2029"
SEPARATORS_OF_TOOLS = ("<q>", "<n>", "<br>", "<S_SEP>", r"\n")  # that files of systems hold between sentences
_PREFIX = 2000  # characters of a text that ``better_split`` looks at

# Every pattern takes linear time: a repetition can begin at one place of a run only.
_BREAK = f"{CHINESE_SENTENCE_MARKS}{LINE_BREAKS}"
_CLOSING = f"[{re.escape(CLOSING_MARKS)}]*"
_HAN = "[\u3400-\u9fff]"
_CHINESE_SENTENCE = pattern(
    rf"[^{_BREAK}]+(?:[{CHINESE_SENTENCE_MARKS}]+{_CLOSING})?|[{CHINESE_SENTENCE_MARKS}]+{_CLOSING}"
)
_BETWEEN_HAN = pattern(rf"[!?;](?<={_HAN}.)[!?;]*{_CLOSING}(?=[ \u3000]*{_HAN})")
# Marks that end a sentence before a blank or the end: Latin, Greek, Cyrillic, Arabic, Devanagari, Armenian, Ethiopic.
_END = "[.!?؟۔।॥։።…]"
_CLOSING_ALL = _CLOSING.replace("]*", "»›]*")  # « » of Arabic, Russian and French
# What goes on with a Korean sentence behind a quotation in it: "갔다." 라고 말했다; without a blank all that is Hangul.
_KOREAN_SPEECH = r"(?!(?<=[\"'”’」』])\s(?:이?라(?:고|며|는|면서)|하고|하며)(?![가-힣]))"
_SPACED_END = rf"{_END}(?<!{_END}{_END}){_END}*{_CLOSING_ALL}(?=\s|$){_KOREAN_SPEECH}"
# One that ends a sentence whatever follows: Arabic, Devanagari, Ethiopic, Burmese, Khmer but for its "and so on".
_OWN_MARKS = "؟۔।॥።။៕។"
_OWN_END = rf"[{_OWN_MARKS}](?<![{_OWN_MARKS}][{_OWN_MARKS}])(?<!។ល។)(?!ល។)[{_OWN_MARKS}]*{_CLOSING_ALL}"
# Without a blank: . ! ? between Korean sentences, by the syllable that a verb ends with; ! ? beside kana.
_KOREAN_END = r"[.!?](?<=[다요죠까].)[.!?]*(?=[가-힣])"
_KANA_END = rf"[!?](?<=[\u3041-\u30ff\u3400-\u9fff].)[!?]*{_CLOSING}(?=[\u3041-\u30ff\u3400-\u9fff])"
_AUTO_END = pattern("|".join((_SPACED_END, _OWN_END, _KOREAN_END, _KANA_END)))
_BEGINS_END = pattern(f"[{_END[1:-1]}{_OWN_MARKS}]")  # each match of _AUTO_END; to look for it is ten times as quick
_MARKS = pattern(f"([!?;{CHINESE_SENTENCE_MARKS}]+{_CLOSING})")
_ANY_END = pattern(rf"[{_BREAK}{_OWN_MARKS}]|{_HAN}[!?;]|{_END}{_CLOSING_ALL}\s|{_KOREAN_END}|{_KANA_END}")
# A quotation that the sentence goes on after: 「…。」と言った.
_GOES_ON = pattern(rf"[{CHINESE_SENTENCE_MARKS}][」』）)”’]+(?=(?:と|って|など|[のをはがもにで]))")
# With one of these each match of _ANY_END begins, or has it next.
_MARKS_OF_ENDS = tuple(dict.fromkeys(f"{_BREAK}!?;{_END[1:-1]}{_OWN_MARKS}"))
# Words with a full stop behind them, in which no letter stands before them; Han and kana may, without a blank.
_NO_END = pattern(
    r"(?<![^\W\u3040-\u30FF\u3400-\u9FFF])(?:Mr|Mrs|Ms|Dr|Prof|Rev|Gen|Col|Lt|Sgt|Capt|Sen|Rep|Gov|St|Jr|Sr|vs|etc|No|Fig"
    r"|approx|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec|[a-z]\.[a-z]|[A-Z])\.$"
)
_LONGEST_NO_END = 6  # letters: approx


def split_newline(text: str) -> list[str]:
    r"""The lines with a character; only ``\n`` ends a line, as in ROUGE-1.5.5 (1853-1862) and rouge_score."""
    return list(filter(None, text.split("\n")))


def split_chinese(text: str) -> list[str]:
    """Cut after 。！？；…, after ! ? ; between Han characters, and at line breaks; closing quotes stay with a mark."""
    sentences = _CHINESE_SENTENCE.findall(text)
    if not any(map(text.__contains__, HALF_WIDTH_MARKS)):
        return sentences
    return [piece for sentence in sentences for piece in _cut_after(_BETWEEN_HAN, sentence)]


def _cut_after(ends: re.Pattern[str], text: str) -> list[str]:
    places = [0, *(match.end() for match in ends.finditer(text)), len(text)]
    return [text[start:end] for start, end in itertools.pairwise(places) if start < end]


def split_auto(text: str) -> list[str]:
    """Cut at line breaks and Chinese marks; if the text has no line break, at the marks of other scripts too."""
    parts = split_chinese(text)
    if _GOES_ON.search(text) is not None:
        parts = _with_quotations(text, parts)
    if not any(map(text.strip(LINE_BREAKS).__contains__, LINE_BREAKS)):
        parts = [piece for part in parts for piece in _cut_at_spaced_ends(part)]
    return [part for part in parts if not part.isspace()]


def _with_quotations(text: str, parts: list[str]) -> list[str]:
    """Join parts where the sentence goes on after a quotation."""
    goes_on = {match.end() for match in _GOES_ON.finditer(text)}
    joined: list[str] = []
    cursor = 0
    for part in parts:
        start = text.index(part, cursor)
        if joined and start == cursor and start in goes_on:
            joined[-1] += part
        else:
            joined.append(part)
        cursor = start + len(part)
    return joined


def _cut_at_spaced_ends(text: str) -> list[str]:
    """Cut after each match of ``_AUTO_END``, except initials and abbreviations."""
    pieces = []
    start = stop = 0
    for mark in _BEGINS_END.finditer(text):
        match = _AUTO_END.match(text, mark.start()) if mark.start() >= stop else None
        if match is None:
            continue
        stop = match.end()
        if match[0] != "." or not _NO_END.search(text, max(start, match.start() - _LONGEST_NO_END), stop):
            pieces.append(text[start:stop])
            start = stop
    return [*pieces, text[start:]] if start < len(text) else pieces


def pieces_at_marks(text: str) -> list[str]:
    """Cut wherever "newline", "zh" or "auto" might, before marks too: a text gives the pieces of its sentences."""
    ends = (end for part in split_chinese(text) for end in _cut_after(_AUTO_END, part))
    return [piece for end in ends for piece in _MARKS.split(end) if piece]


class SentenceSplit(NamedTuple):
    """One row of the registry."""

    split: SplitSentences
    summary: str  # one line for tables and help
    version: str | None = None  # of one that a user registered, as it stands in the signature; None for polyrouge's own


SENTENCE_SPLITS: dict[str, SentenceSplit] = {
    "newline": SentenceSplit(split_newline, "at line breaks"),
    "zh": SentenceSplit(
        split_chinese, "after Chinese sentence marks, half-width ones between Han characters too, and at line breaks"
    ),
    "auto": SentenceSplit(
        split_auto, "at line breaks and Chinese marks; without line breaks at the marks of any script"
    ),
    "none": SentenceSplit(lambda text: [text] if text else [], "not at all"),
    "token": SentenceSplit(lambda text: text.split(" "), "at each single space"),
}
"""Every way to cut sentences by its name, with a ``summary``; a separator such as ``"<q>"`` needs no name."""
_OTHER_NAMES = {
    "zh": "chinese cn 中文",
    "newline": "line lines linebreak n",
    "auto": "nltk punkt true",
    "none": "false",
}


def register_sentence_split(name: str, summary: str, *, version: str) -> Callable[[SplitSentences], SplitSentences]:
    """Name a way to cut sentences: ``sentence_split="name"`` in this process, ``split:name@version`` in the signature.

    The decorated function gets a text, before ``normalize`` and ``lowercase``, and returns its sentences.

    Args:
        name: as given to ``RougeSettings``: letters, digits and ``_``.
        summary: one line for tables and help.
        version: of its rules and models; a new one wherever a sentence can change.

    Returns:
        A decorator that returns the function as it is.

    Raises:
        ValueError: the name is taken or can't be one, or there is no version.
    """
    check_new_name("sentence split", name, version, SENTENCE_SPLITS, allowed=r"\w+")

    def register(split: SplitSentences) -> SplitSentences:
        SENTENCE_SPLITS[name] = SentenceSplit(_checked_callable(split), summary, version)
        return split

    return register


def is_users_split(sentence_split: object) -> bool:
    """Whether this is a user's function or the name of a registered one."""
    entry = SENTENCE_SPLITS.get(sentence_split) if isinstance(sentence_split, str) else None
    return callable(sentence_split) or (entry is not None and entry.version is not None)


def better_split(text: str, sentence_split: str | SplitSentences, ascii_only: bool = False) -> str | None:
    """The name of a split that cuts the text where ``sentence_split`` does not, or None."""
    text = text[:_PREFIX]
    for mark in SEPARATORS_OF_TOOLS:
        if mark in text and mark != sentence_split:
            return mark
    if not may_have_sentences(text):
        return None
    by_marks = ("zh", "auto") if any(map(text.__contains__, "。｡！？；")) else ("auto", "zh")
    for name in ("newline", *by_marks):
        parts = SENTENCE_SPLITS[name].split(text) if name != sentence_split else ()
        # Where only ASCII is counted, other letters and digits make no token, and no sentence.
        letters = [part.encode("ascii", "ignore").decode() for part in parts] if ascii_only else parts
        if sum(any(map(str.isalnum, part)) for part in letters) > 1:
            return name
    return None


def may_have_sentences(text: str) -> bool:
    """Whether some split could cut a text; quick. If not for joined texts, then for none of them."""
    if text.isascii():
        return any(mark in text for mark in ("\n", ". ", "! ", "? ", *SEPARATORS_OF_TOOLS))
    if not any(map(text.__contains__, _MARKS_OF_ENDS)):  # by far quicker than a pattern where there is none
        return False
    return _ANY_END.search(text) is not None


def check_sentence_split(sentence_split: object) -> None:
    """Raise unless ``sentence_split`` is a known name, a separator or a callable."""
    if callable(sentence_split):
        return
    if not isinstance(sentence_split, str):
        raise TypeError(
            f"sentence_split is {sentence_split!r}; give a name, a separator such as '<q>', or a callable str -> list."
        )
    refuse_surrogates(sentence_split, "sentence_split")
    # A separator holds more than letters, digits and underscores, so that a misspelt name is not taken for one.
    if sentence_split not in SENTENCE_SPLITS and re.fullmatch(r"\w*", sentence_split):
        allowed = [*SENTENCE_SPLITS, "a separator such as '<q>'"]
        raise unknown_value(sentence_split, allowed, "sentence_split", _OTHER_NAMES)


def sentence_splitter(sentence_split: str | SplitSentences) -> SplitSentences:
    """Return the function that cuts a text; no sentence is empty or holds the separator."""
    check_sentence_split(sentence_split)
    if not isinstance(sentence_split, str):
        return _checked_callable(sentence_split)
    if sentence_split in SENTENCE_SPLITS:
        return SENTENCE_SPLITS[sentence_split].split
    return lambda text: list(filter(None, text.split(sentence_split)))


def _checked_callable(split: SplitSentences) -> SplitSentences:
    """Check that a user's splitter returns strings."""

    def split_checked(text: str) -> list[str]:
        sentences = split(text)
        if isinstance(sentences, (str, Mapping, Set)) or not isinstance(sentences, Iterable):
            raise TypeError(f"The callable sentence_split returned {sentences!r}; it must return a list of strings.")
        sentences = list(sentences)
        if wrong := [sentence for sentence in sentences if not isinstance(sentence, str)]:
            raise TypeError(
                f"The callable sentence_split returned a list with {wrong[0]!r} in it; it must hold strings."
            )
        return sentences

    return split_checked


def refuse_surrogates(text: str, name: str) -> None:
    """Raise ``ValueError`` for a lone surrogate in a setting."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name} holds a lone surrogate, which is no character: {text!a}.") from None
