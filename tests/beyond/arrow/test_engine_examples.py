"""Each example that scores with an engine, run: its result and its columns are those of one process, to the bit."""

import importlib.util
import os
import shutil
import sys

import numpy as np
import pyarrow.parquet as pq
import pytest
from arrow_rows import table
from command_runs import write_rows
from news import EXAMPLES, columns, news

from polyrouge import Rouge

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.cluster]
CONVENTIONS = {"zh_char": {"output": "all"}, "zh_word": {}, "rouge155": {"empty": "skip"}}


def needs(*packages):
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    return pytest.mark.skipif(bool(missing), reason=f"{', '.join(missing)} is not installed")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The rows as 3 files of JSON lines."""
    folder = tmp_path_factory.mktemp("rows")
    for part in range(3):
        write_rows(folder / f"{part}.jsonl", table(600)[200 * part : 200 * part + 200].to_pylist())
    return str(folder)


def assert_same(result, scored, convention):
    """The result, and of a scored table each row by its id, are those of ``Rouge``."""
    rouge = Rouge(convention, **CONVENTIONS[convention])
    names, *texts = (table(600)[name].to_pylist() for name in ("id", "prediction", "references"))
    assert result == rouge.compute(*texts)
    assert sorted(scored["id"].to_pylist()) == sorted(names)
    order = [names.index(name) for name in scored["id"].to_pylist()]
    for name, values in rouge.score(*texts).items():
        np.testing.assert_array_equal(scored[name].to_numpy(), values[order], err_msg=name)


@pytest.fixture
def spark():
    os.environ["PYSPARK_PYTHON"] = sys.executable
    if shutil.which("java") is None:
        pytest.skip("Java is not installed")
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", "100").getOrCreate()
    yield session
    session.stop()


@needs("pyspark")
def test_spark(spark, files, tmp_path):
    """With a dictionary of words."""
    from score_on_spark import score

    target = str(tmp_path / "scored")
    result = score(spark, files, target, convention="zh_word", **CONVENTIONS["zh_word"])
    assert_same(result, pq.read_table(target), "zh_word")


@needs("ray")
def test_ray(files, tmp_path):
    """With rows that are left out."""
    import ray
    from score_on_ray import score

    target = str(tmp_path / "scored")
    # "local": without an address Ray joins a cluster of the machine, such as another test's.
    ray.init("local", num_cpus=3, include_dashboard=False, log_to_driver=False)
    try:
        result = score(files, target, convention="rouge155", **CONVENTIONS["rouge155"])
    finally:
        ray.shutdown()
    assert_same(result, pq.read_table(target), "rouge155")


@needs("datasets")
def test_datasets(files):
    from datasets import Dataset
    from score_datasets import score

    data = Dataset.from_json([f"{files}/{part}.jsonl" for part in range(3)])
    scored, result = score(data, convention="zh_char", **CONVENTIONS["zh_char"])
    assert_same(result, scored.with_format("arrow")[:], "zh_char")


@needs("duckdb")
def test_duckdb():
    from score_in_duckdb import score

    topics = score(str(EXAMPLES / "zh_news.jsonl"), convention="zh_char")
    assert sum(n for _, n, _ in topics) == len(news("zh"))
    for topic, n, mean in topics:
        texts = columns([row for row in news("zh") if row["document_topic"] == topic], "prediction", "references")
        assert (n, mean) == (len(texts[0]), pytest.approx(Rouge("zh_char").compute(*texts)["rouge1"], abs=1e-15))
    means = [mean for *_, mean in topics]
    assert means == sorted(means, reverse=True)
