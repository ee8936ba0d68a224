"""In which encoding a file is read: UTF-8, one that is certain, or one that is named."""

# ruff: noqa: E501 a case a line

import gzip
import unicodedata
from contextlib import closing

import pytest

from polyrouge.files.formats import open_table
from polyrouge.files.pairs import open_pairs
from polyrouge.files.table import InputFileError

CHINESE = ["云渡市上半年经济增长5.8%。", "股市大涨"], ["今年上半年，全市GDP同比增长5.8%。", "A股大涨，成交额放大"]
CHINESE_CSV = "预测,参考\r\n" + "".join(f'"{one}","{other}"\r\n' for one, other in zip(*CHINESE, strict=True))


def lines_of(path, **options):
    """The lines of a plain text, and notes."""
    with closing(open_table(str(path), **options)) as file:
        return [row.values[""] for row in file.rows([], [])], file.notes


@pytest.mark.parametrize(("encoding", "is_noted"), [("utf-8", 0), ("utf-8-sig", 0), ("utf-16", 0), ("gbk", 1), ("gb2312", 1), ("gb18030", 1)])  # fmt: skip
@pytest.mark.parametrize("zipped", [False, True])
def test_chinese_tables_are_read_as_they_are_written(tmp_path, encoding, is_noted, zipped):
    data = CHINESE_CSV.encode(encoding)
    (tmp_path / "a.csv").write_bytes(gzip.compress(data) if zipped else data)

    with open_pairs([str(tmp_path / "a.csv")]) as pairs:
        rows = pairs.read_all()

    assert (rows.predictions[0], rows.references) == CHINESE
    assert len(pairs.notes) == is_noted
    assert all("GB18030" in note and "line 1" in note for note in pairs.notes)


def test_chinese_that_comes_late_is_detected(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"plain ascii\n" * 70_000 + "中文一行\n".encode("gbk"))

    lines, notes = lines_of(tmp_path / "a.txt")

    assert lines[-1] == "中文一行"
    assert "line 70001" in notes[0]


@pytest.mark.parametrize("encoding", ["big5", "latin-1", "utf-16-le", "utf-32", "shift_jis"])
def test_the_encoding_that_is_named_is_taken(tmp_path, encoding):
    text = "naïve café" if encoding == "latin-1" else "日本語"
    (tmp_path / "a.txt").write_bytes(f"{text}\na\n".encode(encoding))

    assert lines_of(tmp_path / "a.txt", encoding=encoding) == ([text, "a"], [])


NOT_UTF_8 = r"is not UTF-8; convert the file to UTF-8\. Or name its encoding: encoding"


@pytest.mark.parametrize(
    ("data", "encoding", "message"),
    [
        ("café\n".encode("latin-1"), None, NOT_UTF_8),
        ("中\n".encode() + "文\n".encode("gbk"), None, NOT_UTF_8),
        (b"\x80\xff\n", None, NOT_UTF_8),
        ("中文".encode("gbk") + b"\xff\n", "GB18030", r"a\.txt, line 1: byte 0xff is not gb18030"),
        *((b"a", name, f"Unknown encoding '{name}'") for name in ("gb-18030-x", "hex", "rot13")),
    ],
)
def test_other_encodings_are_refused(tmp_path, data, encoding, message):
    (tmp_path / "a.txt").write_bytes(data)

    with pytest.raises(ValueError, match=message):
        lines_of(tmp_path / "a.txt", encoding=encoding)


