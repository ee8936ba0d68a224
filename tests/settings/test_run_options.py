"""``engine`` and ``threads``: given like settings, but no part of them; ``Rouge.of``; ``rouge=`` of every function."""

import inspect
import pickle

import numpy as np
import pytest

import polyrouge
from polyrouge import CONVENTIONS, Rouge, RougeSettings, RunOptions
from polyrouge.beyond.arrow import TableScorer
from polyrouge.metric import as_rouge

GIVEN = {"engine": "plain", "threads": 2}


def test_they_are_no_settings_and_move_no_signature():
    rouge = Rouge("zh_char", **GIVEN, scale=100)
    assert rouge.run == RunOptions(engine="plain", threads=2)
    assert rouge.settings == Rouge("zh_char", scale=100).settings
    assert rouge.signature() == Rouge("zh_char", scale=100).signature()
    assert not {"engine", "threads"} & {*RougeSettings.names(), *vars(rouge.settings)}
    assert RunOptions() == RunOptions(engine="AUTO", threads=np.int64(0))


@pytest.mark.parametrize("call", ["compute", "score", "count", "score_batch", "explain", "for_trainer", "as_reward"])
def test_every_call_takes_them(call):
    rouge = Rouge()
    arguments = {
        "score_batch": ({"prediction": ["a b"], "references": ["a c"]},),
        "explain": ("a b", "a c"),
        "for_trainer": (),
        "as_reward": (),
    }.get(call, (["a b"], ["a c"]))
    result = getattr(rouge, call)(*arguments, **GIVEN)
    assert rouge.run == RunOptions()
    if call in ("for_trainer", "as_reward"):
        assert result.run == RunOptions(**GIVEN)


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


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        ({"engine": "fast"}, ValueError, "Unknown engine 'fast'; choose one of auto, plain, compiled"),
        ({"engine": None}, ValueError, "Unknown engine None"),
        ({"threads": -1}, ValueError, "threads is -1; it must be at least 0 and at most 1024"),
        ({"threads": 1025}, ValueError, "threads is 1025; it must be"),
        ({"threads": None}, TypeError, "threads is None; give a whole number"),
        ({"threads": 1.0}, TypeError, "threads is 1.0; give a whole number"),
        ({"threads": True}, TypeError, "threads is True; give a whole number"),
    ],
)
def test_values_that_are_not_allowed(values, error, message):
    for take in (RunOptions, Rouge, lambda **given: Rouge().compute(["a"], ["a"], **given)):
        with pytest.raises(error, match=message):
            take(**values)


def test_settings_refuse_them_and_say_where_they_belong():
    for name in GIVEN:
        with pytest.raises(TypeError, match=f"'{name}' moves no score, so it is no setting: give it to Rouge, compute"):
            RougeSettings().replace(**{name: GIVEN[name]})
    with pytest.raises(TypeError, match="Did you mean 'threads'"):
        Rouge(nthreads=2)


@pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")  # of Chinese under rules for English
@pytest.mark.parametrize("convention", ["default", "zh_char", "rouge155", "lawrouge", "llama_factory"])
def test_a_metric_of_settings(convention):
    settings = CONVENTIONS[convention].settings
    rouge = Rouge.of(settings, RunOptions(threads=1))
    texts = ["今天 天气 很好 the cat", "b"], [["今天 天气 不错 a cat"], ["b c"]]
    assert rouge.settings is settings
    assert rouge.compute(*texts) == Rouge(convention).compute(*texts)
    again = pickle.loads(pickle.dumps(rouge))  # noqa: S301 our own
    assert (again.settings, again.run) == (settings, RunOptions(threads=1))
    assert Rouge.of(settings).run == RunOptions()


def test_a_metric_is_of_settings_only():
    with pytest.raises(TypeError, match=r"settings is 'zh_char' \(str\); give RougeSettings"):
        Rouge.of("zh_char")
    with pytest.raises(TypeError, match=r"run is 2 \(int\); give RunOptions"):
        Rouge.of(RougeSettings(), 2)


def test_a_signature_with_run_options():
    rouge = Rouge.from_signature(Rouge("zh_char").signature(), threads=1)
    assert (rouge.settings, rouge.run) == (Rouge("zh_char").settings, RunOptions(threads=1))


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
    with pytest.raises(
        TypeError, match=r"rouge is 5 \(int\); give a metric, such as Rouge\('zh_char'\), a convention's"
    ):
        as_rouge(5)


def public_functions():
    """All public functions and classes, and the methods of these, by their names."""
    modules = [
        polyrouge,
        *(__import__(f"polyrouge.{name}", fromlist=["x"]) for name in ("beyond.pairs", "beyond.arrow", "report")),
    ]
    values = {name: getattr(module, name) for module in modules for name in module.__all__}
    for name, value in list(values.items()):
        if inspect.isclass(value):
            values |= {f"{name}.{key}": each for key, each in vars(value).items() if not key.startswith("_")}
    return {name: value for name, value in values.items() if callable(value)}


def test_only_the_front_doors_take_a_convention_beside_settings():
    """All others that score take ``rouge``: a metric, the name of a convention, or None."""
    takes = {}
    for name, value in public_functions().items():
        try:
            takes[name] = inspect.signature(value).parameters
        except (TypeError, ValueError):  # of C, and of exceptions
            continue
    kinds = {name: {each.kind for each in of.values()} for name, of in takes.items()}
    doors = {name for name, of in takes.items() if "convention" in of}
    assert doors == {"Rouge", "rouge"}
    assert all(inspect.Parameter.VAR_KEYWORD in kinds[name] for name in doors)
    metrics = {name: of["rouge"].default for name, of in takes.items() if "rouge" in of}
    assert set(metrics.values()) == {None}
    assert {
        *("compare_systems", "compare_slices", "score_slices", "check_scores", "assert_not_worse", "trace_checkpoints"),
        *("examine_systems", "measure_sources", "score_context", "write_report"),
        *("deduplicate", "Pool", "nearest", "pairs_above", "pairwise", "consensus", "diversity", "extractive_oracle"),
        *("TableScorer", "score_table", "score_batches"),
    } == metrics.keys()


def test_a_scorer_of_tables_keeps_them():
    scorer = TableScorer(Rouge(threads=1))
    assert scorer.run == pickle.loads(pickle.dumps(scorer)).run == RunOptions(threads=1)  # noqa: S301 our own
