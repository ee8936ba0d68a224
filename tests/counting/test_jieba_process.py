"""What the process, or another one, does to jieba and to the kept tables moves no word and hangs nothing."""

import contextlib
import itertools
import marshal
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import Mock

import jieba
import numpy as np
import pytest
from new_process import ROOT, run_program

from polyrouge import Rouge, RougeSettings
from polyrouge.counting.compiled import jieba_tables
from polyrouge.counting.compiled.jieba_tables import compiled_jieba_cutter, read_arrays, write_arrays
from polyrouge.texts import jieba_words
from polyrouge.texts.jieba_words import jieba_cutter, jieba_dictionary

pytestmark = pytest.mark.process
TEXT = "他来到了网易杭研大厦 her name"


PATCHED = """
import jieba, jieba.finalseg, re, sys
from polyrouge.texts.jieba_words import jieba_cutter
from polyrouge.counting.compiled.jieba_tables import compiled_jieba_cutter
text = "他来到了网易杭研大厦 her name"
expected = jieba.lcut(text)
jieba.re_han_default = re.compile("(.+)", re.U)  # as those do who want words with blanks
for state in jieba.finalseg.emit_P.values():
    state.clear()
jieba.finalseg.Force_Split_Words.add("杭研")
jieba.Tokenizer.get_DAG = lambda self, sentence: {k: [k] for k in range(len(sentence))}
jieba.dt.add_word("到了网易", 10**9)
assert jieba.lcut(text) != expected
assert jieba_cutter(keep_blanks=True)(text) == expected
assert compiled_jieba_cutter(keep_blanks=True)(text) == expected
"""


# Nothing is printed, whatever is loaded first, and in however many threads.
EIGHT_THREADS = """
import threading
from concurrent.futures import ThreadPoolExecutor
from polyrouge import Rouge
from polyrouge.texts.jieba_words import jieba_cutter

start = threading.Barrier(8)


def work(index):
    start.wait()
    rouge = Rouge("zh_word", rouge_types=["rouge1"], jieba_hmm=index % 2 == 0)
    return rouge.compute(["他来到了网易杭研大厦"] * 50, ["杭研大厦"] * 50)["rouge1"]


with ThreadPoolExecutor(8) as threads:  # with the HMM 杭研 is a word
    assert list(threads.map(work, range(8))) == [2 * 2 / (6 + 2), 2 * 3 / (7 + 3)] * 4
assert jieba_cutter("words.txt")("云计算") == ["云计算"]
"""


def test_loading_jieba_prints_nothing(tmp_path):
    (tmp_path / "words.txt").write_text("云计算 5\n", encoding="utf-8")
    done = run_program(EIGHT_THREADS, cwd=tmp_path, PYTHONWARNINGS="always", POLYROUGE_CACHE_DIR=str(tmp_path))
    assert (done.stdout, done.stderr) == ("", "")


UNCHANGED = f"""
import jieba
from polyrouge.counting.compiled.jieba_tables import compiled_jieba_cutter
assert compiled_jieba_cutter(keep_blanks=True)({TEXT!r}) == jieba.lcut({TEXT!r})
"""


def test_a_changed_jieba_changes_no_word_and_no_kept_table(tmp_path):
    for code in (PATCHED, UNCHANGED):
        run_program(code, POLYROUGE_CACHE_DIR=str(tmp_path))
        assert len(list(tmp_path.iterdir())) == 1


def test_frequencies_that_look_alike_are_other_dictionaries():
    whole, part = jieba.Tokenizer(), jieba.Tokenizer()
    whole.add_word("石墨烯量子", 5)
    part.initialize()
    part.FREQ["石墨烯量子"] = 5  # without its beginnings, so that jieba does not find it
    part.total += 5
    for tokenizer in (whole, part):
        assert compiled_jieba_cutter(tokenizer)("石墨烯量子点") == tokenizer.lcut("石墨烯量子点")
    one, other = jieba.Tokenizer(), jieba.Tokenizer()
    one.FREQ, other.FREQ = {"a": 5, "b": 3}, {"a 5\nb": 3, "c": 5}
    one.total = other.total = 8
    one.initialized = other.initialized = True
    assert jieba_dictionary(one).digest != jieba_dictionary(other).digest


