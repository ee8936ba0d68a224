"""Notes on the texts of a call, for warnings at its end: each is a function of a ``Sample``.

``NOTES`` lists them in the order of the warnings. A function changes nothing, and returns a sentence, or None. A new
note is one function, its line in ``NOTES``, and its row in the catalogue.
"""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain

from polyrouge.documents.input_notes import (
    InputNotes,
    OddTexts,
    RowChunk,
    Sample,
    added_step,
    is_written_list,
    remedy_of_written_list,
    shortened,
)
from polyrouge.documents.lookalikes import two_spellings
from polyrouge.documents.row_notes import may_repeat, references_by_column, references_in_rows
from polyrouge.documents.side_notes import SIDE_NOTES, may_be_mistaken
from polyrouge.documents.stand_ins import STAND_INS, may_be_stand_ins
from polyrouge.documents.text_forms import (
    chat_turns,
    english_stems,
    letters_apart,
    markdown,
    markup,
    may_be_foreign,
    spaced_han,
)
from polyrouge.errors import Note, Option, Sentence
from polyrouge.inputs import SingleReferences, is_blank, reference_texts
from polyrouge.settings.rules import TextRules, cuts_with_jieba, uses_jieba
from polyrouge.texts.jieba_words import KNOWN_JIEBA, has_untold_words, note_of_other_words
from polyrouge.texts.languages import differ_by_particles, may_be_korean, shares_of_languages
from polyrouge.texts.model_output import has_thoughts, may_have_thoughts
from polyrouge.texts.normalization import uses_nfkc
from polyrouge.texts.patterns import pattern
from polyrouge.texts.preparation import STEPS
from polyrouge.texts.sentences import better_split, may_have_sentences
from polyrouge.texts.tokenizers import entry_of

# How much of a sample a note checks: characters, or rows.
_MOST_FOR_SENTENCES = 200_000  # some milliseconds
_MOST_FOR_LETTERS, _MOST_FOR_BLANKS, _MOST_FOR_KOREAN = 50_000, 20_000, 500_000
_MOST_KOREAN_ROWS = 100
_MOST_THOUGHTS = 100  # predictions: a model that thinks does so everywhere
_MOST_REFERENCES = 200  # rows
_FEWEST_BLANK = 3  # rows; fewer may well be empty
_CHARACTERS_OF_A_TEXT = 200  # checked for Korean
# Characters of scripts without blanks between words: Thai, Lao, Burmese, Khmer, Tai, Balinese, kana, Bopomofo, Yi,
# Javanese; Han; and Tibetan, with a mark between syllables.
_UNSPACED_BUT_HAN = (
    r"\u0E01-\u0EFF\u1000-\u109F\u1780-\u17FF\u1950-\u19DF\u1A20-\u1AAF\u1B00-\u1B7F\u3041-\u312F\u31A0-\u31BF\u31F0-\u31FF"
    r"\uA000-\uA4CF\uA980-\uA9DF"
)
_CUT_BY_ZH_CHAR = r"\u3400-\u9FFF\uF900-\uFAFF\U00020000-\U0003FFFF"
_UNSPACED = pattern(f"[{_UNSPACED_BUT_HAN}{_CUT_BY_ZH_CHAR}\\u0F00-\\u0FFF]")
_NOT_CUT_BY_ZH_CHAR, _HAN = pattern(f"[{_UNSPACED_BUT_HAN}]"), pattern(f"[{_CUT_BY_ZH_CHAR}]")
# More such characters between blanks are no word; in a text without a blank, more than a few.
_LONGEST_WORD, _LONGEST_TEXT_OF_A_WORD = 20, 4
# Letters that are not Latin: two of Han, or two of another script in a row (one alone, such as μ, is a symbol).
_OTHER_SCRIPT = pattern(
    rf"(?s:[{_CUT_BY_ZH_CHAR}].*[{_CUT_BY_ZH_CHAR}])"
    r"|[\u0370-\u0559\u0561-\u0588\u05D0-\u1CFF\u2D00-\u2D2F\u3041-\u31FF\uA000-\uA4CF\uA900-\uD7FF]{2}"
)
_LATIN_WORD_WITH_OTHERS = pattern(r"[A-Za-z]*[\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u024F\u1E00-\u1EFF]+[A-Za-z]*")
_BEYOND_LATIN_1 = pattern("[\u0100-\u024f\u1e00-\u1eff]")  # as in Vietnamese, Turkish, Polish; French has few
_LEAST_WORDS, _LEAST_SHARE_OF_WORDS = 3, 0.2  # that lose letters; two words are enough in Vietnamese and so on
_CUT_HAN_ONLY = ("zh_char", "xlsum_other")  # of the scripts without blanks
# Tokenizers of languages, besides "mixed".
_TOKENIZERS_OF_LANGUAGES: dict[str, Sentence] = {
    "Chinese": (Option("tokenizer", "zh_char"), " or ", Option("tokenizer", "jieba"), " (Chinese)"),
    "Japanese": (Option("tokenizer", "ja_mecab"), " (Japanese words)"),
    "Korean": (Option("tokenizer", "ko_mecab"), " (Korean morphemes)"),
    "Thai": (Option("tokenizer", "th_newmm"), " (Thai words)"),
    "Lao": (Option("tokenizer", "lo_words"), " (Lao words)"),
    "Khmer": (Option("tokenizer", "km_words"), " (Khmer words)"),
    "Vietnamese": (Option("tokenizer", "vi_words"), " (Vietnamese words)"),
}


