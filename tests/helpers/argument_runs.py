"""Random calls of commands and functions, and what is wrong with their outcomes: tests/fuzzing runs them."""

import linecache
import random
import re
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer
from command_runs import run
from damage import damaged
from odd_values import odd_file, odd_part, odd_word, plain_rows

import polyrouge
from polyrouge import RougeSettings
from polyrouge.checked_json import write_checked
from polyrouge.cli.commands import app
from polyrouge.errors import RougeWarning, short_repr
from polyrouge.settings.allowed_values import Choice, Range
from polyrouge.settings.rouge_settings import ALL_SETTINGS

PACKAGE = str(Path(polyrouge.__file__).parent)
# What a terminal obeys, or what turns the order of what it shows.
RAW = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
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
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(PACKAGE)]
    lines = [f"{frame.filename[len(PACKAGE) + 1 :]}:{frame.lineno} {frame.line}" for frame in frames[-3:]]
    return f"{type(error).__name__}: {str(error)[:300]!r} at {' < '.join(reversed(lines))}"


# Commands

# Values of options that settings do not declare.
_WORDS = {
    "convention": "default zh_char rouge_score pltrdy coco",
    "tokenizer": "mixed zh_char char ascii space jieba",
    "sentence_split": "auto newline none zh",
    "rouge_types": "rouge1 rougeL rougeL_recall rouge1,rougeLsum rougeW,rougeSU4",
    "rouge_type": "rouge1 rougeL rougeL_recall",
    "encoding": "utf-8 latin-1 gb18030",
    "output_format": "table json csv latex markdown",
    "name": "A a,b prediction \x1b[2J \u202eb",
    "title": "A \x9b1m",
    "signature": RougeSettings().signature(),
}
_COLUMNS = "id key prediction prediction_b references document system human topic n"
_OUTPUTS = {"per_sample": "csv", "save": "json", "save_baseline": "json", "dropped": "jsonl", "junit": "xml"}


def _option_word(rng: random.Random, name: str, folder: Path) -> str:
    """A value that an option may well have."""
    if name in _OUTPUTS:
        return str(folder / f"out.{_OUTPUTS[name]}")
    values = ALL_SETTINGS[name].values if name in ALL_SETTINGS else None
    if isinstance(values, Choice):
        return str(rng.choice(values.allowed))
    if isinstance(values, Range):
        return str(rng.choice([values.low, 0.5, 0.9] if values.kind is float else [1, 2, 12]))
    columns = _COLUMNS if name.endswith("column") else "true false 0 1 5 0.5 99% rouge1=0.5"
    return rng.choice(_WORDS.get(name, columns).split())


def random_options(rng: random.Random, command: str, folder: Path) -> list[str]:
    """Some options of a command."""
    parameters = [each for each in _GROUP.commands[command].params if each.param_type_name == "option"]
    if rng.random() < 0.8:  # most settings ask for another one
        parameters = [each for each in parameters if each.name not in ALL_SETTINGS or each.name in _WORDS]
    words = []
    for parameter in rng.choices(parameters, k=rng.choice([0, 1, 1, 2, 3])) if parameters else []:
        if parameter.is_flag:
            words.append(rng.choice([*parameter.opts, *parameter.secondary_opts]))
        else:
            value = _option_word(rng, parameter.name, folder) if rng.random() < 0.8 else odd_word(rng)
            words.append(f"{parameter.opts[0]}={value}")
    return words


