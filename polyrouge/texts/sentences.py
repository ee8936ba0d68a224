"""Cut a text into sentences, for the types that use them: rougeLsum, union L and rougeW."""

import itertools
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Any, NamedTuple

from polyrouge.errors import Option, RefusedType, RefusedValue, own_name, unknown_value
from polyrouge.texts.patterns import pattern
from polyrouge.texts.registration import check_new_name

SplitSentences = Callable[[str], Sequence[str]]

CHINESE_SENTENCE_MARKS = "。｡！？；…⋯"
HALF_WIDTH_MARKS = "!?;"  # not the full stop, which occurs within names: 史蒂夫.乔布斯
CLOSING_MARKS = "”’」』】）》〉〕〗〞〟＂＇］｣\"')]"
LINE_BREAKS = "\n\r\u2028\u2029"
_WRITTEN_BREAK = r"\n"  # a line break that a file has as two characters
_PREFIX = 2000  # characters of a text that ``better_split`` checks

# Every pattern takes linear time: a repetition can begin at only one position of a run.
_BREAK = f"{CHINESE_SENTENCE_MARKS}{LINE_BREAKS}"
_CLOSING = f"[{re.escape(CLOSING_MARKS)}]*"
_HAN = "[\u3400-\u9fff]"
_CHINESE_END = f"[{CHINESE_SENTENCE_MARKS}][{HALF_WIDTH_MARKS}{CHINESE_SENTENCE_MARKS}]*{_CLOSING}"
_CHINESE_SENTENCE = pattern(rf"[^{_BREAK}]+(?:{_CHINESE_END})?|{_CHINESE_END}")
_BETWEEN_HAN = pattern(rf"[!?;](?<={_HAN}.)[!?;]*{_CLOSING}(?=[ \u3000]*{_HAN})")
# Marks that end a sentence before a blank or the end: Latin, Cyrillic, Arabic, Devanagari, Armenian, Ethiopic.
_END = "[.!?؟۔।॥։።፧…]"
_CLOSING_ALL = _CLOSING.replace("]*", "»›]*")  # « » of Arabic, Russian and French
_CLOSING_SPACED = _CLOSING_ALL.replace("]*", "“‘«‹]*")  # before a blank: „…“ ‚…‘ »…« of German, Czech and Danish
# A Korean sentence continues so after a quotation in it: "갔다." 라고 말했다; without a blank by any Hangul.
_KOREAN_SPEECH = r"(?!(?<=[\"'”’」』])\s(?:이?라(?:고|며|는|면서)|하고|하며)(?![가-힣]))"
_SPACED_END = rf"{_END}(?<!{_END}{_END}){_END}*{_CLOSING_SPACED}(?=\s|$){_KOREAN_SPEECH}"
# The Greek question mark, which NFC turns into a semicolon, after a Greek word.
_GREEK = r"\u0370-\u03ff\u1f00-\u1fff"
_GREEK_END = rf"[;\u037e](?<=[{_GREEK}][\u0300-\u036f{_GREEK}].)[;\u037e.!]*{_CLOSING_SPACED}(?=\s|$)"
# Marks that always end a sentence: Arabic, Devanagari, Meitei, Ol Chiki, Ethiopic, Burmese, Mongolian, Tibetan
# (which may have two, with a blank), Khmer except for its "and so on".
_OWN_MARKS = "؟۔।॥꯫᱾᱿።፧፨။᠃᠉།༎៕។"
_OWN_END = rf"[{_OWN_MARKS}](?<![{_OWN_MARKS}][{_OWN_MARKS}])(?<!។ល។)(?!ល។)[{_OWN_MARKS}]*(?: །)?{_CLOSING_ALL}"
# Without a blank: . ! ? between Korean sentences, by the syllable that a verb ends with; ! ? beside kana.
_KOREAN_END = r"[.!?](?<=[다요죠까].)[.!?]*(?=[가-힣])"
_KANA_END = rf"[!?](?<=[\u3041-\u30ff\u3400-\u9fff].)[!?]*{_CLOSING}(?=[\u3041-\u30ff\u3400-\u9fff])"
_AUTO_END = pattern("|".join((_SPACED_END, _GREEK_END, _OWN_END, _KOREAN_END, _KANA_END)))
# Each match of _AUTO_END begins so; this search is ten times as quick.
_BEGINS_END = pattern(f"[;\u037e{_END[1:-1]}{_OWN_MARKS}]")
_MARKS = pattern(f"([!?;{CHINESE_SENTENCE_MARKS}]+{_CLOSING})")
_ANY_END = pattern(
    rf"[{_BREAK}{_OWN_MARKS}]|{_HAN}[!?;]|{_END}{_CLOSING_SPACED}\s|{_GREEK_END}|{_KOREAN_END}|{_KANA_END}"
)
# A quotation after which the sentence continues: 「…。」と言った.
_GOES_ON = pattern(rf"[{CHINESE_SENTENCE_MARKS}][」』）)”’]+(?=(?:と|って|など|[のをはがもにで]))")
# Each match of _ANY_END begins with one of these, or has it second.
_MARKS_OF_ENDS = tuple(dict.fromkeys(f"{_BREAK}!?;\u037e{_END[1:-1]}{_OWN_MARKS}"))
_MARKS_AT_THE_END = "。｡！？；.!?;…”’」』）)\"' \n"
_MARK_OF_ENDS = pattern(f"[{re.escape(''.join(_MARKS_OF_ENDS))}]")
# Words whose full stop ends no sentence, by language; words in lower case also with a capital.
_ABBREVIATIONS = """
Mr Mrs Ms Dr Prof Rev Gen Col Lt Sgt Capt Sen Rep Gov St Jr Sr vs etc No Fig approx Jan Feb Mar Apr Jun Jul Aug Sept Sep
Oct Nov Dec mr mrs dr prof
Nr Hr Fr bzw evtl ggf inkl exkl zzgl sog vgl Mio Mrd Hrsg Dipl Ing geb gest insb urspr einschl Okt Dez
Mme Mlle Mgr env chap janv févr juil déc Ste Sra Sres Srta Dra Ud Uds Lic Gral Avda pág págs núm aprox EE Sta Sto
Exmo Profa Av sig dott avv pag dhr mevr drs bijv blz evt resp eks dvs
např tzv tzn mj MUDr JUDr PhDr tj np tzw inż godz św płk npr pl ún ifj esim pvz Doç Sn Cad Sok Mah örn yy Hz
тыс млн млрд ул просп рис см ср гл напр проф акад доц Дж тис вул див бул κ δηλ βλ σελ
TP Tp GS PGS TS ThS BS Jl Tn Ny Hj Drs Ir Kec Kab Kel tgl hlm
डॉ डा प्रो पं मो सं रु श्री एस एम आर के जे बी डी टी एन एल एच यू ডা মো মি প্রফেসর ਡਾ ડૉ ડો શ્રી டாக்டர் திரு డా శ్రీ ಡಾ ಶ್ರೀ ഡോ ശ്രീ פרופ
"""
_END_NONE = frozenset(_ABBREVIATIONS.split())
# Words that end a sentence before a capital, and words that are abbreviations only before a number.
_AND_SO_ON = (
    "usw Jh Jhd UU osv enz ecc atd apod itd itp stb yms ym jne vd mld tys mln руб коп др гг вв обл грн рр κλπ εκατ δισ"
)
_MAY_END = frozenset(f"{_AND_SO_ON} dll dst dsb dkk".split())
_NUMBERED = "ca no nr art Art pp vol tel Tel cap kl ok bl hal стр ст αρ"
_BEFORE_A_NUMBER = frozenset(_NUMBERED.split())
_OF_PLACES = frozenset("гдсп")  # г. Москва, с. Ясное, but 2020 г. and 5 г. may end a sentence
_LONGEST_WORD = max(map(len, _END_NONE)) + 1
# The word at the end, with its marks; Han and kana may precede it without a blank.
_LAST_WORD = pattern(
    r"(?:[^\W\u3040-\u30FF\u3400-\u9FFF]|[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff\u200c\u200d])+$"
)
_INITIAL_OF_NO_CASE = pattern("[\u05d0-\u0dff]")  # Hebrew, Arabic, Devanagari and other scripts of India
_LETTER_BEFORE = pattern(r"(?<!\w)[^\W\d_]\.\s?$")  # of z. B., т. д. and p.m.
_LETTER_BEHIND = pattern(r"\s[^\W\d_]{1,2}\.")
_ORDINAL = pattern("[0-9]{1,2}|[IVX]{2,5}")
# Signs of an ordinal before a capital: am 3. Oktober, der 1. FC Köln.
_BEFORE_AN_ORDINAL = pattern(r"(?<!\w)(?:(?<!I )[Aa]m|[Ii]m|[Bb]eim|[Zz]u[mr]|[Vv]om|[Dd](?:er|ie|as|em|en|es))\s$")
_BEHIND_AN_ORDINAL = pattern(
    r"\s(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Jahrhundert|Jh"
    r"|Weltkrieg|Dünya)"
)


