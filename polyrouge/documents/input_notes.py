"""What looks wrong in the texts of one call, gathered text by text, said once at its end."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any

from polyrouge.inputs import Inputs, reference_texts, total_length
from polyrouge.settings.rules import TextRules
from polyrouge.texts.jieba_words import KNOWN_JIEBA
from polyrouge.texts.languages import differ_by_particles
from polyrouge.texts.model_output import has_thoughts
from polyrouge.texts.patterns import pattern
from polyrouge.texts.sentences import better_split, may_have_sentences
from polyrouge.texts.tokenizers import TOKENIZERS

_CHARACTERS_LOOKED_AT = 200_000  # for texts of several sentences: some milliseconds
_PREDICTIONS_LOOKED_AT = 100  # for what models write beside the answer: whoever thinks does it everywhere
_LOOKED_AT_FOR_BLANKS = 20_000  # characters
_TEXTS_LOOKED_AT, _CHARACTERS_OF_A_TEXT = 16, 200  # for Korean
_LOOKED_AT_FOR_LOOKALIKES, _SAMPLES_LOOKED_AT = 20_000, 200  # characters in all, samples at once
# Characters of scripts without blanks between words: Thai, Lao, Burmese, Khmer, kana, Han.
_UNSPACED = pattern(
    r"[\u0E01-\u0EFF\u1000-\u109F\u1780-\u17FF\u3041-\u30FF\u31F0-\u31FF\u3400-\u9FFF\uF900-\uFAFF\U00020000-\U0003FFFF]"
)
# More of them between two blanks are no word; nor is a text of more than a few that has no blank.
_LONGEST_WORD, _LONGEST_TEXT_OF_A_WORD = 20, 4
_NO_LETTERS = bytes(byte for byte in range(128) if not chr(byte).isalpha())


class InputNotes:
    """Notes on the texts of one call, or of a part of it that is merged into the whole: the first text of each kind."""

    def __init__(self, rules: TextRules) -> None:
        self._rules = rules
        self._entry = entry = TOKENIZERS[rules.tokenizer] if isinstance(rules.tokenizer, str) else None
        self.drops_letters = entry is not None and entry.drops_letters
        self.lost_text: str | None = None  # the tokenizer drops all or most of its letters
        self.tokenless_text: str | None = None  # without letters, but not blank, and without a token
        self.joined_text: str | None = None  # without the blanks between words that the tokenizer needs
        self.thinking_text: str | None = None  # a prediction with a model's thoughts in it
        self.korean_text: str | None = None  # of Korean words, which the default takes with their particles
        # Two words that look the same and are not: the odd one, the usual one, and the setting that makes them equal.
        self.lookalikes: tuple[str, str, str] | None = None
        self.saw_break = False  # some text has two sentences with tokens
        self.leaves_references = False  # a row has references that multi_reference="first" leaves out
        self.jieba_version = ""  # of the jieba that cut the texts in place of the compiled engine
        self.uncut_text: str | None = None  # sentence_split leaves it whole, and better_split would cut it
        self.better_split = ""
        # That a text is one sentence is what "none" says; under "token" every word is one.
        asks = rules.wants_sentences and rules.sentence_split not in ("none", "token") and rules.clean != "opencompass"
        self._left_to_look_at = _CHARACTERS_LOOKED_AT if asks else 0
        needs_blanks = entry is not None and entry.splits_at_blanks and rules.segment is None
        self._left_for_blanks = _LOOKED_AT_FOR_BLANKS if needs_blanks else 0
        self._texts_left = _TEXTS_LOOKED_AT if rules.tokenizer == "mixed" and rules.segment is None else 0
        self._predictions_left = _PREDICTIONS_LOOKED_AT if rules.clean is None else 0
        self._left_for_lookalikes = 0 if callable(rules.tokenizer) else _LOOKED_AT_FOR_LOOKALIKES

    def look_for_lost_letters(self, text: str, n_tokens: int) -> None:
        """Note a text that is not blank, but has no token, or (``ascii``) tokens of the minor part of its letters.

        It is the text before ``normalize``; tokens are counted before stop words were left out.
        """
        if n_tokens and (self.lost_text is not None or not self.drops_letters):
            return
        if n_tokens == 0 and (not text or text.isspace()):
            return
        if self._rules.normalize == "nfkc":
            text = unicodedata.normalize("NFKC", text)
        if n_tokens == 0:
            lost = any(map(str.isalpha, text))
            if not lost and self.tokenless_text is None:
                self.tokenless_text = text
        elif _has_more_ascii_letters(text):
            lost = False
        else:
            # In lower case, some letters are ASCII letters: İ, and the sign of Kelvin.
            counted = text.lower() if self._rules.lowercase is True else text
            letters = [] if text.isascii() else [character for character in counted if character.isalpha()]
            lost = 2 * sum(map(str.isascii, letters)) < len(letters)
        if lost and self.lost_text is None:
            self.lost_text = text

    def may_note(self, whole: str, *, has_breaks: bool) -> bool:
        """Whether ``look_at`` may find something in few texts of ASCII that all have tokens: quick to find out."""
        if self._predictions_left and has_thoughts(whole):
            return True
        return self._left_to_look_at > 0 and not has_breaks and may_have_sentences(whole)

    def look_at(self, inputs: Inputs, start: int, stop: int, *, may_have_odd: bool = True) -> None:
        """Look at the samples from start to stop as they were given, so few that it takes no time to speak of.

        Without ``may_have_odd`` it is known that none holds a character of words that only look alike.
        """
        predictions, references = inputs.predictions[start:stop], inputs.references[start:stop]
        if self._left_to_look_at > 0 and not self.saw_break and self.uncut_text is None:
            self._look_for_uncut_text([*predictions, *reference_texts(references)])
        if self._predictions_left > 0:
            first = predictions[: self._predictions_left]
            self.thinking_text = next(filter(has_thoughts, first), None)
            self._predictions_left = self._predictions_left - len(first) if self.thinking_text is None else 0
        if self._left_for_blanks > 0:
            self._look_for_joined_words([*predictions, *reference_texts(references)])
        if self._texts_left > 0:
            self._look_for_korean(predictions[: self._texts_left], references[: self._texts_left])
        if self._left_for_lookalikes > 0 and (may_have_odd or _tells_compositions_apart(self._rules)):
            self._look_for_lookalikes(predictions[:_SAMPLES_LOOKED_AT], references[:_SAMPLES_LOOKED_AT])

    def _look_for_uncut_text(self, texts: Sequence[str]) -> None:
        """Note the first text that another ``sentence_split`` would cut, while no text has a sentence break."""
        size = total_length(texts)
        if size <= self._left_to_look_at and not may_have_sentences("".join(texts)):
            self._left_to_look_at -= size
            return
        for text in texts:
            better = better_split(text, self._rules.sentence_split, self.drops_letters)
            if better is not None:
                self.uncut_text, self.better_split = text, better
                return
            self._left_to_look_at -= len(text)
            if self._left_to_look_at <= 0:
                return

    def _look_for_joined_words(self, texts: Sequence[str]) -> None:
        """Note the first text that has not the blanks which the tokenizer needs."""
        for text in texts:
            if not text.isascii() and _has_joined_words(text[: self._left_for_blanks]):
                self.joined_text = text
                self._left_for_blanks = 0
            else:
                self._left_for_blanks -= len(text)
            if self._left_for_blanks <= 0:
                return

    def _look_for_korean(self, predictions: Sequence[str], references: Sequence[Sequence[str]]) -> None:
        """Note the first prediction with a Korean word that a reference has with another particle."""
        self._texts_left -= len(predictions)
        for prediction, others in zip(predictions, references, strict=True):
            text = prediction[:_CHARACTERS_OF_A_TEXT]
            if text.isascii():
                continue
            if any(differ_by_particles(text, other[:_CHARACTERS_OF_A_TEXT]) for other in others):
                self.korean_text = text
                self._texts_left = 0
                return

    def _look_for_lookalikes(self, predictions: Sequence[str], references: Sequence[Sequence[str]]) -> None:
        """Note the first word of a sample that only looks as one on its other side."""
        rules = self._rules
        whole = "".join([*predictions, *reference_texts(references)])
        if _may_be_odd(whole, rules):  # which is by far quicker as one, and most have none
            for prediction, others in zip(predictions, references, strict=True):
                ours = [prediction]
                self.lookalikes = _lookalikes(ours, others, rules, self.drops_letters)
                self.lookalikes = self.lookalikes or _lookalikes(others, ours, rules, self.drops_letters)
                if self.lookalikes is not None:
                    self._left_for_lookalikes = 0
                    return
        self._left_for_lookalikes -= len(whole) + 1

    def merge(self, later: InputNotes) -> None:
        """Add the notes on the texts that come after these."""
        self.lost_text = later.lost_text if self.lost_text is None else self.lost_text
        self.tokenless_text = later.tokenless_text if self.tokenless_text is None else self.tokenless_text
        self.saw_break |= later.saw_break
        self.jieba_version = self.jieba_version or later.jieba_version

    def messages(self) -> Iterator[str]:
        """What makes the scores of this call other than probably meant, in sentences for its entrance to warn of."""
        rules = self._rules
        name = repr(rules.tokenizer) if isinstance(rules.tokenizer, str) else "that was given"
        if self.leaves_references:
            yield (
                "multi_reference='first': only the first reference of each row is scored, as by the tool that this "
                "convention reproduces, which knows no others; multi_reference='best' takes the best of them."
            )
        if self.jieba_version not in ("", KNOWN_JIEBA):
            yield (
                f"jieba {self.jieba_version} is installed, but the compiled engine cuts as jieba {KNOWN_JIEBA} does: "
                f"so jieba itself cuts the texts, which takes far longer. pip install jieba=={KNOWN_JIEBA}, or a "
                f"polyrouge that knows {self.jieba_version}."
            )
        if rules.use_stemmer and isinstance(rules.tokenizer, str) and rules.tokenizer.startswith("xlsum_"):
            from polyrouge.tools.xlsum import missing_stop_words  # of one tool, which few import

            yield from missing_stop_words(rules.tokenizer.removeprefix("xlsum_"))
        if self.lost_text is not None:
            lost = "most letters" if self.drops_letters else "all letters"
            yield (
                f"The tokenizer {name} drops {lost} of {shortened(self.lost_text)!r}, and perhaps of other texts, so "
                "what they say is not scored. Use tokenizer='mixed' (any language), tokenizer='zh_char' or "
                "tokenizer='jieba' (Chinese)."
            )
        if self.tokenless_text is not None:
            yield (
                f"The tokenizer {name} leaves no token of {shortened(self.tokenless_text)!r}, and perhaps of other "
                f"texts, so they count as empty. {self._what_keeps(self.tokenless_text)}"
            )
        if self.joined_text is not None:
            yield (
                f"The tokenizer {name} splits at blanks, and {shortened(self.joined_text)!r} has none between its "
                "words, so a token is a whole clause. tokenizer='mixed' (any language), 'zh_char' or 'jieba' (Chinese) "
                f"need no blanks; segment='char' or segment='jieba' puts them in for {name}."
            )
        if self.korean_text is not None:
            yield (
                f"{shortened(self.korean_text)!r} is Korean, of which the tokenizer {name} takes words with their "
                "particles, so that 학교에 and 학교는 share nothing. The convention 'ko_word' compares morphemes, as "
                "papers do (pip install python-mecab-ko), tokenizer='char' syllables; tokenizer='unicode' says that "
                "words are meant."
            )
        if self.thinking_text is not None:
            yield (
                f"The prediction {shortened(self.thinking_text)!r}, and perhaps others, holds what a model thought "
                "before it answered, which is scored as part of the answer. clean='model_output' leaves it out."
            )
        if self.lookalikes is not None:
            odd, usual, remedy = self.lookalikes
            yield (
                f"{odd!r} and {usual!r} look the same, one in a prediction and one in its reference, but are different "
                f"tokens; perhaps other words are too. {remedy} makes them equal."
            )
        if self.uncut_text is not None and not self.saw_break:
            split = rules.sentence_split
            by = f"sentence_split={split!r}" if isinstance(split, str) else "the sentence_split that was given"
            yield (
                f"rougeLsum: no text has a sentence break by {by}, so it is rougeL; but {shortened(self.uncut_text)!r} "
                f"has several sentences. sentence_split={self.better_split!r} cuts them; sentence_split='none' says "
                "that every text is one."
            )

    def _what_keeps(self, text: str) -> str:
        """The setting that makes tokens of a text without letters."""
        if any(map(str.isnumeric, text)):
            return "tokenizer='mixed' knows all digits."
        if not any(unicodedata.category(each) not in ("Cc", "Cf") and not each.isspace() for each in text):
            return "They hold no visible character."
        keeps_none = self._entry is not None and (self.drops_letters or not self._entry.is_general)
        setting = "tokenizer='mixed' with punctuation='keep'" if keeps_none else "punctuation='keep'"
        return f"{setting} makes tokens of marks, symbols and emoji."


def _has_more_ascii_letters(text: str) -> bool:
    """Whether ASCII letters are at least as many as all characters that are not ASCII: quick to find out."""
    ascii_part = text.encode("ascii", "ignore")
    return len(ascii_part.translate(None, _NO_LETTERS)) >= len(text) - len(ascii_part)


def _has_joined_words(text: str) -> bool:
    """Whether some part between blanks holds more characters of scripts without blanks than a word has."""
    parts = text.split()
    longest = _LONGEST_TEXT_OF_A_WORD if len(parts) == 1 else _LONGEST_WORD
    return any(len(part) > longest and len(_UNSPACED.findall(part)) > longest for part in parts)


def shortened(text: str, limit: int = 40) -> str:
    """The beginning of a text, for messages."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


