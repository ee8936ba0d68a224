"""Runs on Ray and Spark: the same bytes as on this machine, also where a node, a worker or the driver is killed."""

import os
import shutil
import signal
import sys
from importlib.util import find_spec

import pytest
from folder_runs import (
    descendants,
    n_finished,
    rows_of_vocabulary,
    run_command,
    start_command,
    tree,
    wait_for,
    write_jsonl,
    write_parquet,
)

pytestmark = [pytest.mark.cluster, pytest.mark.skipif(sys.platform != "linux", reason="/proc of Linux")]
needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="ray is not installed")
needs_spark = pytest.mark.skipif(
    find_spec("pyspark") is None or shutil.which("java") is None, reason="pyspark or java is not installed"
)
SPARK = {"SPARK_LOCAL_IP": "127.0.0.1"}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """A folder of texts, options, and the bytes of a run on this machine. Counting is slow: there is a middle."""
    folder = tmp_path_factory.mktemp("runs")
    (folder / "in").mkdir()
    rows = rows_of_vocabulary(6000, seed=4)
    write_jsonl(folder / "in" / "a.jsonl", rows[:150])
    write_parquet(folder / "in" / "b.parquet", rows[150:], row_group_size=150)
    size = sum(path.stat().st_size for path in (folder / "in").iterdir()) / 40 / 1e6
    options = ["--partition-size", size, "-c", "zh_char", "-q"]
    ran = run_command(folder / "in", folder / "out", *options, "--run-on", "local")
    assert ran.returncode == 0, ran.stderr
    return folder / "in", [*options, "--workers", 2, "--engine", "plain"], tree(folder / "out")


@pytest.fixture(scope="module")
def cluster():
    """A Ray of two nodes on this machine, one processor each, to which nodes may be added."""
    from ray.cluster_utils import Cluster

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    head = {"num_cpus": 1, "object_store_memory": 100_000_000, "include_dashboard": False}
    nodes = Cluster(initialize_head=True, head_node_args=head)
    yield nodes
    nodes.shutdown()


@needs_ray
@pytest.mark.xdist_group("ray")
def test_a_node_of_ray_is_killed(cluster, undisturbed, tmp_path):
    source, options, expected = undisturbed
    node = cluster.add_node(num_cpus=1, object_store_memory=100_000_000)
    process = start_command(
        source, tmp_path / "out", *options, "--run-on", "ray", variables={"RAY_ADDRESS": cluster.address}
    )
    wait_for(lambda: n_finished(tmp_path / "out") >= 3, process)
    assert process.poll() is None
    cluster.remove_node(node, allow_graceful=False)

    _, said = process.communicate()

    assert process.returncode == 0, said
    assert tree(tmp_path / "out") == expected


@needs_ray
@pytest.mark.xdist_group("ray")
def test_the_driver_of_ray_is_killed(cluster, undisturbed, tmp_path):
    source, options, expected = undisturbed
    variables = {"RAY_ADDRESS": cluster.address}
    process = start_command(source, tmp_path / "out", *options, "--run-on", "ray", variables=variables)
    wait_for(lambda: n_finished(tmp_path / "out") >= 3, process)
    assert process.poll() is None
    process.kill()
    process.communicate()

    ran = run_command(source, tmp_path / "out", *options, "--run-on", "ray", variables=variables)

    assert ran.returncode == 0, ran.stderr
    assert tree(tmp_path / "out") == expected


@needs_ray
@pytest.mark.xdist_group("ray")
def test_a_bad_row_on_ray(cluster, tmp_path):
    (tmp_path / "in").mkdir()
    write_jsonl(tmp_path / "in" / "a.jsonl", rows_of_vocabulary(3))
    write_jsonl(
        tmp_path / "in" / "b.jsonl", [*rows_of_vocabulary(1), {"id": 1, "prediction": None, "references": ["a"]}]
    )

    ran = run_command(tmp_path / "in", tmp_path / "out", "--run-on", "ray", variables={"RAY_ADDRESS": cluster.address})

    assert ran.returncode == 2
    assert ran.stderr.count("error: ") == 1
    assert "b.jsonl, line 2: 'prediction' is null; each must be a text." in ran.stderr


def workers_of_spark(process):
    """Python processes that Spark has forked for its tasks."""
    daemons = {pid for pid, line in descendants(process.pid).items() if "pyspark.daemon" in line}
    return [pid for daemon in daemons for pid in descendants(daemon)]


@needs_spark
@pytest.mark.xdist_group("spark")
def test_a_worker_and_then_the_driver_of_spark_are_killed(undisturbed, tmp_path):
    source, options, expected = undisturbed
    process = start_command(source, tmp_path / "out", *options, "--run-on", "spark", variables=SPARK)
    wait_for(lambda: n_finished(tmp_path / "out") >= 2, process)
    workers = workers_of_spark(process)
    os.kill(workers[0], signal.SIGKILL)
    finished = n_finished(tmp_path / "out")
    wait_for(lambda: n_finished(tmp_path / "out") >= finished + 4, process)
    assert process.poll() is None
    left = descendants(process.pid)
    process.kill()
    process.communicate()
    wait_for(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in left))  # Java ends with its driver

    ran = run_command(source, tmp_path / "out", *options, "--run-on", "spark", variables=SPARK)

    assert ran.returncode == 0, ran.stderr
    assert tree(tmp_path / "out") == expected


@needs_spark
@pytest.mark.xdist_group("spark")
def test_a_worker_of_spark_is_killed_and_the_run_ends_well(undisturbed, tmp_path):
    source, options, expected = undisturbed
    process = start_command(source, tmp_path / "out", *options, "--run-on", "spark", variables=SPARK)
    wait_for(lambda: n_finished(tmp_path / "out") >= 2, process)
    os.kill(workers_of_spark(process)[0], signal.SIGKILL)

    _, said = process.communicate()

    assert process.returncode == 0, said
    assert tree(tmp_path / "out") == expected


@needs_spark
@pytest.mark.xdist_group("spark")
def test_a_bad_row_on_spark(tmp_path):
    (tmp_path / "in").mkdir()
    write_jsonl(tmp_path / "in" / "a.jsonl", rows_of_vocabulary(3))
    write_jsonl(
        tmp_path / "in" / "b.jsonl", [*rows_of_vocabulary(1), {"id": 1, "prediction": None, "references": ["a"]}]
    )

    ran = run_command(tmp_path / "in", tmp_path / "out", "--run-on", "spark", "--workers", 2, variables=SPARK)

    assert ran.returncode == 2
    assert ran.stderr.count("error: ") == 1
    assert "b.jsonl, line 2: 'prediction' is null; each must be a text." in ran.stderr
