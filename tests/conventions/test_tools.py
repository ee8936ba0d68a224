"""Small inputs on which tools of today differ from what they are built on, with the tools' own scores."""

import math

import pytest

from polyrouge import Rouge

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")

E = 1e-8
PAIR = "甲乙", "甲乙"
SCROLLS = {"rouge_types": ["rouge1", "rouge2", "rougeL"], "scale": 100, "round_result": 4, "weights": "geometric"}
CASES = [
    # (convention, settings), pairs, type, what the tool gives
    (("ms_swift", {}), [("", "a"), PAIR], "rouge1", 50.0),
    (("ms_swift", {}), [(".", "a"), ("...", "..."), PAIR, PAIR], "rouge1", 50.0),
    (("ms_swift", {}), [("a", ""), ("", " "), PAIR], "rouge1", 100.0),
    (("ms_swift", {}), [("a", "\u3000"), ("a", "\n"), PAIR, PAIR], "rouge1", 50.0),
    (("ms_swift", {}), [(". .", ". ."), PAIR], "rouge1", 100.0),
    (("evalscope", {"output": "all"}), [("a. b", "a b")], "rouge1_precision", 0.5),
    (("evalscope", {"output": "all"}), [("2024-01-02", "2024年1月2日")], "rouge1_precision", 0.0),
    (("evalscope", {}), [("", "a"), ("a", "")], "rougeL", 0.0),
    (("lm_eval_longbench", {}), [("a b . ", "x y . ")], "rougeL", 0.0),
    (("longbench", {}), [("a b . ", "x y . ")], "rougeL", 33.33),
    (("longbench_samsum", {}), [("好\n坏", "好")], "rougeL", 100.0),
    (("longbench_samsum", {}), [("好", "好\n坏")], "rougeL", 66.67),
    (("rouge_score", SCROLLS), [("the cat sat", "the cat sat on the mat")], "rouge2", 57.1429),
    (("rouge_score", SCROLLS), [("the cat sat", "the cat sat on the mat")], "weighted", 63.3276),
    (("rouge_score", SCROLLS), [("the cat sat", "a dog")], "weighted", 0.0),
    # lm-eval: infinitebench, truthfulqa_gen
    (("rouge_score", {"prepare": ["prediction.line_breaks_to_blanks"]}), [("a\nb", "b a")], "rougeLsum", 0.5),
    (("rouge_score", {"prepare": ["stops_end_lines"]}), [("b . a", "a . b")], "rougeLsum", 1.0),
    (("crud_rag", {"output": "all"}), [("a b", "a")], "rouge1_precision", 1 / 3),
    (("crud_rag", {}), [("A", "a")], "rouge1", 0.0),
    (("promptcblue", {}), [("e\u0301tude", "étude")], "rouge1", 2 * (1 / (2 + E))),
    (("promptcblue", {"output": "all"}), [("", "无内容")], "rouge1_precision", 0.5),
    (("promptcblue", {}), [("cat", "cat")], "rouge2", 0.0),
    (("modelscope", {}), [("it's", "its"), (". .", ". .")], "rouge1", 0.0),
    (("modelscope", {}), [(". .", ". ."), PAIR], "rougeL", 1 / (2 + E)),
    (("paddlenlp", {}), [("ab", "abcd"), ("x", "y")], "rouge1", 0.4),
    (("paddlenlp", {}), [("ab", "abcd"), ("x", "y")], "rougeL", (1 + 1.2**2) * 1 * 0.5 / (0.5 + 1.2**2 * 1) / 2),
    (("lexeval", {}), [("！", "！"), ("。", "。")], "rougeL", 0.0),
    (("lexeval", {}), [("A。", "a")], "rougeL", 2 * (1 / (2 + E))),
]


@pytest.mark.parametrize("engine", ["plain", "compiled"])
@pytest.mark.parametrize(("convention", "pairs", "key", "expected"), CASES)
def test_what_the_tool_gives(convention, pairs, key, expected, engine):
    name, settings = convention
    scores = Rouge(name, engine=engine, **settings).compute(*map(list, zip(*pairs, strict=True)))
    assert scores[key] == expected


@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_a_blank_reference_is_left_out_and_a_blank_prediction_is_not(engine):
    rouge = Rouge("ms_swift", engine=engine, rouge_types=["rouge1"])
    pairs = [("", "a"), ("a", ""), ("", ""), (" ", "  "), ("a", "a"), ("...", ""), ("", "...")]
    predictions, references = map(list, zip(*pairs, strict=True))
    (column,) = rouge.compute(predictions, references, use_aggregator=False).values()
    assert [None if math.isnan(value) else round(value) for value in column] == [0, None, None, None, 100, None, 0]
    singly = [rouge.compute([p], [r], use_aggregator=False)["rouge1"][0] for p, r in pairs]
    assert [None if math.isnan(value) else round(value) for value in singly] == [0, None, None, None, 100, None, 0]
