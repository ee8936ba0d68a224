"""Settings are checked at construction, and their signature names them all and leads back to them."""

import copy
import dataclasses
import functools
import hashlib
import math
import pickle
import re
import unicodedata
import warnings
from fractions import Fraction
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest
from amounts import examples_in_ci
from hypothesis import example, given
from hypothesis import strategies as st
from language_packages import every_convention, train_bpe, train_pkuseg

from polyrouge import CONVENTIONS, TOKENIZERS, Rouge, RougeSettings, RougeWarning
from polyrouge.conventions import registry
from polyrouge.errors import folded
from polyrouge.settings.allowed_values import OTHER_TOKENIZERS, Choice, Flag, Range
from polyrouge.settings.rouge_settings import ALL_SETTINGS, grouped
from polyrouge.texts.tokenizers import NEEDS_MODEL
from polyrouge.version import VERSION


def refused(error: type[Exception], *fragments: str, **values) -> None:
    """Construction raises ``error`` itself, with all fragments in the message."""
    with pytest.raises((TypeError, ValueError, OverflowError)) as raised:
        RougeSettings(**grouped(values))
    assert issubclass(raised.type, error), values
    assert all(each in str(raised.value) for each in fragments), (values, raised.value)


def signature_of(**values) -> str:
    return RougeSettings(**grouped(values)).signature()


def entries(signature: str) -> dict[str, str]:
    pairs = [entry.split(":", 1) for entry in signature.split("|")]
    assert len({key for key, _ in pairs}) == len(pairs)
    return dict(pairs)


LONG_LIST = tuple(f"word{i:02}" for i in range(11))
LARGEST_SEED = 2**32 - 1
# Of settings that are no plain choice or range: the default, and values that differ; "FILE" stands for a dictionary.
VALUES = {
    "rouge_types": [
        ("rouge1", "rouge2", "rougeL", "rougeLsum"),
        *((f"rouge{name}",) for name in "1 2 3 4 5 6 7 8 9 L Lsum W S SU S0 SU0 S4 SU4 SU137".split()),
        ("rougeSU4", "rougeW"),
        ("rouge2", "rouge1", "rougeL", "rougeLsum"),
    ],
    "tokenizer": [name for name, entry in TOKENIZERS.items() if entry.takes_pieces],
    "prepare": [(), ("opencompass",), ("strip", "prediction.first_line", "strip")],
    "stop_words": [None, (), ("the",), ("none",), ("[x]", "a,b"), ("a", "b"), LONG_LIST, "rouge155", "sumeval_zh"],
    "word_tables": [None, "FOLDER"],
    "sentence_split": ["newline", "zh", "auto", "none", "<q>", "。", "a@b", " ", "\n\n", "|"],
    "weight": [1.2, 2.0, 1.25, 1.2000000000000002],
    "beta": [1.0, 0.0, 1.5, 1 / 3],
    "epsilon": [0.0, 1e-8],
    "refuses": [(), ("empty",), ("deep_recursion", "empty_unless_blank")],
    "confidence": [None, 0.95, 0.9, 0.123456789],
    "weights": [None, (0.2, 0.4, 0.4, 0.0), "geometric"],
    "quirks": [(), ("float32",), ("rouge155_choice", "rounded_ratios")],
    "jieba_dict": [None, "FILE"],
    "subword_model": [None, "MODEL"],
    "pkuseg_model": [None, "PKUSEG"],
}


def values_of(name: str) -> list:
    """The default of a setting, then values that differ from it: every choice, or the ends of a range."""
    if name in VALUES:
        return VALUES[name]
    allowed, default = ALL_SETTINGS[name].values, RougeSettings().value(name)
    if isinstance(allowed, Choice):
        values = allowed.allowed
    elif isinstance(allowed, Flag):
        values = (True, False, *allowed.texts)
    else:
        assert isinstance(allowed, Range), f"VALUES needs a row for {name!r}"
        values = (*map(allowed.kind, (allowed.low, allowed.high)), *[None] * allowed.may_be_none)
    return [default, *(value for value in values if value != default)]


