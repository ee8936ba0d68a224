"""The snapshot of behaviour: scores, messages, the command's output, reports, comparisons, the public API.

A test compares it with the files in tests/snapshot; running this file writes them anew, and says what changed.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import json
import os
import re
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from catalogue_cases import Case, read_catalogue
from entrances import COMMAND, NO_FORMAT, outcome_at, run_command, typed_options, write_files
from report_file import unpacked
from snapshot_files import FOLDER, MADE_WITH, Missing, differences, number, plain, read_stored, report, write_stored

import polyrouge
from polyrouge import CONVENTIONS, Rouge, RougeSettings, RougeWarning
from polyrouge.beyond.arrow import TableScorer, score_table, summarize
from polyrouge.report import write_report
from polyrouge.settings.rouge_settings import grouped

ROOT = FOLDER.parents[1]
FORMATS = ("table", "json", "csv", "latex", "markdown")


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


EDGE, CHINESE, ENGLISH = map(
    _rows, (FOLDER / "edge.jsonl", *(ROOT / f"examples/{name}_news.jsonl" for name in ("zh", "en")))
)
EXAMPLES = ENGLISH + CHINESE


def _columns(rows: list[dict[str, Any]]) -> tuple[list[str], list[list[str]]]:
    """Predictions and references."""
    return [row["prediction"] for row in rows], [row["references"] for row in rows]


def _systems(rows: list[dict[str, Any]], n: int) -> dict[str, list[str]]:
    """The two systems of the examples, and more that take texts of both in turn."""
    turns = (lambda _: True, lambda _: False, lambda row: row % 2, lambda row: row % 3)
    return {
        name: [each["prediction" if is_first(row) else "prediction_b"] for row, each in enumerate(rows)]
        for name, is_first in zip("ABCD"[:n], turns, strict=False)
    }


# Scores

# Of conventions that need tables of other packages, or a model: small ones in their places.
_TABLES, _MODEL = {"word_tables": str(FOLDER / "tables")}, {"subword_model": str(FOLDER / "subwords")}
_NEEDS = {
    "lveval": _TABLES,
    "mbert_rouge": _MODEL,
    "py_rouge": _TABLES,
    "sacrerouge": _TABLES,
    "sumeval": _TABLES,
    "super_ni": _MODEL,
}
_PACKAGES = {
    "ja_word": "fugashi unidic-lite",
    "ko_mecab_rouge_score": "python-mecab-ko python-mecab-ko-dic",
    "ko_word": "python-mecab-ko python-mecab-ko-dic",
    "mbert_rouge": "tokenizers",
    "sacrebleu_ja": "sacrebleu mecab-python3 ipadic",
    "stability_ja": "emoji fugashi neologdn unidic-lite",
    "super_ni": "tokenizers",
    "th_word": "pythainlp",
    "vi_word": "pyvi",
}
_TYPES = ["rouge1", "rouge2", "rouge3", "rougeL", "rougeLsum", "rougeW", "rougeS", "rougeSU4"]
# Beside the conventions, so that each setting is used.
_SETTINGS = (
    {"use_stemmer": True, "stop_words": ["the", "的"], "max_words": 12, "empty": "skip"},
    {"tokenizer": "ascii", "normalize": "nfkc", "lcs": "union", "multi_reference": "jackknife", "alpha": 0.3},
    {"tokenizer": "char", "lowercase": False, "punctuation": "keep", "max_bytes": 40, "lcs": "pairwise_sum"},
    {"tokenizer": "zh_char", "sentence_split": "zh", "definition": "rouge155", "weight": 2.0, "beta": 1.2},
    {"tokenizer": "jieba", "jieba_hmm": False, "sentence_split": "auto", "multi_reference": "pooled"},
    {"tokenizer": "space", "segment": "char", "max_characters": 20, "ngram_counts": "set", "lcs": "type_union"},
    {"tokenizer": "unicode", "prepare": ["model_output"], "lowercase": "ascii", "multi_reference": "best_each"},
    {"aggregate": "micro", "multi_reference": "first", "epsilon": 1e-8},
    {"aggregate": "f_of_means", "multi_reference": "mean", "empty": "one_if_both", "confidence": 0.9},
    {"aggregate": "bootstrap_median", "multi_reference": "best_recall", "confidence": 0.95, "seed": 7},
    {"confidence": 0.9, "interval": "bca", "round_each": 3, "weights": range(1, 9)},
    {"confidence": 0.9, "scale": 100, "round_result": 2, "output": "all"},
)


# Whose scores of all edge texts are in tests/golden, as their tools gave them.
_IN_GOLDEN = (
    *("crud_rag", "evalscope", "lexeval", "lm_eval_longbench", "lm_eval_longbench_zh", "longbench_samsum"),
    *("modelscope", "paddlenlp", "promptcblue"),
)


def _of_conventions(
    collect: Callable[[Rouge], dict[str, Any]], engine: str, without: Iterable[str] = ()
) -> dict[str, Any]:
    """Facts of each convention; Missing where its packages are."""
    facts: dict[str, Any] = {}
    for name in CONVENTIONS:
        if name in without:
            continue
        try:
            made_with = ", ".join(f"{package} {version(package)}" for package in _PACKAGES.get(name, "").split())
        except PackageNotFoundError as error:
            facts[name] = Missing(str(error.name))
            continue
        facts[name] = collect(Rouge(name, engine=engine, **grouped(_NEEDS.get(name, {}))))
        if made_with:
            facts[name][MADE_WITH] = made_with
    return facts


def edge_scores(engine: str = "plain") -> dict[str, Any]:
    """Of conventions: for each edge text and type, the counts of its pairs, and F."""

    def collect(rouge: Rouge) -> dict[str, str]:
        scores = rouge.score(*_columns(EDGE))
        counts = _counts(rouge, EDGE)
        return {
            name: "; ".join(f"{written} {number(scores[key][row])}" for key, written in counts[name].items())
            for row, name in enumerate(counts)
        }

    return _of_conventions(collect, engine, _IN_GOLDEN)


def example_counts(engine: str = "plain") -> dict[str, Any]:
    """Of every convention: for each row and type of the shipped examples, the counts of its pairs."""

    def collect(rouge: Rouge) -> dict[str, str]:
        return {name: "; ".join(written.values()) for name, written in _counts(rouge, EXAMPLES).items()}

    return _of_conventions(collect, engine)


def _counts(rouge: Rouge, rows: list[dict[str, Any]]) -> dict[str, dict[str, str]]:
    """By id and type, hits/prediction/reference of each pair, such as ``"L 3/5/4,2/5/7"``."""
    pairs = rouge.count(*_columns(rows))
    written = [["/".join(map(number, counts)) for counts in pair] for pair in pairs.counts.tolist()]
    facts = {}
    for row, each in enumerate(rows):
        of_row = written[pairs.offsets[row] : pairs.offsets[row + 1]]
        facts[each["id"]] = {
            name: f"{name.removeprefix('rouge')} {','.join(pair[column] for pair in of_row)}"
            for column, name in enumerate(rouge.settings.rouge_types)
        }
    return facts


def means(engine: str = "plain") -> dict[str, Any]:
    """Of every convention its signature and the means of the examples; under other settings those of the edge texts."""

    def collect(rouge: Rouge) -> dict[str, Any]:
        signature = re.sub(r"\|engine:\w+", "", rouge.signature())
        return {**rouge.compute(*_columns(EXAMPLES), output="all"), "signature": signature}

    np.random.seed(0)  # of which "bootstrap_median" draws, as evaluate does
    changed = {
        ", ".join(f"{name}={value!r}" for name, value in settings.items()): Rouge(
            engine=engine, **grouped({"rouge_types": _TYPES, "n_resamples": 50, **settings})
        ).compute(*_columns(EDGE))
        for settings in ({}, *_SETTINGS)
    }
    return {"conventions": _of_conventions(collect, engine), "settings": changed}


# Messages and the command


@contextlib.contextmanager
def _own_folder() -> Iterator[Path]:
    """An empty folder, the current one while this lasts."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="polyrouge-snapshot-") as folder:
        os.chdir(folder)
        try:
            yield Path(folder)
        finally:
            os.chdir(before)


