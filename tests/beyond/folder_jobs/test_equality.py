"""A folder of texts scored in parts gives what ``Rouge`` gives of all of them, to the bit."""

import os
import random
import warnings

import numpy as np
import pytest
from command_runs import run
from folder_runs import rows_of_vocabulary, scores_of, summary_of, write_parquet

from polyrouge import Rouge, RougeWarning
from polyrouge.beyond.folder_jobs.job import planned_run
from polyrouge.beyond.folder_jobs.plan import MEGABYTE, Columns
from polyrouge.metric import metric_in_points

CONVENTIONS = {  # with settings, and the same as options
    "zh_char": ({}, ()),
    "zh_word": ({}, ()),
    "rouge_score": ({"use_stemmer": True}, ("--use-stemmer",)),
    "llama_factory": ({"aggregate": "mean"}, ("--aggregate", "mean")),  # its own depends on the order of the rows
    "rouge155": ({"use_stemmer": False}, ("--no-use-stemmer",)),
}


@pytest.fixture(scope="module")
def rows():
    return rows_of_vocabulary(3000)


@pytest.fixture(scope="module", params=CONVENTIONS)
def expected(request, rows):
    """The options of a convention, and what ``Rouge`` makes of the rows."""
    settings, options = CONVENTIONS[request.param]
    rouge = metric_in_points(request.param, settings)  # as the command
    texts = [row["prediction"] for row in rows], [row["references"] for row in rows]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RougeWarning)  # of Chinese under rules for English
        return ("-c", request.param, *options), rouge.compute(*texts), rouge.score(*texts)


def size_for(folder, n_partitions):
    """The partition size that cuts a file of one row group into so many."""
    [whole] = planned_run(str(folder), f"{folder}-none", Rouge(), Columns(), partition_size=1e9).plan.partitions
    return (whole.size // n_partitions + 1) / MEGABYTE


@pytest.mark.parametrize(
    ("n_partitions", "order"),
    [(1, "as they are"), (7, "as they are"), pytest.param(64, "as they are", marks=pytest.mark.slow), (7, "shuffled")],
)
def test_every_cut_gives_the_same(expected, rows, n_partitions, order, tmp_path):
    options, result, columns = expected
    places = list(range(len(rows)))
    if order == "shuffled":
        random.Random(1).shuffle(places)
    (tmp_path / "in").mkdir()
    write_parquet(tmp_path / "in" / "texts.parquet", [rows[place] for place in places])
    size = size_for(tmp_path / "in", n_partitions)

    ran = run(
        "score", tmp_path / "in", "-o", tmp_path / "out", "--run-on", "local", "--workers", 1, "-q", *options,
        "--partition-size", size,
    )  # fmt: skip

    assert ran.exit_code == 0, ran.stderr
    assert len(os.listdir(tmp_path / "out" / "scores")) == n_partitions
    assert summary_of(tmp_path / "out")["scores"] == result
    scores = scores_of(tmp_path / "out")
    assert scores["id"].to_pylist() == places
    for name, column in columns.items():
        np.testing.assert_array_equal(scores[name].to_numpy(), column[places], err_msg=name)
