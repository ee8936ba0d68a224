"""The rows that a report packs, unpacked again, are what the explanation of each pair says."""

import functools

import numpy as np
import pytest
import report_file
from hypothesis import given
from hypothesis import strategies as st

from polyrouge import Rouge
from polyrouge.counting.compiled import kernels
from polyrouge.counting.texts import ReadTexts
from polyrouge.counting.token_ids import batch_of_documents
from polyrouge.documents.document import Document
from polyrouge.explaining.hit_positions import SHOWN_TYPES
from polyrouge.report.html_report import write_report
from polyrouge.report.rows import token_columns

ODD = [
    ("", "a b"),
    ("a b c", ""),
    ("the cat the cat\nsat on the mat", "the mat sat\non the cat the cat"),
    ("今天天气很好。我们去公园。", "今天我们去公园，天气好。"),
    ("ﬁne ½ e\u0301 İstanbul…", "fine 1⁄2 é istanbul..."),
    ("a b a b a b a b", "b a b a"),
    ("x " * 200 + "y", "y " + "x " * 150),
    ("one\n\ntwo three\nfour", "four\nthree two\none"),
    ("𝒜 𝒜b 🎉 🎉", "𝒜b 🎉"),
]
SETTINGS = {
    "default": {},
    "stems and stop words": {"tokenizer": "ascii", "use_stemmer": True, "stop_words": ["the", "on"]},
    "zh_char": {"convention": "zh_char"},
    "zh_word": {"convention": "zh_word"},
    "nfkc": {"normalize": "nfkc", "tokenizer": "char", "punctuation": "keep"},
    "distinct": {"tool": {"ngram_counts": "set"}},
    "rouge_score": {"convention": "rouge_score"},
    "sentences of tokens": {"sentence_split": "token"},
    "limited": {"max_words": 5},
    "a tokenizer that invents": {"tokenizer": lambda text: ["##x", *text.split(), "nowhere"]},
    "placeholder": {"convention": "llama_factory"},
    "other hits than can be shown": {"convention": "pltrdy"},
}


def rouge_of(chosen, engine):
    chosen = dict(chosen)
    return Rouge(chosen.pop("convention", "default"), engine=engine, **chosen)


def places_of(tokens):
    return [None if token.start is None else (token.start, token.end) for token in tokens]


@pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
@pytest.mark.parametrize("name", SETTINGS)
def test_rows_hold_what_explanations_say(tmp_path, name, monkeypatch):
    monkeypatch.setattr("polyrouge.report.rows.ROWS_A_PAGE", 4)  # several pages
    predictions, references = ([pair[side] for pair in ODD] for side in (0, 1))
    others = [*predictions[1:], predictions[0]]
    several = [[text, f"{text} b", ""][: 1 + row % 3] for row, text in enumerate(references)]
    counted = rouge_of({**SETTINGS[name], "rouge_types": SHOWN_TYPES, "multi_reference": "best"}, "plain")
    explained = functools.cache(lambda prediction, reference: counted.explain(prediction, [reference]))
    for engine in ("plain", "compiled"):
        rouge = rouge_of(SETTINGS[name], engine)
        options = {"rouge": rouge, "others": {"other": others}, "slices": False}
        page = write_report(tmp_path / "r.html", predictions, several, **options).read_text("utf-8")
        order = report_file.index_of(page)["numbers"]["rows"] - 1
        rows = report_file.rows_of(page)
        assert sorted(order) == list(range(len(ODD)))

        hits_shown = 0
        for row, number in zip(rows, order, strict=True):
            for system, texts_of_system in enumerate([predictions, others]):
                for reference, text in enumerate(several[number]):
                    explanation = explained(texts_of_system[number], text)
                    shown = row["predictions"][system], row["references"][reference]
                    for side, of_side in zip(shown, (explanation.prediction, *explanation.references), strict=True):
                        assert side["text"] == of_side.text
                        assert side["tokens"] == places_of(of_side.tokens)
                        sentences = list(map(places_of, filter(None, of_side.sentences)))
                        assert list(filter(None, side["sentences"])) == sentences  # a kernel makes no empty ones
                    for column, rouge_type in enumerate(SHOWN_TYPES):
                        match = explanation[rouge_type]
                        hits = row["hits"][reference][system][column]
                        assert (hits is None) == (match.units is None)
                        if hits is not None:
                            ours, theirs, totals = hits
                            places = [(unit.prediction[0], unit.reference[0]) for unit in match.units]
                            assert list(zip(ours, theirs, strict=True)) == places
                            assert totals == [match.prediction_total, match.reference_total]
                            hits_shown += len(ours)
        assert hits_shown > 20, engine


def test_a_text_too_long_for_the_table_is_placed_plainly(tmp_path, monkeypatch):
    pairs = ["a b c", "c b a"], ["a c b", "b c"]

    def rows():
        path = write_report(tmp_path / "r.html", *pairs, rouge=Rouge(engine="compiled"))
        return report_file.rows_of(path.read_text("utf-8"))

    by_kernel = rows()
    monkeypatch.setattr(kernels, "LARGEST_TABLE", 2)
    monkeypatch.setattr(kernels, "match_hits", None)

    assert rows() == by_kernel


@st.composite
def columns(draw):
    """Texts as they might be placed, of which some tokens are nowhere."""
    place = st.tuples(st.integers(0, 300), st.integers(0, 200)) | st.none()
    texts = []
    for sentences in draw(st.lists(st.lists(st.lists(place, max_size=4), max_size=3), max_size=4)):
        whole = [token for one in sentences for token in one]
        is_same = draw(st.booleans())
        flat = whole if is_same else draw(st.lists(place, max_size=5))
        texts.append((flat, sentences, is_same))
    return texts


def read(texts):
    """The texts as they are read, each token with its place."""
    flat = [place for whole, _, _ in texts for place in whole]
    own = [place for _, sentences, _ in texts for sentence in sentences for place in sentence]
    spans = [np.array([place or (-1, 0) for place in of], np.int32).reshape(-1, 2).cumsum(axis=1) for of in (flat, own)]
    batch = batch_of_documents([Document(whole, sentences) for whole, sentences, _ in texts])
    with_own = np.array([number for number, (*_, is_same) in enumerate(texts) if not is_same], np.int64)
    rules = Rouge().settings.text_rules
    return ReadTexts([""] * len(texts), batch, *spans, rules, [""] * batch.n_ids, with_own)


@given(columns())
def test_columns_of_tokens_come_back(texts):
    numbers = token_columns(read(texts), np.arange(len(texts)))

    def unpacked(starts, lengths, sizes):
        return report_file._split(report_file._places(numbers[starts], numbers[lengths], sizes), sizes)

    def shown(places):
        return [None if place is None else (place[0], sum(place)) for place in places]

    assert unpacked("starts", "lengths", numbers["tokens"]) == [shown(whole) for whole, _, _ in texts]
    own = [sentence for _, sentences, is_same in texts if not is_same for sentence in sentences]
    assert unpacked("ownStarts", "ownLengths", list(map(len, own))) == list(map(shown, own))
    assert numbers["sentenceTokens"].tolist() == [len(sentence) for _, sentences, _ in texts for sentence in sentences]
