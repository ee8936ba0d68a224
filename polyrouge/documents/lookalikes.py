"""Find words that look equal in a prediction and its reference, but are different tokens: ＡＩ and AI."""

import functools
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.documents.document import DocumentReader, ReadDocument, rules_by_side
from polyrouge.documents.input_notes import RowChunk, Sample, added_step
from polyrouge.errors import Note, Option, in_python
from polyrouge.inputs import reference_texts, total_length
from polyrouge.settings.rules import TextRules, cuts_with_jieba
from polyrouge.texts.patterns import pattern
from polyrouge.texts.preparation import SIDES, preparation, steps_of

# Such a word has one of these characters or is not in NFC: characters that NFKC changes to letters or digits (except
# Thai and Lao am, which are usual), invisible characters, letters whose lower case is not their folded form, Turkish i,
# Arabic. The kernels look for the same: see ``NEEDS_A_LOOK``.
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
# Scripts without blanks: a character with its marks, or a run of katakana, stands for a word. So does a sign that
# NFKC turns into letters with a mark, such as ㈱ and ℃; other signs are letters of a word, such as ㎏.
_NO_BLANKS = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_ALONE = r"\u2103\u2109\u2474-\u24b5\u3200-\u3243\U0001f100-\U0001f12a"
_LETTER = rf"[[\p{{L}}\p{{M}}\p{{N}}[\p{{So}}--\p{{dt=None}}]]--[{_NO_BLANKS}{_ALONE}]]"
_WORD = (
    rf"[{_ALONE}]|[{_KANA}][{_KANA}\p{{M}}]*"
    rf"|(?:\u0eab[\u0e99\u0ea1]|[[{_NO_BLANKS}]&&[\p{{L}}\p{{M}}\u2e9f\u2ef3\u2f00-\u2fd5]])[\p{{M}}\u0e32\u0e33\u0eb2\u0eb3]*"
    rf"|(?!\p{{M}}){_LETTER}(?:{_LETTER}|[{_UNSEEN}](?=[{_LETTER}{_UNSEEN}]))*"
)
# A quicker pattern for texts without such characters.
_WORD_BETWEEN_BLANKS = rf"[\p{{L}}\p{{N}}](?:[\p{{L}}\p{{M}}\p{{N}}]+|[{_UNSEEN}](?=[\p{{L}}\p{{M}}\p{{N}}{_UNSEEN}]))*"
_NEEDS_WORD = pattern(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\u2100-\u21ff\u2460-\uabff\uf900-\ufaff\ufe30-\ufe4f\uff00-\U0010ffff]"
)
_HIDDEN = rf"([\p{{Han}}{_KANA}\p{{Hiragana}}])([{_UNSEEN}]+)([\p{{Han}}{_KANA}\p{{Hiragana}}])"
_SEVERAL_WORDS = pattern("[\u00bc-\u00be\u2150-\u215e\u32c0-\u32cb\u32ff\u337b-\u337f]")  # ½, ㍿
# Letters that some readers treat as the same; other digits become ASCII.
_ONE_LETTER = str.maketrans("ıيىكٱةہھەں", "iییکاههههن") | {0x0640: ""}
# The settings that make such words equal, in order; the first changes nothing.
_REMEDIES: tuple[Mapping[str, Any], ...] = (
    *({}, {"normalize": "nfc"}, {"normalize": "nfkc"}),
    *({"normalize": language} for language in ("ar", "fa", "tr")),
    *({"prepare": ["model_output"]}, {"lowercase": "fold"}),
)
_ARABIC = pattern("[\u0600-\u06ff\ufb50-\ufdff\ufe70-\ufefc]")
_PERSIAN = frozenset("پچژگکیہھەں")
_SAMPLES_AT_ONCE = 50
_MOST_SCANNED = 1_000_000  # characters, in search of odd rows
_MOST_IN_ROWS = 30_000  # characters of odd rows: a word of them takes a millisecond
_MOST_CANDIDATES = 20  # words of a call whose tokens are compared


def two_spellings(sample: Sample) -> Note | None:
    """Note a word in two spellings that look equal, one in a prediction and one in its reference."""
    rules = sample.rules
    if callable(rules.tokenizer):
        return None
    finder: LookalikeFinder | None = None
    budget, unscanned = _MOST_IN_ROWS, _MOST_SCANNED
    for chunk, start in _parts_with_odd_rows(sample):
        stop = start + _SAMPLES_AT_ONCE
        rows = None if chunk.odd is None else chunk.odd.rows[start:stop]  # empty if no text is odd
        is_composed = _is_composed(chunk, rules)
        predictions, references = chunk.predictions[start:stop], chunk.references[start:stop]
        if unscanned <= 0:
            return None
        if rows is not None and is_composed and not any(rows):
            unscanned -= total_length(predictions) + total_length(reference_texts(references)) + 1
            continue
        joined = "".join([*predictions, *reference_texts(references)])
        unscanned -= len(joined) + 1
        # Faster for all texts together, and most have no such word.
        if rows is not None and not any(rows):
            if unicodedata.is_normalized("NFC", joined):
                continue
        elif not may_have_lookalikes(joined, rules):
            continue
        finder = finder or LookalikeFinder(rules)
        for index, (prediction, row_references) in enumerate(zip(predictions, references, strict=True)):
            if rows and is_composed and not rows[index]:
                continue
            row_text = "".join([prediction, *row_references])
            if may_have_lookalikes(row_text, rules):
                if note := finder.find(prediction, row_references):
                    return note
                budget -= len(row_text)
                if budget <= 0:
                    return None
    return None