@dataclass
class Workshop:
    """A folder with the files of a run; each is odd at times."""

    rng: random.Random
    folder: Path

    def texts(self, name: str = "in") -> str:
        """A file of rows."""
        self.folder.joinpath(name).mkdir(exist_ok=True)
        return odd_file(self.rng, self.folder / name, plain_rows() if self.rng.random() < 0.7 else None)

    def baseline(self) -> str:
        """What ``check --baseline`` takes: numbers, outputs, or a saved file, which may be damaged."""
        path = self.folder / "baseline.json"
        rows = plain_rows()
        saved = polyrouge.check_scores([row["prediction"] for row in rows], [row["references"] for row in rows]).saved
        content = damaged(self.rng, [write_checked(saved)])
        path.write_bytes(content.encode("utf-8", "surrogatepass"))
        return self.rng.choice(["rouge1=50", odd_word(self.rng), self.texts(), str(path)])

    def script(self) -> list[str]:
        """Arguments of the Perl script, with a list of files."""
        path = self.folder / "list"
        path.write_bytes(f"{self.texts()} {self.texts()}".encode("utf-8", "surrogateescape"))
        options = self.rng.choices(["-a", "-n 2", "-x", "-w 1.2", "-2 4 -u", "-r 100", "-l 5", "-c 95", "-d"], k=3)
        return [
            *" ".join(options).split(),
            "-z",
            "SPL",
            str(path),
            self.rng.choice(["", "1", "\x1b[2J", odd_word(self.rng)]),
        ]

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
            "benchmark": lambda: ["lcsts", texts(), "-p", "prediction", "--id-column", "key", "--data-file", texts()],
            "dedupe": lambda: [texts(), "--column", "prediction"],
            "nearest": lambda: [texts(), texts(), "--column", "prediction"],
            "oracle": lambda: [texts()],
            "report": lambda: [texts(), *columns, "-o", f"{out}.html"],
            "examine": lambda: [texts(), *columns, *output],
            "context": lambda: [texts(), *columns, *output, "--source-column", "document", "--n-resamples", "50"],
            "agreement": lambda: [*(texts(), "-p", "prediction", "-r", "references", "--human", "human", *output)],
            "settings": lambda: [
                *(texts(), *columns, *output, "--published", "rouge1=50,rougeL=40", "-c", "default", "-c", "coco")
            ],
            "conventions": lambda: output,
            "rouge155": self.script,
            "folder": lambda: [
                *(str(Path(texts("texts")).parent), "--run-on", "local", "--workers", "1", *columns, "-o", out)
            ],
        }[command]()
        if rng.random() < 0.15 and usual[at := rng.randrange(len(usual))] != "--data-file":  # else the Hub
            usual[at] = odd_word(rng)
        if command == "rouge155":
            return usual
        return [*usual, *random_options(rng, "score" if command == "folder" else command, self.folder)]


COMMANDS = (
    *("score", "compare", "check", "benchmark", "dedupe", "nearest", "oracle", "report", "examine", "context"),
    *("agreement", "settings", "conventions", "rouge155", "folder"),
)


def command_faults(command: str, arguments: list[str], folder: Path) -> tuple[str, list[str]]:
    """Run a command; how it ended, and what of it may not be."""
    name = "score" if command == "folder" else command
    ran = run(name, *arguments, text="the cat\n")
    error, code, said = ran.exception, ran.exit_code, ran.stderr
    if error is not None and not isinstance(error, SystemExit):
        return "failed", [place_of(error)]
    faults = [f"left over: {path}" for path in folder.rglob(".*polyrouge-*")]
    if code not in ((0, 1, 2, 255) if name == "rouge155" else (0, 1, 2) if name == "check" else (0, 2)):
        faults.append(f"exit code {code}: {said[-300:]!r}")
    if code == 1 and ran.stdout and not re.search(r"broken|Failed|,False,|: false", said + ran.stdout):
        faults.append(f"no broken rule: {ran.stdout[-300:]!r}")
    if code == 2 and re.search(r"error: .{3}|^rouge155: .|╭─ Error|Usage: ", said, re.MULTILINE) is None:
        faults.append(f"no sentence: {said[-300:]!r}")
    while isinstance(error, (SystemExit, typer.Exit)):
        error = error.__context__
    if code == 2 and error and "╭─ Error" not in said and not is_ours(error) and "pip install" not in said:
        faults.append(f"no sentence of ours: {place_of(error)}")
    if "Traceback" in said:
        faults.append(f"a traceback: {said[-1000:]}")
    is_data = name in ("dedupe", "nearest", "oracle") or {"json", "csv"} & {
        word.rpartition("=")[2] for word in arguments
    }
    shown = said if is_data else said + ran.stdout
    if raw := RAW.search(shown):
        faults.append(f"raw {raw[0]!r}: {shown[max(0, raw.start() - 100) : raw.end() + 100]!r}")
    return {0: "done", 1: "broken"}.get(code, "refused"), faults


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
    quiet = (RougeWarning, DeprecationWarning, ResourceWarning, SyntaxWarning)
    faults += [
        f"{warning.category.__name__}: {warning.message} at {warning.filename}:{warning.lineno}"
        for warning in caught
        if not issubclass(warning.category, quiet)
        or (issubclass(warning.category, RougeWarning) and RAW.search(str(warning.message)))
    ]
    return outcome, faults


def shown_arguments(arguments: dict[str, Any]) -> str:
    """The arguments of a call, for a message."""
    return f"({', '.join(f'{name}={short_repr(value)}' for name, value in arguments.items())})"


def odd_call(rng: random.Random, given: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call, one to three of them odd."""
    changed = dict(given)
    for name in rng.choices(list(given), k=rng.choice([1, 1, 1, 2, 3])):
        changed[name] = odd_part(rng, changed[name])
    return changed
