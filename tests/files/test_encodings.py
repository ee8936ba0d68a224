"""Files that are not UTF-8: Chinese spreadsheets, Windows, and what is asked for."""

import codecs
import gzip
from contextlib import closing

import pytest

from polyrouge.files.paired_texts import open_paired_texts
from polyrouge.files.text_files import open_text_file

ROWS = [("云渡市上半年经济增长5.8%。", "今年上半年，全市GDP同比增长5.8%。"), ("股市大涨", "A股大涨，成交额放大")]
CSV = "预测,参考\r\n" + "".join(f'"{one}","{other}"\r\n' for one, other in ROWS)


def read(path, **options):
    """The pairs of a file, and notes."""
    with open_paired_texts([str(path)], **options) as texts:
        (chunk,) = texts.chunks()
        return list(zip(chunk.predictions[0], chunk.references, strict=True)), texts.notes


def lines_of(path, **options):
    """The lines of a plain text, and notes."""
    with closing(open_text_file(str(path), **options)) as file:
        return [row.values[""] for row in file.rows([], [])], file.notes


@pytest.mark.parametrize(
    ("encoding", "is_noted"), [("utf-8", 0), ("utf-8-sig", 0), ("utf-16", 0), ("gbk", 1), ("gb2312", 1), ("gb18030", 1)]
)
@pytest.mark.parametrize("zipped", [False, True])
def test_chinese_tables_are_read_as_they_are_written(tmp_path, encoding, is_noted, zipped):
    path = tmp_path / "a.csv"
    data = CSV.encode(encoding)
    path.write_bytes(gzip.compress(data) if zipped else data)

    rows, notes = read(path, prediction_columns=["预测"], reference_columns=["参考"])

    assert rows == ROWS
    assert len(notes) == is_noted
    assert all("GB18030" in note and "line 1" in note for note in notes)


def test_a_rare_character_of_gb18030_is_read(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes((CSV + "𠮷野家的新品，㐀字也在其中，共有四种套餐,今天上市\r\n").encode("gb18030"))

    rows, _ = read(path, prediction_columns=["预测"], reference_columns=["参考"])

    assert rows[-1][0].startswith("𠮷野家的新品，㐀字")


def test_what_comes_late_is_found_too(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"plain ascii\n" * 70_000 + "中文一行\n".encode("gbk"))

    lines, notes = lines_of(path)

    assert lines[-1] == "中文一行"
    assert "line 70001" in notes[0]


@pytest.mark.parametrize("encoding", ["big5", "latin-1", "utf-16-le", "utf-32", "shift_jis"])
def test_the_encoding_that_is_named_is_taken(tmp_path, encoding):
    path = tmp_path / "a.jsonl"
    text = "naïve café" if encoding == "latin-1" else "日本語"
    path.write_bytes(f'{{"prediction": "{text}", "reference": "a"}}\n'.encode(encoding))

    assert read(path, encoding=encoding) == ([(text, "a")], [])


NOT_UTF_8 = r"is not UTF-8; convert the file to UTF-8\. Or name its encoding: --encoding"


@pytest.mark.parametrize(
    ("data", "encoding", "message"),
    [
        ("café\n".encode("latin-1"), None, NOT_UTF_8),
        ("naïve\n".encode("latin-1"), None, NOT_UTF_8),
        ("中\n".encode() + "文\n".encode("gbk"), None, NOT_UTF_8),
        (b"\x80\xff\n", None, NOT_UTF_8),
        ("中文".encode("gbk") + b"\xff\n", "GB18030", r"a\.txt, line 1: byte 0xff is not gb18030"),
    ],
)
def test_bytes_of_another_encoding_are_refused(tmp_path, data, encoding, message):
    path = tmp_path / "a.txt"
    path.write_bytes(data)

    with pytest.raises(ValueError, match=message):
        lines_of(path, encoding=encoding)


@pytest.mark.parametrize("name", ["gb-18030-x", "hex", "rot13"])
def test_an_unknown_encoding_is_refused(tmp_path, name):
    with pytest.raises(ValueError, match=f"Unknown encoding '{name}'"):
        open_text_file(str(tmp_path / "a.txt"), encoding=name)


def test_a_byte_order_mark_of_utf_16_is_enough(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(codecs.BOM_UTF16_BE + "一行\n二行\n".encode("utf-16-be"))

    assert lines_of(path)[0] == ["一行", "二行"]


@pytest.mark.parametrize("suffix", ["csv", "tsv"])
def test_a_table_without_a_line_of_names(tmp_path, suffix):
    path = tmp_path / f"a.{suffix}"
    mark = "\t" if suffix == "tsv" else ","
    path.write_text(f"a b{mark}a c\na b{mark}a b\n", encoding="utf-8")

    rows, _ = read(path, prediction_columns=["1"], reference_columns=["2"], has_header=False)

    assert rows == [("a b", "a c"), ("a b", "a b")]


def test_a_row_in_place_of_names_is_hinted_at(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("same\tsame\nx\ty\n", encoding="utf-8")

    with pytest.raises(ValueError, match="--no-header"):
        open_text_file(str(path))
