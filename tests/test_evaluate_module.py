"""The metric as evaluate drives it: storage, streaming, locks, refusals, and several at once."""

import doctest
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import cloudpickle
import datasets
import evaluate
import numpy as np
import pytest
from filelock import FileLock, Timeout
from hub_server import SCRIPT
from text_columns import COLUMNS, LIST_COLUMNS

from polyrouge import Rouge

# Our warnings are of another class in each copy, which the filter of pyproject.toml does not know, and which
# pytest-xdist can't import to report it.
pytestmark = pytest.mark.filterwarnings("error::UserWarning", "ignore:An interval of")

# Four examples of known rouge1 F: all, half, none and two thirds.
PREDICTIONS = ["the cat", "a dog", "x", "the cat sat"]
REFERENCES = ["the cat", "a hen", "y", "the cat ran"]
REFERENCE_LISTS = [["the cat"], ["no", "a hen"], ["y", "z", "w"], ["the cat ran", "ran"]]
LISTS = {"rouge1": [1.0, 0.5, 0.0, 2 / 3]}
MEAN = {"rouge1": 13 / 24}
EVERY_LIST = {"use_aggregator": False}

GOOD = {"predictions": ["a b", "c"], "references": ["a b", "d"]}
GOOD_RESULT = {"rouge1": [1.0, 0.0]}

# A good first row, the row that is refused, its error, and how the message names it as the third row.
# The catalogue has every kind of bad row.
BAD_ROWS = [
    (("b", "b"), (None, "c"), TypeError, "predictions[2] is None"),
    (("b", "b"), ("c", ["c"]), TypeError, "references[2] is a list"),
    (("b", ["b"]), ("c", []), ValueError, "references[2] is empty"),
]


@pytest.fixture(scope="module")
def metric_class(metric_classes):
    return metric_classes["evaluate"]


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "rows"


@pytest.fixture
def new(metric_class, cache):
    """Make a metric that scores rouge1 and keeps its rows in ``cache``."""

    def make(convention=None, **options):
        return metric_class(convention, **{"cache_dir": str(cache), "rouge_types": ["rouge1"], **options})

    return make


def test_info_is_complete(new):
    rouge = new()
    text = datasets.Value("string")
    assert rouge.features == [
        {"predictions": text, "references": text},
        {"predictions": text, "references": datasets.Sequence(text)},
    ]
    assert (rouge.name, rouge.module_type) == ("rouge_metric", "metric")
    assert all([rouge.description, rouge.citation, rouge.license, rouge.homepage, rouge.codebase_urls])
    assert "stored examples: 0" in repr(rouge)


def rows_left(folder):
    return sorted(path.name for path in folder.rglob("*.arrow"))


def held_locks(folder):
    held = []
    for path in sorted(folder.rglob("*.lock")):
        try:
            with FileLock(path, timeout=0):
                pass
        except Timeout:
            held.append(path.name)
    return held


def refuse(kind, part, call, *args, **arguments):
    """Check that a call raises ``kind``, with ``part`` in its message."""
    with pytest.raises(kind) as caught:
        call(*args, **arguments)
    assert part in str(caught.value)


# What evaluate asks of a module


def test_examples_in_the_docs_run(metric_class, cache):
    load = evaluate.load
    asked = []

    def load_local(name, *args, **options):
        asked.append(name)
        return load(str(SCRIPT), *args, cache_dir=str(cache), **options)

    with patch("evaluate.load", side_effect=load_local):
        results = doctest.testmod(sys.modules[metric_class.__module__], raise_on_error=True)
    assert set(asked) == {"polyrouge/rouge_metric"}
    assert results.failed == 0
    assert results.attempted > 1


def test_docs_reach_the_class_and_its_methods(metric_class, new):
    rouge = new()
    usage = rouge.inputs_description
    assert usage.strip()
    assert rouge.description + usage in metric_class.__doc__
    assert [method.__doc__.endswith(usage) for method in (rouge.compute, rouge.add, rouge.add_batch)] == [True] * 3


