"""Read ROUGE-1.5.5's configuration files: evaluations in XML, ``<ROUGE-EVAL>``."""

from __future__ import annotations

import os
import xml.etree.ElementTree as ET
import xml.parsers.expat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from polyrouge.errors import unknown_value
from polyrouge.rouge155.files import BLANKS, INPUT_FORMATS, ConfigurationError, EvaluationEntry, FileEntry

_DEEPEST = 100  # a configuration has five levels
_PLACE = " place"  # the attribute, of a name that XML has not, for the file and line where an element begins


def read_configuration(path: str | os.PathLike[str]) -> list[EvaluationEntry]:
    """Read a configuration file in XML, ``<ROUGE-EVAL>`` (3022-3205).

    Element names may be in any case. Paths are below ``PEER-ROOT`` and ``MODEL-ROOT``, which are relative to
    the current folder. Of two references with the same ID the script takes the second one twice; so does
    this, and says so in a note.
    """
    file = os.fspath(path)
    evaluations: dict[str, _Evaluation] = {}
    _read_node(_parse_xml(file, Path(file).read_bytes()), None, evaluations)
    return [evaluation.entry() for evaluation in evaluations.values()]


def _parse_xml(file: str, data: bytes) -> ET.Element:
    """The root, with names in capitals and the place of each element; comments stand between texts, as in the file."""
    tree = ET.TreeBuilder(insert_comments=True, insert_pis=True)
    parser = xml.parsers.expat.ParserCreate()

    def start(name: str, attributes: dict[str, str]) -> None:
        tree.start(name.upper(), {**attributes, _PLACE: f"{file}, line {parser.CurrentLineNumber}"})

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda name: tree.end(name.upper())
    parser.CharacterDataHandler = tree.data
    parser.CommentHandler = tree.comment
    parser.ProcessingInstructionHandler = tree.pi
    try:
        parser.Parse(data, True)
    except xml.parsers.expat.ExpatError as error:
        reason = xml.parsers.expat.ErrorString(error.code) or f"error {error.code}"
        raise ConfigurationError(
            f"{file}, line {error.lineno}: {reason}; a configuration is XML, or a list of paths with -z FORMAT."
        ) from error
    except (LookupError, ValueError) as error:  # of Python's codecs, by the name in the first line
        raise ConfigurationError(
            f"{file}, line 1: this encoding can't be read ({error}); save the configuration as UTF-8."
        ) from error
    return tree.close()


@dataclass
class _Evaluation:
    """What the elements below one evaluation ID have said so far."""

    name: str
    place: str
    input_format: str = ""
    prediction_root: str = ""
    reference_root: str = ""
    predictions: dict[str, FileEntry] = field(default_factory=dict)
    references: dict[str, FileEntry] = field(default_factory=dict)
    reference_ids: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def entry(self) -> EvaluationEntry:
        if not self.reference_ids:
            raise ConfigurationError(
                f"{self.place}: evaluation {self.name!r} has no reference; give it <MODELS> with an <M>."
            )
        if not self.input_format:
            raise ConfigurationError(
                f"{self.place}: evaluation {self.name!r} has no <INPUT-FORMAT TYPE=...>; "
                f"give one of {', '.join(INPUT_FORMATS)}."
            )
        predictions = {system: _below(self.prediction_root, file) for system, file in self.predictions.items()}
        references = [_below(self.reference_root, self.references[each]) for each in self.reference_ids]
        return EvaluationEntry(self.name, self.place, self.input_format, predictions, references, self.notes)


def _below(root: str, file: FileEntry) -> FileEntry:
    return file._replace(path=f"{root}/{file.path}")


def _read_node(
    node: ET.Element, evaluation: _Evaluation | None, evaluations: dict[str, _Evaluation], depth: int = 1
) -> None:
    """Take in one element and those below it."""
    if depth > _DEEPEST:
        raise ConfigurationError(f"{node.get(_PLACE)}: elements are nested deeper than {_DEEPEST}.")
    if node.tag == "EVAL":
        name, place = _attribute(node, "ID"), node.attrib[_PLACE]
        if name in evaluations:
            evaluations[name].notes.append(f"{place}: evaluation {name!r} was there before; both are one.")
        evaluation = evaluations.setdefault(name, _Evaluation(name, place))
    elif node.tag in ("INPUT-FORMAT", "PEER-ROOT", "MODEL-ROOT", "PEERS", "MODELS"):
        if evaluation is None:
            raise ConfigurationError(
                f"{node.get(_PLACE)}: <{node.tag}> stands outside an <EVAL ID=...>; put it into one."
            )
        _read_part(node, evaluation)
        return
    for child in node:
        _read_node(child, evaluation, evaluations, depth + 1)


def _read_part(node: ET.Element, evaluation: _Evaluation) -> None:
    """Take in one part of an evaluation."""
    if node.tag == "INPUT-FORMAT":
        kind = _attribute(node, "TYPE")
        if kind.upper() not in INPUT_FORMATS:
            raise ConfigurationError(str(unknown_value(kind, INPUT_FORMATS, f"TYPE in {node.get(_PLACE)}:")))
        evaluation.input_format = kind
    elif node.tag == "PEER-ROOT":
        evaluation.prediction_root = _text(node, evaluation.prediction_root)
    elif node.tag == "MODEL-ROOT":
        evaluation.reference_root = _text(node, evaluation.reference_root)
    elif node.tag == "PEERS":
        evaluation.predictions.update(_files(node, "P"))
    else:
        for reference_id, file in _files(node, "M"):
            if reference_id in evaluation.references:
                evaluation.notes.append(
                    f"{file.place}: reference ID {reference_id!r} was there before; as in "
                    "ROUGE-1.5.5, this text counts twice and the one before not at all. Give each its own ID."
                )
            evaluation.reference_ids.append(reference_id)
            evaluation.references[reference_id] = file


def _files(node: ET.Element, name: str) -> Iterator[tuple[str, FileEntry]]:
    """ID and file of each child of that name."""
    for child in node.iterfind(name):
        file_id, file_name = _attribute(child, "ID"), _text(child)
        if not file_name:
            raise ConfigurationError(f"{child.get(_PLACE)}: <{name}> names no file; write its name between the tags.")
        yield file_id, FileEntry(file_name, child.attrib[_PLACE])


def _attribute(node: ET.Element, name: str) -> str:
    if name not in node.attrib:
        raise ConfigurationError(f"{node.get(_PLACE)}: <{node.tag}> has no {name}; write <{node.tag} {name}=...>.")
    return node.attrib[name]


def _text(node: ET.Element, default: str = "") -> str:
    """The last text in a node, without the blanks around it."""
    texts = [text.strip(BLANKS) for text in (node.text, *(child.tail for child in node)) if text]
    return texts[-1] if texts else default