# Words that look the same in a prediction and in its reference, but are other characters, and so no hits.

# Full-width letters and digits; characters that can't be seen inside a word; variation selectors behind a letter.
_WIDE = "０-９Ａ-Ｚａ-ｚ"
_UNSEEN = "\u00ad\u200b\u2060\ufeff"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
# Scripts without blanks between words have no word for an unseen character to stand in; in some it parts the words.
_LETTER = r"[^\W\d_\u0E01-\u0EFF\u1000-\u109F\u1780-\u17FF\u3041-\u30FF\u3400-\u9FFF\uAC00-\uD7A3]"
_ANY = pattern(f"[{_WIDE}{_UNSEEN}{_SELECTORS}]")
_WIDE_WORD = pattern(f"[{_WIDE}]+")
_PARTED_WORD = pattern(rf"{_LETTER}+(?:[{_UNSEEN}]+{_LETTER}+)+")
_SELECTED = pattern(rf"[^\W\d_][{_SELECTORS}]+")
_NOT_SEEN = pattern(f"[{_UNSEEN}{_SELECTORS}]")
_ASCII = bytes(range(128))
# What a character may be composed in: a word, or one character of a script without blanks between words.
_NO_BLANKS = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_COMPOSABLE = rf"[{_NO_BLANKS}]\p{{M}}*|(?:[\p{{L}}--[{_NO_BLANKS}]]\p{{M}}*)+"
_OF_A_WORD = rf"[[\p{{L}}\p{{M}}\p{{N}}]--[{_NO_BLANKS}]]"
_COMPOSE_BY_THEMSELVES = frozenset(("vi_words", "subwords", "super_ni"))  # or may do, as the model says


