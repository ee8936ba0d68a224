"""The steps of ``prepare``: what they make of a text, on which side, and where the tokens are from."""

import re
import string
import unicodedata
from pathlib import Path

import pytest
import strategies
from hypothesis import example, given
from hypothesis import strategies as st
from placed import placed

from polyrouge import Rouge, RougeSettings
from polyrouge.texts.preparation import STEPS, preparation, step_words

MADE = {
    "strip": {" \u3000a b\n": "a b", "a": "a", " \n": "", "": ""},
    "first_line": {"\n\na\nb": "a", " \na": " ", "a\r\nb": "a\r", "\n": "", "": ""},
    "lower": {"ABC İΣΑΣ ß": "ABC İΣΑΣ ß".lower(), "a": "a"},
    "opencompass": {"The cat's, dog": "cats", "a an apple\nb": "apple", ".": ""},
    "line_breaks_to_blanks": {"a\nb\n": "a b "},
    "stops_end_lines": {"a . b . c.": "a.\nb.\nc."},
    "bert_words": {
        "Étude e\u0301 中文，a-b\x00\u3000한": f"etude e 中 文 ， a - b {unicodedata.normalize('NFD', '한')}",
        "\n": "",
    },
    "modelscope_words": {"it's 中文，a . b": "it's 中 文 ， a . b", ". .": "", "...": "", ".a": ".a"},
    "lexeval_marks": {"a b，c.": "abc", "。": ""},
    "promptcblue_blank": {"": "无 。", " \n": "无 。", "a": "a"},
    "model_output": {"<think>a</think>b": "b", "[/INST]&amp;c\n- 一、e\u200b\u0301</s>": "&c\ne\u0301 "},
    "markup": {
        "<t> the cat sat . </t> <t> it slept . </t>": "the cat sat .\nit slept .\n",
        "a .<q>b ,<n>c<S_SEP>d [SEP] e ###SENT### f": "a .\nb ,\nc\nd\ne\nf",
        "one<br>two <BR /> three": "one\ntwo\nthree",
        "<s>a</s><pad>": " a  ",
        "<extra_id_0> a<|im_end|><｜end▁of▁sentence｜>": "  a  ",
        "<|start_header_id|>assistant<|end_header_id|>a<|eot_id|>[INST] b [/INST]": "  a   b  ",
        "<|channel|>final<|message|>a<｜Assistant｜>b]~b]aic[|assistant|]d": " a b c d",
        '<p class="x">a <b>b</b>c</p>d': "a bc\nd",
        "<table><tr><td>red</td><td>fox</td></tr></table>": "red  fox\n",
        "red<hr>fox<ul><li>a<li>b</ul><P>c": "red\nfox\na\nb\nc",
        "red<img src='a.png' alt='a b' width = 3 />fox": "red fox",
        'H<sub>2</sub>O, un<mark id="a">lik</mark>ely, <B>so</B><U>so</U>': "H2O, unlikely, soso",
        "a<b>c</b>d, 今<b>天, <i>so</i>, x<i>y, red.<q>fox": "acd, 今天, so, x<i>y, red.\nfox",
        r"caf\u00E9 \u4eca\u5929 \ud83d\ude00 \ud83d \user \u4e0": "café 今天 😀 \\ud83d \\user \\u4e0",
        "\x1b[1;32ma\x1b[0m cat": "a cat",
        "@@ -1,3 +1,4 @@ run@@ ning ▁▂▃": "@@ -1,3 +1,4 @@ running ▁▂▃",
        "&quot;a&quot; &amp;#39;b&nbsp;c": '"a" \'b\xa0c',
        "run ##ning, ##no": "running, ##no",
        "run ￭ning ￭, wel￭ come": "running, welcome",
        "the</w> c at</w> s at</w>": "the cat sat ",
        "a -LRB- b -RRB- -lsb- c": "a ( b ) [ c",
        "<0xE4><0xBB><0x8A>天<0x0A>a<newline>b [NL] c": "今天\na\nb\nc",
        "The Ġcat Ġru nning": "The cat running",
        "▁The ▁cat ▁s at": " The cat sat",
        "# Head\n\n- a **b**\n- *c*, ***d***\n\n1. x\n2. [y](https://a.b/c_(d)) ![z](z.png)": (
            "Head\n\na b\nc, d\n\nx\ny z"
        ),
        "今天**天气**很好，用Python**编程**": "今天天气很好，用Python编程",
        "| a | b |\n|---|:-:|\n| 1 | `2` |\nc | d": "a b\n1 2\nc d",
        "> a\n> - b\n---\nc": "a\nb\nc",
        "a:\n```python\n# b\n- 1\n- 2\n```\nc\n```\nd": "a:\n# b\n- 1\n- 2\nc\nd",
        "2**10 + 3**2, f(**a, **b), x*y*z, 5 * 3 * 2": "2**10 + 3**2, f(**a, **b), x*y*z, 5 * 3 * 2",
        "3. Platz\n-5 Grad": "3. Platz\n-5 Grad",
        "``a'' and `b' [1](2) a | b\n>>> c": "``a'' and `b' [1](2) a | b\n>>> c",
    },
    "spaced_han": {
        "今\u3000天\u00a0天\u2003气 \t很\n好": "今天天气很\n好",
        "今 天 天 气 很 好 ！ a b，c  好": "今天天气很好！ a b，c  好",
        "a 好 b": "a 好 b",
    },
}
"""For each step, texts and what it makes of them."""