def _parts_with_odd_rows(sample: Sample) -> Iterator[tuple[RowChunk, int]]:
    """Yield each chunk that may have odd rows with the start of each of its parts."""
    for chunk in sample.chunks:
        has_any = chunk.odd is None or chunk.odd.has_any or not _is_composed(chunk, sample.rules)
        if chunk.is_paired and has_any:
            yield from ((chunk, start) for start in range(0, len(chunk.predictions), _SAMPLES_AT_ONCE))


def _is_composed(chunk: RowChunk, rules: TextRules) -> bool:
    """Say whether a chunk's texts are in NFC, or will be."""
    return rules.normalize is not None or (chunk.odd is not None and not chunk.odd.may_be_decomposed)


def may_have_lookalikes(text: str, rules: TextRules) -> bool:
    """Say quickly whether a text may have such words."""
    if text.isascii():
        return False
    units = np.frombuffer(text.encode("utf-16-le", "surrogatepass"), np.uint16)
    if _is_trigger_unit().take(units).any() and TRIGGERS.search(text) is not None:
        return True
    return rules.normalize is None and not unicodedata.is_normalized("NFC", text)


@functools.cache
def _is_trigger_unit() -> NDArray[np.bool_]:
    """Return bool[65536]: UTF-16 units of ``TRIGGERS``, and all surrogates; ten times as fast as the pattern."""
    table = np.zeros(1 << 16, bool)
    for start, stop in re.findall("(?s)(.)(?:-(.))?", f"{_TRIGGERS}\ud800-\udfff"):
        table[ord(start) : ord(stop or start) + 1] = True
    return table


class LookalikeFinder:
    """Find such words by the tokens of one set of rules."""

    def __init__(self, rules: TextRules) -> None:
        self._prepare_prediction, self._prepare_reference = (
            preparation(steps_of(rules.prepare, side)) for side in SIDES
        )
        self._given_rules, self._own_rules = rules, rules_by_side(rules)
        self._rules = rules = self._own_rules[0]
        if cuts_with_jieba(rules):  # loading jieba takes a second, and few words need cutting
            tokenizer = "space" if rules.tokenizer == "jieba" else rules.tokenizer
            self._rules = rules._replace(tokenizer=tokenizer, segment=None)
        self._candidate_budget = _MOST_CANDIDATES
        self._reader = functools.cache(self._make_reader)

    def find(self, prediction: str, references: Sequence[str]) -> Note | None:
        """Describe the first word that references spell otherwise and some setting makes equal; "" if there is none."""
        prepared, prepared_references = (
            self._prepare_prediction(prediction),
            [*map(self._prepare_reference, references)],
        )
        sides = prepared.split(), " ".join(prepared_references).split()
        pred_spellings, ref_spellings = self._spellings(*sides), self._spellings(*reversed(sides))
        for word, spellings in pred_spellings.items():
            other_spellings = ref_spellings.get(word)
            if other_spellings is None or not spellings.isdisjoint(other_spellings) or self._candidate_budget <= 0:
                continue
            pred_word, ref_word = min(spellings), min(other_spellings)
            if self._are_equal(0, pred_word, ref_word):
                continue
            self._candidate_budget -= 1
            remedies = [
                remedy
                for number, remedy in enumerate(_REMEDIES[1:], 1)
                if _is_for(remedy, pred_word + ref_word) and self._are_equal(number, pred_word, ref_word)
            ]
            if remedies:
                return self._note(pred_word, ref_word, remedies, prediction, references)
        return self._find_hidden(prepared, prepared_references, prediction, references)

    def _find_hidden(
        self, prepared: str, prepared_references: Sequence[str], prediction: str, references: Sequence[str]
    ) -> Note | None:
        """Describe a sign of several words, or invisible characters inside a Chinese or Japanese word."""
        for text, opposite_texts in (
            (prepared, prepared_references),
            *((reference, [prepared]) for reference in prepared_references),
        ):
            if self._candidate_budget <= 0:
                break
            if sign := _SEVERAL_WORDS.search(text):
                odd, usual = sign[0], unicodedata.normalize("NFKC", sign[0]).replace("\u2044", "/")
                remedy = {"normalize": "nfkc"}
            elif hidden := _regex(_HIDDEN).search(text):
                odd, usual, remedy = hidden[0], hidden[1] + hidden[3], {"prepare": ["model_output"]}
            else:
                continue
            if any(usual in opposite for opposite in opposite_texts):
                self._candidate_budget -= 1
                if self._overlap({}, prediction, references) < self._overlap(remedy, prediction, references):
                    return self._note(odd, usual, [remedy], prediction, references)
        return None

    def _note(
        self,
        pred_word: str,
        ref_word: str,
        remedies: Sequence[Mapping[str, Any]],
        prediction: str,
        references: Sequence[str],
    ) -> Note:
        """Describe two spellings, with the first remedy that raises the score of the texts, if any."""
        overlap = self._overlap({}, prediction, references)
        helps = (candidate for candidate in remedies if self._overlap(candidate, prediction, references) > overlap)
        remedy = next(helps, None)
        ((name, value),) = (remedy or remedies[0]).items()
        if name == "prepare":
            _, value = added_step(value[0], self._given_rules)
        cure = (Option(name, value),)
        if remedy is None:
            cure = "Changing the texts as ", *cure, " does, before they are scored,"
        odd, usual = (ref_word, pred_word) if _oddness(ref_word) > _oddness(pred_word) else (pred_word, ref_word)
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
        """Return the best ROUGE-1 of a prediction under a remedy, of the full texts, as jieba cuts them."""
        read, read_reference = (DocumentReader(_remedied(rules, remedy)).read for rules in self._own_rules)
        pred_counts = Counter(read(prediction).tokens)
        ref_counts = [Counter(read_reference(text).tokens) for text in references]
        sizes = [max(1, pred_counts.total() + counts.total()) for counts in ref_counts]
        return max(2 * (pred_counts & counts).total() / size for counts, size in zip(ref_counts, sizes, strict=True))

    def _spellings(self, parts: list[str], other_parts: list[str]) -> dict[str, set[str]]:
        """Return the spellings of each word that may be missing in the other text, by its visible letters."""
        other_words = {*other_parts}
        text = " ".join([part for part in parts if part not in other_words])
        words = _regex(_WORD if _NEEDS_WORD.search(text) else _WORD_BETWEEN_BLANKS).findall(text)
        spellings: dict[str, set[str]] = {}
        for folded_word, word in zip(_plain(words, fold=self._rules.lowercase is not False), words, strict=True):
            spellings.setdefault(folded_word, set()).add(word)
        return spellings

    def _are_equal(self, remedy: int, first: str, second: str) -> bool:
        return self._reader(remedy)(first).tokens == self._reader(remedy)(second).tokens

    def _make_reader(self, remedy: int) -> ReadDocument:
        return DocumentReader(_remedied(self._rules, _REMEDIES[remedy])).read


