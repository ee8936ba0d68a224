"""Words that look like one in a prediction and its reference, but are different tokens: ＡＩ and AI."""

import functools
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.documents.document import DocumentReader, ReadDocument
from polyrouge.documents.input_notes import RowChunk, Sample
from polyrouge.errors import Note, Option, in_python
from polyrouge.inputs import reference_texts, total_length
from polyrouge.settings.rules import TextRules, cuts_with_jieba
from polyrouge.texts.patterns import pattern

# Such a word has one of these or is not in NFC: what NFKC changes to letters or digits (but for Thai and Lao am, which
# are usual), invisible characters, letters whose lower case is not their folded one, Turkish i, Arabic. The kernels
# look for the same: see ``needs_a_look``.
_TRIGGERS = (
    "\u00aa\u00ad\u00b2-\u00b5\u00b9-\u00be\u00df\u0130-\u0133\u013f\u0140\u0149\u017f\u01c4-\u01cc\u01f1-\u01f3\u02b0-\u02b8\u02e0-\u02e4"
    "\u0307\u034f\u03c2\u03d0-\u03d6\u03f0-\u03f9\u0587\u0600-\u06ff\u0e4d\u0ecd\u0edc\u0edd\u10fc\u180b-\u180f\u1d2c-\u1dbf"
    "\u1e9a-\u1e9e\u200b-\u200f\u202a-\u202e\u2060-\u209c\u20a8\u2100-\u2189\u2460-\u24ea\u2c7c\u2c7d\u2d6f\u2e9f\u2ef3\u2f00-\u2fd5"
    "\u3038-\u303a\u309f\u30ff\u3131-\u318e\u3192-\u319f\u3200-\u33ff\ua69c\ua69d\ua770\ua7f2-\ua7f9\uab5c-\uab69\ufb00-\ufdff"
    "\ufe00-\ufe0f\ufe70-\ufeff\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uffdc\U00010781-\U000107ba\U0001d400-\U0001d7ff"
    "\U0001ee00-\U0001eebb\U0001f100-\U0001f190\U0001f200-\U0001f251\U0001fbf0-\U0001fbf9\U000e0100-\U000e01ef"
)
TRIGGERS = pattern(f"[{_TRIGGERS}]")
_UNSEEN = r"\p{Cf}\u034f\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
_KANA = r"\p{Katakana}\u30fc\uff70\uff9e\uff9f"
# Scripts without blanks: a character with its marks, or a run of katakana, stands for a word. So does a sign of which
# NFKC makes letters with a mark, such as ㈱ and ℃; other signs are letters of a word, such as ㎏.
_NO_BLANKS = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_ALONE = r"\u2103\u2109\u2474-\u24b5\u3200-\u3243\U0001f100-\U0001f12a"
_LETTER = rf"[[\p{{L}}\p{{M}}\p{{N}}[\p{{So}}--\p{{dt=None}}]]--[{_NO_BLANKS}{_ALONE}]]"
_WORD = (
    rf"[{_ALONE}]|[{_KANA}][{_KANA}\p{{M}}]*"
    rf"|(?:\u0eab[\u0e99\u0ea1]|[[{_NO_BLANKS}]&&[\p{{L}}\p{{M}}\u2e9f\u2ef3\u2f00-\u2fd5]])[\p{{M}}\u0e32\u0e33\u0eb2\u0eb3]*"
    rf"|(?!\p{{M}}){_LETTER}(?:{_LETTER}|[{_UNSEEN}](?=[{_LETTER}{_UNSEEN}]))*"
)
# The same in texts without any such character, quicker.
_WORD_BETWEEN_BLANKS = rf"[\p{{L}}\p{{N}}](?:[\p{{L}}\p{{M}}\p{{N}}]+|[{_UNSEEN}](?=[\p{{L}}\p{{M}}\p{{N}}{_UNSEEN}]))*"
_NEEDS_WORD = pattern(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\u2100-\u21ff\u2460-\uabff\uf900-\ufaff\ufe30-\ufe4f\uff00-\U0010ffff]"
)
_HIDDEN = rf"([\p{{Han}}{_KANA}\p{{Hiragana}}])([{_UNSEEN}]+)([\p{{Han}}{_KANA}\p{{Hiragana}}])"
_SEVERAL_WORDS = pattern("[\u00bc-\u00be\u2150-\u215e\u32c0-\u32cb\u32ff\u337b-\u337f]")  # ½, ㍿
# Letters that are one to some readers; digits become those of ASCII.
_ONE_LETTER = str.maketrans("ıيىكٱةہھەں", "iییکاههههن") | {0x0640: ""}
# The settings that make such words equal, in this order; the first changes nothing.
_REMEDIES: tuple[Mapping[str, Any], ...] = (
    *({}, {"normalize": "nfc"}, {"normalize": "nfkc"}),
    *({"normalize": language} for language in ("ar", "fa", "tr")),
    *({"clean": "model_output"}, {"lowercase": "fold"}),
)
_ARABIC = pattern("[\u0600-\u06ff\ufb50-\ufdff\ufe70-\ufefc]")
_PERSIAN = frozenset("پچژگکیہھەں")
_SAMPLES_AT_ONCE = 50
_MOST_SCANNED = 1_000_000  # characters, in search of odd rows
_MOST_IN_ROWS = 30_000  # characters of odd rows: a word of them takes a millisecond
_MOST_CANDIDATES = 20  # words of a call whose tokens are looked at


