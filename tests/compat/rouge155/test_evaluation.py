"""ROUGE-1.5.5's rules one by one, worked by hand; the golden tests hold all of them together."""

import itertools
import random
from unittest.mock import Mock

import numpy as np
import pytest

from polyrouge.compat.rouge155.evaluation import (
    Rouge155Evaluator,
    Rouge155Task,
    bootstrap_documents155,
    counting_settings,
    evaluate_tasks,
    interval155,
    pair_counts155,
)
from polyrouge.compat.rouge155.options import Rouge155Options
from polyrouge.counting.plain.engine import count_pair
from polyrouge.documents.document import Document
from polyrouge.settings.rouge_types import parse_rouge_type


def score_of(prediction, references, metric, **options):
    """The one document's recall, precision and F."""
    task = Rouge155Task("1.A", prediction, references)
    score = evaluate_tasks([task], Rouge155Options(n_resamples=1, **options)).metrics[metric].documents[0]
    return score.recall, score.precision, score.fmeasure


ONE = {"max_n": 1}
BEST = {"max_n": 1, "multi_reference": "best"}
NINE = "a b c d e f g h i"


@pytest.mark.parametrize(
    ("prediction", "references", "metric", "options", "expected"),
    [
        # 2 of 4 and 1 of 2 tokens of the references, 3 of 2 times 3 of the prediction
        pytest.param("a b c", ["a b x y", "c z"], "ROUGE-1", ONE, (0.5, 0.5, 0.5), id="references-are-pooled"),
        # recall 1 / 2 and 2 / 4: a tie, though the second has the better precision
        pytest.param("a b", ["a x", "a b x y"], "ROUGE-1", BEST, (0.5, 0.5, 0.5), id="first-of-the-best-recall"),
        # 1 / 300,000 and 2 / 500,000 both print as 0.00000: the first is taken, though the second is greater
        pytest.param(
            *("a b", ["a " + "x " * 299_999, "a b " + "x " * 499_998], "ROUGE-1", BEST, (0, 0.5, 0)),
            id="recalls-of-five-digits",
        ),
        # 2/3 rounded is 0.66667: with recall 1 F is 0.8000024, not 0.8
        pytest.param("a b x", ["a b"], "ROUGE-1", ONE, (1, 0.66667, 0.8), id="F-of-rounded-ratios"),
        pytest.param("a b x", ["a b y z w v"], "ROUGE-1", ONE, (0.33333, 0.66667, 0.44444), id="F-is-rounded"),
        pytest.param("a x y z", ["a b"], "ROUGE-1", {**ONE, "alpha": 0}, (0.5, 0.25, 0.5), id="alpha-0"),
        pytest.param("a x y z", ["a b"], "ROUGE-1", {**ONE, "alpha": 1}, (0.5, 0.25, 0.25), id="alpha-1"),
        pytest.param("cat", ["cat"], "ROUGE-SU4", {"skip_gap": 4, "skip_units": "both"}, (0, 0, 0), id="one-token"),
        # nine tokens: 9 ** -0.2
        pytest.param(NINE, [NINE], "ROUGE-W-1.2", {"weight": 1.2}, (0.64439, 1, 0.78374), id="W-is-weighted-twice"),
        pytest.param("", ["a b"], "ROUGE-W-1.2", {"weight": 1.2}, (0, 0, 0), id="no-prediction"),
        pytest.param("...", ["a b"], "ROUGE-L", {}, (0, 0, 0), id="no-tokens"),
    ],
)
def test_scores_of_one_document(prediction, references, metric, options, expected):
    assert score_of([prediction], [[text] for text in references], metric, **options) == expected


def test_lcs_clips_by_the_tokens_and_divides_by_the_sentences():
    # as under -b: the sentences go on where the tokens end
    prediction = Document(["a", "b"], [["a", "b"], ["c"]])
    reference = Document(["a"], [["a"], ["b", "c"]])
    rules = counting_settings(2.0).count_rules._replace(clips_by_text=True)
    types = tuple(map(parse_rouge_type, ("rougeL", "rougeW")))
    rows = count_pair(prediction, reference, rules._replace(types=types))
    counts, weighted = (pair_counts155(row, kind, reference, 2.0)[:3] for row, kind in zip(rows, types, strict=True))
    assert counts == (3, 2, 1)
    assert weighted == ((1 + 4) ** 2, 4, 1)


@pytest.mark.parametrize(
    ("options", "sentences", "tokens"),
    [
        pytest.param({"max_bytes": 9}, ["ab日本c"], [["ab", "c"]], id="bytes"),
        pytest.param({"max_bytes": 4}, ["ab日本c"], [["ab"]], id="bytes-cut-into-a-character"),
        pytest.param({"max_words": 6}, [" a , b", "c d e"], [["a", "b"], ["c", "d"]], id="words-before-cleaning"),
        pytest.param({"stem": True, "remove_stop_words": True}, ["going goes"], [["go"]], id="stop-words-before-stems"),
    ],
)
def test_texts_are_cut_cleaned_and_stemmed(options, sentences, tokens):
    evaluator = Rouge155Evaluator(Rouge155Options(**options), exceptions={}, stop_words=frozenset({"goes"}))
    assert evaluator.read(sentences, stems=True) == Document([*itertools.chain(*tokens)], tokens)


