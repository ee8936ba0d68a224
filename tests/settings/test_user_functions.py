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


@pytest.fixture
def registered():
    """Registers for the time of a test: a name, a function, and how."""
    before = dict(TOKENIZERS), dict(SENTENCE_SPLITS)

    def register(setting, name, function, version="1", **more):
        if setting == "tokenizer":
            register_tokenizer(name, "", version=version, **more)(lambda _options: function)
        else:
            register_sentence_split(name, "", version=version)(function)

    yield register
    for registry, rows in zip((TOKENIZERS, SENTENCE_SPLITS), before, strict=True):
        for name in [name for name in registry if name not in rows]:
            del registry[name]


# Without a name


class Pattern:
    """A function as a bound method, and as an object."""

    def __init__(self, pattern):
        self.pattern = re.compile(pattern)

    def tokenize(self, text):
        return self.pattern.findall(text)

    __call__ = tokenize


def named(text):
    return text.split()


named.signature = "a name"
UNNAMED = {
    "object": Pattern(r"\w+"),
    "partial": functools.partial(re.findall, r"\w+"),
    "takes-over-a-name": functools.wraps(named)(lambda text: text.splitlines()),
}


@pytest.mark.parametrize("function", UNNAMED.values(), ids=list(UNNAMED))
def test_function_without_a_name_is_said_to_have_none(function):
    settings = RougeSettings(tokenizer=function, sentence_split=function)
    with pytest.warns(RougeWarning, match="and says 'custom'") as caught:
        signature = settings.signature()
    assert [re.findall(r"register_\w+", str(warning.message)) for warning in caught] == (
        [["register_tokenizer"], ["register_sentence_split"]]
    )
    assert {warning.filename for warning in caught} == {__file__}
    for name, key in (("tokenizer", "tok"), ("sentence_split", "split")):
        assert entries(signature)[key] == "custom"
        with pytest.raises(ValueError, match=rf"{name} was a function without a name.*register_{name}"):
            RougeSettings.from_signature(f"{key}:custom")


def test_looking_at_a_metric_asks_for_no_name():
    rouge = Rouge(tokenizer=str.split, rouge_types=["rouge1"])
    for text in (repr(rouge), repr(rouge.for_trainer()), repr(rouge.as_reward()), rouge.explain("a", "a").signature):
        assert "|tok:custom|" in text


# With a name


def test_registered_functions_have_their_names_and_versions(registered):
    registered("tokenizer", "words-2.5", str.split, version="2.5+a|b")
    registered("sentence_split", "Zeilen", str.splitlines, version="2024-05 (neu)")
    settings = RougeSettings(tokenizer="words-2.5", sentence_split="Zeilen")
    signature = settings.signature()
    assert entries(signature)["tok"] == "words-2.5@2.5+a%7Cb"
    assert entries(signature)["split"] == "Zeilen@2024-05%20%28neu%29"
    assert RougeSettings.from_signature(signature) == settings
    assert RougeSettings.from_signature(signature, tokenizer="words-2.5") == settings
    with pytest.warns(RougeWarning, match=r"made with words-2\.5 3 \(here 2\.5\+a\|b\): scores may differ"):
        assert RougeSettings.from_signature(signature.replace("@2.5+a%7Cb", "@3")) == settings

    TOKENIZERS.pop("words-2.5")
    SENTENCE_SPLITS.pop("Zeilen")
    for name, text in (("words-2.5", signature), ("Zeilen", f"split:{entries(signature)['split']}")):
        with pytest.raises(ValueError, match=f"'{name}' of version .* not registered in this process: register_"):
            RougeSettings.from_signature(text)


@pytest.mark.parametrize("convention", ["default", "rouge_score", "zh_char"])
@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_a_name_moves_no_score(convention, engine, registered):
    functions = {"tokenizer": lambda text: [*text.split(","), "!"], "sentence_split": lambda text: text.split("|")}
    names = {name: f"by_{name}" for name in functions}
    for name, function in functions.items():
        registered(name, names[name], function)
    texts = ["The cat,sat|on,the mat", "A|b,c"], ["the cat,sat,on|the mat", "a,b|c,A"]
    for values in ({}, {"punctuation": "keep"}, {"lowercase": False}, {"max_words": 3}):
        columns = []
        for chosen in (functions, names):
            rouge = Rouge(convention, engine=engine, **chosen, **values)
            scores = rouge.score(*texts, rouge_types=["rouge1", "rougeL", "rougeLsum", "rougeW"])
            explained = rouge.explain(texts[0][0], texts[1][0]).prediction
            columns.append({name: column.tolist() for name, column in scores.items()})
            rouge = pickle.loads(pickle.dumps(rouge)) if chosen is names else rouge  # noqa: S301 our own
            columns[-1]["tokens"] = [token.token for token in explained.tokens]
        assert columns[0] == columns[1]


@pytest.mark.parametrize(
    ("name", "version", "error", "named"),
    [
        *((name, "1", ValueError, "letters, digits") for name in ("custom", "a|b", "a@1", "")),
        (5, "1", TypeError, "name"),
        *(("mine", version, TypeError, "version") for version in (None, 1)),
        *(("mine", version, ValueError, "version") for version in (" ", "a\nb", "\ud800")),
    ],
)
@pytest.mark.parametrize("register", [register_tokenizer, register_sentence_split])
def test_name_or_version_that_can_not_be_one(register, name, version, error, named):
    with pytest.raises(error, match=named):
        register(name, "x", version=version)


def test_name_that_is_taken():
    for register, name in ((register_tokenizer, "mixed"), (register_sentence_split, "zh")):
        with pytest.raises(ValueError, match=rf"'{name}' is registered already.*S\.pop\('{name}'\)"):
            register(name, "x", version="1")
    with pytest.raises(ValueError, match=r"'a\.b'; take letters, digits and _"):  # which a separator could be
        register_sentence_split("a.b", "x", version="1")


def test_libraries_of_a_function(registered):
    registered("tokenizer", "test_wordpiece", str.split, libraries=("pytest",))
    versions = f"|pytest:{metadata.version('pytest')}|regex:{metadata.version('regex')}|ucd:"
    assert versions in RougeSettings(tokenizer="test_wordpiece").signature()
    for tokenizer in ("test_wordpiece", str.split):
        with_regex, without = (RougeSettings(tokenizer=tokenizer, punctuation=each) for each in ("drop", "keep"))
        assert "regex" in with_regex.versions()
        assert "regex" not in without.versions()


def test_a_registered_tokenizer_on_jieba_does_not_claim_its_dictionary(registered):
    registered("tokenizer", "search_words", str.split, libraries=("jieba",))
    written = entries(RougeSettings(tokenizer="search_words").signature())
    assert written["jieba"] == metadata.version("jieba")
    assert "dict" not in written
