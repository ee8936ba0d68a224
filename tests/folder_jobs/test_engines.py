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
    run_command,
    start_command,
    tree,
    undisturbed_run,
    wait_for,
    write_bad_row,
)

pytestmark = [pytest.mark.cluster, pytest.mark.skipif(sys.platform != "linux", reason="/proc of Linux")]
needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="ray is not installed")
needs_spark = pytest.mark.skipif(
    find_spec("pyspark") is None or shutil.which("java") is None, reason="pyspark or java is not installed"
)
SPARK = {"SPARK_LOCAL_IP": "127.0.0.1"}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    return undisturbed_run(tmp_path_factory.mktemp("runs"), 4, 150, 40, "--workers", 2)


@pytest.fixture(scope="module")
def cluster():
    """A Ray of two nodes on this machine, one processor each, to which nodes may be added."""
    from ray.cluster_utils import Cluster

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    head = {"num_cpus": 1, "object_store_memory": 100_000_000, "include_dashboard": False}
    nodes = Cluster(initialize_head=True, head_node_args=head)
    yield nodes
    nodes.shutdown()


def started(target, undisturbed, engine, variables, n=2):
    """A run on an engine that has finished some partitions, and not all."""
    source, options, _ = undisturbed
    process = start_command(source, target, *options, "--run-on", engine, variables=variables)
    wait_for(lambda: n_finished(target) >= n, process)
    assert process.poll() is None
    return process


def assert_ends_well(process, target, undisturbed):
    _, said = process.communicate()

    assert process.returncode == 0, said
    assert tree(target) == undisturbed[2]


@needs_ray
@pytest.mark.xdist_group("ray")
def test_a_node_of_ray_is_killed(cluster, undisturbed, tmp_path):
    node = cluster.add_node(num_cpus=1, object_store_memory=100_000_000)
    process = started(tmp_path / "out", undisturbed, "ray", {"RAY_ADDRESS": cluster.address}, n=3)
    cluster.remove_node(node, allow_graceful=False)

    assert_ends_well(process, tmp_path / "out", undisturbed)


@needs_ray
@pytest.mark.xdist_group("ray")
def test_the_driver_of_ray_is_killed(cluster, undisturbed, tmp_path):
    source, options, _ = undisturbed
    variables = {"RAY_ADDRESS": cluster.address}
    process = started(tmp_path / "out", undisturbed, "ray", variables, n=3)
    process.kill()
    process.communicate()

    again = start_command(source, tmp_path / "out", *options, "--run-on", "ray", variables=variables)

    assert_ends_well(again, tmp_path / "out", undisturbed)


def assert_bad_row(ran):
    assert ran.returncode == 2
    assert ran.stderr.count("error: ") == 1
    assert "b.jsonl, line 2: 'prediction' is null; each must be a text." in ran.stderr


@needs_ray
@pytest.mark.xdist_group("ray")
def test_a_bad_row_on_ray(cluster, tmp_path):
    write_bad_row(tmp_path / "in")

    ran = run_command(tmp_path / "in", tmp_path / "out", "--run-on", "ray", variables={"RAY_ADDRESS": cluster.address})

    assert_bad_row(ran)


def workers_of_spark(process):
    """Python processes that Spark has forked for its tasks."""
    daemons = {pid for pid, line in descendants(process.pid).items() if "pyspark.daemon" in line}
    return [pid for daemon in daemons for pid in descendants(daemon)]


@needs_spark
@pytest.mark.xdist_group("spark")
def test_a_worker_and_then_the_driver_of_spark_are_killed(undisturbed, tmp_path):
    source, options, _ = undisturbed
    process = started(tmp_path / "out", undisturbed, "spark", SPARK)
    os.kill(workers_of_spark(process)[0], signal.SIGKILL)
    finished = n_finished(tmp_path / "out")
    wait_for(lambda: n_finished(tmp_path / "out") >= finished + 4, process)
    assert process.poll() is None
    below = descendants(process.pid)
    process.kill()
    process.communicate()
    wait_for(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in below))  # Java ends with its driver

    again = start_command(source, tmp_path / "out", *options, "--run-on", "spark", variables=SPARK)

    assert_ends_well(again, tmp_path / "out", undisturbed)


@needs_spark
@pytest.mark.xdist_group("spark")
def test_a_worker_of_spark_is_killed_and_the_run_ends_well(undisturbed, tmp_path):
    process = started(tmp_path / "out", undisturbed, "spark", SPARK)
    os.kill(workers_of_spark(process)[0], signal.SIGKILL)

    assert_ends_well(process, tmp_path / "out", undisturbed)


@needs_spark
@pytest.mark.xdist_group("spark")
def test_a_bad_row_on_spark(tmp_path):
    write_bad_row(tmp_path / "in")

    ran = run_command(tmp_path / "in", tmp_path / "out", "--run-on", "spark", "--workers", 2, variables=SPARK)

    assert_bad_row(ran)
