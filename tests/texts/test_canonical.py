"""Texts that Unicode takes for the same are the same to our own conventions, in both engines, whatever else is set."""

import unicodedata

import numpy as np
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st
from language_packages import by_need, needs

from polyrouge import Rouge
from polyrouge.scoring.single_pairs import PairScorer

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")

OWN = ("default", "zh_char", "zh_word", "ja_word", "ko_word", "th_word", "vi_word")
PAIRS = [
    ("cafe\u0301", "café"),  # accent
    ("Ho\u0302\u0323i", "Hội"),  # two-marks-in-any-order
    ("\u1112\u1161\u11ab\u1100\u116e\u11a8", "한국"),  # hangul
    ("\u212bngstro\u0308m", "ångström"),  # letterlike
    ("か\u3099く", "がく"),  # kana
    ("\ufa19社", "神社"),  # compatibility-ideograph
]


@pytest.mark.parametrize("engine", ["plain", "compiled"])
@pytest.mark.parametrize("name", by_need(OWN))
@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_equivalent_words_are_equal(one, other, name, engine):
    if name == "ko_word":  # no wheel for Python 3.13
        needs("python-mecab-ko", "python-mecab-ko-dic")
    rouge = Rouge(name, rouge_types=["rouge1", "rougeL", "rougeLsum"], engine=engine)
    assert set(rouge.compute([one, "x"], [other, "x"]).values()) == {1.0}
    hits, *totals = rouge.count([one], [other]).counts.transpose(2, 0, 1).tolist()
    assert [hits, hits] == totals
    assert PairScorer(rouge.settings, rouge.run).score(one, other).scores[0][2] == 1.0


@given(
    text=strategies.texts,
    reference=strategies.texts,
    split=st.sampled_from(["newline", "zh", "auto", "none"]),
    more=st.sampled_from(
        [{}, {"max_words": 3}, {"max_characters": 7}, {"max_bytes": 9}, {"segment": "jieba"}, {"segment": "char"}]
        + [{"tokenizer": each} for each in ("ascii", "zh_char", "char", "jieba", "space", "unicode")]
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