# Our type, and other spellings of it, with a bar between
SPELLINGS_OF_TYPES = {
    "rouge1": "rouge1|Rouge1|R1|ROUGE-1|rouge_1|1",
    "rouge2": "rouge-2|ROUGE 2|2|r2",
    "rougeL": "rougel|ROUGEL|rougeL\n|rouge-l|RL|ROUGE-L|l",
    "rougeLsum": "rougelsum|rouge-lsum|rouge_l_sum|ROUGE-L-Sum|rougeLSum",
    "rougeW": "rougew|rouge-w",
    "rougeS": "ROUGE-S*|rouge-s|rougeS*",
    "rougeS4": "rougeS4 |rougeS04|ROUGE-S4",
    "rougeSU": "ROUGE-SU*|rouge_su",
    "rougeSU2": "rouge-su2",
    "rougeSU4": "rougesu4|ROUGE-SU4|rouge_su4",
}
# The nearest type, and names that are none, or may mean something else
NEAREST_TYPES = {
    "": "\u00a0|bleu",
    "rouge1' or 'rougeL'": "rouge-|rouge",
    "rougeS'": "rouge\u017f|rougeS\uff14",
    "rougeSU'": "rougeSU\u0664",
    "rougeS1'": "rouge-s-1",  # a gap of 1, or of any length as in ROUGE-1.5.5 -2 -1
    "rougeSU4'": "rougeSU-4",
    "rougeW'": "ROUGE-W-1.2",
    "rouge1' or 'rouge2'": "rouge-n",
    "rouge1'? Unknown": "rouge1_fmeasure|rouge1_recall|rouge-1-p|rouge1.5",
    "rouge2'? Unknown": "rouge_2_f_score",
    "rougeL'? Unknown": "rougeL_precision|rouge_l_f_score",
    "rougeLsum'? Unknown": "rougeLsum-f1",
}


def test_other_spellings_of_a_type_are_taken():
    for own, names in SPELLINGS_OF_TYPES.items():
        for name in names.split("|"):
            settings = RougeSettings(rouge_types=[name])
            assert settings.rouge_types == (own,), name
            assert settings.signature() == RougeSettings(rouge_types=[own]).signature()
    assert Rouge(rouge_types=["ROUGE-1", "rouge-l"]).compute(["a"], ["a"]) == {"rouge1": 1.0, "rougeL": 1.0}
    refused(ValueError, "rouge_types ", ": rouge1, ROUGE-1.", rouge_types=["rouge1", "ROUGE-1"])


def test_rouge_type_that_is_not_known():
    for nearest, names in NEAREST_TYPES.items():
        hint = f"Did you mean '{nearest}" if nearest else "Unknown"
        for name in names.split("|"):
            with pytest.raises(ValueError, match=rf"^{re.escape(hint)}.*nearest of [0-9]+ are") as raised:
                RougeSettings(rouge_types=["rouge2", name])
            assert f"Unknown ROUGE type {name!r}" in str(raised.value)
            assert ("It is the F-measure; output='all' adds" in str(raised.value)) == bool(re.search("[-_][fpr]", name))


# Our value, and other words for it
SYNONYMS = [
    ("multi_reference", "best", "max MAX Best"),
    ("multi_reference", "mean", "average avg Mean"),
    ("multi_reference", "best_recall", "best-recall BestRecall"),
    ("aggregate", "mean", "average macro"),
    ("aggregate", "bootstrap_median", "bootstrap-median"),
    ("output", "fmeasure", "f1 F-measure F"),
    ("definition", "paper", "lin Lin2004"),
    ("definition", "rouge155", "ROUGE-1.5.5 perl"),
    ("punctuation", "drop", "remove Strip"),
    ("normalize", "nfkc", "NFKC"),
    ("normalize", None, "none None"),
    ("lowercase", "ascii", "ASCII"),
    ("stop_words", "rouge155", "ROUGE-1.5.5"),
    ("tokenizer", "zh_char", "zh-char ZH_CHAR"),
    ("tokenizer", "jieba", "Jieba"),
    ("sentence_split", "newline", "Newline new-line"),
]


def test_other_words_for_a_value_are_taken_and_signed_with_ours():
    for name, own, words in SYNONYMS:
        for word in words.split():
            settings = RougeSettings(**grouped({name: word}))
            assert settings.value(name) == own
            assert settings.signature() == signature_of(**{name: own})


# Words that may mean one of our values, or something else
SUGGESTED = [
    ("output", "all", "recall precision"),
    ("aggregate", "bootstrap_median", "median bootstrap"),
    ("multi_reference", "pooled", "sum"),
    ("stemmer", "english", "snowball"),
]


def test_words_that_may_mean_something_else_are_suggested_only():
    for name, own, words in SUGGESTED:
        for word in words.split():
            refused(ValueError, f"Did you mean {own!r}? Unknown {name} {word!r}; ", **{name: word})


