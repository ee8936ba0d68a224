"""The ``rouge_score`` convention against rouge_score 0.1.2 itself, bit by bit."""

import random

import numpy as np
import pytest
from amounts import few_or_many
from rouge_score import rouge_scorer, scoring

from polyrouge import Rouge

TYPES = ["rouge1", "rouge2", "rouge3", "rouge4", "rougeL", "rougeLsum"]

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")


def assert_bit_equal(predictions: list[str], references: list[list[str]], **settings):
    """Precision, recall and F of every example and type are the same floats."""
    scorer = rouge_scorer.RougeScorer(TYPES, **settings)
    expected = [scorer.score_multi(row, text) for text, row in zip(predictions, references, strict=True)]

    scores = Rouge("rouge_score", rouge_types=TYPES).score(predictions, references, **settings)

    for name in TYPES:
        columns = [scores[f"{name}_precision"], scores[f"{name}_recall"], scores[name]]
        ours = list(zip(*(column.tolist() for column in columns), strict=True))
        assert [tuple(row[name]) for row in expected] == ours


_ALPHABETS = (
    "abcdefgh    \n",
    "the cat sat on a mat running dogs ran better agreed conditional 12 3.4 \n",
    "ABC xyz İKß é ﬁ １２ \n\t\r\x0b\x85\u2028",
    "今天天气很好abc。 \n",
)
_WORDS = (
    "the cats sat happily running agreements nationalization was a of U.S. don't 1,000 İstanbul K2 naïve 今天".split()
)


def random_text(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.05:
        return rng.choice(["", " ", "\n", "\n\n", "...", "。"])
    if kind < 0.45:
        return "".join(rng.choices(rng.choice(_ALPHABETS), k=rng.randint(0, 40)))
    lines = [" ".join(rng.choices(_WORDS, k=rng.randint(0, 12))) for _ in range(rng.randint(1, 6))]
    return "\n".join(lines)


def random_examples(seed: int, n: int) -> tuple[list[str], list[list[str]]]:
    rng = random.Random(seed)
    predictions = [random_text(rng) for _ in range(n)]
    references = [[random_text(rng) for _ in range(rng.choice([1, 1, 2, 3]))] for _ in range(n)]
    for row in range(0, n, 7):  # some are close to their prediction
        references[row][0] = predictions[row][: rng.randint(0, 60)]
    return predictions, references


@pytest.mark.parametrize("use_stemmer", [False, True], ids=["plain", "stemmed"])
@few_or_many(500, 5_000)
def test_random_texts(n, use_stemmer):
    predictions, references = random_examples(0, n)
    rng = random.Random(9)
    long_texts = ["\n".join(" ".join(rng.choices(_WORDS, k=rng.randint(0, 40))) for _ in range(25)) for _ in range(2)]
    assert_bit_equal([*predictions, long_texts[0]], [*references, long_texts[1:]], use_stemmer=use_stemmer)


@pytest.mark.parametrize("name", ["rouge_score", "evaluate_rouge"])
def test_bootstrap_aggregate_equals_theirs_under_the_same_global_state(name):
    predictions, references = random_examples(5, 60)
    types = ["rouge1", "rougeLsum"]
    scorer, aggregator = rouge_scorer.RougeScorer(types), scoring.BootstrapAggregator()
    for prediction, row in zip(predictions, references, strict=True):
        aggregator.add_scores(scorer.score_multi(row, prediction))
    np.random.seed(42)
    expected = aggregator.aggregate()

    np.random.seed(42)
    result = Rouge(name, rouge_types=types).compute(
        predictions, references, aggregate="bootstrap_median", output="all", confidence=0.95
    )

    for each in types:
        for theirs, end in ((expected[each].mid, ""), (expected[each].low, "_low"), (expected[each].high, "_high")):
            assert theirs == tuple(result[f"{each}{measure}{end}"] for measure in ("_precision", "_recall", ""))