def references_left_out(sample: Sample) -> Note | None:
    """Note that a row has several references, and the convention's tool uses the first."""
    if not sample.reading.leaves_references:
        return None
    return Note(
        Option("multi_reference", "first"),
        ": only the first reference of each row is scored, as by the tool that this convention reproduces, which "
        "knows no others; ",
        *(Option("multi_reference", "best"), " takes the best of them."),
        kind="references_left_out",
    )


def another_jieba(sample: Sample) -> Note | None:
    """Note that the installed jieba cuts in place of the compiled engine, slowly."""
    version = sample.reading.other_jieba
    if version in ("", KNOWN_JIEBA):
        return None
    return Note(
        f"jieba {version} is installed, but the compiled engine cuts as jieba {KNOWN_JIEBA} does: "
        f"so jieba itself cuts the texts, which takes far longer. pip install jieba=={KNOWN_JIEBA}, or a "
        f"polyrouge that knows {version}."
    )


def words_added_to_jieba(sample: Sample) -> Note | None:
    """Note that the process changed jieba's global dictionary, which polyrouge does not use."""
    tool = _tool_of_jieba(sample.rules)
    return None if tool is None else next(note_of_other_words(tool), None)


def stop_words_missing(sample: Sample) -> Note | None:
    """Note that a stemmer of XL-Sum lacks the stop list of its language."""
    if not _lacks_stop_words(sample.rules):
        return None
    from polyrouge.conventions.xlsum import missing_stop_words  # only here, as few need this tool

    return next(missing_stop_words(str(sample.rules.tokenizer).removeprefix("xlsum_")), None)


def letters_dropped(sample: Sample) -> Note | None:
    """Note that the tokenizer drops letters of a text: all or most, all of a script, or some inside words."""
    rules, text = sample.rules, sample.reading.lost_text
    drops_letters = entry_of(rules.tokenizer).drops_letters
    if text is not None:
        return Note(
            f"The tokenizer {_name(rules)} drops {'most letters' if drops_letters else 'all letters'} of "
            f"{shortened(text)!r}, and perhaps of other texts, so what they say is not scored. Use ",
            *(*_tokenizers_for(text), "."),
            kind="letters_dropped",
            text=repr(shortened(text)),
        )
    text = _first_text(sample, _MOST_FOR_LETTERS, partial(_loses_letters, rules=rules)) if drops_letters else None
    if text is None:
        return None
    return Note(
        f"The tokenizer {_name(rules)} drops every letter that is not ASCII, such as in {shortened(text)!r}: "
        "words of other scripts are not scored, and words with accents fall apart. Use ",
        *(*_tokenizers_for(text), "."),
        kind="some_letters_dropped",
        text=repr(shortened(text)),
    )


