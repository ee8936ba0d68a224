"""jieba's words in plain Python over the kept tables, against jieba itself; and when it is asked for them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from jieba_strings import HAN, JiebaStrings

from polyrouge import Rouge
from polyrouge.texts.jieba_words import jieba_cutter, jieba_dictionary

pytest.importorskip("numba", reason="needs numba")

from polyrouge.counting.compiled.jieba_tables import jieba_tables
from polyrouge.counting.jieba_from_tables import jieba_cutter_from_tables

ODD = [
    "",
    " ",
    "\r\n",
    "\r\r\n\n",
    "她边边边地笑",
    "今",
    "a",
    "。",
    "3.14%a1.%",
    "今\x00天\U00020000",
    "龘" * 500,
    "边" * 500,
]


@pytest.fixture(autouse=True)
def tables(monkeypatch):
    """Tables that are there, as they are where this code is asked for; no jieba to fall back on."""
    assert jieba_tables(jieba_dictionary()) is not None
    monkeypatch.setattr("polyrouge.counting.jieba_from_tables.jieba_cutter", None)


@pytest.mark.parametrize("hmm", [True, False])
def test_it_cuts_as_jieba_does(hmm):
    found = JiebaStrings(jieba_dictionary().tokenizer.FREQ, seed=21)
    cut, expected = (make(hmm=hmm, keep_blanks=True) for make in (jieba_cutter_from_tables, jieba_cutter))
    texts = [*ODD, *found.random(8000), *found.periodic(4000), "边" * 500]
    texts += [each * n for each in HAN[::7] for n in range(2, 8)]
    for text in texts:
        assert cut(text) == expected(text), text


@pytest.mark.parametrize("hmm", [True, False])
def test_user_dictionary(tmp_path, hmm):
    found = JiebaStrings(jieba_dictionary().tokenizer.FREQ, seed=22)
    lines = found.user_words(1000)
    path = tmp_path / "words.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    dictionary = jieba_dictionary(str(path))
    assert len(dictionary.tokenizer.deleted_words) > 50
    assert jieba_tables(dictionary) is not None

    cut, expected = (make(dictionary, hmm=hmm, keep_blanks=True) for make in (jieba_cutter_from_tables, jieba_cutter))
    for text in found.with_words([line.split(" ")[0] for line in lines], 5000):
        assert cut(text) == expected(text), text


def test_words_that_are_deleted(tmp_path):
    text = "他来到了网易杭研大厦"
    before = jieba_cutter()(text)
    assert "杭研" in before
    path = tmp_path / "words.txt"
    path.write_text("杭研 0\n", encoding="utf-8")
    assert jieba_tables(jieba_dictionary(str(path))) is not None
    assert jieba_cutter_from_tables(str(path))(text) == jieba_cutter(str(path))(text) != before


FIRST_CALLS = """
import sys
from polyrouge import Rouge
texts = ["她边边边地笑，我们来到北京大学。"] * 100, ["我们去北京大学。他来到了网易杭研大厦"] * 100
rouge = Rouge({name!r})
print(sorted(rouge.compute(*texts).items()))
assert not {{"jieba", "_polyrouge_jieba", "numba"}} & set(sys.modules), "loaded"
calls = 0
while "numba" not in sys.modules:
    assert rouge.compute(*texts) == dict(rouge.compute(*texts))
    calls += 1
    assert calls < 5000, "many small calls are much work"
print(sorted(rouge.compute(*texts).items()))
"""


@pytest.mark.parametrize("name", ["zh_word", "llama_factory", "ms_swift"])
def test_the_first_small_calls_need_neither_jieba_nor_kernels(name):
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "POLYROUGE_COMPILE": "now"}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FIRST_CALLS.format(name=name)], capture_output=True, env=env, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    first, last = done.stdout.decode().splitlines()
    assert first == last
    texts = ["她边边边地笑，我们来到北京大学。"] * 100, ["我们去北京大学。他来到了网易杭研大厦"] * 100
    assert first == str(sorted(Rouge(name, engine="plain").compute(*texts).items()))
