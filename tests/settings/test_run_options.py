"""``engine`` and ``threads``: given like settings, but no part of them; ``Rouge.of``; ``rouge=`` of every function."""

import functools
import pickle

import numpy as np
import pytest

import polyrouge
from polyrouge import CONVENTIONS, Rouge, RougeSettings, RunOptions
from polyrouge.errors import RefusedType, RefusedValue
from polyrouge.metric import as_rouge

GIVEN = {"engine": "plain", "threads": 2}


def test_they_are_no_settings_and_move_no_signature():
    rouge = Rouge("zh_char", **GIVEN, scale=100)
    assert rouge.run == RunOptions(engine="plain", threads=2)
    assert rouge.settings == Rouge("zh_char", scale=100).settings
    assert rouge.signature() == Rouge("zh_char", scale=100).signature()
    assert not {"engine", "threads"} & {*RougeSettings.names(), *vars(rouge.settings)}
    assert RunOptions() == RunOptions(engine="AUTO", threads=np.int64(0))


def test_what_a_metric_makes_keeps_them():
    for make in (Rouge().for_trainer, Rouge().as_reward):
        assert make(**GIVEN).run == RunOptions(**GIVEN)


def test_a_call_counts_by_what_it_is_given(monkeypatch):
    engines = []
    real = polyrouge.counting.loop.run_chunks

    def run_chunks(inputs, text_rules, count_rules, run):
        engines.append(run)
        return real(inputs, text_rules, count_rules, run)

    monkeypatch.setattr(polyrouge.counting.loop, "run_chunks", run_chunks)
    rouge = Rouge(threads=3)
    rouge.compute(["a"], ["a"], engine="plain")
    rouge.score(["a"], ["a"], scale=1.0)
    assert engines == [RunOptions(engine="plain", threads=3), RunOptions(threads=3)]


def test_values_that_are_not_allowed():
    refused = {"engine": ["fast", None], "threads": [-1, 1025, None, 1.0, True]}
    for take in (RunOptions, Rouge, functools.partial(Rouge().compute, ["a"], ["a"])):
        for name, values in refused.items():
            for value in values:
                with pytest.raises((RefusedType, RefusedValue)) as raised:
                    take(**{name: value})
                assert raised.value.field == name


def test_settings_refuse_them_and_say_where_they_belong():
    for name, value in GIVEN.items():
        with pytest.raises(TypeError, match=f"'{name}' moves no score, so it is no setting: give it to Rouge, compute"):
            RougeSettings().replace(**{name: value})


def test_a_metric_of_settings():
    settings = CONVENTIONS["rouge155"].settings
    rouge = Rouge.of(settings, RunOptions(threads=1))
    texts = ["the cats sat", "b"], [["a cat sat"], ["b c"]]
    assert rouge.settings is settings
    assert rouge.compute(*texts) == Rouge("rouge155").compute(*texts)
    assert Rouge.of(settings).run == RunOptions()
    for same in (pickle.loads(pickle.dumps(rouge)), Rouge.from_signature(rouge.signature(), threads=1)):  # noqa: S301
        assert (same.settings, same.run) == (settings, RunOptions(threads=1))
    for wrong in (("zh_char",), (settings, 2)):
        with pytest.raises(TypeError, match=r"; give (RougeSettings|RunOptions)"):
            Rouge.of(*wrong)


def test_what_a_function_takes_as_rouge():
    rouge = Rouge("zh_char", threads=2)
    assert as_rouge(rouge) is rouge
    assert as_rouge("zh_char").settings == rouge.settings
    assert as_rouge(None).settings == Rouge().settings
    of_types = as_rouge(rouge, rouge_types=["rougeL"])
    assert of_types.settings == rouge.settings.replace(rouge_types=["rougeL"])
    assert (of_types.run, rouge.settings.rouge_types) == (rouge.run, Rouge().settings.rouge_types)
    for wrong in ("", "zh_cahr"):
        with pytest.raises(ValueError, match=f"convention {wrong!r}"):
            as_rouge(wrong)
