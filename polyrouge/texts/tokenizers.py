r"""Cut a text into tokens: the built-in tokenizers, in a registry.

A tokenizer is any function ``str -> list of str``. A factory under ``@built_in_tokenizer`` makes it, or under
``@register_tokenizer`` for users; it imports what it needs (jieba, regex, uniseg) when it is called. The tokenizer gets
the text after ``normalize`` and ``lowercase``. A built-in one drops punctuation itself, unless it is to be kept: see
``without_punctuation``.

In the patterns below ``\p{L}``, ``\p{M}`` and ``\p{N}`` are Unicode's letters, marks and numbers.
"""

import functools
import itertools
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from polyrouge import registries
from polyrouge.registries import Registry
from polyrouge.texts.jieba_words import JiebaWords, MakeCutter, jieba_cutter
from polyrouge.texts.registration import check_new_name

Tokenize = Callable[[str], list[str]]

# The tokenizers that need ``subword_model`` or ``pkuseg_model``, and messages for a missing one.
NEEDS_MODEL, NEEDS_PKUSEG_MODEL = ("subwords", "super_ni"), ("zh_pkuseg",)
SUBWORD_MODEL = (
    "the path of a tokenizer.json or its folder, or a repository on the Hub, such as "
    "'google-bert/bert-base-multilingual-uncased'"
)
PKUSEG_MODEL = (
    "python -c \"import spacy_pkuseg; spacy_pkuseg.pkuseg('news')\" downloads one from GitHub to ~/.pkuseg/news (also "
    "'web', 'mixed', 'medicine', 'tourism', 'spacy_ontonotes'), and spacy_pkuseg.train makes one"
)
HAN = "Han"
# Scripts written without blanks between words: one token a character.
UNSPACED_SCRIPTS = (
    *(HAN, "Hiragana", "Katakana", "Bopomofo", "Yi", "Tangut", "Nushu", "Khitan_Small_Script"),
    *("Thai", "Lao", "Khmer", "Myanmar", "Tai_Le", "New_Tai_Lue", "Tai_Tham", "Tai_Viet", "Ahom"),
    *("Javanese", "Balinese"),
)


@dataclass(frozen=True)
class TokenizerOptions:
    """The settings for the factory of a tokenizer; see ``RougeSettings`` for their meaning.

    Attributes:
        keep_punctuation: ``punctuation="keep"``.
        use_stemmer: stems are wanted. Most tokenizers can ignore it: tokens are stemmed afterwards.
        jieba_dict: None, the path of a user dictionary of jieba, or a ``jieba.Tokenizer``.
        jieba_hmm: let jieba guess words that its dictionary lacks.
        jieba_cutter: makes the function that cuts Chinese words; each engine has its own.
        subword_model: for ``subwords``: which model; ``pkuseg_model`` likewise for ``zh_pkuseg``.
    """

    keep_punctuation: bool = False
    use_stemmer: bool = False
    jieba_dict: JiebaWords = None
    jieba_hmm: bool = True
    jieba_cutter: MakeCutter = jieba_cutter
    subword_model: str | None = None
    pkuseg_model: str | None = None


BuildTokenizer = Callable[[TokenizerOptions], Tokenize]


@dataclass(frozen=True)
class TokenizerEntry:
    """One entry of the registry; ``register_tokenizer`` explains the fields that users set."""

    build: BuildTokenizer
    summary: str
    libraries: tuple[str, ...] = ()
    cuts_at_sentences: bool = False  # the tokens of a text are its sentences' tokens, joined
    drops_letters: bool = False
    build_for_sentences: BuildTokenizer | None = None  # None: the same as for texts
    # For any text, with tokens that are pieces of it; False for a tokenizer of a tool and its convention, or of a
    # model, or with other tokens.
    is_general: bool = True
    version: str | None = None  # of a user's tokenizer, for the signature; None for polyrouge's own
    splits_at_blanks: bool = False  # so words must have blanks between them
    # The ``libraries`` with a dictionary or model: only the same version gives the same tokens. Their words are
    # lower-cased after the cut.
    exact_libraries: tuple[str, ...] = ()
    # Values of settings by name that give the same tokens, because it ignores the setting.
    alike: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    stems: bool = False  # stems by itself under ``use_stemmer``
    gives_characters: bool = False  # each token is one character
    may_give_blanks: bool = False  # a token may include a blank, or be empty
    never_empty: bool = False  # a text without words has an empty token

    @property
    def takes_pieces(self) -> bool:
        """Say whether this is polyrouge's tokenizer, with tokens that are pieces of its text."""
        return self.is_general and self.version is None and not self.exact_libraries


_BUILT_IN: dict[str, TokenizerEntry] = {}  # of the modules that are imported


