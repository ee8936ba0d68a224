"""Explanations: the hits they show are those of the score, and stand where they say."""

import html
import math
import random
import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from amounts import examples_in_ci, few_or_many
from hypothesis import example, given
from hypothesis import strategies as st
from language_packages import usable_tokenizers
from news import news
from placed import placed as placed_text
from strategies import texts

from polyrouge import TOKENIZERS, Explanation, Rouge, RougeSettings
from polyrouge.documents.document import DocumentReader
from polyrouge.documents.input_notes import InputNotes
from polyrouge.explaining.matching import hit_value
from polyrouge.settings.allowed_values import Flag, Range
from polyrouge.settings.rouge_settings import ALL_SETTINGS, grouped
from polyrouge.settings.rouge_types import parse_rouge_type
from polyrouge.settings.rules import STEMMERS_WITH_TABLES, TextRules
from polyrouge.texts.preparation import STEPS

ROWS = news("en") + news("zh")
TYPES = ("rouge1", "rouge2", "rouge3", "rouge9", "rougeL", "rougeLsum", "rougeW", "rougeS", "rougeS1", "rougeSU4")

# Our own warnings say that a random text has no sentence break, or letters that a tokenizer drops.
pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")

SETTINGS = {
    "default": {},
    "stems": {"tokenizer": "ascii", "use_stemmer": True, "sentence_split": "auto"},
    "stop words": {"stop_words": ["the", "a", "的", "b"], "sentence_split": "auto"},
    "union": {"tool": {"lcs": "union"}, "tokenizer": "zh_char", "sentence_split": "zh"},
    "set": {"tool": {"ngram_counts": "set"}, "tokenizer": "char", "sentence_split": "zh", "punctuation": "keep"},
    "weight": {"weight": 2, "tokenizer": "unicode"},
    "rouge155": {"tool": {"definition": "rouge155"}, "sentence_split": "auto"},
    "words": {"tokenizer": "jieba", "sentence_split": "zh", "normalize": "nfkc"},
    "limit": {"max_words": 9, "sentence_split": "auto"},
    "blanks": {"tokenizer": "space", "lowercase": False, "max_bytes": 60},
}


def lost_tokens(placed) -> int:
    """How many tokens can't be found in the text."""
    return sum(token.start is None for token in placed.tokens)


def check_hits(explanation: Explanation, rouge: Rouge, prediction: str, references: list[str]) -> int:
    """Every hit pairs equal tokens that are free, and there are as many as the score counts."""
    counts = rouge.count([prediction] * len(references), [[reference] for reference in references]).counts
    checked = 0
    for column, (name, each) in enumerate(explanation.types.items()):
        for index, match in enumerate(each.matches):
            hits = counts[index, column, 0]
            assert match.units is not None, (name, prediction, references[index])
            value = hit_value(match.units, parse_rouge_type(name), rouge.settings.count_rules)
            assert math.isclose(value, hits, rel_tol=1e-12), (name, prediction, references[index])
            assert [match.hits, match.prediction_total, match.reference_total] == counts[index, column].tolist()
            for unit in match.units:
                ours = [match.prediction_tokens[place].token for place in unit.prediction]
                assert ours == [match.reference_tokens[place].token for place in unit.reference]
            for side in ("prediction", "reference"):
                check_places_of_hits(name, [getattr(unit, side) for unit in match.units], rouge.settings.tool.lcs)
            checked += len(match.units)
    return checked


def check_places_of_hits(name, hits, lcs_rule):
    """On one side: no place is taken twice, n-grams are of neighbours, a sentence-level LCS goes forward, gaps fit."""
    kind = parse_rouge_type(name)
    if name != "rougeL" or lcs_rule != "pairwise_sum":  # which holds every two sentences against each other
        assert len(hits) == len(set(hits))
        if name in ("rougeL", "rougeLsum", "rougeW"):
            places = [place for hit in hits for place in hit]
            assert len(places) == len(set(places)), name
    if name == "rougeL" and lcs_rule == "sentence":
        assert hits == sorted(hits)
    for hit in hits:
        if kind.kind == "ngram":
            assert list(hit) == list(range(hit[0], hit[0] + kind.n))
        if kind.kind == "skip_bigram" and kind.gap is not None and len(hit) == 2:
            assert 0 < hit[1] - hit[0] <= kind.gap + 1


