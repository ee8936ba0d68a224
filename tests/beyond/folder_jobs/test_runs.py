"""Folders of files scored on this machine: what goes in, what comes out, and what is refused."""

# ruff: noqa: E501 a case a line

import gzip
import json
import os

import fsspec
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from command_runs import run as run_command
from command_runs import write_rows
from folder_runs import rows_of_vocabulary, scores_of, summary_of, tree, write_parquet
from paired_files import write_table

from polyrouge import Rouge
from polyrouge.beyond.folder_jobs import worker as work
from polyrouge.beyond.folder_jobs.job import planned_run
from polyrouge.beyond.folder_jobs.plan import Columns

ROWS = rows_of_vocabulary(400, seed=3)


def score(source, target, *options):
    """Score a folder in this process."""
    return run_command("score", source, "-o", target, "--run-on", "local", "--workers", 1, *options)


def said(ran):
    """The one message of a command that failed."""
    assert ran.exit_code == 2, ran.stderr
    lines = [line for line in ran.stderr.splitlines() if "error: " in line]
    assert len(lines) == 1, ran.stderr
    return lines[0].removeprefix("polyrouge: error: ")


def scored(source, target, *options):
    """Score a folder, and return what the command printed and said."""
    ran = score(source, target, *options)
    assert ran.exit_code == 0, ran.stderr
    return ran


def texts_of(rows):
    """Predictions and lists of references."""
    references = [row["references"] for row in rows]
    return [row["prediction"] for row in rows], [[each] if isinstance(each, str) else each for each in references]


def computed(rows, **settings):
    return Rouge("zh_char", scale=100, **settings).compute(*texts_of(rows))


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "in").mkdir()
    return tmp_path / "in"