def built_in_tokenizer(name: str, summary: str, **fields: Any) -> Callable[[BuildTokenizer], BuildTokenizer]:
    """Register the decorated factory as polyrouge's own; ``fields`` are those of ``TokenizerEntry``."""

    def register(build: BuildTokenizer) -> BuildTokenizer:
        _BUILT_IN[name] = TokenizerEntry(build, summary, **fields)
        return build

    return register


def register_tokenizer(
    name: str,
    summary: str,
    *,
    version: str,
    libraries: tuple[str, ...] = (),
    cuts_at_sentences: bool = False,
    drops_letters: bool = False,
    build_for_sentences: BuildTokenizer | None = None,
) -> Callable[[BuildTokenizer], BuildTokenizer]:
    """Name a tokenizer of your own: ``tokenizer="name"`` in this process, ``tok:name@version`` in the signature.

    The decorated factory takes ``TokenizerOptions`` and returns a function ``str -> list[str]``, which gets each
    text after ``normalize`` and ``lowercase``. It scores like the same function given as a callable tokenizer:
    tokens without a letter, mark or digit are dropped under ``punctuation="drop"``.

    Args:
        name: as given to ``RougeSettings``: letters, digits, ``_``, ``-`` and full stops.
        summary: one line for tables and help.
        version: of its rules and models; give a new one whenever a token can change.
        libraries: PyPI packages whose version can move a token; shown in the signature.
        cuts_at_sentences: no token continues beyond a line break or a sentence mark.
        drops_letters: it drops letters beyond ASCII, on purpose.
        build_for_sentences: another factory for the sentences of rougeLsum, rougeW and summary-level L.

    Returns:
        A decorator that returns the factory as it is.

    Raises:
        ValueError: the name is taken or can't be one, or there is no version.
    """
    check_new_name("tokenizer", name, version, TOKENIZERS, allowed=r"[\w.-]+")

    def register(build: BuildTokenizer) -> BuildTokenizer:
        TOKENIZERS[name] = TokenizerEntry(
            *(build, summary, libraries, cuts_at_sentences, drops_letters, build_for_sentences), version=version
        )
        return build

    return register


# For ``alike``: a tool's tokenizer that ignores ``punctuation``.
OWN_PUNCTUATION: Mapping[str, tuple[Any, ...]] = {"punctuation": ("drop", "keep")}


def is_users_tokenizer(tokenizer: object) -> bool:
    """Say whether this is a user's function or the name of a registered one."""
    entry = TOKENIZERS.get(tokenizer) if isinstance(tokenizer, str) else None
    return callable(tokenizer) or (entry is not None and entry.version is not None)


def entry_of(tokenizer: str | Tokenize) -> TokenizerEntry:
    """Return the entry of a tokenizer; make one for a function."""
    return TOKENIZERS[tokenizer] if isinstance(tokenizer, str) else TokenizerEntry(lambda _options: tokenizer, "")


def build_tokenizer(name: str, options: TokenizerOptions, for_sentences: bool = False) -> Tokenize:
    """Build the tokenizer of a name, or its variant for sentences."""
    entry = TOKENIZERS[name]
    build = entry.build_for_sentences if for_sentences and entry.build_for_sentences is not None else entry.build
    try:
        return build(options)
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"The tokenizer {name!r} needs {error.name}: pip install {' '.join(entry.libraries) or error.name}",
            name=error.name,
        ) from error


# To NFC: ``e`` and a combining acute become ``é``, Hangul letters become syllables.
composed: Callable[[str], str] = functools.partial(unicodedata.normalize, "NFC")


def all_composed(texts: Sequence[str]) -> Sequence[str]:
    """Bring texts into NFC; most are in it already, and one check of all texts beyond ASCII is quickest."""
    non_ascii = "".join(itertools.filterfalse(str.isascii, texts))
    return texts if unicodedata.is_normalized("NFC", non_ascii) else list(map(composed, texts))


@functools.cache
def word_test() -> Callable[[str], bool]:
    r"""Return a function that says whether a token has a letter, a mark or a digit: ``[\p{L}\p{M}\p{N}]``."""
    import regex

    search = regex.compile(r"[\p{L}\p{M}\p{N}]").search
    return lambda token: token.isalnum() or search(token) is not None


@built_in_tokenizer(
    "mixed",
    "runs of letters, marks and digits; one character a token in scripts without blanks (Chinese, Thai, ...)",
    libraries=("regex",),
    cuts_at_sentences=True,
)
def _build_mixed(options: TokenizerOptions) -> Tokenize:
    return _script_tokenizer(UNSPACED_SCRIPTS, options)


