"""Notes on what looks wrong in the texts of one call, for warnings at its end."""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from typing import NamedTuple

from polyrouge.inputs import Inputs, SingleReferences, is_blank, reference_texts, total_length
from polyrouge.settings.rules import TextRules, cuts_with_jieba, uses_jieba
from polyrouge.texts.jieba_words import KNOWN_JIEBA, has_untold_words, note_of_other_words
from polyrouge.texts.languages import differ_by_particles, may_be_korean, shares_of_languages
from polyrouge.texts.model_output import has_thoughts
from polyrouge.texts.normalization import uses_nfkc
from polyrouge.texts.patterns import pattern
from polyrouge.texts.sentences import better_split, may_have_sentences
from polyrouge.texts.tokenizers import entry_of

_CHARACTERS_OF_A_TEXT = 200  # that are looked at for Korean
# Characters of scripts without blanks between words: Thai, Lao, Burmese, Khmer, Tai, Balinese, kana, Bopomofo, Yi,
# Javanese; Han; and Tibetan, with a mark between syllables.
_UNSPACED_BUT_HAN = (
    r"\u0E01-\u0EFF\u1000-\u109F\u1780-\u17FF\u1950-\u19DF\u1A20-\u1AAF\u1B00-\u1B7F\u3041-\u312F\u31A0-\u31BF\u31F0-\u31FF"
    r"\uA000-\uA4CF\uA980-\uA9DF"
)
_CUT_BY_ZH_CHAR = r"\u3400-\u9FFF\uF900-\uFAFF\U00020000-\U0003FFFF"
_UNSPACED = pattern(f"[{_UNSPACED_BUT_HAN}{_CUT_BY_ZH_CHAR}\\u0F00-\\u0FFF]")
_NOT_CUT_BY_ZH_CHAR, _HAN = pattern(f"[{_UNSPACED_BUT_HAN}]"), pattern(f"[{_CUT_BY_ZH_CHAR}]")
# More of them between blanks are no word; in a text without a blank, more than a few.
_LONGEST_WORD, _LONGEST_TEXT_OF_A_WORD = 20, 4
# Letters that are not Latin: two of Han, or two of another script in a row (one alone, such as μ, is a symbol).
_OTHER_SCRIPT = pattern(
    rf"(?s:[{_CUT_BY_ZH_CHAR}].*[{_CUT_BY_ZH_CHAR}])"
    r"|[\u0370-\u0559\u0561-\u0588\u05D0-\u1CFF\u2D00-\u2D2F\u3041-\u31FF\uA000-\uA4CF\uA900-\uD7FF]{2}"
)
_LATIN_WORD_WITH_OTHERS = pattern(r"[A-Za-z]*[\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u024F\u1E00-\u1EFF]+[A-Za-z]*")
_BEYOND_LATIN_1 = pattern("[\u0100-\u024f\u1e00-\u1eff]")  # as in Vietnamese, Turkish, Polish; French has few
_LEAST_WORDS, _LEAST_SHARE_OF_WORDS = 3, 0.2  # that lose letters; two of Vietnamese and so on
_NO_LETTERS = bytes(byte for byte in range(128) if not chr(byte).isalpha())
_FEWEST_BLANK = 3  # rows; fewer may well be empty
_ROWS_OF_LISTS = 100  # that are looked at for lists written as texts
_MOST_ROWS_TRANSPOSED = 100  # whose lists of references are compared with those of a table that is turned
# What cuts a language, besides "mixed".
_TOKENIZERS_OF_LANGUAGES = {
    "Chinese": "tokenizer='zh_char' or tokenizer='jieba' (Chinese)",
    "Japanese": "tokenizer='ja_mecab' (Japanese words)",
    "Korean": "tokenizer='ko_mecab' (Korean morphemes)",
    "Thai": "tokenizer='th_newmm' (Thai words)",
    "Lao": "tokenizer='lo_words' (Lao words)",
    "Khmer": "tokenizer='km_words' (Khmer words)",
    "Vietnamese": "tokenizer='vi_words' (Vietnamese words)",
}


