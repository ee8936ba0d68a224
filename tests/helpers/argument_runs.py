"""Random calls of commands and functions, and what is wrong with their outcomes: tests/fuzzing runs them."""

import contextlib
import json
import linecache
import random
import re
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer
from damage import damaged
from odd_values import odd_file, odd_json, odd_part, odd_word, plain_rows
from typer.testing import CliRunner

import polyrouge
from polyrouge import RougeSettings
from polyrouge.cli.commands import app
from polyrouge.errors import RougeWarning, short_repr
from polyrouge.settings.allowed_values import Choice, Flag, Range, Types
from polyrouge.settings.rouge_settings import ALL_SETTINGS

PACKAGE = str(Path(polyrouge.__file__).parent)
# What a terminal obeys, or what turns the order of what it shows.
RAW = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_BROKEN = re.compile(r"broken|Failed|,False,")  # a rule, in CSV by its column "holds"
_GROUP: Any = typer.main.get_command(app)


def is_ours(error: BaseException) -> bool:
    """Whether a ``raise`` of polyrouge has made it, which says in a sentence what is wrong; and not Python or numpy."""
    if isinstance(error, OSError) and error.filename is not None:
        return True
    if error.__traceback__ is None:
        return False
    last = traceback.extract_tb(error.__traceback__)[-1]
    line = linecache.getline(last.filename, last.lineno or 0).strip()
    return last.filename.startswith(PACKAGE) and line.startswith("raise")


def place_of(error: BaseException) -> str:
    """The last lines of polyrouge that an error came through, for a message."""
    frames = [each for each in traceback.extract_tb(error.__traceback__) if each.filename.startswith(PACKAGE)]
    lines = [f"{each.filename[len(PACKAGE) + 1 :]}:{each.lineno} {each.line}" for each in frames[-3:]]
    return f"{type(error).__name__}: {str(error)[:300]!r} at {' < '.join(reversed(lines))}"


def chain_of(error: BaseException | None) -> Iterator[BaseException]:
    """An error, and those that it was raised in place of."""
    while error is not None:
        yield error
        error = error.__context__


# Commands


_COLUMNS = ("id", "key", "prediction", "prediction_b", "references", "document", "system", "human", "topic", "n")
_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW", "rougeSU4")
_OFTEN = (
    *("rouge_types", "tokenizer", "lowercase", "stop_words", "max_words", "sentence_split", "lcs", "empty", "output"),
    *("multi_reference", "confidence", "n_resamples", "interval", "aggregate", "scale", "round_result", "seed", "beta"),
)
_OUTPUTS = {
    "per_sample": ("csv", "jsonl"), "save": ("json", "csv", "tex", "md", "txt", "html"), "save_baseline": ("json",),
    "dropped": ("jsonl",), "junit": ("xml",),
}  # fmt: skip


def _usual_word(rng: random.Random, name: str, folder: Path) -> str:
    """A value that an option may well have."""
    if name in _OUTPUTS:
        return str(folder / f"out.{rng.choice(_OUTPUTS[name])}")
    if name.endswith("column") or name in ("human", "keep"):
        return rng.choice(_COLUMNS)
    if name in ("name", "title", "baseline", "stop_words"):
        return rng.choice(["A", "a,b", "prediction", "a,`b`", "\x1b[2J", "\u202eb", "the,\x9b1m"])
    values = ALL_SETTINGS[name].values if name in ALL_SETTINGS else None
    if isinstance(values, Choice):
        return str(rng.choice(values.allowed))
    if isinstance(values, Range) and values.kind is float:
        return str(rng.choice([values.low, min(values.high, 5000), 0.5, 0.9]))
    if isinstance(values, Range):
        return rng.choice(["1", "2", "20"])
    if name == "signature":
        return RougeSettings().signature()
    if isinstance(values, Flag):
        return rng.choice(["true", "false"])
    if isinstance(values, Types) or name == "rouge_type":
        return rng.choice([*_TYPES, "rougeL_recall", ",".join(rng.sample(_TYPES, 3))])
    by_name = {"encoding": "utf-8 latin-1 gb18030", "output_format": "table json csv latex markdown"}
    by_name |= {"convention": "default zh_char rouge_score pltrdy coco", "input_format": "jsonl csv parquet"}
    by_name |= {"sentence_split": "auto newline none zh", "tokenizer": "mixed zh_char char ascii space jieba"}
    return rng.choice(by_name.get(name, "0 1 2 5 0.5 0.9 true false 99% rouge1=0.5").split())


def _word(rng: random.Random, name: str, folder: Path, texts: Callable[[], str]) -> str:
    """A value of an option: often a usual one, else a file, or any word."""
    kind = rng.random()
    if kind < 0.8:
        return _usual_word(rng, name, folder)
    return texts() if kind < 0.83 else odd_word(rng)