def _run(*arguments: str) -> tuple[list[str], list[str]]:
    """The lines that the command prints, and those on stderr, with its exit code where it is not 0."""
    code, printed, said = run_command(*arguments)
    end = f"exit usage: {code}" if isinstance(code, str) else f"exit {code}"
    return printed.splitlines(), [*said, end] if code else said


def messages() -> dict[str, Any]:
    """What ``Rouge.compute``, ``score_batch`` and the command say to the catalogue of bad and odd inputs."""
    facts: dict[str, Any] = {}
    for case in read_catalogue()[1]:
        entrances: dict[str, list[str]] = {}  # that say each list of sentences
        of_group = facts.setdefault(case.group, {})
        try:
            for entrance in ("compute", "score_batch", "command"):
                if entrance not in case.not_at:
                    entrances.setdefault("\n".join(_said(case, entrance)), []).append(entrance)
        except ModuleNotFoundError as error:
            of_group[case.name] = Missing(str(error))
        else:
            said: dict[str, Any] = {", ".join(at): text.split("\n") for text, at in entrances.items() if text}
            if said and "pandas" in case.name:  # 3 and 2 give None as other values
                said[MADE_WITH] = f"pandas {version('pandas').partition('.')[0]}"
            if said:
                of_group[case.name] = said
    return facts