def no_token(sample: Sample) -> Note | None:
    """Note that a text without letters has no token."""
    text = sample.reading.tokenless_text
    if text is None:
        return None
    return Note(
        f"The tokenizer {_name(sample.rules)} leaves no token of {shortened(text)!r}, and perhaps of other "
        "texts, so they count as empty. ",
        *_what_keeps(text, sample.rules),
        kind="no_token",
        text=repr(shortened(text)),
    )


def no_blanks(sample: Sample) -> Note | None:
    """Note that a text lacks the blanks between words that the tokenizer needs."""
    rules = sample.rules
    if not _needs_blanks(rules):
        return None
    cuts_han = rules.tokenizer in _CUT_HAN_ONLY
    is_joined = _has_clauses_beside_han if cuts_han else _lacks_blanks
    text = _first_text(sample, _MOST_FOR_BLANKS, is_joined, of_odd=cuts_han)
    if text is None:
        return None
    remedy = "Use ", *_tokenizers_for(text)
    if cuts_han:
        return Note(
            f"The tokenizer {_name(rules)} cuts Chinese characters only; {shortened(text)!r} is in a script that has "
            "no blanks between words, so a whole clause is one token. ",
            *(*remedy, "."),
            kind="no_blanks_for_zh_char",
            text=repr(shortened(text)),
        )
    or_jieba = (" or ", Option("segment", "jieba")) if _HAN.search(text) else ()
    return Note(
        f"The tokenizer {_name(rules)} splits at blanks, and {shortened(text)!r} has none between its words, so a "
        "whole clause is one token. ",
        *(*remedy, "; or put blanks in by ", Option("segment", "char"), *or_jieba, "."),
        kind="no_blanks",
        text=repr(shortened(text)),
    )


def korean_particles(sample: Sample) -> Note | None:
    """Note that a Korean word of a prediction has another particle in a reference."""
    text = _korean_text(sample) if _looks_for_korean(sample.rules) else None
    if text is None:
        return None
    return Note(
        f"{shortened(text)!r} is Korean, and the tokenizer {_name(sample.rules)} takes its words with their "
        "particles, so that 학교에 and 학교는 share nothing. The convention 'ko_word' compares morphemes, as "
        "papers do (pip install python-mecab-ko), ",
        *(Option("tokenizer", "char"), " syllables; ", Option("tokenizer", "unicode"), " says that words are meant."),
        kind="korean_particles",
        text=repr(shortened(text)),
    )


def thoughts(sample: Sample) -> Note | None:
    """Note that a prediction includes a model's thoughts, or calls of tools."""
    budget = 0 if "model_output" in sample.rules.prepare else _MOST_THOUGHTS
    for chunk in sample.chunks:
        text = next(filter(has_thoughts, chunk.predictions[:budget]), None)
        if text is not None:
            return Note(
                f"The prediction {shortened(text)!r}, and perhaps others, holds what a model thought, or asked "
                "of tools, before it answered, which is scored as part of the answer. ",
                *(added_step("model_output", sample.rules), " leaves it out."),
                kind="thoughts",
                text=repr(shortened(text)),
            )
        budget = max(0, budget - len(chunk.predictions))
    return None


def lines_of_samsum(sample: Sample) -> Note | None:
    """Note that LongBench scores the first line alone of an answer to SAMSum."""
    if not _may_be_of_samsum(sample.rules):
        return None
    for prediction, references in sample.beginnings:
        if "\n" in prediction.strip() and not any("\n" in reference for reference in references):
            return Note(
                f"The prediction {shortened(prediction)!r}, and perhaps others, has several lines, and all are scored, "
                "as LongBench does for most sets. For SAMSum it scores the first line alone, as the convention "
                "'longbench_samsum' does; ",
                *(Option("prepare", ["prediction.first_line"]), " adds that here."),
                kind="lines_of_samsum",
                text=repr(shortened(prediction)),
            )
    return None


def _blank(column: str, sample: Sample) -> Note | None:
    """Note that every text of a column is empty."""
    if sample.reading.n_rows < _FEWEST_BLANK or column not in sample.reading.blank_columns:
        return None
    why = " (In training, labels that are all -100 leave none.)" if column == "reference" else ""
    return Note(f"Every {column} is empty, so the scores say nothing. Were they lost on the way?{why}")


