"""``score_context``: each point is what ``Rouge.compute`` gives for texts that are made by hand."""

import json
import math

import pytest
from command_runs import run, write_rows

from polyrouge import Rouge, score_context
from polyrouge.beyond.pairs import extractive_oracle
from polyrouge.beyond.reference_points import _texts_of_others

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
SOURCES = [
    "It rained. The cat sat on the mat. A dog ran. Birds sang.",
    "A man fell. He broke his leg. Doctors helped him. He went home.",
    "Prices rose. The bank cut rates. Shares fell. Nobody knew why.",
]
REFERENCES = [
    ["The cat sat. A dog ran.", "A dog ran by the cat."],
    ["He broke his leg. Doctors helped."],
    ["The bank cut rates.", "Rates were cut.", "The bank acted."],
]
PREDICTIONS = ["A cat sat on a mat.", "Doctors helped a man.", "The bank cut rates."]


def scored(texts, references=REFERENCES):
    return Rouge(confidence=0.95).compute(texts, references)


@pytest.mark.parametrize(("lead", "n"), [(None, 1), (2, 2)], ids=["the median of the references", "given"])
def test_each_point_is_the_score_of_its_texts(lead, n):
    context = score_context(PREDICTIONS, REFERENCES, SOURCES, lead=lead)

    sentences = [[f"{part}." for part in text.rstrip(".").split(". ")] for text in SOURCES]
    assert context.points["system"] == scored(PREDICTIONS)
    assert context.points[f"lead-{n}"] == scored(["\n".join(each[:n]) for each in sentences])
    assert context.points["source"] == scored(["\n".join(each) for each in sentences])
    chosen = [extractive_oracle(text, rows, n).indices for text, rows in zip(sentences, REFERENCES, strict=True)]
    oracles = [[text[index] for index in indices] for text, indices in zip(sentences, chosen, strict=True)]
    assert context.points["oracle"] == scored(list(map("\n".join, oracles)))
    firsts = [row[0] for row in REFERENCES]
    assert context.points["shuffled references"] in (scored(firsts[1:] + firsts[:1]), scored(firsts[2:] + firsts[:2]))
    assert context.n_samples == dict.fromkeys(context.points, 3) | {
        "one text for all": 2, "human": 2, "system, as human": 2
    }  # fmt: skip
    assert context == score_context(PREDICTIONS, REFERENCES, SOURCES, lead=lead)


def test_people_are_compared_with_the_system_on_the_same_references():
    context = score_context(PREDICTIONS, REFERENCES)

    def mean_of(texts):  # over the references of each row, then over the rows
        rows = []
        for text, references in zip(texts, (REFERENCES[0], REFERENCES[2]), strict=True):
            each = [
                Rouge().compute([text or left], [[other for other in references if other != left]])["rouge1"]
                for left in references
            ]
            rows.append(sum(each) / len(each))
        return sum(rows) / len(rows)

    assert context.points["human"]["rouge1"] == pytest.approx(mean_of([None, None]), abs=1e-15)
    assert context.points["system, as human"]["rouge1"] == pytest.approx(mean_of(PREDICTIONS[::2]), abs=1e-15)
    assert "oracle" not in context.points
    assert "has gone" not in str(context)


def test_the_share_of_the_way():
    context = score_context(PREDICTIONS, REFERENCES, SOURCES)
    low, at, high = (context.points[name]["rouge2"] for name in ("shuffled references", "system", "oracle"))
    assert context.share("rouge2") == (at - low) / (high - low)
    assert f"{context.share('rouge2'):.0%} in rouge2" in str(context)
    assert math.isnan(context.share("rouge1", "oracle", "oracle"))
    of_one_word = score_context(["a", "b"], ["a", "b"], ["a", "b"], Rouge(rouge_types=["rouge1", "rouge2"]))
    assert math.isnan(of_one_word.share("rouge2"))  # it is 0 at both points
    (note,) = of_one_word.notes()
    assert note.endswith(", the system has gone 100% in rouge1.")


def test_what_is_refused():
    pooled = Rouge(aggregate="micro", multi_reference="pooled")
    for options, words in (
        ({"sources": SOURCES[:2]}, "2 sources"),
        ({"lead": 0}, "lead"),
        ({"rouge": pooled}, "micro"),
    ):
        with pytest.raises(ValueError, match=words):
            score_context(PREDICTIONS, REFERENCES, **options)


def test_the_command_gives_the_same(tmp_path):
    cells = zip(PREDICTIONS, REFERENCES, SOURCES, strict=True)
    rows = [dict(zip(("prediction", "references", "article"), each, strict=True)) for each in cells]
    command = ("context", write_rows(tmp_path / "rows.jsonl", rows), "--source-column", "article", "-q")
    context = score_context(PREDICTIONS, REFERENCES, SOURCES, Rouge(scale=100))

    assert json.loads(run(*command, "-f", "json").stdout)["points"] == context.points


def test_shuffled_references_are_never_a_row_s_own():
    """First references repeat, and are another row's second one; a row that has all of them has no other."""
    rows = [("yes", f"it is {i}") if i % 3 else (f"no {i}", "yes") for i in range(12)]
    texts = _texts_of_others(rows)
    assert len(texts) == 12
    assert all(text not in row for row, text in texts.items())
    assert _texts_of_others([("yes", "no"), ("no",), ("yes",)]) == {("no",): "yes", ("yes",): "no"}
    assert _texts_of_others([("yes", "a"), ("yes", "b")]) == {}
    context = score_context(["yes"] * 2, [["yes", "a"], ["yes", "b"]])
    assert not {"shuffled references", "one text for all"} & set(context.points)
    context = score_context(["a", "b", "c"], ["the same", "the same", "something else"])
    assert context.points["shuffled references"]["rouge1"] == 0
    assert {"system"} == set(score_context(["a", "b"], ["the same", "the same"]).points)
