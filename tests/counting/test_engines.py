"""The compiled engine against the plain one: identical counts, on every setting, whatever the threads."""

import os
import threading
import warnings

import numpy as np
import pytest
import strategies
from amounts import examples_in_ci
from hub_server import WITHOUT_MODELS
from hypothesis import example, given
from hypothesis import strategies as st
from new_process import ROOT, run_program

import polyrouge
from polyrouge import CONVENTIONS, Rouge, RougeSettings, RunOptions
from polyrouge.counting import loop
from polyrouge.counting.compiled.text_counter import TextCounter
from polyrouge.counting.text_pairs import TextPairs
from polyrouge.documents.input_notes import InputNotes

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")

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


def outcome(engine, predictions, references, values):
    """A result or a message, with the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rouge = Rouge(engine=engine, **values)
        try:
            result = rouge.compute(predictions, references)
        except ValueError as error:
            result = str(error)
    of_source = (SyntaxWarning, DeprecationWarning)  # of a segmenter, when Python compiles it
    return result, [str(each.message) for each in caught if not issubclass(each.category, of_source)]


def assert_same_outcome(predictions, references, **values):
    assert outcome("plain", predictions, references, values) == outcome("compiled", predictions, references, values)


def assert_same_counts(rows, **values):
    predictions, references = [prediction for prediction, _ in rows], [texts for _, texts in rows]
    values = {"rouge_types": TYPES, **values}

    plain = Rouge(engine="plain", **values).count(predictions, references)
    compiled = Rouge(engine="compiled", **values).count(predictions, references)

    for expected, actual in zip(vars(plain).values(), vars(compiled).values(), strict=True):
        assert np.array_equal(expected, actual)


@pytest.mark.parametrize("tokenizer", ["mixed", "ascii", "zh_char", "char", "space"])
@given(
    examples,
    st.sampled_from(["newline", "zh", "none"]),
    st.sampled_from(["drop", "keep"]),
    st.booleans(),
    st.sampled_from(["paper", "rouge155"]),
)
@examples_in_ci(100)
def test_compiled_tokenizers(tokenizer, rows, split, punctuation, lowercase, definition):
    text_rules = {"sentence_split": split, "punctuation": punctuation, "lowercase": lowercase}
    assert_same_counts(rows, tokenizer=tokenizer, **text_rules, weight=1.5, tool={"definition": definition})


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
        pytest.param({"prepare": ["model_output"], "sentence_split": "zh"}, id="model-output"),
        pytest.param({"use_stemmer": True}, id="stems"),
        pytest.param({"use_stemmer": True, "lowercase": False, "tokenizer": "space"}, id="cased-stems"),
        pytest.param({"stop_words": ["the", "a", "on", "今"], "use_stemmer": True}, id="stop-words"),
        pytest.param(
            {"tokenizer": "rouge_chinese", "segment": "jieba", "punctuation": "keep", "sentence_split": "none"},
            id="tool",
        ),
        pytest.param({"max_words": 5}, id="words"),
        pytest.param({"max_bytes": 17}, id="bytes"),
        pytest.param({"tool": {"ngram_counts": "set"}}, id="sets"),
        pytest.param({"tool": {"lcs": "union", "definition": "rouge155"}}, id="rouge155"),
    ],
)
@given(rows=examples)
@example(rows=[("A cat on The Mats", ["a cat, on the mat"])])
def test_other_settings(values, rows):
    assert_same_counts(rows, **values)


# Words in NFC and not; of two, the composed form has more bytes.
odd_words = "\u00e9 e\u0301 a\u00f1o an\u0303o \u1112\u1161\u11ab \ud55c \u0958 \u0915\u093c \u2adc \u212b \u00c5"
undecided_words = st.sampled_from([*odd_words.split(" "), "cat.", "天\n"])
undecided_text = st.lists(undecided_words, max_size=12).map(" ".join)


@pytest.mark.parametrize(
    "values", [{}, {"tokenizer": "zh_char", "sentence_split": "zh"}, {"use_stemmer": True}, {"tokenizer": "jieba"}]
)
@given(
    rows=st.lists(st.tuples(undecided_text, st.lists(undecided_text, min_size=1, max_size=3)), min_size=1, max_size=5),
    n_usual=st.integers(0, 300),
    times=st.sampled_from([1, 1, 1, 300]),
)
@example(rows=[("\u0958 ", ["\u0958 \u0915\u093c "])], n_usual=1, times=2000)
@example(rows=[("\u00e9", ["e\u0301", "\u00e9"])], n_usual=3, times=1)
def test_texts_that_are_not_in_nfc(values, rows, n_usual, times):
    """They are composed one by one, wherever they stand among others."""
    predictions = ["a usual text"] * n_usual + [prediction * times for prediction, _ in rows] + ["the last. text"]
    references = [["the usual texts"]] * n_usual + [texts for _, texts in rows] + [["the text"]]
    for texts in (references, [row[0] for row in references]):
        assert_same_outcome(predictions, texts, **values)


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("use_stemmer", [False, True])
def test_conventions_with_tokens_of_others(convention, use_stemmer):
    """Their filters, such as sumeval's, which stems references only, whatever cuts the text."""
    texts = ["running dogs", "今天 running。天气", "the Flies... \n of 。。"]
    pairs = [(one, other) for one in texts for other in [*texts, "run dog", "今天天气"]]
    for tokenizer in ("mixed", "ascii", "zh_char", "space", "rouge155", "jieba", "pltrdy", "rouge_chinese"):
        values = {"tokenizer": tokenizer, "use_stemmer": use_stemmer, "stop_words": None, "multi_reference": "first"}
        try:
            rouges = [Rouge(convention, engine=engine, **values) for engine in ("plain", "compiled")]
        except (ValueError, ModuleNotFoundError):
            continue
        plain, compiled = (rouge.count(*map(list, zip(*pairs, strict=True))) for rouge in rouges)
        assert np.array_equal(plain.counts, compiled.counts), tokenizer