@pytest.fixture
def mixed(folder):
    """A folder with a file of each format, and the rows of all of them in order."""
    (folder / "below").mkdir()
    a, b, c, d, e, f = (ROWS[start : start + 60] for start in range(0, 360, 60))
    write_rows(folder / "a.jsonl", a)
    with gzip.open(folder / "b.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in b)
    c, d = ([{**row, "references": row["references"][0]} for row in rows] for rows in (c, d))
    pa.csv.write_csv(pa.Table.from_pylist(c), folder / "below" / "c.csv")
    pa.csv.write_csv(pa.Table.from_pylist(d), folder / "below" / "d.tsv", pa.csv.WriteOptions(delimiter="\t"))
    write_parquet(folder / "e.parquet", e, row_group_size=11)
    write_table(folder / "f.arrow", pa.Table.from_pylist(f))
    (folder / "README.md").write_text("no texts")
    (folder / "_SUCCESS").touch()
    (folder / ".hidden.jsonl").write_text("{")
    return folder, [*a, *b, *c, *d, *e, *f]


def test_a_folder_of_all_formats(mixed, tmp_path):
    folder, rows = mixed

    ran = scored(folder, tmp_path / "out", "-c", "zh_char", "--partition-size", 0.004, "-f", "json")

    summary = summary_of(tmp_path / "out")
    assert summary["scores"] == computed(rows)
    assert json.loads(ran.stdout) == summary
    assert summary["samples"] == 360
    assert summary["files"] == ["a.jsonl", "b.jsonl.gz", "below/c.csv", "below/d.tsv", "e.parquet", "f.arrow"]
    assert summary["signature"] == Rouge("zh_char", scale=100).signature()
    assert "left out, as no format is known by their names: README.md" in ran.stderr
    scores = pq.read_table(tmp_path / "out" / "scores")
    assert scores.schema.metadata[b"polyrouge.signature"].decode() == Rouge("zh_char", scale=100).signature()
    assert scores["id"].to_pylist() == [str(row["id"]) for row in rows]  # as texts: CSV has no numbers
    columns = Rouge("zh_char", scale=100).score(*texts_of(rows))
    assert scores["rougeL"].to_pylist() == columns["rougeL"].tolist()
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert len(manifest["partitions"]) > 8
    assert str(tmp_path) not in json.dumps(manifest)


@pytest.mark.slow
def test_in_memory_and_by_three_workers_as_on_disk(mixed, tmp_path):
    folder, _ = mixed
    memory = fsspec.filesystem("memory")
    memory.store.clear()
    memory.put(f"{folder}/", "/texts", recursive=True)
    options = ("-c", "zh_char", "--partition-size", 0.004, "-q")
    printed = scored(folder, tmp_path / "out", *options).stdout
    expected = tree(tmp_path / "out")

    for _ in range(2):  # the second time nothing is left to do
        assert scored("memory://texts", "memory://scores", *options).stdout == printed
    files = {name.removeprefix("/scores/"): memory.cat_file(name) for name in memory.find("/scores")}
    assert files | {"manifest.json": b""} == expected | {"manifest.json": b""}  # which has the files' times
    scored(folder, tmp_path / "three", *options, "--workers", 3)
    assert tree(tmp_path / "three") == expected


@pytest.mark.skipif(os.name == "nt", reason="names of files are texts there")
def test_a_file_whose_name_is_no_text(tmp_path, folder):
    rows = write_rows(folder / "a.jsonl", ROWS[:5])
    os.rename(rows, os.fsencode(folder) + b"/\xff.jsonl")
    for _ in range(2):
        scored(folder, tmp_path / "out")
    assert summary_of(tmp_path / "out")["scores"] == computed(ROWS[:5])


def replace(path, old, new):
    path.write_bytes(path.read_bytes().replace(old.encode(), new.encode(), 1))


def test_partitions_that_are_not_as_they_were_written_are_scored_again_and_no_others(tmp_path, folder):
    write_parquet(folder / "x.parquet", ROWS, row_group_size=20)
    out, options = tmp_path / "out", ("--partition-size", 0.005)
    score(folder, out, *options, "-q")
    whole = tree(out)

    def scores_and_record(number):
        return work.SCORES.format(number), f"partitions/part-{number:06d}.json"

    bad, changed = scores_and_record(0)[0], bytearray(whole[scores_and_record(3)[0]])
    changed[len(changed) // 2] ^= 1
    (out / bad).write_bytes(b"cut off")
    (out / scores_and_record(1)[0]).unlink()
    (out / scores_and_record(2)[1]).unlink()
    (out / scores_and_record(3)[0]).write_bytes(changed)
    replace(out / scores_and_record(4)[1], '"empty_predictions": 0', '"empty_predictions": 1')
    for name, source in zip(scores_and_record(5), scores_and_record(6), strict=True):
        (out / name).write_bytes(whole[source])
    (out / "scores" / ".part-000007.polyrouge-0123456789abcdef.parquet").touch()  # a killed writer's
    times = {path: path.stat().st_mtime_ns for path in out.rglob("*.parquet")}
    run = planned_run(str(folder), str(out), Rouge(scale=100), Columns(), partition_size=0.005)

    with pytest.raises(ValueError, match=r"^Partition 0 \(x.parquet\) is missing from .* or was changed there: run"):
        run.finish(lambda _: "")
    assert [each.number for each in run.begin()] == [*range(6)]
    ran = score(folder, out, *options)

    n = len(list((out / "scores").iterdir()))
    assert f"{n} partitions, of which {n - 6} were finished before" in ran.stderr
    assert tree(out) == whole
    unchanged = [path.name for path, at in times.items() if path.exists() and path.stat().st_mtime_ns == at]
    assert sorted(unchanged) == [f"part-{number:06d}.parquet" for number in range(6, n)]


@pytest.mark.parametrize("change", ["same size and time", "gone"])
def test_a_file_that_changes_while_it_is_read(tmp_path, folder, monkeypatch, change):
    write_parquet(folder / "x.parquet", ROWS[:40])
    run = planned_run(str(folder), str(tmp_path / "out"), Rouge(), Columns())
    rows = work.rows_of

    def rows_of(*arguments):
        yield from rows(*arguments)
        path = folder / "x.parquet"
        data, before = path.read_bytes(), path.stat()
        path.unlink()
        if change == "same size and time":
            path.write_bytes(data)
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    monkeypatch.setattr(work, "rows_of", rows_of)
    with pytest.raises(ValueError, match="changed while it was being read"):
        list(run.score(run.begin(), "local", 1))

    assert list(tree(tmp_path / "out")) == ["manifest.json"]


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        (lambda folder, _: replace(folder / "x.jsonl", "a", "b"), [], "holds a run with another 'x.jsonl': the file has changed since; name another folder with -o"),
        (lambda folder, _: write_rows(folder / "y.jsonl", ROWS[:3]), [], "holds a run with fewer files: 'y.jsonl' is new; name another folder"),
        (lambda _, out: replace(out / "manifest.json", f'"pyarrow": "{pa.__version__}"', '"pyarrow": "1.0"'), [], f"holds a run with pyarrow 1.0, not {pa.__version__}; name another folder"),
        (lambda folder, _: (folder / "z.jsonl").unlink(), [], "holds a run with more files: 'z.jsonl' is gone; name another folder"),
        (lambda *_: None, ["--partition-size", "7"], "holds a run with partition size 64, not 7.0; name another folder"),
        (lambda *_: None, ["--use-stemmer"], "holds a run with signature stem:no, not stem:"),
        (lambda *_: None, ["--keep", "other"], "holds a run with columns keep [] (list), not keep ['other'] (list); name another"),
        (lambda _, out: (out / "manifest.json").write_text("{"), [], "manifest.json is no manifest that can be read"),
        (lambda _, out: (out / "manifest.json").unlink(), [], "holds no run of polyrouge, but other files ("),
    ],
    ids=["a file", "more files", "pyarrow", "fewer files", "size", "settings", "columns", "manifest", "no manifest"],
)  # fmt: skip
def test_runs_are_not_mixed(tmp_path, folder, change, options, message):
    for name in ("x", "z"):
        write_rows(folder / f"{name}.jsonl", [{**row, "other": 1} for row in ROWS[:40]])
    assert score(folder, tmp_path / "out", "-q").exit_code == 0
    change(folder, tmp_path / "out")
    before = tree(tmp_path / "out")

    assert message in said(score(folder, tmp_path / "out", *options))
    assert tree(tmp_path / "out") == before