def test_words_added_by_another_thread_meanwhile():
    tokenizer = jieba.Tokenizer()
    tokenizer.FREQ, tokenizer.total, tokenizer.initialized = {"今": 5, "天": 5, "今天": 50}, 60, True
    stop = threading.Event()

    def add() -> None:
        n = 0
        while not stop.is_set():
            n += 1
            tokenizer.add_word(chr(0x4E00 + n % 20_000) * 2, 1 + n % 2)
            if n % 20_000 == 0:
                tokenizer.del_word("今天")

    before, interval = set(jieba.finalseg.Force_Split_Words), sys.getswitchinterval()
    thread = threading.Thread(target=add)
    sys.setswitchinterval(1e-6)
    thread.start()
    try:
        for _ in range(150):
            words = jieba_words._words_of(tokenizer)
            assert len(words.words) == len(words.frequencies)
    finally:
        stop.set()
        thread.join()
        sys.setswitchinterval(interval)
        jieba.finalseg.Force_Split_Words.clear()
        jieba.finalseg.Force_Split_Words.update(before)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """The cache folder of a test, with arrays in it."""
    monkeypatch.setenv("POLYROUGE_CACHE_DIR", str(tmp_path))
    write_arrays("a", {"one": np.arange(300), "other": np.zeros(2)})
    return tmp_path


def test_a_damaged_file_is_no_file(cache):
    whole = (cache / "a.npz").read_bytes()
    for place in range(0, len(whole), 37):
        damaged = bytearray(whole)
        damaged[place] ^= 1
        (cache / "a.npz").write_bytes(damaged)
        arrays = read_arrays("a")  # of a zip file some bytes say nothing, such as times
        assert arrays is None or arrays.get("one", np.arange(300)).tolist() == [*range(300)]
    (cache / "a.npz").write_bytes(whole[: len(whole) // 2])
    assert read_arrays("a") is None


@pytest.mark.skipif(sys.platform == "win32", reason="rights of files as Unix has them")
@pytest.mark.parametrize("mode", [0o622, 0o662, 0o606])
def test_a_file_that_others_can_write_to_is_not_read(cache, mode):
    (cache / "a.npz").chmod(mode)
    assert read_arrays("a") is None


def test_a_file_of_somebody_else_is_not_read(cache, monkeypatch):
    assert cache
    monkeypatch.setattr(jieba_tables.os, "geteuid", lambda: 12345, raising=False)
    monkeypatch.setattr(jieba_tables.os, "fstat", lambda _: os.stat_result((0o100600, 0, 0, 1, 54321, 0, 0, 0, 0, 0)))
    assert read_arrays("a") is None


def test_a_file_that_jieba_left_for_all_users_is_not_read(tmp_path):
    """Another user of the machine can put words into it."""
    planted = marshal.dumps(({"今天天": 10**6, "今": 1, "今天": 1}, 10**6))
    for name in ("jieba.cache", f"jieba.{jieba_words._own_digest()[:16]}.cache"):
        (tmp_path / name).write_bytes(planted)
    code = (
        "from polyrouge.texts.jieba_words import jieba_cutter\n"
        "from polyrouge.counting.compiled.jieba_tables import compiled_jieba_cutter\n"
        "words = ['今天天气', '很', '好']\n"
        "assert jieba_cutter()('今天天气很好') == compiled_jieba_cutter()('今天天气很好') == words\n"
        "import jieba\n"
        "assert jieba_cutter(jieba.Tokenizer())('今天天气很好') == words"
    )
    run_program(code, TMPDIR=str(tmp_path), POLYROUGE_CACHE_DIR=str(tmp_path / "own"))


def test_a_user_without_a_home_gets_no_folder_here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("POLYROUGE_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "~nobody-of-that-name/cache")
    write_arrays("a", {})
    assert read_arrays("a") is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("error", "seen"), [(KeyboardInterrupt, KeyboardInterrupt), (OSError(28, "No space"), ())])
def test_a_write_that_is_broken_off_leaves_nothing(cache, monkeypatch, error, seen):
    monkeypatch.setattr(jieba_tables.os, "replace", Mock(side_effect=error))
    with pytest.raises(seen) if seen else contextlib.nullcontext():
        write_arrays("b", {})
    assert [each.name for each in cache.iterdir()] == ["a.npz"]


def test_processes_that_make_the_tables_at_once(tmp_path):
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda _: run_program(UNCHANGED, POLYROUGE_CACHE_DIR=str(tmp_path)), range(3)))
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_while_a_thread_loads_does_not_hang():
    run_program(
        """
import os, signal, sys, threading
from polyrouge.counting.compiled import jieba_tables
from polyrouge.texts import jieba_words
from polyrouge import Rouge
Rouge('zh_word', engine='compiled').compute(['今天'], ['今天'])
locks = [jieba_tables._MAKING.held(), jieba_words._LOADING.held()]
jieba_words.jieba_cutter()('今天')
locks += [jieba_words._IMPORTING.held(), threading.RLock()]
sys.modules['_polyrouge_jieba'].DICT_WRITING[None] = locks[-1]  # as while it loads its dictionary
held = threading.Event()
def hold():
    [lock.acquire() for lock in locks]
    held.set()
    threading.Event().wait()
threading.Thread(target=hold, daemon=True).start()
held.wait()
child = os.fork()
if not child:
    signal.alarm(30)
    for name in ('zh_word', 'rouge_chinese', 'default'):
        Rouge(name, engine='compiled').compute(['今天'], ['今天'])
    jieba_words._load_own_words()
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
os._exit(0)
"""
    )


