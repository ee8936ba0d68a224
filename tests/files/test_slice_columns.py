"""Columns of metadata and of source texts beside the texts: which are read, and what two files may differ in."""

import json

import pytest

from polyrouge.files.file_rows import InputFileError
from polyrouge.files.paired_texts import open_paired_texts

N = 12


def jsonl(path, n=N, **columns):
    rows = [{name: make(row) for name, make in columns.items()} for row in range(n)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def texts_of(role):
    return lambda row: f"{role} {row}"


TEXTS = {"prediction": texts_of("p"), "references": texts_of("r")}


def always(value):
    return lambda _row: value


def read(files, references=(), asked=None, **given):
    with open_paired_texts(files, references, metadata_columns=asked, **given) as texts:
        whole = texts.whole()
        return texts.slice_columns(whole.metadata), whole.documents, texts.notes


def test_columns_that_look_like_slices_are_taken_by_themselves(tmp_path):
    path = jsonl(
        tmp_path / "a.jsonl",
        **TEXTS,
        id=str,
        topic=lambda row: f"t{row % 3}",
        is_hard=lambda row: row % 2 == 0,
        seconds=lambda row: row**2 / 7,
        year=lambda row: 2000 + row % 4,
        maybe=lambda row: None if row % 2 else "x" if row % 4 else "y",
        # and those that don't
        number=lambda row: row,
        constant=always("same"),
        empty=always(None),
        each_its_own=lambda row: f"name {row}",
        tags=always(["a"]),
        article=lambda row: f"{row % 2}" * 200,
    )

    found, _, _ = read([path])

    assert list(found) == ["topic", "is_hard", "seconds", "year", "maybe"]
    assert found["is_hard"][:2] == [True, False]
    assert found["maybe"][:3] == ["y", None, "x"]


def test_cells_of_csv_are_numbers_where_all_are(tmp_path):
    path = tmp_path / "a.csv"
    lines = ["prediction,reference,year,score,mixed"]
    lines += [f"p{row},r{row},{2000 + row},{'' if row == 3 else row / 4},{row if row % 2 else 'x'}" for row in range(N)]
    path.write_text("\n".join(lines))

    found, _, _ = read([str(path)], asked=["year", "score", "mixed"])

    assert found["year"] == [2000 + row for row in range(N)]
    assert found["score"][:5] == [0, 0.25, 0.5, None, 1]
    assert found["mixed"][:2] == ["x", "1"]


def test_a_column_may_stand_with_the_references(tmp_path):
    predictions = jsonl(tmp_path / "p.jsonl", id=str, prediction=texts_of("p"))
    columns = {"id": lambda row: str(N - 1 - row), "reference": texts_of("r"), "topic": lambda row: row % 2}
    references = jsonl(tmp_path / "r.jsonl", **columns)

    found, _, _ = read([predictions], [references], ["topic"])

    assert found["topic"] == [(N - 1 - row) % 2 for row in range(N)]  # joined by ids, as the texts are


def test_the_first_file_counts_and_what_differs_is_told(tmp_path):
    first = jsonl(tmp_path / "a.jsonl", **TEXTS, topic=lambda row: "ab"[row % 2])
    second = jsonl(tmp_path / "b.jsonl", **TEXTS, topic=lambda row: "ab"[row % 2 or row > 3])

    found, _, notes = read([first, second], asked=["topic"])
    guessed, _, silent = read([first, second])

    assert found["topic"] == ["ab"[row % 2] for row in range(N)]
    assert notes == [f"{second}, line 5: 'topic' is not {first}, line 5: 'topic'; the values of {first} are taken"]
    assert (guessed, silent) == ({}, [])


def test_sources_may_stand_in_each_file_and_must_be_the_same(tmp_path):
    def system(name, article):
        return jsonl(tmp_path / name, **TEXTS, article=article)

    first, same = system("a.jsonl", texts_of("source")), system("b.jsonl", texts_of("source"))
    other = system("c.jsonl", lambda row: f"source {row if row < 7 else 0}")

    _, documents, _ = read([first, same], document_column="article")
    assert documents == [f"source {row}" for row in range(N)]
    with pytest.raises(InputFileError, match=r"c\.jsonl, line 8: 'article' is not .* need the same source"):
        read([first, other], document_column="article")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"asked": ["topics"]}, r"a\.jsonl: Unknown column 'topics'; .* Did you mean 'topic'\?"),
        ({"asked": ["tags"]}, r"a\.jsonl, line 1: 'tags' is \['a'\] \(list\); samples are sliced by a text"),
        ({"document_column": "topi"}, r"Unknown column 'topi'; .* Did you mean 'topic'\?"),
    ],
)
def test_columns_that_do_not_fit_are_refused(tmp_path, given, message):
    path = jsonl(tmp_path / "a.jsonl", **TEXTS, topic=always("x"), tags=always(["a"]))

    with pytest.raises(InputFileError, match=message):
        read([path], **given)


def test_plain_text_has_no_columns(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("a\nb\n")

    with pytest.raises(InputFileError, match="no column 'topic': the files are plain text"):
        read([str(path)], [str(path)], ["topic"])
    assert read([str(path)], [str(path)])[0] == {}
