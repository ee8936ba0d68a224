"""What the process, or another one, does to jieba and to the kept tables moves no word and hangs nothing."""

import contextlib
import copy
import itertools
import marshal
import os
import sys
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


EIGHT_THREADS = """
import threading
from concurrent.futures import ThreadPoolExecutor
from polyrouge import Rouge

start = threading.Barrier(8)


def score(number):
    start.wait()
    rouge = Rouge("zh_word", rouge_types=["rouge1"], jieba_hmm=number % 2 == 0)
    return rouge.compute(["他来到了网易杭研大厦"] * 50, ["杭研大厦"] * 50)["rouge1"]


with ThreadPoolExecutor(8) as threads:  # with the HMM 杭研 is a word
    assert list(threads.map(score, range(8))) == [2 * 2 / (6 + 2), 2 * 3 / (7 + 3)] * 4
"""


def test_threads_that_load_jieba_at_once_and_print_nothing(tmp_path):
    done = run_program(EIGHT_THREADS, PYTHONWARNINGS="always", POLYROUGE_CACHE_DIR=str(tmp_path))
    assert (done.stdout, done.stderr) == ("", "")


UNCHANGED = f"""
import jieba
from polyrouge.counting.compiled.jieba_tables import compiled_jieba_cutter
assert compiled_jieba_cutter(keep_blanks=True)({TEXT!r}) == jieba.lcut({TEXT!r})
"""


def test_a_changed_jieba_changes_no_word_and_no_kept_table(tmp_path):
    """Nor do three processes that make the tables at once."""
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda code: run_program(code, POLYROUGE_CACHE_DIR=str(tmp_path)), [PATCHED] * 3))
    run_program(UNCHANGED, POLYROUGE_CACHE_DIR=str(tmp_path))
    assert len(list(tmp_path.iterdir())) == 1


def test_frequencies_that_look_alike_are_two_dictionaries():
    one, two = jieba.Tokenizer(), jieba.Tokenizer()
    one.FREQ, two.FREQ = {"a": 5, "b": 3}, {"a 5\nb": 3, "c": 5}
    one.total = two.total = 8
    one.initialized = two.initialized = True
    assert jieba_dictionary(one).digest != jieba_dictionary(two).digest


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
@pytest.mark.parametrize(
    ("mode", "owner", "is_read"),
    [(0o600, 0, True), (0o620, 0, False), (0o602, 0, False), (0o600, 54321, False)],
    ids=["private", "group", "all", "owner"],
)
@pytest.mark.usefixtures("cache")
def test_a_file_that_others_can_write_to_is_not_read(monkeypatch, mode, owner, is_read):
    monkeypatch.setattr(jieba_tables.os, "geteuid", lambda: 12345)
    status = os.stat_result((0o100000 | mode, 0, 0, 1, owner, 0, 0, 0, 0, 0))
    monkeypatch.setattr(jieba_tables.os, "fstat", lambda _: status)
    assert (read_arrays("a") is not None) == is_read


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
    assert [path.name for path in cache.iterdir()] == ["a.npz"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_while_a_thread_loads_does_not_hang():
    run_program("""
import os, signal, sys, threading
from polyrouge import Rouge
from polyrouge.texts import jieba_words
jieba_words.jieba_cutter()("今天")
locks = [jieba_words._LOADING.held(), threading.RLock()]
sys.modules["_polyrouge_jieba"].DICT_WRITING[None] = locks[1]  # as while jieba loads its dictionary
held = threading.Event()
def hold():
    [lock.__enter__() for lock in locks]
    held.set()
    threading.Event().wait()
threading.Thread(target=hold, daemon=True).start()
held.wait()
child = os.fork()
if not child:
    signal.alarm(30)
    Rouge("zh_word", engine="plain").compute(["今天"], ["今天"])
    jieba_words._load_own_words()
    os._exit(0)
os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
""")


def test_the_version_is_that_of_the_jieba_that_is_imported(tmp_path):
    (tmp_path / "jieba").mkdir()
    (tmp_path / "jieba" / "__init__.py").write_text("__version__ = '0.39'\n")
    code = "from polyrouge.texts.jieba_words import jieba_version; print(jieba_version())"
    assert run_program(code, PYTHONPATH=os.pathsep.join([str(tmp_path), str(ROOT)])).stdout == "0.39\n"


def test_a_user_dictionary_named_jieba_is_not_taken_for_jiebas_own(tmp_path):
    (tmp_path / "jieba").write_text("今天天气 5\n", encoding="utf-8")
    signature = RougeSettings(tokenizer="jieba", jieba_dict=str(tmp_path / "jieba")).signature()
    with pytest.raises(ValueError, match="jieba_dict="):
        RougeSettings.from_signature(signature)


ODD_DICTIONARIES = {
    "empty": b"",
    "BOM": "\ufeff今天天气 5\n石墨烯 3 n\n".encode(),
    "BOM alone": "\ufeff\n".encode(),
    "blanks in words": "今天 天气 5\nEdu Trust认证 20\n今天\t天气\t5\n".encode(),
    "huge": f"今天天气 {10**30}\n石墨烯 {2**64}\n".encode(),
    "more than a float": f"今天天气 {10**400}\n".encode(),
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


@pytest.fixture(scope="module")
def original():
    tokenizer = jieba.Tokenizer()
    tokenizer.initialize()
    return tokenizer


@pytest.mark.parametrize("content", ODD_DICTIONARIES.values(), ids=ODD_DICTIONARIES)
def test_odd_user_dictionaries(tmp_path, monkeypatch, original, content):
    path = tmp_path / "words.txt"
    path.write_bytes(content)
    monkeypatch.setattr(jieba.finalseg, "Force_Split_Words", set())
    tokenizer = copy.copy(original)
    tokenizer.FREQ = dict(original.FREQ)
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


# Words that the process adds to jieba's global dictionary are told of once, by each tool.
ADDED = """
import sys, warnings
import jieba
from polyrouge import Rouge, RougeWarning


def told(convention="zh_word", **settings):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = Rouge(convention, rouge_types=["rouge1"], **settings).compute(["云计算平台"], ["云计算 平台"])
    return sum(issubclass(each.category, RougeWarning) for each in caught), result


jieba.initialize()
n, before = told()
assert n == 0
getattr(jieba, sys.argv[1])(sys.argv[2])
assert told("zh_char")[0] == 0
for tokenizer in ("jieba", "sumeval_zh", "xlsum_chinese"):
    assert [told(tokenizer=tokenizer)[0] for _ in range(2)] == [1, 0]
assert told() == (0, before)
if sys.argv[1] == "add_word":
    n, with_word = told(jieba_dict=jieba.dt)
    assert n == 0 and with_word != before
jieba.add_word("石墨烯量子点")
assert told("llama_factory")[0] == 1  # of a new change
"""


@pytest.mark.parametrize(
    ("change", "argument"), [("add_word", "云计算平台"), ("del_word", "天气"), ("set_dictionary", "words.txt")]
)
def test_words_that_are_added_to_jieba_itself_are_told_of(tmp_path, change, argument):
    (tmp_path / "words.txt").write_text("云计算 5\n", encoding="utf-8")
    program = f"import sys; sys.argv = ['', {change!r}, {argument!r}]\n{ADDED}"
    run_program(program, cwd=tmp_path, POLYROUGE_CACHE_DIR=str(tmp_path / "cache"))


def test_the_size_of_jiebas_dictionary_is_that_of_its_file():
    dictionary = jieba_words.jieba_dictionary().tokenizer
    assert (len(dictionary.FREQ), dictionary.total) == jieba_words._own_size() == jieba_words._KNOWN_SIZE
