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
    with open_paired_texts([str(path)], prediction_columns=["预测"], reference_columns=["参考"], **options) as texts:
        (chunk,) = texts.chunks()
        return list(zip(chunk.predictions[0], chunk.references, strict=True)), texts.notes


def rows_of(path, **options):
    with closing(open_text_file(str(path), **options)) as file:
        return list(file.rows([], []))


@pytest.mark.parametrize(
    ("encoding", "is_noted"), [("utf-8", 0), ("utf-8-sig", 0), ("utf-16", 0), ("gbk", 1), ("gb2312", 1), ("gb18030", 1)]
)
@pytest.mark.parametrize("zipped", [False, True])
def test_chinese_tables_are_read_as_they_are_written(tmp_path, encoding, is_noted, zipped):
    path = tmp_path / "a.csv"
    data = CSV.encode(encoding)
    path.write_bytes(gzip.compress(data) if zipped else data)

    rows, notes = read(path)

    assert rows == ROWS
    assert len(notes) == is_noted
    assert all("GB18030" in note and "line 1" in note for note in notes)


def test_a_rare_character_of_gb18030_is_read(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes((CSV + "𠮷野家的新品，㐀字也在其中，共有四种套餐,今天上市\r\n").encode("gb18030"))

    assert read(path)[0][-1][0].startswith("𠮷野家的新品，㐀字")


def test_what_comes_late_is_found_too(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"plain ascii\n" * 70_000 + "中文一行\n".encode("gbk"))

    file = open_text_file(str(path))
    *_, last = file.rows([], [])
    file.close()

    assert last.values == {None: "中文一行"}
    assert "line 70001" in file.notes[0]


@pytest.mark.parametrize("encoding", ["big5", "latin-1", "utf-16-le", "utf-32", "shift_jis"])
def test_the_encoding_that_is_named_is_taken(tmp_path, encoding):
    path = tmp_path / "a.jsonl"
    text = "naïve café" if encoding == "latin-1" else "日本語"
    path.write_bytes(
        f'{{"prediction": "{text}", "reference": "a"}}\n'.encode(encoding if encoding != "big5" else "big5")
    )

    with open_paired_texts([str(path)], encoding=encoding) as texts:
        (chunk,) = texts.chunks()

    assert chunk.predictions == [[text]]


@pytest.mark.parametrize(
    "data",
    ["café\n".encode("latin-1"), "naïve\n".encode("latin-1"), "中\n".encode() + "文\n".encode("gbk"), b"\x80\xff\n"],
)
def test_other_bytes_are_refused_as_before(tmp_path, data):
    path = tmp_path / "a.txt"
    path.write_bytes(data)

    with pytest.raises(ValueError, match=r"is not UTF-8; convert the file to UTF-8\. Or name its encoding: --encoding"):
        rows_of(path)


def test_a_byte_that_is_not_of_the_named_encoding_is_told(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("中文".encode("gbk") + b"\xff\n")

    with pytest.raises(ValueError, match=r"a\.txt, line 1: byte 0xff is not gb18030"):
        rows_of(path, encoding="GB18030")


@pytest.mark.parametrize("name", ["gb-18030-x", "hex", "rot13"])
def test_an_unknown_encoding_is_refused(tmp_path, name):
    with pytest.raises(ValueError, match=f"Unknown encoding '{name}'"):
        open_text_file(str(tmp_path / "a.txt"), encoding=name)


def test_a_byte_order_mark_of_utf_16_is_enough(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(codecs.BOM_UTF16_BE + "一行\n二行\n".encode("utf-16-be"))

    assert [row.values for row in rows_of(path)] == [{None: "一行"}, {None: "二行"}]


@pytest.mark.parametrize("suffix", ["csv", "tsv"])
def test_a_table_without_a_line_of_names(tmp_path, suffix):
    path = tmp_path / f"a.{suffix}"
    mark = "\t" if suffix == "tsv" else ","
    path.write_text(f"a b{mark}a c\na b{mark}a b\n", encoding="utf-8")

    with open_paired_texts([str(path)], prediction_columns=["1"], reference_columns=["2"], has_header=False) as texts:
        (chunk,) = texts.chunks()

    assert chunk.predictions == [["a b", "a b"]]
    assert chunk.references == ["a c", "a b"]


def test_a_row_in_place_of_names_is_hinted_at(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("same\tsame\nx\ty\n", encoding="utf-8")

    with pytest.raises(ValueError, match="--no-header"):
        open_text_file(str(path))
