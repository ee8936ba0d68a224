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
)

pytestmark = [pytest.mark.cluster, pytest.mark.skipif(sys.platform != "linux", reason="/proc of Linux")]
SPARK = {"SPARK_LOCAL_IP": "127.0.0.1"}


def needs(engine, *, is_installed):
    skip = pytest.mark.skipif(not is_installed, reason=f"{engine} is not installed")
    return lambda test: skip(pytest.mark.xdist_group(engine)(test))


needs_ray = needs("ray", is_installed=find_spec("ray"))
needs_spark = needs("spark", is_installed=find_spec("pyspark") and shutil.which("java"))


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


def started(target, undisturbed, engine, variables):
    """A run on an engine that has finished some partitions, and not all."""
    source, options, _ = undisturbed
    process = start_command(source, target, *options, "--run-on", engine, variables=variables)
    wait_for(lambda: n_finished(target) >= 2, process)
    assert process.poll() is None
    return process


def assert_resumes(target, undisturbed, engine, variables):
    source, options, expected = undisturbed
    code, said = run_command(source, target, *options, "--run-on", engine, variables=variables)

    assert code == 0, said
    assert tree(target) == expected


@needs_ray
def test_a_node_and_then_the_driver_of_ray_are_killed(cluster, undisturbed, tmp_path):
    variables = {"RAY_ADDRESS": cluster.address}
    node = cluster.add_node(num_cpus=1, object_store_memory=100_000_000)
    process = started(tmp_path / "out", undisturbed, "ray", variables)
    cluster.remove_node(node, allow_graceful=False)
    finished = n_finished(tmp_path / "out")
    wait_for(lambda: n_finished(tmp_path / "out") >= finished + 4, process)
    assert process.poll() is None
    process.kill()
    process.communicate()

    assert_resumes(tmp_path / "out", undisturbed, "ray", variables)


def workers_of_spark(process):
    """Python processes that Spark has forked for its tasks."""
    daemons = {pid for pid, line in descendants(process.pid).items() if "pyspark.daemon" in line}
    return [pid for daemon in daemons for pid in descendants(daemon)]


@needs_spark
def test_a_worker_and_then_the_driver_of_spark_are_killed(undisturbed, tmp_path):
    process = started(tmp_path / "out", undisturbed, "spark", SPARK)
    os.kill(workers_of_spark(process)[0], signal.SIGKILL)
    finished = n_finished(tmp_path / "out")
    wait_for(lambda: n_finished(tmp_path / "out") >= finished + 4, process)
    assert process.poll() is None
    below = descendants(process.pid)
    process.kill()
    process.communicate()
    wait_for(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in below))  # Java ends with its driver

    assert_resumes(tmp_path / "out", undisturbed, "spark", SPARK)