def _said(case: Case, entrance: str) -> list[str]:
    """The refusal at an entrance, or its warnings; of the command all that it says of the input."""
    if entrance != "command":
        outcome = outcome_at(entrance, case, {})
        if outcome.error == ModuleNotFoundError.__name__:
            raise ModuleNotFoundError(outcome.says)
        warned = [f"warning: {text}" for text in outcome.warns]
        return warned if outcome.error is None else [f"error: {outcome.says}", f"raises {outcome.error}"]
    with _own_folder():
        files, command = write_files(case, ("prediction", "references")), case.written.get("command", "score")
        said = _run(command, *files, *typed_options(case), *([] if command in NO_FORMAT else ["-f", "json"]))[1]
    return [line for line in said if not line.startswith(("guessed: ", "the report is ", "compiling "))]


_TWO = "compare zh.jsonl -p prediction -p prediction_b -c zh_char --scale 100 --n-resamples 200"
# Those of docs/command_line.md and docs/outputs.md, on few rows; in all formats, or in those behind the bar.
_EXAMPLES = (
    "score zh.jsonl -c zh_word --confidence 0.95 --scale 100",
    "score en.txt reference1.txt reference2.txt --use-stemmer",
    "score zh.jsonl -p prediction -c zh_char --slice-column topic --source-column prediction_b | table json",
    "score zh.jsonl -c zh_char --per-sample samples.csv --score-only |",
    "compare a.jsonl b.jsonl zh.jsonl -R references.txt -c zh_char --n-resamples 200",
    f"{_TWO} --slice-column topic --where-loses prediction_b | table csv",
    f"{_TWO} --baseline prediction_b --test randomization --source-column document_topic | table json",
    "benchmark lcsts a.txt --data-file test.jsonl",
    "examine a.jsonl b.jsonl -R references.txt --most 2",
    "conventions | table csv",
    "signature -c zh_word --confidence 0.9 |",
    "report a.jsonl -R references.txt --quiet |",
    "rouge155 -d -n 2 -2 4 -u -z SPL pairs.lst |",
)


def command_output() -> dict[str, Any]:
    """What the examples of the command line print, in every format."""
    facts: dict[str, Any] = {}
    with _own_folder():
        _write_files()
        for example in _EXAMPLES:
            line, bar, formats = example.partition(" |")
            shapes = [["-f", name] for name in formats.split() or FORMATS] if formats or not bar else [[]]
            for shape in shapes:
                printed, said = _run(*line.split(), *shape)
                facts.setdefault(line, {"said": said})[" ".join(shape) or "printed"] = printed
        for file in Path().glob("samples.csv"):
            facts[file.name] = file.read_text("utf-8").splitlines()
    return facts