def test_encodings_that_look_like_others(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("the cat é\n".encode("utf-32"))
    assert lines_of(path) == (["the cat é"], [])
    for codec in ("utf-16-le", "utf-16-be"):
        path.write_bytes("the cat é\n".encode(codec))
        with pytest.raises(ValueError, match=f"seems to be UTF-16 without a byte order mark.*{codec}"):
            lines_of(path)
    path.write_bytes("café\n".encode())
    note = f"{path} is valid UTF-8, but was read as iso8859-1, as encoding says."
    assert lines_of(path, encoding="latin-1") == (["cafÃ©"], [note])
    path.write_bytes("café\n".encode("latin-1"))
    assert lines_of(path, encoding="latin-1") == (["café"], [])


# Sentences of our own, short and long: a file may hold one word.
SENTENCES = {
    "ko": [
        "정부는 오늘 새로운 경제 정책을 발표했다.",
        "광화학적 분자생물학적",
        "대변인인 수토포",
        "학교 급식",
        "대통령",
    ],
    "ja": ["政府は今日、新しい経済政策を発表した。", "日本銀行金融政策決定会合", "首相官邸", "ニュース"],
    "ru": ["Правительство объявило о новой политике.", "мама мыла раму", "поля зимы", "дома", "вода"],
    "uk": ["Уряд оголосив нову політику", "їжак"],
    "th": ["รัฐบาลประกาศนโยบายเศรษฐกิจใหม่วันนี้", "กรุงเทพมหานคร", "วันนี้อากาศดี"],
    "vi": ["Chính phủ công bố chính sách kinh tế mới", "Hôm nay trời đẹp"],
    "ar": ["أعلنت الحكومة سياسة اقتصادية جديدة", "كتاب", "بيت"],
    "he": ["הממשלה הודיעה על מדיניות חדשה", "שלום", "ספר טוב"],
    "el": ["Η κυβέρνηση ανακοίνωσε νέα πολιτική", "νερό"],
    "zh-TW": ["政府今天宣布新的經濟政策。", "股市大漲", "中文", "台灣"],
    "fr": ["naïve café", "où est la forêt"],
    "tr": ["ışık söndü, güneş doğdu"],
    "pl": ["zażółć gęślą jaźń"],
}
LEGACY = {
    "ko": ["cp949", "euc-kr", "johab", "iso-2022-kr"],
    "ja": ["euc-jp", "shift_jis", "cp932", "euc-jis-2004", "iso-2022-jp"],
    "ru": ["koi8-r", "cp1251", "iso-8859-5", "cp866", "mac-cyrillic"],
    "uk": ["koi8-u", "cp1251", "iso-8859-5"],
    "th": ["cp874", "tis-620"],
    "vi": ["cp1258"],
    "ar": ["cp1256", "iso-8859-6"],
    "he": ["cp1255", "iso-8859-8"],
    "el": ["cp1253", "iso-8859-7"],
    "zh-TW": ["big5", "big5hkscs", "cp950"],
    "fr": ["latin-1", "cp1252", "mac-roman"],
    "tr": ["cp1254"],
    "pl": ["cp1250", "iso-8859-2"],
}


@pytest.mark.parametrize(("language", "encoding"), [(name, codec) for name, of in LEGACY.items() for codec in of])
@pytest.mark.parametrize("end", ["\n", "\tabc\n"])
def test_a_legacy_encoding_is_never_guessed(tmp_path, language, encoding, end):
    """CP949 and EUC-JP were read as Chinese in GB18030: other words, and other scores."""
    sentences = [unicodedata.normalize("NFD" if encoding == "cp1258" else "NFC", text) for text in SENTENCES[language]]
    for texts in (sentences, *([text] for text in sentences)):
        data = "".join(f"{text}{end}" for text in texts).encode(encoding, "ignore")
        (tmp_path / "a.txt").write_bytes(data)
        with pytest.raises(InputFileError, match=r"[Nn]ame its encoding"):
            lines_of(tmp_path / "a.txt", file_format="text")
        read_as = lines_of(tmp_path / "a.txt", file_format="text", encoding=encoding)[0]
        assert "".join(f"{line}\n" for line in read_as) == data.decode(encoding).replace("\r\n", "\n")


@pytest.mark.parametrize(
    "texts",
    [["你好，世界"], ["床前明月光", "疑是地上霜"], ["股市大涨", "A股成交额放大"], ["今天𠮷野家开张，㐀字也在其中"]],
)
def test_chinese_in_gb18030_is_read(tmp_path, texts):
    (tmp_path / "a.txt").write_bytes("".join(f"{text}\n" for text in texts).encode("gb18030"))

    lines, notes = lines_of(tmp_path / "a.txt")

    assert lines == texts
    assert "GB18030" in notes[0]
