"""Files that hold more or other than texts: by their first bytes or their names, what each is and what to do."""

import re
import shlex

from polyrouge.errors import Option
from polyrouge.files.table import InputFileError

_LONGEST = 20  # bytes
POINTER = b"version https://git-"  # of Git LFS, which may stand in place of any file
_YAML = (".yaml", ".yml")
_MARKUP = (b"<html", b"<!doctype html", b"<?xml")
_SEGMENTS = (b"<refset", b"<tstset", b"<srcset", b"<mteval", b"<!doctype mteval")
_DOCUMENTS = re.compile(rb"\s*<(?:doc|sum)[\s>]")  # of TREC, DUC, LCSTS; "<summary>" is a model's
_SUBTITLES = re.compile(rb"\s*(?:webvtt|\d+\s+\d\d:\d\d:\d\d[,.])")
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_SHEETS = (".xlsx", ".xlsm", ".ods", ".xls")
_KINDS: dict[bytes, tuple[str, str]] = {
    b"%PDF": ("a PDF", "extract its text"),
    b"{\\rtf": ("a document in RTF", "save it as plain text in UTF-8"),
    _OLD_OFFICE: ("a document of Office", "save it as plain text in UTF-8"),
    b"SQLite format 3": ("a database of SQLite", "export its table as CSV or JSONL"),
    b"\x93NUMPY": ("an array of NumPy", "write its texts as JSONL"),
    b"\x89HDF": ("an HDF5 file", "write its texts as JSONL"),
    b"Obj\x01": ("an Avro file", "convert it to Parquet or JSONL"),
    b"ORC": ("an ORC file", "convert it to Parquet or JSONL"),
    POINTER: ("a pointer of Git LFS", "fetch the file itself: git lfs pull"),
    b"BZh": ("compressed by bzip2", "decompress it: bunzip2"),
    b"\xfd7zXZ\0": ("compressed by xz", "decompress it: unxz"),
    b"\x28\xb5\x2f\xfd": ("compressed by Zstandard", "decompress it: unzstd"),
    b"\x04\x22\x4d\x18": ("compressed by LZ4", "decompress it: unlz4"),
    b"7z\xbc\xaf\x27\x1c": ("a 7z archive", "unpack it"),
    b"Rar!\x1a\x07": ("a RAR archive", "unpack it"),
    b"\x89PNG": ("an image", "give the file of the texts"),
    b"\xff\xd8\xff": ("an image", "give the file of the texts"),
    b"GIF8": ("an image", "give the file of the texts"),
    b"RIFF": ("audio, video or an image", "give the file of the texts"),
    b"\x7fELF": ("a program", "give the file of the texts"),
    **{bytes([0x80, n]): ("a pickle of Python", "load it there and write the texts as JSONL") for n in range(2, 6)},
}
# Parts of a ZIP archive by the suffix of the name: of Office, of PyTorch and NumPy, of Inspect.
_OF_ZIP = {
    **dict.fromkeys((".docx", ".odt", ".pptx"), ("a document of Office", "save it as plain text in UTF-8")),
    **dict.fromkeys(
        (".pt", ".pth", ".bin", ".ckpt"), ("a file of PyTorch", "load it there and write the texts as JSONL")
    ),
    ".npz": ("arrays of NumPy", "write their texts as JSONL"),
    ".eval": ("a log of Inspect", "convert it to JSON: inspect log dump"),
}


def refuse_binary(name: str, start: bytes) -> None:
    """Raise ``InputFileError`` if a file begins as one of another kind does."""
    start = start[:_LONGEST]
    suffix = name[name.rfind(".") :].lower()
    kind = next((kind for mark, kind in _KINDS.items() if start.startswith(mark)), None)
    if start.startswith(b"PK\x03\x04"):
        kind = _OF_ZIP.get(suffix, ("a ZIP archive", "unpack it"))
    if suffix in _SHEETS and start.startswith((b"PK\x03\x04", _OLD_OFFICE)):
        kind = "a spreadsheet", "save the sheet as CSV (UTF-8) and give that"
    if suffix in _YAML:
        kind = "YAML", "write its texts as JSONL"
    if start.lstrip().lower().startswith(_SEGMENTS):
        lines = f"sed -n 's/.*<seg[^>]*>\\(.*\\)<\\/seg>.*/\\1/p' {shlex.quote(name)} > new.txt"
        kind = "SGML", f"save its segments as lines: {lines}"
    if _DOCUMENTS.match(start.lower()):
        kind = "SGML", "its tags and its line breaks would be scored; write its texts as JSONL, or one to a line"
    if _SUBTITLES.match(start.lower()):
        kind = "subtitles", "their numbers and times would be scored; write their texts as JSONL, or one to a line"
    if start.lstrip().lower().startswith(_MARKUP):
        kind = "HTML or XML", "save its texts as plain text or JSONL; 'polyrouge rouge155' reads files of ROUGE-1.5.5"
    if kind is not None:
        raise InputFileError(f"{name} is {kind[0]}; {kind[1]}.")
    for mark, format_name in ((b"PAR1", "parquet"), (b"ARROW1", "arrow")):
        if start.startswith(mark):
            is_said = Option("input_format", format_name)
            raise InputFileError(f"{name} is {format_name.capitalize()}, though its name doesn't tell: ", is_said, ".")
