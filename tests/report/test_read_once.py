"""However much a report, an explanation or an examination shows, each text is cut once."""

from collections import Counter

import pytest

from polyrouge import Rouge
from polyrouge.beyond.error_analysis.examination import examine_systems
from polyrouge.report import write_report

PREDICTIONS, OTHERS = ["the cat sat", "a dog ran\nfar away", "x"], ["the cat", "a dog\nran", "y z"]
REFERENCES = ["the cat ran", "a dog ran away\nfar", "z"]
SOURCES = ["the cat ran and sat there", "a dog ran away\nfar far", "z y x"]
pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")


@pytest.fixture
def calls():
    return Counter()


@pytest.fixture
def rouge(calls):
    def tokenize(text):
        calls[text] += 1
        return text.split()

    return Rouge(tokenizer=tokenize, sentence_split="none")


@pytest.mark.parametrize("options", [{}, {"sources": SOURCES}], ids=["report", "with sources"])
def test_a_report_reads_each_text_once(tmp_path, rouge, calls, options):
    write_report(tmp_path / "r.html", PREDICTIONS, REFERENCES, rouge=rouge, others={"b": OTHERS}, **options)

    assert max(calls.values()) == 1
    assert {*PREDICTIONS, *OTHERS, *REFERENCES} <= {*calls}


def test_an_explanation_reads_each_text_once(rouge, calls):
    rouge.explain("the cat sat\non it", ["the cat ran", "a b"])

    assert calls == Counter(["the cat sat\non it", "the cat ran", "a b"])


def test_an_examination_reads_each_text_once(rouge, calls):
    examine_systems({"a": PREDICTIONS, "b": OTHERS}, REFERENCES, rouge)

    assert calls == Counter([*PREDICTIONS, *OTHERS, *REFERENCES])
