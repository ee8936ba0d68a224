"""What looks wrong in the texts of one call, gathered text by text, said once at its end."""

from __future__ import annotations

import unicodedata
from itertools import chain

from polyrouge.errors import warn_user
from polyrouge.inputs import Inputs, SingleReferences
from polyrouge.settings.stages import TextRules
from polyrouge.texts.sentences import better_split
from polyrouge.texts.tokenizers import TOKENIZERS

_CHARACTERS_LOOKED_AT = 200_000  # for texts of several sentences: some milliseconds
_NO_LETTERS = bytes(byte for byte in range(128) if not chr(byte).isalpha())


class TextNotes:
    """Notes on the texts of one call, or of a part of it that is merged into the whole.

    Attributes:
        lost_text: a text of whose letters the tokenizer drops all or most; None if there is none.
        saw_break: some text has two sentences with tokens.
        uncut_text: a text that ``sentence_split`` leaves whole and ``better_split`` would cut; None if there is none.
    """

    def __init__(self, rules: TextRules) -> None:
        self._rules = rules
        entry = TOKENIZERS[rules.tokenizer] if isinstance(rules.tokenizer, str) else None
        self.drops_letters = entry is not None and entry.drops_letters
        self.lost_text: str | None = None
        self.saw_break = False
        self.uncut_text: str | None = None
        self.better_split = ""
        # That a text is one sentence is what "none" says; under "token" every word is one.
        asks = rules.wants_sentences and rules.sentence_split not in ("none", "token") and not rules.clean
        self._left_to_look_at = _CHARACTERS_LOOKED_AT if asks else 0

    def look_for_lost_letters(self, text: str, n_tokens: int) -> None:
        """Note a text that has letters, but no token, or (``ascii``) tokens of its minor part only.

        Args:
            text: what the tokenizer was given, before ``normalize``.
            n_tokens: how many tokens it gave, before stop words were left out.
        """
        if self.lost_text is not None or (n_tokens and not self.drops_letters):
            return
        if self._rules.normalize == "nfkc":
            text = unicodedata.normalize("NFKC", text)
        if n_tokens == 0:
            lost = any(map(str.isalpha, text))
        elif _has_more_ascii_letters(text):
            lost = False
        else:
            letters = [] if text.isascii() else [character for character in text if character.isalpha()]
            lost = 2 * sum(map(str.isascii, letters)) < len(letters)
        if lost:
            self.lost_text = text

    def look_for_uncut_text(self, inputs: Inputs, start: int, stop: int) -> None:
        """Note the first text, of the samples from start to stop, that another ``sentence_split`` would cut.

        It is looked for while no text has a sentence break, in so many characters that it takes no time to speak of.
        """
        if self.saw_break or self.uncut_text is not None or self._left_to_look_at <= 0:
            return
        references = inputs.references[start:stop]
        texts = references.texts if isinstance(references, SingleReferences) else chain.from_iterable(references)
        for text in chain(inputs.predictions[start:stop], texts):
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
        self.saw_break |= later.saw_break

    def warn(self) -> None:
        """Warn of what makes the scores of this call other than probably meant."""
        rules = self._rules
        if self.lost_text is not None:
            name = repr(rules.tokenizer) if isinstance(rules.tokenizer, str) else "that was given"
            lost = "most letters" if self.drops_letters else "all letters"
            warn_user(
                f"The tokenizer {name} drops {lost} of {shortened(self.lost_text)!r}, and perhaps of other texts, so "
                "what they say is not scored. Use tokenizer='mixed' (any language), tokenizer='zh_char' or "
                "tokenizer='jieba' (Chinese)."
            )
        if self.uncut_text is not None and not self.saw_break:
            split = rules.sentence_split
            by = f"sentence_split={split!r}" if isinstance(split, str) else "the sentence_split that was given"
            warn_user(
                f"rougeLsum: no text has a sentence break by {by}, so it is rougeL; but {shortened(self.uncut_text)!r} "
                f"has several sentences. sentence_split={self.better_split!r} cuts them; sentence_split='none' says "
                "that every text is one."
            )


def _has_more_ascii_letters(text: str) -> bool:
    """Whether ASCII letters are at least as many as all characters that are not ASCII: quick to find out."""
    ascii_part = text.encode("ascii", "ignore")
    return len(ascii_part.translate(None, _NO_LETTERS)) >= len(text) - len(ascii_part)


def shortened(text: str, limit: int = 40) -> str:
    """The beginning of a text, for messages."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
