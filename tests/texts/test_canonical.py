"""Texts that Unicode takes for the same are the same to our own conventions, in both engines, whatever else is set."""

import unicodedata

import numpy as np
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

from polyrouge import Rouge

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")

WORDS = ["café", "Hội", "한국", "ångström", "がく", "神社", "\ufa19社", "\u212bngström"]
texts = st.one_of(strategies.texts, st.lists(st.sampled_from(WORDS), min_size=1).map(" ".join))


@given(
    text=texts,
    reference=texts,
    split=st.sampled_from(["newline", "zh", "auto", "none"]),
    more=st.sampled_from(
        [{}, {"max_words": 3}, {"max_characters": 7}, {"max_bytes": 9}, {"segment": "jieba"}, {"segment": "char"}]
        + [{"tokenizer": name} for name in ("ascii", "zh_char", "char", "jieba", "space", "unicode")]
    ),
    normalize=st.sampled_from(["nfc", "nfkc"]),
    engine=st.sampled_from(["plain", "compiled"]),
)
def test_equivalent_texts_have_equal_counts(text, reference, split, more, normalize, engine):
    rouge = Rouge(sentence_split=split, normalize=normalize, engine=engine, **more)
    counts = [
        rouge.count([unicodedata.normalize(form, text)], [unicodedata.normalize(form, reference)]).counts
        for form in ("NFC", "NFD")
    ]
    assert np.array_equal(*counts)
