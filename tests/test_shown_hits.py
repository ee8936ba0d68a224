"""What is shown of a score is what it counts: numbers and coloured tokens of explanations, the page and the report."""

import html
import math
import re

import numpy as np
import pytest
import report_file
from language_packages import convention_settings, every_convention

from polyrouge import CONVENTIONS, Rouge
from polyrouge.explaining.hit_positions import SHOWN_TYPES
from polyrouge.explaining.matching import hit_value
from polyrouge.page.choices import Choice
from polyrouge.page.highlight import counts_words, pair_html
from polyrouge.page.score_views import ScoredPair, scores_html
from polyrouge.report.html_report import write_report
from polyrouge.results import shown_number
from polyrouge.scoring.scores import scores_from_counts
from polyrouge.settings.rouge_types import parse_rouge_type

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
RULES = (None, "best", "best_recall", "first", "mean", "pooled", "jackknife")
PREDICTION = "The cat sat on the mat.\n今天天气很好，我们去公园。 The dog ran."
REFERENCES = [
    "A cat was on the mat.\n今天天气不错。",
    "我们今天去公园，天气很好。\nThe dog ran to the cat, the mat.",
    "Nothing alike 别的",
]


def explained_by(name, rule):
    """The metric, with all types that can be marked, and its explanation; skips what a tool refuses."""
    settings = {
        **convention_settings(name),
        "rouge_types": [*SHOWN_TYPES, "rouge3", "rougeW", "rougeSU4"],
        "output": "all",
    }
    settings |= {"weights": None} if CONVENTIONS[name].settings.weights is not None else {}
    settings |= {"multi_reference": rule} if rule else {}
    rouge = Rouge(name, **settings)
    return rouge, rouge.explain(PREDICTION, REFERENCES)


def spans_of(tokens, positions):
    """The characters of tokens."""
    spans = [
        (tokens[position].start, tokens[position].end) for position in positions if tokens[position].start is not None
    ]
    return {place for start, end in spans for place in range(start, end)}


def coloured(panel):
    """The text of a panel of the page, and the characters that are marked and no blanks."""
    text, places, is_marked = "", set(), False
    for part in re.split(r"(<[^>]*>)", panel):
        if part.startswith("<"):
            is_marked = part.startswith("<mark") or (is_marked and part != "</mark>")
            continue
        plain = html.unescape(part)
        places |= {len(text) + n for n, character in enumerate(plain) if is_marked and not character.isspace()}
        text += plain
    return text, places