# One result, whichever way the rows come


def in_one_call(rouge, predictions, references):
    return rouge.compute(predictions=predictions, references=references)


def one_by_one(rouge, predictions, references):
    for prediction, reference in zip(predictions, references, strict=True):
        rouge.add(prediction=prediction, reference=reference)
    return rouge.compute()


def in_two_batches(rouge, predictions, references):
    rouge.add_batch(predictions=predictions[:3], references=references[:3])
    rouge.add_batch(predictions=predictions[3:], references=references[3:])
    return rouge.compute()


def in_all_ways(rouge, predictions, references):
    rouge.add(prediction=predictions[0], reference=references[0])
    rouge.add_batch(predictions=predictions[1:3], references=references[1:3])
    assert len(rouge) == 3
    return rouge.compute(predictions=predictions[3:], references=references[3:])


def in_plural_names(rouge, predictions, references):
    for prediction, reference in zip(predictions, references, strict=True):
        rouge.add(predictions=prediction, references=reference)
    return rouge.compute()


TEXTS_OR_LISTS = pytest.mark.parametrize("references", [REFERENCES, REFERENCE_LISTS], ids=["texts", "lists"])
FILE_OR_MEMORY = pytest.mark.parametrize("keep_in_memory", [False, True], ids=["file", "memory"])


@TEXTS_OR_LISTS
def test_bare_compute_uses_the_settings_of_the_object(new, references):
    assert new(**EVERY_LIST)._compute(predictions=PREDICTIONS, references=references) == LISTS


@pytest.mark.parametrize("stream", [in_one_call, one_by_one, in_two_batches, in_all_ways, in_plural_names])
@TEXTS_OR_LISTS
@FILE_OR_MEMORY
def test_streams_give_one_result(new, cache, stream, references, keep_in_memory):
    rouge = new(keep_in_memory=keep_in_memory, **EVERY_LIST)
    assert stream(rouge, PREDICTIONS, references) == LISTS
    assert rows_left(cache) == []


@FILE_OR_MEMORY
def test_each_call_starts_empty(new, keep_in_memory):
    rouge = new(keep_in_memory=keep_in_memory)
    assert rouge.compute(predictions=PREDICTIONS, references=REFERENCES) == MEAN
    assert (len(rouge), rouge.writer, rouge.data, rouge.cache_file_name) == (0, None, None, None)
    assert (rouge.filelock, rouge.filelocks, rouge.selected_feature_format) == (None,) * 3
    assert rouge.compute(predictions=["a"], references=[["b"]]) == {"rouge1": 0.0}
    assert rouge.compute(predictions=["a"], references=["a"]) == {"rouge1": 1.0}


def test_more_rows_than_one_write_keep_their_order(new):
    rouge = new(**EVERY_LIST)
    for start in range(0, 2500, 500):
        texts = [str(number) for number in range(start, start + 500)]
        rouge.add_batch(predictions=texts, references=[text if int(text) % 3 else "no" for text in texts])
    assert rouge.compute() == {"rouge1": [float(number % 3 != 0) for number in range(2500)]}


@pytest.mark.parametrize(
    "text",
    ["", "\0", "a\nb\r\nc\u2028d", "😀 e\u0301 𝒳", "字" * 10_000],
    ids=["empty", "NUL", "line breaks", "planes and marks", "long"],
)
def test_texts_survive_storage(new, text):
    seen = []

    def tokenize(text):
        seen.append(text)
        return text.split()

    new(tokenizer=tokenize, lowercase=False, normalize=None, punctuation="keep").compute(
        predictions=[text], references=[[text, "r"]]
    )
    assert set(seen) == {text, "r"}


