"""jieba as a kernel, against jieba itself: not one word may differ, ties included."""

import copy
import itertools
import os
import random
import subprocess
import sys
from functools import cache
from pathlib import Path

import jieba
import pytest
import shared_data
from amounts import few_or_many
from fuzz_rounds import rounds
from jieba_strings import HAN, JiebaStrings

from polyrouge import Rouge
from polyrouge.counting.compiled import jieba_tables
from polyrouge.counting.compiled.jieba_cutter import compiled_jieba_cutter
from polyrouge.texts.jieba_words import jieba_cutter, jieba_dictionary

MANY = 15_000


@cache
def original() -> jieba.Tokenizer:
    """A tokenizer as jieba makes it, so that our own way of loading one is tested too."""
    jieba.setLogLevel(60)
    tokenizer = jieba.Tokenizer()
    tokenizer.initialize()
    return tokenizer


def own_tokenizer() -> jieba.Tokenizer:
    """One whose words a test may change."""
    tokenizer = copy.copy(original())
    tokenizer.FREQ = dict(tokenizer.FREQ)
    return tokenizer


def strings(seed: int) -> JiebaStrings:
    return JiebaStrings(original().FREQ, seed)


def assert_the_same(texts, ours, tokenizer, hmm=True) -> int:
    n = 0
    for n, text in enumerate(texts, 1):
        found, expected = ours(text), tokenizer.lcut(text, HMM=hmm)
        assert found == expected, (text, hmm, n)
    return n


# 125,700, 116,000, 50,000 and 30,000 strings, and some more below: over 300,000.