def _write_files() -> None:
    """The files of the examples."""
    rows = [{**row, "topic": "xy"[place % 2]} for place, row in enumerate(CHINESE[:6])]
    tables = {
        "zh": rows,
        "a": [{"prediction": row["prediction"]} for row in rows],
        "b": [{"prediction": row["prediction_b"]} for row in rows],
        "test": [{"text": row["prediction"] + row["prediction_b"], "summary": row["references"][0]} for row in rows],
    }
    (chinese, references), (english, english_references) = _columns(rows), _columns(ENGLISH[:6])
    texts = {
        "a.txt": chinese,
        "references.txt": [row[0] for row in references],
        "en.txt": english,
        "reference1.txt": [row[0] for row in english_references],
        "reference2.txt": [row[-1] for row in english_references],
        "pairs.lst": ["en.txt reference1.txt", "en.txt reference2.txt"],
    }
    for name, table in tables.items():
        texts[f"{name}.jsonl"] = [json.dumps(row, ensure_ascii=False) for row in table]
    for name, lines in texts.items():
        Path(name).write_text("".join(line.replace("\n", " ") + "\n" for line in lines), encoding="utf-8")


# Reports and comparisons


def reports() -> dict[str, Any]:
    """The data of a report of two systems, with slices and sources, and of one of four, as their pages unpack it."""
    rows = CHINESE[1:9:2]
    extra = {
        "ids": [row["id"] for row in rows],
        "metadata": {"topic": list("xyxy")},
        "sources": [[row["references"][0], row["prediction_b"]] for row in rows],
    }
    facts: dict[str, Any] = {}
    with _own_folder() as folder:
        for n, rouge, options in (
            (2, Rouge("zh_word", scale=100, n_resamples=200), extra),
            (4, Rouge(n_resamples=200), {}),
        ):
            (name, texts), *others = _systems(rows, n).items()
            file, references = folder / "report.html", _columns(rows)[1]
            write_report(file, texts, references, rouge=rouge, name=name, others=dict(others), slices=n == 2, **options)
            packed = re.findall(r'(?:id="(index)"|class="(page)")>([^<]+)<', file.read_text("utf-8"))
            facts[f"{n} systems"] = {key or page: unpacked(text) for key, page, text in packed}
            del facts[f"{n} systems"]["index"]["key"]  # a digest that depends on versions
    return facts


def comparisons() -> dict[str, Any]:
    """Numbers of comparisons, slices, checkpoints, examinations and merged partial results."""
    rouge = Rouge("zh_char", scale=100, n_resamples=200)
    systems, references = _systems(CHINESE, 2), _columns(CHINESE)[1]
    few, few_references = _systems(CHINESE[1:9:2], 2), references[1:9:2]
    three, by_step = _systems(CHINESE, 3), dict(zip((300, 100, 200), _systems(CHINESE, 3).values(), strict=True))
    columns = {"topic": ["x", "y"] * 17}
    options = {"baseline": "B", "test": "randomization", "n_resamples": 200}
    return {
        "compare_conventions": polyrouge.compare_conventions(*_columns(CHINESE), ["default", "zh_char"]).to_dict(),
        "compare_systems, 2": polyrouge.compare_systems(systems, references, rouge),
        "compare_systems, 3": polyrouge.compare_systems(three, references, rouge, **options),
        "examine_systems": polyrouge.examine_systems(few, few_references, rouge, most=5, most_samples=5),
        "measure_sources": polyrouge.measure_sources(few["A"], few["B"], rouge),
        "compare_slices": polyrouge.compare_slices(systems, references, columns, rouge, n_resamples=200),
        "score_slices": polyrouge.score_slices(systems["A"], references, None, rouge),
        "trace_checkpoints": polyrouge.trace_checkpoints(by_step, references, rouge),
        **_partials(systems, references),
    }


def _partials(systems: Mapping[str, list[str]], references: list[list[str]]) -> dict[str, Any]:
    """Partial results of three parts, merged in another order."""
    facts: dict[str, Any] = {}
    for settings in ({}, {"aggregate": "f_of_means"}, {"aggregate": "micro", "multi_reference": "first"}):
        scorer = TableScorer(Rouge("zh_char", scale=100, **settings))
        tables = [pa.table({"prediction": texts, "references": references}) for texts in systems.values()]
        partials = [
            [scorer.partial(table.slice(start, 12), first_row=start) for start in (24, 0, 12)] for table in tables
        ]
        facts[f"summarize, {settings}"] = [summarize(each) for each in partials]
    scored = score_table(tables[0].slice(0, 5), "zh_char", hits=True)
    facts["score_table"] = {f"{each.name}: {each.type}": scored[each.name].to_pylist() for each in scored.schema}
    return facts


