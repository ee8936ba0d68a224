"""Single pairs against runs: the same counts and scores, whichever engine counts."""

import pickle

import numpy as np
import pytest
from amounts import few_or_many
from tool_texts import tool_pairs

from polyrouge import CONVENTIONS, Rouge, RougeSettings, RunOptions
from polyrouge.scoring.single_pairs import FewPairs, PairScorer

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")

LONG_PAIRS = [("a b c " * 200, "c b a " * 150), ("今天 天气 很好 " * 80, "天气 今天 " * 90)]
NAMES = ["default", "rouge_score", "rouge155", "pltrdy", "py_rouge", "sacrerouge", "lawrouge", "torchmetrics", "lcsts"]


def settings_of(name, **changes):
    given = {"rouge_types": ["rouge1", "rouge2", "rougeL", "rougeW"], "weights": None, **changes}
    try:
        return Rouge(name, **given).settings
    except ModuleNotFoundError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("engine", ["plain", "compiled"])
@few_or_many(20, 150)
def test_a_single_pair_scores_as_in_a_run(n, name, engine):
    pairs = [*tool_pairs(n, 20), *(LONG_PAIRS if engine == "compiled" or n > 20 else LONG_PAIRS[1:])]
    settings, run = settings_of(name, multi_reference="first", scale=1.0, use_stemmer=False), RunOptions(engine=engine)
    rouge = Rouge.of(settings, run)
    columns = [list(column) for column in zip(*pairs, strict=True)]
    expected, counts = rouge.score(*columns), rouge.count(*columns)

    scorer = PairScorer(settings, run)
    single = [scorer.score(*pair) for pair in pairs]

    for column, type_name in enumerate(settings.rouge_types):
        for measure, key in enumerate((f"{type_name}_precision", f"{type_name}_recall", type_name)):
            assert [pair.scores[column][measure] for pair in single] == expected[key].tolist(), (name, key)
    assert np.array_equal(np.array([pair.counts for pair in single]), counts.counts)
    assert [pair.prediction_empty for pair in single] == counts.prediction_empty.tolist()
    assert [pair.reference_empty for pair in single] == counts.reference_empty.tolist()
    many = scorer.score_all(*columns)
    assert [list(map(list, pair.scores)) for pair in single] == [list(map(list, pair.scores)) for pair in many]


def test_refusals_are_named_when_they_are_asked_for():
    scorer = PairScorer(settings_of("pltrdy", rouge_types=["rougeL"], on_error="raise"), RunOptions())

    scored = scorer.score_all(["a", "", "a b " * 800], ["a", "a", "b a " * 800])
    assert [pair.refusal for pair in scored] == ["", "empty", "deep_recursion"]
    assert PairScorer(settings_of("pltrdy"), RunOptions()).score("", "a").refusal == ""


def test_a_lone_surrogate_is_counted_by_the_plain_engine():
    scorer = PairScorer(settings_of("rouge_score", rouge_types=["rouge1"]), RunOptions())
    text = "a \ud800 b " * 300

    assert scorer.score(text, text).scores[0][2] == 1.0
    assert [pair.scores[0][2] for pair in scorer.score_all([text] * 5, [text] * 5)] == [1.0] * 5


def test_it_travels():
    scorer = pickle.loads(pickle.dumps(PairScorer(CONVENTIONS["rouge_score"].settings, RunOptions())))  # noqa: S301 our own

    assert scorer.score("a b", "a c").scores[0] == (0.5, 0.5, 0.5)
    few = FewPairs(RougeSettings(rouge_types=["rouge1"], scale=100), RunOptions())
    few = pickle.loads(pickle.dumps(few))  # noqa: S301 our own
    assert few.columns(["a b"], ["a c"]) == ([[0.5], [0.5], [0.5]], None)