def _written_as_lists(column: str, sample: Sample) -> Note | None:
    """Note that every text of a column is a list written as a text."""
    text = dict(sample.reading.written_lists).get(column)
    if text is None:
        return None
    return Note(
        f"Every {column} is a list that was written as one text, such as {shortened(text)!r}, and its brackets and "
        f"quotation marks are part of it. {remedy_of_written_list(text, f'{column}s')}; in a file, "
        "name a column of lists, or write this one as lists, in JSONL or Parquet."
    )


def references_of_a_word(sample: Sample) -> Note | None:
    """Note that all references are single words, perhaps the tokens of one reference."""
    words: Sequence[str] = ()
    budget = _MOST_REFERENCES
    for chunk in sample.chunks:
        if isinstance(chunk.references, SingleReferences):
            continue
        for prediction, row in zip(chunk.predictions[:budget], chunk.references, strict=False):
            if not all(map(_is_a_word, row)) or "" in row:  # "" is no token
                return None
            if not words and len({*row}) > 1 and not _is_a_word(prediction):
                words = row
        budget = max(0, budget - len(chunk.predictions))
    if not words:
        return None
    return Note(
        f"Every reference is one word: a row has {list(words[:3])!r}. Each is scored by itself, as a text of its own. "
        "If they are the tokens of one text, join them: ' '.join(tokens), with ",
        *(Option("tokenizer", "space"), " to keep them as they are."),
        kind="references_of_a_word",
        words=repr(list(words[:3])),
    )


def uncut_sentences(sample: Sample) -> Note | None:
    """Note that no text has two sentences, while another ``sentence_split`` would cut some."""
    rules = sample.rules
    if not _cuts_sentences(rules) or sample.reading.has_breaks:
        return None
    text, better = _uncut_text(sample)
    if not better:
        return None
    split = rules.sentence_split
    by = (Option("sentence_split", split),)
    if not isinstance(split, str):
        by = "the ", Option("sentence_split"), " that was given"
    begin, end = (
        ("rougeLsum: no text has a sentence break by ", ", so it is rougeL")
        if rules.wants_sentences == "rougeLsum"
        else ("rougeL compares sentences here, and no text has a sentence break by ", ", so each is one")
    )
    return Note(
        *(begin, *by, f"{end}; but {shortened(text)!r} has several sentences. ", Option("sentence_split", better)),
        *(" cuts them; ", Option("sentence_split", "none"), " says that every text is one."),
        kind=f"uncut_sentences_{better}",
    )


NOTES: tuple[Callable[[Sample], Note | None], ...] = (
    references_left_out,
    another_jieba,
    words_added_to_jieba,
    stop_words_missing,
    letters_dropped,
    no_token,
    no_blanks,
    korean_particles,
    thoughts,
    chat_turns,
    lines_of_samsum,
    markup,
    markdown,
    letters_apart,
    spaced_han,
    english_stems,
    two_spellings,
    partial(_blank, "prediction"),
    partial(_blank, "reference"),
    partial(_written_as_lists, "prediction"),
    partial(_written_as_lists, "reference"),
    *STAND_INS,
    *SIDE_NOTES,
    references_of_a_word,
    references_by_column,
    references_in_rows,
    uncut_sentences,
)
"""All notes, in the order of the warnings."""


def messages_of(notes: InputNotes) -> Iterator[Note]:
    """Yield the warnings of a call."""
    return messages_on(notes.sample())


def messages_on(sample: Sample) -> Iterator[Note]:
    """Yield the notes on a sample."""
    return filter(None, (note(sample) for note in NOTES))