def random_options(rng: random.Random, command: str, folder: Path, texts: Callable[[], str]) -> list[str]:
    """Some options of a command; ``texts`` writes a file of texts."""
    parameters = [each for each in _GROUP.commands[command].params if each.param_type_name == "option"]
    if rng.random() < 0.8:  # tools' rules mostly ask for others beside them
        parameters = [each for each in parameters if each.name not in ALL_SETTINGS or each.name in _OFTEN]
    words = []
    for parameter in rng.choices(parameters, k=rng.choice([0, 1, 1, 2, 3])) if parameters else []:
        if parameter.is_flag:
            words.append(rng.choice([*parameter.opts, *parameter.secondary_opts]))
        else:
            value = _word(rng, parameter.name, folder, texts)
            words += [f"{parameter.opts[0]}={value}"] if rng.random() < 0.5 else [parameter.opts[0], value]
    return words


@dataclass
class Workshop:
    """A folder with the files of a run; each is odd at times."""

    rng: random.Random
    folder: Path

    def texts(self) -> str:
        """A file of rows."""
        self.folder.joinpath("in").mkdir(exist_ok=True)
        return odd_file(self.rng, self.folder / "in", plain_rows() if self.rng.random() < 0.7 else None)

    def baseline(self) -> str:
        """What ``check --baseline`` takes: numbers, outputs, or a saved file, whose values or bytes may be changed."""
        rng = self.rng
        if rng.random() < 0.3:
            return rng.choice(["rouge1=50", "rouge1=50,rougeL=40", odd_word(rng), self.texts()])
        rows = plain_rows()
        saved = polyrouge.check_scores([row["prediction"] for row in rows], [row["references"] for row in rows]).saved
        content: Any = json.dumps(saved)
        if rng.random() < 0.7:
            content = odd_json(odd_part(rng, json.loads(content)))
        if rng.random() < 0.2:
            content = damaged(rng, [content])
        path = self.folder / "baseline.json"
        path.write_bytes(content.encode("utf-8", "surrogatepass"))
        return str(path)

    def folder_of_texts(self) -> str:
        """A folder of files."""
        folder = self.folder / "texts"
        folder.mkdir(exist_ok=True)
        for _ in range(self.rng.choice([0, 1, 1, 2])):
            odd_file(self.rng, folder, plain_rows() if self.rng.random() < 0.7 else None)
        return str(folder)

    def script(self) -> list[str]:
        """Arguments of the Perl script, with a list of files."""
        rng, path, files = self.rng, self.folder / "list", [self.texts(), self.texts()]
        path.write_bytes(" ".join(files).encode("utf-8", "surrogateescape"))
        options = rng.choices(
            ["-a", "-n", "2", "-x", "-w", "1.2", "-2", "4", "-u", "-r", "-l", "5", "-c", "95", "-d"], k=3
        )
        return [*options, "-z", "SPL", str(path), rng.choice(["", "1", "\x1b[2J", odd_word(rng)])]

    def arguments(self, command: str) -> list[str]:
        """The words of a command that runs unless something in them is odd."""
        rng, texts = self.rng, self.texts
        columns = ["-p", "prediction", "-r", "references", "--id-column", "key"]
        output = ["-f", rng.choice(["table", "json", "csv", "latex", "markdown"])]
        out = str(self.folder / "out")
        usual = {
            "score": lambda: [texts(), *columns, *output],
            "compare": lambda: [texts(), *columns, "-p", "prediction_b", *output, "--n-resamples", "50"],
            "check": lambda: [texts(), *columns, *output, "--baseline", self.baseline()],
            "benchmark": lambda: ["xsum", texts(), "-p", "prediction", "--id-column", "key", "--data-file", texts()],
            "dedupe": lambda: [texts(), "--column", "prediction"],
            "nearest": lambda: [texts(), texts(), "--column", "prediction"],
            "oracle": lambda: [texts()],
            "report": lambda: [texts(), *columns, "-o", f"{out}.html"],
            "examine": lambda: [texts(), *columns, *output],
            "context": lambda: [texts(), *columns, *output, "--source-column", "document", "--n-resamples", "50"],
            "agreement": lambda: [
                *(texts(), "-p", "prediction", "-r", "references", "--human", "human", "--n-resamples", "50", *output)
            ],
            "settings": lambda: [
                *(texts(), *columns, *output, "--published", "rouge1=50,rougeL=40", "-c", "default", "-c", "coco")
            ],
            "conventions": lambda: output,
            "signature": list,
            "rouge155": self.script,
            "folder": lambda: [self.folder_of_texts(), "--run-on", "local", "--workers", "1", *columns, "-o", out],
        }[command]()
        if usual and rng.random() < 0.15 and usual[at := rng.randrange(len(usual))] != "--data-file":  # else the Hub
            usual[at] = odd_word(rng)
        if command == "rouge155":
            return usual
        name = "score" if command == "folder" else command
        more = random_options(rng, name, self.folder, texts)
        return [*more, *usual] if rng.random() < 0.5 else [*usual, *more]


