"""The command run in this process, and the Chinese example rows that it reads."""

import csv
import functools
import io
import json
from pathlib import Path

from news import columns, news
from typer import testing

from polyrouge.cli.commands import app

ROOT = Path(__file__).resolve().parents[2]
CHINESE = ROOT / "examples" / "zh_news.jsonl"
ROWS = news("zh")
# Typer builds the options of all commands for each run, which takes longer than most of the runs here.
testing._get_command = functools.cache(testing._get_command)  # pyright: ignore[reportPrivateImportUsage]
PREDICTIONS, OTHERS, REFERENCES = columns(ROWS, "prediction", "prediction_b", "references")


def run(*arguments, text=None):
    """What the command printed (``stdout``), said (``stderr``) and returned (``exit_code``)."""
    return testing.CliRunner().invoke(app, [str(argument) for argument in arguments], input=text)


def csv_rows(printed):
    return list(csv.DictReader(io.StringIO(printed)))


def write_rows(path, rows):
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def samples_of(path):
    """The rows of a file that ``--per-sample`` has written."""
    text = path.read_text(encoding="utf-8")
    return csv_rows(text) if path.suffix == ".csv" else [json.loads(line) for line in text.splitlines()]
