"""The commands that compare texts with each other."""

import json

import pytest
from command_runs import run, write_rows

TEXTS = ["say it again", "sing a song", "say it again please"]


def rows_of(text):
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def file(tmp_path):
    return write_rows(tmp_path / "texts.jsonl", [{"id": row, "instruction": text} for row, text in enumerate(TEXTS)])


def test_dedupe_writes_the_rows_that_are_kept(file, tmp_path):
    found = run("dedupe", file, "--dropped", tmp_path / "dropped.jsonl", "-o", tmp_path / "kept.jsonl")
    assert rows_of((tmp_path / "kept.jsonl").read_text()) == [
        {"id": row, "instruction": text} for row, text in enumerate(TEXTS[:2])
    ]
    assert rows_of((tmp_path / "dropped.jsonl").read_text()) == [
        {"row": 2, "similar_to": 0, "in_pool": False, "score": 600 / 7, "text": TEXTS[2]}
    ]
    assert "2 kept, 1 dropped" in found.stderr
    pool = tmp_path / "pool.txt"
    pool.write_text("sing a song please\n")
    kept = run("dedupe", file, "--above", "90", "--against", pool, "--tokenizer", "char", "-q").stdout
    assert [row["id"] for row in rows_of(kept)] == [0, 1, 2]
    assert run("dedupe", pool, "-q").stdout == "sing a song please\n"  # lines stay lines


def test_nearest_and_oracle_write_json_lines(file, tmp_path):
    found = rows_of(run("nearest", file, file, "-k", "1", "--at-least", "90", "-q").stdout)
    assert found == [{"query": row, "neighbour": row, "score": 100.0, "text": text} for row, text in enumerate(TEXTS)]
    path = tmp_path / "documents.jsonl"
    path.write_text(json.dumps({"document": "It rained. The cat sat.", "summary": "The cat sat"}) + "\n{")
    found = run("oracle", path, "-k", "1", "-q")  # which writes as it reads
    assert rows_of(found.stdout) == [
        {"oracle": [1], "sentences": ["It rained.", "The cat sat."], "rouge1": 100.0, "rouge2": 100.0}
    ]
    assert found.exit_code == 2


@pytest.mark.parametrize("names", [("article", "highlights"), ("Source Text", "Target")])
def test_columns_of_oracle_are_guessed(names, tmp_path):
    path = write_rows(
        tmp_path / "a.jsonl", [{"id": "x", **dict(zip(names, ["It rained. The cat sat.", "The cat sat"], strict=True))}]
    )
    ran = run("oracle", path, "-k", "1")
    assert [row["oracle"] for row in rows_of(ran.stdout)] == [[1]]
    assert f"the column '{names[0]}' for the source" in ran.stderr


@pytest.mark.parametrize(
    ("command", "rows", "message"),
    [
        (["dedupe"], [{"a": "x", "b": "y"}], "which column holds the texts? It has 'a', 'b'. Say so with --column."),
        (["dedupe", "--column", "c"], [{"a": "x"}], "Unknown column 'c'; choose one of a."),
        (["dedupe"], [{"text": ["x"]}], "'text' is ['x'] (list)"),
        (["oracle"], [{"a": "x", "summary": "x", "b": "x"}], "Say so with --source-column."),
        (["oracle", "-r", "gist"], [{"document": "x"}], "Unknown column 'gist'"),
        (["oracle"], [{"document": "x", "summary": []}], "line 1: reference is empty"),
    ],
)
def test_what_is_refused_is_named(tmp_path, command, rows, message):
    path = write_rows(tmp_path / "rows.jsonl", rows)
    found = run(*command, path)
    assert found.exit_code == 2
    assert message in found.stderr