@pytest.mark.parametrize("name", every_convention())
def test_what_is_shown_is_what_the_score_counts(name, tmp_path):
    for rule in (None, "first", "pooled") if CONVENTIONS[name].settings.aggregate == "micro" else RULES:
        rouge, explanation = explained_by(name, rule)
        settings = rouge.settings
        rounding = 1e-6 * settings.scale  # some tools round each score
        counts = rouge.count([PREDICTION], [REFERENCES]).counts
        pairs = rouge.count([PREDICTION] * 3, [[each] for each in REFERENCES]).counts
        scores = rouge.compute([PREDICTION], [REFERENCES])
        page_scores = scores_html(ScoredPair(scores, explanation, "", "", []), Choice(), "en")
        views = re.split(r'<div data-view="', pair_html(explanation, scores, settings.rouge_types, "en"))[1:]

        assert counts.shape[0] in (1, 3)
        for column, (key, explained) in enumerate(explanation.types.items()):
            # The numbers
            shown = [shown_number(each, 2) for each in (explained.precision, explained.recall, explained.fmeasure)]
            of_compute = [shown_number(scores[each], 2) for each in (f"{key}_precision", f"{key}_recall", key)]
            assert shown[:2] == of_compute[:2]
            assert shown[2] == of_compute[2] or settings.aggregate != "mean"  # tools' means can have another F
            of_matches = [[match.hits, match.prediction_total, match.reference_total] for match in explained.matches]
            assert of_matches == pairs[:, column].tolist()
            of_score = explained.counts
            if explained.best_reference is not None:
                assert explained.combination is None
                assert list(of_score) == of_matches[explained.best_reference]
                assert explained.fmeasure == explanation[key].fmeasure
            elif explained.combination == "pooled":
                assert np.allclose(of_score, np.sum(pairs[:, column], axis=0), rtol=1e-15)
                of_type = np.zeros((1, counts.shape[1], 3))
                of_type[0, column] = of_score
                expected = scores_from_counts(of_type, settings.score_rule)[0, column] * settings.scale
                assert np.allclose(expected, [explained.precision, explained.recall, explained.fmeasure], atol=rounding)
            else:
                assert (explained.combination, of_score) == (settings.multi_reference, None)
                if explained.combination == "mean":
                    assert explained.fmeasure == pytest.approx(
                        np.mean([match.fmeasure for match in explained.matches]), abs=rounding
                    )
                with pytest.raises(ValueError, match="score of all 3 references"):
                    explanation[key]
            (row,) = re.findall(rf'<tr data-view="{key}">(.*?)</tr>', page_scores) or [""]
            if row:
                cells = re.findall(r"<td[^>]*>(.*?)</td>", row)
                assert cells[3] == (counts_words(of_score) if of_score else "–")
            # The colours
            panels = re.findall(r'<div class="pr-text" dir="auto">(.*?)</div>', views[column], re.DOTALL)
            tabs = re.findall(r"(?: · F ([^ <]+))?( ★)?</label>", views[column])
            assert [star != "" for _, star in tabs] == [n == explained.best_reference for n in range(3)]
            has_f = shown == of_compute
            assert [f for f, _ in tabs] == [shown_number(match.fmeasure, 2) * has_f for match in explained.matches]
            for number, match in enumerate(explained.matches):
                if match.units is not None:
                    assert math.isclose(
                        hit_value(match.units, parse_rouge_type(key), settings.count_rules), match.hits, rel_tol=1e-9
                    )
                for side, text in enumerate((PREDICTION, REFERENCES[number])):
                    tokens = (match.prediction_tokens, match.reference_tokens)[side]
                    positions = {position for unit in match.units or () for position in unit[side]}
                    expected = {place for place in spans_of(tokens, positions) if not text[place].isspace()}
                    assert coloured(panels[2 * number + side]) == (text, expected), (key, number)
                    if key == "rouge1" and match.units is not None and settings.tool.ngram_counts != "set":
                        assert len(positions) == match.hits
        check_report(rouge, explanation, pairs, tmp_path / "r.html")


def check_report(rouge, explanation, pairs, path):
    """The report holds the hits of each reference, and the reference that a score is that of."""
    if rouge.settings.aggregate == "micro":
        return
    page = write_report(path, [PREDICTION], [REFERENCES], rouge=rouge, slices=False).read_text("utf-8")
    index, (row,) = report_file.index_of(page), report_file.rows_of(page)
    assert index["rule"] == rouge.settings.multi_reference
    left_out = set(explanation.types) - set(index["types"])
    assert left_out <= {"rougeLsum"}
    for column, key in enumerate(index["types"]):
        explained = explanation.types[key]
        best = index["numbers"]["best"][0, column, 0]
        assert best == (-1 if explained.best_reference is None else explained.best_reference)
        shown = index["numbers"]["scores"][0, column, :, 0] / 10_000 * rouge.settings.scale
        expected = [explained.precision, explained.recall, explained.fmeasure]
        assert np.allclose(shown, expected, atol=0.0001 * rouge.settings.scale), key
        if key not in SHOWN_TYPES:
            continue
        for number, match in enumerate(explained.matches):
            hits = row["hits"][number][0][SHOWN_TYPES.index(key)]
            assert (hits is None) == (match.units is None)
            if hits is not None:
                ours, theirs, totals = hits
                assert [len(ours), *totals] == pairs[number, column].tolist()
                assert list(zip(ours, theirs, strict=True)) == [
                    (unit.prediction[0], unit.reference[0]) for unit in match.units
                ]
