"""A setting that has no effect under the others is warned of, once for each metric, and only where it has none."""

import itertools
import random
import warnings
from collections import Counter

import numpy as np
import pytest
from amounts import few_or_many

from polyrouge import CONVENTIONS, TOKENIZERS, Rouge, RougeWarning, compare_systems
from polyrouge.beyond.pairs import deduplicate
from polyrouge.settings.rouge_settings import ALL_SETTINGS, TOOL_RULES

TEXTS = (
    ["the cats sat. It ran, and\nran on. 天气很好。", "a b c d e", "", "x<q>y y", "U.S.", "Häuser K"],
    [["The cats ran. It sat, and\nran. 天气不错。"], ["c d a b e", "b a"], ["a"], ["y<q>x y"], ["u s ."], ["haus k"]],
)
# Of what has more values than a flag or a choice, or values that need something; of others each is tried.
SOME = {
    "weight": (0.7, 2.0),
    "on_error": ("zero", "raise"),
    "sentence_split": ("newline", "zh", "auto", "none", "token", "<q>"),
    "aggregate": ("mean", "f_of_means", "micro", "running_mean"),
    "n_resamples": (7,),
    "seed": (5,),
    "round_each": (1,),
    "round_result": (1,),
    "empty": ("skip", "one_if_both"),
    "lowercase": (False, "ascii"),
    "stemmer": ("german", "porter"),
    "word_tables": (".",),
    "limit_rule": ("sumeval",),
    "joined_split": ("pltrdy", "single_space"),
    "lcs": ("sentence", "union", "pairwise_sum"),
    "alpha": (None, 0.5, 0.9),
    "refuses": ((), ("empty",)),
    "quirks": (("unclipped_totals",), ("powered_lcs", "rounded_ratios"), ("rouge155_choice",), ("uncounted_bytes",)),
}
NEEDS = [name for name, setting in ALL_SETTINGS.items() if setting.need is not None]
ALIKE = [name for entry in TOKENIZERS.values() for name in entry.alike]
CHOICES = {name: getattr(ALL_SETTINGS[name].values, "allowed", (True, False)) for name in [*NEEDS, *ALIKE]}
VALUES = CHOICES | SOME
TYPES = (["rouge1"], ["rougeL"], ["rougeLsum", "rouge2"], ["rougeW"], ["rougeSU4"])
OTHERS = (
    {},
    {"confidence": 0.9},
    {"use_aggregator": False},
    {"aggregate": "bootstrap_median"},
    {"aggregate": "bootstrap_median", "confidence": 0.9},
    {"aggregate": "micro", "multi_reference": "first"},
    {"max_words": 3},
    {"max_bytes": 5},
    {"on_error": "raise"},
    {"tokenizer": "char"},
    {"tokenizer": "char", "use_stemmer": True},
    {"sentence_split": "none", "multi_reference": "best_recall", "on_error": "zero"},
)


CONVENTIONS_TRIED = ("default", "rouge155", "py_rouge", "pltrdy", "rouge_chinese", "coco")


def told(call, *arguments, **settings):
    """What a call warns of as having no effect, by the names of the settings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call(*arguments, **settings)
    return idle_names(caught)


def idle_names(caught):
    messages = [str(each.message) for each in caught if issubclass(each.category, RougeWarning)]
    return [each.partition("=")[0] for each in messages if "has no effect here: " in each]


def outcome(convention, **settings):
    """The scores as they are printed, or the error; with the warnings of no effect."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        np.random.seed(0)
        try:
            result = repr(Rouge(convention, **settings).compute(*TEXTS))
        except (ValueError, ModuleNotFoundError, FileNotFoundError) as error:
            result = str(error)
    return result, idle_names(caught)


@pytest.mark.filterwarnings("ignore")
@few_or_many(40, 150)
def test_what_is_said_to_have_no_effect_moves_nothing(n):
    idle, at_work = Counter(), Counter()
    for convention, types, others in random.Random(1).sample([*itertools.product(CONVENTIONS_TRIED, TYPES, OTHERS)], n):
        without, _ = outcome(convention, rouge_types=types, **others)
        is_missing = "not installed" in without  # tables of others, of which a folder may be given
        for name, values in VALUES.items() if not is_missing else [("word_tables", VALUES["word_tables"])]:
            for value in values if name not in others else ():
                changed = {"tool": {name: value}} if name in TOOL_RULES else {name: value}
                result, names = outcome(convention, rouge_types=types, **others, **changed)
                idle[name] += name in names
                at_work[name] += result != without
                assert name not in names or result == without, (convention, types, others, name, value)
    assert all(idle[name] and at_work[name] for name in VALUES), (idle, at_work)


@pytest.mark.parametrize("call", ["compute", "score", "count", "score_batch", "explain", "for_trainer", "as_reward"])
def test_each_call_tells_of_what_was_given_to_the_metric_once(call):
    rouge = Rouge(weight=2.0, seed=3)
    arguments = {
        "score_batch": ({"prediction": ["a b"], "references": ["a c"]},),
        "explain": ("a b", "a c"),
        "for_trainer": (),
        "as_reward": (),
    }.get(call, (["a b"], ["a c"]))
    assert told(getattr(rouge, call), *arguments) == ["weight", "seed"]
    assert told(getattr(rouge, call), *arguments) == []
    assert told(rouge.compute, *[["a b"] * 5000] * 2) == []


def test_nothing_is_said_before_a_call_that_ignores_the_setting():
    assert told(Rouge, weight=2.0, seed=3) == []
    rouge = Rouge(weight=2.0, seed=3)
    assert told(rouge.compute, *TEXTS, rouge_types=["rougeW"], confidence=0.9) == []
    assert told(rouge.compute, *TEXTS, rouge_types=["rougeW"]) == ["seed"]
    assert told(rouge.compute, *TEXTS) == ["weight"]
    assert told(Rouge(weight=2.0, rouge_types=["rougeW"]).compute, *TEXTS, rouge_types=["rouge1"]) == []
    assert told(Rouge().compute, *TEXTS, weight=1.2, seed=0, on_error="score") == []  # as it is anyway


def test_settings_of_one_call_are_told_of_once():
    rouge = Rouge()
    assert told(rouge.compute, *TEXTS, n_resamples=10, on_error="zero") == ["n_resamples", "on_error"]
    assert told(rouge.compute, *TEXTS, n_resamples=10, weight=3) == ["weight"]


def test_functions_that_take_a_metric_or_settings_tell_too():
    systems = {"a": ["a b"] * 20, "b": ["c b"] * 20}
    assert told(compare_systems, systems, ["a c"] * 20, Rouge(seed=4, weight=2.0)) == ["weight"]  # its draws are seeded
    assert told(deduplicate, ["a b", "a b"], rouge=Rouge(weight=2.0)) == ["weight"]
    assert told(deduplicate, ["a b", "a b"], "rougeW", rouge=Rouge(weight=2.0)) == []


def test_a_signature_is_read_back_without_a_word():
    for convention in ("default", "rouge_chinese", "coco"):
        signature = CONVENTIONS[convention].settings.signature()
        assert told(lambda line: Rouge.from_signature(line).compute(["a"], ["b"]), signature) == []
