"""Words that look like one in a prediction and its reference, but are different tokens: ＡＩ and AI."""

from __future__ import annotations

import functools
import itertools
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from polyrouge.documents.document import DocumentReader, ReadDocument
from polyrouge.documents.input_notes import InputNotes
from polyrouge.inputs import Inputs, reference_texts
from polyrouge.settings.rules import TextRules, cuts_with_jieba
from polyrouge.texts.patterns import pattern

# Such a word has one of these or is not in NFC: letters that NFKC changes, invisible characters, letters whose lower
# case is not their folded one, Turkish i, Arabic. The kernels look for the same: see ``needs_a_look``.
TRIGGERS = pattern(
    "[\u00aa\u00ad\u00b5\u00ba\u00df\u0130-\u0133\u0140\u0149\u017f\u01c4-\u01cc\u01f1-\u01f3\u034f\u0587\u0600-\u06ff\u0e4d\u0ecd"
    "\u180b-\u180f\u1e9e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3131-\u318e\ufb00-\ufdff\ufe00-\ufe0f\ufe70-\ufeff\uff10-\uff19"
    "\uff21-\uff3a\uff41-\uff5a\uff66-\uff9f\U000e0100-\U000e01ef]"
)
_ASCII = bytes(range(128))
_UNSEEN = r"\p{Cf}\u034f\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
_KANA = r"\p{Katakana}\u30fc\uff70\uff9e\uff9f"
# Scripts without blanks: a character with its marks, or a run of katakana, stands for a word.
_NO_BLANKS = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_WORD = (
    rf"[{_KANA}][{_KANA}\p{{M}}]*|[[{_NO_BLANKS}]&&[\p{{L}}\p{{M}}]][\p{{M}}\u0e32\u0e33\u0eb2\u0eb3]*"
    rf"|[[\p{{L}}\p{{N}}]--[{_NO_BLANKS}]](?:[[\p{{L}}\p{{M}}\p{{N}}]--[{_NO_BLANKS}]]"
    rf"|[{_UNSEEN}](?=[[\p{{L}}\p{{M}}\p{{N}}{_UNSEEN}]--[{_NO_BLANKS}]]))*"
)
# Letters that are one to some readers; digits become those of ASCII.
_ONE_LETTER = str.maketrans("ıيىكٱة", "iییکاه")
# The settings that make such words equal, in this order; the first changes nothing.
_REMEDIES: tuple[Mapping[str, Any], ...] = (
    *({}, {"normalize": "nfc"}, {"normalize": "nfkc"}, {"clean": "model_output"}, {"lowercase": "fold"}),
    *({"normalize": language} for language in ("ar", "fa", "tr")),
)
_PERSIAN = frozenset("پچژگکی")
_SAMPLES_AT_ONCE = 200
_MOST_CANDIDATES = 20  # words of a call whose tokens are looked at


def look_at_texts(notes: InputNotes, inputs: Inputs, start: int, stop: int, *, may_have_odd: bool = True) -> None:
    """``InputNotes.look_at``, and a look for such words; without ``may_have_odd`` no text has one of ``TRIGGERS``."""
    notes.look_at(inputs, start, stop, may_have_odd=may_have_odd)
    if start == 0:
        notes.look_at_columns(inputs)
    if notes.lookalike_budget <= 0 or not (may_have_odd or notes.rules.normalize is None):
        return
    stop = min(stop, start + _SAMPLES_AT_ONCE)
    predictions, references = inputs.predictions[start:stop], inputs.references[start:stop]
    whole = "".join([*predictions, *reference_texts(references)])
    notes.lookalike_budget -= len(whole) + 1
    if not may_have_lookalikes(whole, notes.rules):  # faster in one go, and most have none
        return
    finder = LookalikeFinder(notes.rules)
    for prediction, others in zip(predictions, references, strict=True):
        if may_have_lookalikes("".join([prediction, *others]), notes.rules):
            notes.lookalikes = finder.find(prediction, others)
            if notes.lookalikes:
                notes.lookalike_budget = 0
                return