# The least and the greatest number of each range; those of confidence are excluded.
INTEGERS = {
    **dict.fromkeys(("max_words", "max_bytes", "max_characters"), (1, 10**9)),
    **dict.fromkeys(("round_each", "round_result"), (0, 15)),
    "n_resamples": (1, 10**6),
    "seed": (0, LARGEST_SEED),
}
NUMBERS = {
    "weight": (0.5, 5),
    "beta": (0, 10**9),
    "alpha": (0, 1),
    "epsilon": (0, 1),
    "scale": (1e-9, 10**9),
    **INTEGERS,
}
FLOATS = "weight beta alpha epsilon scale confidence"
# Settings, values of a type or shape that they do not take, and what the refusal says.
GIVE = "{name} is {value!r}; give "
CHOICES = "punctuation ngram_counts lcs definition multi_reference empty output aggregate"
NO_INTEGERS = (True, False, 1.0, 1.5, math.nan, "1", [1], b"1", Fraction(3))
REFUSED = [
    (
        "normalize",
        ["nfkd"],
        ValueError,
        "Did you mean 'nfkc'? Unknown normalize 'nfkd'; choose one of nfc, nfkc, ar, fa, tr, None.",
    ),
    ("rouge_types", [["rouge1", each] for each in (2, None, ["rouge1"])], TypeError, "{name} holds {value[1]!r}; "),
    (CHOICES, (None, 1, True, b"keep", ["keep"]), ValueError, "Unknown {name} {value!r}; choose one of"),
    ("tokenizer sentence_split", (None, 1, True, b"mixed", 0.5, ["mixed"], {"mixed": 1}), TypeError, f"{GIVE}a name"),
    (
        "lowercase use_stemmer use_aggregator",
        (None, 0, 1, "true", "False", 1.0, np.True_, []),
        TypeError,
        f"{GIVE}True",
    ),
    ("jieba_hmm", (None, 1, "false"), TypeError, f"{GIVE}True or False"),
    ("stop_words", [b"the", [["the"]], ["the", None]], TypeError, "{name} holds "),
    ("stop_words", [True], TypeError, "{name} is {value!r}"),
    ("stop_words sentence_split", ["<\ud83d>"], ValueError, "{name} holds a lone surrogate"),
    (" ".join(INTEGERS), NO_INTEGERS, TypeError, f"{GIVE}a whole number"),
    (FLOATS, (True, False, "0.5", [0.5], b"1", 1j), TypeError, f"{GIVE}a number"),
    ("weight beta scale seed n_resamples", [None], TypeError, "{name} is None; give a "),
    (FLOATS, [10**400], ValueError, "{name} is 1000"),  # which is no float
]


def test_values_of_other_types_are_refused_by_name():
    for names, values, error, message in REFUSED:
        for name in names.split():
            for value in values:
                given = [value] if (name, error) == ("stop_words", ValueError) else value
                refused(error, message.format(name=name, value=value), **{name: given})


def test_bounds():
    for name, (low, high) in NUMBERS.items():
        kind = int if name in INTEGERS else float
        for value in (low, high, np.uint8(1), *([] if kind is int else [Fraction(1, 2), np.float32(1)])):
            number = RougeSettings(**grouped({name: value})).value(name)
            assert (number, type(number)) == (value, kind)
        bounds = f"at least {low} and at most {high}"
        below, above = (low - 1, high + 1) if kind is int else (math.nextafter(low, -1), math.nextafter(high, 1e99))
        floats = [] if kind is int else [1e308, math.nan, math.inf, -math.inf, np.float64("nan")]
        for value in (below, above, -(10**12), 10**30, *floats):
            refused(ValueError, f"{name} is {value!r}; it must be {bounds}", **{name: value})
        if kind is int:
            refused(ValueError, f"{name} is a number of", bounds, **{name: 10**5000})  # which Python does not write
            refused(TypeError, f"{name} is 'x'; give a whole number, {bounds}", **{name: "x"})
    for value in (1e-9, 0.5, math.nextafter(1, 0)):
        assert RougeSettings(confidence=value).confidence == value
    for value in (0.0, 1.0, -0.5, math.nan):
        refused(ValueError, f"confidence is {value!r}; it must be above 0 and below 1", confidence=value)


