"""Other tokenizers under conventions whose tool is given tokens with blanks between, and splits that text itself."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from peer_packages import run_peer

from polyrouge import CONVENTIONS, Rouge
from polyrouge.errors import hearing_warnings
from polyrouge.settings.rules import JOINED_SPLITS
from polyrouge.texts.tokenizers import TokenizerOptions, build_tokenizer

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.RougeWarning")

FAMILY = [name for name, each in CONVENTIONS.items() if each.settings.tokenizer in JOINED_SPLITS]
# What each tool makes of texts: scores by type, or None where it raises its own error.
_SCORES = """
def scores(pair):
    try:
        row = Rouge().get_scores(*pair)[0]
    except ValueError:
        return None
    return [row[name]["f"] for name in ("rouge-1", "rouge-2", "rouge-l")]
"""
_READ = "import json, sys\n"
_PRINT = "print(json.dumps(list(map(scores, json.load(sys.stdin)))))"
TOOLS = {
    "rouge_chinese": ("rouge-chinese", f"{_READ}from rouge_chinese import Rouge\n{_SCORES}\n{_PRINT}"),
    "pltrdy": ("rouge", f"{_READ}from rouge import Rouge\n{_SCORES}\n{_PRINT}"),
    "coco": (
        "pycocoevalcap",
        f"{_READ}from pycocoevalcap.rouge.rouge import Rouge\n"
        f"scores = lambda pair: [float(Rouge().calc_score(pair[:1], pair[1:]))]\n{_PRINT}",
    ),
}
# Tokens of both sides and what the tool gives for them, joined by blanks; None is its error.
ROWS = {
    "rouge_chinese": [
        (["。，！"], ["。，！"], [0.999999995, 0.999999995, 0.999999995]),
        (["好。天", "气"], ["好。天气"], [0.39999999520000007, 0.0, 0.39999999520000007]),
        (["a......b", "c"], ["a......", "b"], [0.7999999952000001, 0.6666666622222223, 0.7999999952000001]),
        (["x……y"], ["x……", "y"], [0.999999995, 0.999999995, 0.999999995]),
        (["“好。”他", "说"], ["“好。”", "他", "说"], [0.999999995, 0.999999995, 0.999999995]),
        (["a b", "\n"], ["a", "b"], [0.999999995, 0.999999995, 0.999999995]),
        (["a?", "?\n", " \n", "b"], ["a", "?", "b"], [0.5714285665306124, 0.0, 0.5714285665306124]),
        ([], ["a"], None),
    ],
    "pltrdy": [
        (
            ["好", ".", ".", ".", "了"],
            ["好", ".", ".", "的"],
            [0.6666666616666668, 0.39999999520000007, 0.6666666616666668],
        ),
        (["3.5", "度"], ["3.5", "米"], [0.6666666616666668, 0.4999999950000001, 0.6666666616666668]),
        (["a b", " ", "c"], ["a", "b", "c"], [0.999999995, 0.999999995, 0.999999995]),
        (["U.S", "."], ["U", "S"], [0.999999995, 0.999999995, 0.999999995]),
        ([".", "."], ["a"], [0.0, 0.0, 0.0]),
        ([".."], ["a"], None),
        ([], ["a"], None),
    ],
    "coco": [
        ([], [], [1.0]),
        ([], ["a"], [0.0]),
        (["a b", ""], ["a", "b"], [0.8299319727891156]),
        (["a", " ", "c"], ["a", "c"], [0.7093023255813954]),
    ],
}
TOKENS = st.lists(st.text("。！？?….”’，! \n\u3000aT好天3", max_size=6), max_size=7)
PAIRS = st.lists(st.tuples(TOKENS, TOKENS), min_size=1, max_size=80)
TEXTS = st.text("。！？?….”’，! \n\u3000aT好天气很3-", max_size=14)
OURS = ("char", "zh_char", "mixed", "ascii", "space", "jieba", "every_char", "hanzi", "unicode", "single_space")


def tokens_of_list(text):
    """The tokens of a text that is a JSON list of them."""
    return json.loads(text)


def is_refused(rouge, prediction, reference):
    """Whether the convention's tool raises an error for a pair."""
    try:
        rouge.compute([prediction], [reference])
    except ValueError as error:
        return "the tool that this convention reproduces raises an error" in str(error)
    return False


