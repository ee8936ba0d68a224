"""Sources in a report, without a browser: measures, and where the fragments stand."""

import numpy as np
import pytest
from news import columns, news
from placed import placed as placed_text

from polyrouge import Rouge, measure_sources
from polyrouge.beyond.source_overlap.measures import (
    SourceTokens,
    extractive_fragments,
    has_tokens_of_sources,
    without_limits,
)
from polyrouge.counting.texts import read_texts
from polyrouge.inputs import check_inputs
from polyrouge.report.report_sources import ReportSources

ROWS = [*news("en")[:12], *news("zh")[:12]]
GOOD, POOR = columns(ROWS, "prediction", "prediction_b")
SYSTEMS = {"A": GOOD, "B": ["", "Ⅻ ﬁnd 😀 e\u0301", *POOR[2:]]}
SOURCES = [f"😀 {row['references'][0]}\n{row['prediction']} Ⅻ é" for row in ROWS]
pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")

METRICS = {
    "rouge_score": Rouge("rouge_score"),
    "stems and stop words": Rouge(use_stemmer=True, stop_words=["the", "a", "的"], max_words=3),
    "zh_word": Rouge("zh_word"),
    "nfkc": Rouge(tokenizer="char", normalize="nfkc", punctuation="keep"),
    "xlsum": Rouge("xlsum"),
    "a callable": Rouge(tokenizer=lambda text: [word[::-1] if len(word) == 3 else word for word in text.split()]),
}


def unpacked(numbers):
    """Fragments by their characters: in the prediction from and to, in the source from and to."""
    fragments, end, end_in_source = [], 0, 0
    for gap, length, ahead, longer in zip(*(numbers[place::4] for place in range(4)), strict=True):
        start, start_in_source = end + gap, end_in_source + ahead
        end, end_in_source = start + length, start_in_source + length + longer
        fragments.append((start, end, start_in_source, end_in_source))
    return fragments


def placed_fragments(prediction, source, rouge):
    """The same, from tokens that are placed one by one."""
    rules = rouge.settings if has_tokens_of_sources(rouge.settings) else without_limits(rouge.settings)
    theirs = placed_text(source, rules, is_reference=True).tokens
    ours = placed_text(prediction, rules).tokens if prediction else ()
    placed = []
    tokens, source_tokens = ([each.token for each in side] for side in (ours, theirs))
    for start, place, length in extractive_fragments(tokens, SourceTokens(source_tokens)):
        sides = ours[start : start + length], theirs[place : place + length]
        known = [[each for each in side if each.start is not None] for side in sides]
        if all(known):
            ends = [(min(each.start for each in side), max(each.end for each in side)) for side in known]
            placed.append((*ends[0], *ends[1]))
    return placed


@pytest.mark.parametrize("name", METRICS)
def test_fragments_stand_where_their_tokens_do_and_measures_are_those_of_python(name):
    rouge = METRICS[name]
    systems = {name: check_inputs(texts, SOURCES) for name, texts in SYSTEMS.items()}

    texts = read_texts(
        list(systems.values()), rouge.settings, rouge.run, SOURCES if has_tokens_of_sources(rouge.settings) else []
    )
    sources = ReportSources(systems, SOURCES, rouge.settings, rouge.run, texts)

    n_fragments = 0
    for row, source in enumerate(SOURCES):
        shown = sources.page_row(row)
        assert shown["x"] == source
        for texts, numbers in zip(SYSTEMS.values(), shown["f"], strict=True):
            fragments = unpacked(numbers)
            assert fragments == placed_fragments(texts[row], source, rouge)
            n_fragments += len(fragments)
    assert n_fragments > 50

    whole = sources.row_numbers(np.arange(len(SOURCES)))["sources"]
    for system, texts in enumerate(SYSTEMS.values()):
        measures = measure_sources(texts, SOURCES, rouge)
        for place, each in enumerate(sources.page_index()["measures"]):
            column = measures.columns[each]
            expected = np.where(np.isnan(column), -1, np.rint(np.nan_to_num(column) * 10_000))
            assert whole[system, place].tolist() == expected.tolist()
        assert sources.means[list(SYSTEMS)[system]] == pytest.approx(measures.means(), rel=0, abs=0, nan_ok=True)