def test_user_dictionary(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("云计算 5 n\n", encoding="utf-8")
    settings = RougeSettings(tokenizer="jieba", jieba_dict=path)
    assert settings == RougeSettings(tokenizer="jieba", jieba_dict=str(path))
    assert settings.jieba_dict == str(path)
    refused(ValueError, "jieba_dict", tokenizer=str.split, jieba_dict=str(path))
    for missing in (tmp_path, ""):
        refused(ValueError, "jieba_dict", repr(str(missing)), tokenizer="jieba", jieba_dict=missing)
    refused(TypeError, "jieba_dict", tokenizer="jieba", jieba_dict=5)


# The object


def test_frozen_and_keyword_only():
    value = RougeSettings()
    for name in RougeSettings.names():
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(value, name, getattr(value, name))
    with pytest.raises(TypeError, match="positional"):
        RougeSettings(("rouge1",))  # type: ignore[reportCallIssue]


def test_normalised_so_that_equal_means_equal():
    words, types = ["the", "a", "the", "an"], ("rouge1", "rougeL")
    first = RougeSettings(rouge_types=list(types), stop_words=words, beta=2, scale=100)
    second = RougeSettings(rouge_types=iter(types), stop_words=set(words), beta=2.0, scale=100.0)
    assert first == second
    assert hash(first) == hash(second)
    assert first.signature() == second.signature()
    assert (first.rouge_types, first.stop_words) == (types, ("a", "an", "the"))
    assert RougeSettings(stop_words=[]).stop_words == ()
    table = {RougeSettings(): 1, RougeSettings(beta=2): 2, RougeSettings(tokenizer=str.split): 3}
    assert table[RougeSettings(beta=2.0)] == 2
    assert table[RougeSettings(tokenizer=str.split)] == 3


def test_picklable_and_copyable():
    other = RougeSettings(stop_words=["的"], rouge_types=["rougeW"], confidence=0.9, tokenizer=len)
    for value in (RougeSettings(), other):
        assert pickle.loads(pickle.dumps(value)) == value  # noqa: S301
        assert copy.deepcopy(value) == value


def test_replace_changes_a_copy_and_checks_it():
    value = RougeSettings(beta=2)
    changed = RougeSettings(beta=2, tool={"lcs": "union"}, stop_words=("a", "b"))
    assert value.replace(tool={"lcs": "union"}, stop_words=["b", "a"]) == changed
    assert value.replace() == value == RougeSettings(beta=2)
    with pytest.raises(ValueError, match="Unknown lcs 'onion'"):
        value.replace(tool={"lcs": "onion"})


def test_unknown_setting_names_the_nearest():
    names = {"stopwords": "stop_words", "use_stem": "use_stemmer", "n_resample": "n_resamples"}
    names |= {"split_summaries": "sentence_split", "stemming": "use_stemmer", "metrics": "rouge_types"}
    methods = (functools.partial(method, ["a"], ["a"]) for method in (Rouge().score, Rouge().count))
    calls = [RougeSettings().replace, Rouge, *methods]
    for name, nearest in names.items():
        for call in calls:
            with pytest.raises(
                TypeError, match=f"^Did you mean '{nearest}'[?] Unknown setting '{name}'; the nearest of [0-9]+ are "
            ):
                call(**{name: 1})
        with pytest.raises(TypeError, match=name):
            RougeSettings(**{name: 1})


# The signature: every field


def first_half(text: str) -> list[str]:
    return text[: len(text) // 2].split()


NEED_MODELS = ("subword_model", "pkuseg_model")
each_setting = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.languages) if name in NEED_MODELS else name for name in ALL_SETTINGS]
)


def with_file(value, folder: Path) -> tuple[dict, object]:
    """The other settings that a value needs, and the value: a path for the name of a file or folder."""
    if value == "FILE":
        (folder / "words.txt").write_text("云计算 5 n\n", encoding="utf-8")
        return {"tokenizer": "jieba"}, str(folder / "words.txt")
    if value == "FOLDER":
        (folder / "tables").mkdir()
        (folder / "tables" / "smart_common_words.txt").write_text("the\n", encoding="utf-8")
        return {}, str(folder / "tables")
    if value == "MODEL":
        return {"tokenizer": "subwords"}, str(train_bpe(folder))
    if value == "micro":
        return {"multi_reference": "pooled"}, value
    return ({"tokenizer": "zh_pkuseg"}, str(train_pkuseg(folder))) if value == "PKUSEG" else ({}, value)


@each_setting
def test_each_value_has_a_signature_that_leads_back(name, tmp_path):
    signatures = {RougeSettings().signature()}
    for written in values_of(name)[1:]:
        extra, value = with_file(written, tmp_path)
        if name == "jieba_hmm":
            extra = {"tokenizer": "jieba"}
        changed = RougeSettings(**grouped({name: value, **extra}))
        signature = changed.signature()
        signatures.add(signature)
        needed = {name: value} if value is LONG_LIST or value != written else {}
        assert changed.value(name) == value
        assert RougeSettings.from_signature(signature, **needed) == changed
        if needed:
            with pytest.raises(ValueError, match=rf"from_signature\(text, {name}=\.\.\.\)"):
                RougeSettings.from_signature(signature)
        if name not in ("tokenizer", *NEED_MODELS):  # it shows beside another change too
            assert changed.replace(tokenizer="jieba").signature() != signature_of(tokenizer="jieba")
    assert len(signatures) == len(values_of(name))


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ({}, ""),
        ({"confidence": 0.95}, "resamples seed"),
        ({"aggregate": "bootstrap_median"}, "resamples"),
        ({"rouge_types": ["rougeW"]}, "def w"),
        ({"rouge_types": ["rougeSU4"]}, "def w"),
        ({"tokenizer": "jieba"}, "dict hmm"),
    ],
    ids=str,
)
def test_setting_shows_where_it_can_move_a_score(values, shown):
    conditional = {"seed", "resamples", "w", "def", "dict", "hmm", "out", "lists"}
    assert conditional & entries(signature_of(**values)).keys() == set(shown.split())


