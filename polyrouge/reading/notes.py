"""What looks wrong in the texts of one call, gathered text by text, said once at its end."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain

from polyrouge.inputs import Inputs, reference_texts, total_length
from polyrouge.reading.lookalikes import Lookalikes, find_lookalikes, odd_texts, tells_compositions_apart
from polyrouge.settings.stages import TextRules
from polyrouge.texts.jieba_words import KNOWN_JIEBA
from polyrouge.texts.languages import differ_by_particles
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


class TextNotes:
    """Notes on the texts of one call, or of a part of it that is merged into the whole: the first text of each kind.

    Attributes:
        lost_text: a text of whose letters the tokenizer drops all or most.
        tokenless_text: a text without letters, but not blank, that has no token.
        joined_text: a text without blanks between its words, which the tokenizer needs.
        thinking_text: a prediction with a model's thoughts in it.
        korean_text: a text of Korean words, which the default takes with their particles.
        lookalikes: two words that look the same and are not.
        saw_break: some text has two sentences with tokens.
        jieba_version: of the jieba that cut the texts in place of the compiled engine; "" if it did not.
        leaves_references: a row has references that ``multi_reference="first"`` leaves out.
        uncut_text: a text that ``sentence_split`` leaves whole and ``better_split`` would cut.
    """

    def __init__(self, rules: TextRules) -> None:
        self._rules = rules
        entry = TOKENIZERS[rules.tokenizer] if isinstance(rules.tokenizer, str) else None
        self.drops_letters = entry is not None and entry.drops_letters
        self.lost_text: str | None = None
        self.tokenless_text: str | None = None
        self.joined_text: str | None = None
        self.thinking_text: str | None = None
        self.korean_text: str | None = None
        self.lookalikes: Lookalikes | None = None
        self.saw_break = False
        self.leaves_references = False
        self.jieba_version = ""
        self.uncut_text: str | None = None
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
        if self._predictions_left and "think>" in whole:
            return True
        return self._left_to_look_at > 0 and not has_breaks and may_have_sentences(whole)

    def look_at(self, inputs: Inputs, start: int, stop: int, *, may_have_odd: bool = True) -> None:
        """Look at the samples from start to stop as they were given, so few that it takes no time to speak of.

        Without ``may_have_odd`` it is known that none holds a character of ``lookalikes``.
        """
        self._look_for_uncut_text(inputs, start, stop)
        if self._predictions_left > 0:
            self._look_for_thoughts(inputs.predictions[start : min(stop, start + self._predictions_left)])
        if self._left_for_blanks > 0:
            self._look_for_joined_words(_texts_of(inputs, start, stop))
        if self._texts_left > 0:
            self._look_for_korean(inputs, start, min(stop, start + self._texts_left))
        if self._left_for_lookalikes > 0 and (may_have_odd or tells_compositions_apart(self._rules)):
            self._look_for_lookalikes(inputs, start, stop)

    def _look_for_lookalikes(self, inputs: Inputs, start: int, stop: int) -> None:
        """Note the first word of a sample that only looks as one on its other side."""
        stop = min(stop, start + _SAMPLES_LOOKED_AT)
        predictions, references = inputs.predictions[start:stop], inputs.references[start:stop]
        rows = {*odd_texts(predictions, self._rules)}
        if odd_references := odd_texts(reference_texts(references), self._rules):
            behind = list(accumulate(map(len, references)))
            rows |= {bisect_right(behind, place) for place in odd_references}
        for row in sorted(rows):
            one, others, rules = [predictions[row]], references[row], self._rules
            self.lookalikes = find_lookalikes(one, others, rules) or find_lookalikes(others, one, rules)
            if self.lookalikes is not None:
                self._left_for_lookalikes = 0
                return
        self._left_for_lookalikes -= total_length(predictions) + total_length(reference_texts(references)) + 1

    def _look_for_thoughts(self, predictions: Sequence[str]) -> None:
        """Note the first prediction with what stands around a model's thoughts."""
        self._predictions_left -= len(predictions)
        self.thinking_text = next((text for text in predictions if "<think>" in text or "</think>" in text), None)
        if self.thinking_text is not None:
            self._predictions_left = 0

    def _look_for_korean(self, inputs: Inputs, start: int, stop: int) -> None:
        """Note the first prediction with a Korean word that a reference has with another particle."""
        self._texts_left -= stop - start
        for row in range(start, stop):
            text = inputs.predictions[row][:_CHARACTERS_OF_A_TEXT]
            if text.isascii():
                continue
            if any(differ_by_particles(text, other[:_CHARACTERS_OF_A_TEXT]) for other in inputs.references[row]):
                self.korean_text = text
                self._texts_left = 0
                return

    def _look_for_joined_words(self, texts: Iterable[str]) -> None:
        """Note the first text that has not the blanks which the tokenizer needs."""
        for text in texts:
            if not text.isascii() and _has_joined_words(text[: self._left_for_blanks]):
                self.joined_text = text
                self._left_for_blanks = 0
            else:
                self._left_for_blanks -= len(text)
            if self._left_for_blanks <= 0:
                return

    def _look_for_uncut_text(self, inputs: Inputs, start: int, stop: int) -> None:
        """Note the first text, of the samples from start to stop, that another ``sentence_split`` would cut.

        It is looked for while no text has a sentence break, in so many characters that it takes no time to speak of.
        """
        if self.saw_break or self.uncut_text is not None or self._left_to_look_at <= 0:
            return
        predictions, references = inputs.predictions[start:stop], reference_texts(inputs.references[start:stop])
        size = total_length(predictions) + total_length(references)
        if size <= self._left_to_look_at and not may_have_sentences("".join(predictions) + "".join(references)):
            self._left_to_look_at -= size
            return
        for text in chain(predictions, references):
            better = better_split(text, self._rules.sentence_split, self.drops_letters)
            if better is not None:
                self.uncut_text, self.better_split = text, better
                return
            self._left_to_look_at -= len(text)
            if self._left_to_look_at <= 0:
                return

    def merge(self, later: TextNotes) -> None:
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
        entry = TOKENIZERS[self._rules.tokenizer] if isinstance(self._rules.tokenizer, str) else None
        keeps_none = entry is not None and (self.drops_letters or not entry.is_general)
        setting = "tokenizer='mixed' with punctuation='keep'" if keeps_none else "punctuation='keep'"
        return f"{setting} makes tokens of marks, symbols and emoji."


def _has_more_ascii_letters(text: str) -> bool:
    """Whether ASCII letters are at least as many as all characters that are not ASCII: quick to find out."""
    ascii_part = text.encode("ascii", "ignore")
    return len(ascii_part.translate(None, _NO_LETTERS)) >= len(text) - len(ascii_part)


def _texts_of(inputs: Inputs, start: int, stop: int) -> Iterable[str]:
    """The predictions of the samples from start to stop, then their references."""
    return chain(inputs.predictions[start:stop], reference_texts(inputs.references[start:stop]))


def _has_joined_words(text: str) -> bool:
    """Whether some part between blanks holds more characters of scripts without blanks than a word has."""
    parts = text.split()
    longest = _LONGEST_TEXT_OF_A_WORD if len(parts) == 1 else _LONGEST_WORD
    return any(len(part) > longest and len(_UNSPACED.findall(part)) > longest for part in parts)


def shortened(text: str, limit: int = 40) -> str:
    """The beginning of a text, for messages."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