@pytest.mark.parametrize("name", SETTINGS)
@few_or_many(8, 68)
def test_hits_of_every_example_are_shown(n, name):
    rouge = Rouge(rouge_types=TYPES, **SETTINGS[name])
    checked = 0
    for row in ROWS[:: len(ROWS) // n]:
        for prediction in (row["prediction"], row["prediction_b"]):
            explanation = rouge.explain(prediction, row["references"])
            checked += check_hits(explanation, rouge, prediction, row["references"])

    assert checked > 1000 * n / 68


def test_a_pair_that_its_tool_fails_on_and_scores_zero_has_no_hits():
    words = " ".join(map(str, range(1200)))

    match = Rouge("longbench").explain(words, words)["rougeL"]

    assert match.hits == match.fmeasure == 0
    assert match.units is None
    assert match.prediction_spans is match.missing is match.prediction_matched is None


def test_scores_are_those_of_score():
    rouge = Rouge("zh_word", scale=100, beta=2)
    row = next(row for row in ROWS if row["id"] == "zh-002")
    columns = rouge.score([row["prediction"]], [row["references"]], best_reference=True)
    for name, each in rouge.explain(row["prediction"], row["references"]).types.items():
        scores = {"": each.fmeasure, "_precision": each.precision, "_recall": each.recall}
        scores["_reference"] = each.best_reference
        assert scores == {end: columns[f"{name}{end}"][0] for end in scores}


@pytest.mark.parametrize(("rule", "counts"), [("mean", None), ("pooled", (2, 4, 3))])
def test_a_score_of_several_references_is_that_with_none_of_them(rule, counts):
    rouge = Rouge(multi_reference=rule, rouge_types=["rouge1"])
    explanation = rouge.explain("a b", ["a", "b c"])
    explained = explanation.types["rouge1"]
    assert (explained.best_reference, explained.match, explained.combination) == (None, None, rule)
    assert explained.counts == counts
    assert [match.hits for match in explained.matches] == [1, 1]
    with pytest.raises(ValueError, match=f"'{rule}' makes the rouge1 score of all 2 references"):
        explanation["rouge1"]
    assert f"rouge1 ({rule} of 2 references)" in explanation._repr_html_()
    alone = rouge.explain("a b", ["a"]).types["rouge1"]
    assert (alone.best_reference, alone.combination) == (0, None)


def test_union_hits_are_clipped_to_the_prediction():
    """Both reference sentences mark a; the prediction holds two of them, one in each sentence."""
    match = Rouge(rouge_types=["rougeLsum"]).explain("a x\na y", "a a\na z")["rougeLsum"]

    assert match.hits == 2
    assert sorted(unit.prediction for unit in match.units) == [(0,), (2,)]


def test_repeated_words_are_matched_as_often_as_both_hold_them():
    match = Rouge(rouge_types=["rouge1"]).explain("the the the cat", "the cat the dog")["rouge1"]

    assert match.prediction_matched == [True, True, False, True]
    assert match.missing == ["dog"]
    assert match.extra == ["the"]
    assert match.reference_spans == [(0, 3), (4, 7), (8, 11)]


# Places


OWN_TOKENIZERS = [name for name, entry in TOKENIZERS.items() if entry.takes_pieces]


def prepared(text: str, chosen: RougeSettings) -> str:
    """A piece of text as a tokenizer is given it."""
    text = unicodedata.normalize(chosen.normalize.upper(), text) if chosen.normalize else text
    if chosen.normalize == "nfkc":  # am stays whole
        text = re.sub("\u0e4d([\u0e48-\u0e4b]?)\u0e32", "\\1\u0e33", text)
        text = re.sub("\u0ecd([\u0ec8-\u0ecb]?)\u0eb2", "\\1\u0eb3", text)
    return text.lower() if chosen.lowercase else text


def check_places(text: str, chosen: RougeSettings) -> None:
    """The tokens are the reader's; each is where it says, behind the one before it."""
    document = DocumentReader(chosen.text_rules, InputNotes(chosen.text_rules)).read(text)

    placed = placed_text(text, chosen)

    assert [token.token for token in placed.tokens] == document.tokens
    sentences = [[token.token for token in sentence] for sentence in placed.sentences if sentence]
    assert sentences == list(filter(None, document.sentences))  # a kernel makes no empty ones
    if chosen.tokenizer in OWN_TOKENIZERS:
        assert lost_tokens(placed) == 0
    for each in (placed.tokens, *placed.sentences):
        tokens = [token for token in each if token.start is not None]  # other tools may change what they cut
        for before, token in zip((None, *tokens), tokens, strict=False):
            assert 0 <= token.start <= token.end <= len(text)
            # A blank that joins words or sentences, where the text has none, is at an empty place.
            assert token.start < token.end or not token.token.strip()
            assert token.start == token.end or token.token != ""
            piece = prepared(text[token.start : token.end], chosen)
            words = [token.token]
            if chosen.tokenizer not in OWN_TOKENIZERS:  # the tool's own letters; sentences may be joined in it
                piece, words = piece.lower(), token.token.lower().split()
            if chosen.tokenizer == "vi_words":  # the syllables of a word are joined
                piece, words = "".join(piece.replace("_", "").split()), [word.replace("_", "") for word in words]
            assert all(word in piece or word.replace("ς", "σ") in piece.replace("ς", "σ") for word in words)
            # Characters of one cluster (the two of ㏒, é written as two, those of İ in lower case) may be parts of
            # several tokens.
            if before is not None and before.end > token.start:
                place = text[token.start : token.end]
                assert chosen.normalize is not None or (chosen.lowercase and len(place.lower()) > len(place))
                assert before.start <= token.start


ANY_SETTINGS = {
    "tokenizer": usable_tokenizers(),
    "lowercase": [False, True],
    "normalize": [None, "nfc", "nfkc"],
    "punctuation": ["drop", "keep"],
    "sentence_split": ["newline", "zh", "auto", "none", "，", "--"],
}


@examples_in_ci(400)
@given(
    texts,
    st.fixed_dictionaries({name: st.sampled_from(values) for name, values in ANY_SETTINGS.items()}),
    st.sampled_from([{}, {"max_words": 1}, {"max_words": 3}, {"max_bytes": 7}, {"max_bytes": 1}]),
)
@example("İstanbul ΟΔΟΣ ΣΣ.", {"normalize": "nfkc", "sentence_split": "auto"}, {})
@example("a---b", {"tokenizer": "char", "punctuation": "keep", "sentence_split": "--"}, {})
@example("İ", {"tokenizer": "char"}, {})
@example("a  b\na b", {}, {"max_words": 2})
@example("0\n0", {"tokenizer": "jieba_with_blanks"}, {"max_words": 3})
@example("。乙", {"tokenizer": "jieba_with_blanks", "sentence_split": "zh"}, {"max_words": 3})
@example("b.a。，", {"tokenizer": "single_space", "sentence_split": "zh"}, {"max_words": 3})
@example(".\n ", {"tokenizer": "jieba_with_blanks"}, {"max_words": 3})
def test_tokens_are_where_they_say(text, settings, limit):
    check_places(text, RougeSettings(**settings, **limit))


# What a setting of texts needs so that it has an effect.
NEEDS = {"stemmer": {"use_stemmer": True}, "jieba_hmm": {"tokenizer": "jieba"}, "limit_rule": {"max_words": 5}}
PLACED = """The quick brown foxes, e.g. naïve ones, jumped over 3.5 lazy dogs!
今天天气很好，我们去公园。 <b>Ａ股</b> don't x-ray &amp; ... <think>so</think> end"""


def values_of(name: str) -> list[Any]:
    """Values of a setting: all names, or small numbers; none where it takes functions or folders."""
    allowed = ALL_SETTINGS[name].values
    if name == "stemmer":
        return [value for value in allowed.allowed if value not in STEMMERS_WITH_TABLES]
    if isinstance(allowed, Range):
        return [allowed.low, 3, 20]
    return [False, True] if isinstance(allowed, Flag) else list(getattr(allowed, "allowed", ()))


@pytest.mark.parametrize("engine", ["compiled", "plain"])
@pytest.mark.parametrize("name", [name for name in TextRules._fields if name in ALL_SETTINGS and name != "tokenizer"])
def test_no_setting_of_texts_loses_the_places_of_tokens(name, engine):
    """A setting that ``trace_preparation`` or ``SpannedReader`` forgets leaves tokens without places."""
    for value in [[step] for step in STEPS] if name == "prepare" else values_of(name):
        settings = grouped({**NEEDS.get(name, {}), name: value})
        tokens = Rouge(engine=engine, **settings).explain(PLACED, PLACED).prediction.tokens
        assert [token.token for token in tokens if token.start is None] == [], value


STEMS = {"use_stemmer": True, "stop_words": ["the"], "lowercase": True, "punctuation": "drop"}


@pytest.mark.parametrize(
    ("text", "tokenizer", "options", "expected"),
    [
        ("The Runners, the running flies!", "ascii", STEMS, "runner 4-11 run 17-24 fli 25-30"),
        ("The cat", lambda text: text.lower().split(), {}, "the 0-3 cat 4-7"),
        ("Playing the cat", lambda _: ["play", "##ing", "▁the", "Ġcat"], {}, "play 0-4 ##ing 4-7 ▁the 8-11 Ġcat 12-15"),
        ("the cat sat on the mat", lambda _: ["sat", "mat"], {}, "sat 8-11 mat 19-22"),
        ("a b", lambda _: ["[CLS]", "a", "b"], {}, "[CLS] None-None a 0-1 b 2-3"),
        ("a  b", lambda text: text.split(" "), {}, "a 0-1  1-1 b 3-4"),
        ("ran to run", lambda _: ["run", "to", "run"], {}, "run None-None to 4-6 run 7-10"),
    ],
)
def test_tokens_are_found_where_they_can_be(text, tokenizer, options, expected):
    chosen = RougeSettings(**{"tokenizer": tokenizer, "lowercase": False, "punctuation": "keep", **options})

    placed = placed_text(text, chosen)

    assert " ".join(f"{token} {start}-{end}" for token, start, end in placed.tokens) == expected
    assert lost_tokens(placed) == expected.count("None-None")


def test_hits_of_tokens_that_are_not_in_the_text_have_no_span():
    explanation = Rouge(tokenizer=lambda text: [word[::-1] for word in text.split()]).explain("cat dog", "cat hen")
    assert (explanation["rouge1"].hits, explanation["rouge1"].prediction_spans) == (1, [])
    assert "tokens are not in the text" in explanation._repr_html_()


def test_sentences_of_a_callable_that_changes_them_have_no_place():
    rouge = Rouge(rouge_types=["rouge1", "rougeLsum"], sentence_split=lambda text: text.replace(",", "").split(";"))
    explanation = rouge.explain("a, b;c", "a, b;c")
    assert [token.start for token in explanation["rougeLsum"].prediction_tokens] == [None, None, 5]
    assert explanation["rouge1"].prediction_spans == [(0, 1), (3, 4), (5, 6)]


# What it is asked for and how it is shown


def test_one_reference_may_be_a_text():
    explanation = Rouge(rouge_types=["rouge1", "rouge2"]).explain("a b", "a")
    assert explanation == Rouge(rouge_types=["rouge1", "rouge2"]).explain("a b", ["a"])
    with pytest.raises(KeyError, match="rouge1, rouge2"):
        explanation["rougeL"]
    with pytest.raises(TypeError, match=r"predictions\[0\] is None"):
        Rouge().explain(None, "a")


def test_empty_texts_have_nothing_to_show():
    for empty in ("zero", "skip", "one_if_both"):
        explanation = Rouge(empty=empty, rouge_types=TYPES).explain("", ["", "a"])
        assert all(match.units == () for each in explanation.types.values() for match in each.matches)
        assert explanation._repr_html_()


def test_notebooks_show_marked_text_and_run_nothing():
    prediction = '<script>alert(1)</script> "><img src=x onerror=alert(1)> 今天 & مرحبا'
    page = Rouge().explain(prediction, "alert 今天")._repr_html_()
    assert "<script" not in page
    assert "<img" not in page
    body = re.findall(r"<div dir='auto'[^>]*>(.*?)</div>", page, re.DOTALL)[0]
    assert html.unescape(re.sub(r"</?mark[^>]*>", "", body)) == prediction
    assert re.findall(r"<mark[^>]*>(.*?)</mark>", body) == ["alert", "今天"]


@pytest.mark.hub
def test_the_evaluate_metric_explains_too():
    import evaluate

    metric: Any = evaluate.load(str(Path(__file__).parents[2] / "rouge_metric.py"), "zh_word", rouge_types=["rouge1"])
    assert metric.explain("今天天气很好", "今天天气不错")["rouge1"].prediction_spans == [(0, 4)]


# The subsequences behind the hits


def test_long_texts_are_explained():
    """Above 4,096 tokens the LCS is found strip by strip."""
    draw = random.Random(1)
    prediction, reference = (" ".join(draw.choices("abcdefgh", k=4500)) for _ in range(2))
    rouge = Rouge(rouge_types=["rouge2", "rougeL", "rougeLsum"], sentence_split="none")

    assert check_hits(rouge.explain(prediction, reference), rouge, prediction, [reference]) > 8000


def test_stems_that_a_tokenizer_makes_itself_are_hits_at_their_words():
    rouge = Rouge(tokenizer="xlsum_english", use_stemmer=True, tool={"stemmer": "xlsum"})
    match = rouge.explain("The cats are running", "the cat runs")["rouge1"]
    assert match.prediction_spans == [(0, 3), (4, 8), (13, 20)]
    assert match.reference_spans == [(0, 3), (4, 7), (8, 12)]
