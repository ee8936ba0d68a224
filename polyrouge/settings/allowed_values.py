"""What a setting may be: each class checks a kind of value, writes it into a signature, and reads it back."""

import math
import os
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass
from numbers import Integral, Real
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

from polyrouge.errors import Option, RefusedType, RefusedValue, Sentence, own_name, short_repr, unknown_value, warn_user
from polyrouge.settings.rouge_types import own_type_name
from polyrouge.texts.jieba_words import JiebaDictionary, is_jieba_tokenizer, jieba_dictionary
from polyrouge.texts.preparation import SIDES, STEPS
from polyrouge.texts.registration import UNNAMED, sha256
from polyrouge.texts.sentences import SENTENCE_SPLITS, checked_sentence_split, refuse_surrogates
from polyrouge.texts.tokenizers import TOKENIZERS

STOP_LISTS = ("rouge155", "lveval_zh", "sumeval_en", "sumeval_zh", "sumeval_ja")
_MAX_WORDS = 10  # longer word lists are shown as their size and a digest
_DIGEST_LENGTH = 12


class Values:
    """A kind of value; the base is for a text. These methods never get None where it is allowed."""

    may_be_none = False

    def check(self, name: str, value: Any, /) -> Any:
        """Return the value in its own form; ``ValueError`` or ``TypeError`` if it is not allowed."""
        raise NotImplementedError

    def write(self, value: Any) -> str:
        """Return the value as text of a signature."""
        return escape(str(value))

    def read(self, text: str, name: str, _key: str, /) -> Any:
        """Return the value of that text; ``ValueError`` if a signature can't hold it."""
        if "#" in text:
            raise ValueError(f"The signature names {text!r} but can't hold it: from_signature(text, {name}=...).")
        return unquote(text)


class Choice(Values):
    """One of some names, which may include None; other spellings of them are taken.

    Behind a name stand its synonyms, which are taken for it, as ``folded``. ``hints`` are words that may mean a name,
    and may mean something else: messages suggest the name.
    """

    def __init__(self, *names: str | None, **hints: str) -> None:
        self.allowed = tuple(name and name.partition(" ")[0] for name in names)
        self.synonyms = {
            name: synonyms for name, _, synonyms in (words.partition(" ") for words in names if words) if synonyms
        }
        self.hints = hints
        self.may_be_none = None in names

    def check(self, name: str, value: Any, /) -> str | None:
        names = {str(name): name for name in self.allowed}
        found_name = own_name(value, names, self.synonyms)
        if found_name is None:
            raise unknown_value(value, names, Option(name), self.hints)
        return names[found_name]


class Flag(Values):
    """True or False, under other words in the signature; or one of some texts, each with its effect for messages."""

    def __init__(self, true: str = "yes", false: str = "no", **texts: str) -> None:
        self.words = (true, false)
        self.texts = texts

    def check(self, name: str, value: Any, /) -> Any:
        if (text := own_name(value, self.texts)) is not None:
            return text
        return checked_flag(name, value, "".join(f", or {text!r} for {effect}" for text, effect in self.texts.items()))

    def write(self, value: Any) -> str:
        return value if isinstance(value, str) else self.words[not value]

    def read(self, text: str, _name: str, key: str, /) -> Any:
        if text in self.texts:
            return text
        if text not in self.words:
            raise unknown_value(text, (*self.words, *self.texts), f"value of {key!r}")
        return text == self.words[0]


@dataclass(frozen=True)
class Range(Values):
    """A number from ``low`` to ``high``, both included unless ``is_open``."""

    kind: type[int] | type[float]
    low: float
    high: float
    is_open: bool = False
    may_be_none: bool = False

    def __str__(self) -> str:
        low, high = ("above", "below") if self.is_open else ("at least", "at most")
        return f"{low} {self.low} and {high} {self.high}"

    def check(self, name: str, value: Any, /) -> Any:
        return checked_number(name, value, self)

    def write(self, value: Any) -> str:
        if self.kind is int:
            return str(value)
        return f"{value:g}" if float(f"{value:g}") == value else repr(value)

    def read(self, text: str, _name: str, key: str, /) -> Any:
        return _number(text, key, self.kind)


