"""Damaged signatures, recipes and files: each gives a result, or an error that says what is wrong."""

import gzip
import io
import json
from collections import Counter
from pathlib import Path

import pytest
from damage import damaged
from fuzz_rounds import no_hang, rounds
from random_settings import random_rouge

from polyrouge import RougeSettings
from polyrouge.beyond.recipes.loading import parse_recipe
from polyrouge.files.pairs import open_pairs
from polyrouge.settings.signature import write_signature

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")]

REFUSALS = (ValueError, TypeError, OSError)  # whatever else comes is a defect


def tried(outcomes, read, *arguments):
    """The result, or None for a refusal; anything else fails."""
    with no_hang():
        try:
            result = read(*arguments)
        except REFUSALS:
            outcomes["refused"] += 1
            return None
    outcomes["read"] += 1
    return result


def check_both(outcomes):
    """Damage must be refused at times, and not always, or else the test looks at the door only."""
    assert outcomes["read"] > 0.02 * outcomes.total(), outcomes
    assert outcomes["refused"], outcomes


def test_signatures():
    outcomes = Counter()
    lines: list[str] = [RougeSettings().signature()]
    for rng in rounds("signatures", 300, 0.05):
        if len(lines) < 200:
            rouge = random_rouge(rng, functions=False)
            words = rouge.settings.stop_words if rouge is not None else None
            if rouge is not None and (not isinstance(words, tuple) or len(words) <= 10):  # a digest can't be read
                lines.append(rouge.signature())
        whole = rng.choice(lines)
        shuffled = ["|".join(rng.sample(line.split("|"), len(line.split("|")))) for line in (whole, lines[-1])]
        assert write_signature(RougeSettings.from_signature(whole)) == whole
        settings = tried(outcomes, RougeSettings.from_signature, damaged(rng, shuffled))
        assert settings is None or RougeSettings.from_signature(settings.signature()) == settings
    check_both(outcomes)


def test_recipes():
    outcomes = Counter()
    configs = Path(__file__).resolve().parents[2] / "configs"
    texts = [path.read_text(encoding="utf-8") for path in configs.glob("*.yaml")]
    for rng in rounds("recipes", 60, 0.08):
        tried(outcomes, parse_recipe, damaged(rng, texts), "a.yaml")
    check_both(outcomes)


ROWS = [
    {
        "id": f"n{i}",
        "prediction": f"the cat {i} 今天",
        "references": [f"a cat {i}", "天气"][: 1 + i % 2],
        "n": i,
        "more": {"a": [i]},
    }
    for i in range(40)
]


def csv_of(delimiter: str) -> bytes:
    lines = [delimiter.join(("id", "prediction", "reference"))]
    lines += [delimiter.join((row["id"], f'"{row["prediction"]}, ""so"""', row["references"][0])) for row in ROWS]
    return "\n".join(lines).encode()


def seeds_of_files() -> dict[str, list[bytes]]:
    """Whole files, by their suffix."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.Table.from_pylist(ROWS)
    large = table.set_column(1, "prediction", table.column("prediction").cast(pa.large_string()))
    coded = table.set_column(1, "prediction", table.column("prediction").dictionary_encode())
    files: dict[str, list[bytes]] = {"parquet": [], "arrow": []}
    for each, options in (
        (table, {}),
        (large, {"compression": "gzip", "use_dictionary": False}),
        (coded, {"compression": "none", "data_page_version": "2.0", "row_group_size": 7}),
        (table.select(["id", "prediction"]), {"use_dictionary": False, "column_encoding": "DELTA_BYTE_ARRAY"}),
    ):
        sink = io.BytesIO()
        pq.write_table(each, sink, **options)
        files["parquet"].append(sink.getvalue())
        for start in (pa.ipc.new_file, pa.ipc.new_stream):
            for compression in (None, "zstd"):
                sink = io.BytesIO()
                with start(sink, each.schema, options=pa.ipc.IpcWriteOptions(compression=compression)) as writer:
                    writer.write_table(each)
                files["arrow"].append(sink.getvalue())
    lines = [json.dumps(row, ensure_ascii=number % 2 == 0).encode() for number, row in enumerate(ROWS)]
    files["jsonl"] = [b"\n".join(lines), b"\xef\xbb\xbf" + b"\r\n".join(lines)]
    files["json"] = [b"[" + b",\n".join(lines) + b"]", files["jsonl"][0]]
    files["csv"] = [csv_of(","), csv_of(",").replace(b"\n", b"\r\n")]
    files["tsv"] = [csv_of("\t")]
    files["txt"] = ["\n".join(row["prediction"] for row in ROWS).encode()]
    for suffix in ("jsonl", "csv", "txt"):
        files[f"{suffix}.gz"] = [gzip.compress(each) for each in files[suffix]]
    return files


def read_file(path, references, options):
    with open_pairs([str(path)], references, **options) as pairs:
        for chunk in pairs:
            assert len(chunk.predictions[0]) == len(chunk.references)


SHARES = {"parquet": 0.06, "arrow": 0.06}
SUFFIXES = ("parquet", "arrow", "jsonl", "json", "csv", "tsv", "txt", "jsonl.gz", "csv.gz", "txt.gz")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_files(suffix, tmp_path):
    outcomes = Counter()
    seeds = seeds_of_files()[suffix]
    path = tmp_path / f"predictions.{suffix}"
    references = tmp_path / "references.txt"
    references.write_text("\n".join(row["references"][0] for row in ROWS), encoding="utf-8")
    for rng in rounds(f"files {suffix}", 100, SHARES.get(suffix, 0.01)):
        if suffix.endswith(".gz") and rng.random() < 0.5:
            path.write_bytes(gzip.compress(damaged(rng, [gzip.decompress(seed) for seed in seeds])))
        else:
            path.write_bytes(damaged(rng, seeds))
        others = [str(references)] if suffix.startswith("txt") or rng.random() < 0.3 else []
        options = {"id_column": "id" if rng.random() < 0.2 else None, "empty_cells": rng.choice(["refuse", "text"])}
        tried(outcomes, read_file, path, others, options)
    check_both(outcomes)
