"""A metric that is called again and again looks at the texts of a part of its calls."""

import warnings

import pytest

from polyrouge import Rouge, RougeWarning


def kinds_of_warnings(rouge, prediction, reference, n, n_pairs=1):
    kinds = []
    for _ in range(n):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            rouge.compute([prediction] * n_pairs, [reference] * n_pairs)
        kinds.append([warning.category for warning in caught])
    return kinds


def test_thoughts_are_noted_in_the_first_hundred_calls_and_then_in_every_sixteenth():
    kinds = kinds_of_warnings(Rouge(), "<think>hm</think> yes", "yes", 200)
    noted = [number for number, of_call in enumerate(kinds, 1) if of_call == [RougeWarning]]
    assert noted == [*range(1, 101), 112, 128, 144, 160, 176, 192]


def test_thoughts_are_noted_in_the_first_thousand_pairs():
    kinds = kinds_of_warnings(Rouge(), "<think>hm</think> yes", "yes", 40, n_pairs=300)
    noted = [number for number, of_call in enumerate(kinds, 1) if of_call == [RougeWarning]]
    assert noted == [1, 2, 3, 4, 16, 32]


@pytest.mark.parametrize("convention", ["rouge_score", "default"])
def test_lost_letters_are_noted_in_each_call(convention):
    text = "今天天气很好" if convention == "rouge_score" else "🙂"
    assert kinds_of_warnings(Rouge(convention), text, text, 150) == [[RougeWarning]] * 150


def test_scores_do_not_depend_on_the_number_of_the_call():
    rouge = Rouge("zh_word")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = [rouge.compute(["今天天气很好。"], ["今天 天气不错。"]) for _ in range(150)]
        columns = [{key: value.tolist() for key, value in rouge.score(["好"], ["好的"]).items()} for _ in range(3)]
    assert all(result == results[0] for result in results)
    assert columns[0] == columns[1] == columns[2]