BILLION = 10**9
DIGITS = Range(int, 0, 15, may_be_none=True)
FRACTION = Range(float, 0, 1, is_open=True)
CONFIDENCE = Range(float, 0, 1, is_open=True, may_be_none=True)
COUNT = Range(int, 1, BILLION)
RESAMPLES = Range(int, 1, 10**6)
SEED = Range(int, 0, 2**32 - 1)
# No number in its range can overflow a float64, or the int64 of a kernel, on texts of up to a billion tokens.
# The total of rougeW is up to tokens ** (weight ** 2), its recall up to tokens ** ((1 - weight) / weight).
LIMIT = Range(int, 1, BILLION, may_be_none=True)
WEIGHT = Range(float, 0.5, 5)
WEIGHTS = Range(float, -BILLION, BILLION)


class Types(Values):
    """Names of ROUGE types, without repeats."""

    def check(self, name: str, value: Any, /) -> tuple[str, ...]:
        if isinstance(value, str):
            raise RefusedType(Option(name), f" is the string {value!r}; give a list: [{value!r}].")
        types = _list(name, value, "a list of names, for example ['rouge1', 'rougeL']")
        if not types:
            raise RefusedValue(Option(name), " is empty; give at least one, for example ['rouge1', 'rougeL'].")
        for type_name in types:
            if not isinstance(type_name, str):
                raise RefusedType(
                    Option(name), f" holds {short_repr(type_name)}; each must be a string such as 'rouge1'."
                )
        own_names = tuple(map(own_type_name, types))
        if len(set(own_names)) < len(own_names):
            raise RefusedValue(Option(name), f" names a type twice: {', '.join(types)}.")
        return own_names

    def write(self, value: Any) -> str:
        return ",".join(name.removeprefix("rouge") for name in value)

    def read(self, text: str, _name: str, _key: str, /) -> Any:
        return tuple(f"rouge{part}" for part in text.split(","))


class StopWords(Values):
    """The name of a list, or words: sorted and without repeats, so that equal sets are equal settings."""

    may_be_none = True

    def check(self, name: str, value: Any, /) -> Any:
        if (list_name := own_name(value, STOP_LISTS)) is not None:
            return list_name
        if isinstance(value, str):
            raise RefusedType(
                Option(name),
                f" is the string {value!r}; give a list of words, for example open(path).read().split(), "
                f"or the name of a list: {', '.join(STOP_LISTS)}.",
            )
        words = _list(name, value, "a list of words", ordered=False)
        for word in words:
            if not isinstance(word, str) or not word:
                raise RefusedType(Option(name), f" holds {short_repr(word)}; each must be a non-empty string.")
            refuse_surrogates(word, name)
        return tuple(sorted(set(map(checked_text, words))))

    def write(self, value: Any) -> str:
        if isinstance(value, str):
            return escape(value)
        if len(value) <= _MAX_WORDS:
            return f"[{','.join(map(escape, value))}]"
        return f"{len(value)}#{sha256(repr(value).encode())[:_DIGEST_LENGTH]}"

    def read(self, text: str, name: str, key: str, /) -> Any:
        value = super().read(text, name, key)
        if text in STOP_LISTS:
            return value
        if not (text.startswith("[") and text.endswith("]")):
            raise ValueError(f"{key}:{text} must be none, or words in brackets: {key}:[the,of].")
        return tuple(unquote(word) for word in text[1:-1].split(",") if word)


class Names(Values):
    """Some of the names of a table, sorted and without repeats."""

    def __init__(self, table: Mapping[str, str]) -> None:
        self.table = table

    def check(self, name: str, value: Any, /) -> tuple[str, ...]:
        names = _list(name, value, f"a list of names: of {', '.join(self.table)}")
        for item in names:
            if not isinstance(item, str) or item not in self.table:
                raise unknown_value(item, self.table, f"name in {name}")
        return tuple(sorted(set(map(checked_text, names))))

    def write(self, value: Any) -> str:
        return ",".join(value) or "[]"

    def read(self, text: str, _name: str, _key: str, /) -> Any:
        return tuple(text.split(",")) if text != "[]" else ()


