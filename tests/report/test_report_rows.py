"""The rows that a report packs, unpacked again, are what the explanation of each pair says."""

import functools

import pytest
import report_file

from polyrouge import Rouge
from polyrouge.counting.compiled import kernels
from polyrouge.explaining.hit_positions import SHOWN_TYPES
from polyrouge.report.html_report import write_report

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
