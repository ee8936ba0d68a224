"""What a text becomes under every convention: tokens that are the same for all who ask, and stand where they say."""

import itertools

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from language_packages import convention_settings, every_convention
from strategies import texts as any_text

from polyrouge import Rouge
from polyrouge.counting.loop import count_pairs
from polyrouge.counting.texts import read_texts
from polyrouge.documents.document import readers_by_side
from polyrouge.documents.input_notes import InputNotes
from polyrouge.explaining.explanation import explain_sample
from polyrouge.explaining.matching import hit_value
from polyrouge.inputs import Inputs, SingleReferences, check_inputs

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")


def rouge_of(name, engine, types):
    options = {"rouge_types": types, "weights": None, "multi_reference": "best", "aggregate": "mean"}
    return Rouge(name, **{**convention_settings(name), **options, "on_error": "score", "empty": "zero"}, engine=engine)


@pytest.mark.parametrize("name", every_convention())
@pytest.mark.parametrize("engine", ["plain", "compiled"])
@given(st.lists(st.tuples(any_text, any_text), min_size=1, max_size=3))
@example(
    [("", "a b c"), ("\n", " "), ("  ", "a  b"), ("。", "The cat. Sat!\non it"), ("today 今天。 很好！", "天气\u2028")]
)
@settings(max_examples=8)
def test_tokens_do_not_depend_on_the_types(name, engine, rows):
    predictions, references = map(list, zip(*rows, strict=True))
    few, all_types = (
        rouge_of(name, engine, types).count(predictions, references)
        for types in (["rouge1", "rouge2"], ["rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW"])
    )

    assert few.prediction_tokens.tolist() == all_types.prediction_tokens.tolist()
    assert few.reference_tokens.tolist() == all_types.reference_tokens.tolist()
    assert np.array_equal(few.counts, all_types.counts[:, :2])


@pytest.mark.parametrize("engine", ["plain", "compiled"])
@pytest.mark.parametrize("split", ["newline", "none", "auto", "zh", "token", "。", str.splitlines])
@pytest.mark.parametrize(
    "tokenizer", ["every_char", "pltrdy", "single_space", "rouge155", "hanzi", "py_rouge", "mixed"]
)
def test_tokens_of_a_tool_do_not_depend_on_the_types_either(tokenizer, split, engine):
    texts = ["a b.\n\n c。  d! e", "", "\n", " .。", "天气\n好。b"]
    values = {"tokenizer": tokenizer, "sentence_split": split, "punctuation": "keep", "engine": engine}

    few, all_types = (
        Rouge(rouge_types=types, **values).count(texts, texts[::-1]) for types in (["rouge1"], ["rouge1", "rougeLsum"])
    )

    assert few.prediction_tokens.tolist() == all_types.prediction_tokens.tolist()
    assert np.array_equal(few.counts, all_types.counts[:, :1])


TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW", "rougeSU4")


def words_of(read, number):
    """The tokens of a text, and those of its sentences but for empty ones."""
    document = read.documents[number]
    sentences = [[read.vocabulary[token] for token in sentence] for sentence in document.sentences if sentence]
    return [read.vocabulary[token] for token in document.tokens], sentences


def spans_of(read, number):
    start, end = read.tokens.text_tokens[number : number + 2]
    return read.spans[start:end].tolist()


@pytest.mark.parametrize("name", every_convention())
@given(rows=st.lists(st.tuples(any_text, st.lists(any_text, min_size=1, max_size=3)), min_size=1, max_size=4))
@example(rows=[("", ["a b"]), ("The cat. Sat!", ["the cats\nsat.", ""]), ("今天。 天气，很好！", ["今天 天气"])])
@example(rows=[("ＡΣ.B İ ﬁ½", ["a  b\u3000c", "好。天 气\n\t了", "É é e\u0301 한국\u1100\u1161"]), (" ", ["\n"])])
@settings(max_examples=8)
def test_what_is_read_once_is_what_is_counted(name, rows):
    predictions, references = map(list, zip(*rows, strict=True))
    inputs = check_inputs(predictions, references)
    spans = {}
    for engine in ("plain", "compiled"):
        rouge = rouge_of(name, engine, TYPES)
        rules, run = rouge.settings.replace(multi_reference="best"), rouge.run
        expected = count_pairs(inputs, rules, run)

        texts = read_texts([inputs], rules, run)
        counted = count_pairs(texts.system(0), rules, run)

        for field in ("counts", "offsets", "prediction_tokens", "reference_tokens"):
            assert np.array_equal(getattr(counted, field), getattr(expected, field)), field
        readers = readers_by_side(rules.text_rules)
        numbers = itertools.chain(
            zip(predictions, texts.predictions[0].tolist(), itertools.repeat(readers.prediction)),
            zip(itertools.chain(*references), texts.references.tolist(), itertools.repeat(readers.reference)),
        )
        for text, number, reader in numbers:
            document, read = reader(text), texts.read
            assert words_of(read, number) == (document.tokens, list(filter(None, document.sentences)))
            spans.setdefault((text, reader is readers.prediction), []).append(spans_of(read, number))
            for start, end in spans_of(read, number):
                assert start == end == -1 or 0 <= start <= end <= len(text)
    for (text, _), (plain, *compiled) in spans.items():
        assert compiled[-1] == plain, text


REFERENCE_RULES = ("best", "best_recall", "first", "mean", "pooled", "best_each", "jackknife")


@pytest.mark.parametrize("engine", ["plain", "compiled"])
@pytest.mark.parametrize("name", every_convention())
@given(any_text, st.lists(any_text, min_size=1, max_size=3), st.sampled_from(REFERENCE_RULES))
@example("The cats. Sat!", ["the cats\nsat.", "cat"], "mean")
@example("今天。 天气，很好！running", ["今天 天气 runs", "running"], "first")
@settings(max_examples=5)
def test_a_unit_that_is_coloured_is_a_unit_that_was_counted(name, engine, prediction, references, rule):
    rouge = rouge_of(name, engine, TYPES)
    chosen, run = rouge.settings.replace(multi_reference=rule), rouge.run
    inputs = check_inputs([prediction], [references])
    counted = count_pairs(Inputs([prediction] * len(references), SingleReferences(references), "text"), chosen, run)

    explanation = explain_sample(inputs, chosen, run, InputNotes(chosen.text_rules))

    for column, (rouge_type, explained) in enumerate(
        zip(chosen.count_rules.types, explanation.types.values(), strict=True)
    ):
        for counts, match in zip(counted.counts[:, column], explained.matches, strict=True):
            assert [match.hits, match.prediction_total, match.reference_total] == counts.tolist()
            if match.units is None:  # ROUGE-1.5.5 -b counts a text cut in two ways
                assert chosen.text_rules.bytes_uncounted
                continue
            assert hit_value(match.units, rouge_type, chosen.count_rules) == pytest.approx(counts[0], rel=1e-9)
            for unit in match.units:
                ours = [match.prediction_tokens[position].token for position in unit.prediction]
                assert ours == [match.reference_tokens[position].token for position in unit.reference]