class QuickLook:
    """Decide quickly whether any note may apply to a few pairs, for calls that take microseconds."""

    def __init__(self, rules: TextRules) -> None:
        self._is_normalized = rules.normalize is not None
        self._lacks_stop_words = _lacks_stop_words(rules)
        self._jieba_tool = _tool_of_jieba(rules)
        self._looks_for_korean = _looks_for_korean(rules)
        needs_blanks = _needs_blanks(rules) and rules.tokenizer not in _CUT_HAN_ONLY
        self._looks_at_letters = entry_of(rules.tokenizer).drops_letters or needs_blanks
        self._may_think = "model_output" not in rules.prepare
        self._may_be_foreign = may_be_foreign(rules)
        self._cuts_sentences = _cuts_sentences(rules)
        self._may_be_of_samsum = _may_be_of_samsum(rules)

    def may_note(
        self, predictions: list[str], references: list[str], joined: str, *, odd: OddTexts | None, has_breaks: bool
    ) -> bool:
        """Say whether a note may apply to pairs that lose no letters; ``joined`` is all texts in one."""
        if self._lacks_stop_words:
            return True
        if self._jieba_tool is not None and has_untold_words(self._jieba_tool):
            return True
        for first in (predictions[0], references[0]):  # like them, the whole column may be
            if is_blank(first) or (first[0] in "[a" and is_written_list(first)):
                return True
        if not joined.isascii():
            if odd is None or odd.has_any or (odd.has_hangul and self._looks_for_korean) or self._looks_at_letters:
                return True
            is_composed = self._is_normalized or not odd.may_be_decomposed
            if not is_composed and not unicodedata.is_normalized("NFC", joined):
                return True
        if may_repeat(predictions):
            return True
        if may_be_stand_ins(predictions, references, joined) or may_be_mistaken(predictions, references, joined):
            return True
        if self._may_be_foreign(predictions[0], references[0], joined):
            return True
        if self._may_be_of_samsum and "\n" in joined:
            return True
        if self._may_think and may_have_thoughts(joined) and any(map(has_thoughts, predictions[:_MOST_THOUGHTS])):
            return True
        return self._cuts_sentences and not has_breaks and may_have_sentences(joined)


# Settings that notes apply to


def _name(rules: TextRules) -> str:
    return repr(rules.tokenizer) if isinstance(rules.tokenizer, str) else "that was given"


def _tool_of_jieba(rules: TextRules) -> str | None:
    """Return the tool whose tokenizer cuts by jieba's own words, "" for polyrouge's settings; None without jieba."""
    if rules.jieba_dict is not None or not uses_jieba(rules):
        return None
    return "" if cuts_with_jieba(rules) else str(rules.tokenizer)


def _lacks_stop_words(rules: TextRules) -> bool:
    return rules.use_stemmer and str(rules.tokenizer).startswith("xlsum_")


def _needs_blanks(rules: TextRules) -> bool:
    splits = entry_of(rules.tokenizer).splits_at_blanks or rules.tokenizer in _CUT_HAN_ONLY
    return splits and rules.segment is None and not any(STEPS[step.split(".")[-1]].parts_han for step in rules.prepare)


def _may_be_of_samsum(rules: TextRules) -> bool:
    return rules.is_of_longbench and not rules.prepare


def _looks_for_korean(rules: TextRules) -> bool:
    return rules.tokenizer == "mixed" and rules.segment is None


def _cuts_sentences(rules: TextRules) -> bool:
    """Say whether texts are to be cut into sentences: not under "none" or "token", which define them otherwise."""
    is_cut = rules.sentence_split not in ("none", "token") and "opencompass" not in rules.prepare
    return bool(rules.wants_sentences) and is_cut


# Texts of a sample


def _texts(chunk: RowChunk) -> Iterator[str]:
    return chain(chunk.predictions, reference_texts(chunk.references))


def _first_text(sample: Sample, most: int, is_odd: Callable[[str], bool], *, of_odd: bool = False) -> str | None:
    """Return the first odd text beyond ASCII within ``most`` characters; ``of_odd``: among the flagged texts."""
    budget = most
    for chunk in sample.chunks:
        odd = chunk.odd if of_odd else None
        if odd is not None and not odd.has_any:
            continue
        flags = None if odd is None else [*odd.predictions, *odd.references]
        for index, text in enumerate(_texts(chunk)):
            if budget <= 0:
                return None
            if not text.isascii() and (flags is None or flags[index]) and is_odd(text[:budget]):
                return text
            budget -= len(text) + 1
    return None