COMMANDS = (
    *("score", "compare", "check", "benchmark", "dedupe", "nearest", "oracle", "report", "examine", "context"),
    *("agreement", "settings", "conventions", "signature", "rouge155", "folder"),
)


def command_faults(command: str, arguments: list[str], folder: Path) -> tuple[str, list[str]]:
    """Run a command; how it ended, and what of it may not be."""
    name = "score" if command == "folder" else command
    ran = CliRunner().invoke(app, [name, *arguments], input="the cat\n")
    faults = []
    if ran.exception is not None and not isinstance(ran.exception, SystemExit):
        return "failed", [place_of(ran.exception)]
    errors = [each for each in chain_of(ran.exception) if not isinstance(each, (SystemExit, typer.Exit))]
    code, said = ran.exit_code, ran.stderr
    if code == 1 and not (name == "check" and _BROKEN.search(said + ran.stdout + _saved(arguments))):
        faults.append(f"exit code 1: {said[-300:]!r}")
    elif code not in ((0, 1, 2, 255) if name == "rouge155" else (0, 1, 2)):
        faults.append(f"exit code {code}")
    if code == 2 and re.search(r"error: .{3}|^rouge155: .|╭─ Error|Usage: ", said, re.MULTILINE) is None:
        faults.append(f"no sentence: {said[-300:]!r}")
    if code == 2 and errors and not said.count("╭─ Error") and not is_told(errors, said):
        faults.append(f"no sentence of ours: {place_of(errors[0])}")
    if "Traceback" in said:
        faults.append(f"a traceback: {said[-1000:]}")
    shown = said if is_data(name, arguments) else said + ran.stdout
    if found := RAW.search(shown):
        faults.append(f"raw {found[0]!r}: {shown[max(0, found.start() - 100) : found.end() + 100]!r}")
    faults += [f"left over: {path}" for path in folder.rglob(".*polyrouge-*")]
    return {0: "done", 1: "broken", 2: "refused"}.get(code, "refused"), faults


def is_told(errors: list[BaseException], said: str) -> bool:
    """Whether the error that was told is one of ours, or that of a missing package."""
    told = errors[0]
    return is_ours(told) or (isinstance(told, ImportError) and "pip install" in said)


def is_data(name: str, arguments: list[str]) -> bool:
    """Whether standard output holds data as they are, such as JSON, CSV or rows."""
    formats = [word for word in arguments if word.rpartition("=")[2] in ("json", "csv")]
    return bool(formats) or name in ("dedupe", "nearest", "oracle")


def _saved(arguments: list[str]) -> str:
    with contextlib.suppress(OSError, ValueError):
        return " ".join(Path(word).read_text("utf-8") for word in arguments if Path(word).is_file())
    return "Failed"  # to a file whose name is odd


# Functions


def call_faults(
    function: Callable[..., Any], arguments: dict[str, Any], allowed: tuple[type[Exception], ...] = ()
) -> tuple[str, list[str]]:
    """Call a function; how it ended, and what of it may not be."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            function(**arguments)
            outcome, faults = "done", []
        except (ValueError, TypeError, ImportError, *allowed) as error:
            outcome = "refused"
            faults = [] if is_ours(error) or isinstance(error, ImportError) else [place_of(error)]
        except Exception as error:
            return "failed", [place_of(error)]
    faults += [
        f"{each.category.__name__}: {each.message} at {each.filename}:{each.lineno}"
        for each in caught
        if not issubclass(each.category, (RougeWarning, DeprecationWarning, ResourceWarning, SyntaxWarning))
    ]
    faults += [
        f"raw {found[0]!r} in the warning {each.message}"
        for each in caught
        if issubclass(each.category, RougeWarning) and (found := RAW.search(str(each.message)))
    ]
    return outcome, faults


def shown_arguments(arguments: dict[str, Any]) -> str:
    """The arguments of a call, for a message."""
    return f"({', '.join(f'{name}={short_repr(value)}' for name, value in arguments.items())})"


def odd_call(rng: random.Random, given: dict[str, Any], odd: Callable[..., Any] = odd_part) -> dict[str, Any]:
    """The arguments of a call, one to three of them odd."""
    changed = dict(given)
    for name in rng.choices(list(given), k=rng.choice([1, 1, 1, 2, 3])):
        changed[name] = odd(rng, changed[name])
    return changed