def test_resampling_order_is_that_of_names_as_strings():
    tasks = [Rouge155Task(f"{number}.A", ["a"], [["a"]]) for number in (1, 2, 10)]
    metric = evaluate_tasks(tasks, Rouge155Options(n_resamples=1)).metrics["ROUGE-L"]
    assert [score.name for score in metric.documents] == ["1.A", "10.A", "2.A"]


def test_no_tasks():
    assert evaluate_tasks([], Rouge155Options(n_resamples=3)).metrics["ROUGE-L"].recall == (0, 0, 0)


def test_draws_are_those_of_drand48():
    # Perl: srand(s); rand() gives 0.170828036106290 for s = 0 and 0.041630344771878 for s = 1
    documents = np.eye(1000)[:, [170, 41]]
    first = bootstrap_documents155(documents, 2) * 1000
    assert first[0, 0] >= 1
    assert first[1, 1] >= 1
    one = bootstrap_documents155(np.array([[0.25]]), 4)
    assert one.ravel().tolist() == [0.25] * 4


@pytest.mark.parametrize(
    ("values", "confidence", "expected"),
    [
        # An index past the end is a 0, and the fraction negative.
        pytest.param([0.22964], 95, (0.22964, 0.23538, 0.23538), id="one-resample-lies-below"),
        # delta 0.55: upper 9.45 and lower 0 + 0.45
        pytest.param(np.arange(11) / 10, 90, (0.5, 0.045, 0.945), id="one-fraction-at-both-ends"),
    ],
)
def test_intervals(values, confidence, expected):
    assert interval155(np.array(values), confidence) == expected


def test_what_is_refused():
    with pytest.raises(ValueError, match=r"Two tasks are named '1\.A'"):
        evaluate_tasks([Rouge155Task("1.A", ["a"], [["a"]])] * 2, Rouge155Options())
    with pytest.raises(ValueError, match="Unknown multi_reference 'avrage'"):
        Rouge155Options(multi_reference="avrage")
    with pytest.raises(ValueError, match="give one of them"):
        Rouge155Options(max_words=3, max_bytes=3)
    options = Rouge155Options(basic_elements="HM")
    with pytest.raises(ValueError, match=r"Line 2 of a text of basic elements is 'a\|b'; it must be head"):
        evaluate_tasks([Rouge155Task("1.A", ["a|b|c", "a|b"], [["a|b|c"]])], options)


def test_tables_are_read_where_they_are_needed(monkeypatch):
    for name in ("load_wordnet_exceptions", "load_stop_words"):
        monkeypatch.setattr(f"polyrouge.compat.rouge155.evaluation.{name}", Mock(side_effect=ModuleNotFoundError))
    Rouge155Evaluator(Rouge155Options())
    for options in (Rouge155Options(stem=True), Rouge155Options(remove_stop_words=True)):
        with pytest.raises(ModuleNotFoundError):
            Rouge155Evaluator(options)


@pytest.mark.parametrize(("multi_reference", "skip_gap"), [("average", -1), ("best", 3)])
def test_counting_in_bulk_is_counting_one_by_one(multi_reference, skip_gap, monkeypatch):
    rng = random.Random(skip_gap)

    def sentences():
        words = ["a", "b", "c d", ".", "becomes", "comic_strips"]
        return [" ".join(rng.choices(words, k=rng.randint(0, 9))) for _ in range(rng.randint(0, 4))]

    tasks = [
        Rouge155Task(str(number), sentences(), [["e", *sentences()] for _ in range(rng.randint(1, 3))])
        for number in range(150)
    ]
    settings = {"weight": 1.2, "skip_gap": skip_gap, "multi_reference": multi_reference}
    options = Rouge155Options(max_n=4, skip_units="both", stem=True, n_resamples=3, **settings)
    exceptions = {"strips": "strip_tease"}  # a base form may hold an underscore
    expected = evaluate_tasks(tasks, options, exceptions=exceptions)
    monkeypatch.setattr("polyrouge.compat.rouge155.evaluation._BULK_CHARACTERS", 0)
    in_bulk = evaluate_tasks(tasks, options, exceptions=exceptions)
    assert expected == in_bulk
    assert len(in_bulk.metrics) == 8

    tasks[7] = tasks[7]._replace(references=[["e"], ["..."]])
    died = evaluate_tasks(tasks, options, exceptions=exceptions)
    assert (list(died.metrics)[-1], str(died.error)[:20]) == ("ROUGE-L", "ROUGE-W-1.2 of '7': ")