def _korean_text(sample: Sample) -> str | None:
    """Return the first prediction with a Korean word that has another particle in a reference."""
    budget, row_budget = _MOST_FOR_KOREAN, _MOST_KOREAN_ROWS
    for chunk in sample.chunks:
        if chunk.odd is not None and not chunk.odd.has_hangul:
            continue
        for prediction, references in zip(chunk.predictions, chunk.references, strict=True):
            budget -= len(prediction) + 1
            text = prediction[:_CHARACTERS_OF_A_TEXT]
            if not text.isascii() and may_be_korean(text):
                row_budget -= 1
                if any(differ_by_particles(text, reference[:_CHARACTERS_OF_A_TEXT]) for reference in references):
                    return text
            if budget <= 0 or row_budget <= 0:
                return None
    return None


def _uncut_text(sample: Sample) -> tuple[str, str]:
    """Return the first text that another ``sentence_split`` would cut, and that split; "", "" if there is none."""
    drops_letters = entry_of(sample.rules.tokenizer).drops_letters
    budget = _MOST_FOR_SENTENCES
    for chunk in sample.chunks:
        texts = []
        for text in _texts(chunk):
            if budget <= 0:
                break
            texts.append(text)
            budget -= len(text)
        if may_have_sentences("".join(texts)):  # quick, and most texts have none
            for text in texts:
                better = better_split(text, sample.rules.sentence_split, drops_letters)
                if better is not None:
                    return text, better
    return "", ""


def _what_keeps(text: str, rules: TextRules) -> Sentence:
    """Name the setting that makes tokens of a text without letters."""
    if any(map(str.isnumeric, text)):
        return Option("tokenizer", "mixed"), " knows all digits."
    if all(unicodedata.category(character) in ("Cc", "Cf") or character.isspace() for character in text):
        return ("They hold no visible character.",)
    entry = entry_of(rules.tokenizer)
    keeps_none = entry.drops_letters or not entry.is_general
    mixed = (Option("tokenizer", "mixed"), " with ") if keeps_none else ()
    return *mixed, Option("punctuation", "keep"), " makes tokens of marks, symbols and emoji."


def _loses_letters(text: str, rules: TextRules) -> bool:
    """Say whether a tokenizer of ASCII drops all letters of a script, or some in many words (not in one name)."""
    text = unicodedata.normalize("NFKC" if uses_nfkc(rules.normalize) else "NFC", text)
    if _OTHER_SCRIPT.search(text) is not None:
        return True
    words = {*_LATIN_WORD_WITH_OTHERS.findall(text)}
    least = 2 if any(map(_BEYOND_LATIN_1.search, words)) else _LEAST_WORDS
    return len(words) >= least and len(words) > _LEAST_SHARE_OF_WORDS * len(text.split())


def _lacks_blanks(text: str) -> bool:
    """Say whether a part between blanks has more characters of scripts without blanks than a word."""
    parts = text.split()
    longest = _LONGEST_TEXT_OF_A_WORD if len(parts) == 1 else _LONGEST_WORD
    return any(len(part) > longest and len(_UNSPACED.findall(part)) > longest for part in parts)


def _has_clauses_beside_han(text: str) -> bool:
    """Say whether most characters of scripts without blanks are not Chinese, and many are consecutive."""
    n_others = len(_NOT_CUT_BY_ZH_CHAR.findall(text))
    return n_others > len(_HAN.findall(text)) and _lacks_blanks(_HAN.sub("", text))


def _tokenizers_for(text: str) -> Sentence:
    """Name the tokenizers for the language of a text, as arguments of a call."""
    language = next(iter(shares_of_languages([text])), "")
    of_language = _TOKENIZERS_OF_LANGUAGES.get(language, ())
    joined = "" if not of_language else ", " if " or " in of_language else " or "
    return Option("tokenizer", "mixed"), f" (any language){joined}", *of_language


def _is_a_word(text: str) -> bool:
    """Say whether a text is at most one word: no blank, and few characters of scripts without blanks."""
    if len(text.split()) > 1:
        return False
    return text.isascii() or len(_UNSPACED.findall(text)) <= _LONGEST_TEXT_OF_A_WORD
