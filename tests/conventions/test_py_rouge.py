"""py-rouge's tokens, stems and limits, and sacrerouge's limits; ``tests/compat/test_py_rouge.py`` has them live."""

import peer_packages
import pytest

from polyrouge.conventions import py_rouge, sacrerouge
from polyrouge.conventions.common import limited
from polyrouge.conventions.py_rouge import load_py_rouge_stems, py_rouge_tokenizer, stemmer

tokenize = py_rouge_tokenizer()


def tables():
    return peer_packages.peer_file("py-rouge", "rouge")


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The U.S.-led 3.14 don't", ["the", "u", "s", "led", "3", "14", "don", "t"]),
        ("GIMME gonna, gotta lemme wanna", ["gim", "me", "gon", "na", "got", "ta", "lem", "me", "wan", "na"]),
        ("cannot can not whatcha d'ye", ["cannot", "can", "not", "whatcha", "d", "ye"]),
        ("wannabe cannots", ["wannabe", "cannots"]),
        ("\N{KELVIN SIGN}elvin İx Straße", ["kelvin", "i", "x", "stra", "e"]),
        ("今天GPT4好😀a_b", ["gpt4", "a", "b"]),
        ("", []),
        (" \t\u3000\n", []),
    ],
)
def test_tokens(text, tokens):
    assert tokens == tokenize(text)


def write_tables(folder, exceptions="became|become\n", special="agreement|agreem\n"):
    """Small tables of our own."""
    (folder / "wordnet_key_value.txt").write_text(exceptions)
    (folder / "wordnet_key_value_special_cases.txt").write_text(special)
    return folder


def test_tables_come_first_and_are_not_stemmed(tmp_path):
    stem = stemmer(write_tables(tmp_path, "became|become\nwas|be\n"))
    words = ["became", "become", "was", "agreement", "running", "sky", "skies", "2000"]
    assert ["become", "becom", "was", "agreem", "run", "sky", "ski", "2000"] == list(map(stem, words))


def test_cannot_is_stemmed_with_its_underscores(tmp_path):
    stem = stemmer(write_tables(tmp_path, "cannot|can\n"))
    assert ["cannot", "cannot", "cannot", "cannotxi"] == list(map(stem, ["cannot", "cannots", "cannoting", "cannotxy"]))


def test_bad_tables_are_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"wordnet_key_value\.txt does not exist.*pip install py-rouge"):
        load_py_rouge_stems(tmp_path)
    with pytest.raises(ValueError, match=r"special_cases\.txt, line 2 is 'b c'; it must be .* word\|stem"):
        load_py_rouge_stems(write_tables(tmp_path, special="a|b\nb c\n"))


@pytest.mark.peers
def test_tables_of_the_installed_package(monkeypatch):
    monkeypatch.syspath_prepend(str(tables().parent))
    stems = load_py_rouge_stems()
    assert len(stems) == 5930 + 138
    assert stems == load_py_rouge_stems(tables())


@pytest.mark.parametrize(
    ("tool", "unit", "limit", "sentences"),
    [
        *((tool, "words", 3, ["een twee", "", "drie"]) for tool in (py_rouge, sacrerouge)),
        *((tool, "words", 2, ["een twee"]) for tool in (py_rouge, sacrerouge)),  # at the end of a line
        *((tool, "words", 9, ["een twee", "", "drie vier vijf"]) for tool in (py_rouge, sacrerouge)),
        (py_rouge, "characters", 11, ["een twee", "", "dri"]),
        (sacrerouge, "characters", 8, ["een twe", "", "d"]),  # cut before blanks go
        (sacrerouge, "characters", 99, ["een twee", "", "drie\tvier vijf"]),
    ],
)
def test_limits(tool, unit, limit, sentences):
    assert sentences == limited([" een twee ", "", "drie\tvier vijf"], limit, tool.CUTS[unit])
