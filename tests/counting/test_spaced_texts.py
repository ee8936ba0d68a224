"""What the compiled tokenizer is given of other tools' conventions, against their plain tokenizers."""

import random

import numpy as np
import pytest
from amounts import examples_in_ci
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import texts as any_text

from polyrouge import Rouge, RougeSettings
from polyrouge.counting.compiled.supported_rules import can_be_spaced
from polyrouge.counting.compiled.token_batches import spaced_texts
from polyrouge.documents.document import DocumentReader
from polyrouge.documents.input_notes import InputNotes

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")

NAMES = ("pltrdy", "rouge_chinese")
SEGMENTS = (None, "char", "char_without_blanks", "jieba", "jieba_without_spaces")
MARKS = st.text(st.sampled_from("。！？…”’.\n\t  甲乙丙丁3a,\r\x0b\u3000\x1c\x85"), max_size=24)


def plain_tokens(text: str, chosen: RougeSettings) -> list[str]:
    return DocumentReader(chosen.text_rules, InputNotes(chosen.text_rules)).read(text).tokens


def spaced_tokens(text: str, chosen: RougeSettings) -> list[str] | None:
    """Tokens as the kernel sees them: between blanks; what stands for an empty token is one again."""
    spaced = spaced_texts([text], chosen.text_rules)
    if spaced is None:
        return None
    empty = {"pltrdy": ".", "rouge_chinese": "\U0010ffff"}[str(chosen.tokenizer)]
    return ["" if token == empty else token for token in spaced[0].split()]


@pytest.mark.parametrize("segment", SEGMENTS)
@pytest.mark.parametrize("name", NAMES)
@given(text=st.one_of(any_text, MARKS))
@example(text=".")
@example(text="..")
@example(text="a.\n b. ")
@example(text="！！！")
@example(text="甲。 \n \n乙")
@example(text="……甲......乙”。丙")
@example(text="3.14%，AT&T c++。")
@examples_in_ci(400)
def test_tokens_are_those_of_the_plain_tokenizer(name, segment, text):
    chosen = Rouge(name, segment=segment).settings
    assert can_be_spaced(chosen)

    tokens = spaced_tokens(text, chosen)

    assert tokens is None or tokens == plain_tokens(text, chosen)


CHINESE = ["今天", "天气", "很好", "。", "！", "a", "b", ".", " ", "\n", "3.14", "\U0010ffff", "İ", "…"]
ASCII = ["a", "b", ".", "?", " ", "\n", "\n \n", "3.14"]  # an empty token is written as what is not


@pytest.mark.parametrize("pieces", [CHINESE, ASCII], ids=["Chinese", "ASCII"])
@pytest.mark.parametrize("name", ["pltrdy", "rouge_chinese", "t5_pegasus", "longbench_zh", "ms_swift", "llama_factory"])
def test_both_engines_score_the_same(name, pieces):
    rng = random.Random(9)
    given_texts = ["".join(rng.choices(pieces, k=rng.randint(0, 14))) for _ in range(1200)]
    predictions, references = given_texts[:600], given_texts[600:]

    scores = [Rouge(name, engine=engine).score(predictions, references) for engine in ("plain", "compiled")]

    for key, column in scores[0].items():
        assert np.array_equal(column, scores[1][key], equal_nan=True), key