# The public API


def public_names() -> dict[str, Any]:
    """Each public name with its parameters, each setting with its default, each command with its options."""
    documented = re.findall(r"^::: (\S+)", (ROOT / "docs" / "api.md").read_text("utf-8"), re.MULTILINE)
    names = {*documented, *(f"polyrouge.{name}" for name in polyrouge.__all__)}
    defaults = {name: repr(each.default) for name, each in inspect.signature(RougeSettings).parameters.items()}
    commands = {name: _options(each) for name, each in COMMAND.commands.items()}  # pyright: ignore[reportAttributeAccessIssue]
    return {"commands": commands, "names": {name: _described(name) for name in names}, "settings": defaults}


def _described(path: str) -> Any:
    """The parameters of a function; those of a class and its methods; the keys of a mapping."""
    module, _, name = path.rpartition(".")
    try:
        value = getattr(importlib.import_module(module), name)
    except ModuleNotFoundError as error:
        return Missing(str(error.name))
    if isinstance(value, Mapping):
        return sorted(value)
    if inspect.isfunction(value):
        return _parameters(value)
    if not inspect.isclass(value) or issubclass(value, Exception):
        return getattr(value, "__name__", type(value).__name__)
    bases = [each for each in value.__mro__ if each.__module__.startswith("polyrouge")]
    members = {name: getattr(value, name) for base in bases for name in vars(base) if not name.startswith("_")}
    return {"()": _parameters(value), **{name: _parameters(each) for name, each in members.items()}}


def _parameters(value: Any) -> str:
    """Names and defaults, without types."""
    if not callable(value):
        return "attribute"
    parameters = inspect.signature(value).parameters.values()
    text = ", ".join(str(each.replace(annotation=inspect.Parameter.empty)) for each in parameters)
    return re.sub(r"<function (\S+) at \w+>", r"\1", text)


def _options(command: Any) -> dict[str, str]:
    """The names of each option and argument, and its default."""
    facts = {}
    for parameter in command.params:
        words = [name for name in ("is_flag", "required", "multiple", "hidden") if getattr(parameter, name, False)]
        if isinstance(parameter.default, (str, int, float)):
            words.append(f"default {parameter.default!r}")
        facts[" ".join([*parameter.opts, *parameter.secondary_opts])] = ", ".join(words)
    return facts


# For each file what is in it; of scores by each engine.
_SECTIONS: dict[str, Callable[[], dict[str, Any]]] = {
    "api": public_names,
    "commands": command_output,
    "comparisons": comparisons,
    "messages": messages,
    "reports": reports,
}
_SCORES = {"edge": edge_scores, "examples": example_counts, "means": means}
FILES = (*_SECTIONS, *_SCORES)
RUNS = [*((name, "plain") for name in FILES), *((name, "compiled") for name in _SCORES)]


def compared(name: str, engine: str) -> tuple[str, str, Any]:
    """What differs from a file now: in words, the packages without which some of it is unknown, and the facts."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RougeWarning)
        facts = plain(_SCORES[name](engine) if name in _SCORES else _SECTIONS[name]())
    missing: set[str] = set()
    changes = list(differences(read_stored(name), facts, name, missing))
    return report(changes) if changes else "", ", ".join(sorted(missing)), facts


def main() -> None:
    """Write all files, and say what changed in them."""
    for name in FILES:
        begin = time.process_time()
        changed, missing, facts = compared(name, "plain")
        size, seconds = write_stored(name, facts), time.process_time() - begin
        sys.stdout.write(f"{name}.json: {size / 1000:.0f} thousand characters, {seconds:.1f} s\n")
        sys.stdout.write(f"left as it was where it needs {missing}\n" if missing else "")
        sys.stdout.write(f"{changed}\n" if changed else "")


if __name__ == "__main__":
    main()
