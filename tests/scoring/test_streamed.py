"""Chunk by chunk is bit by bit what one call gives."""

import re

import numpy as np
import pytest
from chunked_scores import streamed
from language_packages import convention_settings, every_convention

from polyrouge import Rouge, RunOptions
from polyrouge.documents.notes import messages_of
from polyrouge.scoring.sample_scores import StreamedScores

WORDS = ["the", "cat", "sat", "on", "mat", "猫", "坐", "。", "\n", "."]


def texts(seed, n=230):
    generator = np.random.default_rng(seed)
    return [" ".join(generator.choice(WORDS, size=generator.integers(0, 12))) for _ in range(n)]


@pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"output": "all", "confidence": 0.9, "n_resamples": 50, "scale": 100},
        {"empty": "skip", "rouge_types": ["rouge2", "rougeW", "rougeSU4"]},
        {"use_aggregator": False},
        {"multi_reference": "mean", "threads": 2},
        {"aggregate": "micro", "multi_reference": "pooled"},
        {"confidence": 0.9, "n_resamples": 60, "empty": "skip", "scale": 100, "round_each": 2},
        {"confidence": 0.9, "n_resamples": 60, "aggregate": "f_of_means", "output": "all"},
    ],
)
@pytest.mark.parametrize("size", [7, 229, 1000])  # 229: each chunk chooses its engine, also for one sample
def test_chunks_change_nothing(settings, size):
    rouge = Rouge(**settings)
    predictions, references = texts(1), [list(pair) for pair in zip(texts(2), texts(3), strict=True)]

    assert repr(rouge.compute(predictions, references)) == repr(streamed(rouge, predictions, references, size))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("convention", every_convention())
def test_chunks_change_nothing_under_any_convention(convention):
    rouge = Rouge(convention, **convention_settings(convention))
    predictions = ["今天天气很好", "the cat sat", "1.5 is a number", "a b c d"] * 20
    references = [["今天天气不错", "天气好"], ["a cat", "the cat"], ["2.5 is a number", "a"], ["a c d", "b"]] * 20

    assert repr(rouge.compute(predictions, references)) == repr(streamed(rouge, predictions, references, 17))


def notes_on(rouge, *chunks):
    """The kinds of the notes on texts that come chunk by chunk, each text as prediction and as reference."""
    stream = StreamedScores(rouge.settings, rouge.run)
    for texts in chunks:
        stream.add(texts, texts)
    return [note.kind for note in messages_of(stream.notes)]


def test_a_note_is_taken_once_and_a_sentence_break_of_any_chunk_counts():
    assert len(notes_on(Rouge("rouge_score"), ["第一段", "a\nb"], ["第二段", "a\nb"])) == 1
    for chunks in ((["a. b"], ["a\nb"]), (["a\nb"], ["a. b"])):
        assert notes_on(Rouge(), *chunks) == []
    for chunks in ((["a. b"], ["a"]), (["a"], ["a. b"])):
        assert len(notes_on(Rouge(), *chunks)) == 1


def test_rows_are_counted_over_chunks():
    stream = StreamedScores(Rouge(sentence_split="none").settings, RunOptions())
    with pytest.raises(ValueError, match="no samples"):
        stream.result()
    stream.add(["a", "b"], ["a", "b"])
    with pytest.raises(TypeError, match=r"predictions\[3\] is None"):
        stream.add(["c", None], ["c", "d"])
    with pytest.raises(TypeError, match=r"references\[2\] is a list"):
        stream.add(["c"], [["c"]])


@pytest.mark.parametrize("engine", ["plain", "compiled"])
@pytest.mark.parametrize(
    ("convention", "settings", "named"),
    [
        ("default", {"empty": "error"}, "predictions[5] has no tokens"),
        ("pltrdy", {"on_error": "raise", "rouge_types": ["rouge1"]}, "predictions[5] with references[5][0]: the tool"),
    ],
)
def test_a_row_that_is_refused_has_its_number_in_the_whole(convention, settings, named, engine):
    rouge = Rouge(convention, engine=engine, **settings)
    stream = StreamedScores(rouge.settings, rouge.run)
    stream.add(["a", "b", "c", "d"], [["a"]] * 4)

    with pytest.raises(ValueError, match=f"^{re.escape(named)}"):
        stream.add(["e", "", "g"], [["e"]] * 3)
