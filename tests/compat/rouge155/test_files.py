"""Configurations, lists and texts of ROUGE-1.5.5: what is read, and the errors for bad ones."""

import pytest

from polyrouge.compat.rouge155.input_files import read_configuration, read_file_list, read_sentences155

EVALUATION = """<ROUGE-EVAL>
<EVAL ID="7">
<PEER-ROOT>systems</PEER-ROOT>
<MODEL-ROOT>
references
</MODEL-ROOT>
<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT>
<PEERS><P ID="A"> one.txt </P></PEERS>
<MODELS>
<M ID="1">two.txt</M>
</MODELS>
</EVAL>
</ROUGE-EVAL>
"""


@pytest.fixture
def read(tmp_path):
    """A function that reads a configuration of this text, ``c.xml``."""

    def read_text(text):
        (tmp_path / "c.xml").write_text(text)
        return read_configuration(tmp_path / "c.xml")

    return read_text


def test_configuration(read, tmp_path):
    (entry,) = read(EVALUATION.replace("<P ID", "<p ID").replace("</P>", "</p>").replace(">sys", ">old<!-- x -->sys"))
    assert (entry.name, entry.input_format, entry.notes) == ("7", "SPL", [])
    assert entry.predictions == {"A": ("systems/one.txt", f"{tmp_path}/c.xml, line 8")}  # a comment cuts a text
    assert entry.references == [("references/two.txt", f"{tmp_path}/c.xml, line 10")]


def test_two_references_of_one_id_count_as_the_second_twice(read):
    (entry,) = read(EVALUATION.replace("</MODELS>", '<M ID="1">three.txt</M>\n</MODELS>'))
    assert [reference.path for reference in entry.references] == ["references/three.txt"] * 2
    assert "line 11: reference ID '1' was there before" in entry.notes[0]


def test_two_evaluations_of_one_id_are_one(read):
    body = EVALUATION.removeprefix("<ROUGE-EVAL>\n").removesuffix("</ROUGE-EVAL>\n")
    (entry,) = read(f"<ROUGE-EVAL>\n{body}{body.replace('1', '2')}</ROUGE-EVAL>\n")
    assert len(entry.references) == 2
    assert "line 13: evaluation '7' was there before" in entry.notes[0]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        pytest.param("</PEERS>", "", r"line 12: mismatched tag", id="broken"),
        pytest.param('<EVAL ID="7">', "<EVAL>", r"line 2: <EVAL> has no ID", id="no-id"),
        pytest.param("SPL", "SLP", r"Did you mean 'SPL'. Unknown TYPE in .*line 7: 'SLP'; choose one of ", id="format"),
        pytest.param("two.txt", "", r"line 10: <M> names no file", id="no-file"),
        pytest.param('<M ID="1">two.txt</M>', "", r"line 2: evaluation '7' has no reference", id="no-reference"),
        pytest.param(
            '<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT>', "", r"line 2: evaluation '7' has no <INPUT", id="no-format"
        ),
        pytest.param("<ROUGE-EVAL>", "<ROUGE-EVAL><PEERS/>", r"line 1: <PEERS> stands outside an <EVAL", id="outside"),
    ],
)
def test_bad_configuration_says_file_and_line(old, new, message, read, tmp_path):
    with pytest.raises(ValueError, match=message) as caught:
        read(EVALUATION.replace(old, new, 1))
    assert str(tmp_path / "c.xml") in str(caught.value)


def test_list(tmp_path):
    file = tmp_path / "l"
    file.write_bytes(b"# comment\n \n a\tb  c \r\n#\nd e\n")
    first, second = read_file_list(file, "SPL", "mine")
    assert (first.name, second.name) == ("1", "2")
    assert first.predictions == {"mine": ("a", f"{file}, line 3")}
    assert [[reference.path for reference in each.references] for each in (first, second)] == [["b", "c"], ["e"]]
    file.write_text("a b\nc\n")
    with pytest.raises(ValueError, match="l, line 2: only one path, 'c'"):
        read_file_list(file, "SPL", "X")


@pytest.mark.parametrize(
    ("kind", "content", "sentences"),
    [
        pytest.param("SPL", b"one\n\n two \r\nthree", ["one", " two \r", "three"], id="SPL"),
        pytest.param("spl", b"", [], id="empty"),
        pytest.param("SPL", "一\u2028二\n".encode(), ["一\u2028二"], id="line-separator"),
        pytest.param(
            "SEE",
            b'<html>\n<a name="1">[1]</a> <a href="#1" id=1>A &amp; <b>b</b></a>\n'
            b'<a size="10" name="2">[2]</a> <a href="#2" id=2>C\n <a name="3">[3]</a> <a href="#3" id=3>not first\n'
            b'<a name="4">[4]</a> <a href="#4" id="4">quoted\n',
            ["A &amp; ", "C\n"],
            id="SEE",
        ),
        pytest.param("ISI", b'<S SNTNO="1a">one</S>\n<S SNTNO="2">open\n<S sntno="3">x</S>\n', ["one"], id="ISI"),
        pytest.param("SIMPLE", b"a|b|c\n\n", ["a|b|c", ""], id="elements"),
        pytest.param("SPL", b"caf\xe9\n", ["caf\udce9"], id="no-UTF-8"),
    ],
)
def test_texts(kind, content, sentences, tmp_path):
    (tmp_path / "t").write_bytes(content)
    assert sentences == read_sentences155(tmp_path / "t", kind)


def test_unknown_format():
    with pytest.raises(ValueError, match="Unknown input format of t 'XML'"):
        read_sentences155("t", "XML")


ENTITIES = "".join(f"<!ENTITY l{i} '{f'&l{i - 1};' * 10}'>" for i in range(1, 10))
BOMB = f"<!DOCTYPE a [<!ENTITY l0 'lol'>{ENTITIES}]><a>&l9;</a>"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("<a>" * 5000 + "</a>" * 5000, "line 1: elements are nested deeper than 100", id="deep"),
        pytest.param("<?xml version='1.0' encoding='none'?><a/>", "encoding can't be read .unknown", id="encoding"),
        pytest.param("<?xml version='1.0' encoding='gb18030'?><a/>", "encoding can't be read .multi", id="gb18030"),
        pytest.param(BOMB, "line 1: ", id="entities"),
    ],
)
def test_xml_that_breaks_its_reader_is_refused(read, text, message):
    with pytest.raises(ValueError, match=message):
        read(text)


def test_a_long_text_is_read_in_time_that_grows_with_its_length(read):
    """Each line and each entity comes apart; joined one by one, a million of them took minutes."""
    (entry,) = read(EVALUATION.replace("systems", "&lt;\n" * 500_000 + "systems"))
    assert entry.predictions["A"].path == "<\n" * 500_000 + "systems/one.txt"