def _may_be_odd(text: str, rules: TextRules) -> bool:
    """Whether a text has a character that ``_odd_words`` looks for."""
    if text.isascii():
        return False
    # None of the characters is ASCII, as most others are.
    rare = text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass")
    return _ANY.search(rare) is not None or _has_compositions(text, rules)


def _lookalikes(
    texts: Sequence[str], others: Sequence[str], rules: TextRules, drops_letters: bool
) -> tuple[str, str, str] | None:
    """The first word of some texts that stands in others as it looks, but not as it is written."""
    for text in texts:
        if text.isascii():
            continue
        for odd, usual, remedy in _odd_words(text, rules, drops_letters):
            if _stands_in(others, odd, usual):
                return _written_out(odd, usual), usual, remedy
    return None


def _odd_words(text: str, rules: TextRules, drops_letters: bool) -> Iterator[tuple[str, str, str]]:
    """Words that may have a double in another text: as they are written, the usual way, and what makes both equal."""
    if _ANY.search(text):
        if rules.normalize != "nfkc":
            for match in _WIDE_WORD.finditer(text):
                yield (match[0], unicodedata.normalize("NFKC", match[0]), "normalize='nfkc'")
        if rules.clean != "model_output" and rules.tokenizer != "char":  # which has one character in a token
            # Letters of other scripts are dropped with what stands behind them, so that nothing is lost.
            for words in (_PARTED_WORD,) if drops_letters else (_PARTED_WORD, _SELECTED):
                for match in words.finditer(text):
                    yield (match[0], _NOT_SEEN.sub("", match[0]), "clean='model_output'")
    if _has_compositions(text, rules):
        for match in _regex(_COMPOSABLE).finditer(text):
            odd, usual = match[0], unicodedata.normalize("NFC", match[0])
            if odd != usual and not (drops_letters and _ascii_part(odd) == _ascii_part(usual)):
                yield (odd, usual, "normalize='nfc'")