@given(rows=st.lists(st.tuples(any_text, st.lists(any_text, min_size=1, max_size=2)), min_size=8, max_size=12))
def test_threads_and_chunks_change_nothing(rows):
    predictions, references = [prediction for prediction, _ in rows], [texts for _, texts in rows]
    rouge = Rouge(rouge_types=TYPES, engine="compiled", output="all", confidence=0.9, n_resamples=50)
    expected = rouge.compute(predictions, references, threads=1)

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(loop._CHUNK_SAMPLES, "compiled", 2)
        for threads in (1, 2, 5):
            assert expected == rouge.compute(predictions, references, threads=threads)


def test_threads_change_nothing_in_pairs_of_texts_that_are_read_once():
    texts = [f"w{n % 7} w{n % 11} w{n % 13} x" for n in range(80)]
    predictions, references = np.divmod(np.arange(80 * 80), 80)
    settings = RougeSettings(rouge_types=TYPES)
    one, several = (
        TextPairs(texts, settings, RunOptions(engine="compiled", threads=threads), InputNotes(settings.text_rules))
        for threads in (1, 4)
    )
    np.testing.assert_array_equal(
        several.count(predictions, references).counts, one.count(predictions, references).counts
    )


@pytest.mark.parametrize(("counted", "expected"), [(3, 3), (None, 1)])
def test_cores_where_the_system_does_not_say_which_may_be_used(monkeypatch, counted, expected):
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: counted)

    assert loop.usable_cores() == expected


def test_the_compiled_engine_is_refused_where_it_is_not_built(monkeypatch):
    monkeypatch.setattr(loop, "is_built", lambda: False)

    with pytest.raises(ModuleNotFoundError, match="engine='compiled' needs") as refused:
        Rouge(engine="compiled")
    assert refused.value.name == "polyrouge.counting.compiled.kernels._kernels"
    assert polyrouge.engine() == "plain"


def test_long_texts_are_counted_beside_the_main_thread(monkeypatch):
    """So that they can be interrupted, however few they are; those of ROUGE-W take the square of their length."""
    seen = []
    count = TextCounter.count

    def count_and_tell(*arguments):
        seen.append(threading.current_thread())
        return count(*arguments)

    monkeypatch.setattr(TextCounter, "count", count_and_tell)
    cases = ("rouge1", "a b " * 120_000, 1), ("rouge1", "a b " * 800, 150), ("rougeW", "a b " * 200, 150)
    for rouge_type, text, n in cases:
        Rouge(engine="compiled", rouge_types=[rouge_type], threads=1).compute([text] * n, [text] * n)
        assert seen
        assert threading.main_thread() not in seen
        seen.clear()


def test_a_long_text_beside_a_short_one():
    predictions, references = ["a b c", "a b\nc " * 1000], ["a b c d e " * 100_000, "b\na"]
    settings = {"rouge_types": ["rougeL", "rougeLsum"], "tokenizer": "space", "sentence_split": "newline", "threads": 1}
    assert_same_outcome(predictions, references, **settings)


WITHOUT = "import sys; sys.modules['polyrouge.counting.compiled.kernels._kernels'] = None\n"