def may_have_lookalikes(text: str, rules: TextRules) -> bool:
    """Whether a text may have such words; quick."""
    if text.isascii():
        return False
    rare = text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass")
    if TRIGGERS.search(rare) is not None:
        return True
    return rules.normalize is None and not unicodedata.is_normalized("NFC", text)


class LookalikeFinder:
    """Finds such words by the tokens of one set of rules."""

    def __init__(self, rules: TextRules) -> None:
        self._rules = self._own_rules = rules
        if cuts_with_jieba(rules):  # loading jieba takes a second, and few words need cutting
            own = "space" if rules.tokenizer == "jieba" else rules.tokenizer
            self._rules = rules._replace(tokenizer=own, segment=None)
        self._candidate_budget = _MOST_CANDIDATES
        self._reader = functools.cache(self._make_reader)

    def find(self, prediction: str, references: Sequence[str]) -> str:
        """A sentence on the first word that references spell otherwise and some setting makes equal, or nothing."""
        ours, theirs = self._spellings([prediction]), self._spellings(references)
        for word, spellings in ours.items():
            others = theirs.get(word)
            if others is None or not spellings.isdisjoint(others) or self._candidate_budget <= 0:
                continue
            one, other = min(spellings), min(others)
            if self._are_equal(0, one, other):
                continue
            self._candidate_budget -= 1
            for number, remedy in enumerate(_REMEDIES[1:], 1):
                if remedy == {"normalize": "ar"} and not _PERSIAN.isdisjoint(one + other):
                    continue
                if self._are_equal(number, one, other):
                    odd, usual = (other, one) if _oddness(other) > _oddness(one) else (one, other)
                    ((name, value),) = remedy.items()
                    cure = f"{name}={value!r}"
                    if not self._helps(remedy, one, other):
                        cure = f"Changing the texts as {cure} does, before they are scored,"
                    return (
                        f"{_spell_out(odd, usual)!r} and {_spell_out(usual, odd)!r}, one in a prediction and one in "
                        "its reference, are one word in different characters, and so no hit; perhaps other words are "
                        f"too. {cure} makes them equal."
                    )
        return ""

    def _helps(self, remedy: Mapping[str, Any], one: str, other: str) -> bool:
        """Whether a remedy makes two words equal where jieba cuts them too."""
        if self._own_rules is self._rules:
            return True
        rules = self._own_rules._replace(**remedy)
        read = DocumentReader(rules, InputNotes(rules)).read
        return read(one).tokens == read(other).tokens

    def _spellings(self, texts: Sequence[str]) -> dict[str, set[str]]:
        """How the texts spell each of their words."""
        spellings: dict[str, set[str]] = {}
        for word in itertools.chain.from_iterable(map(_regex(_WORD).findall, texts)):
            spellings.setdefault(_plain_word(word, fold=self._rules.lowercase is not False), set()).add(word)
        return spellings

    def _are_equal(self, remedy: int, one: str, other: str) -> bool:
        return self._reader(remedy)(one).tokens == self._reader(remedy)(other).tokens

    def _make_reader(self, remedy: int) -> ReadDocument:
        rules = self._rules._replace(**_REMEDIES[remedy])
        return DocumentReader(rules, InputNotes(rules)).read


def _plain_word(word: str, *, fold: bool) -> str:
    """A word without what a reader overlooks: equal for all spellings of a word, and for some others."""
    if word.isascii():
        return word.casefold() if fold else word
    word = unicodedata.normalize("NFKD", _regex(f"[{_UNSEEN}]").sub("", word))
    word = "".join(each for each in word if unicodedata.category(each) != "Mn" and each != "\u0640")
    word = "".join(str(unicodedata.digit(each)) if each.isdecimal() else each for each in word.translate(_ONE_LETTER))
    return word.casefold() if fold else word


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
