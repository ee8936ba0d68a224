"""Read ROUGE-1.5.5's files: configurations in XML, lists of paths, and texts in the formats SPL, SEE, ISI and SIMPLE.

Line numbers without a file point into ROUGE-1.5.5.pl.
"""

import os
import re
import xml.etree.ElementTree as ET
import xml.parsers.expat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from polyrouge.compat.rouge155.options import INPUT_FORMATS
from polyrouge.conventions.rouge155 import split_sentences155
from polyrouge.errors import unknown_value

_BLANKS = " \t\n\v\f\r"  # ASCII: the script reads bytes
_DEEPEST = 100  # a configuration has five levels
_LOCATION = " location"  # an attribute, impossible in XML, for the file and line where an element begins


class FileEntry(NamedTuple):
    """One text of an evaluation."""

    path: str  # as the configuration gives it, below its root
    location: str  # file and line that name it, for messages


_Part = tuple[str, str, Any]  # tag, location and content


@dataclass
class EvaluationEntry:
    """One evaluation of a configuration."""

    name: str  # its ID
    location: str  # file and line where it begins
    input_format: str  # one of INPUT_FORMATS
    predictions: dict[str, FileEntry]  # of each system (peer)
    references: list[FileEntry]  # the texts to compare with (models), in order
    notes: list[str] = field(default_factory=list)  # suspicious input that the script accepts


def read_configuration(path: str | os.PathLike[str]) -> list[EvaluationEntry]:
    """Read a configuration file in XML, ``<ROUGE-EVAL>`` (3022-3205).

    Element names may be in any case. Paths are below ``PEER-ROOT`` and ``MODEL-ROOT``, which are relative to the
    current folder. Of two references with one ID the script takes the second twice; so does this, with a note.
    """
    file = os.fspath(path)
    parts: dict[str, list[_Part]] = {}
    _collect_parts(_parse_xml(file, Path(file).read_bytes()), parts)
    return [_evaluation(name, entry_parts) for name, entry_parts in parts.items()]


def _parse_xml(file: str, data: bytes) -> ET.Element:
    """Parse the root, with names in capitals and the location of each element; comments stay between texts."""
    tree = ET.TreeBuilder(insert_comments=True, insert_pis=True)
    parser = xml.parsers.expat.ParserCreate()

    def start(name: str, attributes: dict[str, str]) -> None:
        tree.start(name.upper(), {**attributes, _LOCATION: f"{file}, line {parser.CurrentLineNumber}"})

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda name: tree.end(name.upper())
    parser.CharacterDataHandler = tree.data
    parser.CommentHandler = tree.comment
    parser.ProcessingInstructionHandler = tree.pi
    try:
        parser.Parse(data, True)
    except xml.parsers.expat.ExpatError as error:
        reason = xml.parsers.expat.ErrorString(error.code) or f"error {error.code}"
        raise ValueError(
            f"{file}, line {error.lineno}: {reason}; a configuration is XML, or a list of paths with -z FORMAT."
        ) from error
    except (LookupError, ValueError) as error:  # of Python's codecs, by the name in the first line
        raise ValueError(
            f"{file}, line 1: this encoding can't be read ({error}); save the configuration as UTF-8."
        ) from error
    return tree.close()


def _collect_parts(
    node: ET.Element, parts: dict[str, list[_Part]], evaluation: str | None = None, depth: int = 1
) -> None:
    """Collect each <EVAL> and the parts below it in its evaluation's list."""
    if depth > _DEEPEST:
        raise ValueError(f"{node.get(_LOCATION)}: elements are nested deeper than {_DEEPEST}.")
    if node.tag == "EVAL":
        evaluation = _attribute(node, "ID")
        parts.setdefault(evaluation, []).append((node.tag, node.attrib[_LOCATION], None))
    elif node.tag in _PARTS:
        if evaluation is None:
            raise ValueError(f"{node.get(_LOCATION)}: <{node.tag}> stands outside an <EVAL ID=...>; put it into one.")
        parts[evaluation].append((node.tag, node.attrib[_LOCATION], _PARTS[node.tag](node)))
        return
    for child in node:
        _collect_parts(child, parts, evaluation, depth + 1)


def _evaluation(name: str, parts: list[_Part]) -> EvaluationEntry:
    """Make one evaluation from its parts, <EVAL> first; of repeated parts the last counts."""
    entry = EvaluationEntry(name, parts[0][1], "", {}, [])
    roots = {"PEER-ROOT": "", "MODEL-ROOT": ""}
    references: dict[str, FileEntry] = {}
    reference_ids: list[str] = []
    for number, (tag, where, content) in enumerate(parts):
        if tag == "EVAL" and number > 0:
            entry.notes.append(f"{where}: evaluation {name!r} was there before; both are one.")
        elif tag == "INPUT-FORMAT":
            entry.input_format = content
        elif tag in roots:
            roots[tag] = roots[tag] if content is None else content
        elif tag == "PEERS":
            entry.predictions.update(content)
        elif tag == "MODELS":
            for reference_id, file in content:
                if reference_id in references:
                    entry.notes.append(
                        f"{file.location}: reference ID {reference_id!r} was there before; as in "
                        "ROUGE-1.5.5, this text counts twice and the one before not at all. Give each its own ID."
                    )
                reference_ids.append(reference_id)
                references[reference_id] = file
    if not reference_ids:
        raise ValueError(f"{entry.location}: evaluation {name!r} has no reference; give it <MODELS> with an <M>.")
    if not entry.input_format:
        raise ValueError(
            f"{entry.location}: evaluation {name!r} has no <INPUT-FORMAT TYPE=...>; "
            f"give one of {', '.join(INPUT_FORMATS)}."
        )
    for system, file in entry.predictions.items():
        entry.predictions[system] = file._replace(path=f"{roots['PEER-ROOT']}/{file.path}")
    for file in map(references.__getitem__, reference_ids):
        entry.references.append(file._replace(path=f"{roots['MODEL-ROOT']}/{file.path}"))
    return entry


