"""rouge_score 0.1.2 and ``polyrouge.compat.rouge_score`` side by side, in one process."""

import functools
import pickle
import random
from types import SimpleNamespace

import nltk
import numpy as np
import pytest
from rouge_score import rouge_scorer, scoring, tokenizers
from tool_texts import tool_pairs

from polyrouge import Rouge
from polyrouge.compat.rouge_score import rouge_scorer as our_scorer
from polyrouge.compat.rouge_score import scoring as our_scoring
from polyrouge.compat.rouge_score import tokenize as our_tokenize
from polyrouge.compat.rouge_score import tokenizers as our_tokenizers

PAIRS = tool_pairs(1600, 400)
PREDICTIONS, TARGETS = map(list, zip(*PAIRS, strict=True))
TYPES = [*(f"rouge{n}" for n in range(1, 10)), "rougeL", "rougeLsum"]


class Numbers(tokenizers.Tokenizer):
    """Tokens that are no strings."""

    def tokenize(self, text):
        return list(map(len, text.split()))


class Characters(tokenizers.Tokenizer):
    """Tokens that have no hash."""

    def tokenize(self, text):
        return [[character] for character in text]


def outcome(call, *arguments, **options):
    """What a call returns, to the type of each number, or raises."""
    try:
        return repr(call(*arguments, **options))
    except Exception as error:
        return type(error).__name__, str(error)


def both(types, **options):
    return rouge_scorer.RougeScorer(types, **options), our_scorer.RougeScorer(types, **options)


def assert_same_scores(theirs, ours, pairs):
    for prediction, target in pairs:
        assert repr(ours.score(target, prediction)) == repr(theirs.score(target, prediction)), (prediction, target)


def test_equal_scores():
    rng = random.Random(1)
    assert_same_scores(*both(TYPES), PAIRS[:20])
    for start in range(0, len(PAIRS), 20):
        options = {
            "use_stemmer": rng.random() < 0.5,
            "tokenizer": rng.choice([None, None, None, Numbers(), tokenizers.DefaultTokenizer(True)]),
        }
        assert_same_scores(*both(rng.sample(TYPES, k=rng.randint(1, 5)), **options), PAIRS[start : start + 20])


@pytest.mark.parametrize(
    "options", [{}, {"use_stemmer": True}, {"tokenizer": Numbers()}], ids=["plain", "stems", "own"]
)
def test_a_batch_is_its_pairs(options, monkeypatch):
    """NLTK's punkt model is data that is not at hand everywhere, so both get the same stand-in for it."""
    monkeypatch.setattr(nltk, "sent_tokenize", lambda text, _language="": [part for part in text.split(".") if part])
    for split in (False, True):
        theirs, ours = both(["rouge1", "rougeL", "rougeLsum"], split_summaries=split, **options)
        assert repr(ours.score_batch(TARGETS, PREDICTIONS)) == repr(list(map(theirs.score, TARGETS, PREDICTIONS)))
    assert_same_scores(theirs, ours, PAIRS[:300])


def test_equal_scores_against_several_targets():
    rng = random.Random(2)
    theirs, ours = both(TYPES, use_stemmer=True)
    rows = [rng.choices(PAIRS, k=rng.randint(1, 4)) for _ in range(300)]
    texts = [[pair[1] for pair in row] for row in rows], [row[0][0] for row in rows]
    expected = repr(list(map(theirs.score_multi, *texts)))
    assert repr(list(map(ours.score_multi, *texts))) == expected
    assert repr(ours.score_batch(*texts)) == expected


def test_tokens_without_a_hash():
    theirs, ours = both(["rougeL"], tokenizer=Characters())
    assert_same_scores(theirs, ours, PAIRS[:100])
    for pair in PAIRS[:100]:
        texts = [list(map(list, text.split())) for text in pair]
        assert repr(our_scorer._score_lcs(*texts)) == repr(rouge_scorer._score_lcs(*texts))
    theirs, ours = both(["rouge1"], tokenizer=Characters())
    assert outcome(ours.score, "a", "b") == outcome(theirs.score, "a", "b")


@pytest.mark.parametrize("types", [["rouge0"], ["rouge10"], ["rougen"], ["rougeW"], "rouge1", ["rouge1", ""]], ids=str)
def test_types_are_refused_when_a_text_is_scored(types):
    theirs, ours = both(types)
    assert outcome(ours.score, "a", "b") == outcome(theirs.score, "a", "b")


