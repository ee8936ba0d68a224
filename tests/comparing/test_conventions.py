"""The same texts under several conventions: scores, and what is said of the settings."""

import pytest

from polyrouge import CONVENTIONS, Rouge, RougeSettings, compare_conventions
from polyrouge.comparing.convention_table import describe_differences

PREDICTIONS = ["GPT-4在3.5秒内答对，很快。", "the cat sat"]
REFERENCES = ["GPT-4在4.5秒内答完，不慢。", "a cat sat down"]

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")


def test_scores_are_those_of_each_convention_on_the_scale_of_100():
    compared = compare_conventions(PREDICTIONS, REFERENCES, ["default", "pltrdy", "ms_swift"]).to_dict()

    for name in ("default", "pltrdy"):
        alone = Rouge(name, rouge_types=["rouge1", "rouge2", "rougeL"], scale=100)
        assert compared[name] == alone.compute(PREDICTIONS, REFERENCES)
    printed = Rouge("ms_swift").compute(PREDICTIONS, REFERENCES)
    assert {key: round(value, 6) for key, value in compared["ms_swift"].items()} == printed


def test_a_type_that_a_convention_has_not_is_left_open():
    compared = compare_conventions(PREDICTIONS, REFERENCES, ["zh_char", "longbench_zh"])

    assert compared.to_dict()["longbench_zh"]["rouge1"] is None
    assert r"| longbench\_zh | – | – |" in compared.to_markdown()
    with pytest.raises(ValueError, match="names is empty; give some of default"):
        compare_conventions(PREDICTIONS, REFERENCES, [])


def test_rows_are_in_the_order_of_the_names_and_all_by_default():
    compared = compare_conventions(PREDICTIONS, REFERENCES)

    assert [row.name for row in compared.rows] == list(CONVENTIONS)
    for row in compared.rows:
        assert row.missing is None or "pip install" in row.missing or "hf download" in row.missing


@pytest.mark.parametrize(
    ("name", "said", "unsaid"),
    [
        ("llama_factory", "counts distinct n-grams", "marks are tokens"),
        ("xlsum", "takes the first reference only", "upper and lower case"),
        ("rouge155", "rougeL is summary level", "A to Z only"),
        ("rouge_score", "cuts sentences at line breaks", "stemmer"),
    ],
)
def test_differences_in_words(name, said, unsaid):
    words = "; ".join(describe_differences(CONVENTIONS[name].settings, CONVENTIONS["zh_char"].settings))

    assert said in words
    assert unsaid not in words


def test_the_rule_for_several_references_is_told_only_where_there_are_some():
    one, several = (
        compare_conventions(PREDICTIONS, references, ["rouge_score", "lighteval"]).rows[1].differences
        for references in (REFERENCES, [[text, text + " x"] for text in REFERENCES])
    )

    assert one == ()
    assert several == ("takes the mean over the references",)


def test_a_setting_that_has_no_words_is_named_with_its_value():
    settings = RougeSettings(empty="skip", interval="bca", tool={"alpha": 0.3})

    assert describe_differences(settings, RougeSettings())[-1] == "interval='bca'"
    assert "alpha" not in "".join(describe_differences(settings, RougeSettings()))


def test_the_definition_is_told_only_of_the_types_that_it_moves():
    words = "rougeW and rougeSU are those of the script ROUGE-1.5.5"
    for types, is_told in ((["rouge1", "rougeS"], False), (["rougeSU4"], True), (["rougeW"], True)):
        compared = compare_conventions(PREDICTIONS, REFERENCES, ["default", "rouge155"], rouge_types=types)
        assert (words in compared.rows[1].differences) == is_told


def test_a_row_says_what_its_convention_drops():
    compared = compare_conventions(["今天天气很好12"], ["今天天气不错12"], ["zh_char", "rouge_score", "lighteval"])
    of_zh_char, of_rouge_score, _ = compared.rows

    assert of_zh_char.notes == ()
    assert of_zh_char.unfit is None
    assert of_rouge_score.scores["rouge1"] == 100  # of two digits
    assert compared.notes()[-1] == f"rouge_score, lighteval: {of_rouge_score.unfit}"
    assert compared.records()[1]["notes"] == of_rouge_score.unfit


def test_a_row_says_that_its_convention_is_for_another_language_without_a_warning(recwarn):
    compared = compare_conventions(["Hello there"], ["Hello"], ["default", "xlsum", "zh_word", "lawrouge"])

    assert [row.unfit is None for row in compared.rows] == [True, False, True, False]
    assert compared.notes()[-1] == "xlsum, lawrouge: It is made for Chinese, and these texts are in another language."
    assert not recwarn
    of_digits = compare_conventions(["12"], ["12"], ["default", "lawrouge"])
    assert of_digits.rows[1].unfit is None
