"""The compiled engine against the plain one: identical counts, on every setting, whatever the threads."""

import os
import subprocess
import sys
import threading
import warnings
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from numba import njit

from polyrouge import Rouge
from polyrouge.counting import engines, kernel_choice
from polyrouge.counting.compiled import engine as compiled_engine
from polyrouge.counting.compiled import token_batches as token_ids
from polyrouge.counting.compiled.kernels import weighted_lcs as weighted_lcs_kernels
from polyrouge.counting.compiled.kernels.porter import stem_in_place

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")

ROOT = Path(__file__).resolve().parents[2]
TYPES = ["rouge1", "rouge2", "rouge4", "rougeL", "rougeLsum", "rougeW", "rougeS", "rougeSU", "rougeS1", "rougeSU4"]

any_text = st.one_of(
    strategies.texts,
    st.lists(
        st.sampled_from("the cat sat on A mat ran Running. agreements, x\n \n 今天 天气。 好！".split(" ")), max_size=40
    ).map(" ".join),
    strategies.long_tokens().map(" ".join),
    st.lists(strategies.tokens(30, "abcde").map(" ".join), max_size=5).map("\n".join),
    st.text("abcXYZ019 -\n", max_size=30),
)
examples = st.lists(st.tuples(any_text, st.lists(any_text, min_size=1, max_size=3)), min_size=1, max_size=4)


def assert_same_counts(rows, **values):
    predictions, references = [prediction for prediction, _ in rows], [texts for _, texts in rows]
    values = {"rouge_types": TYPES, **values}

    plain = Rouge(engine="plain", **values).count(predictions, references)
    compiled = Rouge(engine="compiled", **values).count(predictions, references)

    for expected, actual in zip(vars(plain).values(), vars(compiled).values(), strict=True):
        assert np.array_equal(expected, actual)


@pytest.mark.parametrize("lowercase", [True, False], ids=["lower", "cased"])
@pytest.mark.parametrize("punctuation", ["drop", "keep"])
@pytest.mark.parametrize("split", ["newline", "zh", "none"])
@pytest.mark.parametrize("tokenizer", ["mixed", "ascii", "zh_char", "char", "space"])
@given(rows=examples)
@settings(max_examples=25)
def test_compiled_tokenizers(tokenizer, split, punctuation, lowercase, rows):
    assert_same_counts(
        rows, tokenizer=tokenizer, sentence_split=split, punctuation=punctuation, lowercase=lowercase, weight=1.5
    )


@pytest.mark.parametrize(
    "values",
    [
        pytest.param({"tokenizer": "jieba", "sentence_split": "zh"}, id="jieba"),
        pytest.param({"tokenizer": "unicode"}, id="unicode"),
        pytest.param({"tokenizer": str.split, "sentence_split": "auto"}, id="callable"),
        pytest.param({"sentence_split": "<q>"}, id="separator"),
        pytest.param({"sentence_split": lambda text: text.split("a")}, id="callable-split"),
        pytest.param({"normalize": "nfkc"}, id="nfkc"),
        pytest.param({"normalize": "nfkc", "sentence_split": "zh"}, id="nfkc-zh"),
        pytest.param({"normalize": None, "sentence_split": "zh"}, id="as-it-stands"),
        pytest.param({"clean": "model_output", "sentence_split": "zh"}, id="model-output"),
        pytest.param({"use_stemmer": True}, id="stems"),
        pytest.param({"use_stemmer": True, "lowercase": False, "tokenizer": "space"}, id="cased-stems"),
        pytest.param({"stop_words": ["the", "a", "on", "今"], "use_stemmer": True}, id="stop-words"),
        pytest.param({"max_words": 5}, id="words"),
        pytest.param({"max_bytes": 17}, id="bytes"),
        pytest.param({"ngram_counts": "set"}, id="sets"),
        pytest.param({"lcs": "union", "definition": "paper", "weight": 1.2}, id="paper"),
    ],
)
@given(rows=examples)
@settings(max_examples=60)
def test_other_settings(values, rows):
    assert_same_counts(rows, **values)


@njit
def stemmed_length(letters, n):
    return stem_in_place(letters, n)