def test_settings_of_a_call_are_for_that_call(new):
    rouge = new(use_aggregator=False)
    before = rouge.settings
    rows = {"predictions": PREDICTIONS, "references": REFERENCES}
    assert rouge.compute(**rows, use_aggregator=True, scale=24) == {"rouge1": 13.0}
    assert rouge.settings is before
    assert rouge.compute(**rows) == LISTS
    rouge.add_batch(**rows)
    assert rouge.compute(use_aggregator=True) == MEAN  # and for rows that were added before


def test_score_leaves_added_rows_alone(new):
    rouge = new(**EVERY_LIST)
    rouge.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    assert rouge.score(["a"], ["a"])["rouge1"].tolist() == [1.0]
    assert rouge.compute() == LISTS


def test_numpy_generator_is_left_as_it_was(new):
    """evaluate seeds it for a call."""
    rouge = new(seed=5, aggregate="bootstrap_median")
    before = np.random.get_state()
    result = rouge.compute(predictions=PREDICTIONS, references=REFERENCES)
    assert all(map(np.array_equal, before, np.random.get_state()))
    np.random.random()
    assert result == rouge.compute(predictions=PREDICTIONS, references=REFERENCES)


def test_warning_points_at_the_line_of_the_user(new):
    rouge = new(rouge_types=["rougeLsum"])
    with pytest.warns(UserWarning, match="no text has a sentence break") as caught:
        rouge.compute(predictions=["a. b"], references=["a"])
    assert [Path(warning.filename).name for warning in caught] == [Path(__file__).name]


# Columns of every kind


OF_TEXTS_AND_LISTS = [name for name in COLUMNS if name != "list"] + ["datasets-lazy-numpy"]


@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=pytest.mark.hub if "polars" in each else ()) for each in OF_TEXTS_AND_LISTS]
)
@TEXTS_OR_LISTS
def test_column_of_any_kind_is_scored(new, name, references):
    rouge, column = new(**EVERY_LIST), LIST_COLUMNS[name]
    assert rouge.compute(predictions=column(PREDICTIONS), references=column(references)) == LISTS
    rouge.add_batch(predictions=column(PREDICTIONS), references=column(references))
    assert rouge.compute() == LISTS


# Refusals


def via_add_batch(rouge, predictions, references):
    rouge.add_batch(predictions=predictions, references=references)


def via_add(rouge, predictions, references):
    for prediction, reference in zip(predictions, references, strict=True):
        rouge.add(prediction=prediction, reference=reference)


@pytest.mark.parametrize("call", [in_one_call, via_add_batch, via_add])
@pytest.mark.parametrize(("first", "bad", "kind", "part"), BAD_ROWS)
def test_bad_row_is_named_and_only_good_ones_are_kept(new, cache, call, first, bad, kind, part):
    rouge = new(**EVERY_LIST)
    if call is not via_add:
        refuse(kind, part, call, rouge, *zip(first, first, bad, first, strict=True))
        assert (len(rouge), rows_left(cache)) == (0, [])
    rouge.add_batch(predictions=[first[0]], references=[first[1]])
    rouge.add(prediction="x", reference=["y"] if isinstance(first[1], list) else "y")
    refuse(kind, part, call, rouge, [bad[0]], [bad[1]])
    assert len(rouge) == 2
    rouge.add(prediction=first[0], reference=first[1])
    assert rouge.compute() == {"rouge1": [1.0, 0.0, 1.0]}


def columns(predictions, references):
    return {"predictions": predictions, "references": references}


REFUSED = [
    ("compute add_batch", columns(["a", "b", "c"], ["a", "b"]), ValueError),
    ("compute add_batch", columns(["a"], None), TypeError),
    ("add add_batch", {"scale": 3}, TypeError),
    ("compute", {"use_stemmer": "yes"}, TypeError),
    ("compute", {"confidence": 0.9}, ValueError),  # with use_aggregator=False
]


