"""jieba as a kernel, against jieba itself: not one word may differ, ties included."""

import copy
import itertools
import os
import random
from functools import cache

import jieba
import pytest
import shared_data
from amounts import few_or_many
from fuzz_rounds import rounds
from jieba_strings import HAN, JiebaStrings
from new_process import run_program

from polyrouge import Rouge
from polyrouge.counting.compiled import jieba_tables
from polyrouge.counting.compiled.jieba_tables import compiled_jieba_cutter
from polyrouge.counting.compiled.text_counter import text_counter
from polyrouge.texts.jieba_words import jieba_cutter, jieba_dictionary

MANY = 6_000


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


def assert_the_same(texts, tokenizer, words=None, hmm=True):
    """The kernel and our copy of jieba cut as this tokenizer."""
    cutters = [make(words, hmm=hmm, keep_blanks=True) for make in (compiled_jieba_cutter, jieba_cutter)]
    for text in texts:
        expected = tokenizer.lcut(text, HMM=hmm)
        assert [cut(text) for cut in cutters] == [expected, expected], (text, hmm)


def repeated_characters(n):
    assert len(HAN) == 20_950
    return (character * times for character in HAN[:: len(HAN) // n] for times in range(2, 8))


def words_of_the_dictionary(n):
    words = strings(0).words
    return words[:: len(words) // n]


def patterns_of_two_characters(n):
    draw = random.Random(0)
    common = [word for word, frequency in original().FREQ.items() if len(word) == 1 and frequency > 10_000]
    pairs = ((draw.choice(common), draw.choice(HAN if draw.random() < 0.3 else common)) for _ in range(n))
    patterns = ("AAB", "ABB", "AABB", "ABAB", "ABBA", "ABABAB")
    return (pattern.replace("A", a).replace("B", b) for a, b in pairs for pattern in patterns)


# What draws strings, with HMM or without, and how many in the fast set and in the other: over 300,000 strings in all.
DRAWS = {
    "characters": (repeated_characters, True, 300, 20_950),
    "words": (words_of_the_dictionary, True, 1_500, 116_000),
    "patterns": (patterns_of_two_characters, True, 400, 10_000),
    "periodic": (lambda n: strings(1).periodic(n), True, 1_000, 50_000),
    "random": (lambda n: strings(3).random(n), True, 600, MANY),
    "random without HMM": (lambda n: strings(2).random(n), False, 600, MANY),
}


@pytest.mark.parametrize("is_many", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("draw", "hmm", "few", "many"), DRAWS.values(), ids=DRAWS)
def test_strings(draw, hmm, few, many, is_many):
    assert_the_same(draw(many if is_many else few), original(), hmm=hmm)


def test_a_tie_is_cut_as_jieba_cuts_it():
    assert compiled_jieba_cutter()("她边边边地笑") == ["她", "边", "边边", "地", "笑"]


def test_the_shortest_texts():
    assert_the_same(["", " ", "。", "a", "今", "\r\n", "\r", "今\r", "😀", "\0"], original())


@pytest.mark.parametrize("n", [63, 64, 65, 1000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_long_runs(n):
    texts = ["边" * n, "今天天气" * n, "1" * n, "." * n, "啊a" * n, "。" * n, "龘" * n]
    assert_the_same(texts, original())


@shared_data.needs_shared
@pytest.mark.parametrize("hmm", [True, False])
def test_real_texts(hmm):
    rows = shared_data.all_data_rows()
    texts = {text for row in rows for text in (row["prediction"], *row["references"])}
    texts = sorted(text for text in texts if any("\u4e00" <= character <= "\u9fd5" for character in text))
    assert len(texts) > 2500
    assert_the_same(texts[hmm::2], original(), hmm=hmm)


@pytest.mark.parametrize("hmm", [True, False])
def test_fuzz(hmm):
    for rng in rounds(f"jieba, 500 strings, {hmm=}", 1, 0.05):
        found = strings(rng.getrandbits(32))
        assert_the_same([*found.random(400, 20), *found.periodic(100)], original(), hmm=hmm)


# Other dictionaries


@pytest.fixture
def own_list():
    """jieba's list of deleted words, as it was before the test."""
    listed = jieba.finalseg.Force_Split_Words
    before = set(listed)
    yield listed
    listed.clear()
    listed.update(before)


@few_or_many(150, MANY)
def test_user_dictionary(n, tmp_path, own_list):
    own_list.clear()
    lines = strings(5).user_words(1500)
    path = tmp_path / "words.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    tokenizer = jieba.Tokenizer()
    with open(path, "rb") as file:
        tokenizer.load_userdict(file)
    ours = jieba_dictionary(str(path)).tokenizer
    assert (ours.FREQ, ours.total, ours.deleted_words) == (tokenizer.FREQ, tokenizer.total, own_list)
    assert len(own_list) > 100

    for hmm in (True, False):
        texts = strings(5).with_words([line.split(" ")[0] for line in lines], n)
        assert_the_same(texts, tokenizer, str(path), hmm)


@few_or_many(150, MANY)
def test_words_that_a_tokenizer_deleted(n, own_list):
    own_list.clear()
    tokenizer = own_tokenizer()
    texts = ["".join(random.Random(seed).choices(HAN[:4000], k=4)) for seed in range(n)]
    guesses = [
        word for text in texts for word in tokenizer.lcut(text) if len(word) > 1 and not tokenizer.FREQ.get(word)
    ]
    before = [jieba_cutter(keep_blanks=True)(text) for text in texts]
    for word in [*guesses[:2000], *strings(7).words[:3000:7]]:
        tokenizer.del_word(word)

    assert_the_same(texts, tokenizer, tokenizer)
    assert [tokenizer.lcut(text) for text in texts] != before
    for make in (jieba_cutter, compiled_jieba_cutter):  # no other dictionary knows of it
        assert [make(keep_blanks=True)(text) for text in texts] == before


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
    assert_the_same(["石墨烯量子点", "今天天气"], tokenizer, tokenizer)


@pytest.mark.slow
def test_too_many_frequencies_are_cut_by_jieba():
    tokenizer = own_tokenizer()
    for number, word in enumerate(itertools.islice(strings(0).words, 70_000)):
        tokenizer.FREQ[word] = 10**7 + number
    assert jieba_tables.jieba_tables(jieba_dictionary(tokenizer)) is None
    assert_the_same(strings(9).random(200), tokenizer, tokenizer)


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
    with monkeypatch.context() as changes:
        changes.setattr(jieba_tables, "_build", None)  # would raise
        assert compiled_jieba_cutter()(TEXT) == expected
    assert list(folder.iterdir()) == [file]

    jieba_tables._LOADED.clear()
    monkeypatch.setenv("POLYROUGE_CACHE_DIR", str(file))  # no folder
    assert compiled_jieba_cutter()(TEXT) == expected


def test_the_latest_files_stay(folder):
    for n in range(20):
        jieba_tables.write_arrays(str(n), {})
        os.utime(folder / f"{n}.npz", (n, n))
    assert {file.stem for file in folder.iterdir()} == {*map(str, range(4, 20))}


# Another jieba, or none


@pytest.mark.filterwarnings("ignore:jieba.dt, which:polyrouge.errors.RougeWarning")  # other tests change it
def test_another_jieba_cuts_itself_and_says_so(monkeypatch):
    monkeypatch.setattr(jieba_tables, "jieba_version", lambda: "0.43")
    assert compiled_jieba_cutter()(TEXT) == original().lcut(TEXT)
    text_counter.cache_clear()
    for convention in ("zh_word", "rouge_chinese", "xlsum"):  # which are read in three ways
        with pytest.warns(UserWarning, match=r"jieba 0\.43 is installed.*pip install jieba==0\.42\.1"):
            Rouge(convention, engine="compiled").compute([TEXT], [TEXT])
    text_counter.cache_clear()


@pytest.mark.parametrize("engine", ["plain", "compiled"])
@pytest.mark.process
def test_without_jieba_it_says_what_to_install(engine):
    code = (
        "import sys; sys.modules['jieba'] = None; from polyrouge import Rouge\n"
        f"Rouge('llama_factory', engine={engine!r}).compute(['今天'], ['天气'])"
    )
    done = run_program(code, code=1)
    assert done.stderr.splitlines()[-1].startswith("ModuleNotFoundError: ")
    assert "pip install jieba==0.42.1" in done.stderr