@given(st.lists(st.text("aeiouybcdlstzr", min_size=1, max_size=9), min_size=1, max_size=30))
def test_stems_are_nltks(stems):
    suffixes = (
        "ational tional enci izer bli alli eli ousli ation ator ness logi icate ful ance ement ion ing ed y".split()
    )
    words = [stem + suffix for stem in stems for suffix in ("", *suffixes)]
    expected = [PorterStemmer().stem(word) if len(word) > 3 else word for word in words]
    stemmed = []
    for word in words:
        letters = np.frombuffer(f"{word} ".encode(), np.uint8).copy()
        n = stemmed_length(letters, len(word)) if len(word) > 3 else len(word)
        stemmed.append(bytes(letters[:n]).decode())

    assert expected == stemmed


def test_memory_of_stems_forgets_and_grows(monkeypatch):
    monkeypatch.setattr(token_ids, "_STEM_SLOTS", 16)
    monkeypatch.setattr(token_ids, "_STEM_MEMORIES", {False: deque(), True: deque()})
    words = [f"{stem}{ending}" for stem in ("run", "generaliz", "x", "éclat") for ending in ("s", "ing", "ation", "ed")]
    rows = [(f"{words[i % 16]} {i} {words[i % 7]}", [f"{words[i % 5]} {i} runner"]) for i in range(60)]
    rows.append((" ".join(f"{word}{i}s" for i in range(40) for word in words), [" ".join(words)]))
    rows += rows[:20]

    assert_same_counts(rows, use_stemmer=True, rouge_types=["rouge1", "rouge2", "rougeLsum"])


@given(rows=st.lists(st.tuples(any_text, st.lists(any_text, min_size=1, max_size=2)), min_size=8, max_size=12))
@settings(max_examples=20)
def test_threads_and_chunks_change_nothing(rows):
    predictions, references = [prediction for prediction, _ in rows], [texts for _, texts in rows]
    rouge = Rouge(rouge_types=TYPES, engine="compiled", output="all", confidence=0.9, n_resamples=50)
    expected = rouge.compute(predictions, references, threads=1)

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(engines._CHUNK_SAMPLES, "compiled", 2)
        for threads in (1, 2, 5):
            assert expected == rouge.compute(predictions, references, threads=threads)


@pytest.mark.parametrize(("counted", "expected"), [(3, 3), (None, 1)])
def test_cores_where_the_system_does_not_say_which_may_be_used(monkeypatch, counted, expected):
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: counted)

    assert engines._available_cores() == expected


