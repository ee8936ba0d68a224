"""Write the sentences that entrances have reworded into the catalogue; ``make snapshot`` runs this file.

Scores, classes of exceptions and the number of warnings are never written: a case in which these differ stays as it is,
and its test fails.
"""

import contextlib
import json
import os
import sys
import tempfile
import warnings
from importlib.util import find_spec

from catalogue_cases import CATALOGUE, Case, read_catalogue, without_names
from entrances import outcome_at

ENTRANCES = ("compute", "score_batch", "trainer", "reward", "command", "page")  # evaluate says what compute says


def reworded(entrance: str, case: Case) -> dict[str, str]:
    """The sentences of a case that an entrance words otherwise: what it says, by what is written."""
    expected, outcome = case.expected(entrance), outcome_at(entrance, case, {})
    is_of_class = outcome.error in (None, expected.get("error"))
    written = [expected["says"]] if "says" in expected else expected.get("warns", [])
    said = [without_names(outcome.says) or ""] if outcome.says else outcome.warns
    if not is_of_class or ("says" in expected) != bool(outcome.says) or len(written) != len(said):
        return {}
    return {before: after for before, after in zip(written, said, strict=True) if before != after}


def runs_of(case: Case) -> list[str]:
    """The entrances that say something of their own; the page, which takes longest, where it is written to."""
    has_page = "page" in case.written.get("at", {}) and find_spec("gradio")
    return [name for name in ENTRANCES if name not in case.not_at and (name != "page" or has_page)]


def main() -> None:
    """Write the catalogue, and name its old and new sentences."""
    warnings.simplefilter("ignore")
    sentences = {}
    for case in read_catalogue()[1]:
        for entrance in runs_of(case):
            with tempfile.TemporaryDirectory() as folder, contextlib.suppress(ModuleNotFoundError):  # of another group
                os.chdir(folder)
                sentences |= reworded(entrance, case)
    os.chdir(CATALOGUE.parent)
    text = CATALOGUE.read_text(encoding="utf-8")
    for before, after in sentences.items():
        text = text.replace(*(json.dumps(sentence, ensure_ascii=False)[1:-1] for sentence in (before, after)))
        sys.stdout.write(f"{CATALOGUE.name}: {before!r} is now {after!r}\n")
    CATALOGUE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