# The signature: libraries and versions


@pytest.mark.parametrize(
    ("values", "libraries"),
    [
        *(({"tokenizer": name}, ["regex"]) for name in ("mixed", "zh_char", "char", "space")),
        ({"tokenizer": "ascii"}, []),
        ({"tokenizer": "jieba"}, ["jieba", "regex"]),
        ({"tokenizer": "unicode"}, ["regex", "uniseg"]),
        ({"tokenizer": "ascii", "use_stemmer": True}, ["nltk"]),
        ({"tokenizer": "jieba", "use_stemmer": True}, ["jieba", "nltk", "regex"]),
    ],
)
def test_versions_behind_the_score(values, libraries):
    expected = [*(f"{library}:{metadata.version(library)}" for library in libraries), f"v:{VERSION}"]
    written = signature_of(normalize=None, **values).split("|")
    assert written[-len(expected) :] == expected
    assert not {"jieba", "nltk", "regex", "uniseg", "ucd"} & entries("|".join(written[: -len(expected)])).keys()
    for form in ("nfc", "nfkc"):
        assert entries(signature_of(normalize=form))["ucd"] == unicodedata.unidata_version


@pytest.mark.parametrize(
    ("library", "values"),
    [
        ("v", {}),
        ("regex", {}),
        ("jieba", {"tokenizer": "jieba"}),
        ("ucd", {"normalize": "nfkc"}),
        ("nltk", {"use_stemmer": True}),
    ],
)
def test_other_version_warns_and_reads_on(library, values):
    signature = signature_of(**values)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert RougeSettings.from_signature(signature) == RougeSettings(**grouped(values))
    here = entries(signature)[library]
    other = signature.replace(f"|{library}:{here}", f"|{library}:0.0.1")
    with pytest.warns(RougeWarning, match=re.escape(f"{library} 0.0.1 (here {here})")) as caught:
        assert RougeSettings.from_signature(other) == RougeSettings(**grouped(values))
    assert [warning.filename for warning in caught] == [__file__]


# The signature: any setting there and back

ODD = st.text(
    st.one_of(
        st.sampled_from("|:,#%()[]\"'\\ \n\r\t\0none<q>-+*&.~/?;=@$!^`{}"),
        st.sampled_from("中文，。\u3000\u2028\x85é😀\U0010ffff"),
        st.characters(exclude_categories=("Cs",)),
    ),
    min_size=1,
    max_size=8,
)
WORDS = st.one_of(ODD, st.sampled_from("none a,b [x] [ ] custom a@1 3#abc %2C a|b:c # 的".split()))
SEPARATORS = st.one_of(
    ODD, st.sampled_from(["\n", " ", "none ", *"| : , # % %7C \" ' 中。 custom. a@1 [] a#b".split()])
).filter(lambda text: re.search(r"\W", text))
NAMES = "lowercase normalize punctuation use_stemmer ngram_counts definition multi_reference empty output".split()


def without_idle(settings):
    """The settings without those that are refused, or left out of the signature, beside the others."""
    idle = {"jieba_hmm"} if settings.get("tokenizer") != "jieba" else set()
    idle |= {"seed"} if settings.get("aggregate") == "bootstrap_median" else set()
    return {name: value for name, value in settings.items() if name not in idle}


some_settings = st.fixed_dictionaries(
    {},
    optional={
        **{name: st.sampled_from(values_of(name)) for name in [*NAMES, "tokenizer", "jieba_hmm"]},
        "rouge_types": st.lists(
            st.sampled_from([f"rouge{name}" for name in "1 9 L Lsum W S SU SU4 S0".split()]), min_size=1, unique=True
        ),
        "stop_words": st.one_of(st.none(), st.lists(WORDS, max_size=10)),
        "max_words": st.one_of(st.none(), st.integers(1, 10**9)),
        "sentence_split": st.one_of(st.sampled_from(["newline", "zh", "auto", "none"]), SEPARATORS),
        "lcs": st.sampled_from(["sentence", "union"]),
        "weight": st.floats(0.5, 5),
        "beta": st.floats(0, 1e9),
        "aggregate": st.sampled_from(["mean", "bootstrap_median"]),
        "confidence": st.one_of(st.none(), st.floats(0, 1, exclude_min=True, exclude_max=True)),
        "n_resamples": st.integers(1, 10**6),
        "seed": st.integers(0, LARGEST_SEED),
        "scale": st.floats(1e-9, 1e9),
    },
).map(without_idle)