@pytest.mark.parametrize("n_samples", [1, 150])
def test_long_texts_are_counted_beside_the_main_thread(monkeypatch, n_samples):
    """So that they can be interrupted, however few samples there are; short texts need no thread."""
    seen = []
    count_chunk = compiled_engine.count_chunk

    def count_and_tell(*arguments):
        seen.append(threading.current_thread())
        return count_chunk(*arguments)

    rouge = Rouge(engine="compiled", rouge_types=["rouge1"], threads=1)
    monkeypatch.setattr(compiled_engine, "count_chunk", count_and_tell)

    rouge.compute(["a b " * (60_000 // n_samples)] * n_samples, ["a b " * (60_000 // n_samples)] * n_samples)
    assert seen
    assert threading.main_thread() not in seen
    seen.clear()
    rouge.compute(["a b"] * n_samples, ["a b"] * n_samples)
    assert seen == [threading.main_thread()]


@pytest.mark.parametrize(
    "values",
    [{}, {"tokenizer": "ascii"}, {"sentence_split": "zh"}, {"use_stemmer": True}],
    ids=["default", "ascii", "split", "stems"],
)
@pytest.mark.parametrize(
    "texts",
    [["今天天气", "a b"], ["今天。天气", "a\nb"], ["", "..."], ["abc 今天天气很好", "x"]],
    ids=["Chinese", "sentences", "empty", "mixed"],
)
def test_warnings_are_those_of_the_plain_engine(values, texts):
    messages = []
    for engine in ("plain", "compiled"):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            Rouge(engine=engine, **values).compute(texts, texts)
        messages.append([str(warning.message) for warning in caught])

    assert messages[0] == messages[1]


def test_tables_of_weighted_lcs_in_blocks_are_the_same(monkeypatch):
    rows = [(" ".join("abcab" * 9), [" ".join("bacca" * 8), "a b c"])]
    expected = Rouge(rouge_types=["rougeW"], engine="plain").count([rows[0][0]], [rows[0][1]]).counts

    kernel = weighted_lcs_kernels._mark_path.py_func
    marked = [np.zeros(41, np.bool_) for _ in range(2)]
    ids = np.array([ord(c) for c in "abcab" * 9 + "bacca" * 8], np.int32)
    f = np.arange(100, dtype=np.float64) ** 1.2
    held = np.zeros(128, np.int64)
    held[ids[:45]] = 1
    monkeypatch.setitem(kernel.__globals__, "_fill_rows", weighted_lcs_kernels._fill_rows.py_func)
    monkeypatch.setitem(kernel.__globals__, "_walk_back", weighted_lcs_kernels._walk_back.py_func)
    kernel(ids, 0, 45, 45, 85, f, marked[0], held, 1, np.zeros(1, np.uint8))
    monkeypatch.setitem(kernel.__globals__, "_MOVES_BYTES", 46 * 3)
    kernel(ids, 0, 45, 45, 85, f, marked[1], held, 1, np.zeros(1, np.uint8))
    monkeypatch.undo()  # before anything is compiled

    assert marked[0].tolist() == marked[1].tolist()
    assert marked[0].any()
    assert np.array_equal(
        expected, Rouge(rouge_types=["rougeW"], engine="compiled").count([rows[0][0]], [rows[0][1]]).counts
    )


def test_memory_hangs_on_the_pair_not_on_the_longest_text():
    predictions, references = ["a b c", "a b\nc " * 1000], ["a b c d e " * 400_000, "b\na"]
    settings = {"rouge_types": ["rougeL", "rougeLsum"], "tokenizer": "space", "sentence_split": "newline", "threads": 1}
    expected = Rouge(engine="plain", **settings).compute(predictions, references)
    assert Rouge(engine="compiled", **settings).compute(predictions, references) == expected


COUNTS_MEMORY = """
import random, warnings
from numba.core.runtime import rtsys
from polyrouge import Rouge

warnings.simplefilter("ignore")
rng = random.Random(0)
texts = [" ".join(rng.choice("abcdefgh") + rng.choice("klmnop") for _ in range(n)) for n in (600, 5, 100, 0, 300)]
types = ["rouge1", "rouge2", "rouge3", "rougeL", "rougeLsum", "rougeW", "rougeS4", "rougeSU4", "rougeS"]
for settings in ({}, {"use_stemmer": True}, {"lcs": "pairwise_sum"}, {"lcs": "type_union"}):
    rouge = Rouge(rouge_types=types, engine="compiled", **settings)
    rouge.compute(texts, texts[::-1])
    before = rtsys.get_allocation_stats()
    for _ in range(3):
        rouge.compute(texts, texts[::-1])
    after = rtsys.get_allocation_stats()
    made, freed = after.alloc - before.alloc, after.free - before.free
    print(made > 0, made - freed)
"""


def test_kernels_give_back_all_memory():
    """Most are compiled without the counting of references, which must not lose one."""
    environment = {**os.environ, "NUMBA_NRT_STATS": "1"}
    command = [sys.executable, "-c", COUNTS_MEMORY]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["True 0"] * 4


@given(st.integers(65, 200), st.integers(1, 150), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_sentences_of_several_strips(n_reference, n_prediction, rng):
    reference = "\n".join([" ".join(rng.choices("abcdefg", k=n_reference)), "a b"])
    prediction = "\n".join([" ".join(rng.choices("abcdxyz", k=n_prediction)), "c d e"])

    assert_same_counts([(prediction, [reference])], rouge_types=["rougeLsum", "rougeL", "rougeW"])


class TestChoice:
    """``engine="auto"``, and what happens where there is nothing to compile with."""

    def test_small_inputs_neither_import_nor_compile(self):
        program = (
            "import sys; from polyrouge import Rouge; Rouge().compute(['a b\\nc'] * 50, ['a\\nb'] * 50);"
            "print('numba' in sys.modules, 'pyarrow' in sys.modules)"
        )

        printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

        assert printed.stdout == "False False\n"
        assert printed.stderr == ""

    def test_large_inputs_are_compiled(self):
        program = (
            "import sys; from polyrouge import Rouge; r = Rouge();"
            "print(r.compute(['a b\\nc' * 100] * 4000, ['a\\nb' * 100] * 4000, rouge_types=['rouge1']));"
            "print('numba' in sys.modules)"
        )

        printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

        assert printed.stdout.endswith("True\n")

    def test_without_numba_the_plain_engine_warns_once_and_counts(self):
        program = (
            "import sys; sys.modules['numba'] = None\n"
            "from polyrouge import Rouge\n"
            "r = Rouge(engine='compiled', rouge_types=['rouge1'])\n"
            "print(r.compute(['a b'], ['a c']), r.compute(['a'], ['a']))"
        )

        printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

        assert printed.stdout == "{'rouge1': 0.5} {'rouge1': 1.0}\n"
        assert printed.stderr.count("RougeWarning") == 1
        assert "plain engine gives the same scores" in printed.stderr

    def test_without_a_thread_to_be_had(self, monkeypatch):
        def refuse(_thread):
            msg = "can't start new thread"
            raise RuntimeError(msg)

        monkeypatch.setattr(kernel_choice.threading.Thread, "start", refuse)
        with kernel_choice._told_when_long():
            done = True
        assert done

    def test_through_evaluate_with_its_kernels_beside_it(self, tmp_path):
        program = (
            f"import evaluate; m = evaluate.load({str(ROOT / 'rouge_metric.py')!r}, sentence_split='none')\n"
            "p = {'predictions': ['a b c'], 'references': ['a b d']}\n"
            "print(m.compute(**p, engine='compiled') == m.compute(**p, engine='plain'))"
        )
        environment = {**os.environ, "HF_HOME": str(tmp_path)}

        printed = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment
        )

        assert printed.stdout == "True\n"


def test_eight_threads_with_eight_objects_and_a_fork_afterwards():
    texts = [f"the cat number {i} sat\non a mat {i % 7}" for i in range(3000)]
    expected = Rouge(engine="plain", rouge_types=TYPES[:4]).compute(texts, texts[::-1])

    def compute(_):
        return Rouge(engine="compiled", rouge_types=TYPES[:4], threads=2).compute(texts, texts[::-1])

    with ThreadPoolExecutor(8) as pool:
        assert [expected] * 8 == list(pool.map(compute, range(8)))
    if hasattr(os, "fork"):
        child = os.fork()
        if child == 0:
            os._exit(0 if compute(None) == expected else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_kernels_keep_to_their_arrays(pytestconfig):
    """The same texts with numba's bounds checks on: in a process of its own, with a cache of its own."""
    program = """
import random, warnings
from polyrouge import Rouge
warnings.simplefilter("ignore")
rng = random.Random(1)
WORDS = {"segment": "jieba", "punctuation": "keep", "sentence_split": "none"}
alphabet = ["a", "b", "cat", "dogs running", " ", "\\n", ". ", "今天", "。", "é", "İ", "Σ", "longerthaneight", "\\0"]
for n in (1, 1, 1, 2, 5):
    for trial in range(25):
        texts = ["".join(rng.choices(alphabet, k=rng.randint(0, rng.choice((3, 30, 200))))) for _ in range(3 * n)]
        p, r = texts[:n], [[a, b] for a, b in zip(texts[n : 2 * n], texts[2 * n :])]
        for values in ({}, {"sentence_split": "zh"}, {"use_stemmer": True}, {"ngram_counts": "set"},
                       {"tokenizer": "char", "punctuation": "keep"}, {"tokenizer": "space"},
                       {"tokenizer": "jieba", "sentence_split": "zh"}, WORDS | {"tokenizer": "rouge_chinese"},
                       WORDS | {"tokenizer": "pltrdy", "sentence_split": "."}):
            values = {"rouge_types": TYPES, **values}
            plain = Rouge(engine="plain", **values).count(p, r).counts
            assert (plain == Rouge(engine="compiled", **values).count(p, r).counts).all(), (texts, values)
print("same")
"""
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "PYTHONFAULTHANDLER": "1"}
    environment["NUMBA_CACHE_DIR"] = str(pytestconfig.cache.mkdir("bounds-checked-kernels"))

    printed = subprocess.run(
        [sys.executable, "-c", f"TYPES = {TYPES}\n{program}"], capture_output=True, text=True, env=environment
    )

    assert printed.stdout == "same\n", printed.stderr