@pytest.mark.parametrize("types", [["rouge1", "rougeL"], []], ids=["types", "none"])
@pytest.mark.parametrize(
    "call",
    [
        lambda scorer: scorer.score(b"the K\xc3\xa4t cat", b"the cat"),
        lambda scorer: scorer.score("the \ud800 cat", "the cat"),
        lambda scorer: scorer.score("the \ud800 cat sat " * 99, "the cat " * 99),
        lambda scorer: scorer.score_multi("ab", "a"),
        lambda scorer: scorer.score_multi(iter(["ab", "a b"]), "a"),
        lambda scorer: scorer.score(np.str_("a b"), "a"),
    ],
    ids=["bytes", "surrogate", "long", "letters", "generator", "numpy"],
)
def test_equal_results_of_odd_input(call, types):
    theirs, ours = both(types)
    assert outcome(call, ours) == outcome(call, theirs)


@pytest.mark.parametrize(
    ("method", "texts", "error", "message"),
    [
        ("score", (["a"], "a"), TypeError, "score_multi takes a list of targets"),
        ("score_multi", ([], "a"), ValueError, "at least one target"),
        ("score_batch", (["a", "b"], ["a"]), ValueError, "1 predictions but 2 targets"),
        ("score_batch", (["a"], [3]), TypeError, r"predictions\[0\] is 3"),
    ],
)
def test_errors_say_what_is_wrong(method, texts, error, message):
    with pytest.raises(error, match=message):
        getattr(our_scorer.RougeScorer(["rouge1"]), method)(*texts)


def test_types_may_change_and_the_scorer_can_be_pickled():
    scorer = our_scorer.RougeScorer(iter(["rouge1"]), use_stemmer=True)
    for _ in range(2):  # a generator's types last
        assert list(scorer.score("a b", "a")) == ["rouge1"]
    scorer.rouge_types = ["rougeL", "rouge1"]
    assert list(pickle.loads(pickle.dumps(scorer)).score("a b", "a")) == ["rougeL", "rouge1"]  # noqa: S301 our own
    rouge = Rouge("rouge_score", rouge_types=["rougeL", "rouge1"], use_stemmer=True)
    assert scorer.as_polyrouge().signature() == rouge.signature()


@pytest.mark.parametrize("n", [1, 2, 150, 700])
@pytest.mark.parametrize("options", [{}, {"confidence_interval": 0.5, "n_samples": 200}], ids=["default", "narrow"])
def test_aggregates_are_equal_under_the_same_state(options, n):
    rng = random.Random(3)
    scorer = rouge_scorer.RougeScorer(["rouge1", "rougeL"])
    theirs, ours = scoring.BootstrapAggregator(**options), our_scoring.BootstrapAggregator(**options)
    for prediction, target in rng.sample(PAIRS, n):
        scores = scorer.score(target, prediction)
        if n > 2 and rng.random() < 0.2:
            del scores["rougeL"]  # types may have different numbers of samples
        theirs.add_scores(scores)
        ours.add_scores(scores)
    np.random.seed(7)
    expected = repr(theirs.aggregate())
    np.random.seed(7)
    assert repr(ours.aggregate()) == expected

    for refused in ({"confidence_interval": 1.1}, {"n_samples": 0}):
        expected = outcome(scoring.BootstrapAggregator, **refused)
        assert outcome(our_scoring.BootstrapAggregator, **refused) == expected


def test_tokenize_calls_any_stemmer():
    stemmer = SimpleNamespace(stem=lambda token: "!" if token.endswith("ing") else token[:3])
    assert our_tokenize.tokenize("The running, dogs", stemmer) == ["the", "dog"]


def test_functions_that_scripts_import():
    """The last as copies of Self-Instruct's filter call it, in a pool."""
    for prediction, target in PAIRS[::5]:
        texts = prediction.split(), target.split()
        for n in (1, 3):
            theirs, ours = ([scorer._create_ngrams(text, n) for text in texts] for scorer in (rouge_scorer, our_scorer))
            assert ours == theirs
            assert repr(our_scorer._score_ngrams(*ours)) == repr(rouge_scorer._score_ngrams(*theirs))
        assert repr(our_scorer._score_lcs(*texts)) == repr(rouge_scorer._score_lcs(*texts))
        tokens, expected = (
            package.DefaultTokenizer(True).tokenize(prediction) for package in (our_tokenizers, tokenizers)
        )
        assert tokens == expected
    assert our_scoring.fmeasure(0.1, 0.7) == scoring.fmeasure(0.1, 0.7)
    score = functools.partial(our_scorer._score_lcs, ["a", "b", "c"])
    assert pickle.loads(pickle.dumps(score))(["a", "c"]).fmeasure == 0.8  # noqa: S301 our own
