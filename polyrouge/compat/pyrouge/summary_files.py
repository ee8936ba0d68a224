"""The files of ``pyrouge``: folders of texts in and out of the script's HTML format, and its configuration."""

from __future__ import annotations

import html
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

_BREAK = re.compile("[\n|\r]")  # a bar too, as in that package


def as_html(text: str, title: str) -> str:
    """A text, a sentence a line, in the script's HTML format (SEE)."""
    anchor = '<a name="{0}">[{0}]</a> <a href="#{0}" id={0}>{1}</a>'
    lines = [anchor.format(number, sentence) for number, sentence in enumerate(text.split("\n"), start=1)]
    head = ["<html>", "<head>", f"<title>{title}</title>", "</head>", '<body bgcolor="white">']
    return "\n".join([*head, *lines, "</body>", "</html>"])


def write_configuration(systems: tuple[str, str], models: tuple[str, str], path: str, system_id: Any) -> None:
    """Write the script's configuration: each prediction whose name matches, with its references.

    Args:
        systems: folder of the predictions, and the pattern of their names.
        models: folder of the references, and their pattern with ``#ID#``.
        path: of the configuration.
        system_id: ID of the system in it.

    Raises:
        Exception: no prediction's name matches, or a prediction has no reference.
    """
    of_system = re.compile(systems[1])
    evaluations = []
    for name in sorted(os.listdir(systems[0])):
        found = of_system.match(name)
        if found is None:
            continue
        references = _reference_names(found.groups()[0], *models)
        evaluations.append(_evaluation(len(evaluations) + 1, system_id, (systems[0], name), (models[0], references)))
    if not evaluations:
        raise Exception(
            f"Did not find any files matching the pattern {of_system.pattern} in the system summaries directory "
            f"{systems[0]}."
        )
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write('<ROUGE-EVAL version="1.55">' + "".join(evaluations) + "</ROUGE-EVAL>")


def check_folder(path: str, name: str) -> None:
    """Refuse a folder that does not exist, in that package's words and with its class, ``Exception``."""
    if not os.path.exists(path):
        raise Exception(f"Cannot set {name} directory because the path {path} does not exist.")


def _reference_names(document: str, folder: str, pattern: str) -> list[str]:
    matches = re.compile(pattern.replace("#ID#", document)).match
    names = sorted(filter(matches, os.listdir(folder)))
    if not names:
        raise Exception(
            f"Could not find any model summaries for the system summary with ID {document}. Specified model filename "
            f"pattern was: {pattern}"
        )
    return names


def _evaluation(number: int, system_id: Any, prediction: tuple[str, str], references: tuple[str, list[str]]) -> str:
    """One evaluation of the configuration."""
    models = (f'<M ID="{chr(65 + place)}">{html.escape(name)}</M>' for place, name in enumerate(references[1]))
    return "\n".join(
        [
            f'<EVAL ID="{number}">',
            f"<MODEL-ROOT>{html.escape(references[0])}</MODEL-ROOT>",
            f"<PEER-ROOT>{html.escape(prediction[0])}</PEER-ROOT>",
            '<INPUT-FORMAT TYPE="SEE">',
            "</INPUT-FORMAT>",
            "<PEERS>",
            f'<P ID="{html.escape(str(system_id))}">{html.escape(prediction[1])}</P>',
            "</PEERS>",
            "<MODELS>",
            *models,
            "</MODELS>",
            "</EVAL>\n",
        ]
    )


def process_folder(source: str, target: str, function: Callable[[str], str]) -> None:
    """Write what a function makes of each file of a folder into another folder, in UTF-8, line breaks as they are."""
    os.makedirs(target, exist_ok=True)
    for name in os.listdir(source):
        text = Path(source, name).read_bytes().decode("utf-8")
        Path(target, name).write_bytes(function(text).encode("utf-8"))


def one_line(text: str) -> str:
    """The text with single blanks for all its blanks and line breaks, as it is before punkt sees it."""
    return re.sub(r"\s+", " ", _BREAK.sub(" ", text))


def converted_sentences(text: str) -> list[str]:
    """The sentences that the script finds in a text once it is converted: of each line what stands before a ``<``."""
    return [sentence for line in text.split("\n") if (sentence := line.partition("<")[0])]
