"""The step ``model_output``: what it takes out, what it leaves, where the rest is from; what is said of thoughts."""

import re
import unicodedata

import pytest

from polyrouge import Rouge
from polyrouge.errors import hearing_warnings
from polyrouge.texts.model_output import UNSEEN
from polyrouge.texts.preparation import preparation

CASES = [
    ("<think>hm, so</think>\n\nAnswer", "\n\nAnswer"),
    ("hm, so</think>Answer", "Answer"),
    ("Answer<think>cut off", "Answer"),
    ("<think>a<think>b</think>c", "c"),
    ("I think> so", "I think> so"),
    ("<thought>a</thought><reasoning>b</reasoning>c<seed:think>d</seed:think>", "c"),
    ("<reasoning>a</reasoning><answer>b</answer>", " b "),
    ("<scratchpad>hm</scratchpad>Answer", "Answer"),
    ("<analysis>hm</analysis>\nAnswer", "\nAnswer"),
    ("<analysis>hm</analysis><summary>Answer</summary>", "<summary>Answer</summary>"),
    ("<Reflection>hm</Reflection>Answer", "Answer"),
    ("<thinking>a<reflection>b</reflection>c</thinking>Answer", "Answer"),
    ("Answer <reflection>sure</reflection>", "Answer "),
    ("<plan>a</plan>b<critique>c</critique>d", "bd"),
    ("<plan>a <thoughts>b</thoughts> c</plan>Answer", "Answer"),
    ("<analysis>the whole answer</analysis>", None),
    ("<output><analysis>the whole answer</analysis></output>\n", None),
    ("<think>hm</think><analysis>the whole answer</analysis>", "<analysis>the whole answer</analysis>"),
    ("<analysis>cut off", None),
    ("the answer</analysis>", None),
    ("if x<plan>y, see </analysis>", None),
    ("<tool_call>\n{}\n</tool_call>\n<tool_response>x</tool_response>\nAnswer", "\n\nAnswer"),
    ("<tool_call>cut off", ""),
    ('<function=look>{"a": 1}</function>Answer', "Answer"),
    ('[TOOL_CALLS] [{"name": "look"}]', ""),
    ('<|python_tag|>{"name": "look"}<|eom_id|>', ""),
    ("Answer<｜tool▁calls▁begin｜>x<｜tool▁call▁end｜><｜tool▁calls▁end｜>", "Answer"),
    ("<|tool_calls_section_begin|>x<|tool_calls_section_end|>Answer", "Answer"),
    ("Call functions: vector<function> f", None),
    ("Below is an instruction that asks.\n\n### Instruction:\nSay it\n\n### Input:\nx\n\n### Response:\nyes", "\nyes"),
    ("yes\n\n### Human: a\n### Assistant: b", "yes\n\n"),
    ("A chat between two, politely. USER: a ASSISTANT: yes</s>", " yes "),
    ("Human: a\n\nAssistant: yes", " yes"),
    ("Assistant: yes", None),
    ("the user: a human: yes", None),
    ("[THINK]hm[/THINK]Answer", "Answer"),
    ("◁think▷hm◁/think▷Answer", "Answer"),
    ("<|open|>think<|sep|>hm<|close|>think<|sep|>Answer", "Answer"),
    ("<|START_THINKING|>hm<|END_THINKING|>Answer", "Answer"),
    ("<|channel>thought\nhm\n<channel|>Answer<turn|>", "Answer "),
    (
        "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Answer<|return|>",
        " Answer ",
    ),
    ("<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>commentary to=f<|message|>a", ""),
    ("analysisWe need to say it.assistantfinalAnswer", "Answer"),
    ("an analysis by assistantfinal", None),
    ("<|im_start|>assistant\nyes<|start_of_turn|>", "\nyes "),
    ("<|start_header_id|>assistant<|end_header_id|>\n\nyes<|eot_id|>", " \n\nyes "),
    ("<|header_start|>assistant<|header_end|>\n\nyes<|eot|>", " \n\nyes "),
    ("<start_of_turn>user\na<end_of_turn>\n<start_of_turn>model\nyes<end_of_turn>", "\nyes "),
    ("<|im_assistant|>assistant<|im_middle|>yes<|im_end|>", " yes "),
    ("<|start_of_role|>assistant<|end_of_role|>yes<|end_of_text|>", " yes "),
    ("<｜begin▁of▁sentence｜>Be brief.<｜User｜>a<｜Assistant｜>yes<｜end▁of▁sentence｜>", "yes "),
    ("[gMASK]<sop><|user|>\na<|assistant|>\nyes<|observation|>", "\nyes"),
    ("<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>yes<|END_OF_TURN_TOKEN|>", "yes "),
    ("[|assistant|]yes[|endofturn|]", "yes "),
    ("]~b]ai\n<think>hm</think>yes[e~[", "\nyes "),
    ("<reserved_106>a<reserved_107>yes", "yes"),
    ("a [/INST] yes", " yes"),
    ("yes<|im_end|>\n<|im_start|>user\na<|im_end|>\n<|im_start|>assistant\nb", "yes \n"),
    ("<|im_start|>user\na", " \na"),
    ("a <thoughts> [think] b", None),
    ("<start> a <UNK> b <eod> <EOS> <PAD>", "  a   b      "),
    ("<s>[INST] a [/INST]b</s><｜end▁of▁sentence｜>", "b  "),
    ("a <| b |> c, x<s", "a <| b |> c, x<s"),
    ("R&amp;D &lt;b&gt; &#8212; &#x4e00; 5&nbsp;kg", "R&D <b> — 一 5\xa0kg"),
    ("&amp;nbsp;&amp;amp;lt; AT&T; &copy2024 & &notit;", "\xa0&lt; AT&T; &copy2024 & &notit;"),
    ("人\u200b工\ufeff智\u00ad能\ue000葛\U000e0100❤\ufe0f", "人工智能葛❤"),
    ("人&#8203;工", "人工"),
    ("# Title\n## 1. Part\n- a\n* b\n  + c\n•d", "Title\nPart\na\nb\nc\nd"),
    ("1、甲\n2. 乙\n3)丙\n4）丁\n(5) 戊\n（六）己\n七、庚", "甲\n乙\n丙\n丁\n戊\n己\n庚"),
    ("3.5亿元\n1、2号线\n一、二线城市\n-5℃\n#标签\n2024.今年", None),
    ("a - b # c 1. d", None),
    ("**bold** `code` [link](x)", None),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_cleaning(text, expected):
    assert preparation(["model_output"])(text) == (text if expected is None else expected)


def test_unseen_characters_are_those_of_unicode():
    """All of Cf and Co that Python knows, the grapheme joiner, variation selectors, and nothing else."""
    unseen = re.compile(f"[{UNSEEN}]")
    for point in range(0x110000):
        category = unicodedata.category(chr(point))
        if category in ("Cf", "Co"):
            assert unseen.match(chr(point)), hex(point)
        elif unseen.match(chr(point)) and category != "Cn":  # not assigned, to an older Python
            name = unicodedata.name(chr(point))
            assert "VARIATION SELECTOR" in name or name == "COMBINING GRAPHEME JOINER", hex(point)


@pytest.mark.parametrize("name", ["default", "zh_word"])
def test_cleaned_output_scores_as_the_answer(name):
    rouge = Rouge(name, prepare=["model_output"], rouge_types=["rouge1", "rougeLsum"])
    output = "<think>也许是股市。</think>\n# 央行\u200b降息\n1. 股市&amp;债市大涨<|im_end|> cafe\u200b\u0301"
    assert set(rouge.compute([output], ["央行降息\n股市&债市大涨 café"]).values()) == {1.0}


@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_thoughts_in_predictions_are_noted(engine):
    rouge = Rouge(rouge_types=["rouge1"], engine=engine)
    texts = ["analysishm.assistantfinalyes", "hm</think>yes", "yes<think>cut", "yes<reflection>hm</reflection>"]
    for text in (*texts, "[THINK]hm[/THINK]yes", "◁think▷hm◁/think▷yes"):
        with hearing_warnings() as heard:
            rouge.compute(["a", text], ["a", "b"])
        assert [note.kind for note in heard] == ["thoughts"]
        with hearing_warnings() as heard:
            rouge.compute(["a"], [text])  # as a reference it may be meant
            rouge.compute([text], ["b"], prepare=["model_output"])
        assert heard == []


@pytest.mark.parametrize("text", ["<analysis>the answer</analysis>", "x<plan>y", "the <thoughts> of a cat"])
def test_what_may_be_the_answer_is_not_noted_as_thoughts(text):
    with hearing_warnings() as heard:
        Rouge(rouge_types=["rouge1"]).compute([text], ["b"])
    assert [note.kind for note in heard if note.kind == "thoughts"] == []
