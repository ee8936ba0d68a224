"""Settings are checked at construction, and their signature names them all and leads back to them."""

import copy
import dataclasses
import hashlib
import math
import os
import pickle
import re
import subprocess
import sys
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
from language_packages import by_need, train_bpe, train_pkuseg

from polyrouge import (
    CONVENTIONS,
    Rouge,
    RougeSettings,
    RougeWarning,
)
from polyrouge.conventions import registry
from polyrouge.errors import folded
from polyrouge.settings.allowed_values import OTHER_TOKENIZERS, Choice
from polyrouge.settings.rouge_settings import ALL_SETTINGS, grouped
from polyrouge.texts.tokenizers import NEEDS_MODEL
from polyrouge.version import VERSION

FIELDS = dataclasses.fields(RougeSettings)


def refused(error: type[Exception], *fragments: str, **values) -> None:
    """Construction raises ``error`` itself, with all fragments in the message."""
    assert (refusal := not_refused(error, *fragments, **values)) == "", (values, refusal)


def not_refused(error: type[Exception], *fragments: str, **values) -> str:
    """What came instead of ``error`` with all fragments; nothing where it came."""
    try:
        RougeSettings(**grouped(values))
    except (TypeError, ValueError, OverflowError) as raised:
        return "" if type(raised) is error and all(each in str(raised) for each in fragments) else repr(raised)
    return "it was taken"


def signature_of(**values) -> str:
    return RougeSettings(**grouped(values)).signature()


def entries(signature: str) -> dict[str, str]:
    pairs = [entry.split(":", 1) for entry in signature.split("|")]
    assert len({key for key, _ in pairs}) == len(pairs)
    return dict(pairs)


