"""Strings of every kind that jieba treats apart: what the kernel is held to jieba on."""

from __future__ import annotations

import random
from collections.abc import Iterator

HAN = [chr(point) for point in range(0x4E00, 0x9FD6)]  # jieba's
_ASCII = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_MARKS_IN_BLOCK = "+#&._%-"
_SPECIAL = (
    "AT&T c# C# c++ C++ T恤 B超 卡拉OK 4S店 IC卡 γ射线 3.14% 100% 1.2.3 a.5%% 3. ． ％ １２３ Ａ ٣ é QQ号 AA制 1号店 "
    "...... a.......b"
).split()
_NOT_IN_BLOCK = [
    *"㐀㐁䶿〇豈﨎\u9fd6\u9fff\U00020000\U0002a6df\U0002b740\U0002f800",
    *"，。！？、；：“”‘’（）《》…—·~!@$^*()=|\\/<>,;:'\"[]{}`",
    *(" ", "\t", "\n", "\r", "\r\n", "\u3000", "\xa0", "\u2028", "\x1c", "\x85", "\u200b", "\x00", "\x0b"),
    *("😀", "👨‍👩‍👧‍👦", "🇨🇳", "é", "e\u0301", "ñ", "ß", "α", "Д", "あ", "ア", "ー", "한"),
]
_NUMBERS = ("{}", "{}.{}", "{}%", "{}.{}%", "-{}", ".{}", "{}.", "{}.{}.{}", "{}-{}", "{}_{}", "a{}.{}")


class JiebaStrings:
    """Draws strings.

    Args:
        frequencies: of the words of the dictionary, ``Tokenizer.FREQ``.
        seed: the same strings for the same number.
    """

    def __init__(self, frequencies: dict[str, int], seed: int) -> None:
        self._draw = random.Random(seed)
        self.words = sorted(word for word, frequency in frequencies.items() if frequency)
        self._common = sorted(self.words, key=frequencies.__getitem__)[-3000:]
        self._common_characters = [word for word in self._common if len(word) == 1]
        self._known = [character for character in HAN if character in frequencies]

    def random(self, n: int, most_pieces: int = 6) -> Iterator[str]:
        """Words, characters, repeats, ASCII and whatever else, one after the other."""
        for _ in range(n):
            yield "".join(self._piece() for _ in range(self._draw.randint(1, most_pieces)))

    def periodic(self, n: int) -> Iterator[str]:
        """A few characters, again and again: where ways to cut have the same probability."""
        for _ in range(n):
            kinds = (self._common_characters, self._common_characters, self._known, HAN, _ASCII + _MARKS_IN_BLOCK)
            period = "".join(
                self._draw.choice(self._draw.choice(kinds)) for _ in range(self._draw.choice((1, 1, 2, 2, 3)))
            )
            yield period * self._draw.randint(2, 8 // len(period)) + self._draw.choice(("", *self._common[-9:]))

    def user_words(self, n: int) -> list[str]:
        """Lines of a user dictionary, odd ones too."""
        return [
            self._user_word(number) + self._draw.choice(("", f" {self._draw.randint(1, 10**5)}", " 0", " 3 n", " nz"))
            for number in range(n)
        ]

    def with_words(self, words: list[str], n: int) -> Iterator[str]:
        """Some of these words and their beginnings, among others."""
        for _ in range(n):
            pieces = []
            for _ in range(self._draw.randint(1, 5)):
                word = self._draw.choice(words)
                kind = self._draw.random()
                pieces.append(word if kind < 0.6 else word[: self._draw.randint(1, 3)] if kind < 0.7 else self._piece())
            yield "".join(pieces)

    def _characters(self, source: list[str] | str, most: int) -> str:
        return "".join(self._draw.choice(source) for _ in range(self._draw.randint(1, most)))

    def _user_word(self, number: int) -> str:
        kind = self._draw.random()
        if kind < 0.3:
            return self._characters(self._known, 5)
        if kind < 0.5:
            return self._draw.choice(self.words)
        if kind < 0.6:
            return self._draw.choice(_ASCII) + self._draw.choice(self.words) + self._ascii_run()
        if kind < 0.7:
            return f"deep learning{number}"
        if kind < 0.75:
            return self._draw.choice(self.words) + self._draw.choice("，😀㐀")
        if kind < 0.85:
            return self._draw.choice(self._common_characters) * self._draw.randint(2, 4)
        return self._draw.choice(self._common) + self._draw.choice(self._common)

    def _ascii_run(self) -> str:
        kinds = (_ASCII, _ASCII, "0123456789", _MARKS_IN_BLOCK, ".%")
        return "".join(self._draw.choice(self._draw.choice(kinds)) for _ in range(self._draw.randint(1, 8)))

    def _piece(self) -> str:
        kind = self._draw.random()
        if kind < 0.28:
            return self._draw.choice(self._common)
        if kind < 0.38:
            return self._draw.choice(self.words)
        if kind < 0.48:
            return self._characters(self._common_characters, 5)
        if kind < 0.62:
            return self._characters(self._known if kind < 0.55 else HAN, 4)
        if kind < 0.70:
            return next(self.periodic(1))
        if kind < 0.77:
            return self._ascii_run()
        if kind < 0.82:
            return self._draw.choice(_NUMBERS).format(*(self._draw.randint(0, 9999) for _ in range(3)))
        if kind < 0.86:
            return self._draw.choice(_SPECIAL)
        if kind < 0.96:
            return self._draw.choice(_NOT_IN_BLOCK)
        word = self._draw.choice(self.words)
        return word[: self._draw.randint(0, len(word))]
