"""What looks wrong in the texts of one call, gathered text by text, said once at its end."""

from __future__ import annotations

import unicodedata

from polyrouge.errors import warn_user
from polyrouge.settings.stages import TextRules
from polyrouge.texts.tokenizers import TOKENIZERS

_NO_LETTERS = bytes(byte for byte in range(128) if not chr(byte).isalpha())


class TextNotes:
    """Notes on the texts of one call, or of a part of it that is merged into the whole.

    Attributes:
        lost_text: a text of whose letters the tokenizer drops all or most; None if there is none.
        saw_break: some text has two sentences with tokens.
    """

    def __init__(self, rules: TextRules) -> None:
        self._rules = rules
        entry = TOKENIZERS[rules.tokenizer] if isinstance(rules.tokenizer, str) else None
        self.drops_letters = entry is not None and entry.drops_letters
        self.lost_text: str | None = None
        self.saw_break = False

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
                "what they say is not scored. Use tokenizer='mixed' (any language), 'zh_char' or 'jieba' (Chinese)."
            )
        if rules.wants_sentences and not self.saw_break and rules.sentence_split != "none":
            warn_user(
                f"rougeLsum: no text has a sentence break (sentence_split={rules.sentence_split!r}), so it is "
                "rougeL. If the texts have several sentences, sentence_split='auto' or 'zh' cuts them; "
                "sentence_split='none' says that they have one."
            )


def _has_more_ascii_letters(text: str) -> bool:
    """Whether ASCII letters are at least as many as all characters that are not ASCII: quick to find out."""
    ascii_part = text.encode("ascii", "ignore")
    return len(ascii_part.translate(None, _NO_LETTERS)) >= len(text) - len(ascii_part)


def shortened(text: str, limit: int = 40) -> str:
    """The beginning of a text, for messages."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
