"""``Rouge.as_reward``: the shape that TRL calls, and the numbers of ``Rouge.score``."""

# ruff: noqa: E501 a case a line

import pickle
import re
from itertools import product

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from language_packages import convention_settings, every_convention

from polyrouge import Rouge, RougeWarning

COMPLETIONS = ["今天天气很好", "明天下雨", "他们来"]
ANSWERS = ["今天天气不错", "明天下雨", "她今天来了吗"]


def said(text):
    return {"role": "assistant", "content": text}


TOOL = {"role": "tool", "content": "雨雨雨"}
MESSAGES = [[said(text)] for text in COMPLETIONS]
ROUGE = Rouge("zh_char")
EXPECTED = ROUGE.score(COMPLETIONS, ANSWERS)["rougeL"].tolist()


def test_called_as_trl_calls_it():
    reward = ROUGE.as_reward(references="answer")

    columns = {"prompts": ["概括"] * 3, "completion_ids": [[1]] * 3, "trainer_state": object(), "log_extra": print}
    rewards = reward(completions=COMPLETIONS, answer=ANSWERS, **columns)

    assert rewards == EXPECTED
    assert {type(each) for each in rewards} == {float}
    assert reward.__name__ == "rougeL"


COMPLETION_SHAPES = {
    "plain": COMPLETIONS,
    "conversation": MESSAGES,
    "parts": [[said([{"type": "text", "text": text}])] for text in COMPLETIONS],
    "tool last": [[*messages, TOOL] for messages in MESSAGES],
    "with tools": [[{**said(None), "tool_calls": []}, TOOL, *messages] for messages in MESSAGES],
}
REFERENCE_SHAPES = {
    "plain": ANSWERS,
    "numpy objects": np.array(ANSWERS, dtype=object),
    "numpy of two axes": np.array(ANSWERS)[:, np.newaxis],
    "Arrow of lists": pa.array([[text] for text in ANSWERS]),
    "Arrow chunks": pa.chunked_array([ANSWERS[:1], ANSWERS[1:]]),
    "lists": [[text] for text in ANSWERS],
    "arrays": [np.array([text]) for text in ANSWERS],
    "conversation": [[said(text)] for text in ANSWERS],
    "whole conversation": [[{"role": "user", "content": "天气？"}, said(text)] for text in ANSWERS],
    "one message": [said(text) for text in ANSWERS],
    "message of another role name": [[{"role": "model", "content": text}] for text in ANSWERS],
    "message of parts": [[said([{"type": "image"}, {"type": "text", "text": text}])] for text in ANSWERS],
    "parts": [[{"type": "text", "text": text[:2]}, {"type": "text", "text": text[2:]}] for text in ANSWERS],
    "one part": [{"type": "text", "text": text} for text in ANSWERS],
    "SQuAD": [{"text": [text], "answer_start": [3]} for text in ANSWERS],
    "SQuAD as arrays": [{"text": np.array([text], dtype=object), "answer_start": np.array([3])} for text in ANSWERS],
    "SQuAD, list of answers": [[{"text": text, "answer_start": 3}] for text in ANSWERS],
}


def test_plain_and_conversational_texts():
    reward = ROUGE.as_reward()

    shapes = product(COMPLETION_SHAPES.items(), REFERENCE_SHAPES.items())
    rewards = {(one, other): reward(completions, references=rows) for (one, completions), (other, rows) in shapes}

    assert {shapes: values for shapes, values in rewards.items() if values != EXPECTED} == {}


SEVERAL_SHAPES = {
    "array": np.array,
    "SQuAD": lambda texts: {"text": texts, "answer_start": [0] * len(texts)},
    "list of answers": lambda texts: [{"text": text, "answer_start": 0} for text in texts],
    "conversations": lambda texts: [[said(text)] for text in texts],
    "mixed": lambda texts: [texts[0], *({"text": [text]} for text in texts[1:])],
}


@pytest.mark.parametrize("shape", SEVERAL_SHAPES.values(), ids=SEVERAL_SHAPES)
def test_several_references(shape):
    references = [["不", ANSWERS[0]], [ANSWERS[1]], ["他们", ANSWERS[2], "来"]]

    rewards = ROUGE.as_reward(multi_reference="mean")(COMPLETIONS, references=list(map(shape, references)))

    assert rewards == ROUGE.score(COMPLETIONS, references, multi_reference="mean")["rougeL"].tolist()


