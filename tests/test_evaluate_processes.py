"""evaluate's own mode of several processes, and many processes that share one cache folder without knowing it."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hub_server import WITHOUT_MODELS

from polyrouge import Rouge

pytestmark = pytest.mark.hub

ROOT = Path(__file__).resolve().parents[1]
TOGETHER, AT_ONCE = 4, 10
# Each of ten processes scores rows of its own, again and again, in one folder. The first four then score one set.
WORK = """
import json, sys
import evaluate

script, cache, process, own, share = json.loads(sys.stdin.read())
options = {"cache_dir": cache, "rouge_types": ["rouge1", "rougeL"], "confidence": 0.9, "n_resamples": 50}
rouge = evaluate.load(script, **options)
report = {"own": [rouge.compute(**own) for _ in range(5)]}
rouge = evaluate.load(script, keep_in_memory=True, **options)
report["in memory"] = rouge.compute(**own)
if share is not None:
    rouge = evaluate.load(script, num_process=4, process_id=process, experiment_id="together", timeout=600, **options)
    for prediction, references in zip(share["predictions"], share["references"]):
        rouge.add(prediction=prediction, reference=references)
    report["together"] = rouge.compute()
print(json.dumps(report))
"""


def rows_of(number):
    """Rows that only one process has, so that a mix-up shows."""
    texts = [f"the cat {number} sat on mat {i % 7}\n今天天气{number}很好，上海{i}下雨。" for i in range(30 + number)]
    return {"predictions": texts, "references": [[text, "the cat"] for text in [*texts[1:], ""]]}


@pytest.mark.slow
def test_many_processes_in_one_cache_folder(tmp_path):
    cache = tmp_path / "rows"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    environment |= {
        "HF_HOME": str(tmp_path),
        "HF_MODULES_CACHE": str(tmp_path / "modules"),
        "HF_HUB_OFFLINE": "1",
        "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]),
    }
    shares = [rows_of(100 + number) for number in range(TOGETHER)]

    def run(process):
        share = shares[process] if process < TOGETHER else None
        return subprocess.run(
            [sys.executable, "-c", WITHOUT_MODELS + WORK],
            input=json.dumps([str(ROOT / "rouge_metric.py"), str(cache), process, rows_of(process), share]),
            env=environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=900,
            check=False,
        )

    with ThreadPoolExecutor(AT_ONCE) as pool:
        children = list(pool.map(run, range(AT_ONCE)))
    assert [child.returncode for child in children] == [0] * AT_ONCE, [child.stderr for child in children]
    reports = [json.loads(child.stdout) for child in children]

    rouge = Rouge(rouge_types=["rouge1", "rougeL"], confidence=0.9, n_resamples=50)
    for number, report in enumerate(reports):
        expected = rouge.compute(**rows_of(number))
        assert report["own"] == [expected] * 5
        assert report["in memory"] == expected
    every = {name: [row for share in shares for row in share[name]] for name in ("predictions", "references")}
    assert reports[0]["together"] == rouge.compute(**every)
    assert [report["together"] for report in reports[1:TOGETHER]] == [None] * (TOGETHER - 1)
    assert [path.name for path in cache.rglob("*.arrow")] == []