@given(some_settings)
@example({"stop_words": ["none", "a,b", "[x]"], "sentence_split": "|:,#%\"'\n中"})
@example({"stop_words": ["none"], "sentence_split": "custom@1"})
@examples_in_ci(150)
@pytest.mark.filterwarnings("ignore:The stop word:polyrouge.RougeWarning")
def test_any_signature_leads_back(values):
    value = RougeSettings(**grouped(values))
    signature = value.signature()
    assert signature.isascii()
    assert signature.isprintable()
    assert " " not in signature
    assert signature.rpartition("|")[2] == f"v:{VERSION}"
    assert RougeSettings.from_signature(signature) == value
    assert RougeSettings.from_signature(f"  {signature}\n") == value
    assert Rouge.from_signature(signature).settings == value


@given(some_settings, some_settings)
def test_signatures_are_equal_only_where_settings_are(first, second):
    one, other = RougeSettings(**grouped(first)), RougeSettings(**grouped(second))
    assert (one.signature() == other.signature()) == (one == other)


def test_long_list_of_stop_words_shows_its_size_and_digest():
    rest = tuple(f"z{i}" for i in range(10))
    for one, other in (LONG_LIST, (*LONG_LIST[:-1], "word1O")), (("a\nb", "c", *rest), ("a", "b\nc", *rest)):
        shown = [entries(signature_of(stop_words=words))["stop"] for words in (one, other)]
        assert shown[0] != shown[1]
        assert all(re.fullmatch(r"1[12]#[0-9a-f]{12}", text) for text in shown)


def test_dictionary_is_told_by_name_and_content(tmp_path):
    first, second, other = tmp_path / "a.txt", tmp_path / "b b.txt", tmp_path / "other" / "a.txt"
    other.parent.mkdir()
    written = []
    for path, content in ((first, "云计算 5\n"), (first, "云计算 6\n"), (second, "云计算 6\n"), (other, "云计算 5\n")):
        path.write_text(content, encoding="utf-8")
        written.append(signature_of(tokenizer="jieba", jieba_dict=path))
    names, digests = zip(*(entries(text)["dict"].split("#") for text in written), strict=True)
    assert names == ("a.txt", "a.txt", "b%20b.txt", "a.txt")
    assert all(re.fullmatch("[0-9a-f]{12}", digest) for digest in digests)
    assert digests[0] == digests[3] != digests[1] == digests[2]
    # of another folder it is accepted by its content
    assert RougeSettings.from_signature(written[0], jieba_dict=other).jieba_dict == str(other)
    with pytest.raises(ValueError, match=r"jieba_dict=.*but the signature says"):
        RougeSettings.from_signature(written[1], jieba_dict=other)


def test_jiebas_own_dictionary_is_told_by_its_content():
    import jieba

    with jieba.Tokenizer().get_dict_file() as words:
        digest = hashlib.sha256(words.read()).hexdigest()
    for tokenizer in ("jieba", "sumeval_zh", "xlsum_chinese"):
        signature = signature_of(tokenizer=tokenizer)
        assert entries(signature)["dict"] == f"jieba#{digest[:12]}"
        assert RougeSettings.from_signature(signature).jieba_dict is None
    other = signature_of(tokenizer="jieba").replace(digest[:12], "0123456789ab")
    with pytest.warns(RougeWarning, match=r"jieba#0123456789ab \(here jieba#"):
        assert RougeSettings.from_signature(other).jieba_dict is None


def test_words_of_a_tokenizer_stand_in_the_signature(tmp_path):
    import jieba

    (tmp_path / "words.txt").write_text("今天 9 n\n石墨 5 n\n烯 5 n\n", encoding="utf-8")
    tokenizer, same = jieba.Tokenizer(str(tmp_path / "words.txt")), jieba.Tokenizer(str(tmp_path / "words.txt"))
    written = [signature_of(tokenizer="jieba", jieba_dict=tokenizer)]
    assert re.fullmatch("tokenizer#[0-9a-f]{12}", entries(written[0])["dict"])
    for word, frequency in (("石墨烯", 5), ("石墨烯", 6), ("今天", 0)):
        tokenizer.add_word(word, frequency)
        written.append(signature_of(tokenizer="jieba", jieba_dict=tokenizer))
        same.add_word(word, frequency)
        assert signature_of(tokenizer="jieba", jieba_dict=same) == written[-1]
    assert len(set(written)) == 4

    assert RougeSettings.from_signature(written[-1], jieba_dict=tokenizer).jieba_dict is tokenizer
    with pytest.raises(ValueError, match=r"jieba_dict=.*but the signature says"):
        RougeSettings.from_signature(written[0], jieba_dict=tokenizer)
    with pytest.raises(ValueError, match=r"from_signature\(text, jieba_dict=\.\.\.\)"):
        RougeSettings.from_signature(written[0])


def test_what_may_cut_otherwise_than_jieba_is_no_dictionary():
    import jieba

    class Own(jieba.Tokenizer):
        pass

    for value in (Own(), jieba, jieba.lcut):
        refused(TypeError, "jieba_dict", "jieba.Tokenizer", tokenizer="jieba", jieba_dict=value)