def test_a_bad_row_in_a_later_partition(tmp_path, folder):
    rows = [*ROWS[:300], {**ROWS[300], "references": ["a", None]}, *ROWS[301:]]
    write_parquet(folder / "x.parquet", rows, row_group_size=20)

    error = said(score(folder, tmp_path / "out", "--partition-size", 0.005))

    assert "x.parquet, row 301" in error
    partition = int(error.partition("(Partition ")[2].partition(";")[0])
    files = tree(tmp_path / "out")
    assert f"partitions/part-{partition - 1:06d}.json" in files
    assert f"partitions/part-{partition:06d}.json" not in files
    assert not any("/." in name for name in files)


def test_a_partition_that_cannot_be_read(tmp_path, folder):
    for name in ("a", "b", "c"):
        write_parquet(folder / f"{name}.parquet", ROWS)
    good = (folder / "b.parquet").read_bytes()
    (folder / "b.parquet").write_bytes(good[:200] + bytes(len(good) // 3) + good[200 + len(good) // 3 :])

    assert f"{folder / 'b.parquet'}, after row 0" in said(score(folder, tmp_path / "out"))
    assert os.listdir(tmp_path / "out" / "scores") == ["part-000000.parquet"]


GOOD = {"x.jsonl": "".join(json.dumps(row) + "\n" for row in ROWS[:2])}
OUT = ["-o", "{out}", "--run-on", "local"]


@pytest.mark.parametrize(
    ("files", "arguments", "message"),
    [
        ({}, OUT, "There are no files in"),
        ({"x.txt": "a"}, OUT, "has no file of JSONL, CSV, TSV, Parquet"),
        ({"x.parquet": "PAR1"}, OUT, "x.parquet is no whole Parquet file"),
        (GOOD, [*OUT, "--partition-size", "-1"], "more than 0"),
        ({"x.jsonl": "\n\n"}, OUT, "x.jsonl has no rows."),
        ({**GOOD, "y.jsonl": '{"text": "a"}\n'}, OUT, "y.jsonl: Unknown column 'prediction'; choose one of text."),
        (GOOD, [*OUT, "-r", "prediction"], "named for predictions and for references"),
        (GOOD, [*OUT, "-c", "llama_factory"], "--aggregate numpy_mean adds floats by places of rows"),
        (GOOD, ["-o", "{out}", "--run-on", "dask"], "choose one of local, ray, spark."),
        (GOOD, ["--run-on", "local"], "--run-on writes a folder of scores; name it with -o FOLDER."),
        (GOOD, ["--run-on", "local", "-o", "{link}/out"], "lies in the folder of the texts; choose one outside of it."),
    ],
)
def test_what_is_refused_before_anything_is_written(tmp_path, folder, files, arguments, message):
    for name, content in files.items():
        (folder / name).write_text(content)
    (tmp_path / "link").symlink_to(folder, target_is_directory=True)
    paths = {"out": str(tmp_path / "out"), "link": str(tmp_path / "link")}

    assert message in said(run_command("score", folder, *(each.format(**paths) for each in arguments)))
    assert not (tmp_path / "out").exists()


def test_the_plan_writes_nothing(tmp_path, folder):
    write_parquet(folder / "x.parquet", ROWS, row_group_size=50)
    write_rows(folder / "y.jsonl", ROWS)

    options = ("--dry-run", "--partition-size", 0.01)
    plan = json.loads(scored(folder, tmp_path / "out", *options, "-f", "json").stdout)

    assert "2 files, " in scored(folder, tmp_path / "out", *options).stdout
    assert not (tmp_path / "out").exists()
    assert plan["files"] == ["x.parquet", "y.jsonl"]
    rows = [each["rows"] for each in plan["partitions"]]
    assert len(rows) > 2
    assert rows.pop() is plan["rows"] is None  # of JSONL they are not known
    assert sum(rows) == 400


def test_columns_beside_the_scores(tmp_path, folder):
    rows = [{**row, "n": number, "two": row["references"][0]} for number, row in enumerate(ROWS)]
    for row in rows:
        row["references"] = row["references"][-1]
    write_parquet(folder / "x.parquet", rows)

    columns = ("-r", "references", "-r", "two", "--id-column", "none", "--keep", "n", "--hits")
    scored(folder / "x.parquet", tmp_path / "out", *columns)  # one file is a folder too

    scores = scores_of(tmp_path / "out")
    assert scores.column_names[0] == "n"
    assert scores["n"].to_pylist() == list(range(400))
    assert "rouge1_hits" in scores.column_names
    references = [[row["references"], row["two"]] for row in rows]
    expected = Rouge(scale=100).score([row["prediction"] for row in rows], references, best_reference=True)
    assert scores["rouge1"].to_pylist() == expected["rouge1"].tolist()
    assert scores["rouge1_reference"].to_pylist() == expected["rouge1_reference"].tolist()


def test_warnings_and_empty_texts_are_in_the_summary(tmp_path, folder):
    rows = [{"prediction": text, "references": [text, "\u3000"]} for text in ("", " \n", "今天", "a", "\u00a0")]
    write_rows(folder / "x.jsonl", rows)
    write_parquet(folder / "y.parquet", rows)

    ran = score(folder, tmp_path / "out", "-c", "rouge_score")

    summary = summary_of(tmp_path / "out")
    assert (summary["empty_predictions"], summary["empty_references"]) == (6, 16)
    assert any(warning.startswith("x.jsonl: ") and "ascii" in warning for warning in summary["warnings"])
    assert "warning: x.jsonl: " in ran.stderr