def test_each_step_makes_of_a_text_what_it_says():
    assert MADE.keys() == STEPS.keys()
    for name, texts in MADE.items():
        assert {text: preparation([name])(text) for text in texts} == texts


def opencompass(text: str) -> str:
    """Of OpenCompass's ``general_postprocess``, written anew."""
    words = re.sub(r"[^\w\s]", "", re.split(r"[\n.,]", text, maxsplit=1)[0])
    return " ".join(re.sub(r"\b(a|an|the)\b", "", words, flags=re.IGNORECASE).split())


@given(strategies.texts)
def test_opencompass(text):
    assert preparation(["opencompass"])(text) == opencompass(text)


def basic_tokens(text: str) -> list[str]:
    """Of transformers' BasicTokenizer in lower case, written anew: word by word, as there."""
    blanks = {" ", "\t", "\n", "\r"}
    kept = "".join(
        " " if character in blanks or unicodedata.category(character) == "Zs" else character
        for character in text
        if character in blanks or (unicodedata.category(character)[0] != "C" and character != "\ufffd")
    )
    han = re.compile(
        "[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002ceaf\U0002f800-\U0002fa1f]"
    )
    words = unicodedata.normalize("NFC", han.sub(lambda match: f" {match[0]} ", kept)).split()
    letters = (unicodedata.normalize("NFD", word.lower()) for word in words)
    bare = ["".join(letter for letter in word if unicodedata.category(letter) != "Mn") for word in letters]
    mark = re.compile(f"[{re.escape(string.punctuation)}]")
    return " ".join(
        "".join(f" {c} " if mark.match(c) or unicodedata.category(c)[0] == "P" else c for c in word) for word in bare
    ).split()


@given(strategies.texts)
@example("ΑΣ. ΑΣ 한国İ豈")
def test_bert_words(text):
    assert preparation(["bert_words"])(text) == " ".join(basic_tokens(text))


@pytest.mark.parametrize("name", STEPS)
@given(text=st.one_of(strategies.texts, st.sampled_from([text for texts in MADE.values() for text in texts])))
def test_tokens_are_where_they_say(name, text):
    """Each token of the changed text that the original has too is a piece of it, or has its letters in other case."""
    chosen = RougeSettings(prepare=[name], tokenizer="space", lowercase=False, punctuation="keep", normalize=None)
    document = placed(text, chosen)
    assert [token.token for token in document.tokens] == preparation([name])(text).split()
    starts = [token.start for token in document.tokens]
    assert None not in starts
    assert starts == sorted(starts)
    if name in ("strip", "first_line"):
        assert all(text[token.start : token.end] == token.token for token in document.tokens)
    if name == "lower":
        pieces = [text[token.start : token.end].lower().replace("ς", "σ") for token in document.tokens]
        assert pieces == [token.token.replace("ς", "σ") for token in document.tokens]


@pytest.mark.parametrize("engine", ["plain", "compiled"])
@pytest.mark.parametrize("name", ["default", "zh_word", "pltrdy", "rouge_chinese"])
def test_a_step_of_one_side_changes_no_text_of_the_other(name, engine):
    texts = ["甲 乙\n丙", "a b\nc", "a b"]
    for side, cut, kept in (("prediction", "recall", "precision"), ("reference", "precision", "recall")):
        rouge = Rouge(name, prepare=[f"{side}.first_line"], rouge_types=["rouge1"], output="all", engine=engine)
        scores = rouge.compute(texts, texts, use_aggregator=False)
        assert scores[f"rouge1_{kept}"] == [1.0, 1.0, 1.0]
        assert scores[f"rouge1_{cut}"] == pytest.approx([2 / 3, 2 / 3, 1.0])
        explained = rouge.explain(texts[0], texts[0])["rouge1"]
        assert (explained.precision, explained.recall) == (scores["rouge1_precision"][0], scores["rouge1_recall"][0])


def test_steps_in_order_and_in_the_signature():
    rouge = Rouge("rouge_score", prepare=["Strip", "prediction.first_line"], rouge_types=["rouge1"])
    assert rouge.settings.prepare == ("strip", "prediction.first_line")
    assert "|prepare:strip,prediction.first_line|" in rouge.signature()
    assert Rouge(prepare="strip").settings == Rouge(prepare=["strip"]).settings
    assert preparation(["lower", "opencompass"])("THE A.") == ""
    for wrong in (["stripe"], ["side.strip"], ["prediction."], [None], None):
        with pytest.raises((TypeError, ValueError), match="prepare"):
            RougeSettings(prepare=wrong)


@pytest.mark.parametrize("language", ["", ".zh"])
def test_documents_list_every_step(language):
    page = Path(__file__).parents[2] / f"docs/settings{language}.md"
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|$", page.read_text("utf-8"), re.MULTILINE))
    assert {name: rows[name] for name in STEPS} == {name: step_words(name)[bool(language)] for name in STEPS}