# Reading a signature: what is refused


NO_SIGNATURES = [
    ("", "key:value"),
    ("types", "'types'", "key:value"),
    ("tok:mixed|", "''", "key:value"),
    ("tok:mixed||v:0.1.0", "''", "key:value"),
    ("tok:mixed|tok:char", "tok"),
    ("beta:1|beta:2", "beta"),
    ("tokk:mixed", "'tokk'", "Did you mean 'tok'?"),
    ("Types:1", "'Types'", "Did you mean 'types'?"),
    ("case:Lower", "'case'", "'Lower'", "Did you mean 'lower'?"),
    ("stem:none", "'stem'", "'none'", "porter"),
    ("types:1,,2", "'rouge'"),
    ("types:1,1", "twice"),
    ("types:none", "'rougenone'"),
    ("scale:0x10", "'scale'", "'0x10'", "a number"),
    ("scale:", "'scale'", "a number"),
    ("resamples:1e3", "'resamples'", "a whole number"),
    ("types:1|weights:a", "'weights'", "'a'"),
    ("tok:none", "tokenizer", "'none'"),
    ("tok:jeiba", "'jeiba'", "Did you mean 'jieba'?"),
    ("refs:none", "'none'"),
    ("words:abc", "abc"),
    ("words:0", "max_words", "at least 1"),
    ("beta:", "''"),
    ("beta:none", "none"),
    ("beta:nan", "beta", "nan"),
    ("words:5|bytes:5", "not both"),
    ("tok:custom", "tokenizer", "without a name", "tokenizer=...", "register_tokenizer"),
    ("split:custom", "sentence_split", "without a name", "register_sentence_split"),
    ("tok:my%2Dwords@2%2B1", "'my-words'", "'2+1'", "register_tokenizer"),
    ("split:mine@1", "'mine'", "'1'", "register_sentence_split"),
    ("tok:mixed@1", "'mixed'", "'1'", "not registered"),
    *((text, "stop") for text in ("stop:the", "stop:[the", "stop:the]")),
    ("stop:11#0123456789ab", "11#0123456789ab", "stop_words=..."),
    ("tok:jieba|dict:a.txt#0123456789ab", "a.txt#", "jieba_dict=..."),
]


def test_text_that_is_no_signature():
    for text, *fragments in NO_SIGNATURES:
        with pytest.raises(ValueError) as raised:  # noqa: PT011 the fragments say which
            RougeSettings.from_signature(text)
        assert all(each in str(raised.value) for each in fragments), (text, raised.value)


def test_signature_that_is_no_text():
    for value in (5, None, b"tok:mixed", ["tok:mixed"]):
        for read in (RougeSettings.from_signature, Rouge.from_signature):
            with pytest.raises(TypeError, match="give the line that signature"):
                read(value)


def test_given_value_that_does_not_match():
    needed = {"tokenizer": first_half, "stop_words": LONG_LIST}
    with pytest.warns(RougeWarning, match="custom"):
        signature = signature_of(**needed)
    for name, value, shown in (
        ("tokenizer", "mixed", "'mixed', but the signature says 'custom'"),
        ("stop_words", LONG_LIST[:-1], "but the signature says"),
        ("stop_words", None, "but the signature says"),
    ):
        with pytest.raises(ValueError, match=f"{name}=.*{shown}"):
            RougeSettings.from_signature(signature, **{**needed, name: value})
    assert RougeSettings.from_signature(signature, **needed).tokenizer is first_half
    assert Rouge.from_signature(signature, **needed).settings == RougeSettings(**needed)
    for name, value in (("jieba_dict", "words.txt"), ("tokeniser", "mixed")):
        with pytest.raises(ValueError, match=f"no entry for {name}"):
            RougeSettings.from_signature(RougeSettings().signature(), **{name: value})


# Conventions


def test_our_own_conventions():
    assert all(convention.name == name and convention.reproduces for name, convention in CONVENTIONS.items())
    # A version, or the month of the last commit of a tool without releases.
    nameless = [name for name, each in CONVENTIONS.items() if not re.search(r"\d\.\d|\d{4}-\d\d", each.reproduces)]
    assert nameless == ["default", "zh_char", "zh_word", "ja_word", "ko_word", "th_word", "vi_word", "helm_xlsum"]
    assert Rouge().settings == Rouge("default").settings == RougeSettings()
    for name, tokenizer in (("zh_char", "zh_char"), ("zh_word", "jieba")):
        assert Rouge(name).settings == RougeSettings(tokenizer=tokenizer, sentence_split="zh")
    assert repr(Rouge("zh_char")) == f"Rouge('zh_char', signature={Rouge('zh_char').signature()!r})"