def split_newline(text: str) -> list[str]:
    r"""Split into lines that are not empty; only ``\n`` ends a line, as in ROUGE-1.5.5 (1853-1862) and rouge_score."""
    return list(filter(None, text.split("\n")))


def split_chinese(text: str) -> list[str]:
    """Cut after 。！？；…, after ! ? ; between Han characters, and at line breaks; closing quotes stay with a mark."""
    sentences = _CHINESE_SENTENCE.findall(text)
    if not any(map(text.__contains__, HALF_WIDTH_MARKS)):
        return sentences
    return [piece for sentence in sentences for piece in _cut_after(_BETWEEN_HAN, sentence)]


def _cut_after(ends: re.Pattern[str], text: str) -> list[str]:
    bounds = [0, *(match.end() for match in ends.finditer(text)), len(text)]
    return [text[start:end] for start, end in itertools.pairwise(bounds) if start < end]


def split_auto(text: str) -> list[str]:
    """Cut at line breaks and Chinese marks; if the text has no line break, at the marks of other scripts too."""
    parts = split_chinese(text)
    if _GOES_ON.search(text) is not None:
        parts = _with_quotations(text, parts)
    if not any(map(text.strip(LINE_BREAKS).__contains__, LINE_BREAKS)):
        parts = [piece for part in parts for piece in _cut_at_spaced_ends(part)]
    return [part for part in parts if not part.isspace()]


