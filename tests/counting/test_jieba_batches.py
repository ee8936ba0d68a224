"""Token ids of jieba's words by the kernel, against the documents of the plain tokenizers: words, sentences, ids."""

import functools
import random

import jieba
import numpy as np
import pytest
from amounts import few_or_many
from jieba_strings import JiebaStrings
from token_batches import assert_read_as_plain

from polyrouge import Rouge
from polyrouge.texts.jieba_words import jieba_dictionary

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")

OWN = {
    "words": {},
    "cased": {"lowercase": False},
    "lines": {"sentence_split": "newline"},
    "lines and marks": {"sentence_split": "newline", "punctuation": "keep"},
    "one sentence": {"sentence_split": "none"},
    "no sentences": {"rouge_types": ["rouge1"], "sentence_split": "auto"},
    "without HMM": {"jieba_hmm": False},
    "as it stands": {"normalize": None},
    "model output": {"prepare": ["model_output"]},
    "NFKC": {"normalize": "nfkc", "sentence_split": "newline"},
    "stems and stop words": {"use_stemmer": True, "stop_words": ["今天", "ab"]},
}
TOOLS = ("rouge_chinese", "llama_factory", "chatglm", "opencompass_zh", "ms_swift", "longbench_zh", "pltrdy")
CHANGES = ({}, {"segment": "jieba_without_spaces"}, {"lowercase": True}, {"jieba_hmm": False})
CASES = {
    **{f"zh_word, {name}": ("zh_word", changes) for name, changes in OWN.items()},
    **{
        f"{name}, {changes}": (name, {"segment": "jieba", "rouge_types": ["rouge1", "rougeLsum"], **changes})
        for name in TOOLS
        for changes in CHANGES
    },
}
# What tools cut the text at that has blanks between the words.
PIECES = [
    *"今天 天气 很好 。 ！ ？ ? … ” ’ . .. ...... ....... a b...... 3.14 X-1 \U0010ffff 啊 İ Σ K \u3000 \t".split(" "),
    *'! ?! ; " A股 T恤 a股 e\u0301 \u2028 ⋯ 今!天'.split(" "),
    *('天气?" 好', " ", "  ", "\n", "\n\n", "\r\n", "\r", "\x1c", ". \n", "。\n", "...... \n"),
]
ODD_TEXTS = [
    *("", " ", "。", "\n", ". .", "。\n。", "。 \n a", "......\n", "...... \n a", ".......a", "a............., b"),
    *("a\r\n \r\nb", " \n a", "  \n \n a", "？ ？ a", "。”a", "3.14%，AT&T c++。", "\u3000", ".\n. ."),
]


def pieces(n: int, seed: int) -> list[str]:
    draw = random.Random(seed)
    return ["".join(draw.choices(PIECES, k=draw.randint(0, 9))) for _ in range(n)]


@functools.cache
def random_texts(n: int) -> list[str]:
    strings = JiebaStrings(jieba_dictionary().tokenizer.FREQ, seed=3)
    return [*strings.random(3 * n), *pieces(5 * n, 4), *strings.periodic(n)]


def check(texts: list[str], name: str, changes: dict) -> None:
    assert_read_as_plain(texts, Rouge(name, **changes).settings, every=2)


@pytest.mark.parametrize(("name", "changes"), CASES.values(), ids=CASES)
@few_or_many(10, 100)
def test_random_texts(n, name, changes):
    check(random_texts(n), name, changes)


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_odd_texts(text):
    for name, changes in CASES.values():
        check([text], name, changes)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("sumeval", {"tokenizer": "sumeval_zh", "stop_words": None, "use_stemmer": False}),
        ("xlsum", {"tokenizer": "xlsum_chinese", "use_stemmer": False}),
        ("zh_word", {"max_words": 5}),
    ],
)
def test_what_goes_through_documents_is_cut_by_the_kernel_too(name, changes, monkeypatch):
    texts = pieces(100, 7), pieces(100, 8)
    expected = Rouge(name, engine="plain", **changes).score(*texts)
    monkeypatch.setitem(vars(jieba_dictionary()), "tokenizer", None)  # jieba itself is not asked

    scores = Rouge(name, engine="compiled", **changes).score(*texts)

    for key, column in expected.items():
        assert np.array_equal(column, scores[key], equal_nan=True), key


@pytest.mark.parametrize("engine", ["compiled", pytest.param("plain", marks=pytest.mark.slow)])
def test_words_of_a_tokenizer_are_taken_as_they_are_when_used(engine):
    tokenizer = jieba.Tokenizer()
    names = "zh_word", "rouge_chinese", "ms_swift"
    texts, chosen = (["石墨烯量子点"], ["石墨烯量子点好"]), {"rouge_types": ["rouge1"], "scale": 1.0}
    rouges = [Rouge(name, engine=engine, jieba_dict=tokenizer, **chosen) for name in names]
    expected = [Rouge(name, **chosen).compute(*texts) for name in names]
    assert [rouge.compute(*texts) for rouge in rouges] == expected

    tokenizer.add_word("石墨烯量子点好", 10**6)
    assert [rouge.compute(*texts) for rouge in rouges] == [{"rouge1": 0.0}] * 3
    tokenizer.del_word("石墨烯量子点好")
    assert all(rouge.compute(*texts)["rouge1"] > 0 for rouge in rouges)
    assert [Rouge(name, **chosen).compute(*texts) for name in names] == expected