def run_python(code: str, **environment: str) -> str:
    """What a new Python process prints; it finds modules in this folder too."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ, **environment}
    )
    return done.stdout.strip()


# The specification's defaults and values


def test_defaults():
    assert {name: RougeSettings().value(name) for name in ALL_SETTINGS} == {
        "rouge_types": ("rouge1", "rouge2", "rougeL", "rougeLsum"),
        "tokenizer": "mixed",
        "clean": None,
        "segment": None,
        "lowercase": True,
        "normalize": "nfc",
        "punctuation": "drop",
        "use_stemmer": False,
        "stemmer": "porter",
        "stop_words": None,
        "word_tables": None,
        "max_words": None,
        "max_bytes": None,
        "max_characters": None,
        "limit_rule": "rouge155",
        "sentence_split": "newline",
        "ngram_counts": "multiset",
        "lcs": "sentence",
        "definition": "rouge155",
        "weight": 1.2,
        "beta": 1.0,
        "alpha": None,
        "epsilon": 0.0,
        "multi_reference": "best",
        "empty": "zero",
        "refuses": (),
        "on_error": "score",
        "output": "fmeasure",
        "use_aggregator": True,
        "aggregate": "mean",
        "confidence": None,
        "n_resamples": 1000,
        "seed": 0,
        "interval": "percentile",
        "weights": None,
        "scale": 1.0,
        "round_each": None,
        "round_result": None,
        "quirks": (),
        "jieba_dict": None,
        "jieba_hmm": True,
        "subword_model": None,
        "pkuseg_model": None,
        "engine": "auto",
        "threads": 0,
    }


ALLOWED = {
    "tokenizer": ["mixed", "ascii", "zh_char", "char", "jieba", "space", "unicode", str.split, list],
    "lowercase": [True, False],
    "normalize": ["nfc", "nfkc", None],
    "punctuation": ["drop", "keep"],
    "use_stemmer": [True, False],
    "sentence_split": ["newline", "zh", "auto", "none", "<q>", " ", "\n\n", "。", "|", str.splitlines],
    "ngram_counts": ["multiset", "set"],
    "lcs": ["sentence", "union"],
    "definition": ["rouge155", "paper"],
    "multi_reference": ["best", "best_recall", "mean", "pooled", "jackknife"],
    "empty": ["zero", "skip", "error", "one_if_both"],
    "output": ["fmeasure", "all"],
    "use_aggregator": [True, False],
    "aggregate": ["mean", "bootstrap_median"],
    "interval": ["percentile", "bca", "poisson"],
    "jieba_hmm": [True, False],
    "engine": ["auto", "plain", "compiled"],
}


def test_allowed_values():
    types = [*(f"rouge{n}" for n in range(1, 10)), "rougeL", "rougeLsum", "rougeW"]
    types += ["rougeS", "rougeSU", "rougeS0", "rougeSU0", "rougeS4", "rougeSU4", "rougeSU137"]
    may_be_none = ["stop_words", "max_words", "max_bytes", "confidence", "normalize", "jieba_dict"]
    values = [(name, value) for name, allowed in ALLOWED.items() for value in allowed]
    values += [("rouge_types", (name,)) for name in types] + [(name, None) for name in may_be_none]

    assert [each for each in values if RougeSettings(**grouped(dict([each]))).value(each[0]) != each[1]] == []


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("rouge0", None),
        ("rouge10", "rouge1"),
        ("Rouge1", "rouge1"),
        ("rouge-1", "rouge1"),
        ("rougeLSum", "rougeLsum"),
        ("rougelsum", "rougeLsum"),
        ("rougew", "rougeW"),
        ("rougel", "rougeL"),
        ("ROUGEL", "rougeL"),
        ("rougesu4", "rougeSU4"),
        ("rougeSU-4", "rougeSU4"),
        ("rougeS4 ", "rougeS4"),
        ("rougeL\n", "rougeL"),
        ("rouge_l", "rougeL"),
        ("ROUGE-L", "rougeL"),
        ("rouge-l", "rougeL"),
        ("rouge-2", "rouge2"),
        ("ROUGE 2", "rouge2"),
        ("R1", "rouge1"),
        ("RL", "rougeL"),
        ("2", "rouge2"),
        ("rouge-lsum", "rougeLsum"),
        ("rouge_l_sum", "rougeLsum"),
        ("rouge-w", "rougeW"),
        ("ROUGE-W-1.2", "rougeW"),
        ("ROUGE-S*", "rougeS'"),
        ("ROUGE-SU*", "rougeSU'"),
        ("ROUGE-SU4", "rougeSU4"),
        ("rouge-su2", "rougeSU2"),
        ("rougeS04", "rougeS4"),
        ("rougeS４", None),
        ("rougeSU٤", None),
        ("rouge-n", "rouge1' or 'rouge2"),
        ("rouge", "rouge1' or 'rougeL"),
        ("bleu", None),
        ("", None),
    ],
)
def test_rouge_type_that_is_not_known(name, nearest):
    hint = () if nearest is None else (f"Did you mean '{nearest}",)
    refused(ValueError, f"Unknown ROUGE type {name!r}", "rouge9", "rougeSU4", *hint, rouge_types=["rouge1", name])


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("rouge1_fmeasure", "rouge1"),
        ("rouge1_recall", "rouge1"),
        ("rougeL_precision", "rougeL"),
        ("rouge_2_f_score", "rouge2"),
        ("rouge_l_f_score", "rougeL"),
        ("rouge_su4_recall", "rougeSU4"),
        ("rouge_su*_precision", "rougeSU"),
        ("rougeLsum-f1", "rougeLsum"),
        ("rouge-1-p", "rouge1"),
    ],
)
def test_measure_of_a_type_is_no_type(name, ours):
    refused(ValueError, f"Did you mean {ours!r}? It is the F-measure; output='all' adds", rouge_types=[name])


# Choices, names and flags

CHOICES = [
    ("tokenizer", "jeiba", "jieba"),
    ("tokenizer", "Mixed", "mixed"),
    ("tokenizer", "", None),
    ("normalize", "nfkd", "nfkc"),
    ("normalize", "NFKC", None),
    ("punctuation", "keeps", "keep"),
    ("sentence_split", "newlines", "newline"),
    ("sentence_split", "zhh", "zh"),
    ("sentence_split", "", None),
    ("ngram_counts", "multi_set", "multiset"),
    ("lcs", "onion", "union"),
    ("definition", "rouge-1.5.5", "rouge155"),
    ("multi_reference", "best recall", "best_recall"),
    ("multi_reference", "max", "best"),
    ("multi_reference", "average", "mean"),
    ("tokenizer", "zh", "zh_char' or 'jieba"),
    ("tokenizer", "Chinese", "zh_char' or 'jieba"),
    ("sentence_split", "nltk", "auto"),
    ("empty", "skipp", "skip"),
    ("output", "f-measure", "fmeasure"),
    ("aggregate", "bootstrap-median", "bootstrap_median"),
    ("aggregate", "sum", "micro"),
    ("aggregate", "macro", "mean"),
    ("output", "f1", "fmeasure"),
    ("engine", "plane", "plain"),
    ("interval", "bc", "bca"),
    ("interval", "BCA", "bca"),
    ("interval", "student", None),
]


@pytest.mark.parametrize(("name", "value", "nearest"), CHOICES)
def test_unknown_choice_names_the_nearest(name, value, nearest):
    hint = () if nearest is None else (f"Did you mean '{nearest}'?",)
    allowed = [str(choice) for choice in ALLOWED[name] if not callable(choice) and name != "sentence_split"]
    refused(ValueError, f"Unknown {name} {value!r}", "choose one of", *allowed, *hint, **{name: value})


OF_CHOICES = "punctuation ngram_counts lcs definition multi_reference empty output aggregate".split()
FLOATS = ["weight", "beta", "alpha", "epsilon", "scale", "confidence"]
# Setting: values of a type or shape that it does not take, and what the refusal says beside the setting's name.
REFUSED = [
    *(("rouge_types", value, TypeError, "['rouge1']") for value in ("rouge1", [["rouge1"]])),
    *(("rouge_types", ["rouge1", value], TypeError, str(value)) for value in (2, None)),
    *(("rouge_types", value, TypeError) for value in (None, 5, True)),
    ("rouge_types", [], ValueError, "empty"),
    ("rouge_types", ["rouge1", "rougeL", "rouge1"], ValueError, "twice"),
    *(
        (name, v, ValueError, repr(v), "choose one of")
        for name in OF_CHOICES
        for v in (None, 1, True, b"keep", ["keep"])
    ),
    *(
        (name, value, TypeError, f"{name} is {value!r}", "callable")
        for name in ("tokenizer", "sentence_split")
        for value in (None, 1, True, b"mixed", 0.5, ["mixed"], {"mixed": 1})
    ),
    *(
        (name, value, TypeError, f"{name} is {value!r}", "True or False")
        for name in ("lowercase", "use_stemmer", "use_aggregator", "jieba_hmm")
        for value in (None, 0, 1, "true", "False", 1.0, np.True_, [])
    ),
    ("stop_words", "the and", TypeError, "string"),
    ("stop_words", b"the", TypeError, "each must be a non-empty string"),
    *(("stop_words", ["the", value], TypeError, repr(value)) for value in ("", 5, None)),
    *(("stop_words", value, TypeError) for value in (5, True, [["the"]])),
    ("sentence_split", "<\ud83d>", ValueError, "surrogate"),
    ("stop_words", ["\ud83d"], ValueError, "surrogate"),
    *(
        (name, value, TypeError, f"{name} is {value!r}", "whole number")
        for name in "max_words max_bytes max_characters round_each round_result n_resamples seed threads".split()
        for value in (True, False, 1.0, 1.5, math.nan, "1", [1], b"1", Fraction(3))
    ),
    *(
        (name, value, TypeError, f"{name} is {value!r}", "give a number")
        for name in FLOATS
        for value in (True, False, "0.5", [0.5], b"1", 1j)
    ),
    *(
        (name, None, TypeError, f"{name} is None", "number")
        for name in "weight beta scale seed n_resamples threads".split()
    ),
    *((name, 10**400, ValueError) for name in FLOATS),  # which is no float
]


def test_values_of_other_types_are_refused_by_name():
    taken = [
        (name, value, instead)
        for name, value, error, *fragments in REFUSED
        if (instead := not_refused(error, name, *fragments, **{name: value}))
    ]
    assert taken == []


# Numbers: smallest value and what is just below it

INTEGERS = [
    ("max_words", 1, 10**9),
    ("max_bytes", 1, 10**9),
    ("max_characters", 1, 10**9),
    ("round_each", 0, 15),
    ("round_result", 0, 15),
    ("n_resamples", 1, 10**6),
    ("seed", 0, 2**32 - 1),
    ("threads", 0, 1024),
]
LARGEST_SEED = 2**32 - 1


@pytest.mark.parametrize(("name", "lowest", "highest"), INTEGERS)
def test_integer_bounds(name, lowest, highest):
    for value in (lowest, lowest + 1, highest, np.int64(5), np.uint8(5)):
        taken = RougeSettings(**grouped({name: value})).value(name)
        assert (taken, type(taken)) == (value, int)
    bounds = f"at least {lowest} and at most {highest}"
    for value in (lowest - 1, -(10**12), highest + 1, 10**30):
        refused(ValueError, f"{name} is {value}; it must be {bounds}", **{name: value})
    refused(ValueError, f"{name} is a number of", bounds, **{name: 10**5000})  # which Python does not write
    refused(TypeError, f"{name} is 'x'; give a whole number, {bounds}", **{name: "x"})


@pytest.mark.parametrize(
    ("name", "good", "bad", "bound"),
    [
        (
            "weight",
            [0.5, 1, 1.2, np.float32(2), 5],
            [0, 0.0, -1, 0.499, 5.001, 1e308, 5e-324],
            "at least 0.5 and at most 5",
        ),
        ("beta", [0, 0.0, 0.5, 1, 1000, 1e9], [-1, -1e-9, 1.1e9, 1e155], "at least 0 and at most 1000000000"),
        ("alpha", [0, 0.5, 1, 1.0, None], [-1e-9, 1.0000001, 5], "at least 0 and at most 1"),
        ("epsilon", [0, 1e-8, 1], [-1e-8, 1.5, 1e308], "at least 0 and at most 1"),
        (
            "scale",
            [1e-9, 1, 100, Fraction(1, 2), 1e9],
            [0, 0.0, -1, 5e-324, 1e308],
            "at least 1e-09 and at most 1000000000",
        ),
        ("confidence", [1e-9, 0.5, 0.95, 0.999999, None], [0, 0.0, 1, 1.0, 95, -0.5], "above 0 and below 1"),
    ],
)
def test_number_bounds(name, good, bad, bound):
    for value in good:
        taken = RougeSettings(**grouped({name: value})).value(name)
        assert taken == value
        assert value is None or type(taken) is float
    for value in [*bad, math.nan, math.inf, -math.inf, np.float64("nan")]:
        refused(ValueError, f"{name} is {value!r}", bound, **{name: value})


# Settings that exclude each other


@pytest.mark.parametrize(
    ("values", "fragments"),
    [
        ({"max_words": 5, "max_bytes": 5}, ("max_words", "max_bytes", "not both")),
        ({"confidence": 0.95, "use_aggregator": False}, ("confidence", "use_aggregator")),
        ({"interval": "bca", "aggregate": "bootstrap_median"}, ("rouge_score's own interval", "bca")),
        ({"confidence": 0.95, "aggregate": "micro", "multi_reference": "pooled"}, ("confidence", "micro")),
    ],
)
def test_settings_that_exclude_each_other(values, fragments):
    refused(ValueError, *fragments, **values)


def test_user_dictionary_of_another_tokenizer(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("云计算 5 n\n", encoding="utf-8")
    refused(ValueError, "jieba_dict", "'jieba'", "'mixed'", jieba_dict=str(path))
    refused(ValueError, "jieba_dict", tokenizer=str.split, jieba_dict=str(path))


def test_user_dictionary_that_is_not_there(tmp_path):
    for path in (tmp_path / "words.txt", tmp_path, ""):
        refused(ValueError, "jieba_dict", repr(str(path)), tokenizer="jieba", jieba_dict=path)


def test_user_dictionary_may_be_a_path_object(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("云计算 5 n\n", encoding="utf-8")
    assert RougeSettings(tokenizer="jieba", jieba_dict=path) == RougeSettings(tokenizer="jieba", jieba_dict=str(path))
    assert RougeSettings(tokenizer="jieba", jieba_dict=path).jieba_dict == str(path)


def test_user_dictionary_of_another_type_is_named():
    refused(TypeError, "jieba_dict", tokenizer="jieba", jieba_dict=5)


# The object


def test_frozen():
    value = RougeSettings()
    for field in FIELDS:
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(value, field.name, getattr(value, field.name))


def test_keyword_only():
    with pytest.raises(TypeError, match="positional"):
        RougeSettings(("rouge1",))  # type: ignore[reportCallIssue]


def test_names_are_the_fields():
    assert RougeSettings.names() == tuple(field.name for field in FIELDS)


def test_normalised_so_that_equal_means_equal():
    first = RougeSettings(rouge_types=["rouge1", "rougeL"], stop_words=["the", "a", "the", "an"], beta=2, scale=100)
    second = RougeSettings(
        rouge_types=(name for name in ("rouge1", "rougeL")), stop_words={"an", "a", "the"}, beta=2.0, scale=100.0
    )
    assert first == second
    assert hash(first) == hash(second)
    assert first.signature() == second.signature()
    assert first.rouge_types == ("rouge1", "rougeL")
    assert first.stop_words == ("a", "an", "the")
    assert RougeSettings(stop_words=[]).stop_words == ()


def test_order_of_types_is_kept():
    assert RougeSettings(rouge_types=["rougeL", "rouge2", "rouge1"]).rouge_types == ("rougeL", "rouge2", "rouge1")


def test_hashable_and_usable_as_a_key():
    table = {RougeSettings(): 1, RougeSettings(beta=2): 2, RougeSettings(tokenizer=str.split): 3}
    assert table[RougeSettings(beta=2.0)] == 2
    assert table[RougeSettings(tokenizer=str.split)] == 3


def test_picklable_and_copyable():
    for value in (
        RougeSettings(),
        RougeSettings(stop_words=["的"], rouge_types=["rougeW"], confidence=0.9, tokenizer=len),
    ):
        assert pickle.loads(pickle.dumps(value)) == value  # noqa: S301
        assert copy.deepcopy(value) == value


def test_replace_changes_a_copy_and_checks_it():
    value = RougeSettings(beta=2)
    assert value.replace(tool={"lcs": "union"}, stop_words=["b", "a"]) == RougeSettings(
        beta=2, tool={"lcs": "union"}, stop_words=("a", "b")
    )
    assert value.replace() == value
    assert value == RougeSettings(beta=2)
    with pytest.raises(ValueError, match="Unknown lcs 'onion'"):
        value.replace(tool={"lcs": "onion"})


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("stopwords", "stop_words"),
        ("rouge_type", "rouge_types"),
        ("use_stem", "use_stemmer"),
        ("n_resample", "n_resamples"),
        ("split_summaries", "sentence_split"),
        ("stemming", "use_stemmer"),
        ("metrics", "rouge_types"),
    ],
)
def test_unknown_setting_names_the_nearest(name, nearest):
    calls = [
        lambda: RougeSettings().replace(**{name: 1}),
        lambda: Rouge(**{name: 1}),
        lambda: Rouge().compute(["a"], ["a"], **{name: 1}),
        lambda: Rouge().score(["a"], ["a"], **{name: 1}),
        lambda: Rouge().count(["a"], ["a"], **{name: 1}),
    ]
    for call in calls:
        with pytest.raises(TypeError, match=f"Unknown setting '{name}'.*Did you mean '{nearest}'"):
            call()
    with pytest.raises(TypeError, match=name):
        RougeSettings(**{name: 1})


# The signature: every field

LONG_LIST = tuple(f"word{i:02}" for i in range(11))


def first_half(text: str) -> list[str]:
    return text[: len(text) // 2].split()


# For each setting, values that differ from its default; "FILE" stands for a dictionary file.
CHANGED = {
    "rouge_types": [("rouge1",), ("rougeSU4", "rougeW"), ("rouge2", "rouge1", "rougeL", "rougeLsum")],
    "tokenizer": ["ascii", "zh_char", "char", "jieba", "space", "unicode"],
    "clean": ["opencompass", "model_output"],
    "segment": ["char", "char_without_blanks", "jieba", "jieba_without_spaces"],
    "lowercase": [False, "ascii"],
    "normalize": ["nfkc", None],
    "punctuation": ["keep"],
    "use_stemmer": [True],
    "stemmer": ["rouge155", "py_rouge", "sacrerouge", "sumeval"],
    "stop_words": [(), ("the",), ("none",), ("a,b", "[x]"), ("a", "b"), LONG_LIST, "rouge155", "sumeval_zh"],
    "word_tables": ["FOLDER"],
    "max_words": [1, 100],
    "max_bytes": [1, 665],
    "max_characters": [1, 665],
    "limit_rule": ["py_rouge", "sacrerouge", "sumeval"],
    "sentence_split": ["zh", "auto", "none", "<q>", "。", "a@b"],
    "ngram_counts": ["set"],
    "lcs": ["union", "type_union", "pairwise_sum"],
    "definition": ["paper"],
    "weight": [2.0, 1.25, 1.2000000000000002],
    "beta": [0.0, 1.5, 1 / 3],
    "alpha": [0.0, 0.5, 1.0],
    "epsilon": [1e-8],
    "multi_reference": ["best_recall", "best_each", "first", "mean", "pooled", "jackknife"],
    "empty": ["skip", "error", "one_if_both"],
    "refuses": [("empty",), ("deep_recursion", "empty_unless_blank")],
    "on_error": ["zero", "raise"],
    "output": ["all"],
    "use_aggregator": [False],
    "aggregate": ["running_mean", "numpy_mean", "f_of_means", "bootstrap_median"],
    "confidence": [0.95, 0.9, 0.123456789],
    "n_resamples": [999, 10**6],
    "seed": [1, LARGEST_SEED],
    "interval": ["bca", "poisson"],
    "weights": [(0.2, 0.4, 0.4, 0.0)],
    "scale": [100.0, 1e-9],
    "round_each": [0, 4],
    "round_result": [2],
    "quirks": [("float32",), ("rounded_ratios", "rouge155_choice")],
    "jieba_dict": ["FILE"],
    "jieba_hmm": [False],
    "subword_model": ["MODEL"],
    "pkuseg_model": ["PKUSEG"],
    "engine": ["plain", "compiled"],
    "threads": [2],
}


NEED_MODELS = ("subword_model", "pkuseg_model")
each_change = pytest.mark.parametrize(
    "name", [pytest.param(each, marks=pytest.mark.languages) if each in NEED_MODELS else each for each in CHANGED]
)


def test_table_of_changes_names_every_field():
    assert set(CHANGED) == set(ALL_SETTINGS)


def changed_settings(name: str, folder: Path) -> list[tuple[RougeSettings, dict]]:
    """Default settings with each of the values of one field, and what must be given to come back."""
    result = []
    for value in CHANGED[name]:
        if value == "FILE":
            path = folder / "words.txt"
            path.write_text("云计算 5 n\n", encoding="utf-8")
            result.append((RougeSettings(tokenizer="jieba", jieba_dict=str(path)), {"jieba_dict": str(path)}))
        elif value == "MODEL":
            path = str(train_bpe(folder))
            result.append((RougeSettings(tokenizer="subwords", subword_model=path), {"subword_model": path}))
        elif value == "PKUSEG":
            path = str(train_pkuseg(folder))
            result.append((RougeSettings(tokenizer="zh_pkuseg", pkuseg_model=path), {"pkuseg_model": path}))
        elif value == "FOLDER":
            (folder / "tables").mkdir()
            (folder / "tables" / "smart_common_words.txt").write_text("the\n", encoding="utf-8")
            path = str(folder / "tables")
            result.append((RougeSettings(tool={"word_tables": path}), {"word_tables": path}))
        else:
            result.append((RougeSettings(**grouped({name: value})), {name: value} if value is LONG_LIST else {}))
    return result


@each_change
def test_each_change_has_a_signature_of_its_own(name, tmp_path):
    changes = changed_settings(name, tmp_path)
    signatures = {RougeSettings().signature(), *(changed.signature() for changed, _ in changes)}
    assert len(signatures) == 1 + len(CHANGED[name])


@each_change
def test_signature_of_each_change_leads_back(name, tmp_path):
    for changed, needed in changed_settings(name, tmp_path):
        signature = changed.signature()
        assert RougeSettings.from_signature(signature, **needed) == changed
        if needed:
            with pytest.raises(ValueError, match=rf"from_signature\(text, {name}=\.\.\.\)"):
                RougeSettings.from_signature(signature)


@pytest.mark.parametrize("name", [name for name in CHANGED if name not in ("tokenizer", *NEED_MODELS)])
def test_change_shows_beside_another_one_too(name, tmp_path):
    for changed, _ in changed_settings(name, tmp_path):
        assert changed.replace(tokenizer="jieba").signature() != signature_of(tokenizer="jieba")


def test_default_signature_in_full():
    assert RougeSettings().signature() == (
        "types:1,2,L,Lsum|tok:mixed|case:lower|norm:nfc|punct:drop|stem:no|stop:none|words:none|bytes:none|"
        "split:newline|ngrams:multiset|lcs:sentence|beta:1|refs:best|empty:zero|agg:mean|conf:none|scale:1|"
        f"regex:{metadata.version('regex')}|ucd:{unicodedata.unidata_version}|v:{VERSION}"
    )


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        pytest.param({}, set(), id="default"),
        pytest.param({"confidence": 0.95}, {"seed", "resamples"}, id="interval"),
        pytest.param({"aggregate": "bootstrap_median"}, {"resamples"}, id="median"),
        pytest.param({"rouge_types": ["rougeW"]}, {"w", "def"}, id="rougeW"),
        pytest.param({"rouge_types": ["rougeSU4"]}, {"w", "def"}, id="rougeSU4"),
        pytest.param({"tokenizer": "jieba"}, {"dict", "hmm"}, id="jieba"),
    ],
)
def test_setting_shows_where_it_can_move_a_score(values, shown):
    conditional = {"seed", "resamples", "w", "def", "dict", "hmm", "out", "lists", "engine", "threads"}
    assert conditional & entries(signature_of(**values)).keys() == shown


# The signature: libraries and versions


@pytest.mark.parametrize(
    ("values", "libraries"),
    [
        ({"tokenizer": "mixed"}, ["regex"]),
        ({"tokenizer": "ascii"}, []),
        ({"tokenizer": "zh_char"}, ["regex"]),
        ({"tokenizer": "char"}, ["regex"]),
        ({"tokenizer": "jieba"}, ["jieba", "regex"]),
        ({"tokenizer": "space"}, ["regex"]),
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


def test_unicode_version_behind_normal_forms():
    for form in ("nfc", "nfkc"):
        assert entries(signature_of(normalize=form))["ucd"] == unicodedata.unidata_version
    assert "ucd" not in entries(signature_of(normalize=None))


@pytest.mark.parametrize("name", by_need(CONVENTIONS))
def test_nfc_is_of_our_own_conventions_only(name):
    is_own = name in ("default", "zh_char", "zh_word", "ja_word", "ko_word", "th_word", "vi_word")
    signature = CONVENTIONS[name].settings.signature()
    assert ("|norm:nfc|" if is_own else "|norm:none|") in signature
    assert ("|ucd:" in signature) == is_own
    assert RougeSettings.from_signature(signature) == CONVENTIONS[name].settings


@pytest.mark.parametrize(
    ("library", "values"), [("v", {}), ("regex", {}), ("jieba", {"tokenizer": "jieba"}), ("ucd", {"normalize": "nfkc"})]
)
def test_other_version_warns_and_reads_on(library, values):
    signature = signature_of(**values)
    here = entries(signature)[library]
    other = signature.replace(f"|{library}:{here}", f"|{library}:0.0.1")
    assert other != signature
    with pytest.warns(RougeWarning, match=re.escape(f"{library} 0.0.1 (here {here})")) as caught:
        assert RougeSettings.from_signature(other) == RougeSettings(**grouped(values))
    assert [warning.filename for warning in caught] == [__file__]


def test_same_versions_do_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        RougeSettings.from_signature(RougeSettings(tokenizer="jieba", use_stemmer=True).signature())


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
WORDS = st.one_of(
    ODD, st.sampled_from(["none", "a,b", "[x]", "[", "]", "custom", "a@1", "3#abc", "%2C", "a|b:c", "#", "的"])
)
SEPARATORS = st.one_of(
    ODD,
    st.sampled_from(
        ["|", ":", ",", "#", "%", "%7C", '"', "'", "\n", " ", "中。", "none ", "custom.", "a@1", "[]", "a#b"]
    ),
).filter(lambda text: re.search(r"\W", text))

some_settings = st.fixed_dictionaries(
    {},
    optional={
        "rouge_types": st.lists(
            st.sampled_from(
                ["rouge1", "rouge9", "rougeL", "rougeLsum", "rougeW", "rougeS", "rougeSU", "rougeSU4", "rougeS0"]
            ),
            min_size=1,
            unique=True,
        ),
        "tokenizer": st.sampled_from(["mixed", "ascii", "zh_char", "char", "jieba", "space", "unicode"]),
        "lowercase": st.booleans(),
        "normalize": st.sampled_from(["nfc", "nfkc", None]),
        "punctuation": st.sampled_from(["drop", "keep"]),
        "use_stemmer": st.booleans(),
        "stop_words": st.one_of(st.none(), st.lists(WORDS, max_size=10)),
        "max_words": st.one_of(st.none(), st.integers(1, 10**9)),
        "sentence_split": st.one_of(st.sampled_from(["newline", "zh", "auto", "none"]), SEPARATORS),
        "ngram_counts": st.sampled_from(["multiset", "set"]),
        "lcs": st.sampled_from(["sentence", "union"]),
        "definition": st.sampled_from(["rouge155", "paper"]),
        "weight": st.floats(0.5, 5),
        "beta": st.floats(0, 1e9),
        "multi_reference": st.sampled_from(ALLOWED["multi_reference"]),
        "empty": st.sampled_from(ALLOWED["empty"]),
        "output": st.sampled_from(["fmeasure", "all"]),
        "aggregate": st.sampled_from(["mean", "bootstrap_median"]),
        "confidence": st.one_of(st.none(), st.floats(0, 1, exclude_min=True, exclude_max=True)),
        "n_resamples": st.integers(1, 10**6),
        "seed": st.integers(0, LARGEST_SEED),
        "scale": st.floats(1e-9, 1e9),
        "jieba_hmm": st.booleans(),
        "engine": st.sampled_from(["auto", "plain", "compiled"]),
        "threads": st.integers(0, 1024),
    },
)


@given(some_settings)
@example({"stop_words": ["none", "a,b", "[x]"], "sentence_split": "|:,#%\"'\n中"})
@example({"stop_words": ["none"], "sentence_split": "custom@1"})
@examples_in_ci(150)
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


def test_long_list_of_stop_words_is_told_by_size_and_digest():
    written = {entries(signature_of(stop_words=words))["stop"] for words in (LONG_LIST, (*LONG_LIST[:-1], "word1O"))}
    assert len(written) == 2
    assert all(re.fullmatch(r"11#[0-9a-f]{12}", text) for text in written)


def test_long_lists_that_join_to_the_same_text_differ():
    rest = tuple(f"z{i}" for i in range(10))
    assert signature_of(stop_words=("a\nb", "c", *rest)) != signature_of(stop_words=("a", "b\nc", *rest))


def test_dictionary_is_told_by_name_and_content(tmp_path):
    first, second = tmp_path / "a.txt", tmp_path / "b b.txt"
    written = []
    for path, content in [(first, "云计算 5\n"), (first, "云计算 6\n"), (second, "云计算 6\n")]:
        path.write_text(content, encoding="utf-8")
        written.append(entries(signature_of(tokenizer="jieba", jieba_dict=path))["dict"])
    assert [re.sub(r"#[0-9a-f]{12}$", "", text) for text in written] == ["a.txt", "a.txt", "b%20b.txt"]
    digests = [text[-12:] for text in written]
    assert digests[0] != digests[1] == digests[2]


def test_dictionary_of_another_folder_is_accepted_by_content(tmp_path):
    paths = [tmp_path / "one" / "words.txt", tmp_path / "two" / "words.txt"]
    for path in paths:
        path.parent.mkdir()
        path.write_text("云计算 5 n\n", encoding="utf-8")
    signature = signature_of(tokenizer="jieba", jieba_dict=paths[0])
    read = RougeSettings.from_signature(signature, jieba_dict=paths[1])
    assert read.jieba_dict == str(paths[1])
    paths[1].write_text("云计算 6 n\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"jieba_dict=.*but the signature says"):
        RougeSettings.from_signature(signature, jieba_dict=paths[1])


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


@pytest.mark.parametrize(
    ("text", "fragments"),
    [
        pytest.param("", ["key:value"], id="empty"),
        pytest.param("types", ["'types'", "key:value"], id="no-colon"),
        pytest.param("tok:mixed|", ["''", "key:value"], id="empty-entry"),
        pytest.param("tok:mixed||v:0.1.0", ["''", "key:value"], id="empty-entry-within"),
        pytest.param("tokk:mixed", ["'tokk'", "Did you mean 'tok'?"], id="unknown-key"),
        pytest.param("Types:1", ["'Types'", "Did you mean 'types'?"], id="case-of-a-key"),
        pytest.param("case:Lower", ["'case'", "'Lower'", "Did you mean 'lower'?"], id="flag"),
        pytest.param("stem:none", ["'stem'", "'none'", "porter"], id="flag-none"),
        pytest.param("types:1,,2", ["'rouge'"], id="types"),
        pytest.param("types:1,1", ["twice"], id="types-twice"),
        pytest.param("types:none", ["'rougenone'"], id="types-none"),
        pytest.param("tok:none", ["tokenizer", "'none'"], id="tokenizer-none"),
        pytest.param("tok:jeiba", ["'jeiba'", "Did you mean 'jieba'?"], id="tokenizer"),
        pytest.param("refs:none", ["'none'"], id="choice"),
        pytest.param("words:abc", ["abc"], id="integer"),
        pytest.param("words:0", ["max_words", "at least 1"], id="integer-bound"),
        pytest.param("beta:", ["''"], id="number-empty"),
        pytest.param("beta:none", ["none"], id="number-none"),
        pytest.param("beta:nan", ["beta", "nan"], id="number-nan"),
        pytest.param("words:5|bytes:5", ["not both"], id="together"),
        pytest.param(
            "tok:custom", ["tokenizer", "without a name", "tokenizer=...", "register_tokenizer"], id="callable"
        ),
        pytest.param(
            "split:custom", ["sentence_split", "without a name", "register_sentence_split"], id="callable-split"
        ),
        pytest.param("tok:my%2Dwords@2%2B1", ["'my-words'", "'2+1'", "register_tokenizer"], id="not-registered"),
        pytest.param("split:mine@1", ["'mine'", "'1'", "register_sentence_split"], id="split-not-registered"),
        pytest.param("tok:mixed@1", ["'mixed'", "'1'", "not registered"], id="version-of-our-own"),
        pytest.param("stop:11#0123456789ab", ["11#0123456789ab", "stop_words=..."], id="many-words"),
        pytest.param("tok:jieba|dict:a.txt#0123456789ab", ["a.txt#", "jieba_dict=..."], id="dictionary"),
    ],
)
def test_text_that_is_no_signature(text, fragments):
    with pytest.raises(ValueError) as raised:  # noqa: PT011 the fragments say which
        RougeSettings.from_signature(text)
    for fragment in fragments:
        assert fragment in str(raised.value)


@pytest.mark.parametrize("text", ["stop:the", "stop:[the", "stop:the]"])
def test_stop_words_without_brackets(text):
    with pytest.raises(ValueError, match="stop"):
        RougeSettings.from_signature(text)


@pytest.mark.parametrize("text", ["tok:mixed|tok:char", "beta:1|beta:2"])
def test_key_twice(text):
    with pytest.raises(ValueError, match=text.partition(":")[0]):
        RougeSettings.from_signature(text)


def test_given_value_that_does_not_match():
    with pytest.warns(RougeWarning, match="custom"):
        signature = signature_of(tokenizer=first_half, stop_words=LONG_LIST)
    with pytest.raises(ValueError, match=r"tokenizer=.*'mixed', but the signature says 'custom'"):
        RougeSettings.from_signature(signature, tokenizer="mixed", stop_words=LONG_LIST)
    with pytest.raises(ValueError, match=r"stop_words=.*but the signature says"):
        RougeSettings.from_signature(signature, tokenizer=first_half, stop_words=LONG_LIST[:-1])
    with pytest.raises(ValueError, match=r"stop_words=.*but the signature says"):
        RougeSettings.from_signature(signature, tokenizer=first_half, stop_words=None)
    assert RougeSettings.from_signature(signature, tokenizer=first_half, stop_words=LONG_LIST).tokenizer is first_half


def test_given_value_without_an_entry():
    with pytest.raises(ValueError, match="no entry for jieba_dict"):
        RougeSettings.from_signature(RougeSettings().signature(), jieba_dict="words.txt")
    with pytest.raises(ValueError, match="no entry for tokeniser"):
        RougeSettings.from_signature(RougeSettings().signature(), tokeniser="mixed")


@pytest.mark.parametrize("as_given", [lambda words: words[::-1], set, iter], ids=["other-order", "set", "iterator"])
def test_given_stop_words_in_any_order(as_given):
    value = RougeSettings(stop_words=LONG_LIST)
    assert RougeSettings.from_signature(value.signature(), stop_words=as_given(list(LONG_LIST))) == value


@pytest.mark.process
def test_signature_in_two_processes_is_the_same():
    value = RougeSettings(stop_words=["the", "a", "of", "in"], sentence_split="<q>")
    code = (
        "from polyrouge import RougeSettings as S; print(S(stop_words={'of', 'in', 'a', 'the'}, sentence_split='<q>')"
    )
    assert {run_python(code + ".signature())", PYTHONHASHSEED=seed) for seed in "12"} == {value.signature()}


# Conventions


def test_names_of_the_conventions():
    assert {"default", "zh_char", "zh_word", "rouge_score", "evaluate_rouge"} <= CONVENTIONS.keys()
    assert all(convention.name == name for name, convention in CONVENTIONS.items())
    assert all(convention.reproduces for convention in CONVENTIONS.values())


def test_default_convention_has_the_default_settings():
    assert Rouge().settings == Rouge("default").settings == RougeSettings()


@pytest.mark.parametrize(("name", "tokenizer"), [("zh_char", "zh_char"), ("zh_word", "jieba")])
def test_chinese_conventions(name, tokenizer):
    expected = RougeSettings(tokenizer=tokenizer, lowercase=True, punctuation="drop", sentence_split="zh")
    assert Rouge(name).settings == expected


@pytest.mark.parametrize("name", by_need(CONVENTIONS))
def test_setting_beside_a_convention_overrides_it_and_shows(name):
    convention = CONVENTIONS[name]
    changed = convention.override(convention.settings, {"beta": 3, "sentence_split": "auto"})
    assert changed == convention.settings.replace(beta=3.0, sentence_split="auto")
    assert entries(changed.signature())["beta"] == "3"
    assert changed.signature() != convention.settings.signature()


def test_a_metric_shows_its_convention_and_signature():
    assert repr(Rouge("zh_char")) == f"Rouge('zh_char', signature={Rouge('zh_char').signature()!r})"


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("zh_words", "zh_word"),
        ("rouge-score", "rouge_score"),
        ("Default", "default"),
        ("zh", "zh_char' or 'zh_word"),
        ("ZH-CN", "zh_char' or 'zh_word"),
        ("chinese", "zh_char' or 'zh_word"),
        ("中文", "zh_char' or 'zh_word"),
        ("rouge-chinese", "rouge_chinese"),
        ("Rouge-Score", "rouge_score"),
        ("ROUGE-1.5.5", "rouge155"),
        ("rouge1.5.5", "rouge155"),
        ("Rouge155.pl", "rouge155"),
        ("files2rouge", "rouge155"),
        ("pyrouge", "py_rouge' or 'rouge155"),
        ("rouge", "evaluate_rouge' or 'pltrdy"),
        ("huggingface", "evaluate_rouge"),
        ("LLaMA-Factory", "llama_factory"),
        ("opencompass", "opencompass_zh"),
        ("XL-Sum", "xlsum"),
        ("", None),
    ],
)
def test_convention_that_is_not_known(name, nearest):
    with pytest.raises(ValueError, match=f"Unknown convention {name!r}; choose one of default, zh_char") as raised:
        Rouge(name)
    assert nearest is None or str(raised.value).endswith(f"Did you mean '{nearest}'?")
    assert (nearest is None) == ("Did you mean" not in str(raised.value))


def test_other_names_lead_to_ours():
    settings = {name: setting.other_names for name, setting in ALL_SETTINGS.items() if setting.other_names}
    choices = {name: each.values for name, each in ALL_SETTINGS.items() if isinstance(each.values, Choice)}
    values = {name: each.other_names for name, each in choices.items() if each.other_names}
    for names in (registry._OTHER_NAMES, settings, OTHER_TOKENIZERS, *values.values()):
        assert all(folded(name) == name for others in names.values() for name in others.split())
    assert registry._OTHER_NAMES.keys() <= CONVENTIONS.keys()
    assert settings.keys() <= set(RougeSettings.names())
    for setting, names in {"tokenizer": OTHER_TOKENIZERS, **values}.items():
        for value in names:
            needed = {"subword_model": "owner/name"} if value in NEEDS_MODEL else {}
            changed = RougeSettings(multi_reference="pooled").replace(**grouped({setting: value, **needed}))
            assert changed.value(setting) == value


@pytest.mark.parametrize("name", [["default"], None, 5], ids=repr)
def test_convention_that_is_no_name(name):
    with pytest.raises(TypeError, match=r"convention is .*; give a name: one of default"):
        Rouge(name)


@pytest.mark.parametrize("name", ["rouge_score", "evaluate_rouge"])
def test_callable_tokenizer_replaces_the_text_rules_of_rouge_score(name):
    settings = Rouge(name, tokenizer=str.split).settings
    assert (settings.lowercase, settings.punctuation, settings.use_stemmer) == (False, "keep", False)
    assert settings.tokenizer == str.split
    # as rouge_score: the callable's tokens, neither lower-cased nor without marks
    rouge = Rouge(name, tokenizer=str.split, rouge_types=["rouge1"])
    assert rouge.compute(["The cat ."], ["the cat ."]) == {"rouge1": pytest.approx(2 / 3)}
    assert Rouge(name, rouge_types=["rouge1"]).compute(["The cat ."], ["the cat ."]) == {"rouge1": 1.0}


@pytest.mark.parametrize("name", ["rouge_score", "evaluate_rouge"])
def test_callable_tokenizer_of_one_call_replaces_the_text_rules_too(name):
    rouge = Rouge(name, use_stemmer=True, rouge_types=["rouge1"])
    settings = rouge.settings_with({"tokenizer": str.split})
    assert (settings.lowercase, settings.punctuation, settings.use_stemmer) == (False, "keep", False)
    assert rouge.compute(["The cats"], ["the cat"], tokenizer=str.split) == {"rouge1": 0.0}
    assert rouge.compute(["The cats"], ["the cat"]) == {"rouge1": 1.0}
    assert rouge.settings.use_stemmer is True


@pytest.mark.parametrize(
    ("name", "value"),
    [("lowercase", True), ("punctuation", "drop"), ("use_stemmer", True)],
    ids=lambda value: str(value),
)
def test_text_rule_given_beside_a_callable_holds(name, value):
    implied = {"lowercase": False, "punctuation": "keep", "use_stemmer": False}
    settings = Rouge("rouge_score", tokenizer=str.split, **{name: value}).settings
    assert {key: getattr(settings, key) for key in implied} == {**implied, name: value}


@pytest.mark.parametrize("name", ["default", "zh_char", "zh_word"])
def test_callable_tokenizer_keeps_the_text_rules_of_our_own_conventions(name):
    assert Rouge(name, tokenizer=str.split).settings == CONVENTIONS[name].settings.replace(tokenizer=str.split)


def test_named_tokenizer_keeps_the_text_rules_of_rouge_score():
    assert Rouge("rouge_score", tokenizer="mixed").settings == RougeSettings(tokenizer="mixed", normalize=None)
    assert Rouge("rouge_score", tokenizer="mixed").settings.lowercase is True


def test_metric_of_a_signature():
    rouge = Rouge("zh_word", beta=2, rouge_types=["rouge1", "rougeW"])
    again = Rouge.from_signature(rouge.signature())
    assert again.settings == rouge.settings
    assert again.signature() == rouge.signature()
    rouge = Rouge("rouge_score", tokenizer=first_half)
    with pytest.warns(RougeWarning, match="custom"):
        signature = rouge.signature()
    assert Rouge.from_signature(signature, tokenizer=first_half).settings == rouge.settings