def test_the_version_is_that_of_the_jieba_that_is_imported(tmp_path):
    folder = tmp_path / "jieba"
    folder.mkdir()
    (folder / "__init__.py").write_text("__version__ = '0.39'\n")
    code = "from polyrouge.texts.jieba_words import jieba_version; print(jieba_version())"
    assert run_program(code, PYTHONPATH=os.pathsep.join([str(tmp_path), str(ROOT)])).stdout == "0.39\n"


def test_a_user_dictionary_named_jieba_is_not_taken_for_jiebas_own(tmp_path):
    path = tmp_path / "jieba"
    path.write_text("今天天气 5\n", encoding="utf-8")
    settings = Rouge("zh_word", jieba_dict=str(path)).settings
    with pytest.raises(ValueError, match="jieba_dict="):
        RougeSettings.from_signature(settings.signature())
    assert RougeSettings.from_signature(settings.signature(), jieba_dict=str(path)) == settings


ODD_DICTIONARIES = {
    "empty": b"",
    "BOM": "\ufeff今天天气 5\n石墨烯 3 n\n".encode(),
    "BOM alone": "\ufeff\n".encode(),
    "tabs": "今天\t天气\t5\n石墨烯\t3\n".encode(),
    "blanks in words": "今天 天气 5\nEdu Trust认证 20\n".encode(),
    "huge": f"今天天气 {10**30}\n石墨烯 {2**64}\n".encode(),
    "huge, more than a float": f"今天天气 {10**400}\n".encode(),
    "negative": "今天 -5\n石墨烯 -1 n\n".encode(),
    "zero": "今天 0\n天 0\n气\n杭研 0\n杭研 3\n".encode(),
    "one character": "今 100000000\n天 99999999\n石\na 5\n- 7\n".encode(),
    "carriage returns": "今天天气 5\r\n石墨烯 3\r\r\n".encode(),
    "other characters": "今\u3000天 5\n😀😀 9\n今😀 8\n\x00今 4\n".encode(),
    "tags only": "今天天气 n\n石墨烯 nz\n5\n 7\n".encode(),
    "borders": "\u9fd5\u9fd5 5\n\u9fd5\u9fd6 5\n\u4dff\u4e00 5\n\u4e00\u9fd5\n".encode(),
    "long": ("边" * 300 + " 5\n").encode(),
}
TEXTS = [
    *("今天天气很好，石墨烯量子点", "今天\u3000天气 今😀今 \x00今天", "Edu Trust认证 a-b-c 3.14% C++ -今- ", TEXT),
    *("\u9fd5\u9fd5\u9fd6\u9fd5\u4dff\u4e00\u9fd5\u9fd6", "边" * 1000, "今 天\r\n今天\r\n\n"),
    *("他她它们今今天天气气气", "\U0010ffff今\x00\x00"),
]


@pytest.mark.parametrize("content", ODD_DICTIONARIES.values(), ids=ODD_DICTIONARIES)
def test_odd_user_dictionaries(tmp_path, monkeypatch, content):
    path = tmp_path / "words.txt"
    path.write_bytes(content)
    monkeypatch.setattr(jieba.finalseg, "Force_Split_Words", set())
    tokenizer = jieba.Tokenizer()
    with open(path, "rb") as lines:
        tokenizer.load_userdict(lines)
    makers = [(compiled_jieba_cutter, str(path)), (compiled_jieba_cutter, tokenizer), (jieba_cutter, str(path))]
    for hmm, (make, words) in itertools.product([True, False], makers):
        cut = make(words, hmm=hmm, keep_blanks=True)
        for text in TEXTS:
            assert cut(text) == tokenizer.lcut(text, HMM=hmm), (make, text, hmm)