def _with_quotations(text: str, parts: list[str]) -> list[str]:
    """Join parts where the sentence continues after a quotation."""
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
    is_cased = next(filter(str.isalpha, text), "").isupper()  # elsewhere a small letter may begin a sentence
    for mark in _BEGINS_END.finditer(text):
        match = _AUTO_END.match(text, mark.start()) if mark.start() >= stop else None
        if match is None:
            continue
        stop = match.end()
        if match[0] != "." or not _goes_on(text, start, match.start(), is_cased):
            pieces.append(text[start:stop])
            start = stop
    return [*pieces, text[start:]] if start < len(text) else pieces


def _goes_on(text: str, start: int, stop: int, is_cased: bool) -> bool:
    """Say whether the sentence from ``start`` continues after the full stop at ``stop``; reads a few characters."""
    if "\u0e00" <= text[stop - 1 : stop] <= "\u0eff":  # Thai and Lao, where a full stop only ends abbreviations
        return True
    match = _LAST_WORD.search(text, max(start, stop - _LONGEST_WORD), stop)
    if match is None:
        return False
    word, word_start = unicodedata.normalize("NFC", match[0]), match.start()
    if word in _END_NONE or word[0].lower() + word[1:] in _END_NONE:
        return True
    next_character = text[stop + 2 : stop + 3]
    if word in _BEFORE_A_NUMBER:
        return next_character.isdecimal()
    if word in _MAY_END:
        return next_character.islower() or next_character.isdecimal()
    is_part = text[word_start - 1 : word_start] in tuple("-–,:'’")  # of 2-1 and it's
    if _ORDINAL.fullmatch(word) and not is_part and text[word_start - 1 : word_start] != ".":
        return (
            (is_cased and next_character.islower())
            or _BEHIND_AN_ORDINAL.match(text, stop + 1) is not None
            or _BEFORE_AN_ORDINAL.search(text, max(start, word_start - 5), word_start) is not None
            or (word_start - start < 4 and not any(map(str.isalnum, text[start:word_start])))
        )
    if len(word) == 1 and (word.isupper() or _INITIAL_OF_NO_CASE.match(word)):
        return True
    if len(word) > 2 or is_part or not word.islower():
        return False
    if _LETTER_BEFORE.search(text, max(start, word_start - 3), word_start):
        return True
    continues = (
        next_character.isdecimal()
        or (is_cased and next_character.islower())
        or _LETTER_BEHIND.match(text, stop + 1) is not None
    )
    if word in _OF_PLACES and not text[max(start, word_start - 2) : word_start].strip()[-1:].isdecimal():
        return True
    return len(word) == 1 and continues


