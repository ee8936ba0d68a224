"""ROUGE-1.5.5's words against the script's own, golden and live."""

import hashlib
import json

import pytest
import shared_data
from rouge155_script import need_release
from tool_texts import write_exceptions

from polyrouge.conventions.rouge155 import (
    limit_sentences155,
    load_stop_words,
    load_wordnet_exceptions,
    porter_stem155,
    tokenize155,
    word_stemmer155,
)


@pytest.fixture(scope="module")
def tables():
    return need_release() / "data"


@pytest.fixture(scope="module")
def exceptions(tables):
    return load_wordnet_exceptions(tables)


def test_tokens():
    for text, tokens in {
        "The state-of-the-art U.S.-led": "the state of the art u s led",
        "don't 1,000.50 snake_case": "don t 1 000 50 snake case",
        "naïve CAFÉ Straße": "na ve caf stra e",
        "\N{KELVIN SIGN}elvin İx": "elvin x",  # only A to Z are lower-cased
        "今天GPT4好😀": "gpt4",
        "cannot gonna": "cannot gonna",
        "$5\tA\u00a0b\x85c": "5 a b c",
        "": "",
        " \t\u3000\n": "",
    }.items():
        assert tokenize155(text) == tokens.split(), text


def test_stems_where_the_script_departs_from_porter():
    words = "pavement agreement documents governmental accidental conditionally yyed by".split()
    assert list(map(porter_stem155, words)) == "pavem agreem docum govern accid condit yy by".split()


@shared_data.needs_shared
@pytest.mark.peers
def test_golden_stems(exceptions):
    with open(shared_data.SHARED / "golden" / "rouge155_stems.json", encoding="utf-8") as file:
        golden = json.load(file)
    stem = word_stemmer155(exceptions)
    compared = {**golden["words"], **golden["synthetic"]}
    assert compared == {word: stem(word) for word in compared}
    print(f"rouge155_stems.json: {len(compared)}/{len(compared)} stems agree")


def test_exceptions_come_first_and_are_not_stemmed(tmp_path):
    folder = write_exceptions(tmp_path, verb="became become\nwent go went\n", noun="comics comic_strip\n")
    exceptions = load_wordnet_exceptions(folder)
    stems = map(word_stemmer155(exceptions), ("became", "become", "comics", "went", "is"))
    assert ["become", "becom", "comic_strip", "go", "is"] == list(stems)


def test_later_exception_files_and_lines_overwrite(tmp_path):
    folder = write_exceptions(tmp_path, adj="best good\n", adv="best well\n", noun="oxen ox\noxen oxlip\n")
    assert {"best": "well", "oxen": "oxlip"} == load_wordnet_exceptions(folder)


@pytest.mark.peers
def test_tables_of_the_release(tables, exceptions):
    assert len(exceptions) == 5930
    assert {"best": "well", "better": "well", "testes": "testes"}.items() <= exceptions.items()
    reachable = sorted(word for word in load_stop_words(tables) if word.isascii() and word.isalnum())
    digest = hashlib.sha256("\n".join(reachable).encode()).hexdigest()
    assert (len(reachable), digest) == (543, "d9bdce02fab17869a9fb1a1b73c946cd6a527d678ae7b231638f4767cd534284")


def test_missing_tables_say_what_to_do(tmp_path):
    for load in (load_wordnet_exceptions, load_stop_words):
        with pytest.raises(FileNotFoundError, match="does not exist"):
            load(tmp_path)


def test_bytes_are_cut_in_two_ways():
    # 8 and 5 bytes, then one beyond the limit of 10: the reader of L and W never counts
    sentences = ["een twee", "drie.", "vier vijf zes"]
    flat, separate = limit_sentences155(sentences, max_bytes=10)
    assert (["een twee", "dr"], ["een twee", "drie.", "vier vijf "]) == (flat, separate)


def test_bytes_cut_into_a_character():
    flat, separate = limit_sentences155(["ab日本c", "d"], max_bytes=4)
    assert [b"ab\xe6\x97"] == [text.encode("utf-8", "surrogateescape") for text in flat]
    assert flat == separate


def test_stop_words_from_a_file_or_its_folder(tmp_path):
    (tmp_path / "smart_common_words.txt").write_text("the\n\nof\n")
    assert load_stop_words(tmp_path) == load_stop_words(tmp_path / "smart_common_words.txt") == {"the", "of"}