class Steps(Names):
    """Steps of ``prepare`` in their order, each for both sides or for one; a single one may be given as a text."""

    def __init__(self) -> None:
        super().__init__({name: step.english for name, step in STEPS.items()})

    def check(self, name: str, value: Any, /) -> tuple[str, ...]:
        names = [value] if isinstance(value, str) else _list(name, value, "a list of steps, such as ['strip']")
        return tuple(self._own_name(name, item) for item in names)

    def _own_name(self, name: str, item: Any) -> str:
        side, dot, step = item.rpartition(".") if isinstance(item, str) else ("", "", item)
        own = own_name(step, STEPS) if side in (("",) if not dot else SIDES) else None
        if own is None:
            raise unknown_value(item, STEPS, f"step of {name}")
        return f"{side}{dot}{own}"


GEOMETRIC = "geometric"


class Weights(Values):
    """One number for each type, whose number ``RougeSettings`` compares; or ``"geometric"``."""

    may_be_none = True

    def check(self, name: str, value: Any, /) -> Any:
        if (word := own_name(value, (GEOMETRIC,))) is not None:
            return word
        numbers = _list(name, value, f"one number for each of rouge_types, or {GEOMETRIC!r}")
        return tuple(checked_number(f"A number of {name}", number, WEIGHTS) for number in numbers)

    def write(self, value: Any) -> str:
        return value if value == GEOMETRIC else ",".join(map(repr, value)) or "[]"

    def read(self, text: str, _name: str, key: str, /) -> Any:
        return text if text == GEOMETRIC else tuple(_number(part, key, float) for part in text.split(","))


class Folder(Values):
    """The path of a folder; the signature has its digest."""

    may_be_none = True

    def check(self, name: str, value: Any, /) -> str:
        folder = _path(name, value, "the path of a folder")
        if not os.path.isdir(folder):
            raise RefusedValue(Option(name), f": there is no folder {folder!r}.")
        return folder

    def write(self, value: Any) -> str:
        folder, content = Path(value), b""
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            content += f"{file.relative_to(folder).as_posix()}\0".encode(errors="surrogatepass")
            content += bytes.fromhex(sha256(file.read_bytes()))
        return f"{escape(folder.name)}#{sha256(content)[:_DIGEST_LENGTH]}"


class PkusegModel(Folder):
    """The folder of a model of pkuseg."""

    def check(self, name: str, value: Any, /) -> str:
        from polyrouge.texts.word_segmenters import check_pkuseg_model

        folder = os.path.expanduser(_path(name, value, "the path of a folder"))
        check_pkuseg_model(folder)
        return folder


class SubwordModel(Values):
    """A ``tokenizer.json``, its folder, or a repository on the Hub."""

    may_be_none = True

    def check(self, name: str, value: Any, /) -> str:
        from polyrouge.texts.subwords import hub_model

        model = _path(name, value, "a path, or a repository on the Hub as 'owner/name'")
        if hub_model(model) is None and not os.path.exists(model):
            hint = "a repository on the Hub is written 'owner/name'."
            raise RefusedValue(Option(name), f": there is no file or folder {model!r}; {hint}")
        return model

    def write(self, value: Any) -> str:
        from polyrouge.texts.subwords import subword_digest, subword_name

        return f"{escape(subword_name(value))}#{subword_digest(value)}"

    def read(self, text: str, name: str, key: str, /) -> Any:
        from polyrouge.texts.subwords import how_to_download, subword_digest

        if "/" not in text:  # the name of a file is not its path
            return super().read(text, name, key)
        repository, _, digest = text.partition("#")
        model = unquote(repository)
        if digest not in ("none", local_digest := subword_digest(model)):
            is_here = (
                f"here it is {local_digest}"
                if local_digest != "none"
                else f"it is not on this machine: {how_to_download(model)}"
            )
            raise ValueError(
                f"The signature names the subwords of {model} whose file has the digest {digest}, and {is_here}."
            )
        return model