@built_in_tokenizer(
    "ascii",
    "rouge_score's own: runs of a-z and 0-9, the rest is dropped",
    cuts_at_sentences=True,
    drops_letters=True,
    alike=OWN_PUNCTUATION,
)
def _build_ascii(_options: TokenizerOptions) -> Tokenize:
    return re.compile("[a-zA-Z0-9]+").findall


@built_in_tokenizer(
    "zh_char",
    "Chinese character level: each Han character a token, other letters and digits in runs",
    libraries=("regex",),
    cuts_at_sentences=True,
)
def _build_zh_char(options: TokenizerOptions) -> Tokenize:
    return _script_tokenizer((HAN,), options)


@built_in_tokenizer(
    "char",
    "every character but blanks, punctuation too",
    libraries=("regex",),
    cuts_at_sentences=True,
    gives_characters=True,
)
def _build_char(options: TokenizerOptions) -> Tokenize:
    if options.keep_punctuation:
        return lambda text: [character for character in text if not character.isspace()]
    import regex

    return regex.compile(r"[\p{L}\p{M}\p{N}]").findall


@built_in_tokenizer(
    "jieba",
    "Chinese word level: the words of jieba, blanks dropped",
    libraries=("jieba", "regex"),
    cuts_at_sentences=True,
)
def _build_jieba(options: TokenizerOptions) -> Tokenize:
    return without_punctuation(options.jieba_cutter(options.jieba_dict, hmm=options.jieba_hmm), options)


@built_in_tokenizer(
    "space", "text that is segmented already: split at blanks", libraries=("regex",), splits_at_blanks=True
)
def _build_space(options: TokenizerOptions) -> Tokenize:
    return without_punctuation(str.split, options)


@built_in_tokenizer("unicode", "words of Unicode's UAX #29", libraries=("uniseg", "regex"))
def _build_unicode(options: TokenizerOptions) -> Tokenize:
    from polyrouge.texts.unicode_words import unicode_words

    return without_punctuation(unicode_words, options)


class ScriptPatterns(NamedTuple):
    """Regular expressions for single characters, for ``regex`` with its VERSION1."""

    single: str  # a letter or number of the scripts whose characters are tokens one by one
    start: str  # any other letter or number, with which a run begins
    more: str  # a character that continues a run
    inner: str  # part of a token if the token continues after it
    other: str  # any other visible character, a token if punctuation is kept


def script_patterns(single_scripts: tuple[str, ...]) -> ScriptPatterns:
    """Make the patterns of ``mixed`` and ``zh_char``."""
    scripts = "".join(rf"\p{{scx={script}}}" for script in single_scripts)
    # Apostrophe and tones (ʼ ˇ ˉ ˊ ˋ) belong to Thai or Bopomofo too, and to words of many other scripts.
    single = rf"[[[{scripts}]&&[\p{{L}}\p{{Nl}}\p{{No}}]]--[\u02b0-\u02ff]]"
    return ScriptPatterns(
        single,
        start=rf"[[\p{{L}}\p{{N}}]--{single}]",
        more=rf"[[\p{{L}}\p{{N}}\p{{M}}]--{single}]",
        inner=r"[\u200c\u200d\u055b\u055c\u055e]",  # joiners; Armenian marks of stress, exclamation and question
        other=r"[^\s\p{Cc}\p{Cf}]",
    )


def _script_tokenizer(single_scripts: tuple[str, ...], options: TokenizerOptions) -> Tokenize:
    """Cut characters of these scripts one by one with their marks, and everything else in runs."""
    import regex

    single, start, more, inner, other = script_patterns(single_scripts)
    other, ascii_other = (f"|{other}", "|[!-~]") if options.keep_punctuation else ("", "")
    single_character, run = rf"{single}\p{{M}}*(?:{inner}+\p{{M}}+)*", rf"{start}{more}*(?:{inner}+{more}+)*"
    find_any = regex.compile(f"{single_character}|{run}{other}", regex.VERSION1).findall
    find_ascii = re.compile(rf"[a-zA-Z0-9]+{ascii_other}").findall
    return lambda text: find_ascii(text) if text.isascii() else find_any(text)


def without_punctuation(tokenize: Tokenize, options: TokenizerOptions) -> Tokenize:
    """Drop tokens without a letter, mark or digit, unless punctuation is kept."""
    if options.keep_punctuation:
        return tokenize
    is_word = word_test()
    return lambda text: [token for token in tokenize(text) if is_word(token)]


TOKENIZERS: Registry[TokenizerEntry] = Registry(
    {"texts.tokenizers": " ".join(_BUILT_IN), **registries.TOKENIZERS}, lambda _module: _BUILT_IN
)
"""Every tokenizer by its name, with a ``summary`` and the ``libraries`` whose version can move a token."""
