"""Functions of the user's: without a name the signature says so, and a name moves no score."""

import functools
import pickle
import re
from importlib import metadata

import pytest

from polyrouge import (
    SENTENCE_SPLITS,
    TOKENIZERS,
    Rouge,
    RougeSettings,
    RougeWarning,
    register_sentence_split,
    register_tokenizer,
)


def entries(signature: str) -> dict[str, str]:
    return dict(entry.split(":", 1) for entry in signature.split("|"))


class Registry:
    """Registers for the time of a test."""

    def __init__(self):
        self.names = []

    def tokenizer(self, name, function, version="1", **more):
        register_tokenizer(name, "for this test", version=version, **more)(lambda _options: function)
        self.names.append((TOKENIZERS, name))

    def sentence_split(self, name, function, version="1"):
        register_sentence_split(name, "for this test", version=version)(function)
        self.names.append((SENTENCE_SPLITS, name))

    def clear(self):
        for registry, name in self.names:
            registry.pop(name, None)
        self.names.clear()


@pytest.fixture
def registered():
    registry = Registry()
    yield registry
    registry.clear()


# Without a name


class Pattern:
    """A function as a bound method, and as an object."""

    def __init__(self, pattern):
        self.pattern = re.compile(pattern)

    def tokenize(self, text):
        return self.pattern.findall(text)

    __call__ = tokenize


def closure(value):
    def find(text):
        return value[text] if isinstance(value, dict) else value.findall(text)

    return find


def closure_in_closure(pattern):
    find = closure(re.compile(pattern))
    return lambda text: find(text)


def copied_name(pattern):
    """A function that takes over the attributes of another one, a name for the signature among them."""
    wrapped = functools.wraps(named)(lambda text: re.findall(pattern, text))
    assert wrapped.signature == "a name"
    return wrapped


def named(text):
    return text.split()


named.signature = "a name"

# Pairs of functions that a digest of code and plain values took for the same one.
UNNAMED = {
    "bound-method": lambda pattern: Pattern(pattern).tokenize,
    "object": Pattern,
    "closure-over-a-pattern": lambda pattern: closure(re.compile(pattern)),
    "closure-over-a-dict": lambda pattern: closure({pattern: [pattern]}),
    "closure-in-a-closure": closure_in_closure,
    "builtin-method": lambda pattern: re.compile(pattern).findall,
    "cached": lambda pattern: functools.lru_cache(re.compile(pattern).findall),
    "partial-of-a-pattern": lambda pattern: functools.partial(re.findall, re.compile(pattern)),
    "lambda": lambda pattern: lambda text: re.findall(pattern, text),
    "takes-over-a-name": copied_name,
}


@pytest.mark.parametrize(("name", "key"), [("tokenizer", "tok"), ("sentence_split", "split")])
@pytest.mark.parametrize("make", UNNAMED.values(), ids=list(UNNAMED))
def test_function_without_a_name_is_said_to_have_none(make, name, key):
    for pattern in (r"\w+", r"\S+"):
        settings = RougeSettings(**{name: make(pattern)})
        with pytest.warns(RougeWarning, match=f"the {name}, and says 'custom'.*register_{name}") as caught:
            signature = settings.signature()
        assert [warning.filename for warning in caught] == [__file__]
        assert entries(signature)[key] == "custom"
        with pytest.raises(ValueError, match=rf"{name} was a function without a name.*register_{name}"):
            RougeSettings.from_signature(signature)


def test_function_that_reads_a_changed_global_is_not_taken_for_another_one():
    names = {"WORDS": ["a"]}
    function = eval("lambda text: [word for word in text.split() if word in WORDS]", names)  # noqa: S307 our own
    rouge = Rouge(tokenizer=function, rouge_types=["rouge1"])
    with pytest.warns(RougeWarning, match="custom"):
        before, score = rouge.signature(), rouge.compute(["a b"], ["a c"])
    names["WORDS"] = ["a", "b", "c"]
    with pytest.warns(RougeWarning, match="custom"):
        after = rouge.signature()

    assert score != rouge.compute(["a b"], ["a c"])
    for signature in (before, after):  # they are equal, so neither may pass for a description of the scores
        with pytest.raises(ValueError, match="without a name"):
            Rouge.from_signature(signature)


def test_both_functions_are_asked_for_a_name():
    with pytest.warns(RougeWarning) as caught:
        RougeSettings(tokenizer=str.split, sentence_split=str.splitlines).signature()
    assert [re.findall(r"register_\w+", str(warning.message)) for warning in caught] == [
        ["register_tokenizer"],
        ["register_sentence_split"],
    ]


def test_looking_at_a_metric_asks_for_no_name():
    rouge = Rouge(tokenizer=str.split, rouge_types=["rouge1"])
    for shown in (repr(rouge), repr(rouge.for_trainer()), repr(rouge.as_reward()), rouge.explain("a", "a").signature):
        assert "|tok:custom|" in shown


@pytest.mark.parametrize("values", [{"tokenizer": str.split}, {"tokenizer": str.split, "punctuation": "keep"}])
def test_versions_behind_a_function(values):
    with pytest.warns(RougeWarning, match="custom"):
        written = entries(RougeSettings(**values).signature())
    assert ("regex" in written) == ("punctuation" not in values)


# With a name