def our_scores(name, pairs, engine, **changes):
    """The scores of each pair by type; None where the tool would raise an error."""
    rouge = Rouge(name, use_aggregator=False, weights=None, engine=engine, **changes)
    refusing = Rouge(name, on_error="raise", weights=None, engine=engine, **changes)
    columns = rouge.compute(*map(list, zip(*pairs, strict=True)))
    scores = [list(row) for row in zip(*columns.values(), strict=True)]
    return [None if is_refused(refusing, *pair) else row for pair, row in zip(pairs, scores, strict=True)]


def as_text(tokens):
    return json.dumps(tokens, ensure_ascii=False)


@pytest.mark.parametrize("engine", ["plain", "compiled"])
@pytest.mark.parametrize("name", ROWS)
def test_tokens_are_split_as_the_tool_splits_them(name, engine):
    pairs = [(as_text(one), as_text(two)) for one, two, _ in ROWS[name]]
    assert our_scores(name, pairs, engine, segment=None, tokenizer=tokens_of_list) == [row[2] for row in ROWS[name]]


@pytest.mark.peers
@pytest.mark.parametrize("name", TOOLS)
@given(pairs=PAIRS)
@settings(max_examples=40, deadline=None)
def test_tokens_of_a_function_score_as_in_the_tool(name, pairs):
    package, program = TOOLS[name]
    pairs = [*pairs, *(row[:2] for row in ROWS[name])]
    theirs = run_peer(package, program, [(" ".join(one), " ".join(two)) for one, two in pairs])
    assert theirs[len(pairs) - len(ROWS[name]) :] == [row[2] for row in ROWS[name]]
    texts = [(as_text(one), as_text(two)) for one, two in pairs]
    for engine in ("plain", "compiled"):
        assert our_scores(name, texts, engine, segment=None, tokenizer=tokens_of_list) == theirs


@pytest.mark.peers
@pytest.mark.parametrize("name", TOOLS)
@given(tokenizer=st.sampled_from(OURS), pairs=st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=60))
@settings(max_examples=40, deadline=None)
def test_tokens_of_our_tokenizers_score_as_in_the_tool(name, tokenizer, pairs):
    package, program = TOOLS[name]
    tokens = build_tokenizer(tokenizer, TokenizerOptions(keep_punctuation=True))
    theirs = run_peer(package, program, [(" ".join(tokens(one)), " ".join(tokens(two))) for one, two in pairs])
    for engine in ("plain", "compiled"):
        if tokenizer != CONVENTIONS[name].settings.tokenizer:
            assert our_scores(name, pairs, engine, segment=None, tokenizer=tokenizer) == theirs


@pytest.mark.parametrize("name", FAMILY)
def test_every_convention_of_such_a_tool_splits_again(name):
    own = CONVENTIONS[name].settings.tokenizer
    assert Rouge(name).settings.tool.joined_split is None
    assert Rouge(name, tokenizer=own).settings == Rouge(name).settings
    assert Rouge(name, tokenizer="char").settings.tool.joined_split == own
    assert Rouge(name, tokenizer="char", tool={"joined_split": None}).settings.tool.joined_split is None


@pytest.mark.parametrize("name", FAMILY)
def test_words_of_a_segment_split_as_in_the_tool(name):
    texts = ["今天天气 很好。气温3.5度！还行", "T恤。。，好"], ["今天天气 不错。气温3.6度！", "t恤。好"]
    is_cut_before = CONVENTIONS[name].settings.segment is not None
    options = {} if is_cut_before else {"segment": "jieba"}
    rouge = Rouge(name, tokenizer=lambda text: text.split(" "), **options)
    assert rouge.compute(*texts) == Rouge(name, **options).compute(*texts)


def test_other_sentences_are_cut_before_the_tokenizer():
    options = {"segment": None, "tokenizer": str.split, "rouge_types": ["rougeLsum"], "sentence_split": "newline"}
    found = Rouge("rouge_chinese", **options).explain("a。b\nc", "a。b\nc")
    assert [[each.token for each in sentence] for sentence in found.prediction.sentences] == [["a。", "b"], ["c"]]


@pytest.mark.parametrize("engine", ["plain", "compiled"])
@pytest.mark.parametrize("name", TOOLS)
def test_a_text_without_tokens_is_told(name, engine):
    rouge = Rouge(name, segment=None, prepare=(), tokenizer="zh_char", punctuation="drop", engine=engine)
    with hearing_warnings() as notes:
        rouge.compute(["今天", "。。。"], ["今天", "天气"])
    assert [note.kind for note in notes] == ["no_token"]