def two_spellings(sample: Sample) -> Note | None:
    """A sentence on one word to a reader in two spellings, one in a prediction and one in its reference."""
    rules = sample.rules
    if callable(rules.tokenizer):
        return None
    finder: LookalikeFinder | None = None
    room, unscanned = _MOST_IN_ROWS, _MOST_SCANNED
    for chunk, start in _parts_with_odd_rows(sample):
        stop = start + _SAMPLES_AT_ONCE
        rows = None if chunk.odd is None else chunk.odd.rows[start:stop]  # none at all if no text is odd
        is_composed = _is_composed(chunk, rules)
        predictions, references = chunk.predictions[start:stop], chunk.references[start:stop]
        if unscanned <= 0:
            return None
        if rows is not None and is_composed and not any(rows):
            unscanned -= total_length(predictions) + total_length(reference_texts(references)) + 1
            continue
        whole = "".join([*predictions, *reference_texts(references)])
        unscanned -= len(whole) + 1
        if rows is not None and not any(rows) and unicodedata.is_normalized("NFC", whole):
            continue
        if not may_have_lookalikes(whole, rules):  # faster in one go, and most have none
            continue
        finder = finder or LookalikeFinder(rules)
        for index, (prediction, of_row) in enumerate(zip(predictions, references, strict=True)):
            if rows and is_composed and not rows[index]:
                continue
            row = "".join([prediction, *of_row])
            if may_have_lookalikes(row, rules):
                if note := finder.find(prediction, of_row):
                    return note
                room -= len(row)
                if room <= 0:
                    return None
    return None


def _parts_with_odd_rows(sample: Sample) -> Iterator[tuple[RowChunk, int]]:
    """Each chunk that may have odd rows, and where each part of it begins."""
    for chunk in sample.chunks:
        has_any = chunk.odd is None or chunk.odd.has_any or not _is_composed(chunk, sample.rules)
        if chunk.is_paired and has_any:
            yield from ((chunk, start) for start in range(0, len(chunk.predictions), _SAMPLES_AT_ONCE))


def _is_composed(chunk: RowChunk, rules: TextRules) -> bool:
    """Whether its texts are in NFC, or become it."""
    return rules.normalize is not None or (chunk.odd is not None and not chunk.odd.may_be_decomposed)