@pytest.mark.parametrize(("methods", "arguments", "kind"), REFUSED)
def test_refused_call_leaves_added_rows(new, methods, arguments, kind):
    for method in methods.split():
        rouge = new(**EVERY_LIST)
        rouge.add_batch(**GOOD)
        with pytest.raises(kind):
            getattr(rouge, method)(**arguments)
        assert rouge.compute() == GOOD_RESULT


def test_texts_without_their_names_say_how_to_give_them(new):
    rouge = new()
    for method in ("compute", "add_batch"):
        names = (
            f"{method} takes its texts by name, as all metrics of evaluate do: {method}(predictions=[...], references="
        )
        refuse(TypeError, names, getattr(rouge, method), ["a"], ["b"])
        refuse(TypeError, names, getattr(rouge, method), ["a"], references=["b"])
    refuse(TypeError, "add(prediction=..., reference=...)", rouge.add, "a", "b")
    evaluation = SimpleNamespace(predictions=["a"], label_ids=["b"])
    refuse(TypeError, "compute_metrics=rouge.for_trainer(tokenizer)", rouge.compute, evaluation)
    refuse(TypeError, "compute_metrics=rouge.for_trainer(tokenizer)", rouge.compute, evaluation, compute_result=True)
    assert len(rouge) == 0
    assert rouge.compute(**columns(["a"], ["a"])) == {"rouge1": 1.0}


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_refused_object_leaves_no_folder(new, cache):
    refuse(ValueError, "Did you mean 'zh_word'", new, "zh_wrod")
    assert not cache.exists()


# Failures after the rows are stored


class BrokenError(Exception):
    """What the failing tokenizer raises."""


class StopError(BaseException):
    """As KeyboardInterrupt, but pytest goes on."""


def raising(error):
    def tokenize(text):
        raise error(text)

    return tokenize


FAILURES = {
    "empty text": ({"empty": "error"}, ValueError, "predictions[1] has no tokens"),
    "all left out": ({"empty": "skip", "stop_words": ["a", "b"]}, ValueError, "leaves out all 2 samples"),
    "tokenizer raises": ({"tokenizer": raising(BrokenError)}, BrokenError, "a"),
    "interrupt": ({"tokenizer": raising(StopError)}, StopError, ""),
}


@FILE_OR_MEMORY
@pytest.mark.parametrize("added", [False, True], ids=["passed", "added"])
@pytest.mark.parametrize("name", FAILURES)
def test_failure_leaves_nothing_behind(new, cache, name, added, keep_in_memory):
    settings, kind, part = FAILURES[name]
    rouge = new(keep_in_memory=keep_in_memory, use_aggregator=False)
    rows = {"predictions": ["a", ""], "references": ["a", "b"]}
    if added:
        rouge.add_batch(**rows)
    refuse(kind, part, rouge.compute, **({} if added else rows), use_aggregator=True, **settings)
    assert (len(rouge), rows_left(cache), held_locks(cache)) == (0, [], [])
    refuse(ValueError, "There is nothing to score", rouge.compute)
    assert rouge.compute(**GOOD) == GOOD_RESULT
    assert new(use_aggregator=False).compute(predictions=PREDICTIONS, references=REFERENCE_LISTS) == LISTS


