"""SCALING.md: what was measured, in tables, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

__all__ = ["Found", "markdown"]

Found = dict[str, Any]
"""``cores``, ``load``, ``load_at_the_end`` of the machine; ``all_texts``: their names; ``measured``: dicts."""

_MAIN = "62 words"
_MILLION = 1_000_000
_PROCESSOR = "processor_seconds"
_NO_TEXTS = ("tiny", "cut")
_ASKED = {"ray": 0.7, "spark": 0.5}
_CORES, _PAIRS = 100, 1_000_000_000


def markdown(found: Found) -> str:
    """The document."""
    by_key = {(each["texts"], each["way"], each["workers"], each["name"]): each for each in found["measured"]}
    texts = {each["texts"] for each in found["measured"]}
    sections = [_head(found)]
    for section, needs in _SECTIONS:
        sections += [section(by_key)] if needs <= texts else []
    missing = sorted({*found["all_texts"], *_NO_TEXTS} - texts)
    if missing:
        sections.append(f"Not measured yet: {', '.join(missing)} (`--only` measures some texts).")
    return "\n\n".join(sections) + "\n"


def _head(found: Found) -> str:
    busy = max(found["load"], found["load_at_the_end"]) > 1.0
    state = (
        f"Other work ran on the machine at the same time (load {found['load']:.1f} before, "
        f"{found['load_at_the_end']:.1f} after): times are too long, and ratios uncertain by some tenths."
        if busy
        else "Nothing else ran on the machine."
    )
    return f"""# Scaling

Made by `python -m benchmarks.studies.scaling`; do not edit. A machine of {found["cores"]} cores. {state}