def may_have_lookalikes(text: str, rules: TextRules) -> bool:
    """Whether a text may have such words; quick."""
    if text.isascii():
        return False
    units = np.frombuffer(text.encode("utf-16-le", "surrogatepass"), np.uint16)
    if _is_trigger_unit().take(units).any() and TRIGGERS.search(text) is not None:
        return True
    return rules.normalize is None and not unicodedata.is_normalized("NFC", text)


@functools.cache
def _is_trigger_unit() -> NDArray[np.bool_]:
    """bool[65536]: the units of UTF-16 of ``TRIGGERS``, and all surrogates; a tenth of the time of the pattern."""
    table = np.zeros(1 << 16, bool)
    for first, last in re.findall("(?s)(.)(?:-(.))?", f"{_TRIGGERS}\ud800-\udfff"):
        table[ord(first) : ord(last or first) + 1] = True
    return table


class LookalikeFinder:
    """Finds such words by the tokens of one set of rules."""

    def __init__(self, rules: TextRules) -> None:
        self._rules = self._own_rules = rules
        if cuts_with_jieba(rules):  # loading jieba takes a second, and few words need cutting
            own = "space" if rules.tokenizer == "jieba" else rules.tokenizer
            self._rules = rules._replace(tokenizer=own, segment=None)
        self._candidate_budget = _MOST_CANDIDATES
        self._reader = functools.cache(self._make_reader)

    def find(self, prediction: str, references: Sequence[str]) -> Note | None:
        """The note on the first word that references spell otherwise and some setting makes equal."""
        sides = prediction.split(), " ".join(references).split()
        ours, theirs = self._spellings(*sides), self._spellings(*reversed(sides))
        for word, spellings in ours.items():
            others = theirs.get(word)
            if others is None or not spellings.isdisjoint(others) or self._candidate_budget <= 0:
                continue
            one, other = min(spellings), min(others)
            if self._are_equal(0, one, other):
                continue
            self._candidate_budget -= 1
            remedies = [
                remedy
                for number, remedy in enumerate(_REMEDIES[1:], 1)
                if _is_for(remedy, one + other) and self._are_equal(number, one, other)
            ]
            if remedies:
                return self._note(one, other, remedies, prediction, references)
        return self._find_hidden(prediction, references)

    def _find_hidden(self, prediction: str, references: Sequence[str]) -> Note | None:
        """The note on a sign of several words, or on what nobody sees inside a Chinese or Japanese word."""
        for text, others in ((prediction, references), *((each, [prediction]) for each in references)):
            if self._candidate_budget <= 0:
                break
            if sign := _SEVERAL_WORDS.search(text):
                odd, usual = sign[0], unicodedata.normalize("NFKC", sign[0]).replace("\u2044", "/")
                remedy = {"normalize": "nfkc"}
            elif hidden := _regex(_HIDDEN).search(text):
                odd, usual, remedy = hidden[0], hidden[1] + hidden[3], {"clean": "model_output"}
            else:
                continue
            if any(usual in one for one in others):
                self._candidate_budget -= 1
                if self._overlap({}, prediction, references) < self._overlap(remedy, prediction, references):
                    return self._note(odd, usual, [remedy], prediction, references)
        return None

    def _note(
        self, one: str, other: str, remedies: Sequence[Mapping[str, Any]], prediction: str, references: Sequence[str]
    ) -> Note:
        """What to say of two spellings: the first remedy that raises the score of the texts, if one does."""
        before = self._overlap({}, prediction, references)
        helps = (each for each in remedies if self._overlap(each, prediction, references) > before)
        remedy = next(helps, None)
        ((name, value),) = (remedy or remedies[0]).items()
        cure = (Option(name, value),)
        if remedy is None:
            cure = "Changing the texts as ", *cure, " does, before they are scored,"
        odd, usual = (other, one) if _oddness(other) > _oddness(one) else (one, other)
        spelt = f"{_spell_out(odd, usual)!r} and {_spell_out(usual, odd)!r}"
        return Note(
            f"{spelt}, one in a prediction and one in its reference, are one word in different characters, and so no "
            "hit; perhaps other words are too. ",
            *(*cure, " makes them equal."),
            kind="two_spellings_nfkc" if value == "nfkc" else "two_spellings",
            odd=repr(_spell_out(odd, usual)),
            usual=repr(_spell_out(usual, odd)),
            setting=in_python([Option(name, value)]),
        )

    def _overlap(self, remedy: Mapping[str, Any], prediction: str, references: Sequence[str]) -> float:
        """The best ROUGE-1 of a prediction, under a remedy: with the other words of the texts, and where jieba cuts."""
        rules = self._own_rules._replace(**remedy)
        read = DocumentReader(rules).read
        ours, *theirs = (Counter(read(text).tokens) for text in (prediction, *references))
        sizes = [max(1, ours.total() + other.total()) for other in theirs]
        return max(2 * (ours & other).total() / size for other, size in zip(theirs, sizes, strict=True))

    def _spellings(self, parts: list[str], other_parts: list[str]) -> dict[str, set[str]]:
        """How parts of a text spell each word that may be missing from others: by what a reader sees of it."""
        others = {*other_parts}
        text = " ".join([part for part in parts if part not in others])
        words = _regex(_WORD if _NEEDS_WORD.search(text) else _WORD_BETWEEN_BLANKS).findall(text)
        spellings: dict[str, set[str]] = {}
        for plain, word in zip(_plain(words, fold=self._rules.lowercase is not False), words, strict=True):
            spellings.setdefault(plain, set()).add(word)
        return spellings

    def _are_equal(self, remedy: int, one: str, other: str) -> bool:
        return self._reader(remedy)(one).tokens == self._reader(remedy)(other).tokens

    def _make_reader(self, remedy: int) -> ReadDocument:
        rules = self._rules._replace(**_REMEDIES[remedy])
        return DocumentReader(rules).read