def test_full_disk_leaves_nothing_behind(new, cache, monkeypatch):
    rouge = new(**EVERY_LIST)
    rouge.add(prediction="a", reference="a")
    assert held_locks(cache) == [f"{name}.lock" for name in rows_left(cache)]
    assert len(rows_left(cache)) == 1

    def write(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as changes:
        changes.setattr(evaluate.module.ArrowWriter, "write_batch", write)
        refuse(OSError, "No space left", rouge.add_batch, **GOOD)
    assert (len(rouge), rows_left(cache), held_locks(cache)) == (0, [], [])
    assert rouge.compute(**GOOD) == GOOD_RESULT


# Several at once


def test_objects_take_turns_in_one_folder(new, cache):
    one, other = new(**EVERY_LIST), new(**EVERY_LIST)
    one.add(prediction="a", reference="a")
    other.add(prediction="b", reference=["c"])
    assert len(rows_left(cache)) == 2
    one.add(prediction="a", reference="d")
    assert other.compute(predictions=["e"], references=[["e"]]) == {"rouge1": [0.0, 1.0]}
    assert one.compute() == {"rouge1": [1.0, 0.0]}
    assert rows_left(cache) == []


def test_threads_share_one_folder(new, cache):
    n_threads = 4
    barrier = threading.Barrier(n_threads, timeout=600)
    options = {"confidence": 0.9, "n_resamples": 20}

    def work(number):
        rouge = new(**options)
        barrier.wait()
        rows = {"predictions": PREDICTIONS[number:], "references": REFERENCE_LISTS[number:]}
        return [rouge.compute(**rows) for _ in range(5)]

    with ThreadPoolExecutor(n_threads) as pool:
        results = list(pool.map(work, range(n_threads)))
    package = Rouge(rouge_types=["rouge1"], **options)
    assert results == [[package.compute(PREDICTIONS[i:], REFERENCE_LISTS[i:])] * 5 for i in range(n_threads)]
    assert rows_left(cache) == []


# Several processes that score together: threads here, each with a number of its own


def test_a_process_that_is_a_call_ahead_adds_nothing_to_the_call_before(new):
    """In each of three calls other scores, while process 0 comes late to each."""
    calls, ahead = ["the cat", "the dog", "a hen"], threading.Event()

    def run(process):
        rouge = new(num_process=2, process_id=process, experiment_id="turns", timeout=60, **EVERY_LIST)
        results = []
        for text in calls:
            rouge.add_batch(predictions=[text], references=["the cat"])
            if process == 0:
                ahead.wait(0.3)  # until process 1 has opened the file of a later call, which it must not
            elif results:
                ahead.set()
            results.append(rouge.compute())
        return results

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(run, range(2))
    assert first == [{"rouge1": [score] * 2} for score in (1.0, 0.5, 0.0)]
    assert second == [None] * 3


def test_processes_that_wait_for_the_first_one_do_not_take_each_other_for_it(new, monkeypatch):
    class SlowFileLock(FileLock):  # as on a busy machine
        def release(self, *arguments, **options):
            time.sleep(0.05)
            super().release(*arguments, **options)

    monkeypatch.setattr("evaluate.module.FileLock", SlowFileLock)

    def run(process):
        rouge = new(num_process=4, process_id=process, experiment_id="none leads", timeout=0.5)
        with pytest.raises(ValueError, match=r"process 0|0\.arrow\.lock"):
            rouge.add_batch(**GOOD)

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(run, (1, 2, 3)))


# With other parts of evaluate


@pytest.mark.parametrize("stream", [in_one_call, in_two_batches, one_by_one])
def test_combine_with_another_convention(new, stream):
    metrics = evaluate.combine([new(), new("zh_char", scale=24.0)])
    assert stream(metrics, PREDICTIONS, REFERENCES) == {"rouge_metric_0_rouge1": 13 / 24, "rouge_metric_1_rouge1": 13.0}


def fresh(_):
    """Not used yet."""


def failed(rouge):
    with pytest.raises(ValueError, match="no tokens"):
        rouge.compute(predictions=[""], references=["a"], empty="error")


@pytest.mark.parametrize("use", [fresh, failed])
@FILE_OR_MEMORY
def test_pickled_copy_works(new, use, keep_in_memory):
    rouge = new("zh_char", tokenizer=lambda text: text.split("-"), keep_in_memory=keep_in_memory, **EVERY_LIST)
    use(rouge)
    copy = cloudpickle.loads(cloudpickle.dumps(rouge))
    assert copy.compute(predictions=["a-b", "c"], references=["a-b", "d"]) == GOOD_RESULT
    assert copy.settings.sentence_split == "zh"
    assert rouge.compute(predictions=["a-b"], references=["b"]) == {"rouge1": [2 / 3]}
