"""Read ROUGE-1.5.5's configuration files: evaluations in XML, ``<ROUGE-EVAL>``."""

from __future__ import annotations

import os
import xml.parsers.expat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from polyrouge.errors import unknown_value
from polyrouge.rouge155.files import BLANKS, INPUT_FORMATS, ConfigurationError, EvaluationEntry, FileEntry

_DEEPEST = 100  # a configuration has five levels


def read_configuration(path: str | os.PathLike[str]) -> list[EvaluationEntry]:
    """Read a configuration file in XML, ``<ROUGE-EVAL>`` (3022-3205).

    Element names may be in any case. Paths are below ``PEER-ROOT`` and ``MODEL-ROOT``, which are relative to
    the current folder. Of two references with the same ID the script takes the second one twice; so does
    this, and says so in a note.

    Raises:
        ConfigurationError: the XML is broken, or lacks what an evaluation needs.
        FileNotFoundError: there is no such file.
    """
    file = os.fspath(path)
    root = _parse_xml(file, Path(file).read_bytes())
    builders: dict[str, _EvaluationBuilder] = {}
    _read_node(root, None, builders, file)
    return [builder.build() for builder in builders.values()]


@dataclass
class _Node:
    """One element: its texts and children in order, texts being apart where a comment stands between."""

    name: str
    attributes: dict[str, str]
    line: int
    children: list[_Node | str] = field(default_factory=list)


def _parse_xml(file: str, data: bytes) -> _Node:
    root = _Node("", {}, 0)
    open_nodes = [root]
    pieces: list[str] = []  # of one text: expat gives it line by line, or by single characters

    def end_text(*_: str) -> None:
        if pieces:
            open_nodes[-1].children.append("".join(pieces))
            pieces.clear()

    def start(name: str, attributes: dict[str, str]) -> None:
        end_text()
        if len(open_nodes) > _DEEPEST:
            raise ConfigurationError(
                f"{file}, line {parser.CurrentLineNumber}: elements are nested deeper than {_DEEPEST}."
            )
        node = _Node(name.upper(), attributes, parser.CurrentLineNumber)
        open_nodes[-1].children.append(node)
        open_nodes.append(node)

    def end(_name: str) -> None:
        end_text()
        open_nodes.pop()

    parser = xml.parsers.expat.ParserCreate()
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = pieces.append
    parser.CommentHandler = end_text
    parser.ProcessingInstructionHandler = end_text
    try:
        parser.Parse(data, True)
    except xml.parsers.expat.ExpatError as error:
        reason = xml.parsers.expat.ErrorString(error.code) or f"error {error.code}"
        raise ConfigurationError(
            f"{file}, line {error.lineno}: {reason}; a configuration is XML, or a list of paths with -z FORMAT."
        ) from error
    except ConfigurationError:
        raise
    except (LookupError, ValueError) as error:  # of Python's codecs, by the name in the first line
        raise ConfigurationError(
            f"{file}, line 1: this encoding can't be read ({error}); save the configuration as UTF-8."
        ) from error
    return root


@dataclass
class _EvaluationBuilder:
    """What the elements below one evaluation ID have said so far."""

    entry: EvaluationEntry
    file: str
    prediction_root: str = ""
    reference_root: str = ""
    predictions: dict[str, tuple[str, int]] = field(default_factory=dict)
    references: dict[str, tuple[str, int]] = field(default_factory=dict)
    reference_ids: list[str] = field(default_factory=list)

    def build(self) -> EvaluationEntry:
        for system, (name, line) in self.predictions.items():
            self.entry.predictions[system] = self._below(self.prediction_root, name, line)
        for reference_id in self.reference_ids:
            self.entry.references.append(self._below(self.reference_root, *self.references[reference_id]))
        if not self.entry.references:
            raise ConfigurationError(
                f"{self.entry.place}: evaluation {self.entry.name!r} has no reference; give it <MODELS> with an <M>."
            )
        if not self.entry.input_format:
            raise ConfigurationError(
                f"{self.entry.place}: evaluation {self.entry.name!r} has no <INPUT-FORMAT TYPE=...>; "
                f"give one of {', '.join(INPUT_FORMATS)}."
            )
        return self.entry

    def _below(self, root: str, name: str, line: int) -> FileEntry:
        return FileEntry(f"{root}/{name}", f"{self.file}, line {line}")


def _read_node(
    node: _Node, builder: _EvaluationBuilder | None, builders: dict[str, _EvaluationBuilder], file: str
) -> None:
    """Take in one element and those below it."""
    if node.name == "EVAL":
        name = _attribute(node, "ID", file)
        place = f"{file}, line {node.line}"
        if name in builders:
            builders[name].entry.notes.append(f"{place}: evaluation {name!r} was there before; both are one.")
        builder = builders.setdefault(name, _EvaluationBuilder(EvaluationEntry(name, place), file))
    elif node.name in ("INPUT-FORMAT", "PEER-ROOT", "MODEL-ROOT", "PEERS", "MODELS"):
        if builder is None:
            raise ConfigurationError(
                f"{file}, line {node.line}: <{node.name}> stands outside an <EVAL ID=...>; put it into one."
            )
        _read_part(node, builder)
        return
    for child in node.children:
        if isinstance(child, _Node):
            _read_node(child, builder, builders, file)


def _read_part(node: _Node, builder: _EvaluationBuilder) -> None:
    """Take in one part of an evaluation."""
    if node.name == "INPUT-FORMAT":
        kind = _attribute(node, "TYPE", builder.file)
        if kind.upper() not in INPUT_FORMATS:
            what = f"TYPE in {builder.file}, line {node.line}:"
            raise ConfigurationError(str(unknown_value(kind, INPUT_FORMATS, what)))
        builder.entry.input_format = kind
    elif node.name == "PEER-ROOT":
        builder.prediction_root = _text(node, builder.prediction_root)
    elif node.name == "MODEL-ROOT":
        builder.reference_root = _text(node, builder.reference_root)
    elif node.name == "PEERS":
        for child, system in _identified(node, "P", builder.file):
            builder.predictions[system] = (_file_name(child, builder.file), child.line)
    else:
        for child, reference_id in _identified(node, "M", builder.file):
            if reference_id in builder.references:
                builder.entry.notes.append(
                    f"{builder.file}, line {child.line}: reference ID {reference_id!r} was there before; as in "
                    "ROUGE-1.5.5, this text counts twice and the one before not at all. Give each its own ID."
                )
            builder.reference_ids.append(reference_id)
            builder.references[reference_id] = (_file_name(child, builder.file), child.line)


def _identified(node: _Node, name: str, file: str) -> Iterator[tuple[_Node, str]]:
    """The children of that name, with their IDs."""
    for child in node.children:
        if isinstance(child, _Node) and child.name == name:
            yield child, _attribute(child, "ID", file)


def _attribute(node: _Node, name: str, file: str) -> str:
    if name not in node.attributes:
        raise ConfigurationError(
            f"{file}, line {node.line}: <{node.name}> has no {name}; write <{node.name} {name}=...>."
        )
    return node.attributes[name]


def _text(node: _Node, default: str = "") -> str:
    """The last text in a node, without the blanks around it."""
    texts = [child.strip(BLANKS) for child in node.children if isinstance(child, str)]
    return texts[-1] if texts else default


def _file_name(node: _Node, file: str) -> str:
    name = _text(node)
    if not name:
        raise ConfigurationError(
            f"{file}, line {node.line}: <{node.name}> names no file; write its name between the tags."
        )
    return name