class OddTexts(NamedTuple):
    """Of some samples, which texts may hold what is noted of odd characters; the kernel has seen them all."""

    has_hangul: bool
    has_any: bool
    may_be_decomposed: bool  # not in NFC
    predictions: Sequence[bool]
    references: Sequence[bool]  # of all rows, one after the other
    rows: Sequence[bool]  # whether a row has such a text


NO_ODD_TEXTS = OddTexts(False, False, False, (), (), ())


class InputNotes:
    """Notes on the texts of one call, or of a part for ``merge``: the first text of each kind."""

    def __init__(self, rules: TextRules) -> None:
        self.rules = rules
        self._entry = entry = entry_of(rules.tokenizer)
        self.drops_letters = entry.drops_letters
        self.lost_text: str | None = None  # the tokenizer drops all or most of its letters
        self.partly_lost_text: str | None = None  # it drops all letters of a script, or those inside many words
        self.tokenless_text: str | None = None  # without letters, but not blank, and without a token
        self.joined_text: str | None = None  # without the blanks between words that the tokenizer needs
        self.thinking_text: str | None = None  # a prediction with a model's thoughts in it
        self.korean_text: str | None = None  # of Korean words, which the default takes with their particles
        self.lookalikes = ""  # a sentence on one word to a reader in two spellings; see ``documents.lookalikes``
        self.odd: OddTexts | None = None  # of the samples that were counted; None where none has looked
        self.saw_break = False  # some text has two sentences with tokens
        self.leaves_references = False  # a row has references that multi_reference="first" leaves out
        cuts = rules.jieba_dict is None and uses_jieba(rules)
        # The tool whose tokenizer cuts by the words that jieba ships, "" for a setting of ours; None if none does.
        self._jieba_tool = ("" if cuts_with_jieba(rules) else str(rules.tokenizer)) if cuts else None
        self.jieba_version = ""  # of the jieba that cut the texts in place of the compiled engine
        self.uncut_text: str | None = None  # sentence_split leaves it whole, and better_split would cut it
        self.better_split = ""
        # That a text is one sentence is what "none" says; under "token" every word is one.
        is_cut = rules.sentence_split not in ("none", "token") and rules.clean != "opencompass"
        self._sentence_budget = 200_000 if rules.wants_sentences and is_cut else 0  # characters: some milliseconds
        needs_blanks = entry.splits_at_blanks or rules.tokenizer == "zh_char"
        self._blank_budget = 20_000 if needs_blanks and rules.segment is None else 0  # characters
        looks_for_korean = rules.tokenizer == "mixed" and rules.segment is None
        self._korean_scan_budget = 500_000 if looks_for_korean else 0  # characters
        self._korean_budget = 100  # predictions in Korean
        self._loss_budget = 50_000 if self.drops_letters else 0  # characters
        self._thought_budget = 100 if rules.clean is None else 0  # predictions: models that think do so everywhere
        self.scan_budget = 0 if callable(rules.tokenizer) else 1_000_000  # characters
        self.lookalike_budget = 30_000  # characters of rows that may have some
        self.word_references: Sequence[str] = ()  # of a row: several, each of one word, as all references are
        self._reference_budget = 200  # rows
        self._lacks_stop_words = rules.use_stemmer and str(rules.tokenizer).startswith("xlsum_")
        self.blank_columns: set[str] | None = None  # all of whose texts are empty; None before any was looked at
        self.written_lists: dict[str, str] = {}  # a column whose texts are lists written as texts, and the first
        self.references_by_column = False  # they look like lists by reference, not by row

    def look_for_lost_letters(self, text: str, n_tokens: int) -> None:
        """Note a text before ``normalize`` whose tokens, stop words among them, are none or drop most letters."""
        if n_tokens and (self.lost_text is not None or not self.drops_letters):
            return
        if n_tokens == 0 and (not text or text.isspace()):
            return
        if self.rules.normalize == "nfkc":
            text = unicodedata.normalize("NFKC", text)
        if n_tokens == 0:
            lost = any(map(str.isalpha, text))
            if not lost and self.tokenless_text is None:
                self.tokenless_text = text
        elif _has_more_ascii_letters(text):
            lost = False
        else:
            # In lower case, some letters are ASCII letters: İ, and the sign of Kelvin.
            lower = text.lower() if self.rules.lowercase is True else text
            letters = [] if text.isascii() else list(filter(str.isalpha, lower))
            lost = 2 * sum(map(str.isascii, letters)) < len(letters)
        if lost and self.lost_text is None:
            self.lost_text = text

    def may_note(
        self, predictions: list[str], references: list[str], whole: str, *, odd: OddTexts | None, has_breaks: bool
    ) -> bool:
        """Whether ``look_at`` may note something in a few pairs, ``whole`` if joined, without lost letters; quick."""
        if self._lacks_stop_words:
            return True
        if self._jieba_tool is not None and has_untold_words(self._jieba_tool):
            return True
        for first in (predictions[0], references[0]):  # as all of a column may be
            if is_blank(first) or (first[0] == "[" and _is_written_list(first)):
                return True
        if not whole.isascii():
            if odd is None or odd.has_any or (odd.has_hangul and self._korean_scan_budget > 0):
                return True
            if self._loss_budget > 0 or (self._blank_budget > 0 and self.rules.tokenizer != "zh_char"):
                return True
            is_composed = self.rules.normalize is not None or not odd.may_be_decomposed
            if not is_composed and not unicodedata.is_normalized("NFC", whole):
                return True
        if ("<" in whole or "[" in whole or "◁" in whole) and any(
            map(has_thoughts, predictions[: self._thought_budget])
        ):
            return True
        return self._sentence_budget > 0 and not has_breaks and may_have_sentences(whole)

    def look_at(self, inputs: Inputs, start: int, stop: int, *, odd: "OddTexts | None" = None) -> None:
        """Look at a few samples; only texts of ``odd`` may be in a script that ``zh_char`` does not cut."""
        predictions, references = inputs.predictions[start:stop], inputs.references[start:stop]
        if self._sentence_budget > 0 and not self.saw_break and self.uncut_text is None:
            self._look_for_uncut_text([*predictions, *reference_texts(references)])
        if self._thought_budget > 0:
            first = predictions[: self._thought_budget]
            self.thinking_text = next(filter(has_thoughts, first), None)
            self._thought_budget = self._thought_budget - len(first) if self.thinking_text is None else 0
        if self._reference_budget > 0 and not isinstance(references, SingleReferences):
            self._look_for_references_of_a_word(predictions, references)
            if start == 0 and _are_by_column(inputs.predictions, inputs.references):
                self.references_by_column = True
        if self._blank_budget > 0:
            both = [*predictions, *reference_texts(references)]
            if self.rules.tokenizer != "zh_char":
                self.joined_text = self._first("_blank_budget", both, _has_joined_words)
            elif odd is None or odd.has_any:
                may_be = None if odd is None else [*odd.predictions, *odd.references]
                self.joined_text = self._first("_blank_budget", both, _has_clauses_for_zh_char, may_be)
        if self._korean_scan_budget > 0 and self._korean_budget > 0 and (odd is None or odd.has_hangul):
            self._look_for_korean(predictions, references)
        if self._loss_budget > 0:
            both = [*predictions, *reference_texts(references)]
            self.partly_lost_text = self._first("_loss_budget", both, partial(_loses_letters, rules=self.rules))

    def look_at_columns(self, inputs: Inputs) -> None:
        """Look at what all texts of a column have in common; stops at the first that is ordinary."""
        references = inputs.references
        columns = {
            "prediction": inputs.predictions,
            "reference": references.texts
            if isinstance(references, SingleReferences)
            else chain.from_iterable(references),
        }
        blank = set()
        for name, texts in columns.items():
            first = next(iter(texts := iter(texts)), "")
            if is_blank(first) and all(map(is_blank, texts)):
                blank.add(name)
            elif _is_written_list(first) and all(map(_is_written_list, islice(texts, _ROWS_OF_LISTS))):
                self.written_lists.setdefault(name, first)
        if self.blank_columns is not None:
            self.blank_columns &= blank
        elif len(inputs.predictions) >= _FEWEST_BLANK:
            self.blank_columns = blank

    def _look_for_uncut_text(self, texts: Sequence[str]) -> None:
        """Note the first text that another ``sentence_split`` would cut, while no text has a sentence break."""
        size = total_length(texts)
        if size <= self._sentence_budget and not may_have_sentences("".join(texts)):
            self._sentence_budget -= size
            return
        for text in texts:
            better = better_split(text, self.rules.sentence_split, self.drops_letters)
            if better is not None:
                self.uncut_text, self.better_split = text, better
                return
            self._sentence_budget -= len(text)
            if self._sentence_budget <= 0:
                return

    def _look_for_references_of_a_word(self, predictions: Sequence[str], references: Sequence[Sequence[str]]) -> None:
        """Note the first row of references that may be tokens, while no reference has two words."""
        for prediction, row in zip(predictions[: self._reference_budget], references, strict=False):
            if not all(map(_is_a_word, row)) or "" in row:  # which is no token
                self.word_references, self._reference_budget = (), 0
                return
            if not self.word_references and len({*row}) > 1 and not _is_a_word(prediction):
                self.word_references = row
            self._reference_budget -= 1

    def _first(
        self, budget: str, texts: Sequence[str], is_odd: Callable[[str], bool], may_be: Sequence[bool] | None = None
    ) -> str | None:
        """The first odd text, within a budget of characters, which it uses up; one that is odd ends the look."""
        for place, text in enumerate(texts):
            left = getattr(self, budget)
            if left <= 0:
                return None
            if not text.isascii() and (may_be is None or may_be[place]) and is_odd(text[:left]):
                setattr(self, budget, 0)
                return text
            setattr(self, budget, left - len(text) - 1)
        return None

    def _look_for_korean(self, predictions: Sequence[str], references: Sequence[Sequence[str]]) -> None:
        """Note the first prediction with a Korean word that a reference has with another particle."""
        for prediction, others in zip(predictions, references, strict=True):
            self._korean_scan_budget -= len(prediction) + 1
            text = prediction[:_CHARACTERS_OF_A_TEXT]
            if not text.isascii() and may_be_korean(text):
                self._korean_budget -= 1
                if any(differ_by_particles(text, other[:_CHARACTERS_OF_A_TEXT]) for other in others):
                    self.korean_text = text
                    self._korean_budget = 0
            if self._korean_scan_budget <= 0 or self._korean_budget <= 0:
                return

    def merge(self, later: "InputNotes") -> None:
        """Add the notes on the texts that come after these."""
        self.lost_text = self.lost_text or later.lost_text
        self.tokenless_text = self.tokenless_text or later.tokenless_text
        self.saw_break |= later.saw_break
        self.jieba_version = self.jieba_version or later.jieba_version

    def messages(self) -> Iterator[str]:
        """The warnings of this call, in sentences."""
        rules = self.rules
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
        if self._jieba_tool is not None:
            yield from note_of_other_words(self._jieba_tool)
        if rules.use_stemmer and isinstance(rules.tokenizer, str) and rules.tokenizer.startswith("xlsum_"):
            from polyrouge.tools.xlsum import missing_stop_words  # of one tool, which few import

            yield from missing_stop_words(rules.tokenizer.removeprefix("xlsum_"))
        if self.lost_text is not None:
            lost = "most letters" if self.drops_letters else "all letters"
            yield (
                f"The tokenizer {name} drops {lost} of {shortened(self.lost_text)!r}, and perhaps of other texts, so "
                f"what they say is not scored. Use {_tokenizers_for(self.lost_text)}."
            )
        elif self.partly_lost_text is not None:
            yield (
                f"The tokenizer {name} drops every letter that is not ASCII, such as those of "
                f"{shortened(self.partly_lost_text)!r}: words of other scripts are not scored, and words with accents "
                f"fall apart. Use {_tokenizers_for(self.partly_lost_text)}."
            )
        if self.tokenless_text is not None:
            yield (
                f"The tokenizer {name} leaves no token of {shortened(self.tokenless_text)!r}, and perhaps of other "
                f"texts, so they count as empty. {self._what_keeps(self.tokenless_text)}"
            )
        if self.joined_text is not None:
            remedy = f"Use {_tokenizers_for(self.joined_text)}"
            if rules.tokenizer == "zh_char":
                yield (
                    f"The tokenizer 'zh_char' cuts Chinese characters only; {shortened(self.joined_text)!r} is in a "
                    f"script that has no blanks between words, so a whole clause is one token. {remedy}."
                )
            else:
                segment = "segment='char' or segment='jieba'" if _HAN.search(self.joined_text) else "segment='char'"
                yield (
                    f"The tokenizer {name} splits at blanks, and {shortened(self.joined_text)!r} has none between its "
                    f"words, so a whole clause is one token. {remedy}; or put blanks in by {segment}."
                )
        if self.korean_text is not None:
            yield (
                f"{shortened(self.korean_text)!r} is Korean, and the tokenizer {name} takes its words with their "
                "particles, so that 학교에 and 학교는 share nothing. The convention 'ko_word' compares morphemes, as "
                "papers do (pip install python-mecab-ko), tokenizer='char' syllables; tokenizer='unicode' says that "
                "words are meant."
            )
        if self.thinking_text is not None:
            yield (
                f"The prediction {shortened(self.thinking_text)!r}, and perhaps others, holds what a model thought "
                "before it answered, which is scored as part of the answer. clean='model_output' leaves it out."
            )
        if self.lookalikes:
            yield self.lookalikes
        for column in sorted(self.blank_columns or ()):
            why = " (In training, labels that are all -100 leave none.)" if column == "reference" else ""
            yield f"Every {column} is empty, so the scores say nothing. Were they lost on the way?{why}"
        for column, text in self.written_lists.items():
            module = "ast.literal_eval" if text.startswith("['") else "json.loads"
            yield (
                f"Every {column} is a list that was written as one text, such as {shortened(text)!r}, and its brackets "
                f"and quotation marks are part of it. Make lists of them first: [{module}(text) for text in "
                f"{column}s]."
            )
        if self.word_references:
            yield (
                f"Every reference is one word: a row has {list(self.word_references[:3])!r}. Each is scored by itself, "
                "as a text of its own. If they are the tokens of one text, join them: ' '.join(tokens), with "
                "tokenizer='space' to keep them as they are."
            )
        if self.references_by_column:
            yield (
                "The references look like lists by reference, each with a text for every row, as sacreBLEU takes them; "
                "here each row has the list of its own references: list(map(list, zip(*references)))."
            )
        if self.uncut_text is not None and not self.saw_break:
            split = rules.sentence_split
            by = f"sentence_split={split!r}" if isinstance(split, str) else "the sentence_split that was given"
            effect = (
                f"rougeLsum: no text has a sentence break by {by}, so it is rougeL"
                if rules.wants_sentences == "rougeLsum"
                else f"rougeL is that of sentences here, and no text has a sentence break by {by}, so each is one"
            )
            yield (
                f"{effect}; but {shortened(self.uncut_text)!r} has several sentences. "
                f"sentence_split={self.better_split!r} cuts them; sentence_split='none' says that every text is one."
            )

    def _what_keeps(self, text: str) -> str:
        """The setting that makes tokens of a text without letters."""
        if any(map(str.isnumeric, text)):
            return "tokenizer='mixed' knows all digits."
        if all(unicodedata.category(each) in ("Cc", "Cf") or each.isspace() for each in text):
            return "They hold no visible character."
        keeps_none = self.drops_letters or not self._entry.is_general
        setting = "tokenizer='mixed' with punctuation='keep'" if keeps_none else "punctuation='keep'"
        return f"{setting} makes tokens of marks, symbols and emoji."