The work is that of [`polyrouge score FOLDER --run-on …`](../../docs/clusters.md#folders-of-files): Parquet (zstd)
with one reference a row is read, scored (`rouge1`, `rouge2`, `rougeL`, `rougeLsum`) and written as Parquet, in
partitions of 64 MB of texts unless another size is named. "Threads" do the same work, with the same functions,
in threads of one process. Times begin when engine, workers and kernels are there; the start is told apart.
Texts are drawn from a vocabulary; 20,000 pairs are different, and repeat further apart than what is counted at
once."""


def _costs(by_key: dict[Any, Found]) -> str:
    rows = []
    for (texts, way, workers, _), each in by_key.items():
        if way == "threads" and texts not in _NO_TEXTS:
            factor = _MILLION / each["rows"]
            rows.append(
                [
                    texts,
                    f"{workers}",
                    f"{each['seconds'] * factor:.1f}",
                    f"{each['processor_seconds'] * factor:.1f}",
                    f"{each['peak_mb']:.0f}",
                    f"{each['bytes_in'] * factor / 1e6:,.0f}",
                    f"{each['bytes_out'] * factor / 1e6:,.0f}",
                ]
            )
    return "## A million pairs, threads\n\n" + _table(
        ["texts", "cores", "seconds", "processor seconds", "memory of the process, MB", "MB read", "MB written"], rows
    )


def _engines(by_key: dict[Any, Found]) -> str:
    plain, lists = by_key[_MAIN, "threads", 2, ""], by_key[_MAIN, "lists", 2, ""]
    rows = []
    for way in ("threads", "local", "ray", "spark"):
        each, tiny, tiny_plain = by_key[_MAIN, way, 2, ""], by_key["tiny", way, 2, ""], by_key["tiny", "threads", 2, ""]
        a_partition = (tiny[_PROCESSOR] - tiny_plain[_PROCESSOR]) / tiny["partitions"]
        a_row = (each[_PROCESSOR] - plain[_PROCESSOR] - a_partition * each["partitions"]) / each["rows"]
        rows.append(
            [
                way,
                f"{each['start']:.1f}",
                f"{each['seconds']:.1f}",
                f"{plain['seconds'] / each['seconds']:.2f}",
                f"{plain[_PROCESSOR] / each[_PROCESSOR]:.2f}",
                f"{_ASKED[way]:.1f}" if way in _ASKED else "",
                "" if way == "threads" else f"{a_partition * 1e3:.1f}",
                "" if way == "threads" else f"{a_row * 1e6:.2f}",
                f"{each['peak_mb']:.0f}",
                f"{each['bytes_through'] / 1e3:.0f}" if way != "threads" else "",
            ]
        )
    header = [
        "way, two workers",
        "start, s",
        f"{plain['rows']:,} pairs, s",
        "throughput, threads = 1",
        "the same by processor time",
        "asked",
        "more a partition, processor ms",
        "more a row, processor µs",
        "a worker's memory, MB",
        "kB through the engine",
    ]
    in_memory = lists["seconds"] / lists["rows"] * _MILLION
    return f"""## What engines add

{_table(header, rows)}

The start of Ray and Spark is that of the engine, its workers and their first partition. Texts and scores do
not go through an engine: a task gets the name of its partition and gives back a few numbers. "More a
partition" comes from 400 files of 20 rows. `Rouge.compute` of lists that are in memory already takes
{in_memory:.1f} s a million pairs with two threads; it neither reads nor writes."""


def _stages(by_key: dict[Any, Found]) -> str:
    rows = []
    for (texts, way, _, _), each in by_key.items():
        if way == "stages":
            whole = each["seconds"]
            writing = max(0.0, whole - each["reading"] - each["scoring"])
            shares = [f"{100 * part / whole:.0f}" for part in (each["reading"], each["scoring"], writing)]
            rows.append([texts, f"{whole / each['rows'] * _MILLION:.1f}", *shares, f"{each['planning']:.2f}"])
    header = [
        "texts",
        "processor seconds a million pairs, one thread",
        "reading, %",
        "scoring, %",
        "writing, %",
        "planning, s",
    ]
    return f"""## Where the time goes

{_table(header, rows)}

Reading is Parquet to Arrow; scoring is Arrow to scores and sums; writing is scores to Parquet (zstd, level 1).
Planning, once a run, reads each file for its checksum where the file system keeps none; it is in seconds on
the clock."""


def _sizes(by_key: dict[Any, Found]) -> str:
    found = [each for (_, _, _, name), each in by_key.items() if name.startswith("size")]
    fastest = min(each["seconds"] for each in found)
    rows = [
        [
            f"{each['size']:g}",
            f"{each['partitions']}",
            f"{each['rows'] / each['partitions']:,.0f}",
            f"{each['seconds']:.1f}",
            f"{each['seconds'] * each['workers'] / each['partitions']:.2f}",
            f"{each['peak_mb']:.0f}",
        ]
        for each in found
    ]
    header = ["MB of texts", "partitions", "rows each", "seconds", "seconds a partition", "a worker's memory, MB"]
    best = [each for each in found if each["seconds"] <= 1.1 * fastest]
    names = ", ".join(f"{each['size']:g}" for each in best)
    return f"""## Size of a partition

Two processes, 300,000 pairs of {_MAIN}:

{_table(header, rows)}

Within a tenth of the fastest: {names} MB. Smaller ones cost files, records and tasks; larger ones leave
workers idle at the end and lose more when one dies. Memory does not grow with the size: rows are read 8,192 at
a time. 64 MB is the default: about a second of work for texts of news, so that a dead worker costs a second,
and a billion pairs are some ten thousand files. Row groups of Parquet should not be larger than a partition: a
part of one is reached by reading what stands before it."""


def _projection(by_key: dict[Any, Found]) -> str:
    rows = []
    for (texts, way, workers, _), each in by_key.items():
        if way == "threads" and workers == 1 and texts not in _NO_TEXTS:
            a_pair = each[_PROCESSOR] / each["rows"]
            core_hours = a_pair * _PAIRS / 3600
            terabytes = each["bytes_in"] / each["rows"] * _PAIRS / 1e12
            rows.append(
                [
                    texts,
                    f"{core_hours:,.1f}",
                    f"{a_pair * _PAIRS / _CORES / 60:,.1f}",
                    f"{terabytes:,.2f}",
                    f"{each['bytes_out'] / each['rows'] * _PAIRS / 1e12:,.2f}",
                    f"{terabytes * 1e12 / (a_pair * _PAIRS / _CORES) / 1e9:,.1f}",
                ]
            )
    header = ["texts", "core-hours", "minutes on 100 cores", "TB read", "TB written", "GB read a second"]
    return f"""## A billion pairs on 100 cores

{_table(header, rows)}

Projected, not measured. Cores are counted by processor time. It takes for granted that a core does as much as
one thread here; that the storage gives each core what it reads, at the rate of the last column for all of
them; that the last partitions, during which workers have nothing left to do, are a few seconds; and that
starting the engine and planning (on object stores a list of the files and the end of each Parquet file, eight
at a time) is counted apart."""


def _table(header: list[str], rows: list[list[str]]) -> str:
    return "\n".join(_lines(header, rows))


def _lines(header: list[str], rows: list[list[str]]) -> Iterator[str]:
    yield f"| {' | '.join(header)} |"
    yield f"|{'---|' * len(header)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


_SECTIONS = (
    (_costs, set()),
    (_engines, {_MAIN, "tiny"}),
    (_stages, set()),
    (_sizes, {"cut"}),
    (_projection, set()),
)
