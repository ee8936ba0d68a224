"""Check what words need where nothing else is installed: ``check_extra.py NAME LANGUAGES.md [LEFT OUT...]``.

What the table of installations says that it is for runs there, gives the scores of the table of examples, and scores
equal texts as equal; what needs other packages is refused with the command that brings them.
"""

import contextlib
import re
import sys
import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from polyrouge import CONVENTIONS, Rouge, RougeWarning

Row = tuple[str, str, str, list[float]]


class Tables(NamedTuple):
    """The tables of a page.

    Attributes:
        names: the tokenizers and conventions that each row is for, those of extras that it installs too.
        examples: prediction, reference, settings and scores of each row.
    """

    names: dict[str, set[str]]
    examples: list[Row]


def tables_in(text: str) -> Tables:
    """Read docs/languages.md, or its twin."""
    rows = {row[0].strip("`"): row[1:] for row in _table(text, "ja")}
    names = {extra: set(re.findall("`([^`]+)`", what_for)) for extra, (_, what_for) in rows.items()}
    for row, (install, _) in rows.items():
        for extra in set(re.findall(r"polyrouge\[(\w+)\]", install)):
            names[row] |= names[extra]
    examples, pair = [], ("", "")
    for texts, settings, *scores in _table(text, "default", column=1):
        if texts:
            prediction, _, reference = texts.partition(" / ")
            pair = (prediction, reference)
        examples.append((*pair, settings.strip("`"), list(map(float, scores))))
    return Tables(names, examples)


def _table(text: str, first: str, column: int = 0) -> list[list[str]]:
    """The cells of the table whose first row has this word, in marks of code, in a column."""
    for table in re.findall(r"^\|[-|: ]+\|\n((?:\|.*\n)+)", text, re.MULTILINE):
        rows = [[cell.strip() for cell in re.split(r"\|", line.strip()[1:-1])] for line in table.splitlines()]
        if rows[0][column].strip('`"') == first:
            return rows
    msg = f"There is no table that begins with {first}."
    raise ValueError(msg)


def made(*args: str, **settings: object) -> Rouge:
    """The metric, with models made here where it needs some."""
    tokenizer = settings.get("tokenizer", str(CONVENTIONS[args[0]].settings.tokenizer if args else ""))
    if tokenizer in ("subwords", "super_ni"):
        settings["subword_model"] = subword_model()
    if tokenizer == "zh_pkuseg":
        settings["pkuseg_model"] = pkuseg_model()
    return Rouge(*args, **settings)


def subword_model() -> str:
    """Subwords of the letters of this file."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=400, show_progress=False, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()
    )
    tokenizer.train_from_iterator([str(__doc__)], trainer)
    path = Path(tempfile.mkdtemp()) / "tokenizer.json"
    tokenizer.save(str(path))
    return str(path)


def pkuseg_model() -> str:
    """A model of a few Chinese words."""
    import spacy_pkuseg

    folder = tempfile.mkdtemp()
    words = Path(folder) / "words.txt"
    words.write_text("今天 天气 很 好 。\n今天 天气 不错 。\n" * 5, encoding="utf-8")
    with contextlib.redirect_stdout(None):
        spacy_pkuseg.train(str(words), str(words), f"{folder}/model", train_iter=5)
    return f"{folder}/model"


def check(extra: str, tables: Tables, without: Sequence[str] = ()) -> list[str]:
    """Run what the extra is for, but not what extras are for that it should bring but can't; returns what ran."""
    texts = sorted({each for row in tables.examples for each in row[:2]})
    names, ran = tables.names[extra].difference(*(tables.names[each] for each in without)), []
    warnings.simplefilter("ignore", RougeWarning)  # of the default and Korean
    for name in sorted(names):
        rouge = made(name) if name in CONVENTIONS else made(tokenizer=name)
        same = rouge.score(texts, texts)
        values = {value for each in rouge.settings.rouge_types for value in same[each].tolist()}
        fail_unless(rouge.settings.scale in values <= {0.0, rouge.settings.scale}, name, values)  # 0: of a single token
        fail_unless(rouge.settings.from_signature(rouge.signature(), **models_of(rouge)) == rouge.settings, name)
        ran.append(name)
    for prediction, reference, settings, scores in tables.examples:
        needed = re.findall('"([^"]+)"', settings)[-1]  # the tokenizer, or a convention by itself
        try:
            rouge = eval(f"made({settings}, rouge_types=['rouge1', 'rouge2', 'rougeL'], scale=100)")  # noqa: S307
        except ModuleNotFoundError as error:
            fail_unless("pip install" in str(error) and needed not in names, settings, error)
            continue
        ours = [round(each, 1) for each in rouge.compute([prediction], [reference]).values()]
        fail_unless(ours == scores, settings, ours, scores)
        if needed in names:
            ran.append(f"Rouge({settings})")
    return ran


def models_of(rouge: Rouge) -> dict[str, str]:
    """The paths that a signature can't hold."""
    paths = {name: getattr(rouge.settings, name) for name in ("subword_model", "pkuseg_model")}
    return {name: path for name, path in paths.items() if path is not None}


def fail_unless(holds: bool, *what: object) -> None:
    """End with what is wrong."""
    if not holds:
        raise SystemExit(" ".join(map(str, what)))


if __name__ == "__main__":
    ran = check(sys.argv[1], tables_in(Path(sys.argv[2]).read_text(encoding="utf-8")), sys.argv[3:])
    sys.stdout.write(f"{sys.argv[1]}: {', '.join(ran)}\n")
