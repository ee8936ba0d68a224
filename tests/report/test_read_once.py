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


def test_each_text_is_cut_once(tmp_path):
    calls = Counter()
    rouge = Rouge(tokenizer=lambda text: calls.update([text]) or text.split(), sentence_split="none")
    texts = {"predictions": PREDICTIONS, "references": REFERENCES, "others": {"b": OTHERS}, "sources": SOURCES}
    write_report(tmp_path / "r.html", rouge=rouge, **texts)
    assert max(calls.values()) == 1
    assert {*PREDICTIONS, *OTHERS, *REFERENCES} <= {*calls}

    calls.clear()
    rouge.explain("the cat sat\non it", ["the cat ran", "a b"])
    assert calls == Counter(["the cat sat\non it", "the cat ran", "a b"])

    calls.clear()
    examine_systems({"a": PREDICTIONS, "b": OTHERS}, REFERENCES, rouge)
    assert calls == Counter([*PREDICTIONS, *OTHERS, *REFERENCES])


@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_what_a_tool_refuses_is_refused_of_texts_that_were_read(tmp_path, engine):
    rouge = Rouge("lawrouge", on_error="raise", engine=engine)
    with pytest.raises(ValueError, match=r"^predictions\[1\] with references\[1\]: the tool"):
        write_report(tmp_path / "r.html", ["a b", "", "c"], ["a b", "a", "c"], rouge=rouge)