@pytest.mark.parametrize("name", every_convention())
def test_a_convention_has_a_signature_and_what_is_set_beside_it_shows(name):
    convention = CONVENTIONS[name]
    signature = convention.settings.signature()
    is_own = name in ("default", "zh_char", "zh_word", "ja_word", "ko_word", "th_word", "vi_word")
    assert ("|norm:nfc|" if is_own else "|norm:none|") in signature
    assert ("|ucd:" in signature) == is_own
    assert RougeSettings.from_signature(signature) == convention.settings
    changed = convention.override(convention.settings, {"beta": 3, "sentence_split": "auto"})
    assert changed == convention.settings.replace(beta=3.0, sentence_split="auto", tool={"alpha": None})
    assert entries(changed.signature())["beta"] == "3"
    assert changed.signature() != convention.settings.signature()


SPELLINGS_OF_CONVENTIONS = {
    "default": "Default",
    "rouge_score": "rouge-score Rouge-Score",
    "rouge_chinese": "rouge-chinese",
    "rouge155": "rouge1.5.5 ROUGE-1.5.5",
    "llama_factory": "LLaMA-Factory",
    "xlsum": "XL-Sum",
    "zh_word": "ZH-Word",
}
NEAREST_CONVENTIONS = {  # the catalogue has more
    "zh_word": "zh_words",
    "zh_char' or 'zh_word": "zh ZH-CN 中文",
    "rouge155": "Rouge155.pl files2rouge",
    "py_rouge' or 'rouge155": "pyrouge",
    "evaluate_rouge' or 'pltrdy": "rouge",
    "evaluate_rouge": "huggingface",
    "opencompass_zh": "opencompass",
}


def test_other_spellings_of_a_convention_are_taken():
    for own, names in SPELLINGS_OF_CONVENTIONS.items():
        assert all(Rouge(name).settings == CONVENTIONS[own].settings for name in names.split())


def test_convention_that_is_not_known():
    for nearest, names in NEAREST_CONVENTIONS.items():
        for name in names.split():
            message = f"'{nearest}'.*'{re.escape(name)}'"  # the nearest first
            with pytest.raises(ValueError, match=message) as raised:
                Rouge(name)
            assert len(str(raised.value)) < 300
            assert str(raised.value).count(",") == 9
    for value in (["default"], None):
        with pytest.raises(TypeError, match=r"convention is .*; give a name of polyrouge.CONVENTIONS"):
            Rouge(value)


def test_other_names_lead_to_ours():
    settings = {name: setting.other_names for name, setting in ALL_SETTINGS.items() if setting.other_names}
    choices = {name: each.values for name, each in ALL_SETTINGS.items() if isinstance(each.values, Choice)}
    values = {name: {**each.synonyms, **each.hints} for name, each in choices.items() if each.synonyms or each.hints}
    for names in (registry._OTHER_NAMES, settings, OTHER_TOKENIZERS, *values.values()):
        assert all(folded(name) == name for others in names.values() for name in others.split())
    assert registry._OTHER_NAMES.keys() <= CONVENTIONS.keys()
    assert settings.keys() <= set(RougeSettings.names())
    for setting, names in {"tokenizer": OTHER_TOKENIZERS, **values}.items():
        for value in names:
            needed = {"subword_model": "owner/name"} if value in NEEDS_MODEL else {}
            changed = RougeSettings(multi_reference="pooled").replace(**grouped({setting: value, **needed}))
            assert changed.value(setting) == value


def test_text_rules_beside_a_tokenizer():
    """A user's replaces those of rouge_score, as there, in the convention and in a call, but what is given with it."""
    implied = {"lowercase": False, "punctuation": "keep", "use_stemmer": False}
    for name in ("rouge_score", "evaluate_rouge"):
        for change in ({}, {"lowercase": True}, {"punctuation": "drop"}, {"use_stemmer": True}):
            rouge, given_with_it = Rouge(name, use_stemmer=True), {"tokenizer": str.split, **change}
            for settings in (Rouge(name, **given_with_it).settings, rouge.options_with(given_with_it)[0]):
                assert {key: getattr(settings, key) for key in implied} == {**implied, **change}
                assert settings.tokenizer == str.split
    for name in ("default", "zh_char", "zh_word"):  # our own conventions keep theirs
        assert Rouge(name, tokenizer=str.split).settings == CONVENTIONS[name].settings.replace(tokenizer=str.split)
    assert Rouge("rouge_score", tokenizer="mixed").settings == RougeSettings(tokenizer="mixed", normalize=None)


def test_a_convention_in_a_call_is_told_where_it_belongs():
    with pytest.raises(TypeError, match=r"'convention' .* Rouge\('zh_char'\) or evaluate\.load"):
        Rouge().compute(["a"], ["a"], convention="zh_char")