class _PlainLetters(dict[int, str]):
    """For ``str.translate``: by each character what is left of it; those of a text come again and again."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        kind = unicodedata.category(letter)
        plain = letter.translate(_ONE_LETTER) if kind[0] in "LN" or kind == "Mc" or letter == "\n" else ""
        self[code] = plain = str(unicodedata.digit(plain)) if plain.isdecimal() else plain
        return plain


_PLAIN_LETTERS = _PlainLetters()


def _plain(words: Sequence[str], *, fold: bool) -> list[str]:
    """The words without what a reader overlooks: equal for all spellings of a word, and for some others."""
    text = "\n".join(words)
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text).translate(_PLAIN_LETTERS)
    return (text.casefold() if fold else text).split("\n") if words else []


def _is_for(remedy: Mapping[str, Any], words: str) -> bool:
    """Whether a remedy is for the script and language of two words."""
    if remedy in ({"normalize": "ar"}, {"normalize": "fa"}):
        return _ARABIC.search(words) is not None and (remedy["normalize"] == "fa" or _PERSIAN.isdisjoint(words))
    return True


def _oddness(word: str) -> tuple[bool, int]:
    """The odder of two spellings has rare characters, or more of them."""
    rare = len(TRIGGERS.findall(word)) + (not unicodedata.is_normalized("NFKC", word))
    return rare > 0, rare + len(word)


def _spell_out(word: str, other: str) -> str:
    """A word with code points for the characters that look like the other's."""
    hidden = {each for each in word if unicodedata.category(each) in ("Cf", "Mn")}
    if not hidden and unicodedata.normalize("NFC", word) == other:
        hidden = {*word} - {*other}
    return "".join(f"<U+{ord(each):04X}>" if each in hidden else each for each in word)


@functools.lru_cache(maxsize=4)
def _regex(expression: str) -> Any:
    """A pattern of regex, which is imported for the few texts that need it."""
    import regex

    return regex.compile(expression, regex.V1)