@pytest.mark.process
def test_without_the_extension_the_plain_engine_counts_and_the_command_says_so():
    program = (
        "from polyrouge import Rouge, engine\n"
        "print(engine(), Rouge(rouge_types=['rouge1']).compute(['a b', '今天'], ['a c', '今']))\n"
        "import sys; sys.argv = ['polyrouge', '--version']; import runpy; runpy.run_module('polyrouge')"
    )
    done = run_program(WITHOUT + program)
    scores, version = done.stdout.splitlines()
    assert scores == f"plain {{'rouge1': {(1 / 2 + 2 / 3) / 2}}}"
    assert version.endswith("(plain engine)")
    assert done.stderr == ""


@pytest.mark.process
@pytest.mark.parametrize(("engine", "n_messages"), [("auto", 1), ("plain", 0)])
def test_without_it_a_long_call_says_once_what_would_be_quicker(engine, n_messages):
    program = (
        "from polyrouge import Rouge\n"
        "from polyrouge.counting import loop\n"
        "loop._LOOK_AFTER = loop._LONG = 0.0\n"
        f"r = Rouge(rouge_types=['rouge1'], engine={engine!r})\n"
        "r.compute(['a b'] * 1000, ['a c'] * 1000); r.compute(['a b'] * 1000, ['a c'] * 1000)"
    )
    assert run_program(WITHOUT + program).stderr.count("polyrouge counts in plain Python") == n_messages


def test_notes_look_at_each_side_as_its_steps_leave_it():
    values = {"prepare": ["reference.opencompass"], "rouge_types": ["rouge1"]}
    assert_same_outcome(["a c"], [["c. Ａ"]], **values)  # of the reference, c is left
    (note,) = outcome("plain", ["a c. a"], [["c Ａ."]], values)[1]
    assert "'Ａ' and 'a'" in note


@pytest.mark.hub
def test_through_evaluate_with_its_kernels_beside_it(tmp_path):
    program = (
        f"{WITHOUT_MODELS}import evaluate\n"
        f"m = evaluate.load({str(ROOT / 'rouge_metric.py')!r}, sentence_split='none')\n"
        "p = {'predictions': ['a b c'], 'references': ['a b d']}\n"
        "print(m.compute(**p, engine='compiled') == m.compute(**p, engine='plain'))"
    )
    assert run_program(program, HF_HOME=str(tmp_path)).stdout == "True\n"


# Small calls take a shorter way.
SMALL = [
    {},
    {"use_aggregator": False},
    {"output": "all", "weights": [1, 2, 0.5, 1], "use_aggregator": False},
    {"round_result": 3, "scale": 100, "weights": [1, 2, 0.5, 1]},
    {"tool": {"alpha": 0.3}},
    {"beta": 2.0},
    {"tool": {"epsilon": 1e-8}},
    {"empty": "skip"},
    {"tokenizer": "ascii"},
    {"tokenizer": "space"},
    {"tool": {"lcs": "pairwise_sum"}},
    {"use_stemmer": True, "multi_reference": "best_recall"},
    {"tool": {"ngram_counts": "set"}, "punctuation": "keep"},
    {"normalize": None, "lowercase": False},
    {"tokenizer": "zh_char", "sentence_split": "zh"},
    {"normalize": "nfkc"},
]


SUSPECT = (
    "<think>hm</think> a b|a b. C d! E f|今天天气很好。明天不好。|ｆｕｌｌ ｗｉｄｔｈ words|caf\u00ade noir|e\u0301te|"
    "été|학교에 갔다|학교는 크다|full width words|cafe noir|A b. C|a\nb|İ|K|\u212a|👍 !"
).split("|")
a_pair = st.tuples(any_text, any_text) | st.tuples(*[st.sampled_from(SUSPECT)] * 2)


@pytest.mark.parametrize("values", SMALL, ids=str)
@given(rows=st.lists(a_pair, min_size=1, max_size=5))
@example([("今天天气", "今天天气"), ("a b", "a b")])
@example([("今天。天气", "今天。天气"), ("a\nb", "a\nb")])
@example([("", ""), ("...", "...")])
@example([("abc 今天天气很好", "abc 今天天气很好"), ("x", "x")])
def test_a_small_call_gives_the_same_result_and_warnings(values, rows):
    assert_same_outcome(*map(list, zip(*rows, strict=True)), **values)


@pytest.mark.parametrize("text", ["...", ". .", "a.", "猫。", " .\n"])
@pytest.mark.parametrize("segment", [None, "char", "char_without_blanks", "jieba", "jieba_without_spaces"])
def test_notes_on_texts_of_full_stops_or_without_tokens_are_the_same(text, segment):
    assert_same_outcome([text, "b c"], ["a b", "b"], convention="pltrdy", segment=segment)
    assert_same_outcome(["\t\u200b", "b c"], ["a b", "b"], tokenizer="space", segment=segment, sentence_split="none")