@pytest.mark.filterwarnings("ignore::polyrouge.RougeWarning")
@pytest.mark.parametrize("convention", every_convention())
def test_every_convention_gives_the_scores_of_the_metric(convention):
    rouge = Rouge(convention, **convention_settings(convention))
    completions, references = [*COMPLETIONS, "", "the cat sat"], [*ANSWERS, "空", "the cats sat down"]
    expected = rouge.score(completions, references, rouge_types=["rougeL"], weights=None)["rougeL"].tolist()
    reward = rouge.as_reward()

    expected = [None if np.isnan(score) else score for score in expected]  # left out
    assert [reward(completions, references=references) for _ in range(2)] == [expected] * 2


def test_weights_measure_and_scale():
    scores = ROUGE.score(COMPLETIONS, ANSWERS)
    mean = ROUGE.as_reward(rouge_types=["ROUGE-1", "rouge-2"])(COMPLETIONS, references=ANSWERS)
    assert mean == pytest.approx((scores["rouge1"] + scores["rouge2"]) / 2)
    recall = ROUGE.as_reward(weights={"ROUGE-1": 0.25}, measure="recall", scale=100)(COMPLETIONS, references=ANSWERS)
    assert recall == pytest.approx(scores["rouge1_recall"] * 25)


def test_postprocess_is_a_function_that_keeps_the_answer():
    with pytest.raises(TypeError, match="postprocess is 'strip'; give a function"):
        ROUGE.as_reward(postprocess="strip")
    reward = ROUGE.as_reward(postprocess=lambda text: text.rpartition("</think>")[2])

    assert reward([f"<think>天气不错</think>{text}" for text in COMPLETIONS], references=ANSWERS) == EXPECTED


def test_types_of_the_metric_are_kept():
    """As for_trainer keeps them; rougeL is for a metric of which nobody chose the types."""
    one = Rouge("zh_char", rouge_types=["rouge1"])
    for metric in (one, pickle.loads(pickle.dumps(one)), Rouge.from_signature(one.signature())):  # noqa: S301 our own
        reward = metric.as_reward()
        assert reward.__name__ == "rouge1"
        assert reward(COMPLETIONS, references=ANSWERS) == one.score(COMPLETIONS, ANSWERS)["rouge1"].tolist()
    assert Rouge(rouge_types=["rouge1", "rouge2"]).as_reward().__name__ == "rouge1+rouge2"
    assert one.as_reward(rouge_types=["rougeL"]).__name__ == "rougeL"
    assert one.as_reward(weights={"rouge2": 1}).__name__ == "rouge2"
    assert Rouge().as_reward().__name__ == "rougeL"


def test_row_without_reference_has_no_reward():
    assert ROUGE.as_reward()(COMPLETIONS, references=[ANSWERS[0], None, ANSWERS[2]]) == [EXPECTED[0], None, EXPECTED[2]]
    assert ROUGE.as_reward()(COMPLETIONS, references=[None] * 3) == [None] * 3
    assert ROUGE.as_reward(empty="skip")(["", "天"], references=["天", "天"]) == [None, 1.0]


@pytest.mark.parametrize(
    ("options", "call", "error", "part"),
    [
        ({}, {"answer": ANSWERS}, TypeError, "the trainer gave 'answer'; name it by as_reward(references=...)"),
        ({"measure": "bleu"}, {}, ValueError, "measure 'bleu'"),
        ({"name": 3}, {}, TypeError, "name is 3; give a text"),
        ({"weight": 2, "weigths": {}}, {}, TypeError, "Did you mean 'weights'?"),
        ({"weights": {"rouge1": 1.0}, "rouge_types": ["rouge2"]}, {}, ValueError, "give a number for each of rouge2"),
    ],
)
def test_bad_use_says_what_is_allowed(options, call, error, part):
    with pytest.raises(error, match=re.escape(part)):
        ROUGE.as_reward(**options)(completions=COMPLETIONS, **call)