@few_or_many(1_000, 20_950)
def test_every_character_repeated(n):
    assert len(HAN) == 20_950
    characters = HAN[:: len(HAN) // n]
    texts = (character * times for character in characters for times in range(2, 8))
    assert assert_the_same(texts, compiled_jieba_cutter(keep_blanks=True), original()) == 6 * len(characters)


@few_or_many(5_000, 116_000)
def test_words_of_the_dictionary(n):
    words = strings(0).words
    assert assert_the_same(words[:: len(words) // n], compiled_jieba_cutter(keep_blanks=True), original()) >= n


@few_or_many(3_000, 50_000)
def test_periodic_strings(n):
    assert_the_same(strings(1).periodic(n), compiled_jieba_cutter(keep_blanks=True), original())


@pytest.mark.parametrize("hmm", [True, False])
@few_or_many(2_000, MANY)
def test_random_strings(n, hmm):
    texts = strings(2 + hmm).random(n)
    assert_the_same(texts, compiled_jieba_cutter(keep_blanks=True, hmm=hmm), original(), hmm)


@pytest.mark.parametrize("pattern", ["AAB", "ABB", "AABB", "ABAB", "ABBA", "ABABAB"])
def test_patterns_of_two_characters(pattern):
    draw = random.Random(pattern)
    common = [word for word, frequency in original().FREQ.items() if len(word) == 1 and frequency > 10_000]
    pairs = ((draw.choice(common), draw.choice(HAN if draw.random() < 0.3 else common)) for _ in range(1500))
    texts = (pattern.replace("A", a).replace("B", b) for a, b in pairs)
    assert_the_same(texts, compiled_jieba_cutter(keep_blanks=True), original())


def test_a_tie_is_cut_as_jieba_cuts_it():
    assert compiled_jieba_cutter()("她边边边地笑") == ["她", "边", "边边", "地", "笑"]


def test_without_blanks():
    text = " 今天\r\n天气 \u3000很\x1c好\n"
    assert compiled_jieba_cutter()(text) == jieba_cutter()(text) == ["今天", "天气", "很", "好"]


@pytest.mark.parametrize("text", ["", " ", "。", "a", "今", "\r\n", "\r", "今\r", "😀", "\0"])
def test_the_shortest_texts(text):
    assert compiled_jieba_cutter(keep_blanks=True)(text) == original().lcut(text)


@pytest.mark.parametrize("n", [63, 64, 65, 1000, pytest.param(30_000, marks=pytest.mark.slow)])
def test_long_runs(n):
    texts = ["边" * n, "今天天气" * n, "1" * n, "." * n, "啊a" * n, "。" * n, "龘" * n]
    assert_the_same(texts, compiled_jieba_cutter(keep_blanks=True), original())


@shared_data.needs_shared
@pytest.mark.parametrize("hmm", [True, False])
def test_real_texts(hmm):
    rows = shared_data.all_data_rows()
    texts = {text for row in rows for text in (row["prediction"], *row["references"])}
    texts = sorted(text for text in texts if any("\u4e00" <= character <= "\u9fd5" for character in text))
    assert len(texts) > 2500
    assert_the_same(texts[hmm::2], compiled_jieba_cutter(keep_blanks=True, hmm=hmm), original(), hmm)


@pytest.mark.parametrize("hmm", [True, False])
def test_fuzz(hmm):
    cut = compiled_jieba_cutter(keep_blanks=True, hmm=hmm)
    for rng in rounds(f"jieba, 500 strings, {hmm=}", 1, 0.05):
        found = strings(rng.getrandbits(32))
        assert_the_same([*found.random(400, 20), *found.periodic(100)], cut, original(), hmm)


# Other dictionaries


@few_or_many(2_000, MANY)
def test_user_dictionary(n, tmp_path):
    found = strings(5)
    lines = found.user_words(1500)
    path = tmp_path / "words.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    words = [line.split(" ")[0] for line in lines]
    dictionary = jieba_dictionary(str(path))
    assert len(dictionary.tokenizer.deleted_words) > 100

    for hmm in (True, False):
        cut = compiled_jieba_cutter(str(path), hmm=hmm, keep_blanks=True)
        assert_the_same(found.with_words(words, n), cut, dictionary.tokenizer, hmm)


@pytest.fixture
def own_list():
    """jieba's list of deleted words, as it was before the test."""
    listed = jieba.finalseg.Force_Split_Words
    before = set(listed)
    yield listed
    listed.clear()
    listed.update(before)


@pytest.mark.slow
def test_user_dictionary_is_what_jieba_makes_of_it(tmp_path, own_list):
    own_list.clear()
    found = strings(6)
    path = tmp_path / "words.txt"
    path.write_text("\n".join(found.user_words(800)), encoding="utf-8")
    tokenizer = jieba.Tokenizer()
    with open(path, "rb") as lines:
        tokenizer.load_userdict(lines)

    ours = jieba_dictionary(str(path)).tokenizer
    assert (ours.FREQ, ours.total, ours.deleted_words) == (tokenizer.FREQ, tokenizer.total, own_list)
    words = [line.split(" ")[0] for line in path.read_text(encoding="utf-8").splitlines()]
    texts = list(found.with_words(words, 3000))
    assert_the_same(texts, compiled_jieba_cutter(str(path), keep_blanks=True), tokenizer)
    assert_the_same(texts, jieba_cutter(str(path), keep_blanks=True), tokenizer)


@few_or_many(2_000, MANY)
def test_words_that_a_tokenizer_deleted(n, own_list):
    own_list.clear()
    tokenizer = own_tokenizer()
    found = strings(7)
    texts = ["".join(random.Random(seed).choices(HAN[:4000], k=4)) for seed in range(n)]
    made = [word for text in texts for word in tokenizer.lcut(text) if len(word) > 1 and not tokenizer.FREQ.get(word)]
    before = [jieba_cutter(keep_blanks=True)(text) for text in texts]
    for word in [*made[:2000], *found.words[:3000:7]]:
        tokenizer.del_word(word)

    assert_the_same(texts, compiled_jieba_cutter(tokenizer, keep_blanks=True), tokenizer)
    assert_the_same(texts[::5], jieba_cutter(tokenizer, keep_blanks=True), tokenizer)
    assert [tokenizer.lcut(text) for text in texts] != before
    # and no other dictionary knows of it
    assert [jieba_cutter(keep_blanks=True)(text) for text in texts] == before
    assert [compiled_jieba_cutter(keep_blanks=True)(text) for text in texts] == before


def test_words_of_a_tokenizer_are_those_of_the_moment():
    tokenizer = own_tokenizer()
    first = jieba_dictionary(tokenizer)
    assert jieba_dictionary(tokenizer) is first
    assert compiled_jieba_cutter(tokenizer)("石墨烯量子点") == tokenizer.lcut("石墨烯量子点")

    tokenizer.add_word("石墨烯量子点", 100)
    second = jieba_dictionary(tokenizer)

    assert second.digest != first.digest
    assert compiled_jieba_cutter(second)("石墨烯量子点") == ["石墨烯量子点"]
    assert compiled_jieba_cutter(first)("石墨烯量子点") == original().lcut("石墨烯量子点")
    tokenizer.add_word("石墨烯量子点", 101)
    assert jieba_dictionary(tokenizer).digest not in (first.digest, second.digest)


@pytest.mark.slow
def test_own_words_in_a_tokenizer_cut_as_jieba_does():
    assert_the_same(strings(8).random(2000), compiled_jieba_cutter(jieba.Tokenizer(), keep_blanks=True), original())


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"石墨烯量": 5}, id="a word without its beginnings"),
        pytest.param({"石": 2.5}, id="a frequency that is no whole number"),
        pytest.param({}, id="nothing"),
    ],
)
def test_a_dictionary_that_does_not_fit_is_cut_by_jieba(change):
    tokenizer = own_tokenizer()
    tokenizer.FREQ.update(change)

    assert (jieba_tables.jieba_tables(jieba_dictionary(tokenizer)) is None) == bool(change)
    assert_the_same(["石墨烯量子点", "今天天气"], compiled_jieba_cutter(tokenizer), tokenizer)