def test_registered_functions_have_their_names_and_versions(registered):
    registered.tokenizer("words-2.5", str.split, version="2.5+a|b")
    registered.sentence_split("Zeilen", str.splitlines, version="2024-05 (neu)")
    settings = RougeSettings(tokenizer="words-2.5", sentence_split="Zeilen")
    signature = settings.signature()
    assert entries(signature)["tok"] == "words-2.5@2.5+a%7Cb"
    assert entries(signature)["split"] == "Zeilen@2024-05%20%28neu%29"
    assert RougeSettings.from_signature(signature) == settings
    assert RougeSettings.from_signature(signature, tokenizer="words-2.5") == settings
    with pytest.warns(RougeWarning, match=r"made with words-2\.5 3 \(here 2\.5\+a\|b\): scores may differ"):
        assert RougeSettings.from_signature(signature.replace("@2.5+a%7Cb", "@3")) == settings

    registered.clear()
    for name in ("words-2.5", "Zeilen"):
        with pytest.raises(ValueError, match=f"'{name}' of version .* not registered in this process: register_"):
            RougeSettings.from_signature(signature if name == "words-2.5" else f"split:{entries(signature)['split']}")


def by_commas(text):
    return [*text.split(","), "!"]


def by_bars(text):
    return text.split("|")


@pytest.mark.parametrize("convention", ["default", "rouge_score", "zh_char"])
@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_a_name_moves_no_score(convention, engine, registered):
    registered.tokenizer("by_commas", by_commas)
    registered.sentence_split("by_bars", by_bars)
    predictions = ["The cat,sat|on,the mat", "A|b,c"]
    references = ["the cat,sat,on|the mat", "a,b|c,A"]
    for values in ({}, {"punctuation": "keep"}, {"lowercase": False}, {"max_words": 3}):
        columns = []
        for functions in (
            {"tokenizer": by_commas, "sentence_split": by_bars},
            {"tokenizer": "by_commas", "sentence_split": "by_bars"},
        ):
            rouge = Rouge(convention, engine=engine, **functions, **values)
            scores = rouge.score(predictions, references, rouge_types=["rouge1", "rougeL", "rougeLsum", "rougeW"])
            columns.append({name: column.tolist() for name, column in scores.items()})
            explained = rouge.explain(predictions[0], references[0]).prediction
            columns[-1]["tokens"] = [token.token for token in explained.tokens]
        assert columns[0] == columns[1]


def test_registered_split_must_give_texts(registered):
    registered.sentence_split("broken", len)
    with pytest.raises(TypeError, match="must return a list of strings"):
        Rouge(sentence_split="broken").compute(["a"], ["a"])


def test_settings_with_registered_functions_can_be_pickled(registered):
    registered.tokenizer("in_halves", lambda text: [text[:1], text[1:]])
    registered.sentence_split("at_dots", lambda text: text.split("."))
    rouge = Rouge(tokenizer="in_halves", sentence_split="at_dots")
    scores = rouge.compute(["ab.cd"], ["ab.ce"])
    assert pickle.loads(pickle.dumps(rouge)).compute(["ab.cd"], ["ab.ce"]) == scores  # noqa: S301 our own


@pytest.mark.parametrize(
    ("name", "version", "error", "fragments"),
    [
        ("custom", "1", ValueError, ["'custom'", "letters, digits"]),
        ("a|b", "1", ValueError, ["'a|b'", "letters, digits"]),
        ("a@1", "1", ValueError, ["'a@1'"]),
        ("", "1", ValueError, ["''"]),
        (5, "1", TypeError, ["name", "5", "text"]),
        ("mine", None, TypeError, ["version", "None", "text"]),
        ("mine", 1, TypeError, ["version", "1", "text"]),
        ("mine", " ", ValueError, ["version", "' '"]),
        ("mine", "a\nb", ValueError, ["version", "printed"]),
        ("mine", "\ud800", ValueError, ["version", "printed"]),
    ],
)
@pytest.mark.parametrize("register", [register_tokenizer, register_sentence_split])
def test_name_or_version_that_can_not_be_one(register, name, version, error, fragments):
    with pytest.raises(error) as raised:
        register(name, "x", version=version)
    assert all(fragment in str(raised.value) for fragment in fragments)


def test_name_that_is_taken():
    with pytest.raises(ValueError, match=r"'mixed' is registered already.*polyrouge\.TOKENIZERS\.pop\('mixed'\)"):
        register_tokenizer("mixed", "x", version="1")
    with pytest.raises(ValueError, match=r"'zh' is registered already.*polyrouge\.SENTENCE_SPLITS\.pop\('zh'\)"):
        register_sentence_split("zh", "x", version="1")
    with pytest.raises(ValueError, match=r"'a\.b'; take letters, digits and _"):  # which a separator could be
        register_sentence_split("a.b", "x", version="1")


def test_library_of_a_registered_tokenizer(registered):
    registered.tokenizer("test_wordpiece", str.split, libraries=("pytest",))
    versions = f"|pytest:{metadata.version('pytest')}|regex:{metadata.version('regex')}|ucd:"
    assert versions in RougeSettings(tokenizer="test_wordpiece").signature()
    assert "|regex:" not in RougeSettings(tokenizer="test_wordpiece", punctuation="keep").signature()


def test_a_registered_tokenizer_on_jieba_does_not_claim_its_dictionary(registered):
    registered.tokenizer("search_words", str.split, libraries=("jieba",))
    written = entries(RougeSettings(tokenizer="search_words").signature())
    assert written["jieba"] == metadata.version("jieba")
    assert "dict" not in written