def _is_written_list(text: str) -> bool:
    """Whether a text begins and ends as a list of strings that Python or JSON writes."""
    return text[:2] in ("['", '["') and text[-2:] in ("']", '"]')


def _has_more_ascii_letters(text: str) -> bool:
    """Whether there are at least as many ASCII letters as characters beyond ASCII; quick."""
    ascii_part = text.encode("ascii", "ignore")
    return len(ascii_part.translate(None, _NO_LETTERS)) >= len(text) - len(ascii_part)


def _loses_letters(text: str, rules: TextRules) -> bool:
    """Whether a tokenizer of ASCII drops all letters of a script, or letters inside many words; no single name."""
    text = unicodedata.normalize("NFKC" if uses_nfkc(rules.normalize) else "NFC", text)
    if _OTHER_SCRIPT.search(text) is not None:
        return True
    words = {*_LATIN_WORD_WITH_OTHERS.findall(text)}
    least = 2 if any(map(_BEYOND_LATIN_1.search, words)) else _LEAST_WORDS
    return len(words) >= least and len(words) > _LEAST_SHARE_OF_WORDS * len(text.split())


def _has_joined_words(text: str) -> bool:
    """Whether a part between blanks has more characters of scripts without blanks than a word."""
    parts = text.split()
    longest = _LONGEST_TEXT_OF_A_WORD if len(parts) == 1 else _LONGEST_WORD
    return any(len(part) > longest and len(_UNSPACED.findall(part)) > longest for part in parts)