def _input_format(node: ET.Element) -> str:
    format_name = _attribute(node, "TYPE")
    if format_name.upper() not in INPUT_FORMATS:
        raise unknown_value(format_name, INPUT_FORMATS, f"TYPE in {node.get(_LOCATION)}:")
    return format_name


def _files(node: ET.Element) -> list[tuple[str, FileEntry]]:
    """Return ID and file of each <P> of <PEERS>, or each <M> of <MODELS>."""
    files = []
    for child in node.iterfind(node.tag[0]):
        file_id, file_name = _attribute(child, "ID"), _text(child)
        if not file_name:
            raise ValueError(f"{child.get(_LOCATION)}: <{child.tag}> names no file; write its name between the tags.")
        files.append((file_id, FileEntry(file_name, child.attrib[_LOCATION])))
    return files


def _attribute(node: ET.Element, name: str) -> str:
    if name not in node.attrib:
        raise ValueError(f"{node.get(_LOCATION)}: <{node.tag}> has no {name}; write <{node.tag} {name}=...>.")
    return node.attrib[name]


def _text(node: ET.Element) -> str | None:
    """Return the last text in a node, without the blanks around it."""
    texts = [text.strip(_BLANKS) for text in (node.text, *(child.tail for child in node)) if text]
    return texts[-1] if texts else None


# Readers of the parts of an evaluation.
_PARTS = {"INPUT-FORMAT": _input_format, "PEER-ROOT": _text, "MODEL-ROOT": _text, "PEERS": _files, "MODELS": _files}


def read_file_list(path: str | os.PathLike[str], input_format: str, system: str) -> list[EvaluationEntry]:
    """Read a list, one evaluation a line: the paths of the prediction and of its references (``-z``, 2943-3020).

    Blank lines and lines that start with # are skipped; the other ones are evaluations 1, 2, 3 and so on.
    """
    file = os.fspath(path)
    entries = []
    for number, line in enumerate(_lines(file), start=1):
        paths = re.split(r"\s+", line.strip(_BLANKS), flags=re.ASCII)
        if line.startswith("#") or paths == [""]:
            continue
        where = f"{file}, line {number}"
        if len(paths) < 2:
            raise ValueError(
                f"{where}: only one path, {paths[0]!r}; give the prediction's path and its references' paths."
            )
        prediction, *references = (FileEntry(name, where) for name in paths)
        entries.append(EvaluationEntry(str(len(entries) + 1), where, input_format, {system: prediction}, references))
    return entries


_SEE_SENTENCE = re.compile(
    r'<a (?:size="[0-9]+" )?name="[0-9]+">\[[0-9]+\]</a>\s+<a href="#[0-9]+" id=[0-9]+>([^<]+)', re.ASCII
)
_ISI_SENTENCE = re.compile('<S SNTNO="[0-9a-z,]+">([^<]+)</S>')


def read_sentences155(path: str | os.PathLike[str], input_format: str) -> list[str]:
    r"""Read the sentences of one text (1834-1862).

    * SPL: each line that is not empty.
    * SEE: lines that start with ``<a name="1">[1]</a> <a href="#1" id=1>`` (a ``size`` may come first); the text up to
      the next ``<``. Entities stay as they are: ``&amp;`` gives ``amp``.
    * ISI: lines that start with ``<S SNTNO="1">``; the text up to ``</S>``.
    * SIMPLE: basic elements, each line one (1941-1967).

    Bytes that are no UTF-8 become lone surrogates, which can be turned back into bytes.
    """
    format_name = input_format.upper()
    if format_name not in INPUT_FORMATS:
        raise unknown_value(input_format, INPUT_FORMATS, f"input format of {os.fspath(path)}")
    if format_name == "SPL":
        return split_sentences155("".join(_lines(path)))
    if format_name == "SIMPLE":
        return [line.removesuffix("\n") for line in _lines(path)]
    find = (_SEE_SENTENCE if format_name == "SEE" else _ISI_SENTENCE).match
    return [match[1] for match in map(find, _lines(path)) if match]


def _lines(path: str | os.PathLike[str]) -> list[str]:
    """Read the lines of a file with their line feeds; nothing else ends a line."""
    text = Path(path).read_bytes().decode("utf-8", "surrogateescape")
    return re.findall(r"[^\n]*\n|[^\n]+", text)