# More such rows are cases of the catalogue.
NO_REFERENCE = {
    "pandas's NA": (pd.NA, TypeError, "answer[1] is <NA> (NAType)"),
    "empty array": (np.array([]), ValueError, "answer[1] is empty"),
    "token ids": (np.array([3, 4]), TypeError, "answer[1][0] is 3 (int)"),
    "no known keys": ({"value": "a", "aliases": []}, TypeError, "answer[1] is a mapping with 'value', 'aliases'; .*map of"),
    "ShareGPT": ([{"from": "gpt", "value": "a"}], TypeError, "answer[1][0] is a mapping with 'from', 'value'"),
    "SQuAD 2 without an answer": ({"text": [], "answer_start": []}, ValueError, "answer[1]['text'] is empty; .*or None"),
    "SQuAD of None": ({"text": None}, TypeError, "answer[1]['text'] is None (NoneType)"),
    "SQuAD of numbers": ({"text": [7]}, TypeError, "answer[1]['text'][0] is 7 (int)"),
    "only the user": ([{"role": "user", "content": "a"}], TypeError, "answer[1] is a conversation without a message by the assistant (roles: 'user')"),
    "tool call": ([said(None)], TypeError, "answer[1] holds a message whose content is None"),
    "odd part": ([said([{"type": "text", "text": 5}])], TypeError, "answer[1] holds a message whose content"),
    "image only": ([said([{"type": "image"}])], TypeError, "answer[1] holds a message whose content is [{"),
}  # fmt: skip


@pytest.mark.parametrize("case", NO_REFERENCE)
def test_row_that_is_no_reference_is_refused_by_its_row(case):
    row, error, message = NO_REFERENCE[case]
    pattern = ".*".join(map(re.escape, message.split(".*")))

    with pytest.raises(error, match=pattern):  # a row without a reference before it does not move its number
        ROUGE.as_reward(references="answer")(["a", "b"], answer=[None, row])


@pytest.mark.parametrize(
    ("row", "part"),
    [
        ([], "completions[1] is [] (list)"),
        ([{"generated_text": "a"}], "completions[1] is [{'generated_text': 'a'}] (list)"),
        ([{"role": "user", "content": "a"}], "completions[1] is a conversation without a message by the assistant"),
    ],
)
def test_completion_that_holds_no_text_is_refused(row, part):
    with pytest.raises(TypeError, match=re.escape(part)):
        ROUGE.as_reward()(["a", row], references=[None, "b"])


def test_tool_call_without_a_text_is_an_empty_completion():
    call = [{"role": "assistant", "tool_calls": [{"name": "search"}]}]

    assert ROUGE.as_reward()([call, COMPLETIONS[0]], references=ANSWERS[:1] * 2) == [0.0, EXPECTED[0]]


def test_pickled_copy_gives_the_same():
    sent = pickle.loads(pickle.dumps(ROUGE.as_reward(references="answer", name="rouge")))  # noqa: S301 our own

    assert sent.__name__ == "rouge"
    assert sent(COMPLETIONS, answer=ANSWERS) == EXPECTED


def test_warns_at_the_first_batch_only():
    reward = Rouge("rouge_score").as_reward()
    with pytest.warns(RougeWarning, match="drops"):
        reward(COMPLETIONS, references=ANSWERS)
    reward(COMPLETIONS, references=ANSWERS)  # a warning would be an error here


def test_a_reward_does_not_depend_on_the_batch():
    reward = Rouge().as_reward(references="answer", weights={"rouge1": 0.3, "rouge2": 0.1, "rougeL": 0.7})
    draw = np.random.default_rng(0)
    texts = [" ".join(draw.choice(list("abcdefg"), 9)) for _ in range(128)]
    completions, answers = texts[:64], texts[64:]

    alone = [reward(completions=[one], answer=[other])[0] for one, other in zip(completions, answers, strict=True)]

    for size in (1, 2, 3, 5, 64):
        assert reward(completions=completions[:size], answer=answers[:size]) == alone[:size]


def test_a_refused_row_has_its_own_name_and_number():
    reward = Rouge("pltrdy", on_error="raise").as_reward(references="answers")

    with pytest.raises(ValueError, match=r"^completions\[2\] with answers\[2\]\[0\]: the tool that this convention"):
        reward(["a", "b", ""], answers=[None, "b", "c"])
    with pytest.raises(TypeError, match=r"^completions\[0\] is 1 "):
        Rouge().as_reward(references="answers", postprocess=len)(["a"], answers=["a"])