def _has_clauses_for_zh_char(text: str) -> bool:
    """Whether most characters of scripts without blanks are not Chinese, and many stand in a row."""
    n_others = len(_NOT_CUT_BY_ZH_CHAR.findall(text))
    return n_others > len(_HAN.findall(text)) and _has_joined_words(_HAN.sub("", text))


def _tokenizers_for(text: str) -> str:
    """The tokenizers for the language of a text, as arguments of a call."""
    language = next(iter(shares_of_languages([text])), "")
    own = _TOKENIZERS_OF_LANGUAGES.get(language)
    mixed = "tokenizer='mixed' (any language)"
    return mixed if own is None else f"{mixed}{',' if ' or ' in own else ' or'} {own}"


def _is_a_word(text: str) -> bool:
    """Whether a text is at most one word: it has no blank, and few characters of scripts without any."""
    if len(text.split()) > 1:
        return False
    return text.isascii() or len(_UNSPACED.findall(text)) <= _LONGEST_TEXT_OF_A_WORD


def _are_by_column(predictions: Sequence[str], references: Sequence[Sequence[str]]) -> bool:
    """Whether n lists of n references resemble the predictions far more when transposed."""
    n = len(predictions)
    if not 1 < n <= _MOST_ROWS_TRANSPOSED or any(len(row) != n for row in references):
        return False
    words = [[_words(text) for text in row] for row in references]
    ours = list(map(_words, predictions))

    def likeness(rows: Sequence[Sequence[set[str]]]) -> float:
        pairs = [(prediction, other) for prediction, row in zip(ours, rows, strict=True) for other in row]
        return sum(len(one & other) / max(1, len(one | other)) for one, other in pairs) / n**2

    by_row = likeness(words)
    return likeness([*zip(*words, strict=True)]) > max(1.3 * by_row, by_row + 0.1)


def _words(text: str) -> set[str]:
    """The words of a text, or its characters if it has no blanks."""
    return {*text.lower().split()} if " " in text else {*text.lower()}


def shortened(text: str, limit: int = 40) -> str:
    """The beginning of a text, for messages."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