class Dictionary(Values):
    """A user dictionary's path or a ``jieba.Tokenizer``; None is jieba's own, by its digest."""

    def check(self, name: str, value: Any, /) -> Any:
        if value is None or isinstance(value, JiebaDictionary) or is_jieba_tokenizer(value):
            return value
        path = _path(
            name,
            value,
            "the path of a user dictionary or a jieba.Tokenizer (what inherits from it may cut otherwise: give "
            "tokenizer=its lcut)",
        )
        if not os.path.isfile(path):
            raise RefusedValue(Option(name), f": there is no file {path!r}.")
        return path

    def write(self, value: Any) -> str:
        try:
            dictionary = jieba_dictionary(value)
            is_own = dictionary is jieba_dictionary()
            name = dictionary.name if dictionary.name != "jieba" or is_own else "./jieba"  # a user's file of that name
            return f"{escape(name)}#{dictionary.digest[:_DIGEST_LENGTH]}"
        except ModuleNotFoundError:
            if value is None:
                return "none"
            raise

    def read(self, text: str, name: str, key: str, /) -> Any:
        if text == "none":
            return None
        if not text.startswith("jieba#"):
            return super().read(text, name, key)
        local_entry = self.write(None)
        if text != local_entry:
            warn_user(
                f"This signature was made with jieba's dictionary {text} (here {local_entry}): scores may differ."
            )
        return None


class Function(Values):
    """A name of a registry, or a user's function, which ``register`` names."""

    def __init__(
        self, registry: Mapping[str, Any], register: str, checked: Callable[[Any], Any], method: str = ""
    ) -> None:
        self.registry = registry
        self.register = f"{register}(name, summary, version=...)"
        self.checked = checked
        self.method = method  # an object with this method stands for it

    def check(self, _name: str, value: Any, /) -> Any:
        if self.method and callable(getattr(value, self.method, None)):
            value = getattr(value, self.method)
        value = self.checked(value)
        return checked_text(value) if isinstance(value, str) else value

    def write(self, value: Any) -> str:
        if callable(value):
            return UNNAMED
        entry = self.registry.get(value)
        version = None if entry is None else entry.version
        return escape(value) if version is None else f"{escape(value)}@{escape(version)}"

    def read(self, text: str, name: str, _key: str, /) -> Any:
        if text == UNNAMED:
            raise ValueError(
                f"The signature says that {name} was a function without a name, so it can't be repeated from this "
                f"line. Give the function: from_signature(text, {name}=...). {self.register} names one."
            )
        function, at, version = map(unquote, text.partition("@"))
        if not at:
            return function
        entry = self.registry.get(function)
        if entry is None or entry.version is None:
            raise ValueError(
                f"The signature names the {name} {function!r} of version {version!r}, which is not registered in this "
                f"process: {self.register} does it."
            )
        if entry.version != version:
            warn_user(f"This signature was made with {function} {version} (here {entry.version}): scores may differ.")
        return function


def _checked_tokenizer(value: Any) -> Any:
    """Return a function, or the name of a tokenizer."""
    if callable(value):
        return value
    if not isinstance(value, str):
        raise RefusedType(Option("tokenizer"), f" is {short_repr(value)}; give a name or a callable str -> list[str].")
    if value in TOKENIZERS:
        return value
    name = own_name(value, TOKENIZERS)
    if name is None:
        names = [name for name in TOKENIZERS if not name.startswith(("xlsum_", "sacrebleu_"))]
        raise unknown_value(value, [*names, "sacrebleu_<name>", "xlsum_<language>"], "tokenizer", OTHER_TOKENIZERS)
    return name