def _remedied(rules: TextRules, remedy: Mapping[str, Any]) -> TextRules:
    """Change the rules as a remedy says; its steps come before those of the rules."""
    if "prepare" in remedy:
        return rules._replace(prepare=(*remedy["prepare"], *rules.prepare))
    return rules._replace(**remedy)


class _PlainLetters(dict[int, str]):
    """Map each character to its visible letter, for ``str.translate``; cached, as characters recur."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        category = unicodedata.category(letter)
        plain = letter.translate(_ONE_LETTER) if category[0] in "LN" or category == "Mc" or letter == "\n" else ""
        self[code] = plain = str(unicodedata.digit(plain)) if plain.isdecimal() else plain
        return plain


_PLAIN_LETTERS = _PlainLetters()


def _plain(words: Sequence[str], *, fold: bool) -> list[str]:
    """Fold words to their visible letters: equal for all spellings of a word, and for some other words."""
    text = "\n".join(words)
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text).translate(_PLAIN_LETTERS)
    return (text.casefold() if fold else text).split("\n") if words else []


def _is_for(remedy: Mapping[str, Any], words: str) -> bool:
    """Say whether a remedy fits the script and language of two words."""
    if remedy in ({"normalize": "ar"}, {"normalize": "fa"}):
        return _ARABIC.search(words) is not None and (remedy["normalize"] == "fa" or _PERSIAN.isdisjoint(words))
    return True


def _oddness(word: str) -> tuple[bool, int]:
    """Rank spellings: the odder has rare characters, or more of them."""
    rare = len(TRIGGERS.findall(word)) + (not unicodedata.is_normalized("NFKC", word))
    return rare > 0, rare + len(word)


def _spell_out(word: str, lookalike: str) -> str:
    """Write a word with code points for the characters that look like the other word's."""
    hidden = {character for character in word if unicodedata.category(character) in ("Cf", "Mn")}
    if not hidden and unicodedata.normalize("NFC", word) == lookalike:
        hidden = {*word} - {*lookalike}
    return "".join(f"<U+{ord(character):04X}>" if character in hidden else character for character in word)


@functools.lru_cache(maxsize=4)
def _regex(expression: str) -> Any:
    """Compile a pattern by regex, which is imported for the few texts that need it."""
    import regex

    return regex.compile(expression, regex.V1)
