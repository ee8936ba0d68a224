"""evaluate's own mode of several processes, and processes that share one cache folder without knowing it."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from hub_server import SCRIPT, run_child

from polyrouge import Rouge

pytestmark = pytest.mark.hub

# The first processes run the same experiments together. Then each scores rows of its own, again and again.
PROGRAM = """
import json, sys
from pathlib import Path
import evaluate
from filelock import FileLock

script, cache, process, n_together, share, own = json.loads(sys.stdin.read())
report = {}

def load(experiment_id):
    return evaluate.load(script, cache_dir=cache, num_process=n_together, process_id=process, timeout=600,
                         experiment_id=experiment_id, rouge_types=["rouge1", "rougeL"], use_aggregator=False)

if share is not None:
    rouge = load("failed")
    try:
        report["failed"] = rouge.compute(predictions=["a", ""], references=["a", "b"], empty="error")
    except ValueError as error:
        report["failed"] = str(error)
        for path in Path(cache).rglob("failed-*.lock"):
            with FileLock(path, timeout=0):
                report.setdefault("freed", []).append(path.name)
    report["at once"] = load("at once").compute(**share)
    rouge = load("added")
    for prediction, references in zip(share["predictions"], share["references"]):
        rouge.add(prediction=prediction, reference=references)
    report["length"] = len(rouge)
    report["added"] = rouge.compute()
    report["state"] = [len(rouge), rouge.filelock, rouge.filelocks]
options = {"cache_dir": cache, "rouge_types": ["rouge1", "rougeL"], "confidence": 0.9, "n_resamples": 50}
rouge = evaluate.load(script, **options)
report["own"] = [rouge.compute(**own) for _ in range(20)]
report["in memory"] = evaluate.load(script, keep_in_memory=True, **options).compute(**own)
print(json.dumps(report))
"""


def rows_of(number):
    """Rows that only one process has, so that a mix-up shows; even numbers have one reference a row."""
    texts = [f"the cat {number} sat on mat {i % 7}\n今天天气{number}很好，上海{i}下雨。" for i in range(30 + number)]
    others = [*texts[1:], ""]
    return {"predictions": texts, "references": [[text, "the cat"] for text in others] if number % 2 else others}


@pytest.mark.parametrize(("n", "n_together"), [(2, 2), pytest.param(10, 4, marks=pytest.mark.slow)])
def test_processes_share_experiments_and_a_cache_folder(tmp_path, n, n_together):
    cache = tmp_path / "rows"
    shares = [rows_of(2 * number + 1) for number in range(n_together)]

    def run(process):
        share = shares[process] if process < n_together else None
        message = [str(SCRIPT), str(cache), process, n_together, share, rows_of(process)]
        return json.loads(run_child(PROGRAM, tmp_path, message, HF_HUB_OFFLINE="1"))

    with ThreadPoolExecutor(n) as pool:
        reports = list(pool.map(run, range(n)))

    rouge = Rouge(rouge_types=["rouge1", "rougeL"])
    for number, report in enumerate(reports):
        expected = rouge.compute(**rows_of(number), confidence=0.9, n_resamples=50)
        assert report["own"] == [expected] * 20
        assert report["in memory"] == expected
    # Process 0 scores the rows of all, in order; each counts its own, and nothing is left.
    first, *others = reports[:n_together]
    every = {name: [row for share in shares for row in share[name]] for name in ("predictions", "references")}
    assert first["at once"] == first["added"] == rouge.compute(**every, use_aggregator=False)
    assert [(each["at once"], each["added"], each["failed"]) for each in others] == [(None, None, None)] * len(others)
    assert [each["length"] for each in (first, *others)] == [len(share["predictions"]) for share in shares]
    assert [each["state"] for each in (first, *others)] == [[0, None, None]] * n_together
    assert [path.name for path in cache.rglob("*.arrow")] == []
    # Where it fails, it names the row among all, and frees the locks of all.
    assert first["failed"].startswith("predictions[1] has no tokens")
    names = [*(f"{number}.arrow" for number in range(n_together)), "rdv", "wait"]
    assert sorted(first["freed"]) == [f"failed-{n_together}-{name}.lock" for name in names]


WITHOUT_ROWS = """
import json, sys
import evaluate

script, cache, process, cases = json.loads(sys.stdin.read())
results = []
for name, without, how in cases:
    rouge = evaluate.load(script, cache_dir=cache, num_process=2, process_id=process, timeout=120,
                          experiment_id=name, rouge_types=["rouge1"], use_aggregator=False)
    rows = {"predictions": ["a b", "a"], "references": [["a c"], ["b"]]}
    if process != without:
        results.append(rouge.compute(**rows))
        continue
    if how == "a batch of none":
        rouge.add_batch(predictions=[], references=[])
    results.append(rouge.compute(predictions=[], references=[]) if how == "lists of none" else rouge.compute())
print(json.dumps(results))
"""


def test_a_process_without_rows_takes_part(tmp_path):
    """As where there are more processes than batches; evaluate's own metrics wait for its file, and fail."""
    cases = [
        (f"{number}", without, how)
        for number, (without, how) in enumerate(
            [(1, "nothing"), (1, "a batch of none"), (0, "nothing"), (1, "lists of none")]
        )
    ]

    def run(process):
        return json.loads(
            run_child(WITHOUT_ROWS, tmp_path, [str(SCRIPT), str(tmp_path / "rows"), process, cases], HF_HUB_OFFLINE="1")
        )

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(run, range(2))
    assert first == [{"rouge1": [0.5, 0.0]}] * 4
    assert second == [None] * 4
    assert [path.name for path in tmp_path.rglob("*.arrow")] == []