def pieces_at_marks(text: str) -> list[str]:
    """Cut wherever "newline", "zh" or "auto" might, before marks too: a text gives the pieces of its sentences."""
    ends = (end for part in split_chinese(text) for end in _cut_after(_AUTO_END, part))
    pieces = [piece for end in ends for piece in _MARKS.split(end) if piece]
    if len(pieces) <= 1:
        return pieces
    # A mark may end a piece only when what stands before it is cut off, as it is from a sentence.
    return [last for piece in pieces for last in pieces_at_marks(piece)]


class SentenceSplit(NamedTuple):
    """One entry of the registry."""

    split: SplitSentences
    summary: str  # one line for tables and help
    version: str | None = None  # of a user's split, for the signature; None for polyrouge's own


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
        version: of its rules and models; give a new one whenever a sentence can change.

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
    """Say whether this is a user's function or the name of a registered one."""
    entry = SENTENCE_SPLITS.get(sentence_split) if isinstance(sentence_split, str) else None
    return callable(sentence_split) or (entry is not None and entry.version is not None)


def better_split(text: str, sentence_split: str | SplitSentences, ascii_only: bool = False) -> str | None:
    """Return the name of a split that cuts the text where ``sentence_split`` does not, or None."""
    text = text[:_PREFIX]
    if _WRITTEN_BREAK in text and sentence_split != _WRITTEN_BREAK:
        return _WRITTEN_BREAK
    without_end = text if text.isascii() else text.rstrip(_MARKS_AT_THE_END)  # nothing after it is a sentence
    if not may_have_sentences(text if without_end.isascii() else without_end):
        return None
    by_marks = ("zh", "auto") if any(map(text.__contains__, "。｡！？；")) else ("auto", "zh")
    for name in ("newline", *by_marks):
        parts = SENTENCE_SPLITS[name].split(text) if name != sentence_split else ()
        # If only ASCII is counted, other letters and digits make no token, and no sentence.
        letters = [part.encode("ascii", "ignore").decode() for part in parts] if ascii_only else parts
        if sum(any(map(str.isalnum, part)) for part in letters) > 1:
            return name
    return None


def may_have_sentences(text: str) -> bool:
    """Say quickly whether any split could cut a text; False for joined texts is False for each of them."""
    if "\n" in text or ". " in text or "! " in text or "? " in text:  # any() takes ten times as long
        return True
    if text.isascii():
        return _WRITTEN_BREAK in text
    # Both are far quicker than _ANY_END without a mark: the first for short texts, the second for long ones.
    has_mark = _MARK_OF_ENDS.search(text) if len(text) < 200 else any(map(text.__contains__, _MARKS_OF_ENDS))
    if not has_mark:
        return False
    return _ANY_END.search(text) is not None


def checked_sentence_split(sentence_split: Any) -> Any:
    """Check a name, a separator or a callable."""
    if callable(sentence_split):
        return sentence_split
    if not isinstance(sentence_split, str):
        hint = "give a name, a separator such as '<q>', or a callable str -> list."
        raise RefusedType(Option("sentence_split"), f" is {sentence_split!r}; {hint}")
    refuse_surrogates(sentence_split, "sentence_split")
    if sentence_split in SENTENCE_SPLITS:
        return sentence_split
    # A separator has more than letters, digits and underscores, so that a misspelt name is not taken for one.
    matched_name = own_name(sentence_split, SENTENCE_SPLITS) if re.fullmatch(r"[\w-]*", sentence_split) else None
    if matched_name is None and re.fullmatch(r"\w*", sentence_split):
        allowed = [*SENTENCE_SPLITS, "a separator such as '<q>'"]
        raise unknown_value(sentence_split, allowed, Option("sentence_split"), _OTHER_NAMES)
    return sentence_split if matched_name is None else matched_name


def sentence_splitter(sentence_split: str | SplitSentences) -> SplitSentences:
    """Return the function that cuts a text; no sentence is empty or includes the separator."""
    sentence_split = checked_sentence_split(sentence_split)
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
        holds = f" holds a lone surrogate, which is no character: {text!a}."
        raise RefusedValue(Option(name), holds) from None