def _has_compositions(text: str, rules: TextRules) -> bool:
    """Whether some é is two characters, and another token than é as one."""
    return _tells_compositions_apart(rules) and not unicodedata.is_normalized("NFC", text)


def _tells_compositions_apart(rules: TextRules) -> bool:
    """Whether é as one character is another token than é as two, as it is in the conventions of other tools."""
    return rules.normalize is None and rules.tokenizer not in _COMPOSE_BY_THEMSELVES


def _ascii_part(word: str) -> str:
    return "".join(filter(str.isascii, word))


def _written_out(odd: str, usual: str) -> str:
    """A word with the numbers of its characters that can't be told from the usual ones by looking at them."""
    if _WIDE_WORD.fullmatch(odd):
        return odd
    hidden = {each for each in odd if unicodedata.category(each) in ("Cf", "Mn")} or {*odd} - {*usual}
    return "".join(f"<U+{ord(each):04X}>" if each in hidden else each for each in odd)


def _stands_in(texts: Sequence[str], odd: str, usual: str) -> bool:
    """Whether some text holds the usual word by itself, and none the odd one."""
    if any(odd in text for text in texts) or not any(usual in text for text in texts):
        return False
    if _regex(f"[{_NO_BLANKS}]").match(usual):
        return True
    word = _regex(rf"(?<!{_OF_A_WORD}){re.escape(usual)}(?!{_OF_A_WORD})")
    return any(map(word.search, texts))


@functools.lru_cache(maxsize=8)
def _regex(pattern: str) -> Any:
    """A pattern of regex, which is imported for the few texts that need it."""
    import regex

    return regex.compile(pattern, regex.V1)