def test_a_dictionary_that_changes_between_calls(tmp_path):
    path = tmp_path / "words.txt"
    texts = ["石墨烯量子点"], ["石墨烯量子点"]
    for engine in ("plain", "compiled", "auto"):
        path.write_text("石墨烯量子点 5\n", encoding="utf-8")
        rouge = Rouge("zh_word", engine=engine, jieba_dict=str(path), rouge_types=["rouge1", "rouge2"])
        assert rouge.compute(*texts) == {"rouge1": 1.0, "rouge2": 0.0}
        path.write_text("石墨烯 5\n量子点 5\n", encoding="utf-8")
        assert rouge.compute(*texts) == {"rouge1": 1.0, "rouge2": 1.0}


def test_a_million_characters_without_a_blank():
    n = 1_000_000
    texts = ["今天天气真好" * (n // 6), "a1.%" * (n // 4), "。" * n, "\U00020000" * n]
    cut = compiled_jieba_cutter(keep_blanks=True)
    for text in texts:
        words = cut(text)
        assert "".join(words) == text
    assert cut(texts[0])[:3000] == jieba.lcut(texts[0][:9000])[:3000]


# Words that the process adds to jieba's global dictionary are told of once, by each way to add them.
ADDED = """
import sys, warnings
import jieba
from polyrouge import Rouge, RougeWarning

CHANGES = {
    "add_word": lambda: jieba.add_word("云计算平台"),
    "del_word": lambda: jieba.del_word("天气"),
    "load_userdict": lambda: jieba.load_userdict("words.txt"),
    "suggest_freq": lambda: jieba.suggest_freq("很好的", tune=True),
    "set_dictionary": lambda: jieba.set_dictionary("words.txt"),
    "nothing": jieba.initialize,
}


def told(rouge):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = rouge.compute(["云计算平台"], ["云计算 平台"])
    return [str(each.message) for each in caught if issubclass(each.category, RougeWarning)], result


change = sys.argv[1]
rouge, characters = Rouge("zh_word", rouge_types=["rouge1"]), Rouge("zh_char", rouge_types=["rouge1"])
messages, before = told(rouge)
assert messages == []
CHANGES[change]()
assert told(characters)[0] == []
if change != "set_dictionary":
    assert told(Rouge("zh_word", rouge_types=["rouge1"], jieba_dict=jieba.dt))[0] == []
for tool in ("sumeval_zh", "xlsum_chinese"):
    for again in range(2):
        said = told(Rouge("zh_word", rouge_types=["rouge1"], tokenizer=tool))[0]
        assert len(said) == (not again and change != "nothing"), said
        assert all(f"don't use them. The tokenizer {tool!r} cuts by what jieba ships alone" in each for each in said)
for again in range(2):
    messages, result = told(Rouge("llama_factory", rouge_types=["rouge1"]) if again else rouge)
    assert len(messages) == (not again and change != "nothing"), messages
    assert all("these scores don't use them. jieba_dict=jieba.dt does" in each for each in messages)
    assert again or result == before
if change == "add_word":
    assert told(Rouge("zh_word", rouge_types=["rouge1"], jieba_dict=jieba.dt))[1] != before
    jieba.add_word("石墨烯量子点")
    assert len(told(rouge)[0]) == 1  # of a new change
"""


@pytest.mark.parametrize(
    "change", ["add_word", "del_word", "load_userdict", "suggest_freq", "set_dictionary", "nothing"]
)
def test_words_that_are_added_to_jieba_itself_are_told_of(tmp_path, change):
    (tmp_path / "words.txt").write_text("云计算 5\n", encoding="utf-8")
    run_program(f"import sys; sys.argv = ['', {change!r}]\n{ADDED}", cwd=tmp_path, POLYROUGE_CACHE_DIR=str(tmp_path))


def test_the_size_of_jiebas_dictionary_is_that_of_its_file():
    dictionary = jieba_words.jieba_dictionary().tokenizer
    assert (len(dictionary.FREQ), dictionary.total) == jieba_words._own_size() == jieba_words._KNOWN_SIZE
