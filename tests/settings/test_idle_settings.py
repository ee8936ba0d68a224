"""A setting that has no effect under the others is warned of, once for each metric, and only where it has none."""

import warnings

import pytest

from polyrouge import Rouge, RougeWarning, compare_systems
from polyrouge.beyond.pairs import deduplicate

TEXTS = (
    ["the cats sat. It ran, and\nran on. 天气很好。", "a b c d e", "", "x<q>y y", "U.S.", "Häuser K"],
    [["The cats ran. It sat, and\nran. 天气不错。"], ["c d a b e", "b a"], ["a"], ["y<q>x y"], ["u s ."], ["haus k"]],
)


def told(call, *arguments, **settings):
    """What a call warns of as having no effect, by the names of the settings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call(*arguments, **settings)
    messages = [str(each.message) for each in caught if issubclass(each.category, RougeWarning)]
    return [each.partition("=")[0] for each in messages if "has no effect here: " in each]


@pytest.mark.parametrize("call", ["compute", "score", "count", "score_batch", "explain", "for_trainer", "as_reward"])
def test_each_call_tells_of_what_was_given_to_the_metric_once(call):
    method = getattr(Rouge(weight=2.0, seed=3), call)
    columns = {"prediction": ["a b"], "references": ["a c"]}
    arguments = {"score_batch": [columns], "explain": ["a b", "a c"], "for_trainer": [], "as_reward": []}
    texts = arguments.get(call, [["a b"], ["a c"]])
    assert told(method, *texts) == ["weight", "seed"]
    assert told(method, *texts) == []


def test_nothing_is_said_before_a_call_that_ignores_the_setting():
    assert told(Rouge, weight=2.0, seed=3) == []
    rouge = Rouge(weight=2.0, seed=3)
    assert told(rouge.compute, *TEXTS, rouge_types=["rougeW"], confidence=0.9) == []
    assert told(rouge.compute, *TEXTS, rouge_types=["rougeW"]) == ["seed"]
    assert told(rouge.compute, *TEXTS) == ["weight"]
    assert told(Rouge(weight=2.0, rouge_types=["rougeW"]).compute, *TEXTS, rouge_types=["rouge1"]) == []
    assert told(Rouge().compute, *TEXTS, weight=1.2, seed=0, on_error="score") == []  # as it is anyway


def test_functions_that_take_a_metric_or_settings_tell_too():
    systems = {"a": ["a b"] * 20, "b": ["c b"] * 20}
    assert told(compare_systems, systems, ["a c"] * 20, Rouge(seed=4, weight=2.0)) == ["weight"]  # its draws are seeded
    assert told(deduplicate, ["a b", "a b"], rouge=Rouge(weight=2.0)) == ["weight"]
    assert told(deduplicate, ["a b", "a b"], "rougeW", rouge=Rouge(weight=2.0)) == []