@pytest.mark.slow
def test_too_many_frequencies_are_cut_by_jieba():
    tokenizer = own_tokenizer()
    for number, word in enumerate(itertools.islice(strings(0).words, 70_000)):
        tokenizer.FREQ[word] = 10**7 + number
    assert jieba_tables.jieba_tables(jieba_dictionary(tokenizer)) is None
    assert_the_same(strings(9).random(200), compiled_jieba_cutter(tokenizer, keep_blanks=True), tokenizer)


# The file that the tables are kept in


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder for files, and no tables in memory."""
    monkeypatch.setenv("POLYROUGE_CACHE_DIR", str(tmp_path / "kept"))
    monkeypatch.setattr(jieba_tables, "_LOADED", {})
    return tmp_path / "kept"


TEXT = "她边边边地笑，我们来到北京大学"


def test_tables_are_kept_and_read_again(folder, monkeypatch):
    expected = original().lcut(TEXT)
    assert compiled_jieba_cutter()(TEXT) == expected
    (file,) = folder.iterdir()

    jieba_tables._LOADED.clear()
    monkeypatch.setattr(jieba_tables, "_build", None)  # would raise
    assert compiled_jieba_cutter()(TEXT) == expected
    assert list(folder.iterdir()) == [file]


@pytest.mark.parametrize("damaged", [lambda whole: whole[:5000], lambda whole: whole[:100_000] + whole[100_001:]])
def test_a_damaged_file_is_made_again(folder, damaged):
    assert compiled_jieba_cutter()(TEXT) == original().lcut(TEXT)
    (file,) = folder.iterdir()
    file.write_bytes(damaged(file.read_bytes()))

    jieba_tables._LOADED.clear()
    assert compiled_jieba_cutter()(TEXT) == original().lcut(TEXT)
    assert jieba_tables.read_arrays(file.stem) is not None


def test_a_folder_that_can_not_be_written_to(folder):
    folder.write_text("a file where the folder would be")
    assert compiled_jieba_cutter()(TEXT) == original().lcut(TEXT)
    assert folder.is_file()


def test_the_latest_files_stay(folder):
    for n in range(20):
        jieba_tables.write_arrays(str(n), {})
        os.utime(folder / f"{n}.npz", (n, n))
    assert {file.stem for file in folder.iterdir()} == {*map(str, range(4, 20))}


# Another jieba, or none


def test_another_jieba_cuts_itself_and_says_so(monkeypatch):
    monkeypatch.setattr(jieba_tables, "jieba_version", lambda: "0.43")
    monkeypatch.setattr("polyrouge.counting.compiled.jieba_cutter.jieba_version", lambda: "0.43")
    assert compiled_jieba_cutter()(TEXT) == original().lcut(TEXT)
    for convention in ("zh_word", "rouge_chinese", "xlsum"):  # which are compiled in three ways
        with pytest.warns(UserWarning, match=r"jieba 0\.43 is installed.*pip install jieba==0\.42\.1"):
            Rouge(convention, engine="compiled").compute([TEXT], [TEXT])


@pytest.mark.parametrize("engine", ["plain", "compiled"])
@pytest.mark.process
def test_without_jieba_it_says_what_to_install(engine):
    code = (
        "import sys; sys.modules['jieba'] = None; from polyrouge import Rouge\n"
        f"Rouge('llama_factory', engine={engine!r}).compute(['今天'], ['天气'])"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", env=environment)
    assert done.stderr.splitlines()[-1].startswith("ModuleNotFoundError: ")
    assert "pip install jieba==0.42.1" in done.stderr