OTHER_TOKENIZERS = {
    "mixed": "word words default en english",
    "ascii": "en english rougescore",
    "char": "character characters",
    "zh_char": "zh cn chinese 中文 character characters",
    "jieba": "zh cn chinese 中文 zhword word words",
    "space": "whitespace split none",
    "unicode": "uax29",
    "ja_mecab": "ja japanese jaword mecab fugashi unidic",
    "ja_mecab_ipadic": "ipadic",
    "ja_sudachi_a": "sudachi jasudachi",
    "ja_sudachi_b": "sudachi jasudachi",
    "ja_sudachi_c": "sudachi jasudachi",
    "ko_mecab": "ko korean koword mecab",
    "ko_kiwi": "kiwi",
    "th_newmm": "th thai thword newmm pythainlp",
    "vi_words": "vi vietnamese viword pyvi",
    "super_ni": "gpt2",
    "subwords": "bpe bert gpt2",
}
TOKENIZER = Function(TOKENIZERS, "register_tokenizer", _checked_tokenizer, "tokenize")
SPLIT = Function(SENTENCE_SPLITS, "register_sentence_split", checked_sentence_split)


class Need(NamedTuple):
    """What a setting needs of the others, as it has no effect without."""

    effect: Callable[[Any, Any], Any]  # of the settings and a value of this one; equal for values that do the same
    words: Sentence  # what it needs, as a message ends


class Setting(NamedTuple):
    """The declaration of a setting, in the metadata of its field."""

    key: str  # of its entry in the signature
    values: Values
    matters: Callable[..., bool] | None  # whether these settings write its default too, as it can move a score
    other_names: str  # what other tools and users call it
    need: Need | None  # None for one that can move a result under all others


def _number(text: str, key: str, kind: type[int] | type[float]) -> float:
    """Return the number in an entry of a signature."""
    try:
        return kind(text)
    except ValueError:
        noun = "a whole number" if kind is int else "a number"
        raise ValueError(f"The signature's entry {key!r} has {short_repr(text)} in place of {noun}.") from None


def checked_number(name: str, value: Any, allowed: Range) -> Any:
    """Return the number as Python's own int or float, if it is in its range."""
    if value is None and allowed.may_be_none:
        return None
    is_whole = allowed.kind is int
    if isinstance(value, bool) or not isinstance(value, Integral if is_whole else Real):
        hint = f"a {'whole ' if is_whole else ''}number, {allowed}{', or None' if allowed.may_be_none else ''}"
        raise RefusedType(Option(name), f" is {short_repr(value)}; give {hint}.")
    convert: Any = allowed.kind
    try:
        number = convert(value)
    except OverflowError:
        number = math.inf
    low, high = allowed.low, allowed.high
    if not (low < number < high if allowed.is_open else low <= number <= high):  # nor is NaN
        raise RefusedValue(Option(name), f" is {short_repr(value)}; it must be {allowed}.")
    return number


def checked_flag(name: str, value: Any, or_else: str = "") -> bool:
    """True or False and nothing else; ``or_else`` ends the message."""
    if not isinstance(value, bool):
        raise RefusedType(Option(name), f" is {short_repr(value)}; give True or False{or_else}.")
    return value


def checked_function(name: str, value: Any) -> Any:
    """Return a function, or None."""
    if value is not None and not callable(value):
        raise RefusedType(Option(name), f" is {short_repr(value)}; give a function, or None.")
    return value


def checked_text(value: str) -> str:
    """Return the text as Python's own string: a member of an enum, or numpy's, may print something else."""
    return str.__str__(value)


def _list(name: str, value: Any, hint: str, *, ordered: bool = True) -> list[Any]:
    if isinstance(value, str) or not isinstance(value, Iterable) or getattr(value, "shape", None) == ():
        raise RefusedType(Option(name), f" is {short_repr(value)}; give {hint}.")
    if ordered and isinstance(value, Set):
        raise RefusedType(Option(name), f" is a {type(value).__name__}, which has no order; give {hint}.")
    return list(value)


def _path(name: str, value: Any, hint: str) -> str:
    if not isinstance(value, (str, os.PathLike)):
        raise RefusedType(Option(name), f" is {short_repr(value)}; give {hint}.")
    return os.fsdecode(value)


def escape(text: str) -> str:
    """Percent-encode what has a meaning in a signature (``| : , # @ ( ) [ ]``), blanks, non-ASCII and controls.

    So is a backtick, which ends code in Markdown.
    """
    return quote(text, safe="<>/!?;{}=+*&^$~'\"\\", errors="surrogatepass")  # a file's name may hold them
